package deliver

import (
	"context"
	"encoding/json"
	"errors"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

// signsIn is a connection in which a person lets an application act for them:
// the authorization code grant of OAuth 2.0 (RFC 6749) with a proof of the code
// (RFC 7636).
type signsIn interface {
	app() *cloudApp
	// provider tells where to sign in, and what to ask for.
	provider() (endpoint oauth2.Endpoint, scopes []string, extra []oauth2.AuthCodeOption)
}

func (c *cloudApp) app() *cloudApp { return c }

// signInOf is what a kind of connection signs in with; nil when it does not.
func signInOf[C any](connection map[string]any) (signsIn, report.Problems) {
	conn, problems := report.DecodeProps[C](revealed(connection), "connection")
	in, ok := any(&conn).(signsIn)
	if !ok {
		return nil, nil
	}
	if in.app().ClientID == "" {
		problems = append(problems, report.Problemf("connection.clientId", "is missing; register an application with the provider, with the address that this page shows"))
	}
	return in, problems
}

// SignsIn tells whether a person signs in to make such a connection work; its
// member token is then what SignIn gives.
func (t Type) SignsIn() bool {
	in, _ := t.signIn(nil)
	return in != nil
}

// SignInAddress is the provider's page on which a person agrees. It sends them
// to redirect, with the state and a code. The verifier is a secret of whoever
// asks, and is the same in SignIn.
func (t Type) SignInAddress(connection map[string]any, redirect, state, verifier string) (string, error) {
	in, problems := t.signIn(connection)
	if err := problems.Err(); err != nil {
		return "", err
	}
	if in == nil {
		return "", report.Problemf("type", "nobody signs in to a connection of type %s", t.Name)
	}
	config, extra := signInConfig(in, redirect)
	return config.AuthCodeURL(state, append(extra, oauth2.S256ChallengeOption(verifier))...), nil
}

// SignIn turns the code that came back into the token of the connection.
func SignIn(ctx context.Context, env *Env, t Type, connection map[string]any, code, redirect, verifier string) (report.Secret, error) {
	in, problems := t.signIn(connection)
	if err := problems.Err(); err != nil {
		return "", err
	}
	if in == nil || env.Egress == nil {
		return "", report.Problemf("type", "nobody signs in to a connection of type %s here", t.Name)
	}
	d := &delivery{env: env}
	client := d.http(ctx)
	defer client.CloseIdleConnections()
	config, _ := signInConfig(in, redirect)
	token, err := config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, client), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return "", signInProblem(ctx, err)
	}
	if token.RefreshToken == "" {
		return "", report.Problemf("", "%s gave no lasting sign-in; remove the application from the account's list of connected applications, and sign in again", t.Label)
	}
	text, err := json.Marshal(token)
	return report.Secret(text), err
}

func signInConfig(in signsIn, redirect string) (*oauth2.Config, []oauth2.AuthCodeOption) {
	endpoint, scopes, extra := in.provider()
	app := in.app()
	return &oauth2.Config{ClientID: app.ClientID, ClientSecret: app.ClientSecret.Reveal(), Endpoint: endpoint, RedirectURL: redirect, Scopes: scopes}, extra
}

// signInProblem says why a code was not taken, without what the request held.
func signInProblem(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		reason := plain(refused.ErrorCode)
		if refused.ErrorDescription != "" {
			reason += ": " + plain(refused.ErrorDescription)
		}
		return report.Problemf("", "the provider refused the sign-in (%s); check the client's ID and secret and the address it redirects to, and sign in again", reason)
	}
	return &report.Problem{Kind: report.Busy, Message: asError(ctx, err).Message}
}
