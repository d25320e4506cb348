package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
	"github.com/quire-reports/quire/store"
)

// company is a house whose people sign in at a provider.
type company struct {
	*house
	at *ssotest.Provider
}

func openCompany(t *testing.T, open opener, change ...func(*sso.Config)) *company {
	t.Helper()
	at := ssotest.New(t)
	guard := must[*egress.Guard](t)(egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}}))
	t.Cleanup(guard.Close)
	config := sso.Config{
		Issuer: at.URL, ClientID: ssotest.ClientID, ClientSecret: ssotest.ClientSecret, Scopes: []string{"openid", "email"},
		Terms: sso.Terms{Name: "company", Label: "Company", Enabled: true, Rules: sso.Rules{GroupsClaim: "groups", CreateUsers: true, RequiredGroups: []string{"staff", "it"}, Grants: []sso.Grant{
			{Group: "it", Root: true}, {Group: "authors", Workspace: "demo", Role: "Author"}, {Group: "staff", Workspace: "demo", Role: "viewer"}, {Group: "staff", Workspace: "gone", Role: "Viewer"},
		}}},
	}
	for _, f := range change {
		f(&config)
	}
	c := &company{at: at}
	c.house = open(t, func(conf *Config) {
		c := config
		c.Name, c.Label = "twin", "Twin"
		conf.Providers = []*sso.Provider{sso.New(config, guard, conf.Clock), sso.New(c, guard, conf.Clock)}
	})
	at.Clock = c.clock.Now
	return c
}

// leave begins a sign-in and goes to the provider: with which cookie, and to
// which address of ours the provider sends the browser back.
func (c *company) leave(t *testing.T, path, cookies string) (cookie, back string) {
	t.Helper()
	w := c.check(t, scenario{path: path, header: header("Cookie", cookies), status: 303})
	request := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodGet, w.Header().Get("Location"), nil))
	resp := must[*http.Response](t)(http.DefaultTransport.RoundTrip(request))
	defer resp.Body.Close()
	to := must[*url.URL](t)(resp.Location())
	return cookieOf(w, "quire_sign_in"), to.RequestURI()
}

// signIn is the whole way.
func (c *company) signIn(t *testing.T) *httptest.ResponseRecorder {
	t.Helper()
	cookie, back := c.leave(t, "/auth/company?next=/ws/demo", "")
	return c.do(scenario{path: back, header: header("Cookie", cookie)})
}

// comesIn is the session of who signs in.
func (c *company) comesIn(t *testing.T) string {
	t.Helper()
	w := c.signIn(t)
	leads(t, w, "/ws/demo")
	return cookieOf(w, "quire_session")
}

// person is somebody at the provider.
func person(sub, email string, groups ...string) map[string]any {
	return map[string]any{"sub": sub, "email": email, "email_verified": true, "name": "Person " + sub, "groups": groups}
}

func (c *company) sees(t *testing.T, session, path string, status int, has ...string) {
	t.Helper()
	c.check(t, scenario{path: path, header: header("Cookie", session), status: status, has: has})
}

func testSingleSignOn(t *testing.T, open opener) {
	c := openCompany(t, open)
	c.check(t, scenario{path: "/sign-in?next=/ws/demo", status: 200, has: []string{"Continue with Company", `href="/auth/company?next=%2Fws%2Fdemo"`}})
	c.check(t, scenario{path: "/sign-in", header: header("Accept-Language", "de"), status: 200, has: []string{"Weiter mit Company"}})

	c.at.Is(person("1", "ana@company.example", "staff"))
	session := c.comesIn(t)
	c.sees(t, session, "/ws/demo", 200, "Person 1")
	c.sees(t, session, "/ws/demo/members", 403) // a viewer
	first := must[*store.User](t)(c.store.UserByEmail(t.Context(), "ana@company.example"))

	// Roles follow the groups at every sign-in, also of sessions that go on; the
	// person stays the same under another address.
	c.at.Is(person("1", "ana.new@company.example", "staff", "authors"))
	c.comesIn(t)
	role := must[*store.Role](t)(c.store.Membership(t.Context(), first.ID, c.demo.ID))
	if role.Name != "Author" {
		t.Errorf("the role is %s", role.Name)
	}
	c.at.Is(person("1", "ana@company.example", "it"))
	c.comesIn(t)
	c.sees(t, session, "/users", 200)
	c.at.Is(person("1", "ana@company.example", "staff"))
	c.comesIn(t)
	c.sees(t, session, "/users", 403)

	// Who is in no required group any more is out, everywhere.
	c.at.Is(person("1", "ana@company.example", "football"))
	if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "You are in none of the groups that may sign in: staff, it.") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	c.sees(t, session, "/ws/demo", 303)
	if _, err := c.store.Membership(t.Context(), first.ID, c.demo.ID); !store.IsNotFound(err) {
		t.Errorf("still a member: %v", err)
	}
	for _, action := range []string{"member.added", "member.changed", "member.removed", "user.root_changed", "user.created", "session.sign_in_failed"} {
		if len(c.events(t, "root", "/api/v1/audit?action="+action)) == 0 {
			t.Errorf("%s is not recorded", action)
		}
	}
	testAccountsAreNotTakenOver(t, c)
}

func testAccountsAreNotTakenOver(t *testing.T, c *company) {
	for name, who := range map[string]map[string]any{
		"a local user's address":         person("9", "AUTHOR@example.com", "staff"),
		"a root user's address":          person("9", "root@example.com", "it"),
		"that of another of the company": person("9", "ana@company.example", "staff"),
	} {
		c.at.Is(who)
		if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "There is an account with your e-mail address already") || cookieOf(w, "quire_session") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	c.at.Is(person("7", "blocked@company.example", "staff"))
	c.comesIn(t)
	user := must[*store.User](t)(c.store.UserByEmail(t.Context(), "blocked@company.example"))
	noError(t, c.store.SetActive(t.Context(), user.ID, false))
	if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "Your account is blocked") {
		t.Errorf("a blocked account: %d %s", w.Code, w.Body)
	}
}

// What comes back counts once, in the browser that left, and for the provider
// that it went to.
func testComingBack(t *testing.T, open opener) {
	c := openCompany(t, open)
	refused := func(name, back, cookie string) {
		t.Helper()
		w := c.do(scenario{path: back, header: header("Cookie", cookie)})
		if w.Code != 400 || cookieOf(w, "quire_session") != "" || !strings.Contains(w.Body.String(), "begun in another browser") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	cookie, back := c.leave(t, "/auth/company", "")
	other, _ := c.leave(t, "/auth/company", "")
	refused("without a cookie", back, "")
	refused("in another browser", back, other)
	refused("another state", strings.Replace(back, "state=", "state=x", 1), cookie)
	refused("no state", strings.Split(back, "state=")[0], cookie)
	refused("at another provider", strings.Replace(back, "/auth/company", "/auth/twin", 1), cookie)
	leads(t, c.do(scenario{path: back, header: header("Cookie", cookie)}), "/")
	refused("once more", back, cookie)

	cookie, back = c.leave(t, "/auth/company?next=https://evil.example/", "")
	leads(t, c.do(scenario{path: back, header: header("Cookie", cookie)}), "/")
	cookie, back = c.leave(t, "/auth/company", "")
	c.clock.Advance(11 * time.Minute)
	refused("too late", back, cookie)

	c.at.Forge(func(_, claims map[string]any) { claims["nonce"] = "another" })
	if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "What Company sent is not accepted") || strings.Contains(w.Body.String(), "nonce") {
		t.Errorf("another nonce: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(c.log.String(), "its nonce is another") {
		t.Error("the log lacks the reason")
	}
}

func testAccountsOfIdentities(t *testing.T, open opener) {
	t.Run("none are made", func(t *testing.T) {
		c := openCompany(t, open, func(conf *sso.Config) { conf.CreateUsers, conf.LinkByVerifiedEmail = false, true })
		c.at.Is(person("1", "new@company.example", "staff"))
		if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "You have no account here") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		unverified := person("2", "lonely@example.com", "staff")
		unverified["email_verified"] = nil
		c.at.Is(unverified)
		if w := c.signIn(t); w.Code != 403 {
			t.Errorf("an address that nobody vouches for: %d", w.Code)
		}
		c.at.Is(person("2", "lonely@example.com", "staff"))
		c.comesIn(t)
		for who, sub := range map[string]string{"root": "3", "lonely": "4"} { // lonely is linked to 2
			c.at.Is(person(sub, who+"@example.com", "staff"))
			if w := c.signIn(t); w.Code != 403 {
				t.Errorf("%s was taken over: %d", who, w.Code)
			}
		}
	})
	t.Run("no role", func(t *testing.T) {
		c := openCompany(t, open, func(conf *sso.Config) { conf.RequiredGroups = nil })
		c.at.Is(person("1", "new@company.example", "football"))
		if w := c.signIn(t); w.Code != 403 || !strings.Contains(w.Body.String(), "None of your groups leads to a role here") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if _, err := c.store.UserByEmail(t.Context(), "new@company.example"); !store.IsNotFound(err) {
			t.Errorf("an account was made: %v", err)
		}
	})
}

func testSigningOutThere(t *testing.T, open opener) {
	c := openCompany(t, open)
	c.at.Is(person("1", "ana@company.example", "staff"))
	session := c.comesIn(t)
	w := c.post("/sign-out", "", "Cookie", session)
	to := must[*url.URL](t)(url.Parse(strings.TrimPrefix(w.Header().Get("Refresh"), "0; url=")))
	if w.Code != 200 || to.Path != "/logout" || to.Query().Get("id_token_hint") == "" || to.Query().Get("post_logout_redirect_uri") != "http://example.com/sign-in" {
		t.Errorf("%d %s %s", w.Code, w.Header().Get("Refresh"), w.Body)
	}
	c.sees(t, session, "/ws/demo", 303)

	// The provider ends sessions of its own, and of nobody else.
	send := func(token string, status int) {
		t.Helper()
		w := c.do(scenario{method: "POST", path: "/auth/company/backchannel-logout", body: url.Values{"logout_token": {token}}.Encode(), header: header("Content-Type", "application/x-www-form-urlencoded")})
		if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a logout token: %d %s", w.Code, w.Body)
		}
	}
	session = c.comesIn(t)
	send(c.at.LogoutToken(map[string]any{"sub": "2"}), 200)
	send(c.at.LogoutToken(map[string]any{"sid": "session-2"}), 200)
	send(c.at.LogoutToken(map[string]any{"sub": "2", "sid": "session-1"}), 200)
	c.sees(t, session, "/ws/demo", 200)
	token := c.at.LogoutToken(map[string]any{"sub": "1", "sid": "session-1"})
	send(token, 200)
	c.sees(t, session, "/ws/demo", 303)
	session = c.comesIn(t)
	send(token, 400) // once more
	send("x", 400)
	c.sees(t, session, "/ws/demo", 200)
	send(c.at.LogoutToken(map[string]any{"sub": "1"}), 200)
	c.sees(t, session, "/ws/demo", 303)
}

// A root user sees what would follow, before anybody can come in; nothing changes.
func testTryingAProvider(t *testing.T, open opener) {
	c := openCompany(t, open, func(conf *sso.Config) { conf.Enabled = false })
	c.check(t, scenario{path: "/sign-in", status: 200, lacks: []string{"Continue with"}})
	c.check(t, scenario{path: "/auth/company", status: 404})
	root := c.session("root")
	c.sees(t, root, "/sso", 200, "http://example.com/auth/company/callback", "http://example.com/auth/company/backchannel-logout", "authors", "does not exist")
	try := func() (string, string) {
		cookie, back := c.leave(t, "/sso/company/try", root)
		w := c.do(scenario{path: back, header: header("Cookie", cookie+"; "+root)})
		if cookieOf(w, "quire_session") != "" || !strings.HasPrefix(w.Header().Get("Location"), "/sso/company/tried?") {
			t.Fatalf("%d to %s", w.Code, w.Header().Get("Location"))
		}
		return cookie, w.Header().Get("Location")
	}
	tried := func(has ...string) {
		t.Helper()
		cookie, to := try()
		w := c.do(scenario{path: to, header: header("Cookie", cookie+"; "+root)})
		for _, word := range has {
			if !strings.Contains(w.Body.String(), word) {
				t.Errorf("no %q in %d\n%s", word, w.Code, w.Body)
			}
		}
	}
	c.at.Is(person("1", "ana@company.example", "staff"))
	tried("Person 1 would come in", "would be made", "Viewer", "&#34;email_verified&#34;: true", "gone:Viewer")
	if _, err := c.store.UserByEmail(t.Context(), "ana@company.example"); !store.IsNotFound(err) {
		t.Errorf("an account was made: %v", err)
	}
	c.at.Is(person("1", "ana@company.example", "football"))
	tried("This person would not come in", "in none of the groups that may sign in: staff, it", "football")
	c.at.Is(person("1", "author@example.com", "staff"))
	tried("This person would not come in", "There is an account with your e-mail address already")
	c.at.Forge(func(_, claims map[string]any) { claims["aud"] = "wiki" })
	tried("This person would not come in", "expected audience")
	cookie, to := try()
	c.check(t, scenario{path: to, header: header("Cookie", cookie+"; "+c.session("administrator")), status: 403})
	c.check(t, scenario{path: to, header: header("Cookie", cookie), status: 303})
	if got := fmt.Sprint(len(c.events(t, "root", "/api/v1/audit?action=user.created&q=company.example"))); got != "0" {
		t.Errorf("%s accounts were recorded", got)
	}
}
