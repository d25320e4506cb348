package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

func TestRunningASourceShowsItsFirstRows(t *testing.T) {
	h := open(t)
	var asked export.SourceRequest
	rows := make([]any, 250)
	for i := range rows {
		rows[i] = report.ObjectOf("id", int64(i+1), "note", strings.Repeat("x", 2000))
	}
	rows[1] = report.ObjectOf("id", int64(2), "extra", true)
	h.export.source = func(r export.SourceRequest) (*export.SourceRun, error) {
		asked = r
		return &export.SourceRun{
			Trial: data.Trial{
				Value: rows, Took: 1500 * time.Microsecond, Logs: []string{"hello"}, Input: rows, Steps: [][]any{rows[:40]},
				Warnings: report.Problems{{Path: "dataSources.orders.settings.content", Message: "row 3 has 1 fields", Line: 4}},
				Problem:  &report.Problem{Path: "dataSources.orders.settings.steps[1]", Message: "step 2: no", Line: 1, Column: 5},
			},
			StepTypes: []export.StepName{{Name: "filter", Label: "Filter"}},
		}, nil
	}
	const path = "/api/ui/ws/demo/reports/1/run"
	body := `{"definition": {"version": 1, "name": "A", "pages": []}, "source": "orders", "params": {"year": 2026}, "steps": 1, "refresh": true}`
	w := h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: header("Content-Type", "application/json"), status: 200})
	var got struct {
		Rows         []map[string]any
		Columns      []string
		Total        int
		Milliseconds float64
		Logs         []string
		Warnings     []map[string]any
		Problem      map[string]any
		Input        map[string]any
		Steps        []map[string]any
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 100 || got.Total != 250 || strings.Join(got.Columns, " ") != "id note extra" || got.Milliseconds != 1.5 {
		t.Errorf("%d of %d rows with %v after %v ms", len(got.Rows), got.Total, got.Columns, got.Milliseconds)
	}
	if note := got.Rows[0]["note"].(string); len(note) > 1100 {
		t.Errorf("a note of %d characters is not cut", len(note))
	}
	if got.Problem["line"] != 1.0 || got.Problem["column"] != 5.0 || got.Warnings[0]["line"] != 4.0 || got.Warnings[0]["column"] != nil {
		t.Errorf("%v, %v", got.Problem, got.Warnings)
	}
	if s := got.Steps[0]; s["type"] != "filter" || s["name"] != "Filter" || len(s["rows"].([]any)) != 20 || s["total"] != 40.0 || got.Input["total"] != 250.0 {
		t.Errorf("%v", got.Steps)
	}
	if asked.Source != "orders" || asked.Steps != 1 || !asked.Refresh || asked.UserID != h.users["author"].ID || asked.Report != "1" {
		t.Errorf("asked for %+v", asked)
	}
	h.send(t, "author", http.MethodPost, path, "", `{"definition": {"version": 1, "name": "A", "pages": []}, "source": "orders"}`, 200)
	if asked.Steps != -1 {
		t.Errorf("without a number %d steps run", asked.Steps)
	}
	h.send(t, "viewer", http.MethodPost, path, "", body, 403)
}

func TestConnectionsAreListedWithoutTheirSecrets(t *testing.T) {
	h := open(t)
	err := h.store.PutConnection(t.Context(), h.demo.ID, store.Connection{
		Name: "shop", Type: "postgres", Address: "postgres://reader:geheim@db.example/shop",
	})
	if err != nil {
		t.Fatal(err)
	}
	w := h.check(t, scenario{path: "/api/ui/ws/demo/connections", who: "author", status: 200, answer: map[string]string{"Cache-Control": "no-store"}})
	if got := strings.TrimSpace(w.Body.String()); got != `[{"name":"shop","type":"postgres"}]` {
		t.Error(got)
	}
}

func TestRenderTellsWhatIsOdd(t *testing.T) {
	h := open(t)
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) {
		return &export.Preview{HTML: []byte(sampleHTML), Lint: []export.Finding{{Rule: "alt-text", Path: "pages[0].elements[1].props.altText", Message: "describe it"}}}, nil
	}
	const path, body = "/api/ui/ws/demo/reports/1/render", `{"definition": {"version": 1, "name": "A", "pages": []}, "params": {"year": 2026}, "refresh": true}`
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: header("Content-Type", "application/json"), status: 200, has: []string{
		`"lint":[{"rule":"alt-text","severity":"hint","path":"pages[0].elements[1].props.altText","message":"describe it"}]`,
	}})
	if year, _ := h.export.shown.Params.Get("year"); year != json.Number("2026") || !h.export.shown.Refresh {
		t.Errorf("drawn with %v, refresh %v", h.export.shown.Params, h.export.shown.Refresh)
	}
	h.export.preview = nil
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: header("Content-Type", "application/json"), status: 200, has: []string{`"lint":[]`}})
}
