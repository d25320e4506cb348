package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
)

// assets serves the files built into the program: scripts and fonts. They are
// for everybody, also for sandboxed previews, whose origin is nobody's.
type assets struct {
	files fs.FS

	mu     sync.Mutex
	loaded map[string]*asset // bounded by the number of files there are
}

// asset is a file with the tag that changes with it.
type asset struct {
	content     []byte
	tag         string
	contentType string
}

func newAssets(files fs.FS) *assets { return &assets{files: files, loaded: map[string]*asset{}} }

// ServeHTTP answers with a file. A browser asks each time whether it is still
// the same, unless the address names the content with ?v=.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.serve(w, r, mux.Vars(r)["file"])
}

// only answers with one file, at an address that says nothing of it.
func (a *assets) only(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, name) })
}

func (a *assets) serve(w http.ResponseWriter, r *http.Request, name string) {
	file, err := a.load(name)
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	h := w.Header()
	h.Set("ETag", `"`+file.tag+`"`)
	h.Set("Content-Type", file.contentType)
	h.Set("Access-Control-Allow-Origin", "*") // fonts are fetched across origins, always
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, no-cache")
	if v := r.URL.Query().Get("v"); v != "" && strings.HasPrefix(file.tag, v) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
}

func (a *assets) load(name string) (*asset, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.loaded[name]; known != nil {
		return known, nil
	}
	content, err := a.read(name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	file := &asset{content: content, tag: hex.EncodeToString(sum[:16]), contentType: typeOf(name)}
	a.loaded[name] = file
	return file, nil
}

func (a *assets) read(name string) ([]byte, error) {
	missing := report.NotFoundf("there is no asset %q", name)
	info, err := fs.Stat(a.files, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err == nil && info.IsDir() {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(a.files, name)
}

// typeOf is a file's content type; the system's table is asked last, as it
// differs between machines.
func typeOf(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".ttf":
		return "font/ttf"
	case ".svg":
		return "image/svg+xml"
	case ".json", ".map":
		return "application/json"
	default:
		if known := mime.TypeByExtension(ext); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}
