package store

import (
	"context"
	"database/sql"
	"errors"
	"io"

	"github.com/quire-reports/quire/report"
)

// NewDocument is a finished document of an entry.
type NewDocument struct {
	Name, ContentType string
	Open              func() (io.ReadCloser, error)
}

// JobDocument is a kept one.
type JobDocument struct {
	EntryID     int    `db:"entry_id"`
	Position    int    `db:"position"`
	Name        string `db:"name"`
	ContentType string `db:"content_type"`
	Size        int64  `db:"size"`
	Key         string `db:"content_key"`
}

// FinishEntry keeps the documents of an entry and moves it on: into review,
// to its deliveries, or, without any, to its end. False when somebody else has
// done so; nothing is kept then.
func (s *Store) FinishEntry(ctx context.Context, workspaceID int, e *JobEntry, documents []NewDocument, to EntryState) (done bool, err error) {
	kept := make([]JobDocument, 0, len(documents))
	defer func() {
		if !done && err == nil {
			for _, d := range kept {
				s.discard(ctx, d.Key)
			}
		}
	}()
	for i, d := range documents {
		row := JobDocument{EntryID: e.ID, Position: i + 1, Name: d.Name, ContentType: d.ContentType, Key: contentKey(documentContents)}
		if row.Size, err = s.keepDocument(ctx, d, row.Key); err != nil {
			return false, err
		}
		kept = append(kept, row)
	}
	var old []string
	err = s.db.inTx(ctx, func(t tx) error {
		if done, err = s.moveEntry(ctx, t, e.ID, to, "", EntryRendering); err != nil || !done {
			return err
		}
		if err := t.list(ctx, &old, "DELETE FROM job_documents WHERE entry_id = ? RETURNING content_key", e.ID); err != nil {
			return err
		}
		for _, d := range kept {
			_, err := t.exec(ctx, "INSERT INTO job_documents (entry_id, position, name, content_type, size, content_key) VALUES (?, ?, ?, ?, ?, ?)",
				d.EntryID, d.Position, d.Name, d.ContentType, d.Size, d.Key)
			if err != nil {
				return err
			}
		}
		if to != EntryDelivering {
			return nil
		}
		return s.enqueue(ctx, t, deliverTask(workspaceID, e.ID))
	})
	if err == nil {
		for _, key := range old {
			s.discard(ctx, key)
		}
	}
	return done, err
}

func (s *Store) keepDocument(ctx context.Context, d NewDocument, key string) (int64, error) {
	content, err := d.Open()
	if err != nil {
		return 0, err
	}
	defer func() { _ = content.Close() }()
	return s.contents.Put(ctx, key, d.ContentType, content)
}

func deliverTask(workspaceID, entryID int) preparedTask {
	return preparedTask{NewTask: NewTask{Kind: DeliverTask, WorkspaceID: workspaceID, Subject: entryID, Priority: Batch}}
}

// Documents lists the documents of an entry.
func (s *Store) Documents(ctx context.Context, entryID int) ([]JobDocument, error) {
	documents := []JobDocument{}
	err := s.db.list(ctx, &documents, "SELECT entry_id, position, name, content_type, size, content_key FROM job_documents WHERE entry_id = ? ORDER BY position", entryID)
	return documents, err
}

// OpenDocument opens a document of an entry.
func (s *Store) OpenDocument(ctx context.Context, d *JobDocument) (*Content, error) {
	return s.contents.Open(ctx, d.Key)
}

// DeliverRun approves all entries of a run that are in review and queues their
// delivery; it tells how many.
func (s *Store) DeliverRun(ctx context.Context, r *Run) (n int, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		var ids []int
		err := t.list(ctx, &ids, "UPDATE job_entries SET state = ?, updated_at = ? WHERE run_id = ? AND state = ? RETURNING id", EntryDelivering, s.now(), r.ID, EntryReview)
		if err != nil {
			return err
		}
		if n = len(ids); n == 0 {
			return nil
		}
		tasks := make([]preparedTask, n)
		for i, id := range ids {
			tasks[i] = deliverTask(r.WorkspaceID, id)
		}
		if err := reopenRun(ctx, t, r.ID); err != nil {
			return err
		}
		return s.enqueue(ctx, t, tasks...)
	})
	return n, err
}

// CancelRun ends the entries of a run that are not rendered yet, and tells how
// many; those that are stay. Who works on one notices when it renews its lease.
func (s *Store) CancelRun(ctx context.Context, r *Run, reason string) (n int, err error) {
	var keys []sql.NullString
	err = s.db.inTx(ctx, func(t tx) error {
		err := t.list(ctx, &keys, "DELETE FROM queue WHERE kind = ? AND subject = ? RETURNING payload_key", RunTask, r.ID)
		if err != nil {
			return err
		}
		if _, err := t.exec(ctx, "UPDATE job_runs SET state = ?, error = ? WHERE id = ? AND state = ?", RunFailed, reason, r.ID, RunStarting); err != nil {
			return err
		}
		_, err = t.exec(ctx, "DELETE FROM queue WHERE kind = ? AND subject IN (SELECT id FROM job_entries WHERE run_id = ? AND state IN (?, ?))",
			EntryTask, r.ID, EntryQueued, EntryRendering)
		if err != nil {
			return err
		}
		n, err = t.exec(ctx, "UPDATE job_entries SET state = ?, error = ?, updated_at = ? WHERE run_id = ? AND state IN (?, ?)",
			EntryError, reason, s.now(), r.ID, EntryQueued, EntryRendering)
		return err
	})
	if err == nil {
		for _, key := range keys {
			if key.Valid {
				s.discard(ctx, key.String)
			}
		}
	}
	return n, err
}

// ApproveEntry queues the delivery of one entry in review.
func (s *Store) ApproveEntry(ctx context.Context, r *Run, id int) error {
	return s.reviewEntry(ctx, r, id, EntryDelivering, "", func(t tx) error { return s.enqueue(ctx, t, deliverTask(r.WorkspaceID, id)) }, EntryReview)
}

// RejectEntry ends an entry in review without a delivery.
func (s *Store) RejectEntry(ctx context.Context, r *Run, id int, reason string) error {
	return s.reviewEntry(ctx, r, id, EntryRejected, reason, func(tx) error { return nil }, EntryReview)
}

// RegenerateEntry makes the documents of an entry anew, also of one that
// failed or was rejected.
func (s *Store) RegenerateEntry(ctx context.Context, r *Run, id int) error {
	return s.reviewEntry(ctx, r, id, EntryQueued, "", func(t tx) error {
		return s.enqueue(ctx, t, preparedTask{NewTask: NewTask{Kind: EntryTask, WorkspaceID: r.WorkspaceID, Subject: id, Priority: Interactive}})
	}, EntryReview, EntryError, EntryRejected)
}

var errNotThere = errors.New("the entry is in another state")

func (s *Store) reviewEntry(ctx context.Context, r *Run, id int, to EntryState, reason string, then func(tx) error, from ...EntryState) error {
	err := s.db.inTx(ctx, func(t tx) error {
		moved, err := s.moveEntry(ctx, t, id, to, reason, from...)
		if err != nil {
			return err
		}
		if !moved {
			return errNotThere
		}
		if err := reopenRun(ctx, t, r.ID); err != nil {
			return err
		}
		return then(t)
	})
	if errors.Is(err, errDuplicate) { // its last task is about to end
		return &report.Problem{Kind: report.Busy, Message: "the entry is being worked on; try again in a moment"}
	}
	if !errors.Is(err, errNotThere) {
		return err
	}
	e, err := s.Entry(ctx, id)
	if err != nil {
		return err
	}
	return &report.Problem{Kind: report.Conflict, Message: "the entry is not in review; it is " + string(e.State)}
}
