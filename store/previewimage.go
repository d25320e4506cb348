package store

import (
	"bytes"
	"context"
	"io"
	"path"
	"time"

	"github.com/quire-reports/quire/report"
)

// OwnPicture is the page of a picture that is of none, as it was uploaded.
const OwnPicture = 0

// PictureTask is a report whose picture is to be made of a page.
type PictureTask struct {
	WorkspaceID int `db:"workspace_id"`
	ReportID    int `db:"id"`
	Page        int `db:"preview_page"`
	Revision    int `db:"revision"`
}

// ClaimPicture takes the report whose picture is behind it and that nobody has
// saved for a time; nil when there is none. No other process takes it, and it
// is not taken again before it is saved again.
func (s *Store) ClaimPicture(ctx context.Context, settled time.Duration) (*PictureTask, error) {
	var found []PictureTask
	err := s.db.list(ctx, &found, `SELECT id, workspace_id, preview_page, revision FROM reports
		WHERE preview_page > 0 AND preview_revision < revision AND deleted_at IS NULL AND updated_at <= ? ORDER BY updated_at DESC LIMIT 1`, s.clock().Add(-settled).UnixMilli())
	if err != nil || len(found) == 0 {
		return nil, err
	}
	task := &found[0]
	n, err := s.db.exec(ctx, "UPDATE reports SET preview_revision = ? WHERE id = ? AND preview_revision < ?", task.Revision, task.ReportID, task.Revision)
	if err != nil || n == 0 {
		return nil, err
	}
	return task, nil
}

// ReleasePicture lets a report be taken again whose picture was not made.
func (s *Store) ReleasePicture(ctx context.Context, task PictureTask) error {
	_, err := s.db.exec(ctx, "UPDATE reports SET preview_revision = 0 WHERE id = ? AND preview_revision = ?", task.ReportID, task.Revision)
	return err
}

// PicturePage is the page that a report's picture is made of, or OwnPicture.
func (s *Store) PicturePage(ctx context.Context, workspaceID, reportID int) (page int, err error) {
	err = s.db.get(ctx, &page, "SELECT preview_page FROM reports WHERE id = ? AND workspace_id = ?", reportID, workspaceID)
	return page, orNotFound(err, "report %d does not exist", reportID)
}

// SetPicturePage says what page a report's picture is made of, and up to which
// revision that has been done. With OwnPicture none is made any more.
func (s *Store) SetPicturePage(ctx context.Context, workspaceID, reportID, page, revision int) error {
	n, err := s.db.exec(ctx, "UPDATE reports SET preview_page = ?, preview_revision = ? WHERE id = ? AND workspace_id = ?", page, revision, reportID, workspaceID)
	if err == nil && n == 0 {
		return report.NotFoundf("report %d does not exist", reportID)
	}
	return err
}

// anyPage sets a picture whatever page it is to be made of.
const anyPage = -1

// SetPreviewImage gives a report the small picture that lists show.
func (s *Store) SetPreviewImage(ctx context.Context, workspaceID, reportID int, contentType string, from io.Reader) error {
	return s.setPreview(ctx, workspaceID, reportID, anyPage, contentType, from)
}

// KeepPicture gives a report the picture that was made of a page, unless another
// was chosen meanwhile, and the version that it shows a smaller one of it.
func (s *Store) KeepPicture(ctx context.Context, task PictureTask, contentType string, content []byte, small VersionPicture) error {
	if err := s.setPreview(ctx, task.WorkspaceID, task.ReportID, task.Page, contentType, bytes.NewReader(content)); err != nil {
		return err
	}
	return s.pictureVersion(ctx, task, small)
}

func (s *Store) setPreview(ctx context.Context, workspaceID, reportID, page int, contentType string, from io.Reader) error {
	key := contentKey(previewContents)
	if _, err := s.contents.Put(ctx, key, contentType, from); err != nil {
		return err
	}
	old, err := s.swapPreview(ctx, workspaceID, reportID, page, &key, &contentType)
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
	old, err := s.swapPreview(ctx, workspaceID, reportID, anyPage, nil, nil)
	if old != nil {
		s.discard(ctx, *old)
	}
	return err
}

func (s *Store) swapPreview(ctx context.Context, workspaceID, reportID, page int, key, contentType *string) (old *string, err error) {
	only, of := "", []any{}
	if page != anyPage {
		only, of = " AND preview_page = ?", []any{page}
	}
	err = s.db.inTx(ctx, func(t tx) error {
		// Written twice: the first takes the row's lock, so that of two who
		// set an image at once each sees the other's key and removes it.
		n, err := t.exec(ctx, "UPDATE reports SET preview_type = ? WHERE id = ? AND workspace_id = ?"+only, append([]any{contentType, reportID, workspaceID}, of...)...)
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
