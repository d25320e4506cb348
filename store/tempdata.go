package store

import (
	"bytes"
	"context"
	"time"

	"github.com/quire-reports/quire/report"
)

// How long temporary data lives.
const (
	TempDataLifetime = 24 * time.Hour      // when nothing is asked for
	TempDataLongest  = 30 * 24 * time.Hour // whatever is asked for
)

// PutTempData keeps the JSON of a data set until it expires. The expiry that
// is in force comes back: the one asked for, at most 30 days away, or a day.
func (s *Store) PutTempData(ctx context.Context, workspaceID, userID int, content []byte, expiry *time.Time) (id int, expires time.Time, err error) {
	now := s.clock()
	expires, err = tempDataExpiry(now, expiry)
	if err != nil {
		return 0, expires, err
	}
	key := contentKey(tempContents)
	size, err := s.contents.Put(ctx, key, "application/json", bytes.NewReader(content))
	if err != nil {
		return 0, expires, err
	}
	err = s.db.fetch(ctx, &id, `INSERT INTO temp_data (workspace_id, user_id, size, content_key, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, workspaceID, userID, size, key, now.UnixMilli(), expires.UnixMilli())
	if err != nil {
		s.discard(ctx, key)
		return 0, expires, orNoReference(err, "workspace %d does not exist", workspaceID)
	}
	return id, expires, nil
}

func tempDataExpiry(now time.Time, asked *time.Time) (time.Time, error) {
	expires, last := now.Add(TempDataLifetime), now.Add(TempDataLongest)
	switch {
	case asked == nil:
	case !asked.After(now):
		return expires, report.Problemf("expiryDate", "%s is in the past", asked.Format(time.RFC3339))
	case asked.After(last):
		expires = last
	default:
		expires = *asked
	}
	return expires.UTC().Truncate(time.Millisecond), nil
}

// TempData opens temporary data. From its expiry on it does not exist.
func (s *Store) TempData(ctx context.Context, workspaceID, id int) (*Content, error) {
	var key string
	err := s.db.get(ctx, &key, "SELECT content_key FROM temp_data WHERE id = ? AND workspace_id = ? AND expires_at > ?", id, workspaceID, s.now())
	if err != nil {
		return nil, orNotFound(err, "temporary data %d does not exist or has expired", id)
	}
	return s.contents.Open(ctx, key)
}
