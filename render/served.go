package render

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"sync"
)

// A tab keeps the images and fonts that it has loaded, and does not ask for
// them again: for fonts, which almost every document has, that is what makes a
// warm tab fast. But the same path can mean another file in the next document,
// even of another workspace. So the tab remembers what it was given, and before
// a document asks whether it would be given the same; if not, it starts from an
// empty page, which has no memory.

// servedFiles is what a tab has been given since it was last empty.
type servedFiles struct {
	mu    sync.Mutex
	files map[string]servedFile // by path as in the request
	size  int
	full  bool // too much to remember: the next document gets an empty page
}

type servedFile struct {
	harmless bool   // to a document that does not name it
	body     []byte // as the job gave it; not changed by either side
}

// contentDigits is how many hexadecimal digits of SHA-256 make an address that
// nobody can guess.
const contentDigits = 24

// addressedByContent reports whether a path ends in the hash of the content, so
// that only who has the content can name it.
func addressedByContent(path string, body []byte) bool {
	sum := sha256.Sum256(body)
	return strings.HasSuffix(path, "/"+hex.EncodeToString(sum[:contentDigits/2]))
}

// Limits of what is remembered; the files themselves are kept alive by it.
const (
	servedCount = 64
	servedBytes = 8 << 20
)

func (s *servedFiles) add(path string, f servedFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]servedFile{}
	}
	s.size += len(f.body)
	if len(s.files) >= servedCount || s.size > servedBytes {
		s.full = true
		s.files = nil
		return
	}
	s.files[path] = f
}

func (s *servedFiles) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files, s.size, s.full = nil, 0, false
}

// usable says whether a document may be filled into a tab that has these files.
// A font that the document does not name does no harm, nor does an image whose
// address is its content; another image might be named in a way that is not
// recognised.
func (s *servedFiles) usable(html []byte, answer Resources) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return false
	}
	for path, f := range s.files {
		named := bytes.Contains(html, []byte(path))
		if !named && f.harmless {
			continue
		}
		if !named || answer == nil || !f.same(path, answer) {
			return false
		}
	}
	return true
}

func (f servedFile) same(path string, answer Resources) bool {
	_, body, ok := answer(unescapePath(path))
	if !ok || len(body) != len(f.body) {
		return false
	}
	if len(body) == 0 || &body[0] == &f.body[0] {
		return true
	}
	return sha256.Sum256(body) == sha256.Sum256(f.body)
}

// unescapePath is the path of a request as Resources gets it.
func unescapePath(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// freshen makes sure that a document gets its own files.
func (t *tab) freshen(ctx context.Context, html []byte, answer Resources) error {
	t.served.Store(0)
	if t.files.usable(html, answer) {
		return nil
	}
	t.stats.tabsEmptied.Add(1)
	return t.empty(ctx)
}
