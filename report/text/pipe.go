package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// pipe carries a value through its formats. Text lives at the end of out, from
// start, so that nothing is copied between formats.
type pipe struct {
	env     *Env
	loc     *Locale
	out     []byte
	start   int
	kind    pipeKind
	value   any         // when kind is isValue
	when    time.Time   // when kind is isTime
	request dateRequest // how when is written
	shown   bool        // on a page, where the minus is a true one
	dec     decimal     // scratch of number formats
	spare   []byte      // scratch of string formats
}

type pipeKind uint8

const (
	isValue pipeKind = iota
	isText
	isTime
)

// pipes are reused: a pipe escapes to the heap because formats are interfaces.
var pipes = sync.Pool{New: func() any { return new(pipe) }}

func newPipe(dst []byte, v any, env *Env) *pipe {
	p := pipes.Get().(*pipe)
	p.env, p.loc = env, nil
	p.out, p.start = dst, len(dst)
	p.kind, p.value = isValue, v
	return p
}

// finish gives back what was written and frees the pipe.
func (p *pipe) finish() []byte {
	p.text()
	out := p.out
	p.out, p.value, p.env, p.loc = nil, nil, nil, nil
	pipes.Put(p)
	return out
}

func (p *pipe) locale() *Locale {
	if p.loc == nil {
		p.loc = p.env.locale()
		if p.shown {
			p.loc = p.loc.printed()
		}
	}
	return p.loc
}

// text is the value as text; it may be changed and put back with set.
func (p *pipe) text() []byte {
	switch p.kind {
	case isValue:
		p.out = p.appendPlain(p.out, p.value)
	case isTime:
		p.out = p.locale().appendDate(p.out, p.when, p.request)
	}
	p.kind = isText
	return p.out[p.start:]
}

// begin starts the text anew.
func (p *pipe) begin() {
	p.out = p.out[:p.start]
	p.kind = isText
}

// appendPlain writes a value without a format.
func (p *pipe) appendPlain(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return dst
	case string:
		return append(dst, v...)
	case json.Number:
		return append(dst, v...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return appendFloat(dst, v)
	case time.Time:
		return p.locale().appendDefault(dst, v.In(p.env.zone()))
	case []any:
		return p.appendList(dst, v)
	case fmt.Stringer:
		return append(dst, v.String()...)
	}
	return appendJSON(dst, v)
}

// appendList writes the items with commas between.
func (p *pipe) appendList(dst []byte, list []any) []byte {
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = p.appendPlain(dst, v)
	}
	return dst
}

func appendJSON(dst []byte, v any) []byte {
	doc, err := json.Marshal(v)
	if err != nil {
		return dst
	}
	return append(dst, doc...)
}

// appendFloat writes a number the shortest way, as JavaScript does.
func appendFloat(dst []byte, f float64) []byte {
	switch abs := max(f, -f); {
	case f != f:
		return append(dst, "NaN"...)
	case abs > 1.7976931348623157e308 && f > 0:
		return append(dst, "∞"...)
	case abs > 1.7976931348623157e308:
		return append(dst, "-∞"...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// number reads the value as a number into p.dec; a value that is none stays as
// it is, with a warning.
func (p *pipe) number() bool {
	if p.readNumber() {
		return true
	}
	if p.env != nil && p.env.Warn != nil {
		p.env.Warn(strconv.Quote(clip(p.text())) + " is no number; it is printed as it is")
	}
	return false
}

func (p *pipe) readNumber() bool {
	if p.kind == isText {
		digits, negative := bytes.CutPrefix(p.out[p.start:], []byte(trueMinus))
		ok := p.dec.parse(digits)
		p.dec.neg = p.dec.neg != negative
		return ok
	}
	if p.kind == isTime {
		return false
	}
	switch v := p.value.(type) {
	case json.Number:
		return p.dec.parseString(string(v))
	case string:
		return p.dec.parseString(v)
	case int64:
		return p.dec.setInt(v)
	case int:
		return p.dec.setInt(int64(v))
	case float64:
		return p.dec.setFloat(v)
	}
	return false
}

// clip shortens a text for a message.
func clip(s []byte) string {
	const most = 40
	if len(s) <= most {
		return string(s)
	}
	return string(s[:most]) + "…"
}
