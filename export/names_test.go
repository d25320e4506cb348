package export

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// uploads are temporary data by their numbers.
type uploads map[int]string

func (u uploads) TempData(_ context.Context, _, _, id int) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(u[id])), nil
}

// Names in a request that nothing has are told of: refused where nothing of
// what was sent would be shown, else warned of.
func TestNamesThatNobodyHas(t *testing.T) {
	all := files()
	all["reports/year-book.json"] = `{"name": "Year book", "dataSources": [{"name": "years", "type": "json", "settings": {"content": [{"year": 2024}]}}],
		"pages": [{"id": 1, "name": "Own page", "type": "subreport", "report": "outer", "parameters": [{"name": "year", "value": "{$params.year}"}]}]}`
	all["reports/outer.json"] = `{"name": "Outer", "pages": [{"id": 1, "name": "A", "elements": [{"type": "flow", "children": [
		{"type": "subreport", "props": {"report": "Orders", "parameters": [{"name": "year", "value": "{$params.year}"}]}}]}]}]}`
	all["reports/plain.json"] = `{"name": "Plain", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "plain"}}]}]}`
	s, _ := newService(t, all)
	s.cfg.Uploads = uploads{1: `{"ordres": []}`, 2: `{"sum": {"total": 3}, "ordres": []}`}
	object := func(text string) *report.Object {
		v, err := report.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v.(*report.Object)
	}
	for name, c := range map[string]struct {
		report, data, params string
		temp                 int
		strict               bool
		fails, warns         string
		shows                string
	}{
		"a misspelt source":                   {data: `{"Sum": {"total": 1}}`, fails: `data.Sum: the report has no data source "Sum"; did you mean "sum"? It has orders, sum, rates, broken`},
		"nothing near":                        {data: `{"customer": {}}`, fails: `data.customer: the report has no data source "customer"; it has orders, sum, rates, broken`},
		"one of two":                          {data: `{"sum": {"total": 1}, "summ": {}}`, warns: `data.summ: the report has no data source "summ"; did you mean "sum"?`, shows: "€1.00 of 2026"},
		"one of two in a job":                 {data: `{"sum": {"total": 1}, "summ": {}}`, strict: true, fails: "data.summ: "},
		"a global source":                     {data: `{"rates": [{"rate": 7}]}`, shows: "2026, 7.00"},
		"a global source that it never reads": {data: `{"broken": []}`, shows: "€14.50"},
		"no members":                          {data: `{}`, shows: "€14.50"},
		"a member that is null":               {data: `{"nope": null}`, shows: "€14.50"},
		"a report without sources":            {report: "plain", data: `{"x": 1}`, fails: `data.x: the report has no data source "x"; it has `},
		"uploaded":                            {temp: 1, fails: `tempDataId.ordres: the report has no data source "ordres"; did you mean "orders"?`},
		"one of two uploaded":                 {temp: 2, warns: "tempDataId.ordres: ", shows: "€3.00"},
		"nothing known beside what is known":  {temp: 2, data: `{"nope": 1}`, fails: "data.nope: "},
		"a source of a subreport":             {report: "outer", data: `{"orders": []}`, fails: `data.orders: the report has no data source "orders"`},
		"a parameter":                         {params: `{"year": 2026, "yeer": 2025}`, warns: `params.yeer: the report has no parameter "yeer"; did you mean "year"? It has year`, shows: "of 2026"},
		"a parameter that is null":            {params: `{"year": 2026, "yaer": null}`, shows: "of 2026"},
		"a parameter of an inner report":      {report: "outer", params: `{"year": 2026}`, shows: "of 2026"},
		"a parameter two reports deep":        {report: "year-book", params: `{"year": 2026}`, shows: "€14.50"},
		"a wrong one of an inner report":      {report: "outer", params: `{"year": {"$gt": 0}}`, fails: "params.year: "},
	} {
		t.Run(name, func(t *testing.T) {
			req := Request{Report: "orders", Params: object(`{"year": 2026}`), Timezone: "UTC", TempDataID: c.temp, Strict: c.strict, ExportOptions: report.ExportOptions{Format: "html"}}
			if c.report != "" {
				req.Report, req.Params = c.report, nil
			}
			if c.params != "" {
				req.Params = object(c.params)
			}
			if c.data != "" {
				req.Data = object(c.data)
			}
			if early := s.CheckNames(t.Context(), req); c.params == "" && (early != nil) != (c.fails != "") {
				t.Errorf("before: %v", early)
			}
			file, err := s.Export(t.Context(), req)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v; want %s", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			content, _ := file.Open()
			html, _ := io.ReadAll(content)
			if !strings.Contains(string(html), c.shows) {
				t.Errorf("it does not show %q: %v", c.shows, file.Warnings)
			}
			if told := fmt.Sprint(file.Warnings); !strings.Contains(told, c.warns) || c.warns == "" && strings.Contains(told, "has no ") {
				t.Errorf("warnings: %s; want %s", told, c.warns)
			}
		})
	}
}

// What is no parameter does not reach the scripts of a report: nobody has
// checked it.
func TestUndeclaredParametersReachNoScript(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/probe.json": `{"name": "Probe", "parameters": [{"name": "year", "type": "number"}],
		"dataSources": [{"name": "seen", "type": "javascript", "settings": {"function": "($params) => 'seen: ' + Object.keys($params).join()"}}],
		"pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "{$data.seen}"}}]}]}`})
	params := report.ObjectOf("year", int64(1), "undeclared", report.ObjectOf("$where", "1"), "__proto__", report.ObjectOf("a", "b"))
	html, warnings := bodyOf(t, s, Request{Report: "probe", Params: params})
	if !strings.Contains(html, "seen: year<") {
		t.Errorf("the script sees more: %s", html)
	}
	for _, want := range []string{"params.undeclared: ", "params.__proto__: "} {
		if !strings.Contains(warnings, want) {
			t.Errorf("%s; want %s", warnings, want)
		}
	}
}

// A job's own names: each that nobody has stops its run.
func TestNamesOfAJobThatNobodyHas(t *testing.T) {
	s, _ := newService(t, files())
	sources := []report.SourceUse{{DataSource: report.DataSource{Name: "rows", Type: "json", Settings: map[string]any{"content": []any{}}}}}
	for name, c := range map[string]struct {
		params, data *report.Object
		want         string
	}{
		"data":       {nil, report.ObjectOf("rows", []any{}, "row", []any{}), `data.row: the job has no data source "row"; did you mean "rows"?`},
		"parameters": {report.ObjectOf("mont", 1), nil, `params.mont: the job has no parameter "mont"; did you mean "month"?`},
	} {
		_, err := s.LoadBatch(t.Context(), BatchRequest{
			Sources: sources, Params: c.params, Data: c.data,
			Parameters: []report.ParameterUse{{Parameter: report.Parameter{Name: "month"}}},
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
