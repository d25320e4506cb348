package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/report"
)

// NewReport is a report to be made.
type NewReport struct {
	Name  string
	Code  string // empty: made from the name
	Type  string // code of its report type; empty: the definition's, or Other
	Owner int    // who makes it
	// Definition is what it starts from; nil is one empty page.
	Definition *report.Report
	SharedAs   int  // ID of the report whose access rules it gets; 0 is none
	Unfinished bool // see ReportRow
}

// Version is what a report was after it was saved once.
type Version struct {
	Revision int
	User     string // display name of the user who saved it; empty when unknown
	Saved    time.Time
	Name     string // what people call it; empty: it has none
	Pictured bool   // it has a picture
}

// Limits of the history of a report.
const (
	keptVersions = 200
	// namedVersions are kept beside them.
	namedVersions = 200
	mostName      = 100 // characters
	// oneSitting is how long the saves of one person count as one version, so
	// that a history of saving by itself can be read.
	oneSitting = 2 * time.Minute
	// keptDeleted is how long deleting a report can be undone.
	keptDeleted = 30 * 24 * time.Hour
)

// CreateReport makes a report.
func (s *Store) CreateReport(ctx context.Context, workspaceID int, n NewReport) (*ReportDefinition, error) {
	def := &report.Report{Version: report.Version, Pages: []report.Page{{ID: 1, Name: "Page 1"}}}
	if n.Definition != nil {
		copied := *n.Definition
		def = &copied
	}
	def.Name, def.Type = strings.TrimSpace(cmp.Or(n.Name, def.Name)), cmp.Or(n.Type, def.Type)
	if err := checkName("name", def.Name, "the name is missing"); err != nil {
		return nil, err
	}
	var id int
	err := s.db.inTx(ctx, func(t tx) error {
		code, err := freeCode(ctx, t, workspaceID, n.Code, def.Name)
		if err != nil {
			return err
		}
		doc, err := s.writeReport(ctx, t, workspaceID, def)
		if err != nil {
			return err
		}
		now := s.now()
		err = t.get(ctx, &id, `INSERT INTO reports (workspace_id, type_id, code, code_key, name, position, template_key, theme_key,
				own_template, own_theme, is_subreport, document, owner_id, unfinished, restricted, created_at, updated_at)
			SELECT ?, ?, ?, ?, ?, COALESCE(MAX(position) + 1, 0), ?, ?, ?, ?, ?, ?, ?, ?, EXISTS (SELECT 1 FROM reports o WHERE o.id = ? AND o.restricted), ?, ? FROM reports WHERE workspace_id = ? RETURNING id`,
			workspaceID, doc.typeID, code, codeKey(code), def.Name, codeKey(def.Template), codeKey(def.Theme),
			doc.own.template, doc.own.theme, def.Subreport, doc.text, nullID(n.Owner), n.Unfinished, n.SharedAs, now, now, workspaceID)
		if err != nil {
			return orTaken(err, "code", "there is a report with the code %q already", code)
		}
		_, err = t.exec(ctx, "INSERT INTO report_access (report_id, role_id, user_id, group_id, level) SELECT ?, role_id, user_id, group_id, level FROM report_access WHERE report_id = ?", id, n.SharedAs)
		if err != nil {
			return err
		}
		if err := s.addVersion(ctx, t, id, 1, doc.text, n.Owner); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportCreated, WorkspaceID: workspaceID, Target: targetOf(targetReport, id)})
	})
	if err != nil {
		return nil, err
	}
	return s.ReportByIDOrType(ctx, workspaceID, strconv.Itoa(id))
}

// SaveReport writes a report that was read at a revision, and gives the new
// revision. When somebody else saved it since, that is a Problem of kind
// Conflict, and nothing is written.
func (s *Store) SaveReport(ctx context.Context, workspaceID, id, revision, userID int, def *report.Report) (int, error) {
	return s.saveReport(ctx, workspaceID, id, revision, userID, def, nil)
}

// SaveDraft is SaveReport for a report that may be unfinished, see ReportRow.
func (s *Store) SaveDraft(ctx context.Context, workspaceID, id, revision, userID int, def *report.Report, unfinished bool) (int, error) {
	return s.saveReport(ctx, workspaceID, id, revision, userID, def, &unfinished)
}

func (s *Store) saveReport(ctx context.Context, workspaceID, id, revision, userID int, def *report.Report, unfinished *bool) (int, error) {
	if err := checkName("name", def.Name, "the name is missing"); err != nil {
		return 0, err
	}
	err := s.db.inTx(ctx, func(t tx) error {
		if err := s.keepOriginal(ctx, t, id, revision); err != nil {
			return err
		}
		doc, err := s.writeReport(ctx, t, workspaceID, def)
		if err != nil {
			return err
		}
		n, err := t.exec(ctx, `UPDATE reports SET type_id = ?, name = ?, template_key = ?, theme_key = ?, own_template = ?, own_theme = ?,
				is_subreport = ?, document = ?, unfinished = COALESCE(?, unfinished), revision = revision + 1, updated_at = ?
			WHERE id = ? AND workspace_id = ? AND revision = ? AND deleted_at IS NULL`,
			doc.typeID, def.Name, codeKey(def.Template), codeKey(def.Theme), doc.own.template, doc.own.theme, def.Subreport, doc.text, unfinished, s.now(), id, workspaceID, revision)
		if err != nil {
			return err
		}
		if n == 0 {
			return s.whySaved(ctx, t, workspaceID, id, revision)
		}
		if err := s.addVersion(ctx, t, id, revision+1, doc.text, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportSaved, WorkspaceID: workspaceID, Target: targetOf(targetReport, id), Detail: map[string]any{"revision": revision + 1}, once: oneSitting})
	})
	return revision + 1, err
}

// writtenReport is a definition on its way into its row.
type writtenReport struct {
	text   string
	typeID int
	own    carried
}

func (s *Store) writeReport(ctx context.Context, t tx, workspaceID int, def *report.Report) (*writtenReport, error) {
	if err := numberPages(def, ""); err != nil {
		return nil, err
	}
	text, err := encode(def, "")
	if err != nil {
		return nil, err
	}
	im := s.newImport(t, &Workspace{ID: workspaceID}, &report.Workspace{Reports: []report.NamedReport{{Report: *def}}})
	types, err := im.typeRows(ctx)
	if err != nil {
		return nil, err
	}
	kind, ok := types[typeKey(def)]
	if !ok {
		return nil, report.Problemf("type", "unknown report type %q", def.Type)
	}
	return &writtenReport{text, kind.ID, ownFrame(def)}, nil
}

// keepOriginal makes a version of a definition that was imported rather than
// saved here. The first belongs to the owner of the report; who imported a
// later one is not known.
func (s *Store) keepOriginal(ctx context.Context, t tx, id, revision int) error {
	_, err := t.exec(ctx, `INSERT INTO report_versions (report_id, revision, document, user_id, created_at)
		SELECT id, revision, document, CASE WHEN revision = 1 THEN owner_id END, updated_at FROM reports r WHERE id = ? AND revision = ?
			AND NOT EXISTS (SELECT 1 FROM report_versions v WHERE v.report_id = r.id AND v.revision = r.revision)
		ON CONFLICT (report_id, revision) DO NOTHING`, id, revision)
	return err
}

// whySaved is why a save wrote nothing.
func (s *Store) whySaved(ctx context.Context, t tx, workspaceID, id, revision int) error {
	var now int
	if err := t.get(ctx, &now, "SELECT revision FROM reports WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL", id, workspaceID); err != nil {
		return orNotFound(err, "report %d does not exist", id)
	}
	var who []string
	err := t.list(ctx, &who, "SELECT u.display_name FROM report_versions v JOIN users u ON u.id = v.user_id WHERE v.report_id = ? AND v.revision = ?", id, now)
	if err != nil {
		return err
	}
	by := ""
	if len(who) > 0 {
		by = who[0]
	}
	return savedMeanwhile(by, "report", now, revision)
}

// addVersion adds to the history of a report. It takes the place of the one that
// the same person saved a moment ago, also where others saved since: two who edit
// at once must not push out what was there before. Those with a name stay.
func (s *Store) addVersion(ctx context.Context, t tx, id, revision int, text string, userID int) error {
	_, err := t.exec(ctx, "DELETE FROM report_versions WHERE report_id = ? AND revision < ? AND revision > 1 AND user_id = ? AND created_at > ? AND name = ''",
		id, revision, nullID(userID), s.clock().Add(-oneSitting).UnixMilli())
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, "INSERT INTO report_versions (report_id, revision, document, user_id, created_at) VALUES (?, ?, ?, ?, ?)", id, revision, text, nullID(userID), s.now())
	if err != nil {
		return err
	}
	return pruneVersions(ctx, t, id)
}

// pruneVersions lets go of those without a name that are too many.
func pruneVersions(ctx context.Context, t tx, id int) error {
	_, err := t.exec(ctx, `DELETE FROM report_versions WHERE report_id = ? AND name = '' AND revision <= (SELECT MIN(revision) FROM
		(SELECT revision FROM report_versions WHERE report_id = ? AND name = '' ORDER BY revision DESC LIMIT ?) newest) - 1`, id, id, keptVersions)
	return err
}

// ReportVersions lists the history of a report, the newest first.
func (s *Store) ReportVersions(ctx context.Context, workspaceID, id int) ([]Version, error) {
	var rows []struct {
		Revision int     `db:"revision"`
		User     *string `db:"display_name"`
		Saved    int64   `db:"created_at"`
		Name     string  `db:"name"`
		Pictured bool    `db:"pictured"`
	}
	err := s.db.list(ctx, &rows, `SELECT v.revision, u.display_name, v.created_at, v.name, v.picture IS NOT NULL AS pictured FROM report_versions v
		JOIN reports r ON r.id = v.report_id LEFT JOIN users u ON u.id = v.user_id
		WHERE v.report_id = ? AND r.workspace_id = ? AND r.deleted_at IS NULL ORDER BY v.revision DESC`, id, workspaceID)
	versions := make([]Version, len(rows))
	for i, row := range rows {
		versions[i] = Version{Revision: row.Revision, Saved: fromMillis(row.Saved), Name: row.Name, Pictured: row.Pictured}
		if row.User != nil {
			versions[i].User = *row.User
		}
	}
	return versions, err
}

// ReportVersion is a report as it was at a revision of its history.
func (s *Store) ReportVersion(ctx context.Context, workspaceID, id, revision int) (*report.Report, error) {
	var text string
	err := s.db.get(ctx, &text, `SELECT v.document FROM report_versions v JOIN reports r ON r.id = v.report_id
		WHERE v.report_id = ? AND v.revision = ? AND r.workspace_id = ? AND r.deleted_at IS NULL`, id, revision, workspaceID)
	if err != nil {
		return nil, orNotFound(err, "report %d has no version %d", id, revision)
	}
	decoded := new(report.Report)
	if problems := report.ReadStored([]byte(text), decoded); len(problems) > 0 {
		return nil, fmt.Errorf("reading version %d of report %d: %w", revision, id, problems)
	}
	return decoded, nil
}

// DeleteReport deletes a report. RestoreReport brings it back within thirty days.
func (s *Store) DeleteReport(ctx context.Context, workspaceID, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE reports SET deleted_at = ?, code_key = ? WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL", s.now(), fmt.Sprintf("deleted/%d", id), id, workspaceID)
		if err != nil {
			return err
		}
		if n == 0 {
			return report.NotFoundf("report %d does not exist", id)
		}
		_, err = t.exec(ctx, "UPDATE reports SET default_of = (SELECT id FROM report_types WHERE default_report_id = ?) WHERE id = ?", id, id)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE report_types SET default_report_id = NULL WHERE default_report_id = ?", id)
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportDeleted, WorkspaceID: workspaceID, Target: targetOf(targetReport, id)})
	})
}

// RestoreReport undoes DeleteReport. When its code was taken meanwhile it gets
// another one. It is the default of its type again when the type has no other.
func (s *Store) RestoreReport(ctx context.Context, workspaceID, id int) (*ReportDefinition, error) {
	err := s.db.inTx(ctx, func(t tx) error {
		var row struct {
			Code string `db:"code"`
			Name string `db:"name"`
		}
		err := t.get(ctx, &row, "SELECT code, name FROM reports WHERE id = ? AND workspace_id = ? AND deleted_at IS NOT NULL", id, workspaceID)
		if err != nil {
			return orNotFound(err, "there is no deleted report %d", id)
		}
		code, err := freeCode(ctx, t, workspaceID, "", row.Code)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE report_types SET default_report_id = ? WHERE default_report_id IS NULL AND id = (SELECT default_of FROM reports WHERE id = ?)", id, id)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "UPDATE reports SET deleted_at = NULL, default_of = NULL, code = ?, code_key = ? WHERE id = ?", code, codeKey(code), id)
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportRestored, WorkspaceID: workspaceID, Target: targetOf(targetReport, id)})
	})
	if err != nil {
		return nil, err
	}
	return s.ReportByIDOrType(ctx, workspaceID, strconv.Itoa(id))
}

// sweepDeleted removes what was deleted long ago. Its preview image is found by
// the search for orphans.
func (s *Store) sweepDeleted(ctx context.Context) (int, error) {
	before := s.clock().Add(-keptDeleted).UnixMilli()
	reports, err := s.db.exec(ctx, "DELETE FROM reports WHERE deleted_at <= ?", before)
	if err != nil {
		return reports, err
	}
	resources, err := s.db.exec(ctx, "DELETE FROM resources WHERE kind LIKE ? AND updated_at <= ?", deletedKind+"%", before)
	if err != nil {
		return reports + resources, err
	}
	comments, err := s.sweepComments(ctx, before)
	return reports + resources + comments, err
}

// freeCode is the code asked for, or one made from a name that no other report
// of the workspace has.
func freeCode(ctx context.Context, t tx, workspaceID int, asked, name string) (string, error) {
	if asked != "" {
		return asked, checkCode("code", asked)
	}
	base := codeOf(name)
	var taken []string
	if err := t.list(ctx, &taken, "SELECT code_key FROM reports WHERE workspace_id = ? AND code_key LIKE ?", workspaceID, codeKey(base)+"%"); err != nil {
		return "", err
	}
	used := map[string]bool{}
	for _, key := range taken {
		used[key] = true
	}
	code := base
	for n := 2; used[codeKey(code)]; n++ {
		code = fmt.Sprintf("%s-%d", base, n)
	}
	return code, nil
}

// codeOf makes a code of a name: letters without their accents, digits, and a
// dash between words.
func codeOf(name string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(name) {
		switch {
		case r < unicode.MaxASCII && isCodeRune(r):
			b.WriteRune(unicode.ToLower(r))
		case !unicode.Is(unicode.Mn, r) && b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxCode-10 {
			break
		}
	}
	code := strings.Trim(b.String(), "-")
	if strings.Trim(code, "0123456789") == "" {
		return strings.Trim("report-"+code, "-")
	}
	return code
}

// nullID is an ID for a column that may be empty; 0 is nobody.
func nullID(id int) *int {
	if id == 0 {
		return nil
	}
	return &id
}
