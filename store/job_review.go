package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
)

// EntryQuery chooses entries of a run.
type EntryQuery struct {
	RunID         int
	States        []EntryState  // none: all
	IDs           []int         // none: all
	Positions     []int         // none: all
	Delivery      DeliveryState // only with a delivery in this state; empty: any
	At            int           // that delivery's position; 0: any
	Search        string        // in the record, the names of documents and the error; or the position
	After         int           // only entries behind this position
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
	if len(q.Positions) > 0 {
		where, args = where+" AND position IN (?)", append(args, q.Positions)
	}
	if q.Delivery != "" {
		at, more := q.position()
		where += " AND EXISTS (SELECT 1 FROM job_deliveries WHERE entry_id = job_entries.id AND job_deliveries.state = ?"
		if at != "" {
			where += " AND job_deliveries.position = ?"
		}
		where, args = where+")", append(append(args, q.Delivery), more...)
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
		part = "%" + likeText(part) + "%"
		where += ` OR LOWER(record) LIKE ? ESCAPE '\' OR record LIKE ? ESCAPE '\' OR LOWER(error) LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM job_documents d WHERE d.entry_id = job_entries.id AND (LOWER(d.name) LIKE ? ESCAPE '\' OR d.name LIKE ? ESCAPE '\'))`
		args = append(args, part, part, part, part, part)
	}
	return where + ")", args
}

// position is the condition for the position of a delivery that is asked for.
func (q EntryQuery) position() (condition string, args []any) {
	if q.At == 0 {
		return "", nil
	}
	return " AND position = ?", []any{q.At}
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
// queues what follows: their delivery. All or nothing; it tells how many.
func (s *Store) MoveEntries(ctx context.Context, r *Run, q EntryQuery, to EntryState, reason string, once Once) (n int, err error) {
	q.RunID = r.ID
	return s.changeEntries(ctx, AuditEntryDecided, r, once, func(t tx) ([]int, error) {
		ids, err := q.update(ctx, t, "state = ?, error = "+keptWarnings+", deliver = ?, updated_at = ?", to, to, reason, DeliverAll, s.now())
		if err != nil || to != EntryDelivering {
			return ids, err
		}
		return ids, s.enqueue(ctx, t, tasksOf(DeliverTask, r.WorkspaceID, ids)...)
	})
}
