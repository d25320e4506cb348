package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestWhatIsWrongWithAnElementIsNamedByItsPath(t *testing.T) {
	for _, c := range []struct{ name, element, want string }{
		{"unknown type", `{"type": "tabel"}`, `pages[0].elements[0].type: unknown element type "tabel"; did you mean "table"?`},
		{"unknown type inside", `{"type": "flow", "children": [{"type": "text"}, {"type": "video"}]}`, `pages[0].elements[0].children[1].type: unknown element type "video"`},
		{"unknown option", `{"type": "text", "props": {"colour": "red"}}`, `pages[0].elements[0].props.colour: unknown name; did you mean "color"?`},
		{"unknown option of a column", `{"type": "data-table", "props": {"columns": [{"feild": "a"}]}}`, `pages[0].elements[0].props.columns[0].feild: unknown name; did you mean "field"?`},
		{"number for a switch", `{"type": "flow", "props": {"wrap": 3}}`, `pages[0].elements[0].props.wrap: `},
		{"text for a number", `{"type": "toc", "props": {"showLevels": "two"}}`, `pages[0].elements[0].props.showLevels: `},
		{"text for a list", `{"type": "key-value-grid", "props": {"items": "a"}}`, `pages[0].elements[0].props.items: `},
		{"unknown choice", `{"type": "barcode", "props": {"text": "1", "format": 12}}`, `pages[0].elements[0].props.format: `},
		{"negative width", `{"type": "img", "props": {"width": "-4px"}}`, `pages[0].elements[0].props.width: "-4px" is negative`},
		{"negative height of a chart", `{"type": "generic-chart", "props": {"height": "-200px"}}`, `pages[0].elements[0].props.height: "-200px" is negative`},
		{"negative padding", `{"type": "flow", "props": {"padding": "4px -2px"}}`, `pages[0].elements[0].props.padding: "4px -2px" is negative`},
		{"no length", `{"type": "spacer", "props": {"size": "big"}}`, `pages[0].elements[0].props.size: unknown length "big"; accepted: a length such as 12pt, 4mm, 50% or 20px`},
		{"no length in a group", `{"type": "toc", "props": {"l2": {"fontSize": "9 pt"}}}`, `pages[0].elements[0].props.l2.fontSize: unknown length "9 pt"`},
		{"no length of a column", `{"type": "data-table", "props": {"columns": [{}, {"width": "1fr 2fr"}]}}`, `pages[0].elements[0].props.columns[1].width: unknown length`},
		{"join on an element", `{"type": "data-table", "props": {"transform": [{"type": "sort", "by": [{"field": "a"}]}, {"type": "join"}]}}`, `pages[0].elements[0].props.transform[1].type: unknown step "join"; accepted: select, compute, filter, sort, limit, group, partition`},
		{"wrong step", `{"type": "list", "props": {"transform": [{"type": "limit", "count": "ten"}]}}`, `pages[0].elements[0].props.transform[0].count: `},
		{"children of a text", `{"type": "text", "children": [{"type": "text"}]}`, `pages[0].elements[0].children: a text holds no elements`},
		{"four groups", `{"type": "data-table", "props": {"groups": [{}, {}, {}, {}]}}`, `pages[0].elements[0].props.groups: a table groups by at most 3 levels, not 4`},
	} {
		e, problems := report.Parse[report.Element]([]byte(c.element))
		if problems != nil {
			t.Errorf("%s: %v", c.name, problems)
			continue
		}
		got := Validate(&report.Report{Pages: []report.Page{{ID: 1, Name: "A", Elements: []report.Element{*e}}}}).Error()
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	margins := report.Element{Type: "text", Props: map[string]any{"margin": "-4pt 0 auto", "letterSpacing": "-.02em", "width": "calc(100% - 3mm)"}}
	if problems := Validate(&report.Report{Pages: []report.Page{{ID: 1, Name: "A", Elements: []report.Element{margins}}}}); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestRepeatsThatLeadBackToThemselvesEnd(t *testing.T) {
	inner := report.Element{Type: "text", Repeat: &report.Repeat{Source: "$it.record"}, Props: map[string]any{"text": "x"}}
	outer := report.Element{Type: "flow", Repeat: &report.Repeat{Source: "$it.record"}, Children: []report.Element{inner}}
	doc, err := Compile(context.Background(), testInput(t, []report.Element{outer, inner}))
	if err != nil || !strings.Contains(doc.Warnings.Error(), "pages[0].elements[0]: flow: $it.record leads nowhere") {
		t.Error(err, doc.Warnings)
	}
}

func TestTransformedRowsOfAnElement(t *testing.T) {
	step := func(members ...any) any { return report.ObjectOf(members...) }
	table := report.Element{Type: "data-table", Props: map[string]any{
		"source":    "$data.orders",
		"transform": []any{step("type", "filter", "conditions", []any{step("field", "total", "operator", "greater", "parameter", "least")}), step("type", "compute", "as", "double", "expression", "{$record.total} * 2"), step("type", "sort", "by", []any{step("field", "total", "descending", true)})},
		"columns":   []any{step("field", "id"), step("field", "double")},
	}}
	whole := report.Element{Type: "list", Props: map[string]any{"source": "$data.orders", "itemTemplate": "{$it.item.id}"}}
	in := testInput(t, []report.Element{table, whole})
	in.Data = report.ObjectOf("orders", []any{report.ObjectOf("id", "A", "total", int64(5)), report.ObjectOf("id", "B", "total", int64(50)), report.ObjectOf("id", "C", "total", int64(70))})
	in.Params = report.ObjectOf("least", int64(10))
	doc, err := Compile(context.Background(), in)
	if err != nil || len(doc.Warnings) > 0 {
		t.Fatal(err, doc.Warnings)
	}
	html := string(doc.HTML)
	c, b := strings.Index(html, "<td>C</td>"), strings.Index(html, "<td>B</td>")
	if c < 0 || b < c || strings.Contains(html, "<td>A</td>") || !strings.Contains(html, ">140<") || !strings.Contains(html, "<li>A</li>") {
		t.Error(html[strings.Index(html, "<table"):])
	}
}
