package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// withSources is a report of data sources alone.
func withSources(t *testing.T, sources string) *report.Report {
	t.Helper()
	def, problems := report.ParseReport([]byte(`{"name": "Orders", "parameters": [{"name": "least", "type": "number", "default": 5}],
		"pages": [{"id": 1, "name": "A", "elements": []}], "dataSources": ` + sources + `}`))
	if problems != nil {
		t.Fatal(problems)
	}
	return def
}

const shop = `[
	{"name": "orders", "type": "json", "settings": {"content": [{"id": 1, "amount": 10}, {"id": 2, "amount": 4}, {"id": 3, "amount": 7}]}},
	{"name": "broken", "type": "javascript", "settings": {"function": "() => {\n  throw new Error('never run')\n}"}},
	{"name": "large", "type": "transformation", "dependencies": ["$data.orders", "$params.least"], "settings": {"source": "orders", "steps": [
		{"type": "filter", "conditions": [{"field": "amount", "operator": "greater", "parameter": "least"}]},
		{"type": "sort", "by": [{"field": "amount"}]},
		{"type": "limit", "count": 1}]}}]`

func TestRunOfOneSource(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/orders.json": `{"name": "Orders", "pages": []}`})
	def := withSources(t, shop)
	run := func(steps int) *SourceRun {
		t.Helper()
		out, err := s.RunSource(t.Context(), SourceRequest{Request: Request{Report: "orders", Definition: def}, Source: "large", Steps: steps})
		if err != nil || out.Problem != nil {
			t.Fatal(err, out.Problem)
		}
		return out
	}
	text := func(v any) string {
		doc, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	out := run(-1)
	if got := text(out.Value); got != `[{"id":3,"amount":7}]` {
		t.Errorf("rows: %s", got)
	}
	want := `[[{"id":1,"amount":10},{"id":3,"amount":7}],[{"id":3,"amount":7},{"id":1,"amount":10}],[{"id":3,"amount":7}]]`
	if got := text(out.Steps); got != want {
		t.Errorf("steps: %s", got)
	}
	if len(out.Input) != 3 || fmt.Sprint(out.StepTypes) != "[{filter Filter} {sort Sort} {limit Limit}]" {
		t.Errorf("%d rows before the first step; steps %v", len(out.Input), out.StepTypes)
	}
	if got := text(run(1).Value); got != `[{"id":1,"amount":10},{"id":3,"amount":7}]` {
		t.Errorf("after one step: %s", got)
	}
	if got := run(0); len(got.Steps) != 0 || len(got.Value.([]any)) != 3 {
		t.Errorf("before the first step: %s", text(got.Value))
	}
	if _, err := s.RunSource(t.Context(), SourceRequest{Request: Request{Report: "orders", Definition: def}, Source: "ordres"}); err == nil || !strings.Contains(err.Error(), `no data source "ordres"`) {
		t.Errorf("an unknown source: %v", err)
	}
}

func TestProblemsOfASourceNameTheirLine(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/orders.json": `{"name": "Orders", "pages": []}`})
	tests := []struct {
		name, kind, settings string
		path, message        string
		line, column         int
	}{
		{"a script that throws", "javascript", `{"function": "() => {\n  const x = null;\n  return x.y;\n}"}`, "dataSources.x.settings.function", "TypeError", 3, 12},
		{"a script that does not parse", "javascript", `{"function": "() => {\n  const = 5\n}"}`, "dataSources.x.settings.function", "SyntaxError", 2, 9},
		{"pasted JSON", "json", `{"content": "[\n  {\"id\": 1},\n  {\"id\": oops}\n]"}`, "dataSources.x.settings.content[1].id", "not valid JSON", 3, 10},
		{"JSON cut off", "json", `{"content": "[\n  {\"id\": 1"}`, "dataSources.x.settings.content[0].id", "ends too early", 2, 11},
		{"a step", "transformation", `{"source": "rows", "steps": [{"type": "limit", "count": 1}, {"type": "join", "source": "nothing", "on": [{"left": "id", "right": "id"}]}]}`, "dataSources.x.settings.steps[1]", "step 2", 0, 0},
		{"a source that is needed", "javascript", `{"function": "({$data}) => $data.bad.length"}`, "dataSources.bad.settings.function", "never", 1, 15},
		{"a parameter", "javascript", `{"function": "() => 1"}`, "params.least", "number", 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			def := withSources(t, fmt.Sprintf(`[{"name": "rows", "type": "json", "settings": {"content": [{"id": 1}]}},
				{"name": "bad", "type": "javascript", "settings": {"function": "() => { throw new Error('never') }"}},
				{"name": "x", "type": %q, "dependencies": ["$data.rows"], "settings": %s}]`, test.kind, test.settings))
			req := SourceRequest{Request: Request{Report: "orders", Definition: def}, Source: "x", Steps: -1}
			if test.name == "a parameter" {
				req.Params = report.ObjectOf("least", "many")
			}
			out, err := s.RunSource(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			p := out.Problem
			if p == nil || p.Path != test.path || !strings.Contains(p.Message, test.message) || p.Line != test.line || p.Column != test.column {
				t.Errorf("got %+v", p)
			}
		})
	}
}

func TestWarningsOfCSVNameTheirPlace(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/orders.json": `{"name": "Orders", "pages": []}`})
	def := withSources(t, `[{"name": "x", "type": "csv", "settings": {"content": "id,note\n1,\"two\nlines\"\n2\n3,äö,more\n4,\"open\n"}}]`)
	out, err := s.RunSource(t.Context(), SourceRequest{Request: Request{Report: "orders", Definition: def}, Source: "x", Steps: -1})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, w := range out.Warnings {
		got = append(got, fmt.Sprintf("%s %d:%d %s", w.Path, w.Line, w.Column, w.Message))
	}
	want := []string{
		"dataSources.x.settings.content 6:3 data source \"x\": row 5: a quote is never closed",
		"dataSources.x.settings.content 4:2 data source \"x\": row 3 has 1 fields; the others have 2",
		"dataSources.x.settings.content 5:5 data source \"x\": row 4 has 3 fields; the others have 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
