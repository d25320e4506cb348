package htmlgen

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

var fromAttr = regexp.MustCompile(` data-from="([^"]*)"`)

// compileBody compiles elements for the designer or for export.
func compileBody(t *testing.T, origins bool, elements ...string) string {
	t.Helper()
	var list []report.Element
	for _, element := range elements {
		def, problems := report.Parse[report.Element]([]byte(element))
		if problems != nil {
			t.Fatal(problems)
		}
		list = append(list, *def)
	}
	in := testInput(t, list)
	in.Origins = origins
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(doc.HTML), `<div class="q-body" id="page-1">`)
	return body[:strings.LastIndex(body, "</div>\n</section>")]
}

const groupedTable = `{"type": "data-table", "props": {"source": "$data.orders", "groups": [{"field": "region", "caption": {"text": "{$group.$key}: {$group.total}"}, "footer": {"enabled": true, "text": "Sum"}}],
	"footer": {"enabled": true, "text": "All"}, "columns": [{"field": "id"}, {"field": "city", "renderer": "text", "text": "{$record.city} {$record.lines.0.name}"}, {"field": "total", "format": "number", "footer": {"aggregate": "sum"}}]}}`

// TestOriginsOfAGroupedTable is a golden of what the designer shows.
func TestOriginsOfAGroupedTable(t *testing.T) {
	const file = "testdata/origins.golden"
	got := compileBody(t, true, groupedTable)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if plain := compileBody(t, false, groupedTable); fromAttr.ReplaceAllString(got, "") != plain {
		t.Error("more than the origins differs from the export")
	}
}

func TestOrigins(t *testing.T) {
	tests := []struct{ name, element, want string }{
		{"a text", `{"type": "text", "props": {"text": "{$data.company.name} {$params.showAll} {$page.number}"}}`, "$data.company.name; $params.showAll"},
		{"no value", `{"type": "text", "props": {"text": "Total"}}`, ""},
		{"a place in a list", `{"type": "heading", "props": {"title": "{$data.orders.0.lines.1.name}"}}`, "$data.orders[0].lines[1].name"},
		{"an expression", `{"type": "text", "props": {"text": "{[ {$data.company.vip} ? $data.company.city.trim() : 'x' ]}"}}`, "$data.company.vip; $data.company.city"},
		{"repeats in repeats", `{"type": "flow", "repeat": {"source": "$data.orders", "alias": "order"}, "children": [{"type": "text", "repeat": {"source": "{$it.order.lines}"}, "props": {"text": "{$it.record.name} of {$it.order.id}"}}]}`, "$data.orders[0].lines[0].name; $data.orders[0].id | $data.orders[0].lines[1].name; $data.orders[0].id | $data.orders[2].lines[0].name; $data.orders[2].id"},
		{"an object as its only row", `{"type": "text", "repeat": {"source": "$data.company"}, "props": {"text": "{$it.record.name}"}}`, "$data.company.name"},
		{"items of a list", `{"type": "list", "props": {"items": ["{$data.company.name}"], "source": "$data.orders.0.lines", "itemTemplate": "{$it.item.name}"}}`, "rows of $data.orders[0].lines | $data.company.name | $data.orders[0].lines[0].name | $data.orders[0].lines[1].name"},
		{"names and values", `{"type": "key-value-grid", "props": {"items": [{"key": "Name", "value": "{$data.company.name}"}]}}`, "$data.company.name"},
		{"a table by hand", `{"type": "table", "props": {"rows": [{"repeat": {"source": "$data.orders", "alias": "o"}, "visible": "{$it.o.id} < 9", "cells": [{"value": "{$record.id}"}, {"value": "{$it.l.name}", "repeat": {"source": "$it.o.lines", "alias": "l"}}]}]}}`, "$data.orders[0].id | $data.orders[0].lines[0].name | $data.orders[0].lines[1].name | $data.orders[1].id"},
		{"rows that steps have sorted and made", `{"type": "data-table", "props": {"source": "$data.orders", "transform": [{"type": "sort", "by": [{"field": "total"}]}, {"type": "limit", "count": 1}], "columns": [{"field": "id"}]}}`, "rows of $data.orders | $data.orders[1].id"},
		{"rows that steps have made", `{"type": "data-table", "props": {"source": "$data.orders", "transform": [{"type": "compute", "as": "double", "expression": "{$record.total} * 2"}, {"type": "limit", "count": 1}], "columns": [{"field": "double"}]}}`, "rows of $data.orders | double of row 1 of $data.orders after 2 steps"},
		{"a tree", `{"type": "data-table", "props": {"source": "$data.tree", "isTree": true, "columns": [{"field": "name"}]}}`, "rows of $data.tree | $data.tree[0].name | $data.tree[0].children[0].name | $data.tree[0].children[1].name | $data.tree[0].children[1].children[0].name"},
		{"elements in cells", `{"type": "data-table", "props": {"source": "$data.orders", "columns": [{"renderer": "elements", "elements": [{"type": "text", "visible": "{$record.id} == 8", "props": {"text": "{$record.city}"}}]}]}}`, "rows of $data.orders | $data.orders[1].city"},
		{"a chart", `{"type": "pie-chart", "props": {"source": "$data.orders", "nameField": "city", "valueField": "id", "altText": "x"}}`, "rows of $data.orders"},
		{"a subreport", `{"type": "subreport", "props": {"report": "terms", "parameters": [{"name": "who", "value": "you"}]}}`, "$params.who in terms | $data.orders in terms; $dict.total in terms"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			html := compileBody(t, true, test.element)
			var found []string
			for _, m := range fromAttr.FindAllStringSubmatch(html, -1) {
				found = append(found, m[1])
			}
			if got := strings.Join(found, " | "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if fromAttr.ReplaceAllString(html, "") != compileBody(t, false, test.element) {
				t.Error("more than the origins differs from the export")
			}
		})
	}
}
