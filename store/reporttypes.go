package store

import (
	"context"
	"fmt"

	"github.com/quire-reports/quire/report"
)

// PutReportType makes a report type when id is 0, and changes it otherwise. It
// gives the type's id. The default report is named by its code and must be of
// the type, or be empty.
func (s *Store) PutReportType(ctx context.Context, workspaceID, id int, rt report.ReportType) (int, error) {
	if err := checkReportType(&rt); err != nil {
		return 0, err
	}
	err := s.db.inTx(ctx, func(t tx) error {
		var err error
		if id == 0 {
			err = t.get(ctx, &id, `INSERT INTO report_types (workspace_id, code, code_key, name, description, position)
				SELECT ?, ?, ?, ?, ?, COALESCE(MAX(position) + 1, 0) FROM report_types WHERE workspace_id = ? RETURNING id`,
				workspaceID, rt.Code, codeKey(rt.Code), rt.Name, rt.Description, workspaceID)
		} else {
			err = mustChange(t.exec(ctx, "UPDATE report_types SET code = ?, code_key = ?, name = ?, description = ? WHERE id = ? AND workspace_id = ?",
				rt.Code, codeKey(rt.Code), rt.Name, rt.Description, id, workspaceID))(id)
		}
		if err != nil {
			return orTaken(err, "code", "there is a report type %q already", rt.Code)
		}
		return setDefaultReport(ctx, t, workspaceID, id, rt.DefaultReport)
	})
	return id, err
}

func checkReportType(rt *report.ReportType) error {
	if rt.Name == "" {
		return report.Problemf("name", "the report type needs a name")
	}
	return checkCode("code", rt.Code)
}

// mustChange makes a change of no row a Problem of kind NotFound.
func mustChange(n int, err error) func(id int) error {
	return func(id int) error {
		if err == nil && n == 0 {
			return report.NotFoundf("report type %d does not exist", id)
		}
		return err
	}
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

// DeleteReportType removes a report type that no report has.
func (s *Store) DeleteReportType(ctx context.Context, workspaceID, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var reports int
		if err := t.get(ctx, &reports, "SELECT COUNT(*) FROM reports WHERE type_id = ?", id); err != nil {
			return err
		}
		if reports > 0 {
			return &report.Problem{Kind: report.Conflict, Message: fmt.Sprintf("%d reports have this type; give them another one first", reports)}
		}
		return mustChange(t.exec(ctx, "DELETE FROM report_types WHERE id = ? AND workspace_id = ?", id, workspaceID))(id)
	})
}
