package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

// withUploads makes the exporter look for uploaded data, as the real one does.
func (h *house) withUploads() {
	find := func(r export.Request) error {
		if r.TempDataID == 0 {
			return nil
		}
		return h.store.HasTempData(context.Background(), r.Workspace, r.UserID, r.TempDataID)
	}
	h.export.export = func(r export.Request) (*export.File, error) {
		return newFile("a.pdf", "application/pdf", "%PDF"), find(r)
	}
	h.export.preview = func(r export.PreviewRequest) (*export.Preview, error) {
		return &export.Preview{HTML: []byte(sampleHTML), CSP: samplePolicy}, find(r.Request)
	}
}

// tempData is temporary data of a user in the demo workspace.
func (h *house) tempData(who string) int {
	h.t.Helper()
	id, _, err := h.store.PutTempData(h.t.Context(), h.demo.ID, h.users[who].ID, noUpload())
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

// exported is an export of a user, with its file.
func (h *house) exported(kind, who string) int {
	h.t.Helper()
	id := must[int](h.t)(h.store.CreateExport(h.t.Context(), store.NewExport{
		WorkspaceID: h.demo.ID, UserID: h.users[who].ID, Kind: kind, Priority: store.Interactive, Lifetime: time.Hour, Report: map[string]string{store.ExportTask: "1"}[kind],
	}))
	must[bool](h.t)(h.store.CompleteExport(h.t.Context(), id, store.Finished{Name: "a.pdf", ContentType: "application/pdf"}, strings.NewReader("%PDF")))
	return id
}

// scoped is a nonce of the viewer whose scope the body says.
func (h *house) scoped(t *testing.T, body string) string {
	t.Helper()
	return h.scopedOf(t, "viewer", body)
}

func (h *house) scopedOf(t *testing.T, who, body string) string {
	t.Helper()
	w := h.check(t, scenario{method: "POST", path: "/api/v1/nonce-tokens", who: who, body: body, status: 200})
	var out struct{ Nonce string }
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || out.Nonce == "" {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return out.Nonce
}

// entered opens an address with a nonce, and gives the cookies.
func (h *house) entered(t *testing.T, path, nonce string) http.Header {
	t.Helper()
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	return cookiesOf(h.check(t, scenario{path: path + sep + "nonce=" + nonce, status: 200}))
}

func cookiesOf(answers ...*httptest.ResponseRecorder) http.Header {
	var pairs []string
	for _, w := range answers {
		for _, c := range w.Result().Cookies() {
			pairs = append(pairs, c.Name+"="+c.Value)
		}
	}
	return header("Cookie", strings.Join(pairs, "; "))
}

const salesPath = "/ws/demo/reports/sales/preview"

// TestWhatPreviewsOpen: without a scope the first request settles what a preview
// is good for; with one, the scope does.
func TestWhatPreviewsOpen(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.withUploads()
	mine, other := h.tempData("viewer"), h.tempData("viewer")
	export, foreign := h.exported(store.ExportTask, "viewer"), h.exported(store.ExportTask, "author")
	with := func(path string, id int) string { return fmt.Sprintf("%s?tempDataId=%d", path, id) }
	file := fmt.Sprintf("/api/v1/ws/demo/exports/%d/content", export)
	const (
		attachments = pdfPath + "?includeAttachments=true"
		archive     = pdfPath + "?conformance=PDF/A-3b"
		ownData     = previewPath + "?data=%7B%22a%22:1%7D"
	)
	for name, c := range map[string]struct {
		scope, first string
		open         []string
		closed       map[string]int
	}{
		"no scope": {
			first: previewPath,
			open:  []string{previewPath, pdfPath, previewPath + "?params[a]=1&lang=de", pdfPath + "?data=%7B%22a%22:1%7D"},
			closed: map[string]int{
				salesPath: 404, with(previewPath, mine): 404, with(pdfPath, other): 404, file: 404, attachments: 403, archive: 403,
				"/ws/other-house/reports/1/preview": 404, "/api/v1/ws/demo/reports/sales/pdf": 404,
			},
		},
		"no scope, with data": {
			first:  with(previewPath, mine),
			open:   []string{with(previewPath, mine), with(pdfPath, mine), pdfPath, previewPath},
			closed: map[string]int{with(previewPath, other): 404, salesPath: 404, with("/ws/demo/reports/sales/preview", mine): 404},
		},
		"no scope, a download": {first: pdfPath, open: []string{pdfPath, previewPath}, closed: map[string]int{salesPath: 404, attachments: 403}},
		"a report": {
			scope: `{"workspace":"demo","reports":"invoice"}`, first: previewPath, open: []string{pdfPath}, closed: map[string]int{salesPath: 404, attachments: 403, file: 404},
		},
		"reports": {
			scope: `{"workspace":"demo","reports":["invoice","sales"]}`, first: previewPath, open: []string{salesPath, "/api/v1/ws/demo/reports/sales/pdf"},
			closed: map[string]int{"/ws/demo/reports/2/preview": 404, with(salesPath, mine): 404},
		},
		"all reports": {scope: `{"workspace":1,"reports":"*"}`, first: previewPath, open: []string{salesPath, "/ws/demo/reports/2/preview"}, closed: map[string]int{file: 404, "/ws/other-house/reports/1/preview": 404}},
		"data": {
			scope: fmt.Sprintf(`{"workspace":"demo","reports":"invoice","tempDataId":%d}`, mine), first: previewPath,
			open: []string{with(previewPath, mine), previewPath, previewPath + "?data=%7B%7D"}, closed: map[string]int{with(previewPath, other): 404, ownData: 403, pdfPath + "?data[a]=1": 403},
		},
		"parameters": {scope: `{"params":{"customer":7}}`, first: previewPath, open: []string{pdfPath, previewPath + "?params[customer]=8"}, closed: map[string]int{ownData: 403}},
		"download":   {scope: `{"download":true}`, first: previewPath, open: []string{attachments, archive}, closed: map[string]int{salesPath: 404, file: 404}},
		"exports": {
			scope: fmt.Sprintf(`{"workspace":"demo","exports":[%d]}`, export), first: file,
			open: []string{strings.Replace(file, "content", "status", 1)}, closed: map[string]int{fmt.Sprintf("/api/v1/ws/demo/exports/%d/content", foreign): 404, previewPath: 404},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cookie := h.entered(t, c.first, h.scoped(t, c.scope))
			for _, path := range c.open {
				h.check(t, scenario{path: path, header: cookie, status: 200})
			}
			for path, status := range c.closed {
				h.check(t, scenario{path: path, header: cookie, status: status})
			}
		})
	}
	for _, outside := range []string{salesPath, with(previewPath, other), file} {
		nonce := h.scoped(t, fmt.Sprintf(`{"workspace":"demo","reports":"invoice","tempDataId":%d}`, mine))
		if w := h.check(t, scenario{path: outside + map[bool]string{true: "&", false: "?"}[strings.Contains(outside, "?")] + "nonce=" + nonce, status: 404}); len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: a nonce of something else gives a cookie", outside)
		}
	}
}

// TestFixedParameters are what the scope says, whatever the address says, and
// are not asked for.
func TestFixedParameters(t *testing.T) {
	t.Parallel()
	h := open(t)
	cookie := h.entered(t, salesPath+"?params[region]=s&params[from]=2026-01-01", h.scoped(t, `{"params":{"region":"n","year":2026.10}}`))
	if got := h.jsonOf(h.export.shown.Params); got != `{"region":"n","from":"2026-01-01","year":2026.10}` {
		t.Errorf("asked with %s", got)
	}
	h.check(t, scenario{path: salesPath + "?ask=1", header: cookie, status: 200, has: []string{`name="params[from]"`}, lacks: []string{`name="params[region]"`, `name="params[year]"`}})
}

// TestBadScopes are refused by the name of the member; so is what the user of
// the token could not see.
func TestBadScopes(t *testing.T) {
	t.Parallel()
	h := open(t)
	foreign, review := h.tempData("author"), h.exported(store.ReviewTask, "operator")
	bad := func(body, path, says string) scenario {
		return scenario{name: body, method: "POST", path: "/api/v1/nonce-tokens", who: "viewer", body: body, status: 400, has: []string{`"path":"` + path + `"`, says}}
	}
	h.run([]scenario{
		bad(`{"report":"invoice"}`, "report", "accepted: workspace, reports, tempDataId, params, download, exports"),
		bad(`{"workspace":"nowhere"}`, "workspace", "does not exist"),
		bad(`{"workspace":"other-house","reports":"*"}`, "workspace", "does not exist"),
		bad(`{"workspace":true}`, "workspace", "must be text"),
		bad(`{"reports":"invoice"}`, "workspace", "is missing"),
		bad(`{"tempDataId":1}`, "workspace", "is missing"),
		bad(`{"workspace":"demo","reports":"none"}`, "reports", "there is no report type"),
		bad(`{"workspace":"demo","reports":["invoice",77]}`, "reports[1]", "report 77 does not exist"),
		bad(`{"workspace":"demo","reports":[]}`, "reports", "accepted: 1 to"),
		bad(`{"workspace":"demo","reports":{}}`, "reports", "must be text"),
		bad(fmt.Sprintf(`{"workspace":"demo","tempDataId":%d}`, foreign), "tempDataId", "does not exist"),
		bad(`{"workspace":"demo","tempDataId":"x"}`, "tempDataId", "whole number"),
		bad(fmt.Sprintf(`{"workspace":"demo","exports":[%d]}`, review), "exports[0]", "does not exist"),
		bad(`{"params":[1]}`, "params", "must be an object"),
		bad(`{"download":"maybe"}`, "download", "true or false"),
		bad(`{"workspace":"nowhere","reports":"*","download":2}`, "download", `"path":"workspace"`),
		{name: "null is absent", method: "POST", path: "/api/v1/nonce-tokens", who: "viewer", body: `{"workspace":null,"reports":null,"tempDataId":null,"params":null,"download":null}`, status: 200},
		{name: "too large", method: "POST", path: "/api/v1/nonce-tokens", who: "viewer", body: `{"params":{"a":"` + strings.Repeat("x", 70<<10) + `"}}`, status: 413},
		{name: "all reports take Read", method: "POST", path: "/api/v1/nonce-tokens", who: "stranger", body: `{"workspace":"other-house","reports":"*"}`, status: 200},
	})
}

// TestScopesAreNoRights: what the user may no longer do, no preview does.
func TestScopesAreNoRights(t *testing.T) {
	t.Parallel()
	h := open(t)
	cookie := h.entered(t, previewPath, h.scoped(t, `{"workspace":"demo","reports":"*"}`))
	nonce := h.scoped(t, `{"workspace":"demo","reports":"*"}`)
	var guest int
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), h.demo.ID)) {
		if role.Name == "Guest" {
			guest = role.ID
		}
	}
	if err := h.store.SetMember(t.Context(), h.demo.ID, h.users["viewer"].ID, guest); err != nil {
		t.Fatal(err)
	}
	h.check(t, scenario{path: previewPath, header: cookie, status: 404})
	h.check(t, scenario{path: previewPath + "?nonce=" + nonce, status: 404})
}

// TestPreviewsEndWithTheirToken, at the next request; nonces do, too.
func TestPreviewsEndWithTheirToken(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *house, token int) error{
		"revoked": func(h *house, token int) error { return h.store.RevokeToken(t.Context(), h.users["viewer"].ID, token) },
		"password changed": func(h *house, _ int) error {
			return h.store.SetPassword(t.Context(), h.users["viewer"].ID, "New-password-8")
		},
		"blocked":           func(h *house, _ int) error { return h.store.SetActive(t.Context(), h.users["viewer"].ID, false) },
		"expired meanwhile": func(h *house, _ int) error { h.clock.Advance(50 * time.Second); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEveryDatabase(t, func(t *testing.T, h *house) {
				expires := h.clock.Now().Add(40 * time.Second)
				h.tokens["viewer"] = must[string](t)(h.store.CreateToken(t.Context(), h.users["viewer"].ID, store.NewToken{Name: "shop", Expires: &expires}))
				cookie := h.entered(t, previewPath, h.scoped(t, ""))
				unused := h.scoped(t, "")
				h.check(t, scenario{path: pdfPath, header: cookie, status: 200})
				if err := end(h, h.grant("viewer", store.Scope{}).TokenID); err != nil {
					t.Fatal(err)
				}
				h.check(t, scenario{path: previewPath, header: cookie, status: 401})
				h.check(t, scenario{path: pdfPath, header: cookie, status: 401})
				h.check(t, scenario{path: previewPath + "?nonce=" + unused, status: 401})
			})
		})
	}
}

// TestFramesBesideEachOther: each has its own nonce and data, also when they are
// loaded at the same moment and have no cookie yet. Loaded again, each shows its
// own, as the address still has the used nonce.
func TestFramesBesideEachOther(t *testing.T) {
	t.Parallel()
	h := open(t)
	const frames = 12
	addresses, answers := make([]string, frames), make([]*httptest.ResponseRecorder, frames)
	uploads := make([]int, frames)
	for i := range frames {
		uploads[i] = h.tempData("viewer")
		addresses[i] = previewPath + "?nonce=" + h.scoped(t, fmt.Sprintf(`{"workspace":"demo","reports":"invoice","tempDataId":%d}`, uploads[i]))
	}
	var racing sync.WaitGroup
	for i := range frames {
		racing.Go(func() { answers[i] = h.do(scenario{path: addresses[i]}) })
	}
	racing.Wait()
	cookie := cookiesOf(answers...)
	for i := range frames {
		h.check(t, scenario{path: addresses[i], header: cookie, status: 200})
		if got := h.export.shown.TempDataID; got != uploads[i] {
			t.Errorf("frame %d shows the data %d; want %d", i, got, uploads[i])
		}
		h.check(t, scenario{path: fmt.Sprintf("%s?tempDataId=%d", pdfPath, uploads[i]), header: cookie, status: 200})
		if got := h.export.last.TempDataID; got != uploads[i] {
			t.Errorf("the download of frame %d has the data %d; want %d", i, got, uploads[i])
		}
	}
	h.check(t, scenario{path: salesPath, header: cookie, status: 404})
}

// TestABrowserKeepsSoManyPreviews: the oldest ones end, in the browser and here.
func TestABrowserKeepsSoManyPreviews(t *testing.T) {
	t.Parallel()
	h := open(t)
	jar, first := map[string]string{"quire_preview_gone": "unknown"}, ""
	for i := range 40 {
		h.clock.Advance(time.Second)
		var pairs []string
		for name, value := range jar {
			pairs = append(pairs, name+"="+value)
		}
		w := h.check(t, scenario{path: previewPath + "?nonce=" + h.scoped(t, ""), header: header("Cookie", strings.Join(pairs, "; ")), status: 200})
		for _, c := range w.Result().Cookies() {
			if jar[c.Name] = c.Value; c.MaxAge < 0 {
				delete(jar, c.Name)
			}
			if i == 0 && c.MaxAge == 0 {
				first = c.Name + "=" + c.Value
			}
		}
	}
	if len(jar) != 32 {
		t.Errorf("the browser has %d cookies", len(jar))
	}
	h.check(t, scenario{path: previewPath, header: header("Cookie", first), status: 401})
}

// TestPreviewsOfBefore: a cookie of an earlier version is settled by its next
// request.
func TestPreviewsOfBefore(t *testing.T) {
	t.Parallel()
	h := open(t)
	value, _, err := h.store.CreatePreviewSession(t.Context(), store.Grant{UserID: h.users["viewer"].ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		status int
	}{{previewPath, 200}, {salesPath, 404}, {pdfPath, 200}, {previewPath + "?tempDataId=7", 404}} {
		h.check(t, scenario{path: c.path, header: header("Cookie", "quire_preview="+value), status: c.status})
	}
}
