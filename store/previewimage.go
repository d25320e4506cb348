package store

import (
	"context"
	"io"
	"path"

	"github.com/quire-reports/quire/report"
)

// SetPreviewImage gives a report the small picture that lists show.
func (s *Store) SetPreviewImage(ctx context.Context, workspaceID, reportID int, contentType string, from io.Reader) error {
	key := contentKey(previewContents)
	if _, err := s.contents.Put(ctx, key, contentType, from); err != nil {
		return err
	}
	old, err := s.swapPreview(ctx, workspaceID, reportID, &key, &contentType)
	if err != nil {
		s.discard(ctx, key)
		return err
	}
	if old != nil {
		s.discard(ctx, *old)
	}
	return nil
}

// DeletePreviewImage removes a report's picture, if it has one.
func (s *Store) DeletePreviewImage(ctx context.Context, workspaceID, reportID int) error {
	old, err := s.swapPreview(ctx, workspaceID, reportID, nil, nil)
	if old != nil {
		s.discard(ctx, *old)
	}
	return err
}

func (s *Store) swapPreview(ctx context.Context, workspaceID, reportID int, key, contentType *string) (old *string, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		// Written twice: the first takes the row's lock, so that of two who
		// set an image at once each sees the other's key and removes it.
		n, err := t.exec(ctx, "UPDATE reports SET preview_type = ? WHERE id = ? AND workspace_id = ?", contentType, reportID, workspaceID)
		if err == nil && n == 0 {
			return report.NotFoundf("report %d does not exist", reportID)
		}
		if err != nil {
			return err
		}
		if err := t.get(ctx, &old, "SELECT preview_key FROM reports WHERE id = ?", reportID); err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE reports SET preview_key = ? WHERE id = ?", key, reportID)
		return err
	})
	return old, err
}

// PreviewImage opens the picture of a report.
func (s *Store) PreviewImage(ctx context.Context, workspaceID, reportID int) (*Content, error) {
	var row struct {
		Key  string `db:"preview_key"`
		Type string `db:"preview_type"`
	}
	err := s.db.get(ctx, &row, "SELECT preview_key, preview_type FROM reports WHERE id = ? AND workspace_id = ? AND preview_key IS NOT NULL", reportID, workspaceID)
	if err != nil {
		return nil, orNotFound(err, "report %d has no preview image", reportID)
	}
	content, err := s.contents.Open(ctx, row.Key)
	if err != nil {
		return nil, err
	}
	content.ContentType = row.Type
	return content, nil
}

// previewVersion is the part of the key that changes with the image.
func previewVersion(key string) string { return path.Base(key)[:12] }
