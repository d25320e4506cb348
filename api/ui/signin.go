package ui

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// maxForm bounds what a form of ours may send.
const maxForm = 64 << 10

type signInForm struct {
	Email, Next, Problem string
}

func (u *UI) signInPage(w http.ResponseWriter, r *http.Request) {
	u.showSignIn(w, r, http.StatusOK, signInForm{Next: r.URL.Query().Get("next")})
}

func (u *UI) showSignIn(w http.ResponseWriter, r *http.Request, status int, form signInForm) {
	form.Next = u.localAddress(form.Next)
	u.show(w, r, status, "sign-in", page{Title: u.t(r, "Sign in"), Body: form})
}

func (u *UI) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		u.Error(w, r, report.Problemf("", "the form could not be read"))
		return
	}
	form := signInForm{Email: strings.TrimSpace(r.PostForm.Get("email")), Next: r.PostForm.Get("next")}
	user, err := u.authenticate(r, form.Email, report.Secret(r.PostForm.Get("password")))
	if err == nil {
		err = u.Sessions.SignIn(w, r, user)
	}
	if err != nil {
		u.signInFailed(w, r, form, err)
		return
	}
	http.Redirect(w, r, u.localAddress(form.Next), http.StatusSeeOther)
}

// authenticate checks the password, as often as the limits allow. A success
// gives the account its attempts back.
func (u *UI) authenticate(r *http.Request, email string, password report.Secret) (*store.User, error) {
	if email == "" || password == "" || !utf8.ValidString(email) || strings.ContainsRune(email, 0) {
		return nil, report.Problemf("", "enter your email address and password")
	}
	if err := u.byAddress.Take(clientAddress(r)); err != nil {
		return nil, err
	}
	key := strings.ToLower(email)
	if err := u.byEmail.Take(key); err != nil {
		return nil, err
	}
	user, err := u.Store.SignIn(r.Context(), email, password)
	if err == nil {
		u.byEmail.Forget(key)
	}
	return user, err
}

// signInFailed shows the form again. A wrong password is an ordinary answer
// of a form: 422, so that password managers do not remember it.
func (u *UI) signInFailed(w http.ResponseWriter, r *http.Request, form signInForm, err error) {
	problem := answer.Explain(r.Context(), err)
	form.Problem = sentence(u.t(r, problem.Detail))
	status := problem.Status
	if status == http.StatusNotFound || status == http.StatusBadRequest {
		status = http.StatusUnprocessableEntity
	}
	if wait := problem.Header().Get("Retry-After"); wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	u.showSignIn(w, r, status, form)
}

func (u *UI) signOut(w http.ResponseWriter, r *http.Request) {
	if err := u.Sessions.SignOut(w, r); err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.PathBase+"/sign-in", http.StatusSeeOther)
}

// toSignIn sends who is not signed in to the sign-in page and back.
func (u *UI) toSignIn(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *answer.Refusal
	if errors.As(err, &refusal) && refusal.Status == http.StatusUnauthorized {
		http.Redirect(w, r, u.signInAddress(r), http.StatusSeeOther)
		return
	}
	u.Error(w, r, err)
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

func clientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
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
