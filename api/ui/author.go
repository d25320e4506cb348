package ui

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// The addresses below /api/ui/ are what the designer works with. They are not a
// promise to others: the public API is /api/v1/.

// authored is a report as the designer reads and writes it.
type authored struct {
	ID         int            `json:"id"`
	Code       string         `json:"code"`
	Revision   int            `json:"revision"`
	Definition *report.Report `json:"definition"`
	Problems   []namedWarning `json:"problems"` // what is to be mended before it prints
}

func (u *UI) writeAuthored(w http.ResponseWriter, r *http.Request, status int, d *store.ReportDefinition, problems report.Problems) {
	w.Header().Set("ETag", etag(d.Row.Revision))
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, status, u.authored(r, d, problems))
}

func (u *UI) authored(r *http.Request, d *store.ReportDefinition, problems report.Problems) *authored {
	return &authored{d.ID, d.Row.Code, d.Row.Revision, d.Report, u.warningsOf(r, problems)}
}

// faults are what is to be mended in a report before it prints. They keep nobody
// from saving it: an export says them.
func (u *UI) faults(def *report.Report) report.Problems {
	return append(report.Unfinished(def), u.Export.Check(def)...)
}

func (u *UI) warningsOf(r *http.Request, problems report.Problems) []namedWarning {
	list := make([]namedWarning, 0, len(problems))
	for _, p := range problems {
		if one := (namedWarning{p.Path, u.told(r, p.Message)}); !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

func etag(revision int) string { return `"` + strconv.Itoa(revision) + `"` }

// newReport is the body that makes a report. From is the report it is a copy
// of; a definition wins over it.
type newReport struct {
	Name       string         `json:"name"`
	Code       string         `json:"code"`
	Type       string         `json:"type"`
	From       int            `json:"from"`
	Definition *report.Report `json:"definition"`
}

func (u *UI) createReport(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	var body newReport
	if err := u.readBody(r, &body); err != nil {
		u.refuse(w, r, err)
		return
	}
	made := store.NewReport{Name: body.Name, Code: body.Code, Type: body.Type, Owner: caller.User.ID, Definition: body.Definition}
	original := &store.ReportDefinition{Report: &report.Report{}}
	if body.From != 0 {
		var err error
		original, err = u.Store.ReportByIDOrType(r.Context(), caller.Workspace.ID, strconv.Itoa(body.From))
		if err == nil {
			err = caller.RequireReport(&original.Row, store.Write) // a copy shows all of it
		}
		if err != nil {
			u.refuse(w, r, err)
			return
		}
	}
	made.SharedAs = original.ID
	if body.From != 0 && made.Definition == nil {
		made.Definition, made.Type = original.Report, cmp.Or(body.Type, original.Report.Type)
		made.Name = cmp.Or(body.Name, original.Row.Name+" (copy)")
	}
	if made.Definition != nil {
		made.Unfinished = len(u.faults(made.Definition)) > 0
		if err := u.judge(r, made.Definition, original.Report); err != nil {
			u.refuse(w, r, err)
			return
		}
	}
	definition, err := u.Store.CreateReport(r.Context(), caller.Workspace.ID, made)
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.writeAuthored(w, r, http.StatusCreated, definition, u.faults(definition.Report))
}

// judge refuses what a definition names that the known ones do not and that the
// caller could not reach alone.
func (u *UI) judge(r *http.Request, definition any, known ...any) error {
	return rights.Judge{Store: u.Store}.New(r.Context(), &access.Of(r.Context()).Access, definition, known...)
}

// readReport gives the whole definition to users who may change the report, and
// to others what they need to use it.
func (u *UI) readReport(w http.ResponseWriter, r *http.Request) {
	definition, err := u.definition(r)
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	problems := u.faults(definition.Report)
	if access.Of(r.Context()).RequireReport(&definition.Row, store.Write) != nil {
		seen := *definition
		seen.Report = export.ForReaders(definition.Report).(*report.Report)
		definition, problems = &seen, nil // who cannot mend them is not told what they say
	}
	u.writeAuthored(w, r, http.StatusOK, definition, problems)
}

// saveReport writes a report that was read at the revision of If-Match.
func (u *UI) saveReport(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	var revision int
	if err == nil {
		revision, err = ifMatch(r)
	}
	body := new(report.Report)
	if err == nil {
		err = u.readBody(r, body)
	}
	if err == nil {
		err = u.judge(r, body, definition.Report)
	}
	caller := access.Of(r.Context())
	if err == nil {
		revision, err = u.Store.SaveDraft(r.Context(), caller.Workspace.ID, definition.ID, revision, caller.User.ID, body, len(u.faults(body)) > 0)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.wake(nameOfReport(definition.ID))
	w.Header().Set("ETag", etag(revision))
	answer.JSON(w, http.StatusOK, authored{definition.ID, definition.Row.Code, revision, body, u.warningsOf(r, u.faults(body))})
}

func (u *UI) deleteReport(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Full)
	if err == nil {
		err = u.Store.DeleteReport(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (u *UI) restoreReport(w http.ResponseWriter, r *http.Request) {
	caller, id := access.Of(r.Context()), number(pathVar(r, "report"))
	gone, err := u.Store.DeletedReport(r.Context(), caller.Workspace.ID, id)
	if err == nil {
		err = caller.RequireReport(gone, store.Write)
	}
	var definition *store.ReportDefinition
	if err == nil {
		definition, err = u.Store.RestoreReport(r.Context(), caller.Workspace.ID, id)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.writeAuthored(w, r, http.StatusOK, definition, u.faults(definition.Report))
}

// version is an entry of a report's history.
type version struct {
	Revision int              `json:"revision"`
	User     string           `json:"user"`
	Saved    report.Timestamp `json:"saved"`
	Name     string           `json:"name,omitempty"`
	Pictured bool             `json:"pictured,omitempty"` // it has a picture
}

func (u *UI) reportVersions(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	var found []store.Version
	if err == nil {
		found, err = u.Store.ReportVersions(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	list := make([]version, len(found))
	for i, v := range found {
		list[i] = version{v.Revision, v.User, report.Timestamp(v.Saved), v.Name, v.Pictured}
	}
	answer.JSON(w, http.StatusOK, list)
}

func (u *UI) reportVersion(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	revision, _ := strconv.Atoi(pathVar(r, "revision")) // digits, as the route says
	var old *report.Report
	if err == nil {
		old, err = u.Store.ReportVersion(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID, revision)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	answer.JSON(w, http.StatusOK, authored{definition.ID, definition.Row.Code, revision, old, u.warningsOf(r, u.faults(old))})
}

// versionPicture is a small picture of a report as it was.
func (u *UI) versionPicture(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	var picture *store.VersionPicture
	if err == nil {
		picture, err = u.Store.VersionPicture(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID, number(pathVar(r, "revision")))
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", picture.ContentType)
	h.Set("Cache-Control", "private, max-age=86400, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	_, _ = w.Write(picture.Content)
}

// nameVersion says what people call a version of a report.
func (u *UI) nameVersion(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	var body struct {
		Name string `json:"name"`
	}
	if err == nil {
		err = u.readBody(r, &body)
	}
	if err == nil {
		err = u.Store.NameVersion(r.Context(), access.Of(r.Context()).Workspace.ID, definition.ID, number(pathVar(r, "revision")), body.Name)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// owned is the report of the address, if the caller may do this much with it.
func (u *UI) owned(r *http.Request, level store.Level) (*store.ReportDefinition, error) {
	definition, err := u.definition(r)
	if err != nil {
		return nil, err
	}
	return definition, access.Of(r.Context()).RequireReport(&definition.Row, level)
}

// ifMatch is the revision that the caller's changes are based on.
func ifMatch(r *http.Request) (int, error) {
	revision, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(r.Header.Get("If-Match"), "W/"), `" `))
	if err != nil || revision < 1 {
		return 0, report.Problemf("If-Match", "the header If-Match must hold the revision that was read, such as \"3\"")
	}
	return revision, nil
}

// readBody reads a definition, with the same messages as a report file. It may
// be unfinished.
func (u *UI) readBody(r *http.Request, into any) error {
	body, err := input.Body(r, u.BodyLimit)
	if err != nil {
		return err
	}
	return report.AssignDraft(body, into, "").Err()
}
