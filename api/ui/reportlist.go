package ui

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// listQuery is what somebody asks of the list of reports.
type listQuery struct {
	Search, Type, Sort, Kind string
	Offset                   int
}

// Kinds of reports in the list; the zero value is those that stand on their own.
const kindInner = "subreports"

// readList reads the query of the list; what it does not know is left out.
func readList(sent func(name string) string) listQuery {
	q := listQuery{Search: strings.TrimSpace(sent("q")), Type: sent("type"), Offset: number(sent("offset"))}
	if sort := sent("sort"); sort == string(store.ByName) || sort == string(store.ByChanged) {
		q.Sort = sort
	}
	if sent("kind") == kindInner {
		q.Kind = kindInner
	}
	return q
}

// Encoded is the query as it stands in an address; empty for the whole list.
func (q listQuery) Encoded() string {
	values := url.Values{}
	for name, value := range map[string]string{"q": q.Search, "type": q.Type, "sort": q.Sort, "kind": q.Kind} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if q.Offset > 0 {
		values.Set("offset", strconv.Itoa(q.Offset))
	}
	return values.Encode()
}

// Narrowed tells whether the query leaves reports out.
func (q listQuery) Narrowed() bool { return q.Search != "" || q.Type != "" || q.Kind != "" }

func (q listQuery) at(offset int) listQuery {
	q.Offset = max(0, offset)
	return q
}

// ask is the query to the store.
func (q listQuery) ask() store.ReportQuery {
	return store.ReportQuery{Search: q.Search, Type: q.Type, Sort: store.ReportSort(q.Sort), Inner: q.Kind == kindInner, Offset: q.Offset}
}

// listBody is the content of the page of a workspace.
type listBody struct {
	shelf
	Query   listQuery
	Types   []store.ReportType
	Undo    *undo
	Touched *touched
	Openers string // address of who has which report open; empty where nobody may be told of
	Script  string
	Naming  bool // who came is about to name a new report
}

// undo is a report that was just deleted.
type undo struct{ Name, Address string }

// touched is a report that something was just done with.
type touched struct{ Text, Edit string }

// workspace lists the reports of one workspace, page by page.
func (u *UI) workspace(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	body := listBody{
		shelf: shelf{Workspace: *caller.Workspace, Address: u.workspaceAddress(*caller.Workspace)},
		Query: readList(func(name string) string { return queryText(r, name) }),
	}
	var err error
	if body.Types, err = u.Store.ReportTypesFor(r.Context(), &caller.Access); err == nil {
		err = u.put(r.Context(), &caller.Access, &body.shelf, body.Query.ask(), pageReports)
	}
	if err == nil {
		body.Undo, err = u.justDeleted(r)
	}
	if err == nil {
		body.Touched, err = u.justDone(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.Openers, body.Script = body.openers(u.PathBase), u.Assets+"/live.js"
	body.List, body.Manage = body.Query.Encoded(), true
	body.Naming = queryText(r, "new") != ""
	if offset := body.Query.Offset; offset > 0 {
		body.Previous = withQuery(body.Address, body.Query.at(offset-pageReports).Encoded(), "offset=0")
	}
	if body.More {
		body.Next = withQuery(body.Address, body.Query.at(body.Query.Offset+pageReports).Encoded(), "")
	}
	u.show(w, r, http.StatusOK, "workspace", page{Title: body.Workspace.Name, Section: "reports", Tab: tabReports, Body: body})
}

// openers is where the list hears who has its reports open, of those that may be changed.
func (b *listBody) openers(base string) string {
	var ids []string
	for _, card := range b.Reports {
		if card.Edit != "" {
			ids = append(ids, itoa(card.ID))
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return base + "/api/ui/ws/" + itoa(b.Workspace.ID) + "/reports/open?of=" + strings.Join(ids, ",")
}

// withQuery adds a query, or another where it is empty.
func withQuery(address, query, otherwise string) string {
	if query == "" {
		query = otherwise
	}
	if query == "" {
		return address
	}
	return address + "?" + query
}

// justDeleted is the report that the address says was deleted, if the caller may
// bring it back.
func (u *UI) justDeleted(r *http.Request) (*undo, error) {
	id := number(queryText(r, "deleted"))
	if id == 0 {
		return nil, nil
	}
	caller := access.Of(r.Context())
	gone, err := u.Store.DeletedReport(r.Context(), caller.Workspace.ID, id)
	if err == nil {
		err = caller.RequireReport(gone, store.Full)
	}
	if _, status := u.faultOf(r, err); status != 0 || isNotFound(err) {
		return nil, nil // an old address; there is nothing to undo
	}
	if err != nil {
		return nil, err
	}
	return &undo{gone.Name, u.workspaceAddress(*caller.Workspace) + "/reports/" + itoa(id) + "/restore"}, nil
}

// justDone is the sentence about the report that the address names.
func (u *UI) justDone(r *http.Request) (*touched, error) {
	sentences := map[string]string{
		"shared": say("Who may see {0} is saved."), "restored": say("{0} was brought back."), "copied": say("{0} was made."), "moved": say("{0} was moved here."),
		"subreport": say("{0} is now only used inside other reports."), "standalone": say("{0} stands on its own again."),
	}
	said, id := sentences[queryText(r, "done")], number(queryText(r, "report"))
	if said == "" || id == 0 {
		return nil, nil
	}
	caller := access.Of(r.Context())
	definition, err := u.Store.ReportByIDOrType(r.Context(), caller.Workspace.ID, itoa(id))
	if isNotFound(err) || err == nil && caller.RequireReport(&definition.Row, store.Read) != nil {
		return nil, nil // an old address
	}
	if err != nil {
		return nil, err
	}
	done := &touched{Text: u.t(r, said, definition.Row.Name)}
	if caller.RequireReport(&definition.Row, store.Write) == nil {
		done.Edit = u.workspaceAddress(*caller.Workspace) + "/reports/" + itoa(id) + "/design"
	}
	return done, nil
}
