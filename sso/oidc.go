package sso

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/time/rate"
)

// openID is a provider that speaks OpenID Connect. What it says of itself is
// asked for when it is first needed, so that the service starts without it.
type openID struct {
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

// newOpenID makes a provider that speaks OpenID Connect.
func newOpenID(c Config, client *http.Client, clock func() time.Time) *openID {
	return &openID{Config: c, client: client, clock: clock, requests: rate.NewLimiter(requestPace, requestBurst)}
}

// find asks the provider what it says of itself, once.
func (p *openID) find(ctx context.Context) (*discovered, error) {
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

func (p *openID) ask(ctx context.Context, issuer string) (*discovered, error) {
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

// Begin sends along a challenge and a nonce, which only this browser can meet.
func (p *openID) Begin(ctx context.Context, pending *Pending, to Redirects) (string, error) {
	known, err := p.find(ctx)
	if err != nil {
		return "", err
	}
	pending.Nonce, pending.Verifier = rand.Text(), oauth2.GenerateVerifier()
	return p.oauth(known, to).AuthCodeURL(pending.State, oidc.Nonce(pending.Nonce), oauth2.S256ChallengeOption(pending.Verifier)), nil
}

func (p *openID) oauth(known *discovered, to Redirects) *oauth2.Config {
	return &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: known.provider.Endpoint(), RedirectURL: to.SignedIn, Scopes: p.Scopes}
}

// Finish takes the ID token for the code that came back.
func (p *openID) Finish(ctx context.Context, pending Pending, answer url.Values, to Redirects) (*Identity, error) {
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
	case token.Subject == "" || !isName(token.Subject):
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
func (p *openID) addUserInfo(ctx context.Context, known *discovered, tokens *oauth2.Token, subject string, claims map[string]any) error {
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
func (p *openID) verifier(known *discovered) *oidc.IDTokenVerifier {
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

// SignOut takes the ID token as proof.
func (p *openID) SignOut(ctx context.Context, idToken string, to Redirects) string {
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

// logoutAge is how old a message may be that says that somebody signed out.
const logoutAge = 5 * time.Minute

// LoggedOut reads a logout token of OpenID Connect Back-Channel Logout.
func (p *openID) LoggedOut(ctx context.Context, sent Sent, _ Redirects) (*Ended, error) {
	known, err := p.find(ctx)
	if err != nil {
		return nil, err
	}
	if !p.requests.AllowN(p.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	token, err := p.verifier(known).VerifyLogout(oidc.ClientContext(ctx, p.client), sent.Values.Get("logout_token"))
	if err != nil {
		return nil, &Refusal{Why: BadToken, Value: short(err.Error()), Err: err}
	}
	if !isName(token.Subject) || !isName(token.SessionID) || token.TokenID == "" {
		return nil, refuse(BadToken, "it does not name what has ended, or itself")
	}
	if age := p.clock().Sub(token.IssuedAt); age > logoutAge || age < -skew {
		return nil, refuse(BadToken, "it is not of now")
	}
	if err := p.checkLogout(token); err != nil {
		return nil, err
	}
	return &Ended{Issuer: known.issuer, Subject: token.Subject, Session: token.SessionID, ID: token.TokenID, Until: token.IssuedAt.Add(2 * logoutAge)}, nil
}

// checkLogout checks of a logout token what its library does not.
func (p *openID) checkLogout(token *oidc.LogoutToken) error {
	var claims struct {
		NotBefore float64                   `json:"nbf"`
		Events    map[string]map[string]any `json:"events"`
	}
	if err := token.Claims(&claims); err != nil {
		return refuse(BadToken, "its event is no object, or nbf no number")
	}
	for _, event := range claims.Events {
		if event == nil {
			return refuse(BadToken, "its event is no object")
		}
	}
	if claims.NotBefore > float64(p.clock().Add(skew).Unix()) {
		return refuse(BadToken, "it is not valid yet")
	}
	return nil
}

// Describe says nothing: such providers are told by hand.
func (p *openID) Describe(context.Context, Redirects) ([]byte, error) { return nil, nil }

// Known is nothing besides the settings: keys come and go by themselves.
func (p *openID) Known(context.Context) Known { return Known{Issuer: p.Issuer} }
