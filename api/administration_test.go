package api

import (
	"net/http/httptest"
	"strings"
	"testing"

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

func TestTabsFollowTheRole(t *testing.T) {
	h := open(t)
	all := map[string]string{"library": "Library", "files": "Files", "connections": "Connections", "members": "Members", "roles": "Roles", "settings": "Settings"}
	for who, tabs := range map[string]string{
		"root": "library files connections members roles settings", "administrator": "library files connections members roles settings",
		"author": "library files connections members roles", "viewer": "library files", "guest": "",
	} {
		page := h.opened(t, who, "/ws/demo", `<a href="/ws/demo" aria-current="page">Reports</a>`)
		for path, label := range all {
			has := strings.Contains(page, `<a href="/ws/demo/`+path+`">`+label+"</a>")
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
	must[*store.User](t)(h.store.SignIn(t.Context(), "root@example.com", report.Secret("Another-horse-8")))
}

func TestGuessingThePasswordOfASessionIsLimited(t *testing.T) {
	h := open(t)
	for range 5 {
		h.sent(t, "root", "/password", 422, "current", "guess", "password", "Another-horse-8", "repeated", "Another-horse-8")
	}
	h.sent(t, "root", "/password", 429, "current", password.Reveal(), "password", "Another-horse-8", "repeated", "Another-horse-8")
}
