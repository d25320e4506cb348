package main

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

const stockReport = `{"version": 1, "name": "Stock", "type": "stock", "pages": [{"id": 1, "name": "A", "elements": [
	{"type": "data-table", "props": {"source": "$data.items", "columns": [{"field": "name"}, {"field": "count"}]}},
	{"type": "text", "props": {"text": "Rate {$data.rate.value}"}}]}],
	"parameters": [{"name": "least", "type": "number", "default": 5}],
	"dataSources": [
		{"name": "items", "type": "sql", "dependencies": ["$params.least"], "settings": {"connection": "stock", "query": "select name, count from items where count >= :least order by name"}},
		{"name": "rate", "type": "api", "settings": {"connection": "rates", "requestBuilder": {"type": "custom", "code": "() => ({endpoint: '/eur', query: {day: 'today'}})"}, "responseMapper": {"type": "custom", "code": "r => r.rate"}}}]}`

func TestReportsReadThroughTheConnectionsOfTheirWorkspace(t *testing.T) {
	s := startService(t)
	address, err := url.Parse(storetest.Postgres(t).Database(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("create table items (name text, count int); insert into items values ('Oak shelf', 12), ('Bracket', 3), ('Lamp', 7)"); err != nil {
		t.Fatal(err)
	}
	rates := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "t0psecret" || r.URL.Path != "/v1/eur" || r.URL.RawQuery != "day=today" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"rate": {"value": 1.25}}`))
	}))
	defer rates.Close()
	address.User = url.UserPassword(address.User.Username(), "t0psecret")
	ctx := context.Background()
	for _, code := range []string{"shop", "other"} {
		r, problems := report.ParseReport([]byte(stockReport))
		if problems != nil {
			t.Fatal(problems)
		}
		if _, err := s.store.ImportWorkspace(ctx, report.Workspace{Name: code, Code: code, ReportTypes: []report.ReportType{{Name: "Stock", Code: "stock", DefaultReport: "stock"}}, Reports: []report.NamedReport{{Code: "stock", Report: *r}}}); err != nil {
			t.Fatal(err)
		}
	}
	shop, err := s.store.WorkspaceByCode(ctx, "shop")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		made    store.Connection
		input   string
		headers []string
	}{
		{store.Connection{Name: "stock", Type: "postgres"}, address.String() + "\n", nil},
		{store.Connection{Name: "rates", Type: "api"}, rates.URL + "/v1\nt0psecret\n", []string{"X-Key"}},
	} {
		if err := readSecrets(strings.NewReader(c.input), &c.made, c.headers); err != nil {
			t.Fatal(err)
		}
		if err := s.store.PutConnection(ctx, shop.ID, c.made); err != nil {
			t.Fatal(err)
		}
	}
	got := s.facts("/api/v1/ws/shop/reports/stock/pdf").Pages[0].Text
	for _, want := range []string{"Oak shelf", "Lamp", "Rate 1.25"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report has no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Bracket") {
		t.Error("the parameter was not bound")
	}
	refused := s.call(http.MethodGet, "/api/v1/ws/other/reports/stock/pdf", nil)
	if refused.status != http.StatusBadRequest && refused.status != http.StatusUnprocessableEntity || !strings.Contains(string(refused.body), `there is no connection`) {
		t.Errorf("%d %s", refused.status, refused.body)
	}
	if err := s.store.PutConnection(ctx, shop.ID, store.Connection{Name: "stock", Type: "postgres", Address: report.Secret(strings.Replace(address.String(), "/quire_test", "/nothing", 1))}); err != nil {
		t.Fatal(err)
	}
	broken := s.call(http.MethodGet, "/api/v1/ws/shop/reports/stock/pdf", nil)
	if broken.status < 400 || strings.Contains(string(broken.body), "t0psecret") {
		t.Errorf("%d %s", broken.status, broken.body)
	}
}
