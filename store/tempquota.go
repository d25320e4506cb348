package store

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/quire-reports/quire/report"
)

// TempDataQuota bounds the temporary data that is kept at the same time, in
// megabytes. What has expired does not count.
type TempDataQuota struct {
	UserMB      int // of a user, in all workspaces; default 4096
	WorkspaceMB int // of a workspace; default 16384
}

func (q *TempDataQuota) fill() {
	defaultTo(&q.UserMB, 4096)
	defaultTo(&q.WorkspaceMB, 16384)
}

// leastTempData is what a piece counts at least, in bytes: a file takes a block
// and a row.
const leastTempData = 4 << 10

// getter is a database or a transaction.
type getter interface {
	get(ctx context.Context, dest any, query string, args ...any) error
}

// tempDataLeft is how much more temporary data there may be.
func (s *Store) tempDataLeft(ctx context.Context, db getter, workspaceID, userID int) (*quota, error) {
	q := &quota{now: s.clock()}
	for _, of := range []struct {
		whose, column string
		id, mostMB    int
	}{{"you have", "user_id", userID, s.tempData.UserMB}, {"the workspace has", "workspace_id", workspaceID, s.tempData.WorkspaceMB}} {
		share := quotaShare{whose: of.whose, most: int64(of.mostMB) << 20}
		query := fmt.Sprintf(`SELECT COALESCE(SUM(CASE WHEN size < %[1]d THEN %[1]d ELSE size END), 0) AS used, COALESCE(MIN(expires_at), 0) AS next
			FROM temp_data WHERE %[2]s = ? AND expires_at > ?`, leastTempData, of.column)
		if err := db.get(ctx, &share, query, of.id, s.now()); err != nil {
			return nil, err
		}
		q.shares = append(q.shares, share)
	}
	return q, nil
}

// quota is what is left of each share.
type quota struct {
	now    time.Time
	shares []quotaShare
}

type quotaShare struct {
	whose string
	most  int64
	Used  int64 `db:"used"`
	Next  int64 `db:"next"` // when the first of it expires
}

// take refuses what is more than is left; what never has room is too large.
func (q *quota) take(size int64) error {
	size = max(size, leastTempData)
	for _, s := range q.shares {
		if size > s.most {
			return &report.Problem{Kind: report.TooLarge, Message: fmt.Sprintf("the temporary data is larger than the %d MB that %s room for", s.most>>20, s.whose)}
		}
		if s.Used+size > s.most {
			return &report.Problem{
				Kind: report.Exhausted, Wait: max(fromMillis(s.Next).Sub(q.now), time.Second),
				Message: fmt.Sprintf("%s %d MB of temporary data, and room for %d MB; the first of it expires at %s", s.whose, s.Used>>20, s.most>>20, fromMillis(s.Next).Format(time.RFC3339)),
			}
		}
	}
	return nil
}

// quotaReader stops what is read once there is no room for it.
type quotaReader struct {
	io.Reader
	quota *quota
	size  int64
}

// Read gives what there is room for.
func (r *quotaReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.size += int64(n)
	if full := r.quota.take(r.size); full != nil {
		return 0, full
	}
	return n, err
}
