package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// SecondFactors are what users have besides their passwords.
type SecondFactors interface {
	SecondFactorOf(ctx context.Context, userID int) (*store.SecondFactor, error)
	SetSecondFactor(ctx context.Context, userID int, secret report.Secret, code string) (codes []string, err error)
	NewRecoveryCodes(ctx context.Context, userID int) (codes []string, err error)
	UseCode(ctx context.Context, userID int, code string) error
	RemoveAuthenticator(ctx context.Context, userID int) error
	RemoveSecondFactor(ctx context.Context, userID int) error
	NeedsFactor(ctx context.Context, userID int) (bool, error)
	Passkeys
}

// secondFactorRoutes are signing in with a second factor, and the pages about it.
func (u *UI) secondFactorRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	open, known, root := access.Open(), access.Known(access.Session), access.RootOnly(access.Session)
	return []route{
		{get, "/sign-in/code", open, u.Error, u.codePage},
		{post, "/sign-in/code", open, u.Error, u.enterCode},
		{get, "/sign-in/second-factor", open, u.Error, u.neededFactorPage},
		{post, "/sign-in/second-factor", open, u.Error, u.setNeededFactor},
		{get, "/second-factor", known, u.toSignIn, u.factorPage},
		{post, "/second-factor", known, u.toSignIn, u.setFactor},
		{post, "/second-factor/codes", known, u.toSignIn, u.newRecoveryCodes},
		{post, "/second-factor/off", known, u.toSignIn, u.factorOff},
		{post, "/users/{userId:[0-9]+}/second-factor/off", root, u.toSignIn, u.factorOffOfUser},
	}
}

// Who needs a second factor to sign in with a password.
const (
	FactorOptional = "optional" // who wants one
	FactorRoot     = "root"     // root users
	FactorRequired = "required" // everybody
)

// needsFactor tells whether a user needs one: by the settings, or by a role.
func (u *UI) needsFactor(ctx context.Context, user *store.User) (bool, error) {
	if u.SecondFactor == FactorRequired || u.SecondFactor == FactorRoot && user.IsRoot {
		return true, nil
	}
	return u.Store.NeedsFactor(ctx, user.ID)
}

// half is a sign-in with the right password that waits for the second factor. The
// browser keeps it, sealed.
type half struct {
	User, Epoch int
	Next        string
	Expires     time.Time
	// The directory whose password it was; empty: ours.
	Provider, Issuer, Subject string
}

func (h half) from() store.Origin {
	return store.Origin{Provider: h.Provider, Issuer: h.Issuer, Subject: h.Subject}
}

const (
	halfPlace = "sign-in/half"
	// halfLasts leaves time to install an authenticator.
	halfLasts = 15 * time.Minute
)

// remembers makes a browser known to an account.
type remembers interface {
	Remember(w http.ResponseWriter, r *http.Request, u *store.User) error
}

// comeIn lets in a user who has shown a password, or what stands for one, and
// tells where to go on: to the second factor, if they have or need one.
func (u *UI) comeIn(w http.ResponseWriter, r *http.Request, user *store.User, next string, browser remembers, from store.Origin) (address string, err error) {
	factor, err := u.Store.SecondFactorOf(r.Context(), user.ID)
	needed := false
	if err == nil && factor == nil {
		needed, err = u.needsFactor(r.Context(), user)
	}
	if err != nil {
		return "", err
	}
	switch {
	case factor != nil:
		address = "/sign-in/code"
	case needed:
		address = "/sign-in/second-factor"
	default:
		return u.localAddress(next), u.begin(w, r, user, browser, from)
	}
	waits := half{user.ID, user.Epoch, u.localAddress(next), u.Clock().Add(halfLasts), from.Provider, from.Issuer, from.Subject}
	text, err := json.Marshal(waits)
	if err == nil {
		u.Sessions.Keep(w, r, u.Store.Seal(halfPlace, report.Secret(text)), waits.Expires)
	}
	return u.PathBase + address, err
}

// begin begins a session.
func (u *UI) begin(w http.ResponseWriter, r *http.Request, user *store.User, browser remembers, from store.Origin) error {
	err := u.Sessions.SignInFrom(w, r, user, from)
	if err == nil {
		err = browser.Remember(w, r, user)
	}
	if err == nil {
		u.logSignIn(r, user.Email, user, nil)
	}
	return err
}

// halfOf is the sign-in that waits in a browser; nobody: there is none.
func (u *UI) halfOf(r *http.Request) (*store.User, half, error) {
	var waits half
	text, err := u.Store.Unseal(halfPlace, u.Sessions.Kept(r))
	if err != nil || json.Unmarshal([]byte(text.Reveal()), &waits) != nil || u.Clock().After(waits.Expires) {
		return nil, waits, nil
	}
	user, err := u.Store.UserByID(r.Context(), waits.User)
	if isNotFound(err) || err == nil && user.Epoch != waits.Epoch {
		return nil, waits, nil
	}
	return user, waits, err
}

// halfway is halfOf for a page: users who have shown no password are sent to do
// so.
func (u *UI) halfway(w http.ResponseWriter, r *http.Request) (*store.User, half) {
	user, waits, err := u.halfOf(r)
	if err != nil {
		u.Error(w, r, err)
	} else if user == nil {
		u.done(w, r, u.PathBase+"/sign-in", "")
	}
	return user, waits
}

func (u *UI) codePage(w http.ResponseWriter, r *http.Request) {
	if user, _ := u.halfway(w, r); user != nil {
		u.showCode(w, r, http.StatusOK, user, fault{})
	}
}

func (u *UI) showCode(w http.ResponseWriter, r *http.Request, status int, user *store.User, wrong fault) {
	body := factorBody{Fault: wrong}
	var err error
	if body.Factor, err = u.Store.SecondFactorOf(r.Context(), user.ID); err != nil {
		u.Error(w, r, err)
		return
	}
	body.MakesKeys = body.Factor != nil && body.Factor.Passkeys > 0 && u.makes(r)
	u.show(w, r, status, "code", page{Title: u.t(r, "Sign in"), Script: true, Fetch: body.MakesKeys, Body: body})
}

func (u *UI) enterCode(w http.ResponseWriter, r *http.Request) {
	user, waits := u.halfway(w, r)
	if user == nil {
		return
	}
	attempt, err := u.useCode(w, r, user)
	if err == nil {
		u.Sessions.Keep(w, r, "", time.Time{})
		err = u.begin(w, r, user, attempt, waits.from())
	} else {
		u.logSignIn(r, user.Email, user, err)
	}
	if wrong, status := u.faultOf(r, err); status != 0 {
		u.showCode(w, r, status, user, wrong)
		return
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.localAddress(waits.Next), http.StatusSeeOther)
}

// useCode takes the code of a form, as often as the limits allow.
func (u *UI) useCode(w http.ResponseWriter, r *http.Request, user *store.User) (*access.Attempt, error) {
	sent, err := readForm(w, r)
	if err != nil {
		return nil, err
	}
	if sent.Get("code") == "" {
		return nil, report.Problemf("code", "enter a code")
	}
	attempt, err := u.Attempts.BeginCode(r, user)
	if err != nil {
		return nil, err
	}
	err = u.Store.UseCode(r.Context(), user.ID, sent.Get("code"))
	if err == nil {
		err = attempt.Succeeded(r.Context())
	} else if _, status := u.faultOf(r, err); status == 0 {
		attempt.GiveBack(r.Context())
	}
	return attempt, err
}

// factorBody is the content of the pages of the second factor.
type factorBody struct {
	Factor   *store.SecondFactor // nil: none yet
	Setup    *factorSetup        // to be done
	Codes    []string            // just made; shown this once
	Next     string              // where to go on from them
	Required bool
	Provider bool // the user has no password
	Email    string
	Keys     []store.Passkey
	// MakesKeys tells that passkeys work at the address at which the page is looked at.
	MakesKeys bool
	Fault     fault
}

// factorSetup is what an authenticator is told.
type factorSetup struct {
	Action   string
	QR       template.HTML
	Key      string // for people who cannot scan the QR code
	Sealed   string // the key, for the form to come back with
	Password bool   // the current one is asked for
	Fault    fault
}

func setupPlace(user *store.User) string {
	return fmt.Sprintf("second-factor/setup/%d/%d", user.ID, user.Epoch)
}

// setup is a form to set up an authenticator, with the key of a form before.
func (u *UI) setup(user *store.User, action, sealed string, wrong fault) *factorSetup {
	secret, err := u.Store.Unseal(setupPlace(user), sealed)
	if err != nil {
		secret = store.NewSecondFactor()
		sealed = u.Store.Seal(setupPlace(user), secret)
	}
	s := &factorSetup{Action: u.PathBase + action, Key: spaced(secret.Reveal()), Sealed: sealed, Fault: wrong}
	if u.QRCode != nil {
		address := "otpauth://totp/" + url.PathEscape("Quire:"+user.Email) + "?" + url.Values{"secret": {secret.Reveal()}, "issuer": {"Quire"}}.Encode()
		if svg, err := u.QRCode(address); err == nil {
			s.QR = template.HTML(svg) // it is ours
		}
	}
	return s
}

// spaced is a key as people type it.
func spaced(key string) string {
	text := ""
	for i, r := range key {
		if i > 0 && i%4 == 0 {
			text += " "
		}
		text += string(r)
	}
	return text
}

// setUp sets up the authenticator of a form.
func (u *UI) setUp(r *http.Request, user *store.User, sent url.Values) ([]string, error) {
	secret, err := u.Store.Unseal(setupPlace(user), sent.Get("sealed"))
	if err != nil {
		return nil, report.Problemf("code", "the form is too old; set up the authenticator with the new code")
	}
	return u.Store.SetSecondFactor(r.Context(), user.ID, secret, sent.Get("code"))
}

// neededFactorPage is where who needs a second factor, and has none, sets it up
// before coming in.
func (u *UI) neededFactorPage(w http.ResponseWriter, r *http.Request) {
	if user, _ := u.halfwayWithout(w, r); user != nil {
		u.showNeeded(w, r, http.StatusOK, user, "", fault{})
	}
}

// halfwayWithout is halfway for users without a second factor; those with one
// show it.
func (u *UI) halfwayWithout(w http.ResponseWriter, r *http.Request) (*store.User, half) {
	user, waits := u.halfway(w, r)
	if user == nil {
		return nil, waits
	}
	factor, err := u.Store.SecondFactorOf(r.Context(), user.ID)
	switch {
	case err != nil:
		u.Error(w, r, err)
	case factor != nil:
		u.done(w, r, u.PathBase+"/sign-in/code", "")
	default:
		return user, waits
	}
	return nil, waits
}

func (u *UI) showNeeded(w http.ResponseWriter, r *http.Request, status int, user *store.User, sealed string, wrong fault) {
	u.show(w, r, status, "second-factor", page{
		Title: u.t(r, "Second factor"), Script: true, Fetch: true,
		Body: u.faulty(factorBody{Required: true, MakesKeys: u.makes(r), Setup: u.setup(user, "/sign-in/second-factor", sealed, fault{})}, sealed, wrong),
	})
}

// faulty puts what is wrong beside the form that it is about: that of an
// authenticator comes back with its key.
func (u *UI) faulty(body factorBody, sealed string, wrong fault) factorBody {
	if body.Setup != nil && sealed != "" {
		body.Setup.Fault = wrong
	} else {
		body.Fault = wrong
	}
	return body
}

func (u *UI) setNeededFactor(w http.ResponseWriter, r *http.Request) {
	user, waits := u.halfwayWithout(w, r)
	if user == nil {
		return
	}
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	codes, err := u.setUp(r, user, sent)
	if err == nil {
		u.comeInWith(w, r, user, waits, codes)
		return
	}
	u.finish(w, r, err, "", "", func(status int, wrong fault) { u.showNeeded(w, r, status, user, sent.Get("sealed"), wrong) })
}

// comeInWith lets in who has just set up the second factor that was needed, and
// shows the recovery codes on the way.
func (u *UI) comeInWith(w http.ResponseWriter, r *http.Request, user *store.User, waits half, codes []string) {
	u.Sessions.Keep(w, r, "", time.Time{})
	if err := u.begin(w, r, user, u.Attempts, waits.from()); err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, http.StatusOK, "second-factor", page{Title: u.t(r, "Recovery codes"), Script: true, Body: factorBody{Codes: codes, Next: u.localAddress(waits.Next)}})
}

func (u *UI) factorPage(w http.ResponseWriter, r *http.Request) {
	u.showFactor(w, r, http.StatusOK, nil, "", fault{})
}

func (u *UI) showFactor(w http.ResponseWriter, r *http.Request, status int, codes []string, sealed string, wrong fault) {
	user := access.Of(r.Context()).User
	row, err := u.Store.AnyUser(r.Context(), user.ID)
	body := factorBody{Codes: codes, Next: u.PathBase + "/second-factor", Email: user.Email, MakesKeys: u.makes(r)}
	if err == nil {
		body.Provider = !row.HasPassword
		body.Factor, err = u.Store.SecondFactorOf(r.Context(), user.ID)
	}
	if err == nil {
		body.Required, err = u.needsFactor(r.Context(), user)
	}
	if err == nil {
		body.Keys, err = u.Store.Passkeys(r.Context(), user.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if (body.Factor == nil || !body.Factor.App) && !body.Provider {
		body.Setup = u.setup(user, "/second-factor", sealed, fault{})
		body.Setup.Password = true
	}
	body = u.faulty(body, sealed, wrong)
	u.show(w, r, status, "second-factor", page{
		Title: u.t(r, "Second factor"), Section: "second-factor", Script: true, Fetch: true, Body: body,
		Notice: u.notice(r, map[string]string{"off": "The authenticator is switched off.", "passkey": "The passkey is made.", "passkey-off": "The passkey is removed."}),
	})
}

// setFactor asks for the password, too: whoever finds an open browser must not
// lock its owner out.
func (u *UI) setFactor(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	user := access.Of(r.Context()).User
	_, err = u.showsPassword(r, user, report.Secret(sent.Get("current")))
	var codes []string
	if err == nil {
		codes, err = u.setUp(r, user, sent)
	}
	if err == nil {
		u.showFactor(w, r, http.StatusOK, codes, "", fault{})
		return
	}
	u.finish(w, r, err, "", "", func(status int, wrong fault) { u.showFactor(w, r, status, nil, sent.Get("sealed"), wrong) })
}

func (u *UI) newRecoveryCodes(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	_, err := u.useCode(w, r, user)
	var codes []string
	if err == nil {
		codes, err = u.Store.NewRecoveryCodes(r.Context(), user.ID)
	}
	if err == nil {
		u.showFactor(w, r, http.StatusOK, codes, "", fault{})
		return
	}
	u.finish(w, r, err, "", "", func(status int, wrong fault) { u.showFactor(w, r, status, nil, "", wrong) })
}

// factorOff switches the caller's second factor off. Users who need one set up
// another at the next sign-in.
func (u *UI) factorOff(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	_, err := u.useCode(w, r, user)
	if err == nil {
		err = u.Store.RemoveAuthenticator(r.Context(), user.ID)
	}
	u.finish(w, r, err, u.PathBase+"/second-factor", "off", func(status int, wrong fault) { u.showFactor(w, r, status, nil, "", wrong) })
}

func (u *UI) factorOffOfUser(w http.ResponseWriter, r *http.Request) {
	id := number(pathVar(r, "userId"))
	if id == access.Of(r.Context()).User.ID {
		u.done(w, r, u.PathBase+"/second-factor", "") // where a code is asked for
		return
	}
	_, err := u.Store.AnyUser(r.Context(), id)
	if err == nil {
		err = u.Store.RemoveSecondFactor(r.Context(), id)
	}
	u.finish(w, r, err, u.PathBase+"/users/"+itoa(id), "factor", func(status int, wrong fault) { u.showUser(w, r, status, userBody{Fault: wrong}) })
}
