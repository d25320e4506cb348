package text

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// intlCase is a line of testdata/intl.tsv, which internal/intlgen wrote.
type intlCase struct{ locale, format, value, want string }

func readIntl(t testing.TB, file string) []intlCase {
	t.Helper()
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []intlCase
	var last intlCase
	for line := range strings.Lines(string(doc)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 4 {
			continue // the line of versions
		}
		c := intlCase{parts[0], parts[1], parts[2], parts[3]}
		if c.locale == "" {
			c.locale = last.locale
		}
		if c.format == "" {
			c.format = last.format
		}
		last = c
		cases = append(cases, c)
	}
	return cases
}

// intlDifferences are the cases in which we mean to differ from ICU. All else
// in the file must be equal, and a difference that is no longer one fails too.
func intlDifferences() []intlDifference {
	const (
		newer   = "CLDR 48.2 has other data than the 48.0 of Node.js"
		persian = "ICU writes the Persian calendar with patterns of no language; ours are the language's own"
	)
	return []intlDifference{
		{"tr-TR", "c;GBP;2;2;a", "-1234.5", newer + ": parentheses"},
		{"ko-KR", "t", "", newer + ": 오전 and 오후 for AM and PM"},
		{"ko-KR", "dt", "", newer},
		{"ko-KR", "dt;hhmmA", "", newer},
		{"ko-KR", "dt;hA", "", newer},
		{"ko-KR", "dt;yyyyMdhmmA", "", newer},
		{"th-TH", "dt;DDDHHmm", "", "ICU leaves out the น. of times where the calendar is the Buddhist one"},
		{"fa-IR", "dt;DDDDd", "", persian},
		{"fa-IR", "dt;yyyyMMMM", "", persian},
		{"fa-IR", "dt;DDDDyyyyMMMMd", "", persian},
		{"fa-IR", "dt;DDDDyyyyMMMMdHHmm", "", persian},
		{"fa-IR", "dt;mmss", "", persian},
		{"fa-IR", "dt;HHmmt", "", persian},
		{"fa-IR", "dt;yyyyMMddHHmmtttt", "", persian},
	}
}

// intlDifference is a locale, a format and a value, or all values.
type intlDifference struct{ locale, format, value, reason string }

func (d intlDifference) covers(c intlCase) bool {
	return d.locale == c.locale && d.format == c.format && (d.value == "" || d.value == c.value)
}

// TestFormatsPrintWhatICUPrints compares with Node.js's Intl.
func TestFormatsPrintWhatICUPrints(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	cases := readIntl(t, "testdata/intl.tsv")
	if len(cases) < 600 {
		t.Fatalf("only %d cases", len(cases))
	}
	used := map[intlDifference]bool{}
	for _, c := range cases {
		env := &Env{Locale: LocaleFor(c.locale), Zone: berlin}
		got := ParseFormat(c.format).Apply(cell(c.value), env)
		if got == c.want {
			continue
		}
		i := slices.IndexFunc(intlDifferences(), func(d intlDifference) bool { return d.covers(c) })
		if i < 0 {
			t.Errorf("%s | %s | %s: got %q, ICU %q", c.locale, c.value, c.format, got, c.want)
			continue
		}
		used[intlDifferences()[i]] = true
	}
	for _, d := range intlDifferences() {
		if !used[d] {
			t.Errorf("%s %s is no difference any more", d.locale, d.format)
		}
	}
}

// TestEveryLocaleWorks formats in all locales and looks for empty parts.
func TestEveryLocaleWorks(t *testing.T) {
	when := time.Date(2024, 2, 1, 17, 5, 9, 0, time.UTC)
	tags := LocaleTags()
	if len(tags) < 430 {
		t.Errorf("only %d locales", len(tags))
	}
	for _, tag := range tags {
		l := LocaleFor(tag)
		env := &Env{Locale: l}
		for _, f := range []string{"dt", "dt;DDDDyyyyMMMMddHHmmsst", "d;DDDMMM", "t;hhmmA"} {
			if got := ParseFormat(f).Apply(when, env); got == "" || strings.ContainsAny(got.(string), "{}") {
				t.Errorf("%s %s: %q", tag, f, got)
			}
		}
		for _, f := range []string{"n;2", "p", "c;EUR;2;2;a", "n;;;c", "c;USD;;;c"} {
			if got := ParseFormat(f).Apply(int64(-1234567), env); len(got.(string)) < 4 || got.(string)[0] == '1' {
				t.Errorf("%s %s: %q", tag, f, got)
			}
		}
	}
}
