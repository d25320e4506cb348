package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

const ofAna = `{"workspace":"demo","reports":["invoice","sales"],"params":{"year":2026},"user":{"sub":"crm-7","name":"Ana Marić","email":"ana@example.com","groups":["north","board"]}}`

// shows looks at an address and tells who was shown it.
func (h *house) shows(t *testing.T, path string, with http.Header, status int) report.Person {
	t.Helper()
	h.export.shown.User = report.Person{Sub: "not asked"}
	h.check(t, scenario{path: path, header: with, status: status})
	return h.export.shown.User
}

// TestAHostSaysWhoLooks: $user of an embedded report is whom the nonce names, in
// all that its cookie opens, and in the audit log.
func TestAHostSaysWhoLooks(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.service(t, "crm", "Viewer", 0)
	w := h.check(t, scenario{path: previewPath + "?nonce=" + h.scopedOf(t, "crm", ofAna), status: 200})
	cookie := cookiesOf(w)
	if got := h.export.shown.User; got.Sub != "crm-7" || got.Name != "Ana Marić" || got.Email != "ana@example.com" || strings.Join(got.Groups, " ") != "north board" || got.ID != 0 {
		t.Errorf("the report is shown to %+v", got)
	}
	for _, path := range []string{previewPath, previewPath + "?params[year]=2027", salesPath} {
		if got := h.shows(t, path, cookie, 200); got.Sub != "crm-7" {
			t.Errorf("%s is shown to %+v", path, got)
		}
	}
	if y, _ := h.export.shown.Params.Get("year"); y != json.Number("2026") {
		t.Errorf("the year is %v", y)
	}
	h.check(t, scenario{path: pdfPath, header: cookie, status: 200})
	if h.export.last.User.Sub != "crm-7" {
		t.Errorf("the file is made for %+v", h.export.last.User)
	}
	// What belongs to somebody is not asked for with data that the frame brings.
	h.check(t, scenario{path: previewPath + "?data[customer]=1", header: cookie, status: 403})
	h.check(t, scenario{path: "/ws/demo/reports/2/preview", header: cookie, status: 404})

	said := map[store.Action]string{}
	for _, e := range must[[]store.AuditEvent](t)(h.store.AuditEvents(t.Context(), store.AuditQuery{WorkspaceID: h.demo.ID, Limit: 100})) {
		said[e.Action] += string(e.Detail)
	}
	for _, action := range []store.Action{store.AuditNonceCreated, store.AuditPreviewOpened, store.AuditExportMade} {
		for _, word := range []string{`"viewer"`, `"sub":"crm-7"`, `"email":"ana@example.com"`, `"name":"Ana Marić"`} {
			if !strings.Contains(said[action], word) {
				t.Errorf("%s does not tell of %s: %s", action, word, said[action])
			}
		}
	}
}

// TestWhoMaySayWhoLooks: else whoever has a token would be everybody.
func TestWhoMaySayWhoLooks(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.service(t, "crm", "Viewer", store.ScopeRead)
	const path = "/api/v1/nonce-tokens"
	for who, status := range map[string]int{"crm": 200, "administrator": 200, "root": 200, "viewer": 400, "author": 400, "operator": 400} {
		h.check(t, scenario{method: "POST", path: path, who: who, body: ofAna, status: status})
	}
	for name, c := range map[string]struct{ body, why string }{
		"no workspace":      {`{"user":{"sub":"x"}}`, `"path":"workspace"`},
		"another workspace": {`{"workspace":"other-house","user":{"sub":"x"}}`, "other-house"},
		"no sub":            {`{"workspace":"demo","user":{"email":"ana@example.com"}}`, `"path":"user.sub"`},
		"no text":           {`{"workspace":"demo","user":{"sub":7}}`, `must be text`},
		"an id":             {`{"workspace":"demo","user":{"sub":"x","id":1}}`, `accepted: sub, name, email, groups`},
		"groups as text":    {`{"workspace":"demo","user":{"sub":"x","groups":"board"}}`, `"path":"user.groups"`},
		"a group no text":   {`{"workspace":"demo","user":{"sub":"x","groups":["a",1]}}`, `"path":"user.groups[1]"`},
		"too long":          {`{"workspace":"demo","user":{"sub":"` + strings.Repeat("x", 201) + `"}}`, "200"},
		"too many groups":   {`{"workspace":"demo","user":{"sub":"x","groups":[` + strings.Repeat(`"a",`, 500) + `"a"]}}`, "501 groups"},
		"control":           {`{"workspace":"demo","user":{"sub":"x","name":"a\u0000b"}}`, "user.name"},
		"no object":         {`{"workspace":"demo","user":"ana"}`, "user"},
	} {
		t.Run(name, func(t *testing.T) {
			h.check(t, scenario{method: "POST", path: path, who: "crm", body: c.body, status: 400, has: []string{c.why}})
		})
	}
}

// TestNobodyBecomesAnother tries what somebody with a browser, a used nonce and
// the cookie of their own preview can try.
func TestNobodyBecomesAnother(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.service(t, "crm", "Viewer", 0)
	ofBen := strings.NewReplacer("crm-7", "crm-8", "ana@", "ben@", "Ana Marić", "Ben").Replace(ofAna)
	nonce := h.scopedOf(t, "crm", ofAna)
	ana := cookiesOf(h.check(t, scenario{path: previewPath + "?nonce=" + nonce, status: 200}))

	t.Run("used, tampered and expired nonces", func(t *testing.T) {
		h.shows(t, previewPath+"?nonce="+nonce, nil, 401)
		fresh := h.scopedOf(t, "crm", ofAna)
		h.shows(t, previewPath+"?nonce="+fresh[:len(fresh)-1]+"~", nil, 401)
		h.clock.Advance(store.NonceLifetime + time.Second)
		h.shows(t, previewPath+"?nonce="+fresh, nil, 401)
	})
	t.Run("a cookie that was changed", func(t *testing.T) {
		pair := ana.Get("Cookie")
		h.shows(t, previewPath, header("Cookie", pair[:len(pair)-2]+"xx"), 401)
	})
	t.Run("the address says who looks", func(t *testing.T) {
		for _, query := range []string{"?user=crm-8", "?user[sub]=crm-8", "?$user[sub]=crm-8", "?params[$user]=x", "?sub=crm-8"} {
			h.export.shown.User = report.Person{}
			if w := h.do(scenario{path: previewPath + query, header: ana}); w.Code == 200 && h.export.shown.User.Sub != "crm-7" {
				t.Errorf("%s is shown to %+v", query, h.export.shown.User)
			}
		}
	})
	t.Run("another workspace", func(t *testing.T) {
		h.shows(t, "/ws/other-house/reports/1/preview", ana, 404)
	})
	t.Run("somebody else sits down at the browser", func(t *testing.T) {
		w := h.check(t, scenario{path: previewPath + "?nonce=" + h.scopedOf(t, "crm", ofBen), header: ana, status: 200})
		both := header("Cookie", ana.Get("Cookie")+"; "+cookiesOf(w).Get("Cookie"))
		if got := h.shows(t, previewPath, both, 200); got.Sub != "crm-8" {
			t.Errorf("shown to %+v", got)
		}
		h.shows(t, previewPath, ana, 401) // her preview has ended
	})
	t.Run("a nonce without a user", func(t *testing.T) {
		w := h.check(t, scenario{path: previewPath + "?nonce=" + h.scopedOf(t, "crm", `{"workspace":"demo","reports":"*"}`), status: 200})
		if got := h.shows(t, previewPath, cookiesOf(w), 200); !got.IsNobody() {
			t.Errorf("shown to %+v", got)
		}
	})
	t.Run("a browser where somebody is signed in", func(t *testing.T) {
		nonce := h.scopedOf(t, "crm", ofAna)
		session := h.session("administrator")
		w := h.check(t, scenario{path: previewPath + "?nonce=" + nonce, header: header("Cookie", session), status: 200})
		again := h.shows(t, previewPath+"?nonce="+nonce, header("Cookie", session+"; "+cookiesOf(w).Get("Cookie")), 200)
		if again.Sub != "crm-7" {
			t.Errorf("loaded again it is shown to %+v", again)
		}
		if got := h.shows(t, previewPath, header("Cookie", session), 200); got.Email != "administrator@example.com" || got.ID != h.users["administrator"].ID {
			t.Errorf("signed in it is shown to %+v", got)
		}
	})
	t.Run("the account of the host is blocked", func(t *testing.T) {
		w := h.check(t, scenario{path: previewPath + "?nonce=" + h.scopedOf(t, "crm", ofAna), status: 200})
		by := must[*store.Access](t)(h.store.Enter(t.Context(), h.users["root"], "demo"))
		for _, a := range must[[]store.ServiceAccount](t)(h.store.ServiceAccounts(t.Context(), h.demo.ID)) {
			if err := h.store.SetServiceActive(t.Context(), by, a.ID, false); err != nil {
				t.Fatal(err)
			}
		}
		h.shows(t, previewPath, cookiesOf(w), 401)
	})
}

// TestWhoeverAsksIsKnown: by a token, a session and in the designer $user is the
// account.
func TestWhoeverAsksIsKnown(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.service(t, "crm", "Viewer", 0)
	for who, email := range map[string]string{"viewer": "viewer@example.com", "crm": ""} {
		h.check(t, scenario{path: "/api/v1/ws/demo/reports/invoice/pdf", who: who, status: 200})
		if got := h.export.last.User; got.Email != email || got.Name == "" || got.ID == 0 || got.Sub != "" {
			t.Errorf("the file of %s is made for %+v", who, got)
		}
	}
	id := must[*store.ReportDefinition](t)(h.store.ReportByIDOrType(t.Context(), h.demo.ID, "invoice")).ID
	h.check(t, scenario{path: "/api/ui/ws/demo/reports/" + itoa(id) + "/render", who: "author", body: `{"definition":{"version":1,"name":"x","pages":[]}}`, status: 200})
	if got := h.export.shown.User; got.Email != "author@example.com" {
		t.Errorf("the draft is shown to %+v", got)
	}
}

// TestAJobRunsAsSomebody: only that account, and who may change who may what, let
// a job run so, and change it then.
func TestAJobRunsAsSomebody(t *testing.T) {
	t.Parallel()
	h := open(t)
	job := func(as, condition string) string {
		return `{"name":"Mine","code":"mine","active":false,"runAs":"` + as + `","reports":[{"report":"invoice","condition":"` + condition + `"}]}`
	}
	const all = "/api/ui/ws/demo/jobs"
	h.check(t, scenario{path: all, who: "operator", body: job("administrator@example.com", ""), status: 403, has: []string{`"path":"runAs"`, "Full on configuration"}})
	var made struct{ ID, Revision int }
	read := func(w *httptest.ResponseRecorder) {
		t.Helper()
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.ID == 0 {
			t.Fatalf("%v in %s", err, w.Body)
		}
	}
	read(h.check(t, scenario{path: all, who: "operator", body: job("operator@example.com", ""), status: 201}))
	save := func(who, as, condition string, status int) {
		t.Helper()
		w := h.check(t, scenario{
			method: "PUT", path: all + "/" + itoa(made.ID), who: who, body: job(as, condition), status: status,
			header: header("If-Match", `"`+itoa(made.Revision)+`"`),
		})
		if status == 200 {
			read(w)
		}
	}
	save("administrator", "administrator@example.com", "", 200)
	save("operator", "administrator@example.com", "true", 403) // it would be their view that goes elsewhere
	save("operator", "operator@example.com", "true", 200)
	save("administrator", "viewer@example.com", "true", 200)
	save("operator", "", "false", 200) // nobody's view is anybody's
}

// FuzzWhoLooks passes on whatever user: what is taken is whom the report is shown
// to, and can be kept, shown and recorded.
func FuzzWhoLooks(f *testing.F) {
	h := open(f, func(c *Config) { c.Logger = nil })
	for _, user := range []string{
		`{"sub":"crm-7","name":"Ana Marić","email":"ana@example.com","groups":["north","board"]}`, `{"sub":""}`, `{"sub":"a","sub":"b"}`, `{"SUB":"x"}`, `{"sub":"a\u0000"}`, `{"sub":"x","groups":[[]]}`,
		`{"sub":"\ud800"}`, `{"sub":"x","id":1}`, `{"sub":"x","groups":{"0":"a"}}`, `null`, `[]`, `7`, `{"sub":"x","name":null}`, `{"sub":"x"},"reports":"*"`,
	} {
		f.Add([]byte(user))
	}
	f.Fuzz(func(t *testing.T, user []byte) {
		h.t = t
		h.clock.Advance(time.Second)
		w := h.do(scenario{method: "POST", path: "/api/v1/nonce-tokens", who: "root", body: `{"workspace":"demo","reports":"invoice","user":` + string(user) + `}`})
		if w.Code == 400 {
			return
		}
		var out struct{ Nonce string }
		if err := json.Unmarshal(w.Body.Bytes(), &out); w.Code != 200 || err != nil {
			t.Fatalf("%q: %d %v\n%s", user, w.Code, err, w.Body)
		}
		h.export.shown.User = report.Person{}
		if w := h.do(scenario{path: previewPath + "?nonce=" + out.Nonce}); w.Code != 200 {
			t.Fatalf("%q: %d\n%s", user, w.Code, w.Body)
		}
		p := h.export.shown.User
		if p.ID != 0 || p.IsNobody() != (p.Sub == "") || len(p.Groups) > 500 {
			t.Errorf("%q is %+v", user, p)
		}
		for _, text := range append([]string{p.Sub, p.Name, p.Email}, p.Groups...) {
			if text != "" && report.NameFault(text) != "" {
				t.Errorf("%q is %+v", user, p)
			}
		}
	})
}
