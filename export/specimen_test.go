package export

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// A definition without a report sees the words and looks of its workspace, but
// none of its data.
func TestASpecimenReadsNoDataOfTheWorkspace(t *testing.T) {
	s, _ := newService(t, map[string]string{
		"workspace.json":          `{"name": "Acme", "code": "acme", "languages": [{"name": "English", "code": "en"}]}`,
		"dictionaries/words.json": `{"name": "Words", "code": "words", "entries": {"total": {"en": "Total"}}}`,
		"data-sources/wages.json": `{"name": "wages", "type": "json", "scope": "global", "settings": {"content": {"boss": 900000}}}`,
		"reports/pay.json":        `{"name": "Pay", "pages": []}`,
	})
	definition := &report.Report{
		Version: 1, Name: "Specimen",
		DataSources: []report.SourceUse{{DataSource: report.DataSource{Name: "own", Type: "json", Settings: map[string]any{"content": []any{"seen"}}}}},
		Pages:       []report.Page{{ID: 1, Elements: []report.Element{{Type: "text", Props: map[string]any{"text": "[{$dict.total}|{$data.own.0}|{$data.wages.boss}]"}}}}},
	}
	for ref, want := range map[string]string{"": "[Total|seen|]", "pay": "[Total|seen|900000]"} {
		shown, err := s.Preview(context.Background(), PreviewRequest{Request: Request{Report: ref, Definition: definition}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(shown.HTML), want) {
			t.Errorf("%q: the page lacks %s", ref, want)
		}
	}
}
