package ui

import "github.com/quire-reports/quire/store"

// place is the workspace that a page is about, with the tabs that the role of
// who looks at it allows.
type place struct {
	Workspace store.Workspace
	Address   string
	Heading   bool // whether its name is the page's heading
	Tabs      []tab
}

type tab struct {
	Name, Address string
	Current       bool
}

// The tabs of a workspace.
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
	tabAudit       = "audit"
)

func (u *UI) placeOf(lang string, a *store.Access, current string) *place {
	p := &place{Workspace: *a.Workspace, Address: u.workspaceAddress(*a.Workspace), Heading: current == tabReports}
	for _, t := range []struct {
		name, label string
		level       store.Level
		any         []store.Category // in any of which the level shows the tab; none: for everybody
	}{
		{tabReports, say("Reports"), store.None, nil},
		{tabLibrary, say("Library"), store.Read, []store.Category{store.Templates, store.Themes, store.Dictionaries, store.DataSources, store.Configuration}},
		{tabJobs, say("Jobs"), store.Read, []store.Category{store.Jobs}},
		{tabExports, say("Exports"), store.None, nil},
		{tabFiles, say("Files"), store.Read, []store.Category{store.Files}},
		{tabConnections, say("Connections"), store.Read, []store.Category{store.DataSources}},
		{tabMembers, say("Members"), store.Read, []store.Category{store.Configuration}},
		{tabRoles, say("Roles"), store.Read, []store.Category{store.Configuration}},
		{tabServices, say("Service accounts"), store.Full, []store.Category{store.Configuration}},
		{tabSettings, say("Settings"), store.Full, []store.Category{store.Configuration}},
		{tabAudit, say("Audit log"), store.Full, []store.Category{store.Configuration}},
	} {
		if !allowsAny(a.Role, t.level, t.any) {
			continue
		}
		address := p.Address
		if t.name != tabReports {
			address += "/" + t.name
		}
		p.Tabs = append(p.Tabs, tab{u.texts.T(lang, t.label), address, t.name == current})
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
