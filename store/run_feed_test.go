package store

import (
	"slices"

	"github.com/google/go-cmp/cmp"
)

// largeRun makes a run whose entries are written and not queued.
func (f *fixture) largeRun(w *Workspace, entries int) *Run {
	f.t.Helper()
	run, rows := f.startingRun(w, entries)
	if begun := ok[bool](f.t)(f.BeginRun(f.ctx(), run, nil, written("{}"), rows)); !begun {
		f.t.Fatal("not begun")
	}
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", RunTask))
	return ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
}

// fed feeds runs once and tells how many entries were queued.
func (f *fixture) fed() int {
	f.t.Helper()
	fed, err := f.FeedRuns(f.ctx(), "cancelled")
	if err != nil || len(fed.Ended) > 0 || fed.More {
		f.t.Fatal(fed, err)
	}
	return fed.Queued
}

// testLargeRunsAreFed: of a large run a slice waits in the queue, which is filled when
// half of it is left, until each entry was queued once; a run that comes later is not
// behind it.
func testLargeRunsAreFed(f *fixture) {
	const all = queuedWhole + 1
	acme := f.workspace("acme")
	large := f.largeRun(acme, all)
	if n := f.fed(); n != mostSlice {
		f.t.Fatalf("%d were queued", n)
	}
	if n := f.fed(); n != 0 {
		f.t.Errorf("a full slice got %d more", n)
	}
	f.hasTasks(mostSlice)
	small := f.started(acme, ok[int](f.t)(f.CreateResource(f.ctx(), acme.ID, JobKind, []byte(`{"name":"Few","code":"few","active":true,"reports":[{"report":"invoice"}]}`))), 10)
	did := f.done(func(did map[string]int) bool { return did[of(DeliverTask, small)] == 10 })
	if n := did[of(EntryTask, large)]; n < 5 || n > 25 {
		f.t.Errorf("while a run of 10 entries was done, %d of the large one were made", n)
	}
	// Its entries end without their work, so that the test does not take long.
	for queued := mostSlice; queued < all; {
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE id IN (SELECT subject FROM queue)"))
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
		n := f.fed()
		if n != min(mostSlice, all-queued) {
			f.t.Fatalf("after %d %d were queued", queued, n)
		}
		queued += n
		if idle := ok[bool](f.t)(f.RunIdle(f.ctx(), large.ID)); idle {
			f.t.Fatal("a run is idle while entries of it wait")
		}
	}
	f.hasTasks(1)
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed'"))
	if n := f.fed(); n != 0 || !ok[bool](f.t)(f.RunIdle(f.ctx(), large.ID)) {
		f.t.Errorf("%d more were queued, or the run does not end", n)
	}
	f.checkCounts()
}

// hasTasks fails unless so many tasks are in the queue.
func (f *fixture) hasTasks(n int) {
	f.t.Helper()
	waiting, running, err := f.QueueSize(f.ctx())
	if err != nil || waiting+running != n {
		f.t.Errorf("%d tasks wait and %d run, %v; want %d", waiting, running, err, n)
	}
}

// testALargeRunIsCancelled: what is queued of it ends at once, the rest by and by.
func testALargeRunIsCancelled(f *fixture) {
	const all = queuedWhole + cancelledAtOnce
	run := f.largeRun(f.workspace("acme"), all)
	f.fed()
	if c := ok[Cancelled](f.t)(f.CancelRun(f.ctx(), run, "cancelled", nil)); c.Entries != all {
		f.t.Errorf("%+v", c)
	}
	f.hasTasks(0)
	if counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID)); counts[EntryError] != mostSlice {
		f.t.Errorf("with the cancellation: %v", counts)
	}
	rounds := 0
	for more := true; more; rounds++ {
		fed, err := f.FeedRuns(f.ctx(), "cancelled")
		if fed.Queued != 0 || err != nil || fed.More == (len(fed.Ended) == 1) {
			f.t.Fatal(fed, err)
		}
		more = fed.More
	}
	counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID))
	if counts[EntryError] != all || rounds < 3 || !ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
		f.t.Errorf("%v after %d rounds, or it does not end", counts, rounds)
	}
	f.checkCounts()
}

// testACancellationIsCutOff: what a process that died has not ended of a cancelled run,
// others end, whether they look for it or somebody cancels again; nothing of it begins,
// and what was being sent stays.
func testACancellationIsCutOff(f *fixture) {
	const all = 2*cancelledAtOnce + 100
	w := f.workspace("acme")
	job := f.newJob(w)
	for how, goOn := range map[string]func(*Run) int{
		"fed": func(run *Run) (rounds int) {
			for more := true; more; rounds++ {
				fed, err := f.FeedRuns(f.ctx(), "cancelled")
				if err != nil || fed.Queued > 0 || fed.More == slices.Equal(fed.Ended, []int{run.ID}) {
					f.t.Fatal(fed, err)
				}
				more = fed.More
			}
			return rounds
		},
		"cancelled again": func(run *Run) int {
			if c := ok[Cancelled](f.t)(f.CancelRun(f.ctx(), run, "cancelled", nil)); c.Entries != all-cancelledAtOnce || c.UnderWay != 1 {
				f.t.Errorf("again: %+v", c)
			}
			return 2
		},
	} {
		run := f.newRun(w, job, slices.Repeat([]string{"1"}, all)...)
		entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, all))
		for i, to := range map[int]EntryState{0: EntryDelivering, 1: EntryCompleted, 700: EntryReview, 900: EntryDelivering} {
			ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[i].ID, to, "", EntryQueued))
			ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE subject = ?", entries[i].ID))
		}
		ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), entries[0].ID, 1))
		if b := ok[*begunCancel](f.t)(f.beginCancel(f.ctx(), run, "cancelled", nil)); b == nil {
			f.t.Fatal("nothing to cancel")
		}
		ok[int](f.t)(f.cancelNext(f.ctx(), run.ID, "cancelled")) // then its process dies
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'review' WHERE run_id = ? AND state IN ('queued', 'delivering') AND id <> ?", run.ID, entries[0].ID))
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE id = ?", entries[0].ID))
		if ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
			f.t.Errorf("%s: it would end, or be told to wait for its review, while it is being cancelled", how)
		}
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'delivering' WHERE id = ?", entries[0].ID))
		if rounds := goOn(run); rounds != 2 {
			f.t.Errorf("%s: %d rounds", how, rounds)
		}
		if d := cmp.Diff(Counts{EntryError: all - 2, EntryDelivering: 1, EntryCompleted: 1}, ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID))); d != "" {
			f.t.Errorf("%s: %s", how, d)
		}
		f.hasTasks(0)
		for _, i := range []int{0, 900} {
			if before := ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), entries[i].ID, 2)); !before.Refused {
				f.t.Errorf("%s: a delivery of entry %d begins: %+v", how, i+1, before)
			}
		}
		ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[0].ID, EntryCompleted, "", EntryDelivering))
		if !ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
			f.t.Errorf("%s: it does not end", how)
		}
		ok[bool](f.t)(f.EndRun(f.ctx(), run.ID, false))
		if c := ok[Cancelled](f.t)(f.CancelRun(f.ctx(), run, "cancelled", nil)); c != (Cancelled{}) {
			f.t.Errorf("%s: a run that has ended was cancelled: %+v", how, c)
		}
	}
	f.checkCounts()
}

// testVersionsBeginALargeRun: a process of the version before queues the entries that it
// writes, in front of those of this version or after them; none is queued twice, and
// none is forgotten.
func testVersionsBeginALargeRun(f *fixture) {
	run, rows := f.startingRun(f.workspace("acme"), queuedWhole+1)
	f.must(f.keepRunData(f.ctx(), run, nil, written("{}"), len(rows)))
	ok[bool](f.t)(first(f.writeEntries(f.ctx(), run, rows[:entriesAtOnce+1]))) // so few are queued with that
	run = ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
	ok[bool](f.t)(f.BeginRun(f.ctx(), run, nil, nil, rows))
	f.hasTasks(1 + entriesAtOnce)
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE id IN (SELECT subject FROM queue WHERE kind = ?)", EntryTask))
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
	ahead := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, entriesAtOnce+1, 1))[0]
	f.must(f.db.inTx(f.ctx(), func(t tx) error { return f.enqueue(f.ctx(), t, tasksOf(EntryTask, run, []int{ahead.ID})...) }))
	if n := f.fed(); n != mostSlice-2 {
		f.t.Errorf("beside one that was queued %d were", n)
	}
	var next int
	f.must(f.db.get(f.ctx(), &next, "SELECT next_position FROM job_runs WHERE id = ?", run.ID))
	if next != entriesAtOnce+mostSlice {
		f.t.Errorf("it goes on at %d", next)
	}
}

// testDelayedHoldNobodyBack: what waits to be tried again does not keep the rest of a
// large run from its turn, but not all of it comes into the queue meanwhile.
func testDelayedHoldNobodyBack(f *fixture) {
	f.largeRun(f.workspace("acme"), mostDelayed*mostSlice+mostSlice)
	queued := 0
	for n := f.fed(); n > 0; n = f.fed() {
		queued += n
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE queue SET run_at = ?", int64(1)<<50))
	}
	if queued != mostDelayed*mostSlice {
		f.t.Errorf("%d are in the queue", queued)
	}
}

// testOneFeedsARun: whoever finds a run being fed by another process leaves it.
func testOneFeedsARun(f *fixture) {
	if f.db.skipLocked == "" {
		return // there is one process
	}
	run := f.largeRun(f.workspace("acme"), queuedWhole+1)
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_runs SET cancelled_at = 1 WHERE id = ?", run.ID))
	f.must(f.db.inTx(f.ctx(), func(t tx) error {
		if _, err := lockRun(f.ctx(), t, run.ID); err != nil {
			return err
		}
		if n := f.fed(); n != 0 {
			f.t.Errorf("%d were queued", n)
		}
		return nil
	}))
}
