package ui

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// membersBody is the content of the page of the people of a workspace.
type membersBody struct {
	Address string
	Members []memberRow
	Roles   []store.Role // that the caller may give
	May     bool         // change anything here
	Email   string       // what was entered
	RoleID  int
	Fault   fault

	Groups       []memberGroup
	ByGroup      map[int][]string // names of groups, by the people who are in one
	GroupAddress string           // below which groups are given roles
	GroupsPage   string           // where groups are made; empty: who looks cannot
	Known        []string         // names of groups that are offered
	Group        string           // what was entered
	GroupFault   fault

	Invites     bool   // of a person without an account
	Invite      string // address of what is done with invitations
	Invitations []store.Invitation
	Invited     *madeLink // just now
}

type memberRow struct {
	store.Member
	May bool // who looks may change it
}

func (u *UI) membersPage(w http.ResponseWriter, r *http.Request) {
	u.showMembers(w, r, http.StatusOK, membersBody{}, fault{})
}

func (u *UI) showMembers(w http.ResponseWriter, r *http.Request, status int, body membersBody, wrong fault) {
	caller := access.Of(r.Context())
	members, err := u.Store.Members(r.Context(), caller.Workspace.ID)
	var roles []store.Role
	if err == nil {
		roles, err = u.Store.Roles(r.Context(), caller.Workspace.ID)
	}
	if err == nil {
		body.Invitations, err = u.Store.Invitations(r.Context(), caller.Workspace.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.Address, body.May = u.workspaceAddress(*caller.Workspace)+"/members", caller.Require(store.Configuration, store.Full) == nil
	body.Invites = u.Store.Invites()
	body.Invite = u.workspaceAddress(*caller.Workspace) + "/invitations"
	byID := map[int]*store.Role{}
	for i := range roles {
		byID[roles[i].ID] = &roles[i]
		if caller.RequireGiving(&roles[i]) == nil {
			body.Roles = append(body.Roles, roles[i])
			if body.RoleID == 0 && roles[i].Name == "Viewer" {
				body.RoleID = roles[i].ID // the usual role of a new member, not the strongest
			}
		}
	}
	if err := u.addGroups(r, &body, byID); err != nil {
		u.Error(w, r, err)
		return
	}
	for _, m := range members {
		role := byID[m.RoleID]
		body.Members = append(body.Members, memberRow{m, body.May && role != nil && caller.RequireGiving(role) == nil})
	}
	u.show(w, r, status, "members", page{
		Title: u.t(r, "Members of {0}", caller.Workspace.Name), Section: "reports", Tab: tabMembers, Fault: wrong, Script: body.Invited != nil, Body: body,
		Notice: u.notice(r, map[string]string{
			"added": "The member was added.", "changed": "The role was changed.", "removed": "The member was removed.",
			"group-added": "The group has the role now.", "group-removed": "The group has no role here any more.", "withdrawn": "The invitation was withdrawn; its link is no good any more.",
		}),
	})
}

// addMember adds who has an account, and invites who has none.
func (u *UI) addMember(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller := access.Of(r.Context())
	body := membersBody{Email: sent.Get("email"), RoleID: number(sent.Get("role"))}
	err = u.Store.AddMember(r.Context(), &caller.Access, body.Email, body.RoleID)
	if isNotFound(err) {
		var made *store.Invitation
		var token string
		if made, token, err = u.Store.Invite(r.Context(), &caller.Access, body.Email, body.RoleID); err == nil {
			u.showInvited(w, r, made, token)
			return
		}
	}
	u.finish(w, r, err, u.workspaceAddress(*caller.Workspace)+"/members", "added", func(status int, wrong fault) {
		body.Fault = wrong
		u.showMembers(w, r, status, body, fault{})
	})
}

func (u *UI) changeMember(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller := access.Of(r.Context())
	err = u.Store.ChangeMember(r.Context(), &caller.Access, number(pathVar(r, "userId")), number(sent.Get("role")))
	u.memberChanged(w, r, err, "changed")
}

func (u *UI) removeMember(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	u.memberChanged(w, r, u.Store.DropMember(r.Context(), &caller.Access, number(pathVar(r, "userId"))), "removed")
}

// memberChanged goes back to the list, or home when callers took their own
// right to see it.
func (u *UI) memberChanged(w http.ResponseWriter, r *http.Request, err error, what string) {
	caller := access.Of(r.Context())
	address := u.workspaceAddress(*caller.Workspace) + "/members"
	if err == nil && number(pathVar(r, "userId")) == caller.User.ID && !caller.User.IsRoot {
		address, what = u.PathBase+"/", ""
	}
	u.finish(w, r, err, address, what, func(status int, wrong fault) { u.showMembers(w, r, status, membersBody{}, wrong) })
}
