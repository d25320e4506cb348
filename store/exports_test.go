package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

func (f *fixture) newExport(w *Workspace, payload string) int {
	f.t.Helper()
	return ok[int](f.t)(f.CreateExport(f.ctx(), NewExport{
		WorkspaceID: w.ID, UserID: f.root.ID, Kind: ExportTask, Priority: Interactive,
		Payload: []byte(payload), Secret: "open sesame", Lifetime: time.Hour, Report: "1", Format: "pdf",
	}))
}

func (f *fixture) claim(owner string, n int) []Task {
	f.t.Helper()
	return ok[[]Task](f.t)(f.ClaimTasks(f.ctx(), Claim{Owner: owner, Worst: Batch, Most: n, Lease: time.Minute}))
}

func (f *fixture) suspect(owner string, alone bool) []Task {
	f.t.Helper()
	return ok[[]Task](f.t)(f.ClaimSuspect(f.ctx(), owner, "", alone, time.Minute, time.Second))
}

func (f *fixture) waits() (suspects, tasks bool) {
	f.t.Helper()
	suspects, tasks, err := f.Waits(f.ctx(), Batch, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return suspects, tasks
}

// A worker asks twice a second for as long as there is nothing to do. It waits for
// nobody who writes, and keeps nobody from it.
func testWhatWaits(f *fixture) {
	w := f.workspace("acme")
	err := f.db.inTx(f.ctx(), func(tx) error {
		if suspects, tasks := f.waits(); suspects || tasks {
			f.t.Errorf("in an empty queue: suspects %t, tasks %t", suspects, tasks)
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.newExport(w, "{}")
	if suspects, tasks := f.waits(); suspects || !tasks {
		f.t.Errorf("a new task: suspects %t, tasks %t", suspects, tasks)
	}
	f.claim("one", 1)
	if suspects, tasks := f.waits(); suspects || tasks {
		f.t.Errorf("a task that is worked on: suspects %t, tasks %t", suspects, tasks)
	}
	f.clock.Advance(time.Minute)
	if suspects, tasks := f.waits(); !suspects || tasks {
		f.t.Errorf("a task that was left: suspects %t, tasks %t", suspects, tasks)
	}
}

// Finding B11: each time a process ended, all that it did used up an attempt.
func testSuspects(f *fixture) {
	w := f.workspace("acme")
	f.newExport(w, "{}")
	f.newExport(w, "{}")
	f.claim("one", 2)
	f.clock.Advance(time.Minute)
	expect := func(what string, attempts int, alone bool) (taken Task) {
		f.t.Helper()
		tasks := f.suspect("next", alone)
		if suspects, _ := f.waits(); !suspects && len(tasks) == 0 || len(tasks) != 1 || tasks[0].Attempts != attempts {
			f.t.Fatalf("%s: %+v", what, tasks)
		}
		if held := ok[map[int64]bool](f.t)(f.RenewTasks(f.ctx(), "next", []int64{tasks[0].ID}, time.Minute)); !held[tasks[0].ID] {
			f.t.Errorf("%s: its lease is not renewed", what)
		}
		return tasks[0]
	}
	innocent := expect("the first of two", 1, true)
	f.must(f.FinishTask(f.ctx(), &innocent))
	expect("the second of two", 1, false)
	f.clock.Advance(time.Minute)
	expect("its process ended, which did something else, too", 1, true)
	for i, pause := range []time.Duration{1, 4, 16, 64, 64} {
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE queue SET lease_until = 0")) // the process ended at once, which did nothing else
		f.clock.Advance(pause*time.Second - time.Millisecond)
		if suspects, _ := f.waits(); suspects || len(f.suspect("next", true)) != 0 {
			f.t.Errorf("what ended %d processes is tried again before its pause is over", i+1)
		}
		f.clock.Advance(time.Millisecond)
		expect("after its pause", i+2, true)
	}
}

func testExportFiles(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	id := f.newExport(acme, `{"report":"invoice"}`)
	want := ExportFile{ID: id, WorkspaceID: acme.ID, UserID: f.root.ID, Category: Reports, Status: ExportInProgress, Report: "1", Format: "pdf", Created: f.clock.Now().UTC(), Expires: f.clock.Now().Add(time.Hour).UTC()}
	same := func(want ExportFile) {
		f.t.Helper()
		got := ok[*ExportFile](f.t)(f.Export(f.ctx(), acme.ID, id))
		if d := cmp.Diff(want, *got, cmpopts.IgnoreUnexported(ExportFile{})); d != "" {
			f.t.Error(d)
		}
	}
	same(want)
	_, err := f.Export(f.ctx(), other.ID, id)
	f.isKind(err, report.NotFound)
	_, err = f.Export(f.ctx(), acme.ID, id+1)
	f.isKind(err, report.NotFound)

	content := strings.Repeat("%PDF-1.7 ", 100_000)
	if done := ok[bool](f.t)(f.CompleteExport(f.ctx(), id, Finished{Name: "Рачун 7.pdf", ContentType: "application/pdf", Warnings: report.Problems{report.Problemf("data.x", "nobody has it")}, Timing: report.Timing{Took: 30, Pages: 2, Phases: []report.PhaseTime{{Phase: "print", MS: 30}}}}, strings.NewReader(content))); !done {
		f.t.Error("not completed")
	}
	want.Status, want.Name, want.ContentType, want.Size = ExportCompleted, "Рачун 7.pdf", "application/pdf", int64(len(content))
	want.Warnings = report.Problems{report.Problemf("data.x", "nobody has it")}
	want.Timing = ok[*ExportFile](f.t)(f.Export(f.ctx(), acme.ID, id)).Timing
	if stored := want.Timing.Of(report.PhaseStore); stored <= 0 || want.Timing.Took < 30+stored-.001 || want.Timing.Pages != 2 || want.Timing.Of("print") != 30 {
		f.t.Errorf("it took %+v", want.Timing)
	}
	same(want)
	if done := ok[bool](f.t)(f.FailExport(f.ctx(), id, "too late")); done {
		f.t.Error("a completed file failed")
	}
	if done := ok[bool](f.t)(f.CompleteExport(f.ctx(), id, Finished{Name: "twice.pdf", ContentType: "application/pdf"}, strings.NewReader("x"))); done {
		f.t.Error("completed twice")
	}
	same(want)
	file := ok[*ExportFile](f.t)(f.Export(f.ctx(), acme.ID, id))
	if readAll(f.t, ok[*Content](f.t)(f.OpenExport(f.ctx(), file))) != content {
		f.t.Error("the content changed")
	}

	failed := f.newExport(acme, "{}")
	ok[bool](f.t)(f.FailExport(f.ctx(), failed, "the report has no pages"))
	if file := ok[*ExportFile](f.t)(f.Export(f.ctx(), acme.ID, failed)); file.Status != ExportFailed || file.Error != "the report has no pages" {
		f.t.Errorf("failed: %+v", file)
	}
	_, err = f.CreateExport(f.ctx(), NewExport{WorkspaceID: 999, Kind: ExportTask, Priority: Interactive, Payload: bytes.Repeat([]byte("x"), inlinePayload+1), Lifetime: time.Hour})
	f.isKind(err, report.NotFound)
	if keys := f.keys(); len(keys) != 1 {
		f.t.Errorf("left: %v", keys)
	}

	// Orphans: the named content stays, whatever its age.
	f.clock.Advance(59 * time.Minute)
	readAll(f.t, ok[*Content](f.t)(f.OpenExport(f.ctx(), file)))
	f.clock.Advance(time.Minute)
	_, err = f.Export(f.ctx(), acme.ID, id)
	f.isKind(err, report.NotFound)
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	if keys := f.keys(); len(keys) != 0 {
		f.t.Errorf("left after the expiry: %v", keys)
	}
}

// placeOf reads the place of an export as an error says it.
func placeOf(text string) (p ExportPlace, err error) {
	p, known := ParseExportPlace(text)
	if !known {
		err = fmt.Errorf("%q is no place", text)
	}
	return p, err
}

// testExportList lists what there is: of a workspace, of a user, page by page,
// without what was deleted, cancelled ones among it.
func testExportList(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	ana := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "ana@example.com", DisplayName: "Ana", Password: rootSecret}))
	var ids []int
	for i := range 6 {
		user := f.root.ID
		if i%3 == 1 {
			user = ana.ID
		}
		ids = append(ids, ok[int](f.t)(f.CreateExport(f.ctx(), NewExport{WorkspaceID: w.ID, UserID: user, Kind: ExportTask, Priority: Interactive, Lifetime: time.Hour, Report: "999", Format: "pdf"})))
		f.clock.Advance(time.Millisecond)
	}
	review := ok[int](f.t)(f.CreateExport(f.ctx(), NewExport{WorkspaceID: w.ID, UserID: ana.ID, Kind: ReviewTask, Priority: Interactive, Lifetime: time.Hour, Format: "pdf"}))
	f.newExport(other, "{}")
	list := func(q ExportQuery) (found []int) {
		f.t.Helper()
		q.WorkspaceID = w.ID
		for _, row := range ok[[]ExportRow](f.t)(f.Exports(f.ctx(), q)) {
			if name := map[int]string{ana.ID: "Ana", f.root.ID: f.root.DisplayName}[row.UserID]; row.UserName != name || row.ReportName != "" || row.Format != "pdf" {
				f.t.Errorf("%+v", row)
			}
			found = append(found, row.ID)
		}
		return found
	}
	same := func(got []int, want ...int) {
		f.t.Helper()
		if !slices.Equal(got, want) {
			f.t.Errorf("listed %v; want %v", got, want)
		}
	}
	all := []Category{Reports, Jobs}
	same(list(ExportQuery{Others: all, Limit: 100}), review, ids[5], ids[4], ids[3], ids[2], ids[1], ids[0])
	same(list(ExportQuery{Others: all, Limit: 2, Offset: 2}), ids[4], ids[3])
	at := func(i int) ExportPlace {
		row := ok[*ExportFile](f.t)(f.Export(f.ctx(), w.ID, ids[i]))
		return ok[ExportPlace](f.t)(placeOf(row.Place().String()))
	}
	same(list(ExportQuery{Others: all, Limit: 2, Before: at(4)}), ids[3], ids[2])
	same(list(ExportQuery{Others: all, Limit: 2, After: at(2)}), ids[4], ids[3])
	same(list(ExportQuery{UserID: ana.ID, Limit: 2, Before: at(4)}), ids[1])
	same(list(ExportQuery{UserID: ana.ID, Limit: 100}), review, ids[4], ids[1])
	same(list(ExportQuery{UserID: f.root.ID, Others: []Category{Reports}, Limit: 100}), ids[5], ids[4], ids[3], ids[2], ids[1], ids[0])
	same(list(ExportQuery{UserID: f.root.ID, Others: []Category{Reports}, Limit: 2, Offset: 1}), ids[4], ids[3])
	same(list(ExportQuery{UserID: f.root.ID, Others: []Category{Jobs}, Limit: 100}), review, ids[5], ids[3], ids[2], ids[0])
	same(list(ExportQuery{Limit: 100}))
	f.must(f.DeleteExport(f.ctx(), w.ID, review))
	f.must(f.DeleteExport(f.ctx(), w.ID, ids[4]))
	same(list(ExportQuery{Others: all, Limit: 2}), ids[5], ids[3])
	same(list(ExportQuery{UserID: ana.ID, Limit: 100}), ids[1])

	task := f.claim("one", 1)[0]
	f.isKind(f.CancelExport(f.ctx(), other.ID, task.Subject, "cancelled by Ana"), report.NotFound)
	f.must(f.CancelExport(f.ctx(), w.ID, task.Subject, "cancelled by Ana"))
	if got := ok[*ExportFile](f.t)(f.Export(f.ctx(), w.ID, task.Subject)); got.Status != ExportFailed || got.Error != "cancelled by Ana" {
		f.t.Errorf("cancelled: %+v", got)
	}
	if held := ok[map[int64]bool](f.t)(f.RenewTasks(f.ctx(), "one", []int64{task.ID}, time.Minute)); held[task.ID] {
		f.t.Error("the task of a cancelled export is still held")
	}
	if done := ok[bool](f.t)(f.CompleteExport(f.ctx(), task.Subject, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("late"))); done {
		f.t.Error("a cancelled export was completed")
	}
	f.isKind(f.CancelExport(f.ctx(), w.ID, task.Subject, "twice"), report.Conflict)
	f.clock.Advance(time.Hour)
	same(list(ExportQuery{Others: all, Limit: 100}))
}

func testExportOrphans(f *fixture) {
	w := f.workspace("acme")
	id := f.newExport(w, "{}")
	ok[bool](f.t)(f.CompleteExport(f.ctx(), id, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("kept")))
	f.newExport(w, strings.Repeat("x", inlinePayload+1))
	kept := f.keys()
	for _, folder := range []string{exportContents, taskContents} {
		_, err := f.contents.Put(f.ctx(), contentKey(folder), "", strings.NewReader("left by a crash"))
		f.must(err)
	}
	// Contents are as old as the machine says, so the clock runs ahead of them.
	f.clock.Advance(orphanAge + time.Minute)
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept.Orphans != 2 {
		f.t.Errorf("swept %+v", swept)
	}
	if d := cmp.Diff(kept, f.keys()); d != "" {
		f.t.Error(d)
	}
}

// Finding B6: the states of exports were in Redis alone, and what it forgot was
// answered with 404 while the file was still there.
func TestRedisForgets(t *testing.T) {
	f := openFixture(t, Config{Database: migrated.SQLite(t), Redis: storetest.PrivateRedis(t).Address()})
	w := f.workspace("acme")
	const all = 30
	want := map[int]ExportStatus{}
	for i := range all {
		id := f.newExport(w, "{}")
		switch want[id] = ExportInProgress; i % 3 {
		case 1:
			want[id] = ExportCompleted
			ok[bool](t)(f.CompleteExport(t.Context(), id, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("content")))
		case 2:
			want[id] = ExportFailed
			ok[bool](t)(f.FailExport(t.Context(), id, "no pages"))
		}
	}
	f.must(f.redis.client.FlushAll(t.Context()).Err())
	for id, status := range want {
		file := ok[*ExportFile](t)(f.Export(t.Context(), w.ID, id))
		if file.Status != status {
			t.Errorf("export %d is %s; want %s", id, file.Status, status)
		}
		if status == ExportCompleted && readAll(t, ok[*Content](t)(f.OpenExport(t.Context(), file))) != "content" {
			t.Errorf("export %d has lost its content", id)
		}
	}
	if listed := ok[[]ExportRow](t)(f.Exports(t.Context(), ExportQuery{WorkspaceID: w.ID, Others: []Category{Reports}, Limit: 2 * all})); len(listed) != all {
		t.Errorf("%d listed; want %d", len(listed), all)
	}
	if claimed := f.claim("one", all); len(claimed) != all {
		t.Errorf("%d tasks; want %d", len(claimed), all)
	}
	for id, status := range want {
		if status == ExportInProgress && !ok[bool](t)(f.CompleteExport(t.Context(), id, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("late"))) {
			t.Errorf("export %d could not be completed", id)
		}
	}
}

func testDeletedExport(f *fixture) {
	w := f.workspace("acme")
	id := f.newExport(w, strings.Repeat("x", inlinePayload+1))
	tasks := f.claim("one", 1)
	f.must(f.DeleteExport(f.ctx(), w.ID, id))
	_, err := f.Export(f.ctx(), w.ID, id)
	f.isKind(err, report.NotFound)
	if held := ok[map[int64]bool](f.t)(f.RenewTasks(f.ctx(), "one", []int64{tasks[0].ID}, time.Minute)); held[tasks[0].ID] {
		f.t.Error("the task of a deleted export is still held")
	}
	if done := ok[bool](f.t)(f.CompleteExport(f.ctx(), id, Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("late"))); done {
		f.t.Error("a deleted export was completed")
	}
	f.isKind(f.DeleteExport(f.ctx(), w.ID, id), report.NotFound)
	if keys := f.keys(); len(keys) != 0 {
		f.t.Errorf("left: %v", keys)
	}
}

func testQueue(f *fixture) {
	w := f.workspace("acme")
	large := strings.Repeat("ж", inlinePayload)
	small, big := f.newExport(w, `{"n":1}`), f.newExport(w, large)
	tasks := f.claim("one", 10)
	if len(tasks) != 2 || tasks[0].Attempts != 1 {
		f.t.Fatalf("claimed %+v", tasks)
	}
	for _, task := range tasks {
		payload, secret, err := f.TaskPayload(f.ctx(), &task)
		f.must(err)
		want := map[int]string{small: `{"n":1}`, big: large}[task.Subject]
		if string(payload) != want || secret != "open sesame" || strings.Contains(task.Sealed, "sesame") {
			f.t.Errorf("payload of %d bytes, secret %q, sealed %q", len(payload), secret.Reveal(), task.Sealed)
		}
	}
	if more := f.claim("two", 10); len(more) != 0 {
		f.t.Errorf("claimed twice: %+v", more)
	}
	waiting, running, err := f.QueueSize(f.ctx())
	if err != nil || waiting != 0 || running != 2 {
		f.t.Errorf("%d wait, %d run, %v", waiting, running, err)
	}
	f.must(f.ReleaseTask(f.ctx(), &tasks[0], time.Second, true))
	if early := f.claim("two", 10); len(early) != 0 {
		f.t.Errorf("claimed before its time: %+v", early)
	}
	f.clock.Advance(time.Second)
	if again := f.claim("two", 10); len(again) != 1 || again[0].Attempts != 2 {
		f.t.Errorf("claimed again: %+v", again)
	}
	// A dead owner's work is taken over when its lease has ended, and what it
	// does later changes nothing.
	f.clock.Advance(time.Minute - time.Second)
	if got := f.claim("three", 10); len(got) != 0 {
		f.t.Errorf("what may have ended a process was taken with others: %+v", got)
	}
	over := f.suspect("three", false)
	if len(over) != 1 || over[0].ID != tasks[1].ID {
		f.t.Fatalf("taken over: %+v", over)
	}
	f.must(f.FinishTask(f.ctx(), &tasks[1]))
	if held := ok[map[int64]bool](f.t)(f.RenewTasks(f.ctx(), "three", []int64{over[0].ID}, time.Minute)); !held[over[0].ID] {
		f.t.Error("a task was finished by an owner that had lost it")
	}
	f.clock.Advance(time.Minute - time.Second)
	ok[map[int64]bool](f.t)(f.RenewTasks(f.ctx(), "three", nil, time.Minute)) // it does not know that it holds one
	f.clock.Advance(time.Second)
	if free := f.suspect("five", false); !slices.ContainsFunc(free, func(t Task) bool { return t.ID == over[0].ID }) {
		f.t.Errorf("what nobody works on is not free: %+v", free)
	}
	over[0].Owner = "five"
	f.must(f.FinishTask(f.ctx(), &over[0]))
	f.clock.Advance(time.Hour)
	last := f.suspect("four", true)
	f.must(f.FinishTask(f.ctx(), &last[0]))
	if waiting, running, _ := f.QueueSize(f.ctx()); len(last) != 1 || waiting+running != 0 || len(f.keys()) != 0 {
		f.t.Errorf("%d last, %d wait, %d run, contents %v", len(last), waiting, running, f.keys())
	}
}

// testQueueOrder: interactive work first, and the workspaces in turns: who
// comes last with little does not wait for who came first with much.
func testQueueOrder(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	add := func(w *Workspace, kind string, priority Priority, n int) {
		var tasks []preparedTask
		for i := range n {
			tasks = append(tasks, preparedTask{NewTask: NewTask{Kind: kind, WorkspaceID: w.ID, Subject: w.ID*1000 + i, Priority: priority}})
		}
		f.must(f.db.inTx(f.ctx(), func(t tx) error { return f.enqueue(f.ctx(), t, tasks...) }))
	}
	add(acme, "entry", Batch, 50)
	f.claim("one", 1)
	add(other, "entry", Batch, 3)
	add(acme, ExportTask, Interactive, 1)
	var order []string
	for range 7 {
		for _, task := range f.claim("one", 1) {
			name := map[int]string{acme.ID: "acme", other.ID: "other"}[task.WorkspaceID]
			order = append(order, name+" "+task.Kind)
		}
	}
	want := []string{"acme export", "acme entry", "other entry", "acme entry", "other entry", "acme entry", "other entry"}
	if d := cmp.Diff(want, order); d != "" {
		f.t.Error(d)
	}
	if got := ok[[]Task](f.t)(f.ClaimTasks(f.ctx(), Claim{Owner: "two", Worst: Interactive, Most: 5, Lease: time.Minute})); len(got) != 0 {
		f.t.Errorf("a worker for exports took %+v", got)
	}
}

func testQueueRace(f *fixture) {
	w := f.workspace("acme")
	const all = 60
	for range all {
		f.newExport(w, "{}")
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	taken := map[int64]int{}
	for i := range 6 {
		wg.Go(func() {
			for {
				tasks, err := f.ClaimTasks(f.ctx(), Claim{Owner: string(rune('a' + i)), Worst: Batch, Most: 3, Lease: time.Minute})
				if err != nil || len(tasks) == 0 {
					if err != nil {
						f.t.Error(err)
					}
					return
				}
				mu.Lock()
				for _, task := range tasks {
					taken[task.ID]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id, n := range taken {
		if n != 1 {
			f.t.Errorf("task %d was taken %d times", id, n)
		}
	}
	if len(taken) != all {
		f.t.Errorf("%d of %d taken", len(taken), all)
	}
}

func testIdempotency(f *fixture) {
	w := f.workspace("acme")
	start := func(user int, key, request string) (int, error) {
		return f.CreateExport(f.ctx(), NewExport{
			WorkspaceID: w.ID, UserID: f.root.ID, Kind: ExportTask, Priority: Interactive, Lifetime: time.Hour,
			Once: Once{Key: key, UserID: user, Scope: "export invoice", Request: []byte(request)},
		})
	}
	first := ok[int](f.t)(start(1, "k1", "a"))
	if again := ok[int](f.t)(start(1, "k1", "a")); again != first {
		f.t.Errorf("sent again: %d, want %d", again, first)
	}
	_, err := start(1, "k1", "b")
	f.isKind(err, report.Conflict)
	if ok[int](f.t)(start(2, "k1", "a")) == first || ok[int](f.t)(start(1, "k2", "a")) == first || ok[int](f.t)(start(1, "", "a")) == first {
		f.t.Error("another user or key got the same file")
	}
	var wg sync.WaitGroup
	results := make([]int, 8)
	for i := range results {
		wg.Go(func() { results[i] = ok[int](f.t)(start(1, "race", "a")) })
	}
	wg.Wait()
	for _, r := range results {
		if r != results[0] {
			f.t.Errorf("racing requests started %v", results)
			break
		}
	}
	if waiting, _, _ := f.QueueSize(f.ctx()); waiting != 5 {
		f.t.Errorf("%d tasks wait", waiting)
	}
	f.clock.Advance(25 * time.Hour)
	if later := ok[int](f.t)(start(1, "k1", "b")); later == first {
		f.t.Error("a key was remembered for ever")
	}
}

// TestFreedTasks: the owner of an SQLite file frees what its dead predecessor
// held; on a file that it does not own nobody frees anything.
func TestFreedTasks(t *testing.T) {
	f := sqliteFixture(t)
	f.newExport(f.workspace("acme"), "{}")
	f.claim("dead", 1)
	f.must(f.Close())
	beside := f.config
	beside.Exclusive = false
	f.Store = ok[*Store](t)(Open(t.Context(), beside))
	if n := ok[int](t)(f.FreeTasks(t.Context())); n != 0 {
		t.Errorf("a command beside the service freed %d", n)
	}
	f.must(f.Close())
	f.Store = ok[*Store](t)(Open(t.Context(), f.config))
	if n := ok[int](t)(f.FreeTasks(t.Context())); n != 1 || len(f.suspect("new", true)) != 1 {
		t.Errorf("freed %d", n)
	}
}

func TestSealedSecretOpensOnlyInItsTask(t *testing.T) {
	f := sqliteFixture(t)
	w := f.workspace("acme")
	f.newExport(w, "{}")
	f.newExport(w, "{}")
	tasks := f.claim("one", 2)
	tasks[0].Sealed = tasks[1].Sealed
	if _, _, err := f.TaskPayload(t.Context(), &tasks[0]); !errors.Is(err, errSealed) {
		t.Errorf("got %v", err)
	}
}

// TestTheQueueIsReadByItsIndexes: what a worker asks many times a second does not
// read, or sort, all that waits.
func TestTheQueueIsReadByItsIndexes(t *testing.T) {
	f := sqliteFixture(t)
	for condition, want := range map[string]string{
		strings.Replace(f.free(""), "?", "10", 1) + " ORDER BY priority, turn, id LIMIT 3":        "SEARCH queue USING INDEX queue_order (priority<?)",
		strings.Replace(f.free(PrintWork), "?", "10", 1) + " ORDER BY priority, turn, id LIMIT 3": "SEARCH queue USING INDEX queue_work (<expr>=? AND priority<?)",
		f.suspects(""):          "SEARCH queue USING INDEX queue_owned (owner>?)",
		f.suspects(DeliverWork): "SEARCH queue USING INDEX queue_owned (owner>?)",
	} {
		var plan []struct {
			ID, Parent, Notused int
			Detail              string
		}
		f.must(f.db.list(f.ctx(), &plan, "EXPLAIN QUERY PLAN SELECT id FROM queue WHERE "+condition))
		if len(plan) != 1 || plan[0].Detail != want {
			t.Errorf("%s: %+v; want %s", condition, plan, want)
		}
	}
}
