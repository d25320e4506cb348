package store

import (
	"context"
	"fmt"
	"io"

	"github.com/quire-reports/quire/report"
)

// ExportWorkspace reads everything of a workspace that a bundle holds.
func (s *Store) ExportWorkspace(ctx context.Context, code string) (*report.Workspace, error) {
	w, err := s.WorkspaceByCode(ctx, code)
	if err != nil {
		return nil, err
	}
	out := &report.Workspace{Version: report.Version, Name: w.Name, Code: w.Code}
	if w.Description != nil {
		out.Description = *w.Description
	}
	l, err := s.Library(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	for _, kind := range resourceKinds() {
		kind.unpack(l, out)
	}
	for _, fill := range []func(context.Context, int, *report.Workspace) error{s.bundleTypes, s.bundleReports, s.bundleFiles} {
		if err := fill(ctx, w.ID, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Store) bundleTypes(ctx context.Context, workspaceID int, out *report.Workspace) error {
	var rows []struct {
		Name        string  `db:"name"`
		Code        string  `db:"code"`
		Description string  `db:"description"`
		Default     *string `db:"default_code"`
	}
	err := s.db.list(ctx, &rows, `SELECT t.name, t.code, t.description, r.code AS default_code
		FROM report_types t LEFT JOIN reports r ON r.id = t.default_report_id
		WHERE t.workspace_id = ? ORDER BY t.position, t.id`, workspaceID)
	for _, row := range rows {
		t := report.ReportType{Name: row.Name, Code: row.Code, Description: row.Description}
		if row.Default != nil {
			t.DefaultReport = *row.Default
		}
		out.ReportTypes = append(out.ReportTypes, t)
	}
	return err
}

func (s *Store) bundleReports(ctx context.Context, workspaceID int, out *report.Workspace) error {
	var rows []struct {
		ID       int    `db:"id"`
		Code     string `db:"code"`
		Document string `db:"document"`
	}
	err := s.db.list(ctx, &rows, "SELECT id, code, document FROM reports WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY position, id", workspaceID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		named := report.NamedReport{Code: row.Code}
		if problems := report.ReadStored([]byte(row.Document), &named.Report); len(problems) > 0 {
			return fmt.Errorf("reading report %d: %w", row.ID, problems)
		}
		out.Reports = append(out.Reports, named)
	}
	return nil
}

func (s *Store) bundleFiles(ctx context.Context, workspaceID int, out *report.Workspace) error {
	rows, err := s.Files(ctx, workspaceID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		_, content, err := s.OpenFile(ctx, workspaceID, row.Name)
		if err != nil {
			return err
		}
		all, err := io.ReadAll(content)
		_ = content.Close()
		if err != nil {
			return fmt.Errorf("reading file %s: %w", row.Name, err)
		}
		out.Files = append(out.Files, report.File{Name: row.Name, ContentType: row.ContentType, Content: all})
	}
	return nil
}
