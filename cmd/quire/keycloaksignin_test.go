package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
	"github.com/quire-reports/quire/store"
)

// atKeycloak is a service whose people sign in at Keycloak.
type atKeycloak struct {
	*service
	k                 *keycloak
	guard             *egress.Guard
	attempts, through int
}

// TestSignInAtKeycloak is one tour of one Keycloak: it takes long to start.
func TestSignInAtKeycloak(t *testing.T) {
	if !*withKeycloak {
		t.Skip("runs with -keycloak")
	}
	k := startKeycloak(t)
	public := "http://127.0.0.1:" + freePort(t)
	for _, realm := range []string{"quire", "twin", "works"} {
		k.realm(realm)
	}
	k.openIDClient("quire", "quire", "client-secret", public)
	k.openIDClient("quire", "wiki", "wiki-secret", public)
	k.openIDClient("twin", "quire", "client-secret", public)
	env := []string{"PublicUrl=" + public}
	for i, set := range [][]string{
		{"Name=company", "Preset=keycloak", "Issuer=" + k.url + "/realms/quire", "ClientId=quire", "ClientSecret=client-secret"},
		{"Name=twin", "Preset=keycloak", "Issuer=" + k.url + "/realms/twin", "ClientId=quire", "ClientSecret=client-secret"},
		{"Name=works", "Type=saml", "Preset=keycloak", "Issuer=" + k.url + "/realms/works", "Metadata=" + k.url + "/realms/works/protocol/saml/descriptor"},
	} {
		for _, s := range append(set, "Groups=it = *root, authors = demo:Author, staff = demo:Viewer", "RequiredGroups=staff, it") {
			env = append(env, "Sso__Providers__"+string(rune('0'+i))+"__"+s)
		}
	}
	s := startService(t, env...)
	metadata := newPerson(t).open(public+"/auth/works/metadata", nil)
	if metadata.status != http.StatusOK {
		t.Fatalf("our metadata: %d %s", metadata.status, metadata.body)
	}
	k.samlClient("works", []byte(metadata.body), nil)
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	c := &atKeycloak{service: s, k: k, guard: guard}
	for _, part := range []struct {
		name string
		test func(*testing.T, *atKeycloak)
	}{
		{"code flow", testKeycloakCodeFlow},
		{"what comes back is not ours", testKeycloakComingBack},
		{"tokens", testKeycloakTokens},
		{"groups change", testKeycloakGroups},
		{"signing out", testKeycloakSigningOut},
		{"logout tokens", testKeycloakLogoutTokens},
		{"SAML", testKeycloakSAML},
		{"SAML comes back", testKeycloakSAMLComingBack},
		{"SAML answers", testKeycloakSAMLAnswers},
		{"SAML keys change", testKeycloakSAMLKeys},
	} {
		began := time.Now()
		t.Run(part.name, func(t *testing.T) {
			c.t, c.k.t = t, t
			part.test(t, c)
		})
		t.Logf("%s: %s", part.name, time.Since(began).Round(time.Millisecond))
	}
	t.Logf("attempts: %d tried, %d let through", c.attempts, c.through)
	if c.attempts < 100 {
		t.Errorf("only %d attempts", c.attempts)
	}
}

// attempt counts something that must not succeed.
func (c *atKeycloak) attempt(what string, through bool, said any) {
	c.t.Helper()
	if c.attempts++; through {
		c.through++
		c.t.Errorf("%s was let through: %v", what, said)
	}
}

// isIn tells whether a browser is signed in here.
func (c *atKeycloak) isIn(b *person) bool {
	page := b.open(c.url+"/ws/demo", nil)
	return page.status == http.StatusOK && page.url == c.url+"/ws/demo"
}

// role is what somebody may in the demo workspace: Author, Viewer or nothing.
func (c *atKeycloak) role(email string) string {
	c.t.Helper()
	ctx := context.Background()
	user, err := c.store.UserByEmail(ctx, email)
	if err != nil {
		c.t.Fatal(err)
	}
	access, err := c.store.Enter(ctx, user, "demo")
	switch {
	case err != nil || access.Require(store.Reports, store.Read) != nil:
		return ""
	case access.Require(store.Reports, store.Write) != nil:
		return "Viewer"
	}
	return "Author"
}

func (c *atKeycloak) hasRole(email, want string) {
	c.t.Helper()
	if role := c.role(email); role != want {
		c.t.Errorf("%s is %q; want %q", email, role, want)
	}
}

func testKeycloakCodeFlow(t *testing.T, c *atKeycloak) {
	b := newPerson(t)
	page := b.enter(c.url+"/auth/company?next=/ws/demo", "ana")
	if page.url != c.url+"/ws/demo" || page.status != http.StatusOK || !c.isIn(b) {
		t.Fatalf("%s: %d %.500s", page.url, page.status, page.body)
	}
	c.hasRole("ana@quire.example", "Viewer")
	other := newPerson(t)
	page = other.enter(c.url+"/auth/company", "eva")
	c.attempt("somebody in no group", c.isIn(other) || page.status != http.StatusForbidden, page.status)
}

// held begins a sign-in and stops before the browser comes back.
func (c *atKeycloak) held(t *testing.T, provider, name string) (*person, *shown) {
	t.Helper()
	b := newPerson(t)
	b.hold = c.url + "/auth/" + provider + "/callback"
	page := b.enter(c.url+"/auth/"+provider, name)
	if !strings.HasPrefix(page.url, b.hold) {
		t.Fatalf("%s: %d %.1000s", page.url, page.status, page.body)
	}
	b.hold = ""
	return b, page
}

func testKeycloakComingBack(t *testing.T, c *atKeycloak) {
	b, page := c.held(t, "company", "ana")
	stranger := newPerson(t)
	stranger.open(c.url+"/auth/company", nil)
	for name, try := range map[string]struct {
		b       *person
		address string
	}{
		"another state":       {b, strings.Replace(page.url, "state=", "state=x", 1)},
		"no state":            {b, strings.Replace(page.url, "state=", "estate=", 1)},
		"without a cookie":    {newPerson(t), page.url},
		"in another browser":  {stranger, page.url},
		"at another provider": {b, strings.Replace(page.url, "/auth/company/", "/auth/twin/", 1)},
	} {
		shown := try.b.open(try.address, nil)
		c.attempt(name, c.isIn(try.b), shown.status)
	}
	if b.open(page.url, nil); !c.isIn(b) {
		t.Error("what came back does not let in its browser")
	}
	again := newPerson(t)
	again.client.Jar = b.client.Jar
	if shown := again.open(page.url, nil); shown.status != http.StatusBadRequest {
		t.Errorf("once more: %d", shown.status)
	}
	c.attempts++ // the one above

	// Mix-up: the browser is sent to another provider, which sends its answer as if
	// it were the first one's.
	m := newPerson(t)
	m.hold = c.k.url
	away := m.open(c.url+"/auth/company", nil)
	m.hold = ""
	shown := m.enter(strings.Replace(away.url, "/realms/quire/", "/realms/twin/", 1), "ana")
	c.attempt("mix-up of two providers", c.isIn(m) || shown.status != http.StatusForbidden, shown.status)
	shown = m.open(strings.Replace(shown.url, "iss=", "ist=", 1), nil)
	c.attempt("mix-up without a name", c.isIn(m), shown.status)
}

// at is a provider as the service has it, with a clock of the test and an
// address of its own.
func (c *atKeycloak) at(t *testing.T, conf sso.Config, clock func() time.Time) *sso.Provider {
	t.Helper()
	conf.Name, conf.GroupsClaim = "company", "groups"
	return sso.New(conf, c.guard, clock)
}

func (c *atKeycloak) redirects(name string) sso.Redirects {
	at := c.url + "/auth/" + name
	return sso.Redirects{SignedIn: at + "/callback", SignedOut: c.url + "/sign-in", Metadata: at + "/metadata", LogOut: at + "/logout"}
}

func testKeycloakTokens(t *testing.T, c *atKeycloak) {
	p := c.k.proxy()
	later := time.Duration(0)
	clock := func() time.Time { return time.Now().Add(later) }
	to := c.redirects("company")
	var pending sso.Pending
	// finish signs in through the proxy, which the test has change what Keycloak says.
	finish := func(t *testing.T, leave func(address string) string) (*sso.Identity, error) {
		t.Helper()
		q := c.at(t, sso.Config{Issuer: p.url + "/realms/quire", ClientID: "quire", ClientSecret: "client-secret", Scopes: []string{"openid", "email", "profile"}}, clock)
		begun := sso.Pending{State: "a-state"}
		address, err := q.Begin(t.Context(), &begun, to)
		if err != nil {
			return nil, err
		}
		if leave != nil {
			address = leave(address)
		}
		b := newPerson(t)
		b.hold = to.SignedIn
		page := b.enter(address, "ana")
		back, err := url.Parse(page.url)
		if err != nil || !strings.HasPrefix(page.url, to.SignedIn) {
			t.Fatalf("%s: %d %.1000s", page.url, page.status, page.body)
		}
		if pending.Verifier != "" {
			begun.Verifier = pending.Verifier
		}
		return q.Finish(t.Context(), begun, back.Query(), to)
	}
	id, err := finish(t, nil)
	if err != nil || id.Email != "ana@quire.example" || !id.EmailVerified || strings.Join(id.Groups, " ") != "/staff" {
		t.Fatalf("%+v, %v", id, err)
	}
	idToken := func(change func(string) string) func(string, map[string]any) {
		return func(path string, answer map[string]any) {
			if token, there := answer["id_token"].(string); there && strings.HasSuffix(path, "/token") {
				answer["id_token"] = change(token)
			}
		}
	}
	grant := func(realm, id, secret string) map[string]string {
		return c.k.grant(p.url, realm, url.Values{"client_id": {id}, "client_secret": {secret}, "username": {"ana"}, "password": {"ana-password"}, "grant_type": {"password"}, "scope": {"openid"}})
	}
	wiki, twin := grant("quire", "wiki", "wiki-secret")["id_token"], grant("twin", "quire", "client-secret")["id_token"]
	access := grant("quire", "quire", "client-secret")["access_token"]
	var keys map[string]any
	if err := json.Unmarshal([]byte(newPerson(t).open(c.k.url+"/realms/twin/protocol/openid-connect/certs", nil).body), &keys); err != nil {
		t.Fatal(err)
	}
	for _, try := range []struct {
		name   string
		change func(path string, answer map[string]any)
		leave  func(address string) string
		later  time.Duration
		said   string
	}{
		{name: "another nonce", leave: func(a string) string { return strings.Replace(a, "nonce=", "nonce=x", 1) }, said: "its nonce is another"},
		{name: "another audience", change: idToken(func(string) string { return wiki }), said: "audience"},
		{name: "an access token", change: idToken(func(string) string { return access }), said: "audience"},
		{name: "another issuer", change: idToken(func(string) string { return twin }), said: "signature"},
		{name: "expired", later: time.Hour, said: "expired"},
		{name: "no algorithm", change: idToken(func(token string) string {
			unsigned := tokenPart(token, 0, func(h map[string]any) { h["alg"] = "none" })
			return unsigned[:strings.LastIndex(unsigned, ".")+1]
		}), said: "algorithm"},
		{name: "no algorithm, signed", change: idToken(func(token string) string { return tokenPart(token, 0, func(h map[string]any) { h["alg"] = "none" }) }), said: "algorithm"},
		{name: "a shared secret", change: idToken(func(token string) string { return tokenPart(token, 0, func(h map[string]any) { h["alg"] = "HS256" }) }), said: "algorithm"},
		{name: "another address", change: idToken(func(token string) string {
			return tokenPart(token, 1, func(claims map[string]any) { claims["email"] = "root@example.com" })
		}), said: "signature"},
		{name: "another group", change: idToken(func(token string) string {
			return tokenPart(token, 1, func(claims map[string]any) { claims["groups"] = []string{"/it"} })
		}), said: "signature"},
		{name: "without its signature", change: idToken(func(token string) string { return token[:strings.LastIndex(token, ".")+1] }), said: "signature"},
		{name: "no token", change: idToken(func(string) string { return "" }), said: "no ID token"},
		{name: "swapped keys", change: func(path string, answer map[string]any) {
			if strings.HasSuffix(path, "/certs") {
				answer["keys"] = keys["keys"]
			}
		}, said: "signature"},
		{name: "the code of another application", leave: func(a string) string { return strings.Replace(a, "client_id=quire", "client_id=wiki", 1) }, said: "did not let you in"},
	} {
		p.set(try.change)
		later = try.later
		id, err := finish(t, try.leave)
		if c.attempt(try.name, err == nil, id); err != nil && !strings.Contains(err.Error(), try.said) {
			t.Errorf("%s: %v; want %s", try.name, err, try.said)
		}
	}
	p.set(nil)
	pending.Verifier, later = "another-verifier-of-forty-three-characters-x", 0
	id, err = finish(t, nil)
	c.attempt("a code of somebody else's", err == nil, id)
	pending.Verifier = ""
	for _, by := range []time.Duration{-30 * time.Second, 30 * time.Second} {
		if later = by; by != 0 {
			if _, err := finish(t, nil); err != nil {
				t.Errorf("clocks that differ by %s: %v", by, err)
			}
		}
	}
}

// What Keycloak takes from somebody is gone at the next sign-in, also in sessions
// that go on.
func testKeycloakGroups(t *testing.T, c *atKeycloak) {
	for _, at := range []struct{ provider, realm string }{{"company", "quire"}, {"works", "works"}} {
		email := "bo@" + at.realm + ".example"
		enter := func() (*person, *shown) {
			b := newPerson(t)
			return b, b.enter(c.url+"/auth/"+at.provider+"?next=/ws/demo", "bo")
		}
		open, page := enter()
		if !c.isIn(open) {
			t.Fatalf("%s: %s %d %.1000s", at.provider, page.url, page.status, page.body)
		}
		c.hasRole(email, "Author")
		removed := time.Now()
		c.k.setGroup(at.realm, "bo", "authors", false)
		again, _ := enter()
		took := time.Since(removed)
		c.hasRole(email, "Viewer")
		c.attempt(at.provider+": a role whose group was taken", c.role(email) == "Author", took)
		if !c.isIn(again) || !c.isIn(open) {
			t.Errorf("%s: a session has ended", at.provider)
		}
		t.Logf("%s: a group removed at Keycloak; the role was gone %s after, by signing in", at.provider, took.Round(time.Millisecond))
		c.k.setGroup(at.realm, "bo", "staff", false)
		out, page := enter()
		c.attempt(at.provider+": without the required groups", c.isIn(out) || page.status != http.StatusForbidden, page.status)
		c.attempt(at.provider+": a session of before", c.isIn(open) || c.isIn(again), "")
		c.hasRole(email, "")
		for _, group := range []string{"staff", "authors"} {
			c.k.setGroup(at.realm, "bo", group, true)
		}
		back, _ := enter()
		if !c.isIn(back) {
			t.Errorf("%s: does not come in again", at.provider)
		}
		c.hasRole(email, "Author")
	}
}

// signOut presses the button here and follows to Keycloak and back.
func (c *atKeycloak) signOut(b *person) *shown {
	c.t.Helper()
	page := b.open(c.url+"/sign-out", url.Values{})
	to, there := strings.CutPrefix(page.header.Get("Refresh"), "0; url=")
	if !there {
		c.t.Fatalf("signing out leads nowhere: %d %.500s", page.status, page.body)
	}
	page = b.open(to, nil)
	if strings.Contains(page.body, "SAMLResponse") {
		action, fields := page.form(c.t)
		page = b.open(action, fields)
	}
	return page
}

// sessionsThere is how many sessions somebody has at Keycloak.
func (c *atKeycloak) sessionsThere(realm, name string) int {
	c.t.Helper()
	var sessions []any
	c.k.admin("GET", "/"+realm+"/users/"+c.k.userID(realm, name)+"/sessions", nil, &sessions)
	return len(sessions)
}

func testKeycloakSigningOut(t *testing.T, c *atKeycloak) {
	for _, at := range []struct{ provider, realm string }{{"company", "quire"}, {"works", "works"}} {
		id := c.k.userID(at.realm, "ana")
		c.k.admin("POST", "/"+at.realm+"/users/"+id+"/logout", nil, nil)
		b := newPerson(t)
		if b.enter(c.url+"/auth/"+at.provider, "ana"); !c.isIn(b) || c.sessionsThere(at.realm, "ana") != 1 {
			t.Fatalf("%s: not signed in, or %d sessions there", at.provider, c.sessionsThere(at.realm, "ana"))
		}
		page := c.signOut(b)
		if page.url != c.url+"/sign-in" || page.status != http.StatusOK || c.sessionsThere(at.realm, "ana") != 0 {
			t.Errorf("%s: signing out here ends at %s (%d) with %d sessions there\n%.1500s", at.provider, page.url, page.status, c.sessionsThere(at.realm, "ana"), page.body)
		}
		c.attempt(at.provider+": a session that was signed out", c.isIn(b), "")

		b, other := newPerson(t), newPerson(t)
		b.enter(c.url+"/auth/"+at.provider, "ana")
		other.enter(c.url+"/auth/"+at.provider, "bo")
		if !c.isIn(b) || !c.isIn(other) {
			t.Fatalf("%s: not signed in", at.provider)
		}
		began := time.Now()
		c.k.admin("POST", "/"+at.realm+"/users/"+id+"/logout", nil, nil)
		c.attempt(at.provider+": a session that Keycloak has ended", c.isIn(b), "")
		t.Logf("%s: Keycloak ended a session; it was gone here after %s", at.provider, time.Since(began).Round(time.Millisecond))
		if !c.isIn(other) {
			t.Errorf("%s: a session of somebody else has ended", at.provider)
		}
	}
}

func testKeycloakSAML(t *testing.T, c *atKeycloak) {
	b := newPerson(t)
	page := b.enter(c.url+"/auth/works?next=/ws/demo", "bo")
	if page.url != c.url+"/ws/demo" || !c.isIn(b) {
		t.Fatalf("%s: %d %.1000s", page.url, page.status, page.body)
	}
	c.hasRole("bo@works.example", "Author")
	root := newPerson(t)
	root.enter(c.url+"/auth/works", "ida")
	if page := root.open(c.url+"/users", nil); page.status != http.StatusOK {
		t.Errorf("ida of group it is no root user: %d", page.status)
	}
	none := newPerson(t)
	page = none.enter(c.url+"/auth/works", "eva")
	c.attempt("SAML: somebody in no group", c.isIn(none) || page.status != http.StatusForbidden, page.status)
}

// posted is a form that was held back.
func posted(t *testing.T, page *shown) url.Values {
	t.Helper()
	form, err := url.ParseQuery(page.body)
	if err != nil || form.Get("SAMLResponse") == "" {
		t.Fatalf("no answer in %.500s: %v", page.body, err)
	}
	return form
}

func testKeycloakSAMLComingBack(t *testing.T, c *atKeycloak) {
	b, page := c.held(t, "works", "ana")
	form, acs := posted(t, page), page.url
	stranger := newPerson(t)
	stranger.open(c.url+"/auth/works", nil)
	with := func(state string) url.Values {
		return url.Values{"SAMLResponse": form["SAMLResponse"], "RelayState": {state}}
	}
	for name, try := range map[string]struct {
		b       *person
		address string
		form    url.Values
	}{
		"SAML: another state":       {b, acs, with("x")},
		"SAML: no state":            {b, acs, with("")},
		"SAML: at another provider": {b, strings.Replace(acs, "/works/", "/company/", 1), form},
	} {
		shown := try.b.open(try.address, try.form)
		c.attempt(name, c.isIn(try.b), shown.status)
	}
	shown := stranger.open(acs, form) // takes the state, which the first browser then lacks
	c.attempt("SAML: in another browser", c.isIn(stranger), shown.status)
	if b.open(acs+"?state="+form.Get("RelayState"), nil); !c.isIn(b) {
		t.Error("what came back does not let in the browser that began")
	}
	shown = b.open(acs, form)
	c.attempt("SAML: the form once more", shown.status != http.StatusBadRequest, shown.status)

	again := newPerson(t)
	again.hold = c.k.url
	state := ssotest.RelayState(again.open(c.url+"/auth/works", nil).url)
	again.hold = ""
	shown = again.open(acs, with(state))
	c.attempt("SAML: the assertion once more", c.isIn(again) || shown.status != http.StatusForbidden, shown.status)
}

// samlAt is the provider of SAML with a clock of the test.
func (c *atKeycloak) samlAt(t *testing.T, id string, clock func() time.Time) *sso.Provider {
	return c.at(t, sso.Config{
		Type: sso.SAML, Issuer: c.k.url + "/realms/works", Metadata: c.k.url + "/realms/works/protocol/saml/descriptor", ClientID: id,
		SigningKey: func(ctx context.Context, fresh func() (string, error)) (string, error) {
			return c.store.ProviderKey(ctx, "works", fresh)
		},
	}, clock)
}

// answerTo gets a real answer: the request that it is for, and the form.
func (c *atKeycloak) answerTo(t *testing.T, p *sso.Provider, to sso.Redirects) (sso.Pending, url.Values) {
	t.Helper()
	pending := sso.Pending{State: "a-state"}
	address, err := p.Begin(t.Context(), &pending, to)
	if err != nil {
		t.Fatal(err)
	}
	b := newPerson(t)
	b.hold = to.SignedIn
	page := b.enter(address, "ana")
	return pending, posted(t, page)
}

func testKeycloakSAMLAnswers(t *testing.T, c *atKeycloak) {
	to := c.redirects("works")
	later := time.Duration(0)
	clock := func() time.Time { return time.Now().Add(later) }
	p := c.samlAt(t, to.Metadata, clock)
	pending, form := c.answerTo(t, p, to)
	id, err := p.Finish(t.Context(), pending, form, to)
	if err != nil || id.Email != "ana@works.example" || id.Name != "Ana Company" || !id.EmailVerified || strings.Join(id.Groups, " ") != "/staff" || id.Session == "" || id.Until.IsZero() {
		t.Fatalf("%+v, %v", id, err)
	}
	genuine := decoded(t, form)
	refused := func(name, said string, p *sso.Provider, pending sso.Pending, form url.Values) {
		t.Helper()
		id, err := p.Finish(t.Context(), pending, form, to)
		if c.attempt("SAML: "+name, err == nil, id); err != nil && (!strings.Contains(err.Error(), said) || strings.Contains(err.Error(), string(sso.Busy))) {
			t.Errorf("%s: %v; want %s", name, err, said)
		}
	}
	forgeries := ssotest.Forgeries(genuine, "root")
	for _, f := range forgeries {
		refused(f.Name, "", p, pending, ssotest.Form(f.Text, pending.State))
	}
	if len(forgeries) < 40 {
		t.Errorf("only %d forgeries", len(forgeries))
	}
	for _, by := range []time.Duration{-30 * time.Second, 30 * time.Second} {
		if later = by; by != 0 {
			if _, err := p.Finish(t.Context(), pending, form, to); err != nil {
				t.Errorf("clocks that differ by %s: %v", by, err)
			}
		}
	}
	for by, said := range map[time.Duration]string{-3 * time.Minute: "", 9 * time.Minute: "counts until", 12 * time.Minute: "made at", 24 * time.Hour: "made at"} {
		later = by
		refused("clocks that differ by "+by.String(), said, p, pending, form)
	}
	later = 0
	refused("another request", "not to the request", p, sso.Pending{State: "a-state", Request: "_another"}, form)

	// Real answers for others, of the same Keycloak.
	metadata := newPerson(t).open(to.Metadata, nil).body
	for _, other := range []struct{ id, name, said string }{
		{"https://wiki.example", "wiki", "the answer is for"}, {"https://notes.example", "works", "the assertion is for https://notes.example"},
	} {
		theirs := c.redirects(other.name)
		text := strings.Replace(strings.ReplaceAll(metadata, "/auth/works/", "/auth/"+other.name+"/"), `entityID="`+theirs.Metadata+`"`, `entityID="`+other.id+`"`, 1)
		c.k.samlClient("works", []byte(text), func(client map[string]any) {
			client["attributes"].(map[string]any)["saml.server.signature"] = "false" // the assertion alone is signed
		})
		q := c.samlAt(t, other.id, clock)
		pending, form := c.answerTo(t, q, theirs)
		if _, err := q.Finish(t.Context(), pending, form, theirs); err != nil {
			t.Fatalf("%s: %v", other.id, err)
		}
		ours := c.samlAt(t, to.Metadata, clock)
		refused("for "+other.id, other.said, ours, pending, form)
		text = strings.ReplaceAll(string(decoded(t, form)), ` Destination="`+theirs.SignedIn+`"`, "")
		if other.name == "wiki" {
			refused("another recipient", "is for https://wiki.example", ours, pending, ssotest.Form([]byte(text), pending.State))
			refused("another recipient, with our name", "the recipient of the assertion is", q, pending, ssotest.Form([]byte(text), pending.State))
		}
		for _, f := range ssotest.Forgeries(decoded(t, form), "root") {
			id, err := c.samlAt(t, other.id, clock).Finish(t.Context(), pending, ssotest.Form(f.Text, pending.State), theirs)
			c.attempt("SAML, signed assertion: "+f.Name, err == nil, id)
		}
	}
}

func decoded(t *testing.T, form url.Values) []byte {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(form.Get("SAMLResponse"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Keycloak signs with a new key at once; the metadata are read again for it.
func testKeycloakSAMLKeys(t *testing.T, c *atKeycloak) {
	to := c.redirects("works")
	before := 6 * time.Minute
	p := c.samlAt(t, to.Metadata, func() time.Time { return time.Now().Add(-before) })
	if n := len(p.Known(t.Context()).Certificates); n != 1 {
		t.Fatalf("%d certificates are known", n)
	}
	before = 0
	c.k.admin("POST", "/works/components", map[string]any{
		"name": "new", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider",
		"config": map[string]any{"priority": []string{"200"}, "enabled": []string{"true"}, "active": []string{"true"}, "keySize": []string{"2048"}},
	}, nil)
	pending, form := c.answerTo(t, p, to)
	if _, err := p.Finish(t.Context(), pending, form, to); err != nil {
		t.Errorf("signed with a new key: %v", err)
	}
	if n := len(p.Known(t.Context()).Certificates); n != 2 {
		t.Errorf("%d certificates are known", n)
	}
}
