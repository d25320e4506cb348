package answer

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Download is a file to answer with.
type Download struct {
	Name, ContentType string
	Size              int64
	Inline            bool // the browser shows it if it can
}

// File answers with a file. Nothing is negotiated: whatever the client says it
// accepts, it gets the file.
func File(w http.ResponseWriter, d Download, content io.Reader) error {
	h := w.Header()
	h.Set("Content-Type", d.ContentType)
	h.Set("Content-Length", strconv.FormatInt(d.Size, 10))
	h.Set("Content-Disposition", d.disposition())
	w.WriteHeader(http.StatusOK)
	_, err := io.Copy(w, content)
	return err
}

// disposition is the header that names a file, for old readers in ASCII and
// last, as some clients cut after it, in UTF-8 (RFC 5987).
func (d Download) disposition() string {
	kind := "attachment"
	if d.Inline {
		kind = "inline"
	}
	return kind + `; filename="` + asciiName(d.Name) + `"; filename*=UTF-8''` + encodeName(d.Name)
}

// asciiName drops accents and replaces what ASCII or a quoted text cannot hold.
func asciiName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r < ' ' || r > '~' || r == '"' || r == '\\' || r == '/':
			return '_'
		}
		return r
	}, norm.NFD.String(name))
}

// encodeName percent-encodes everything but the attr-char of RFC 5987.
func encodeName(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}
