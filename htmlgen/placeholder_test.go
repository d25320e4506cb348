package htmlgen

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// TestContentOfAPageIsPrintedOnceOrWarnedOf: a layout's placeholders and what
// pages give for them are named by different people.
func TestContentOfAPageIsPrintedOnceOrWarnedOf(t *testing.T) {
	t.Parallel()
	place := func(name string) report.Element {
		return report.Element{Type: "content-placeholder", Props: map[string]any{"name": name}}
	}
	body := func(places ...string) []report.Element {
		list := []report.Element{textElement("L")}
		for _, p := range places {
			list = append(list, place(p))
		}
		return list
	}
	inTable := []report.Element{{Type: "table", Props: map[string]any{"rows": []any{map[string]any{"cells": []any{
		map[string]any{"contentType": "elements", "elements": []any{map[string]any{"type": "content-placeholder", "props": map[string]any{"name": "a"}}}},
	}}}}}}
	given := func(names ...string) map[string][]report.Element {
		m := map[string][]report.Element{}
		for _, n := range names {
			m[n] = []report.Element{textElement("IN" + n)}
		}
		return m
	}
	own := []report.Element{textElement("ELS")}
	for name, c := range map[string]struct {
		body     []report.Element
		page     report.Page
		want     string
		warnings []string
	}{
		"by name":           {body("a", "b"), report.Page{Placeholders: given("a", "b")}, "L INa INb", nil},
		"own":               {body("a", "b"), report.Page{Elements: own}, "L ELS", nil},
		"own called":        {body("a", "content"), report.Page{Elements: own}, "L ELS", nil},
		"the rest":          {body("a", "b"), report.Page{Placeholders: given("a"), Elements: own}, "L INa ELS", nil},
		"nothing":           {body(), report.Page{}, "L", nil},
		"an empty body":     {nil, report.Page{Elements: own}, "ELS", nil},
		"in a cell":         {inTable, report.Page{Placeholders: given("a")}, "INa", nil},
		"own in a cell":     {inTable, report.Page{Elements: own}, "ELS", nil},
		"nothing is given":  {body("a"), report.Page{Placeholders: map[string][]report.Element{"b": {}}}, "L", nil},
		"no place for own":  {body(), report.Page{Elements: own}, "L ELS", []string{`pages[0].elements: page "P": the layout has no placeholder for the page's elements; they are printed after what it holds`}},
		"both and no place": {body("a"), report.Page{Placeholders: given("a"), Elements: own}, "L INa ELS", []string{`pages[0].elements: page "P": the layout has no placeholder for the page's elements; they are printed after what it holds`}},
		"lost": {body("a", "b"), report.Page{Placeholders: given("a", "zzz")}, "L INa", []string{
			`pages[0].placeholders.zzz: page "P": no placeholder of the layout is called "zzz", so what is given for it is not printed; the layout has "a", "b"`,
		}},
		"misspelt": {body("sidebar"), report.Page{Placeholders: given("sidebr")}, "L", []string{
			`pages[0].placeholders.sidebr: page "P": no placeholder of the layout is called "sidebr", so what is given for it is not printed; the layout has "sidebar"`,
		}},
		"one name twice": {body("a", "a"), report.Page{Placeholders: given("a")}, "L INa", []string{
			`template.layouts[0].body[2]: content-placeholder: the layout has another placeholder of this name; what is given for the name is printed once, so give each its own`,
		}},
	} {
		in := testInput(t, nil)
		c.page.ID, c.page.Name = 1, "P"
		in.Report.Pages = []report.Page{c.page}
		in.Template = &report.Template{Name: "T", Layouts: []report.Layout{{Body: c.body}}}
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := printed(doc); got != c.want {
			t.Errorf("%s: prints %q, want %q", name, got, c.want)
		}
		var warnings []string
		for _, w := range doc.Warnings {
			warnings = append(warnings, w.Error())
		}
		if diff := cmp.Diff(c.warnings, warnings); diff != "" {
			t.Errorf("%s: warnings: %s", name, diff)
		}
		in.Origins = true
		if doc, _ := Compile(context.Background(), in); name == "lost" && !strings.Contains(printed(doc), `is called "zzz"`) {
			t.Errorf("the canvas says nothing of what is lost: %s", printed(doc))
		}
	}
}

// printed is the text of a document's pages.
func printed(d *Document) string {
	_, pages, _ := strings.Cut(string(d.HTML), "<section")
	_, pages, _ = strings.Cut(pages, ">")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(pages, " ")), " ")
}
