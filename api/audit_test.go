package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// events are what the audit log tells a caller, the oldest first.
func (h *house) events(t *testing.T, who, path string) []store.AuditEvent {
	t.Helper()
	w := h.do(scenario{who: who, path: path})
	var list []store.AuditEvent
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %v\n%s", path, w.Code, err, w.Body)
	}
	return list
}

// TestTheAuditLogTellsWhoDidWhat follows people through the API and the pages:
// each deed is there, with who and where from, and no secret is.
func TestTheAuditLogTellsWhoDidWhat(t *testing.T) {
	h := open(t)
	form := func(path string, fields url.Values, cookie string) {
		t.Helper()
		w := h.do(scenario{method: "POST", path: path, body: fields.Encode(), header: header("Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)})
		if w.Code >= 500 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	began := h.events(t, "root", "/api/v1/audit?limit=1")[0].ID
	form("/sign-in", url.Values{"email": {h.users["author"].Email}, "password": {"canary-wrong"}}, "")
	form("/sign-in", url.Values{"email": {"canary-in-the-wrong-field"}, "password": {"x"}}, "")
	session := h.session("administrator")
	form("/tokens", url.Values{"name": {"nightly"}, "days": {"30"}}, session)
	form("/ws/demo/connections", url.Values{
		"type": {"email"}, "name": {"mail"}, "field.host": {"smtp.example.com"}, "field.port": {"587"}, "field.enableSsl": {"true"}, "field.username": {"reports"}, "field.from": {"reports@example.com"}, "field.password": {"canary-pass"},
	}, session)
	h.check(t, scenario{who: "author", path: "/api/v1/ws/demo/reports/invoice/pdf?params.customer=canary-value", status: 200})
	h.check(t, scenario{who: "author", method: "POST", path: "/api/v1/ws/demo/reports/invoice/export", body: `{"protection":{"userPassword":"canary-open"}}`, status: 202})
	h.check(t, scenario{who: "viewer", method: "POST", path: "/api/v1/nonce-tokens", body: `{"workspace":"demo","reports":["invoice"],"params":{"customer":"canary-value"}}`, status: 200})
	h.check(t, scenario{who: "viewer", method: "POST", path: "/api/v1/ws/demo/temporary-data", body: `{"content":{"secret":"canary-data"}}`, status: 200})

	var got []string
	list := h.events(t, "root", "/api/v1/audit?limit=1000")
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if e.ID > began {
			got = append(got, fmt.Sprintf("%s %s %s %s %s", e.Action, e.Outcome, e.ActorKind, strings.SplitN(e.Actor, "@", 2)[0], e.Workspace))
		}
		if e.ActorKind != "system" && (e.Address == "" || e.Request == "") && e.ID > began+3 && e.ActorKind != "user" {
			t.Errorf("nobody knows where from: %+v", e)
		}
	}
	want := []string{
		"session.sign_in_failed refused anonymous author ",
		"session.sign_in_failed refused anonymous (no e-mail address) ",
		"session.signed_in done user administrator ",
		"token.created done user administrator ",
		"connection.saved done user administrator demo",
		"export.made done token author demo",
		"export.started done token author demo",
		"nonce.created done token viewer demo",
		"data.uploaded done token viewer demo",
	}
	for _, line := range want {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+line+"\n") {
			t.Errorf("%q is not recorded; these are:\n%s", line, strings.Join(got, "\n"))
		}
	}
	whole := h.do(scenario{who: "root", path: "/api/v1/audit?limit=1000"}).Body.String()
	if found := regexp.MustCompile(`.{0,80}canary.{0,20}`).FindString(whole); found != "" {
		t.Errorf("a secret is in the audit log: %s", found)
	}
	// Administrators of a workspace see it, and nothing beside it.
	for _, e := range h.events(t, "administrator", "/api/v1/ws/demo/audit?limit=1000") {
		if e.Workspace != "demo" {
			t.Errorf("of another workspace: %+v", e)
		}
	}
}

// TestAuditPages turns the pages of the log by the header, and refuses what
// cannot be meant.
func TestAuditPages(t *testing.T) {
	h := open(t)
	for i := range 5 {
		h.store.Note(t.Context(), store.Event{Action: store.AuditExportMade, WorkspaceID: h.demo.ID, Target: store.Target{Kind: "report", ID: fmt.Sprint(i), Name: fmt.Sprint("Report ", i)}})
	}
	var got []string
	for path := "/api/v1/audit?action=export&limit=2"; path != ""; {
		w := h.do(scenario{who: "root", path: path})
		var list []store.AuditEvent
		noError(t, json.Unmarshal(w.Body.Bytes(), &list))
		for _, e := range list {
			got = append(got, e.TargetID)
		}
		path = ""
		if link := regexp.MustCompile(`<(.*)>; rel="next"`).FindStringSubmatch(w.Header().Get("Link")); link != nil {
			path = "/api/v1/audit" + link[1]
		}
	}
	if strings.Join(got, "") != "43210" {
		t.Errorf("pages hold %v", got)
	}
	for _, query := range []string{"outcome=maybe", "from=yesterday", "limit=0", "before=x"} {
		h.check(t, scenario{who: "root", path: "/api/v1/audit?" + query, status: 400})
	}
	page := func(path string, has ...string) {
		t.Helper()
		h.check(t, scenario{path: path, header: header("Cookie", h.session("root")), status: 200, has: has})
	}
	page("/audit?action=export", "Report exported <strong>Report 4</strong>", "the service", `<option value="export" selected>`)
	page("/audit?q=no+such+thing", "Nothing that was done fits.", `href="/audit">Show everything`)
	page("/ws/demo/audit?from=2001-02-03&to=2001-02-03", `value="2001-02-03"`, "Nothing that was done fits.")
}
