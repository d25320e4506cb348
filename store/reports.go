package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quire-reports/quire/report"
)

// ReportRow is a report in a list.
type ReportRow struct {
	ID           int
	Code         string // file name in a bundle
	Name         string
	TypeID       int
	TypeName     string
	TypeCode     string
	TemplateName string // empty: the built-in template
	ThemeName    string // empty: the built-in theme
	IsDefault    bool   // whether the type's code addresses this report
	IsSubreport  bool
	// Unfinished tells that it was saved with something to be mended. It is not
	// printed until that is done.
	Unfinished bool
	// PreviewImage changes with the image and so can stand in an address; nil
	// without one. The image is read with Store.PreviewImage.
	PreviewImage *string
	OwnerID      int // 0: nobody, as after an import
	Revision     int
	Updated      time.Time
	Access       *ReportAccess // nil: everybody whose role reads reports
}

// ReportDefinition is a report as it is exported. Report and Library are
// shared by all who ask: not to be changed.
type ReportDefinition struct {
	ID      int
	Row     ReportRow
	Report  *report.Report
	Library *Library
}

// PageRow is a page in a list.
type PageRow struct {
	ID   int
	Name string
	Type string
}

// ReportQuery chooses reports for a list. The zero value is all of them but
// those that are only used inside others.
type ReportQuery struct {
	Type       string  // code of the report type; "" is all
	For        *Access // only those this user may see; nil is all
	Subreports bool    // also those only used inside others
	Inner      bool    // only those only used inside others
	Search     string  // a part of the name, whatever its case and accents
	IDs        []int   // only these; nil is all
	Sort       ReportSort
	Offset     int
	Limit      int // default and most: 10,000
}

// ReportSort is an order of reports.
type ReportSort string

// The orders; the zero value is the one people gave them.
const (
	ByName    ReportSort = "name"
	ByChanged ReportSort = "changed" // the latest first
)

const maxReports = 10_000

// reportRow is a row of the list before names are looked up.
type reportRow struct {
	ID          int     `db:"id"`
	Code        string  `db:"code"`
	Name        string  `db:"name"`
	TypeID      int     `db:"type_id"`
	TypeName    string  `db:"type_name"`
	TypeCode    string  `db:"type_code"`
	DefaultID   *int    `db:"default_report_id"`
	TemplateKey string  `db:"template_key"`
	ThemeKey    string  `db:"theme_key"`
	OwnTemplate *string `db:"own_template"`
	OwnTheme    *string `db:"own_theme"`
	IsSubreport bool    `db:"is_subreport"`
	Unfinished  bool    `db:"unfinished"`
	PreviewKey  *string `db:"preview_key"`
	OwnerID     *int    `db:"owner_id"`
	Restricted  bool    `db:"restricted"`
	Revision    int     `db:"revision"`
	Updated     int64   `db:"updated_at"`
	Library     int     `db:"library_revision"`
}

const reportSelect = `SELECT r.id, r.code, r.name, r.type_id, t.name AS type_name, t.code AS type_code, t.default_report_id,
	r.template_key, r.theme_key, r.own_template, r.own_theme, r.is_subreport, r.unfinished, r.preview_key, r.owner_id, r.restricted,
	r.revision, r.updated_at, w.revision AS library_revision
	FROM reports r JOIN report_types t ON t.id = r.type_id JOIN workspaces w ON w.id = r.workspace_id `

// Reports lists reports of a workspace in their order.
func (s *Store) Reports(ctx context.Context, workspaceID int, q ReportQuery) ([]ReportRow, error) {
	if q.Limit <= 0 || q.Limit > maxReports {
		q.Limit = maxReports
	}
	limit, offset := q.Limit, max(0, q.Offset)
	if q.arranges() {
		limit, offset = maxReports, 0
	}
	visible, who := q.For.visible()
	args := append([]any{workspaceID, q.Type, codeKey(q.Type), q.Subreports || q.Inner, q.Inner}, who...)
	if q.IDs != nil {
		these, ids := among(&s.db.dialect, "r.id", q.IDs)
		visible, args = visible+" AND "+these, append(args, ids...)
	}
	var rows []reportRow
	err := s.db.list(ctx, &rows, reportSelect+`WHERE r.deleted_at IS NULL AND r.workspace_id = ? AND (? = '' OR t.code_key = ?)
		AND (? OR NOT r.is_subreport) AND (r.is_subreport OR NOT ?)`+visible+` ORDER BY r.position, r.id LIMIT ? OFFSET ?`, append(args, limit, offset)...)
	if rows = q.arranged(rows); err != nil || len(rows) == 0 {
		return []ReportRow{}, err
	}
	library, err := s.libraryAt(ctx, workspaceID, rows[0].Library)
	if err != nil {
		return nil, err
	}
	reports := make([]ReportRow, len(rows))
	for i := range rows {
		reports[i] = rows[i].row(library)
	}
	return reports, s.withAccess(ctx, reports, func(i int) bool { return rows[i].Restricted })
}

// arranges tells whether the rows are chosen and ordered here: the databases
// differ in how they compare letters.
func (q *ReportQuery) arranges() bool { return q.Search != "" || q.Sort != "" }

// arranged is the part of all rows that a query asks for.
func (q *ReportQuery) arranged(rows []reportRow) []reportRow {
	if !q.arranges() {
		return rows
	}
	rows = slices.DeleteFunc(rows, func(r reportRow) bool { return !contains(r.Name, q.Search) })
	switch q.Sort {
	case ByName:
		slices.SortStableFunc(rows, func(a, b reportRow) int { return cmp.Compare(folded(a.Name), folded(b.Name)) })
	case ByChanged:
		slices.SortStableFunc(rows, func(a, b reportRow) int { return cmp.Compare(b.Updated, a.Updated) })
	}
	from := min(max(0, q.Offset), len(rows))
	return rows[from:min(len(rows), from+q.Limit)]
}

// row looks the names of template and theme up as an export would choose them.
func (r *reportRow) row(l *Library) ReportRow {
	row := ReportRow{
		ID: r.ID, Code: r.Code, Name: r.Name, TypeID: r.TypeID, TypeName: r.TypeName, TypeCode: r.TypeCode,
		IsDefault: r.DefaultID != nil && *r.DefaultID == r.ID, IsSubreport: r.IsSubreport, Unfinished: r.Unfinished,
		Revision: r.Revision, Updated: fromMillis(r.Updated),
	}
	if r.OwnerID != nil {
		row.OwnerID = *r.OwnerID
	}
	if r.PreviewKey != nil {
		version := previewVersion(*r.PreviewKey)
		row.PreviewImage = &version
	}
	row.TemplateName, row.ThemeName = r.frame(l)
	return row
}

// frame is the names of the template and theme the report prints with.
func (r *reportRow) frame(l *Library) (templateName, themeName string) {
	themeKey := r.ThemeKey
	if r.OwnTemplate != nil {
		templateName = *r.OwnTemplate
	} else if template, err := l.Template(r.TemplateKey); err == nil {
		templateName = template.Name
		if themeKey == "" {
			themeKey = codeKey(template.Theme)
		}
	}
	if r.OwnTheme != nil {
		return templateName, *r.OwnTheme
	}
	if theme, err := l.Theme(themeKey); err == nil {
		themeName = theme.Name
	}
	return templateName, themeName
}

// ReportByIDOrType finds a report by its ID, or the default report of a report
// type by the type's code.
func (s *Store) ReportByIDOrType(ctx context.Context, workspaceID int, ref string) (*ReportDefinition, error) {
	if id, isID := refID(ref); isID {
		return s.definition(ctx, workspaceID, "r.id = ?", id, "report "+ref+" does not exist")
	}
	return s.definition(ctx, workspaceID, "t.code_key = ? AND t.default_report_id = r.id", codeKey(ref),
		fmt.Sprintf("there is no report type %q with a default report", ref))
}

// ReportByCode finds a report by its own code, as other reports name it.
func (s *Store) ReportByCode(ctx context.Context, workspaceID int, code string) (*ReportDefinition, error) {
	return s.definition(ctx, workspaceID, "r.code_key = ?", codeKey(code), fmt.Sprintf("there is no report %q", code))
}

// definition is one indexed read while neither the report nor the library
// changed: it brings the revisions, and the rest is in memory. Access rules,
// which few reports have, are read as well.
func (s *Store) definition(ctx context.Context, workspaceID int, condition string, arg any, missing string) (*ReportDefinition, error) {
	var row reportRow
	err := s.db.get(ctx, &row, reportSelect+"WHERE r.deleted_at IS NULL AND r.workspace_id = ? AND "+condition, workspaceID, arg)
	if err != nil {
		return nil, orNotFound(err, "%s", missing)
	}
	library, err := s.libraryAt(ctx, workspaceID, row.Library)
	if err != nil {
		return nil, err
	}
	decoded, err := s.decodedReport(ctx, row.ID, row.Revision)
	if err != nil {
		return nil, err
	}
	listed := []ReportRow{row.row(library)}
	if err := s.withAccess(ctx, listed, func(int) bool { return row.Restricted }); err != nil {
		return nil, err
	}
	return &ReportDefinition{ID: row.ID, Row: listed[0], Report: decoded, Library: library}, nil
}

func (s *Store) decodedReport(ctx context.Context, id, revision int) (*report.Report, error) {
	key := cacheKey{"report", id}
	if value, known := s.cache.get(key); value != nil && known >= revision {
		return value.(*report.Report), nil
	}
	var row struct {
		Revision int    `db:"revision"`
		Document string `db:"document"`
	}
	if err := s.db.get(ctx, &row, "SELECT revision, document FROM reports WHERE id = ?", id); err != nil {
		return nil, orNotFound(err, "report %d does not exist", id)
	}
	decoded := new(report.Report)
	if problems := report.ReadStored([]byte(row.Document), decoded); len(problems) > 0 {
		return nil, fmt.Errorf("reading report %d: %w", id, problems)
	}
	s.cache.put(key, row.Revision, decoded, len(row.Document))
	return decoded, nil
}

// Pages lists the pages of a report.
func (s *Store) Pages(ctx context.Context, workspaceID int, ref string) ([]PageRow, error) {
	d, err := s.ReportByIDOrType(ctx, workspaceID, ref)
	if err != nil {
		return nil, err
	}
	return d.Pages(), nil
}

// Pages lists the pages of the report.
func (d *ReportDefinition) Pages() []PageRow {
	pages := make([]PageRow, len(d.Report.Pages))
	for i := range pages {
		p := &d.Report.Pages[i]
		pages[i] = PageRow{ID: p.ID, Name: p.Name, Type: p.Type}
		if p.Type == "" {
			pages[i].Type = report.PageTypePage
		}
	}
	return pages
}
