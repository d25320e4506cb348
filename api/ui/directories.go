package ui

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/accounts"
	"github.com/quire-reports/quire/store"
)

// Directories are what is known of the people of LDAP directories.
type Directories interface {
	IdentityEmail(ctx context.Context, issuer, subject string) (string, error)
	LastSync(ctx context.Context, provider string) (*store.DirectorySync, error)
	accounts.People
}

// directoryRoutes are the pages about directories. People sign in on the page on
// which everybody does.
func (u *UI) directoryRoutes() []route {
	root := access.RootOnly(access.Session)
	return []route{
		{http.MethodPost, "/sso/{provider}/look", root, u.toSignIn, u.lookUp},
		{http.MethodPost, "/sso/{provider}/sync", root, u.toSignIn, u.syncNow},
	}
}

// accountPlace is where the password of an account is known.
type accountPlace struct {
	Name, Label string
	Chosen      bool
}

// accountPlaces are the places that the form offers to choose from; the accounts
// of this service come last. There are none when there is nothing to choose.
func (u *UI) accountPlaces(r *http.Request, chosen string) (places []accountPlace) {
	for _, d := range u.Directories {
		if d.Enabled {
			places = append(places, accountPlace{d.Name, d.Label, d.Name == chosen})
		}
	}
	if len(places) == 0 {
		return nil
	}
	here := u.t(r, "Quire account")
	if u.Store.RootOnlyHere() {
		here = u.t(r, "Quire account (administrators)")
	}
	places = append(places, accountPlace{placeHere, here, chosen == placeHere})
	if !slices.ContainsFunc(places, func(p accountPlace) bool { return p.Chosen }) {
		places[0].Chosen = true
	}
	return places
}

// placeHere stands for the accounts of this service; no directory has such a name.
const placeHere = "."

// directory finds one that people may use, by its name; nil when there is none.
func (u *UI) directory(name string, usable func(*sso.Directory) bool) *sso.Directory {
	at := slices.IndexFunc(u.Directories, func(d *sso.Directory) bool { return d.Name == name && usable(d) })
	if at < 0 {
		return nil
	}
	return u.Directories[at]
}

func isOpen(d *sso.Directory) bool       { return d.Enabled }
func anyDirectory(d *sso.Directory) bool { return d != nil }

// signInThere lets in who has an account at a directory.
func (u *UI) signInThere(w http.ResponseWriter, r *http.Request, form signInForm, password report.Secret) {
	d := u.directory(form.Place, isOpen)
	if d == nil {
		u.signInFailed(w, r, form, report.Problemf("", "nobody signs in there; choose another"))
		return
	}
	id, attempt, err := u.authenticateThere(r, d, form.Email, password)
	var user *store.User
	if err == nil {
		user, err = u.admit(r, d, id)
	}
	address := ""
	if err == nil {
		address, err = u.comeIn(w, r, user, form.Next, attempt, store.Origin{Provider: d.Name, Issuer: id.Issuer, Subject: id.Subject})
	}
	if err == nil {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return
	}
	said, status := u.refusalText(r, &d.Terms, err)
	var refusal *sso.Refusal
	if !errors.As(err, &refusal) {
		u.logThere(r, d, id, err)
		u.signInFailed(w, r, form, err)
		return
	}
	u.noteRefused(r, &d.Terms, id, err)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	form.Problem = said
	u.showSignIn(w, r, status, form)
}

// authenticateThere asks the directory about a password, as often as the limits
// allow.
func (u *UI) authenticateThere(r *http.Request, d *sso.Directory, name string, password report.Secret) (*sso.Identity, *access.Attempt, error) {
	if name == "" || password == "" {
		return nil, nil, report.Problemf("", "enter your user name and password")
	}
	attempt, err := u.Attempts.BeginThere(r, d.Name, name)
	if err != nil {
		return nil, nil, err
	}
	id, err := d.SignIn(r.Context(), name, password.Reveal(), func(ctx context.Context, person string) error {
		email, err := u.Store.IdentityEmail(ctx, d.Issuer(), person)
		if err != nil {
			return err
		}
		return attempt.Guess(r, d.Name+"\n"+person, email, d.MostGuesses, d.GuessWindow)
	})
	var refusal *sso.Refusal
	switch known := errors.As(err, &refusal); {
	case known && refusal.Why == sso.WrongPassword: // it counts
	case err != nil && !known, known && (refusal.Why == sso.Unreachable || refusal.Why == sso.Busy):
		attempt.GiveBack(r.Context())
	default: // the password is right, whatever else is wrong
		err = errors.Join(err, attempt.Succeeded(r.Context()))
	}
	if known := errors.As(err, &refusal); known && refusal.Why == sso.Disabled {
		err = errors.Join(err, u.shutOut(r, d, id))
	}
	return id, attempt, err
}

// shutOut takes from an account what its directory does not give any more.
func (u *UI) shutOut(r *http.Request, d *sso.Directory, id *sso.Identity) error {
	_, err := u.Store.ShutOut(actingFor(r, d.Name), accounts.Identity(id), accounts.Rules(&d.Terms, nil), u.Clock(), false)
	return err
}

// admit finds or makes the account of somebody who may come in; from one who may
// not any more it takes what the directory decides.
func (u *UI) admit(r *http.Request, d *sso.Directory, id *sso.Identity) (*store.User, error) {
	if err := d.Check(id); err != nil {
		return nil, errors.Join(err, u.shutOut(r, d, id))
	}
	user, err := u.Store.UserOf(actingFor(r, d.Name), accounts.Identity(id), accounts.RulesFor(&d.Terms, id))
	return user, accounts.Refusal(err)
}

// actingFor is the context of what a provider decides.
func actingFor(r *http.Request, provider string) context.Context {
	trace := answer.TraceOf(r.Context())
	return store.WithActor(r.Context(), store.Actor{Kind: store.BySystem, Name: provider, Address: trace.Address, Request: trace.ID})
}

// logThere logs who tried. What somebody has entered stays out, unless the
// directory knows them: it may be a password in the wrong field.
func (u *UI) logThere(r *http.Request, d *sso.Directory, id *sso.Identity, err error) {
	trace, account := answer.TraceOf(r.Context()), ""
	if id != nil {
		account = id.Email
	}
	problem := answer.From(err, trace.ID)
	u.Logger.LogAttrs(r.Context(), slog.LevelWarn, "sign-in failed", slog.String("account", account), slog.String("provider", d.Name), slog.String("address", trace.Address),
		slog.String("request", trace.ID), slog.Int("status", problem.Status), slog.String("reason", problem.Detail))
}

// directoryRow is a directory on the page about providers.
type directoryRow struct {
	*sso.Directory
	ServerList, Groups, Domains string
	Grants                      []grantRow
	SyncMinutes, GuessMinutes   int
	Encrypts                    bool // by StartTLS
	Last                        *store.DirectorySync
}

func (u *UI) directoryRows(ctx context.Context) (rows []directoryRow, err error) {
	for _, d := range u.Directories {
		row := directoryRow{
			Directory: d, ServerList: strings.Join(d.Servers, ", "), Groups: strings.Join(d.RequiredGroups, ", "), Domains: strings.Join(d.AllowedDomains, ", "),
			SyncMinutes: int(d.SyncEvery.Minutes()), GuessMinutes: int(d.GuessWindow.Minutes()),
			Encrypts: d.StartTLS && slices.ContainsFunc(d.Servers, func(s string) bool { return strings.HasPrefix(strings.ToLower(s), "ldap:") }),
		}
		if row.Grants, err = u.grantRows(ctx, d.Grants); err != nil {
			return nil, err
		}
		if row.Last, err = u.Store.LastSync(ctx, d.Name); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// lookUp shows what a directory says of a person, and what would follow when
// they signed in. With a password it is checked, too. Nothing changes.
func (u *UI) lookUp(w http.ResponseWriter, r *http.Request) {
	d := u.directory(pathVar(r, "provider"), anyDirectory)
	if d == nil {
		u.Error(w, r, report.NotFoundf("there is no directory %s", pathVar(r, "provider")))
		return
	}
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	name, password := strings.TrimSpace(sent.Get("name")), report.Secret(sent.Get("password"))
	body := triedBody{Label: d.Label, Name: d.Name, Enabled: d.Enabled, Directory: true, Checked: password != ""}
	var id *sso.Identity
	if password != "" {
		id, err = u.tryPassword(r, d, name, password)
	} else {
		id, err = d.Find(r.Context(), name)
	}
	u.showTried(w, r, &d.Terms, body, id, err)
}

// tryPassword checks a password under the limits that hold for everybody.
func (u *UI) tryPassword(r *http.Request, d *sso.Directory, name string, password report.Secret) (*sso.Identity, error) {
	id, _, err := u.authenticateThere(r, d, name, password)
	return id, err
}

// showTried shows what would follow for an identity.
func (u *UI) showTried(w http.ResponseWriter, r *http.Request, terms *sso.Terms, body triedBody, id *sso.Identity, err error) {
	if id != nil && id.Claims != nil {
		claims, fault := json.MarshalIndent(id.Claims, "", "  ")
		if fault != nil {
			u.Error(w, r, fault)
			return
		}
		body.Claims, body.Groups = string(claims), id.Groups
	}
	if err == nil {
		err = terms.Check(id)
	}
	if err == nil {
		rules := accounts.RulesFor(terms, id)
		if body.Trial, err = u.Store.TryUserOf(r.Context(), accounts.Identity(id), rules); err != nil {
			body.Trial, err = nil, accounts.Refusal(err)
		} else {
			body.Missing, err = u.Store.MissingGrants(r.Context(), rules.Grants)
		}
	}
	u.tryFailed(w, r, terms, body, err)
}

// syncNow looks the people of a directory up without waiting for the time.
func (u *UI) syncNow(w http.ResponseWriter, r *http.Request) {
	d := u.directory(pathVar(r, "provider"), isOpen)
	if d == nil {
		u.Error(w, r, report.NotFoundf("there is no directory %s that people use", pathVar(r, "provider")))
		return
	}
	follower := accounts.Follower{People: u.Store, Clock: u.Clock, Log: u.Logger}
	went, err := follower.Sync(r.Context(), d)
	done := "synced"
	if went.Problem != "" {
		done = "" // the page says it
	}
	u.finish(w, r, err, u.PathBase+"/sso", done, func(int, fault) { u.Error(w, r, err) })
}
