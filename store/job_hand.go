package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// errBeingEnded is what a change of entries fails with whose last task is about
// to end.
var errBeingEnded = &report.Problem{Kind: report.Busy, Message: "one of the entries is being worked on; try again in a moment"}

// changeEntries changes entries of a run by hand, once for a key, and opens the
// run again when there were any.
func (s *Store) changeEntries(ctx context.Context, did Action, r *Run, once Once, change func(t tx) (n int, err error)) (n int, err error) {
	n, _, err = s.once(ctx, once, func(t tx) (int, error) {
		if _, err := lockRun(ctx, t, r.ID); err != nil {
			return 0, err
		}
		n, err := change(t)
		if err == nil && n > 0 {
			err = reopenRun(ctx, t, r.ID)
		}
		if err == nil && n > 0 {
			err = s.recordRun(ctx, t, did, r, map[string]any{"entries": n})
		}
		return n + 1, err // a key remembers no 0
	})
	n = max(n-1, 0)
	if errors.Is(err, errDuplicate) {
		err = errBeingEnded
	}
	return n, err
}

// update changes the entries of a query and gives their IDs.
func (s *Store) update(ctx context.Context, t tx, q EntryQuery, set string, args ...any) (ids []int, err error) {
	where, more := s.where(q)
	query, args, err := sqlx.In("UPDATE job_entries SET "+set+" WHERE "+where+" RETURNING id", append(args, more...)...)
	if err != nil {
		return nil, err
	}
	return ids, t.list(ctx, &ids, query, args...)
}

// eachSome executes a statement whose last argument is a list of IDs, for some
// of them at a time.
func eachSome(ctx context.Context, t tx, ids []int, query string, args ...any) error {
	for some := range slices.Chunk(ids, 500) {
		expanded, all, err := sqlx.In(query, append(slices.Clone(args), some)...)
		if err == nil {
			_, err = t.exec(ctx, expanded, all...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SendAgain sends the deliveries that a query names, of entries in errors, once
// more, and nothing else of these entries; it tells of how many entries.
func (s *Store) SendAgain(ctx context.Context, r *Run, q EntryQuery, once Once) (int, error) {
	q.RunID, q.States = r.ID, []EntryState{EntryError}
	return s.changeEntries(ctx, AuditDeliverySettled, r, once, func(t tx) (int, error) {
		ids, err := s.update(ctx, t, q, "state = ?, error = '', deliver = ?, updated_at = ?", EntryDelivering, DeliverChosen, s.now())
		if err != nil {
			return 0, err
		}
		position, args := q.position()
		if err := eachSome(ctx, t, ids, "UPDATE job_deliveries SET state = ?, updated_at = ? WHERE state = ?"+position+" AND entry_id IN (?)",
			append([]any{DeliveryWaiting, s.now(), q.Delivery}, args...)...); err != nil {
			return 0, err
		}
		return len(ids), s.enqueue(ctx, t, tasksOf(DeliverTask, r, ids)...)
	})
}

// MarkDelivered takes the uncertain deliveries that a query names, of entries in
// errors, for delivered; an entry of which nothing else is missing is completed.
// deliveries is how many an entry has, by the number of its definition. It tells
// of how many entries.
func (s *Store) MarkDelivered(ctx context.Context, r *Run, q EntryQuery, receipt string, deliveries []int, once Once) (int, error) {
	q.RunID, q.States, q.Delivery = r.ID, []EntryState{EntryError}, DeliveryUncertain
	return s.changeEntries(ctx, AuditDeliverySettled, r, once, func(t tx) (int, error) {
		ids, err := s.update(ctx, t, q, "updated_at = ?", s.now())
		if err != nil {
			return 0, err
		}
		position, args := q.position()
		if err := eachSome(ctx, t, ids, "UPDATE job_deliveries SET state = ?, error = '', receipt = ?, updated_at = ? WHERE state = ?"+position+" AND entry_id IN (?)",
			append([]any{DeliverySent, receipt, s.now(), DeliveryUncertain}, args...)...); err != nil {
			return 0, err
		}
		for number, n := range deliveries {
			err := eachSome(ctx, t, ids, `UPDATE job_entries SET state = ?, error = '' WHERE definition = ? AND (SELECT COUNT(*) FROM job_deliveries d
				WHERE d.entry_id = job_entries.id AND d.position <= ? AND d.state IN ('sent', 'skipped', 'collected')) >= ? AND id IN (?)`, EntryCompleted, number, n, n)
			if err != nil {
				return 0, err
			}
		}
		return len(ids), eachSome(ctx, t, ids, `UPDATE job_entries SET error = COALESCE((SELECT 'deliveries[' || (d.position - 1) || ']: ' || d.error FROM job_deliveries d
			WHERE d.entry_id = job_entries.id AND d.state IN ('failed', 'uncertain') ORDER BY d.position LIMIT 1), 'not all was sent') WHERE state = ? AND id IN (?)`, EntryError)
	})
}

// RemakeEntries makes the documents of the entries of a query anew, with another
// definition unless it is nil; it tells of how many.
func (s *Store) RemakeEntries(ctx context.Context, r *Run, q EntryQuery, document []byte, once Once) (int, error) {
	q.RunID = r.ID
	return s.changeEntries(ctx, AuditEntryDecided, r, once, func(t tx) (int, error) {
		if err := notBeingApproved(ctx, t, r.ID); err != nil {
			return 0, err
		}
		ids, err := s.update(ctx, t, q, "state = ?, error = '', deliver = ?, updated_at = ?", EntryQueued, DeliverAll, s.now())
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		if document != nil {
			number, err := s.define(ctx, t, r.ID, string(document))
			if err != nil {
				return 0, err
			}
			if err := eachSome(ctx, t, ids, "UPDATE job_entries SET definition = ? WHERE id IN (?)", number); err != nil {
				return 0, err
			}
		}
		return len(ids), s.enqueue(ctx, t, tasksOf(EntryTask, r, ids)...)
	})
}

// tasksOf are tasks on entries of a run.
func tasksOf(kind string, r *Run, ids []int) []preparedTask {
	tasks := make([]preparedTask, len(ids))
	for i, id := range ids {
		tasks[i] = preparedTask{NewTask: NewTask{Kind: kind, WorkspaceID: r.WorkspaceID, Run: r.ID, Subject: id, Priority: Batch}}
	}
	return tasks
}

// define keeps a definition for entries of a run, unless it is its last one, and
// gives its number.
func (s *Store) define(ctx context.Context, t tx, runID int, document string) (int, error) {
	var last struct {
		Number   int    `db:"number"`
		Document string `db:"document"`
	}
	err := t.get(ctx, &last, `SELECT number, document FROM job_run_definitions WHERE run_id = ?
		UNION ALL SELECT 0, document FROM job_runs WHERE id = ? ORDER BY number DESC LIMIT 1`, runID, runID)
	if err != nil || last.Document == document {
		return last.Number, err
	}
	_, err = t.exec(ctx, "INSERT INTO job_run_definitions (run_id, number, document) VALUES (?, ?, ?)", runID, last.Number+1, document)
	return last.Number + 1, err
}

// RunDefinitions are the definitions that entries of a run are made with, by
// their number; the first is the one that the run began with.
func (s *Store) RunDefinitions(ctx context.Context, r *Run) ([]string, error) {
	var later []string
	err := s.db.list(ctx, &later, "SELECT document FROM job_run_definitions WHERE run_id = ? ORDER BY number", r.ID)
	return append([]string{r.Document}, later...), err
}

// RunDefinition is one of them.
func (s *Store) RunDefinition(ctx context.Context, r *Run, number int) (document string, err error) {
	if number == 0 {
		return r.Document, nil
	}
	err = s.db.get(ctx, &document, "SELECT document FROM job_run_definitions WHERE run_id = ? AND number = ?", r.ID, number)
	if errors.Is(err, sql.ErrNoRows) {
		err = report.NotFoundf("run %d has no definition %d", r.ID, number)
	}
	return document, err
}

// SendRunAgain sends a delivery of a run as a whole once more that is in a
// state: failed or uncertain. It keeps its key.
func (s *Store) SendRunAgain(ctx context.Context, r *Run, position int, from DeliveryState) error {
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := lockRun(ctx, t, r.ID); err != nil {
			return err
		}
		if err := s.settleRunDelivery(ctx, t, r, position, from, DeliveryWaiting, ""); err != nil {
			return err
		}
		_, err := t.exec(ctx, "UPDATE job_runs SET ended_at = NULL, error = '', deliver = ? WHERE id = ?", DeliverChosen, r.ID)
		if err != nil {
			return err
		}
		return s.recordRun(ctx, t, AuditDeliverySettled, r, map[string]any{"delivery": position, "to": DeliveryWaiting})
	})
}

// MarkRunDelivered takes an uncertain delivery of a run as a whole for
// delivered.
func (s *Store) MarkRunDelivered(ctx context.Context, r *Run, position int, receipt string) error {
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := lockRun(ctx, t, r.ID); err != nil {
			return err
		}
		if err := s.settleRunDelivery(ctx, t, r, position, DeliveryUncertain, DeliverySent, receipt); err != nil {
			return err
		}
		_, err := t.exec(ctx, `UPDATE job_runs SET error = '' WHERE id = ? AND state = ?
			AND NOT EXISTS (SELECT 1 FROM job_run_deliveries d WHERE d.run_id = job_runs.id AND d.state IN ('failed', 'uncertain'))`, r.ID, RunStarted)
		if err != nil {
			return err
		}
		return s.recordRun(ctx, t, AuditDeliverySettled, r, map[string]any{"delivery": position, "to": DeliverySent})
	})
}

func (s *Store) settleRunDelivery(ctx context.Context, t tx, r *Run, position int, from, to DeliveryState, receipt string) error {
	n, err := t.exec(ctx, "UPDATE job_run_deliveries SET state = ?, error = '', receipt = ?, updated_at = ? WHERE run_id = ? AND position = ? AND state = ?",
		to, receipt, s.now(), r.ID, position, from)
	if err != nil || n > 0 {
		return err
	}
	var state DeliveryState
	err = t.get(ctx, &state, "SELECT state FROM job_run_deliveries WHERE run_id = ? AND position = ?", r.ID, position)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return &report.Problem{Kind: report.Conflict, Message: "only a delivery that is " + string(from) + " is accepted; this one has not begun, or is not of the run as a whole"}
	case err != nil:
		return err
	case state == to, to == DeliveryWaiting && state == DeliverySending: // asked for twice
		return nil
	}
	return &report.Problem{Kind: report.Conflict, Message: "only a delivery that is " + string(from) + " is accepted; this one is " + string(state)}
}
