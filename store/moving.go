package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/quire-reports/quire/report"
)

// MoveReport takes a report with its history to another workspace. It keeps its
// type if there is one of the same code, and else becomes one of type Other;
// what it refers to by code must be there too to be found.
func (s *Store) MoveReport(ctx context.Context, workspaceID, id, toID, userID int) (*ReportDefinition, error) {
	if workspaceID == toID {
		return nil, report.Problemf("workspace", "the report is in this workspace already")
	}
	err := s.db.inTx(ctx, func(t tx) error {
		var row struct {
			Code     string `db:"code"`
			Revision int    `db:"revision"`
			Document string `db:"document"`
		}
		err := t.get(ctx, &row, "SELECT code, revision, document FROM reports WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL", id, workspaceID)
		if err != nil {
			return orNotFound(err, "report %d does not exist", id)
		}
		def := new(report.Report)
		if problems := report.ReadStored([]byte(row.Document), def); len(problems) > 0 {
			return fmt.Errorf("reading report %d: %w", id, problems)
		}
		if err := s.keepOriginal(ctx, t, id, row.Revision); err != nil {
			return err
		}
		if err := s.moveReport(ctx, t, id, toID, userID, row.Revision, row.Code, def); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportMoved, WorkspaceID: toID, Target: targetOf(targetReport, id), Detail: map[string]any{"from": workspaceID}})
	})
	if err != nil {
		return nil, orNoReference(err, "workspace %d does not exist", toID)
	}
	return s.ReportByIDOrType(ctx, toID, strconv.Itoa(id))
}

func (s *Store) moveReport(ctx context.Context, t tx, id, toID, userID, revision int, code string, def *report.Report) error {
	var known int
	err := t.get(ctx, &known, "SELECT COUNT(*) FROM report_types WHERE workspace_id = ? AND code_key = ?", toID, typeKey(def))
	if err != nil {
		return err
	}
	if known == 0 {
		def.Type = "" // Other, which is made where it is missing
	}
	doc, err := s.writeReport(ctx, t, toID, def)
	if err != nil {
		return err
	}
	if code, err = freeCode(ctx, t, toID, "", code); err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE report_types SET default_report_id = NULL WHERE default_report_id = ?", id); err != nil {
		return err
	}
	n, err := t.exec(ctx, `UPDATE reports SET workspace_id = ?, type_id = ?, code = ?, code_key = ?, document = ?, revision = revision + 1, updated_at = ?,
			position = (SELECT COALESCE(MAX(r.position) + 1, 0) FROM reports r WHERE r.workspace_id = ?)
		WHERE id = ? AND revision = ? AND deleted_at IS NULL`, toID, doc.typeID, code, codeKey(code), doc.text, s.now(), toID, id, revision)
	if err != nil {
		return err
	}
	if n == 0 {
		return &report.Problem{Kind: report.Conflict, Message: "somebody else has changed this report meanwhile; try again"}
	}
	if err := t.moveAccess(ctx, id, toID); err != nil {
		return err
	}
	return s.addVersion(ctx, t, id, revision+1, doc.text, userID)
}

// DeletedReport is a report that RestoreReport can bring back: what a list says
// of it, and who made it.
func (s *Store) DeletedReport(ctx context.Context, workspaceID, id int) (*ReportRow, error) {
	var row struct {
		ID         int    `db:"id"`
		Name       string `db:"name"`
		OwnerID    *int   `db:"owner_id"`
		Restricted bool   `db:"restricted"`
	}
	err := s.db.get(ctx, &row, "SELECT id, name, owner_id, restricted FROM reports WHERE id = ? AND workspace_id = ? AND deleted_at IS NOT NULL", id, workspaceID)
	if err != nil {
		return nil, orNotFound(err, "there is no deleted report %d", id)
	}
	rows := []ReportRow{{ID: row.ID, Name: row.Name}}
	if row.OwnerID != nil {
		rows[0].OwnerID = *row.OwnerID
	}
	err = s.withAccess(ctx, rows, func(int) bool { return row.Restricted })
	return &rows[0], err
}
