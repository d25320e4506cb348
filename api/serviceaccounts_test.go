package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// service makes a service account of the demo workspace with a role, and a token
// of it under its name.
func (h *house) service(t *testing.T, name, role string, scopes store.TokenScopes) int {
	t.Helper()
	by := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
	for _, r := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if r.Name == role {
			id := must[int](t)(h.store.CreateServiceAccount(t.Context(), by, name, r.ID))
			h.tokens[name] = must[string](t)(h.store.CreateServiceToken(t.Context(), by, id, store.NewToken{Name: "ci", Reach: store.Reach{Scopes: scopes}}))
			return id
		}
	}
	t.Fatalf("there is no role %s", role)
	return 0
}

// TestEveryRouteAgainstServiceAccounts: they may what people with their role may
// in their workspace, and nothing else.
func TestEveryRouteAgainstServiceAccounts(t *testing.T) {
	t.Parallel()
	h := open(t, streamsEnd)
	roles := []string{"Administrator", "Author", "Viewer", "Operator", "Guest"} // the columns after root
	all := []store.TokenScopes{0, store.ScopeRead, store.ScopeExport, store.ScopeJobs, store.ScopeRead | store.ScopeJobs}
	for _, role := range roles {
		for _, scopes := range all {
			h.service(t, role+scopes.String(), role, scopes)
		}
	}
	tried, wrong := 0, 0
	for _, route := range h.routes {
		if route.Need.Open || route.Need.Ways&access.Token == 0 {
			continue
		}
		for i, role := range roles {
			for _, scopes := range all {
				tried++
				want := rights[nameOf(route)][i+1]
				if route.Need.Place == access.Root || !reaches(route, scopes) {
					want = http.StatusForbidden
				}
				if w := h.try(route, h.tokens[role+scopes.String()]); w.Code != want {
					wrong++
					t.Errorf("%s as %s with %q: %d; want %d\n%.300s", nameOf(route), role, scopes, w.Code, want, w.Body)
				}
			}
		}
	}
	t.Logf("%d requests of service accounts, %d wrongly let through or refused", tried, wrong)
	if tried < 1500 {
		t.Errorf("only %d were tried", tried)
	}
	h.check(t, scenario{path: "/api/v1/workspaces", who: "Administrator", status: 200, has: []string{`"code":"demo"`}, lacks: []string{"other-house"}})
	h.check(t, scenario{path: "/api/v1/ws/other-house/reports", who: "Administrator", status: 404})
}

func TestServiceAccounts(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.session("administrator")
	const all = "/ws/demo/service-accounts"
	var viewer string
	for _, r := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if r.Name == "Viewer" {
			viewer = itoa(r.ID)
		}
	}
	for _, body := range []string{form("name", "", "role", viewer), form("name", "x", "role", "999")} {
		if w := h.post(all, body, "Cookie", admin); w.Code != 422 {
			t.Errorf("%s: %d", body, w.Code)
		}
	}
	w := h.post(all, form("name", "Night <run>", "role", viewer), "Cookie", admin)
	one, _, _ := strings.Cut(w.Header().Get("Location"), "?")
	if w.Code != 303 || !strings.HasPrefix(one, all+"/") {
		t.Fatalf("making: %d %s\n%s", w.Code, one, w.Body)
	}
	if w := h.post(all, form("name", "NIGHT <RUN>", "role", viewer), "Cookie", admin); w.Code != 409 || !strings.Contains(w.Body.String(), "already") {
		t.Errorf("the name again: %d\n%s", w.Code, w.Body)
	}
	w = h.post(one+"/tokens", form("name", "ci", "days", "30", "scope", "export"), "Cookie", admin)
	found := shownToken.FindStringSubmatch(w.Body.String())
	if w.Code != 200 || found == nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("a token: %d\n%s", w.Code, w.Body)
	}
	h.tokens["night"] = found[1]
	pdf := scenario{path: pdfPath, who: "night", status: 200}
	h.check(t, pdf)
	h.check(t, scenario{path: "/api/v1/ws/demo/reports", who: "night", status: 403, has: []string{"scope read"}})
	h.check(t, scenario{path: all, header: header("Cookie", admin), status: 200, has: []string{"Night &lt;run&gt;", "Viewer · 1 token"}})
	h.check(t, scenario{path: one, header: header("Cookie", admin, "Accept-Language", "de"), status: 200, has: []string{"<code>export</code>", "Löschen"}, lacks: []string{found[1]}})
	h.check(t, scenario{path: "/tokens/all?q=night", header: header("Cookie", h.session("root")), status: 200, has: []string{"Night &lt;run&gt; (service account)"}})
	for path, who := range map[string]string{"/ws/demo/members": "administrator", "/users": "root"} {
		h.check(t, scenario{path: path, header: header("Cookie", h.session(who)), status: 200, lacks: []string{"Night"}})
	}
	h.check(t, scenario{path: "/users/" + one[strings.LastIndex(one, "/")+1:], header: header("Cookie", h.session("root")), status: 404})
	if list := h.events(t, "administrator", "/api/v1/ws/demo/audit?action=export.made"); len(list) != 1 || list[0].Actor != "Night <run> (service account)" || list[0].ActorKind != store.ByToken {
		t.Errorf("the audit log has %+v", list)
	}

	if w := h.post(one, form("name", "Day run", "role", viewer), "Cookie", admin); w.Code != 303 {
		t.Errorf("renaming: %d\n%s", w.Code, w.Body)
	}
	for _, step := range []struct {
		path   string
		status int
	}{{"/block", 401}, {"/unblock", 200}, {"/delete", 401}} {
		if w := h.post(one+step.path, "", "Cookie", admin); w.Code != 303 {
			t.Errorf("%s: %d\n%s", step.path, w.Code, w.Body)
		}
		pdf.status = step.status
		h.check(t, pdf)
	}
	h.check(t, scenario{path: one, header: header("Cookie", admin), status: 404})

	// Who may less than its role sees it, and changes nothing.
	h.as(t, "clerk", levels{store.Configuration: store.Full})
	strong := fmt.Sprintf("%s/%d", all, h.service(t, "strong", "Administrator", 0))
	clerk := h.session("clerk")
	h.check(t, scenario{path: strong, header: header("Cookie", clerk), status: 200, has: []string{"may more than yours"}, lacks: []string{strong + "/tokens", strong + "/delete"}})
	for path, body := range map[string]string{"": form("name", "mine", "role", viewer), "/block": "", "/delete": "", "/tokens": form("name", "mine", "days", "0")} {
		if w := h.post(strong+path, body, "Cookie", clerk); w.Code != 403 || shownToken.MatchString(w.Body.String()) {
			t.Errorf("%s by a clerk: %d", path, w.Code)
		}
	}
	h.check(t, scenario{path: "/api/v1/ws/demo/audit", who: "strong", status: 200})
}
