package ui

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/store"
)

// ownDataRoutes are the page that makes a report of pasted rows.
func (u *UI) ownDataRoutes() []route {
	writes := access.In(access.Session, store.Reports, store.Write)
	const page = "/ws/{workspaceId}/reports/from-data"
	return []route{
		{http.MethodGet, page, writes, u.toSignIn, u.ownDataPage},
		{http.MethodPost, page, writes, u.toSignIn, u.takeOwnData},
	}
}

// ownDataBody is the content of that page.
type ownDataBody struct {
	Address, Back string
	Limit         int64
	Name, Text    string
	Fault         fault
	Warnings      []string // what is odd about the text, each with its place
	Table         *starter.Table
	Fields        []ownField
	Numbers       []ownField
	Rows          [][]string // the first ones, a cell for each field
	Choice        starter.Choice
}

// ownField is a field as the page shows it.
type ownField struct {
	Path, Label, Kind            string
	Number                       bool // its values stand at the right
	Totals                       bool // it can have a total
	Shown, Total                 bool
	IsGroup, IsCategory, IsValue bool
}

// How much of the rows the page shows.
const (
	previewRows = 5
	previewText = 60
)

func (u *UI) ownDataPage(w http.ResponseWriter, r *http.Request) {
	u.showOwnData(w, r, http.StatusOK, ownDataBody{})
}

func (u *UI) showOwnData(w http.ResponseWriter, r *http.Request, status int, body ownDataBody) {
	body.Back = u.workspaceAddress(*access.Of(r.Context()).Workspace)
	body.Address, body.Limit = body.Back+"/reports/from-data", u.BodyLimit
	if body.Table != nil {
		u.describeOwn(r, &body)
	}
	u.show(w, r, status, "own-data", page{Title: u.t(r, "From my data"), Section: "reports", Tab: tabReports, Script: true, Body: body})
}

// describeOwn says what is known of the rows.
func (u *UI) describeOwn(r *http.Request, body *ownDataBody) {
	kinds := map[starter.Kind]string{starter.Text: say("Text"), starter.Number: say("Number"), starter.Date: say("Date"), starter.Switch: say("Yes or no")}
	for _, f := range body.Table.Fields {
		one := ownField{
			Path: f.Path, Label: f.Label(), Kind: u.t(r, kinds[f.Kind]), Number: f.Kind == starter.Number, Totals: f.Kind == starter.Number,
			Shown: slices.Contains(body.Choice.Columns, f.Path), Total: slices.Contains(body.Choice.Totals, f.Path),
			IsGroup: body.Choice.Group == f.Path, IsCategory: body.Choice.Category == f.Path, IsValue: body.Choice.Value == f.Path,
		}
		body.Fields = append(body.Fields, one)
		if one.Number {
			body.Numbers = append(body.Numbers, one)
		}
	}
	body.Rows = body.Table.Beginning(previewRows, previewText)
}

// takeOwnData looks at the rows, or makes the report of them.
func (u *UI) takeOwnData(w http.ResponseWriter, r *http.Request) {
	body := ownDataBody{}
	err := u.readOwnForm(r)
	if err == nil {
		body.Name, body.Text = strings.TrimSpace(r.PostFormValue("name")), r.PostFormValue("text")
		err = u.withFile(r, &body)
	}
	var source report.DataSource
	if err == nil {
		source, err = u.readOwn(r, &body)
	}
	if err == nil && r.PostForm.Has("make") {
		var id int
		if id, err = u.makeOwn(r, &body, source); err == nil {
			u.done(w, r, u.workspaceAddress(*access.Of(r.Context()).Workspace)+"/reports/"+itoa(id)+"/design", "")
			return
		}
	}
	wrong, status := u.faultOf(r, err)
	switch {
	case err == nil:
		status = http.StatusOK
	case status == 0:
		u.Error(w, r, err)
		return
	}
	body.Fault = wrong
	u.showOwnData(w, r, status, body)
}

// readOwnForm reads the form, whose fields are text.
func (u *UI) readOwnForm(r *http.Request) error {
	tooLarge, err := within(r, u.BodyLimit, func() error { return r.ParseMultipartForm(u.BodyLimit) })
	switch {
	case tooLarge:
		return &report.Problem{Kind: report.TooLarge, Path: "text", Message: u.t(r, "the data are larger than {0}", showSize(say, u.BodyLimit))}
	case err != nil:
		return unreadForm(err)
	}
	for _, values := range r.PostForm {
		for _, value := range values {
			if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
				return report.Problemf("text", "what was pasted is no text")
			}
		}
	}
	return nil
}

// withFile puts the content of the file, if one was sent, in the place of the text.
func (u *UI) withFile(r *http.Request, body *ownDataBody) error {
	file, header, err := r.FormFile("file")
	if err != nil || header.Size == 0 {
		body.Text = strings.ReplaceAll(body.Text, "\r\n", "\n") // as browsers send lines
		return nil
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	body.Text = export.DecodeText(content)
	if strings.ContainsRune(body.Text, 0) {
		body.Text = ""
		return report.Problemf("file", "the file %q is no text; choose CSV or JSON", header.Filename)
	}
	if body.Name == "" {
		name := header.Filename
		if dot := strings.LastIndexByte(name, '.'); dot > 0 {
			name = name[:dot]
		}
		body.Name = starter.Label(strings.ReplaceAll(name, ".", " "))
	}
	return nil
}

// readOwn finds the rows of the text and what is to be shown of them.
func (u *UI) readOwn(r *http.Request, body *ownDataBody) (report.DataSource, error) {
	source := report.DataSource{Name: "rows", Type: "csv", Settings: map[string]any{"content": body.Text}}
	switch begin := strings.TrimSpace(body.Text); {
	case begin == "":
		return source, report.Problemf("text", "paste the data, or choose a file")
	case begin[0] == '[' || begin[0] == '{':
		source.Type = "json"
	}
	if body.Name != "" {
		source.Name = starter.SourceName(body.Name)
	}
	caller := access.Of(r.Context())
	alone := &report.Report{Version: report.Version, Name: "data", DataSources: []report.SourceUse{{DataSource: source}}}
	ask := export.SourceRequest{Source: source.Name, Steps: -1, Request: export.Request{Workspace: caller.Workspace.ID, UserID: caller.User.ID, Definition: alone, Refresh: true}}
	var err error
	if ask.User, err = caller.Person(r.Context()); err != nil {
		return source, err
	}
	ran, err := u.Export.RunSource(r.Context(), ask)
	if err != nil {
		return source, err
	}
	for _, warning := range ran.Warnings {
		body.Warnings = append(body.Warnings, u.placed(r, source.Name, warning))
	}
	if p := ran.Problem; p != nil {
		return source, &report.Problem{Kind: p.Kind, Path: "text", Message: u.placed(r, source.Name, p)}
	}
	if body.Table, err = starter.Read(ran.Value); err != nil {
		return source, u.inLanguage(r, err)
	}
	if body.Choice = body.Table.Suggest(); r.PostForm.Has("make") {
		form := r.PostForm
		body.Choice = starter.Choice{Columns: form["columns"], Totals: form["totals"], Group: form.Get("group"), Category: form.Get("category"), Value: form.Get("value")}
		err = u.inLanguage(r, body.Table.Check(body.Choice))
	}
	return source, err
}

// inLanguage is a problem of another package with its message in the language of
// a request.
func (u *UI) inLanguage(r *http.Request, err error) error {
	var p *report.Problem
	if !errors.As(err, &p) {
		return err
	}
	own := *p
	own.Message = u.told(r, p.Message)
	return &own
}

// placed is a message about the source with its place in the text before it.
func (u *UI) placed(r *http.Request, name string, p *report.Problem) string {
	message := strings.TrimPrefix(p.Message, fmt.Sprintf("data source %q: ", name)) // there is only one
	switch said := sentence(u.told(r, message)); {
	case p.Line > 0 && p.Column > 0:
		return u.t(r, "Line {0}, column {1}: {2}", p.Line, p.Column, said)
	case p.Line > 0:
		return u.t(r, "Line {0}: {1}", p.Line, said)
	default:
		return said
	}
}

// makeOwn stores the report.
func (u *UI) makeOwn(r *http.Request, body *ownDataBody, source report.DataSource) (id int, err error) {
	if body.Name == "" {
		return 0, report.Problemf("name", "the name is missing")
	}
	words := starter.Words{Total: u.t(r, "Total"), By: func(value, category string) string { return u.t(r, "{0} by {1}", value, category) }}
	definition := body.Table.Report(body.Name, source, body.Choice, words)
	if err := u.Export.Check(definition).Err(); err != nil {
		return 0, fmt.Errorf("a first report: %w", err)
	}
	caller := access.Of(r.Context())
	made, err := u.Store.CreateReport(r.Context(), caller.Workspace.ID, store.NewReport{Name: body.Name, Owner: caller.User.ID, Definition: definition})
	if err != nil {
		return 0, err
	}
	return made.ID, nil
}
