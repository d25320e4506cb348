package ui

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// tokensBody is the content of the page of one's access tokens.
type tokensBody struct {
	Form   tokenForm
	Rows   tokenRows
	IsRoot bool
}

// tokenForm is the form for a new token.
type tokenForm struct {
	Address    string // the form goes there
	Name       string
	Workspaces []store.Workspace // it may be bound to; none: not asked
	Workspace  int
	Scopes     []scopeChoice
	Lifetimes  []lifetime
	Fault      fault
	Created    string // a token just made; shown this once
}

// tokenRows are tokens in a table.
type tokenRows struct {
	Address string // below which they are revoked
	Tokens  []store.Token
	Now     time.Time
	Owners  bool // who owns them is shown
}

type scopeChoice struct {
	Name, Label string
	Chosen      bool
}

// lifetime is how long a token can live.
type lifetime struct {
	Days     int // 0: until it is revoked
	Label    string
	Selected bool
}

const usualLifetime = 90

// newTokenForm is an empty form.
func newTokenForm(address string, workspaces []store.Workspace) tokenForm {
	f := tokenForm{Address: address, Workspaces: workspaces}
	f.choose(0, usualLifetime)
	return f
}

// choose fills in what can be chosen.
func (f *tokenForm) choose(scopes store.TokenScopes, days int) {
	f.Scopes = nil
	for _, known := range store.AllScopes() {
		f.Scopes = append(f.Scopes, scopeChoice{known.Name, known.Label, scopes.Has(known.Scope)})
	}
	f.Lifetimes = []lifetime{{Days: 30, Label: say("30 days")}, {Days: 90, Label: say("90 days")}, {Days: 365, Label: say("1 year")}, {Label: say("Until it is revoked")}}
	for i := range f.Lifetimes {
		f.Lifetimes[i].Selected = f.Lifetimes[i].Days == days
	}
}

// read is the token that a form asks for; the form keeps what was entered.
func (f *tokenForm) read(sent url.Values, now time.Time) (store.NewToken, error) {
	n := store.NewToken{Name: sent.Get("name")}
	days, err := strconv.Atoi(sent.Get("days"))
	if err != nil || days < 0 || days > 3650 {
		return n, report.Problemf("", "the form could not be read")
	}
	if days > 0 {
		at := now.AddDate(0, 0, days)
		n.Expires = &at
	}
	if n.Reach.Scopes, err = store.ReadScopes(sent["scope"]); err != nil {
		return n, report.Problemf("", "the form could not be read")
	}
	f.Name, f.Workspace = n.Name, number(sent.Get("workspace"))
	f.choose(n.Reach.Scopes, days)
	for _, w := range f.Workspaces {
		if w.ID == f.Workspace {
			n.Reach.WorkspaceID = w.ID
		}
	}
	if sent.Get("workspace") != "" && n.Reach.WorkspaceID == 0 {
		return n, report.Problemf("", "the form could not be read")
	}
	return n, nil
}

// makeToken makes the token that a form asks for. It answers when that fails,
// and then ok is false.
func (u *UI) makeToken(w http.ResponseWriter, r *http.Request, create func(context.Context, store.NewToken) (string, error), form *tokenForm, show func(status int)) (ok bool) {
	sent, err := readForm(w, r)
	var n store.NewToken
	if err == nil {
		n, err = form.read(sent, u.Clock())
	}
	if err != nil {
		u.Error(w, r, err)
		return false
	}
	token, err := create(r.Context(), n)
	if err == nil {
		*form = newTokenForm(form.Address, form.Workspaces)
		form.Created = token
		return true
	}
	wrong, status := u.faultOf(r, err)
	if status == 0 {
		u.Error(w, r, err)
		return false
	}
	form.Fault = wrong
	show(status)
	return false
}

func (u *UI) tokensPage(w http.ResponseWriter, r *http.Request) {
	if form, err := u.ownTokenForm(r); err != nil {
		u.Error(w, r, err)
	} else {
		u.showTokens(w, r, http.StatusOK, form)
	}
}

func (u *UI) ownTokenForm(r *http.Request) (tokenForm, error) {
	workspaces, err := u.Store.Workspaces(r.Context(), access.Of(r.Context()).User)
	return newTokenForm(u.PathBase+"/tokens", workspaces), err
}

func (u *UI) showTokens(w http.ResponseWriter, r *http.Request, status int, form tokenForm) {
	user := access.Of(r.Context()).User
	tokens, err := u.Store.Tokens(r.Context(), user.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, status, "tokens", page{Title: u.t(r, "Access tokens"), Section: "tokens", Script: form.Created != "", Body: tokensBody{
		form, tokenRows{Address: form.Address, Tokens: tokens, Now: u.Clock()}, user.IsRoot,
	}, Notice: u.notice(r, map[string]string{"revoked": "The token is revoked."})})
}

// createToken answers with the page that shows the token: it is kept nowhere,
// so a redirect could not show it.
func (u *UI) createToken(w http.ResponseWriter, r *http.Request) {
	form, err := u.ownTokenForm(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	create := func(ctx context.Context, n store.NewToken) (string, error) {
		return u.Store.CreateToken(ctx, access.Of(ctx).User.ID, n)
	}
	if u.makeToken(w, r, create, &form, func(status int) { u.showTokens(w, r, status, form) }) {
		u.showTokens(w, r, http.StatusOK, form)
	}
}

func (u *UI) revokeToken(w http.ResponseWriter, r *http.Request) {
	err := u.Store.RevokeToken(r.Context(), access.Of(r.Context()).User.ID, number(pathVar(r, "tokenId")))
	u.finish(w, r, err, u.PathBase+"/tokens", "revoked", nil)
}

// everyTokenBody is the content of the page of the tokens of everybody.
type everyTokenBody struct {
	Search string
	Rows   tokenRows
	More   bool
}

func (u *UI) everyTokenPage(w http.ResponseWriter, r *http.Request) {
	body := everyTokenBody{Search: queryText(r, "q"), Rows: tokenRows{Address: u.PathBase + "/tokens/all", Now: u.Clock(), Owners: true}}
	tokens, err := u.Store.AllTokens(r.Context(), body.Search)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.More = len(tokens) > shownUsers
	body.Rows.Tokens = tokens[:min(len(tokens), shownUsers)]
	u.show(w, r, http.StatusOK, "tokens-all", page{Title: u.t(r, "Access tokens of everybody"), Section: "users", Body: body, Notice: u.notice(r, map[string]string{
		"revoked": "The token is revoked.",
	})})
}

func (u *UI) withdrawToken(w http.ResponseWriter, r *http.Request) {
	err := u.Store.WithdrawToken(r.Context(), number(pathVar(r, "tokenId")))
	u.finish(w, r, err, u.PathBase+"/tokens/all", "revoked", nil)
}

// tokenRoutes are the addresses of access tokens of people.
func (u *UI) tokenRoutes() []route {
	known, root := access.Known(access.Session), access.RootOnly(access.Session)
	return []route{
		{http.MethodGet, "/tokens", known, u.toSignIn, u.tokensPage},
		{http.MethodPost, "/tokens", known, u.toSignIn, u.createToken},
		{http.MethodPost, "/tokens/{tokenId:[0-9]+}/revoke", known, u.toSignIn, u.revokeToken},
		{http.MethodGet, "/tokens/all", root, u.toSignIn, u.everyTokenPage},
		{http.MethodPost, "/tokens/all/{tokenId:[0-9]+}/revoke", root, u.toSignIn, u.withdrawToken},
	}
}
