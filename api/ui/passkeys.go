package ui

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Passkeys are the keys that users sign in with.
type Passkeys interface {
	Passkeys(ctx context.Context, userID int) ([]store.Passkey, error)
	PasskeyBy(ctx context.Context, credentialID []byte) (*store.Passkey, error)
	AddPasskey(ctx context.Context, k store.Passkey) (codes []string, err error)
	UsePasskey(ctx context.Context, k *store.Passkey, count uint32, credential []byte) error
	RemovePasskey(ctx context.Context, userID, id int) error
	UseOnce(ctx context.Context, what string, until time.Time) (bool, error)
}

// passkeyRoutes are making passkeys and signing in with them. The options of
// each are asked for first; they hold a challenge, which the browser answers.
func (u *UI) passkeyRoutes() []route {
	const post = http.MethodPost
	open, known := access.Open(), access.Known(access.Session)
	return []route{
		{post, "/sign-in/passkey/options", open, answer.Error, u.signInOptions},
		{post, "/sign-in/passkey", open, u.Error, u.signInByPasskey},
		{post, "/sign-in/code/passkey/options", open, answer.Error, u.secondOptions},
		{post, "/sign-in/code/passkey", open, u.Error, u.enterPasskey},
		{post, "/sign-in/second-factor/passkey/options", open, answer.Error, u.neededOptions},
		{post, "/sign-in/second-factor/passkey", open, u.Error, u.addNeededPasskey},
		{post, "/second-factor/passkey/options", known, answer.Error, u.newPasskeyOptions},
		{post, "/second-factor/passkey", known, u.toSignIn, u.addPasskey},
		{post, "/second-factor/passkey/{passkey:[0-9]+}/remove", known, u.toSignIn, u.removePasskey},
	}
}

// relyingParty is the site for which passkeys are made and shown: the public
// address, or without one that of the request. Keys are of a name, not of an
// address of a machine, and of encrypted connections; browsers make an exception
// for localhost alone. nil: there are no passkeys here.
func (u *UI) relyingParty(r *http.Request) *webauthn.WebAuthn {
	host, origins := r.Host, []string{"https://" + r.Host}
	if u.PublicURL != "" {
		public, err := url.Parse(u.PublicURL)
		if err != nil || !strings.EqualFold(public.Host, r.Host) {
			return nil // the browser is elsewhere, and would refuse
		}
		origins = []string{public.Scheme + "://" + public.Host}
	}
	name := host
	if alone, _, err := net.SplitHostPort(host); err == nil {
		name = alone
	}
	name = strings.ToLower(name)
	local := name == "localhost" || strings.HasSuffix(name, ".localhost")
	switch {
	case net.ParseIP(strings.Trim(name, "[]")) != nil:
		return nil
	case local && u.PublicURL == "":
		origins = append(origins, "http://"+host)
	case !local && strings.HasPrefix(origins[0], "http://"):
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{RPID: name, RPDisplayName: "Quire", RPOrigins: origins})
	if err != nil {
		return nil // no host of a site
	}
	return party
}

// What a challenge is for.
const (
	challengeSignIn = "sign-in" // without a password: the key knows who it is
	challengeSecond = "second"  // after the password
	challengeNew    = "new"     // to make a key
)

// challenge is what a browser is to answer. It keeps it sealed, so that it is
// answered in the same browser; what was answered once is of no use again.
type challenge struct {
	For     string
	User    int // 0: whoever the key says
	Epoch   int
	Handle  []byte
	Session webauthn.SessionData
	Expires time.Time
}

const (
	challengePlace = "passkey/challenge"
	challengeLasts = 5 * time.Minute
)

// ask lets the browser keep a challenge and answers with the options.
func (u *UI) ask(w http.ResponseWriter, r *http.Request, c challenge, session *webauthn.SessionData, options any) {
	c.Session, c.Expires = *session, u.Clock().Add(challengeLasts)
	c.Session.AllowedCredentialIDs = nil // those of the user, then as now
	text, err := json.Marshal(c)
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	u.Sessions.KeepAs(access.PasskeyCookie, w, r, u.Store.Seal(challengePlace, report.Secret(text)), c.Expires)
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, options)
}

var errChallenge = report.Problemf("passkey", "%s", string(say("that took too long, or was begun elsewhere; try again")))

// asked takes the challenge that the browser was asked, once.
func (u *UI) asked(w http.ResponseWriter, r *http.Request, what string) (*challenge, error) {
	text, err := u.Store.Unseal(challengePlace, u.Sessions.KeptAs(access.PasskeyCookie, r))
	var c challenge
	if err != nil || json.Unmarshal([]byte(text.Reveal()), &c) != nil || c.For != what || u.Clock().After(c.Expires) {
		return nil, errChallenge
	}
	u.Sessions.KeepAs(access.PasskeyCookie, w, r, "", time.Time{})
	first, err := u.Store.UseOnce(r.Context(), "passkey challenge "+c.Session.Challenge, c.Expires)
	if err == nil && !first {
		err = errChallenge
	}
	return &c, err
}

// keyOwner is a user with their passkeys, as the library sees one.
type keyOwner struct {
	user   *store.User
	handle []byte
	keys   []store.Passkey
	site   string
}

func (o *keyOwner) WebAuthnID() []byte          { return o.handle }
func (o *keyOwner) WebAuthnName() string        { return o.user.Email }
func (o *keyOwner) WebAuthnDisplayName() string { return o.user.DisplayName }

// WebAuthnCredentials are the keys for the site that can still be used.
func (o *keyOwner) WebAuthnCredentials() []webauthn.Credential {
	var list []webauthn.Credential
	for i := range o.keys {
		var c webauthn.Credential
		if o.keys[i].RPID == o.site && o.keys[i].Cloned == nil && json.Unmarshal(o.keys[i].Credential, &c) == nil {
			c.Authenticator.SignCount = o.keys[i].Count
			list = append(list, c)
		}
	}
	return list
}

func (u *UI) ownerOf(r *http.Request, user *store.User, site string) (*keyOwner, error) {
	keys, err := u.Store.Passkeys(r.Context(), user.ID)
	o := &keyOwner{user: user, keys: keys, site: site}
	if len(keys) > 0 {
		o.handle = keys[0].Handle
	}
	return o, err
}

var errNoPasskeys = &report.Problem{Kind: report.Conflict, Path: "passkey", Message: say("there are no passkeys at this address: open the service at the address of its PublicUrl, over HTTPS and by its name")}

// makes tells whether passkeys can be made and used at the address of a request.
func (u *UI) makes(r *http.Request) bool { return u.relyingParty(r) != nil }

// signInOptions ask for a key of whoever it is. It has to be one that has seen
// who holds it, by a PIN or a finger: it stands for the password, too.
func (u *UI) signInOptions(w http.ResponseWriter, r *http.Request) {
	party := u.relyingParty(r)
	if party == nil {
		answer.Error(w, r, errNoPasskeys)
		return
	}
	options, session, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	u.ask(w, r, challenge{For: challengeSignIn}, session, options)
}

func (u *UI) signInByPasskey(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	form := signInForm{Next: sent.Get("next")}
	attempt, err := u.Attempts.BeginPasskey(r)
	var user *store.User
	var key *store.Passkey
	if err == nil {
		user, key, err = u.signsIn(w, r, sent.Get("credential"))
	}
	if err == nil {
		err = attempt.Succeeded(r.Context())
	}
	if err == nil {
		err = u.Sessions.SignInFrom(w, r, user, store.Origin{Passkey: key.Name})
	}
	if err == nil {
		err = u.Attempts.Remember(w, r, user)
	}
	if err != nil {
		u.logSignIn(r, "", user, err)
		u.signInFailed(w, r, form, err)
		return
	}
	u.logSignIn(r, user.Email, user, nil)
	http.Redirect(w, r, u.localAddress(form.Next), http.StatusSeeOther)
}

// errKey says no more than that a key signs nobody in.
func errKey() error {
	return report.NotFoundf("%s", say("this passkey signs nobody in here; sign in in another way"))
}

// signsIn finds whom a key signs in without a password.
func (u *UI) signsIn(w http.ResponseWriter, r *http.Request, credential string) (*store.User, *store.Passkey, error) {
	party := u.relyingParty(r)
	if party == nil {
		return nil, nil, errNoPasskeys
	}
	c, err := u.asked(w, r, challengeSignIn)
	if err != nil {
		return nil, nil, err
	}
	shown, err := protocol.ParseCredentialRequestResponseBytes([]byte(credential))
	if err != nil {
		return nil, nil, errKey()
	}
	var owner *keyOwner
	var broken error
	find := func(rawID, handle []byte) (webauthn.User, error) {
		key, err := u.Store.PasskeyBy(r.Context(), rawID)
		var user *store.User
		if err == nil {
			user, err = u.Store.UserByID(r.Context(), key.UserID)
		}
		if err == nil {
			owner, err = u.ownerOf(r, user, party.Config.RPID)
		}
		if err != nil && !isNotFound(err) {
			broken = err
		}
		if err != nil {
			return nil, err
		}
		owner.handle = key.Handle
		return owner, nil
	}
	_, used, err := party.ValidatePasskeyLogin(find, c.Session, shown)
	switch {
	case broken != nil:
		return nil, nil, broken
	case err != nil:
		return nil, nil, errKey()
	}
	row, err := u.Store.AnyUser(r.Context(), owner.user.ID)
	if err == nil && (!row.HasPassword || !row.IsRoot && u.Store.RootOnlyHere()) { // comes in at a provider, whose refusals a key must not get round
		err = errKey()
	}
	if err != nil {
		return nil, nil, err
	}
	key, err := u.use(r, owner, used, shown)
	return owner.user, key, err
}

// use keeps that a key was used.
func (u *UI) use(r *http.Request, owner *keyOwner, used *webauthn.Credential, shown *protocol.ParsedCredentialAssertionData) (*store.Passkey, error) {
	text, err := json.Marshal(used)
	if err != nil {
		return nil, err
	}
	for i := range owner.keys {
		if key := &owner.keys[i]; key.Is(used.ID) {
			return key, u.Store.UsePasskey(r.Context(), key, shown.Response.AuthenticatorData.Counter, text)
		}
	}
	return nil, errKey()
}

// secondOptions ask a user who has shown the password for one of their keys.
// That the key is touched is enough.
func (u *UI) secondOptions(w http.ResponseWriter, r *http.Request) {
	user, _, err := u.halfOf(r)
	party := u.relyingParty(r)
	var owner *keyOwner
	switch {
	case err != nil:
	case user == nil:
		err = errChallenge
	case party == nil:
		err = errNoPasskeys
	default:
		owner, err = u.ownerOf(r, user, party.Config.RPID)
	}
	if err == nil && len(owner.WebAuthnCredentials()) == 0 {
		err = errNoPasskeys
	}
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	options, session, err := party.BeginLogin(owner, webauthn.WithUserVerification(protocol.VerificationDiscouraged))
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	u.ask(w, r, challenge{For: challengeSecond, User: user.ID, Epoch: user.Epoch}, session, options)
}

// enterPasskey takes a key in place of a code.
func (u *UI) enterPasskey(w http.ResponseWriter, r *http.Request) {
	user, waits := u.halfway(w, r)
	if user == nil {
		return
	}
	attempt, err := u.showsPasskey(w, r, user)
	if err == nil {
		u.Sessions.Keep(w, r, "", time.Time{})
		err = u.begin(w, r, user, attempt, waits.from())
	} else {
		u.logSignIn(r, user.Email, user, err)
	}
	if err == nil {
		http.Redirect(w, r, u.localAddress(waits.Next), http.StatusSeeOther)
		return
	}
	if wrong, status := u.faultOf(r, err); status != 0 {
		u.showCode(w, r, status, user, wrong)
		return
	}
	u.Error(w, r, err)
}

// showsPasskey takes the key of a form as the second factor of a user.
func (u *UI) showsPasskey(w http.ResponseWriter, r *http.Request, user *store.User) (*access.Attempt, error) {
	sent, err := readForm(w, r)
	if err != nil {
		return nil, err
	}
	attempt, err := u.Attempts.BeginCode(r, user)
	if err != nil {
		return nil, err
	}
	party := u.relyingParty(r)
	if party == nil {
		return nil, errNoPasskeys
	}
	c, err := u.asked(w, r, challengeSecond)
	if err == nil && (c.User != user.ID || c.Epoch != user.Epoch) {
		err = errChallenge
	}
	if err != nil {
		return nil, err
	}
	owner, err := u.ownerOf(r, user, party.Config.RPID)
	if err != nil {
		return nil, err
	}
	wrong := report.Problemf("passkey", "%s", say("this passkey is none of this account, or cannot be used any more"))
	shown, err := protocol.ParseCredentialRequestResponseBytes([]byte(sent.Get("credential")))
	if err != nil {
		return nil, wrong
	}
	used, err := party.ValidateLogin(owner, c.Session, shown)
	if err != nil {
		return nil, wrong
	}
	if _, err = u.use(r, owner, used, shown); err == nil {
		err = attempt.Succeeded(r.Context())
	}
	return attempt, err
}

// askForNew answers with the options for a new key of a user.
func (u *UI) askForNew(w http.ResponseWriter, r *http.Request, user *store.User) {
	party := u.relyingParty(r)
	if party == nil {
		answer.Error(w, r, errNoPasskeys)
		return
	}
	owner, err := u.ownerOf(r, user, party.Config.RPID)
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	if owner.handle == nil {
		owner.handle = store.NewPasskeyHandle()
	}
	var known []protocol.CredentialDescriptor
	for _, c := range owner.WebAuthnCredentials() {
		known = append(known, c.Descriptor())
	}
	options, session, err := party.BeginRegistration(owner, webauthn.WithExclusions(known), webauthn.WithConveyancePreference(protocol.PreferNoAttestation),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: new(true), UserVerification: protocol.VerificationPreferred}))
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	u.ask(w, r, challenge{For: challengeNew, User: user.ID, Epoch: user.Epoch, Handle: owner.handle}, session, options)
}

// makePasskey keeps the new key that a form has.
func (u *UI) makePasskey(w http.ResponseWriter, r *http.Request, user *store.User, sent url.Values) ([]string, error) {
	party := u.relyingParty(r)
	if party == nil {
		return nil, errNoPasskeys
	}
	c, err := u.asked(w, r, challengeNew)
	if err == nil && (c.User != user.ID || c.Epoch != user.Epoch) {
		err = errChallenge
	}
	if err != nil {
		return nil, err
	}
	refused := report.Problemf("passkey", "%s", say("the browser did not make a passkey that can be used here"))
	shown, err := protocol.ParseCredentialCreationResponseBytes([]byte(sent.Get("credential")))
	if err != nil {
		return nil, refused
	}
	made, err := party.CreateCredential(&keyOwner{user: user, handle: c.Handle, site: party.Config.RPID}, c.Session, shown)
	if err != nil {
		return nil, refused
	}
	made.Attestation = webauthn.CredentialAttestation{} // nothing asks for it
	text, err := json.Marshal(made)
	if err != nil {
		return nil, err
	}
	return u.Store.AddPasskey(r.Context(), store.Passkey{
		UserID: user.ID, Name: sent.Get("name"), CredentialID: made.ID, Handle: c.Handle, RPID: party.Config.RPID, Credential: text, Count: made.Authenticator.SignCount,
	})
}

// newPasskeyOptions ask for the password first: whoever finds an open browser
// must not leave a key of their own behind.
func (u *UI) newPasskeyOptions(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	sent, err := readForm(w, r)
	var row *store.UserRow
	if err == nil {
		row, err = u.Store.AnyUser(r.Context(), user.ID)
	}
	if err == nil && !row.HasPassword {
		err = errOfProvider
	}
	if err == nil {
		_, err = u.showsPassword(r, user, report.Secret(sent.Get("current")))
	}
	if err != nil {
		answer.Error(w, r, u.inWords(r, err))
		return
	}
	u.askForNew(w, r, user)
}

var errOfProvider = &report.Problem{Kind: report.Forbidden, Message: say("you sign in at a provider and have no password here; passkeys are the provider's, too")}

// inWords is a problem in the language of its reader: a script shows it.
func (u *UI) inWords(r *http.Request, err error) error {
	var p *report.Problem
	if !errors.As(err, &p) {
		return err
	}
	said := *p
	said.Message = u.said(r, p.Message)
	return &said
}

func (u *UI) addPasskey(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	codes, err := u.makePasskey(w, r, access.Of(r.Context()).User, sent)
	if err == nil && codes != nil {
		u.showFactor(w, r, http.StatusOK, codes, "", fault{})
		return
	}
	u.finish(w, r, err, u.PathBase+"/second-factor", "passkey", func(status int, wrong fault) { u.showFactor(w, r, status, nil, "", wrong) })
}

func (u *UI) removePasskey(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	_, err = u.showsPassword(r, user, report.Secret(sent.Get("current")))
	if err == nil {
		err = u.Store.RemovePasskey(r.Context(), user.ID, number(pathVar(r, "passkey")))
	}
	u.finish(w, r, err, u.PathBase+"/second-factor", "passkey-off", func(status int, wrong fault) { u.showFactor(w, r, status, nil, "", wrong) })
}

// neededOptions and addNeededPasskey are for users who need a second factor to
// come in, have none, and have just shown the password.
func (u *UI) neededOptions(w http.ResponseWriter, r *http.Request) {
	user, _, err := u.halfOf(r)
	var factor *store.SecondFactor
	if err == nil && user != nil {
		factor, err = u.Store.SecondFactorOf(r.Context(), user.ID)
	}
	if err == nil && (user == nil || factor != nil) {
		err = errChallenge
	}
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	u.askForNew(w, r, user)
}

func (u *UI) addNeededPasskey(w http.ResponseWriter, r *http.Request) {
	user, waits := u.halfwayWithout(w, r)
	if user == nil {
		return
	}
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	codes, err := u.makePasskey(w, r, user, sent)
	if err == nil {
		u.comeInWith(w, r, user, waits, codes)
		return
	}
	u.finish(w, r, err, "", "", func(status int, wrong fault) { u.showNeeded(w, r, status, user, "", wrong) })
}
