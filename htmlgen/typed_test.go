package htmlgen

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
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

// writingScripts gives what each row says of itself.
type writingScripts struct{ testScripts }

func (writingScripts) Render(_ context.Context, call *RenderCall) ([]any, error) {
	results := make([]any, len(call.Rows))
	for i, row := range call.Rows {
		results[i], _ = row[1].(*report.Object).Get("written")
	}
	return results, nil
}

// TestTypedFunctions: a renderer function that puts markup around the value of its field
// prints the value; what says more, or something else, is text.
func TestTypedFunctions(t *testing.T) {
	for _, test := range []struct{ field, format, value, written, want string }{
		{"total", "n;2", "1234.5", "<b class=\"up\">1,234.50</b>", "1234.5"},
		{"total", "c;EUR", "1234.5", "<span style=\"color:#a00\"> €1,234.50 </span>", "1234.5"},
		{"total", "n;2", "1234.5", "1234.5", "1234.5"},
		{"total", "n;2", "0", "<i>0.00</i>", "0"},
		{"total", "n;2", "1234.5", "<b>1,234.50</b> ▲", ""},
		{"total", "n;2", "1234.5", "<b>1,234.51</b>", ""},
		{"total", "n;2", "1234.5", "<b>1,234.50</b><br>", ""},
		{"total", "n;2", "1234.5", "<b>1,234.50</b><img src=\"x\">", ""},
		{"total", "n;2", "1234.5", "<script>1,234.50</script>", ""},
		{"total", "n;2", "null", "<b></b>", ""},
		{"total", "n;2", "1234.5", "<b></b>", ""},
		{"", "n;2", "1234.5", "<b>1,234.50</b>", ""},
		{"total", "p;0", "0.5", "50&#37;", "0.5"},
		{"total", "n;2", "1234.5", strings.Repeat("<b>", 5000) + "1,234.50", ""},
	} {
		props := fmt.Sprintf(`{"elements": [{"type": "data-table", "props": {"source": "$data.r", "columns": [{"field": %q, "title": "A", "format": "custom", "customFormat": %q, "renderer": "function", "function": "x"}]}}]}`, test.field, test.format)
		def, problems := report.Parse[struct {
			Elements []report.Element `json:"elements"`
		}]([]byte(props))
		if problems != nil {
			t.Fatal(problems)
		}
		in := testInput(t, def.Elements)
		value, err := report.ParseValue([]byte(test.value))
		if err != nil {
			t.Fatal(err)
		}
		in.Data, in.Typed = report.ObjectOf("r", []any{report.ObjectOf("total", value, "written", test.written)}), true
		in.Scripts = writingScripts{testScripts{scripting.NewExpressions(context.Background(), noEngine{}, scripting.Scene{})}}
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(string(doc.HTML), `data-n="`)
		got, _, _ = strings.Cut(got, `"`)
		if !strings.Contains(string(doc.HTML), `data-n="`) {
			got = ""
		}
		if got != test.want {
			t.Errorf("%s as %s, written as %.60s: the cell has %q; want %q", test.value, test.format, test.written, got, test.want)
		}
	}
}
