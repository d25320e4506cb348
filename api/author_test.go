package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// send asks the designer's addresses and reads the answer.
func (h *house) send(t *testing.T, who, method, path, ifMatch, body string, status int) map[string]any {
	t.Helper()
	w := h.check(t, scenario{method: method, path: path, who: who, body: body, header: header("If-Match", ifMatch, "Content-Type", "application/json"), status: status})
	var answer map[string]any
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // lists and empty answers are looked at otherwise
	return answer
}

func TestAuthoring(t *testing.T) {
	h := open(t)
	const reports = "/api/ui/ws/demo/reports"
	made := h.send(t, "author", http.MethodPost, reports, "", `{"name": "Stock list", "type": "sales"}`, 201)
	one := fmt.Sprintf("%s/%v", reports, made["id"])
	if made["code"] != "stock-list" || made["revision"] != 1.0 {
		t.Errorf("%v", made)
	}
	definition := `{"version": 1, "name": "Stock list", "type": "sales", "title": %q, "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "Hello"}}]}]}`
	saved := h.send(t, "author", http.MethodPut, one, `"1"`, fmt.Sprintf(definition, "First"), 200)
	if saved["revision"] != 2.0 {
		t.Errorf("%v", saved)
	}
	read := h.send(t, "author", http.MethodGet, one, "", "", 200)
	if read["definition"].(map[string]any)["title"] != "First" {
		t.Errorf("%v", read)
	}
	// Two people edit: who comes later is told, and nothing is lost.
	h.send(t, "administrator", http.MethodPut, one, `"2"`, fmt.Sprintf(definition, "Second"), 200)
	late := h.send(t, "author", http.MethodPut, one, `W/"2"`, fmt.Sprintf(definition, "Late"), 409)
	if !strings.Contains(fmt.Sprint(late["error"]), "has saved this report meanwhile: it is at revision 3, and your changes are based on 2") {
		t.Errorf("%v", late)
	}
	if late["by"] != h.users["administrator"].DisplayName {
		t.Errorf("by %v", late["by"])
	}
	if first := h.send(t, "author", http.MethodGet, one+"/versions/1", "", "", 200); first["definition"].(map[string]any)["title"] != nil {
		t.Errorf("%v", first)
	}
	versions := h.check(t, scenario{path: one + "/versions", who: "author", status: 200, has: []string{`"revision":3`, `"revision":2`, `"revision":1`}})
	if strings.Index(versions.Body.String(), `"revision":3`) > strings.Index(versions.Body.String(), `"revision":1`) {
		t.Error("the newest version is not first")
	}
	h.send(t, "author", http.MethodPut, one+"/versions/1", "", `{"name":"First draft"}`, 204)
	h.check(t, scenario{path: one + "/versions", who: "author", status: 200, has: []string{`"name":"First draft"`}})
	h.send(t, "viewer", http.MethodPut, one+"/versions/1", "", `{"name":"Mine"}`, 403)
	h.send(t, "author", http.MethodPut, one+"/versions/1", "", `{"name":"`+strings.Repeat("x", 101)+`"}`, 400)
	h.told(t, "report.version_named", h.users["author"].Email, "Stock list")

	// What is wrong is named by its path, and nothing is written.
	for body, want := range map[string]string{
		`{"version": 1, "name": "x", "pagez": []}`:                     `"path":"pagez"`,
		`{"version": 1, "name": " ", "pages": []}`:                     `the name is missing`,
		`{"version": 1, "name": "x", "type": "nothing", "pages": []}`:  `unknown report type \"nothing\"`,
		`{"version": 1, "name": "x", "pages": [{"id": 1}, {"id": 1}]}`: `page ID 1`,
		`[`: "JSON",
	} {
		h.check(t, scenario{method: http.MethodPut, path: one, who: "author", body: body, header: header("If-Match", `"3"`, "Content-Type", "application/json"), status: 400, has: []string{want}})
	}
	h.check(t, scenario{method: http.MethodPut, path: one, who: "author", body: fmt.Sprintf(definition, "x"), header: header("Content-Type", "application/json"), status: 400, has: []string{"If-Match"}})

	// A copy is its owner's, also where the role would not let them write.
	copied := h.send(t, "author", http.MethodPost, reports, "", fmt.Sprintf(`{"from": %v}`, made["id"]), 201)
	if d := copied["definition"].(map[string]any); d["name"] != "Stock list (copy)" || d["title"] != "Second" {
		t.Errorf("%v", copied)
	}
	// What is half made is stored, with what is to be mended.
	h.check(t, scenario{
		method: http.MethodPut, path: fmt.Sprintf("%s/%v", reports, copied["id"]), who: "author", body: `{"version": 1, "name": "x", "title": "refused", "pages": []}`,
		header: header("If-Match", `"1"`, "Content-Type", "application/json"), status: 200, has: []string{`"path":"pages[0].elements[0].type"`, `"revision":2`},
	})

	h.send(t, "viewer", http.MethodDelete, one, "", "", 403)
	h.send(t, "author", http.MethodDelete, one, "", "", 204) // their own
	h.send(t, "author", http.MethodGet, one, "", "", 404)
	h.send(t, "viewer", http.MethodPost, one+"/restore", "", "", 403)
	if back := h.send(t, "author", http.MethodPost, one+"/restore", "", "", 200); back["code"] != "stock-list" {
		t.Errorf("%v", back)
	}
	h.send(t, "author", http.MethodDelete, reports+"/1", "", "", 403) // nobody's, so it needs Full
	h.send(t, "administrator", http.MethodDelete, reports+"/1", "", "", 204)
}

func TestTheDesignersPages(t *testing.T) {
	h := open(t)
	author, viewer := header("Cookie", h.session("author")), header("Cookie", h.session("viewer"))
	h.run([]scenario{
		{name: "who may write gets the links", path: "/ws/demo", header: author, status: 200, has: []string{`href="/ws/demo/reports/1/design"`, `action="/ws/demo/reports"`}},
		{name: "who may not does not", path: "/ws/demo", header: viewer, status: 200, lacks: []string{"/design", "New report"}},
		{name: "the designer", path: "/ws/demo/reports/1/design", header: author, status: 200, has: []string{`data-report="1"`, "/assets/designer.js", "/ui/designer.css?v="}, answer: map[string]string{"Content-Security-Policy": "script-src 'self'; style-src 'self' 'nonce-"}},
		{name: "not for viewers", path: "/ws/demo/reports/1/design", header: viewer, status: 403},
		{name: "the canvas", path: "/ui/canvas", status: 200, answer: map[string]string{"Content-Security-Policy": "sandbox allow-same-origin"}},
		{name: "the components", path: "/api/ui/components", header: author, status: 200, has: []string{`"name":"data-table"`, `"container":true`, `"editor":"template"`, `"sourceTypes":[{"name":"sql"`}},
		{name: "a drawing", method: http.MethodPost, path: "/api/ui/ws/demo/reports/1/render", who: "author", body: `{"definition": {"version": 1, "name": "x", "pages": []}}`, header: header("Content-Type", "application/json"), status: 200, has: []string{"Invoice 4711", `"warnings":[]`}},
		{name: "what is stored", method: http.MethodPost, path: "/api/ui/ws/demo/reports/1/render", who: "author", body: `{"stored": true}`, header: header("Content-Type", "application/json"), status: 200, has: []string{"Invoice 4711", `"revision":1`, `"definition":{`, `"problems":[`}},
		{name: "a wrong definition", method: http.MethodPost, path: "/api/ui/ws/demo/reports/1/render", who: "author", body: `{"definition": {"version": 1, "name": "x", "pages": 5}}`, header: header("Content-Type", "application/json"), status: 400, has: []string{`"path":"definition.pages"`}},
	})
	form := author.Clone()
	form.Set("Content-Type", "application/x-www-form-urlencoded")
	h.run([]scenario{
		{name: "a new report", method: http.MethodPost, path: "/ws/demo/reports", header: form, body: "name=My+first", status: 303, answer: map[string]string{"Location": "/design"}},
	})
}

func TestTheLibraryIsWritten(t *testing.T) {
	h := open(t)
	const themes = "/api/ui/ws/demo/themes"
	made := h.send(t, "author", http.MethodPost, themes, "", `{"name": "Dusk", "code": "dusk"}`, 201)
	one := fmt.Sprintf("%s/%v", themes, made["id"])
	h.check(t, scenario{path: themes, who: "viewer", status: 200, has: []string{`"code":"dusk"`, `"revision":1`}})
	h.send(t, "author", http.MethodPut, one, `"1"`, `{"name": "Dusk red", "code": "dusk"}`, 200)
	late := h.send(t, "administrator", http.MethodPut, one, `"1"`, `{"name": "Late", "code": "dusk"}`, 409)
	if !strings.Contains(fmt.Sprint(late["error"]), "it is at revision 2, and your changes are based on 1") {
		t.Errorf("%v", late)
	}
	h.check(t, scenario{method: http.MethodPost, path: themes, who: "author", body: `{"name": "x", "code": "y", "colours": 1}`, header: header("Content-Type", "application/json"), status: 400, has: []string{`"path":"colours"`, "unknown name"}})
	h.send(t, "author", http.MethodPost, themes, "", `{"name": "Dusk", "code": "DUSK"}`, 409)
	h.send(t, "author", http.MethodDelete, one, "", "", 204)
	h.check(t, scenario{path: themes, who: "viewer", status: 200, lacks: []string{`"code":"dusk"`}})
}
