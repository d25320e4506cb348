package store

import (
	"context"
	"database/sql"
	"errors"
)

// Kinds of tasks at the end of a run and of an export.
const (
	RunDeliverTask = "deliver-run" // its subject is the run
	TellRunTask    = "tell-run"    // its subject is the run
	TellReviewTask = "tell-review" // its subject is the run
	TellExportTask = "tell-export" // its subject is the export file
)

// idleRun is the condition for a run r of which nothing is being done, though
// it is not ended.
const idleRun = ` r.ended_at IS NULL AND r.state <> 'starting' AND r.approve_from IS NULL AND (r.cancelled_at IS NULL OR r.next_position IS NULL)
	AND COALESCE((SELECT MAX(e.position) FROM job_entries e WHERE e.run_id = r.id), 0)
		= COALESCE((SELECT SUM(c.review + c.completed + c.error + c.rejected + c.missing) FROM job_counts c WHERE c.run_id = r.id), 0)
	AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.kind = 'deliver-run' AND q.subject = r.id)`

// IdleRuns lists some of the runs that nobody works on and that are not ended:
// those whose last process died just then.
func (s *Store) IdleRuns(ctx context.Context, limit int) ([]int, error) {
	ids := []int{}
	err := s.db.list(ctx, &ids, "SELECT r.id FROM job_runs r WHERE"+idleRun+" ORDER BY r.id LIMIT ?", limit)
	return ids, err
}

// RunIdle tells whether nothing of a run is being done though it is not ended.
func (s *Store) RunIdle(ctx context.Context, id int) (bool, error) {
	var n int
	err := s.db.get(ctx, &n, "SELECT COUNT(*) FROM job_runs r WHERE r.id = ? AND"+idleRun, id)
	return n > 0, err
}

// EndRun ends an idle run and queues what comes of it, both or neither; false
// when another process was first, or work was found for it. review is set when
// it is then told that the run waits for its review. What was counted of it is
// compared with its entries first, so that no run ends by a wrong count.
func (s *Store) EndRun(ctx context.Context, id int, review bool, then ...NewTask) (ended bool, err error) {
	if err := s.mendEndingCounts(ctx, id, review); err != nil {
		return false, err
	}
	return ended, s.whileIdle(ctx, id, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE job_runs SET ended_at = ? WHERE id = ? AND ended_at IS NULL", s.now(), id)
		if ended = err == nil && n > 0; !ended {
			return err
		}
		if review {
			if _, err := t.exec(ctx, "UPDATE job_runs SET review_told_at = ? WHERE id = ?", s.now(), id); err != nil {
				return err
			}
		}
		return s.enqueueNew(ctx, t, then...)
	})
}

// QueueRunDelivery queues the deliveries of an idle run as a whole.
func (s *Store) QueueRunDelivery(ctx context.Context, r *Run) error {
	return s.whileIdle(ctx, r.ID, func(t tx) error {
		return s.enqueueNew(ctx, t, NewTask{Kind: RunDeliverTask, WorkspaceID: r.WorkspaceID, Subject: r.ID, Priority: Batch})
	})
}

func (s *Store) whileIdle(ctx context.Context, id int, do func(tx) error) error {
	return s.db.inTx(ctx, func(t tx) error {
		// The lock comes first: who gives the run new work changes its row, too.
		n, err := t.exec(ctx, "UPDATE job_runs SET ended_at = NULL WHERE id = ? AND ended_at IS NULL", id)
		if err != nil || n == 0 {
			return err
		}
		if err := t.get(ctx, &n, "SELECT COUNT(*) FROM job_runs r WHERE r.id = ? AND"+idleRun, id); err != nil || n == 0 {
			return err
		}
		return do(t)
	})
}

// enqueueNew queues the tasks that are not queued already.
func (s *Store) enqueueNew(ctx context.Context, t tx, tasks ...NewTask) error {
	for _, task := range tasks {
		var n int
		if err := t.get(ctx, &n, "SELECT COUNT(*) FROM queue WHERE kind = ? AND subject = ?", task.Kind, task.Subject); err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := s.enqueue(ctx, t, preparedTask{NewTask: task, payload: string(task.Payload)}); err != nil {
			return err
		}
	}
	return nil
}

// reopenRun takes the end of a run back, as something of it is to be done.
func reopenRun(ctx context.Context, t tx, id int) error {
	_, err := t.exec(ctx, "UPDATE job_runs SET ended_at = NULL WHERE id = ?", id)
	return err
}

// RunDeliveries lists what became of the deliveries of a run as a whole.
func (s *Store) RunDeliveries(ctx context.Context, runID int) ([]JobDeliveryRow, error) {
	return s.deliveries(ctx, ofRun, runID)
}

// BeginRunDelivery is BeginDelivery for a run as a whole.
func (s *Store) BeginRunDelivery(ctx context.Context, runID, position int) (JobDeliveryRow, error) {
	return s.beginDelivery(ctx, ofRun, runID, position)
}

// EndRunDelivery is EndDelivery for a run as a whole.
func (s *Store) EndRunDelivery(ctx context.Context, runID, position int, state DeliveryState, reason, receipt string) error {
	return s.endDelivery(ctx, ofRun, runID, position, state, reason, receipt)
}

// NoteRun records what went wrong with a run as a whole.
func (s *Store) NoteRun(ctx context.Context, id int, reason string) error {
	_, err := s.db.exec(ctx, "UPDATE job_runs SET error = ? WHERE id = ?", reason, id)
	return err
}

// CollectedDocuments lists the documents of the completed entries of a run that
// go with one of its deliveries, in the order of the entries.
func (s *Store) CollectedDocuments(ctx context.Context, runID, position int) ([]JobDocument, error) {
	documents := []JobDocument{}
	err := s.db.list(ctx, &documents, `SELECT d.entry_id, d.position, d.name, d.content_type, d.size, d.content_key
		FROM job_entries e JOIN job_deliveries v ON v.entry_id = e.id AND v.position = ? AND v.state = ?
		JOIN job_documents d ON d.entry_id = e.id
		WHERE e.run_id = ? AND e.state = ? ORDER BY e.position, d.position`, position, DeliveryCollected, runID, EntryCompleted)
	return documents, err
}

// whose are the deliveries of entries, or of runs. A delivery may begin while
// its owner's row, of the condition, allows it.
type whose struct{ table, owner, owners, condition string }

var (
	ofEntry = whose{"job_deliveries", "entry_id", "job_entries", " AND state = 'delivering'"}
	ofRun   = whose{"job_run_deliveries", "run_id", "job_runs", ""}
)

func (w whose) columns() string {
	return "SELECT " + w.owner + " AS owner, position, state, attempts, send_key, error, receipt, updated_at FROM " + w.table
}

func (w whose) query() string { return w.columns() + " WHERE " + w.owner + " = ?" }

func (s *Store) deliveries(ctx context.Context, w whose, owner int) ([]JobDeliveryRow, error) {
	rows := []JobDeliveryRow{}
	err := s.db.list(ctx, &rows, w.query()+" ORDER BY position", owner)
	return rows, err
}

func (s *Store) beginDelivery(ctx context.Context, w whose, owner, position int) (before JobDeliveryRow, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		before = JobDeliveryRow{Owner: owner, Position: position}
		// The lock comes first: who cancels changes this row, too.
		var may Deliverable
		err := t.get(ctx, &may, "SELECT deliver FROM "+w.owners+" WHERE id = ?"+w.condition+" "+s.db.forUpdate, owner)
		if errors.Is(err, sql.ErrNoRows) {
			may, err = DeliverNone, nil
		}
		if err != nil {
			return err
		}
		err = t.get(ctx, &before, w.query()+" AND position = ?", owner, position)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return s.beginLocked(ctx, t, w, may, &before)
	})
	return before, err
}

// beginLocked begins a delivery, if it may, whose owner's row is locked.
func (s *Store) beginLocked(ctx context.Context, t tx, w whose, may Deliverable, before *JobDeliveryRow) error {
	if !may.allows(before.State) {
		before.Refused = !before.State.settled()
		return s.leaveDelivery(ctx, t, w, before)
	}
	if before.State == "" {
		before.Key = randomText(26)
		_, err := t.exec(ctx, "INSERT INTO "+w.table+" ("+w.owner+", position, state, attempts, send_key, updated_at) VALUES (?, ?, ?, 1, ?, ?)",
			before.Owner, before.Position, DeliverySending, before.Key, s.now())
		return err
	}
	_, err := t.exec(ctx, "UPDATE "+w.table+" SET state = ?, attempts = attempts + 1, updated_at = ? WHERE "+w.owner+" = ? AND position = ?",
		DeliverySending, s.now(), before.Owner, before.Position)
	return err
}

// leaveDelivery settles a delivery that may not begin again though an attempt
// was cut short: nobody will find out whether it arrived.
func (s *Store) leaveDelivery(ctx context.Context, t tx, w whose, d *JobDeliveryRow) error {
	if !d.Refused || d.State != DeliverySending {
		return nil
	}
	d.State, d.Error, d.Refused = DeliveryUncertain, "it may have been sent: the process that was sending it ended before it could tell", false
	_, err := t.exec(ctx, "UPDATE "+w.table+" SET state = ?, error = ?, updated_at = ? WHERE "+w.owner+" = ? AND position = ?",
		d.State, d.Error, s.now(), d.Owner, d.Position)
	return err
}

func (s *Store) endDelivery(ctx context.Context, w whose, owner, position int, state DeliveryState, reason, receipt string) error {
	_, err := s.db.exec(ctx, "UPDATE "+w.table+" SET state = ?, error = ?, receipt = ?, updated_at = ? WHERE "+w.owner+" = ? AND position = ?",
		state, reason, receipt, s.now(), owner, position)
	return err
}
