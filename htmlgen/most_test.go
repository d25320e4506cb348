package htmlgen

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// A small report over some data can ask for a document of any size: each of
// these asks for some gigabytes.
func TestADocumentThatIsTooLargeIsRefused(t *testing.T) {
	const most = 4 << 20
	long := strings.Repeat("long ", 8<<10) // 40 KB
	rows := make([]any, 100_000)
	for i := range rows {
		rows[i] = report.ObjectOf("name", long, "group", fmt.Sprint(i/2))
	}
	headings := make([]any, 2_000)
	for i := range headings {
		headings[i] = report.ObjectOf("name", long[:50])
	}
	cells := []any{report.ObjectOf("value", "{$record.name}")}
	repeat := &report.Repeat{Source: "$data.rows", Alias: "r"}
	many := &report.Repeat{Source: "$data.headings", Alias: "h"}
	table := func(more ...any) report.Element {
		props := map[string]any{"source": "$data.rows"}
		for i := 0; i < len(more); i += 2 {
			props[more[i].(string)] = more[i+1]
		}
		return report.Element{Type: "data-table", Props: props}
	}
	for name, elements := range map[string][]report.Element{
		"one template":     {{Type: "text", Props: map[string]any{"text": strings.Repeat("{$data.rows.0.name}", 100_000)}}},
		"repeated element": {{Type: "text", Repeat: repeat, Props: map[string]any{"text": "{$it.r.name}"}}},
		"data table":       {table()},
		"many columns":     {table("columns", manyColumns())},
		"groups":           {table("groups", []any{report.ObjectOf("field", "group", "caption", report.ObjectOf("text", "{$record.name}"))})},
		"column elements":  {table("columns", []any{report.ObjectOf("renderer", "elements", "elements", []any{report.ObjectOf("type", "text", "props", report.ObjectOf("text", "{$record.name}"))})})},
		"table":            {{Type: "table", Props: map[string]any{"rows": []any{report.ObjectOf("repeat", report.ObjectOf("source", "$data.rows"), "cells", cells)}}}},
		"list":             {{Type: "list", Props: map[string]any{"source": "$data.rows", "itemTemplate": "{$it.item.name}"}}},
		"contents":         {{Type: "toc", Repeat: many}, {Type: "heading", Repeat: many, Props: map[string]any{"level": "H1", "title": "{$it.h.name}"}}},
	} {
		in := testInput(t, elements)
		in.Data, in.MostBytes = report.ObjectOf("rows", rows, "headings", headings), most
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Compile(context.Background(), in)
		runtime.ReadMemStats(&after)
		p, ok := errors.AsType[*report.Problem](err)
		if !ok || p.Kind != report.TooLarge || !strings.HasPrefix(p.Path, "pages[0].elements[") || !strings.Contains(p.Message, "larger than 4 MB") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 300<<20 {
			t.Errorf("%s: took %d MB", name, took>>20)
		}
	}
}

func manyColumns() []any {
	columns := make([]any, 2_000)
	for i := range columns {
		columns[i] = report.ObjectOf("field", "name")
	}
	return columns
}
