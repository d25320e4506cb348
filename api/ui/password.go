package ui

import (
	"errors"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// passwordBody is the content of the page that changes one's own password.
type passwordBody struct {
	Email string // for password managers
	Fault fault
}

func (u *UI) passwordPage(w http.ResponseWriter, r *http.Request) {
	u.showPassword(w, r, http.StatusOK, fault{})
}

func (u *UI) showPassword(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	u.show(w, r, status, "password", page{
		Title: u.t(r, "Password"), Section: "password", Script: true,
		Notice: u.notice(r, map[string]string{"changed": "Your password was changed. Everywhere else you are signed out."}),
		Body:   passwordBody{access.Of(r.Context()).User.Email, wrong},
	})
}

// changePassword ends all sessions of the user and begins this one again.
func (u *UI) changePassword(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	user := access.Of(r.Context()).User
	from, err := u.Sessions.Origin(r) // a session goes on being its provider's
	if err != nil {
		u.Error(w, r, err)
		return
	}
	attempt, err := u.replacePassword(r, user, report.Secret(sent.Get("current")), report.Secret(sent.Get("password")), report.Secret(sent.Get("repeated")))
	if err == nil {
		if user, err = u.Store.UserByID(r.Context(), user.ID); err == nil {
			err = errors.Join(u.Sessions.SignInFrom(w, r, user, from), attempt.Remember(w, r, user))
		}
	}
	u.finish(w, r, err, u.PathBase+"/password", "changed", func(status int, wrong fault) { u.showPassword(w, r, status, wrong) })
}

// replacePassword also ends what the browser was known by; the attempt makes it
// known again.
func (u *UI) replacePassword(r *http.Request, user *store.User, current, fresh, repeated report.Secret) (*access.Attempt, error) {
	switch {
	case current == "":
		return nil, report.Problemf("current", "enter your current password")
	case fresh == "":
		return nil, report.Problemf("password", "enter a new password")
	case fresh != repeated:
		return nil, report.Problemf("repeated", "the two new passwords are not the same")
	case fresh == current:
		return nil, report.Problemf("password", "the new password is the current one")
	}
	attempt, err := u.showsPassword(r, user, current)
	if err != nil {
		return nil, err
	}
	return attempt, u.Store.SetPassword(r.Context(), user.ID, fresh)
}

// showsPassword checks the password of somebody who is signed in, as often as
// the limits allow.
func (u *UI) showsPassword(r *http.Request, user *store.User, current report.Secret) (*access.Attempt, error) {
	if current == "" {
		return nil, report.Problemf("current", "enter your current password")
	}
	attempt, err := u.Attempts.BeginOwn(r, user)
	if err != nil {
		return nil, err
	}
	_, err = u.Store.SignIn(r.Context(), user.Email, current, true)
	if isNotFound(err) {
		return nil, report.Problemf("current", "the current password is wrong")
	}
	if err == nil {
		err = attempt.Succeeded(r.Context())
	}
	return attempt, err
}
