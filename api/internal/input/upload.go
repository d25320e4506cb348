package input

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

// Upload is the content of a body that is passed on while it is read: what
// Read gives is the JSON text of an object, checked up to there. It has as much
// in memory as the longest text inside the body takes. After the last byte the
// rest of the body is read, too; only then is Expires known.
type Upload struct {
	body    *jsonStream // at the members of the body
	content *jsonStream // at the members of the content; the body, unless that holds it as text
	again   bool        // the member was there before
	expires *time.Time
	limits  func(error) error // words what is wrong with the body
	spend   func(int64) error
	work    func(int64) // counts what is passed on
	done    bool
}

// ReadUpload reads a body up to the beginning of its member content, an object
// or the JSON text of one.
func ReadUpload(r *http.Request, limit int64) (*Upload, error) {
	if err := checkHeader(r, limit); err != nil {
		return nil, err
	}
	body, empty := begin(r, limit)
	if empty {
		return nil, missingContent()
	}
	u := &Upload{body: newJSONStream(body), limits: func(err error) error { return bodyProblem(r, limit, err) }, spend: budget.Meter(r.Context()), work: func(n int64) { budget.Work(r.Context(), n) }}
	if err := u.body.open("the body"); err != nil {
		return nil, u.limits(err)
	}
	if err := u.members(); err != nil {
		return nil, u.limits(err)
	}
	if u.content == nil {
		return nil, missingContent()
	}
	return u, nil
}

func missingContent() error {
	return report.Problemf("content", "is missing; accepted: an object with a member per data source")
}

// Expires is the time that the body asks for, if it does.
func (u *Upload) Expires() *time.Time { return u.expires }

// Read gives what has been checked of the content.
func (u *Upload) Read(p []byte) (int, error) {
	if u.done {
		return 0, io.EOF
	}
	n, err := u.content.Read(p)
	u.work(int64(n))
	if !errors.Is(err, io.EOF) {
		if err != nil && u.content != u.body {
			err = under("content", err)
		}
		return n, u.limits(err)
	}
	u.done = true
	if err := u.members(); err != nil {
		return n, u.limits(err)
	}
	return n, io.EOF
}

// members reads members of the body, up to the beginning of the content or to
// the body's end.
func (u *Upload) members() error {
	for u.body.PeekKind() != '}' {
		name, err := u.body.ReadToken()
		if err != nil {
			return u.body.problem(err)
		}
		switch name.String() {
		case "content":
			if found, err := u.begin(); found || err != nil {
				return err
			}
		case "expiryDate":
			value, err := u.body.scalar("expiryDate")
			if err != nil {
				return err
			}
			if value != nil {
				if u.expires, err = Time("expiryDate", value); err != nil {
					return err
				}
			}
		default:
			if err := u.body.skip(); err != nil {
				return err
			}
		}
	}
	return u.body.end()
}

// textCost is how many times as large a content is in memory that is a text.
const textCost = 4

// begin finds the beginning of the content; null is none.
func (u *Upload) begin() (found bool, err error) {
	if u.again {
		return false, report.Problemf("content", "is there twice")
	}
	switch u.body.PeekKind() {
	case 'n':
		return false, u.body.skip()
	case '"':
		u.again = true
		token, err := u.body.ReadToken()
		if err != nil {
			return false, u.body.problem(err)
		}
		if err := u.spend(textCost * u.body.InputOffset()); err != nil {
			return false, err
		}
		return u.beginText(token.String(), 2)
	case '[': // one language writes its empty map so
		u.again = true
		if _, err := u.body.ReadToken(); err != nil {
			return false, u.body.problem(err)
		}
		if u.body.PeekKind() != ']' {
			return false, report.Problemf("content", "must be an object, not a list")
		}
		_, err := u.body.ReadToken()
		u.content = newJSONStream(strings.NewReader("{}"))
		return true, errors.Join(err, u.content.open("content"))
	}
	u.again = true
	u.content = u.body
	return true, u.body.open("content")
}

// beginText reads an object out of a text: JSON, base64 of it, or a JSON text
// of either, as clients write JSON into JSON.
func (u *Upload) beginText(text string, texts int) (found bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "null" {
		u.again = false
		return false, nil
	}
	var from io.Reader = strings.NewReader(text)
	if !looksLikeJSON(text) {
		from = base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(plainBase64(text)))
		if start, _ := io.ReadAll(io.LimitReader(from, 64)); !looksLikeJSON(strings.TrimSpace(string(start)) + " ") {
			return false, report.Problemf("content", "must be an object as JSON text, or base64 of it, not %s", describe(text))
		}
		from = base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(plainBase64(text)))
	}
	inner := newJSONStream(from)
	if inner.PeekKind() == '"' && texts > 1 {
		token, err := inner.ReadToken()
		if err != nil {
			return false, under("content", inner.problem(err))
		}
		text = token.String()
		if err := inner.end(); err != nil {
			return false, under("content", err)
		}
		return u.beginText(text, texts-1)
	}
	u.content = inner
	return true, inner.open("content")
}

// jsonStream reads JSON token by token and gives the bytes it has read.
type jsonStream struct {
	*jsontext.Decoder
	read   *recorder
	within int // depth of the object whose bytes are given
	at     int64
	ended  bool
}

// maxDepth is how deep JSON may be nested, as package report has it.
const maxDepth = 200

func newJSONStream(r io.Reader) *jsonStream {
	read := &recorder{from: r}
	// To find names that are there twice, all of an object have to be kept.
	return &jsonStream{Decoder: jsontext.NewDecoder(read, jsontext.AllowDuplicateNames(true)), read: read}
}

// open reads the beginning of an object, from where bytes are given.
func (s *jsonStream) open(what string) error {
	kind := s.PeekKind()
	if kind == '{' {
		if _, err := s.ReadToken(); err != nil {
			return s.problem(err)
		}
		s.within, s.at, s.ended = s.StackDepth(), s.InputOffset()-1, false
		s.read.forget(s.at)
		return nil
	}
	value, err := s.scalar("")
	if err != nil {
		return err
	}
	if what == "the body" {
		return report.Problemf("", "the body must be a JSON object, not %s", describe(value))
	}
	return report.Problemf(what, "must be an object, not %s", describe(value))
}

// mostAhead is how much is checked before it is given.
const mostAhead = 64 << 10

// Read gives the bytes of the object that was opened; io.EOF comes behind its
// last one.
func (s *jsonStream) Read(p []byte) (int, error) {
	p = p[:min(len(p), mostAhead)]
	for !s.ended && s.InputOffset()-s.at < int64(len(p)) {
		if _, err := s.ReadToken(); err != nil {
			return 0, s.problem(err)
		}
		if s.StackDepth() > maxDepth {
			return 0, s.problem(report.Problemf("", "nested more than %d levels deep", maxDepth))
		}
		s.ended = s.StackDepth() < s.within
	}
	n := s.read.take(p, s.InputOffset())
	s.at += int64(n)
	if s.ended && s.at == s.InputOffset() {
		return n, s.after()
	}
	return n, nil
}

// after is io.EOF, unless the text goes on behind the object.
func (s *jsonStream) after() error {
	if s.within > 1 {
		return io.EOF
	}
	if err := s.end(); err != nil {
		return err
	}
	return io.EOF
}

// skip reads over a value.
func (s *jsonStream) skip() error {
	for depth := s.StackDepth(); ; {
		if _, err := s.ReadToken(); err != nil {
			return s.problem(err)
		}
		s.read.forget(s.InputOffset())
		switch now := s.StackDepth(); {
		case now > maxDepth:
			return s.problem(report.Problemf("", "nested more than %d levels deep", maxDepth))
		case now <= depth:
			return nil
		}
	}
}

// scalar reads a value that is to be no object and no list; of these it gives
// an empty one.
func (s *jsonStream) scalar(name string) (any, error) {
	switch s.PeekKind() {
	case '{':
		return report.ObjectOf(), s.skip()
	case '[':
		return []any{}, s.skip()
	}
	value, err := s.ReadValue()
	if err != nil {
		return nil, s.problem(err)
	}
	decoded, err := report.ParseValue(value)
	return decoded, under(name, err)
}

// end reads to the end of the text.
func (s *jsonStream) end() error {
	if s.StackDepth() > 0 {
		if _, err := s.ReadToken(); err != nil {
			return s.problem(err)
		}
	}
	if _, err := s.ReadToken(); err == nil {
		return report.Problemf("", "text after the end of the JSON value at byte %d", s.InputOffset())
	} else if !errors.Is(err, io.EOF) {
		return s.problem(err)
	}
	return nil
}

func (s *jsonStream) problem(err error) error { return report.JSONProblem(s.Decoder, err) }

// recorder keeps what a decoder has read ahead.
type recorder struct {
	from io.Reader
	kept bytes.Buffer
	at   int64 // offset of the first byte kept
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.kept.Write(p[:n])
	return n, err
}

// take moves bytes up to an offset.
func (r *recorder) take(p []byte, end int64) int {
	n := copy(p, r.kept.Next(int(min(end-r.at, int64(len(p))))))
	r.at += int64(n)
	return n
}

// forget drops the bytes before an offset.
func (r *recorder) forget(before int64) {
	r.kept.Next(int(before - r.at))
	r.at = before
}
