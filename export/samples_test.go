package export

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

const askingReport = `{"name": "Asking", "parameters": [
	{"name": "month", "type": "text", "label": "Month", "required": true},
	{"name": "customer", "type": "lookup", "required": true, "lookupSource": {"type": "json", "labelField": "name", "settings": {"content": [{"id": 7, "name": "Ana"}, {"id": 8, "name": "Bo"}]}}},
	{"name": "none", "type": "lookup", "required": true, "lookupSource": {"type": "json", "settings": {"content": []}}}],
	"dataSources": [{"name": "rows", "type": "json", "settings": {"content": [{"a": 1}]}}, {"name": "broken", "type": "javascript", "settings": {"function": "() => { throw new Error('it is down') }"}, "dependencies": []}],
	"pages": [{"id": 1, "name": "A", "elements": [
		{"id": "t", "type": "text", "props": {"text": "{$params.month} {$params.customer} {$data.rows.0.a}"}},
		{"id": "c", "type": "generic-chart", "props": {"source": "$data.rows", "transform": [{"type": "group", "by": [{"field": "a"}], "aggregates": [{"function": "sum"}]}]}}]}]}`

// TestTheCanvasShowsAPageWhateverIsMissing: samples stand in for required
// parameters, and what is at fault is left out where that is asked for.
func TestTheCanvasShowsAPageWhateverIsMissing(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/asking.json": askingReport})
	var definition report.Report
	if err := report.ReadStored([]byte(askingReport), &definition); err != nil {
		t.Logf("it is not finished: %v", err)
	}
	ask := Request{Report: "asking", Definition: &definition, Samples: true, Anyway: true}
	shown, err := s.Preview(context.Background(), PreviewRequest{Request: ask})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(shown.HTML), "Month 7 1") {
		t.Error("the page does not show the samples and what its sources gave")
	}
	samples, _ := json.Marshal(shown.Samples)
	if string(samples) != `{"month":"Month","customer":7}` {
		t.Errorf("samples: %s", samples)
	}
	for _, want := range []string{"it is down", "sum needs a field"} {
		if !strings.Contains(told(shown.Warnings), want) {
			t.Errorf("nothing tells that %s: %v", want, shown.Warnings)
		}
	}
	ask.Anyway = false
	if _, err := s.Preview(context.Background(), PreviewRequest{Request: ask}); err == nil || !strings.Contains(err.Error(), "it is down") {
		t.Errorf("%v", err)
	}
	ask.Samples, ask.Anyway = false, true
	if _, err := s.Preview(context.Background(), PreviewRequest{Request: ask}); err == nil || !strings.Contains(err.Error(), `"Month" (month) is required`) {
		t.Errorf("an export takes samples: %v", err)
	}
}

func told(problems report.Problems) string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Error())
	}
	return strings.Join(all, "\n")
}
