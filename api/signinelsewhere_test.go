package api

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// openCompanyWith is a company with settings of the store.
func openCompanyWith(t *testing.T, at store.Config, change ...func(*Config)) *company {
	t.Helper()
	return openCompany(t, func(t testing.TB, more ...func(*Config)) *house {
		return openParts(t, at, append(more, change...)...)
	})
}

// Where Sso.LocalSignIn is off, passwords let root users in and nobody else, and
// do not tell whether they are right.
func TestOnlyRootUsersSignInHere(t *testing.T) {
	t.Parallel()
	at := store.Config{Database: migrated.SQLite(t), RootOnlyHere: true}
	mail := make(posted, 10)
	c := openCompanyWith(t, at, func(c *Config) { c.Mail, c.PublicURL = mail.server(nil), "http://example.com" })
	c.addUser("local", store.NewUser{Password: password})
	page := c.check(t, scenario{path: "/sign-in", status: 200, has: []string{"Sign in as an administrator"}, lacks: []string{"autofocus", `<details class="beside" open`}})
	if s := page.Body.String(); !strings.Contains(s, "Continue with Company") || strings.Index(s, "Continue with Company") > strings.Index(s, "<details") {
		t.Errorf("the provider does not come first:\n%s", s)
	}
	try := func(email, secret string) (int, string) {
		w := c.post("/sign-in", form("email", email, "password", secret))
		if w.Code != 303 && cookieOf(w, "quire_session") != "" {
			t.Errorf("%s has a session", email)
		}
		return w.Code, w.Body.String()
	}
	rightCode, right := try("local@example.com", password.Reveal())
	wrongCode, wrong := try("local@example.com", "wrong-password-1")
	if rightCode != 422 || rightCode != wrongCode || right != wrong || !strings.Contains(right, "Email address or password is wrong.") || !strings.Contains(right, `<details class="beside" open`) {
		t.Errorf("a right password %d, a wrong one %d:\n%s", rightCode, wrongCode, right)
	}
	c.check(t, scenario{path: "/sso", header: header("Cookie", c.session("root")), status: 200, has: []string{"let in root users alone", "chooses how", "go on without a sign-in"}})
	if code, _ := try("root@example.com", password.Reveal()); code != 303 {
		t.Errorf("a root user: %d", code)
	}

	// Sessions from the time before have ended, but those of root users and from providers.
	before := must[*store.Store](t)(store.Open(t.Context(), store.Config{Database: at.Database, Storage: "file://" + c.contents, Key: "0123456789abcdef0123456789abcdef", Vector: "fedcba9876543210", Clock: c.clock.Now}))
	value, _, err := before.CreateSession(t.Context(), c.users["local"], "", "")
	noError(t, err)
	noError(t, before.Close())
	c.sees(t, access.SessionCookie+"="+value, "/ws/demo", 303)
	c.sees(t, c.session("root"), "/ws/demo", 200)
	c.at.Is(person("1", "ana@company.example", "staff"))
	session := c.comesIn(t)
	c.sees(t, session, "/ws/demo", 200)

	// Who is invited joins by the provider; links to set a password go to root users.
	invitation := link(t, c.sent(t, "root", "/ws/demo/members", 200, "email", "carl@company.example", "role", c.roleID(t, "Author")).Body.String())
	<-mail
	c.check(t, scenario{path: invitation, status: 200, has: []string{"Sign in as carl@company.example to join.", "/sign-in?auto=off&amp;next="}, lacks: []string{`type="password"`}})
	if w := c.takes(invitation, "Ana", password.Reveal()); w.Code != 403 || cookieOf(w, "quire_session") != "" {
		t.Errorf("an account was made: %d %s", w.Code, w.Body)
	}
	c.forgets("local@example.com", "198.51.100.1")
	c.forgets("root@example.com", "198.51.100.2")
	if m := <-mail; m[0] != "root@example.com" {
		t.Errorf("a link went to %s", m[0])
	}
	select {
	case m := <-mail:
		t.Errorf("a link went to %s", m[0])
	case <-time.After(100 * time.Millisecond):
	}
}

// A session from a provider is that after its owner has changed a password, too.
func TestChangingThePasswordKeepsWhereASessionComesFrom(t *testing.T) {
	t.Parallel()
	c := openCompany(t, open)
	c.at.Is(person("1", "ana@company.example", "staff"))
	c.comesIn(t)
	ana := must[*store.User](t)(c.store.UserByEmail(t.Context(), "ana@company.example"))
	noError(t, c.store.SetPassword(t.Context(), ana.ID, password))
	session := c.comesIn(t)
	const fresh = "another-password-2"
	w := c.post("/password", form("current", password.Reveal(), "password", fresh, "repeated", fresh), "Cookie", session)
	leads(t, w, "/password?done=changed")
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Cookie", cookieOf(w, "quire_session"))
	from, err := access.NewSessions(c.store, access.Cookies{}).Origin(r)
	if err != nil || from.Provider != "company" || from.Issuer != c.at.URL || from.Subject != "1" || from.Until.IsZero() {
		t.Errorf("%+v %v", from, err)
	}
}

// Sso.AutoRedirect sends on who comes from another page, and leaves a way out.
func TestWhoHasToSignInIsSentOn(t *testing.T) {
	t.Parallel()
	c := openCompany(t, func(t testing.TB, change ...func(*Config)) *house {
		return open(t, append(change, func(c *Config) { c.AutoRedirect = "company" })...)
	})
	w := c.check(t, scenario{path: "/ws/demo", status: 303})
	to := w.Header().Get("Location")
	w = c.check(t, scenario{path: to, status: 303})
	leads(t, w, "/auth/company?next="+url.QueryEscape("/ws/demo"))
	leads(t, c.check(t, scenario{path: "/sign-in?next=https://evil.example/", status: 303}), "/auth/company?next="+url.QueryEscape("/"))
	for _, stays := range []string{"/sign-in", to + "&auto=off", "/sign-in?done=password"} {
		c.check(t, scenario{path: stays, status: 200, has: []string{`type="password"`, "Continue with Company"}})
	}
	// Who is refused, or signs out, is not sent there again.
	c.at.Is(person("1", "ana@company.example", "football"))
	if w := c.signIn(t); w.Code != 403 || w.Header().Get("Location") != "" {
		t.Errorf("refused: %d to %s", w.Code, w.Header().Get("Location"))
	}
	leads(t, c.post("/sign-out", "", "Cookie", c.session("viewer")), "/sign-in")
	c.check(t, scenario{path: "/sso", header: header("Cookie", c.session("root")), status: 200, has: []string{"let in everybody who has one", "is sent to Company at once"}})
}

// Sso.TokenMaxIdleDays stops what is open for people whom their provider has not
// seen for as long, until it does.
func TestTokensStopWithoutASignInAtTheProvider(t *testing.T) {
	t.Parallel()
	c := openCompanyWith(t, store.Config{Database: migrated.SQLite(t), TokenIdleDays: 3, SessionHours: 7 * 24})
	c.at.Is(person("1", "ana@company.example", "staff"))
	session := c.comesIn(t)
	c.clock.Advance(3*24*time.Hour - 30*time.Second)
	o := c.holds(t, "ana", "ana@company.example", session)
	o.is(t, after{session: 200, edits: 403, token: 200, nonce: 200, preview: 200})
	c.clock.Advance(time.Minute - 20*time.Second)
	o.is(t, after{session: 200, edits: 403, token: 401, nonce: 401, preview: 401})
	c.check(t, scenario{path: "/api/v1/workspaces", who: "ana", status: 401, has: []string{"the owner of the access token has not signed in at the provider for 3 days; it works again when they do"}})
	c.check(t, scenario{path: "/tokens/all?q=script", header: header("Cookie", c.session("root")), status: 200, has: []string{"stopped", "It works again when they do."}})
	c.check(t, scenario{path: "/sso", header: header("Cookie", c.session("root")), status: 200, has: []string{"stop after 3 days"}})
	// Service accounts and people whom no provider knows go on.
	c.check(t, scenario{path: "/api/v1/workspaces", who: "viewer", status: 200})
	c.check(t, scenario{path: "/tokens/all?q=viewer", header: header("Cookie", c.session("root")), status: 200, lacks: []string{"stopped"}})
	c.comesIn(t)
	c.check(t, scenario{path: "/api/v1/workspaces", who: "ana", status: 200})
	c.check(t, scenario{path: previewPath, header: o.preview, status: 200})
}
