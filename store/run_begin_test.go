package store

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// rowList are records that are there.
type rowList [][]byte

func (l rowList) Len() int                 { return len(l) }
func (l rowList) At(i int) ([]byte, error) { return l[i], nil }

// written writes a data set.
func written(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// startingRun makes a run that is not begun, and the records that it is to have.
func (f *fixture) startingRun(w *Workspace, entries int) (run *Run, rows rowList) {
	f.t.Helper()
	id := ok[int](f.t)(f.CreateRun(f.ctx(), NewRun{WorkspaceID: w.ID, JobID: f.newJob(w), UserID: f.root.ID, Document: []byte("{}")}))
	for _, r := range records(entries) {
		rows = append(rows, []byte(r))
	}
	return ok[*Run](f.t)(f.Run(f.ctx(), id)), rows
}

// hasEntries fails unless a run has one entry of each of the first records, and each
// of them one task.
func (f *fixture) hasEntries(r *Run, n int) {
	f.t.Helper()
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), r.ID, 0, n+1))
	if len(entries) != n {
		f.t.Fatalf("%d entries; want %d", len(entries), n)
	}
	for i, e := range entries {
		if e.Position != i+1 || e.Record != fmt.Sprint(i+1) {
			f.t.Fatalf("entry %d is %+v", i+1, e)
		}
	}
	var tasks int
	f.must(f.db.get(f.ctx(), &tasks, "SELECT COUNT(*) FROM queue WHERE kind = ? AND subject IN (SELECT id FROM job_entries WHERE run_id = ? AND state = 'queued')", EntryTask, r.ID))
	if tasks != n {
		f.t.Errorf("%d tasks for %d entries", tasks, n)
	}
}

// testBeginningGoesOn: a process that dies while it writes the entries of a run
// leaves those of whole transactions, and the next one goes on after them, of the
// data that the first one loaded.
func testBeginningGoesOn(f *fixture) {
	const all = 2*entriesAtOnce + 34
	run, rows := f.startingRun(f.workspace("acme"), all)
	f.must(f.keepRunData(f.ctx(), run, []byte(`{"year":2026}`), written(`{"first":true}`), all))
	if begun, more, err := f.writeEntries(f.ctx(), run, rows); !begun || !more || err != nil {
		f.t.Fatal(begun, more, err)
	}
	f.hasEntries(run, entriesAtOnce)
	if counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID)); counts[EntryQueued] != all {
		f.t.Errorf("while it is being begun, %v of %d", counts, all)
	}
	if idle, err := f.RunIdle(f.ctx(), run.ID); idle || err != nil {
		f.t.Error("a run that is being begun is idle", err)
	}
	if _, err := f.BeginRun(f.ctx(), run, nil, written(`{"second":true}`), rows); !errors.Is(err, errBegunElsewhere) {
		f.t.Errorf("begun with other data: %v", err)
	}
	again := ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
	if data := ok[[]byte](f.t)(f.RunData(f.ctx(), again)); string(data) != `{"first":true}` || again.Params != `{"year":2026}` || again.State != RunStarting {
		f.t.Errorf("data %s of %+v", data, again)
	}
	for _, want := range []bool{true, false} {
		if begun := ok[bool](f.t)(f.BeginRun(f.ctx(), again, nil, nil, rows)); begun != want {
			f.t.Errorf("begun: %v", begun)
		}
	}
	f.hasEntries(run, all)
	if state := ok[*Run](f.t)(f.Run(f.ctx(), run.ID)).State; state != RunStarted || len(f.keys()) != 1 {
		f.t.Errorf("%s, contents %v", state, f.keys())
	}
}

// testTwoBeginARun: a process that was thought to be dead writes beside the one that
// took over.
func testTwoBeginARun(f *fixture) {
	const all = 3*entriesAtOnce + 7
	run, rows := f.startingRun(f.workspace("acme"), all)
	f.must(f.keepRunData(f.ctx(), run, nil, written("{}"), len(rows)))
	run = ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if _, err := f.BeginRun(f.ctx(), run, nil, nil, rows); err != nil {
				f.t.Error(err)
			}
		})
	}
	both.Wait()
	f.hasEntries(run, all)
}

// testCancelledWhileBegun: what is written of a run ends when it is cancelled, and no
// more is written.
func testCancelledWhileBegun(f *fixture) {
	run, rows := f.startingRun(f.workspace("acme"), 2*entriesAtOnce)
	f.must(f.keepRunData(f.ctx(), run, nil, written("{}"), len(rows)))
	ok[bool](f.t)(first(f.writeEntries(f.ctx(), run, rows)))
	if c := ok[Cancelled](f.t)(f.CancelRun(f.ctx(), run, "cancelled", nil)); c.Entries != entriesAtOnce {
		f.t.Errorf("%+v", c)
	}
	run = ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
	if begun := ok[bool](f.t)(f.BeginRun(f.ctx(), run, nil, nil, rows)); begun {
		f.t.Error("a cancelled run was begun")
	}
	counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID))
	waiting, _, err := f.QueueSize(f.ctx())
	if run.State != RunStarted || run.Error != "" || counts[EntryError] != entriesAtOnce || counts.in(nil) != entriesAtOnce || waiting != 0 || err != nil {
		f.t.Errorf("%+v, %v, %d wait, %v", run, counts, waiting, err)
	}
	if idle := ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)); !idle {
		f.t.Error("it does not end")
	}
}

func first(a, _ bool, err error) (bool, error) { return a, err }

// testCancellingBeginsWhereWorkIs: what is through is not looked at again, however much
// that is, and the rest ends wherever it is.
func testCancellingBeginsWhereWorkIs(f *fixture) {
	w := f.workspace("acme")
	job := f.newJob(w)
	for _, c := range []struct {
		state    EntryState
		position int // of the one that is in it, behind which half wait
		from     int
	}{
		{EntryCompleted, 1, 6}, {EntryReview, 2, 2}, {EntryDelivering, 3, 3}, {EntryRendering, 4, 4}, {EntryQueued, 5, 5},
	} {
		run := f.started(w, job, 10)
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = CASE WHEN position = ? THEN ? WHEN position <= 5 THEN 'completed' ELSE state END WHERE run_id = ?", c.position, c.state, run.ID))
		ok[*begunCancel](f.t)(f.beginCancel(f.ctx(), run, "cancelled", nil))
		var from int
		f.must(f.db.get(f.ctx(), &from, "SELECT next_position FROM job_runs WHERE id = ?", run.ID))
		ok[Cancelled](f.t)(f.CancelRun(f.ctx(), run, "cancelled", nil))
		ended := 5
		if c.state != EntryCompleted {
			ended++
		}
		if counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID)); from != c.from || counts[EntryError] != ended || counts[EntryCompleted] != 10-ended {
			f.t.Errorf("%s: it began at %d, %v", c.state, from, counts)
		}
	}
	run := f.started(w, job, 10)
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE run_id = ?", run.ID))
	f.must(f.db.inTx(f.ctx(), func(t tx) error {
		if from, err := firstActive(f.ctx(), t, run.ID); from != 11 || err != nil {
			f.t.Errorf("of a run that is through it would begin at %d, %v", from, err)
		}
		return nil
	}))
}

// testALargeBeginningGoesOn: a process that dies while it writes the entries of a large
// run, of which the first ones are made and sent meanwhile: the run does not end before
// the rest is written, too, and each entry is queued once.
func testALargeBeginningGoesOn(f *fixture) {
	const all = queuedWhole + entriesAtOnce + 1
	run, rows := f.startingRun(f.workspace("acme"), all)
	f.must(f.keepRunData(f.ctx(), run, nil, written("{}"), all))
	run = ok[*Run](f.t)(f.Run(f.ctx(), run.ID))
	queued := 0
	goOn := func(whole bool) {
		f.t.Helper()
		for n := f.fed(); n > 0; n = f.fed() {
			queued += n
			ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE id IN (SELECT subject FROM queue WHERE kind = ?)", EntryTask))
			ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", EntryTask))
		}
		if idle := ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)); idle != whole {
			f.t.Errorf("after %d of %d it is idle: %v", queued, all, idle)
		}
	}
	for range 2 {
		if begun, more, err := f.writeEntries(f.ctx(), run, rows); !begun || !more || err != nil {
			f.t.Fatal(begun, more, err)
		}
		goOn(false)
	}
	if counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID)); counts[EntryCompleted] != queued || counts[EntryQueued] != all-queued {
		f.t.Errorf("%v after %d of %d", counts, queued, all)
	}
	if begun := ok[bool](f.t)(f.BeginRun(f.ctx(), run, nil, nil, rows)); !begun {
		f.t.Error("not begun")
	}
	goOn(true)
	if counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID)); queued != all || counts[EntryCompleted] != all || len(counts) != 1 {
		f.t.Errorf("%d were queued of %d: %v", queued, all, counts)
	}
	f.checkCounts()
}

// testFedWhileWritten: whoever feeds a run waits for the one that writes its entries,
// which has it nearly all the time.
func testFedWhileWritten(f *fixture) {
	if f.db.skipLocked == "" {
		return // one writes after the other
	}
	run, rows := f.startingRun(f.workspace("acme"), queuedWhole+1)
	f.must(f.keepRunData(f.ctx(), run, nil, written("{}"), len(rows)))
	ok[bool](f.t)(first(f.writeEntries(f.ctx(), run, rows)))
	fed := make(chan int, 1)
	f.must(f.db.inTx(f.ctx(), func(t tx) error {
		if _, err := lockRun(f.ctx(), t, run.ID); err != nil {
			return err
		}
		go func() {
			did, err := f.FeedRuns(f.ctx(), "cancelled")
			if err != nil {
				f.t.Error(err)
			}
			fed <- did.Queued
		}()
		for waits := 0; waits == 0 && len(fed) == 0; {
			if err := f.db.get(f.ctx(), &waits, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"); err != nil {
				return err
			}
		}
		return nil
	}))
	if n := <-fed; n != mostSlice {
		f.t.Errorf("%d were queued; want %d", n, mostSlice)
	}
}
