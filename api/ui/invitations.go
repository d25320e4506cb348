package ui

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// invitationRoutes are inviting people, and coming in by an invitation. Tokens
// are in the query, which no log of ours has.
func (u *UI) invitationRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	open, known := access.Open(), access.Known(access.Session)
	rules := access.In(access.Session, store.Configuration, store.Full)
	const one = "/ws/{workspaceId}/invitations/{invitation:[0-9]+}"
	return []route{
		{post, one + "/again", rules, u.toSignIn, u.inviteAgain},
		{post, one + "/withdraw", rules, u.toSignIn, u.withdraw},
		{get, "/invitation", open, u.Error, u.invitationPage},
		{post, "/invitation", open, u.Error, u.takeInvitation},
		{get, "/invitation/join", known, u.toSignIn, u.joinPage},
		{post, "/invitation/join", known, u.toSignIn, u.join},
	}
}

// madeLink is a link that was made for somebody; it is shown this once.
type madeLink struct {
	Email, Address string
	Mailed         bool
	Fault          string // why no mail was sent
	Until          any
}

// hasMail tells whether the installation has a mail server.
func (u *UI) hasMail() bool { return u.Mail != nil && u.Mail.Host != "" }

// sendLink sends a link by mail, where there is a mail server; whoever asked for
// it sees it in any case.
func (u *UI) sendLink(r *http.Request, link *madeLink, subject, text string) {
	if !u.hasMail() {
		return
	}
	err := u.Mail.Send(r.Context(), link.Email, subject, text)
	link.Mailed = err == nil
	if problems := answer.ProblemsIn(err); len(problems) > 0 {
		link.Fault = sentence(u.said(r, problems[0].Message))
	} else if err != nil {
		link.Fault = u.t(r, "The mail server could not be reached.")
		u.Logger.WarnContext(r.Context(), "a link was not mailed", "error", err, "request", answer.TraceOf(r.Context()).ID)
	}
}

// showInvited shows the members with the link of an invitation just made.
func (u *UI) showInvited(w http.ResponseWriter, r *http.Request, made *store.Invitation, token string) {
	link := &madeLink{Email: made.Email, Address: u.origin(r) + u.PathBase + "/invitation?token=" + token, Until: made.Until}
	u.sendLink(r, link, u.t(r, "Invitation to {0}", made.Workspace), u.t(r, `{0} invites you to the workspace “{1}” of Quire.

Choose your name and your password here:
{2}

The link is good once, until {3}. If you did not expect this mail, you need not do anything.`, made.By, made.Workspace, link.Address, u.date(r, made.Until)))
	u.showMembers(w, r, http.StatusOK, membersBody{Invited: link}, fault{})
}

func (u *UI) inviteAgain(w http.ResponseWriter, r *http.Request) {
	made, token, err := u.Store.InviteAgain(r.Context(), &access.Of(r.Context()).Access, number(pathVar(r, "invitation")))
	if err == nil {
		u.showInvited(w, r, made, token)
		return
	}
	u.memberChanged(w, r, err, "")
}

func (u *UI) withdraw(w http.ResponseWriter, r *http.Request) {
	u.memberChanged(w, r, u.Store.Withdraw(r.Context(), &access.Of(r.Context()).Access, number(pathVar(r, "invitation"))), "withdrawn")
}

// invitationBody is the content of the page that an invitation leads to.
type invitationBody struct {
	*store.Invitation
	Token    string
	Name     string // what was entered
	Known    bool   // the address has an account
	Join     string // the address, for people with an account
	Other    string // the signed-in user, who was not invited
	RootOnly bool   // people sign in at a provider, and nowhere else
	Single   bool   // people sign in at a provider, too
	Fault    fault
}

func (u *UI) invitationPage(w http.ResponseWriter, r *http.Request) {
	u.showInvitation(w, r, http.StatusOK, invitationBody{Token: queryText(r, "token")})
}

func (u *UI) showInvitation(w http.ResponseWriter, r *http.Request, status int, body invitationBody) {
	var err error
	if body.Invitation, body.Known, err = u.Store.InvitationOf(r.Context(), body.Token); err != nil {
		u.noLink(w, r, err)
		return
	}
	body.Single = len(u.providerButtons("")) > 0
	body.RootOnly = u.Store.RootOnlyHere()
	body.Join = u.PathBase + "/sign-in?auto=off&next=" + url.QueryEscape(u.PathBase+"/invitation/join?token="+body.Token)
	u.show(w, r, status, "invitation", page{Title: u.t(r, "Invitation to {0}", body.Workspace), Script: true, Body: body})
}

// noLink says that a link is no good any more.
func (u *UI) noLink(w http.ResponseWriter, r *http.Request, err error) {
	if !isNotFound(err) {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, http.StatusNotFound, "no-link", page{Title: u.t(r, "This link is no longer valid")})
}

// takeInvitation makes the account of the invited person, and lets them in.
func (u *UI) takeInvitation(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := invitationBody{Token: sent.Get("token"), Name: sent.Get("name")}
	password := report.Secret(sent.Get("password"))
	var user *store.User
	var taken *store.Invitation
	switch {
	case strings.TrimSpace(body.Name) == "":
		err = report.Problemf("name", "enter your name")
	case password != report.Secret(sent.Get("repeated")):
		err = report.Problemf("repeated", "the two passwords are not the same")
	default:
		user, taken, err = u.Store.TakeInvitation(r.Context(), body.Token, body.Name, password)
	}
	if isNotFound(err) {
		u.noLink(w, r, err)
		return
	}
	address := ""
	if err == nil {
		address, err = u.comeIn(w, r, user, u.PathBase+"/ws/"+taken.Code, u.Attempts, store.Origin{})
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) {
		body.Fault = wrong
		u.showInvitation(w, r, status, body)
	})
}

// joinPage is the page for invited people who are signed in.
func (u *UI) joinPage(w http.ResponseWriter, r *http.Request) {
	u.showJoin(w, r, http.StatusOK, queryText(r, "token"), fault{})
}

func (u *UI) showJoin(w http.ResponseWriter, r *http.Request, status int, token string, wrong fault) {
	found, _, err := u.Store.InvitationOf(r.Context(), token)
	if err != nil {
		u.noLink(w, r, err)
		return
	}
	body := invitationBody{Invitation: found, Token: token, Fault: wrong}
	if user := access.Of(r.Context()).User; !strings.EqualFold(user.Email, found.Email) {
		body.Other = user.Email
	}
	u.show(w, r, status, "join", page{Title: u.t(r, "Invitation to {0}", found.Workspace), Body: body})
}

func (u *UI) join(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	token := sent.Get("token")
	taken, err := u.Store.JoinByInvitation(r.Context(), token, access.Of(r.Context()).User)
	if isNotFound(err) {
		u.noLink(w, r, err)
		return
	}
	address := u.PathBase + "/"
	if err == nil {
		address = u.PathBase + "/ws/" + taken.Code
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) { u.showJoin(w, r, status, token, wrong) })
}
