package store

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// EntryQuery chooses entries of a run.
type EntryQuery struct {
	RunID         int
	States        []EntryState // none: all
	IDs           []int        // none: all
	Search        string       // in the record, the names of documents and the error; or the position
	After         int          // only entries behind this position
	Offset, Limit int
}

func (q EntryQuery) where() (string, []any) {
	where, args := "run_id = ? AND position > ?", []any{q.RunID, q.After}
	if len(q.States) > 0 {
		where, args = where+" AND state IN (?)", append(args, q.States)
	}
	if len(q.IDs) > 0 {
		where, args = where+" AND id IN (?)", append(args, q.IDs)
	}
	if q.Search == "" {
		return where, args
	}
	position, err := strconv.Atoi(strings.TrimSpace(q.Search))
	if err != nil {
		position = 0
	}
	where, args = where+" AND (position = ?", append(args, position)
	// SQLite knows the case of ASCII letters only; others are also compared as
	// they are.
	for _, part := range []string{strings.ToLower(q.Search), q.Search} {
		part = "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(part) + "%"
		where += ` OR LOWER(record) LIKE ? ESCAPE '\' OR record LIKE ? ESCAPE '\' OR LOWER(error) LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM job_documents d WHERE d.entry_id = job_entries.id AND (LOWER(d.name) LIKE ? ESCAPE '\' OR d.name LIKE ? ESCAPE '\'))`
		args = append(args, part, part, part, part, part)
	}
	return where + ")", args
}

// FoundEntry is an entry in a list.
type FoundEntry struct {
	JobEntry
	Title string `db:"title"` // name of its first document; empty without one
}

// FindEntries lists entries in their order.
func (s *Store) FindEntries(ctx context.Context, q EntryQuery) ([]FoundEntry, error) {
	where, args := q.where()
	query, args, err := sqlx.In("SELECT "+entryColumns+`, COALESCE((SELECT name FROM job_documents d WHERE d.entry_id = job_entries.id AND d.position = 1), '') AS title
		FROM job_entries WHERE `+where+" ORDER BY position LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)...)
	if err != nil {
		return nil, err
	}
	found := []FoundEntry{}
	return found, s.db.list(ctx, &found, query, args...)
}

// CountEntries tells how many there are.
func (s *Store) CountEntries(ctx context.Context, q EntryQuery) (n int, err error) {
	where, args := q.where()
	query, args, err := sqlx.In("SELECT COUNT(*) FROM job_entries WHERE "+where, args...)
	if err != nil {
		return 0, err
	}
	return n, s.db.get(ctx, &n, query, args...)
}

// MoveEntries moves entries from the states of a query to another one, and
// queues what follows: their delivery, or their making. All or nothing; it
// tells how many.
func (s *Store) MoveEntries(ctx context.Context, r *Run, q EntryQuery, to EntryState, reason string) (n int, err error) {
	q.RunID = r.ID
	where, args := q.where()
	query, args, err := sqlx.In("UPDATE job_entries SET state = ?, error = ?, updated_at = ? WHERE "+where+" RETURNING id", append([]any{to, reason, s.now()}, args...)...)
	if err != nil {
		return 0, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		var ids []int
		if err := t.list(ctx, &ids, query, args...); err != nil {
			return err
		}
		if n = len(ids); n == 0 {
			return nil
		}
		if err := reopenRun(ctx, t, r.ID); err != nil {
			return err
		}
		tasks := make([]preparedTask, 0, n)
		for _, id := range ids {
			switch to {
			case EntryDelivering:
				tasks = append(tasks, deliverTask(r.WorkspaceID, id))
			case EntryQueued:
				tasks = append(tasks, preparedTask{NewTask: NewTask{Kind: EntryTask, WorkspaceID: r.WorkspaceID, Subject: id, Priority: Batch}})
			}
		}
		return s.enqueue(ctx, t, tasks...)
	})
	if errors.Is(err, errDuplicate) { // the last task of one is about to end
		return 0, &report.Problem{Kind: report.Busy, Message: "one of the entries is being worked on; try again in a moment"}
	}
	return n, err
}
