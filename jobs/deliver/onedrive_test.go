package deliver

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rclone/rclone/backend/onedrive/quickxorhash"
)

// microsoft is a provider that keeps files and folders by path; an id is its
// path in hexadecimal.
type microsoft struct {
	mu       sync.Mutex
	items    map[string][]byte // nil is a folder
	sessions map[string][]byte
	writes   int
}

// itemPath is the path that an address names, and what is asked of it.
func itemPath(address string) (at, what string) {
	rest := strings.TrimPrefix(address, "/v1.0/drives/drive1")
	base := "/"
	if after, ok := strings.CutPrefix(rest, "/items/"); ok {
		id, tail, _ := strings.Cut(after, "/")
		id, isPath := strings.CutSuffix(id, ":")
		_, id, _ = strings.Cut(id, "!")
		decoded, _ := hex.DecodeString(id)
		base = string(decoded)
		if !isPath {
			return base, tail
		}
		rest = tail
	} else {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "/root"), ":/")
	}
	rel, what, _ := strings.Cut(rest, ":")
	return path.Join(base, rel), strings.TrimPrefix(what, "/")
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
	if r.Header.Get("Authorization") != "Bearer acc3ss-microsoft" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	at, what := itemPath(r.URL.Path)
	switch {
	case r.Method == http.MethodPost && what == "children":
		var folder struct{ Name string }
		_ = json.Unmarshal(body, &folder)
		m.items[path.Join(at, folder.Name)] = nil
		m.entry(w, path.Join(at, folder.Name))
	case r.Method == http.MethodPut && what == "content":
		m.keep(w, at, body)
	case r.Method == http.MethodPost && what == "createUploadSession":
		id := fmt.Sprint(len(m.sessions))
		id += hex.EncodeToString([]byte(at))
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
	m.sessions[session] = append(m.sessions[session], body...)
	if _, size, _ := strings.Cut(r.Header.Get("Content-Range"), "/"); size != fmt.Sprint(len(m.sessions[session])) {
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
	if !ok && at != "/" {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{"code":"itemNotFound","message":"not found"}}`)
		return
	}
	sum := quickxorhash.Sum(content)
	item := map[string]any{"id": "d!" + hex.EncodeToString([]byte(at)), "name": path.Base(at), "size": len(content), "parentReference": map[string]string{"driveId": "drive1", "id": "d!" + hex.EncodeToString([]byte(path.Dir(at)))}}
	if content == nil {
		item["folder"] = map[string]any{"childCount": 1}
	} else {
		item["file"] = map[string]any{"mimeType": "application/pdf", "hashes": map[string]string{"quickXorHash": base64.StdEncoding.EncodeToString(sum[:])}}
	}
	_ = json.NewEncoder(w).Encode(item)
}

func TestOneDrive(t *testing.T) {
	drive := &microsoft{items: map[string][]byte{}, sessions: map[string][]byte{}}
	env := provide(t, drive)
	target := Target{
		Type: "onedrive", Settings: map[string]any{"path": "2026/November é"},
		Connection: map[string]any{"clientId": "app", "folder": "Reports", "driveId": "drive1", "token": token("acc3ss-microsoft", "r3fresh", time.Now().Add(time.Hour))},
	}
	one, two := random(1, 30<<20), random(2, 1000)
	docs := []Document{pdf("Rechnung Müller & Söhne's 1.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
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
	target.Interrupted = true
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent || drive.writes != 3 {
		t.Errorf("%+v, %d writes", again, drive.writes)
	}
	fresh := []Document{pdf("empty.pdf", []byte("fresh"))}
	if got := items(mustDeliver(t, env, target, fresh, "k2")); got[0] != "empty (2).pdf 5 false" {
		t.Errorf("%v", got)
	}
	target.Settings = map[string]any{"path": "2026/November é", "conflict": "overwrite"}
	mustDeliver(t, env, target, fresh, "k2")
	same(t, "overwritten", drive.items["/Reports/2026/November é/empty.pdf"], []byte("fresh"))

	writes := drive.writes
	refused(t, env, target, []Document{broken("b.pdf", random(3, 30<<20), 25<<20)}, "the storage went away")
	if drive.writes != writes {
		t.Error("a cut document was kept")
	}
}
