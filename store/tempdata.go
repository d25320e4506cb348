package store

import (
	"bytes"
	"context"
	"io"
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
	id, err = s.insertRandom(func(id int) error {
		return s.db.fetch(ctx, &id, `INSERT INTO temp_data (id, workspace_id, user_id, size, content_key, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`, id, workspaceID, userID, size, key, now.UnixMilli(), expires.UnixMilli())
	})
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

// HasTempData refuses, as TempData does, what it would not open.
func (s *Store) HasTempData(ctx context.Context, workspaceID, userID, id int) error {
	_, err := s.tempDataKey(ctx, workspaceID, userID, id)
	return err
}

// TempData reads temporary data of the user who put it there; for others, and
// from its expiry on, it does not exist.
func (s *Store) TempData(ctx context.Context, workspaceID, userID, id int) ([]byte, error) {
	key, err := s.tempDataKey(ctx, workspaceID, userID, id)
	if err != nil {
		return nil, err
	}
	content, err := s.contents.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	return io.ReadAll(content)
}

func (s *Store) tempDataKey(ctx context.Context, workspaceID, userID, id int) (key string, err error) {
	err = s.db.get(ctx, &key, "SELECT content_key FROM temp_data WHERE id = ? AND workspace_id = ? AND user_id = ? AND expires_at > ?", id, workspaceID, userID, s.now())
	return key, orNotFound(err, "temporary data %d does not exist or has expired", id)
}
