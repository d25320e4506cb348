package ui

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// mostPosted bounds what a provider sends with a browser.
const mostPosted = 512 << 10

// outcome is what came of a sign-in, for the browser that began it.
type outcome struct {
	Identity *sso.Identity `json:"identity,omitempty"`
	Why      sso.Why       `json:"why,omitempty"`
	Value    string        `json:"value,omitempty"`
	Reason   string        `json:"reason,omitempty"`
}

// noted is a refusal that is recorded already.
type noted struct{ error }

func (n noted) Unwrap() error { return n.error }

func isNoted(err error) bool {
	var n noted
	return errors.As(err, &n)
}

// postedBack takes the form with which a browser comes back from a provider. A
// page of the provider sends it, so our cookie does not come with it: whether it
// answers a request of ours tells the state. What came of it waits for the cookie,
// with which the browser comes when it is sent on.
func (u *UI) postedBack(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, (*sso.Provider).PostsBack)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	form, err := readFormUpTo(w, r, mostPosted)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	state := form.Get("RelayState")
	request, err := u.Store.TakePosted(r.Context(), state, p.Name)
	if store.IsNotFound(err) {
		err = errStale
	}
	if err == nil {
		err = u.keepPosted(r, p, sso.Pending{Provider: p.Name, State: state, Request: request}, form)
	}
	if err != nil {
		u.refusedSignIn(w, r, &p.Terms, nil, err)
		return
	}
	http.Redirect(w, r, u.PathBase+"/auth/"+p.Name+"/callback?state="+url.QueryEscape(state), http.StatusSeeOther)
}

// keepPosted finds out what came of a sign-in, and keeps it.
func (u *UI) keepPosted(r *http.Request, p *sso.Provider, pending sso.Pending, form url.Values) error {
	var out outcome
	id, err := p.Finish(r.Context(), pending, form, u.redirects(r, p))
	if err == nil {
		err = u.firstTime(r, id)
	}
	var refusal *sso.Refusal
	switch {
	case errors.As(err, &refusal):
		u.noteRefused(r, &p.Terms, id, err)
		out.Why, out.Value, out.Reason = refusal.Why, refusal.Value, refusal.Error()
	case err != nil:
		return err
	default:
		out.Identity = id
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return u.Store.KeepPosted(r.Context(), pending.State, report.Secret(text))
}

// firstTime refuses what has been used before, at any of the services.
func (u *UI) firstTime(r *http.Request, id *sso.Identity) error {
	first, err := u.Store.UseOnce(r.Context(), id.Once, id.Fresh)
	if err == nil && !first {
		err = &sso.Refusal{Why: sso.BadToken, Value: "it has come before"}
	}
	return err
}

// fetchPosted gives what came of a sign-in to the browser that has begun it.
func (u *UI) fetchPosted(r *http.Request, p *sso.Provider, pending sso.Pending) (*sso.Identity, error) {
	text, err := u.Store.FetchPosted(r.Context(), pending.State, p.Name)
	if store.IsNotFound(err) {
		return nil, errStale
	}
	if err != nil {
		return nil, err
	}
	var out outcome
	if err := json.Unmarshal([]byte(text.Reveal()), &out); err != nil {
		return nil, err
	}
	if out.Identity == nil {
		return nil, noted{&sso.Refusal{Why: out.Why, Value: out.Value, Err: errors.New(out.Reason)}}
	}
	return out.Identity, nil
}

// describe gives what we say of ourselves to a provider.
func (u *UI) describe(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, (*sso.Provider).PostsBack)
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	text, err := p.Describe(r.Context(), u.redirects(r, p))
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/samlmetadata+xml")
	w.Header().Set("Content-Disposition", `attachment; filename="quire-`+p.Name+`.xml"`)
	_, _ = w.Write(text) // fails only when the client is gone
}

func (u *UI) signedOutByAddress(w http.ResponseWriter, r *http.Request) {
	u.signedOutBy(w, r, sso.Sent{Values: r.URL.Query(), Query: r.URL.RawQuery})
}

func (u *UI) signedOutByForm(w http.ResponseWriter, r *http.Request) {
	form, err := readFormUpTo(w, r, mostPosted)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.signedOutBy(w, r, sso.Sent{Values: form})
}

// signedOutBy ends sessions that a provider names, and answers it by way of the
// browser. An answer to a request of ours needs nothing: what it could end has
// ended before.
func (u *UI) signedOutBy(w http.ResponseWriter, r *http.Request, sent sso.Sent) {
	w.Header().Set("Cache-Control", "no-store")
	p, err := u.providerOf(r, (*sso.Provider).PostsBack)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if sent.Values.Get("SAMLRequest") == "" {
		http.Redirect(w, r, u.PathBase+"/sign-in", http.StatusSeeOther)
		return
	}
	ended, err := u.endSignedOut(r, p, sent)
	switch {
	case err != nil:
		u.refusedSignOut(w, r, p, "SAMLRequest", err)
	case ended.Back != "":
		http.Redirect(w, r, ended.Back, http.StatusSeeOther)
	}
}
