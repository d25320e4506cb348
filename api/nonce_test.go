package api

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

const previewPath = "/ws/demo/reports/invoice/preview"

func (h *house) nonce(who string) string {
	h.t.Helper()
	nonce, err := h.store.CreateNonce(h.t.Context(), h.grant(who, store.Scope{}))
	if err != nil {
		h.t.Fatal(err)
	}
	return nonce
}

func testNonceRace(t *testing.T, open opener) {
	h := open(t)
	for _, path := range []string{previewPath, pdfPath} {
		address := path + "?nonce=" + h.nonce("viewer")
		statuses := map[int]int{}
		cookies := 0
		var mu sync.Mutex
		var racing sync.WaitGroup
		for range 1000 {
			racing.Go(func() {
				w := h.do(scenario{path: address})
				mu.Lock()
				defer mu.Unlock()
				statuses[w.Code]++
				cookies += len(w.Result().Cookies())
			})
		}
		racing.Wait()
		if statuses[200] != 1 || statuses[401] != 999 || cookies != 1 {
			t.Errorf("%s: statuses %v and %d cookies; want one 200 and 999 times 401", path, statuses, cookies)
		}
	}
}

// Programs that look where the links of a mail lead ask by HEAD.
func testNonceLooks(t *testing.T, open opener) {
	h := open(t)
	for _, path := range []string{previewPath, pdfPath} {
		address := path + "?nonce=" + h.nonce("viewer")
		for range 2 {
			w := h.check(t, scenario{method: "HEAD", path: address, status: 200})
			if len(w.Result().Cookies()) > 0 {
				t.Errorf("HEAD %s gives a session", path)
			}
		}
		h.check(t, scenario{path: address, status: 200})
		h.check(t, scenario{method: "HEAD", path: address, status: 401})
	}
	expired := h.nonce("viewer")
	h.clock.Advance(61 * time.Second)
	h.check(t, scenario{method: "HEAD", path: previewPath + "?nonce=" + expired, status: 401})
}

func testRefusedNonces(t *testing.T, open opener) {
	h := open(t)
	used, expired, foreign := h.nonce("viewer"), h.nonce("viewer"), h.nonce("stranger")
	h.check(t, scenario{path: previewPath + "?nonce=" + used, status: 200})
	h.check(t, scenario{path: previewPath + "?nonce=" + foreign, status: 404})
	h.check(t, scenario{path: previewPath + "?nonce=" + h.nonce("guest"), status: 404})
	h.clock.Advance(61 * time.Second)
	for name, nonce := range map[string]string{"used": used, "expired": expired, "unknown": strings.Repeat("x", 32), "odd": "%00%FF", "used by a stranger": foreign} {
		t.Run(name, func(t *testing.T) {
			w := h.check(t, scenario{path: previewPath + "?nonce=" + nonce, status: 401, has: []string{"This page has expired", "Reload the page you came from."}, lacks: []string{"Bearer", "Sign in", "nonce"}, answer: map[string]string{"Content-Type": "text/html"}})
			h.check(t, scenario{path: pdfPath + "?nonce=" + nonce, status: 401, has: []string{`"status":401`, "nonce"}})
			if len(w.Result().Cookies()) > 0 {
				t.Errorf("a refused nonce sets %v", w.Result().Cookies())
			}
		})
	}
	h.check(t, scenario{path: "/api/v1/workspaces?nonce=" + h.nonce("viewer"), status: 401})
	h.check(t, scenario{path: "/?nonce=" + h.nonce("viewer"), status: 303})
}

// testNonceBecomesCookie follows the way of an embedding page.
func testNonceBecomesCookie(t *testing.T, open opener) {
	h := open(t)
	address := previewPath + "?lang=de&nonce=" + h.nonce("viewer")
	w := h.check(t, scenario{path: address, status: 200, has: []string{"Invoice 4711"}, answer: map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}})
	cookie := header("Cookie", strings.Split(w.Header().Get("Set-Cookie"), ";")[0])
	for _, c := range []scenario{
		{name: "the preview", path: previewPath, status: 200},
		{name: "loading the frame again", path: address, status: 200},
		{name: "another report", path: "/ws/demo/reports/sales/preview", status: 404},
		{name: "other temporary data", path: previewPath + "?tempDataId=7", status: 404},
		{name: "a download", path: pdfPath, status: 200, has: []string{"%PDF"}},
		{name: "a report that is not there", path: "/ws/demo/reports/99/preview", status: 404},
		{name: "a foreign workspace", path: "/ws/other-house/reports/1/preview", status: 404},
		{name: "not the lists of the API", path: "/api/v1/ws/demo/reports", status: 401},
		{name: "not the pages", path: "/tokens", status: 303},
		{name: "no changes", method: "POST", path: "/api/v1/ws/demo/temporary-data", body: `{"content":{}}`, status: 401},
	} {
		c.header = cookie
		t.Run(c.name, func(t *testing.T) { h.check(t, c) })
	}
	h.clock.Advance(8*time.Hour + time.Second)
	h.check(t, scenario{path: previewPath, header: cookie, status: 401})
}

// TestTheBetterCookieWins is about browsers that hold both cookies.
func TestTheBetterCookieWins(t *testing.T) {
	h := open(t)
	h.run([]scenario{
		{name: "a foreign preview session beside a session", path: previewPath, header: header("Cookie", h.previewCookie("stranger")+"; "+h.session("viewer")), status: 200},
		{name: "a foreign session beside a preview session", path: previewPath, header: header("Cookie", h.previewCookie("viewer")+"; "+h.session("stranger")), status: 200},
		{name: "none that may", path: previewPath, header: header("Cookie", h.previewCookie("stranger")+"; "+h.session("stranger")), status: 404},
		{name: "a used nonce beside a session", path: previewPath + "?nonce=used", header: header("Cookie", h.session("viewer")), status: 200},
	})
	cookie := header("Cookie", h.previewCookie("viewer"))
	if err := h.store.SetActive(t.Context(), h.users["viewer"].ID, false); err != nil {
		t.Fatal(err)
	}
	h.check(t, scenario{path: previewPath, header: cookie, status: 401})
}

func TestAttributesOfCookies(t *testing.T) {
	frame := header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "iframe")
	for name, c := range map[string]struct {
		base, public   string
		header         http.Header
		tls            bool
		preview, other string
	}{
		"plain HTTP":                    {preview: "Path=/; HttpOnly; SameSite=Lax", other: "Path=/; HttpOnly; SameSite=Lax"},
		"plain HTTP below a path":       {base: "/reports", preview: "Path=/reports; HttpOnly; SameSite=Lax", other: "Path=/reports; HttpOnly; SameSite=Lax"},
		"HTTPS":                         {tls: true, preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; Secure; SameSite=Lax"},
		"HTTPS ended by a proxy":        {header: header("X-Forwarded-Proto", "https"), preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; Secure; SameSite=Lax"},
		"HTTPS ended by two":            {header: header("X-Forwarded-Proto", "https,http"), preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; Secure; SameSite=Lax"},
		"HTTPS by the public address":   {public: "https://reports.example.com", preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; Secure; SameSite=Lax"},
		"another address than public":   {public: "https://elsewhere.example.com", preview: "Path=/; HttpOnly; SameSite=Lax", other: "Path=/; HttpOnly; SameSite=Lax"},
		"plain HTTP said by a proxy":    {tls: true, header: header("X-Forwarded-Proto", "http"), preview: "Path=/; HttpOnly; SameSite=Lax", other: "Path=/; HttpOnly; SameSite=Lax"},
		"a frame on localhost":          {header: frame, preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; SameSite=Lax"},
		"a page of the same site in it": {header: header("Sec-Fetch-Site", "same-site", "Sec-Fetch-Dest", "iframe"), preview: "Path=/; HttpOnly; Secure; SameSite=None; Partitioned", other: "Path=/; HttpOnly; SameSite=Lax"},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, func(cfg *Config) { cfg.PathBase, cfg.PublicURL = c.base, c.public })
			public, _ := url.Parse(c.public)
			sessions := access.NewSessions(h.store, access.Cookies{PathBase: c.base, Public: public, Proxies: &access.Proxies{}})
			preview, session := httptest.NewRecorder(), httptest.NewRecorder()
			h.handler.ServeHTTP(preview, arriving(c.base+previewPath+"?nonce="+h.nonce("viewer"), c.header, c.tls))
			if err := sessions.SignInFrom(session, arriving("/sign-in", c.header, c.tls), h.users["viewer"], store.Origin{}); err != nil {
				t.Fatal(err)
			}
			for _, cookie := range []struct{ name, got, want string }{
				{"quire_preview_" + between(preview.Header().Get("Set-Cookie"), "quire_preview_", "="), preview.Header().Get("Set-Cookie"), c.preview},
				{"quire_session", session.Header().Get("Set-Cookie"), c.other},
			} {
				got := strings.ReplaceAll(cookie.got, " Expires="+between(cookie.got, "Expires=", ";")+";", "")
				if !strings.HasPrefix(got, cookie.name+"=") || !strings.HasSuffix(got, "; "+cookie.want) {
					t.Errorf("the cookie is %q; want %s=…; %s", got, cookie.name, cookie.want)
				}
			}
		})
	}
}

// arriving is a request as the server sees it.
func arriving(path string, h http.Header, encrypted bool) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "reports.example.com"
	for name, values := range h {
		r.Header[name] = values
	}
	if encrypted {
		r.TLS = &tls.ConnectionState{}
	}
	return r
}

// between is the text between two others, or nothing.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}
