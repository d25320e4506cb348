package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/report"
)

// Download is a file to answer with.
type Download struct {
	Name, ContentType string
	Size              int64
	Inline            bool // the browser shows it if it can
	Kept              bool // it has the same bytes every time: parts of it may be asked for
	Warnings          report.Problems
	Timing            report.Timing // of one that was made for this answer
}

// maxWarnings bounds the header with the warnings, in bytes: servers in between
// refuse long headers.
const maxWarnings = 4 << 10

// File answers with a file, or with its headers when only those were asked for.
// Nothing is negotiated: whatever the client says it accepts, it gets the file.
func File(w http.ResponseWriter, r *http.Request, d Download, content io.Reader) error {
	h := w.Header()
	h.Set("Content-Type", d.ContentType)
	h.Set("Content-Disposition", d.disposition())
	if list := warningList(d.Warnings); list != "" {
		h.Set("Quire-Warnings", list)
	}
	if list := serverTiming(d.Timing); list != "" {
		h.Set("Server-Timing", list)
	}
	if seeker, ok := content.(io.ReadSeeker); ok && d.Kept {
		if strings.Contains(r.Header.Get("Range"), ",") {
			r.Header.Del("Range") // of many parts each would be a request to the storage
		}
		part := &noted{ReadSeeker: seeker}
		http.ServeContent(w, r, "", time.Time{}, part)
		return part.err
	}
	h.Set("Content-Length", strconv.FormatInt(d.Size, 10))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := io.Copy(w, content)
	return err
}

// serverTiming is how long a file took, as browsers show it beside a request.
func serverTiming(t report.Timing) string {
	if t.Took == 0 {
		return ""
	}
	list := ""
	for _, p := range t.Phases {
		list += fmt.Sprintf("%s;dur=%.1f, ", p.Phase, p.MS)
	}
	return list + fmt.Sprintf("total;dur=%.1f", t.Took)
}

// noted keeps the error that reading ended with.
type noted struct {
	io.ReadSeeker
	err error
}

func (n *noted) Read(p []byte) (int, error) {
	size, err := n.ReadSeeker.Read(p)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return size, err
}

// warningList is the warnings as a JSON array in ASCII: as many as the header
// has room for.
func warningList(warnings report.Problems) string {
	type warning struct {
		Path    string `json:"path,omitempty"`
		Message string `json:"message"`
	}
	list := ""
	for _, w := range warnings {
		doc, err := json.Marshal(warning{w.Path, w.Message})
		text := asciiJSON(string(doc))
		if err != nil || len(list)+len(text) > maxWarnings {
			break
		}
		list += "," + text
	}
	if list == "" {
		return ""
	}
	return "[" + list[1:] + "]"
}

// asciiJSON escapes what is not ASCII in a JSON text.
func asciiJSON(doc string) string {
	var b strings.Builder
	for _, r := range doc {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
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
