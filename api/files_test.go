package api

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// upload sends files as a browser does: names and contents.
func (h *house) upload(who string, namesAndContents ...string) *httptest.ResponseRecorder {
	return h.uploadTo("/ws/demo/files", who, namesAndContents...)
}

func (h *house) uploadTo(path, who string, namesAndContents ...string) *httptest.ResponseRecorder {
	return h.uploadIn("en", path, who, namesAndContents...)
}

func (h *house) uploadIn(language, path, who string, namesAndContents ...string) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(namesAndContents); i += 2 {
		head := textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="file"; filename="` + namesAndContents[i] + `"`}, "Content-Type": {"image/png"},
		}
		part := must[io.Writer](h.t)(form.CreatePart(head))
		_ = must[int](h.t)(io.WriteString(part, namesAndContents[i+1]))
	}
	_ = form.Close()
	return h.post(path, body.String(), "Content-Type", form.FormDataContentType(), "Cookie", h.session(who), "Accept-Language", language)
}

// testDesignerFiles: the designer lists files and stores those that are brought along.
func testDesignerFiles(t *testing.T, h *house) {
	const all = "/api/ui/ws/demo/files"
	w := h.uploadTo(all, "author", "mark.svg", "<svg/>")
	if w.Code != 200 || !strings.Contains(w.Body.String(), `{"name":"mark.svg","contentType":"image/svg+xml"}`) {
		t.Errorf("uploaded: %d %s", w.Code, w.Body)
	}
	if w := h.uploadTo(all, "author", "a\u202egnp.exe", "x"); w.Code != 400 || !strings.Contains(w.Body.String(), "invisible characters") || strings.Contains(w.Body.String(), "\u202e") {
		t.Errorf("a name that hides its ending: %d %s", w.Code, w.Body)
	}
	if w := h.uploadTo(all, "author", "large.bin", strings.Repeat("x", 100<<10)); w.Code != 413 || !strings.Contains(w.Body.String(), "the files are larger than 64 kB together") {
		t.Errorf("too large: %d %s", w.Code, w.Body)
	}
	// A browser shows an answer only when what it sent is read.
	body := strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n" + strings.Repeat("x", 300<<10))
	r := httptest.NewRequest("POST", all, body)
	r.Header = header("Content-Type", "multipart/form-data; boundary=b", "Cookie", h.session("author"), "Sec-Fetch-Site", "same-origin")
	h.handler.ServeHTTP(httptest.NewRecorder(), r)
	if body.Len() > 0 {
		t.Errorf("%d bytes are not read", body.Len())
	}
}

func testFilePages(t *testing.T, open opener) {
	h := open(t, func(c *Config) { c.BodyLimit = 64 << 10 })
	const all = "/ws/demo/files"
	h.opened(t, "author", all, "There are no files yet", "up to 64 kB together")
	leads(t, h.upload("author", "Logo & 'seal' č.svg", "<svg/>", "terms.html", "<script>alert(1)</script>"), all+"?done=uploaded")
	if w := h.upload("viewer", "x.png", "x"); w.Code != 403 {
		t.Errorf("a viewer uploads: %d", w.Code)
	}
	if w := h.upload("author"); w.Code != 422 || !strings.Contains(w.Body.String(), "Choose a file.") {
		t.Errorf("nothing: %d %s", w.Code, w.Body)
	}
	says(t, h.upload("author", "a:b.png", "x"), "are not accepted")
	testDesignerFiles(t, h)
	w := h.upload("author", "small.txt", "x", "large.bin", strings.Repeat("x", 100<<10))
	if w.Code != 413 {
		t.Errorf("too large: %d", w.Code)
	}
	says(t, w, "The files are larger than 64 kB together; stored before it: 1.", "small.txt", `id="problem"`)
	large := strings.Repeat("x", 100<<10)
	says(t, h.uploadIn("de", all, "author", "large.bin", large), "Die Dateien sind zusammen größer als 64 kB.")
	says(t, h.uploadIn("de", "/api/ui"+all, "author", "small.txt", "x", "large.bin", large), "die Dateien sind zusammen größer als 64 kB; davor gespeichert: 1")
	says(t, h.uploadIn("de", "/api/ui"+all, "viewer", "small.txt", "x"), "dafür braucht es eine Rolle mit")
	if strings.Contains(w.Body.String(), "<h2>large.bin") {
		t.Error("a file was stored though it is too large")
	}

	svg, page := all+"/content/Logo%20&%20%27seal%27%20%C4%8D.svg", h.opened(t, "viewer", all, `<code class="copy">terms.html</code>`, "6 bytes", "image/svg&#43;xml")
	if !strings.Contains(page, `<img src="/ws/demo/files/content/Logo%20&amp;%20%27seal%27%20%C4%8D.svg?v=`) || strings.Contains(page, "Upload") || strings.Contains(page, "Delete") {
		t.Errorf("the list for a viewer:\n%s", page)
	}
	cookie := header("Cookie", h.session("viewer"))
	h.check(t, scenario{path: svg, header: cookie, status: 200, has: []string{"<svg/>"}, answer: map[string]string{"Content-Type": "image/svg+xml", "Content-Security-Policy": "sandbox", "Content-Disposition": "inline", "X-Content-Type-Options": "nosniff"}})
	svgETag := h.check(t, scenario{path: svg, header: cookie, status: 200}).Header().Get("ETag")
	part := func(of string) http.Header {
		return header("Cookie", cookie.Get("Cookie"), "Range", "bytes=1-3", "If-Range", of)
	}
	h.check(t, scenario{path: svg, header: part(svgETag), status: 206, answer: map[string]string{"Content-Length": "3"}})
	h.check(t, scenario{path: svg, header: part(`"of a file that was replaced"`), status: 200, has: []string{"<svg/>"}})
	// What a browser would run as one of our pages is only saved, whatever type it was sent with.
	h.check(t, scenario{path: all + "/content/terms.html", header: cookie, status: 200, answer: map[string]string{"Content-Type": "text/html", "Content-Disposition": "attachment", "Content-Security-Policy": "sandbox"}})
	h.check(t, scenario{path: all + "/content/%FF", header: cookie, status: 404})
	h.sent(t, "viewer", all+"/delete", 403, "name", "terms.html")
	leads(t, h.sent(t, "author", all+"/delete", 303, "name", "terms.html"), all+"?done=deleted")
	h.sent(t, "author", all+"/delete", 404, "name", "terms.html")
}

func testConnectionPages(t *testing.T, open opener) {
	h := open(t)
	const all = "/ws/demo/connections"
	h.opened(t, "root", all, "There are no connections yet", "PostgreSQL")
	if page := h.opened(t, "root", all+"/new?type=mysql", "mysql://report:password@"); strings.Contains(page, "header-name") {
		t.Error("a database has headers")
	}
	send := func(path string, status int, values ...string) *httptest.ResponseRecorder {
		w := h.sent(t, "root", path, status, values...)
		for _, secret := range []string{"topsecret", "s3cret"} {
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("%s shows a secret:\n%s", path, w.Body)
			}
		}
		return w
	}
	erp := []string{"type", "api", "name", "erp <1>", "address", "https://erp.example/?key=topsecret", "header-name", "X-Key", "header-value", "s3cret"}
	leads(t, send(all, 303, erp...), all+"?done=created")
	says(t, send(all, 409, erp...), "already.", `value="X-Key"`)
	for want, values := range map[string][]string{
		"The address is missing.":                   {"type", "mysql", "name", "shop"},
		"A name has 1 to":                           {"type", "mysql", "address", "topsecret"},
		"Unknown connection type":                   {"type", "oracle", "name", "shop", "address", "topsecret"},
		"Connections of type mysql have no headers": {"type", "mysql", "name", "shop", "address", "topsecret", "header-name", "A", "header-value", "s3cret"},
		"is not the name of a header":               {"type", "api", "name", "shop", "address", "topsecret", "header-name", "A b", "header-value", "s3cret"},
		"Enter the value of the header A":           {"type", "api", "name", "shop", "address", "topsecret", "header-name", "A", "header-value", ""},
	} {
		if w := send(all, 422, values...); !strings.Contains(strings.ToLower(w.Body.String()), strings.ToLower(want)) {
			t.Errorf("%v: no %q in\n%s", values, want, w.Body)
		}
	}
	page := h.opened(t, "root", all+"/edit?name=erp+%3C1%3E", "leave empty to keep it", `value="X-Key"`, "erp &lt;1&gt;")
	if strings.Contains(page, "topsecret") || strings.Contains(page, "s3cret") || strings.Contains(page, "erp.example/?") {
		t.Errorf("the form shows what is secret:\n%s", page)
	}
	testKeptSecrets(t, h, send)
	leads(t, send(all+"/delete", 303, "name", "erp <1>"), all+"?done=deleted")
	h.sent(t, "viewer", all+"/delete", 403, "name", "x")
	testDatabasesAreForRoot(t, h)
}

// testDatabasesAreForRoot: a database lies inside the network, where no guard
// stands, so who writes reports cannot say which.
func testDatabasesAreForRoot(t *testing.T, h *house) {
	const all = "/ws/demo/connections"
	if page := h.opened(t, "author", all, "API (HTTP service)"); strings.Contains(page, "PostgreSQL") {
		t.Error("authors are offered databases")
	}
	made := h.sent(t, "author", all, 403, "type", "postgres", "name", "inside", "address", "postgres://u:p@10.0.0.1/db")
	says(t, made, "a root user has to make them")
	leads(t, h.sent(t, "root", all, 303, "type", "postgres", "name", "inside", "address", "postgres://u:p@10.0.0.1/db"), all+"?done=created")
	h.sent(t, "author", all+"/edit", 403, "name", "inside", "address", "postgres://u:p@10.0.0.2/db")
	leads(t, h.sent(t, "author", all, 303, "type", "api", "name", "outside", "address", "https://erp.example/"), all+"?done=created")
}

// testKeptSecrets: an empty field keeps a secret, but none goes to another address.
func testKeptSecrets(t *testing.T, h *house, send func(string, int, ...string) *httptest.ResponseRecorder) {
	const edit = "/ws/demo/connections/edit"
	now := func() string {
		c := must[*store.Connection](t)(h.store.Connection(t.Context(), h.demo.ID, "erp <1>"))
		out := c.Type + " " + c.Address.Reveal()
		for _, header := range c.Headers {
			out += " " + header.Name + "=" + header.Value.Reveal()
		}
		return out
	}
	before := now()
	send(edit, 303, "name", "erp <1>", "type", "mysql", "address", "", "header-name", "x-key", "header-value", "")
	if want := strings.Replace(before, "X-Key", "x-key", 1); now() != want {
		t.Errorf("%s; want %s", now(), want)
	}
	says(t, send(edit, 422, "name", "erp <1>", "address", "https://evil.example/", "header-name", "x-key", "header-value", ""), "Enter the value of the header x-key; with another address none is kept.")
	if strings.Contains(now(), "evil") {
		t.Error("a secret goes to another address")
	}
	send(edit, 303, "name", "erp <1>", "address", "https://erp.example/?key=topsecret2", "header-name", "x-key", "header-value", "s3cret2")
	if want := "api https://erp.example/?key=topsecret2 x-key=s3cret2"; now() != want {
		t.Errorf("%s; want %s", now(), want)
	}
	send(edit, 303, "name", "erp <1>", "header-name", "", "header-value", "")
	if want := "api https://erp.example/?key=topsecret2"; now() != want {
		t.Errorf("%s; want %s", now(), want)
	}
	send(edit, 404, "name", "nothing", "address", "x")
}
