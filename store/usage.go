package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Usage is what was made for a workspace.
type Usage struct {
	Period      string `db:"period"` // day, as 2006-01-02, or month, as 2006-01, of UTC
	WorkspaceID int    `db:"workspace_id"`
	Workspace   string `db:"name"`
	Code        string `db:"code"`
	Documents   int64  `db:"documents"`
	Pages       int64  `db:"pages"`
	Bytes       int64  `db:"bytes"`
}

// AddUsage adds what was made to what is known of its day. What was made for a
// workspace that has gone is forgotten.
func (s *Store) AddUsage(ctx context.Context, made []Usage) error {
	// In one order, so that processes that write at the same time wait for each other
	// and never in a circle.
	made = slices.SortedFunc(slices.Values(made), func(a, b Usage) int {
		return cmp.Or(cmp.Compare(a.WorkspaceID, b.WorkspaceID), cmp.Compare(a.Period, b.Period))
	})
	return s.db.inTx(ctx, func(t tx) error {
		for _, u := range made {
			_, err := t.exec(ctx, `INSERT INTO workspace_usage (workspace_id, day, documents, pages, bytes)
				SELECT id, ?, ?, ?, ? FROM workspaces WHERE id = ?
				ON CONFLICT (workspace_id, day) DO UPDATE SET documents = workspace_usage.documents + excluded.documents,
				pages = workspace_usage.pages + excluded.pages, bytes = workspace_usage.bytes + excluded.bytes`,
				u.Period, u.Documents, u.Pages, u.Bytes, u.WorkspaceID)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// UsageQuery chooses usage.
type UsageQuery struct {
	WorkspaceID int       // 0: of all
	From, To    time.Time // first and last day
	ByMonth     bool
}

// Usage lists what was made by day or month, the newest first, and the workspaces
// that most was made for first.
func (s *Store) Usage(ctx context.Context, q UsageQuery) ([]Usage, error) {
	period := "u.day"
	if q.ByMonth {
		period = "substr(u.day, 1, 7)"
	}
	list := []Usage{}
	err := s.db.list(ctx, &list, `SELECT `+period+` AS period, u.workspace_id, w.name, w.code,
		CAST(SUM(u.documents) AS BIGINT) AS documents, CAST(SUM(u.pages) AS BIGINT) AS pages, CAST(SUM(u.bytes) AS BIGINT) AS bytes
		FROM workspace_usage u JOIN workspaces w ON w.id = u.workspace_id
		WHERE u.day >= ? AND u.day <= ? AND (? = 0 OR u.workspace_id = ?)
		GROUP BY `+period+`, u.workspace_id, w.name, w.code ORDER BY period DESC, pages DESC, w.name, u.workspace_id`,
		q.From.Format(time.DateOnly), q.To.Format(time.DateOnly), q.WorkspaceID, q.WorkspaceID)
	return list, err
}
