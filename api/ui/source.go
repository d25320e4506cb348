package ui

import (
	"net/http"
	"strconv"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// How much of a data source its author sees.
const (
	sourceRows = 100
	stepRows   = 20
)

// sourceAnswer is what a data source gave when its author ran it.
type sourceAnswer struct {
	Rows         []any         `json:"rows"`    // the first ones
	Columns      []string      `json:"columns"` // fields of these rows in the order they appear
	Total        int           `json:"total"`   // rows there are
	Milliseconds float64       `json:"milliseconds"`
	NotReady     bool          `json:"notReady,omitempty"` // its request builder returned false
	Logs         []string      `json:"logs,omitempty"`
	Warnings     []sourceFault `json:"warnings,omitempty"`
	Problem      *sourceFault  `json:"problem,omitempty"`
	Input        *stepAnswer   `json:"input,omitempty"` // rows before the first step
	Steps        []stepAnswer  `json:"steps,omitempty"` // rows after each step, in order
}

// stepAnswer is what one step of a transformation gave.
type stepAnswer struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Rows    []any    `json:"rows"`
	Columns []string `json:"columns"`
	Total   int      `json:"total"`
}

// sourceFault is something wrong, with its line of a query, script or text.
type sourceFault struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// runSource runs one data source of a report as it is being edited.
func (u *UI) runSource(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	body := struct {
		Definition *report.Report `json:"definition"`
		Source     string         `json:"source"`
		Lang       string         `json:"lang"`
		Params     *report.Object `json:"params"`
		Steps      *int           `json:"steps"` // how many steps of a transformation run; default all
		Refresh    bool           `json:"refresh"`
	}{}
	if err == nil {
		err = u.readBody(r, &body)
	}
	if err == nil && body.Definition == nil {
		err = report.Problemf("definition", "the definition is missing")
	}
	if err == nil {
		err = u.judge(r, body.Definition, definition.Report)
	}
	var ran *export.SourceRun
	if err == nil {
		caller := access.Of(r.Context())
		ask := export.SourceRequest{Source: body.Source, Steps: -1, Request: export.Request{
			Workspace: caller.Workspace.ID, UserID: caller.User.ID, Report: strconv.Itoa(definition.ID),
			Definition: body.Definition, Lang: body.Lang, Params: body.Params, Refresh: body.Refresh, Samples: true,
		}}
		if body.Steps != nil {
			ask.Steps = *body.Steps
		}
		if ask.User, err = caller.Person(r.Context()); err == nil {
			ran, err = u.Export.RunSource(r.Context(), ask)
		}
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	answer.JSON(w, http.StatusOK, answerOf(ran))
}

// runShared runs a data source of the library as it is being edited, without a
// report: it reads no other source and no parameter.
func (u *UI) runShared(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Source *report.DataSource `json:"source"`
	}
	err := u.readBody(r, &body)
	if err == nil && body.Source == nil {
		err = report.Problemf("source", "the source is missing")
	}
	var ran *export.SourceRun
	if err == nil {
		caller := access.Of(r.Context())
		alone := &report.Report{Version: report.Version, Name: body.Source.Name, DataSources: []report.SourceUse{{DataSource: *body.Source}}}
		ask := export.SourceRequest{Source: body.Source.Name, Steps: -1, Request: export.Request{
			Workspace: caller.Workspace.ID, UserID: caller.User.ID, Definition: alone, Refresh: true,
		}}
		if err = u.Export.Check(alone).Err(); err == nil {
			ask.User, err = caller.Person(r.Context())
		}
		if err == nil {
			ran, err = u.Export.RunSource(r.Context(), ask)
		}
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	answer.JSON(w, http.StatusOK, answerOf(ran))
}

func answerOf(ran *export.SourceRun) sourceAnswer {
	rows := asRows(ran.Value)
	out := sourceAnswer{
		Rows: inRow.list(rows, sourceRows, 0), Columns: columnsOf(rows, sourceRows), Total: len(rows),
		Milliseconds: float64(ran.Took) / float64(time.Millisecond), NotReady: ran.NotReady, Logs: ran.Logs,
	}
	for _, p := range ran.Warnings {
		out.Warnings = append(out.Warnings, *placeOf(p))
	}
	out.Problem = placeOf(ran.Problem)
	if ran.Input != nil {
		first := stepAnswerOf("", "", ran.Input)
		out.Input = &first
	}
	for i, rows := range ran.Steps {
		out.Steps = append(out.Steps, stepAnswerOf(ran.StepTypes[i].Name, ran.StepTypes[i].Label, rows))
	}
	return out
}

func stepAnswerOf(kind, name string, rows []any) stepAnswer {
	return stepAnswer{kind, name, inRow.list(rows, stepRows, 0), columnsOf(rows, stepRows), len(rows)}
}

func placeOf(p *report.Problem) *sourceFault {
	if p == nil {
		return nil
	}
	return &sourceFault{p.Path, p.Message, p.Line, p.Column}
}

// asRows shows any value as rows.
func asRows(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// columnsOf are the fields of the first rows, each once.
func columnsOf(rows []any, most int) []string {
	columns := []string{}
	seen := map[string]bool{}
	var last *report.Shape
	for _, row := range rows[:min(len(rows), most)] {
		o, ok := row.(*report.Object)
		if !ok || o.Len() == 0 || o.Shape() == last {
			continue
		}
		last = o.Shape()
		for _, name := range last.Names() {
			if !seen[name] {
				seen[name] = true
				columns = append(columns, name)
			}
		}
	}
	return columns
}

// connections lists the connections that data sources can name, without
// anything secret.
func (u *UI) connections(w http.ResponseWriter, r *http.Request) {
	type connection struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	found, err := u.Store.Connections(r.Context(), access.Of(r.Context()).Workspace.ID)
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	list := make([]connection, len(found))
	for i, c := range found {
		list[i] = connection{c.Name, c.Type}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, list)
}
