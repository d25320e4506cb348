package export

import (
	"context"
	"strings"
	"testing"
)

// bodyOf is the report's HTML and the warnings of its export.
func bodyOf(t testing.TB, s *Service, req Request) (html, warnings string) {
	t.Helper()
	p, err := s.Preview(context.Background(), PreviewRequest{Request: req})
	if err != nil {
		t.Fatal(err)
	}
	_, html, _ = strings.Cut(string(p.HTML), "<body")
	for _, w := range p.Warnings {
		warnings += w.Error() + "\n"
	}
	return html, warnings
}

func TestASubreportLoadsItsOwnDataForTheParametersGiven(t *testing.T) {
	all := files()
	all["reports/year-book.json"] = `{"name": "Year book", "dataSources": [{"name": "years", "type": "json", "settings": {"content": [{"year": 2024}, {"year": 2025}]}}],
		"pages": [
			{"id": 1, "name": "All", "elements": [{"type": "subreport", "repeat": {"source": "$data.years"}, "props": {"report": "orders", "parameters": [{"name": "year", "value": "{$it.record.year}"}]}}]},
			{"id": 2, "name": "Own page", "type": "subreport", "report": "Orders", "parameters": [{"name": "year", "value": "2026"}, {"name": "years", "value": "2027"}]},
			{"id": 3, "name": "Refused", "type": "subreport", "report": "orders", "parameters": [{"name": "year", "value": "soon"}]}]}`
	s, _ := newService(t, all)
	html, warnings := bodyOf(t, s, Request{Report: "year-book", Lang: "de", Timezone: "UTC"})
	html = strings.ReplaceAll(html, "\u00a0", " ")
	for _, want := range []string{"Summe: € 14,50 of 2024, 1,25", "Summe: € 14,50 of 2025, 1,25", "Summe: € 14,50 of 2026, 1,25"} {
		if n := strings.Count(html, want); n != 1 {
			t.Errorf("%q stands %d times in %s", want, n, html)
		}
	}
	if n := strings.Count(html, `data-page="2"`); n != 2 {
		t.Errorf("the page of the subreport has %d sheets, not 2", n)
	}
	for _, want := range []string{`the subreport "orders": params.year: `, `the subreport "Orders" has no parameter "years"; did you mean "year"?`} {
		if !strings.Contains(warnings, want) {
			t.Errorf("%q is not warned of in %s", want, warnings)
		}
	}
}

func TestAttachedFilesThatCannotBeUsedAreToldOf(t *testing.T) {
	all := files()
	all["files/notes.pdf"] = "no PDF at all"
	all["reports/offer.json"] = `{"name": "Offer", "pages": [
		{"id": 1, "name": "Terms", "type": "document-merge", "document": "notes.pdf"},
		{"id": 2, "name": "Gone", "type": "document-merge", "document": "gone.pdf"}]}`
	s, _ := newService(t, all)
	html, warnings := bodyOf(t, s, Request{Report: "offer"})
	for _, want := range []string{"notes.pdf cannot be attached", "there is no managed file &#34;gone.pdf&#34;"} {
		if !strings.Contains(html, want) && !strings.Contains(html, strings.ReplaceAll(want, "&#34;", `"`)) {
			t.Errorf("the page does not say %q: %s", want, html)
		}
	}
	if !strings.Contains(warnings, "pages[0]") || !strings.Contains(warnings, "pages[1]") {
		t.Errorf("warnings: %s", warnings)
	}
}
