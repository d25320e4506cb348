package ui

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// commentsPolicy is that of the designer without styles of editors.
var commentsPolicy = strings.Replace(designPolicy, " 'nonce-{nonce}'", "", 1)

// commented is a report with what people say about it beside its pages: a page of
// ours around the preview, which as a document of nobody's origin reaches no comments.
type commented struct {
	Name     string
	Comments string // the address of the API
	Preview  string // with what the address of the page says of data, parameters and language
	Alone    string // the preview without comments
	Elements string // as JSON
	Types    string // what each type of element is called, as JSON
	Names    bool   // whether people may be named
	Assets   string
}

// commentedElement is an element that a comment may be about.
type commentedElement struct {
	ID   string `json:"id"`
	Name string `json:"name"` // as people call it; empty: as its type is called
	Type string `json:"type"`
}

func (u *UI) commentsPage(w http.ResponseWriter, r *http.Request) {
	definition, err := u.definition(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	here := u.workspaceAddress(*access.Of(r.Context()).Workspace) + "/reports/" + itoa(definition.ID)
	query := r.URL.Query()
	query.Del("toolbar")
	body := commented{
		Name: definition.Row.Name, Comments: u.PathBase + "/api/ui/ws/" + itoa(access.Of(r.Context()).Workspace.ID) + "/reports/" + itoa(definition.ID),
		Alone: addressWith(here+"/preview", query), Assets: u.Assets,
		Names: access.Of(r.Context()).RequireReport(&definition.Row, store.Write) == nil,
	}
	body.Elements, body.Types = u.commentable(definition.Report)
	query.Set("toolbar", "pages,zoom,search,parameters")
	body.Preview = addressWith(here+"/preview", query)
	u.show(w, r, http.StatusOK, "comments", page{Title: u.t(r, "Comments on {0}", definition.Row.Name), Policy: commentsPolicy, Bare: true, Body: body})
}

func addressWith(address string, query url.Values) string {
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

// commentable lists the elements of a report that have an ID, and what each type
// is called. What subreports and the template bring, the pages tell.
func (u *UI) commentable(r *report.Report) (elements, types string) {
	labels := map[string]string{}
	for _, c := range u.schema().Components {
		labels[c.Name] = c.Label
	}
	found := []commentedElement{}
	var walk func(elements []report.Element)
	walk = func(elements []report.Element) {
		for _, e := range elements {
			if e.ID != "" {
				found = append(found, commentedElement{e.ID, e.Name, labels[e.Type]})
			}
			walk(e.Children)
		}
	}
	for i := range r.Pages {
		walk(r.Pages[i].Elements)
		for _, elements := range r.Pages[i].Placeholders {
			walk(elements)
		}
	}
	return asJSON(found), asJSON(labels)
}

// asJSON writes what holds nothing that could fail.
func asJSON(v any) string {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(doc)
}

// viewerComments is where the comments on a report are, for signed-in users.
type viewerComments struct {
	Address string `json:"address"`
	Open    int    `json:"open"` // threads
}

// commentsOf tells the viewer of the comments, which only signed-in users have.
func (u *UI) commentsOf(r *http.Request, definition *store.ReportDefinition) (*viewerComments, error) {
	caller := access.Of(r.Context())
	if caller.Way != access.Session || r.URL.Query().Get("thumbnail") == "true" {
		return nil, nil
	}
	threads, err := u.Store.Threads(r.Context(), store.Talk{By: &caller.Access, Report: &definition.Row})
	if err != nil {
		return nil, err
	}
	out := viewerComments{Address: u.workspaceAddress(*caller.Workspace) + "/reports/" + itoa(definition.ID) + "/comments"}
	for i := range threads {
		if threads[i].Resolved.IsZero() {
			out.Open++
		}
	}
	return &out, nil
}
