package text

import (
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Template is a parsed text template. It is safe for use by several goroutines.
type Template struct {
	source string
	parts  []part
	// Problems are what is wrong with the template itself: unknown formats,
	// wrong options. The rest of it works.
	Problems report.Problems
	// Stray is what looks like the first placeholder that is none and prints as
	// it is written, such as an unclosed one.
	Stray string
}

// part is a run of literal text or something that prints a value.
type part struct {
	literal string
	value   *placeholder // nil for literal text
	place   Escaper      // of the value in HTML
}

// placeholder prints the value of a path or an expression.
type placeholder struct {
	source   string
	path     *Path       // or
	expr     *Expression // one of both
	format   Format
	fallback string
	hasFall  bool
	lost     string // the warning when the path leads nowhere
}

// String is the template as written.
func (t *Template) String() string { return t.source }

// Static is the text when nothing in it depends on a run.
func (t *Template) Static() (string, bool) {
	switch {
	case len(t.parts) == 0:
		return "", true
	case len(t.parts) == 1 && t.parts[0].value == nil: // neighbouring literals are one
		return t.parts[0].literal, true
	}
	return "", false
}

// Text is the template's plain text in a run.
func (t *Template) Text(env *Env) string {
	if s, ok := t.Static(); ok {
		return s
	}
	var buf [128]byte
	return string(t.Append(buf[:0], env, Raw))
}

// With is the template with a text in the place of every value.
func (t *Template) With(value string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.value != nil {
			b.WriteString(value)
		}
		b.WriteString(p.literal)
	}
	return b.String()
}

// Value is the value itself when the template is one placeholder without
// formats, and its text otherwise: for settings that take any value.
func (t *Template) Value(env *Env) any {
	if len(t.parts) == 1 && t.parts[0].value != nil && t.parts[0].value.format.IsZero() {
		v := t.parts[0].value
		if got := v.get(env); !isEmpty(got) || !v.hasFall {
			return got
		}
		return v.fallback
	}
	return t.Text(env)
}

// Sole is the value of the template's only placeholder, whatever formats it has
// and whatever text stands around it; without one it is the text.
func (t *Template) Sole(env *Env) any {
	var sole *placeholder
	for i := range t.parts {
		if v := t.parts[i].value; v != nil {
			if sole != nil {
				return t.Text(env)
			}
			sole = v
		}
	}
	if sole == nil {
		return t.Text(env)
	}
	v := sole.get(env)
	if isEmpty(v) && sole.hasFall {
		return sole.fallback
	}
	return v
}

// Append appends the text of the template in a run, escaped for its place.
func (t *Template) Append(dst []byte, env *Env, esc Escaper) []byte {
	start := len(dst)
	for i := range t.parts {
		if env.full(dst) {
			break
		}
		p := &t.parts[i]
		if p.value == nil {
			dst = esc.literal(dst, p.literal)
			continue
		}
		place := esc
		if esc == EscapeHTML && p.place != Raw {
			place = p.place
		}
		dst = p.value.append(dst, start, env, place)
	}
	if esc == EscapeURL && !safeURL(dst[start:]) {
		env.warn(strconv.Quote(clip(dst[start:])) + " is no address that may be linked to; it is left out")
		return append(dst[:start], "about:invalid"...)
	}
	return dst
}

func (e *Env) full(dst []byte) bool { return e != nil && e.MostBytes > 0 && len(dst) > e.MostBytes }

func (h *placeholder) append(dst []byte, templateStart int, env *Env, esc Escaper) []byte {
	start := len(dst)
	v := h.get(env)
	if d, ok := v.(Deferred); ok {
		return d.append(dst, h, env, esc)
	}
	if isEmpty(v) {
		dst = append(dst, h.fallback...)
	} else {
		dst = h.format.append(dst, v, env, esc.shows())
	}
	return h.format.escape(dst, start, templateStart, env, esc)
}

// get is the value; a path that leads nowhere is reported unless the author
// gave a fallback.
func (h *placeholder) get(env *Env) any {
	if h.expr != nil {
		v, err := h.expr.Eval(env)
		if err != nil {
			env.warn(h.source + ": " + err.Error())
		}
		return v
	}
	v, ok := h.path.Get(env.scope())
	if !ok && !h.hasFall {
		env.lost(h.lost)
	}
	return v
}

func isEmpty(v any) bool { return v == nil || v == "" }

// append writes the element that the paginator fills, where an element can be.
func (d Deferred) append(dst []byte, h *placeholder, env *Env, esc Escaper) []byte {
	if esc != EscapeText && esc != EscapeHTML {
		env.warn(h.source + " is known only after the pages are made; it can stand in text, not here")
		return dst
	}
	dst = append(append(dst, `<span class="q-`...), d.Name...)
	dst = append(dst, '"')
	dst = appendData(dst, "ref", d.Ref)
	dst = appendData(dst, "format", h.format.source)
	return append(dst, "></span>"...)
}

func appendData(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, " data-"...), name...), `="`...)
	return append(AppendEscaped(dst, value, EscapeAttr), '"')
}
