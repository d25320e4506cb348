package ui

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
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
	err = u.replacePassword(r, report.Secret(sent.Get("current")), report.Secret(sent.Get("password")), report.Secret(sent.Get("repeated")))
	if err == nil {
		if user, err = u.Store.UserByID(r.Context(), user.ID); err == nil {
			err = u.Sessions.SignIn(w, r, user)
		}
	}
	u.finish(w, r, err, u.PathBase+"/password", "changed", func(status int, wrong fault) { u.showPassword(w, r, status, wrong) })
}

func (u *UI) replacePassword(r *http.Request, current, fresh, repeated report.Secret) error {
	switch {
	case current == "":
		return report.Problemf("current", "enter your current password")
	case fresh == "":
		return report.Problemf("password", "enter a new password")
	case fresh != repeated:
		return report.Problemf("repeated", "the two new passwords are not the same")
	case fresh == current:
		return report.Problemf("password", "the new password is the current one")
	}
	user, err := u.authenticate(r, access.Of(r.Context()).User.Email, current)
	if isNotFound(err) {
		return report.Problemf("current", "the current password is wrong")
	}
	if err != nil {
		return err
	}
	return u.Store.SetPassword(r.Context(), user.ID, fresh)
}
