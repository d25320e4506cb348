package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// Finding model A15: what cannot be decided is shown, and told of. Showing too much
// is found on the page, showing too little is not.
func TestWhatCannotBeDecidedIsShownAndToldOf(t *testing.T) {
	for visible, want := range map[string]struct {
		shown bool
		told  string
	}{
		"":                   {true, ""},
		"{$params.showAll}":  {true, ""},
		"!{$params.showAll}": {false, ""},
		"{$data.v":           {true, "text: the expression {$data.v failed: "},
		"1 +":                {true, "text: the expression 1 + failed: "},
	} {
		e := textElement("SEEN")
		e.Visible = visible
		sections, warnings := compilePages(t, report.Page{ID: 1, Name: "P", Elements: []report.Element{e}})
		if strings.Contains(strings.Join(sections, ""), "SEEN") != want.shown {
			t.Errorf("%q: shown is %v", visible, !want.shown)
		}
		if (len(warnings) > 0) != (want.told != "") || !strings.Contains(warnings.Error(), want.told) {
			t.Errorf("%q: told %v; want %q", visible, warnings, want.told)
		}
	}
}
