package ui

import (
	"context"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// Groups are groups of people and what is provisioned.
type Groups interface {
	Groups(ctx context.Context, search string) ([]store.Group, error)
	Group(ctx context.Context, id int) (*store.Group, error)
	GroupsOf(ctx context.Context, userID int) ([]store.Group, error)
	ToldGroupsOf(ctx context.Context, userID int) ([]string, error)
	GroupPeople(ctx context.Context, id int) ([]store.UserRow, error)
	GroupUse(ctx context.Context, id int) (store.GroupUse, error)
	CreateGroup(ctx context.Context, name string) (*store.Group, error)
	RenameGroup(ctx context.Context, id int, name string) error
	DeleteGroup(ctx context.Context, id int, used bool) error
	TakeOverGroup(ctx context.Context, id int) error
	AddToGroup(ctx context.Context, id int, email string) error
	RemoveFromGroup(ctx context.Context, id, userID int) error

	GroupMembers(ctx context.Context, workspaceID int) ([]store.GroupMember, error)
	PeopleByGroups(ctx context.Context, workspaceID int) ([]store.GroupPerson, error)
	GiveGroup(ctx context.Context, by *store.Access, name string, roleID int) error
	ChangeGroupRole(ctx context.Context, by *store.Access, id, roleID int) error
	DropGroup(ctx context.Context, by *store.Access, id int) error

	HoldingsOf(ctx context.Context, userID int) ([]store.InWorkspace, error)
	ChangeUser(ctx context.Context, userID int, c store.UserChange) error
	DeleteUser(ctx context.Context, userID int) error
	TakeOverUser(ctx context.Context, userID int) error

	ProvisioningTokens(ctx context.Context) ([]store.ProvisioningToken, error)
	CreateProvisioningToken(ctx context.Context, n store.NewProvisioningToken) (string, error)
	RevokeProvisioningToken(ctx context.Context, id int) error
}

// groupRoutes are the pages of groups, and of groups in workspaces.
func (u *UI) groupRoutes() []route {
	const get, post, one, ws = http.MethodGet, http.MethodPost, "/groups/{groupId:[0-9]+}", "/ws/{workspaceId}/groups"
	root, rules := access.RootOnly(access.Session), access.In(access.Session, store.Configuration, store.Full)
	return []route{
		{get, "/groups", root, u.toSignIn, u.groupsPage},
		{post, "/groups", root, u.toSignIn, u.createGroup},
		{get, one, root, u.toSignIn, u.groupPage},
		{post, one, root, u.toSignIn, u.renameGroup},
		{post, one + "/delete", root, u.toSignIn, u.deleteGroup},
		{post, one + "/take-over", root, u.toSignIn, u.takeOverGroup},
		{post, one + "/people", root, u.toSignIn, u.addToGroup},
		{post, one + "/people/{userId:[0-9]+}/remove", root, u.toSignIn, u.removeFromGroup},
		{post, ws, rules, u.toSignIn, u.giveGroup},
		{post, ws + "/{groupId:[0-9]+}/role", rules, u.toSignIn, u.changeGroupRole},
		{post, ws + "/{groupId:[0-9]+}/remove", rules, u.toSignIn, u.dropGroup},
	}
}

// sourceName is what people call a source; empty for root users.
func (u *UI) sourceName(source string) string {
	switch source {
	case "":
		return ""
	case store.SourceSCIM:
		return "SCIM"
	}
	for _, p := range u.Providers {
		if p.Name == source && p.Label != "" && p.Label != source {
			return p.Label + " (" + source + ")"
		}
	}
	return source
}

// groupsBody is the content of the page of groups.
type groupsBody struct {
	Groups []groupRow
	More   bool
	Search string
	Name   string // what was entered
	Fault  fault
}

type groupRow struct {
	store.Group
	From string // its source
}

func (u *UI) groupsPage(w http.ResponseWriter, r *http.Request) {
	u.showGroups(w, r, http.StatusOK, groupsBody{Search: queryText(r, "q")})
}

func (u *UI) showGroups(w http.ResponseWriter, r *http.Request, status int, body groupsBody) {
	groups, err := u.Store.Groups(r.Context(), body.Search)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if body.More = len(groups) > shownUsers; body.More {
		groups = groups[:shownUsers]
	}
	for _, g := range groups {
		body.Groups = append(body.Groups, groupRow{g, u.sourceName(g.Source)})
	}
	u.show(w, r, status, "groups", page{Title: u.t(r, "Groups"), Section: "groups", Body: body, Notice: u.notice(r, map[string]string{"deleted": "The group was deleted."})})
}

func (u *UI) createGroup(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	var made *store.Group
	if err == nil {
		made, err = u.Store.CreateGroup(r.Context(), sent.Get("name"))
	}
	address := ""
	if err == nil {
		address = u.groupAddress(made.ID)
	}
	u.finish(w, r, err, address, "created", func(status int, wrong fault) {
		u.showGroups(w, r, status, groupsBody{Name: sent.Get("name"), Fault: wrong})
	})
}

func (u *UI) groupAddress(id int) string { return u.PathBase + "/groups/" + itoa(id) }

// groupBody is the content of the page of a group.
type groupBody struct {
	Group   *store.Group
	From    string // its source
	Address string
	People  []store.UserRow
	More    bool
	Roles   []groupRoleRow
	Reports int
	Name    string // what was entered
	Email   string
	Faults  struct{ Name, Email, Delete fault }
}

type groupRoleRow struct {
	store.GroupRole
	Address string // of the members of the workspace
	Summary string
}

func (u *UI) groupPage(w http.ResponseWriter, r *http.Request) {
	u.showGroup(w, r, http.StatusOK, groupBody{})
}

func (u *UI) showGroup(w http.ResponseWriter, r *http.Request, status int, body groupBody) {
	id := number(pathVar(r, "groupId"))
	group, err := u.Store.Group(r.Context(), id)
	if err == nil {
		body.People, err = u.Store.GroupPeople(r.Context(), id)
	}
	var use store.GroupUse
	if err == nil {
		use, err = u.Store.GroupUse(r.Context(), id)
	}
	for _, role := range use.Roles {
		may, wrong := role.May()
		if wrong != nil {
			err = wrong
			break
		}
		body.Roles = append(body.Roles, groupRoleRow{role, u.workspaceAddress(role.Workspace) + "/members", u.summaryOf(r, may)})
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if body.More = len(body.People) > shownUsers; body.More {
		body.People = body.People[:shownUsers]
	}
	body.Group, body.From, body.Address, body.Reports = group, u.sourceName(group.Source), u.groupAddress(id), use.Reports
	if body.Name == "" {
		body.Name = group.Name
	}
	u.show(w, r, status, "group", page{Title: group.Name, Section: "groups", Body: body, Notice: u.notice(r, map[string]string{
		"created": "The group was made. Put people into it, and give it a role on the page Members of a workspace.", "renamed": "The name was changed.",
		"added": "The person is in the group.", "removed": "The person is out of the group.", "taken": "The group is managed here now.",
	})})
}

func (u *UI) renameGroup(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err == nil {
		err = u.Store.RenameGroup(r.Context(), number(pathVar(r, "groupId")), sent.Get("name"))
	}
	u.groupDone(w, r, err, "renamed", func(body *groupBody, wrong fault) { body.Name, body.Faults.Name = sent.Get("name"), wrong })
}

func (u *UI) addToGroup(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err == nil {
		err = u.Store.AddToGroup(r.Context(), number(pathVar(r, "groupId")), sent.Get("email"))
	}
	u.groupDone(w, r, err, "added", func(body *groupBody, wrong fault) { body.Email, body.Faults.Email = sent.Get("email"), wrong })
}

func (u *UI) removeFromGroup(w http.ResponseWriter, r *http.Request) {
	err := u.Store.RemoveFromGroup(r.Context(), number(pathVar(r, "groupId")), number(pathVar(r, "userId")))
	u.groupDone(w, r, err, "removed", func(body *groupBody, wrong fault) { body.Faults.Email = wrong })
}

func (u *UI) takeOverGroup(w http.ResponseWriter, r *http.Request) {
	u.groupDone(w, r, u.Store.TakeOverGroup(r.Context(), number(pathVar(r, "groupId"))), "taken", func(body *groupBody, wrong fault) { body.Faults.Name = wrong })
}

// groupDone goes back to the page of the group.
func (u *UI) groupDone(w http.ResponseWriter, r *http.Request, err error, what string, fail func(*groupBody, fault)) {
	u.finish(w, r, err, u.groupAddress(number(pathVar(r, "groupId"))), what, func(status int, wrong fault) {
		var body groupBody
		fail(&body, wrong)
		u.showGroup(w, r, status, body)
	})
}

// deleteGroup deletes a group; one that counts somewhere when it is said that
// this is known.
func (u *UI) deleteGroup(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err == nil {
		err = u.Store.DeleteGroup(r.Context(), number(pathVar(r, "groupId")), sent.Has("used"))
	}
	u.finish(w, r, err, u.PathBase+"/groups", "deleted", func(status int, wrong fault) {
		var body groupBody
		body.Faults.Delete = wrong
		u.showGroup(w, r, status, body)
	})
}

// memberGroup is a group in the list of members of a workspace.
type memberGroup struct {
	store.GroupMember
	From string // its source
	May  bool   // who looks may change it
	In   []store.GroupPerson
}

// addGroups puts the groups of the workspace into the page of its members.
func (u *UI) addGroups(r *http.Request, body *membersBody, roles map[int]*store.Role) error {
	caller := access.Of(r.Context())
	groups, err := u.Store.GroupMembers(r.Context(), caller.Workspace.ID)
	if err != nil {
		return err
	}
	people, err := u.Store.PeopleByGroups(r.Context(), caller.Workspace.ID)
	if err != nil {
		return err
	}
	in := map[int][]store.GroupPerson{}
	for _, p := range people {
		in[p.GroupID] = append(in[p.GroupID], p)
	}
	body.ByGroup = map[int][]string{}
	for _, g := range groups {
		role := roles[g.RoleID]
		may := body.May && role != nil && caller.RequireGiving(role) == nil
		body.Groups = append(body.Groups, memberGroup{g, u.sourceName(g.Source), may, in[g.GroupID]})
		for _, p := range in[g.GroupID] {
			body.ByGroup[p.UserID] = append(body.ByGroup[p.UserID], g.Name)
		}
	}
	if body.GroupAddress = u.workspaceAddress(*caller.Workspace) + "/groups"; caller.User.IsRoot {
		body.GroupsPage = u.PathBase + "/groups"
		all, err := u.Store.Groups(r.Context(), "")
		if err != nil {
			return err
		}
		for _, g := range all {
			body.Known = append(body.Known, g.Name)
		}
	}
	return nil
}

// Also names the groups by which a member holds a role besides their own.
func (b membersBody) Also(userID int) string { return strings.Join(b.ByGroup[userID], ", ") }

func (u *UI) giveGroup(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	caller := access.Of(r.Context())
	if err == nil {
		err = u.Store.GiveGroup(r.Context(), &caller.Access, sent.Get("group"), number(sent.Get("role")))
	}
	u.finish(w, r, err, u.workspaceAddress(*caller.Workspace)+"/members", "group-added", func(status int, wrong fault) {
		u.showMembers(w, r, status, membersBody{Group: sent.Get("group"), GroupFault: wrong}, fault{})
	})
}

func (u *UI) changeGroupRole(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	caller := access.Of(r.Context())
	if err == nil {
		err = u.Store.ChangeGroupRole(r.Context(), &caller.Access, number(pathVar(r, "groupId")), number(sent.Get("role")))
	}
	u.groupRoleDone(w, r, err, "changed")
}

func (u *UI) dropGroup(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	u.groupRoleDone(w, r, u.Store.DropGroup(r.Context(), &caller.Access, number(pathVar(r, "groupId"))), "group-removed")
}

// groupRoleDone goes back to the list, or home when callers took their own right
// to see it.
func (u *UI) groupRoleDone(w http.ResponseWriter, r *http.Request, err error, what string) {
	caller := access.Of(r.Context())
	address := u.workspaceAddress(*caller.Workspace) + "/members"
	if err == nil {
		now, gone := u.Store.Enter(r.Context(), caller.User, caller.Workspace.Code)
		if gone != nil || now.Require(store.Configuration, store.Read) != nil {
			address, what = u.PathBase+"/", ""
		}
	}
	u.finish(w, r, err, address, what, func(status int, wrong fault) { u.showMembers(w, r, status, membersBody{}, wrong) })
}
