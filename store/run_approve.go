package store

import (
	"context"
	"errors"
	"slices"

	"github.com/quire-reports/quire/report"
)

// approvedAtOnce is how many positions of a run are looked at in one transaction at most
// when all of it is approved. Nobody else writes to an SQLite file meanwhile.
const approvedAtOnce = 500

// DeliverRun approves all entries of a run that are in review and queues their
// delivery; it tells how many. While some are being made it is a Problem of kind
// Conflict with the counts. Of a large run the first ones go at once, and FeedRuns
// goes on with the rest.
func (s *Store) DeliverRun(ctx context.Context, r *Run) (n int, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		n = 0
		if _, err := lockRun(ctx, t, r.ID); err != nil {
			return err
		}
		counts, err := countEntries(ctx, t.list, r.ID)
		if err == nil {
			err = runMade(ctx, t, r.ID, counts)
		}
		if err != nil {
			return err
		}
		if n, err = s.approveAll(ctx, t, r, counts); err != nil || n == 0 {
			return err
		}
		return s.recordRun(ctx, t, AuditRunDelivered, r, map[string]any{"entries": n})
	})
	if errors.Is(err, errDuplicate) {
		err = errBeingEnded
	}
	return n, err
}

// approveAll approves the first entries in review of a run that is locked, and says that
// all are. It tells how many that are; none when it was said before, or when the run is
// being cancelled.
func (s *Store) approveAll(ctx context.Context, t tx, r *Run, counts Counts) (n int, err error) {
	if counts[EntryReview] == 0 {
		return 0, nil
	}
	var may bool
	err = t.get(ctx, &may, "SELECT approve_from IS NULL AND (cancelled_at IS NULL OR next_position IS NULL) FROM job_runs WHERE id = ?", r.ID)
	if err != nil || !may {
		return 0, err
	}
	_, _, err = s.approveFrom(ctx, t, r, 1)
	return counts[EntryReview], err
}

// approveFrom approves the entries in review of a run that is locked, from a position
// on, as many as are looked at at once. It tells how many, and whether those were all.
func (s *Store) approveFrom(ctx context.Context, t tx, r *Run, from int) (n int, all bool, err error) {
	var last int
	if err := t.get(ctx, &last, "SELECT COALESCE(MAX(position), 0) FROM job_entries WHERE run_id = ?", r.ID); err != nil {
		return 0, false, err
	}
	to := from + s.pace.next(approvedAtOnce)
	next := &to
	if all = to > last; all {
		next = nil
	}
	if _, err := t.exec(ctx, "UPDATE job_runs SET approve_from = ?, ended_at = NULL WHERE id = ?", next, r.ID); err != nil {
		return 0, false, err
	}
	var ids []int
	err = t.list(ctx, &ids, "UPDATE job_entries SET state = ?, deliver = ?, updated_at = ? WHERE run_id = ? AND position >= ? AND position < ? AND state = ? RETURNING id",
		EntryDelivering, DeliverAll, s.now(), r.ID, from, to, EntryReview)
	if err != nil {
		return 0, false, err
	}
	slices.Sort(ids) // in the order of the run
	return len(ids), all, s.enqueue(ctx, t, tasksOf(DeliverTask, r, ids)...)
}

// notBeingApproved is a Problem of kind Busy while entries of a run, which is locked, are
// being approved: what is made anew must not be approved with them unseen.
func notBeingApproved(ctx context.Context, t tx, id int) error {
	var being bool
	if err := t.get(ctx, &being, "SELECT approve_from IS NOT NULL FROM job_runs WHERE id = ?", id); err != nil || !being {
		return err
	}
	return &report.Problem{Kind: report.Busy, Message: "all entries of this run are being approved; try again in a moment"}
}
