package deliver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// microsoft is a provider that keeps files and folders by path, and renews a
// token that is due.
type microsoft struct {
	mu       sync.Mutex
	items    map[string][]byte // nil is a folder
	sessions map[string][]byte
	writes   int
}

// itemPath is the path that an address names, and what is asked of it.
func itemPath(address string) (at, what string) {
	rest := strings.TrimPrefix(address, "/v1.0/drives/drive1/root")
	if named, ok := strings.CutPrefix(rest, ":"); ok {
		at, what, _ = strings.Cut(named, ":")
		return at, strings.TrimPrefix(what, "/")
	}
	return "/", strings.TrimPrefix(rest, "/")
}

func (m *microsoft) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		return // broken off
	}
	w.Header().Set("Content-Type", "application/json")
	if session, ok := strings.CutPrefix(r.URL.Path, "/session/"); ok { // an address with its own secret
		m.chunk(w, r, session, body)
		return
	}
	if r.URL.Path == "/common/oauth2/v2.0/token" {
		if !strings.Contains(string(body), "refresh_token=r3fresh") || !strings.Contains(string(body), "client_id=app") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"r3voked"}`)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"acc3ss-microsoft","token_type":"bearer","expires_in":3600}`)
		return
	}
	if content, ok := m.items[strings.TrimPrefix(r.URL.Path, "/download")]; ok { // an address with its own secret
		_, _ = w.Write(content)
		return
	}
	if r.Header.Get("Authorization") != "Bearer acc3ss-microsoft" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.URL.Path == "/v1.0/drives/drive1" {
		_, _ = io.WriteString(w, `{"id":"drive1","name":"Documents"}`)
		return
	}
	at, what := itemPath(r.URL.Path)
	_, isThere := m.items[at]
	_, hasFolder := m.items[path.Dir(at)]
	isUpload := r.Method == http.MethodPut || what == "createUploadSession"
	switch {
	case r.Method == http.MethodPost && what == "children":
		var folder struct{ Name string }
		_ = json.Unmarshal(body, &folder)
		if _, ok := m.items[path.Join(at, folder.Name)]; ok {
			w.WriteHeader(http.StatusConflict)
			return
		}
		m.items[path.Join(at, folder.Name)] = nil
		m.entry(w, path.Join(at, folder.Name))
	case isUpload && !hasFolder:
		w.WriteHeader(http.StatusNotFound)
	case isUpload && isThere && strings.Contains(r.URL.RawQuery+string(body), "fail"):
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":{"code":"nameAlreadyExists"}}`)
	case r.Method == http.MethodPut && what == "content":
		m.keep(w, at, body)
	case r.Method == http.MethodGet && what == "content":
		w.Header().Set("Location", "https://graph.microsoft.com"+(&url.URL{Path: "/download" + at}).EscapedPath())
		w.WriteHeader(http.StatusFound)
	case r.Method == http.MethodPost && what == "createUploadSession":
		id := fmt.Sprint(len(m.sessions)) + hex.EncodeToString([]byte(at))
		m.sessions[id] = nil
		_ = json.NewEncoder(w).Encode(map[string]string{"uploadUrl": "https://graph.microsoft.com/session/" + id})
	case what == "":
		m.entry(w, at)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (m *microsoft) chunk(w http.ResponseWriter, r *http.Request, session string, body []byte) {
	if r.Method == http.MethodDelete {
		delete(m.sessions, session)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if r.Method == http.MethodGet {
		_ = json.NewEncoder(w).Encode(map[string]any{"nextExpectedRanges": []string{fmt.Sprintf("%d-", len(m.sessions[session]))}})
		return
	}
	span, size, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Content-Range"), "bytes "), "/")
	if first, _, _ := strings.Cut(span, "-"); first != fmt.Sprint(len(m.sessions[session])) {
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	m.sessions[session] = append(m.sessions[session], body...)
	if size != fmt.Sprint(len(m.sessions[session])) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"nextExpectedRanges":[]}`)
		return
	}
	at, _ := hex.DecodeString(session[1:])
	m.keep(w, string(at), m.sessions[session])
}

func (m *microsoft) keep(w http.ResponseWriter, at string, content []byte) {
	m.writes++
	m.items[at] = append([]byte{}, content...)
	w.WriteHeader(http.StatusCreated)
	m.entry(w, at)
}

func (m *microsoft) entry(w http.ResponseWriter, at string) {
	content, ok := m.items[at]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{"code":"itemNotFound","message":"not found"}}`)
		return
	}
	item := map[string]any{"name": path.Base(at), "size": len(content)}
	if content == nil {
		item["folder"] = map[string]any{"childCount": 1}
	} else {
		item["file"] = map[string]any{"mimeType": "application/pdf"}
	}
	_ = json.NewEncoder(w).Encode(item)
}

func TestOneDrive(t *testing.T) {
	drive := &microsoft{items: map[string][]byte{"/": nil}, sessions: map[string][]byte{}}
	env := provide(t, drive)
	target := Target{
		Type: "onedrive", Settings: map[string]any{"path": "2026/November é"},
		Connection: map[string]any{"clientId": "app", "folder": "Reports", "driveId": "drive1", "token": token("acc3ss-old", "r3fresh", time.Now().Add(-time.Hour))},
	}
	var learned report.Secret
	target.Learned = func(_ string, value report.Secret) { learned = value }
	one, two := random(1, 30<<20), random(2, 1000)
	docs := []report.Document{pdf("Rechnung Müller & Söhne's 1.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
	receipt := mustDeliver(t, env, target, docs, "k")
	if receipt.State != Sent || receipt.Items[0].Place != "OneDrive: /Reports/2026/November é/"+docs[0].Name {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, ok := drive.items["/Reports/2026/November é/"+docs[i].Name]
		if !ok {
			t.Errorf("%s is missing", docs[i].Name)
		}
		same(t, docs[i].Name, got, want)
	}
	if !strings.Contains(learned.Reveal(), "acc3ss-microsoft") || !strings.Contains(learned.Reveal(), "r3fresh") {
		t.Errorf("the renewed token was not told: %q", learned.Reveal())
	}
	target.Interrupted = true
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent || drive.writes != 3 {
		t.Errorf("%+v, %d writes", again, drive.writes)
	}
	fresh := []report.Document{pdf("empty.pdf", []byte("fresh"))}
	if got := items(mustDeliver(t, env, target, fresh, "k2")); got[0] != "empty (2).pdf 5 false" {
		t.Errorf("%v", got)
	}
	target.Settings = map[string]any{"path": "2026/November é", "conflict": "overwrite"}
	mustDeliver(t, env, target, fresh, "k2")
	same(t, "overwritten", drive.items["/Reports/2026/November é/empty.pdf"], []byte("fresh"))

	writes := drive.writes
	refused(t, env, target, []report.Document{broken("b.pdf", random(3, 30<<20), 25<<20)}, "the storage went away")
	if drive.writes != writes {
		t.Error("a cut document was kept")
	}
	e := refused(t, env, target.with(map[string]any{"token": token("acc3ss-no", "r3voked", time.Now().Add(-time.Hour))}), fresh, "sign in again")
	if !e.Permanent || strings.Contains(e.Message, "r3voked") {
		t.Errorf("%+v", e)
	}
	if e := refused(t, closed(t), target, fresh, "may not be reached"); !e.Permanent {
		t.Errorf("%+v", e)
	}
}
