package deliver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// providers are the hosts of cloud drives, which the tests play.
var providers = []string{"api.dropboxapi.com", "content.dropboxapi.com", "www.googleapis.com", "oauth2.googleapis.com", "graph.microsoft.com", "login.microsoftonline.com"}

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		// A server of the tests lingers half a second after an answer to a body that it did not read.
		if err := goleak.Find(goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}

// providerTLS is the certificate of all providers, and who trusts it.
var providerTLS = sync.OnceValues(func() (*tls.Config, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: providers, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, roots
})

// here resolves every name to an address of this machine.
type here netip.Addr

func (h here) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.Addr(h)}, nil
}

// addresses are those of this machine that tests have taken.
var addresses atomic.Uint32

// provide serves a provider where it is looked for: at an address of the test's
// own, so that tests run beside each other.
func provide(t *testing.T, handler http.Handler) *Env {
	t.Helper()
	n := addresses.Add(1)
	address := netip.AddrFrom4([4]byte{127, 9, byte(n >> 8), byte(n)})
	l, err := net.Listen("tcp", netip.AddrPortFrom(address, 443).String())
	if err != nil {
		t.Skip("port 443 cannot be opened here, and providers are looked for nowhere else: ", err)
	}
	config, roots := providerTLS()
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = server.Serve(tls.NewListener(l, config)) }()
	t.Cleanup(func() { _ = server.Close() })
	guard, err := egress.New(egress.Config{AllowHosts: append([]string{address.String()}, providers...), Resolver: here(address)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	return &Env{Egress: guard, Roots: roots, again: time.Millisecond}
}

// closed is an environment whose guard lets nothing through.
func closed(t *testing.T) *Env {
	t.Helper()
	guard, err := egress.New(egress.Config{Resolver: here(netip.MustParseAddr("127.0.0.1"))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	return &Env{Egress: guard}
}

// dropbox is a provider that keeps files by path and takes one access token,
// which it renews.
type dropbox struct {
	mu       sync.Mutex
	files    map[string][]byte
	sessions map[string][]byte
	asked    []string
	roots    []string // what paths begin at
	token    string
	answer   func(w http.ResponseWriter, r *http.Request) bool
}

func (d *dropbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // broken off
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	what := strings.TrimPrefix(r.URL.Path, "/2/files/")
	d.asked = append(d.asked, what)
	d.roots = append(d.roots, r.Header.Get("Dropbox-API-Path-Root"))
	if r.URL.Path == "/oauth2/token" {
		d.renew(w, string(body))
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+d.token {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error_summary":"expired_access_token/","error":{".tag":"expired_access_token"}}`)
		return
	}
	if d.answer != nil && d.answer(w, r) {
		return
	}
	var arg struct {
		Path   string
		Cursor struct {
			SessionID string `json:"session_id"`
			Offset    int
		}
		Commit struct{ Path, Mode string }
		Mode   string
	}
	text := r.Header.Get("Dropbox-API-Arg")
	if text == "" {
		text = string(body)
	}
	_ = json.Unmarshal([]byte(text), &arg)
	w.Header().Set("Content-Type", "application/json")
	switch what {
	case "get_metadata":
		if _, ok := d.files[strings.ToLower(arg.Path)]; !ok {
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, `{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}`)
			return
		}
		d.entry(w, arg.Path)
	case "list_folder":
		_, _ = io.WriteString(w, `{"entries":[],"has_more":false}`)
	case "upload":
		if d.conflicts(w, arg.Path, arg.Mode) {
			return
		}
		d.files[strings.ToLower(arg.Path)] = body
		d.entry(w, arg.Path)
	case "upload_session/start":
		id := fmt.Sprint("session", len(d.sessions))
		d.sessions[id] = body
		_, _ = io.WriteString(w, `{"session_id":"`+id+`"}`)
	case "upload_session/append_v2":
		if there := len(d.sessions[arg.Cursor.SessionID]); there != arg.Cursor.Offset {
			w.WriteHeader(http.StatusConflict)
			_, _ = fmt.Fprintf(w, `{"error_summary":"incorrect_offset/","error":{".tag":"incorrect_offset","correct_offset":%d}}`, there)
			return
		}
		d.sessions[arg.Cursor.SessionID] = append(d.sessions[arg.Cursor.SessionID], body...)
		_, _ = io.WriteString(w, "null")
	case "upload_session/finish":
		if d.conflicts(w, arg.Commit.Path, arg.Commit.Mode) {
			return
		}
		d.files[strings.ToLower(arg.Commit.Path)] = d.sessions[arg.Cursor.SessionID]
		d.entry(w, arg.Commit.Path)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// conflicts refuses to add a file of a name that there is.
func (d *dropbox) conflicts(w http.ResponseWriter, path, mode string) bool {
	if _, there := d.files[strings.ToLower(path)]; !there || mode == "overwrite" {
		return false
	}
	w.WriteHeader(http.StatusConflict)
	_, _ = io.WriteString(w, `{"error_summary":"path/conflict/file/..","error":{".tag":"path","reason":{".tag":"conflict","conflict":{".tag":"file"}}}}`)
	return true
}

func (d *dropbox) renew(w http.ResponseWriter, form string) {
	if !strings.Contains(form, "refresh_token=r3fresh") {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"refresh token is revoked: r3voked"}`)
		return
	}
	d.token = "acc3ss-new"
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"access_token":"acc3ss-new","token_type":"bearer","expires_in":14400}`)
}

func (d *dropbox) entry(w io.Writer, path string) {
	content := d.files[strings.ToLower(path)]
	blocks := sha256.New()
	for block := range slices.Chunk(content, 4<<20) {
		sum := sha256.Sum256(block)
		blocks.Write(sum[:])
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		".tag": "file", "name": filepath.Base(path), "id": "id:1", "path_display": path, "path_lower": strings.ToLower(path), "rev": "0123456789abcdef0",
		"client_modified": "2026-11-21T08:00:00Z", "server_modified": "2026-11-21T08:00:00Z", "size": len(content), "is_downloadable": true,
		"content_hash": hex.EncodeToString(blocks.Sum(nil)),
	})
}

func token(access, refresh string, expiry time.Time) report.Secret {
	return report.Secret(fmt.Sprintf(`{"access_token":%q,"token_type":"bearer","refresh_token":%q,"expiry":%q}`, access, refresh, expiry.Format(time.RFC3339)))
}

func TestDropbox(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1") // must not leak in
	box := &dropbox{files: map[string][]byte{}, sessions: map[string][]byte{}, token: "acc3ss-old"}
	env := provide(t, box)
	target := Target{
		Type: "dropbox", Settings: map[string]any{"path": "2026/November é"},
		Connection: map[string]any{"clientId": "app", "clientSecret": report.Secret("cl13nt"), "folder": "Reports", "token": token("acc3ss-old", "r3fresh", time.Now().Add(-time.Hour))},
	}
	learned := report.Secret("")
	target.Learned = func(name string, value report.Secret) {
		if name == "token" {
			learned = value
		}
	}
	one, two := random(1, 20<<20), random(2, 1000)
	docs := []report.Document{pdf("Rechnung Müller & Söhne #1 100%.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
	receipt := mustDeliver(t, env, target, docs, "k")
	if receipt.State != Sent || receipt.Items[0].Place != "Dropbox: /Reports/2026/November é/"+docs[0].Name {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, ok := box.files[strings.ToLower("/Reports/2026/November é/"+docs[i].Name)]
		if !ok {
			t.Errorf("%s is missing", docs[i].Name)
		}
		same(t, docs[i].Name, got, want)
	}
	if !strings.Contains(learned.Reveal(), "acc3ss-new") || !strings.Contains(learned.Reveal(), "r3fresh") {
		t.Errorf("the renewed token was not told: %q", learned.Reveal())
	}

	target = target.with(map[string]any{"token": learned})
	target.Interrupted, box.asked = true, nil
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent {
		t.Errorf("%+v", again)
	}
	if slices.ContainsFunc(box.asked, func(what string) bool { return what != "get_metadata" }) {
		t.Errorf("the second delivery asks %v", box.asked)
	}
	fresh := []report.Document{pdf("empty.pdf", []byte("fresh"))}
	if got := items(mustDeliver(t, env, target, fresh, "k2")); got[0] != "empty (2).pdf 5 false" {
		t.Errorf("%v", got)
	}
	target.Settings = map[string]any{"path": "2026/November é", "conflict": "overwrite"}
	mustDeliver(t, env, target, fresh, "k2")
	same(t, "overwritten", box.files["/reports/2026/november é/empty.pdf"], []byte("fresh"))
}

func TestDropboxRefusals(t *testing.T) {
	box := &dropbox{files: map[string][]byte{}, sessions: map[string][]byte{}, token: "acc3ss-ok"}
	env := provide(t, box)
	valid := token("acc3ss-ok", "r3voked", time.Now().Add(time.Hour))
	cases := []struct {
		token     report.Secret
		settings  map[string]any
		docs      []report.Document
		env       *Env
		answer    func(http.ResponseWriter, *http.Request) bool
		words     string
		permanent bool
	}{
		{token: "", words: "sign in first", permanent: true},
		{token: "old-style-token", words: "no JSON with an access_token", permanent: true},
		{token: token("acc3ss-no", "r3voked", time.Now().Add(-time.Hour)), words: "sign in again", permanent: true},
		{token: valid, settings: map[string]any{"path": "../x"}, words: "contains ..", permanent: true},
		{token: valid, docs: []report.Document{broken("a.pdf", random(3, 20<<20), 15<<20)}, words: "the storage went away"},
		{token: valid, docs: []report.Document{broken("a.pdf", random(3, 1<<20), 1000)}, words: "the storage went away"},
		{token: valid, env: closed(t), words: "the host \"api.dropboxapi.com\" may not be reached", permanent: true},
		{token: valid, answer: func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/upload") {
				w.WriteHeader(http.StatusConflict)
				_, _ = io.WriteString(w, `{"error_summary":"path/insufficient_space/","error":{".tag":"path","reason":{".tag":"insufficient_space"}}}`)
				return true
			}
			return false
		}, words: "insufficient_space", permanent: true},
	}
	for _, c := range cases {
		box.mu.Lock()
		box.answer = c.answer
		box.mu.Unlock()
		if c.docs == nil {
			c.docs = []report.Document{pdf("a.pdf", []byte("x"))}
		}
		if c.env == nil {
			c.env = env
		}
		target := Target{Type: "dropbox", Settings: c.settings, Connection: map[string]any{"clientId": "app", "token": c.token}}
		e := refused(t, c.env, target, c.docs, c.words)
		if e.Permanent != c.permanent || strings.Contains(e.Message, "acc3ss") || strings.Contains(e.Message, "r3voked") {
			t.Errorf("%+v", e)
		}
	}
	if len(box.files) != 0 {
		t.Errorf("left behind: %d files", len(box.files))
	}
}
