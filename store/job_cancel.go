package store

import (
	"context"
	"database/sql"
	"math"
	"time"
)

// Deliverable is which deliveries of an entry, or of a run as a whole, may
// begin. It lies in their row, which whoever begins a delivery locks first: so
// none begins once a cancellation has ended.
type Deliverable string

// What may begin.
const (
	DeliverAll    Deliverable = "all"    // what is not settled
	DeliverChosen Deliverable = "chosen" // what somebody chose to be sent once more
	DeliverNone   Deliverable = "none"   // the run was cancelled
)

// allows tells whether a delivery in a state may begin; empty is one that has
// no row yet.
func (d Deliverable) allows(state DeliveryState) bool {
	switch d {
	case DeliverNone:
		return false
	case DeliverChosen:
		return state == DeliveryWaiting || state == DeliverySending
	}
	return !state.settled()
}

// Cancelled is what a cancellation found.
type Cancelled struct {
	Entries  int // that end undelivered
	UnderWay int // entries, and deliveries of the run, whose sending had begun
}

const (
	// active are the states of entries that are not through.
	active = "('queued', 'rendering', 'review', 'delivering')"
	// underWay is the condition for an entry of which something is being sent.
	underWay = "(state = 'delivering' AND EXISTS (SELECT 1 FROM job_deliveries d WHERE d.entry_id = job_entries.id AND d.state = 'sending'))"
)

// lockRun locks a run until the transaction ends. Whoever changes what is to be
// done of it does so first, and then changes entries.
func lockRun(ctx context.Context, t tx, id int) (ended *int64, err error) {
	err = t.get(ctx, &ended, "UPDATE job_runs SET state = state WHERE id = ? RETURNING ended_at", id)
	return ended, orNotFound(err, "run %d does not exist", id)
}

// cancelledAtOnce is how many positions of a run are looked at in one transaction at most.
// Nobody else writes to an SQLite file meanwhile.
const cancelledAtOnce = 500

// CancelRun ends what of a run has not left: what is not made, what waits for
// its review or its delivery, and its deliveries as a whole, at the positions
// given. What is being sent goes on to its end; nothing else begins. Who makes
// an entry notices when it renews its lease. Entries end some at a time; when that
// stops in the middle, FeedRuns goes on, as it does with those that were never queued.
func (s *Store) CancelRun(ctx context.Context, r *Run, reason string, whole []int) (c Cancelled, err error) {
	b, err := s.beginCancel(ctx, r, reason, whole)
	if err != nil || b == nil {
		return c, err
	}
	for next := 1; next < b.fed; {
		if next, err = s.cancelNext(ctx, r.ID, reason); err != nil {
			return c, err
		}
	}
	if err := s.db.get(ctx, &c.UnderWay, "SELECT COUNT(*) FROM job_entries WHERE run_id = ? AND state = ?", r.ID, EntryDelivering); err != nil {
		return c, err
	}
	c.UnderWay += b.sending
	ended, err := countCancelled(ctx, s.db.get, r.ID, b.fed)
	c.Entries = ended - b.before + b.rest
	return c, err
}

// begunCancel is what there was when a cancellation began.
type begunCancel struct {
	fed     int // position of the first entry of which nothing was begun
	rest    int // entries from there on
	before  int // entries that a cancellation had ended already
	sending int // deliveries of the run as a whole
}

// beginCancel lets nothing of a run begin as a whole any more and says that its entries
// are to end; nil when there is nothing to cancel.
func (s *Store) beginCancel(ctx context.Context, r *Run, reason string, whole []int) (b *begunCancel, err error) {
	var keys []sql.NullString
	err = s.db.inTx(ctx, func(t tx) error {
		b, keys = nil, nil
		ended, err := lockRun(ctx, t, r.ID)
		if err != nil {
			return err
		}
		var left bool
		err = t.get(ctx, &left, "SELECT EXISTS (SELECT 1 FROM job_entries WHERE run_id = ? AND state IN "+active+")", r.ID)
		if err != nil || !left && ended != nil {
			return err
		}
		begun, err := findBegun(ctx, t, r.ID)
		if err != nil {
			return err
		}
		if err := t.list(ctx, &keys, "DELETE FROM queue WHERE kind = ? AND subject = ? RETURNING payload_key", RunTask, r.ID); err != nil {
			return err
		}
		if err := stopBeginning(ctx, t, r.ID, reason); err != nil {
			return err
		}
		if begun.sending, err = s.cancelWhole(ctx, t, r, reason, whole); err != nil {
			return err
		}
		from, err := firstActive(ctx, t, r.ID)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE job_runs SET ended_at = NULL, deliver = ?, cancelled_at = ?, next_position = ?, approve_from = NULL WHERE id = ?", DeliverNone, s.now(), from, r.ID)
		if err != nil {
			return err
		}
		b = begun
		return s.recordRun(ctx, t, AuditRunCancelled, r, map[string]any{"reason": reason})
	})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if key.Valid {
			s.discard(ctx, key.String)
		}
	}
	return b, nil
}

// firstActive is the position of the first entry of a run that is not through, or the one
// after all. Those in front of it stay as they are: of a large run they may be most.
func firstActive(ctx context.Context, t tx, id int) (position int, err error) {
	// For MIN of a state PostgreSQL may read all of it.
	return position, t.get(ctx, &position, `SELECT COALESCE(MIN(firsts.position), (SELECT COALESCE(MAX(position), 0) + 1 FROM job_entries WHERE run_id = ?))
		FROM (SELECT (SELECT e.position FROM job_entries e WHERE e.run_id = ? AND e.state = v.column1 ORDER BY e.position LIMIT 1) AS position
			FROM (VALUES ('queued'), ('rendering'), ('review'), ('delivering')) AS v) AS firsts`, id, id)
}

// findBegun finds how much of a run may have been begun: all, when another cancellation
// has not come to its end.
func findBegun(ctx context.Context, t tx, id int) (*begunCancel, error) {
	b := new(begunCancel)
	err := t.get(ctx, &b.fed, "SELECT CASE WHEN cancelled_at IS NULL THEN COALESCE(next_position, CAST(? AS BIGINT)) ELSE CAST(? AS BIGINT) END FROM job_runs WHERE id = ?", math.MaxInt, math.MaxInt, id)
	if err == nil {
		err = t.get(ctx, &b.rest, "SELECT COALESCE(MAX(position), 0) - CAST(? AS BIGINT) + 1 FROM job_entries WHERE run_id = ?", b.fed, id)
	}
	if err == nil {
		b.rest = max(b.rest, 0)
		b.before, err = countCancelled(ctx, t.get, id, b.fed)
	}
	return b, err
}

// countCancelled counts the entries in front of a position that cancellations ended.
func countCancelled(ctx context.Context, get lister, id, position int) (n int, err error) {
	return n, get(ctx, &n, "SELECT COUNT(*) FROM job_entries WHERE run_id = ? AND state = ? AND position < CAST(? AS BIGINT) AND deliver = ?", id, EntryError, position, DeliverNone)
}

// cancelNext ends the next entries of a run that is being cancelled and tells at which
// position that goes on.
func (s *Store) cancelNext(ctx context.Context, id int, reason string) (next int, err error) {
	var began time.Time
	looked := 0
	err = s.db.inTx(ctx, func(t tx) error {
		if _, err := lockRun(ctx, t, id); err != nil {
			return err
		}
		began, looked = time.Now(), 0
		var from *int
		if err := t.get(ctx, &from, "SELECT next_position FROM job_runs WHERE id = ?", id); err != nil {
			return err
		}
		next = math.MaxInt
		if from == nil {
			return nil // somebody else has ended the last ones
		}
		to, all, err := s.cancelFrom(ctx, t, id, *from, reason)
		looked = to - *from
		if !all {
			next = to
		}
		return err
	})
	if err == nil {
		s.noteHeld(looked, began)
	}
	return next, err
}

// cancelFrom ends the entries of a run from a position on, as many as go at once, and
// tells up to which one, and whether those were all.
func (s *Store) cancelFrom(ctx context.Context, t tx, id, from int, reason string) (to int, all bool, err error) {
	var last int
	if err := t.get(ctx, &last, "SELECT COALESCE(MAX(position), 0) FROM job_entries WHERE run_id = ?", id); err != nil {
		return 0, false, err
	}
	to = from + s.pace.next(cancelledAtOnce)
	const these = " WHERE run_id = ? AND position >= ? AND position < ? AND state IN " + active
	// They are locked first: what has begun is seen only afterwards.
	var ids []int
	if err := t.list(ctx, &ids, "SELECT id FROM job_entries"+these+" ORDER BY id "+s.db.forUpdate, id, from, to); err != nil {
		return 0, false, err
	}
	if len(ids) > 0 {
		_, err := t.exec(ctx, "DELETE FROM queue WHERE kind IN (?, ?) AND subject IN (SELECT id FROM job_entries"+these+" AND NOT "+underWay+")", EntryTask, DeliverTask, id, from, to)
		if err != nil {
			return 0, false, err
		}
		_, err = t.exec(ctx, "UPDATE job_entries SET deliver = ?, state = CASE WHEN "+underWay+" THEN state ELSE 'error' END, error = CASE WHEN "+underWay+" THEN error ELSE ? END, updated_at = ?"+these,
			DeliverNone, reason, s.now(), id, from, to)
		if err != nil {
			return 0, false, err
		}
	}
	next := &to
	if all = to > last; all {
		next = nil
	}
	_, err = t.exec(ctx, "UPDATE job_runs SET next_position = ?, approve_from = NULL WHERE id = ?", next, id)
	return to, all, err
}

// stopBeginning lets no more entries of a run be written; without any, the run has
// failed.
func stopBeginning(ctx context.Context, t tx, id int, reason string) error {
	_, err := t.exec(ctx, `UPDATE job_runs SET state = CASE WHEN made.n > 0 THEN 'started' ELSE 'failed' END, error = CASE WHEN made.n > 0 THEN error ELSE ? END
		FROM (SELECT COUNT(*) AS n FROM (SELECT 1 FROM job_entries WHERE run_id = ? LIMIT 1) AS first) AS made WHERE id = ? AND state = ?`, reason, id, id, RunStarting)
	return err
}

// cancelWhole ends the deliveries of a run as a whole that have not begun, and tells
// how many have.
func (s *Store) cancelWhole(ctx context.Context, t tx, r *Run, reason string, positions []int) (sending int, err error) {
	for _, position := range positions {
		_, err := t.exec(ctx, `INSERT INTO job_run_deliveries (run_id, position, state, send_key, error, updated_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (run_id, position) DO UPDATE SET state = excluded.state, error = excluded.error, updated_at = excluded.updated_at
			WHERE job_run_deliveries.state IN ('waiting', 'failed')`,
			r.ID, position, DeliveryFailed, randomText(26), reason, s.now())
		if err != nil {
			return 0, err
		}
	}
	err = t.get(ctx, &sending, "SELECT COUNT(*) FROM job_run_deliveries WHERE run_id = ? AND state = ?", r.ID, DeliverySending)
	if err != nil || sending > 0 {
		return sending, err
	}
	_, err = t.exec(ctx, "DELETE FROM queue WHERE kind = ? AND subject = ?", RunDeliverTask, r.ID)
	return 0, err
}

// LeaveDeliveries settles the deliveries of an entry that was given up: what was
// being sent is uncertain, what was to be tried once more has failed.
func (s *Store) LeaveDeliveries(ctx context.Context, entryID int, reason string) error {
	_, err := s.db.exec(ctx, `UPDATE job_deliveries SET state = CASE WHEN state = 'sending' THEN 'uncertain' ELSE 'failed' END,
		error = CASE WHEN error = '' THEN ? ELSE error END, updated_at = ? WHERE entry_id = ? AND state IN ('sending', 'waiting')`, reason, s.now(), entryID)
	return err
}
