package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// connectionRoutes are the pages of connections.
func (u *UI) connectionRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	reads, writes := access.In(access.Session, store.DataSources, store.Read), access.In(access.Session, store.DataSources, store.Full)
	const all = "/ws/{workspaceId}/connections"
	return []route{
		{get, all, reads, u.toSignIn, u.connectionsPage},
		{get, all + "/new", writes, u.toSignIn, u.newConnectionPage},
		{post, all, writes, u.toSignIn, u.createConnection},
		{get, all + "/edit", writes, u.toSignIn, u.connectionPage},
		{post, all + "/edit", writes, u.toSignIn, u.saveConnection},
		{post, all + "/test", writes, u.toSignIn, u.testConnection},
		{get, all + "/sign-in", writes, u.toSignIn, u.signInToDrive},
		{get, all + "/signed-in", writes, u.toSignIn, u.signedInToDrive},
		{post, all + "/delete", writes, u.toSignIn, u.deleteConnection},
	}
}

// kindsFor are the types that a user may make, by category. Services and
// destinations are reached through the guard of outgoing requests.
func (u *UI) kindsFor(who *store.User) []connectionGroup {
	var groups []connectionGroup
	for _, kind := range u.ConnectionTypes {
		if kind.Unlisted || !mayConnect(who, kind) {
			continue
		}
		i := slices.IndexFunc(groups, func(g connectionGroup) bool { return g.Category == kind.Category })
		if i < 0 {
			i = len(groups)
			groups = append(groups, connectionGroup{Category: kind.Category})
		}
		groups[i].Kinds = append(groups[i].Kinds, kind)
	}
	return groups
}

// connectionGroup are the types of connections of a category.
type connectionGroup struct {
	Category report.ConnectionCategory
	Kinds    []report.ConnectionType
}

func mayConnect(u *store.User, kind report.ConnectionType) bool { return u.IsRoot || !kind.RootOnly }

// errDatabases is the refusal of a connection that is not for everybody.
var errDatabases = &report.Problem{Kind: report.Forbidden, Path: "type", Message: "connections to databases lead inside the network; a root user has to make them"}

// kindOf is the type of a connection; an unknown one shows as it is.
func (u *UI) kindOf(name string) report.ConnectionType {
	kind, _ := u.ConnectionTypes.Find(name)
	return kind
}

// connectionsBody is the content of the page of connections.
type connectionsBody struct {
	Address     string
	Connections []connectionRow
	Kinds       []connectionGroup
	May         bool
}

type connectionRow struct {
	store.Connection
	Label, Edit string
}

func (u *UI) connectionsAddress(caller *access.Caller) string {
	return u.workspaceAddress(*caller.Workspace) + "/connections"
}

func (u *UI) connectionsPage(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	list, err := u.Store.Connections(r.Context(), caller.Workspace.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := connectionsBody{Address: u.connectionsAddress(caller), Kinds: u.kindsFor(caller.User), May: caller.Require(store.DataSources, store.Full) == nil}
	for _, c := range list {
		body.Connections = append(body.Connections, connectionRow{c, u.kindOf(c.Type).Label, body.Address + "/edit?name=" + url.QueryEscape(c.Name)})
	}
	u.show(w, r, http.StatusOK, "connections", page{
		Title: u.t(r, "Connections of {0}", caller.Workspace.Name), Section: "reports", Tab: tabConnections, Body: body,
		Notice: u.notice(r, map[string]string{"created": "The connection was made.", "saved": "The connection is saved.", "deleted": "The connection was deleted.", "signed-in": "You are signed in; the connection can be used."}),
	})
}

// connectionBody is a connection in a form. What is secret of it is never here.
type connectionBody struct {
	Form, Back string
	Name       string
	Kind       report.ConnectionType
	Exists     bool
	Headers    []string // names
	Fields     []connectionField
	SignIn     string // address at which a person signs in, if one does
	SignedIn   bool
	Redirect   string // where the provider sends people back to
	Probe      string // address that tests the connection, if it can be tested
	Found      string // what a test has found
	Fault      fault
}

// Delivers tells whether deliveries use the connection, and not data sources.
func (b connectionBody) Delivers() bool { return b.Kind.Category == report.DestinationConnection }

// Signs tells whether files are signed with the connection.
func (b connectionBody) Signs() bool { return b.Kind.Category == report.SigningConnection }

// maxHeaders bounds the headers of a form.
const maxHeaders = 20

func (u *UI) newConnectionPage(w http.ResponseWriter, r *http.Request) {
	kind, known := u.ConnectionTypes.Find(queryText(r, "type"))
	if !known || kind.Unlisted {
		u.Error(w, r, report.NotFoundf("there is no such type of connection"))
		return
	}
	u.showConnection(w, r, http.StatusOK, connectionBody{Kind: kind, Fields: fieldsOf(kind, nil, "")})
}

func (u *UI) showConnection(w http.ResponseWriter, r *http.Request, status int, body connectionBody) {
	caller := access.Of(r.Context())
	body.Back = u.connectionsAddress(caller)
	body.Form = body.Back
	title := u.t(r, "New connection: {0}", u.t(r, body.Kind.Label))
	if body.Exists {
		body.Form, title = body.Back+"/edit", u.t(r, "Connection {0}", body.Name)
	}
	if body.Kind.Probe != nil {
		body.Probe = body.Back + "/test"
	}
	if body.SignIn = u.signInOf(caller, body.Name, body.Kind); body.SignIn != "" {
		body.Redirect = u.signedInAddress(r)
	}
	for empty := 0; empty < 2 && len(body.Headers) < maxHeaders; empty++ {
		body.Headers = append(body.Headers, "") // room for more
	}
	u.show(w, r, status, "connection", page{Title: title, Section: "reports", Tab: tabConnections, Live: body.Probe != "", Body: body})
}

func (u *UI) createConnection(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller := access.Of(r.Context())
	made := store.Connection{Name: strings.TrimSpace(sent.Get("name")), Type: sent.Get("type"), Address: addressIn(sent)}
	kind := u.kindOf(made.Type)
	var members map[string]any
	if kind.Fields != nil {
		if members, err = membersIn(kind, sent, nil); err == nil {
			made.Address, err = sealedMembers(kind, members)
		}
	} else {
		made.Headers, err = headersIn(sent, nil)
	}
	if err == nil && !mayConnect(caller.User, kind) {
		err = errDatabases
	}
	if err == nil {
		err = u.Store.CreateConnection(r.Context(), caller.Workspace.ID, made)
	}
	if err == nil && u.signInOf(caller, made.Name, kind) != "" && lacksSignIn(kind, members) {
		http.Redirect(w, r, u.connectionsAddress(caller)+"/edit?name="+url.QueryEscape(made.Name), http.StatusSeeOther) // where one signs in
		return
	}
	u.finish(w, r, err, u.connectionsAddress(caller), "created", func(status int, wrong fault) {
		u.showConnection(w, r, status, connectionBody{Name: made.Name, Kind: kind, Headers: namesIn(sent), Fields: fieldsAgain(kind, members, nil, wrong), Fault: wrong})
	})
}

func (u *UI) connectionPage(w http.ResponseWriter, r *http.Request) {
	u.editConnection(w, r, http.StatusOK, queryText(r, "name"), fault{})
}

func (u *UI) editConnection(w http.ResponseWriter, r *http.Request, status int, name string, wrong fault) {
	c, err := u.Store.Connection(r.Context(), access.Of(r.Context()).Workspace.ID, name)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := connectionBody{Name: c.Name, Kind: u.kindOf(c.Type), Exists: true, Fault: wrong}
	if body.Kind.Fields != nil {
		members := membersOf(c.Address)
		body.Fields, body.SignedIn = fieldsOf(body.Kind, members, wrong.Path), textOfMember(members["token"]) != ""
	}
	for _, h := range c.Headers {
		body.Headers = append(body.Headers, h.Name)
	}
	u.showConnection(w, r, status, body)
}

// saveConnection keeps the secrets whose fields are empty. With another address
// the values of headers have to be entered again: else somebody who cannot see
// them could have them sent to a place of their own.
func (u *UI) saveConnection(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller := access.Of(r.Context())
	old, err := u.Store.Connection(r.Context(), caller.Workspace.ID, sent.Get("name"))
	if err != nil {
		u.Error(w, r, err)
		return
	}
	changed := store.Connection{Name: old.Name, Type: old.Type, Address: addressIn(sent)}
	kind := u.kindOf(old.Type)
	var members map[string]any
	if kind.Fields != nil {
		if members, err = membersIn(kind, sent, membersOf(old.Address)); err == nil {
			changed.Address, err = sealedMembers(kind, members)
		}
	} else {
		changed.Headers, err = keptHeaders(&changed, old, sent)
	}
	if err == nil && !mayConnect(caller.User, kind) {
		err = errDatabases
	}
	if err == nil {
		err = u.Store.PutConnection(r.Context(), caller.Workspace.ID, changed)
	}
	u.finish(w, r, err, u.connectionsAddress(caller), "saved", func(status int, wrong fault) {
		u.showConnection(w, r, status, connectionBody{Name: old.Name, Kind: kind, Exists: true, Headers: namesIn(sent), Fields: fieldsAgain(kind, members, membersOf(old.Address), wrong), Fault: wrong})
	})
}

// keptHeaders are the headers of a changed connection, whose address stays when
// its field is empty.
func keptHeaders(changed, old *store.Connection, sent url.Values) ([]store.ConnectionHeader, error) {
	kept := old.Headers
	switch changed.Address {
	case "":
		changed.Address = old.Address
	case old.Address:
	default:
		kept = nil
	}
	return headersIn(sent, kept)
}

// fieldsAgain are the fields of a form that is shown again; of secrets only
// those that are kept are there.
func fieldsAgain(kind report.ConnectionType, members, kept map[string]any, wrong fault) []connectionField {
	shown := map[string]any{}
	for _, f := range kind.Fields {
		if strings.HasPrefix(f.Editor, "secret") {
			shown[f.Name] = kept[f.Name]
		} else {
			shown[f.Name] = members[f.Name]
		}
		if shown[f.Name] == nil {
			delete(shown, f.Name)
		}
	}
	return fieldsOf(kind, shown, wrong.Path)
}

func (u *UI) deleteConnection(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	caller := access.Of(r.Context())
	if err == nil {
		err = u.Store.DeleteConnection(r.Context(), caller.Workspace.ID, sent.Get("name"))
	}
	u.finish(w, r, err, u.connectionsAddress(caller), "deleted", func(int, fault) { u.Error(w, r, err) })
}

func addressIn(sent url.Values) report.Secret {
	return report.Secret(strings.TrimSpace(sent.Get("address")))
}

// namesIn are the names of headers that a form has sent.
func namesIn(sent url.Values) []string {
	var names []string
	for _, name := range sent["header-name"] {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// headersIn are the headers that a form has sent: pairs of a name and a value.
// A pair without a name is none; without a value it keeps that of the header of
// the name.
func headersIn(sent url.Values, kept []store.ConnectionHeader) ([]store.ConnectionHeader, error) {
	names, values := sent["header-name"], sent["header-value"]
	if len(names) != len(values) || len(names) > maxHeaders {
		return nil, report.Problemf("headers", "at most %d headers are accepted, each with a name and a value", maxHeaders)
	}
	var headers []store.ConnectionHeader
	for i, name := range names {
		header := store.ConnectionHeader{Name: strings.TrimSpace(name), Value: report.Secret(strings.TrimSpace(values[i]))}
		if header.Name == "" {
			continue
		}
		if !isHeaderName(header.Name) || strings.ContainsAny(header.Value.Reveal(), "\r\n") {
			return nil, report.Problemf("headers", "%q is not the name of a header, or its value has a line break", header.Name)
		}
		if header.Value == "" {
			header.Value = valueOf(header.Name, kept)
		}
		if header.Value == "" {
			return nil, report.Problemf("headers", "enter the value of the header %s; with another address none is kept", header.Name)
		}
		headers = append(headers, header)
	}
	return headers, nil
}

func valueOf(name string, kept []store.ConnectionHeader) report.Secret {
	for _, h := range kept {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// isHeaderName takes the letters, digits and signs of HTTP's tokens.
func isHeaderName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~") == ""
}
