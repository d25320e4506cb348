package store

import (
	"context"
	"database/sql"
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

// CancelRun ends what of a run has not left: what is not made, what waits for
// its review or its delivery, and its deliveries as a whole, at the positions
// given. What is being sent goes on to its end; nothing else begins. Who makes
// an entry notices when it renews its lease.
func (s *Store) CancelRun(ctx context.Context, r *Run, reason string, whole []int) (c Cancelled, err error) {
	var keys []sql.NullString
	err = s.db.inTx(ctx, func(t tx) error {
		c, keys = Cancelled{}, nil
		ended, err := lockRun(ctx, t, r.ID)
		if err != nil {
			return err
		}
		// The rows are locked first: what has begun is seen only afterwards.
		n, err := t.exec(ctx, "UPDATE job_entries SET deliver = ? WHERE run_id = ? AND state IN "+active, DeliverNone, r.ID)
		if err != nil || n == 0 && ended != nil {
			return err
		}
		if keys, err = s.cancelEntries(ctx, t, r, reason, &c); err != nil {
			return err
		}
		if err := s.cancelWhole(ctx, t, r, reason, whole, &c); err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE job_runs SET ended_at = NULL, deliver = ?, cancelled_at = ? WHERE id = ?", DeliverNone, s.now(), r.ID)
		if err != nil {
			return err
		}
		return s.recordRun(ctx, t, AuditRunCancelled, r, map[string]any{"reason": reason})
	})
	if err == nil {
		for _, key := range keys {
			if key.Valid {
				s.discard(ctx, key.String)
			}
		}
	}
	return c, err
}

// cancelEntries ends the start of a run and its entries; it gives the keys of
// contents that nobody needs any more.
func (s *Store) cancelEntries(ctx context.Context, t tx, r *Run, reason string, c *Cancelled) (keys []sql.NullString, err error) {
	if err := t.list(ctx, &keys, "DELETE FROM queue WHERE kind = ? AND subject = ? RETURNING payload_key", RunTask, r.ID); err != nil {
		return nil, err
	}
	if err := stopBeginning(ctx, t, r.ID, reason); err != nil {
		return nil, err
	}
	_, err = t.exec(ctx, "DELETE FROM queue WHERE kind IN (?, ?) AND subject IN (SELECT id FROM job_entries WHERE run_id = ? AND state IN "+active+" AND NOT "+underWay+")",
		EntryTask, DeliverTask, r.ID)
	if err != nil {
		return nil, err
	}
	c.Entries, err = t.exec(ctx, "UPDATE job_entries SET state = ?, error = ?, updated_at = ? WHERE run_id = ? AND state IN "+active+" AND NOT "+underWay,
		EntryError, reason, s.now(), r.ID)
	if err != nil {
		return nil, err
	}
	return keys, t.get(ctx, &c.UnderWay, "SELECT COUNT(*) FROM job_entries WHERE run_id = ? AND state = ?", r.ID, EntryDelivering)
}

// stopBeginning lets no more entries of a run be written; without any, the run has
// failed.
func stopBeginning(ctx context.Context, t tx, id int, reason string) error {
	_, err := t.exec(ctx, `UPDATE job_runs SET state = CASE WHEN made.n > 0 THEN 'started' ELSE 'failed' END, error = CASE WHEN made.n > 0 THEN error ELSE ? END
		FROM (SELECT COUNT(*) AS n FROM (SELECT 1 FROM job_entries WHERE run_id = ? LIMIT 1) AS first) AS made WHERE id = ? AND state = ?`, reason, id, id, RunStarting)
	return err
}

// cancelWhole ends the deliveries of a run as a whole that have not begun.
func (s *Store) cancelWhole(ctx context.Context, t tx, r *Run, reason string, positions []int, c *Cancelled) error {
	for _, position := range positions {
		_, err := t.exec(ctx, `INSERT INTO job_run_deliveries (run_id, position, state, send_key, error, updated_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (run_id, position) DO UPDATE SET state = excluded.state, error = excluded.error, updated_at = excluded.updated_at
			WHERE job_run_deliveries.state IN ('waiting', 'failed')`,
			r.ID, position, DeliveryFailed, randomText(26), reason, s.now())
		if err != nil {
			return err
		}
	}
	var sending int
	if err := t.get(ctx, &sending, "SELECT COUNT(*) FROM job_run_deliveries WHERE run_id = ? AND state = ?", r.ID, DeliverySending); err != nil {
		return err
	}
	if c.UnderWay += sending; sending > 0 {
		return nil
	}
	_, err := t.exec(ctx, "DELETE FROM queue WHERE kind = ? AND subject = ?", RunDeliverTask, r.ID)
	return err
}

// LeaveDeliveries settles the deliveries of an entry that was given up: what was
// being sent is uncertain, what was to be tried once more has failed.
func (s *Store) LeaveDeliveries(ctx context.Context, entryID int, reason string) error {
	_, err := s.db.exec(ctx, `UPDATE job_deliveries SET state = CASE WHEN state = 'sending' THEN 'uncertain' ELSE 'failed' END,
		error = CASE WHEN error = '' THEN ? ELSE error END, updated_at = ? WHERE entry_id = ? AND state IN ('sending', 'waiting')`, reason, s.now(), entryID)
	return err
}
