package chart

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// svg appends markup. Coordinates are written to a hundredth of a pixel and
// are never anything but numbers.
type svg struct {
	b []byte
	// mirror is the width of a chart that is drawn from right to left. Everything
	// is laid out from left to right; texts move one by one, the rest as a whole.
	mirror float64
	small  float64 // size of labels where they are smaller than the theme's; 0: they are not
}

// flip draws shapes from right to left where the chart is.
func (w *svg) flip(draw func()) {
	if w.mirror == 0 {
		draw()
		return
	}
	w.raw(`<g transform="translate(`)
	w.num(w.mirror)
	w.raw(`)scale(-1 1)">`)
	draw()
	w.raw("</g>")
}

func (w *svg) raw(s string) { w.b = append(w.b, s...) }

// far bounds coordinates: what lies farther out is never seen.
const far = 100_000

func (w *svg) num(v float64) {
	if math.IsNaN(v) {
		v = 0
	}
	n := int64(math.Round(max(-far, min(far, v)) * 100))
	if n < 0 {
		w.b = append(w.b, '-')
		n = -n
	}
	w.b = strconv.AppendInt(w.b, n/100, 10)
	if f := n % 100; f > 0 {
		w.b = append(w.b, '.', byte('0'+f/10))
		if f%10 > 0 {
			w.b = append(w.b, byte('0'+f%10))
		}
	}
}

// pair writes "x y".
func (w *svg) pair(x, y float64) {
	w.num(x)
	w.b = append(w.b, ' ')
	w.num(y)
}

func (w *svg) numAttr(name string, v float64) {
	w.b = append(w.b, ' ')
	w.b = append(w.b, name...)
	w.b = append(w.b, '=', '"')
	w.num(v)
	w.b = append(w.b, '"')
}

func (w *svg) attr(name, v string) {
	if v == "" {
		return
	}
	w.b = append(w.b, ' ')
	w.b = append(w.b, name...)
	w.b = append(w.b, '=', '"')
	w.escaped(v)
	w.b = append(w.b, '"')
}

// escaped writes text or an attribute's value. Characters that XML does not
// allow become blanks.
func (w *svg) escaped(s string) {
	b := w.b
	for _, r := range s {
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '"':
			b = append(b, "&#34;"...)
		case r == '\'':
			b = append(b, "&#39;"...)
		case r < ' ' || r == 0xfffe || r == 0xffff:
			b = append(b, ' ')
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	w.b = b
}

// anchors of texts.
const (
	atStart  = ""
	atMiddle = "middle"
	atEnd    = "end"
)

// text writes one line of text; y is its base line.
func (w *svg) text(class string, x, y float64, anchor, s string) {
	w.textStyled(class, x, y, anchor, "", "", s)
}

func (w *svg) textStyled(class string, x, y float64, anchor, style, transform, s string) {
	if s == "" {
		return
	}
	if w.mirror > 0 {
		anchor = map[string]string{atStart: atEnd, atMiddle: atMiddle, atEnd: atStart}[anchor]
		if transform == "" {
			x = w.mirror - x
		}
	}
	w.raw("<text")
	w.attr("class", class)
	w.numAttr("x", x)
	w.numAttr("y", y)
	w.attr("text-anchor", anchor)
	w.attr("transform", transform)
	w.attr("style", style)
	w.raw(">")
	w.escaped(s)
	w.raw("</text>")
}

// noData writes what a chart without values says into its middle.
func (w *svg) noData(st *Style, width, height float64, s string) {
	t := st.labels()
	w.text("q-c-empty", width/2, height/2+t.size*0.36, atMiddle, t.fit(s, width))
}

func (w *svg) rect(class, style string, r Rect) {
	w.raw("<rect")
	w.attr("class", class)
	w.numAttr("x", r.X)
	w.numAttr("y", r.Y)
	w.numAttr("width", max(0, r.W))
	w.numAttr("height", max(0, r.H))
	w.attr("style", style)
	w.raw("/>")
}

// path writes a path from what draw appends.
func (w *svg) path(class, style string, draw func()) {
	w.raw("<path")
	w.attr("class", class)
	w.attr("style", style)
	w.raw(` d="`)
	draw()
	w.raw(`"/>`)
}

// Rect is a box in pixels.
type Rect struct{ X, Y, W, H float64 }

// union is the least box that holds both.
func (r Rect) union(o Rect) Rect {
	x, y := min(r.X, o.X), min(r.Y, o.Y)
	return Rect{x, y, max(r.X+r.W, o.X+o.W) - x, max(r.Y+r.H, o.Y+o.H) - y}
}

// overlaps reports whether two boxes share room.
func (r Rect) overlaps(o Rect) bool {
	return r.X < o.X+o.W && o.X < r.X+r.W && r.Y < o.Y+o.H && o.Y < r.Y+r.H
}

// holds reports whether a box lies inside this one, within a rounding error.
func (r Rect) holds(o Rect) bool {
	const e = 0.01
	return o.X >= r.X-e && o.Y >= r.Y-e && o.X+o.W <= r.X+r.W+e && o.Y+o.H <= r.Y+r.H+e
}
