package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/report"
)

// types brings the report types in. Their default reports follow when the
// reports are there.
func (im *importer) types(ctx context.Context) error {
	seen := map[string]bool{}
	for i, t := range im.content.ReportTypes {
		path := fmt.Sprintf("reportTypes[%d]", i)
		if err := checkCode("code", t.Code); err != nil {
			return under(path, err)
		}
		if seen[codeKey(t.Code)] {
			return report.Problemf(path, "reportTypes has a second %q", t.Code)
		}
		seen[codeKey(t.Code)] = true
		if err := im.putType(ctx, &t, i); err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) putType(ctx context.Context, t *report.ReportType, position int) error {
	var rows []struct {
		Name        string `db:"name"`
		Code        string `db:"code"`
		Description string `db:"description"`
		Position    int    `db:"position"`
	}
	err := im.t.list(ctx, &rows, "SELECT name, code, description, position FROM report_types WHERE workspace_id = ? AND code_key = ?", im.workspace(), codeKey(t.Code))
	if err != nil {
		return err
	}
	exists := len(rows) > 0
	same := exists && rows[0].Name == t.Name && rows[0].Code == t.Code && rows[0].Description == t.Description && rows[0].Position == position
	im.count(exists, same)
	if same {
		return nil
	}
	_, err = im.t.exec(ctx, `INSERT INTO report_types (workspace_id, code, code_key, name, description, position) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, code_key) DO UPDATE SET code = excluded.code, name = excluded.name,
			description = excluded.description, position = excluded.position`,
		im.workspace(), t.Code, codeKey(t.Code), t.Name, t.Description, position)
	return err
}

type typeRow struct {
	ID   int    `db:"id"`
	Code string `db:"code"`
	Key  string `db:"code_key"`
}

// typeRows are the workspace's report types by key, among them Other when a
// report without a type needs it.
func (im *importer) typeRows(ctx context.Context) (map[string]typeRow, error) {
	isUntyped := func(r report.NamedReport) bool { return typeKey(&r.Report) == otherType().Code }
	if slices.ContainsFunc(im.content.Reports, isUntyped) {
		_, err := im.t.exec(ctx, `INSERT INTO report_types (workspace_id, code, code_key, name, position)
			SELECT ?, ?, ?, ?, COALESCE(MAX(position) + 1, 0) FROM report_types WHERE workspace_id = ?
			ON CONFLICT (workspace_id, code_key) DO NOTHING`, im.workspace(), otherType().Code, otherType().Code, otherType().Name, im.workspace())
		if err != nil {
			return nil, err
		}
	}
	var rows []typeRow
	err := im.t.list(ctx, &rows, "SELECT id, code, code_key FROM report_types WHERE workspace_id = ? ORDER BY position, id", im.workspace())
	types := map[string]typeRow{}
	for _, row := range rows {
		types[row.Key] = row
	}
	return types, err
}

func typeKey(r *report.Report) string {
	if r.Type == "" {
		return otherType().Code
	}
	return codeKey(r.Type)
}

// reports brings the reports in, in the bundle's order.
func (im *importer) reports(ctx context.Context) error {
	types, err := im.typeRows(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range im.content.Reports {
		r := im.content.Reports[i]
		path := "reports." + r.Code
		kind, known := types[typeKey(&r.Report)]
		switch {
		case !known:
			return report.Problemf(path+".type", "unknown report type %q; the workspace's reportTypes do not have it", r.Report.Type)
		case seen[codeKey(r.Code)]:
			return report.Problemf(path, "there is a second report %q", r.Code)
		}
		if err := checkCode("code", r.Code); err != nil {
			return under(path, err)
		}
		seen[codeKey(r.Code)] = true
		if err := im.putReport(ctx, &r, reportPlace{path, kind.ID, i}); err != nil {
			return err
		}
	}
	return nil
}

// reportPlace is where a report goes.
type reportPlace struct {
	path     string // of its problems
	typeID   int
	position int
}

func (im *importer) putReport(ctx context.Context, r *report.NamedReport, place reportPlace) error {
	def := r.Report
	if err := numberPages(&def, place.path); err != nil {
		return err
	}
	text, err := encode(&def, place.path)
	if err != nil {
		return err
	}
	var rows []struct {
		storedDocument
		TypeID int `db:"type_id"`
	}
	err = im.t.list(ctx, &rows, "SELECT id, position, document, type_id FROM reports WHERE workspace_id = ? AND code_key = ?", im.workspace(), codeKey(r.Code))
	if err != nil {
		return err
	}
	exists := len(rows) > 0
	same := exists && rows[0].Document == text && rows[0].Position == place.position && rows[0].TypeID == place.typeID
	im.count(exists, same)
	if same {
		return nil
	}
	own := ownFrame(&def)
	_, err = im.t.exec(ctx, `INSERT INTO reports (workspace_id, type_id, code, code_key, name, position, template_key, theme_key,
			own_template, own_theme, is_subreport, document, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, code_key) DO UPDATE SET type_id = excluded.type_id, code = excluded.code, name = excluded.name,
			unfinished = FALSE, position = excluded.position, template_key = excluded.template_key, theme_key = excluded.theme_key,
			own_template = excluded.own_template, own_theme = excluded.own_theme, is_subreport = excluded.is_subreport,
			document = excluded.document, revision = reports.revision + 1, updated_at = excluded.updated_at`,
		im.workspace(), place.typeID, r.Code, codeKey(r.Code), def.Name, place.position, codeKey(def.Template), codeKey(def.Theme),
		own.template, own.theme, def.Subreport, text, im.now, im.now)
	return err
}

// numberPages gives pages without an ID the next free one and refuses two of
// the same. The list is copied: the caller's bundle stays as it is.
func numberPages(r *report.Report, path string) error {
	r.Pages = slices.Clone(r.Pages)
	used, highest := map[int]bool{}, 0
	for i, p := range r.Pages {
		if p.ID < 0 || p.ID != 0 && used[p.ID] {
			return report.Problemf(fmt.Sprintf("%s.pages[%d].id", path, i), "page ID %d: page IDs are positive and unique in the report", p.ID)
		}
		used[p.ID] = true
		highest = max(highest, p.ID)
	}
	for i := range r.Pages {
		if r.Pages[i].ID == 0 {
			highest++
			r.Pages[i].ID = highest
		}
	}
	return nil
}

// carried are the names of the template and theme that a report brings along.
type carried struct{ template, theme *string }

func ownFrame(r *report.Report) (own carried) {
	if r.Include == nil {
		return own
	}
	themeKey := codeKey(r.Theme)
	for i := range r.Include.Templates {
		t := &r.Include.Templates[i]
		if r.Template == "" || codeKey(t.Code) == codeKey(r.Template) {
			own.template = &t.Name
			if themeKey == "" {
				themeKey = codeKey(t.Theme)
			}
			break
		}
	}
	for i := range r.Include.Themes {
		t := &r.Include.Themes[i]
		if themeKey == "" || codeKey(t.Code) == themeKey {
			own.theme = &t.Name
			break
		}
	}
	return own
}

// defaults sets the default report of each type: the one the bundle names, or
// for a type without any its first report.
func (im *importer) defaults(ctx context.Context) error {
	for i, t := range im.content.ReportTypes {
		if t.DefaultReport == "" {
			continue
		}
		n, err := im.t.exec(ctx, `UPDATE report_types SET default_report_id = (SELECT r.id FROM reports r
				WHERE r.type_id = report_types.id AND r.code_key = ?)
			WHERE workspace_id = ? AND code_key = ? AND EXISTS (SELECT 1 FROM reports r
				WHERE r.type_id = report_types.id AND r.code_key = ?)`,
			codeKey(t.DefaultReport), im.workspace(), codeKey(t.Code), codeKey(t.DefaultReport))
		if err == nil && n == 0 {
			return report.Problemf(fmt.Sprintf("reportTypes[%d].defaultReport", i), "there is no report %q of the type %q", t.DefaultReport, t.Code)
		}
		if err != nil {
			return err
		}
	}
	_, err := im.t.exec(ctx, `UPDATE report_types SET default_report_id = (SELECT r.id FROM reports r
			WHERE r.type_id = report_types.id AND r.deleted_at IS NULL ORDER BY r.is_subreport, r.position, r.id LIMIT 1)
		WHERE workspace_id = ? AND NOT EXISTS (SELECT 1 FROM reports r
			WHERE r.id = report_types.default_report_id AND r.type_id = report_types.id)`, im.workspace())
	return err
}
