package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// holding is what somebody holds when they lose a role.
type holding struct {
	h       *house
	who     string
	session string
	preview http.Header // the cookie of one that is open
	nonces  []string    // that are not used yet
}

// holds gives somebody who is signed in all that can be held.
func (h *house) holds(t *testing.T, who, email, session string) *holding {
	t.Helper()
	user := must[*store.User](t)(h.store.UserByEmail(t.Context(), email))
	h.users[who], h.tokens[who] = user, must[string](t)(h.store.CreateToken(t.Context(), user.ID, store.NewToken{Name: "script"}))
	h.tokens[who+" limited"] = h.limited(who, h.demo.ID, "read")
	nonce := func() string { return h.scopedOf(t, who, `{"workspace":"demo","reports":"*"}`) }
	opened := h.check(t, scenario{path: previewPath + "?nonce=" + nonce(), status: 200})
	return &holding{h, who, session, cookiesOf(opened), []string{nonce(), nonce()}}
}

// after are the statuses of what is asked for with it.
type after struct{ session, edits, token, nonce, preview int }

// is holds everything against what it should be.
func (o *holding) is(t *testing.T, want after) {
	t.Helper()
	nonce := o.nonces[0]
	o.nonces = o.nonces[1:]
	ask := func(path, who string, header http.Header) int {
		return o.h.do(scenario{path: path, who: who, header: header}).Code
	}
	got := after{
		session: ask("/ws/demo", "", header("Cookie", o.session)),
		edits:   ask("/ws/demo/reports/1/design", "", header("Cookie", o.session)),
		token:   ask("/api/v1/ws/demo/reports", o.who, nil),
		nonce:   ask(previewPath+"?nonce="+nonce, "", nil),
		preview: ask(previewPath, "", o.preview),
	}
	if got != want {
		t.Errorf("%+v; want %+v", got, want)
	}
	if limited := ask("/api/v1/ws/demo/reports", o.who+" limited", nil); limited != want.token {
		t.Errorf("a token with a scope: %d; want %d", limited, want.token)
	}
}

// testARoleThatIsTaken: what a group that is removed at the provider gave is gone
// with the next request, whatever somebody holds. docs/sso.md has the table.
func testARoleThatIsTaken(t *testing.T, open opener) {
	author, viewer := after{200, 200, 200, 200, 200}, after{200, 403, 200, 200, 200}
	nothing, out, blocked := after{404, 404, 404, 404, 404}, after{303, 303, 404, 404, 404}, after{303, 303, 401, 401, 401}
	// taken measures how long after the last word of the provider it is gone.
	taken := func(t *testing.T, o *holding, want after, by func() *httptest.ResponseRecorder) {
		t.Helper()
		began := time.Now()
		by()
		said := time.Now()
		o.is(t, want)
		t.Logf("%.1f ms for the provider's word, %.1f ms for six requests after it", float64(said.Sub(began).Microseconds())/1000, float64(time.Since(said).Microseconds())/1000)
	}
	t.Run("OpenID Connect", func(t *testing.T) {
		c := openCompany(t, open)
		is := func(groups ...string) func() *httptest.ResponseRecorder {
			return func() *httptest.ResponseRecorder {
				c.at.Is(person("1", "ana@company.example", groups...))
				return c.signIn(t)
			}
		}
		is("staff", "authors")()
		o := c.holds(t, "ana", "ana@company.example", c.comesIn(t))
		o.nonces = append(o.nonces, c.nonce("ana"))
		o.is(t, author)
		taken(t, o, viewer, is("staff"))
		taken(t, o, out, is("football"))
	})
	t.Run("SAML", func(t *testing.T) {
		c := openSAMLCompany(t, open)
		is := func(groups ...string) func() *httptest.ResponseRecorder {
			return func() *httptest.ResponseRecorder {
				return c.signIn(t, samlPerson("1", "ana@company.example", groups...))
			}
		}
		session := cookieOf(is("staff", "authors")(), "quire_session")
		o := c.holds(t, "ana", "ana@company.example", session)
		taken(t, o, viewer, is("staff"))
		taken(t, o, out, is("football"))
	})
	t.Run("LDAP", func(t *testing.T) {
		d := openDirectory(t, open, func(c *sso.DirectoryConfig) { c.RequiredGroups = nil })
		d.at.Join(d.authors, d.ana)
		session, _ := d.comesIn(t, "ana", "correct horse")
		o := d.holds(t, "ana", "ana@company.example", session)
		o.nonces = append(o.nonces, d.nonce("ana"))
		look := func(change func()) func() *httptest.ResponseRecorder {
			return func() *httptest.ResponseRecorder { change(); d.syncs(t); return nil }
		}
		taken(t, o, viewer, look(func() { d.at.Leave(d.authors, d.ana) }))
		taken(t, o, nothing, look(func() { d.at.Leave(d.staff, d.ana) }))
		taken(t, o, blocked, look(func() { d.at.Set(d.ana, "userAccountControl", "514") }))
	})
	t.Run("SCIM", func(t *testing.T) {
		h := open(t)
		h.tokens["scim"] = h.provisioning(store.SourceSCIM, false)
		id := h.scim(t, http.MethodPost, "/Users", `{"userName":"ana@company.example"}`, 201)["id"].(string)
		root := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
		groups := map[string]string{}
		for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
			if role.Name == "Author" || role.Name == "Viewer" {
				groups[role.Name] = h.scim(t, http.MethodPost, "/Groups", fmt.Sprintf(`{"displayName":"%ss","members":[{"value":"%s"}]}`, role.Name, id), 201)["id"].(string)
				noError(t, h.store.GiveGroup(t.Context(), root, role.Name+"s", role.ID))
			}
		}
		h.users["ana"] = must[*store.User](t)(h.store.UserByEmail(t.Context(), "ana@company.example"))
		o := h.holds(t, "ana", "ana@company.example", h.session("ana"))
		o.nonces = append(o.nonces, h.nonce("ana"))
		push := func(path, operation string) func() *httptest.ResponseRecorder {
			return func() *httptest.ResponseRecorder {
				w := h.do(scenario{method: http.MethodPatch, path: "/scim/v2" + path, who: "scim", body: `{"Operations":[` + operation + `]}`, header: header("Content-Type", "application/scim+json")})
				if w.Code >= 300 {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
				return w
			}
		}
		leave := fmt.Sprintf(`{"op":"remove","path":"members[value eq \"%s\"]"}`, id)
		taken(t, o, viewer, push("/Groups/"+groups["Author"], leave))
		taken(t, o, nothing, push("/Groups/"+groups["Viewer"], leave))
		taken(t, o, blocked, push("/Users/"+id, `{"op":"replace","path":"active","value":false}`))
	})
}

// What somebody has asked for before they lost the role is refused when it is made.
func TestAnExportOfWhoLostTheRoleIsRefused(t *testing.T) {
	t.Parallel()
	c := openCompany(t, open)
	c.at.Is(person("1", "ana@company.example", "staff"))
	o := c.holds(t, "ana", "ana@company.example", c.comesIn(t))
	waiting := c.begin(t, "ana", `{}`)
	c.at.Is(person("1", "ana@company.example", "football"))
	c.signIn(t)
	c.work()
	o.is(t, after{303, 303, 404, 404, 404})
	if status := c.ended(t, "root", waiting); !strings.Contains(status, `"Failed"`) {
		t.Errorf("an export of somebody without a role: %s", status)
	}
}
