package jobs

import (
	"fmt"
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
			for delivered.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			began := time.Now()
			for _, of := range []*place{p, &beside} {
				if d := cmp.Diff(&RunStatus{Finished: true, Entries: 10, Completed: 10}, of.finished(s, "small", of.run(s, "small"))); d != "" {
					t.Error(d)
				}
			}
			took := time.Since(began)
			status, err := s.Status(t.Context(), p.ws, "large", large)
			if err != nil || status.Finished || status.Queued < all/2 {
				t.Fatalf("the large run did not go on beside them: %+v, %v", status, err)
			}
			t.Logf("two small runs took %v, %d entries of the large one were made by then", took, all-status.Queued)
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

// letterbox is a job of n entries with a delivery each.
func letterbox(code string, n int) report.Job {
	j := many(n)
	j.Name, j.Code, j.Deliveries = fmt.Sprint("Job ", code), code, j.Deliveries[:1]
	return j
}
