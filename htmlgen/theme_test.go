package htmlgen

import (
	"slices"
	"strings"
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

// TestRulesForPrintStandAlone keeps the fonts and the fixed rules out of every
// style sheet that the browser reads anew when it prints.
func TestRulesForPrintStandAlone(t *testing.T) {
	in := testInput(t, []report.Element{{Type: "text", Props: map[string]any{"text": "A"}}})
	in.Theme = &report.Theme{Page: report.PageStyle{FontFamily: "Inter"}, CustomCSS: "@media print { p { color: red } }"}
	in.Fonts = []FontFace{{Family: "Inter", File: "inter.woff2", Weight: "400", Style: "normal"}}
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	sheets := strings.Split(string(doc.HTML), "<style>")[1:]
	media := 0
	for _, sheet := range sheets {
		sheet, _, _ = strings.Cut(sheet, "</style>")
		if !strings.Contains(sheet, "@media") {
			continue
		}
		media++
		if strings.Contains(sheet, "@font-face") || strings.Contains(sheet, baseCSS) {
			t.Errorf("rules for print beside others: %.300s", sheet)
		}
	}
	if len(sheets) != 4 || media != 2 {
		t.Errorf("%d style sheets, %d of them with rules for print", len(sheets), media)
	}
}
