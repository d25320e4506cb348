package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

func TestMain(m *testing.M) {
	scripting.ChildMain()
	pdfium.ChildMain()
	powerMain()
	containerMain()
	askMain()
	quireMain()
	os.Exit(m.Run())
}

// service is the whole service in this process, with a real browser, on a
// database of its own with the demo workspace.
type service struct {
	t        testing.TB
	settings *settings
	store    *store.Store
	engine   *engine
	url      string
	token    string
	finish   func() // takes no more requests and tasks, and waits for those under way
}

// migrated are databases with all tables.
var migrated = storetest.Migrated{Open: func(ctx context.Context, database, storage string) (io.Closer, error) {
	return store.Open(ctx, store.Config{Database: database, Storage: storage, Key: "0123456789abcdef0123456789abcdef", Vector: "fedcba9876543210", Unsynced: true})
}}

// startService starts a service; env are settings as the environment gives
// them.
func startService(t testing.TB, env ...string) *service {
	t.Helper()
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	dir := t.TempDir()
	env = append([]string{
		"DataDir=" + dir, "RootUser__Password=secret-7a!", "Log__Level=error", "Egress__AllowHosts=127.0.0.1",
		"Storage__Sync=false",
	}, env...) // a test's data need not survive a power cut
	s, err := loadSettings("", env, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file := filepath.Join(s.DataDir, "quire.db"); s.Database == "sqlite:"+file {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			migrated.WriteSQLite(t, file)
		}
	}
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	st, err := openStore(ctx, s, log, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if err := firstStart(ctx, s, st); err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(t.Context(), s, log, data.Config{Connections: connections{st}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.stop)
	e.watch(s, st, log)
	tracer, stopTracing, err := startTracing(ctx, s, "serve", log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stopTracing)
	e.tracer = tracer
	work := newJobs(s, st, e, "service", log)
	working, stop := context.WithCancel(ctx)
	done := startWork(working, work, log)
	endWork := func() {
		stop()
		done.Wait()
	}
	t.Cleanup(endWork)
	providers, endProviders, err := newProviders(s, e.guard, st)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(endProviders)
	handler, _ := newHandler(s, st, e, work, signInAt{providers: providers}, log, stopSignals{stopping: t.Context().Done()})
	server := httptest.NewUnstartedServer(handler)
	if at, err := url.Parse(s.PublicURL); err == nil && at.Host != "" { // where people are sent back to
		if err := server.Listener.Close(); err != nil {
			t.Fatal(err)
		}
		if server.Listener, err = net.Listen("tcp", at.Host); err != nil {
			t.Fatal(err)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	user, err := st.UserByEmail(ctx, s.RootEmail)
	if err != nil {
		t.Fatal(err)
	}
	token, err := st.CreateToken(ctx, user.ID, store.NewToken{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	finish := func() {
		server.Close()
		endWork()
	}
	return &service{t: t, settings: s, store: st, engine: e, url: server.URL, token: token, finish: finish}
}

// answer is what the service answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call asks the service with the token; a body is sent as JSON.
func (s *service) call(method, path string, body any) answer {
	s.t.Helper()
	var content io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		content = strings.NewReader(b)
	default:
		doc, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		content = bytes.NewReader(doc)
	}
	req, err := http.NewRequest(method, s.url+path, content)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	if content != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, got}
}

// ok is call for what must succeed.
func (s *service) ok(method, path string, body any) answer {
	s.t.Helper()
	a := s.call(method, path, body)
	if a.status != http.StatusOK {
		s.t.Fatalf("%s %s: status %d: %s", method, path, a.status, a.body)
	}
	return a
}

// nonce makes a nonce.
func (s *service) nonce() string {
	s.t.Helper()
	var n struct{ Nonce string }
	if err := json.Unmarshal(s.ok(http.MethodPost, "/api/v1/nonce-tokens", nil).body, &n); err != nil {
		s.t.Fatal(err)
	}
	return n.Nonce
}
