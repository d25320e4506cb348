package export

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestInksThatCannotBeAreLeftOut(t *testing.T) {
	r := &run{found: &resolved{theme: &report.Theme{Colors: []report.Color{{Name: "brand", Value: "#c8102e"}}, Inks: []report.Ink{
		{Color: "var(--color-brand)", Spot: " PANTONE 186 C ", Magenta: 100},
		{Color: "#C8102E", Cyan: 100},
		{Color: "#003366", Spot: "PANTONE 186 C", Cyan: 100},
		{Color: "#003366", Spot: "cyan", Cyan: 100},
		{Color: "none"},
		{Color: "#003366", Cyan: 100},
	}}}}
	p, problems := r.press()
	var got []string
	for _, ink := range p.Inks {
		got = append(got, ink.Place+" "+ink.Spot)
	}
	if strings.Join(got, ", ") != "theme.inks[0] PANTONE 186 C, theme.inks[5] " {
		t.Errorf("inks are %q", got)
	}
	for i, want := range []string{"theme.inks[1].color: the colour has an ink already, theme.inks[0]", "theme.inks[2].spot: \"PANTONE 186 C\" has other shares in theme.inks[0]", "theme.inks[3].spot: \"cyan\" is no ink of its own", "theme.inks[4].color: \"none\" is no colour"} {
		if i >= len(problems) || !strings.HasPrefix(problems[i].Error(), want) {
			t.Errorf("problems are %v, want %s", problems, want)
		}
	}
	if p.Condition.Name != "FOGRA39" {
		t.Errorf("printed as %s", p.Condition.Name)
	}
}
