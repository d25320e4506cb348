package store

import (
	"time"

	"github.com/google/go-cmp/cmp"
)

// testQueueState: what waits, what is put off and what is done are told apart,
// by kind, and the age is that of the oldest that waits.
func testQueueState(f *fixture) {
	state := func(want ...QueuedKind) {
		f.t.Helper()
		if d := cmp.Diff(want, ok[[]QueuedKind](f.t)(f.QueueState(f.ctx()))); d != "" {
			f.t.Error(d)
		}
	}
	state()
	w := f.workspace("acme")
	for range 3 {
		f.newExport(w, "{}")
	}
	f.clock.Advance(4 * time.Second)
	f.newExport(w, "{}")
	state(QueuedKind{Kind: ExportTask, Priority: Interactive, Waiting: 4, Oldest: 4000})
	tasks := f.claim("one", 3)
	f.must(f.ReleaseTask(f.ctx(), &tasks[0], time.Minute, true))
	f.clock.Advance(time.Second)
	state(QueuedKind{Kind: ExportTask, Priority: Interactive, Waiting: 1, Delayed: 1, Running: 2, Oldest: 1000})
	pools := f.Pools()
	for name, pool := range pools {
		if pool.MaxOpenConnections < 1 {
			f.t.Errorf("the pool %s has no bound: %+v", name, pool)
		}
	}
	if _, one := pools["all"]; len(pools) == 0 || one != (len(pools) == 1) {
		f.t.Errorf("pools: %v", pools)
	}
}
