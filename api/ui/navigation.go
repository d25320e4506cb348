package ui

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// place is the workspace that a page is about, with what the role of the caller
// allows there.
type place struct {
	Workspace store.Workspace
	Address   string
	Work      []tab // what people come for
	Manage    []tab // what they set up
}

// tab is an entry of the navigation.
type tab struct {
	Name, Icon, Address string
	Current             bool
}

// The entries of a workspace.
const (
	tabReports     = "reports"
	tabLibrary     = "library"
	tabJobs        = "jobs"
	tabExports     = "exports"
	tabFiles       = "files"
	tabConnections = "connections"
	tabMembers     = "members"
	tabRoles       = "roles"
	tabServices    = "service-accounts"
	tabSettings    = "settings"
	tabUsage       = "usage"
	tabAudit       = "audit"
)

func (u *UI) placeOf(lang string, a *store.Access, current string) *place {
	p := &place{Workspace: *a.Workspace, Address: u.workspaceAddress(*a.Workspace)}
	library := []store.Category{store.Templates, store.Themes, store.Dictionaries, store.DataSources, store.Configuration}
	configuration := []store.Category{store.Configuration}
	for _, t := range []struct {
		list              *[]tab
		name, label, icon string
		level             store.Level
		any               []store.Category // in any of which the level shows the entry; none: for everybody
	}{
		{&p.Work, tabReports, say("Reports"), "file-text", store.None, nil},
		{&p.Work, tabJobs, say("Jobs"), "play", store.Read, []store.Category{store.Jobs}},
		{&p.Work, tabExports, say("Exports"), "download", store.None, nil},
		{&p.Work, tabLibrary, say("Library"), "library", store.Full, library}, // its place is a workshop
		{&p.Work, tabFiles, say("Files"), "image", store.Read, []store.Category{store.Files}},
		{&p.Work, tabConnections, say("Connections"), "plug", store.Read, []store.Category{store.DataSources}},
		{&p.Manage, tabMembers, say("Members"), "users", store.Read, configuration},
		{&p.Manage, tabRoles, say("Roles"), "shield", store.Read, configuration},
		{&p.Manage, tabServices, say("Service accounts"), "bot", store.Full, configuration},
		{&p.Manage, tabSettings, say("Settings"), "settings", store.Full, configuration},
		{&p.Manage, tabUsage, say("Usage"), "chart-column", store.Full, configuration},
		{&p.Manage, tabAudit, say("Audit log"), "scroll-text", store.Full, configuration},
	} {
		if !allowsAny(a.Role, t.level, t.any) {
			continue
		}
		address := p.Address
		if t.name != tabReports {
			address += "/" + t.name
		}
		*t.list = append(*t.list, tab{u.texts.T(lang, t.label), t.icon, address, t.name == current})
	}
	return p
}

func allowsAny(role *store.Role, level store.Level, categories []store.Category) bool {
	for _, c := range categories {
		if role.Allows(c, level) {
			return true
		}
	}
	return len(categories) == 0
}

// installation are the entries about all of the installation that a user has.
func (u *UI) installation(lang string, user *store.User, current string) []tab {
	var list []tab
	add := func(name, label, icon, address string) {
		list = append(list, tab{u.texts.T(lang, label), icon, u.PathBase + address, name == current})
	}
	if user.IsRoot {
		add("users", say("Users"), "user-round", "/users")
		add("groups", say("Groups"), "users", "/groups")
		add("provisioning", say("Provisioning"), "plug", "/provisioning")
		add("sso", say("Single sign-on"), "fingerprint", "/sso")
		add("operation", say("Operation"), "activity", "/operation")
		add("usage", say("Usage"), "chart-column", "/usage")
		add("audit", say("Audit log"), "scroll-text", "/audit")
		add("mail", say("Mail"), "mail", "/mail")
	}
	if u.Explorer {
		add("api", "API", "code-xml", "/api/explorer")
	}
	return list
}

// mostSwitched are the workspaces that the switch at the top of the navigation
// offers; the list of all is one more entry.
const mostSwitched = 12

// workspacesOf are the workspaces that a user changes between. Without them the
// list of all is still there, so a fault of the database is left to the page.
func (u *UI) workspacesOf(r *http.Request) []tab {
	caller := access.Of(r.Context())
	workspaces, err := u.Store.Workspaces(r.Context(), caller.User)
	if err != nil {
		return nil
	}
	var list []tab
	for _, ws := range workspaces[:min(len(workspaces), mostSwitched)] {
		list = append(list, tab{ws.Name, "", u.workspaceAddress(ws), caller.Workspace != nil && caller.Workspace.ID == ws.ID})
	}
	return list
}
