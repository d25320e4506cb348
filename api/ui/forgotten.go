package ui

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// forgottenRoutes set a password by a link, which is mailed to users who forgot
// theirs, or made by a root user.
func (u *UI) forgottenRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	open, root := access.Open(), access.RootOnly(access.Session)
	return []route{
		{get, "/forgotten", open, u.Error, u.forgottenPage},
		{post, "/forgotten", open, u.Error, u.forgotten},
		{get, "/set-password", open, u.Error, u.linkPage},
		{post, "/set-password", open, u.Error, u.setPasswordByLink},
		{post, "/users/{userId:[0-9]+}/link", root, u.toSignIn, u.makePasswordLink},
	}
}

// mailsLinks tells whether who has forgotten a password is sent a link. Without
// a public address it would lead where the request says that we are, which is for
// whoever sends it to choose.
func (u *UI) mailsLinks() bool { return u.hasMail() && u.PublicURL != "" }

// forgottenBody is the content of the page for forgotten passwords.
type forgottenBody struct {
	Mails, Sent bool
	Email       string
	Fault       fault
}

func (u *UI) forgottenPage(w http.ResponseWriter, r *http.Request) {
	u.showForgotten(w, r, http.StatusOK, forgottenBody{})
}

func (u *UI) showForgotten(w http.ResponseWriter, r *http.Request, status int, body forgottenBody) {
	body.Mails = u.mailsLinks()
	u.show(w, r, status, "forgotten", page{Title: u.t(r, "Forgotten password"), Body: body})
}

// forgotten answers the same, as fast, whether there is an account or not.
func (u *UI) forgotten(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := forgottenBody{Email: strings.TrimSpace(sent.Get("email"))}
	switch {
	case !u.mailsLinks():
		u.showForgotten(w, r, http.StatusUnprocessableEntity, body)
		return
	case !strings.Contains(body.Email, "@") || len(body.Email) > 254:
		err = report.Problemf("email", "enter your email address")
	}
	may := false
	if err == nil {
		may, err = u.Attempts.AskLink(r, body.Email)
	}
	if wrong, status := u.faultOf(r, err); status != 0 {
		body.Fault = wrong
		u.showForgotten(w, r, status, body)
		return
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if may {
		u.mailForgotten(r, body.Email)
	}
	body.Sent = true
	u.showForgotten(w, r, http.StatusOK, body)
}

const (
	// mostLetters is how many links are on their way at the same time; a slow mail
	// server must not cost somebody theirs.
	mostLetters = 64
	// letterTakes is how long one may take.
	letterTakes = time.Minute
)

// mailForgotten mails a link to the account with an address, if there is one,
// while the answer is on its way.
func (u *UI) mailForgotten(r *http.Request, email string) {
	subject, text := u.t(r, "Set a new password"), u.t(r, `Somebody, probably you, has forgotten the password of {0} at Quire.

Choose a new one here:
{1}

The link is good once, for an hour. If it was not you, you need not do anything: your password stays.`)
	ctx := context.WithoutCancel(r.Context())
	log := u.Logger.With("request", answer.TraceOf(ctx).ID)
	select {
	case u.letters <- struct{}{}:
	default:
		log.WarnContext(ctx, "a link was not mailed: too many are on their way")
		return
	}
	go func() {
		defer func() { <-u.letters }()
		ctx, stop := context.WithTimeout(ctx, letterTakes)
		defer stop()
		user, token, err := u.Store.ForgottenPassword(ctx, email)
		if err == nil && user != nil {
			address := strings.TrimRight(u.PublicURL, "/") + u.PathBase + "/set-password?token=" + token
			err = u.Mail.Send(ctx, user.Email, subject, u.texts.T("en", text, user.Email, address))
		}
		if err != nil {
			log.WarnContext(ctx, "a link was not mailed", "error", err)
		}
	}()
}

// linkBody is the content of the page on which a link sets a password.
type linkBody struct {
	Token, Email string
	Fault        fault
}

func (u *UI) linkPage(w http.ResponseWriter, r *http.Request) {
	u.showLink(w, r, http.StatusOK, queryText(r, "token"), fault{})
}

func (u *UI) showLink(w http.ResponseWriter, r *http.Request, status int, token string, wrong fault) {
	user, err := u.Store.PasswordLinkUser(r.Context(), token)
	if err != nil {
		u.noLink(w, r, err)
		return
	}
	u.show(w, r, status, "set-password", page{Title: u.t(r, "Set a new password"), Script: true, Body: linkBody{token, user.Email, wrong}})
}

// setPasswordByLink lets nobody in: the user signs in with the new password.
// The browser is known from then on, so that whoever guesses is not in the way.
func (u *UI) setPasswordByLink(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	token, password := sent.Get("token"), report.Secret(sent.Get("password"))
	var user *store.User
	if password != report.Secret(sent.Get("repeated")) {
		err = report.Problemf("repeated", "the two passwords are not the same")
	} else {
		user, err = u.Store.SetPasswordByLink(r.Context(), token, password)
	}
	if isNotFound(err) {
		u.noLink(w, r, err)
		return
	}
	if err == nil {
		err = u.Attempts.Remember(w, r, user)
	}
	u.finish(w, r, err, u.PathBase+"/sign-in", "password", func(status int, wrong fault) { u.showLink(w, r, status, token, wrong) })
}

// makePasswordLink makes a link for a user, for a root user to hand over.
func (u *UI) makePasswordLink(w http.ResponseWriter, r *http.Request) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/password", "")
		return
	}
	user, err := u.Store.UserByID(r.Context(), id)
	var token string
	var until time.Time
	if err == nil {
		token, until, err = u.Store.PasswordLink(r.Context(), id)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	link := &madeLink{Email: user.Email, Address: u.origin(r) + u.PathBase + "/set-password?token=" + token, Until: until}
	u.sendLink(r, link, u.t(r, "Set a new password"), u.t(r, `Set the password of {0} at Quire here:
{1}

The link is good once, until {2}.`, user.Email, link.Address, u.date(r, until)))
	u.showUser(w, r, http.StatusOK, userBody{Link: link})
}
