package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/pptx/pptxtest"
)

// TestSlidesSayWhatPagesSay: the slides of a report have every word of the document, as
// often, in its order; each has a title.
func TestSlidesSayWhatPagesSay(t *testing.T) {
	ofDocuments(t)
	exported := exporter(t)
	folders := []string{"../../assets/demo"}
	if *everyOffice {
		folders = append(folders, "../../examples/gallery")
	}
	count := 0
	for _, bundle := range folders {
		ws := bundleIn(t, bundle)
		for _, r := range ws.Reports {
			name := filepath.Base(bundle) + "~" + r.Code
			deck := pptxtest.Open(t, exported(ws, r.Code, "pptx"))
			var own strings.Builder
			for i, s := range deck.Slides {
				own.WriteString(s.Own + "\n")
				if s.Title == "" {
					t.Errorf("%s: slide %d has no title", name, i+1)
				}
			}
			document := exported(ws, r.Code, "html")
			count += len(deck.Slides)
			lost := wordsLost(t, document, own.String())
			if strings.Join(lost, " ") != leftOutOfSlides[name] {
				t.Errorf("%s: not on the slides: %q; want %q", name, lost, leftOutOfSlides[name])
			}
			if at := outOfOrder(documentWords(t, document), words(own.String())); at != "" && len(lost) == 0 && !slices.Contains(orderedOtherwise, name) {
				t.Errorf("%s: the slides have another order: %s", name, at)
			}
		}
	}
	t.Logf("%d slides", count)
}

// leftOutOfSlides are words of pages that their authors keep out of presentations.
var leftOutOfSlides = map[string]string{"gallery~catalogue": "Alder Sons Catalogue 2026 winter"}

// orderedOtherwise are reports whose pages have their own order: columns of a table
// that continue stand on later sheets.
var orderedOtherwise = []string{"gallery~statistics-bulletin"}

// outOfOrder is the first word that does not follow in the other list, where words may
// be repeated.
func outOfOrder(document, slides []string) string {
	at := 0
	for i, w := range document {
		next := slices.Index(slides[at:], w)
		if next < 0 {
			return strings.Join(document[max(0, i-5):min(len(document), i+5)], " ")
		}
		at += next + 1
	}
	return ""
}
