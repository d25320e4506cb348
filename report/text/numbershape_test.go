package text

import "testing"

func TestShapesWriteAsTheirFormatsDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale, format, number, want string
	}{
		{"en-US", "n;2;2", "1234567.005", "1,234,567.01"},
		{"de-DE", "c;EUR", "-1234.5", "−1.234,50\u00a0€"},
		{"hi-IN", "n;0;2", "12345678.9", "1,23,45,678.9"},
		{"es-ES", "n;0", "1234", "1234"},
		{"es-ES", "n;0", "12345", "12.345"},
		{"ar-EG", "n;1;1", "-1234.55", "\u061c−١٬٢٣٤٫٦"},
		{"en-US", "n;0;2;+", "5.5", ""},
		{"en-US", "p;1", "0.5", ""},
		{"en-US", "n;0;1;c", "5200000", ""},
		{"en-US", "c;USD;a", "-3", "($3.00)"},
		{"en-US", "", "1234.25", "1234.25"},
		{"en-US", "uppercase", "3", "3"},
	} {
		env := &Env{Locale: LocaleFor(c.locale)}
		shape, ok := ParseFormat(c.format).Shape(env, c.number)
		if !ok {
			if c.want != "" {
				t.Errorf("%s %s: no shape", c.locale, c.format)
			}
			continue
		}
		if got := shape.Write(c.number); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.locale, c.format, got, c.want)
		}
	}
}
