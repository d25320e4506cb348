package text

import "testing"

func TestShortCode(t *testing.T) {
	for _, c := range []struct {
		language, format string
		most             float64
		want             string // empty: none
	}{
		{"en", "n;0;0;c", 138103, `[>=999.5]0,"K";#,##0`},
		{"en", "n;1;1;c", 5e6, `[>=999950]0.0,,"M";[>=999.95]0.0,"K";#,##0.0`},
		{"en", "n;0;0;c", 5e9, `[>=999500000]0,,,"B";[>=999500]0,,"M";#,##0`},
		{"en", "n;0;0;c", 900, `#,##0`},
		{"de", "n;1;1;c", 5e6, "[>=999999.95]0.0,,\"\u00a0Mio\"\\.;#,##0.0"},
		{"ja", "n;0;0;c", 5e6, ""},    // counts by ten thousands
		{"hi", "n;0;0;c", 5e6, ""},    // and by hundreds of thousands
		{"en", "n;0;2;c", 5e6, ""},    // 1.5M and 2M
		{"en", "n;0;0", 5e6, ""},      // not shortened
		{"ar-EG", "n;0;0;c", 5e6, ""}, // other digits
	} {
		env := &Env{Locale: LocaleFor(c.language)}
		sizes, ok := ParseFormat(c.format).ShortSizes(env, c.most)
		got, all := "", true
		if ok {
			got, all = ShortCode(sizes)
		}
		if got != c.want || all != (c.most < 1e9) {
			t.Errorf("%s of %s up to %g: %q %v, want %q", c.format, c.language, c.most, got, all, c.want)
		}
	}
}
