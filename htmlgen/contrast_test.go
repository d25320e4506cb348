package htmlgen

import (
	"fmt"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestColorsOfAPalette(t *testing.T) {
	p := NewPalette(&report.Theme{Colors: []report.Color{{Name: "Brand", Value: "#0B6"}, {Name: "muted", Value: "var(--brand)"}}})
	for css, want := range map[string]string{
		"#1d4e89": "[29 78 137]", "#ABC": "[170 187 204]", "#aabbccff": "[170 187 204]", " White ": "[255 255 255]", "black": "[0 0 0]",
		"rgb(1, 2, 3)": "[1 2 3]", "rgba(1,2,3,1)": "[1 2 3]", "rgb(1 2 3 / 100%)": "[1 2 3]",
		"var(--brand)": "[0 187 102]", "var(--color-brand)": "[0 187 102]", "var(--muted)": "[0 187 102]", "var(--page-background)": "[255 255 255]", "var(--text)": "[31 36 48]",
		"": "unknown", "#12": "unknown", "#aabbcc80": "unknown", "rgba(0,0,0,.5)": "unknown", "rgb(300,0,0)": "unknown", "var(--nothing)": "unknown", "{$data.color}": "unknown", "tomato": "unknown",
	} {
		got := "unknown"
		if c, ok := p.Color(css); ok {
			got = fmt.Sprint(c)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", css, got, want)
		}
	}
}

// TestContrast holds values of WCAG's own examples.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b RGB
		want string
	}{
		{RGB{}, RGB{255, 255, 255}, "21.00"},
		{RGB{255, 255, 255}, RGB{0x76, 0x76, 0x76}, "4.54"},
		{RGB{255, 255, 255}, RGB{0x77, 0x77, 0x77}, "4.48"},
		{RGB{255, 0, 0}, RGB{255, 255, 255}, "4.00"},
		{RGB{9, 9, 9}, RGB{9, 9, 9}, "1.00"},
	} {
		if got := fmt.Sprintf("%.2f", Contrast(c.a, c.b)); got != c.want {
			t.Errorf("%v on %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestPoints(t *testing.T) {
	for length, want := range map[string]float64{"12pt": 12, "16px": 12, "16": 12, "1in": 72, "1.2em": 0, "": 0, "large": 0} {
		if got, ok := Points(length); got != want || ok != (want > 0) {
			t.Errorf("%q is %v points, want %v", length, got, want)
		}
	}
}
