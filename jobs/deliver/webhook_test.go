package deliver

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

const hookSecret = "a shared s3cret of some length"

// receiver is a web service that checks signatures as its author would, and
// knows repetitions by their key.
type receiver struct {
	url string
	env *Env

	mu     sync.Mutex
	got    []received
	seen   map[string]bool
	doubts int // requests with a key that was there before
	answer func(w http.ResponseWriter, r *http.Request) bool
}

type received struct {
	header http.Header
	body   []byte
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	s := &receiver{env: testEnv(t), seen: map[string]bool{}}
	server := httptest.NewUnstartedServer(s)
	server.TLS, s.env.Roots = certificate(t)
	server.StartTLS()
	t.Cleanup(server.Close)
	s.url = server.URL + "/hooks/t0ken-in-path?key=k3y-in-query"
	return s
}

func (s *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	signature := r.Header.Get("Quire-Signature")
	at, sum, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",v1=")
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(at + "." + string(body)))
	if err != nil || r.Method != http.MethodPost || hex.EncodeToString(mac.Sum(nil)) != sum {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	key := r.Header.Get("Idempotency-Key")
	if s.answer != nil && s.answer(w, r) {
		return
	}
	if s.seen[key] {
		s.doubts++
		return
	}
	s.seen[key] = true
	s.got = append(s.got, received{r.Header.Clone(), body})
}

func (s *receiver) target(settings map[string]any) Target {
	return Target{
		Type: "webhook", Settings: settings, Origin: Origin{Workspace: "7", Job: "monthly", Run: "run-1", Entry: "entry-2"},
		Connection: map[string]any{
			"address": report.Secret(s.url), "secret": report.Secret(hookSecret),
			"headers": []any{map[string]any{"name": "Authorization", "value": report.Secret("Bearer t0p-s3cret")}},
		},
	}
}

func TestWebhookWithJSON(t *testing.T) {
	s := newReceiver(t)
	s.env.Now = func() time.Time { return time.Unix(1_795_000_000, 0) }
	content := random(1, 5000)
	linked := pdf("Übersicht \"A\".pdf", content)
	linked.Link = "https://quire.example/api/content/9?sig=x"
	receipt := mustDeliver(t, s.env, s.target(nil), []report.Document{linked, pdf("b.pdf", nil)}, "k")
	if len(s.got) != 1 {
		t.Fatalf("%d requests", len(s.got))
	}
	got := s.got[0]
	want := `{"workspace":"7","job":"monthly","run":"run-1","entry":"entry-2","documents":[` +
		`{"name":"Übersicht _A_.pdf","contentType":"application/pdf","size":5000,"sha256":"` + sumOf(content) + `","link":"https://quire.example/api/content/9?sig=x"},` +
		`{"name":"b.pdf","contentType":"application/pdf","size":0,"sha256":"` + sumOf(nil) + `"}]}`
	var a, b any
	if json.Unmarshal(got.body, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || string(got.body) != want {
		t.Errorf("got  %s\nwant %s", got.body, want)
	}
	if got.header.Get("Content-Type") != "application/json" || got.header.Get("Authorization") != "Bearer t0p-s3cret" || !strings.HasPrefix(got.header.Get("Quire-Signature"), "t=1795000000,v1=") {
		t.Errorf("%v", got.header)
	}
	if receipt.State != Sent || receipt.Reference != got.header.Get("Idempotency-Key") || receipt.Items[0].Place != "127.0.0.1" {
		t.Errorf("%+v", receipt)
	}
	target := s.target(nil)
	target.Interrupted = true
	mustDeliver(t, s.env, target, []report.Document{linked, pdf("b.pdf", nil)}, "k")
	if len(s.got) != 1 || s.doubts != 1 {
		t.Errorf("the receiver took it %d times and knew it again %d times", len(s.got), s.doubts)
	}
}

func TestWebhookWithDocuments(t *testing.T) {
	s := newReceiver(t)
	one := random(2, 20<<20)
	docs := []report.Document{pdf("Rechnung Müller.pdf", one), doc("x.csv", "text/csv\r\nX-Evil: 1", []byte("a\r\n--quire-")), doc("empty", "", nil)}
	mustDeliver(t, s.env, s.target(map[string]any{"content": "multipart"}), docs, "k")
	mustDeliver(t, s.env, s.target(map[string]any{"content": "multipart"}), docs, "other")
	if len(s.got) != 2 {
		t.Fatalf("%d requests", len(s.got))
	}
	_, params, err := mime.ParseMediaType(s.got[0].header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(bytes.NewReader(s.got[0].body), params["boundary"]).ReadForm(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var head hookHead
	if err := json.Unmarshal([]byte(form.Value["delivery"][0]), &head); err != nil || head.Entry != "entry-2" || len(head.Documents) != 3 {
		t.Errorf("%+v %v", head, err)
	}
	for i, want := range [][]byte{one, []byte("a\r\n--quire-"), nil} {
		file := form.File["document"][i]
		f, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(f)
		_ = f.Close()
		same(t, file.Filename, got, want)
		if file.Filename != docs[i].Name || file.Header.Get("X-Evil") != "" {
			t.Errorf("%q %v", file.Filename, file.Header)
		}
	}
	if s.got[1].header.Get("Content-Type") == s.got[0].header.Get("Content-Type") {
		t.Error("two deliveries have the same boundary")
	}
}

func TestWebhookAnswers(t *testing.T) {
	s := newReceiver(t)
	one := []report.Document{pdf("a.pdf", random(3, 100_000))}
	says := func(status int, headers ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "you sent Bearer t0p-s3cret\r\nand more")
			return true
		}
	}
	hangUp := func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	once := map[string]any{"repeatable": false}
	cases := []struct {
		change               map[string]any
		settings             map[string]any
		docs                 []report.Document
		answer               func(http.ResponseWriter, *http.Request) bool
		words                string
		permanent, uncertain bool
		wait                 time.Duration
	}{
		{answer: says(500), words: "answered 500"},
		{answer: says(503, "Retry-After", "120"), words: "answered 503", wait: 2 * time.Minute},
		{answer: says(429, "Retry-After", "99999999"), words: "answered 429", wait: 24 * time.Hour},
		{answer: says(429, "Retry-After", "-5"), words: "answered 429"},
		{answer: says(409), words: "answered 409"},
		{answer: says(400, "Content-Type", "text/plain"), words: "it says: you sent ••• and more", permanent: true},
		{answer: says(410), words: "answered 410 Gone; check the address", permanent: true},
		{answer: says(307, "Location", "http://10.0.0.1/"), words: "redirects are not followed", permanent: true},
		{answer: hangUp, words: "could not be reached"},
		{settings: once, answer: hangUp, words: "may have arrived", permanent: true, uncertain: true},
		{settings: once, answer: says(504), words: "may have arrived", permanent: true, uncertain: true},
		{settings: once, answer: says(503), words: "answered 503"},
		{settings: once, change: map[string]any{"address": "https://127.0.0.1:1/"}, words: "could not be reached: connect: connection refused"},
		{change: map[string]any{"secret": report.Secret("too short")}, words: "at least 16 characters", permanent: true},
		{change: map[string]any{"address": "https://169.254.169.254/latest"}, words: "Egress__AllowHosts", permanent: true},
		{change: map[string]any{"address": "gopher://127.0.0.1/"}, words: "only http and https", permanent: true},
		{change: map[string]any{"headers": []any{map[string]any{"name": "X-A", "value": "a\r\nX-B: c"}}}, words: "line break", permanent: true},
		{change: map[string]any{"headers": []any{map[string]any{"name": "X A", "value": "a"}}}, words: "no name of a header", permanent: true},
		{change: map[string]any{"headers": []any{map[string]any{"name": "quire-signature", "value": "a"}}}, words: "set by the delivery itself", permanent: true},
		{settings: map[string]any{"content": "multipart"}, docs: []report.Document{failsLater(pdf("a.pdf", random(4, 500_000)))}, words: "the storage went away"},
	}
	for _, c := range cases {
		s.mu.Lock()
		s.answer = c.answer
		s.mu.Unlock()
		if c.docs == nil {
			c.docs = one
		}
		e := refused(t, s.env, s.target(c.settings).with(c.change), c.docs, c.words)
		if e.Permanent != c.permanent || e.Uncertain != c.uncertain || (e.RetryAfter-c.wait).Abs() > time.Second {
			t.Errorf("%+v", e)
		}
		for _, secret := range []string{hookSecret, "t0p-s3cret", "t0ken-in-path", "k3y-in-query"} {
			if strings.Contains(e.Message, secret) {
				t.Errorf("tells a secret: %s", e.Message)
			}
		}
	}
	if len(s.got) != 0 {
		t.Errorf("%d requests were taken", len(s.got))
	}
	target := s.target(once)
	target.Interrupted = true
	receipt, err := Deliver(t.Context(), s.env, target, one, "k")
	var e *Error
	if !errors.As(err, &e) || !e.Uncertain || receipt.State != Uncertain || len(s.got) != 0 {
		t.Errorf("%+v %v", receipt, err)
	}
}

// failsLater is a document that can be read whole twice, then only in part.
func failsLater(d report.Document) report.Document {
	open, times := d.Open, 0
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		r, err := open(ctx)
		if times++; times > 2 {
			return io.NopCloser(io.MultiReader(io.LimitReader(r, 300_000), failingReader{})), err
		}
		return r, err
	}
	return d
}

func FuzzHookBody(f *testing.F) {
	f.Add("a.pdf", "application/pdf", []byte("x"))
	f.Add("a\"; name=\"delivery", "text/plain; a=\"b\r\nX-Evil: 1\"", []byte("\r\n--quire-"))
	f.Add("\u2028\xff", "text/plain; a*=utf-8''%0d%0a", []byte("--\r\n"))
	f.Fuzz(func(t *testing.T, name, kind string, content []byte) {
		d := &delivery{env: &Env{}, tag: "t", docs: prepare([]report.Document{doc(name, kind, content)})}
		body, err := newHookBody(t.Context(), d, hookSecret, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := body.sign(t.Context(), hookSecret, 1); err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(body.stream(t.Context()))
		if err != nil || int64(len(raw)) != body.size {
			t.Fatal(err, len(raw), body.size)
		}
		parts := multipart.NewReader(bytes.NewReader(raw), body.boundary)
		head, err := parts.NextPart()
		if err != nil || head.FormName() != "delivery" {
			t.Fatal(err)
		}
		part, err := parts.NextPart()
		if err != nil || part.FormName() != "document" || part.FileName() != d.docs[0].name || len(part.Header) != 2 {
			t.Fatalf("%v %v", err, part)
		}
		if got, err := io.ReadAll(part); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%v %q", err, got)
		}
		if _, err := parts.NextPart(); err != io.EOF {
			t.Fatal("more parts")
		}
	})
}

// slow is a document that takes its time.
func slow(d report.Document, pause time.Duration) report.Document {
	open := d.Open
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		r, err := open(ctx)
		return slowReader{r, pause}, err
	}
	return d
}

type slowReader struct {
	io.ReadCloser
	pause time.Duration
}

func (s slowReader) Read(p []byte) (int, error) {
	time.Sleep(s.pause)
	return s.ReadCloser.Read(p[:min(len(p), 8000)])
}

func TestALongUploadIsNotTakenForSilence(t *testing.T) {
	s := newReceiver(t)
	s.env.Idle = 300 * time.Millisecond
	content := random(5, 80_000) // a second
	mustDeliver(t, s.env, s.target(map[string]any{"content": "multipart"}), []report.Document{slow(pdf("a.pdf", content), 100*time.Millisecond)}, "k")
	if len(s.got) != 1 || !bytes.Contains(s.got[0].body, content) {
		t.Errorf("%d requests", len(s.got))
	}
	s.answer = func(http.ResponseWriter, *http.Request) bool { time.Sleep(time.Second); return true }
	start := time.Now()
	if e := refused(t, s.env, s.target(nil), []report.Document{pdf("a.pdf", content)}, "did not answer in time"); e.Permanent || time.Since(start) > 900*time.Millisecond {
		t.Errorf("%+v after %v", e, time.Since(start))
	}
}
