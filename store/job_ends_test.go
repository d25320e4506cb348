package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// takeTasks lets a process of the test hold the tasks that make entries.
func (f *fixture) takeTasks(ctx context.Context, ids ...int) ([]*Task, error) {
	query, args, err := sqlx.In("UPDATE queue SET owner = 'test', lease_until = ? WHERE kind = ? AND subject IN (?) RETURNING "+taskColumns, f.now()+60_000, EntryTask, ids)
	if err != nil {
		return nil, err
	}
	var tasks []Task
	err = f.db.change(ctx, &tasks, query, args...)
	held := make([]*Task, len(tasks))
	for i := range tasks {
		held[i] = &tasks[i]
	}
	return held, err
}

// finishEntry ends the making of an entry as a process does that holds its task.
func (f *fixture) finishEntry(ctx context.Context, e *JobEntry, to EntryState, documents ...report.Document) (bool, error) {
	held, err := f.takeTasks(ctx, e.ID)
	if err != nil {
		return false, err
	}
	if len(held) == 0 {
		held = []*Task{{Kind: EntryTask, Subject: e.ID, Owner: "test"}}
	}
	kept, err := f.KeepDocuments(ctx, e.ID, documents)
	if err != nil {
		return false, err
	}
	held[0].End = &EntryEnd{From: EntryQueued, To: to, Documents: kept}
	f.EndEntries(ctx, held, Claim{})
	return held[0].End.Moved, held[0].End.Err
}

// testEndsTogether: the ends of several tasks are written and others are taken, in
// one go; each with its own outcome.
func testEndsTogether(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	f.newRun(w, f.newJob(w), `1`, `2`, `3`, `4`, `5`, `6`)
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", RunTask))
	tasks := f.claim("one", 6)
	f.newRun(other, f.newJob(other), `7`)
	if len(tasks) != 6 {
		f.t.Fatalf("taken: %+v", tasks)
	}
	ended := make([]*Task, len(tasks))
	for i := range tasks {
		task := &tasks[i]
		if task.Entry == nil || task.Entry.State != EntryQueued || task.Entry.ID != task.Subject {
			f.t.Fatalf("not read with the claim: %+v", task)
		}
		kept := ok[[]JobDocument](f.t)(f.KeepDocuments(f.ctx(), task.Subject, []report.Document{newDocument(task.Entry.Record)}))
		task.End = &EntryEnd{From: EntryQueued, To: []EntryState{EntryReview, EntryDelivering, EntryCompleted}[i%3], Documents: kept, Told: "told " + task.Entry.Record, Trace: "trace " + task.Entry.Record}
		ended[i] = task
	}
	lost, moved := ended[3], ended[4]
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE queue SET owner = 'another' WHERE id = ?", lost.ID))
	ok[bool](f.t)(f.MoveEntry(f.ctx(), moved.Subject, EntryError, "somebody was faster", EntryQueued))
	taken := f.EndEntries(f.ctx(), ended, Claim{Owner: "two", Worst: Batch, Most: 10, Lease: time.Minute})
	for i, task := range ended {
		e := ok[*JobEntry](f.t)(f.Entry(f.ctx(), task.Subject))
		want, told, documents := task.End.To, task.End.Told, 1
		switch task {
		case lost:
			want, told, documents = EntryQueued, "", 0
		case moved:
			want, told, documents = EntryError, "somebody was faster", 0
		}
		if task.End.Err != nil || task.End.Moved != (documents == 1) || e.State != want || e.Error != told || len(ok[[]JobDocument](f.t)(f.Documents(f.ctx(), e.ID))) != documents {
			f.t.Errorf("%d: %+v, %v: %+v", i, task.End, task.End.Err, e)
		}
	}
	// The delivery of the second and the last entry of all can be taken at once.
	var kinds []string
	for _, task := range taken {
		kinds = append(kinds, task.Kind+" "+task.Trace)
		if task.Owner != "two" || task.Attempts != 1 {
			f.t.Errorf("taken: %+v", task)
		}
	}
	slices.Sort(kinds)
	if d := cmp.Diff([]string{"deliver trace 2", "entry ", "run "}, kinds); d != "" {
		f.t.Error(d)
	}
	left := ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
	if left != len(taken)+1 { // and what another process has
		f.t.Errorf("%d tasks are left, and %d were taken", left, len(taken))
	}
	if keys := f.keys(); len(keys) != 2+4 { // data of two runs, and documents
		f.t.Errorf("contents %v", keys)
	}
	f.checkCounts()
}

// testEntriesBeingMade: that an entry is being made follows from its task, wherever
// entries are listed, counted or told of; also of one that a version before has begun.
func testEntriesBeingMade(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `1`, `2`, `3`, `4`, `5`)
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", RunTask))
	f.claim("one", 2)
	before := f.clock.Now()
	has := func(what string, got, want []int) {
		f.t.Helper()
		if !slices.Equal(got, want) {
			f.t.Errorf("%s: %v; want %v", what, got, want)
		}
	}
	listed := func(being bool, states ...EntryState) (positions []int) {
		f.t.Helper()
		for _, q := range []EntryQuery{{States: states}, {States: states, Search: "1"}} {
			q.RunID, q.Limit = run.ID, 10
			found := ok[[]FoundEntry](f.t)(f.FindEntries(f.ctx(), q))
			for _, e := range found {
				if q.Search == "" {
					positions = append(positions, e.Position)
				}
				if len(states) == 1 && e.State != states[0] {
					f.t.Errorf("entry %d is listed as %s among %v", e.Position, e.State, states)
				}
			}
			if n := ok[int](f.t)(f.CountEntries(f.ctx(), q)); n != len(found) {
				f.t.Errorf("%d of %v are counted and %d found, searched %q", n, states, len(found), q.Search)
			}
			if q.Search != "" && slices.ContainsFunc(found, func(e FoundEntry) bool { return e.Position == 1 }) != being {
				f.t.Errorf("the first entry, searched among %v: %+v", states, found)
			}
		}
		if len(states) == 1 {
			var single []int
			for _, e := range ok[[]JobEntry](f.t)(f.EntriesIn(f.ctx(), run.ID, states[0], 0, 10)) {
				single = append(single, e.Position)
			}
			has("entries in a state", single, positions)
		}
		return positions
	}
	has("queued", listed(false, EntryQueued), []int{3, 4, 5})
	has("being made", listed(true, EntryRendering), []int{1, 2})
	has("both", listed(true, EntryQueued, EntryRendering), []int{1, 2, 3, 4, 5})
	if all := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 10)); all[1].State != EntryRendering || all[2].State != EntryQueued {
		f.t.Errorf("all: %+v", all)
	}
	var making []int
	for _, c := range ok[[]EntryChange](f.t)(f.EntryChanges(f.ctx(), run.ID, before.Add(time.Hour), 10)) {
		making = append(making, c.ID)
	}
	has("changes", making, []int{1, 2})
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'rendering' WHERE position = 2"))
	has("being made, as versions before say it", listed(true, EntryRendering), []int{1, 2})
	f.clock.Advance(2 * time.Minute) // nobody renews the leases
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'queued' WHERE position = 2"))
	has("left", listed(false, EntryRendering), nil)
	has("queued again", listed(true, EntryQueued), []int{1, 2, 3, 4, 5})
}

// testAnEndFailsAlone: what is wrong with one end keeps no other from being written.
func testAnEndFailsAlone(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `1`, `2`, `3`)
	var ids []int
	for _, e := range ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 10)) {
		ids = append(ids, e.ID)
		ok[bool](f.t)(f.MoveEntry(f.ctx(), e.ID, EntryRendering, "", EntryQueued))
	}
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue WHERE kind = ?", RunTask))
	ended := ok[[]*Task](f.t)(f.takeTasks(f.ctx(), ids...))
	for _, task := range ended {
		task.End = &EntryEnd{From: EntryQueued, To: EntryDelivering, Documents: ok[[]JobDocument](f.t)(f.KeepDocuments(f.ctx(), task.Subject, []report.Document{newDocument("a")}))}
	}
	// Its delivery is queued already, which nobody expects.
	f.must(f.db.inTx(f.ctx(), func(t tx) error { return f.enqueue(f.ctx(), t, tasksOf(DeliverTask, run, []int{ended[1].Subject})...) }))
	taken := f.EndEntries(f.ctx(), ended, Claim{Owner: "two", Worst: Batch, Most: 10, Lease: time.Minute})
	for i, task := range ended {
		if failed := i == 1; failed != errors.Is(task.End.Err, errDuplicate) || task.End.Moved == failed {
			f.t.Errorf("%d: %+v", i, task.End)
		}
	}
	if len(taken) != 0 {
		f.t.Errorf("taken, though it may not have been written: %+v", taken)
	}
	documents := slices.DeleteFunc(f.keys(), func(key string) bool { return !strings.HasPrefix(key, documentContents) })
	if len(documents) != 3 { // nobody knows whether the one was written
		f.t.Errorf("contents %v", documents)
	}
	f.checkCounts()
}

// testDeliveriesBeginTogether: of deliveries that begin at once each is told what it
// was, and what may not begin holds no other back; one that waits for somebody who
// has its entry begins when that is over.
func testDeliveriesBeginTogether(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `1`, `2`, `3`, `4`, `5`)
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 5))
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'delivering' WHERE position < 5"))
	crashed := ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), entries[1].ID, 1))
	ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), entries[2].ID, 1))
	f.must(f.EndDelivery(f.ctx(), entries[2].ID, 1, DeliverySent, "", "{}"))
	var some []*beginning
	for i := range entries {
		some = append(some, &beginning{ctx: f.ctx(), entry: entries[i].ID, position: 1, done: make(chan struct{})})
	}
	somebody, release := make(chan struct{}), make(chan struct{})
	var both sync.WaitGroup
	if f.db.skipLocked != "" {
		both.Go(func() {
			_ = f.db.inTx(f.ctx(), func(t tx) error {
				_, err := t.exec(f.ctx(), "UPDATE job_entries SET deliver = deliver WHERE id = ?", entries[3].ID)
				close(somebody)
				<-release
				return err
			})
		})
		<-somebody
	}
	both.Go(func() { f.beginTogether(f.ctx(), some) })
	for i, want := range []JobDeliveryRow{{}, {State: DeliverySending, Attempts: 1, Key: crashed.Key}, {State: DeliverySent, Attempts: 1}, {}, {Refused: true}} {
		if i == 3 {
			close(release)
		}
		<-some[i].done
		got := some[i].before
		if some[i].err != nil || got.Owner != entries[i].ID || got.State != want.State || got.Attempts != want.Attempts || got.Refused != want.Refused ||
			want.Key != "" && got.Key != want.Key || got.Key == "" != want.Refused {
			f.t.Errorf("delivery %d: %+v, %v", i+1, got, some[i].err)
		}
	}
	both.Wait()
	states := map[DeliveryState]int{}
	for _, e := range entries {
		for _, d := range ok[[]JobDeliveryRow](f.t)(f.Deliveries(f.ctx(), e.ID)) {
			states[d.State]++
		}
	}
	if d := cmp.Diff(map[DeliveryState]int{DeliverySending: 3, DeliverySent: 1}, states); d != "" {
		f.t.Error(d)
	}
}

// testDeliveriesWaitForTheFirst: those that come while another begins do not begin each
// in a transaction of its own.
func testDeliveriesWaitForTheFirst(f *fixture) {
	if f.db.skipLocked == "" {
		return // SQLite does not tell which transaction wrote a row
	}
	const all = 20
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), slices.Repeat([]string{"1"}, all)...)
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, all))
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'delivering'"))
	var begun sync.WaitGroup
	waiting := func(n int) {
		for waits, end := -1, time.Now().Add(5*time.Second); waits != n && time.Now().Before(end); runtime.Gosched() {
			f.beginnings.mu.Lock()
			if waits = len(f.beginnings.waiting); !f.beginnings.busy {
				waits = -1
			}
			f.beginnings.mu.Unlock()
		}
	}
	f.must(f.db.inTx(f.ctx(), func(t tx) error {
		if _, err := t.exec(f.ctx(), "LOCK TABLE job_deliveries"); err != nil {
			return err
		}
		for i, e := range entries {
			begun.Go(func() {
				if before, err := f.BeginDelivery(f.ctx(), e.ID, 1); err != nil || before.Key == "" {
					f.t.Errorf("%+v, %v", before, err)
				}
			})
			waiting(i) // the first has begun, the others wait
		}
		return nil
	}))
	begun.Wait()
	var transactions int
	f.must(f.db.get(f.ctx(), &transactions, "SELECT COUNT(DISTINCT CAST(xmin AS TEXT)) FROM job_deliveries"))
	if transactions != 2 {
		f.t.Errorf("%d deliveries began in %d transactions", all, transactions)
	}
}

// testNoDeliveryBeginsOfACutTask: what a task does not begin before it is cut short is
// not marked as begun, or the next attempt could not tell whether it was sent.
func testNoDeliveryBeginsOfACutTask(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `1`)
	e := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 1))[0]
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'delivering'"))
	cut, cutShort := context.WithCancel(f.ctx())
	cutShort()
	if _, err := f.BeginDelivery(cut, e.ID, 1); !errors.Is(err, context.Canceled) {
		f.t.Errorf("it began: %v", err)
	}
	if before := ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), e.ID, 1)); before.Attempts != 0 || before.State != "" {
		f.t.Errorf("the next attempt finds %+v", before)
	}
}
