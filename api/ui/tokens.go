package ui

import (
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// tokensBody is the content of the page of access tokens.
type tokensBody struct {
	Tokens        []store.Token
	Now           time.Time
	Name, Problem string
	Lifetimes     []lifetime
	Created       string // a token just made; shown this once
}

// lifetime is how long a token can live.
type lifetime struct {
	Days     int // 0: until it is revoked
	Label    string
	Selected bool
}

func lifetimes(selected int) []lifetime {
	offered := []lifetime{{Days: 30, Label: say("30 days")}, {Days: 90, Label: say("90 days")}, {Days: 365, Label: say("1 year")}, {Label: say("Until it is revoked")}}
	for i := range offered {
		offered[i].Selected = offered[i].Days == selected
	}
	return offered
}

const usualLifetime = 90

func (u *UI) tokensPage(w http.ResponseWriter, r *http.Request) {
	u.showTokens(w, r, http.StatusOK, tokensBody{Lifetimes: lifetimes(usualLifetime)})
}

func (u *UI) showTokens(w http.ResponseWriter, r *http.Request, status int, body tokensBody) {
	tokens, err := u.Store.Tokens(r.Context(), access.Of(r.Context()).User.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.Tokens, body.Now = tokens, u.Clock()
	u.show(w, r, status, "tokens", page{Title: u.t(r, "Access tokens"), Section: "tokens", Script: body.Created != "", Body: body})
}

// createToken answers with the page that shows the token: it is kept nowhere,
// so a redirect could not show it.
func (u *UI) createToken(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	name := r.PostFormValue("name")
	days, err := strconv.Atoi(r.PostFormValue("days"))
	if err != nil || days < 0 || days > 3650 || !utf8.ValidString(name) {
		u.Error(w, r, report.Problemf("", "the form could not be read"))
		return
	}
	var expires *time.Time
	if days > 0 {
		at := u.Clock().AddDate(0, 0, days)
		expires = &at
	}
	token, err := u.Store.CreateToken(r.Context(), access.Of(r.Context()).User.ID, name, expires)
	if wrong := answer.ProblemsIn(err); len(wrong) > 0 && wrong[0].Kind == report.Invalid {
		u.showTokens(w, r, http.StatusUnprocessableEntity, tokensBody{Name: name, Problem: sentence(u.t(r, wrong[0].Message)), Lifetimes: lifetimes(days)})
		return
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.showTokens(w, r, http.StatusOK, tokensBody{Created: token, Lifetimes: lifetimes(usualLifetime)})
}

func (u *UI) revokeToken(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(pathVar(r, "tokenId"))
	if err != nil || id > 1<<31-1 {
		err = report.NotFoundf("token %s does not exist", pathVar(r, "tokenId"))
	} else {
		err = u.Store.RevokeToken(r.Context(), access.Of(r.Context()).User.ID, id)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.PathBase+"/tokens", http.StatusSeeOther)
}
