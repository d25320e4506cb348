package htmlgen

import (
	"slices"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestShortPalettesAreFilledWithLighterShades(t *testing.T) {
	theme := completeTheme(&report.Theme{Chart: report.ChartStyle{Palette: []string{"#102030", "#f00", "teal"}}})
	want := []string{"#102030", "#f00", "teal", "#878f97", "#ff7f7f", "teal", "#c3c7cb"}
	if got := theme.Chart.Palette; len(got) != 16 || !slices.Equal(got[:7], want) {
		t.Errorf("the palette is %v", got)
	}
}

// TestOwnColorsLeaveTheOthers keeps the built-in colours that a theme does not
// name, wherever its own stand in its list.
func TestOwnColorsLeaveTheOthers(t *testing.T) {
	theme := completeTheme(&report.Theme{Colors: []report.Color{{Name: "brand", Value: "#00bb66"}, {Name: "muted", Value: "#777777"}}})
	got := map[string]string{}
	for _, c := range theme.Colors {
		if old, twice := got[c.Name]; twice {
			t.Errorf("%s is %s and %s", c.Name, old, c.Value)
		}
		got[c.Name] = c.Value
	}
	if got["primary"] != "#1d4e89" || got["brand"] != "#00bb66" || got["muted"] != "#777777" || len(got) != 7 {
		t.Errorf("%v", got)
	}
}
