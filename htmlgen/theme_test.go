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
