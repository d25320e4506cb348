package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// TestACancelledRunSendsNothing cancels a run of 300 with a mail and a file for
// each entry in the middle of its deliveries, which reach a real mail server and
// folder, and counts what began after the answer.
func TestACancelledRunSendsNothing(t *testing.T) {
	const entries = 300
	folder, box := t.TempDir(), &postbox{}
	s := startService(t, "Deliveries__Folders="+folder)
	putJob(t, s.store, entries, func(j *report.Job) {
		j.Deliveries = []report.JobDelivery{mailing(t, s, box), {Type: "local", Settings: map[string]any{"path": "invoices"}}}
	})
	files := func() int {
		found, _ := filepath.Glob(filepath.Join(folder, "invoices", "*.pdf"))
		return len(found)
	}
	a := asker{s.url, s.token}
	run := a.run(t)
	for end := time.Now().Add(5 * time.Minute); box.count() < 30; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no mail is sent while others are made")
		}
	}
	status, answer, err := a.do("POST", run+"/cancel", "")
	var cancelled struct{ Cancelled, UnderWay int }
	if err != nil || status != 200 || json.Unmarshal(answer, &cancelled) != nil {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	began, sent := a.begun(t, run), [2]int{box.count(), files()}
	got := a.finished(t, run, 5*time.Minute)
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) { // nothing is left that could send
		if waiting, running, err := s.store.QueueSize(t.Context()); err == nil && waiting+running == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("tasks are left")
		}
	}
	after := a.begun(t, run)
	t.Logf("at the answer %s %d mails and %d files were there, afterwards %d and %d; deliveries begun: %d, afterwards %d", strings.TrimSpace(string(answer)), sent[0], sent[1], box.count(), files(), began, after)
	if after != began {
		t.Errorf("%d deliveries began after the answer", after-began)
	}
	if box.count()+files() > began {
		t.Errorf("%d mails and %d files, but %d deliveries had begun", box.count(), files(), began)
	}
	if late := box.count() - sent[0] + files() - sent[1]; late > cancelled.UnderWay {
		t.Errorf("%d arrived after the answer, %d were under way", late, cancelled.UnderWay)
	}
	if cancelled.Cancelled == 0 || got.Status.Completed+got.Status.Errors != entries || got.Status.Errors < cancelled.Cancelled {
		t.Errorf("%s, then %+v", answer, got)
	}
	left, err := os.ReadDir(filepath.Join(folder, "invoices"))
	if err != nil || len(left) != files() {
		t.Errorf("half a file is left: %d, %v", len(left), err)
	}
}

// begun is how many deliveries of the entries of a run have begun.
func (a asker) begun(t *testing.T, run string) (n int) {
	t.Helper()
	for after := 0; ; {
		status, answer, err := a.do("GET", fmt.Sprintf("%s/entries?limit=500&after=%d", run, after), "")
		var page []struct {
			Position   int
			Deliveries []struct{ Attempts int }
		}
		if err != nil || status != 200 || json.Unmarshal(answer, &page) != nil {
			t.Fatalf("%d %s %v", status, answer, err)
		}
		if len(page) == 0 {
			return n
		}
		for _, e := range page {
			after = e.Position
			for _, d := range e.Deliveries {
				n += d.Attempts
			}
		}
	}
}
