package ui

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// maxForm bounds what a form of ours may send.
const maxForm = 64 << 10

type signInForm struct {
	Email, Next, Problem string
	Place                string // where the account is; empty: the first that there is
	Places               []accountPlace
	Providers            []providerButton
	Forgotten            bool // a new password can be had by mail
	Passkeys             bool // there are passkeys at this address
	RootOnly             bool // all others sign in at a provider
}

func (u *UI) signInPage(w http.ResponseWriter, r *http.Request) {
	if address := u.sentOn(r); address != "" {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return
	}
	u.showSignIn(w, r, http.StatusOK, signInForm{Next: r.URL.Query().Get("next"), Place: r.URL.Query().Get("place")})
}

// sentOn is where who has to sign in goes without choosing. Only who comes from
// another page is sent on: whoever has signed out, or was refused, stays.
func (u *UI) sentOn(r *http.Request) string {
	p := u.provider(u.AutoRedirect)
	if p == nil || !p.Enabled || !r.URL.Query().Has("next") || r.URL.Query().Get("auto") == "off" {
		return ""
	}
	return u.providerAddress(p, u.localAddress(r.URL.Query().Get("next")))
}

func (u *UI) showSignIn(w http.ResponseWriter, r *http.Request, status int, form signInForm) {
	form.Next = u.localAddress(form.Next)
	form.Providers, form.Forgotten, form.Places = u.providerButtons(form.Next), u.mailsLinks(), u.accountPlaces(r, form.Place)
	form.Passkeys, form.RootOnly = u.makes(r), u.Store.RootOnlyHere()
	u.show(w, r, status, "sign-in", page{Title: u.t(r, "Sign in"), Script: true, Fetch: form.Passkeys, Body: form, Notice: u.notice(r, map[string]string{
		"password": "The new password is set. Sign in with it.",
	})})
}

func (u *UI) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		u.Error(w, r, unreadForm(err))
		return
	}
	form := signInForm{Email: strings.TrimSpace(r.PostForm.Get("email")), Next: r.PostForm.Get("next"), Place: r.PostForm.Get("place")}
	password := report.Secret(r.PostForm.Get("password"))
	if form.Place != "" && form.Place != placeHere {
		u.signInThere(w, r, form, password)
		return
	}
	address := ""
	user, attempt, err := u.authenticate(r, form.Email, password)
	if err == nil {
		address, err = u.comeIn(w, r, user, form.Next, attempt, store.Origin{})
	}
	if err != nil {
		u.logSignIn(r, form.Email, user, err)
		u.signInFailed(w, r, form, err)
		return
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// TooManyAttempts is what somebody reads who has to wait before signing in.
var TooManyAttempts = say("too many attempts to sign in; wait a little and try again")

// authenticate checks the password, as often as the limits allow.
func (u *UI) authenticate(r *http.Request, email string, password report.Secret) (*store.User, *access.Attempt, error) {
	if email == "" || password == "" || !utf8.ValidString(email) || strings.ContainsRune(email, 0) {
		return nil, nil, report.Problemf("", "enter your email address and password")
	}
	attempt, err := u.Attempts.Begin(r, email)
	if err != nil {
		return nil, nil, err
	}
	user, err := u.Store.SignIn(r.Context(), email, password, attempt.Known)
	if err == nil && !user.IsRoot && u.Store.RootOnlyHere() {
		user, err = nil, store.ErrWrongPassword // nobody learns here that it is right
	}
	if err == nil {
		err = attempt.Succeeded(r.Context())
	} else if !isNotFound(err) {
		attempt.GiveBack(r.Context())
	}
	return user, attempt, err
}

// logSignIn logs who signed in from where, and who tried. What is no address of
// an account stays out: it may be a password in the wrong field.
func (u *UI) logSignIn(r *http.Request, email string, user *store.User, err error) {
	trace := answer.TraceOf(r.Context())
	account := "(no e-mail address)"
	if strings.Contains(email, "@") && len(email) <= 254 {
		account = email
	}
	attrs := []slog.Attr{slog.String("account", account), slog.String("address", trace.Address), slog.String("request", trace.ID)}
	if err == nil {
		u.Logger.LogAttrs(r.Context(), slog.LevelInfo, "signed in", append(attrs, slog.Int("user", user.ID))...)
		return
	}
	problem := answer.From(err, trace.ID)
	if isNotFound(err) || user != nil && problem.Status == http.StatusBadRequest { // a wrong password or code; those who have to wait have failed before
		u.Store.Note(store.WithActor(r.Context(), store.Actor{Kind: store.ByNobody, Name: account, Address: trace.Address, Request: trace.ID}),
			store.Event{Action: store.AuditSignInFailed, Outcome: store.Refused, Detail: failedAt(user)})
	}
	u.Logger.LogAttrs(r.Context(), slog.LevelWarn, "sign-in failed", append(attrs, slog.Int("status", problem.Status), slog.String("reason", problem.Detail))...)
}

// failedAt tells what was wrong: with the right password there is a user.
func failedAt(user *store.User) map[string]any {
	if user == nil {
		return nil
	}
	return map[string]any{"factor": "second"}
}

// signInFailed shows the form again. A wrong password is an ordinary answer
// of a form: 422, so that password managers do not remember it.
func (u *UI) signInFailed(w http.ResponseWriter, r *http.Request, form signInForm, err error) {
	problem := answer.Explain(r.Context(), err)
	form.Problem = problem.Detail
	if len(problem.Details) == 1 {
		form.Problem = problem.Details[0].Message // where it is, the form shows
	}
	form.Problem = sentence(u.said(r, form.Problem))
	status := problem.Status
	if status == http.StatusNotFound || status == http.StatusBadRequest {
		status = http.StatusUnprocessableEntity
	}
	if wait := problem.Header().Get("Retry-After"); wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	u.showSignIn(w, r, status, form)
}

// signOut ends the session, and then that of the provider it comes from.
func (u *UI) signOut(w http.ResponseWriter, r *http.Request) {
	from, err := u.Sessions.Origin(r)
	if err == nil || isNotFound(err) {
		err = u.Sessions.SignOut(w, r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if p := u.provider(from.Provider); p != nil {
		if address := p.SignOut(r.Context(), from.Proof.Reveal(), u.redirects(r, p)); address != "" {
			u.signOutAt(w, r, p, address)
			return
		}
	}
	http.Redirect(w, r, u.PathBase+"/sign-in", http.StatusSeeOther)
}

// toSignIn sends who is not signed in to the sign-in page and back.
func (u *UI) toSignIn(w http.ResponseWriter, r *http.Request, err error) {
	if isStranger(err) {
		http.Redirect(w, r, u.signInAddress(r), http.StatusSeeOther)
		return
	}
	u.Error(w, r, err)
}

// isStranger tells whether a request was refused because nobody is signed in.
func isStranger(err error) bool {
	var refusal *answer.Refusal
	return errors.As(err, &refusal) && refusal.Status == http.StatusUnauthorized
}

// signInAddress is the sign-in page that leads back to a request's address,
// without a nonce, which is used by then.
func (u *UI) signInAddress(r *http.Request) string {
	if r.Method != http.MethodGet {
		return u.PathBase + "/sign-in"
	}
	query := r.URL.Query()
	query.Del("nonce")
	next := u.PathBase + r.URL.EscapedPath()
	if encoded := query.Encode(); encoded != "" {
		next += "?" + encoded
	}
	return u.PathBase + "/sign-in?next=" + url.QueryEscape(next)
}

// localAddress is where to go after signing in: only ever to ourselves.
func (u *UI) localAddress(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.Host != "" || parsed.Scheme != "" || parsed.User != nil ||
		!strings.HasPrefix(next, u.PathBase+"/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) {
		return u.PathBase + "/"
	}
	return next
}

// sentence begins with a capital and ends with a full stop. A path that comes
// before, such as "reports[0].fileName:", stays as it is.
func sentence(message string) string {
	if message == "" {
		return ""
	}
	if word, rest, ok := strings.Cut(message, ": "); ok && !strings.Contains(word, " ") {
		return word + ": " + strings.TrimSuffix(rest, ".") + "."
	}
	first, size := utf8.DecodeRuneInString(message)
	return strings.ToUpper(string(first)) + strings.TrimSuffix(message[size:], ".") + "."
}

func pathVar(r *http.Request, name string) string { return mux.Vars(r)[name] }
