package text

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// options are the parts of one format after its name, read while templates are
// parsed.
type options struct {
	name     string
	list     []string
	problems report.Problems
}

// maxDigits is the most decimals or padding a format may ask for.
const maxDigits = 100

func (o *options) problem(format string, args ...any) {
	o.problems = append(o.problems, report.Problemf("", format, args...))
}

// text is an option with its blanks; empty when absent.
func (o *options) text(i int) string {
	if i >= len(o.list) {
		return ""
	}
	return o.list[i]
}

// word is an option without the blanks around it.
func (o *options) word(i int) string { return strings.TrimSpace(o.text(i)) }

// has reports whether an option is there and not empty.
func (o *options) has(i int) bool { return o.word(i) != "" }

// count is an option that is a whole number, or a default.
func (o *options) count(i, absent int) int {
	w := o.word(i)
	if w == "" {
		return absent
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 {
		o.problem("format %q: %q is no whole number; it is ignored", o.name, w)
		return absent
	}
	if n > maxDigits {
		o.problem("format %q: %d is more than %d; %d is used", o.name, n, maxDigits, maxDigits)
		return maxDigits
	}
	return n
}

// digits are the decimals and flags of a number: min;max;flags from option i.
// One number fixes both; a max below min is raised; flags may come early.
func (o *options) digits(i int) numberSpec {
	s := numberSpec{min: -1, max: -1}
	place := 0
	for ; i < len(o.list); i++ {
		w := o.word(i)
		switch {
		case w != "" && strings.Trim(w, "+acAC") == "":
			s.addFlags(w)
		case place == 0:
			s.min = o.count(i, -1)
		case place == 1:
			s.max = o.count(i, -1)
		case w != "":
			o.problem("format %q: %q is no flag; the flags are c, a and +", o.name, w)
		}
		place++
	}
	return s.settled()
}

// settled makes one number fix both ends and raises a max below min.
func (s numberSpec) settled() numberSpec {
	if s.min >= 0 && s.max < s.min {
		s.max = s.min
	}
	return s
}

func (s *numberSpec) addFlags(w string) {
	for _, r := range w {
		switch r {
		case '+':
			s.plus = true
		case 'a', 'A':
			s.accounting = true
		case 'c', 'C':
			s.compact = true
		}
	}
}
