package ui

import (
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// designPolicy is what the designer's page may do: nothing inline, nothing from
// elsewhere.
const designPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

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
	caller := access.Of(r.Context())
	u.show(w, r, http.StatusOK, "design", page{Title: definition.Row.Name, Policy: designPolicy, Bare: true, Body: map[string]string{
		"Workspace": strconv.Itoa(caller.Workspace.ID), "Report": strconv.Itoa(definition.ID), "Base": u.PathBase, "Assets": u.Assets,
		"Back": u.PathBase + "/ws/" + caller.Workspace.Code,
	}})
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
	answer.JSON(w, http.StatusOK, map[string]any{"components": input.Components(), "sourceTypes": input.SourceTypes()})
}

// rendered is a report drawn for the canvas.
type rendered struct {
	HTML     string         `json:"html"`
	Warnings []namedWarning `json:"warnings"`
	Sample   any            `json:"sample"` // the beginning of what each data source gave
	Lint     []finding      `json:"lint"`   // what is most likely not meant
}

type finding struct {
	Rule    string `json:"rule"`
	Path    string `json:"path"`
	Message string `json:"message"`
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
		Lang       string         `json:"lang"`
		Params     *report.Object `json:"params"`
		Refresh    bool           `json:"refresh"` // whether to load all data anew
	}{}
	if err == nil {
		err = u.readBody(r, &body)
	}
	if err == nil && body.Definition == nil {
		err = report.Problemf("definition", "the definition is missing")
	}
	if err == nil {
		err = u.Export.Check(body.Definition).Err()
	}
	var shown *input.Preview
	if err == nil {
		caller := access.Of(r.Context())
		shown, err = u.Export.Preview(r.Context(), input.PreviewRequest{AssetBase: u.Assets, Request: input.Request{
			Workspace: caller.Workspace.ID, UserID: caller.User.ID, Report: strconv.Itoa(definition.ID),
			Definition: body.Definition, Lang: body.Lang, Params: body.Params, Refresh: body.Refresh,
		}})
	}
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	out := rendered{HTML: string(shown.HTML), Warnings: []namedWarning{}, Sample: inSample.of(shown.Data, 0), Lint: []finding{}}
	for _, f := range shown.Lint {
		out.Lint = append(out.Lint, finding(f))
	}
	for _, p := range shown.Warnings {
		out.Warnings = append(out.Warnings, namedWarning{p.Path, p.Message})
	}
	answer.JSON(w, http.StatusOK, out)
}
