package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// ErrDamaged is what reading a file ends with that is not a PDF or is broken.
var ErrDamaged = errors.New("damaged PDF")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// maxDepth bounds the nesting of values.
const maxDepth = 100

// lexer reads values from bytes.
type lexer struct {
	b     []byte
	i     int
	depth int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

// space skips white space and comments.
func (l *lexer) space() {
	for l.i < len(l.b) {
		switch {
		case isSpace(l.b[l.i]):
			l.i++
		case l.b[l.i] == '%':
			for l.i < len(l.b) && l.b[l.i] != '\n' && l.b[l.i] != '\r' {
				l.i++
			}
		default:
			return
		}
	}
}

func (l *lexer) has(s string) bool {
	return bytes.HasPrefix(l.b[min(l.i, len(l.b)):], []byte(s))
}

// accept skips a word if it comes next.
func (l *lexer) accept(word string) bool {
	l.space()
	if !l.has(word) {
		return false
	}
	l.i += len(word)
	return true
}

// value reads the next value.
func (l *lexer) value() (any, error) {
	l.space()
	if l.i >= len(l.b) {
		return nil, damaged("it ends in the middle")
	}
	switch c := l.b[l.i]; {
	case c == '/':
		return l.name(), nil
	case c == '(':
		return l.literal()
	case l.has("<<"):
		return l.nested(l.dict)
	case c == '<':
		return l.hex()
	case c == '[':
		return l.nested(l.array)
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return l.number()
	}
	return l.keyword()
}

func (l *lexer) nested(read func() (any, error)) (any, error) {
	if l.depth++; l.depth > maxDepth {
		return nil, damaged("nested too deep")
	}
	v, err := read()
	l.depth--
	return v, err
}

func (l *lexer) word() []byte {
	start := l.i
	for l.i < len(l.b) && isRegular(l.b[l.i]) {
		l.i++
	}
	return l.b[start:l.i]
}

func (l *lexer) keyword() (any, error) {
	at := l.i
	switch w := l.word(); string(w) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	return nil, damaged("something unexpected at byte %d", at)
}

func (l *lexer) name() name {
	l.i++
	w := l.word()
	if bytes.IndexByte(w, '#') < 0 {
		return name(w)
	}
	out := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		if w[i] == '#' && i+2 < len(w) {
			if c, err := strconv.ParseUint(string(w[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(c))
				i += 2
				continue
			}
		}
		out = append(out, w[i])
	}
	return name(out)
}

// number reads a number or, when an integer is followed by another and R, a
// reference.
func (l *lexer) number() (any, error) {
	w := l.word()
	n, err := strconv.Atoi(string(w))
	if err != nil {
		if _, err := strconv.ParseFloat(string(w), 64); err != nil {
			return nil, damaged("%.20q is no number", w)
		}
		return real(w), nil
	}
	if n < 0 || w[0] == '+' {
		return n, nil
	}
	if gen, ok := l.restOfReference(); ok {
		return ref{n, gen}, nil
	}
	return n, nil
}

func (l *lexer) restOfReference() (gen int, ok bool) {
	at := l.i
	l.space()
	for l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '9' && gen < 1<<16 {
		gen = gen*10 + int(l.b[l.i]-'0')
		l.i++
		ok = true
	}
	if ok {
		l.space()
		if l.has("R") && (l.i+1 >= len(l.b) || !isRegular(l.b[l.i+1])) {
			l.i++
			return gen, true
		}
	}
	l.i = at
	return 0, false
}

func (l *lexer) array() (any, error) {
	l.i++
	a := array{}
	for {
		if l.accept("]") {
			return a, nil
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
}

func (l *lexer) dict() (any, error) {
	l.i += 2
	d := make(dict, 0, 8)
	for {
		if l.accept(">>") {
			return d, nil
		}
		if !l.has("/") {
			return nil, damaged("a key is missing at byte %d", l.i)
		}
		key := l.name()
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		d = append(d, entry{key, v})
	}
}

func (l *lexer) hex() (any, error) {
	end := bytes.IndexByte(l.b[l.i:], '>')
	if end < 0 {
		return nil, damaged("a string does not end")
	}
	t := text{}
	high := -1
	for _, c := range l.b[l.i+1 : l.i+end] {
		d := hexDigit(c)
		switch {
		case d < 0:
		case high < 0:
			high = d
		default:
			t = append(t, byte(high<<4|d))
			high = -1
		}
	}
	if high >= 0 {
		t = append(t, byte(high<<4))
	}
	l.i += end + 1
	return t, nil
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func (l *lexer) literal() (any, error) {
	t := text{}
	open := 0
	for ; l.i < len(l.b); l.i++ {
		switch c := l.b[l.i]; c {
		case '\\':
			t = l.escape(t)
			continue
		case '(':
			if open++; open == 1 {
				continue
			}
		case ')':
			if open--; open == 0 {
				l.i++
				return t, nil
			}
		}
		t = append(t, l.b[l.i])
	}
	return nil, damaged("a string does not end")
}

// escape reads the character after a backslash and leaves l.i on its last byte.
func (l *lexer) escape(t text) text {
	if l.i++; l.i >= len(l.b) {
		return t
	}
	c := l.b[l.i]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(t, "\n\r\t\b\f"[i])
	}
	switch {
	case c == '\n':
		return t
	case c == '\r':
		if l.i+1 < len(l.b) && l.b[l.i+1] == '\n' {
			l.i++
		}
		return t
	case c < '0' || c > '7':
		return append(t, c)
	}
	code := 0
	for n := 0; n < 3 && l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '7'; n++ {
		code = code*8 + int(l.b[l.i]-'0')
		l.i++
	}
	l.i--
	return append(t, byte(code))
}
