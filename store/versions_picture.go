package store

import "context"

// MostVersionPicture bounds the picture of a version, in bytes: one that is larger is
// not kept. It lies with the version and goes with it.
const MostVersionPicture = 64 << 10

// VersionPicture is a small picture of a report as it was.
type VersionPicture struct {
	ContentType string `db:"picture_type"`
	Content     []byte `db:"picture"`
}

// pictureVersion gives the version of a task its picture, unless the report has been
// saved since: the picture would show what came after it. What was brought in, and not
// saved, becomes a version with it: later none could be made.
func (s *Store) pictureVersion(ctx context.Context, task PictureTask, p VersionPicture) error {
	if len(p.Content) > MostVersionPicture {
		return nil
	}
	return s.db.inTx(ctx, func(t tx) error {
		if err := s.keepOriginal(ctx, t, task.ReportID, task.Revision); err != nil {
			return err
		}
		_, err := t.exec(ctx, `UPDATE report_versions SET picture = ?, picture_type = ? WHERE report_id = ? AND revision = ?
			AND EXISTS (SELECT 1 FROM reports r WHERE r.id = report_versions.report_id AND r.revision = report_versions.revision)`,
			p.Content, p.ContentType, task.ReportID, task.Revision)
		if err != nil {
			return err
		}
		return pruneVersions(ctx, t, task.ReportID)
	})
}

// VersionPicture finds the picture of a version of a report.
func (s *Store) VersionPicture(ctx context.Context, workspaceID, id, revision int) (*VersionPicture, error) {
	var p VersionPicture
	err := s.db.get(ctx, &p, `SELECT v.picture, v.picture_type FROM report_versions v JOIN reports r ON r.id = v.report_id
		WHERE v.report_id = ? AND v.revision = ? AND v.picture IS NOT NULL AND r.workspace_id = ? AND r.deleted_at IS NULL`, id, revision, workspaceID)
	if err != nil {
		return nil, orNotFound(err, "version %d of report %d has no picture", revision, id)
	}
	return &p, nil
}
