package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestHyphensThatNobodyPutsAreToldOf: findings model B3 and pages B1, where it was
// accepted and did nothing. What divides words itself (TestWordsAreDivided) says nothing.
func TestHyphensThatNobodyPutsAreToldOf(t *testing.T) {
	t.Parallel()
	const told = "hyphens: auto divides no words here"
	for name, c := range map[string]struct {
		element report.Element
		css     string
		want    string
	}{
		"a style":      {report.Element{Type: "paragraph", Props: map[string]any{"text": "x", "style": "hyphens:auto;"}}, "", ""},
		"of a grid":    {report.Element{Type: "key-value-grid", Props: map[string]any{"style": "hyphens:auto;"}}, "", "pages[0].elements[0]: key-value-grid: " + told},
		"in HTML":      {report.Element{Type: "html", Props: map[string]any{"html": `<p style="hyphens: auto">x</p>`}}, "", "pages[0].elements[0]: html: " + told},
		"a theme":      {textElement("x"), "p{-webkit-hyphens:auto}", "theme: " + told},
		"soft hyphens": {report.Element{Type: "paragraph", Props: map[string]any{"text": "Donau\u00addampf", "style": "hyphens:manual"}}, "", ""},
	} {
		in := testInput(t, []report.Element{c.element})
		in.Theme = &report.Theme{CustomCSS: c.css}
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if (len(doc.Warnings) > 0) != (c.want != "") || !strings.HasPrefix(doc.Warnings.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, doc.Warnings, c.want)
		}
	}
}
