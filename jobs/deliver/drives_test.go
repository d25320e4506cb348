package deliver

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// drive is a provider as the tests of all of them see it. Paths begin with a
// slash.
type drive interface {
	http.Handler
	put(at string, content []byte)
	all() map[string][]byte
	isPart(r *http.Request) bool // of a large upload
	isWrite(r *http.Request) bool
	limited(w http.ResponseWriter) // asks to come back in 7 seconds
	full(w http.ResponseWriter)
}

type driveCase struct {
	drive
	target Target
	part   int // how much an upload sends at a time
	exact  bool
}

func drives() map[string]func() driveCase {
	valid := func(access string) map[string]any {
		return map[string]any{"clientId": "app", "clientSecret": report.Secret("cl13nt"), "token": token(access, "r3fresh", time.Now().Add(time.Hour))}
	}
	return map[string]func() driveCase{
		"googleDrive": func() driveCase {
			return driveCase{&google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}}, Target{Type: "googleDrive", Connection: valid("acc3ss-google")}, driveChunk, true}
		},
		"onedrive": func() driveCase {
			conn := valid("acc3ss-microsoft")
			conn["driveId"] = "drive1"
			return driveCase{&microsoft{items: map[string][]byte{"/": nil}, sessions: map[string][]byte{}}, Target{Type: "onedrive", Connection: conn}, graphChunk, true}
		},
		"dropbox": func() driveCase {
			return driveCase{&dropbox{files: map[string][]byte{}, sessions: map[string][]byte{}, token: "acc3ss-box"}, Target{Type: "dropbox", Connection: valid("acc3ss-box")}, dropboxChunk, false}
		},
	}
}

func (g *google) put(at string, content []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	parent := "root-id"
	for name := range strings.SplitSeq(strings.Trim(path.Dir(at), "/."), "/") {
		if name == "" {
			continue
		}
		id := ""
		for _, i := range g.items {
			if i.Name == name && i.Parents[0] == parent {
				id = i.ID
			}
		}
		if id == "" {
			folder := &googleItem{Name: name, MimeType: googleFolder, Parents: []string{parent}}
			g.keep(io.Discard, folder)
			id = folder.ID
		}
		parent = id
	}
	g.keep(io.Discard, &googleItem{Name: path.Base(at), MimeType: "application/pdf", Parents: []string{parent}, content: content})
	g.writes--
}

func (g *google) all() map[string][]byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	found := map[string][]byte{}
	for _, item := range g.items {
		if item.MimeType == googleFolder || item.Trashed {
			continue
		}
		at, up := item.Name, item
		for up.Parents[0] != "root-id" {
			up = g.items[up.Parents[0]]
			at = up.Name + "/" + at
		}
		found["/"+at] = item.content
	}
	return found
}

func (*google) isPart(r *http.Request) bool {
	return r.URL.Query().Get("session") != "" && r.Method == http.MethodPut && !strings.HasPrefix(r.Header.Get("Content-Range"), "bytes *")
}

func (*google) isWrite(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/upload/") }

func (*google) limited(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `{"error":{"code":403,"message":"User Rate Limit Exceeded","errors":[{"domain":"usageLimits","reason":"userRateLimitExceeded"}]}}`)
}

func (*google) full(w http.ResponseWriter) {
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `{"error":{"code":403,"message":"The user's Drive storage quota has been exceeded.","errors":[{"domain":"usageLimits","reason":"storageQuotaExceeded"}]}}`)
}

func (m *microsoft) put(at string, content []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for up := path.Dir(at); up != "/"; up = path.Dir(up) {
		m.items[up] = nil
	}
	m.items[at] = append([]byte{}, content...)
}

func (m *microsoft) all() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[string][]byte{}
	for at, content := range m.items {
		if content != nil {
			found[at] = content
		}
	}
	return found
}

func (*microsoft) isPart(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/session/") && r.Method == http.MethodPut
}

func (m *microsoft) isWrite(r *http.Request) bool {
	return m.isPart(r) || r.Method == http.MethodPut || strings.HasSuffix(r.URL.Path, "/createUploadSession")
}

func (*microsoft) limited(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(http.StatusTooManyRequests)
	_, _ = io.WriteString(w, `{"error":{"code":"activityLimitReached","message":"The app or user has been throttled."}}`)
}

func (*microsoft) full(w http.ResponseWriter) {
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `{"error":{"code":"quotaLimitReached","message":"storageQuotaExceeded"}}`)
}

func (d *dropbox) put(at string, content []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[strings.ToLower(at)] = content
}

func (d *dropbox) all() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := map[string][]byte{}
	for at, content := range d.files {
		found[at] = content
	}
	return found
}

func (*dropbox) isPart(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/append_v2") && r.ContentLength > 0
}

func (*dropbox) isWrite(r *http.Request) bool { return strings.Contains(r.URL.Path, "/files/upload") }

func (*dropbox) limited(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(http.StatusTooManyRequests)
	_, _ = io.WriteString(w, `{"error_summary":"too_many_write_operations/","error":{"reason":{".tag":"too_many_write_operations"},"retry_after":7}}`)
}

func (*dropbox) full(w http.ResponseWriter) {
	w.WriteHeader(http.StatusConflict)
	_, _ = io.WriteString(w, `{"error_summary":"path/storageQuotaExceeded/","error":{".tag":"path","reason":{".tag":"insufficient_space","why":"storageQuotaExceeded"}}}`)
}

// is tells whether a drive has just these files; names of one that does not
// tell a from A are compared without case.
func (c driveCase) is(t *testing.T, want map[string][]byte) {
	t.Helper()
	got := c.all()
	if len(got) != len(want) {
		t.Errorf("%d files are there, want %d", len(got), len(want))
	}
	for at, content := range want {
		if !c.exact {
			at = strings.ToLower(at)
		}
		there, ok := got[at]
		if !ok {
			t.Errorf("%s is missing", at)
		}
		same(t, at, there, content)
	}
}

// eachDrive runs a test for every drive. What answer does not answer itself is
// the provider's.
func eachDrive(t *testing.T, test func(t *testing.T, c driveCase, env *Env, answer *func(w http.ResponseWriter, r *http.Request) bool)) {
	for name, make := range drives() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := make()
			var answer func(w http.ResponseWriter, r *http.Request) bool
			env := provide(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if answer == nil || !answer(w, r) {
					c.ServeHTTP(w, r)
				}
			}))
			test(t, c, env, &answer)
		})
	}
}

func TestDrivesTakeAFileOnce(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, answer *func(http.ResponseWriter, *http.Request) bool) {
		large, small := random(1, 2*c.part+1000), random(2, 1000)
		docs := []report.Document{pdf("Large.pdf", large), pdf("small.pdf", small), pdf("empty.pdf", nil)}
		c.target.Settings = map[string]any{"path": "2026/11"}
		var biggest int64
		*answer = func(w http.ResponseWriter, r *http.Request) bool {
			biggest = max(biggest, r.ContentLength)
			return false
		}
		if r := mustDeliver(t, env, c.target, docs, "k"); r.State != Sent {
			t.Errorf("%+v", r)
		}
		if biggest > int64(c.part)+10_000 {
			t.Errorf("one request had %d bytes", biggest)
		}
		want := map[string][]byte{"/2026/11/Large.pdf": large, "/2026/11/small.pdf": small, "/2026/11/empty.pdf": nil}
		c.is(t, want)
		*answer = func(w http.ResponseWriter, r *http.Request) bool {
			if c.isWrite(r) {
				t.Error("the second delivery writes")
			}
			return false
		}
		if r := mustDeliver(t, env, c.target, docs, "k"); r.State != AlreadySent || !r.Items[2].Already {
			t.Errorf("%+v", r)
		}
		c.is(t, want)
	})
}

func TestDrivesAndFilesThatExist(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, _ *func(http.ResponseWriter, *http.Request) bool) {
		old, fresh := random(1, 1000), random(2, 1000) // of one length
		c.put("/out/a.pdf", old)
		one := []report.Document{pdf("a.pdf", fresh)}
		with := func(conflict string) Target {
			to := c.target
			to.Settings = map[string]any{"path": "out", "conflict": conflict}
			return to
		}
		if e := refused(t, env, with("refuse"), one, "exists with another content"); !e.Permanent {
			t.Errorf("%+v", e)
		}
		if got := items(mustDeliver(t, env, with("number"), one, "k")); got[0] != "a (2).pdf 1000 false" {
			t.Errorf("%v", got)
		}
		c.is(t, map[string][]byte{"/out/a.pdf": old, "/out/a (2).pdf": fresh})
		mustDeliver(t, env, with("overwrite"), one, "k")
		c.is(t, map[string][]byte{"/out/a.pdf": fresh, "/out/a (2).pdf": fresh})
		large := random(3, c.part+5)
		mustDeliver(t, env, with("overwrite"), []report.Document{pdf("a.pdf", large)}, "k")
		c.is(t, map[string][]byte{"/out/a.pdf": large, "/out/a (2).pdf": fresh})
	})
}

// TestDrivesAndARace: somebody writes the name between looking and writing.
func TestDrivesAndARace(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, answer *func(http.ResponseWriter, *http.Request) bool) {
		theirs, ours := random(1, 1000), random(2, 1000)
		var once sync.Once
		*answer = func(_ http.ResponseWriter, r *http.Request) bool {
			if c.isWrite(r) {
				once.Do(func() { c.put("/a.pdf", theirs) })
			}
			return false
		}
		if got := items(mustDeliver(t, env, c.target, []report.Document{pdf("a.pdf", ours)}, "k")); got[0] != "a (2).pdf 1000 false" {
			t.Errorf("%v", got)
		}
		c.is(t, map[string][]byte{"/a.pdf": theirs, "/a (2).pdf": ours})
	})
}

func TestDrivesAndHostileNames(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, _ *func(http.ResponseWriter, *http.Request) bool) {
		names := []string{"../../etc/passwd", `a\b"c'd.pdf`, "' or name contains '.pdf", "line\r\nX-Evil: 1.pdf", "😀 Ана №1?#%&=+.pdf", "con.pdf", strings.Repeat("ü", 300) + ".pdf", "\u202efdp.exe", ". .", "{\".tag\":\"x\"}.pdf"}
		docs, want := []report.Document{}, map[string][]byte{}
		for i, name := range names {
			content := random(uint64(i), 100)
			docs = append(docs, pdf(name, content))
			want["/o'ut/"+SafeName(name)] = content
		}
		c.target.Settings = map[string]any{"path": "o'ut"}
		mustDeliver(t, env, c.target, docs, "k")
		c.is(t, want)
		if again := mustDeliver(t, env, c.target, docs, "k"); again.State != AlreadySent {
			t.Errorf("%+v", again)
		}
		c.target.Settings = map[string]any{"path": "../up"}
		refused(t, env, c.target, docs[:1], "contains ..")
	})
}

// TestDrivesGoOn: a connection that breaks in a large upload costs a part of
// it, whatever the provider has of that part.
func TestDrivesGoOn(t *testing.T) {
	t.Parallel()
	cut := func(w http.ResponseWriter, r *http.Request, serve http.Handler, share int64) {
		if share > 0 {
			r.Body = io.NopCloser(io.LimitReader(r.Body, r.ContentLength*share/100))
			serve.ServeHTTP(discarded{http.Header{}}, r)
		}
		panic(http.ErrAbortHandler)
	}
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, answer *func(http.ResponseWriter, *http.Request) bool) {
		for i, fault := range []func(w http.ResponseWriter, r *http.Request){
			func(w http.ResponseWriter, r *http.Request) { cut(w, r, c, 0) },
			func(w http.ResponseWriter, r *http.Request) { cut(w, r, c, 50) },
			func(w http.ResponseWriter, r *http.Request) { cut(w, r, c, 100) },
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		} {
			content, sent := random(uint64(i), 3*c.part+77), int64(0)
			var mu sync.Mutex
			parts := 0
			*answer = func(w http.ResponseWriter, r *http.Request) bool {
				if !c.isPart(r) {
					return false
				}
				mu.Lock()
				parts++
				sent += r.ContentLength
				isSecond := parts == 2
				mu.Unlock()
				if isSecond {
					fault(w, r)
				}
				return isSecond
			}
			name := fmt.Sprintf("%d.pdf", i)
			if r := mustDeliver(t, env, c.target, []report.Document{pdf(name, content)}, "k"); r.State != Sent {
				t.Errorf("%+v", r)
			}
			same(t, name, c.all()["/"+name], content)
			if most := int64(len(content) + c.part); sent > most {
				t.Errorf("fault %d: %d bytes were sent, want at most %d", i, sent, most)
			}
		}
	})
}

// discarded takes an answer that never arrives.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(b []byte) (int, error) { return len(b), nil }
func (d discarded) WriteHeader(int)             {}

func TestDrivesThatRefuse(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, answer *func(http.ResponseWriter, *http.Request) bool) {
		one, large := []report.Document{pdf("a.pdf", []byte("x"))}, []report.Document{pdf("a.pdf", random(1, 2*c.part))}
		onWrite := func(do func(w http.ResponseWriter)) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				if c.isWrite(r) {
					do(w)
				}
				return c.isWrite(r)
			}
		}
		*answer = onWrite(c.limited)
		if e := refused(t, env, c.target, one, "writing"); e.Permanent || e.Uncertain || e.RetryAfter != 7*time.Second {
			t.Errorf("limited: %+v", e)
		}
		*answer = onWrite(c.full)
		if e := refused(t, env, c.target, one, "it says"); !e.Permanent {
			t.Errorf("full: %+v", e)
		}
		*answer = onWrite(func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) })
		if e := refused(t, env, c.target, one, "502"); e.Permanent || e.Uncertain {
			t.Errorf("502: %+v", e)
		}
		*answer = func(w http.ResponseWriter, r *http.Request) bool {
			if c.isPart(r) {
				w.WriteHeader(http.StatusBadGateway)
			}
			return c.isPart(r)
		}
		if e := refused(t, env, c.target, large, "502"); e.Permanent || e.Uncertain {
			t.Errorf("502 of parts: %+v", e)
		}
		*answer = nil
		out := c.target.with(map[string]any{"token": token("acc3ss-of-nobody", "r3voked", time.Now().Add(time.Hour))})
		if e := refused(t, env, out, one, "sign in again"); !e.Permanent {
			t.Errorf("signed out: %+v", e)
		}
		if e := refused(t, closed(t), c.target, one, "may not be reached"); !e.Permanent {
			t.Errorf("guarded: %+v", e)
		}
		c.is(t, nil)
	})
}

func TestDrivesAreLeftWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, answer *func(http.ResponseWriter, *http.Request) bool) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		*answer = func(w http.ResponseWriter, r *http.Request) bool {
			if c.isPart(r) {
				cancel()
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}
			return c.isPart(r)
		}
		_, err := Deliver(ctx, env, c.target, []report.Document{pdf("a.pdf", random(1, 2*c.part))}, "k")
		var own *Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &own) || own.Permanent || own.Uncertain {
			t.Errorf("%v", err)
		}
		c.is(t, nil)
		if g, ok := c.drive.(*google); ok && len(g.uploads) != 0 {
			t.Error("the upload was not given up")
		}
	})
}

// TestDrivesAndAStorageThatFails: the document breaks off while it is sent, and
// not when its hash is made.
func TestDrivesAndAStorageThatFails(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, _ *func(http.ResponseWriter, *http.Request) bool) {
		for _, size := range []int{1 << 20, 2 * c.part} {
			content, opened := random(1, size), 0
			d := pdf("a.pdf", content)
			whole, cut := d.Open, broken("a.pdf", content, size-1000).Open
			d.Open = func(ctx context.Context) (io.ReadCloser, error) {
				if opened++; opened == 1 {
					return whole(ctx)
				}
				return cut(ctx)
			}
			if e := refused(t, env, c.target, []report.Document{d}, "the storage went away"); e.Permanent || e.Uncertain {
				t.Errorf("%+v", e)
			}
		}
		c.is(t, nil)
	})
}

func TestProbeDrives(t *testing.T) {
	t.Parallel()
	eachDrive(t, func(t *testing.T, c driveCase, env *Env, _ *func(http.ResponseWriter, *http.Request) bool) {
		words := "accepts the sign-in"
		if c.target.Type == "onedrive" {
			words = "the drive Documents can be reached"
		}
		finds(t, env, c.target, words)
		misses(t, env, c.target.with(map[string]any{"token": token("acc3ss-no", "r3voked", time.Now().Add(time.Hour))}), "sign in again")
	})
}

// TestGoogleDriveOfATeam: a service account signs in by its key, and paths
// begin at a shared drive.
func TestGoogleDriveOfATeam(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{"type": "service_account", "client_email": "quire@project.iam.gserviceaccount.com", "private_key_id": "k1", "private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))})
	if err != nil {
		t.Fatal(err)
	}
	g := &google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}}
	env := provide(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/token" {
			g.ServeHTTP(w, r)
			return
		}
		var claims struct{ Iss, Scope, Aud string }
		parts := strings.Split(r.FormValue("assertion"), ".")
		if r.FormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || len(parts) != 3 {
			t.Errorf("asked for a token with %v", r.Form)
			return
		}
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		if err := json.Unmarshal(text, &claims); err != nil || claims.Iss != "quire@project.iam.gserviceaccount.com" || claims.Scope != googleScope || claims.Aud != googleToken {
			t.Errorf("%s", text)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"acc3ss-google","token_type":"Bearer","expires_in":3600}`)
	}))
	target := Target{Type: "googleDrive", Connection: map[string]any{"serviceAccount": report.Secret(file), "sharedDrive": "drive-7", "folder": "Reports"}, Settings: map[string]any{"path": "2026"}}
	target.Learned = func(name string, _ report.Secret) { t.Errorf("%s was learned", name) }
	mustDeliver(t, env, target, []report.Document{pdf("a.pdf", []byte("x"))}, "k")
	top := slices.IndexFunc(g.asked, func(q string) bool {
		return !strings.Contains(q, "corpora=drive") || !strings.Contains(q, "driveId=drive-7") || !strings.Contains(q, "supportsAllDrives=true") || !strings.Contains(q, "includeItemsFromAllDrives=true")
	})
	if top >= 0 {
		t.Errorf("asked for %s", g.asked[top])
	}
	for _, item := range g.items {
		if item.Name == "Reports" && item.Parents[0] != "drive-7" {
			t.Errorf("%+v", item)
		}
	}
	bad := target.with(map[string]any{"serviceAccount": report.Secret(`{"type":"service_account","client_email":"a@b","private_key":"none"}`)})
	if e := refused(t, env, bad, []report.Document{pdf("a.pdf", []byte("x"))}, "key of the service account"); !e.Permanent {
		t.Errorf("%+v", e)
	}
}

func TestDropboxOfATeam(t *testing.T) {
	t.Parallel()
	c := drives()["dropbox"]()
	box := c.drive.(*dropbox)
	mustDeliver(t, provide(t, box), c.target.with(map[string]any{"namespace": "77"}), []report.Document{pdf("a.pdf", random(1, dropboxChunk+1))}, "k")
	for i, root := range box.roots {
		if root != `{".tag":"namespace_id","namespace_id":"77"}` {
			t.Errorf("%s begins at %q", box.asked[i], root)
		}
	}
}
