package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// putJob makes a job in the demo workspace with an invoice for each of n rows.
func putJob(t testing.TB, st *store.Store, n int, change func(*report.Job)) {
	t.Helper()
	var rows []map[string]any
	for i := range n {
		rows = append(rows, map[string]any{"number": fmt.Sprintf("2026-%04d", i+1)})
	}
	content, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	j := report.Job{
		Name: "Invoices", Code: "invoices", Active: true, Repeat: "numbers",
		DataSources: []report.SourceUse{{DataSource: report.DataSource{Name: "numbers", Type: "json", Settings: map[string]any{"content": string(content)}}}},
		Reports:     []report.JobReport{{Report: "invoice", FileName: "Invoice {$record.number}"}},
	}
	if change != nil {
		change(&j)
	}
	doc, err := report.MarshalDefinition(&j)
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := st.WorkspaceByCode(context.Background(), "demo")
	if err == nil {
		_, err = st.CreateResource(context.Background(), workspace.ID, store.JobKind, doc)
	}
	if err != nil {
		t.Fatal(err)
	}
}

type runState struct {
	Finished bool
	Entries  int
	Status   struct{ Queued, Review, Completed, Errors int }
	// ErrorMessage is of the run as a whole.
	ErrorMessage *string
}

func (a asker) run(t testing.TB) string {
	t.Helper()
	status, answer, err := a.do("POST", "/jobs/invoices/runs", "{}")
	var started struct{ JobRunID int }
	if err != nil || status != 200 || json.Unmarshal(answer, &started) != nil {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	return fmt.Sprintf("/jobs/invoices/runs/%d", started.JobRunID)
}

// state is how far a run is; ok is false when the service does not answer.
func (a asker) state(path string) (s runState, ok bool) {
	status, answer, err := a.do("GET", path+"/status", "")
	return s, err == nil && status == 200 && json.Unmarshal(answer, &s) == nil
}

func (a asker) finished(t testing.TB, path string, within time.Duration) runState {
	t.Helper()
	var last runState
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if s, ok := a.state(path); ok {
			if last = s; s.Finished {
				return s
			}
		}
	}
	t.Fatalf("the run does not finish: %+v", last)
	return last
}

// TestJobWithReview runs a job on the embedded parts and reads its review
// document: a page of each invoice and an outline entry for it. The invoices
// themselves are protected.
func TestJobWithReview(t *testing.T) {
	s := startService(t)
	putJob(t, s.store, 3, func(j *report.Job) {
		j.ReviewRequired = true
		j.Reports[0].Password = "pin-{$record.number}"
	})
	a := asker{s.url, s.token}
	run := a.run(t)
	if got := a.finished(t, run, 5*time.Minute); got.Entries != 3 || got.Status.Review != 3 {
		t.Fatalf("%+v", got)
	}
	status, answer, err := a.do("POST", run+"/generate-review-document", "")
	var started struct{ TemporaryFileID int }
	if err != nil || status != 202 || json.Unmarshal(answer, &started) != nil {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	if got := a.ended(t, started.TemporaryFileID); got.Status != "Completed" {
		t.Fatalf("%+v %s", got, deref(got.ErrorMessage))
	}
	_, content, err := a.do("GET", fmt.Sprintf("/exports/%d/content", started.TemporaryFileID), "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "review.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("qpdf"); err != nil {
		judges.Missing(t, "qpdf reads the outline; it is not installed")
	}
	if out, err := exec.Command("qpdf", "--check", file).CombinedOutput(); err != nil {
		t.Errorf("qpdf: %v\n%s", err, out)
	}
	out, err := exec.Command("qpdf", "--json", "--json-key=outlines", "--json-key=pages", file).Output()
	var doc struct {
		Outlines []struct {
			Title         string
			DestPageFrom1 int `json:"destpageposfrom1"`
		}
		Pages []any
	}
	if err != nil || json.Unmarshal(out, &doc) != nil {
		t.Fatalf("%v %.300s", err, out)
	}
	if len(doc.Outlines) != 3 || len(doc.Pages) < 3 || len(doc.Pages)%3 != 0 {
		t.Fatalf("%d outline entries on %d pages", len(doc.Outlines), len(doc.Pages))
	}
	for i, o := range doc.Outlines {
		if want := fmt.Sprintf("%d. Invoice 2026-%04d", i+1, i+1); o.Title != want || o.DestPageFrom1 != i*len(doc.Pages)/3+1 {
			t.Errorf("outline entry %q leads to page %d; want %q, page %d", o.Title, o.DestPageFrom1, want, i*len(doc.Pages)/3+1)
		}
	}
	if status, answer, _ := a.do("POST", run+"/deliver", ""); status != 200 || strings.TrimSpace(string(answer)) != `{"delivered":3}` {
		t.Errorf("deliver: %d %s", status, answer)
	}
	if got := a.finished(t, run, 5*time.Minute); got.Status.Completed != 3 {
		t.Errorf("%+v", got)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestWorkersAreKilled runs a job on PostgreSQL, Redis and S3 with three
// workers, of which one is killed and replaced every second. Every entry is
// completed, with its one document.
func TestWorkersAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	startService(t) // skips without a browser
	const entries = 200
	p := newProgram(t)
	env := []string{
		"ConnectionStrings__Database=" + storetest.Postgres(t).Database(t), "ConnectionStrings__Redis=" + storetest.Redis(t), "Storage__Url=" + storetest.S3(t),
		"Browser__Workers=1", "Exports__Workers=1",
	}
	r := p.start(t, env...)
	s, err := loadSettings("", append(env, "DataDir="+p.dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	putJob(t, st, entries, nil)
	workers := []*running{p.worker(t, env...), p.worker(t, env...), p.worker(t, env...)}
	a := asker{r.url, p.token}
	run := a.run(t)
	kills := 0
	for ; kills < 12; kills++ {
		time.Sleep(time.Second)
		if s, ok := a.state(run); ok && s.Finished {
			break
		}
		workers[kills%3].kill(t)
		workers[kills%3] = p.worker(t, env...)
	}
	if kills == 0 {
		t.Fatal("the run ended before anything was killed")
	}
	got := a.finished(t, run, 10*time.Minute)
	var id int
	if _, err := fmt.Sscanf(run, "/jobs/invoices/runs/%d", &id); err != nil {
		t.Fatal(err)
	}
	list, err := st.Entries(t.Context(), id, 0, entries+1)
	if err != nil {
		t.Fatal(err)
	}
	lost, doubled := entries-got.Status.Completed, 0
	for i, e := range list {
		documents, err := st.Documents(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(documents) > 1 {
			doubled++
		}
		if len(documents) != 1 || documents[0].Name != fmt.Sprintf("Invoice 2026-%04d.pdf", i+1) || documents[0].Size == 0 {
			t.Errorf("entry %d (%s %s): %+v", i+1, e.State, e.Error, documents)
		}
	}
	t.Logf("workers killed: %d, entries: %d, lost: %d, doubled: %d", kills, got.Entries, lost, doubled)
	if lost != 0 || len(list) != entries {
		t.Errorf("%+v, %d entries", got, len(list))
	}
}

// TestWorkersNeedASharedDatabase: a worker beside nothing says what it needs.
func TestWorkersNeedASharedDatabase(t *testing.T) {
	s, err := loadSettings("", []string{"DataDir=" + t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := runWorker(t.Context(), s); err == nil || !strings.Contains(err.Error(), "quire worker needs postgres://") {
		t.Errorf("got %v", err)
	}
}
