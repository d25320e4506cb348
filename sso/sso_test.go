package sso_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

var redirects = sso.Redirects{SignedIn: "https://reports.example.com/auth/company/callback", SignedOut: "https://reports.example.com/sign-in"}

func application(t testing.TB, at *ssotest.Provider, change ...func(*sso.Config)) *sso.Provider {
	t.Helper()
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	c := sso.Config{
		Issuer: at.URL, ClientID: ssotest.ClientID, ClientSecret: ssotest.ClientSecret, Scopes: []string{"openid", "email"},
		Terms: sso.Terms{Name: "company", Label: "Company", Enabled: true, Rules: sso.Rules{GroupsClaim: "groups"}},
	}
	for _, f := range change {
		f(&c)
	}
	return sso.New(c, guard, time.Now)
}

// comeBack sends a browser to the provider, and gives what it comes back with.
func comeBack(t *testing.T, p *sso.Provider) (sso.Pending, url.Values) {
	t.Helper()
	pending := sso.Pending{Provider: "company", State: "a-state"}
	address, err := p.Begin(t.Context(), &pending, redirects)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	back, err := resp.Location()
	if err != nil || !strings.HasPrefix(back.String(), redirects.SignedIn+"?") {
		t.Fatalf("%d %v: %v", resp.StatusCode, back, err)
	}
	return pending, back.Query()
}

func whyOf(err error) sso.Why {
	var refusal *sso.Refusal
	if errors.As(err, &refusal) {
		return refusal.Why
	}
	return ""
}

func TestAnIdentityComesBack(t *testing.T) {
	at := ssotest.New(t)
	p := application(t, at)
	pending, back := comeBack(t, p)
	id, err := p.Finish(t.Context(), pending, back, redirects)
	if err != nil || id.Subject != "1" || id.Issuer != at.URL || id.Email != "ana@company.example" || !id.EmailVerified || id.Name != "Ana Company" || !slices.Equal(id.Groups, []string{"staff"}) || id.Session != "session-1" || id.Proof == "" {
		t.Fatalf("%+v: %v", id, err)
	}
	if _, err := p.Finish(t.Context(), pending, back, redirects); whyOf(err) != sso.Declined || !strings.Contains(err.Error(), "invalid_grant Code not valid") {
		t.Errorf("a code that was used: %v", err)
	}
	at.NewKey()
	pending, back = comeBack(t, p)
	if _, err := p.Finish(t.Context(), pending, back, redirects); err != nil {
		t.Errorf("the provider has another key: %v", err)
	}
	if n := at.Asked("/.well-known/openid-configuration"); n != 1 {
		t.Errorf("discovery was asked for %d times", n)
	}
}

func TestTokensThatAreNotAccepted(t *testing.T) {
	at := ssotest.New(t)
	stranger := ssotest.New(t)
	p := application(t, at)
	for name, forge := range map[string]func(header, claims map[string]any){
		"another nonce":            func(_, c map[string]any) { c["nonce"] = "b-nonce" },
		"no nonce":                 func(_, c map[string]any) { delete(c, "nonce") },
		"another audience":         func(_, c map[string]any) { c["aud"] = "wiki" },
		"several audiences":        func(_, c map[string]any) { c["aud"] = []string{"wiki", ssotest.ClientID} },
		"another party":            func(_, c map[string]any) { c["azp"] = "wiki" },
		"another issuer":           func(_, c map[string]any) { c["iss"] = stranger.URL },
		"expired":                  func(_, c map[string]any) { c["exp"] = time.Now().Add(-2 * time.Minute).Unix() },
		"not yet":                  func(_, c map[string]any) { c["nbf"] = time.Now().Add(10 * time.Minute).Unix() },
		"no subject":               func(_, c map[string]any) { delete(c, "sub") },
		"a token for signing out":  func(_, c map[string]any) { c["events"] = map[string]any{"x": true} },
		"no algorithm":             func(h, _ map[string]any) { h["alg"] = "none" },
		"a shared secret":          func(h, _ map[string]any) { h["alg"] = "HS256" },
		"an unknown algorithm":     func(h, _ map[string]any) { h["alg"] = "RS1" },
		"another key":              func(h, _ map[string]any) { h["kid"] = "unknown" },
		"a signature of something": func(h, _ map[string]any) { h["alg"] = "ES256" },
	} {
		pending, back := comeBack(t, p)
		at.Forge(forge)
		if _, err := p.Finish(t.Context(), pending, back, redirects); whyOf(err) != sso.BadToken {
			t.Errorf("%s: %v", name, err)
		}
	}
	at.Forge(func(_, c map[string]any) { c["exp"] = time.Now().Add(-30 * time.Second).Unix() })
	pending, back := comeBack(t, p)
	if _, err := p.Finish(t.Context(), pending, back, redirects); err != nil {
		t.Errorf("clocks that differ by half a minute: %v", err)
	}
}

func TestAnswersThatAreNotAccepted(t *testing.T) {
	at := ssotest.New(t)
	p := application(t, at)
	for name, c := range map[string]struct {
		change func(pending *sso.Pending, back url.Values)
		why    sso.Why
	}{
		"another provider's answer":     {func(_ *sso.Pending, b url.Values) { b.Set("iss", "https://evil.example") }, sso.OtherIssuer},
		"an answer without its issuer":  {func(_ *sso.Pending, b url.Values) { b.Del("iss") }, sso.OtherIssuer},
		"a code of somebody else's":     {func(p *sso.Pending, _ url.Values) { p.Verifier = oauth2.GenerateVerifier() }, sso.Declined},
		"a code that was made up":       {func(_ *sso.Pending, b url.Values) { b.Set("code", "x") }, sso.Declined},
		"somebody who does not want to": {func(_ *sso.Pending, b url.Values) { b.Set("error", "access_denied") }, sso.Declined},
	} {
		pending, back := comeBack(t, p)
		c.change(&pending, back)
		if _, err := p.Finish(t.Context(), pending, back, redirects); whyOf(err) != c.why {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGroupsComeFromWhereTheyAre(t *testing.T) {
	at := ssotest.New(t)
	p := application(t, at, func(c *sso.Config) { c.GroupsClaim = "realm_access.roles" })
	finish := func() (*sso.Identity, error) {
		pending, back := comeBack(t, p)
		return p.Finish(t.Context(), pending, back, redirects)
	}
	at.Is(map[string]any{"sub": "1", "email": "a@b.example", "realm_access": map[string]any{"roles": []string{"x", "y"}}})
	if id, err := finish(); err != nil || !slices.Equal(id.Groups, []string{"x", "y"}) || at.Asked("/userinfo") != 0 {
		t.Errorf("from an object: %+v, %v", id, err)
	}
	at.Is(map[string]any{"sub": "1"})
	at.Info(map[string]any{"email": "a@b.example", "realm_access": map[string]any{"roles": "z"}, "sub": "1"})
	if id, err := finish(); err != nil || !slices.Equal(id.Groups, []string{"z"}) || id.Email != "a@b.example" {
		t.Errorf("from user information: %+v, %v", id, err)
	}
	at.Info(map[string]any{"sub": "2", "email": "boss@b.example"})
	if _, err := finish(); whyOf(err) != sso.BadToken {
		t.Errorf("user information of somebody else: %v", err)
	}
	p = application(t, at)
	at.Is(map[string]any{"sub": "1", "email": "a@b.example", "_claim_names": map[string]any{"groups": "src1"}, "_claim_sources": map[string]any{"src1": map[string]any{"endpoint": at.URL}}})
	if _, err := finish(); whyOf(err) != sso.NoGroups {
		t.Errorf("too many groups: %v", err)
	}
}

func TestAProviderThatDoesNotAnswer(t *testing.T) {
	at := ssotest.New(t)
	for name, issuer := range map[string]string{
		"nothing there": "http://127.0.0.1:1", "no provider": at.URL + "/elsewhere", "not allowed": "http://10.255.255.1",
	} {
		p := application(t, at, func(c *sso.Config) { c.Issuer = issuer })
		if _, err := p.Begin(t.Context(), &sso.Pending{}, redirects); whyOf(err) != sso.Unreachable {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := application(t, at, func(c *sso.Config) { c.Issuer = at.URL + "/" })
	if _, err := p.Begin(t.Context(), &sso.Pending{}, redirects); err != nil {
		t.Errorf("a slash too many: %v", err)
	}
}

func logoutToken(text string) sso.Sent { return sso.Sent{Values: url.Values{"logout_token": {text}}} }

func TestLogoutTokens(t *testing.T) {
	at := ssotest.New(t)
	p := application(t, at)
	ended, err := p.LoggedOut(t.Context(), logoutToken(at.LogoutToken(map[string]any{"sub": "1", "sid": "s"})), redirects)
	if err != nil || ended.Issuer != at.URL || ended.Subject != "1" || ended.Session != "s" || ended.ID == "" {
		t.Fatalf("%+v: %v", ended, err)
	}
	for name, claims := range map[string]map[string]any{
		"of another application": {"sub": "1", "aud": "wiki"},
		"of another provider":    {"sub": "1", "iss": "https://evil.example"},
		"an ID token":            {"sub": "1", "events": nil},
		"with a nonce":           {"sub": "1", "nonce": "n"},
		"of nobody":              {},
		"without a name":         {"sub": "1", "jti": ""},
		"of yesterday":           {"sub": "1", "iat": time.Now().Add(-time.Hour).Unix()},
		"of tomorrow":            {"sub": "1", "iat": time.Now().Add(time.Hour).Unix()},
		"expired":                {"sub": "1", "exp": time.Now().Add(-2 * time.Minute).Unix()},
		"not valid yet":          {"sub": "1", "nbf": time.Now().Add(time.Hour).Unix()},
		"an event that is true":  {"sub": "1", "events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": true}},
	} {
		if _, err := p.LoggedOut(t.Context(), logoutToken(at.LogoutToken(claims)), redirects); whyOf(err) != sso.BadToken {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", "x", "a.b.c", ssotest.New(t).LogoutToken(map[string]any{"sub": "1", "iss": at.URL})} {
		if _, err := p.LoggedOut(t.Context(), logoutToken(text), redirects); whyOf(err) != sso.BadToken {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestRules(t *testing.T) {
	rules := sso.Rules{
		AllowedDomains: []string{"company.example"}, RequiredGroups: []string{"staff", "it"},
		Grants: []sso.Grant{grant(t, "/it = *root"), grant(t, "cn=a = Demo:Author"), grant(t, "staff = demo:Viewer"), grant(t, "staff = sales:Viewer")},
	}
	good := sso.Identity{Email: "ana@Company.example", EmailVerified: true, Groups: []string{"/staff", "cn=a"}}
	if err := rules.Check(&good); err != nil {
		t.Error(err)
	}
	if got := rules.Granted(good.Groups); !slices.Equal(got, []sso.Grant{{Group: "cn=a", Workspace: "Demo", Role: "Author"}, {Group: "staff", Workspace: "sales", Role: "Viewer"}}) {
		t.Errorf("%+v", got)
	}
	for why, change := range map[sso.Why]func(*sso.Identity){
		sso.NoEmail:     func(id *sso.Identity) { id.Email = "" },
		sso.OtherDomain: func(id *sso.Identity) { id.Email = "ana@company.example.evil.example" },
		sso.Unverified:  func(id *sso.Identity) { id.EmailVerified = false },
		sso.NoGroup:     func(id *sso.Identity) { id.Groups = []string{"Staff", "staffs"} },
	} {
		bad := good
		change(&bad)
		if got := whyOf(rules.Check(&bad)); got != why {
			t.Errorf("%s: %s", why, got)
		}
	}
	if whyOf((&sso.Rules{}).Check(&sso.Identity{Email: "a@b.example", EmailDisowned: true})) != sso.Unverified {
		t.Error("an address that the provider disowns is accepted")
	}
	for _, text := range []string{"", "=demo:Viewer", "staff", "staff=demo", "staff=:Viewer", "staff=demo:", "staff=root"} {
		if g, err := sso.ParseGrant(text); err == nil {
			t.Errorf("%q is %+v", text, g)
		}
	}
}

func grant(t *testing.T, text string) sso.Grant {
	t.Helper()
	g, err := sso.ParseGrant(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
