package api

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report/budget"
	"github.com/quire-reports/quire/store"
)

type emptyUpload struct{ io.Reader }

func (emptyUpload) Expires() *time.Time { return nil }

func noUpload() store.Upload { return emptyUpload{strings.NewReader("{}")} }

// TestUploadsArePassedOn: what is kept is what was sent, in every form that it
// may have, and what is wrong with it is told with its place.
func TestUploadsArePassedOn(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 250) + strings.Repeat("]", 250)
	for _, c := range []struct{ name, body, kept, fails string }{
		{"an object", `{"content": {"a" : [1.0, "\u0041\n"]} }`, `{"a" : [1.0, "\u0041\n"]}`, ""},
		{"after other members", `{"x":[{"content":1}],"expiryDate":"2099-01-01","content":{"a":1}}`, `{"a":1}`, ""},
		{"before other members", `{"content":{"a":1},"x":[{"content":1}],"expiryDate":"2099-01-01"}`, `{"a":1}`, ""},
		{"a mark of byte order", "\ufeff" + `{"content":{}}`, `{}`, ""},
		{"an empty list", `{"content":[]}`, `{}`, ""},
		{"text", `{"content":" {\"a\":[1]} "}`, `{"a":[1]}`, ""},
		{"text of text", `{"content":"\"{}\""}`, `{}`, ""},
		{"base64", `{"content":"eyJhIjoxfQ=="}`, `{"a":1}`, ""},
		{"doubled names", `{"content":{"a":1,"a":2}}`, `{"a":1,"a":2}`, ""},
		{"null and an object", `{"content":null,"content":{}}`, `{}`, ""},
		{"content twice", `{"content":{},"content":{}}`, "", "content: is there twice"},
		{"nothing", ``, "", "content: is missing"},
		{"null", `null`, "", "the body must be a JSON object, not null"},
		{"a number", `{"content":7}`, "", "content: must be an object, not the number 7"},
		{"a list", `{"content":[1]}`, "", "content: must be an object, not a list"},
		{"a broken inside", `{"content":{"a":[1,}}`, "", "content.a"},
		{"a broken end", `{"content":{"a":1},`, "", "ends too early"},
		{"more behind", `{"content":{"a":1}} x`, "", "at byte 20: invalid character"},
		{"more behind the text", `{"content":"{} {}"}`, "", "text after the end"},
		{"broken text", `{"content":"{\"a\":[1,}"}`, "", "content.a"},
		{"words", `{"content":"hello"}`, "", "must be an object as JSON text"},
		{"too deep", `{"content":{"a":` + deep + `}}`, "", "nested more than 200 levels"},
		{"too deep beside it", `{"x":` + deep + `,"content":{}}`, "", "nested more than 200 levels"},
		{"too deep in text", `{"content":"{\"a\":` + deep + `}"}`, "", "nested more than 200 levels"},
		{"no time", `{"content":{},"expiryDate":["soon"]}`, "", "expiryDate: must be a time"},
		{"too large", `{"content":{"a":"` + strings.Repeat("x", 5000) + `"}}`, "", "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(c.body)))
			r.ContentLength = -1
			u, err := input.ReadUpload(r, 4096)
			var kept []byte
			if err == nil {
				kept, err = io.ReadAll(u)
			}
			switch {
			case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
				t.Errorf("got %v, want %q", err, c.fails)
			case c.fails == "" && (err != nil || string(kept) != c.kept):
				t.Errorf("got %q, %v", kept, err)
			case c.fails == "" && strings.Contains(c.body, "2099") && u.Expires() == nil:
				t.Error("the expiry was not read")
			}
		})
	}
}

// TestUploadsTakeNoMemory: bodies that would be many times as large in memory
// go through, of whatever shape they are.
func TestUploadsTakeNoMemory(t *testing.T) {
	const size = 4 << 20
	h := open(t)
	for _, c := range []struct{ name, first, rest, end string }{
		{"zeros", `{"content":{"d":[0`, ",0", "]}}"},
		{"keys", `{"content":{"d":{"a":0`, `,"k%d":0`, "}}}"},
		{"nested", `{"content":{"d":[0`, "," + strings.Repeat("[", 190) + strings.Repeat("]", 190), "]}}"},
	} {
		r := httptest.NewRequest("POST", "/api/v1/ws/demo/temporary-data", &shape{first: c.first, rest: c.rest, end: c.end, left: size})
		r.Header.Set("Authorization", "Bearer "+h.tokens["viewer"])
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		h.handler.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", c.name, w.Code, w.Body)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 2*size && !judges.UnderRace {
			t.Errorf("%s: %d MB of memory were taken for %d MB", c.name, took>>20, size>>20)
		}
	}
}

// shape writes a body piece by piece.
type shape struct {
	first, rest, end string
	left, n          int
	buffer           bytes.Buffer
}

func (s *shape) Read(p []byte) (int, error) {
	if s.first != "" {
		s.buffer.WriteString(s.first)
		s.first = ""
	}
	for s.buffer.Len() < len(p) && s.left > 0 {
		before := s.buffer.Len()
		if strings.Contains(s.rest, "%d") {
			fmt.Fprintf(&s.buffer, s.rest, s.n)
		} else {
			s.buffer.WriteString(s.rest)
		}
		s.n++
		if s.left -= s.buffer.Len() - before; s.left <= 0 {
			s.buffer.WriteString(s.end)
		}
	}
	return s.buffer.Read(p)
}

// TestBodiesHaveABudget: a body that takes more memory than there is for it is
// refused while it is read, and the next one has all of it again.
func TestBodiesHaveABudget(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) { c.Budget = budget.New(16<<20, 8<<20) })
	large := `{"data":{"d":[` + strings.Repeat("0,", 1<<20) + `0]}}`
	for range 3 {
		h.check(t, scenario{method: "POST", path: pdfPath, who: "viewer", body: large, status: 413, has: []string{"more than 8 MB of memory"}})
		h.check(t, scenario{method: "POST", path: pdfPath, who: "viewer", body: `{"data":{"d":[0,1,2]}}`, status: 200})
	}
}
