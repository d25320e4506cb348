package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// All slices together have about mostSliced entries, each at least leastSlice.
	mostSliced, leastSlice = 10_000, 10
	// mostDelayed is how many slices of a run wait at most when what was queued before
	// waits to be tried again.
	mostDelayed = 10
)

// sliceOf is how many entries of each of so many runs wait in the queue.
func sliceOf(runs int) int { return min(max(mostSliced/max(runs, 1), leastSlice), mostSlice) }

// fedRun is a run of which not all entries are queued, or approved.
type fedRun struct {
	ID          int      `db:"id"`
	WorkspaceID int      `db:"workspace_id"`
	Next        *int     `db:"next_position"` // of the first entry that is not queued; of a cancelled run, that is to end
	Approve     *int     `db:"approve_from"`  // position of the first entry that is to be approved
	State       RunState `db:"state"`
	Cancelled   *int64   `db:"cancelled_at"`
	Waiting     int      `db:"waiting"` // in the queue, for somebody to make them now
	Delayed     int      `db:"delayed"` // in the queue, to be tried again later
}

// fedRuns is the query of these runs, with a further condition.
func (s *Store) fedRuns(which string) string {
	count := "(SELECT COUNT(*) FROM queue q WHERE q.workspace_id = r.workspace_id AND q.priority = 2 AND q.kind = 'entry' AND q.run_id = r.id AND q.owner = '' AND q.run_at "
	return "SELECT r.id, r.workspace_id, r.next_position, r.approve_from, r.state, r.cancelled_at, " + count + "<= " + s.shared() + ") AS waiting, " + count + "> " + s.shared() + `) AS delayed
		FROM job_runs r WHERE r.id IN (SELECT id FROM job_runs WHERE next_position IS NOT NULL UNION ALL SELECT id FROM job_runs WHERE approve_from IS NOT NULL)` + which + " ORDER BY r.id"
}

// Fed is what FeedRuns did.
type Fed struct {
	Queued int   // entries
	Ended  []int // runs of which nothing is left to be cancelled, or approved
	More   bool  // whether more of a run is to be cancelled, or approved
}

// hungry tells whether less than half of a slice waits. What waits to be tried again
// has had its turn and holds nobody back, within bounds.
func (r *fedRun) hungry(slice int) bool {
	return r.cancels() || r.Approve != nil || 2*r.Waiting < slice && r.Delayed < mostDelayed*slice
}

// cancels tells whether a run is being cancelled.
func (r *fedRun) cancels() bool { return r.Cancelled != nil && r.Next != nil }

// FeedRuns queues the next entries of large runs of which little waits. What CancelRun
// has left of cancelled ones ends instead, for the reason, some of it at a time, and so
// is approved what DeliverRun has left. A run that cannot be fed holds no other back.
func (s *Store) FeedRuns(ctx context.Context, reason string) (fed Fed, err error) {
	var runs []fedRun
	if err := s.db.list(ctx, &runs, s.fedRuns("")); err != nil {
		return fed, err
	}
	slice := sliceOf(len(runs))
	for i := range runs {
		if !runs[i].hungry(slice) {
			continue
		}
		if failed := s.feedRun(ctx, &runs[i], slice, reason, &fed); failed != nil {
			err = errors.Join(err, fmt.Errorf("run %d: %w", runs[i].ID, failed))
		}
	}
	return fed, err
}

// feedRun feeds a run that nobody else has locked, and adds what it did. Who writes the
// entries of one locks it again and again until all are written, and is waited for: else
// the first ones would wait in vain for a moment in which nobody has it.
func (s *Store) feedRun(ctx context.Context, of *fedRun, slice int, reason string, fed *Fed) error {
	id, lock := of.ID, s.db.skipLocked
	if of.State == RunStarting {
		lock = s.db.forUpdate
	}
	var queued, looked int
	var more, all bool // of what goes on at once
	var began time.Time
	err := s.db.inTx(ctx, func(t tx) error {
		queued, looked, more, all = 0, 0, false, false
		var locked []int
		err := t.list(ctx, &locked, "SELECT id FROM job_runs WHERE id = ? "+lock, id)
		if err != nil || len(locked) == 0 {
			return err
		}
		var runs []fedRun
		if err := t.list(ctx, &runs, s.fedRuns(" AND r.id = ?"), id); err != nil || len(runs) == 0 || !runs[0].hungry(slice) {
			return err
		}
		r := &runs[0]
		began = time.Now()
		switch {
		case r.cancels():
			var to int
			to, all, err = s.cancelFrom(ctx, t, r.ID, *r.Next, reason)
			looked, more = to-*r.Next, !all
		case r.Approve != nil:
			queued, all, err = s.approveFrom(ctx, t, &Run{ID: r.ID, WorkspaceID: r.WorkspaceID}, *r.Approve)
			looked, more = queued, !all
		default:
			queued, err = s.feed(ctx, t, r, slice-r.Waiting)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.noteHeld(looked, began)
	fed.Queued += queued
	fed.More = fed.More || more
	if all {
		fed.Ended = append(fed.Ended, id)
	}
	return nil
}

// feed queues the next n entries of a run, except those that a process of the version
// before has queued, which began the run or went on beginning it.
func (s *Store) feed(ctx context.Context, t tx, r *fedRun, n int) (fed int, err error) {
	var entries []struct {
		ID       int
		Position int
		Wanted   bool
	}
	err = t.list(ctx, &entries, `SELECT id, position, state = 'queued' AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.kind = 'entry' AND q.subject = e.id) AS wanted
		FROM job_entries e WHERE run_id = ? AND position >= ? ORDER BY position LIMIT ?`, r.ID, *r.Next, n)
	if err != nil {
		return 0, err
	}
	next, ids := r.Next, []int{}
	for _, e := range entries {
		if e.Wanted {
			ids = append(ids, e.ID)
		}
		*next = e.Position + 1
	}
	if len(entries) < n && r.State != RunStarting {
		next = nil
	}
	if _, err := t.exec(ctx, "UPDATE job_runs SET next_position = ? WHERE id = ?", next, r.ID); err != nil {
		return 0, err
	}
	return len(ids), s.enqueue(ctx, t, tasksOf(EntryTask, &Run{ID: r.ID, WorkspaceID: r.WorkspaceID}, ids)...)
}
