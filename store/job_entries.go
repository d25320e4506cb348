package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// JobDocument is a document of an entry as it is kept.
type JobDocument struct {
	EntryID     int    `db:"entry_id"`
	Position    int    `db:"position"`
	Name        string `db:"name"`
	ContentType string `db:"content_type"`
	Size        int64  `db:"size"`
	Key         string `db:"content_key"`
	Timing      string `db:"-"` // only written with it; see RunTimings
}

const documentColumns = "entry_id, position, name, content_type, size, content_key"

// Documents lists the documents of an entry.
func (s *Store) Documents(ctx context.Context, entryID int) ([]JobDocument, error) {
	documents := []JobDocument{}
	err := s.db.list(ctx, &documents, "SELECT "+documentColumns+" FROM job_documents WHERE entry_id = ? ORDER BY position", entryID)
	return documents, err
}

// DocumentsOf lists the documents of several entries, by the entry.
func (s *Store) DocumentsOf(ctx context.Context, entryIDs []int) (map[int][]JobDocument, error) {
	return byOwner(ctx, s, "SELECT "+documentColumns+" FROM job_documents WHERE entry_id IN (?) ORDER BY entry_id, position", entryIDs, func(d JobDocument) int { return d.EntryID })
}

// DeliveriesOf lists what became of the deliveries of several entries, by the entry.
func (s *Store) DeliveriesOf(ctx context.Context, entryIDs []int) (map[int][]JobDeliveryRow, error) {
	return byOwner(ctx, s, ofEntry.columns()+" WHERE entry_id IN (?) ORDER BY entry_id, position", entryIDs, func(d JobDeliveryRow) int { return d.Owner })
}

// byOwner lists rows by what they belong to.
func byOwner[T any](ctx context.Context, s *Store, query string, ids []int, owner func(T) int) (map[int][]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In(query, ids)
	if err != nil {
		return nil, err
	}
	var rows []T
	err = s.db.list(ctx, &rows, query, args...)
	all := map[int][]T{}
	for _, row := range rows {
		all[owner(row)] = append(all[owner(row)], row)
	}
	return all, err
}

// OpenDocument opens a document of an entry.
func (s *Store) OpenDocument(ctx context.Context, d *JobDocument) (*Content, error) {
	return s.contents.Open(ctx, d.Key)
}

// runMade is a Problem of kind Conflict while entries of a run are to be made.
func runMade(ctx context.Context, t tx, id int, counts Counts) error {
	var state RunState
	if err := t.get(ctx, &state, "SELECT state FROM job_runs WHERE id = ?", id); err != nil {
		return err
	}
	switch {
	case state == RunStarting:
		return &report.Problem{Kind: report.Conflict, Message: "the run has not finished: its data is being loaded; deliver it when its status says finished"}
	case counts[EntryQueued] == 0:
		return nil
	}
	return &report.Problem{Kind: report.Conflict, Message: fmt.Sprintf("the run has not finished: of %d entries %d are queued, %d in review, %d completed and %d with errors; deliver it when its status says finished",
		counts.in(nil), counts[EntryQueued], counts[EntryReview], counts[EntryCompleted], counts[EntryError]+counts[EntryRejected])}
}

// ApproveEntry queues the delivery of one entry in review.
func (s *Store) ApproveEntry(ctx context.Context, r *Run, id int) error {
	return s.reviewEntry(ctx, r, id, EntryDelivering, "", func(t tx) error { return s.enqueue(ctx, t, tasksOf(DeliverTask, r, []int{id})...) }, EntryReview)
}

// RejectEntry ends an entry in review without a delivery.
func (s *Store) RejectEntry(ctx context.Context, r *Run, id int, reason string) error {
	return s.reviewEntry(ctx, r, id, EntryRejected, reason, func(tx) error { return nil }, EntryReview)
}

// RegenerateEntry makes the documents of an entry anew, also of one that
// failed or was rejected.
func (s *Store) RegenerateEntry(ctx context.Context, r *Run, id int) error {
	return s.reviewEntry(ctx, r, id, EntryQueued, "", func(t tx) error {
		return s.enqueue(ctx, t, preparedTask{NewTask: NewTask{Kind: EntryTask, WorkspaceID: r.WorkspaceID, Run: r.ID, Subject: id, Priority: Interactive}})
	}, EntryReview, EntryError, EntryRejected)
}

var errNotThere = errors.New("the entry is in another state")

func (s *Store) reviewEntry(ctx context.Context, r *Run, id int, to EntryState, reason string, then func(tx) error, from ...EntryState) error {
	err := s.db.inTx(ctx, func(t tx) error {
		if _, err := lockRun(ctx, t, r.ID); err != nil {
			return err
		}
		if to == EntryQueued {
			if err := notBeingApproved(ctx, t, r.ID); err != nil {
				return err
			}
		}
		moved, err := s.moveEntry(ctx, t.exec, id, to, reason, from...)
		if err != nil {
			return err
		}
		if !moved {
			return errNotThere
		}
		if _, err := t.exec(ctx, "UPDATE job_entries SET deliver = ? WHERE id = ?", DeliverAll, id); err != nil {
			return err
		}
		if err := reopenRun(ctx, t, r.ID); err != nil {
			return err
		}
		if err := then(t); err != nil {
			return err
		}
		return s.recordRun(ctx, t, AuditEntryDecided, r, map[string]any{"entries": 1, "entry": id, "to": to})
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
