package store

import (
	"context"
	"io"

	"github.com/quire-reports/quire/report"
)

// Report finds a report by its ID or its type's code, with the library of the
// workspace; with an empty reference there is no report, only the library.
func (s *Store) Report(ctx context.Context, workspaceID int, ref string) (*report.Definition, error) {
	if ref == "" {
		library, err := s.Library(ctx, workspaceID)
		if err != nil {
			return nil, err
		}
		return &report.Definition{Report: &report.Report{}, Library: library.shared}, nil
	}
	return definition(s.ReportByIDOrType(ctx, workspaceID, ref))
}

// Subreport finds a report by its own code.
func (s *Store) Subreport(ctx context.Context, workspaceID int, code string) (*report.Definition, error) {
	return definition(s.ReportByCode(ctx, workspaceID, code))
}

func definition(found *ReportDefinition, err error) (*report.Definition, error) {
	if err != nil {
		return nil, err
	}
	return &report.Definition{Report: found.Report, Library: found.Library.shared, Unfinished: found.Row.Unfinished}, nil
}

// File reads a managed file.
func (s *Store) File(ctx context.Context, workspaceID int, name string) (*report.File, error) {
	row, content, err := s.OpenFile(ctx, workspaceID, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	b, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	return &report.File{Name: row.Name, ContentType: row.ContentType, Content: b}, nil
}

// share makes what reports are given of a library, once for each revision.
func (l *Library) share() {
	l.shared = report.Library{
		Template: optional(l.Template), Theme: optional(l.Theme),
		Languages: Definitions(l.Languages), Dictionaries: Definitions(l.Dictionaries), Parameters: Definitions(l.Parameters), DataSources: Definitions(l.DataSources),
	}
}

// optional makes the empty reference mean none where the library has none.
func optional[T any](find func(string) (*T, error)) func(string) (*T, error) {
	return func(ref string) (*T, error) {
		found, err := find(ref)
		if ref == "" && IsNotFound(err) {
			return nil, nil
		}
		return found, err
	}
}
