package ui

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/accounts"
	"github.com/quire-reports/quire/store"
)

// Identities are the accounts of people who sign in at a provider.
type Identities interface {
	UserOf(ctx context.Context, id store.Identity, rules store.IdentityRules) (*store.User, error)
	TryUserOf(ctx context.Context, id store.Identity, rules store.IdentityRules) (*store.IdentityTrial, error)
	MissingGrants(ctx context.Context, grants []store.IdentityGrant) ([]store.IdentityGrant, error)
	Expel(ctx context.Context, id store.Identity, rules store.IdentityRules) error
	UseOnce(ctx context.Context, what string, until time.Time) (bool, error)
	EndSessionsFrom(ctx context.Context, issuer, subject, session string) (ended int, err error)
	BeginPosted(ctx context.Context, state, provider, request string, until time.Time) error
	TakePosted(ctx context.Context, state, provider string) (request string, err error)
	KeepPosted(ctx context.Context, state string, outcome report.Secret) error
	FetchPosted(ctx context.Context, state, provider string) (report.Secret, error)
}

// providerRoutes are signing in at a provider, and the pages about it.
func (u *UI) providerRoutes() []route {
	open, forms, root := access.Open(), access.OpenToForms(), access.RootOnly(access.Session)
	return []route{
		{http.MethodGet, "/auth/{provider}", open, u.Error, u.toProvider},
		{http.MethodGet, "/auth/{provider}/callback", open, u.Error, u.fromProvider},
		{http.MethodPost, "/auth/{provider}/callback", forms, u.Error, u.postedBack},
		{http.MethodPost, "/auth/{provider}/backchannel-logout", open, answer.Error, u.signedOutThere},
		{http.MethodGet, "/auth/{provider}/metadata", open, answer.Error, u.describe},
		{http.MethodGet, "/auth/{provider}/logout", open, u.Error, u.signedOutByAddress},
		{http.MethodPost, "/auth/{provider}/logout", forms, u.Error, u.signedOutByForm},
		{http.MethodGet, "/sso", root, u.toSignIn, u.providersPage},
		{http.MethodGet, "/sso/{provider}/try", root, u.toSignIn, u.tryProvider},
		{http.MethodGet, "/sso/{provider}/tried", root, u.toSignIn, u.triedProvider},
	}
}

// signInAwayTime is how long somebody may be away at a provider.
const signInAwayTime = 10 * time.Minute

// pendingPlace is what a sign-in that was begun is sealed for.
const pendingPlace = "sign-in/pending"

// providerButton leads to a provider from the sign-in page.
type providerButton struct{ Label, Address string }

func (u *UI) providerButtons(next string) (buttons []providerButton) {
	for _, p := range u.Providers {
		if p.Enabled {
			buttons = append(buttons, providerButton{p.Label, u.providerAddress(p, next)})
		}
	}
	return buttons
}

func (u *UI) providerAddress(p *sso.Provider, next string) string {
	return u.PathBase + "/auth/" + p.Name + "?next=" + url.QueryEscape(next)
}

// provider finds one by its name; nil when there is none.
func (u *UI) provider(name string) *sso.Provider {
	at := slices.IndexFunc(u.Providers, func(p *sso.Provider) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return u.Providers[at]
}

// providerOf is the one that an address names; usable tells whether people may
// come in by it.
func (u *UI) providerOf(r *http.Request, usable func(*sso.Provider) bool) (*sso.Provider, error) {
	p := u.provider(pathVar(r, "provider"))
	if p == nil || !usable(p) {
		return nil, report.NotFoundf("nobody signs in at this address")
	}
	return p, nil
}

func isEnabled(p *sso.Provider) bool { return p.Enabled }
func isAny(*sso.Provider) bool       { return true }

// redirects are the addresses that are registered at a provider.
func (u *UI) redirects(r *http.Request, p *sso.Provider) sso.Redirects {
	base := u.origin(r) + u.PathBase
	at := base + "/auth/" + p.Name
	return sso.Redirects{SignedIn: at + "/callback", SignedOut: base + "/sign-in", Metadata: at + "/metadata", LogOut: at + "/logout"}
}

func (u *UI) toProvider(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, isEnabled)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	err = u.sendAway(w, r, p, sso.Pending{Next: u.localAddress(queryText(r, "next"))})
	u.refusedSignIn(w, r, &p.Terms, nil, err)
}

// sendAway begins a sign-in at a provider.
func (u *UI) sendAway(w http.ResponseWriter, r *http.Request, p *sso.Provider, pending sso.Pending) error {
	pending.Provider, pending.State, pending.Expires = p.Name, rand.Text(), u.Clock().Add(signInAwayTime)
	address, err := p.Begin(r.Context(), &pending, u.redirects(r, p))
	if err == nil && p.PostsBack() {
		err = u.Store.BeginPosted(r.Context(), pending.State, p.Name, pending.Request, pending.Expires)
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(pending)
	if err != nil {
		return err
	}
	u.Sessions.Keep(w, r, u.Store.Seal(pendingPlace, report.Secret(text)), pending.Expires)
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// errStale is a sign-in that was not begun here, or not now.
var errStale = report.Problemf("", "this sign-in was begun in another browser, or too long ago; begin it again")

// pending is the sign-in that a browser has begun, if what came back is its.
func (u *UI) pending(r *http.Request, p *sso.Provider) (sso.Pending, error) {
	var pending sso.Pending
	text, err := u.Store.Unseal(pendingPlace, u.Sessions.Kept(r))
	if err != nil || json.Unmarshal([]byte(text.Reveal()), &pending) != nil || pending.Provider != p.Name || u.Clock().After(pending.Expires) ||
		subtle.ConstantTimeCompare([]byte(pending.State), []byte(queryText(r, "state"))) != 1 {
		return pending, errStale
	}
	return pending, nil
}

// identify takes the identity of the user who came back, once.
func (u *UI) identify(w http.ResponseWriter, r *http.Request, p *sso.Provider, pending sso.Pending) (*sso.Identity, error) {
	u.Sessions.Keep(w, r, "", time.Time{})
	first, err := u.Store.UseOnce(r.Context(), "sign-in/"+pending.State, pending.Expires)
	if err == nil && !first {
		err = errStale
	}
	if err != nil {
		return nil, err
	}
	if p.PostsBack() {
		return u.fetchPosted(r, p, pending)
	}
	return p.Finish(r.Context(), pending, r.URL.Query(), u.redirects(r, p))
}

// fromProvider lets in who comes back. What a root user tries goes on to a page
// that only they see.
func (u *UI) fromProvider(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, isAny)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	pending, err := u.pending(r, p)
	if err == nil && pending.Try {
		http.Redirect(w, r, u.PathBase+"/sso/"+p.Name+"/tried?"+r.URL.RawQuery, http.StatusSeeOther)
		return
	}
	var id *sso.Identity
	if err == nil && !p.Enabled {
		err = errStale
	}
	if err == nil {
		id, err = u.identify(w, r, p, pending)
	}
	if err == nil {
		err = u.letIn(w, r, &p.Terms, id)
	}
	if err == nil {
		http.Redirect(w, r, u.localAddress(pending.Next), http.StatusSeeOther)
	}
	u.refusedSignIn(w, r, &p.Terms, id, err)
}

// letIn begins a session for an identity that may come in; from one that may not
// any more it takes what the provider decides.
func (u *UI) letIn(w http.ResponseWriter, r *http.Request, p *sso.Terms, id *sso.Identity) error {
	trace := answer.TraceOf(r.Context())
	ctx := store.WithActor(r.Context(), store.Actor{Kind: store.BySystem, Name: p.Name, Address: trace.Address, Request: trace.ID})
	who, rules := accounts.Identity(id), accounts.RulesFor(p, id)
	if err := p.Check(id); err != nil {
		return errors.Join(err, u.Store.Expel(ctx, who, rules))
	}
	user, err := u.Store.UserOf(ctx, who, rules)
	if err != nil {
		return accounts.Refusal(err)
	}
	err = u.Sessions.SignInFrom(w, r, user, store.Origin{Provider: p.Name, Issuer: id.Issuer, Subject: id.Subject, Session: id.Session, Proof: report.Secret(id.Proof), Until: id.Until})
	if err == nil {
		u.Logger.LogAttrs(ctx, slog.LevelInfo, "signed in", slog.String("account", user.Email), slog.String("provider", p.Name), slog.String("address", trace.Address), slog.String("request", trace.ID), slog.Int("user", user.ID))
	}
	return err
}

// refusedSignIn shows the sign-in page with the reason; nil is none.
func (u *UI) refusedSignIn(w http.ResponseWriter, r *http.Request, p *sso.Terms, id *sso.Identity, err error) {
	if err == nil {
		return
	}
	said, status := u.refusalText(r, p, err)
	if status == 0 {
		u.Error(w, r, err)
		return
	}
	if !isNoted(err) {
		u.noteRefused(r, p, id, err)
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	u.showSignIn(w, r, status, signInForm{Problem: said})
}

// noteRefused records who was not let in, and why.
func (u *UI) noteRefused(r *http.Request, p *sso.Terms, id *sso.Identity, err error) {
	trace, account := answer.TraceOf(r.Context()), ""
	if id != nil {
		account = id.Email
	}
	u.Store.Note(store.WithActor(r.Context(), store.Actor{Kind: store.ByNobody, Name: account, Address: trace.Address, Request: trace.ID}),
		store.Event{Action: store.AuditSignInFailed, Outcome: store.Refused, Detail: map[string]any{"provider": p.Name, "reason": reasonOf(err)}})
	u.Logger.LogAttrs(r.Context(), slog.LevelWarn, "sign-in failed", slog.String("account", account), slog.String("provider", p.Name), slog.String("address", trace.Address),
		slog.String("request", trace.ID), slog.String("reason", err.Error()))
}

// reasonOf is a reason for the audit log, without what a provider says.
func reasonOf(err error) string {
	var refusal *sso.Refusal
	if errors.As(err, &refusal) {
		return string(refusal.Why)
	}
	return "the sign-in was begun elsewhere, or too long ago"
}

// signedOutThere ends sessions when a provider says that somebody has signed
// out, as OpenID Connect Back-Channel Logout says. A message counts once.
func (u *UI) signedOutThere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	p, err := u.providerOf(r, func(p *sso.Provider) bool { return !p.PostsBack() })
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	form, err := readForm(w, r)
	if err == nil {
		_, err = u.endSignedOut(r, p, sso.Sent{Values: form})
	}
	if err != nil {
		u.refusedSignOut(w, r, p, "logout_token", err)
	}
}

// refusedSignOut tells a provider why its message ends nothing.
func (u *UI) refusedSignOut(w http.ResponseWriter, r *http.Request, p *sso.Provider, field string, err error) {
	var refusal *sso.Refusal
	switch {
	case errors.As(err, &refusal) && (refusal.Why == sso.Busy || refusal.Why == sso.Unreachable):
		answer.Error(w, r, &report.Problem{Kind: report.Busy, Message: string(refusal.Why)})
	case errors.As(err, &refusal):
		u.Logger.WarnContext(r.Context(), "a message that somebody has signed out was refused", "provider", p.Name, "reason", err.Error())
		answer.Error(w, r, report.Problemf(field, "%s", refusal.Error()))
	default:
		answer.Error(w, r, err)
	}
}

func (u *UI) endSignedOut(r *http.Request, p *sso.Provider, sent sso.Sent) (*sso.Ended, error) {
	ended, err := p.LoggedOut(r.Context(), sent, u.redirects(r, p))
	if err != nil {
		return nil, err
	}
	first, err := u.Store.UseOnce(r.Context(), "logout/"+ended.Issuer+"/"+ended.ID, ended.Until)
	if err == nil && !first {
		err = &sso.Refusal{Why: sso.BadToken, Value: "it has come before"}
	}
	if err != nil {
		return nil, err
	}
	trace := answer.TraceOf(r.Context())
	ctx := store.WithActor(r.Context(), store.Actor{Kind: store.BySystem, Name: p.Name, Address: trace.Address, Request: trace.ID})
	_, err = u.Store.EndSessionsFrom(ctx, ended.Issuer, ended.Subject, ended.Session)
	return ended, err
}

// signOutAt goes on to a provider to sign out there. Browsers do not follow the
// answer of a form to other sites, so the page does.
func (u *UI) signOutAt(w http.ResponseWriter, r *http.Request, p *sso.Provider, address string) {
	w.Header().Set("Refresh", "0; url="+address)
	u.show(w, r, http.StatusOK, "signed-out", page{Title: u.t(r, "Signed out"), Bare: true, Policy: contentPolicy + "'none'", Body: providerButton{p.Label, address}})
}
