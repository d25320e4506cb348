package opc

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// XML writes the elements of a part as they come. Faults of writing are told in
// the end.
type XML struct {
	w      io.Writer
	b      []byte // what is not written yet
	err    error
	open   []string
	inside bool // the tag of the last element is not closed yet
}

// piece is how many bytes are written at once.
const piece = 32 << 10

// NewXML begins a document.
func NewXML(w io.Writer) *XML {
	x := &XML{w: w, b: make([]byte, 0, piece+piece/4)}
	x.raw(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n")
	return x
}

func (x *XML) raw(s string) { x.b = append(x.b, s...) }

// flush writes what was gathered.
func (x *XML) flush() {
	if x.err == nil {
		_, x.err = x.w.Write(x.b)
	}
	x.b = x.b[:0]
}

func (x *XML) endTag() {
	if x.inside {
		x.raw(">")
		x.inside = false
	}
}

// Open begins an element.
func (x *XML) Open(name string) *XML {
	x.endTag()
	if len(x.b) >= piece {
		x.flush()
	}
	x.raw("<")
	x.raw(name)
	x.open = append(x.open, name)
	x.inside = true
	return x
}

// Attr gives the element that was just opened an attribute.
func (x *XML) Attr(name, value string) *XML {
	x.begin(name)
	x.escaped(value, true)
	x.raw(`"`)
	return x
}

// begin begins an attribute.
func (x *XML) begin(name string) {
	x.raw(" ")
	x.raw(name)
	x.raw(`="`)
}

// Int is Attr for a number.
func (x *XML) Int(name string, value int) *XML {
	x.begin(name)
	x.b = strconv.AppendInt(x.b, int64(value), 10)
	x.raw(`"`)
	return x
}

// Ref is Attr for a text of letters with a number behind it, such as B7.
func (x *XML) Ref(name, letters string, number int) *XML {
	x.begin(name)
	x.raw(letters)
	x.b = strconv.AppendInt(x.b, int64(number), 10)
	x.raw(`"`)
	return x
}

// Number is Attr for a number with as many digits as it needs.
func (x *XML) Number(name string, value float64) *XML { return x.Attr(name, Digits(value)) }

// Text writes text into the open element.
func (x *XML) Text(s string) *XML {
	x.endTag()
	x.escaped(s, false)
	return x
}

// Close ends the last open element.
func (x *XML) Close() *XML {
	last := len(x.open) - 1
	if x.inside {
		x.raw("/>")
	} else {
		x.raw("</")
		x.raw(x.open[last])
		x.raw(">")
	}
	x.open, x.inside = x.open[:last], false
	return x
}

// Leaf writes an element that holds only a text.
func (x *XML) Leaf(name, text string) *XML { return x.Open(name).Text(text).Close() }

// Digits writes a number into the open element; see the function of that name.
func (x *XML) Digits(v float64) *XML {
	x.endTag()
	x.b = strconv.AppendFloat(x.b, v, 'G', -1, 64)
	return x
}

// End ends the document.
func (x *XML) End() error {
	if len(x.open) > 0 {
		return fmt.Errorf("the element %q is open", x.open[len(x.open)-1])
	}
	x.flush()
	return x.err
}

// Digits writes a number as XML Schema's double, in the fewest digits that keep
// its value.
func Digits(v float64) string { return strconv.FormatFloat(v, 'G', -1, 64) }

// escaped writes characters. Those that XML 1.0 does not know (section 2.2) are
// left out: no program would open the file.
func (x *XML) escaped(s string, attribute bool) {
	from := 0
	for at := 0; at < len(s); {
		if usual[s[at]] {
			at++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[at:])
		if with := replacement(r, width, attribute); with != "" || !known(r) {
			x.raw(s[from:at])
			x.raw(with)
			from = at + width
		}
		at += width
	}
	x.raw(s[from:])
}

// usual are the characters that stand for themselves everywhere.
var usual = func() (is [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		is[c] = c != '&' && c != '<' && c != '>' && c != '"'
	}
	return is
}()

func replacement(r rune, width int, attribute bool) string {
	switch {
	case r == '&':
		return "&amp;"
	case r == '<':
		return "&lt;"
	case r == '>':
		return "&gt;"
	case r == '\r':
		return "&#13;" // a bare one is read as a line feed
	case attribute && r == '"':
		return "&quot;"
	case attribute && r == '\t':
		return "&#9;"
	case attribute && r == '\n':
		return "&#10;"
	case r == utf8.RuneError && width == 1: // no UTF-8
		return "\uFFFD"
	}
	return ""
}

func known(r rune) bool {
	return r >= 0x20 && r <= 0xD7FF || r == '\t' || r == '\n' || r == '\r' || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}
