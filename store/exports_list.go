package store

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// ExportQuery chooses export files.
type ExportQuery struct {
	WorkspaceID int
	UserID      int // those that this user asked for
	// Others are where those of others come from that are listed, too.
	Others        []Category
	Offset, Limit int
}

// all tells whether nothing is left out.
func (q ExportQuery) all() bool {
	return slices.Contains(q.Others, Reports) && slices.Contains(q.Others, Jobs)
}

// ExportRow is an export file in a list.
type ExportRow struct {
	ExportFile
	ReportName string // as it is called now; empty when it is gone, or for a review document
	UserName   string // who asked for it; empty when the user is gone
}

// Exports lists export files, the newest first.
func (s *Store) Exports(ctx context.Context, q ExportQuery) ([]ExportRow, error) {
	files, err := s.exportFiles(ctx, q)
	if err != nil {
		return nil, err
	}
	var reports, users []int
	for _, f := range files {
		if id, isID := refID(f.Report); isID {
			reports = append(reports, id)
		}
		users = append(users, f.UserID)
	}
	reportNames, err := s.db.names(ctx, "SELECT id, name FROM reports WHERE id IN (?)", reports)
	if err != nil {
		return nil, err
	}
	userNames, err := s.db.names(ctx, "SELECT id, display_name AS name FROM users WHERE id IN (?)", users)
	rows := make([]ExportRow, len(files))
	for i, f := range files {
		rows[i] = ExportRow{ExportFile: f, UserName: userNames[f.UserID]}
		if id, isID := refID(f.Report); isID {
			rows[i].ReportName = reportNames[id]
		}
	}
	return rows, err
}

// names finds names by ID.
func (d *database) names(ctx context.Context, query string, ids []int) (map[int]string, error) {
	found := make(map[int]string, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	query, args, err := sqlx.In(query, ids)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID   int    `db:"id"`
		Name string `db:"name"`
	}
	err = d.list(ctx, &rows, query, args...)
	for _, r := range rows {
		found[r.ID] = r.Name
	}
	return found, err
}

// CancelExport ends a file that is being made, with the reason that people get
// to read: who works on it notices when it renews its lease.
func (s *Store) CancelExport(ctx context.Context, workspaceID, id int, reason string) error {
	if _, err := s.Export(ctx, workspaceID, id); err != nil {
		return err
	}
	ended, err := s.FailExport(ctx, id, reason)
	if err != nil {
		return err
	}
	if !ended {
		return &report.Problem{Kind: report.Conflict, Message: "the export has ended already"}
	}
	s.Note(ctx, Event{Action: AuditExportCancelled, WorkspaceID: workspaceID, Target: targetOf(targetExport, id)})
	// The task stays for whoever takes it next: its end is told to whom it is to
	// be. Who works on it notices when it renews its lease.
	_, err = s.db.exec(ctx, "UPDATE queue SET owner = '', lease_until = 0, run_at = 0 WHERE subject = ? AND kind IN (?, ?)", id, ExportTask, ReviewTask)
	return err
}

// knownCategorySQL is knownCategory of a row.
const knownCategorySQL = `CASE WHEN category <> '' THEN category WHEN report = '' THEN '` + string(Jobs) + `' ELSE '` + string(Reports) + `' END`

// exportFiles lists those of a workspace that have not expired, the newest first.
func (s *Store) exportFiles(ctx context.Context, q ExportQuery) ([]ExportFile, error) {
	where, args := "workspace_id = ? AND expires_at > ?", []any{q.WorkspaceID, s.now()}
	if !q.all() {
		where, args = where+" AND (user_id = ?", append(args, q.UserID)
		for _, c := range q.Others {
			where, args = where+" OR "+knownCategorySQL+" = ?", append(args, c)
		}
		where += ")"
	}
	var rows []exportRow
	err := s.db.list(ctx, &rows, "SELECT "+exportColumns+" FROM export_files WHERE "+where+" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)...)
	files := make([]ExportFile, len(rows))
	for i, r := range rows {
		files[i] = r.file()
	}
	return files, err
}
