package store

import (
	"context"
	"time"
)

// EntryChange is an entry whose state has changed.
type EntryChange struct {
	ID      int
	State   EntryState
	Changed time.Time
}

// EntryChanges lists entries of a run that changed at a time or later, the
// oldest first.
func (s *Store) EntryChanges(ctx context.Context, runID int, since time.Time, limit int) ([]EntryChange, error) {
	var rows []struct {
		ID      int        `db:"id"`
		State   EntryState `db:"state"`
		Changed int64      `db:"updated_at"`
	}
	err := s.db.list(ctx, &rows, "SELECT id, state, updated_at FROM job_entries WHERE run_id = ? AND updated_at >= ? ORDER BY updated_at, id LIMIT ?", runID, since.UnixMilli(), limit)
	changes := make([]EntryChange, len(rows))
	for i, r := range rows {
		changes[i] = EntryChange{r.ID, r.State, fromMillis(r.Changed)}
	}
	return changes, err
}
