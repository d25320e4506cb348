package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// rolesBody is the content of the page of the roles of a workspace.
type rolesBody struct {
	Address string
	Roles   []roleRow
	May     bool // make roles
}

type roleRow struct {
	store.Role
	Address string
	Members int
	Summary string // what it may
	May     bool   // who looks may change it
}

func (u *UI) rolesPage(w http.ResponseWriter, r *http.Request) {
	u.showRoles(w, r, http.StatusOK, fault{})
}

func (u *UI) showRoles(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	caller := access.Of(r.Context())
	roles, err := u.Store.Roles(r.Context(), caller.Workspace.ID)
	var members map[int]int
	if err == nil {
		members, err = u.Store.RoleMembers(r.Context(), caller.Workspace.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := rolesBody{Address: u.rolesAddress(caller), May: caller.Require(store.Configuration, store.Full) == nil}
	for _, role := range roles {
		body.Roles = append(body.Roles, roleRow{
			Role: role, Address: body.Address + "/" + itoa(role.ID), Members: members[role.ID], Summary: u.summaryOf(r, &role),
			May: body.May && !role.BuiltIn && caller.RequireGiving(&role) == nil,
		})
	}
	u.show(w, r, status, "roles", page{
		Title: u.t(r, "Roles of {0}", caller.Workspace.Name), Section: "reports", Tab: tabRoles, Fault: wrong, Body: body,
		Notice: u.notice(r, map[string]string{"created": "The role was made.", "saved": "The role is saved.", "deleted": "The role was deleted."}),
	})
}

func (u *UI) rolesAddress(caller *access.Caller) string {
	return u.workspaceAddress(*caller.Workspace) + "/roles"
}

// summaryOf is what a role may, by level.
func (u *UI) summaryOf(r *http.Request, role *store.Role) string {
	var parts []string
	for _, level := range []store.Level{store.Full, store.Write, store.Read} {
		var names []string
		for _, c := range store.Categories() {
			if role.Levels[c] == level {
				names = append(names, u.t(r, c.Label()))
			}
		}
		switch {
		case len(names) == len(store.Categories()):
			return u.t(r, "{0} on everything", u.t(r, level.Label()))
		case len(names) > 0:
			parts = append(parts, u.t(r, "{0} on {1}", u.t(r, level.Label()), strings.Join(names, ", ")))
		}
	}
	if len(parts) == 0 {
		return u.t(r, "Sees only own reports")
	}
	return strings.Join(parts, " · ")
}

// roleBody is a role in a form.
type roleBody struct {
	Address     string // where the form goes
	Back        string
	ID          int // 0: a new one
	Name        string
	Description string
	BuiltIn     bool
	May         bool
	Categories  []categoryRow
	Levels      []store.Level
	NeedsFactor bool
	MayFactor   bool // say whether a second factor is needed
	Fault       fault
}

// categoryRow is the level of a role for one category.
type categoryRow struct {
	Name, Label, Help string
	Choices           []levelChoice // one for each level
}

type levelChoice struct {
	Level            store.Level
	Offered, Checked bool
}

func (u *UI) newRolePage(w http.ResponseWriter, r *http.Request) {
	u.showRole(w, r, http.StatusOK, &store.Role{Levels: map[store.Category]store.Level{store.Reports: store.Read}}, fault{})
}

func (u *UI) rolePage(w http.ResponseWriter, r *http.Request) {
	role, err := u.Store.RoleByID(r.Context(), access.Of(r.Context()).Workspace.ID, number(pathVar(r, "roleId")))
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.showRole(w, r, http.StatusOK, role, fault{})
}

func (u *UI) showRole(w http.ResponseWriter, r *http.Request, status int, role *store.Role, wrong fault) {
	caller := access.Of(r.Context())
	body := roleBody{
		Back: u.rolesAddress(caller), Address: u.rolesAddress(caller), ID: role.ID, Name: role.Name, Description: role.Description, BuiltIn: role.BuiltIn,
		Levels: store.Reports.Levels(), Fault: wrong,
		NeedsFactor: role.NeedsFactor, MayFactor: role.ID != 0 && caller.Require(store.Configuration, store.Full) == nil && caller.RequireGiving(role) == nil,
		May: !role.BuiltIn && caller.Require(store.Configuration, store.Full) == nil && (status != http.StatusOK || caller.RequireGiving(role) == nil),
	}
	body.MayFactor = body.MayFactor || body.May
	title := u.t(r, "New role")
	if role.ID != 0 {
		body.Address, title = body.Address+"/"+itoa(role.ID), role.Name
	}
	for _, c := range store.Categories() {
		row := categoryRow{Name: string(c), Label: c.Label(), Help: helpOf(c)}
		for _, level := range body.Levels {
			row.Choices = append(row.Choices, levelChoice{level, slices.Contains(c.Levels(), level), role.Levels[c] == level})
		}
		body.Categories = append(body.Categories, row)
	}
	u.show(w, r, status, "role", page{Title: title, Section: "reports", Tab: tabRoles, Body: body})
}

// helpOf says what a category is, where its name does not.
func helpOf(c store.Category) string {
	switch c {
	case store.Reports:
		return say("No access: only own reports")
	case store.DataSources:
		return say("and connections")
	case store.Files:
		return say("images and documents")
	case store.Configuration:
		return say("members, roles, report types, parameters, settings")
	}
	return ""
}

func (u *UI) createRole(w http.ResponseWriter, r *http.Request) {
	role, ok := u.readRole(w, r)
	if !ok {
		return
	}
	caller := access.Of(r.Context())
	_, err := u.Store.AddRole(r.Context(), &caller.Access, *role)
	u.finish(w, r, err, u.rolesAddress(caller), "created", func(status int, wrong fault) { u.showRole(w, r, status, role, wrong) })
}

func (u *UI) saveRole(w http.ResponseWriter, r *http.Request) {
	role, ok := u.readRole(w, r)
	if !ok {
		return
	}
	role.ID = number(pathVar(r, "roleId"))
	caller := access.Of(r.Context())
	stored, err := u.Store.RoleByID(r.Context(), caller.Workspace.ID, role.ID)
	switch {
	case err != nil:
	case stored.BuiltIn:
		err = u.Store.SetRoleFactor(r.Context(), &caller.Access, role.ID, role.NeedsFactor)
		stored.NeedsFactor = role.NeedsFactor
		role = stored
	default:
		err = u.Store.UpdateRole(r.Context(), &caller.Access, *role)
	}
	u.finish(w, r, err, u.rolesAddress(caller), "saved", func(status int, wrong fault) { u.showRole(w, r, status, role, wrong) })
}

func (u *UI) deleteRole(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	err := u.Store.DeleteRole(r.Context(), &caller.Access, number(pathVar(r, "roleId")))
	u.finish(w, r, err, u.rolesAddress(caller), "deleted", func(status int, wrong fault) { u.showRoles(w, r, status, wrong) })
}

func (u *UI) readRole(w http.ResponseWriter, r *http.Request) (*store.Role, bool) {
	sent, err := readForm(w, r)
	if err == nil {
		var role *store.Role
		if role, err = roleOf(sent); err == nil {
			return role, true
		}
	}
	u.Error(w, r, err)
	return nil, false
}

// roleOf is the role that a form has sent; a category that it leaves out has no
// access.
func roleOf(sent url.Values) (*store.Role, error) {
	role := &store.Role{Name: strings.TrimSpace(sent.Get("name")), Description: strings.TrimSpace(sent.Get("description")), NeedsFactor: sent.Has("factor"), Levels: map[store.Category]store.Level{}}
	for _, c := range store.Categories() {
		text := sent.Get("level-" + string(c))
		if text == "" {
			continue
		}
		var level store.Level
		if err := level.UnmarshalText([]byte(text)); err != nil {
			return nil, err
		}
		role.Levels[c] = level
	}
	return role, nil
}
