package export

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

const chosenReport = `{"name": "Staff", "language": "de", "include": {"languages": [{"name": "Deutsch", "code": "de", "culture": "de-DE"}]},
	"pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "{$params.person} {$params.rate}"}}]}],
	"parameters": [
		{"name": "person", "label": "User", "type": "lookup", "display": true, "lookupSource": {"type": "javascript", "labelField": "name", "valueField": "id", "dependencies": ["$params.department"],
			"settings": {"function": "({$params}) => { if ($params.department === 'down') throw new Error('it is down'); return [{name: 'Ana', id: 1, in: 'it'}, {name: 'Bo', id: 2, in: 'hr'}, {name: 'Cy', id: 3, in: 'it'}].filter(p => p.in === $params.department)}"}}},
		{"name": "department", "type": "lookup", "display": true, "default": "it", "lookupSource": {"type": "json", "settings": {"content": [{"code": "it", "name": "Computing"}, {"code": "hr", "name": "People"}, {"code": "down", "name": "Down"}]}}},
		{"name": "sites", "type": "lookup", "multiple": true, "display": true, "lookupSource": {"type": "json", "labelField": "label", "settings": {"content": [{"id": 7, "x": 0, "label": "Bergen"}, {"id": 8, "x": 0, "label": "Oslo"}, {"id": 9, "x": 0, "label": null}]}}},
		{"name": "rate", "type": "lookup", "display": true, "lookupSource": {"type": "javascript", "settings": {"function": "() => [...Array(2000).keys()].map(i => ({rate: i / 2, name: 'Rate ' + i}))"}}},
		{"name": "empty", "type": "lookup", "lookupSource": {"type": "json", "settings": {"content": []}}},
		{"name": "broken", "type": "lookup", "lookupSource": {"type": "json", "valueField": "x", "settings": {"content": [{"a": 1}]}}},
		{"name": "all", "type": "switch", "display": true}]}`

// TestValuesOfLookupSourcesAreCheckedAndPrintedByTheirLabels, as those of a fixed
// list are.
func TestValuesOfLookupSourcesAreCheckedAndPrintedByTheirLabels(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/staff.json": chosenReport})
	for params, want := range map[string]string{
		`{}`: "<dt>department</dt><dd>Computing</dd></div><div><dt>all</dt><dd>Nein</dd>",
		`{"person": 3, "sites": ["8", 7, 9], "all": true}`: "<dt>User</dt><dd>Cy</dd></div><div><dt>department</dt><dd>Computing</dd></div><div><dt>sites</dt><dd>Oslo, Bergen, 9</dd></div><div><dt>all</dt><dd>Ja</dd>",
		`{"person": "2", "department": "hr"}`:              "<dt>User</dt><dd>Bo</dd></div><div><dt>department</dt><dd>People</dd>",
		`{"rate": "1.50"}`:                                 "<dt>rate</dt><dd>Rate 3</dd>",
		`{"rate": 999.5}`:                                  "<dt>rate</dt><dd>Rate 1999</dd>",
		`{"person": 77}`:                                   `! params.person: the parameter "User" (person): 77 is none of the offered values: 1, 3`,
		`{"person": 2}`:                                    `! params.person: the parameter "User" (person): 2 is none of the offered values: 1, 3`,
		`{"department": "itt"}`:                            `! params.department: the parameter "department": "itt" is none of the offered values: it, hr, down`,
		`{"sites": [7, 12]}`:                               `! params.sites: the parameter "sites": 12 is none of the offered values: 7, 8, 9`,
		`{"rate": "12.55"}`:                                `9.5 and 1980 more; did you mean 12.5?`,
		`{"empty": "x"}`:                                   `! params.empty: the parameter "empty": "x" is none of the offered values: there are none`,
		`{"broken": 1}`:                                    `! dataSources.broken: the values of the parameter "broken" could not be asked for: the rows of the lookup have no field "x"; they have: a`,
		`{"person": 1, "department": "down"}`:              `! dataSources.person`,
	} {
		file, err := s.Export(context.Background(), Request{Report: "staff", Params: given(t, params), ExportOptions: report.ExportOptions{Format: "html"}})
		if reason, refused := strings.CutPrefix(want, "! "); refused || strings.Contains(want, "did you mean") {
			var problems report.Problems
			if !errors.As(err, &problems) || !strings.Contains(problems.Error(), reason) {
				t.Errorf("%s: %v; want %s", params, err, reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", params, err)
			continue
		}
		if got := shownBy(t, file); !strings.Contains(got, want) {
			_, got, _ = strings.Cut(got, `<dl class="q-parameters">`)
			t.Errorf("%s: %.300s; want %s", params, got, want)
		}
	}
}

func given(t *testing.T, params string) *report.Object {
	t.Helper()
	v, err := report.ParseValue([]byte(params))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*report.Object)
}

func shownBy(t *testing.T, file *File) string {
	t.Helper()
	content, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return string(html)
}
