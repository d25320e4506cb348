package store

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// inReview makes a run whose entries wait for their review.
func (f *fixture) inReview(w *Workspace, job, entries int) *Run {
	f.t.Helper()
	run := f.newRun(w, job, slices.Repeat([]string{"{}"}, entries)...)
	ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'review' WHERE run_id = ?", run.ID))
	ok[bool](f.t)(f.EndRun(f.ctx(), run.ID, true))
	return run
}

// has compares the counts of a run.
func (f *fixture) has(r *Run, want Counts) {
	f.t.Helper()
	if d := cmp.Diff(want, ok[Counts](f.t)(f.RunCounts(f.ctx(), r.ID))); d != "" {
		f.t.Error(d)
	}
}

// approveRest does what any process does until all of a run is approved.
func (f *fixture) approveRest(r *Run) (rounds int) {
	f.t.Helper()
	for more := true; more; rounds++ {
		fed, err := f.FeedRuns(f.ctx(), "cancelled")
		if err != nil || fed.Queued > approvedAtOnce || fed.More == slices.Equal(fed.Ended, []int{r.ID}) {
			f.t.Fatal(fed, err)
		}
		more = fed.More
	}
	return rounds
}

// testALargeRunIsApprovedInParts: deliveries of the first entries begin at once. When the
// process that was told dies then, others go on, until each is queued once; the log tells
// of one decision, and the run does not end before.
func testALargeRunIsApprovedInParts(f *fixture) {
	const all = 2*approvedAtOnce + 3
	w := f.workspace("acme")
	job := f.newJob(w)
	for i, approve := range []func(*Run) (int, error){
		func(r *Run) (int, error) { return f.DeliverRun(f.ctx(), r) },
		func(r *Run) (int, error) {
			return f.MoveEntries(f.ctx(), r, EntryQuery{States: []EntryState{EntryReview}}, EntryDelivering, "", Once{})
		},
	} {
		run := f.inReview(w, job, all)
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'error' WHERE run_id = ? AND position IN (1, 700)", run.ID))
		if n := ok[int](f.t)(approve(run)); n != all-2 {
			f.t.Errorf("%d of %d entries are approved", n, all-2)
		}
		f.has(run, Counts{EntryDelivering: approvedAtOnce - 1, EntryReview: all - 1 - approvedAtOnce, EntryError: 2})
		f.hasTasks(approvedAtOnce - 1)
		ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'completed' WHERE run_id = ? AND state = 'delivering'", run.ID))
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
		if ok[*Run](f.t)(f.Run(f.ctx(), run.ID)).Ended != nil || ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
			f.t.Error("it ends before all is approved")
		}
		if n := ok[int](f.t)(approve(run)); n != 0 {
			f.t.Errorf("asked again, %d entries are approved", n)
		}
		if rounds := f.approveRest(run); rounds != 2 {
			f.t.Errorf("%d rounds", rounds)
		}
		f.has(run, Counts{EntryDelivering: all - 1 - approvedAtOnce, EntryCompleted: approvedAtOnce - 1, EntryError: 2})
		f.hasTasks(all - 1 - approvedAtOnce)
		action := []Action{AuditRunDelivered, AuditEntryDecided}[i]
		events := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Action: string(action), Limit: 10}))
		if len(events) != 1 || string(events[0].Detail) != fmt.Sprintf(`{"entries":%d}`, all-2) {
			f.t.Errorf("%+v", events)
		}
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
	}
	f.checkCounts()
}

// testARunChangesWhileItIsApproved: what is decided about single entries meanwhile holds,
// and nothing that is made anew is approved unseen.
func testARunChangesWhileItIsApproved(f *fixture) {
	const all = 2*approvedAtOnce + 3
	w := f.workspace("acme")
	run := f.inReview(w, f.newJob(w), all)
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, all))
	last := entries[all-1].ID
	f.must(f.RejectEntry(f.ctx(), run, entries[1].ID, "wrong"))
	ok[int](f.t)(f.DeliverRun(f.ctx(), run))
	f.must(f.ApproveEntry(f.ctx(), run, entries[all-2].ID))
	f.must(f.RejectEntry(f.ctx(), run, entries[all-3].ID, "wrong"))
	f.isKind(f.RegenerateEntry(f.ctx(), run, last), report.Busy)
	_, err := f.RemakeEntries(f.ctx(), run, EntryQuery{IDs: []int{last, entries[1].ID}}, nil, Once{})
	f.isKind(err, report.Busy)
	f.approveRest(run)
	f.has(run, Counts{EntryDelivering: all - 2, EntryRejected: 2})
	f.hasTasks(all - 2)
	f.must(f.RegenerateEntry(f.ctx(), run, entries[1].ID))

	early := f.newRun(w, run.JobID, "1", "2")
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'review' WHERE run_id = ? AND position = 1", early.ID))
	if n := ok[int](f.t)(f.MoveEntries(f.ctx(), early, EntryQuery{States: []EntryState{EntryReview}}, EntryDelivering, "", Once{})); n != 1 {
		f.t.Errorf("%d approved", n)
	}
	ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_entries SET state = 'review' WHERE run_id = ? AND position = 2", early.ID))
	if fed, err := f.FeedRuns(f.ctx(), ""); fed.Queued > 0 || err != nil {
		f.t.Errorf("what was made later is approved: %+v, %v", fed, err)
	}
	f.checkCounts()
}

// testARunIsCancelledWhileItIsApproved: nothing of it is approved any more, also when a
// version cancels it that does not know of approving in parts.
func testARunIsCancelledWhileItIsApproved(f *fixture) {
	const all = 2*approvedAtOnce + 3
	w := f.workspace("acme")
	job := f.newJob(w)
	for _, before := range []bool{false, true} {
		run := f.inReview(w, job, all)
		ok[int](f.t)(f.DeliverRun(f.ctx(), run))
		first := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 1))[0]
		ok[JobDeliveryRow](f.t)(f.BeginDelivery(f.ctx(), first.ID, 1))
		if b := ok[*begunCancel](f.t)(f.beginCancel(f.ctx(), run, "cancelled", nil)); b == nil {
			f.t.Fatal("nothing to cancel")
		}
		if before {
			ok[int](f.t)(f.db.exec(f.ctx(), "UPDATE job_runs SET approve_from = ? WHERE id = ?", approvedAtOnce+1, run.ID))
		}
		if n := ok[int](f.t)(f.DeliverRun(f.ctx(), run)); n != 0 {
			f.t.Errorf("%d entries of a run that is being cancelled are approved", n)
		}
		f.approveRest(run) // which cancels
		f.has(run, Counts{EntryDelivering: 1, EntryError: all - 1})
		f.hasTasks(1)
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
		ok[bool](f.t)(f.MoveEntry(f.ctx(), first.ID, EntryCompleted, "", EntryDelivering))
		if !ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
			f.t.Error("it does not end")
		}
		f.must(f.RegenerateEntry(f.ctx(), run, first.ID+1)) // what is made after that is approved as always
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
		ok[bool](f.t)(f.MoveEntry(f.ctx(), first.ID+1, EntryReview, "", EntryQueued))
		if n := ok[int](f.t)(f.DeliverRun(f.ctx(), run)); n != 1 {
			f.t.Errorf("%d entries were approved after the cancellation", n)
		}
		ok[int](f.t)(f.db.exec(f.ctx(), "DELETE FROM queue"))
	}
	f.checkCounts()
}
