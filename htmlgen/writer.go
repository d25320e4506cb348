package htmlgen

import (
	"strconv"

	"github.com/quire-reports/quire/report/text"
)

// Writer appends HTML. Escaping happens here and nowhere else: Text and Attr
// escape, Raw does not.
type Writer struct{ buf []byte }

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Len is the number of bytes written.
func (w *Writer) Len() int { return len(w.buf) }

// Raw appends markup as it is.
func (w *Writer) Raw(markup string) { w.buf = append(w.buf, markup...) }

// Text appends escaped text.
func (w *Writer) Text(s string) { w.buf = text.AppendEscaped(w.buf, s, text.EscapeText) }

// Int appends a number.
func (w *Writer) Int(n int) { w.buf = strconv.AppendInt(w.buf, int64(n), 10) }

// Attr appends an attribute with a leading blank; an empty value is left out.
func (w *Writer) Attr(name, value string) {
	if value != "" {
		w.BoolAttr(name)
		w.buf = append(w.buf, '=', '"')
		w.buf = text.AppendEscaped(w.buf, value, text.EscapeAttr)
		w.buf = append(w.buf, '"')
	}
}

// BoolAttr appends an attribute without a value.
func (w *Writer) BoolAttr(name string) {
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, name...)
}

// Template appends what a template gives in the environment, escaped for the
// place.
func (w *Writer) Template(t *text.Template, env *text.Env, esc text.Escaper) {
	w.buf = t.Append(w.buf, env, esc)
}
