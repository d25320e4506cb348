package store

import (
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

// Upload is temporary data on its way in. Expires is asked once all is read.
type Upload interface {
	io.Reader
	Expires() *time.Time // nil for the usual time
}

// PutTempData keeps the JSON of a data set until it expires. The expiry that
// is in force comes back: the one asked for, at most 30 days away, or a day.
func (s *Store) PutTempData(ctx context.Context, workspaceID, userID int, content Upload) (id int, expires time.Time, err error) {
	left, err := s.tempDataLeft(ctx, s.db, workspaceID, userID)
	if err != nil {
		return 0, expires, err
	}
	now, key := s.clock(), contentKey(tempContents)
	size, err := s.contents.Put(ctx, key, "application/json", &quotaReader{Reader: content, quota: left})
	if err != nil {
		return 0, expires, err
	}
	expires, err = tempDataExpiry(now, content.Expires())
	if err == nil {
		id, err = s.insertTempData(ctx, tempData{workspaceID, userID, size, key, now, expires})
	}
	if err != nil {
		s.discard(ctx, key)
	}
	return id, expires, err
}

// tempData is a row of temporary data.
type tempData struct {
	workspace, user int
	size            int64
	key             string
	now, expires    time.Time
}

// insertTempData also looks again at what there is by now: what comes in at the
// same time would go past the quota together.
func (s *Store) insertTempData(ctx context.Context, d tempData) (id int, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE workspaces SET revision = revision WHERE id = ?", d.workspace) // others wait for it
		if err != nil {
			return err
		}
		if n == 0 {
			return report.NotFoundf("workspace %d does not exist", d.workspace)
		}
		left, err := s.tempDataLeft(ctx, t, d.workspace, d.user)
		if err != nil {
			return err
		}
		if err := left.take(d.size); err != nil {
			return err
		}
		id, err = s.insertRandom(func(id int) error {
			return t.get(ctx, &id, `INSERT INTO temp_data (id, workspace_id, user_id, size, content_key, created_at, expires_at)
				VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`, id, d.workspace, d.user, d.size, d.key, d.now.UnixMilli(), d.expires.UnixMilli())
		})
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditDataUploaded, WorkspaceID: d.workspace, Target: targetOf(targetTempData, id), Detail: map[string]any{"bytes": d.size}})
	})
	return id, err
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

// TempData opens temporary data of the user who put it there; for others, and
// from its expiry on, it does not exist.
func (s *Store) TempData(ctx context.Context, workspaceID, userID, id int) (io.ReadCloser, error) {
	key, err := s.tempDataKey(ctx, workspaceID, userID, id)
	if err != nil {
		return nil, err
	}
	content, err := s.contents.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return content, nil
}

func (s *Store) tempDataKey(ctx context.Context, workspaceID, userID, id int) (key string, err error) {
	err = s.db.get(ctx, &key, "SELECT content_key FROM temp_data WHERE id = ? AND workspace_id = ? AND user_id = ? AND expires_at > ?", id, workspaceID, userID, s.now())
	return key, orNotFound(err, "temporary data %d does not exist or has expired", id)
}
