package v1

import (
	"context"
	"net/url"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// list is an answer that is a list, never null.
type list[T any] struct {
	Body []T `nullable:"false"`
}

func listOf[R, T any](rows []R, err error, convert func(R) T) (*list[T], error) {
	if err != nil {
		return nil, err
	}
	out := &list[T]{Body: make([]T, len(rows))}
	for i, row := range rows {
		out.Body[i] = convert(row)
	}
	return out, nil
}

// Workspace is a workspace in a list.
type Workspace struct {
	ID          int     `json:"id" format:"int32"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	Code        string  `json:"code"`
}

// workspaces is endpoint 1.
func (s *service) workspaces(ctx context.Context, _ *struct{}) (*list[Workspace], error) {
	rows, err := s.Store.Workspaces(ctx, access.Of(ctx).User)
	return listOf(rows, err, func(w store.Workspace) Workspace { return Workspace(w) })
}

// WorkspacePath is the address of a workspace.
type WorkspacePath struct {
	Workspace string `path:"workspaceId" doc:"ID or code of the workspace."`
}

// ReportPath is the address of a report.
type ReportPath struct {
	WorkspacePath
	Report string `path:"reportIdOrTypeCode" doc:"ID of the report, or code of a report type for its default report."`
}

// Report is a report in a list.
type Report struct {
	ID           int     `json:"id" format:"int32"`
	Name         string  `json:"name"`
	TypeID       int     `json:"reportTypeId" format:"int32"`
	TypeName     string  `json:"reportTypeName"`
	TemplateName string  `json:"reportTemplateName"`
	ThemeName    string  `json:"themeName"`
	IsDefault    bool    `json:"isDefault" doc:"Whether the report type's code addresses this report."`
	PreviewImage *string `json:"previewImage" doc:"Address of a small picture of the report."`
}

// ReportsQuery chooses reports.
type ReportsQuery struct {
	WorkspacePath
	Type   string `query:"type" doc:"Code of a report type; empty for all."`
	Offset int    `query:"offset" minimum:"0" maximum:"2147483647" doc:"How many to skip."`
	Limit  int    `query:"limit" minimum:"0" maximum:"2147483647" doc:"How many at most; 0 for all."`
}

// reports is endpoint 2.
func (s *service) reports(ctx context.Context, q *ReportsQuery) (*list[Report], error) {
	caller := access.Of(ctx)
	if q.Type != "" && !report.IsCode(q.Type) {
		return listOf[store.ReportRow, Report](nil, nil, nil) // no type can have this code
	}
	rows, err := s.Store.Reports(ctx, caller.Workspace.ID, store.ReportQuery{
		Type: q.Type, For: &caller.Access, Offset: q.Offset, Limit: q.Limit,
	})
	return listOf(rows, err, func(r store.ReportRow) Report { return s.listed(caller.Workspace, r) })
}

func (s *service) listed(w *store.Workspace, r store.ReportRow) Report {
	return Report{
		ID: r.ID, Name: r.Name, TypeID: r.TypeID, TypeName: r.TypeName,
		TemplateName: r.TemplateName, ThemeName: r.ThemeName, IsDefault: r.IsDefault,
		PreviewImage: s.previewImage(w, r),
	}
}

// previewImage is the address of a report's picture; it changes with the picture.
func (s *service) previewImage(w *store.Workspace, r store.ReportRow) *string {
	if r.PreviewImage == nil {
		return nil
	}
	address := s.PathBase + "/ws/" + w.Code + "/reports/" + strconv.Itoa(r.ID) + "/preview-image?v=" + url.QueryEscape(*r.PreviewImage)
	return &address
}

// Page is a page of a report in a list.
type Page struct {
	ID   int    `json:"id" format:"int32" doc:"Number that excludePages takes."`
	Name string `json:"name"`
	Type string `json:"type" enum:"page,subreport,document-merge"`
}

// pages is endpoint 3.
func (s *service) pages(ctx context.Context, p *ReportPath) (*list[Page], error) {
	definition, err := s.report(ctx, p.Report)
	if err != nil {
		return nil, err
	}
	return listOf(definition.Pages(), nil, func(p store.PageRow) Page { return Page(p) })
}

// report finds a report that the caller may read.
func (s *service) report(ctx context.Context, ref string) (*store.ReportDefinition, error) {
	if !report.IsID(ref) && !report.IsCode(ref) {
		return nil, report.NotFoundf("report %q does not exist", ref)
	}
	caller := access.Of(ctx)
	definition, err := s.Store.ReportByIDOrType(ctx, caller.Workspace.ID, ref)
	if err != nil {
		return nil, err
	}
	return definition, caller.RequireReport(&definition.Row, store.Read)
}

// toRun finds a report that the caller may take files of.
func (s *service) toRun(ctx context.Context, ref string) (*store.ReportDefinition, error) {
	definition, err := s.report(ctx, ref)
	if err != nil {
		return nil, err
	}
	return definition, access.Of(ctx).RequireRun(&definition.Row)
}

// ReportType is a report type in a list.
type ReportType struct {
	ID                int     `json:"id" format:"int32"`
	Name              string  `json:"name"`
	Description       string  `json:"description"`
	Code              string  `json:"code"`
	DefaultReportID   *int    `json:"defaultReportId" format:"int32" doc:"The report that the code addresses."`
	DefaultReportName *string `json:"defaultReportName"`
}

// reportTypes is endpoint 15.
func (s *service) reportTypes(ctx context.Context, _ *WorkspacePath) (*list[ReportType], error) {
	rows, err := s.Store.ReportTypesFor(ctx, &access.Of(ctx).Access)
	return listOf(rows, err, func(t store.ReportType) ReportType {
		return ReportType{t.ID, t.Name, t.Description, t.Code, t.DefaultReportID, t.DefaultReportName}
	})
}

// Named is a template or theme in a list.
type Named struct {
	ID   int    `json:"id" format:"int32"`
	Name string `json:"name"`
	Code string `json:"code"`
}

// templates is endpoint 16.
func (s *service) templates(ctx context.Context, _ *WorkspacePath) (*list[Named], error) {
	rows, err := s.Store.Templates(ctx, access.Of(ctx).Workspace.ID)
	return listOf(rows, err, func(n store.NamedRow) Named { return Named(n) })
}

// themes is endpoint 17.
func (s *service) themes(ctx context.Context, _ *WorkspacePath) (*list[Named], error) {
	rows, err := s.Store.Themes(ctx, access.Of(ctx).Workspace.ID)
	return listOf(rows, err, func(n store.NamedRow) Named { return Named(n) })
}
