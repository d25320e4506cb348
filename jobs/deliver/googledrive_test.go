package deliver

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// google is a provider that keeps files by id, as many of a name as it is
// given.
type google struct {
	mu       sync.Mutex
	items    map[string]*googleItem
	uploads  map[string]*googleItem
	sessions int
	asked    []string // queries of lists
	writes   int
	unseen   int // how many lists do not have the newest folder yet
	perPage  int // of lists; 0 for all at once
	// race holds back who makes a folder until as many want to.
	race *sync.WaitGroup
}

type googleItem struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	MimeType string   `json:"mimeType"`
	Parents  []string `json:"parents"`
	Size     string   `json:"size,omitempty"`
	MD5      string   `json:"md5Checksum,omitempty"`
	Created  string   `json:"createdTime"`
	Trashed  bool     `json:"trashed"`
	content  []byte
	complete bool
}

const googleFolder = "application/vnd.google-apps.folder"

var (
	inParents = regexp.MustCompile(`'([^']+)' in parents`)
	nameIs    = regexp.MustCompile(`name='((?:[^'\\]|\\.)*)'`)
)

func (g *google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.race != nil && r.Method == http.MethodPost && r.URL.Path == "/drive/v3/files" {
		g.race.Done()
		g.race.Wait()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer acc3ss-google" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, id, _ := strings.Cut(r.URL.Path, "/drive/v3/files/")
	switch {
	case strings.HasPrefix(r.URL.Path, "/upload/") && r.Method != http.MethodGet:
		g.upload(w, r, id)
	case r.Method == http.MethodPost && id == "":
		item := &googleItem{}
		_ = json.NewDecoder(r.Body).Decode(item)
		g.keep(w, item)
	case r.Method == http.MethodGet && id == "":
		g.asked = append(g.asked, r.URL.RawQuery)
		g.list(w, r.URL.Query().Get("q"), r.URL.Query().Get("pageToken"))
	case r.Method == http.MethodGet && id == "root":
		_, _ = io.WriteString(w, `{"id":"root-id"}`)
	case r.Method == http.MethodGet && g.items[id] != nil && r.URL.Query().Get("alt") == "media":
		_, _ = w.Write(g.items[id].content)
	case r.Method == http.MethodGet && g.items[id] != nil:
		_ = json.NewEncoder(w).Encode(g.items[id])
	case r.Method == http.MethodPatch && g.items[id] != nil:
		_ = json.NewDecoder(r.Body).Decode(g.items[id])
		_, _ = io.WriteString(w, "{}")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (g *google) keep(w io.Writer, item *googleItem) {
	if item.ID == "" {
		item.ID = fmt.Sprint("id", 99-len(g.items)) // the newest is not the last by name
		item.Created = time.UnixMilli(int64(len(g.items))).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	for i, parent := range item.Parents {
		if parent == "root" {
			item.Parents[i] = "root-id"
		}
	}
	if item.MimeType != googleFolder {
		g.writes++
		sum := md5.Sum(item.content)
		item.Size, item.MD5 = strconv.Itoa(len(item.content)), hex.EncodeToString(sum[:])
	}
	g.items[item.ID] = item
	_ = json.NewEncoder(w).Encode(item)
}

func (g *google) list(w io.Writer, q, page string) {
	found := []*googleItem{}
	parent, name := inParents.FindStringSubmatch(q), nameIs.FindStringSubmatch(q)
	if parent != nil && parent[1] == "root" {
		parent[1] = "root-id"
	}
	for _, item := range g.items {
		isFolder := item.MimeType == googleFolder
		if item.Trashed || parent == nil || item.Parents[0] != parent[1] || name != nil && !strings.EqualFold(item.Name, strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(name[1])) ||
			strings.Contains(q, "(mimeType='"+googleFolder) && !isFolder || strings.Contains(q, "mimeType!='"+googleFolder) && isFolder {
			continue
		}
		found = append(found, item)
	}
	if g.unseen > 0 && len(found) > 0 && found[0].MimeType == googleFolder {
		g.unseen--
		found = found[:0]
	}
	slices.SortFunc(found, func(a, b *googleItem) int { return strings.Compare(a.ID, b.ID) })
	from, _ := strconv.Atoi(page)
	answer := map[string]any{"files": found[from:]}
	if g.perPage > 0 && len(found) > from+g.perPage {
		answer = map[string]any{"files": found[from : from+g.perPage], "nextPageToken": strconv.Itoa(from + g.perPage)}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// upload takes content in one request, or in chunks to an address of its own.
func (g *google) upload(w http.ResponseWriter, r *http.Request, id string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // broken off
	}
	item := &googleItem{}
	if old := g.items[id]; old != nil {
		*item = *old
	}
	if session := r.URL.Query().Get("session"); session != "" {
		g.session(w, r, session, body)
		return
	}
	if r.URL.Query().Get("uploadType") == "resumable" {
		_ = json.Unmarshal(body, item)
		item.content, item.complete = nil, false
		g.sessions++
		session := fmt.Sprint("s", g.sessions)
		g.uploads[session] = item
		w.Header().Set("Location", "https://www.googleapis.com/upload/drive/v3/files?session="+session)
		return
	}
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	if part, err := parts.NextPart(); err == nil {
		_ = json.NewDecoder(part).Decode(item)
	}
	if part, err := parts.NextPart(); err == nil {
		item.content, _ = io.ReadAll(part)
	}
	g.keep(w, item)
}

// session takes a part of an upload, tells its state, or gives it up.
func (g *google) session(w http.ResponseWriter, r *http.Request, session string, body []byte) {
	item := g.uploads[session]
	if item == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.Method == http.MethodDelete {
		delete(g.uploads, session)
		w.WriteHeader(499)
		return
	}
	span, size, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Content-Range"), "bytes "), "/")
	first, _, _ := strings.Cut(span, "-")
	switch {
	case item.complete:
	case span != "*" && first != strconv.Itoa(len(item.content)):
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	default:
		item.content = append(item.content, body...)
	}
	if size != strconv.Itoa(len(item.content)) {
		if len(item.content) > 0 {
			w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", len(item.content)-1))
		}
		w.WriteHeader(http.StatusPermanentRedirect) // go on
		return
	}
	item.complete = true
	g.keep(w, item)
}

// path gives the content of the only file with a path of names.
func (g *google) path(t *testing.T, names ...string) []byte {
	t.Helper()
	at := "root-id"
	var item *googleItem
	for _, name := range names {
		var found []*googleItem
		for _, i := range g.items {
			if !i.Trashed && i.Parents[0] == at && i.Name == name {
				found = append(found, i)
			}
		}
		if len(found) != 1 {
			t.Fatalf("%d files are named %q", len(found), name)
		}
		item, at = found[0], found[0].ID
	}
	return item.content
}

func TestGoogleDrive(t *testing.T) {
	drive := &google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}}
	env := provide(t, drive)
	target := Target{
		Type: "googleDrive", Settings: map[string]any{"path": "2026/November é"},
		Connection: map[string]any{"clientId": "app", "folder": "Reports", "token": token("acc3ss-google", "r3fresh", time.Now().Add(time.Hour))},
	}
	one, two := random(1, 20<<20), random(2, 1000)
	docs := []report.Document{pdf("Rechnung Müller's #1 100%.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
	receipt := mustDeliver(t, env, target, docs, "k")
	if receipt.State != Sent || receipt.Items[0].Place != "Google Drive: /Reports/2026/November é/"+docs[0].Name {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		same(t, docs[i].Name, drive.path(t, "Reports", "2026", "November é", docs[i].Name), want)
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
	same(t, "overwritten", drive.path(t, "Reports", "2026", "November é", "empty.pdf"), []byte("fresh"))

	writes := drive.writes
	refused(t, env, target, []report.Document{broken("b.pdf", random(3, 20<<20), 15<<20)}, "the storage went away")
	refused(t, env, target, []report.Document{broken("b.pdf", random(3, 1<<20), 1<<19)}, "the storage went away")
	if drive.writes != writes {
		t.Error("a cut document was kept")
	}
	bad := target.with(map[string]any{"serviceAccount": report.Secret(`{"type":"external_account","credential_source":{"file":"/etc/passwd"}}`)})
	refused(t, env, bad, docs, "no key of a service account")
}

// TestGoogleDriveFoldersAreMadeOnce: several workers find no folder and make
// one each, at the same moment. One stays, with the files of all.
func TestGoogleDriveFoldersAreMadeOnce(t *testing.T) {
	const workers = 4
	drive := &google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}, race: new(sync.WaitGroup)}
	drive.race.Add(workers)
	env := provide(t, drive)
	target := Target{
		Type: "googleDrive", Settings: map[string]any{"path": "O'Neill & Söhne"},
		Connection: map[string]any{"clientId": "app", "token": token("acc3ss-google", "r3fresh", time.Now().Add(time.Hour))},
	}
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			name := fmt.Sprintf("Invoice %d.pdf", i)
			_, err := Deliver(t.Context(), env, target, []report.Document{pdf(name, []byte(name))}, fmt.Sprint("k", i))
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	removed := 0
	for _, item := range drive.items {
		if item.Trashed {
			removed++
		}
	}
	if removed != workers-1 {
		t.Errorf("%d of %d folders were removed", removed, workers)
	}
	for i := range workers {
		name := fmt.Sprintf("Invoice %d.pdf", i)
		same(t, name, drive.path(t, "O'Neill & Söhne", name), []byte(name))
	}
}

// TestGoogleDriveListsANewFolderLate: a folder of ours that is not listed yet
// is no reason to make another.
func TestGoogleDriveListsANewFolderLate(t *testing.T) {
	drive := &google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}, unseen: 2}
	target := Target{
		Type: "googleDrive", Settings: map[string]any{"path": "2026"},
		Connection: map[string]any{"clientId": "app", "token": token("acc3ss-google", "r3fresh", time.Now().Add(time.Hour))},
	}
	mustDeliver(t, provide(t, drive), target, []report.Document{pdf("a.pdf", []byte("content"))}, "k")
	same(t, "a.pdf", drive.path(t, "2026", "a.pdf"), []byte("content"))
	if len(drive.items) != 2 || drive.unseen != 0 {
		t.Errorf("%d items, %d", len(drive.items), drive.unseen)
	}
}

// TestGoogleDriveWithFilesOfOneName: any of them may be the document, on
// whatever page of the list it is; names that differ in case are others.
func TestGoogleDriveWithFilesOfOneName(t *testing.T) {
	t.Parallel()
	drive := &google{items: map[string]*googleItem{}, uploads: map[string]*googleItem{}, perPage: 2}
	target := Target{Type: "googleDrive", Connection: map[string]any{"clientId": "app", "token": token("acc3ss-google", "r3fresh", time.Now().Add(time.Hour))}}
	wanted := random(9, 3000)
	for i := range 5 {
		drive.put("/a.pdf", random(uint64(i), 1000*i))
	}
	drive.put("/a.pdf", wanted)
	env := provide(t, drive)
	if r := mustDeliver(t, env, target, []report.Document{pdf("a.pdf", wanted)}, "k"); r.State != AlreadySent {
		t.Errorf("%+v", r)
	}
	if got := items(mustDeliver(t, env, target, []report.Document{pdf("A.pdf", wanted)}, "k")); got[0] != "A.pdf 3000 false" {
		t.Errorf("%v", got)
	}
	if got := items(mustDeliver(t, env, target, []report.Document{pdf("a.pdf", random(7, 3000))}, "k")); got[0] != "a (2).pdf 3000 false" {
		t.Errorf("%v", got)
	}
}
