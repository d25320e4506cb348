package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
	"github.com/quire-reports/quire/store"
)

// threeDoors is a house with accounts of its own, a directory and a provider,
// whose people have the same addresses.
type threeDoors struct {
	*directoryHouse
	provider *ssotest.Provider
}

func openThreeDoors(t *testing.T, open opener, links bool) *threeDoors {
	t.Helper()
	d := &threeDoors{provider: ssotest.New(t)}
	guard := must[*egress.Guard](t)(egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}}))
	t.Cleanup(guard.Close)
	d.directoryHouse = openDirectory(t, func(t testing.TB, change ...func(*Config)) *house {
		return open(t, append(change, func(c *Config) {
			c.Providers = []*sso.Provider{sso.New(sso.Config{
				Issuer: d.provider.URL, ClientID: ssotest.ClientID, ClientSecret: ssotest.ClientSecret, Scopes: []string{"openid", "email"},
				Terms: sso.Terms{Name: "company", Label: "Company", Enabled: true, Rules: sso.Rules{
					GroupsClaim: "groups", CreateUsers: true, LinkByVerifiedEmail: links, Grants: []sso.Grant{{Group: "it", Root: true}, {Group: "staff", Workspace: "demo", Role: "Viewer"}},
				}},
			}, guard, c.Clock)}
		})...)
	}, func(c *sso.DirectoryConfig) {
		c.LinkByVerifiedEmail, c.TrustEmail, c.EmailAttribute = links, links, "displayName" // which takes all letters
	})
	d.at.Set(d.ana, "displayName", "ana@company.example")
	d.provider.Clock = d.clock.Now
	return d
}

// owner is whose session an answer begins; empty: nobody's.
func (d *threeDoors) owner(t *testing.T, w *httptest.ResponseRecorder) *store.User {
	t.Helper()
	_, value, _ := strings.Cut(cookieOf(w, "quire_session"), "=")
	if value == "" {
		return nil
	}
	user, _, err := d.store.SessionUser(t.Context(), value, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// byDirectory signs somebody in at the directory, who is made for it.
func (d *threeDoors) byDirectory(uid, mail string, groups ...string) *httptest.ResponseRecorder {
	dn := d.at.AddPerson(uid, "correct horse")
	d.at.Set(dn, "displayName", mail)
	for _, group := range append(groups, d.staff) {
		d.at.Join(group, dn)
	}
	return d.enters(office, uid, "correct horse")
}

// byProvider signs somebody in at the provider.
func (d *threeDoors) byProvider(t *testing.T, sub, mail string, verified any, groups ...string) *httptest.ResponseRecorder {
	t.Helper()
	d.provider.Is(map[string]any{"sub": sub, "email": mail, "email_verified": verified, "name": "Person " + sub, "groups": append(groups, "staff")})
	w := d.check(t, scenario{path: "/auth/company", status: 303})
	request := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodGet, w.Header().Get("Location"), nil))
	resp := must[*http.Response](t)(http.DefaultTransport.RoundTrip(request))
	defer resp.Body.Close()
	back := must[*url.URL](t)(resp.Location())
	return d.do(scenario{path: back.RequestURI(), header: header("Cookie", cookieOf(w, "quire_sign_in"))})
}

// Nobody comes into the account of somebody else because of an address, whatever
// door they take, and whatever groups they are in.
func testNoAccountIsTakenOver(t *testing.T, open opener) {
	for _, links := range []bool{false, true} {
		t.Run(fmt.Sprintf("links %t", links), func(t *testing.T) { d := openThreeDoors(t, open, links); d.tryAll(t, links) })
	}
}

func (d *threeDoors) tryAll(t *testing.T, links bool) {
	ana := d.owner(t, d.enters(office, "ana", "correct horse"))
	bo := d.owner(t, d.byProvider(t, "bo", "bo@company.example", true))
	if ana == nil || bo == nil || ana.ID == bo.ID {
		t.Fatalf("they are %v and %v", ana, bo)
	}
	victims := map[string]int{"root@example.com": d.users["root"].ID, "author@example.com": d.users["author"].ID, "ana@company.example": ana.ID, "bo@company.example": bo.ID}
	before := d.rights(t, victims)
	attempts := 0
	// tried checks an attempt that must not end in the account of somebody else.
	tried := func(name string, w *httptest.ResponseRecorder, may ...int) {
		t.Helper()
		attempts++
		user := d.owner(t, w)
		if user == nil {
			if w.Code < 400 || w.Code > 499 {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
			return
		}
		for mail, id := range victims {
			if user.ID == id && (len(may) == 0 || may[0] != id) {
				t.Errorf("%s: came in as %s", name, mail)
			}
		}
	}
	n := 0
	for _, mail := range []string{
		"root@example.com", "ROOT@EXAMPLE.COM", "Root@Example.com ", "root@example.com.", "Root <root@example.com>", "root@example.com\u200b", "rооt@example.com", "ｒｏｏｔ@example.com",
		`"root"@example.com`, "root@example.com,x@y.example", "root+x@example.com", "root@EXAMPLE.com", "root@localhost", "bot (service account)",
		"ana@company.example", "ANA@company.example", "bo@company.example", "Bo@Company.example", "author@example.com",
	} {
		n++
		victim := victims[strings.ToLower(strings.TrimSpace(mail))]
		// An account with a password is opened by a vouched address where that is set,
		// once for each provider; those of root users and of others there never are.
		linkable := victim == d.users["author"].ID && links
		var may []int
		if linkable {
			may = []int{victim}
		}
		there, elsewhere := may, may
		if links && victim == ana.ID { // the provider vouches for it, and knows nobody else with it
			elsewhere = []int{victim}
		}
		if links && victim == bo.ID {
			there = []int{victim}
		}
		tried("the directory, with "+mail, d.byDirectory(fmt.Sprintf("d%d", n), mail), there...)
		tried("an administrator of the directory, with "+mail, d.byDirectory(fmt.Sprintf("i%d", n), mail, d.it))
		tried("the provider, unverified, with "+mail, d.byProvider(t, fmt.Sprintf("u%d", n), mail, false, "it"))
		tried("the provider, not vouched for, with "+mail, d.byProvider(t, fmt.Sprintf("w%d", n), mail, nil, "it"))
		tried("the provider, with "+mail, d.byProvider(t, fmt.Sprintf("v%d", n), mail, true), elsewhere...)
		tried("an administrator of the provider, with "+mail, d.byProvider(t, fmt.Sprintf("x%d", n), mail, true, "it"))
		d.clock.Advance(time.Hour)
	}
	// The names that one door gives mean nothing at another.
	subject := d.subject(t, "ana@company.example")
	tried("the provider, with the key of a person of the directory", d.byProvider(t, subject, "ana2@company.example", true))
	tried("the provider, with that and its issuer", d.byProvider(t, "ldap:example\n"+subject, "ana3@company.example", true))
	tried("the directory, named like the root user", d.byDirectory("root@example.com", "other@company.example"))
	tried("the directory, named like a subject of the provider", d.byDirectory("bo", "bo2@company.example"))
	// A name that somebody else gets is not the account of who had it.
	d.at.Leave(d.staff, d.ana)
	d.at.Delete(d.ana)
	tried("the directory, a name that was given anew", d.byDirectory("ana", "ana@company.example"))
	tried("the directory, a name that was given anew, with another address", d.enters(office, "ana", "correct horse"))
	// Passwords count at their door only.
	tried("a password of the directory here", d.post("/sign-in", form("place", ".", "email", "ana@company.example", "password", "correct horse")))
	tried("a password of here at the directory", d.enters(office, "author@example.com", password.Reveal()))
	tried("no place, a password of the directory", d.post("/sign-in", form("email", "ana@company.example", "password", "correct horse")))
	tried("the directory as a provider", d.do(scenario{path: "/auth/example/callback?code=x&state=y"}))
	tried("the provider as a directory", d.post("/sign-in", form("place", "company", "email", "ana", "password", "correct horse")))
	for _, mail := range []string{"ana@company.example", "bo@company.example"} {
		if user, _, err := d.store.ForgottenPassword(t.Context(), mail); user != nil || err != nil {
			t.Errorf("a link for the password of %s, who has none: %v %v", mail, user, err)
		}
	}
	if after := d.rights(t, victims); after != before {
		t.Errorf("rights changed:\n%s\nbefore:\n%s", after, before)
	}
	t.Logf("%d attempts, none let in as somebody else", attempts)
}

// rights are what victims may do, and how they come in.
func (d *threeDoors) rights(t *testing.T, victims map[string]int) string {
	t.Helper()
	var text strings.Builder
	for _, mail := range []string{"root@example.com", "author@example.com", "ana@company.example", "bo@company.example"} {
		user := must[*store.User](t)(d.store.UserByID(context.WithoutCancel(t.Context()), victims[mail]))
		fmt.Fprintf(&text, "%s root=%t", user.Email, user.IsRoot)
		if role, err := d.store.Membership(t.Context(), user.ID, d.demo.ID); err == nil && mail != "author@example.com" { // whose role a linked provider decides
			text.WriteString(" " + role.Name)
		}
		text.WriteString("\n")
	}
	for _, mail := range []string{"root@example.com", "author@example.com"} {
		if _, err := d.store.SignIn(t.Context(), mail, report.Secret(password.Reveal()), true); err != nil {
			fmt.Fprintf(&text, "%s: %v\n", mail, err)
		}
	}
	return text.String()
}
