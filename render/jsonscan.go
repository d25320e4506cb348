package render

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"
)

// The browser's messages hold documents and PDF data as strings of many
// megabytes. encoding/json looks at each byte several times; these few
// functions find the members of an object by jumping from quote to quote, and
// leave the values as they are.

var errMessage = errors.New("unreadable message of the browser")

// eachMember calls fn for every member of the JSON object b, with the key
// without its quotes and the raw value. Keys are compared as written: the
// protocol's names need no escapes.
func eachMember(b []byte, fn func(key string, value []byte)) error {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return errMessage
	}
	i = skipSpace(b, i+1)
	for i < len(b) && b[i] == '"' {
		end := skipValue(b, i)
		colon := skipSpace(b, end)
		if end < 0 || colon >= len(b) || b[colon] != ':' {
			return errMessage
		}
		start := skipSpace(b, colon+1)
		stop := skipValue(b, start)
		if stop < 0 {
			return errMessage
		}
		fn(string(b[i+1:end-1]), b[start:stop])
		i = skipSpace(b, stop)
		if i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	if i >= len(b) || b[i] != '}' {
		return errMessage
	}
	return nil
}

// member returns the raw value of one member, or nil.
func member(b []byte, name string) []byte {
	var found []byte
	err := eachMember(b, func(key string, value []byte) {
		if key == name {
			found = value
		}
	})
	if err != nil {
		return nil
	}
	return found
}

// rawString is the inside of a JSON string value, still escaped, or nil.
func rawString(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

func skipSpace(b []byte, i int) int {
	if i < 0 {
		return len(b)
	}
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the index after the value that begins at i, or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && !bytes.ContainsRune([]byte(",}] \n\t\r"), rune(b[i])) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; ; i++ {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return -1
		}
		i += q
		if !escaped(b, i) {
			return i + 1
		}
	}
}

// escaped says whether an odd number of backslashes precedes b[i].
func escaped(b []byte, i int) bool {
	n := 0
	for i--; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// params builds the JSON object of a command's parameters.
type params struct{ b []byte }

func newParams(size int) *params {
	return &params{b: append(make([]byte, 0, size+64), '{')}
}

func (p *params) key(name string) {
	if len(p.b) > 1 {
		p.b = append(p.b, ',')
	}
	p.b = append(p.b, '"')
	p.b = append(p.b, name...)
	p.b = append(p.b, '"', ':')
}

func (p *params) str(name, value string) *params {
	p.key(name)
	p.b = appendQuoted(p.b, value)
	return p
}

func (p *params) num(name string, value int64) *params {
	p.key(name)
	p.b = strconv.AppendInt(p.b, value, 10)
	return p
}

func (p *params) bool(name string, value bool) *params {
	p.key(name)
	p.b = strconv.AppendBool(p.b, value)
	return p
}

// raw adds a value that is JSON already.
func (p *params) raw(name string, value []byte) *params {
	p.key(name)
	p.b = append(p.b, value...)
	return p
}

// bytes returns the object; p must not be used after that.
func (p *params) bytes() []byte {
	if p == nil {
		return []byte("{}")
	}
	return append(p.b, '}')
}

// appendQuoted appends s as a JSON string. What is not UTF-8 becomes U+FFFD,
// which the browser would make of it too.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, s)
	return append(dst, '"')
}

func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if n := validRune(s[i:]); n > 0 {
				i += n
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, c)
		i++
		start = i
	}
	return append(dst, s[start:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c >= utf8.RuneSelf:
		return append(dst, "\ufffd"...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// validRune returns the length of the rune that s begins with, or 0.
func validRune[T string | []byte](s T) int {
	r, n := utf8.DecodeRune([]byte(s[:min(len(s), utf8.UTFMax)]))
	if r == utf8.RuneError && n <= 1 {
		return 0
	}
	return n
}
