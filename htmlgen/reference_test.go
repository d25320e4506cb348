package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// referring is a report whose first text refers to what comes after it.
func referring(t *testing.T, source string) *Input {
	t.Helper()
	in := testInput(t, []report.Element{
		{Type: "html", Props: map[string]any{"html": "<p>" + source + "</p>"}},
		{Type: "heading", Props: map[string]any{"level": "H1", "title": "Costs & more", "anchor": "costs", "autoNumber": true}},
		{Type: "heading", Props: map[string]any{"level": "H2", "title": "Plain", "anchor": "Plain one"}},
		{Type: "figure-caption", Props: map[string]any{"name": "Table {$figure.number}", "title": "Heat", "anchor": "heat"}},
		{Type: "html", Props: map[string]any{"html": `<p id="aside">An <b>aside</b><span class="footnote">n</span></p><p id="twice">1</p><p id="twice">2</p><p id="twice-2">3</p>`}},
	})
	cover := false
	in.Report.Pages = append(in.Report.Pages, report.Page{ID: 9, Name: "Back", Count: &cover, Elements: []report.Element{
		{Type: "heading", Props: map[string]any{"title": "Imprint", "anchor": "imprint"}},
	}})
	return in
}

func TestReferences(t *testing.T) {
	t.Parallel()
	link := func(anchor, inside string) string {
		return `<a class="q-ref" href="#` + anchor + `">` + inside + `</a>`
	}
	page := func(anchor string) string {
		return link(anchor, `<span class="q-page-of" data-target="`+anchor+`"></span>`)
	}
	for _, tt := range []struct{ source, want, warning string }{
		{"{['costs']:pageOf}", page("costs"), ""},
		{"{['costs']:titleOf}", link("costs", "Costs &amp; more"), ""},
		{"{['costs']:numberOf}", link("costs", "1"), ""},
		{"{['Plain one']:pageOf}", page("plain-one"), ""},
		{"{['plain-one']:numberOf}", link("plain-one", "Plain"), "has none; its title is printed"},
		{"{['heat']:pageOf}", page("figure-general-1"), ""},
		{"{['heat']:numberOf}: {['heat']:titleOf}", link("figure-general-1", "Table 1") + ": " + link("figure-general-1", "Heat"), ""},
		{"{['aside']:titleOf}", link("aside", "An aside"), ""},
		{"{['page-9']:titleOf}", link("page-9", "Back"), ""},
		{"{['nowhere']:pageOf}", "[nowhere]", `a reference names "nowhere"`},
		{"{['<b>']:pageOf}", "[b]", `a reference names "b"`},
		{"{['imprint']:pageOf}", link("imprint", "Imprint"), "pages have no numbers"},
		{"{['twice']:pageOf}", page("twice"), "more than once"},
		{"{['twice-2']:pageOf}", page("twice-2-2"), ""},
	} {
		doc, err := Compile(context.Background(), referring(t, tt.source))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), "<p>"+tt.want+"</p>") {
			_, got, _ := strings.Cut(string(doc.HTML), `id="page-1"`)
			t.Errorf("%s: no %s in %.300s", tt.source, tt.want, got)
		}
		var told []string
		for _, w := range doc.Warnings {
			told = append(told, w.Error())
		}
		if all := strings.Join(told, "\n"); (all != "") != (tt.warning != "") || !strings.Contains(all, tt.warning) {
			t.Errorf("%s: warnings %q, not %q", tt.source, told, tt.warning)
		}
	}
}
