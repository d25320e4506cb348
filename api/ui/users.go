package ui

import (
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// shownUsers is how many accounts the list shows; the search finds the others.
const shownUsers = 200

// usersBody is the content of the page of accounts.
type usersBody struct {
	Users       []store.UserRow
	More        bool
	Search      string
	Self        int
	From        map[string]string // what people call the sources of accounts
	Email, Name string            // what was entered
	Root        bool
	Fault       fault
	Made        *madePassword
}

// madePassword is a password that was made for somebody; it is shown this once.
type madePassword struct{ Name, Email, Password string }

func (u *UI) usersPage(w http.ResponseWriter, r *http.Request) {
	u.showUsers(w, r, http.StatusOK, usersBody{Search: queryText(r, "q")}, fault{})
}

func (u *UI) showUsers(w http.ResponseWriter, r *http.Request, status int, body usersBody, wrong fault) {
	var err error
	if body.Users, err = u.Store.Users(r.Context(), body.Search); err != nil {
		u.Error(w, r, err)
		return
	}
	if body.More = len(body.Users) > shownUsers; body.More {
		body.Users = body.Users[:shownUsers]
	}
	body.From = map[string]string{}
	for _, row := range body.Users {
		body.From[row.Source] = u.sourceName(row.Source)
	}
	body.Self = access.Of(r.Context()).User.ID
	u.show(w, r, status, "users", page{Title: u.t(r, "Users"), Section: "users", Script: true, Fault: wrong, Body: body, Notice: u.notice(r, map[string]string{
		"created": "The account was made.", "activated": "The account is active again.",
		"deactivated": "The account is blocked: its sessions and access tokens work no more.", "password": "The new password is set. The user is signed out everywhere.",
		"ended": "The user is signed out everywhere.", "deleted": "The account was deleted. What it made stays.",
	})})
}

// createUser answers with the page that shows a password it has made: it is
// kept nowhere, so a redirect could not show it.
func (u *UI) createUser(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	password, made := givenOrMade(sent.Get("password"))
	body := usersBody{Email: strings.TrimSpace(sent.Get("email")), Name: sent.Get("name"), Root: sent.Has("root")}
	user, err := u.Store.CreateUser(r.Context(), store.NewUser{Email: body.Email, DisplayName: body.Name, Password: password, IsRoot: body.Root})
	if err == nil && made {
		u.showUsers(w, r, http.StatusOK, usersBody{Made: &madePassword{user.DisplayName, user.Email, password.Reveal()}}, fault{})
		return
	}
	u.finish(w, r, err, u.PathBase+"/users", "created", func(status int, wrong fault) {
		body.Fault = wrong
		u.showUsers(w, r, status, body, fault{})
	})
}

// setActive blocks or unblocks an account. Nobody blocks their own, so that a
// root user stays.
func (u *UI) setActive(active bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := number(pathVar(r, "userId"))
		var err error
		if id == access.Of(r.Context()).User.ID {
			err = &report.Problem{Kind: report.Conflict, Message: "you cannot block or unblock your own account"}
		} else {
			err = u.Store.SetActive(r.Context(), id, active)
		}
		what := "deactivated"
		if active {
			what = "activated"
		}
		u.finish(w, r, err, u.PathBase+"/users", what, func(status int, wrong fault) { u.showUsers(w, r, status, usersBody{}, wrong) })
	}
}

// userBody is the content of the page of somebody's account.
type userBody struct {
	User      *store.UserRow
	From      string // who manages the account; empty: root users
	Groups    []groupRow
	Told      string // groups that providers named
	In        []userPlace
	Name      string // what was entered
	Email     string
	Changed   fault    // of the account
	Sessions  []device // where the user is signed in
	Fault     fault
	Made      *madePassword
	Link      *madeLink
	Factor    *store.SecondFactor // nil: none
	Elsewhere bool                // only a provider lets the user in
}

// userPlace is a workspace in which somebody has rights.
type userPlace struct {
	store.InWorkspace
	Address string // of its members
	Summary string // what they may there
}

func (u *UI) userPage(w http.ResponseWriter, r *http.Request) {
	u.showUser(w, r, http.StatusOK, userBody{})
}

func (u *UI) showUser(w http.ResponseWriter, r *http.Request, status int, body userBody) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/password", "") // where the current one is asked for
		return
	}
	var err error
	if body.User, err = u.Store.AnyUser(r.Context(), id); err != nil {
		u.Error(w, r, err)
		return
	}
	if err = u.addRights(r, &body); err != nil {
		u.Error(w, r, err)
		return
	}
	body.Elsewhere = !body.User.IsRoot && u.Store.RootOnlyHere()
	if body.Factor, err = u.Store.SecondFactorOf(r.Context(), id); err != nil {
		u.Error(w, r, err)
		return
	}
	if body.Sessions, err = u.devicesOf(r, id, ""); err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, status, "user", page{Title: body.User.DisplayName, Section: "users", Script: true, Body: body, Notice: u.notice(r, map[string]string{
		"ended": "The device is signed out.", "factor": "The second factor is taken away.",
		"saved": "The account was changed.", "taken": "The account is managed here now.",
	})})
}

// addRights puts what somebody may into the page of their account, and by what.
func (u *UI) addRights(r *http.Request, body *userBody) error {
	groups, err := u.Store.GroupsOf(r.Context(), body.User.ID)
	if err != nil {
		return err
	}
	told, err := u.Store.ToldGroupsOf(r.Context(), body.User.ID)
	if err != nil {
		return err
	}
	held, err := u.Store.HoldingsOf(r.Context(), body.User.ID)
	body.From, body.Told = u.sourceName(body.User.Source), strings.Join(told, ", ")
	for _, g := range groups {
		body.Groups = append(body.Groups, groupRow{g, u.sourceName(g.Source)})
	}
	for _, in := range held {
		body.In = append(body.In, userPlace{in, u.workspaceAddress(in.Workspace) + "/members", u.summaryOf(r, in.Role)})
	}
	if body.Email == "" && body.Name == "" {
		body.Email, body.Name = body.User.Email, body.User.DisplayName
	}
	return err
}

// changeUser gives somebody another name or address.
func (u *UI) changeUser(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	change := store.UserChange{Email: strings.TrimSpace(sent.Get("email")), DisplayName: sent.Get("name")}
	u.onUser(w, r, err, "saved", userBody{Email: change.Email, Name: change.DisplayName}, func(id int) error { return u.Store.ChangeUser(r.Context(), id, change) })
}

// takeOverUser makes an account that is provisioned one that root users manage.
func (u *UI) takeOverUser(w http.ResponseWriter, r *http.Request) {
	u.onUser(w, r, nil, "taken", userBody{}, func(id int) error { return u.Store.TakeOverUser(r.Context(), id) })
}

// onUser does something to an account other than one's own, and shows it.
func (u *UI) onUser(w http.ResponseWriter, r *http.Request, err error, what string, body userBody, do func(id int) error) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/password", "")
		return
	}
	if err == nil {
		err = do(id)
	}
	u.finish(w, r, err, u.PathBase+"/users/"+itoa(id), what, func(status int, wrong fault) {
		body.Changed = wrong
		u.showUser(w, r, status, body)
	})
}

// deleteUser deletes an account; nobody deletes their own, so that a root user
// stays.
func (u *UI) deleteUser(w http.ResponseWriter, r *http.Request) {
	id := number(pathVar(r, "userId"))
	var err error
	if id == access.Of(r.Context()).User.ID {
		err = &report.Problem{Kind: report.Conflict, Message: "you cannot delete your own account"}
	} else {
		err = u.Store.DeleteUser(r.Context(), id)
	}
	u.finish(w, r, err, u.PathBase+"/users", "deleted", func(status int, wrong fault) { u.showUsers(w, r, status, usersBody{}, wrong) })
}

func (u *UI) setPassword(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/password", "")
		return
	}
	password, made := givenOrMade(sent.Get("password"))
	user, err := u.Store.AnyUser(r.Context(), id)
	if err == nil {
		err = u.Store.SetPassword(r.Context(), id, password)
	}
	if err == nil && made {
		u.showUser(w, r, http.StatusOK, userBody{Made: &madePassword{user.DisplayName, user.Email, password.Reveal()}})
		return
	}
	u.finish(w, r, err, u.PathBase+"/users", "password", func(status int, wrong fault) { u.showUser(w, r, status, userBody{Fault: wrong}) })
}

// signOutUser ends all sessions of an account; its browsers are strangers then.
func (u *UI) signOutUser(w http.ResponseWriter, r *http.Request) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/devices", "")
		return
	}
	_, err := u.Store.AnyUser(r.Context(), id)
	if err == nil {
		err = u.Store.EndSessionsOf(r.Context(), id, "")
	}
	if err == nil {
		err = u.Store.ForgetDevices(r.Context(), id, nil)
	}
	u.finish(w, r, err, u.PathBase+"/users", "ended", func(status int, wrong fault) { u.showUser(w, r, status, userBody{Fault: wrong}) })
}

// endSessionOfUser signs one device of an account out, and forgets its browsers:
// which of them it was is not known.
func (u *UI) endSessionOfUser(w http.ResponseWriter, r *http.Request) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/devices", "")
		return
	}
	_, err := u.Store.AnyUser(r.Context(), id)
	if err == nil {
		if err = u.Store.EndSessionOf(r.Context(), id, pathVar(r, "session")); isNotFound(err) {
			err = nil // it has ended meanwhile, as it should
		}
	}
	if err == nil {
		err = u.Store.ForgetDevices(r.Context(), id, nil)
	}
	u.finish(w, r, err, u.PathBase+"/users/"+itoa(id), "ended", func(status int, wrong fault) { u.showUser(w, r, status, userBody{Fault: wrong}) })
}

// givenOrMade is the password that was entered, or a new one.
func givenOrMade(entered string) (password report.Secret, made bool) {
	if entered != "" {
		return report.Secret(entered), false
	}
	return store.NewPassword(), true
}
