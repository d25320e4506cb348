package text

import (
	"os"
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

// TestFormatsPrintWhatICUPrints compares with Node.js's Intl. Differences that
// are meant are in intlDifferences.
func TestFormatsPrintWhatICUPrints(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	file := "testdata/intl.tsv"
	if other := os.Getenv("INTL_FILE"); other != "" {
		file = other
	}
	failed := 0
	cases := readIntl(t, file)
	for _, c := range cases {
		env := &Env{Locale: LocaleFor(c.locale), Zone: berlin}
		got := ParseFormat(c.format).Apply(cell(c.value), env)
		if got != c.want {
			failed++
			t.Errorf("%s | %s | %s: got %q, ICU %q", c.locale, c.value, c.format, got, c.want)
		}
	}
	t.Logf("%d cases, %d differ", len(cases), failed)
}
