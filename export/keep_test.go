package export

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// edited is a report whose only source asks a server for orders.
func edited(t testing.TB, address, title string) *report.Report {
	t.Helper()
	def, problems := report.ParseReport([]byte(fmt.Sprintf(`{"name": "Orders", "version": 1,
		"parameters": [{"name": "year", "type": "number", "default": 2025}],
		"pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "%s {$data.orders.0.amount}"}}]}],
		"dataSources": [{"name": "orders", "type": "api", "dependencies": ["$params.year"], "settings": {"url": %q}}]}`, title, address)))
	if problems != nil {
		t.Fatal(problems)
	}
	return def
}

func TestEditsOfTheLayoutLoadNothing(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `[{"amount": %d}]`, asked.Add(1))
	}))
	defer server.Close()
	s, _ := newService(t, map[string]string{"reports/orders.json": `{"name": "Orders", "pages": []}`})
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	s.cfg.Loader = data.NewLoader(data.Config{Egress: guard})
	t.Cleanup(s.cfg.Loader.Close)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	s.kept = newKeptData(func() time.Time { return now })
	show := func(address, title string, change func(*PreviewRequest)) string {
		t.Helper()
		req := PreviewRequest{AssetBase: "/assets", Request: Request{Report: "orders", UserID: 7, Definition: edited(t, address, title)}}
		if change != nil {
			change(&req)
		}
		shown, err := s.Preview(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return string(shown.HTML)
	}
	for i := range 10 {
		if html := show(server.URL, fmt.Sprint("Draft ", i), nil); !strings.Contains(html, fmt.Sprintf("Draft %d 1<", i)) {
			t.Fatalf("draft %d does not show the first answer", i)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Fatalf("ten renders made %d requests", n)
	}
	steps := []struct {
		name    string
		address string
		change  func(*PreviewRequest)
		want    int32
	}{
		{"a changed setting", server.URL + "/open", nil, 2},
		{"the same again", server.URL + "/open", nil, 2},
		{"a changed parameter", server.URL + "/open", func(r *PreviewRequest) { r.Params = report.ObjectOf("year", int64(2026)) }, 3},
		{"refresh", server.URL + "/open", func(r *PreviewRequest) {
			r.Params, r.Refresh = report.ObjectOf("year", int64(2026)), true
		}, 4},
		{"another user", server.URL + "/open", func(r *PreviewRequest) {
			r.Params, r.UserID = report.ObjectOf("year", int64(2026)), 8
		}, 5},
		{"another workspace", server.URL + "/open", func(r *PreviewRequest) {
			r.Params, r.Workspace = report.ObjectOf("year", int64(2026)), 2
		}, 6},
		{"the first user again", server.URL + "/open", func(r *PreviewRequest) { r.Params = report.ObjectOf("year", int64(2026)) }, 6},
		{"five minutes later", server.URL + "/open", func(r *PreviewRequest) {
			now = now.Add(5 * time.Minute)
			r.Params = report.ObjectOf("year", int64(2026))
		}, 7},
		{"what nobody edits", server.URL + "/open", func(r *PreviewRequest) { r.Definition = nil }, 7}, // the stored one has no source
	}
	for _, step := range steps {
		show(step.address, "Draft", step.change)
		if n := asked.Load(); n != step.want {
			t.Fatalf("%s: %d requests, want %d", step.name, n, step.want)
		}
	}
}

func TestLittleIsKept(t *testing.T) {
	k := newKeptData(time.Now)
	few, many := &data.Set{Data: report.ObjectOf("rows", make([]any, 10))}, &data.Set{Data: report.ObjectOf("a", make([]any, keptRows/2), "b", []any{make([]any, keptRows/2)})}
	request := func(user int) *Request { return &Request{UserID: user, Report: "1"} }
	for user := range keptSets + 1 {
		k.keep(request(user), few)
	}
	if len(k.sets) != keptSets || k.of(request(0)) == few || k.of(request(1)) != few {
		t.Errorf("%d sets are kept; the oldest should be gone", len(k.sets))
	}
	k.keep(request(1), many)
	if set := k.of(request(1)); set == few || set == many {
		t.Error("a large set, or the one before it, is kept")
	}
}
