package ui

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Transfers bring templates into other workspaces. *store.Store is one.
type Transfers interface {
	FontFiles(ctx context.Context, workspaceID int) ([]report.FileStamp, error)
	TransferTemplate(ctx context.Context, tr store.Transfer) (id int, err error)
}

// transferRoutes bring a template into another workspace, with what it uses.
func (u *UI) transferRoutes() []route {
	const one = "/ws/{workspaceId}/templates/{resource:[0-9]+}/transfer"
	full := access.In(access.Session, store.Templates, store.Full)
	return []route{
		{http.MethodGet, one, full, u.toSignIn, u.transferPage},
		{http.MethodPost, one, full, u.toSignIn, u.transferTemplate},
	}
}

// transferBody is the content of the page that transfers a template.
type transferBody struct {
	Name, Address, Back string
	Places              []store.Workspace
	Chosen              int
	Goes, Stays         []luggage
	Fault               fault
}

// luggage is a thing that a template uses, or why it stays.
type luggage struct{ Kind, Name, Why string }

func (u *UI) transferPage(w http.ResponseWriter, r *http.Request) {
	u.showTransfer(w, r, http.StatusOK, fault{})
}

func (u *UI) showTransfer(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	places, err := u.templatePlaces(r)
	var packed *packed
	if err == nil {
		packed, err = u.packed(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	own := u.workspaceAddress(*access.Of(r.Context()).Workspace)
	id := itoa(resourceID(r))
	body := transferBody{
		Name: packed.template.Name, Address: own + "/templates/" + id + "/transfer", Back: own + "/library#templates/" + id,
		Places: places, Chosen: number(r.PostFormValue("workspace")), Goes: u.goes(r, &packed.with), Stays: packed.stays, Fault: wrong,
	}
	u.show(w, r, status, "transfer", page{Title: u.t(r, "{0} to another workspace", body.Name), Section: "reports", Tab: tabLibrary, Body: body})
}

// templatePlaces are the workspaces that the caller may bring a template to.
func (u *UI) templatePlaces(r *http.Request) ([]store.Workspace, error) {
	caller := access.Of(r.Context())
	all, err := u.Store.WorkspacesAllowing(r.Context(), caller.User, store.Templates, store.Full)
	return slices.DeleteFunc(all, func(ws store.Workspace) bool { return ws.ID == caller.Workspace.ID }), err
}

// goes lists what goes along.
func (u *UI) goes(r *http.Request, with *report.Workspace) (list []luggage) {
	add := func(kind, name string) { list = append(list, luggage{Kind: u.t(r, kind), Name: name}) }
	for i := range with.Themes {
		add(say("Theme"), with.Themes[i].Name)
	}
	for i := range with.PageTypes {
		add(say("Page type"), with.PageTypes[i].Name)
	}
	for i := range with.DataSources {
		add(say("Data source"), with.DataSources[i].Name)
	}
	for i := range with.Parameters {
		add(say("Parameter"), with.Parameters[i].Name)
	}
	for i := range with.Dictionaries {
		add(say("Dictionary"), with.Dictionaries[i].Name)
	}
	for i := range with.Files {
		add(say("File"), with.Files[i].Name)
	}
	return list
}

// packed is a template with what it uses, as far as the caller may take it.
type packed struct {
	template report.Template
	revision int // of the template
	with     report.Workspace
	stays    []luggage
}

func (u *UI) packed(r *http.Request) (*packed, error) {
	caller, id := access.Of(r.Context()), resourceID(r)
	library, err := u.Store.Library(r.Context(), caller.Workspace.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(library.Templates, func(e store.Entry[report.Template]) bool { return e.ID == id })
	if i < 0 {
		return nil, report.NotFoundf("template %d does not exist", id)
	}
	from := &report.Workspace{
		PageTypes: store.Definitions(library.PageTypes), Parameters: store.Definitions(library.Parameters), Dictionaries: store.Definitions(library.Dictionaries),
		DataSources: store.Definitions(library.DataSources), Themes: store.Definitions(library.Themes),
	}
	files, err := u.Store.Files(r.Context(), caller.Workspace.ID)
	if err != nil {
		return nil, err
	}
	for i := range files {
		from.Files = append(from.Files, report.File{Name: files[i].Name})
	}
	fonts, err := u.fontFamilies(r.Context(), caller.Workspace.ID)
	if err != nil {
		return nil, err
	}
	found := export.BaggageOf(library.Templates[i].Definition, from, fonts)
	p := &packed{template: *library.Templates[i].Definition, revision: library.Templates[i].Revision, with: found.Goes}
	for _, n := range found.Stays {
		p.stays = append(p.stays, u.staying(r, n))
	}
	u.leave(r, p)
	return p, nil
}

// staying says why a thing stays.
func (u *UI) staying(r *http.Request, n export.Named) luggage {
	switch n.Kind {
	case export.NamedConnection:
		return luggage{u.t(r, "Connection"), n.Name, u.t(r, "It holds secrets; set one of this name up there.")}
	case export.NamedFile:
		return luggage{u.t(r, "File"), "…", u.t(r, "The data says which; bring along by hand what is missing.")}
	}
	return luggage{u.t(r, "Report"), n.Name, u.t(r, "Reports are moved by themselves.")}
}

// leave leaves what the caller may not see the whole of.
func (u *UI) leave(r *http.Request, p *packed) {
	caller := access.Of(r.Context())
	why := u.t(r, "Your role here does not let you take it along.")
	left := func(c store.Category, l store.Level, part report.Workspace) bool {
		if caller.Require(c, l) == nil {
			return false
		}
		for _, thing := range u.goes(r, &part) {
			p.stays = append(p.stays, luggage{thing.Kind, thing.Name, why})
		}
		return true
	}
	if left(store.Themes, store.Read, report.Workspace{Themes: p.with.Themes}) {
		p.with.Themes = nil
	}
	if left(store.DataSources, store.Full, report.Workspace{DataSources: p.with.DataSources}) {
		p.with.DataSources = nil
	}
	if left(store.Configuration, store.Full, report.Workspace{Parameters: p.with.Parameters, PageTypes: p.with.PageTypes}) {
		p.with.Parameters, p.with.PageTypes = nil, nil
	}
	if left(store.Dictionaries, store.Read, report.Workspace{Dictionaries: p.with.Dictionaries}) {
		p.with.Dictionaries = nil
	}
	if left(store.Files, store.Read, report.Workspace{Files: p.with.Files}) {
		p.with.Files = nil
	}
}

// fontFamilies are the families of the managed files that are fonts.
func (u *UI) fontFamilies(ctx context.Context, workspace int) (map[string]string, error) {
	stamps, err := u.Store.FontFiles(ctx, workspace)
	families := map[string]string{}
	for i := range stamps {
		_, content, err := u.Store.OpenFile(ctx, workspace, stamps[i].Name)
		if err != nil {
			return nil, err
		}
		file, err := io.ReadAll(content) // of a size that was checked when it came
		_ = content.Close()
		if err != nil {
			return nil, err
		}
		families[stamps[i].Name] = export.FontFamily(file)
	}
	return families, err
}

func (u *UI) transferTemplate(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	var places []store.Workspace
	if err == nil {
		places, err = u.templatePlaces(r)
	}
	var going *packed
	if err == nil {
		going, err = u.packed(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	to := number(sent.Get("workspace"))
	i := slices.IndexFunc(places, func(ws store.Workspace) bool { return ws.ID == to })
	address := ""
	if i < 0 {
		err = report.Problemf("workspace", "choose a workspace where you may change templates")
	} else {
		var id int
		id, err = u.transfer(r, places[i], going, sent.Get("how") == "move")
		address = u.workspaceAddress(places[i]) + "/library#templates/" + itoa(id)
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) { u.showTransfer(w, r, status, wrong) })
}

// transfer brings a template by the role that the caller has in the other workspace:
// there its names, and those of what goes along, lead to other things.
func (u *UI) transfer(r *http.Request, to store.Workspace, going *packed, move bool) (int, error) {
	caller := access.Of(r.Context())
	there, err := u.Store.Enter(r.Context(), caller.User, to.Code)
	if err != nil {
		return 0, err
	}
	definitions := []any{&going.template}
	for i := range going.with.Themes {
		definitions = append(definitions, &going.with.Themes[i])
	}
	for i := range going.with.Parameters {
		definitions = append(definitions, &going.with.Parameters[i])
	}
	for _, d := range definitions {
		if err := (rights.Judge{Store: u.Store}).New(r.Context(), there, d); err != nil {
			return 0, err
		}
	}
	return u.Store.TransferTemplate(r.Context(), store.Transfer{From: caller.Workspace.ID, To: there, ID: resourceID(r), Revision: going.revision, Template: going.template, With: going.with, Move: move})
}
