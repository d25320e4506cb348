package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
)

// signInTime is how long a sign-in to a drive may take.
const signInTime = 15 * time.Minute

// signInState is what comes back with a person who signed in to a drive. It is
// sealed, and only they can use it.
type signInState struct {
	Connection string    `json:"connection"`
	Verifier   string    `json:"verifier"`
	Expires    time.Time `json:"expires"`
}

func signInPlace(caller *access.Caller) string {
	return fmt.Sprintf("sign-in/%d/%d", caller.User.ID, caller.Workspace.ID)
}

// signedInAddress is where providers send people back to; applications are
// registered with it.
func (u *UI) signedInAddress(r *http.Request) string {
	return u.origin(r) + u.connectionsAddress(access.Of(r.Context())) + "/signed-in"
}

// origin is the address under which people reach the service, without PathBase.
func (u *UI) origin(r *http.Request) string {
	if base := strings.TrimRight(u.PublicURL, "/"); base != "" {
		return base
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// signInToDrive sends a person to the provider of a connection.
func (u *UI) signInToDrive(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	c, err := u.Store.Connection(r.Context(), caller.Workspace.ID, queryText(r, "name"))
	if err != nil {
		u.Error(w, r, err)
		return
	}
	kind := u.kindOf(c.Type)
	if kind.SignIn == nil {
		u.Error(w, r, report.NotFoundf("nobody signs in to the connection %q", c.Name))
		return
	}
	state := signInState{c.Name, oauth2.GenerateVerifier(), u.Clock().Add(signInTime)}
	text, err := json.Marshal(state)
	if err == nil {
		sealed := u.Store.Seal(signInPlace(caller), report.Secret(text))
		var address string
		if address, err = kind.SignIn.Address(membersOf(c.Address), u.signedInAddress(r), sealed, state.Verifier); err == nil {
			http.Redirect(w, r, address, http.StatusSeeOther)
			return
		}
	}
	u.Error(w, r, err)
}

// signedInToDrive takes the code of a person who comes back, and keeps what the
// provider gives for it.
func (u *UI) signedInToDrive(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	state, err := u.openSignIn(caller, queryText(r, "state"))
	if err == nil {
		err = u.keepSignIn(r, state)
	}
	if err != nil && (state == nil || len(answer.ProblemsIn(err)) == 0) {
		u.Error(w, r, err)
		return
	}
	if err == nil {
		u.done(w, r, u.connectionsAddress(caller), "signed-in")
		return
	}
	u.editConnection(w, r, http.StatusUnprocessableEntity, state.Connection, fault{Text: sentence(err.Error())})
}

func (u *UI) openSignIn(caller *access.Caller, sealed string) (*signInState, error) {
	stale := report.Problemf("", "this sign-in was begun by somebody else, or too long ago; begin it again on the page of the connection")
	text, err := u.Store.Unseal(signInPlace(caller), sealed)
	if err != nil {
		return nil, stale
	}
	state := new(signInState)
	if json.Unmarshal([]byte(text.Reveal()), state) != nil || u.Clock().After(state.Expires) {
		return nil, stale
	}
	return state, nil
}

func (u *UI) keepSignIn(r *http.Request, state *signInState) error {
	caller := access.Of(r.Context())
	c, err := u.Store.Connection(r.Context(), caller.Workspace.ID, state.Connection)
	if err != nil {
		return err
	}
	kind := u.kindOf(c.Type)
	if kind.SignIn == nil {
		return report.NotFoundf("nobody signs in to the connection %q", c.Name)
	}
	if refused := queryText(r, "error"); refused != "" {
		return report.Problemf("", "the provider did not let you in: %s", cmp.Or(queryText(r, "error_description"), refused))
	}
	members := membersOf(c.Address)
	token, err := kind.SignIn.Token(r.Context(), members, queryText(r, "code"), u.signedInAddress(r), state.Verifier)
	if err != nil {
		return err
	}
	members["token"] = token.Reveal()
	text, err := json.Marshal(members)
	if err != nil {
		return err
	}
	changed := *c
	changed.Address = report.Secret(text)
	return u.Store.PutConnection(r.Context(), caller.Workspace.ID, changed)
}

// withoutSignIn leaves out that nobody has signed in yet: that comes when the
// connection is there.
func withoutSignIn(kind report.ConnectionType, members map[string]any, problems report.Problems) report.Problems {
	if kind.SignIn == nil || textOfMember(members["token"]) != "" {
		return problems
	}
	return slices.DeleteFunc(problems, isOfToken)
}

// lacksSignIn tells whether a connection works only once somebody has signed in.
func lacksSignIn(kind report.ConnectionType, members map[string]any) bool {
	return textOfMember(members["token"]) == "" && slices.ContainsFunc(kind.Check(members, ""), isOfToken)
}

func isOfToken(p *report.Problem) bool { return p.Path == "token" }

// signInOf is the address at which a person signs in to a connection; empty for
// one that needs none.
func (u *UI) signInOf(caller *access.Caller, name string, kind report.ConnectionType) string {
	if kind.SignIn == nil {
		return ""
	}
	return u.connectionsAddress(caller) + "/sign-in?name=" + url.QueryEscape(name)
}
