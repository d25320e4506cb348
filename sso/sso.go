// Package sso lets people in by OpenID Connect: it sends them to a provider,
// takes what comes back, and decides what that is good for here. It knows
// protocols and claims; accounts, sessions and pages are others' business.
package sso

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/time/rate"

	"github.com/quire-reports/quire/data/egress"
)

// Config is what an operator says of a provider.
type Config struct {
	Name  string // in addresses
	Label string // on the button
	// Enabled is whether people may come in; root users may try it before.
	Enabled                bool
	Issuer                 string
	ClientID, ClientSecret string
	Scopes                 []string
	Rules
}

// Redirects are the addresses of ours that a provider sends people back to.
type Redirects struct{ SignedIn, SignedOut string }

// Fetcher makes outgoing requests within bounds. *egress.Guard is one.
type Fetcher interface {
	Fetch(ctx context.Context, req *http.Request) (*egress.Response, error)
}

// Provider is one at which people sign in. What it says of itself is asked for
// when it is first needed, so that the service starts without it.
type Provider struct {
	Config
	client   *http.Client
	clock    func() time.Time
	requests *rate.Limiter

	mu    sync.Mutex
	known *discovered
	tried time.Time // when asking last failed
	err   error
}

// discovered is what a provider says of itself.
type discovered struct {
	provider    *oidc.Provider
	EndSession  string `json:"end_session_endpoint"`
	NamesItself bool   `json:"authorization_response_iss_parameter_supported"`
	issuer      string
}

// How often a provider is asked because strangers make us: what they send leads
// to requests, so these have a pace.
const (
	requestPace  = 20 // a second
	requestBurst = 60
	askAgain     = 5 * time.Second // after it did not answer
	skew         = time.Minute     // by which clocks may differ
	mostAnswer   = 1 << 20
	mostHint     = 4 << 10 // of an ID token in an address; without it the provider asks
)

// New makes a provider.
func New(c Config, fetch Fetcher, clock func() time.Time) *Provider {
	return &Provider{Config: c, client: &http.Client{Transport: guarded{fetch}}, clock: clock, requests: rate.NewLimiter(requestPace, requestBurst)}
}

// guarded sends requests by the guard, which reads answers whole.
type guarded struct{ fetch Fetcher }

func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	answer, err := g.fetch.Fetch(req.Context(), req)
	if err != nil {
		return nil, err
	}
	if len(answer.Body) > mostAnswer {
		return nil, fmt.Errorf("the answer of %s is larger than %d bytes", req.URL.Hostname(), mostAnswer)
	}
	return &http.Response{
		StatusCode: answer.Status, Status: http.StatusText(answer.Status), Header: answer.Header, Request: req,
		Body: io.NopCloser(strings.NewReader(string(answer.Body))), ContentLength: int64(len(answer.Body)),
	}, nil
}

// find asks the provider what it says of itself, once.
func (p *Provider) find(ctx context.Context) (*discovered, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	if p.err != nil && p.clock().Sub(p.tried) < askAgain {
		return nil, p.err
	}
	known, err := p.ask(context.WithoutCancel(ctx), p.Issuer)
	var other *oidc.IssuerMismatchError
	if errors.As(err, &other) && strings.TrimSuffix(other.Discovered, "/") == strings.TrimSuffix(p.Issuer, "/") {
		known, err = p.ask(context.WithoutCancel(ctx), other.Discovered) // the slash at its end is easily missed
	}
	if err != nil {
		p.tried, p.err = p.clock(), &Refusal{Why: Unreachable, Err: err}
		return nil, p.err
	}
	p.known = known
	return known, nil
}

func (p *Provider) ask(ctx context.Context, issuer string) (*discovered, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), issuer)
	if err != nil {
		return nil, err
	}
	known := &discovered{provider: found, issuer: issuer}
	var keys struct {
		URL string `json:"jwks_uri"`
	}
	if err := errors.Join(found.Claims(known), found.Claims(&keys)); err != nil {
		return nil, err
	}
	ends := found.Endpoint()
	for _, address := range []string{ends.AuthURL, ends.TokenURL, keys.URL, found.UserInfoEndpoint(), known.EndSession} {
		if address == "" && address != ends.AuthURL && address != ends.TokenURL && address != keys.URL {
			continue
		}
		if err := CheckAddress(address); err != nil {
			return nil, fmt.Errorf("the provider names an address that is not used: %w", err)
		}
	}
	return known, nil
}

// CheckAddress accepts what passwords and keys may travel to.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q is not accepted; accepted: https://…, and http://… on this machine only", address)
}

// Pending is a sign-in that was begun: what its browser keeps, sealed, until it
// comes back.
type Pending struct {
	Provider string    `json:"provider"`
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Next     string    `json:"next"`
	Try      bool      `json:"try"` // a root user looks what would follow
	Expires  time.Time `json:"expires"`
}

// Begin is the address of the provider at which somebody signs in.
func (p *Provider) Begin(ctx context.Context, pending Pending, to Redirects) (string, error) {
	known, err := p.find(ctx)
	if err != nil {
		return "", err
	}
	return p.oauth(known, to).AuthCodeURL(pending.State, oidc.Nonce(pending.Nonce), oauth2.S256ChallengeOption(pending.Verifier)), nil
}

func (p *Provider) oauth(known *discovered, to Redirects) *oauth2.Config {
	return &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: known.provider.Endpoint(), RedirectURL: to.SignedIn, Scopes: p.Scopes}
}

// Identity is who a provider says somebody is.
type Identity struct {
	Issuer, Subject string
	Email, Name     string
	EmailVerified   bool // the provider says so
	EmailDisowned   bool // the provider says that it is not
	Groups          []string
	Session         string // the provider's own, for signing out
	IDToken         string
	Claims          map[string]any
}

// Finish turns what came back with a browser into an identity. That the state
// is the one of the browser has been checked.
func (p *Provider) Finish(ctx context.Context, pending Pending, answer url.Values, to Redirects) (*Identity, error) {
	known, err := p.find(ctx)
	if err != nil {
		return nil, err
	}
	if iss := answer.Get("iss"); iss != known.issuer && (iss != "" || known.NamesItself) {
		return nil, refuse(OtherIssuer, iss)
	}
	if code := answer.Get("error"); code != "" {
		return nil, refuse(Declined, short(code+" "+answer.Get("error_description")))
	}
	if !p.requests.AllowN(p.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	ctx = oidc.ClientContext(ctx, p.client)
	tokens, err := p.oauth(known, to).Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(pending.Verifier))
	if err != nil {
		return nil, unexchanged(err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	if raw == "" {
		return nil, refuse(BadToken, "the answer holds no ID token")
	}
	token, err := p.verifier(known).Verify(ctx, raw)
	if err != nil {
		return nil, &Refusal{Why: BadToken, Value: short(err.Error()), Err: err}
	}
	claims := map[string]any{}
	switch err := token.Claims(&claims); {
	case err != nil:
		return nil, &Refusal{Why: BadToken, Value: short(err.Error()), Err: err}
	case pending.Nonce == "" || token.Nonce != pending.Nonce:
		return nil, refuse(BadToken, "its nonce is another")
	case token.Subject == "" || len(token.Subject) > 255:
		return nil, refuse(BadToken, "it names no subject")
	case claims["events"] != nil:
		return nil, refuse(BadToken, "it is one for signing out")
	}
	if azp, ok := claims["azp"].(string); ok && azp != p.ClientID || !ok && len(token.Audience) > 1 {
		return nil, refuse(BadToken, "it was made for another application")
	}
	if err := p.addUserInfo(ctx, known, tokens, token.Subject, claims); err != nil {
		return nil, err
	}
	return p.Rules.identity(known.issuer, token.Subject, raw, claims)
}

// addUserInfo asks for what an ID token leaves out.
func (p *Provider) addUserInfo(ctx context.Context, known *discovered, tokens *oauth2.Token, subject string, claims map[string]any) error {
	if known.provider.UserInfoEndpoint() == "" || claims["email"] != nil && (p.GroupsClaim == "" || claimAt(claims, p.GroupsClaim) != nil) {
		return nil
	}
	info, err := known.provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil {
		return &Refusal{Why: Unreachable, Err: err}
	}
	if info.Subject != subject {
		return refuse(BadToken, "the user information is of somebody else")
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return &Refusal{Why: BadToken, Value: short(err.Error()), Err: err}
	}
	for name, value := range more {
		if _, there := claims[name]; !there {
			claims[name] = value
		}
	}
	return nil
}

// verifier takes only what is signed with a public key of the provider.
func (p *Provider) verifier(known *discovered) *oidc.IDTokenVerifier {
	return known.provider.Verifier(&oidc.Config{
		ClientID: p.ClientID, Now: func() time.Time { return p.clock().Add(-skew) },
		SupportedSigningAlgs: []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA},
	})
}

// unexchanged words why a provider gave nothing for a code, without what it
// holds.
func unexchanged(err error) error {
	var said *oauth2.RetrieveError
	if errors.As(err, &said) && said.ErrorCode != "" {
		return &Refusal{Why: Declined, Value: short(said.ErrorCode + " " + said.ErrorDescription), Err: err}
	}
	return &Refusal{Why: Unreachable, Err: err}
}

// SignOut is the address at which somebody signs out of the provider; empty
// when it has none.
func (p *Provider) SignOut(ctx context.Context, idToken string, to Redirects) string {
	known, err := p.find(ctx)
	if err != nil || known.EndSession == "" {
		return ""
	}
	address, err := url.Parse(known.EndSession)
	if err != nil {
		return ""
	}
	query := address.Query()
	query.Set("client_id", p.ClientID)
	query.Set("post_logout_redirect_uri", to.SignedOut)
	if idToken != "" && len(idToken) <= mostHint {
		query.Set("id_token_hint", idToken)
	}
	address.RawQuery = query.Encode()
	return address.String()
}

// Ended are the sessions that a provider says have ended: one of its own, or
// all of a subject.
type Ended struct {
	Issuer, Subject, Session string
	ID                       string    // of the message
	Until                    time.Time // for how long the message could come again
}

// logoutAge is how old a message may be that says that somebody signed out.
const logoutAge = 5 * time.Minute

// LoggedOut reads a logout token of OpenID Connect Back-Channel Logout.
func (p *Provider) LoggedOut(ctx context.Context, raw string) (*Ended, error) {
	known, err := p.find(ctx)
	if err != nil {
		return nil, err
	}
	if !p.requests.AllowN(p.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	token, err := p.verifier(known).VerifyLogout(oidc.ClientContext(ctx, p.client), raw)
	if err != nil {
		return nil, &Refusal{Why: BadToken, Value: short(err.Error()), Err: err}
	}
	if age := p.clock().Sub(token.IssuedAt); age > logoutAge || age < -skew {
		return nil, refuse(BadToken, "it is not of now")
	}
	return &Ended{Issuer: known.issuer, Subject: token.Subject, Session: token.SessionID, ID: token.TokenID, Until: token.IssuedAt.Add(2 * logoutAge)}, nil
}
