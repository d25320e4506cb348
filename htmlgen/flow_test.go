package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestGapsOfColumnsMayBeShares: of the width, as the height is not given.
func TestGapsOfColumnsMayBeShares(t *testing.T) {
	t.Parallel()
	in := testInput(t, []report.Element{{Type: "flow", Props: map[string]any{"orientation": "vertical", "gap": "10%", "width": "300px"}}})
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc.HTML), "gap:30.00px;") {
		t.Error("the gap is not 30px")
	}
}

// TestTheStyleSheetReadsNoStyles: how a declaration is written is nothing to
// rely on; what the author has set is told by classes.
func TestTheStyleSheetReadsNoStyles(t *testing.T) {
	t.Parallel()
	for i, line := range strings.Split(baseCSS+tableCSS+chartCSS+printCSS, "\n") {
		if strings.Contains(line, "[style") && !strings.HasPrefix(line, ":is(.q-html,.q-rich) ") { // whose HTML is the author's
			t.Errorf("line %d: %s", i+1, line)
		}
	}
	for want, e := range map[string]report.Element{
		`class="q-el q-flow"`:                                                 {Type: "flow"},
		`class="q-el q-flow q-vertical"`:                                      {Type: "flow", Props: map[string]any{"orientation": "vertical"}},
		`class="q-el q-flow q-vertical q-aligned"`:                            {Type: "flow", Props: map[string]any{"style": "flex-direction: column; align-items: end"}},
		`class="q-el q-flow q-aligned q-grow mine"`:                           {Type: "flow", Props: map[string]any{"alignItems": "center", "grow": true, "class": "mine"}},
		`class="q-el q-text"`:                                                 {Type: "text"},
		`class="q-el q-text q-grow"`:                                          {Type: "text", Props: map[string]any{"style": "flex:1"}},
		`class="q-el q-barcode q-drawing q-code q-wide q-high"`:               {Type: "barcode", Props: map[string]any{"text": "1", "width": "40mm", "height": "1cm"}},
		`class="q-el q-barcode q-drawing q-code" data-id="e1" style="--least`: {Type: "barcode", ID: "e1", Props: map[string]any{"text": "1"}},
	} {
		doc, err := Compile(t.Context(), testInput(t, []report.Element{e}))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), want) {
			t.Errorf("no %s in\n%s", want, doc.HTML[max(0, len(doc.HTML)-500):])
		}
	}
}
