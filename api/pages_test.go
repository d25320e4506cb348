package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func form(namesAndValues ...string) string {
	values := url.Values{}
	for i := 0; i < len(namesAndValues); i += 2 {
		values.Set(namesAndValues[i], namesAndValues[i+1])
	}
	return values.Encode()
}

// post sends a form as a browser does.
func (h *house) post(path, body string, headers ...string) *httptest.ResponseRecorder {
	hd := header(append([]string{"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin"}, headers...)...)
	return h.do(scenario{method: "POST", path: path, body: body, header: hd})
}

func testSignIn(t *testing.T, open opener) {
	h := open(t)
	h.check(t, scenario{path: "/ws/demo?offset=3", status: 303, answer: map[string]string{"Location": "/sign-in?next=" + url.QueryEscape("/ws/demo?offset=3")}})
	h.check(t, scenario{path: "/sign-in?next=/ws/demo", status: 200, has: []string{`value="/ws/demo"`, `autocomplete="current-password"`}, answer: map[string]string{"Content-Security-Policy": "frame-ancestors 'none'"}})

	w := h.post("/sign-in", form("email", "ROOT@example.com ", "password", password.Reveal(), "next", "/ws/demo"))
	if w.Code != 303 || w.Header().Get("Location") != "/ws/demo" {
		t.Fatalf("signing in: %d to %q\n%s", w.Code, w.Header().Get("Location"), w.Body)
	}
	cookie := strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	h.check(t, scenario{path: "/", header: header("Cookie", cookie), status: 200, has: []string{"Demo", "Other house", "Plain invoice", `href="/ws/demo/reports/1/preview"`, `href="/ws/demo/reports/1/pdf"`, "Sign out"}})

	again := h.post("/sign-in", form("email", "root@example.com", "password", password.Reveal()), "Cookie", cookie)
	if fresh := strings.Split(again.Header().Get("Set-Cookie"), ";")[0]; fresh == cookie || fresh == "" {
		t.Error("signing in keeps the session that was there before")
	}
	h.check(t, scenario{path: "/", header: header("Cookie", cookie), status: 303}) // the one before has ended

	cookie = strings.Split(again.Header().Get("Set-Cookie"), ";")[0]
	if w := h.post("/sign-out", "", "Cookie", cookie); w.Code != 303 || !strings.Contains(w.Header().Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("signing out: %d, %s", w.Code, w.Header().Get("Set-Cookie"))
	}
	h.check(t, scenario{path: "/", header: header("Cookie", cookie), status: 303})
	testSessionsEnd(t, h)
}

// testSessionsEnd checks that time, a new password and a blocked account end
// sessions.
func testSessionsEnd(t *testing.T, h *house) {
	old := h.session("root")
	if err := h.store.SetPassword(t.Context(), h.users["root"].ID, "Another-horse-8"); err != nil {
		t.Fatal(err)
	}
	h.check(t, scenario{path: "/", header: header("Cookie", old), status: 303})
	blocked := h.session("author")
	if err := h.store.SetActive(t.Context(), h.users["author"].ID, false); err != nil {
		t.Fatal(err)
	}
	h.check(t, scenario{path: "/", header: header("Cookie", blocked), status: 303})
	late := h.session("viewer")
	h.check(t, scenario{path: "/", header: header("Cookie", late), status: 200})
	h.clock.Advance(8 * 24 * time.Hour)
	h.check(t, scenario{path: "/", header: header("Cookie", late), status: 303})
}

func TestSignInRefusals(t *testing.T) {
	h := open(t)
	wrong := h.post("/sign-in", form("email", "root@example.com", "password", "guess"))
	unknown := h.post("/sign-in", form("email", "nobody@example.com", "password", "guess"))
	for name, w := range map[string]*httptest.ResponseRecorder{"a wrong password": wrong, "an unknown user": unknown} {
		if w.Code != 422 || !strings.Contains(w.Body.String(), "Email address or password is wrong.") || strings.Contains(w.Body.String(), "guess") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
	}
	if !strings.Contains(wrong.Body.String(), `value="root@example.com"`) {
		t.Error("the form forgets the address")
	}
	for name, body := range map[string]string{
		"nothing": "", "no password": form("email", "root@example.com"), "a zero byte": form("email", "a\x00b", "password", "x"), "no text": "email=%FF&password=x", "markup": form("email", `"><script>`, "password", "x"),
	} {
		if w := h.post("/sign-in", body); w.Code != 422 || strings.Contains(w.Body.String(), "<script>") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
	}
	if w := h.post("/sign-in", "email=%zz"); w.Code != 400 {
		t.Errorf("a broken form: %d", w.Code)
	}
	if w := h.post("/sign-in", strings.Repeat("a", 100_000)); w.Code != 400 {
		t.Errorf("a large form: %d", w.Code)
	}
}

func TestWhereSignInLeads(t *testing.T) {
	h := open(t, func(c *Config) { c.PathBase = "/reports" })
	for next, want := range map[string]string{
		"/reports/ws/demo?offset=24": "/reports/ws/demo?offset=24",
		"":                           "/reports/", "/elsewhere": "/reports/", "//evil.example": "/reports/", `/\evil.example`: "/reports/",
		"https://evil.example/reports/": "/reports/", "javascript:alert(1)": "/reports/", `/reports/\evil`: "/reports/",
	} {
		w := h.post("/reports/sign-in", form("email", "root@example.com", "password", password.Reveal(), "next", next))
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("next %q leads to %q; want %q", next, got, want)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	h := open(t)
	cookie := h.session("root")
	for name, headers := range map[string][]string{
		"by fetch metadata": {"Sec-Fetch-Site", "cross-site"},
		"a sister site":     {"Sec-Fetch-Site", "same-site"},
		"by origin":         {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		"no origin":         {"Sec-Fetch-Site", "", "Origin", "null"},
	} {
		for path, body := range map[string]string{
			"/tokens": form("name", "stolen", "days", "0"), "/sign-out": "", "/tokens/1/revoke": "",
			"/sign-in": form("email", "root@example.com", "password", password.Reveal()),
		} {
			if w := h.post(path, body, append(headers, "Cookie", cookie)...); w.Code != 403 || len(w.Result().Cookies()) > 0 {
				t.Errorf("%s, %s: %d", path, name, w.Code)
			}
		}
	}
	if tokens, err := h.store.Tokens(t.Context(), h.users["root"].ID); err != nil || len(tokens) != 1 {
		t.Errorf("there are %d tokens: %v", len(tokens), err)
	}
}

var shownToken = regexp.MustCompile(`value="(qrt_[0-9A-Za-z]{40})"`)

func testTokenPages(t *testing.T, open opener) {
	h := open(t)
	cookie := h.session("viewer")
	w := h.post("/tokens", form("name", "Billing <server>", "days", "30"), "Cookie", cookie)
	found := shownToken.FindStringSubmatch(w.Body.String())
	if w.Code != 200 || found == nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("creating: %d\n%s", w.Code, w.Body)
	}
	h.check(t, scenario{path: "/api/v1/workspaces", header: header("Authorization", "Bearer "+found[1]), status: 200})
	h.check(t, scenario{path: "/tokens", header: header("Cookie", cookie), status: 200, lacks: []string{found[1]}, has: []string{"Billing &lt;server&gt;", "qrt_…" + found[1][len(found[1])-4:], "/tokens/"}})
	if w := h.post("/tokens", form("name", " ", "days", "30"), "Cookie", cookie); w.Code != 422 || !strings.Contains(w.Body.String(), "A token needs a name") {
		t.Errorf("no name: %d\n%s", w.Code, w.Body)
	}
	for _, body := range []string{"", form("name", "x", "days", "-1"), form("name", "x", "days", "many"), "name=%FF&days=1"} {
		if w := h.post("/tokens", body, "Cookie", cookie); w.Code != 400 {
			t.Errorf("%q: %d", body, w.Code)
		}
	}
	tokens, err := h.store.Tokens(t.Context(), h.users["viewer"].ID)
	if err != nil {
		t.Fatal(err)
	}
	revoke := "/tokens/" + itoa(tokens[0].ID) + "/revoke"
	if w := h.post(revoke, "", "Cookie", h.session("author")); w.Code != 404 {
		t.Errorf("revoking somebody else's: %d", w.Code)
	}
	if w := h.post(revoke, "", "Cookie", cookie); w.Code != 303 || w.Header().Get("Location") != "/tokens?done=revoked" {
		t.Errorf("revoking: %d", w.Code)
	}
	h.check(t, scenario{path: "/api/v1/workspaces", header: header("Authorization", "Bearer "+found[1]), status: 401})
	h.clock.Advance(31 * 24 * time.Hour)
}

func TestListsForPeople(t *testing.T) {
	h := open(t)
	must[struct{}](t)(struct{}{}, h.store.SetPreviewImage(t.Context(), h.demo.ID, 1, "image/svg+xml", strings.NewReader("<svg/>")))
	h.run([]scenario{
		{name: "a workspace", path: "/ws/demo", header: header("Cookie", h.session("viewer")), status: 200, has: []string{
			`<span class="where">Demo</span>`, "<h1>Reports</h1>", "Sales", `src="/ws/demo/reports/1/preview-image?v=`, `class="no-picture"`,
		}, lacks: []string{"Next"}},
		{name: "a page beyond the last", path: "/ws/demo?offset=24", header: header("Cookie", h.session("viewer")), status: 200, has: []string{"There are no reports on this page", "Previous"}},
		{name: "an offset that is none", path: "/ws/demo?offset=x", header: header("Cookie", h.session("viewer")), status: 200, has: []string{"Invoice"}},
		{name: "only own reports", path: "/ws/demo", header: header("Cookie", h.session("guest")), status: 200, has: []string{"only reports that you made"}},
		{name: "no workspace", path: "/", header: header("Cookie", h.session("lonely")), status: 200, has: []string{"No workspace yet"}},
		{name: "a foreign workspace", path: "/ws/demo", header: header("Cookie", h.session("stranger")), status: 404, has: []string{"Not found", "Request "}},
		{name: "no such page", path: "/nothing", status: 404, has: []string{"<!doctype html>", "Not found"}},
		{name: "a wrong method", method: "DELETE", path: "/", status: 405, has: []string{"<!doctype html>"}, answer: map[string]string{"Allow": "GET, HEAD"}},
		{name: "the picture", path: "/ws/demo/reports/1/preview-image", who: "viewer", status: 200, has: []string{"<svg/>"}, answer: map[string]string{"Content-Type": "image/svg+xml", "Content-Security-Policy": "sandbox"}},
		{name: "the API names the picture", path: "/api/v1/ws/demo/reports", who: "viewer", status: 200, has: []string{`"previewImage":"/ws/demo/reports/1/preview-image?v=`}},
		{name: "the style sheet", path: "/ui/style.css", status: 200, answer: map[string]string{"Content-Type": "text/css", "Cache-Control": "immutable"}},
		{name: "no other file", path: "/ui/nothing.css", status: 404},
	})
}

func TestPagingOfReports(t *testing.T) {
	h := open(t)
	content := report.Workspace{Name: "Large", Code: "large", ReportTypes: []report.ReportType{{Name: "Other", Code: "other"}}}
	for i := range 30 {
		content.Reports = append(content.Reports, report.NamedReport{Code: "r" + itoa(i), Report: report.Report{Version: 1, Name: "Report " + itoa(i), Type: "other"}})
	}
	if _, err := h.store.ImportWorkspace(t.Context(), content); err != nil {
		t.Fatal(err)
	}
	cookie := header("Cookie", h.session("root"))
	h.run([]scenario{
		{name: "first page", path: "/ws/large", header: cookie, status: 200, has: []string{"Report 23", `href="/ws/large?offset=24"`}, lacks: []string{"Report 24"}},
		{name: "second page", path: "/ws/large?offset=24", header: cookie, status: 200, has: []string{"Report 29", `href="/ws/large?offset=0"`}},
		{name: "home shows the first", path: "/", header: cookie, status: 200, has: []string{"Report 7", "All reports", `href="/ws/large?new=1"`}, lacks: []string{"Report 8<"}},
		{name: "a new report is named at once", path: "/ws/large?new=1", header: cookie, status: 200, has: []string{`placeholder="Name of the report" autofocus`}},
	})
}

func TestPagesBelowAPath(t *testing.T) {
	h := open(t, func(c *Config) { c.PathBase = "/reports"; c.PublicURL = "https://example.com" })
	cookie := header("Cookie", h.session("root"))
	h.run([]scenario{
		{name: "links", path: "/reports/", header: cookie, status: 200, has: []string{`href="/reports/ui/style.css`, `href="/reports/ws/demo/reports/1/preview"`, `action="/reports/sign-out"`, `href="/reports/api/explorer"`}},
		{name: "the base itself", path: "/reports", status: 308, answer: map[string]string{"Location": "/reports/"}},
		{name: "outside", path: "/api/v1/workspaces", who: "root", status: 404, has: []string{`"error"`, "/reports/"}},
		{name: "a name that begins alike", path: "/reportsX", status: 404},
		{name: "the API", path: "/reports/api/v1/workspaces", who: "root", status: 200},
		{name: "unknown in the API", path: "/reports/api/x", who: "root", status: 404, has: []string{`"error"`}},
		{name: "to sign in", path: "/reports/tokens", status: 303, answer: map[string]string{"Location": "/reports/sign-in?next=%2Freports%2Ftokens"}},
		{name: "the description", path: "/reports/api/v1/openapi.json", status: 200, has: []string{`"servers":[{"url":"https://example.com/reports"}]`}},
		{name: "assets", path: "/reports/assets/preview.js", status: 200},
		{name: "a workspace", path: "/reports/ws/demo", header: cookie, status: 200, has: []string{`href="/reports/ws/demo/files"`, `action="/reports/ws/demo/reports/2/delete"`, `href="/reports/password"`, `href="/reports/users"`}},
		{name: "members", path: "/reports/ws/demo/members", header: cookie, status: 200, has: []string{`action="/reports/ws/demo/members"`}},
		{name: "roles", path: "/reports/ws/demo/roles", header: cookie, status: 200, has: []string{`href="/reports/ws/demo/roles/1"`}},
		{name: "users", path: "/reports/users", header: cookie, status: 200, has: []string{`action="/reports/users"`, `src="/reports/ui/password.js?v=`}},
	})
}

// TestPagesAreWholeWithoutScript checks what a browser needs to be told: the
// scripts of pages are those of the finder and of menus, in lists that of filters,
// and at the door that of passkeys. As modules they have their names to themselves.
func TestPagesAreWholeWithoutScript(t *testing.T) {
	h := open(t)
	for _, path := range []string{
		"/", "/tokens", "/ws/demo", "/sign-in", "/workspaces/new", "/ws/demo/settings", "/ws/demo/members", "/ws/demo/roles", "/ws/demo/roles/new", "/ws/demo/roles/1", "/ws/demo/reports/1/move",
		"/ws/demo/files", "/ws/demo/connections", "/ws/demo/connections/new?type=api",
	} {
		w := h.do(scenario{path: path, header: http.Header{"Cookie": {h.session("root")}}})
		page := w.Body.String()
		scripts := []string{"finder", "menus"}
		if path == "/sign-in" {
			scripts = []string{"passkey"}
		}
		if path == "/ws/demo" {
			scripts = append(scripts, "filter")
		}
		for _, name := range scripts {
			says(t, w, `<script type="module" src="/ui/`+name+`.js?v=`)
		}
		if path == "/ws/demo" { // who has which report open
			scripts = append(scripts, "live")
			says(t, w, `/live.js" defer></script>`)
		}
		if strings.Count(page, "<script") != len(scripts) || strings.Contains(page, "style=") || !strings.Contains(page, `<html lang="en">`) || strings.Count(page, "<h1") != 1 {
			t.Errorf("%s has a script, a style or not one heading", path)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "script-src 'self';") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}
