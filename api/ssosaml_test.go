package api

import (
	"encoding/base64"
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

// samlCompany is a house whose people sign in by SAML.
type samlCompany struct {
	*house
	at *ssotest.SAML
}

func openSAMLCompany(t *testing.T, open opener, change ...func(*sso.Config)) *samlCompany {
	t.Helper()
	at := ssotest.NewSAML(t)
	guard := must[*egress.Guard](t)(egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}}))
	t.Cleanup(guard.Close)
	config := sso.Config{
		Type: sso.SAML, Issuer: at.URL, Metadata: at.URL,
		Terms: sso.Terms{Name: "company", Label: "Company", Enabled: true, Rules: sso.Rules{GroupsClaim: "groups", CreateUsers: true, RequiredGroups: []string{"staff", "it"}, Grants: []sso.Grant{
			{Group: "it", Root: true}, {Group: "authors", Workspace: "demo", Role: "Author"}, {Group: "staff", Workspace: "demo", Role: "viewer"},
		}}},
	}
	for _, f := range change {
		f(&config)
	}
	c := &samlCompany{at: at}
	c.house = open(t, func(conf *Config) {
		c := config
		c.Name, c.Label = "twin", "Twin"
		conf.Providers = []*sso.Provider{sso.New(config, guard, conf.Clock), sso.New(c, guard, conf.Clock)}
	})
	at.Clock = c.clock.Now
	return c
}

// leave begins a sign-in: with which cookie the browser goes to which address.
func (c *samlCompany) leave(t *testing.T, path, cookies string) (cookie, address string) {
	t.Helper()
	w := c.check(t, scenario{path: path, header: header("Cookie", cookies), status: 303})
	return cookieOf(w, "quire_sign_in"), w.Header().Get("Location")
}

// comeBack is the form that the provider's page has a browser send: from another
// site, and so without cookies.
func (c *samlCompany) comeBack(path string, form url.Values) *httptest.ResponseRecorder {
	return c.do(scenario{method: "POST", path: path, body: form.Encode(), header: header(
		"Content-Type", "application/x-www-form-urlencoded", "Origin", "https://login.company.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document")})
}

// signIn is the whole way.
func (c *samlCompany) signIn(t *testing.T, change ...func(*ssotest.Answer)) *httptest.ResponseRecorder {
	t.Helper()
	cookie, address := c.leave(t, "/auth/company?next=/ws/demo", "")
	w := c.comeBack("/auth/company/callback", c.at.Answer(address, change...))
	if w.Code != 303 || cookieOf(w, "quire_session") != "" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return c.do(scenario{path: w.Header().Get("Location"), header: header("Cookie", cookie)})
}

func (c *samlCompany) comesIn(t *testing.T, change ...func(*ssotest.Answer)) string {
	t.Helper()
	w := c.signIn(t, change...)
	leads(t, w, "/ws/demo")
	return cookieOf(w, "quire_session")
}

func samlPerson(sub, email string, groups ...string) func(*ssotest.Answer) {
	return func(a *ssotest.Answer) {
		a.NameID, a.Attributes = sub, map[string][]string{"email": {email}, "displayName": {"Person " + sub}, "groups": groups}
	}
}

func testSAML(t *testing.T, open opener) {
	c := openSAMLCompany(t, open)
	session := c.comesIn(t, samlPerson("1", "ana@company.example", "staff"))
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 200, has: []string{"Person 1"}})
	first := must[*store.User](t)(c.store.UserByEmail(t.Context(), "ana@company.example"))
	role := func(want string) {
		t.Helper()
		role, err := c.store.Membership(t.Context(), first.ID, c.demo.ID)
		if store.IsNotFound(err) && want == "" {
			return
		}
		if err != nil || role.Name != want {
			t.Errorf("the role is %+v, %v; want %s", role, err, want)
		}
	}
	role("Viewer")
	c.comesIn(t, samlPerson("1", "ana.new@company.example", "staff", "authors"))
	role("Author")
	w := c.signIn(t, samlPerson("1", "ana@company.example", "football"))
	if w.Code != 403 || !strings.Contains(w.Body.String(), "You are in none of the groups that may sign in: staff, it.") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	role("")
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 303})
	for name, who := range map[string]func(*ssotest.Answer){
		"a local user's address": samlPerson("9", "author@example.com", "staff"), "a root user's address": samlPerson("9", "root@example.com", "it"),
	} {
		if w := c.signIn(t, who); w.Code != 403 || !strings.Contains(w.Body.String(), "There is an account with your e-mail address already") || cookieOf(w, "quire_session") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	w = c.signIn(t, func(a *ssotest.Answer) { a.Audience = "https://wiki.example" })
	if w.Code != 403 || !strings.Contains(w.Body.String(), "What Company sent is not accepted") || strings.Contains(w.Body.String(), "wiki") || !strings.Contains(c.log.String(), "wiki.example") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if n := len(c.events(t, "root", "/api/v1/audit?action=session.sign_in_failed")); n != 4 {
		t.Errorf("%d refusals are recorded", n)
	}
	// A session ends when that of the provider does.
	session = c.comesIn(t, samlPerson("2", "bo@company.example", "staff"), func(a *ssotest.Answer) { a.Ends = c.clock.Now().Add(time.Hour) })
	c.clock.Advance(59 * time.Minute)
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 200})
	c.clock.Advance(2 * time.Minute)
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 303})
}

// What comes back counts once, answers a request of the browser that brings it,
// and comes from the provider that was asked.
func testSAMLComingBack(t *testing.T, open opener) {
	c := openSAMLCompany(t, open)
	refused := func(name string, w *httptest.ResponseRecorder) {
		t.Helper()
		if w.Code != 400 || cookieOf(w, "quire_session") != "" || !strings.Contains(w.Body.String(), "begun in another browser") {
			t.Errorf("%s: %d %s %s", name, w.Code, w.Header().Get("Location"), w.Body)
		}
	}
	with := func(to, cookie string) *httptest.ResponseRecorder {
		return c.do(scenario{path: to, header: header("Cookie", cookie)})
	}
	who := samlPerson("1", "ana@company.example", "staff")
	cookie, address := c.leave(t, "/auth/company", "")
	other, _ := c.leave(t, "/auth/company", "")
	form := c.at.Answer(address, who)
	state := form.Get("RelayState")

	refused("another state", c.comeBack("/auth/company/callback", url.Values{"SAMLResponse": form["SAMLResponse"], "RelayState": {"x"}}))
	refused("no state", c.comeBack("/auth/company/callback", url.Values{"SAMLResponse": form["SAMLResponse"]}))
	refused("at another provider", c.comeBack("/auth/twin/callback", form))
	refused("before it was answered", with("/auth/company/callback?state="+state, cookie))
	cookie, address = c.leave(t, "/auth/company", "") // that one has been used
	form = c.at.Answer(address, who)
	state = form.Get("RelayState")
	w := c.comeBack("/auth/company/callback", form)
	to := "/auth/company/callback?state=" + state
	if w.Code != 303 || w.Header().Get("Location") != to {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	refused("the form once more", c.comeBack("/auth/company/callback", form))
	refused("without a cookie", with(to, ""))
	refused("in another browser", with(to, other))
	refused("at another provider", with(strings.Replace(to, "company", "twin", 1), cookie))
	leads(t, with(to, cookie), "/")
	refused("once more", with(to, cookie))

	// The same assertion under a request of somebody else's, whose ID it does not have.
	cookie, address = c.leave(t, "/auth/company", "")
	w = c.comeBack("/auth/company/callback", url.Values{"SAMLResponse": form["SAMLResponse"], "RelayState": {ssotest.RelayState(address)}})
	if w = with(w.Header().Get("Location"), cookie); w.Code != 403 || !strings.Contains(c.log.String(), "not to the request of this browser") {
		t.Errorf("a replay: %d %s", w.Code, w.Body)
	}
	// An assertion with an ID of before, though all else is right.
	w = c.signIn(t, who, func(a *ssotest.Answer) { a.ID = "_the-same" })
	leads(t, w, "/ws/demo")
	if w = c.signIn(t, who, func(a *ssotest.Answer) { a.ID = "_the-same" }); w.Code != 403 || !strings.Contains(c.log.String(), "it has come before") {
		t.Errorf("an assertion of before: %d %s", w.Code, w.Body)
	}
	// Forged answers open nothing, and nobody is made.
	cookie, address = c.leave(t, "/auth/company", "")
	genuine := must[[]byte](t)(base64.StdEncoding.DecodeString(c.at.Answer(address, who).Get("SAMLResponse")))
	forged := ssotest.Forgeries(genuine, "evil")[3]
	w = c.comeBack("/auth/company/callback", ssotest.Form(forged.Text, ssotest.RelayState(address)))
	if w = with(w.Header().Get("Location"), cookie); w.Code != 403 || cookieOf(w, "quire_session") != "" {
		t.Errorf("%s: %d", forged.Name, w.Code)
	}
	_, address = c.leave(t, "/auth/company", "")
	c.clock.Advance(11 * time.Minute)
	refused("too late", c.comeBack("/auth/company/callback", c.at.Answer(address, who)))
	// A form from elsewhere is taken at these addresses only.
	if w := c.comeBack("/sign-in", url.Values{}); w.Code != 403 {
		t.Errorf("a form of another site: %d", w.Code)
	}
	if w := c.comeBack("/auth/company/callback", url.Values{"SAMLResponse": {strings.Repeat("a", 600<<10)}}); w.Code != 400 {
		t.Errorf("a long form: %d", w.Code)
	}
}

func testSAMLSigningOut(t *testing.T, open opener) {
	c := openSAMLCompany(t, open)
	who := samlPerson("1", "ana@company.example", "staff")
	const ours = "http://example.com/auth/company/logout"
	session := c.comesIn(t, who)
	w := c.post("/sign-out", "", "Cookie", session)
	to := strings.TrimPrefix(w.Header().Get("Refresh"), "0; url=")
	if w.Code != 200 || !strings.HasPrefix(to, c.at.URL+"/logout?") || ssotest.Request(to).FindElement("./NameID").Text() != "1" {
		t.Errorf("%d %s", w.Code, w.Header().Get("Refresh"))
	}
	leads(t, c.check(t, scenario{path: "/auth/company/logout?SAMLResponse=x", status: 303}), "/sign-in")
	leads(t, c.comeBack("/auth/company/logout", url.Values{"SAMLResponse": {"x"}}), "/sign-in")

	session = c.comesIn(t, who)
	for name, form := range map[string]url.Values{
		"of somebody else": c.at.LogoutForm(ours, "2", ""), "another session": c.at.LogoutForm(ours, "1", "session-2"),
	} {
		if w := c.comeBack("/auth/company/logout", form); w.Code != 303 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 200})
	form := c.at.LogoutForm(ours, "1", "session-1")
	w = c.comeBack("/auth/company/logout", form)
	if answer := ssotest.Request(w.Header().Get("Location")); w.Code != 303 || answer.Tag != "LogoutResponse" {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 303})
	session = c.comesIn(t, who)
	if w := c.comeBack("/auth/company/logout", form); w.Code != 400 { // once more
		t.Errorf("a message of before: %d %s", w.Code, w.Body)
	}
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 200})
	by := must[*url.URL](t)(url.Parse(c.at.LogoutAddress(ours, "1", "")))
	c.check(t, scenario{path: by.RequestURI() + "x", status: 400})
	c.check(t, scenario{path: by.RequestURI(), status: 303})
	c.check(t, scenario{path: "/ws/demo", header: header("Cookie", session), status: 303})
	c.check(t, scenario{path: "/auth/company/backchannel-logout", method: "POST", status: 404})
}

func testTryingSAML(t *testing.T, open opener) {
	c := openSAMLCompany(t, open, func(conf *sso.Config) { conf.Enabled = false })
	root := c.session("root")
	c.check(t, scenario{path: "/auth/company/metadata", status: 200, has: []string{`entityID="http://example.com/auth/company/metadata"`, `Location="http://example.com/auth/company/callback"`}})
	c.check(t, scenario{path: "/auth/company", status: 404})
	c.check(t, scenario{path: "/sso", header: header("Cookie", root), status: 200, has: []string{"http://example.com/auth/company/metadata", "http://example.com/auth/company/logout", "Attribute of the groups", "Metadata were read", "until "}})
	try := func(has string, change ...func(*ssotest.Answer)) {
		t.Helper()
		cookie, address := c.leave(t, "/sso/company/try", root)
		w := c.comeBack("/auth/company/callback", c.at.Answer(address, change...))
		w = c.do(scenario{path: w.Header().Get("Location"), header: header("Cookie", cookie+"; "+root)})
		if !strings.HasPrefix(w.Header().Get("Location"), "/sso/company/tried?") {
			t.Fatalf("%d to %s", w.Code, w.Header().Get("Location"))
		}
		c.check(t, scenario{path: w.Header().Get("Location"), header: header("Cookie", cookie), status: 303})
		w = c.do(scenario{path: w.Header().Get("Location"), header: header("Cookie", cookie+"; "+root)})
		if !strings.Contains(w.Body.String(), has) || cookieOf(w, "quire_session") != "" {
			t.Errorf("no %q in %d\n%s", has, w.Code, w.Body)
		}
	}
	try("Person 1 would come in", samlPerson("1", "ana@company.example", "staff"))
	try("This person would not come in", samlPerson("1", "ana@company.example", "football"))
	try("the recipient of the assertion is https://wiki.example/acs", func(a *ssotest.Answer) { a.Recipient = "https://wiki.example/acs" })
	if _, err := c.store.UserByEmail(t.Context(), "ana@company.example"); !store.IsNotFound(err) {
		t.Errorf("an account was made: %v", err)
	}
	c.at.Break(true)
	c.clock.Advance(25 * time.Hour)
	c.check(t, scenario{path: "/sso", header: header("Cookie", c.session("root")), status: 200, has: []string{"cannot be read", "answered 503"}})
}
