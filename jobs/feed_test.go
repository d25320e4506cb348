package jobs

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// Small runs, of the same workspace and of another one, are done while a large one is
// under way, and what is left of that ends when it is cancelled.
func TestSmallRunsAreDoneBesideALargeOne(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			const all = 12_000
			p := newPlace(t, c(t))
			other, err := p.store.ImportWorkspace(t.Context(), report.Workspace{Version: report.Version, Name: "Other", Code: "other"})
			if err != nil {
				t.Fatal(err)
			}
			beside := *p
			beside.ws = other.Workspace.ID
			p.job(letterbox("large", all))
			p.job(letterbox("small", 10))
			beside.job(letterbox("small", 10))
			var delivered atomic.Int64
			s, _ := p.service(plain, withBatch(p), func(c *Config) {
				c.Workers, c.Deliver = 4, &sink{answer: func(Delivery) error { delivered.Add(1); return nil }}
			})
			large := p.run(s, "large")
			for end := time.Now().Add(time.Minute); delivered.Load() == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("nothing of the large run is delivered")
				}
			}
			began := time.Now()
			for _, of := range []*place{p, &beside} {
				if d := cmp.Diff(&RunStatus{Finished: true, Entries: 10, Completed: 10}, of.finished(s, "small", of.run(s, "small"))); d != "" {
					t.Error(d)
				}
			}
			took := time.Since(began)
			status, err := s.Status(t.Context(), p.ws, "large", large)
			made := status.Entries - status.Queued // of those that are written by now, which may be few
			if err != nil || status.Finished || made > all/2 {
				t.Fatalf("the large run did not go on beside them: %+v, %v", status, err)
			}
			t.Logf("two small runs took %v, %d entries of the large one were made by then", took, made)
			if _, err := s.Cancel(t.Context(), p.ws, "large", large); err != nil {
				t.Fatal(err)
			}
			ended := p.finished(s, "large", large)
			if n := int(delivered.Load()); !ended.Cancelled || ended.Completed+ended.Errors != ended.Entries || ended.Completed > n || n > all/2 {
				t.Errorf("%+v after %d deliveries", ended, n)
			}
		})
	}
}

// A process that dies as soon as it has said that all of a run is approved leaves the rest
// to the next one: each entry is delivered once.
func TestAnApprovalGoesOnAfterAKill(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			const all = 520 // more than are approved at once
			p := newPlace(t, c(t))
			j := letterbox("letters", all)
			j.ReviewRequired = true
			p.job(j)
			box := &mailbox{}
			first, stop := p.service(plain, withBatch(p), func(c *Config) { c.Workers, c.Deliver = 8, box })
			run := p.run(first, "letters")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: all, Review: all}, p.finished(first, "letters", run)); d != "" {
				t.Fatal(d)
			}
			stop()
			dies := New(Config{Store: p.store})
			if n, err := dies.Deliver(t.Context(), p.ws, "letters", run); n != all || err != nil {
				t.Fatal(n, err)
			}
			status, err := dies.Status(t.Context(), p.ws, "letters", run)
			if err != nil || status.Finished || status.Delivering == 0 || status.Delivering+status.Review != all {
				t.Errorf("%+v, %v", status, err)
			}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Workers, c.Deliver = 8, box })
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: all, Completed: all}, p.finished(s, "letters", run)); d != "" {
				t.Error(d)
			}
			if sent := slices.Compact(box.all()); len(sent) != all || len(box.all()) != all {
				t.Errorf("%d deliveries, %d of them different", len(box.all()), len(sent))
			}
		})
	}
}

// letterbox is a job of n entries with a delivery each.
func letterbox(code string, n int) report.Job {
	j := many(n)
	j.Name, j.Code, j.Deliveries = fmt.Sprint("Job ", code), code, j.Deliveries[:1]
	return j
}
