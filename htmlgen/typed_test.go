package htmlgen

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

var typedAttr = regexp.MustCompile(` data-(?:(?:n|d|b|f|sum|begins|workbook)="[^"]*"|same)`)

const typedElements = `[
	{"type": "text", "props": {"text": "{$data.orders.0.total:c;EUR}"}},
	{"type": "text", "props": {"text": "Since {$data.orders.0.date:d}, {$data.orders.0.total:n;0}"}},
	{"type": "key-value-grid", "props": {"items": [{"key": "Largest", "value": "{$data.orders.1.total:n;2} t"}, {"key": "Who", "value": "{$data.orders.0.city}"}]}},
	{"type": "table", "props": {"workbook": "own-sheet", "rows": [{"cells": [{"value": "Ordered"}, {"value": "{$data.orders.0.date:d}"}, {"value": "{$params.showAll}"}]}]}},
	{"type": "data-table", "props": {"source": "$data.orders", "groups": [{"field": "region", "caption": {"text": "{$group.$key}"}, "footer": {"enabled": true, "text": "Sum"}}, {"field": "city", "caption": {"enabled": false}}],
		"footer": {"enabled": true, "text": "All"}, "columns": [
			{"renderer": "row-number", "title": "No."}, {"field": "region", "mergeCells": "equal"}, {"field": "id"},
			{"field": "total", "format": "number", "footer": {"aggregate": "sum"}, "groupCaptions": [{"aggregate": "average", "format": "n;2"}]},
			{"field": "date", "format": "date", "footer": {"aggregate": "max"}},
			{"title": "Doubled", "value": "{$record.total} * 2", "format": "number", "footer": {"aggregate": "sum"}},
			{"field": "total", "title": "Parts", "renderer": "text", "text": "{$record.total:n;1} t", "footer": {"aggregate": "count"}}]}}
]`

// TestTypedMarks is a golden of what workbooks are made of.
func TestTypedMarks(t *testing.T) {
	const file = "testdata/typed.golden"
	type page struct {
		Elements []report.Element `json:"elements"`
	}
	def, problems := report.Parse[page]([]byte(`{"elements": ` + typedElements + `}`))
	if problems != nil {
		t.Fatal(problems)
	}
	compile := func(typed bool) *Document {
		in := testInput(t, def.Elements)
		in.Typed = typed
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	doc, plain := compile(true), compile(false)
	if got := typedAttr.ReplaceAllString(string(doc.HTML), ""); strings.Count(got, "<td")-strings.Count(string(plain.HTML), "<td") != strings.Count(string(doc.HTML), "data-same") {
		t.Error("more than the marks and the merged cells differs from the export")
	}
	if len(plain.Codes) > 0 || typedAttr.Match(plain.HTML) {
		t.Error("the export is marked")
	}
	_, got, _ := strings.Cut(string(doc.HTML), `<div class="q-body" id="page-1">`)
	for i, code := range doc.Codes {
		got += fmt.Sprintf("%d: %s\n", i, code)
	}
	for _, w := range doc.Warnings {
		got += "! " + w.Error() + "\n"
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
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
}
