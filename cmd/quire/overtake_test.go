package main

import (
	"encoding/json"
	"flag"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

var runEntries = flag.Int("entries", 50, "how many entries the run of TestTheFirstMailDoesNotWait has")

// TestTheFirstMailDoesNotWait: what is made leaves while the rest is being
// printed, and the status that the API tells only goes forward.
func TestTheFirstMailDoesNotWait(t *testing.T) {
	s, box := startService(t), &postbox{}
	putJob(t, s.store, *runEntries, func(j *report.Job) { j.Deliveries = []report.JobDelivery{mailing(t, s, box)} })
	a := asker{s.url, s.token}
	run := a.run(t)
	var made, mailed time.Time
	var last runState
	steps, early := 0, 0
	for end := time.Now().Add(20 * time.Minute); !last.Finished; time.Sleep(20 * time.Millisecond) {
		if made.IsZero() && a.anyMade(t, run) {
			made = time.Now()
		}
		got, ok := a.state(run)
		if !ok || time.Now().After(end) {
			t.Fatalf("no answer, or no end: %+v", last)
		}
		if mailed.IsZero() && box.count() > 0 {
			mailed, early = time.Now(), got.Entries-got.Status.Queued
		}
		if last.Entries > 0 && (got.Entries != last.Entries || got.Status.Queued > last.Status.Queued ||
			got.Status.Completed < last.Status.Completed || got.Status.Errors < last.Status.Errors) {
			t.Fatalf("%+v after %+v", got, last)
		}
		if got.Status != last.Status {
			steps++
		}
		last = got
	}
	t.Logf("%d entries: the first mail came %v after the first entry was made, when %d had been; %d different states, each after the other", last.Entries, mailed.Sub(made), early, steps)
	if last.Status.Completed != *runEntries || box.count() != *runEntries {
		t.Errorf("%+v, %d mails", last, box.count())
	}
	if mailed.Sub(made) > 3*time.Second && early > 10 { // fewer where all is slow
		t.Errorf("the first mail came %v after the first entry was made, when %d had been", mailed.Sub(made), early)
	}
	if steps < *runEntries/10 {
		t.Errorf("the status had %d states", steps)
	}
}

// anyMade tells whether an entry has its document.
func (a asker) anyMade(t *testing.T, run string) bool {
	t.Helper()
	status, answer, err := a.do("GET", run+"/entries?limit=10", "")
	var entries []struct{ Documents []any }
	if err != nil || status != 200 || json.Unmarshal(answer, &entries) != nil {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	for _, e := range entries {
		if len(e.Documents) > 0 {
			return true
		}
	}
	return false
}
