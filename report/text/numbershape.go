package text

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// NumberShape is how a format writes numbers, for programs that have to write some of
// which nobody here knows yet, such as the sums of pages in a browser.
type NumberShape struct {
	Plus   [2]string `json:"plus"`  // before and behind a number that is not below zero
	Minus  [2]string `json:"minus"` // and one that is
	Point  string    `json:"point"`
	Group  string    `json:"group"`  // between groups of digits; empty for none
	Sizes  [2]int    `json:"sizes"`  // of the last group and of those before it
	From   int       `json:"from"`   // how many digits before the point a number has that is grouped
	Least  int       `json:"least"`  // decimals
	Most   int       `json:"most"`   // decimals
	Digits []string  `json:"digits"` // from 0 to 9
}

// shapeProbes are numbers by which a shape is tried.
var shapeProbes = []string{"0", "0.5", "-0.5", "0.005", "-0.004", "0.015", "2.675", "-7", "12.3", "-999.995", "1234.5", "12345.678", "-123456", "9876543.21", "1234567890.1", "-0.1", "100000000000"}

// Shape is the shape of a format; false where it writes some number otherwise than a
// shape can say, as one with short forms, percents or words does. More numbers that it
// has to write as the format does may be given.
func (f Format) Shape(env *Env, more ...string) (*NumberShape, bool) {
	write := func(digits string) string { return string(f.Append(nil, json.Number(digits), env, Printed)) }
	s := &NumberShape{Sizes: [2]int{3, 3}}
	if !s.readDigits(write) || !s.readDecimals(write) {
		return nil, false
	}
	s.readGroups(write)
	for _, probe := range slices.Concat(shapeProbes, more) {
		if s.Write(probe) != write(probe) {
			return nil, false
		}
	}
	return s, true
}

// pieces are the text before the first digit, between the digits, and behind the last.
func pieces(text string) (before string, digits []rune, between []string, behind string) {
	gap := ""
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			if len(digits) == 0 {
				before = gap
			} else {
				between = append(between, gap)
			}
			digits, gap = append(digits, r), ""
		default:
			gap += string(r)
		}
	}
	return before, digits, between, gap
}

func (s *NumberShape) readDigits(write func(string) string) bool {
	_, digits, _, _ := pieces(write("1234567890"))
	if len(digits) < 10 {
		return false
	}
	s.Digits = []string{string(digits[9])}
	for _, d := range digits[:9] {
		s.Digits = append(s.Digits, string(d))
	}
	return true
}

func (s *NumberShape) readDecimals(write func(string) string) bool {
	var one, many, below []rune
	var between []string
	s.Plus[0], one, _, s.Plus[1] = pieces(write("1"))
	s.Minus[0], below, _, s.Minus[1] = pieces(write("-1"))
	_, many, between, _ = pieces(write("1.111111111111"))
	if len(one) == 0 || len(below) != len(one) || len(many) < len(one) {
		return false
	}
	s.Least, s.Most = len(one)-1, len(many)-1
	if s.Most > 0 {
		s.Point = between[0]
	}
	return true
}

func (s *NumberShape) readGroups(write func(string) string) {
	_, digits, between, _ := pieces(write("1234567890123"))
	whole := len(digits) - s.Least
	size, sizes := 0, []int{}
	for i := whole - 1; i > 0 && i <= len(between); i-- {
		size++
		if between[i-1] != "" {
			s.Group, sizes, size = between[i-1], append(sizes, size), 0
		}
	}
	if len(sizes) < 2 {
		return
	}
	s.Sizes = [2]int{sizes[0], sizes[1]}
	for s.From = sizes[0] + 1; s.From < 9; s.From++ {
		_, _, between, _ := pieces(write(strings.Repeat("1", s.From)))
		if slices.Contains(between[:s.From-1], s.Group) {
			break
		}
	}
}

// Write writes a number, given in plain digits. assets/web/paginate/pagesums.ts does the
// same.
func (s *NumberShape) Write(digits string) string {
	digits, below := strings.CutPrefix(digits, "-")
	whole, decimals, _ := strings.Cut(digits, ".")
	var d decimal
	if !d.parse([]byte(whole + "." + decimals)) {
		return ""
	}
	d.round(s.Most)
	whole, decimals = d.plain(s.Least)
	affixes := s.Plus
	if below && strings.Trim(whole+decimals, "0") != "" {
		affixes = s.Minus
	}
	out := s.grouped(whole)
	if decimals != "" {
		out += s.Point + s.spelt(decimals)
	}
	return affixes[0] + out + affixes[1]
}

// plain are the digits before and behind the point, with so many decimals at least.
func (d *decimal) plain(least int) (whole, decimals string) {
	all := make([]byte, 0, len(d.digits)+2)
	for range 1 - d.point {
		all = append(all, '0')
	}
	at := max(1, d.point)
	all = append(all, d.digits...)
	for len(all) < at+least {
		all = append(all, '0')
	}
	return string(all[:at]), string(all[at:])
}

func (s *NumberShape) grouped(whole string) string {
	if s.Group == "" || len(whole) < s.From {
		return s.spelt(whole)
	}
	size, out := s.Sizes[0], ""
	for len(whole) > size {
		out = s.Group + s.spelt(whole[len(whole)-size:]) + out
		whole, size = whole[:len(whole)-size], s.Sizes[1]
	}
	return s.spelt(whole) + out
}

func (s *NumberShape) spelt(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		b.WriteString(s.Digits[digits[i]-'0'])
	}
	return b.String()
}
