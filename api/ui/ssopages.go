package ui

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/accounts"
	"github.com/quire-reports/quire/store"
)

// refusalText is a reason in the language of its reader, and the status of the
// answer; 0 when the error is none of these.
func (u *UI) refusalText(r *http.Request, p *sso.Terms, err error) (string, int) {
	var refusal *sso.Refusal
	if !errors.As(err, &refusal) {
		if problems := answer.ProblemsIn(err); len(problems) > 0 && !isNotFound(err) {
			return sentence(u.said(r, problems[0].Message)), http.StatusBadRequest
		}
		return "", 0
	}
	status := http.StatusForbidden
	if refusal.Why == sso.Unreachable || refusal.Why == sso.Busy {
		status = http.StatusServiceUnavailable
	}
	said := ""
	switch refusal.Why {
	case sso.Unreachable:
		said = u.t(r, "{0} does not answer as it should. Try again in a moment; the log of this service has the reason.", p.Label)
	case sso.Busy:
		said = u.t(r, "too many people sign in at this moment; try again")
	case sso.Declined:
		said = u.t(r, "{0} did not let you in: {1}", p.Label, refusal.Value)
	case sso.OtherIssuer, sso.BadToken:
		said = u.t(r, "What {0} sent is not accepted; the log of this service has the reason. Begin again.", p.Label)
	case sso.NoEmail:
		said = u.t(r, "{0} does not tell your e-mail address. Whoever looks after it can let this application see it.", p.Label)
	case sso.Unverified:
		said = u.t(r, "{0} has not verified the e-mail address {1}. Verify it there and sign in again.", p.Label, refusal.Value)
	case sso.OtherDomain:
		said = u.t(r, "Only addresses of these domains may sign in: {0}", refusal.Value)
	case sso.NoGroup:
		said = u.t(r, "You are in none of the groups that may sign in: {0}", refusal.Value)
	case sso.NoGroups:
		said = u.t(r, "You are in so many groups that {0} leaves them out. Whoever looks after it can have it send only the groups of this application.", p.Label)
	case sso.NoRole:
		said = u.t(r, "None of your groups leads to a role here. Ask who looks after this service.")
	case sso.NoAccount:
		said = u.t(r, "You have no account here, and accounts are not made by signing in. Ask a root user for one.")
	case sso.AddressTaken:
		if u.Store.RootOnlyHere() {
			said = u.t(r, "There is an account with your e-mail address already, which is not signed in to by {0}. Ask a root user.", p.Label)
			break
		}
		said = u.t(r, "There is an account with your e-mail address already, which is not signed in to by {0}. Sign in with its password, or ask a root user.", p.Label)
	case sso.Blocked:
		said = u.t(r, "Your account is blocked. Ask a root user.")
	case sso.WrongPassword:
		said, status = u.t(r, "user name or password is wrong"), http.StatusUnprocessableEntity
	case sso.Expired:
		said = u.t(r, "Your password at {0} has expired. Choose a new one there, then sign in here.", p.Label)
	case sso.Disabled:
		said = u.t(r, "Your account at {0} is disabled.", p.Label)
	case sso.BadEntry:
		said = u.t(r, "What {0} says of you is not accepted; the log of this service has the reason.", p.Label)
	case sso.NoPerson:
		said, status = u.t(r, "{0} knows nobody of this name.", p.Label), http.StatusUnprocessableEntity
	}
	return sentence(said), status
}

// providersBody is the content of the page about providers.
type providersBody struct {
	Providers   []providerRow
	Directories []directoryRow
	SignedOut   string
	RootOnly    bool   // passwords are for root users
	Leads       string // the provider that people are sent to for signing in
	IdleDays    int    // for which access tokens go on without a sign-in there
}

// providerRow is a provider on its page.
type providerRow struct {
	*sso.Provider
	Redirects sso.Redirects
	BackLog   string // the address for back-channel logout
	Grants    []grantRow
	Scope     string
	Groups    string // required ones
	Domains   string
	Us        string // our entity ID
	Known     sso.Known

	Certificates []certificateRow
}

// certificateRow is a certificate that a provider signs with.
type certificateRow struct {
	sso.Certificate
	Over bool
}

// grantRow is what follows from a group, and whether it can.
type grantRow struct {
	sso.Grant
	Missing bool
}

func (u *UI) providersPage(w http.ResponseWriter, r *http.Request) {
	body := providersBody{SignedOut: u.origin(r) + u.PathBase + "/sign-in", RootOnly: u.Store.RootOnlyHere(), IdleDays: u.Store.TokenIdleDays()}
	if p := u.provider(u.AutoRedirect); p != nil {
		body.Leads = p.Label
	}
	for _, p := range u.Providers {
		to := u.redirects(r, p)
		row := providerRow{
			Provider: p, Redirects: to, BackLog: strings.TrimSuffix(to.SignedIn, "callback") + "backchannel-logout",
			Scope: strings.Join(p.Scopes, " "), Groups: strings.Join(p.RequiredGroups, ", "), Domains: strings.Join(p.AllowedDomains, ", "),
		}
		var err error
		if row.Grants, err = u.grantRows(r.Context(), p.Grants); err != nil {
			u.Error(w, r, err)
			return
		}
		if p.PostsBack() {
			row.Us, row.Known = cmp.Or(p.ClientID, to.Metadata), p.Known(r.Context())
			for _, c := range row.Known.Certificates {
				row.Certificates = append(row.Certificates, certificateRow{c, u.Clock().After(c.Until)})
			}
		}
		body.Providers = append(body.Providers, row)
	}
	var err error
	if body.Directories, err = u.directoryRows(r.Context()); err != nil {
		u.Error(w, r, err)
		return
	}
	notice := u.notice(r, map[string]string{"synced": "Everybody was looked up."})
	u.show(w, r, http.StatusOK, "sso", page{Title: u.t(r, "Single sign-on"), Section: "sso", Body: body, Notice: notice})
}

// grantRows are what follows from groups, and whether it can.
func (u *UI) grantRows(ctx context.Context, grants []sso.Grant) (rows []grantRow, err error) {
	missing, err := u.Store.MissingGrants(ctx, accounts.Grants(grants))
	for i, g := range accounts.Grants(grants) {
		rows = append(rows, grantRow{grants[i], slices.Contains(missing, g)})
	}
	return rows, err
}

// tryProvider sends a root user to a provider to see what would follow.
func (u *UI) tryProvider(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, isAny)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	if err := u.sendAway(w, r, p, sso.Pending{Try: true}); err != nil {
		u.tryFailed(w, r, &p.Terms, triedBody{}, err)
	}
}

// triedBody is the content of the page that shows what would follow.
type triedBody struct {
	Label   string
	Enabled bool
	Problem string // why the person would not be let in
	Reason  string // the same for the people who run the service
	Trial   *store.IdentityTrial
	Groups  []string
	Missing []store.IdentityGrant
	Claims  string
	Name    string

	Directory, Checked bool // it is one; the password was entered, and is right if nothing is said
}

// triedProvider shows what a provider says of a person, and what would follow.
// Nobody is signed in, and nothing changes.
func (u *UI) triedProvider(w http.ResponseWriter, r *http.Request) {
	p, err := u.providerOf(r, isAny)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	var body triedBody
	pending, err := u.pending(r, p)
	if err == nil && !pending.Try {
		err = errStale
	}
	var id *sso.Identity
	if err == nil {
		id, err = u.identify(w, r, p, pending)
	}
	u.showTried(w, r, &p.Terms, body, id, err)
}

// tryFailed shows what came of trying; err is nil when the person would come in.
func (u *UI) tryFailed(w http.ResponseWriter, r *http.Request, p *sso.Terms, body triedBody, err error) {
	status := http.StatusOK
	if err != nil {
		said, known := u.refusalText(r, p, err)
		if known == 0 {
			u.Error(w, r, err)
			return
		}
		var refusal *sso.Refusal
		if body.Problem, status = said, known; errors.As(err, &refusal) && slices.Contains([]sso.Why{sso.Unreachable, sso.BadToken, sso.OtherIssuer, sso.BadEntry, sso.Disabled, sso.WrongPassword}, refusal.Why) {
			body.Reason = refusal.Error()
		}
	}
	body.Label, body.Name, body.Enabled = p.Label, p.Name, p.Enabled
	u.show(w, r, status, "sso-tried", page{Title: u.t(r, "What {0} says", p.Label), Section: "sso", Body: body})
}
