package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestHealth(t *testing.T) {
	var faulty atomic.Bool // a check may still run when who asked has gone
	browser := func(context.Context) error {
		if faulty.Load() {
			return errors.New("dial unix /run/secret-place")
		}
		return nil
	}
	leaving := make(chan struct{})
	h := open(t, func(c *Config) {
		c.Checks = []Check{{Name: "browser", Ask: browser}}
		c.Leaving = leaving
		c.Details = func() map[string]string { return map[string]string{"sandbox": "on"} }
		for _, part := range c.Store.(*store.Store).Parts() {
			c.Checks = append(c.Checks, Check{Name: part.Name, Ask: part.Ping, Needed: part.Name == "database"})
		}
	})
	h.run([]scenario{
		{name: "alive", path: "/healthz", status: 200, has: []string{`{"status":"ok"}`}, answer: map[string]string{"Cache-Control": "no-store", "Content-Type": "application/json"}},
		{name: "ready", path: "/readyz", status: 200, has: []string{`{"status":"ready"}`}},
		{name: "ready, to a user", path: "/readyz", who: "administrator", status: 200, has: []string{`{"status":"ready"}`}},
		{name: "ready, to somebody unknown", path: "/readyz", header: header("Authorization", "Bearer "+unknownToken), status: 200, has: []string{`{"status":"ready"}`}},
		{name: "ready, in the browser of a root user", path: "/readyz", header: header("Cookie", h.session("root")), status: 200, has: []string{`"database":"ok"`}},
		{name: "ready, to a root user", path: "/readyz", who: "root", status: 200, has: []string{`{"status":"ready","checks":{"browser":"ok","database":"ok","storage":"ok"},"details":{"sandbox":"on"}}`}},
		{name: "by HEAD", method: "HEAD", path: "/healthz", status: 200},
		{name: "not by POST", method: "POST", path: "/healthz", status: 405, has: []string{`"error"`}},
	})
	faulty.Store(true)
	h.check(t, scenario{path: "/readyz", who: "root", status: 200, has: []string{`"status":"ready"`, `"browser":"failing"`, `"database":"ok"`}, lacks: []string{"secret-place"}})
	h.check(t, scenario{path: "/readyz", status: 200, lacks: []string{"browser"}})
	if n := strings.Count(h.log.String(), "secret-place"); n != 1 {
		t.Errorf("the log has the reason %d times", n)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	h.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/readyz", nil).WithContext(gone))
	if log := h.log.String(); strings.Contains(log, "part=database") || strings.Contains(log, "canceled") {
		t.Errorf("a monitor that went away says that parts do not work:\n%s", log)
	}
	faulty.Store(false)
	h.check(t, scenario{path: "/readyz", status: 200})
	if !strings.Contains(h.log.String(), "works again") {
		t.Error("the log does not tell that the part works again")
	}
	h.check(t, scenario{path: "/healthz", status: 200})
	_ = h.store.Close()
	h.check(t, scenario{path: "/readyz", status: 503, has: []string{`{"status":"unready"}`}, answer: map[string]string{"Retry-After": "5"}})
	if !strings.Contains(h.log.String(), "part=database") {
		t.Error("the log does not name the part")
	}
	close(leaving)
	h.check(t, scenario{path: "/readyz", status: 503, has: []string{`{"status":"stopping"}`}, answer: map[string]string{"Retry-After": "5"}})
	h.check(t, scenario{path: "/healthz", status: 200})
}

// Monitors may have an address of their own, that nobody else reaches.
func TestMetricsApart(t *testing.T) {
	t.Parallel()
	var service, watch http.Handler
	h := open(t, func(c *Config) {
		c.Checks = []Check{{Name: "browser", Ask: func(context.Context) error { return nil }}}
		service, watch = NewApart(*c)
	})
	asked := func(handler http.Handler, path string) *httptest.ResponseRecorder {
		h.handler = handler
		return h.do(scenario{path: path})
	}
	if w := asked(service, "/metrics"); w.Code != 404 {
		t.Errorf("the service has them, too: %d", w.Code)
	}
	asked(service, "/api/v1/workspaces")
	if w := asked(watch, "/metrics"); w.Code != 200 || !strings.Contains(w.Body.String(), `route="/api/v1/workspaces"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := asked(watch, "/readyz"); w.Code != 200 || !strings.Contains(w.Body.String(), `"browser":"ok"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for path, status := range map[string]int{"/healthz": 200, "/": 404, "/api/v1/workspaces": 404, "/sign-in": 404, "/debug/pprof/": 404} {
		if w := asked(watch, path); w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// An error quotes what was sent, but not all of it; and of many places that are
// wrong it names the first.
func TestErrorsAreShort(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"timezone":"` + strings.Repeat("ü", 1<<20) + `"}`, status: 400, has: []string{"unknown time zone", "…"}})
	if w.Body.Len() > 16<<10 {
		t.Errorf("%d bytes", w.Body.Len())
	}
	h.export.export = func(export.Request) (*export.File, error) {
		var many report.Problems
		for range 1000 {
			many = append(many, report.Problemf("a", "is wrong"))
		}
		return nil, many
	}
	w = h.check(t, scenario{path: pdfPath, who: "viewer", status: 400, has: []string{"(and 999 more)", "… and 900 more"}})
	if n := strings.Count(w.Body.String(), `"is wrong"`); n != 100 {
		t.Errorf("%d places", n)
	}
	// What reading cuts off is not cut once more.
	h.export.export = func(export.Request) (*export.File, error) {
		_, problems := report.ParseReport([]byte(`{"name": "I", "pages": [` + strings.Repeat(`{"id": "x"},`, 5_000) + `{"id": 1}]}`))
		return nil, problems
	}
	h.check(t, scenario{path: pdfPath, who: "viewer", status: 400, has: []string{"… and 4901 more"}})
}

// What is cut short as the service stops is to be asked for again; and the log
// tells why a request got 503.
func TestARequestThatTheServiceCutsShort(t *testing.T) {
	h := open(t)
	for _, path := range []string{pdfPath, previewPath} {
		ctx, cut := context.WithCancelCause(t.Context())
		stop := func() error {
			cut(&report.Problem{Kind: report.Busy, Message: "the service is stopping"})
			return context.Canceled
		}
		h.export.export = func(export.Request) (*export.File, error) { return nil, stop() }
		h.export.preview = func(export.PreviewRequest) (*export.Preview, error) { return nil, stop() }
		r := httptest.NewRequest("GET", path, nil).WithContext(ctx)
		r.Header.Set("Authorization", "Bearer "+h.tokens["viewer"])
		r.Header.Set("Cookie", h.session("viewer"))
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "the service is stopping") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if log := h.log.String(); !strings.Contains(log, "level=WARN msg=\"request failed\"") {
		t.Error(log)
	}
}

func TestAPartThatDoesNotAnswerIsSlow(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	h := open(t, func(c *Config) {
		c.Checks = []Check{{Name: "database", Needed: true, Ask: func(context.Context) error { <-release; return nil }}}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/readyz", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+h.tokens["root"])
	h.handler.ServeHTTP(w, r)
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"database":"slow"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A part that is starting is no fault: the log says nothing of it, then or later.
func TestAPartThatStartsIsNoFault(t *testing.T) {
	var state error = fmt.Errorf("the browser: %w", ErrStarting)
	h := open(t, func(c *Config) {
		c.Checks = []Check{{Name: "browser", Ask: func(context.Context) error { return state }}}
	})
	h.check(t, scenario{path: "/readyz", who: "root", status: 200, has: []string{`"status":"ready"`, `"browser":"starting"`}})
	state = nil
	h.check(t, scenario{path: "/readyz", who: "root", status: 200, has: []string{`"browser":"ok"`}})
	if log := h.log.String(); strings.Contains(log, "a part of the service") {
		t.Error(log)
	}
	state = errors.New("broken")
	h.check(t, scenario{path: "/readyz", who: "root", status: 200, has: []string{`"browser":"failing"`}})
	if log := h.log.String(); !strings.Contains(log, "a part of the service does not work") {
		t.Error(log)
	}
}

func TestMetrics(t *testing.T) {
	h := open(t)
	for range 3 {
		h.do(scenario{path: "/api/v1/ws/demo/reports", who: "viewer"})
	}
	h.do(scenario{method: "BREW", path: "/made-up/1"})
	h.do(scenario{path: "/made-up/2"})
	h.check(t, scenario{path: "/metrics", status: 200, has: []string{
		`quire_http_requests_total{method="GET",route="/api/v1/ws/{workspaceId}/reports",status="200"} 3`,
		`quire_http_requests_total{method="other",route="other",status="404"}`,
		`quire_http_request_duration_seconds_count{method="GET",route="/api/v1/ws/{workspaceId}/reports"} 3`, "go_goroutines",
	}, lacks: []string{"made-up", "BREW"}})
}

func TestAssets(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: "/assets/preview.js", status: 200, has: []string{"dataset.ready"}, answer: map[string]string{
		"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, no-cache", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
	}})
	tag := w.Header().Get("Etag")
	h.run([]scenario{
		{name: "unchanged", path: "/assets/preview.js", header: header("If-None-Match", tag), status: 304},
		{name: "changed", path: "/assets/preview.js", header: header("If-None-Match", `"other"`), status: 200},
		{name: "named by its content", path: "/assets/preview.js?v=" + strings.Trim(tag, `"`)[:12], status: 200, answer: map[string]string{"Cache-Control": "immutable"}},
		{name: "named by other content", path: "/assets/preview.js?v=0123", status: 200, answer: map[string]string{"Cache-Control": "no-cache"}},
		{name: "a font", path: "/assets/fonts/inter.woff2", status: 200, answer: map[string]string{"Content-Type": "font/woff2"}},
		{name: "a part", path: "/assets/preview.js", header: header("Range", "bytes=0-7"), status: 206, has: []string{"document"}},
		{name: "missing", path: "/assets/none.js", status: 404, has: []string{`"error":"there is no asset`}},
		{name: "a folder", path: "/assets/fonts", status: 404},
		{name: "the root", path: "/assets/", status: 404},
		{name: "a way out", path: "/assets/../api.go", status: 404},
		{name: "a hidden way out", path: "/assets/%2e%2e/%2e%2e/etc/passwd", status: 404},
		{name: "invalid text", path: "/assets/%FF", status: 404},
	})
}

func TestExplorer(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: "/api/explorer/", status: 200, has: []string{"swagger", `"/api/v1/openapi.json"`}})
	policy := w.Header().Get("Content-Security-Policy")
	scripts := between(policy, "script-src", ";")
	if !strings.Contains(scripts, "'sha256-") || strings.Contains(scripts, "unsafe") || strings.Count(w.Body.String(), "<script>") != strings.Count(scripts, "sha256") {
		t.Errorf("the policy is %s", policy)
	}
	h.check(t, scenario{path: "/api/explorer", status: 308, answer: map[string]string{"Location": "/api/explorer/"}})
	h.check(t, scenario{path: "/api/explorer/swagger-ui.css", status: 200, answer: map[string]string{"Content-Type": "text/css"}})
	h = open(t, func(c *Config) { c.Explorer = false })
	h.check(t, scenario{path: "/api/explorer/", status: 404, has: []string{`"error"`}})
	h.check(t, scenario{path: "/tokens", header: header("Cookie", h.session("root")), status: 200, lacks: []string{"/api/explorer"}})
}

func TestOpenAPI(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: "/api/v1/openapi.json", status: 200, answer: map[string]string{"Content-Type": "application/openapi+json"}, lacks: []string{"$schema", "422"}})
	var got bytes.Buffer
	if err := json.Indent(&got, w.Body.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	const file = "testdata/openapi.json"
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(want, got.Bytes()) {
		t.Errorf("the description differs from %s (%v); if it is right, run go test ./api -update", file, err)
	}
	h.everyEndpointIsDescribed(t, w.Body.Bytes())
}

// everyEndpointIsDescribed compares the description with the routes.
func (h *house) everyEndpointIsDescribed(t *testing.T, document []byte) {
	t.Helper()
	var api struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Security    []any
			Responses   map[string]any
		}
	}
	if err := json.Unmarshal(document, &api); err != nil || api.OpenAPI != "3.1.0" {
		t.Fatalf("version %q: %v", api.OpenAPI, err)
	}
	for _, route := range h.routes {
		if !strings.HasPrefix(route.Path, "/api/v1/") || route.Need.Open {
			continue
		}
		op, ok := api.Paths[route.Path][strings.ToLower(route.Method)]
		good := slices.ContainsFunc([]string{"200", "201", "202", "204"}, func(code string) bool { return op.Responses[code] != nil })
		if !ok || op.OperationID == "" || len(op.Security) == 0 || !good || op.Responses["401"] == nil {
			t.Errorf("%s %s is described as %+v", route.Method, route.Path, op)
		}
	}
}

func TestPanics(t *testing.T) {
	h := open(t)
	h.export.export = func(export.Request) (*export.File, error) { panic("a fault with secret-data") }
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) { panic(errors.New("a fault")) }
	w := h.check(t, scenario{path: pdfPath, who: "viewer", status: 500, has: []string{`"title":"Internal Server Error"`}, lacks: []string{"secret-data", "goroutine"}})
	id := w.Header().Get("X-Request-Id")
	if id == "" || !strings.Contains(w.Body.String(), id) || !strings.Contains(h.log.String(), "a fault with secret-data") || !strings.Contains(h.log.String(), "request="+id) {
		t.Errorf("the request %q cannot be found in the log:\n%s", id, h.log)
	}
	h.check(t, scenario{path: previewPath, who: "viewer", status: 500, has: []string{"<!doctype html>", "Something went wrong"}})
}

// TestABrokenFileBreaksTheConnection checks that nobody takes half a file for
// a whole one.
func TestABrokenFileBreaksTheConnection(t *testing.T) {
	h := open(t)
	h.export.export = func(export.Request) (*export.File, error) {
		f := newFile("a.pdf", "application/pdf", "%PDF half")
		f.Size = 1000
		return f, nil
	}
	server := httptest.NewServer(h.handler)
	defer server.Close()
	request, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+pdfPath, nil)
	request.Header.Set("Authorization", "Bearer "+h.tokens["viewer"])
	resp, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := new(bytes.Buffer).ReadFrom(resp.Body); err == nil {
		t.Error("half a file arrived as a whole one")
	}
}

func TestTheLogHoldsNoSecrets(t *testing.T) {
	h := open(t)
	nonce, cookie := h.nonce("viewer"), h.session("root")
	h.do(scenario{path: previewPath + "?data=%7B%22salary%22%3A98765%7D&nonce=" + nonce})
	h.do(scenario{path: previewPath + "?nonce=" + nonce})
	h.do(scenario{path: pdfPath, who: "viewer", body: `{"password":"pdf-secret"}`})
	h.do(scenario{path: pdfPath, header: header("Authorization", "Bearer "+unknownToken)})
	h.post("/sign-in", form("email", "root@example.com", "password", password.Reveal()))
	w := h.post("/tokens", form("name", "x", "days", "30"), "Cookie", cookie)
	h.export.refusing(errors.New("it broke"))
	h.do(scenario{path: pdfPath, who: "viewer", body: `{"password":"pdf-secret","data":{"a":"body-text"}}`})
	log := h.log.String()
	for name, secret := range map[string]string{
		"a nonce": nonce, "a session": strings.SplitN(cookie, "=", 2)[1], "a token": h.tokens["viewer"], "an unknown token": unknownToken, "a password": password.Reveal(),
		"a PDF password": "pdf-secret", "data": "98765", "a body": "body-text", "a new token": shownToken.FindStringSubmatch(w.Body.String())[1],
	} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", name)
		}
	}
	for _, word := range []string{"path=" + previewPath + " status=200", "status=401", "user=", "it broke"} {
		if !strings.Contains(log, word) {
			t.Errorf("the log lacks %q", word)
		}
	}
}

func TestHugeBodies(t *testing.T) {
	h := open(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	body := `{"content":{"x":"` + strings.Repeat("a", 70<<20) + `"}}`
	for name, length := range map[string]int64{"with a length": int64(len(body)), "in chunks": -1} {
		request, _ := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/api/v1/ws/demo/temporary-data", strings.NewReader(body))
		request.ContentLength = length
		request.Header.Set("Authorization", "Bearer "+h.tokens["viewer"])
		request.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", name, resp.StatusCode)
		}
	}
}

func TestClientsThatGoAway(t *testing.T) {
	h := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	h.export.export = func(export.Request) (*export.File, error) { cancel(); return nil, ctx.Err() }
	r := httptest.NewRequest("GET", pdfPath, nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+h.tokens["viewer"])
	h.handler.ServeHTTP(httptest.NewRecorder(), r)
	if log := h.log.String(); !strings.Contains(log, "status=499") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the log says\n%s", log)
	}
}

// FuzzQuery sends whatever query: it is understood or refused, never a fault.
func FuzzQuery(f *testing.F) {
	h := open(f, func(c *Config) { c.Logger = nil })
	for _, seed := range []string{
		"", "?", "params=%7B%22a%22%3A1%7D", "params=eyJhIjoxfQ", "params[params]={}", "params[a][b][]=1&params[a][b][]=2", "format[name]=pdf&format=1",
		"data=null&lang=de&timezone=UTC&accessible=True", "params=[[[[&data=%FF", "params[]]=1&[=&]=&a[=1", "nonce=x&tempDataId=99999999999", "params[0]=1&params[1]=2", "params=%22%22", "a;b=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{pdfPath, previewPath} {
			r := httptest.NewRequest("GET", path, nil)
			r.URL.RawQuery = query
			r.Header.Set("Authorization", "Bearer "+h.tokens["root"])
			w := httptest.NewRecorder()
			h.clock.Advance(time.Second)
			if h.handler.ServeHTTP(w, r); w.Code != 200 && w.Code != 400 {
				t.Fatalf("%s?%s: %d\n%s", path, query, w.Code, w.Body)
			}
		}
	})
}

// FuzzBody sends whatever body.
func FuzzBody(f *testing.F) {
	h := open(f, func(c *Config) { c.Logger = nil })
	for _, seed := range []string{"", "null", "{}", `{"params":{"a":[1,{"b":null}]},"format":{"name":"pdf"}}`, `{"password":"x","allowPrinting":0}`, `{"data":"eyJhIjoxfQ=="}`, "\xef\xbb\xbf{}", `{"timezone":1e999}`, `{"tempDataId":""}`, "[", `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", pdfPath, bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+h.tokens["root"])
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.clock.Advance(time.Second)
		if h.handler.ServeHTTP(w, r); w.Code != 200 && w.Code != 400 {
			t.Fatalf("%q: %d\n%s", body, w.Code, w.Body)
		}
	})
}
