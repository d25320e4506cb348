package store

import (
	"fmt"
	"time"
)

// records are those of entries of a run.
func records(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i + 1)
	}
	return list
}

// started makes a run with so many entries; the task that would begin it is done.
func (f *fixture) started(w *Workspace, job, entries int) *Run {
	f.t.Helper()
	run := f.newRun(w, job, records(entries)...)
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", RunTask))
	return run
}

// done does the tasks whose turn it is, one after the other, until enough says so;
// it tells how many there were of each run and kind. Entries go to their delivery.
func (f *fixture) done(enough func(did map[string]int) bool) map[string]int {
	f.t.Helper()
	did := map[string]int{}
	for !enough(did) {
		tasks := f.claim("one", 1)
		if len(tasks) == 0 {
			f.t.Fatalf("nothing is left to be done after %v", did)
		}
		task := &tasks[0]
		task.End = &EntryEnd{From: EntryQueued, To: EntryDelivering}
		if task.Kind == DeliverTask {
			task.End = &EntryEnd{From: EntryDelivering, To: EntryCompleted}
		}
		if f.EndEntries(f.ctx(), []*Task{task}, Claim{}); !task.End.Moved {
			f.t.Fatalf("%+v: %+v", task, task.End)
		}
		did[fmt.Sprintf("%s %d", task.Kind, task.Run)]++
	}
	return did
}

func of(kind string, r *Run) string { return fmt.Sprintf("%s %d", kind, r.ID) }

// testRunsTakeTurns: a small run, of the same workspace or of another one, is done
// beside the large one before it, and what of that is made is delivered meanwhile.
func testRunsTakeTurns(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	large := f.started(acme, f.newJob(acme), 5000)
	did := f.done(func(did map[string]int) bool { return did[of(EntryTask, large)] == 20 })
	if n := did[of(DeliverTask, large)]; n < 17 {
		f.t.Errorf("before a second run 20 entries were made and %d delivered", n)
	}
	own := ok[int](f.t)(f.CreateResource(f.ctx(), acme.ID, JobKind, []byte(`{"name":"Few","code":"few","active":true,"reports":[{"report":"invoice"}]}`)))
	same, foreign := f.started(acme, own, 10), f.started(other, f.newJob(other), 10)
	did = f.done(func(did map[string]int) bool {
		return did[of(DeliverTask, same)] == 10 && did[of(DeliverTask, foreign)] == 10
	})
	made, delivered := did[of(EntryTask, large)], did[of(DeliverTask, large)]
	if made < 5 || made > 25 || delivered < 5 || delivered > 25 {
		f.t.Errorf("while two runs of 10 entries were done, %d of the large one were made and %d delivered", made, delivered)
	}
}

// testRunsShareTheTurnsOfTheirWorkspace: a workspace gets no more by dividing its
// work among runs.
func testRunsShareTheTurnsOfTheirWorkspace(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	job := f.newJob(acme)
	for range 8 {
		f.started(acme, job, 150)
	}
	alone := f.started(other, f.newJob(other), 150)
	made, all := 0, 0
	f.done(func(did map[string]int) bool {
		made, all = did[of(EntryTask, alone)], 0
		for _, n := range did {
			all += n
		}
		return all == 400
	})
	// The half of what is made; the first of the eight was queued as the only one.
	if made < 70 {
		f.t.Errorf("of %d tasks %d made entries of the workspace with one run", all, made)
	}
}

// testWhatIsDelayedHoldsNobodyBack: a task that waits to be tried again keeps its
// early turn, and who comes later begins with the others all the same.
func testWhatIsDelayedHoldsNobodyBack(f *fixture) {
	late, acme, other := f.workspace("late"), f.workspace("acme"), f.workspace("other")
	f.started(late, f.newJob(late), 1)
	tasks := f.claim("one", 1)
	f.must(f.ReleaseTask(f.ctx(), &tasks[0], time.Hour, true))
	first := f.started(acme, f.newJob(acme), 100)
	f.done(func(did map[string]int) bool { return did[of(EntryTask, first)] == 50 })
	second := f.started(other, f.newJob(other), 100)
	did := f.done(func(did map[string]int) bool { return did[of(EntryTask, second)] == 20 })
	if n := did[of(EntryTask, first)]; n < 18 {
		f.t.Errorf("while 20 entries of a later run were made, %d were of the one before it", n)
	}
}

// testWhatTakesLongHoldsNobodyBack: a task that is still being done has an early turn,
// and who comes later begins with those that wait, not before them.
func testWhatTakesLongHoldsNobodyBack(f *fixture) {
	slow, acme, other := f.workspace("slow"), f.workspace("acme"), f.workspace("other")
	f.started(slow, f.newJob(slow), 1)
	if tasks := f.claim("slow", 1); len(tasks) != 1 {
		f.t.Fatalf("%+v", tasks)
	}
	first := f.started(acme, f.newJob(acme), 100)
	f.done(func(did map[string]int) bool { return did[of(EntryTask, first)] == 50 })
	second := f.started(other, f.newJob(other), 100)
	did := f.done(func(did map[string]int) bool { return did[of(EntryTask, second)] == 20 })
	if n := did[of(EntryTask, first)]; n < 18 {
		f.t.Errorf("while 20 entries of a later run were made, %d were of the one before it", n)
	}
}
