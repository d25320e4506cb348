package store

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// newJob makes a job and gives its ID.
func (f *fixture) newJob(w *Workspace) int {
	f.t.Helper()
	return ok[int](f.t)(f.CreateResource(f.ctx(), w.ID, JobKind, []byte(`{"name":"Statements","code":"Statements","active":true,"reports":[{"report":"invoice"}]}`)))
}

// newRun makes a run that has begun with entries.
func (f *fixture) newRun(w *Workspace, job int, records ...string) *Run {
	f.t.Helper()
	id := ok[int](f.t)(f.CreateRun(f.ctx(), NewRun{WorkspaceID: w.ID, JobID: job, UserID: f.root.ID, Document: []byte("{}")}))
	run := ok[*Run](f.t)(f.Run(f.ctx(), id))
	var rows rowList
	for _, r := range records {
		rows = append(rows, []byte(r))
	}
	if begun := ok[bool](f.t)(f.BeginRun(f.ctx(), run, []byte(`{"year":2026}`), written(`{"rows":[]}`), rows)); !begun {
		f.t.Fatal("not begun")
	}
	return ok[*Run](f.t)(f.Run(f.ctx(), id))
}

func newDocument(text string) report.Document {
	return report.Document{Name: text + ".pdf", ContentType: "application/pdf", Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func testRuns(f *fixture) {
	w, other := f.workspace("acme"), f.workspace("other")
	job := f.newJob(w)
	for _, ref := range []string{"statements", "STATEMENTS"} {
		if id, _, err := f.Job(f.ctx(), w.ID, ref); err != nil || id != job {
			f.t.Errorf("%s is job %d, %v", ref, id, err)
		}
	}
	_, _, err := f.Job(f.ctx(), other.ID, "statements")
	f.isKind(err, report.NotFound)
	run := f.newRun(w, job, `{"n":1}`, `{"n":2.50}`)
	if again := ok[bool](f.t)(f.BeginRun(f.ctx(), run, nil, written("{}"), rowList{[]byte("1")})); again {
		f.t.Error("begun twice")
	}
	head := *run // what lists and the status read: the definition may hold megabytes
	head.Document, head.Params = "", ""
	list := ok[[]Run](f.t)(f.Runs(f.ctx(), job, 0, 10))
	if d := cmp.Diff([]Run{head, head}, append(list, *ok[*Run](f.t)(f.RunHead(f.ctx(), run.ID))), cmp.AllowUnexported(Run{})); d != "" || run.Document != "{}" {
		f.t.Errorf("%q: %s", run.Document, d)
	}
	if data := ok[[]byte](f.t)(f.RunData(f.ctx(), run)); string(data) != `{"rows":[]}` || run.Params != `{"year":2026}` || run.State != RunStarted {
		f.t.Errorf("data %s, run %+v", data, run)
	}
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 10))
	if len(entries) != 2 || entries[1].Record != `{"n":2.50}` || entries[1].State != EntryQueued {
		f.t.Fatalf("%+v", entries)
	}
	first := &entries[0]
	if moved := ok[bool](f.t)(f.MoveEntry(f.ctx(), first.ID, EntryRendering, "", EntryQueued)); !moved {
		f.t.Error("not moved")
	}
	timed := newDocument("b")
	timed.Timing = report.Timing{Took: 12, Phases: []report.PhaseTime{{Phase: "html", MS: 12}}}
	if done := ok[bool](f.t)(f.finishEntry(f.ctx(), first, EntryReview, newDocument("a"), timed)); !done {
		f.t.Error("not finished")
	}
	if twice := ok[bool](f.t)(f.finishEntry(f.ctx(), first, EntryReview, newDocument("c"))); twice {
		f.t.Error("finished twice")
	}
	counts := ok[Counts](f.t)(f.RunCounts(f.ctx(), run.ID))
	if d := cmp.Diff(Counts{EntryQueued: 1, EntryReview: 1}, counts); d != "" {
		f.t.Error(d)
	}
	documents := ok[[]JobDocument](f.t)(f.Documents(f.ctx(), first.ID))
	if len(documents) != 2 || documents[1].Name != "b.pdf" || documents[1].Size != 1 {
		f.t.Errorf("%+v", documents)
	}
	timings := ok[[]TimedEntry](f.t)(f.RunTimings(f.ctx(), run.ID, 10))
	if len(timings) != 2 || timings[1].Position != 1 || timings[1].EntryID != first.ID || timings[1].Timing.Of("html") != 12 {
		f.t.Errorf("%+v", timings)
	}
	if one := ok[[]TimedEntry](f.t)(f.RunTimings(f.ctx(), run.ID, 1)); len(one) != 1 {
		f.t.Errorf("%d documents, not one", len(one))
	}
	if keys := f.keys(); len(keys) != 3 { // the data and two documents
		f.t.Errorf("contents %v", keys)
	}
	_, err = f.DeliverRun(f.ctx(), run)
	f.isKind(err, report.Conflict) // the other is queued
	ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[1].ID, EntryError, "", EntryQueued))
	for _, want := range []int{1, 0} {
		if n := ok[int](f.t)(f.DeliverRun(f.ctx(), run)); n != want {
			f.t.Errorf("delivered %d, want %d", n, want)
		}
	}
	f.isKind(f.RejectEntry(f.ctx(), run, first.ID, "late"), report.Conflict)
	f.isKind(f.ApproveEntry(f.ctx(), run, 999), report.NotFound)
	_, err = f.CreateRun(f.ctx(), NewRun{WorkspaceID: w.ID, JobID: 999, Document: []byte("{}")})
	f.isKind(err, report.NotFound)
}

func testDeliveryMarks(f *fixture) {
	w := f.workspace("acme")
	run := f.newRun(w, f.newJob(w), `{}`)
	e := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 1))[0]
	if early := ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), e.ID, 1)); !early.Refused {
		f.t.Error("delivered before it was made")
	}
	ok[bool](f.t)(f.MoveEntry(f.ctx(), e.ID, EntryDelivering, "", EntryQueued))
	begin := func() JobDeliveryRow { f.t.Helper(); return ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), e.ID, 1)) }
	first := begin()
	if first.Attempts != 0 || first.Key == "" || first.State != "" {
		f.t.Errorf("first %+v", first)
	}
	if crashed := begin(); crashed.State != DeliverySending || crashed.Attempts != 1 || crashed.Key != first.Key {
		f.t.Errorf("after a crash %+v", crashed)
	}
	f.must(f.EndDelivery(f.ctx(), e.ID, 1, DeliveryFailed, "away", ""))
	if failed := begin(); failed.State != DeliveryFailed || failed.Attempts != 2 {
		f.t.Errorf("after a failure %+v", failed)
	}
	f.must(f.EndDelivery(f.ctx(), e.ID, 1, DeliverySent, "", `{"id":"7"}`))
	if sent := begin(); sent.State != DeliverySent || sent.Receipt != `{"id":"7"}` {
		f.t.Errorf("after all %+v", sent)
	}
	if rows := ok[[]JobDeliveryRow](f.t)(f.Deliveries(f.ctx(), e.ID)); len(rows) != 1 || rows[0].State != DeliverySent || rows[0].Attempts != 3 {
		f.t.Errorf("kept %+v", rows)
	}
}

// testOldRuns: runs go with their documents once they are old, and with their
// workspace or job the sweeper finds what they leave.
func testOldRuns(f *fixture) {
	w := f.workspace("acme")
	job := f.newJob(w)
	finish := func(r *Run) {
		e := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), r.ID, 0, 1))[0]
		ok[bool](f.t)(f.MoveEntry(f.ctx(), e.ID, EntryRendering, "", EntryQueued))
		ok[bool](f.t)(f.finishEntry(f.ctx(), &e, EntryCompleted, newDocument("a")))
	}
	old := f.newRun(w, job, slices.Repeat([]string{"1"}, sweepBatch+1)...)
	finish(old)
	f.clock.Advance(89 * 24 * time.Hour)
	young := f.newRun(w, job, "2")
	finish(young)
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	if len(f.keys()) != 4 {
		f.t.Errorf("contents %v", f.keys())
	}
	ok[Swept](f.t)(f.SweepOrphans(f.ctx())) // however old, what a run names stays
	if len(f.keys()) != 4 {
		f.t.Errorf("contents after looking for orphans %v", f.keys())
	}
	f.clock.Advance(25 * time.Hour)
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	_, err := f.Run(f.ctx(), old.ID)
	f.isKind(err, report.NotFound)
	if runs := ok[[]Run](f.t)(f.Runs(f.ctx(), job, 0, 10)); len(runs) != 1 || runs[0].ID != young.ID || len(f.keys()) != 2 {
		f.t.Errorf("left %+v, contents %v", runs, f.keys())
	}
	f.must(f.DeleteResource(f.ctx(), w.ID, JobKind, job))
	f.clock.Advance(7 * time.Hour)
	ok[Swept](f.t)(f.SweepOrphans(f.ctx()))
	if keys := f.keys(); slices.ContainsFunc(keys, func(k string) bool {
		return strings.HasPrefix(k, runContents) || strings.HasPrefix(k, documentContents)
	}) {
		f.t.Errorf("a deleted job left %v", keys)
	}
}
