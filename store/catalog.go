package store

import (
	"context"

	"github.com/quire-reports/quire/report"
)

// ReportType is a report type in a list.
type ReportType struct {
	ID                int     `db:"id"`
	Name              string  `db:"name"`
	Description       string  `db:"description"`
	Code              string  `db:"code"`
	Revision          int     `db:"revision"`
	DefaultReportID   *int    `db:"default_report_id"`
	DefaultReportName *string `db:"default_report_name"`
}

// NamedRow is a template or theme in a list.
type NamedRow struct {
	ID   int
	Name string
	Code string
}

// ReportTypes lists the report types of a workspace in their order.
func (s *Store) ReportTypes(ctx context.Context, workspaceID int) ([]ReportType, error) {
	types := []ReportType{}
	err := s.db.list(ctx, &types, `SELECT t.id, t.name, t.description, t.code, t.revision, r.id AS default_report_id, r.name AS default_report_name
		FROM report_types t LEFT JOIN reports r ON r.id = t.default_report_id
		WHERE t.workspace_id = ? ORDER BY t.position, t.id`, workspaceID)
	return types, err
}

// ReportTypesFor lists the report types of a workspace in their order; a default
// report that the user may not see is not told of.
func (s *Store) ReportTypesFor(ctx context.Context, a *Access) ([]ReportType, error) {
	types, err := s.ReportTypes(ctx, a.Workspace.ID)
	if err != nil {
		return nil, err
	}
	rows, err := s.Reports(ctx, a.Workspace.ID, ReportQuery{For: a, Subreports: true})
	seen := map[int]bool{}
	for i := range rows {
		seen[rows[i].ID] = true
	}
	for i := range types {
		if id := types[i].DefaultReportID; id != nil && !seen[*id] {
			types[i].DefaultReportID, types[i].DefaultReportName = nil, nil
		}
	}
	return types, err
}

// Templates lists the templates of a workspace.
func (s *Store) Templates(ctx context.Context, workspaceID int) ([]NamedRow, error) {
	l, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return rowsOf(l.Templates, func(t *report.Template) (string, string) { return t.Name, t.Code }), nil
}

// Themes lists the themes of a workspace.
func (s *Store) Themes(ctx context.Context, workspaceID int) ([]NamedRow, error) {
	l, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return rowsOf(l.Themes, func(t *report.Theme) (string, string) { return t.Name, t.Code }), nil
}

func rowsOf[T any](entries []Entry[T], nameAndCode func(*T) (name, code string)) []NamedRow {
	rows := make([]NamedRow, len(entries))
	for i, e := range entries {
		rows[i].ID = e.ID
		rows[i].Name, rows[i].Code = nameAndCode(e.Definition)
	}
	return rows
}

// TemplateByRef finds a template by ID or code; "" is the workspace's first.
func (s *Store) TemplateByRef(ctx context.Context, workspaceID int, ref string) (*report.Template, error) {
	l, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return l.Template(ref)
}

// ThemeByRef finds a theme by ID or code; "" is the workspace's first.
func (s *Store) ThemeByRef(ctx context.Context, workspaceID int, ref string) (*report.Theme, error) {
	l, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return l.Theme(ref)
}
