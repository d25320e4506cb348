package ui

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// designPolicy is what the designer's page may do: nothing inline, nothing from
// elsewhere. Its script may add styles with the page's nonce, as the code editor does.
const designPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// canvasPolicy is what the report on the canvas may do: be looked at. Its
// sandbox has our origin, so that the designer can reach into it, and no scripts.
const canvasPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin"

// designPage is the page in which a report is designed.
func (u *UI) designPage(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.showDesigner(w, r, definition.Row.Name, designed{Report: strconv.Itoa(definition.ID), Back: u.workspaceAddress(*access.Of(r.Context()).Workspace)})
}

// templatePage is the page in which a template is designed.
func (u *UI) templatePage(w http.ResponseWriter, r *http.Request) {
	u.showDesigner(w, r, u.t(r, "Template"), designed{Template: pathVar(r, "resource"), Back: u.workspaceAddress(*access.Of(r.Context()).Workspace) + "/library#templates"})
}

// libraryPage is the page of what reports of a workspace use.
func (u *UI) libraryPage(w http.ResponseWriter, r *http.Request) {
	u.showDesigner(w, r, u.t(r, "Library"), designed{Library: true, Back: u.workspaceAddress(*access.Of(r.Context()).Workspace)})
}

// designed is what the designer's page is to open.
type designed struct {
	Report, Template string // an ID, or empty
	Library          bool
	Workspace        string
	Me               int // the signed-in user
	Base, Assets     string
	Nonce            string // of the styles that the editors make
	Back             string // where the way out leads
}

func (u *UI) showDesigner(w http.ResponseWriter, r *http.Request, title string, d designed) {
	d.Workspace, d.Base, d.Assets = strconv.Itoa(access.Of(r.Context()).Workspace.ID), u.PathBase, u.Assets
	d.Me, d.Nonce = access.Of(r.Context()).User.ID, rand.Text()
	policy := strings.Replace(designPolicy, "{nonce}", d.Nonce, 1)
	u.show(w, r, http.StatusOK, "design", page{Title: title, Policy: policy, Bare: !d.Library, Tab: tabLibrary, Body: d})
}

// canvas is the empty page that the designer fills with a report.
func (u *UI) canvas(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", canvasPolicy)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write([]byte("<!doctype html><html><head><title>Canvas</title></head><body></body></html>"))
}

// components describes every element type for the palette and the forms, and
// every type of data source.
func (u *UI) components(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	answer.JSON(w, http.StatusOK, u.schema())
}

// rendered is a report drawn for the canvas.
type rendered struct {
	HTML      string         `json:"html"`
	Warnings  []namedWarning `json:"warnings"`
	Sample    any            `json:"sample"`  // the beginning of what each data source gave
	Samples   *report.Object `json:"samples"` // values that were made for parameters without one
	Lint      []finding      `json:"lint"`    // what is most likely not meant
	*authored                // what is stored, where that was asked for
}

type finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // warning or hint
	Path     string `json:"path"`
	Message  string `json:"message"`

	Repair *export.Repair `json:"repair,omitempty"`
}

type namedWarning struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// renderDesign draws a report as it is being edited; nothing is stored.
func (u *UI) renderDesign(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	body := struct {
		Definition *report.Report `json:"definition"`
		Stored     bool           `json:"stored"` // whether to read and draw what is stored, in place of a definition
		Lang       string         `json:"lang"`
		Params     *report.Object `json:"params"`
		Refresh    bool           `json:"refresh"` // whether to load all data anew
		Anyway     bool           `json:"anyway"`  // whether to draw what can be drawn; what cannot is warned of
	}{}
	if err == nil {
		err = u.readBody(r, &body)
	}
	var stored *authored
	if err == nil && body.Stored {
		body.Definition = definition.Report
		stored = u.authored(r, definition, u.faults(definition.Report))
	}
	if err == nil && body.Definition == nil {
		err = report.Problemf("definition", "the definition is missing")
	}
	if err == nil && !body.Anyway {
		err = u.Export.Check(body.Definition).Err()
	}
	if err == nil {
		err = u.judge(r, body.Definition, definition.Report)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.draw(w, r, export.Request{Report: strconv.Itoa(definition.ID), Definition: body.Definition, Lang: body.Lang, Params: body.Params, Refresh: body.Refresh, Samples: true, Anyway: body.Anyway}, stored)
}

// renderSpecimen draws a definition that belongs to no report, such as the
// sample pages of a template or a theme. Its data is written in it, as users
// who edit templates may have no right to read data.
func (u *UI) renderSpecimen(w http.ResponseWriter, r *http.Request) {
	body := struct {
		Definition *report.Report `json:"definition"`
	}{}
	err := u.readBody(r, &body)
	switch {
	case err != nil:
	case body.Definition == nil:
		err = report.Problemf("definition", "the definition is missing")
	case slices.ContainsFunc(body.Definition.DataSources, func(s report.SourceUse) bool { return s.Type != "json" || s.Reuse != "" }):
		err = report.Problemf("definition.dataSources", "a specimen has no data sources but JSON")
	default:
		err = u.Export.Check(body.Definition).Err()
	}
	if err == nil {
		err = u.judgeSpecimen(r, body.Definition)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.draw(w, r, export.Request{Definition: body.Definition}, nil)
}

// judgeSpecimen judges sample pages: the templates and themes of the workspace
// are there to be looked at with what is in them.
func (u *UI) judgeSpecimen(r *http.Request, specimen *report.Report) error {
	library, err := u.Store.Library(r.Context(), access.Of(r.Context()).Workspace.ID)
	if err != nil {
		return err
	}
	var known []any
	for _, t := range library.Templates {
		known = append(known, t.Definition)
	}
	for _, t := range library.Themes {
		known = append(known, t.Definition)
	}
	return u.judge(r, specimen, known...)
}

// draw answers with a report for the canvas, and what is stored of it.
func (u *UI) draw(w http.ResponseWriter, r *http.Request, req export.Request, stored *authored) {
	caller := access.Of(r.Context())
	req.Workspace, req.UserID = caller.Workspace.ID, caller.User.ID
	var shown *export.Preview
	var err error
	if req.User, err = caller.Person(r.Context()); err == nil {
		shown, err = u.Export.Preview(r.Context(), export.PreviewRequest{AssetBase: u.Assets, Request: req})
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	out := rendered{HTML: string(shown.HTML), Warnings: []namedWarning{}, Sample: inSample.of(shown.Data, 0), Samples: shown.Samples, Lint: []finding{}, authored: stored}
	for _, f := range shown.Lint {
		if f.Repair != nil {
			f.Repair.Label = u.told(r, f.Repair.Label)
		}
		out.Lint = append(out.Lint, finding{f.Rule, f.Severity(), f.Path, u.told(r, f.Message), f.Repair})
	}
	for _, p := range shown.Warnings {
		out.Warnings = append(out.Warnings, namedWarning{p.Path, u.told(r, p.Message)})
	}
	answer.JSON(w, http.StatusOK, out)
}
