package store

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// NameVersion says what people call a version of a report; an empty name takes
// it away. A version that has one is kept, however old it is.
func (s *Store) NameVersion(ctx context.Context, workspaceID, id, revision int, name string) error {
	name = strings.TrimSpace(name)
	switch {
	case utf8.RuneCountInString(name) > mostName:
		return report.Problemf("name", "the name is longer than %d characters", mostName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return report.Problemf("name", "the name has characters that cannot be shown")
	}
	return s.db.inTx(ctx, func(t tx) error {
		var named int
		err := t.get(ctx, &named, "SELECT COUNT(*) FROM report_versions WHERE report_id = ? AND name <> '' AND revision <> ?", id, revision)
		if err != nil {
			return err
		}
		if name != "" && named >= namedVersions {
			return report.Problemf("name", "%d versions of this report have a name, which is the most there can be; take some away", named)
		}
		n, err := t.exec(ctx, `UPDATE report_versions SET name = ? WHERE report_id = ? AND revision = ?
			AND EXISTS (SELECT 1 FROM reports r WHERE r.id = report_versions.report_id AND r.workspace_id = ? AND r.deleted_at IS NULL)`, name, id, revision, workspaceID)
		if err == nil && n == 0 {
			err = report.NotFoundf("report %d has no version %d", id, revision)
		}
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditVersionNamed, WorkspaceID: workspaceID, Target: targetOf(targetReport, id), Detail: map[string]any{"revision": revision, "name": name}})
	})
}
