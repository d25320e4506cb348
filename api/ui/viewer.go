package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// viewer is what the script of a preview is told besides the report: as much as
// the viewer may do, signed in or by a nonce.
type viewer struct {
	Place      string           `json:"place,omitempty"` // the workspace, for users who may go there
	Hosts      []string         `json:"hosts"`           // origins whose pages may show the preview, as in a policy
	Formats    []string         `json:"formats"`         // of files that may be fetched
	Parameters []parameterGroup `json:"parameters"`
	Given      *report.Object   `json:"given"`           // the parameters of the address
	Asking     bool             `json:"asking,omitzero"` // there is no report without the parameters
	Warnings   []viewerWarning  `json:"warnings"`        // for signed-in users
	Comments   *viewerComments  `json:"comments,omitempty"`
	Invoice    bool             `json:"invoice,omitzero"`     // the XML of the report's electronic invoice may be had alone
	Signatures []string         `json:"signatures,omitempty"` // connections that may sign the PDF file
}

type viewerWarning struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// shownReport is a preview on its way: what was asked for, and what its viewer
// may do.
type shownReport struct {
	req        export.Request
	given      *report.Object // of the address, before the scope of a nonce
	definition *store.ReportDefinition
}

// view makes the preview and what the script is told. What lookups offer is
// asked for meanwhile.
func (u *UI) view(r *http.Request, s shownReport) (*export.Preview, error) {
	var (
		form      *parameterForm
		notAsked  error
		meanwhile sync.WaitGroup
	)
	if showsParameters(r) {
		meanwhile.Go(func() { form, notAsked = u.form(r, s, nil) })
	}
	shown, err := u.Export.Preview(r.Context(), export.PreviewRequest{Request: s.req, AssetBase: u.Assets})
	if meanwhile.Wait(); err == nil {
		err = notAsked
	}
	if err != nil {
		return nil, err
	}
	told := u.viewer(r.Context(), s, form, shown.Warnings)
	if told.Comments, err = u.commentsOf(r, s.definition); err != nil {
		return nil, err
	}
	if told.Invoice = s.definition.Report.Invoice != nil && len(told.Formats) > 0; len(told.Formats) > 0 {
		told.Signatures, err = u.signatures(r.Context())
	}
	shown.HTML = tell(shown.HTML, told)
	return shown, err
}

// signatures are the connections by which who is signed in may have files signed.
func (u *UI) signatures(ctx context.Context) ([]string, error) {
	caller := access.Of(ctx)
	if caller.Way != access.Session || caller.RequireSigning() != nil {
		return nil, nil
	}
	all, err := u.Store.Connections(ctx, caller.Workspace.ID)
	var names []string
	for _, c := range all {
		if u.kindOf(c.Type).Category == report.SigningConnection {
			names = append(names, c.Name)
		}
	}
	return names, err
}

// showsParameters tells whether there is a place for them beside the report.
func showsParameters(r *http.Request) bool {
	query := r.URL.Query()
	parts := query.Get("toolbar")
	return query.Get("thumbnail") != "true" && (parts == "" || parts == "true" || slices.Contains(strings.Split(parts, ","), "parameters"))
}

// form asks for the parameters that the caller may choose.
func (u *UI) form(r *http.Request, s shownReport, problems report.Problems) (*parameterForm, error) {
	asked, err := u.Export.Parameters(r.Context(), s.req)
	if err != nil {
		return nil, err
	}
	asked = slices.DeleteFunc(asked, func(p export.Asked) bool { return access.Of(r.Context()).Fixes(p.Name) })
	return newParameterForm(s.definition.Row.Name, asked, s.req.Params, problems), nil
}

func (u *UI) viewer(ctx context.Context, s shownReport, form *parameterForm, warnings report.Problems) viewer {
	caller := access.Of(ctx)
	told := viewer{Hosts: append([]string{}, u.FrameAncestors...), Formats: []string{}, Parameters: []parameterGroup{}, Given: s.given, Warnings: []viewerWarning{}}
	if form != nil && form.Groups != nil {
		told.Parameters = form.Groups
	}
	if caller.MayExport() && caller.RequireRun(&s.definition.Row) == nil {
		told.Formats = u.Formats
	}
	if caller.Way == access.Session {
		told.Place = caller.Workspace.Name
		for _, w := range warnings {
			told.Warnings = append(told.Warnings, viewerWarning{w.Path, w.Message})
		}
	}
	return told
}

// tell puts what the script is told before the end of the document.
func tell(html []byte, told viewer) []byte {
	doc, err := json.Marshal(told) // escapes what could end the element
	if err != nil {
		panic(err) // it holds nothing that could fail
	}
	end := bytes.LastIndex(html, []byte("</body>"))
	if end < 0 {
		return html
	}
	return slices.Concat(html[:end], []byte(`<script type="application/json" id="quire-viewer">`), doc, []byte("</script>"), html[end:])
}
