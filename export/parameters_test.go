package export

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

const lookupReport = `{"name": "Staff", "pages": [{"id": 1, "name": "A", "elements": []}],
	"parameters": [
		{"name": "department", "label": "Department", "type": "lookup", "required": true, "lookupSource": {"type": "json", "settings": {"content": [{"code": "it", "name": "Computing"}, {"code": "hr", "name": "People"}, {"code": "it", "name": "twice"}]}}},
		{"name": "person", "type": "lookup", "lookupSource": {"type": "javascript", "labelField": "name", "valueField": "id", "dependencies": ["$params.department"],
			"settings": {"function": "({$params}) => [{name: 'Ana', id: 1, in: 'it'}, {name: 'Bo', id: 2, in: 'hr'}, {name: 'Cy', id: 3, in: 'it'}].filter(p => p.in === $params.department)"}}},
		{"name": "year", "type": "lookup", "lookupSource": {"type": "javascript", "settings": {"function": "() => [2025, 2026]"}}},
		{"name": "shared", "type": "lookup", "lookupSource": {"reuse": "sites"}},
		{"name": "broken", "type": "lookup", "lookupSource": {"type": "javascript", "valueField": "x", "settings": {"function": "() => [{a: 1}]"}}},
		{"name": "failing", "type": "lookup", "lookupSource": {"type": "sql", "settings": {"connection": "none", "query": "select 1"}}},
		{"name": "fixed", "type": "lookup", "lookup": [{"value": "a", "label": "A"}], "default": "a"},
		{"name": "text"}]}`

func TestLookupsOfferWhatTheirSourcesGive(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/staff.json": lookupReport, "data-sources/sites.json": `{"name": "sites", "type": "json", "scope": "reusable", "settings": {"content": [{"site": "Bergen"}]}}`})
	asked := func(params *report.Object) map[string]Asked {
		list, err := s.Parameters(context.Background(), Request{Report: "staff", Params: params})
		if err != nil {
			t.Fatal(err)
		}
		byName := map[string]Asked{}
		for _, a := range list {
			byName[a.Name] = a
		}
		return byName
	}
	first := asked(nil)
	if d := first["department"]; !d.Leads || len(d.Choices) != 2 || d.Choices[0] != (report.LookupItem{Value: "it", Label: "Computing"}) {
		t.Errorf("%+v", d)
	}
	if p := first["person"]; p.Choices != nil || len(p.Waits) != 1 || p.Waits[0] != "Department" || p.Leads {
		t.Errorf("%+v", p)
	}
	if y := first["year"]; len(y.Choices) != 2 || y.Choices[1].Value != int64(2026) || y.Choices[1].Label != "" {
		t.Errorf("%+v", y)
	}
	if x := first["shared"]; len(x.Choices) != 1 || x.Choices[0].Value != "Bergen" {
		t.Errorf("%+v", x)
	}
	if b := first["broken"]; !strings.Contains(b.Problem, `no field "x"; they have: a`) {
		t.Errorf("%+v", b)
	}
	if f := first["failing"]; !strings.Contains(f.Problem, `there is no connection "none"`) {
		t.Errorf("%+v", f)
	}
	if f := first["fixed"]; len(f.Choices) != 1 || f.Value != "a" {
		t.Errorf("%+v", f)
	}
	then := asked(report.ObjectOf("department", "it"))
	if p := then["person"]; len(p.Waits) != 0 || len(p.Choices) != 2 || p.Choices[1] != (report.LookupItem{Value: int64(3), Label: "Cy"}) {
		t.Errorf("%+v", p)
	}
	if _, err := s.Export(context.Background(), Request{Report: "staff", ExportOptions: report.ExportOptions{Format: "html"}}); err == nil || !strings.Contains(err.Error(), `the parameter "Department" (department) is required`) {
		t.Error(err)
	}
}
