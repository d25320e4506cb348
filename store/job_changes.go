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
// oldest first, and those that are being made now: these with a time that is another one
// with each attempt, as it is not known when that began.
func (s *Store) EntryChanges(ctx context.Context, runID int, since time.Time, limit int) ([]EntryChange, error) {
	var rows []struct {
		ID      int        `db:"id"`
		State   EntryState `db:"state"`
		Changed int64      `db:"updated_at"`
	}
	err := s.db.list(ctx, &rows, `SELECT id, state, updated_at FROM (
			SELECT * FROM (SELECT id, state, updated_at FROM job_entries WHERE run_id = ? AND updated_at >= ? AND NOT (state = 'queued' AND `+s.beingMade("job_entries")+`) ORDER BY updated_at, id LIMIT ?) AS changed
			UNION ALL SELECT e.id, 'rendering', q.created_at + q.attempts FROM queue q JOIN job_entries e ON e.id = q.subject
			WHERE q.owner > '' AND q.kind = 'entry' AND q.lease_until > `+s.shared()+` AND e.run_id + 0 = ? AND e.state = 'queued') AS changes
		ORDER BY updated_at, id LIMIT ?`, runID, since.UnixMilli(), limit, runID, limit)
	changes := make([]EntryChange, len(rows))
	for i, r := range rows {
		changes[i] = EntryChange{r.ID, r.State, fromMillis(r.Changed)}
	}
	return changes, err
}
