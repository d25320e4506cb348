package htmlgen

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestPagesBeginOnOddOrEvenPages: a page says where it begins, a subreport page for
// each of its three items and for no more than its first page.
func TestPagesBeginOnOddOrEvenPages(t *testing.T) {
	in := testInput(t, nil)
	text := []report.Element{{Type: "text", Props: map[string]any{"text": "Words"}}}
	in.Report.Pages = []report.Page{
		{ID: 1, Elements: text},
		{ID: 2, StartOn: "odd", Elements: text},
		{ID: 3, StartOn: "any", Elements: text},
		{ID: 4, Type: report.PageTypeSubreport, Report: "letter", StartOn: "even", Repeat: &report.Repeat{Source: "$data.orders"}},
		{ID: 5, Elements: text},
	}
	in.Subreports = letters{{ID: 1, Elements: text}, {ID: 2, Elements: text}, {ID: 3, StartOn: "odd", Elements: text}}
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`<section [^>]*data-page="(\d+)"[^>]*>`).FindAllStringSubmatch(string(doc.HTML), -1) {
		_, on, _ := strings.Cut(m[0], ` data-start-on="`)
		on, _, _ = strings.Cut(on, `"`)
		got = append(got, m[1]+on)
	}
	if all, want := strings.Join(got, " "), "1 2odd 3 4even 4 4odd 4even 4 4odd 4even 4 4odd 5"; all != want {
		t.Errorf("pages begin on %s; want %s", all, want)
	}
}

// TestSubreportsWithoutPagesLeaveNothing: what a subreport page says of its first page is
// said of no page after it when it has none.
func TestSubreportsWithoutPagesLeaveNothing(t *testing.T) {
	in := testInput(t, nil)
	in.Report.Pages = []report.Page{
		{ID: 1, Type: report.PageTypeSubreport, Report: "letter", StartOn: "odd", Restart: true},
		{ID: 2, Elements: []report.Element{{Type: "text", Props: map[string]any{"text": "Words"}}}},
	}
	in.Subreports = letters{{ID: 1, Visible: "false"}}
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	html := string(doc.HTML)
	if strings.Count(html, "<section ") != 1 || strings.Contains(html, " data-start-on=") || strings.Contains(html, " data-anew=") {
		t.Errorf("the page after it is %s", html[max(0, strings.Index(html, "<section ")):])
	}
}

// letters are the pages of the only report there is.
type letters []report.Page

func (l letters) Subreport(context.Context, string, *report.Object) (*Subreport, error) {
	return &Subreport{Report: &report.Report{Version: 1, Name: "Letter", Pages: l}, Data: report.ObjectOf(), Params: report.ObjectOf(), Dict: report.ObjectOf()}, nil
}
