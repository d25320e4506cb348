package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// ExportQuery chooses export files.
type ExportQuery struct {
	WorkspaceID int
	UserID      int // those that this user asked for
	// Others are where those of others come from that are listed, too.
	Others        []Category
	Before, After ExportPlace // older than one, or newer
	Offset, Limit int
}

// ExportPlace is where an export is in lists, of which the newest are first. It
// outlives the export. The zero value is nowhere.
type ExportPlace struct {
	Created int64 // milliseconds since 1970
	ID      int
}

// String writes the place as ParseExportPlace reads it; empty for nowhere.
func (p ExportPlace) String() string {
	if p == (ExportPlace{}) {
		return ""
	}
	return strconv.FormatInt(p.Created, 10) + "." + strconv.Itoa(p.ID)
}

// ParseExportPlace reads the place of an export.
func ParseExportPlace(text string) (p ExportPlace, ok bool) {
	created, id, _ := strings.Cut(text, ".")
	var errs [2]error
	p.Created, errs[0] = strconv.ParseInt(created, 10, 64)
	p.ID, errs[1] = strconv.Atoi(id)
	return p, errs == [2]error{}
}

// Place is where a file is in lists.
func (f *ExportFile) Place() ExportPlace { return ExportPlace{f.Created.UnixMilli(), f.ID} }

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
	order := " ORDER BY created_at DESC, id DESC"
	if q.Before != (ExportPlace{}) {
		where, args = where+" AND (created_at, id) < (?, ?)", append(args, q.Before.Created, q.Before.ID)
	}
	if q.After != (ExportPlace{}) { // those next to it, which come last
		where, args = where+" AND (created_at, id) > (?, ?)", append(args, q.After.Created, q.After.ID)
		order = " ORDER BY created_at, id"
	}
	var rows []exportRow
	err := s.db.list(ctx, &rows, "SELECT "+exportColumns+" FROM export_files WHERE "+where+order+" LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)...)
	if q.After != (ExportPlace{}) {
		slices.Reverse(rows)
	}
	files := make([]ExportFile, len(rows))
	for i, r := range rows {
		files[i] = r.file()
	}
	return files, err
}
