package api

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// opened is a page as somebody sees it who is signed in.
func (h *house) opened(t *testing.T, who, path string, has ...string) string {
	t.Helper()
	return h.check(t, scenario{path: path, header: header("Cookie", h.session(who)), status: 200, has: has}).Body.String()
}

// sent is the answer to a form of somebody who is signed in.
func (h *house) sent(t *testing.T, who, path string, status int, namesAndValues ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := h.post(path, form(namesAndValues...), "Cookie", h.session(who))
	if w.Code != status {
		t.Errorf("%s by %s: %d; want %d\n%s", path, who, w.Code, status, w.Body)
	}
	return w
}

// leads checks where an answer sends the browser.
func leads(t *testing.T, w *httptest.ResponseRecorder, to string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != 303 || got != to {
		t.Errorf("%d to %q; want %q\n%s", w.Code, got, to, w.Body)
	}
}

// says checks the words of a page.
func says(t *testing.T, w *httptest.ResponseRecorder, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(w.Body.String(), word) {
			t.Errorf("the page lacks %q:\n%s", word, w.Body)
		}
	}
}

// TestTabsFollowTheRole: who can only look is not led to where things are made
// (screens B17: a viewer saw the library with all its kinds).
func TestTabsFollowTheRole(t *testing.T) {
	h := open(t)
	all := map[string]string{"library": "Library", "jobs": "Jobs", "files": "Files", "connections": "Connections", "members": "Members", "roles": "Roles", "settings": "Settings"}
	for who, tabs := range map[string]string{
		"root": "library jobs files connections members roles settings", "administrator": "library jobs files connections members roles settings",
		"author": "library files connections members roles", "viewer": "files", "guest": "",
	} {
		page := h.opened(t, who, "/ws/demo", `<a href="/ws/demo" aria-current="page"><span>Reports</span></a>`)
		for path, label := range all {
			has := strings.Contains(page, `<a href="/ws/demo/`+path+`"><span>`+label+"</span></a>")
			if want := strings.Contains(tabs, path); has != want {
				t.Errorf("%s sees the tab %s: %v", who, label, has)
			}
		}
		if has := strings.Contains(page, `href="/users"`); has != (who == "root") {
			t.Errorf("%s sees Users: %v", who, has)
		}
	}
}

func testOwnPassword(t *testing.T, open opener) {
	h := open(t)
	here, elsewhere := h.session("root"), h.session("root")
	change := func(current, fresh, repeated string) *httptest.ResponseRecorder {
		return h.post("/password", form("current", current, "password", fresh, "repeated", repeated), "Cookie", here)
	}
	old := password.Reveal()
	for name, c := range map[string]struct{ current, fresh, repeated, says string }{
		"nothing":          {"", "", "", "Enter your current password."},
		"a wrong one":      {"guess", "Another-horse-8", "Another-horse-8", "The current password is wrong."},
		"not the same":     {old, "Another-horse-8", "Another-horse-9", "The two new passwords are not the same."},
		"against the rule": {old, "another", "another", "A password needs at least 8 characters"},
		"the same again":   {old, old, old, "The new password is the current one."},
	} {
		w := change(c.current, c.fresh, c.repeated)
		if w.Code != 422 {
			t.Errorf("%s: %d", name, w.Code)
		}
		says(t, w, c.says, `aria-invalid="true"`)
		if strings.Contains(w.Body.String(), c.fresh+`"`) && c.fresh != "" {
			t.Errorf("%s: the page shows a password", name)
		}
	}
	h.check(t, scenario{path: "/", header: header("Cookie", elsewhere), status: 200})
	w := change(old, "Another-horse-8", "Another-horse-8")
	leads(t, w, "/password?done=changed")
	fresh := header("Cookie", strings.Split(w.Header().Get("Set-Cookie"), ";")[0])
	h.check(t, scenario{path: "/password?done=changed", header: fresh, status: 200, has: []string{"Your password was changed.", `src="/ui/password.js?v=`}, answer: map[string]string{"Content-Security-Policy": "script-src 'self'"}})
	for _, ended := range []string{here, elsewhere} {
		h.check(t, scenario{path: "/", header: header("Cookie", ended), status: 303})
	}
	must[*store.User](t)(h.store.SignIn(t.Context(), "root@example.com", report.Secret("Another-horse-8"), false))
}

func TestGuessingThePasswordOfASessionIsLimited(t *testing.T) {
	h := open(t)
	for range 5 {
		h.sent(t, "root", "/password", 422, "current", "guess", "password", "Another-horse-8", "repeated", "Another-horse-8")
	}
	h.sent(t, "root", "/password", 429, "current", password.Reveal(), "password", "Another-horse-8", "repeated", "Another-horse-8")
}

// TestEveryFormOfOtherSitesIsRefused sends every form from another site, with
// the cookie of somebody who may everything.
func TestEveryFormOfOtherSitesIsRefused(t *testing.T) {
	h := open(t, streamsEnd)
	cookie, sent := h.session("root"), 0
	for _, route := range h.routes {
		if route.Method == "GET" || route.Need.Ways&access.Session == 0 {
			continue
		}
		request, path := requestOf(route)
		request.Header.Set("Cookie", cookie)
		request.Header.Set("Sec-Fetch-Site", "cross-site")
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, request)
		if sent++; w.Code != 403 {
			t.Errorf("%s %s from another site: %d", route.Method, path, w.Code)
		}
	}
	if sent < 30 {
		t.Errorf("only %d routes were tried", sent)
	}
}

var shownPassword = regexp.MustCompile(`value="([a-z0-9]{5}(?:-[a-z0-9]{5}){3})"`)

func testUserPages(t *testing.T, open opener) {
	h := open(t)
	w := h.sent(t, "root", "/users", 200, "email", "ana@example.com", "name", "Ana <Jović>")
	found := shownPassword.FindStringSubmatch(w.Body.String())
	if found == nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("no password is shown:\n%s", w.Body)
	}
	ana := must[*store.User](t)(h.store.SignIn(t.Context(), "ana@example.com", report.Secret(found[1]), false))
	if ana.IsRoot || ana.DisplayName != "Ana <Jović>" {
		t.Errorf("%+v", ana)
	}
	if page := h.opened(t, "root", "/users", "Ana &lt;Jović&gt;", "0 workspaces"); strings.Contains(page, found[1]) {
		t.Error("the password is shown again")
	}
	h.opened(t, "root", "/users?q=JOVIC", "Ana &lt;Jović&gt;")
	h.opened(t, "root", "/users?q=nobody-like-this", "Nobody here is called")

	leads(t, h.sent(t, "root", "/users", 303, "email", "chief@example.com", "password", "Correct-horse-9", "root", "on"), "/users?done=created")
	if chief := must[*store.User](t)(h.store.SignIn(t.Context(), "chief@example.com", "Correct-horse-9", false)); !chief.IsRoot {
		t.Error("no root user was made")
	}
	for name, c := range map[string]struct {
		status int
		fields []string
		says   string
	}{
		"no address": {422, []string{"name", "x"}, "is not an email address"},
		"taken":      {409, []string{"email", "ANA@example.com"}, "There is a user with the address"},
		"weak":       {422, []string{"email", "weak@example.com", "password", "short"}, "A password needs at least 8 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, h.sent(t, "root", "/users", c.status, c.fields...), c.says, `id="problem"`, `<details class="card fold" open>`)
		})
	}
	testBlockingUsers(t, h, ana)
}

func testBlockingUsers(t *testing.T, h *house, ana *store.User) {
	h.users["ana"] = ana
	session, address := h.session("ana"), "/users/"+itoa(ana.ID)
	leads(t, h.sent(t, "root", address+"/deactivate", 303), "/users?done=deactivated")
	h.check(t, scenario{path: "/", header: header("Cookie", session), status: 303})
	h.opened(t, "root", "/users", `<span class="tag bad">blocked</span>`)
	leads(t, h.sent(t, "root", address+"/activate", 303), "/users?done=activated")
	says(t, h.sent(t, "root", "/users/"+itoa(h.users["root"].ID)+"/deactivate", 409), "You cannot block or unblock your own account.")
	if !must[*store.UserRow](t)(h.store.AnyUser(t.Context(), h.users["root"].ID)).IsActive {
		t.Error("root is blocked")
	}

	says(t, h.sent(t, "root", address+"/password", 422, "password", "weak"), "A password needs at least 8 characters")
	leads(t, h.sent(t, "root", address+"/password", 303, "password", "Correct-horse-8"), "/users?done=password")
	must[*store.User](t)(h.store.SignIn(t.Context(), "ana@example.com", "Correct-horse-8", false))
	found := shownPassword.FindStringSubmatch(h.sent(t, "root", address+"/password", 200).Body.String())
	if found == nil {
		t.Fatal("no password is shown")
	}
	must[*store.User](t)(h.store.SignIn(t.Context(), "ana@example.com", report.Secret(found[1]), false))
	// One's own is changed where the current one is asked for.
	own := "/users/" + itoa(h.users["root"].ID)
	leads(t, h.sent(t, "root", own+"/password", 303, "password", "Stolen-horse-8"), "/password")
	leads(t, h.do(scenario{path: own, header: header("Cookie", h.session("root"))}), "/password")
	must[*store.User](t)(h.store.SignIn(t.Context(), "root@example.com", password, false))
}

func testWorkspacePages(t *testing.T, open opener) {
	h := open(t)
	h.opened(t, "root", "/", `href="/workspaces/new"`)
	if strings.Contains(h.opened(t, "administrator", "/"), "/workspaces/new") {
		t.Error("others are offered to make workspaces")
	}
	leads(t, h.sent(t, "root", "/workspaces", 303, "name", "Sales", "description", "Figures", "code", "sales-team", "defaults", "on"), "/ws/sales-team")
	h.opened(t, "root", "/ws/sales-team", `<span class="where">Sales</span>`, "Figures")
	ws := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "sales-team"))
	if types := must[[]store.ReportType](t)(h.store.ReportTypes(t.Context(), ws.ID)); len(types) != 1 || types[0].Code != "other" {
		t.Errorf("%+v", types)
	}
	leads(t, h.sent(t, "root", "/workspaces", 303, "name", "Bare", "code", "bare"), "/ws/bare")
	bare := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "bare"))
	if themes := must[[]store.NamedRow](t)(h.store.Themes(t.Context(), bare.ID)); len(themes) != 0 {
		t.Errorf("%+v", themes)
	}
	says(t, h.sent(t, "root", "/workspaces", 409, "name", "Again", "code", "DEMO"), "There is a workspace with the code DEMO already.", `value="Again"`)
	says(t, h.sent(t, "root", "/workspaces", 422, "name", "x", "code", "12"), "digits only mean an ID")

	h.opened(t, "administrator", "/ws/demo/settings", `value="Demo"`, "Reports that show the product")
	leads(t, h.sent(t, "administrator", "/ws/demo/settings", 303, "name", "Harbour <office>"), "/ws/demo/settings?done=saved")
	if page := h.opened(t, "administrator", "/ws/demo/settings?done=saved", "Harbour &lt;office&gt;", "The settings are saved."); strings.Contains(page, "Delete") {
		t.Error("others than root are offered to delete the workspace")
	}
	says(t, h.sent(t, "root", "/ws/demo/delete", 422, "code", "dem"), "To delete the workspace, enter its code demo.", "Harbour &lt;office&gt;")
	leads(t, h.sent(t, "root", "/ws/demo/delete", 303, "code", " Demo"), "/?done=deleted")
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", h.session("root")), status: 404})
	h.opened(t, "root", "/?done=deleted", "The workspace was deleted.")
}

// roleID finds a role of the demo workspace.
func (h *house) roleID(t *testing.T, name string) string {
	t.Helper()
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if role.Name == name {
			return itoa(role.ID)
		}
	}
	t.Fatalf("no role %s", name)
	return ""
}

func testMemberPages(t *testing.T, open opener) {
	h := open(t)
	const members = "/ws/demo/members"
	if page := h.opened(t, "author", members, "administrator", "viewer@example.com"); strings.Contains(page, "<form method=\"post\" action=\"/ws") {
		t.Error("who may only look is offered forms")
	}
	viewer, author := h.roleID(t, "Viewer"), h.roleID(t, "Author")
	leads(t, h.sent(t, "administrator", members, 303, "email", "lonely@example.com", "role", viewer), members+"?done=added")
	h.opened(t, "lonely", "/ws/demo")
	says(t, h.sent(t, "administrator", members, 409, "email", "lonely@example.com", "role", viewer), "The user lonely@example.com is a member already.")
	says(t, h.sent(t, "administrator", members, 422, "email", "nobody", "role", viewer), "is not an email address", `value="nobody"`)
	says(t, h.sent(t, "administrator", members, 422, "email", "stranger@example.com", "role", "999999"), "Choose a role.")

	lonely := members + "/" + itoa(h.users["lonely"].ID)
	h.check(t, scenario{path: "/ws/demo/reports/1/design", header: header("Cookie", h.session("lonely")), status: 403})
	leads(t, h.sent(t, "administrator", lonely+"/role", 303, "role", author), members+"?done=changed")
	h.opened(t, "lonely", "/ws/demo/reports/1/design")
	leads(t, h.sent(t, "administrator", lonely+"/remove", 303), members+"?done=removed")
	h.check(t, scenario{path: "/ws/demo", header: header("Cookie", h.session("lonely")), status: 404})

	own := members + "/" + itoa(h.users["administrator"].ID)
	says(t, h.sent(t, "administrator", own+"/remove", 409), "This is the last administrator of the workspace")
	says(t, h.sent(t, "administrator", own+"/role", 409, "role", viewer), "This is the last administrator of the workspace")
	leads(t, h.sent(t, "root", own+"/remove", 303), members+"?done=removed")
}

func testRolePages(t *testing.T, open opener) {
	h := open(t)
	const roles = "/ws/demo/roles"
	h.opened(t, "administrator", roles, "Full on everything", "built in", "Sees only own reports")
	leads(t, h.sent(t, "administrator", roles, 303, "name", "Clerk", "description", "Files things", "level-reports", "write", "level-files", "full", "level-configuration", "full"), roles+"?done=created")
	clerk := h.roleID(t, "Clerk")
	one := roles + "/" + clerk
	h.opened(t, "administrator", one, `name="level-reports" value="write" checked`, `name="level-files" value="full" checked`, `name="level-jobs" value="none" checked`)
	h.opened(t, "administrator", roles, "Full on managed files, configuration · Write on reports")
	says(t, h.sent(t, "administrator", roles, 409, "name", "CLERK"), "There is a role CLERK already.", `value="CLERK"`)
	says(t, h.sent(t, "administrator", one, 422, "name", "Clerk", "level-files", "write"), "is not offered here")
	h.sent(t, "administrator", one, 400, "name", "Clerk", "level-files", "most")
	leads(t, h.sent(t, "administrator", one, 303, "name", "Head clerk", "level-reports", "read", "level-configuration", "full"), roles+"?done=saved")

	// A clerk rules members, but gives nobody more than a clerk has.
	leads(t, h.sent(t, "root", "/ws/demo/members", 303, "email", "lonely@example.com", "role", clerk), "/ws/demo/members?done=added")
	says(t, h.sent(t, "lonely", one, 403, "name", "Clerk", "level-reports", "full"), "may more than your role Head clerk")
	says(t, h.sent(t, "lonely", "/ws/demo/members", 403, "email", "stranger@example.com", "role", h.roleID(t, "Administrator")), "may more than your role")
	if page := h.opened(t, "lonely", "/ws/demo/members"); strings.Contains(page, ">Administrator</option>") || !strings.Contains(page, ">Guest</option>") {
		t.Error("a clerk is offered the wrong roles")
	}

	says(t, h.sent(t, "administrator", one+"/delete", 409), "The role still has a member: give them another role first.")
	builtIn := roles + "/" + h.roleID(t, "Administrator")
	leads(t, h.sent(t, "root", builtIn, 303, "name", "Chief", "level-reports", "read"), roles+"?done=saved") // only its second factor can be asked for
	says(t, h.sent(t, "root", builtIn+"/delete", 403), "is built in and cannot be changed")
	if page := h.opened(t, "administrator", builtIn, "This role is built in", "Role Administrator"); strings.Contains(page, "level-reports") || strings.Contains(page, "Chief") {
		t.Error("what Administrator may is offered to be changed, or has been")
	}
	leads(t, h.sent(t, "root", "/ws/demo/members/"+itoa(h.users["lonely"].ID)+"/remove", 303), "/ws/demo/members?done=removed")
	leads(t, h.sent(t, "administrator", one+"/delete", 303), roles+"?done=deleted")
	h.check(t, scenario{path: one, header: header("Cookie", h.session("administrator")), status: 404})
}
