package export

import (
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

// TestRunsHaveABudget: what a run would take many times its budget for ends
// before it has taken it, whatever it is, and all is given back.
func TestRunsHaveABudget(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(`["` + strings.Repeat("a", 10<<20) + `"]`))
		_ = z.Close()
	}))
	defer server.Close()
	var sources []string
	for i := range 6 {
		sources = append(sources, fmt.Sprintf(`{"name": "s%d", "type": "api", "settings": {"url": %q}}`, i, server.URL))
	}
	nested := `{"type": "paragraph", "props": {"text": "{$data.d.0.a}"}}`
	for i := range 4 {
		nested = fmt.Sprintf(`{"type": "flow", "props": {}, "repeat": {"source": "$data.d", "alias": "a%d"}, "children": [%s]}`, i, nested)
	}
	page := func(elements, sources string) string {
		return fmt.Sprintf(`{"name": "Bomb", "pages": [{"id": 1, "name": "A", "elements": [%s]}], "dataSources": [%s]}`, elements, sources)
	}
	rows := `{"name": "d", "type": "json", "settings": {"content": [` + strings.Repeat(`{"a":1},`, 99) + `{"a":1}]}}`
	s, _ := newService(t, map[string]string{
		"reports/sources.json": page(`{"type": "text", "props": {"text": "{$data.s0}{$data.s1}{$data.s2}{$data.s3}{$data.s4}{$data.s5}"}}`, strings.Join(sources, ",")),
		"reports/nested.json":  page(nested, rows),
		"reports/upload.json":  page(`{"type": "text", "props": {"text": "{$data.d}"}}`, rows),
	})
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	s.cfg.Loader = data.NewLoader(data.Config{Scripts: s.cfg.Scripts, Egress: guard})
	t.Cleanup(s.cfg.Loader.Close)
	s.cfg.Uploads = uploads{1: `{"d":[` + strings.Repeat("0,", 4<<20) + `0]}`}
	const most = 32 << 20
	s.cfg.Budget = budget.New(most, most)
	for _, name := range []string{"sources", "nested", "upload"} {
		req := Request{Report: name, ExportOptions: report.ExportOptions{Format: "html"}}
		if name == "upload" {
			req.TempDataID = 1
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := s.Export(t.Context(), req)
		runtime.ReadMemStats(&after)
		var p *report.Problem
		if !errors.As(err, &p) || p.Kind != report.TooLarge || !strings.Contains(p.Message, "more than 32 MB of memory") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 8*most && !judges.UnderRace {
			t.Errorf("%s took %d MB", name, took>>20)
		}
		if used := s.cfg.Budget.Used(); used != 0 {
			t.Errorf("%s: %d bytes are not given back", name, used)
		}
	}
}
