package api

import (
	"archive/zip"
	"bytes"
	"io"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"
)

// importsBundle sends a bundle to the page of new workspaces.
func (h *house) importsBundle(t *testing.T, who, code string, content []byte) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	noError(t, form.WriteField("code", code))
	_ = must[int](t)(must[io.Writer](t)(form.CreateFormFile("bundle", "w.zip")).Write(content))
	noError(t, form.Close())
	return h.post("/workspaces/import", body.String(), "Content-Type", form.FormDataContentType(), "Cookie", h.session(who))
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, content := range files {
		_ = must[int](t)(io.WriteString(must[io.Writer](t)(z.Create(name)), content))
	}
	noError(t, z.Close())
	return out.Bytes()
}

// TestBundlesGoOutAndIn: a root user takes a workspace out as a file and brings
// it in again, under its code or another; a bundle that is wrong says where.
func TestBundlesGoOutAndIn(t *testing.T) {
	h := open(t)
	for who, status := range map[string]int{"administrator": 403, "author": 403, "stranger": 403} {
		h.check(t, scenario{path: "/ws/demo/bundle", header: header("Cookie", h.session(who)), status: status})
	}
	got := h.check(t, scenario{path: "/ws/demo/bundle", header: header("Cookie", h.session("root")), status: 200, answer: map[string]string{"Content-Type": "application/zip", "Content-Disposition": "demo.zip", "Cache-Control": "no-store"}})
	bundle := got.Body.Bytes()
	z := must[*zip.Reader](t)(zip.NewReader(bytes.NewReader(bundle), int64(len(bundle))))
	names := []string{}
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if all := strings.Join(names, " "); !strings.Contains(all, "workspace.json") || !strings.Contains(all, "reports/") {
		t.Errorf("it holds %s", all)
	}
	leads(t, h.importsBundle(t, "root", "copy", bundle), "/ws/copy")
	h.opened(t, "root", "/ws/copy", "Plain invoice")
	leads(t, h.importsBundle(t, "root", "", bundle), "/ws/demo")

	const whole = `{"version": 1, "name": "W", "code": "w"}`
	for says, content := range map[string][]byte{
		"is no ZIP file": []byte("PK, perhaps"),
		"workspace.json": zipped(t, map[string]string{"reports/a.json": `{"version": 1, "name": "A"}`}),
		"reports/a.json": zipped(t, map[string]string{"workspace.json": whole, "reports/a.json": `{"version": 1, "name": "A", "pages": 5}`}),
	} {
		if w := h.importsBundle(t, "root", "", content); w.Code != 422 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", says, w.Code, w.Body)
		}
	}
	if w := h.importsBundle(t, "administrator", "mine", bundle); w.Code != 403 {
		t.Errorf("an administrator of a workspace: %d", w.Code)
	}
	h.check(t, scenario{path: "/ws/w", header: header("Cookie", h.session("root")), status: 404})
}
