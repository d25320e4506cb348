// Package ssotest is an OpenID provider for tests, over real HTTP: discovery,
// keys, authorization with PKCE, tokens, user information and logout tokens.
// Whoever comes is signed in at once, as the person that the test says.
package ssotest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The application that is registered.
const (
	ClientID     = "quire"
	ClientSecret = "client-secret"
)

// Provider is a running provider.
type Provider struct {
	URL   string
	Clock func() time.Time

	mu     sync.Mutex
	person map[string]any
	info   map[string]any
	change func(header, claims map[string]any)
	key    *rsa.PrivateKey
	keyID  string
	codes  map[string]url.Values
	asked  map[string]int
}

// New starts a provider that ends with the test.
func New(t testing.TB) *Provider {
	p := &Provider{Clock: time.Now}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.Begin(server.URL)
	return p
}

// Begin makes a provider work at an address.
func (p *Provider) Begin(address string) {
	p.URL, p.codes, p.asked = address, map[string]url.Values{}, map[string]int{}
	p.Is(map[string]any{"sub": "1", "email": "ana@company.example", "email_verified": true, "name": "Ana Company", "groups": []string{"staff"}})
	p.NewKey()
}

// Is says who comes next.
func (p *Provider) Is(claims map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.person, p.info, p.change = maps.Clone(claims), nil, nil
}

// Info is what user information says besides.
func (p *Provider) Info(claims map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.info = claims
}

// Forge changes the tokens of the user who signs in next.
func (p *Provider) Forge(change func(header, claims map[string]any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

// NewKey lets the provider sign with another key from now on.
func (p *Provider) NewKey() {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key, p.keyID = key, rand.Text()
}

// Asked is how often a path was asked for.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// LogoutToken says that a session or a subject has ended.
func (p *Provider) LogoutToken(claims map[string]any) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]any{
		"iss": p.URL, "aud": ClientID, "iat": p.Clock().Unix(), "exp": p.Clock().Add(2 * time.Minute).Unix(), "jti": rand.Text(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	maps.Copy(all, claims)
	return p.sign(map[string]any{}, all)
}

// sign makes a token; the lock is held.
func (p *Provider) sign(header, claims map[string]any) string {
	all := map[string]any{"alg": "RS256", "kid": p.keyID, "typ": "JWT"}
	maps.Copy(all, header)
	text := part(all) + "." + part(claims)
	if all["alg"] == "none" {
		return text + "."
	}
	return p.signText(text)
}

func (p *Provider) signText(text string) string {
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// SignAsIs makes a token of whatever header and claims.
func (p *Provider) SignAsIs(header, claims []byte) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signText(base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims))
}

func part(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// ServeHTTP answers browsers and applications.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[r.URL.Path]++
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer(w, http.StatusOK, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"userinfo_endpoint": p.URL + "/userinfo", "end_session_endpoint": p.URL + "/logout", "authorization_response_iss_parameter_supported": true,
			"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	case "/keys":
		e := base64.RawURLEncoding.EncodeToString([]byte{1, 0, 1})
		n := base64.RawURLEncoding.EncodeToString(p.key.N.Bytes())
		answer(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "kid": p.keyID, "use": "sig", "n": n, "e": e}}})
	case "/authorize":
		p.authorize(w, r)
	case "/token":
		p.token(w, r)
	case "/userinfo":
		info := map[string]any{"sub": p.person["sub"]}
		maps.Copy(info, p.info)
		answer(w, http.StatusOK, info)
	case "/logout":
		http.Redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"), http.StatusSeeOther)
	default:
		http.NotFound(w, r)
	}
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if query.Get("client_id") != ClientID || query.Get("response_type") != "code" || query.Get("code_challenge_method") != "S256" || query.Get("nonce") == "" {
		http.Error(w, "not an authorization request with PKCE and a nonce", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.codes[code] = query
	back := url.Values{"code": {code}, "state": {query.Get("state")}, "iss": {p.URL}}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusSeeOther)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	asked := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	id, secret, ok := r.BasicAuth()
	if !ok {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case id != ClientID || secret != ClientSecret:
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	case asked == nil || asked.Get("redirect_uri") != r.PostFormValue("redirect_uri") || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]):
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "Code not valid"})
		return
	}
	header, claims := map[string]any{}, map[string]any{
		"iss": p.URL, "aud": ClientID, "iat": p.Clock().Unix(), "exp": p.Clock().Add(5 * time.Minute).Unix(), "nonce": asked.Get("nonce"), "sid": "session-1",
	}
	maps.Copy(claims, p.person)
	if p.change != nil {
		p.change(header, claims)
	}
	answer(w, http.StatusOK, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 300, "id_token": p.sign(header, claims)})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // fails only when the client is gone
}
