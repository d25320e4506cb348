package jobs

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A process that stops while it writes the entries of a run leaves some; the next
// one writes the rest: there is one of each row.
func TestARunIsBegunInParts(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			const all = 1200
			p := newPlace(t, c(t))
			job := many(all)
			job.Deliveries = nil
			p.job(job)
			first, stop := p.service(plain, withBatch(p), func(c *Config) { c.Drain = time.Nanosecond })
			run := p.run(first, "statements")
			for len(p.entries(run)) == 0 {
				time.Sleep(time.Millisecond)
			}
			stop()
			t.Logf("the first process left %d entries or more of %d", len(p.entries(run)), all)
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Workers = 8 })
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: all, Completed: all}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
		})
	}
}
