package deliver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/quire-reports/quire/report"
)

// s3Server is an S3 server with the bucket "out", and what it was asked.
type s3Server struct {
	url     string
	backend *s3mem.Backend

	mu       sync.Mutex
	requests []*http.Request
	answer   func(w http.ResponseWriter, r *http.Request) bool // instead of the server
}

func newS3(t *testing.T) *s3Server {
	t.Helper()
	s := &s3Server{backend: s3mem.New()}
	if err := s.backend.CreateBucket("out"); err != nil {
		t.Fatal(err)
	}
	fake := gofakes3.New(s.backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Clone(r.Context()))
		answer := s.answer
		s.mu.Unlock()
		if answer == nil || !answer(w, r) {
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *s3Server) target(settings map[string]any) Target {
	return Target{Type: "s3", Settings: settings, Connection: map[string]any{
		"endpoint": s.url, "bucket": "out", "accessKey": "AKIDEXAMPLE", "secretKey": report.Secret("s3cr3t+key/"), "prefix": "reports",
	}}
}

func (s *s3Server) keys(t *testing.T) []string {
	t.Helper()
	list, err := s.backend.ListBucket("out", nil, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, o := range list.Contents {
		keys = append(keys, o.Key)
	}
	slices.Sort(keys)
	return keys
}

func (s *s3Server) get(t *testing.T, key string) ([]byte, map[string]string) {
	t.Helper()
	o, err := s.backend.GetObject("out", key, nil)
	if err != nil {
		t.Fatal(key, err)
	}
	content, err := io.ReadAll(o.Contents)
	if err != nil {
		t.Fatal(err)
	}
	return content, o.Metadata
}

func TestObjectStorage(t *testing.T) {
	server, env := newS3(t), testEnv(t)
	one, two := random(1, 20<<20), random(2, 100)
	docs := []report.Document{pdf("Rechnung Müller & Söhne #1 100%.pdf", one), doc("Übersicht+x.csv", "text/csv", two), pdf("empty.pdf", nil)}
	target := server.target(map[string]any{"path": "2026/November é", "encryption": "aws:kms", "kmsKey": "arn:aws:kms:eu:1:key/2"})
	receipt := mustDeliver(t, env, target, docs, "k")
	if receipt.State != Sent || receipt.Items[0].Place != "s3://out/reports/2026/November é/"+docs[0].Name {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, meta := server.get(t, "reports/2026/November é/"+docs[i].Name)
		same(t, docs[i].Name, got, want)
		if meta["Content-Type"] != docs[i].ContentType || meta["X-Amz-Meta-Quire-Delivery"] != tagOf("k") || meta["X-Amz-Meta-Quire-Sha256"] != sumOf(want) {
			t.Errorf("%v", meta)
		}
	}
	encrypted := 0
	for _, r := range server.requests {
		if r.Method == http.MethodPut && r.Header.Get("X-Amz-Server-Side-Encryption") == "aws:kms" && r.Header.Get("X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id") == "arn:aws:kms:eu:1:key/2" {
			encrypted++
		}
	}
	if encrypted < 2 { // the large one says it when its upload begins
		t.Errorf("%d requests ask for encryption", encrypted)
	}

	target.Interrupted = true
	server.requests = nil
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent || len(server.keys(t)) != 3 {
		t.Errorf("%+v", again)
	}
	for _, r := range server.requests {
		if r.Method != http.MethodHead {
			t.Errorf("the second delivery asks %s %s", r.Method, r.URL.Path)
		}
	}
}

func TestObjectStorageConflicts(t *testing.T) {
	server, env := newS3(t), testEnv(t)
	old, fresh := []byte("old content"), []byte("new content")
	put := func(key string, content []byte) {
		t.Helper()
		if _, err := server.backend.PutObject("out", key, map[string]string{}, strings.NewReader(string(content)), int64(len(content)), nil); err != nil {
			t.Fatal(err)
		}
	}
	put("reports/a.pdf", old) // by somebody else: without our hash
	one := []report.Document{pdf("a.pdf", fresh)}
	if got := items(mustDeliver(t, env, server.target(nil), one, "k")); got[0] != "a (2).pdf 11 false" {
		t.Errorf("%v", got)
	}
	if got := items(mustDeliver(t, env, server.target(nil), []report.Document{pdf("a.pdf", old)}, "k")); got[0] != "a.pdf 11 true" {
		t.Errorf("%v", got)
	}
	refused(t, env, server.target(map[string]any{"conflict": "refuse"}), one, "exists with another content")
	mustDeliver(t, env, server.target(map[string]any{"conflict": "overwrite"}), one, "k")
	got, _ := server.get(t, "reports/a.pdf")
	same(t, "overwritten", got, fresh)

	// Somebody writes between asking and writing: the server refuses, nothing is lost.
	server.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "race.pdf") {
			put("reports/race.pdf", old)
		}
		return false
	}
	if got := items(mustDeliver(t, env, server.target(nil), []report.Document{pdf("race.pdf", fresh)}, "k")); got[0] != "race (2).pdf 11 false" {
		t.Errorf("%v", got)
	}
	got, _ = server.get(t, "reports/race.pdf")
	same(t, "the other's", got, old)

	// A server without conditional writing.
	server.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotImplemented)
			return true
		}
		return false
	}
	mustDeliver(t, env, server.target(nil), []report.Document{pdf("plain.pdf", fresh)}, "k")
	got, _ = server.get(t, "reports/plain.pdf")
	same(t, "plain", got, fresh)
}

func TestObjectStorageRefusals(t *testing.T) {
	server, env := newS3(t), testEnv(t)
	one := []report.Document{pdf("a.pdf", random(1, 1000))}
	says := func(status int, code string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodHead {
				return false
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>it says s3cr3t+key/ no</Message></Error>")
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
	}{
		{change: map[string]any{"bucket": "nowhere"}, words: `bucket "nowhere" does not exist`, permanent: true},
		{change: map[string]any{"endpoint": "http://10.0.0.7:9000"}, words: "Egress__AllowHosts", permanent: true},
		{change: map[string]any{"endpoint": "ftp://x"}, words: "only http and https", permanent: true},
		{change: map[string]any{"endpoint": "127.0.0.1"}, words: "address of the connection", permanent: true},
		{change: map[string]any{"prefix": "../x"}, words: "contains ..", permanent: true},
		{change: map[string]any{"secretKey": nil}, words: `"secretKey" is missing`, permanent: true},
		{settings: map[string]any{"kmsKey": "x"}, words: "only used with the encryption", permanent: true},
		{answer: says(403, "AccessDenied"), words: "may not do this", permanent: true},
		{answer: says(403, "SignatureDoesNotMatch"), words: "check the access key", permanent: true},
		{answer: says(503, "SlowDown"), words: "SlowDown"},
		{docs: []report.Document{broken("a.pdf", random(2, 30<<20), 22<<20)}, words: "the storage went away"},
		{docs: []report.Document{broken("a.pdf", random(2, 1<<20), 1000)}, words: "the storage went away"},
	}
	for _, c := range cases {
		server.mu.Lock()
		server.answer = c.answer
		server.mu.Unlock()
		to := server.target(c.settings).with(c.change)
		if c.docs == nil {
			c.docs = one
		}
		if e := refused(t, env, to, c.docs, c.words); e.Permanent != c.permanent || strings.Contains(e.Message, "s3cr3t") {
			t.Errorf("%+v", e)
		}
	}
	if keys := server.keys(t); !reflect.DeepEqual(keys, []string(nil)) {
		t.Errorf("left behind: %v", keys)
	}
}
