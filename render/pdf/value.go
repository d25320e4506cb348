package pdf

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
)

// The values of a PDF file. Besides these there are nil, bool and int; a value
// of interface type any holds one of them.
type (
	name string
	// text is a string, decoded from its written form.
	text []byte
	// real is a number with a point, as it was written.
	real  string
	array []any
	ref   struct{ num, gen int }
	// dict keeps the order of its entries, so that output is the same each
	// time.
	dict  []entry
	entry struct {
		key   name
		value any
	}
	// stream is a dictionary with data, which is kept as it is in the file.
	stream struct {
		dict dict
		raw  []byte
	}
)

// get returns the value of a key, or nil.
func (d dict) get(key name) any {
	for i := range d {
		if d[i].key == key {
			return d[i].value
		}
	}
	return nil
}

func (d dict) name(key name) name {
	n, _ := d.get(key).(name)
	return n
}

// with returns the dictionary with one entry added or replaced.
func (d dict) with(key name, value any) dict {
	return append(d.without(key), entry{key, value})
}

func (d dict) without(keys ...name) dict {
	out := make(dict, 0, len(d)+1)
	for _, e := range d {
		if !containsName(keys, e.key) {
			out = append(out, e)
		}
	}
	return out
}

func containsName(list []name, n name) bool {
	for _, k := range list {
		if k == n {
			return true
		}
	}
	return false
}

// appender writes values. ref maps references of a part to those of the
// document; seal encrypts strings. Both may be nil.
type appender struct {
	ref  func(ref) int // 0: there is no such object
	seal func([]byte) []byte
}

func (a *appender) value(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case real:
		return append(dst, v...)
	case float64:
		return appendFloat(dst, v)
	case name:
		return appendName(dst, v)
	case text:
		return a.text(dst, v)
	case ref:
		return a.reference(dst, v)
	case placed:
		return appendRef(dst, v.num)
	case array:
		return a.array(dst, v)
	case dict:
		return a.dict(dst, v)
	}
	panic(fmt.Sprintf("pdf: a value of type %T", v)) // a mistake of this package
}

func (a *appender) reference(dst []byte, r ref) []byte {
	num := r.num
	if a.ref != nil {
		num = a.ref(r)
	}
	return appendRef(dst, num)
}

func appendRef(dst []byte, num int) []byte {
	if num == 0 {
		return append(dst, "null"...)
	}
	dst = strconv.AppendInt(dst, int64(num), 10)
	return append(dst, " 0 R"...)
}

func (a *appender) array(dst []byte, v array) []byte {
	dst = append(dst, '[')
	for i, e := range v {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = a.value(dst, e)
	}
	return append(dst, ']')
}

func (a *appender) dict(dst []byte, d dict) []byte {
	dst = append(dst, "<<"...)
	for _, e := range d {
		dst = appendName(dst, e.key)
		if !selfDelimited(e.value) {
			dst = append(dst, ' ')
		}
		dst = a.value(dst, e.value)
	}
	return append(dst, ">>"...)
}

// selfDelimited says whether the value's first byte ends the name before it.
func selfDelimited(v any) bool {
	switch v.(type) {
	case name, text, array, dict:
		return true
	}
	return false
}

func (a *appender) text(dst []byte, s text) []byte {
	if a.seal == nil {
		return appendLiteral(dst, s)
	}
	return fmt.Appendf(dst, "<%X>", a.seal(s))
}

func appendFloat(dst []byte, f float64) []byte {
	dst = strconv.AppendFloat(dst, f, 'f', 3, 64)
	dst = bytes.TrimRight(dst, "0")
	return bytes.TrimSuffix(dst, []byte("."))
}

func appendName(dst []byte, n name) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '/')
	for i := range len(n) {
		c := n[i]
		if c <= ' ' || c > '~' || c == '#' || isDelimiter(c) {
			dst = append(dst, '#', hex[c>>4], hex[c&15])
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

func appendLiteral(dst []byte, s []byte) []byte {
	dst = append(dst, '(')
	for _, c := range s {
		switch c {
		case '(', ')', '\\':
			dst = append(dst, '\\', c)
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, ')')
}

// textOf writes s as PDF does texts for people: ASCII as it is, anything else
// as UTF-16.
func textOf(s string) text {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] >= ' ' && s[i] < 0x7f
	}
	if ascii {
		return text(s)
	}
	b := text{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return b
}

// String reads a text for people.
func (t text) String() string {
	if len(t) < 2 || t[0] != 0xfe || t[1] != 0xff {
		if bytes.HasPrefix(t, []byte("\xef\xbb\xbf")) {
			return string(t[3:])
		}
		return latin(t)
	}
	var units []uint16
	for i := 2; i+1 < len(t); i += 2 {
		units = append(units, uint16(t[i])<<8|uint16(t[i+1]))
	}
	return string(utf16.Decode(units))
}

// latin reads PDFDocEncoding as Latin-1, which it is but for a few signs.
func latin(t []byte) string {
	runes := make([]rune, len(t))
	for i, c := range t {
		runes[i] = rune(c)
	}
	return string(runes)
}
