package main

import (
	"context"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/sso"
)

const (
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
	rs256       = "RS256"
)

// logoutTokens are what somebody who forges logout tokens has: a genuine one that
// has reached nobody, and a key that Keycloak itself signs with.
type logoutTokens struct {
	genuine, idToken string
	header, claims   map[string]any
	key, other       *rsa.PrivateKey
}

// testKeycloakLogoutTokens sends logout tokens that must end nothing, most of them
// signed with a key that Keycloak has in force; then a genuine one, twice.
func testKeycloakLogoutTokens(t *testing.T, c *atKeycloak) {
	f := &logoutTokens{key: newRSA(t), other: newRSA(t)}
	c.k.signsWith("quire", f.key)
	b := newPerson(t)
	if b.enter(c.url+"/auth/company", "ana"); !c.isIn(b) {
		t.Fatal("nobody is signed in after the key has changed")
	}
	f.genuine = c.keptLogoutToken(t, "ana")
	f.header, f.claims = partsOf(f.genuine, 0), partsOf(f.genuine, 1)
	f.idToken = c.k.grant(c.k.url, "quire", url.Values{"client_id": {"quire"}, "client_secret": {"client-secret"}, "username": {"ana"}, "password": {"ana-password"}, "grant_type": {"password"}, "scope": {"openid"}})["id_token"]
	if f.header["kid"] != partsOf(f.idToken, 0)["kid"] || verifyRSA(f.genuine, &f.key.PublicKey) != nil {
		t.Fatalf("Keycloak does not sign with the key of the test: %v", f.header)
	}
	before := c.attempts
	for name, token := range f.forged() {
		status := c.sendsLogout("company", token)
		c.attempt("a logout token: "+name, !c.isIn(b) || status != http.StatusBadRequest, status)
	}
	status := c.sendsLogout("twin", f.genuine)
	c.attempt("a logout token: at another provider", !c.isIn(b) || status != http.StatusBadRequest, status)
	status = c.sendsLogout("works", f.genuine)
	c.attempt("a logout token: at a provider of SAML", !c.isIn(b) || status != http.StatusNotFound, status)

	// A logout token is no ID token, whatever else it says.
	c.attempt("a logout token: in place of an ID token", c.finishesWith(t, f) == nil, "")

	if status := c.sendsLogout("company", f.genuine); status != http.StatusOK || c.isIn(b) {
		t.Errorf("a genuine token: %d; signed in: %v", status, c.isIn(b))
	}
	again := newPerson(t)
	again.enter(c.url+"/auth/company", "ana")
	status = c.sendsLogout("company", f.genuine)
	c.attempt("a logout token: once more", !c.isIn(again) || status != http.StatusBadRequest, status)
	status = c.sendsLogout("company", f.genuine+".")
	c.attempt("a logout token: with a part more", !c.isIn(again) || status != http.StatusBadRequest, status)
	t.Logf("logout tokens: %d tried, %d let through", c.attempts-before, c.through)
}

// forged are logout tokens that are wrong in one way each.
func (f *logoutTokens) forged() map[string]string {
	claims := func(change func(map[string]any)) map[string]any {
		own := maps.Clone(f.claims)
		own["jti"] = randomText(20)
		change(own)
		return own
	}
	signed := func(change func(map[string]any)) string { return signRSA(f.header, claims(change), f.key) }
	without := func(name string) string { return signed(func(m map[string]any) { delete(m, name) }) }
	with := func(name string, value any) string { return signed(func(m map[string]any) { m[name] = value }) }
	now := time.Now().Unix()
	der, _ := x509.MarshalPKIXPublicKey(&f.key.PublicKey)
	header := func(name string, value any) map[string]any {
		own := maps.Clone(f.header)
		own[name] = value
		return own
	}
	asIs := claims(func(map[string]any) {})
	return map[string]string{
		"another audience":               with("aud", "wiki"),
		"an audience among others":       with("aud", []string{"wiki", "account"}),
		"no audience":                    without("aud"),
		"another issuer":                 with("iss", strings.Replace(f.claims["iss"].(string), "/realms/quire", "/realms/twin", 1)),
		"an issuer with a slash":         with("iss", f.claims["iss"].(string)+"/"),
		"no issuer":                      without("iss"),
		"expired":                        with("exp", now-3600),
		"issued long ago":                with("iat", now-3600),
		"issued later":                   with("iat", now+3600),
		"not valid yet":                  with("nbf", now+3600),
		"with a nonce":                   with("nonce", "a-nonce"),
		"without events":                 without("events"),
		"with no event":                  with("events", map[string]any{}),
		"with another event":             with("events", map[string]any{"http://schemas.openid.net/event/other": map[string]any{}}),
		"with an event that is text":     with("events", logoutEvent),
		"with an event that is true":     with("events", map[string]any{logoutEvent: true}),
		"with an event that is a list":   with("events", []string{logoutEvent}),
		"without its own name":           without("jti"),
		"with an empty name":             with("jti", ""),
		"without a session and a person": signed(func(m map[string]any) { delete(m, "sid"); delete(m, "sub") }),
		"with a session that is a list":  with("sid", []any{f.claims["sid"]}),
		"with a person that is a number": with("sub", 7),
		"of another key":                 signRSA(f.header, asIs, f.other),
		"of another key that it brings":  signRSA(header("jwk", jwkOf(&f.other.PublicKey)), asIs, f.other),
		"of another key at an address":   signRSA(header("jku", "http://127.0.0.1:1/keys"), asIs, f.other),
		"of a key that is not known":     signRSA(header("kid", "unknown"), asIs, f.other),
		"no algorithm":                   encoded(header("alg", "none")) + "." + encoded(asIs) + ".",
		"no algorithm in capitals":       encoded(header("alg", "NONE")) + "." + encoded(asIs) + ".",
		"no algorithm, signed":           encoded(header("alg", "none")) + "." + encoded(asIs) + "." + f.genuine[strings.LastIndex(f.genuine, ".")+1:],
		"a shared secret, public as PEM": signHMAC(header("alg", "HS256"), asIs, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})),
		"a shared secret, public as DER": signHMAC(header("alg", "HS256"), asIs, der),
		"a shared secret, the client's":  signHMAC(header("alg", "HS256"), asIs, []byte("client-secret")),
		"an algorithm that is another":   signRSA(header("alg", "RS512"), asIs, f.key),
		"an extension that is critical":  signRSA(header("crit", []string{"exp"}), asIs, f.key),
		"another person, signed before":  tokenPart(f.genuine, 1, func(m map[string]any) { m["sub"] = "another" }),
		"without its signature":          f.genuine[:strings.LastIndex(f.genuine, ".")+1],
		"cut off":                        f.genuine[:len(f.genuine)-40],
		"an ID token":                    f.idToken,
		"nothing":                        "",
		"no token":                       "{}",
		"JSON in place of its parts":     `{"payload":"` + encoded(asIs) + `","signatures":[]}`,
	}
}

// keptLogoutToken is a logout token that Keycloak makes for somebody and that does
// not reach us: for a moment it sends such tokens elsewhere.
func (c *atKeycloak) keptLogoutToken(t *testing.T, name string) string {
	t.Helper()
	kept := make(chan string, 10)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { kept <- r.FormValue("logout_token") }))
	defer elsewhere.Close()
	ours := c.k.logoutAddress("quire", "quire", elsewhere.URL)
	defer c.k.logoutAddress("quire", "quire", ours)
	c.k.admin("POST", "/quire/users/"+c.k.userID("quire", name)+"/logout", nil, nil)
	select {
	case token := <-kept:
		return token
	case <-time.After(10 * time.Second):
		t.Fatal("Keycloak sends no logout token")
		return ""
	}
}

// sendsLogout sends a logout token to a provider's address here; it gives the status.
func (c *atKeycloak) sendsLogout(provider, token string) int {
	c.t.Helper()
	resp, err := http.PostForm(c.url+"/auth/"+provider+"/backchannel-logout", url.Values{"logout_token": {token}})
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// finishesWith signs in with a logout token that has all that an ID token has.
func (c *atKeycloak) finishesWith(t *testing.T, f *logoutTokens) error {
	t.Helper()
	proxy := c.k.proxy()
	q := c.at(t, sso.Config{Issuer: proxy.url + "/realms/quire", ClientID: "quire", ClientSecret: "client-secret", Scopes: []string{"openid", "email", "profile"}}, time.Now)
	to := c.redirects("company")
	begun := sso.Pending{State: "a-state"}
	address, err := q.Begin(t.Context(), &begun, to)
	if err != nil {
		t.Fatal(err)
	}
	proxy.set(func(path string, answer map[string]any) {
		if token, there := answer["id_token"].(string); there && strings.HasSuffix(path, "/token") {
			claims := partsOf(token, 1)
			claims["events"] = f.claims["events"]
			answer["id_token"] = signRSA(partsOf(token, 0), claims, f.key)
		}
	})
	b := newPerson(t)
	b.hold = to.SignedIn
	back, err := url.Parse(b.enter(address, "ana").url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = q.Finish(context.Background(), begun, back.Query(), to)
	if err != nil && !strings.Contains(err.Error(), "signing out") {
		t.Errorf("a logout token in place of an ID token: %v", err)
	}
	return err
}

// signsWith has a realm sign with a key of the test.
func (k *keycloak) signsWith(realm string, key *rsa.PrivateKey) {
	k.t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: realm}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		k.t.Fatal(err)
	}
	text := func(kind string, content []byte) []string {
		return []string{string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))}
	}
	var found struct{ ID string }
	k.admin("GET", "/"+realm, nil, &found)
	k.admin("POST", "/"+realm+"/components", map[string]any{
		"name": "ours", "providerId": "rsa", "providerType": "org.keycloak.keys.KeyProvider", "parentId": found.ID,
		"config": map[string]any{
			"priority": []string{"1000"}, "enabled": []string{"true"}, "active": []string{"true"}, "algorithm": []string{rs256},
			"privateKey": text("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)), "certificate": text("CERTIFICATE", certificate),
		},
	}, nil)
}

// logoutAddress changes where logout tokens of an application go to; it gives
// where they went before.
func (k *keycloak) logoutAddress(realm, id, to string) (before string) {
	k.t.Helper()
	var found []map[string]any
	k.admin("GET", "/"+realm+"/clients?clientId="+id, nil, &found)
	attributes, _ := found[0]["attributes"].(map[string]any)
	before, _ = attributes["backchannel.logout.url"].(string)
	attributes["backchannel.logout.url"] = to
	k.admin("PUT", "/"+realm+"/clients/"+found[0]["id"].(string), found[0], nil)
	return before
}

func newRSA(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func partsOf(token string, n int) (values map[string]any) {
	tokenPart(token, n, func(of map[string]any) { values = maps.Clone(of) })
	return values
}

func signRSA(header, claims map[string]any, key *rsa.PrivateKey) string {
	text := encoded(header) + "." + encoded(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func verifyRSA(token string, key *rsa.PublicKey) error {
	at := strings.LastIndex(token, ".")
	signature, err := base64.RawURLEncoding.DecodeString(token[at+1:])
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(token[:at]))
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature)
}

func signHMAC(header, claims map[string]any, secret []byte) string {
	text := encoded(header) + "." + encoded(claims)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func jwkOf(key *rsa.PublicKey) map[string]any {
	return map[string]any{
		"kty": "RSA", "alg": rs256, "use": "sig",
		"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
	}
}
