package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

var describedMetric = regexp.MustCompile(`^Desc\{fqName: "(quire_[a-z_]+)", help: "([^"]*)".*, constLabels: \{\}, variableLabels: \{(.*)\}\}$`)

// What a service does is measured, and the guide lists what is, and nothing else.
func TestMetrics(t *testing.T) {
	s := startService(t)
	timing := s.ok(http.MethodPost, "/api/v1/ws/demo/reports/invoice/pdf", "{}").header.Get("Server-Timing")
	if !regexp.MustCompile(`^data;dur=[0-9.]+, .*html;dur=.*paginate;dur=.*print;dur=.*finish;dur=.*total;dur=[0-9.]+$`).MatchString(timing) {
		t.Errorf("Server-Timing is %q", timing)
	}
	a := asker{s.url, s.token}
	if got := a.ended(t, a.start(t, "{}")); got.Status != "Completed" {
		t.Fatalf("%+v", got)
	}
	text := string(s.ok(http.MethodGet, "/metrics", nil).body)
	for _, want := range []string{
		`quire_documents_total{format="pdf",result="ok"} 2`,
		`quire_document_phase_duration_seconds_count{phase="data"} 2`,
		`quire_document_phase_duration_seconds_count{phase="html"} 2`,
		`quire_document_phase_duration_seconds_count{phase="paginate"} 2`,
		`quire_document_phase_duration_seconds_count{phase="print"} 2`,
		`quire_document_phase_duration_seconds_count{phase="finish"} 2`,
		`quire_document_phase_duration_seconds_count{phase="store"} 1`,
		`quire_prints_total{result="ok"} 2`,
		`quire_browser_up 1`,
		`quire_database_connections{pool="write",state="busy"} `,
		`quire_work_memory_bytes `,
		`quire_build_info{version="` + version + `"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	var rows []string
	for name, f := range s.figures() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, strings.Join(f.labels, ", "), f.help))
	}
	slices.Sort(rows)
	keepPart(t, "../../docs/deployment.md", "metrics", "\n| metric | labels | meaning |\n|---|---|---|\n"+strings.Join(rows, "")+"\n")
}

// A worker tells monitors how it is and what it does.
func TestAWorkerIsWatched(t *testing.T) {
	startService(t) // skips without a browser
	database := "ConnectionStrings__Database=" + storetest.Postgres(t).Database(t)
	p := newProgram(t)
	service := p.start(t, database, "Exports__InService=false")
	address := freeAddress(t)
	p.worker(t, database, "Metrics__Address="+address, "Metrics__Profiling=true")
	ask := func(path string) (int, string) {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return 0, err.Error()
		}
		return resp.StatusCode, string(body)
	}
	a := asker{service.url, p.token}
	if got := a.ended(t, a.start(t, "{}")); got.Status != "Completed" {
		t.Fatalf("%+v", got)
	}
	for path, has := range map[string]string{
		"/healthz": `"ok"`, "/readyz": `"database":"ok"`, "/debug/pprof/cmdline": "",
		"/metrics": `quire_documents_total{format="pdf",result="ok"} 1`,
	} {
		status, body := ask(path)
		want := http.StatusOK
		if path == "/debug/pprof/cmdline" { // its arguments may be anything
			want = http.StatusNotFound
		}
		if status != want || !strings.Contains(body, has) {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
}

// A worker that only delivers starts no browser and is ready without one.
func TestAWorkerThatOnlyDeliversHasNoBrowser(t *testing.T) {
	database := "ConnectionStrings__Database=" + storetest.Postgres(t).Database(t)
	p := newProgram(t)
	p.start(t, database, "Exports__InService=false") // which makes the tables
	address, folder := freeAddress(t), t.TempDir()
	browser, started := filepath.Join(folder, "browser"), filepath.Join(folder, "started")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\ntouch "+started+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.worker(t, database, "Metrics__Address="+address, "Worker__Kinds=deliver", "Browser__Path="+browser)
	ask := func(path string) string {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return err.Error()
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return fmt.Sprint(resp.StatusCode, " ", string(body))
	}
	for end := time.Now().Add(30 * time.Second); !strings.HasPrefix(ask("/readyz"), "200"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not ready: %s", ask("/readyz"))
		}
	}
	if ready, figures := ask("/readyz"), ask("/metrics"); strings.Contains(ready, "browser") || strings.Contains(figures, "quire_browser_") || !strings.Contains(figures, "quire_build_info") {
		t.Errorf("of a browser that there is not is told: %s %s", ready, figures)
	}
	if _, err := os.Stat(started); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it has started a browser")
	}
}
