package store

import (
	"context"
	"fmt"

	"github.com/quire-reports/quire/report"
)

// PutReportType makes a report type when id is 0, and changes it otherwise: the
// one that was read at a revision, or whatever it is now when that is 0. It
// gives the type's id. The default report is named by its code and must be of
// the type, or be empty. When somebody else saved it since, that is a Problem
// of kind Conflict, and nothing is written.
func (s *Store) PutReportType(ctx context.Context, workspaceID, id, revision int, rt report.ReportType) (int, error) {
	if err := checkReportType(&rt); err != nil {
		return 0, err
	}
	action := AuditLibrarySaved
	if id == 0 {
		action = AuditLibraryCreated
	}
	err := s.db.inTx(ctx, func(t tx) error {
		var err error
		if id == 0 {
			err = t.get(ctx, &id, `INSERT INTO report_types (workspace_id, code, code_key, name, description, position)
				SELECT ?, ?, ?, ?, ?, COALESCE(MAX(position) + 1, 0) FROM report_types WHERE workspace_id = ? RETURNING id`,
				workspaceID, rt.Code, codeKey(rt.Code), rt.Name, rt.Description, workspaceID)
		} else {
			err = mustBeAt(ctx, t, workspaceID, id, revision)
			if err == nil {
				_, err = t.exec(ctx, "UPDATE report_types SET code = ?, code_key = ?, name = ?, description = ?, revision = revision + 1 WHERE id = ?",
					rt.Code, codeKey(rt.Code), rt.Name, rt.Description, id)
			}
		}
		if err != nil {
			return orTaken(err, "code", "there is a report type %q already", rt.Code)
		}
		if err := setDefaultReport(ctx, t, workspaceID, id, rt.DefaultReport); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: action, WorkspaceID: workspaceID, Target: targetOf(targetReportType, id)})
	})
	return id, err
}

// ReportTypeNews tells the revision of a report type; who saved it is not kept.
func (s *Store) ReportTypeNews(ctx context.Context, workspaceID, id int) (n News, err error) {
	err = s.db.get(ctx, &n, "SELECT revision, 0 AS comments_revision, '' AS saved_by FROM report_types WHERE id = ? AND workspace_id = ?", id, workspaceID)
	return n, orNotFound(err, "report type %d does not exist", id)
}

// mustBeAt makes a report type at another revision a Problem; any is right for 0.
func mustBeAt(ctx context.Context, t tx, workspaceID, id, revision int) error {
	var now int
	// The change of nothing keeps others from changing it until this is done.
	if _, err := t.exec(ctx, "UPDATE report_types SET revision = revision WHERE id = ? AND workspace_id = ?", id, workspaceID); err != nil {
		return err
	}
	if err := t.get(ctx, &now, "SELECT revision FROM report_types WHERE id = ? AND workspace_id = ?", id, workspaceID); err != nil {
		return orNotFound(err, "report type %d does not exist", id)
	}
	if revision != 0 && revision != now {
		return savedMeanwhile("", "report type", now, revision)
	}
	return nil
}

func checkReportType(rt *report.ReportType) error {
	if rt.Name == "" {
		return report.Problemf("name", "the report type needs a name")
	}
	return checkCode("code", rt.Code)
}

func setDefaultReport(ctx context.Context, t tx, workspaceID, typeID int, code string) error {
	if code == "" {
		_, err := t.exec(ctx, "UPDATE report_types SET default_report_id = NULL WHERE id = ?", typeID)
		return err
	}
	n, err := t.exec(ctx, `UPDATE report_types SET default_report_id = (SELECT id FROM reports WHERE workspace_id = ? AND code_key = ? AND type_id = ?)
		WHERE id = ? AND EXISTS (SELECT 1 FROM reports WHERE workspace_id = ? AND code_key = ? AND type_id = ?)`,
		workspaceID, codeKey(code), typeID, typeID, workspaceID, codeKey(code), typeID)
	if err == nil && n == 0 {
		return report.Problemf("defaultReport", "there is no report %q of this type", code)
	}
	return err
}

// DeleteReportType deletes a report type that no report has. RestoreReportType
// brings it back within thirty days.
func (s *Store) DeleteReportType(ctx context.Context, workspaceID, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var reports int
		if err := t.get(ctx, &reports, "SELECT COUNT(*) FROM reports WHERE type_id = ?", id); err != nil {
			return err
		}
		if reports > 0 {
			return &report.Problem{Kind: report.Conflict, Message: fmt.Sprintf("%d reports have this type; give them another one first", reports)}
		}
		if err := s.keepType(ctx, t, workspaceID, id); err != nil {
			return err
		}
		if err := s.record(ctx, t, Event{Action: AuditLibraryDeleted, WorkspaceID: workspaceID, Target: targetOf(targetReportType, id)}); err != nil {
			return err
		}
		_, err := t.exec(ctx, "DELETE FROM report_types WHERE id = ?", id)
		return err
	})
}
