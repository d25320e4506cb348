package store

import (
	"context"
	"database/sql"
	"time"
)

// QueuedKind is what the queue holds of one kind of work and one priority.
type QueuedKind struct {
	Kind     string   `db:"kind"`
	Priority Priority `db:"priority"`
	Waiting  int      `db:"waiting"` // for a process
	Delayed  int      `db:"delayed"` // until they are tried again
	Running  int      `db:"running"`
	Oldest   int64    `db:"oldest"` // age of the oldest one that waits, in milliseconds
}

// Age is how long the oldest one has waited.
func (q *QueuedKind) Age() time.Duration { return time.Duration(q.Oldest) * time.Millisecond }

// QueueState tells what the queue holds, by kind and priority.
func (s *Store) QueueState(ctx context.Context) ([]QueuedKind, error) {
	now := s.shared()
	var list []QueuedKind
	waits := "lease_until <= " + now + " AND run_at <= " + now
	err := s.db.list(ctx, &list, `SELECT kind, priority,
		COUNT(CASE WHEN `+waits+` THEN 1 END) AS waiting,
		COUNT(CASE WHEN lease_until <= `+now+` AND run_at > `+now+` THEN 1 END) AS delayed,
		COUNT(CASE WHEN lease_until > `+now+` THEN 1 END) AS running,
		COALESCE(MAX(CASE WHEN `+waits+` THEN `+now+` - created_at END), 0) AS oldest
		FROM queue GROUP BY kind, priority ORDER BY kind, priority`)
	for i := range list {
		list[i].Oldest = max(0, list[i].Oldest) // hosts whose clocks are ahead wrote the future
	}
	return list, err
}

// Pools are the connections to the database by what they are for: SQLite reads
// and writes with different ones.
func (s *Store) Pools() map[string]sql.DBStats {
	if s.db.read == s.db.write {
		return map[string]sql.DBStats{"all": s.db.write.Stats()}
	}
	return map[string]sql.DBStats{"read": s.db.read.Stats(), "write": s.db.write.Stats()}
}
