package deliver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/webdav"

	"github.com/quire-reports/quire/report"
)

// davServer is a WebDAV server of a folder, with a user.
type davServer struct {
	url, folder string
	env         *Env

	mu     sync.Mutex
	asked  []string
	answer func(w http.ResponseWriter, r *http.Request) bool // instead of the server
}

func newDAV(t *testing.T) *davServer {
	t.Helper()
	s := &davServer{folder: t.TempDir(), env: testEnv(t)}
	dav := &webdav.Handler{Prefix: "/dav", FileSystem: webdav.Dir(s.folder), LockSystem: webdav.NewMemLS()}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method)
		answer := s.answer
		s.mu.Unlock()
		user, password, _ := r.BasicAuth()
		if (user != "quire" || password != "pass:wörd") && r.Header.Get("Authorization") != "Bearer t0ken-of-quire" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if answer == nil || !answer(w, r) {
			dav.ServeHTTP(w, r)
		}
	}))
	server.TLS, s.env.Roots = certificate(t)
	server.StartTLS()
	t.Cleanup(server.Close)
	s.url = server.URL + "/dav/"
	return s
}

func (s *davServer) target(settings map[string]any) Target {
	return Target{Type: "webdav", Settings: settings, Connection: map[string]any{"address": report.Secret(s.url), "username": "quire", "password": report.Secret("pass:wörd")}}
}

func TestWebDAV(t *testing.T) {
	server := newDAV(t)
	one, two := random(1, 20<<20), random(2, 1000)
	docs := []report.Document{pdf("Rechnung Müller & Söhne #1 100%.pdf", one), doc("Übersicht;a=b.csv", "text/csv", two), pdf("empty.pdf", nil)}
	target := server.target(map[string]any{"path": "2026/November é/ü%20ü"})
	receipt := mustDeliver(t, server.env, target, docs, "k")
	if receipt.State != Sent || !strings.HasSuffix(receipt.Items[0].Place, "/…/2026/November é/ü%20ü/"+docs[0].Name) {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, err := os.ReadFile(filepath.Join(server.folder, "2026", "November é", "ü%20ü", docs[i].Name))
		if err != nil {
			t.Fatal(err)
		}
		same(t, docs[i].Name, got, want)
	}
	target.Interrupted = true
	server.asked = nil
	if again := mustDeliver(t, server.env, target, docs, "k"); again.State != AlreadySent || len(listing(t, server.folder)) != 3 {
		t.Errorf("%+v %v", again, listing(t, server.folder))
	}
	if got := strings.Join(server.asked, " "); strings.Contains(got, "PUT") || strings.Contains(got, "MOVE") {
		t.Errorf("the second delivery asks %s", got)
	}

	old := []byte("old content")
	if err := os.WriteFile(filepath.Join(server.folder, "a.pdf"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := []report.Document{pdf("a.pdf", []byte("new content"))}
	if got := items(mustDeliver(t, server.env, server.target(nil), fresh, "k")); got[0] != "a (2).pdf 11 false" {
		t.Errorf("%v", got)
	}
	refused(t, server.env, server.target(map[string]any{"conflict": "refuse"}), fresh, "exists with another content")
	token := server.target(map[string]any{"conflict": "overwrite"}).with(map[string]any{"username": nil, "password": nil, "token": report.Secret("t0ken-of-quire")})
	mustDeliver(t, server.env, token, fresh, "k")
	got, _ := os.ReadFile(filepath.Join(server.folder, "a.pdf"))
	same(t, "overwritten", got, []byte("new content"))

	inAddress := server.target(nil).with(map[string]any{"username": nil, "password": nil, "address": strings.Replace(server.url, "://", "://quire:pass%3Aw%C3%B6rd@", 1)})
	mustDeliver(t, server.env, inAddress, []report.Document{pdf("b.pdf", two)}, "k")
}

func TestWebDAVAFileThatAppearsMeanwhileIsKept(t *testing.T) {
	server := newDAV(t)
	theirs := []byte("their content")
	server.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == "MOVE" && strings.HasSuffix(r.Header.Get("Destination"), "/a.pdf") {
			_ = os.WriteFile(filepath.Join(server.folder, "a.pdf"), theirs, 0o600)
		}
		return false
	}
	if got := items(mustDeliver(t, server.env, server.target(nil), []report.Document{pdf("a.pdf", []byte("ours"))}, "k")); got[0] != "a (2).pdf 4 false" {
		t.Errorf("%v", got)
	}
	got, _ := os.ReadFile(filepath.Join(server.folder, "a.pdf"))
	same(t, "theirs", got, theirs)
	if got := listing(t, server.folder); !reflect.DeepEqual(got, []string{"a (2).pdf", "a.pdf"}) {
		t.Errorf("%v", got)
	}
}

func TestWebDAVRefusals(t *testing.T) {
	server := newDAV(t)
	one := []report.Document{pdf("a.pdf", random(1, 300_000))}
	if err := os.Mkdir(filepath.Join(server.folder, "folder.pdf"), 0o700); err != nil {
		t.Fatal(err)
	}
	says := func(status int, headers ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut {
				return false
			}
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			return true
		}
	}
	cases := []struct {
		change    map[string]any
		settings  map[string]any
		docs      []report.Document
		answer    func(http.ResponseWriter, *http.Request) bool
		words     string
		permanent bool
		wait      time.Duration
	}{
		{change: map[string]any{"password": report.Secret("wr0ng secret")}, words: "answered 401 Unauthorized; check the user name", permanent: true},
		{change: map[string]any{"address": "https://10.0.0.1/dav"}, words: "Egress__AllowHosts", permanent: true},
		{change: map[string]any{"address": "file:///etc"}, words: "address of the connection", permanent: true},
		{settings: map[string]any{"path": "a/../b"}, words: "contains ..", permanent: true},
		{docs: []report.Document{pdf("folder.pdf", nil)}, words: "is a folder", permanent: true},
		{docs: []report.Document{broken("b.pdf", random(4, 300_000), 200_000)}, words: "the storage went away"},
		{answer: says(507), words: "507 Insufficient Storage"},
		{answer: says(413), words: "does not take documents of this size", permanent: true},
		{answer: says(503, "Retry-After", "17"), words: "503", wait: 17 * time.Second},
		{answer: says(429, "Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)), words: "429", wait: time.Hour},
		{answer: says(302, "Location", "http://10.0.0.1/steal"), words: "redirects are not followed", permanent: true},
	}
	for _, c := range cases {
		server.mu.Lock()
		server.answer = c.answer
		server.mu.Unlock()
		if c.docs == nil {
			c.docs = one
		}
		e := refused(t, server.env, server.target(c.settings).with(c.change), c.docs, c.words)
		if e.Permanent != c.permanent || (e.RetryAfter-c.wait).Abs() > 5*time.Second || strings.Contains(e.Message, "wr0ng") {
			t.Errorf("%+v", e)
		}
	}
	if got := listing(t, server.folder); got != nil {
		t.Errorf("left behind: %v", got)
	}
}

func TestWebDAVStopsWithItsContext(t *testing.T) {
	server := newDAV(t)
	ctx, cancel := context.WithCancel(t.Context())
	content := random(5, 1<<20)
	endless := pdf("a.pdf", content)
	opened := 0
	endless.Open = func(context.Context) (io.ReadCloser, error) {
		if opened++; opened == 1 {
			return doc("", "", content).Open(ctx)
		}
		cancel()
		return doc("", "", content).Open(ctx)
	}
	_, err := Deliver(ctx, server.env, server.target(nil), []report.Document{endless}, "k")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := listing(t, server.folder); got != nil {
		t.Errorf("left behind: %v", got)
	}
}
