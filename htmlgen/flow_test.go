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
