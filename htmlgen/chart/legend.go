package chart

import "strconv"

// entry is one line of a legend.
type entry struct {
	text, color, style string
	sample             string // line, square, circle or triangle
}

// legend is a legend with the place of each entry.
type legend struct {
	st      *Style
	entries []entry
	at      []Rect // of each entry, its sample included
	texts   []string
	sample  float64 // width of the widest sample
	aligned bool    // texts stand below each other
	room    Rect    // what it takes from the chart
	counted int     // entries that have no room
}

// legendGap is the distance of a sample from its text.
const legendGap = 6

// newLegend lays a legend out inside a box, and gives the box that is left. A
// legend that would take most of a small chart is left out.
func newLegend(st *Style, entries []entry, position string, box Rect) (*legend, Rect) {
	if len(entries) == 0 || position == "none" {
		return nil, box
	}
	l := &legend{st: st, entries: entries, sample: st.LegendMarker}
	for _, e := range entries {
		l.sample = max(l.sample, l.sampleOf(e))
	}
	if position == "left" || position == "right" {
		l.aligned = true
		return l.column(position, box)
	}
	return l.rows(position, box)
}

// sampleOf is the width of the sample of an entry.
func (l *legend) sampleOf(e entry) float64 {
	if l.aligned {
		return l.sample
	}
	if e.sample == "line" {
		return max(l.st.LegendMarker, 16)
	}
	return l.st.LegendMarker
}

func (l *legend) line() float64 { return max(l.st.legend().line(), l.st.LegendMarker) * 1.15 }

// rows lays entries out side by side, in as many rows as they need, above or
// below the chart. When they would take more than a third of a chart the rest
// is only counted.
func (l *legend) rows(position string, box Rect) (*legend, Rect) {
	t := l.st.legend()
	x, y := 0.0, 0.0
	for i := range l.entries {
		sample := l.sampleOf(l.entries[i]) + legendGap
		text := t.fit(l.entries[i].text, box.W-sample)
		w := sample + t.width(text)
		if x > 0 && x+w > box.W {
			x, y = 0, y+l.line()
		}
		if y+l.line() > max(l.line()*1.01, box.H*0.36) {
			l.count(i)
			break
		}
		l.at = append(l.at, Rect{x, y, w, l.line()})
		l.texts = append(l.texts, text)
		x += w + l.st.LegendGap
	}
	last := l.at[len(l.at)-1]
	height := last.Y + l.line()
	if height > box.H/2 {
		return nil, box
	}
	l.room = Rect{box.X, box.Y, box.W, height}
	rest := Rect{box.X, box.Y + height + 8, box.W, box.H - height - 8}
	if position == "bottom" {
		l.room.Y = box.Y + box.H - height
		rest.Y = box.Y
	}
	return l, rest
}

// count writes how many entries have no room in place of the last that has.
func (l *legend) count(from int) {
	from = max(1, from)
	l.counted = len(l.entries) - from + 1
	more := "+" + strconv.Itoa(len(l.entries)-from+1)
	l.entries = l.entries[:from]
	l.entries[from-1] = entry{text: more}
	l.texts[from-1] = more
	l.at[from-1].W = l.sample + legendGap + l.st.legend().width(more)
}

// column lays entries out below each other beside the chart.
func (l *legend) column(position string, box Rect) (*legend, Rect) {
	t := l.st.legend()
	most := min(box.W*0.45, 240)
	if most < l.sample+legendGap+t.size*2 || box.H < l.line() {
		return nil, box
	}
	perColumn := int(box.H / l.line())
	columns := l.columns(perColumn, most)
	each := (most - float64(columns-1)*l.st.LegendGap) / float64(columns)
	x, width := 0.0, 0.0
	for i := range l.entries {
		if i == perColumn*columns {
			l.count(i)
			break
		}
		if i > 0 && i%perColumn == 0 {
			x = width + l.st.LegendGap
		}
		text := t.fit(l.entries[i].text, each-l.sample-legendGap)
		at := Rect{x, float64(i%perColumn) * l.line(), l.sample + legendGap + t.width(text), l.line()}
		l.at, l.texts = append(l.at, at), append(l.texts, text)
		width = max(width, at.X+at.W)
	}
	gap := l.st.LegendGap
	l.room = Rect{box.X, box.Y, width, box.H}
	rest := Rect{box.X + width + gap, box.Y, box.W - width - gap, box.H}
	if position == "right" {
		l.room.X = box.X + box.W - width
		rest.X = box.X
	}
	return l, rest
}

// columns is how many columns the entries stand in: as many as they need, and
// no more than have room without shortening what one column shows whole.
func (l *legend) columns(perColumn int, most float64) int {
	t, widest := l.st.legend(), 0.0
	for _, e := range l.entries {
		widest = max(widest, l.sample+legendGap+t.width(e.text)+1)
	}
	room := int((most + l.st.LegendGap) / (min(widest, most) + l.st.LegendGap))
	return max(1, min(room, (len(l.entries)+perColumn-1)/perColumn))
}

// centre moves the entries of a legend at the side to the middle of its height.
func (l *legend) centre() {
	lowest := 0.0
	for _, at := range l.at {
		lowest = max(lowest, at.Y+at.H)
	}
	l.room.Y += (l.room.H - lowest) / 2
}

// draw writes the legend; that of a pie is mirrored in right-to-left documents.
func (l *legend) draw(w *svg) {
	if l == nil {
		return
	}
	w.raw(`<g class="q-c-legend">`)
	t := l.st.legend()
	for i, e := range l.entries {
		at := l.at[i]
		x, y := l.room.X+at.X, l.room.Y+at.Y+at.H/2
		sample := l.sampleOf(e)
		textX, anchor := x+sample+legendGap, atStart
		if l.st.RightToLeft {
			x = l.room.X + l.room.W - at.X - sample
			textX, anchor = x-legendGap, atEnd
		}
		w.flip(func() { l.drawSample(w, e, x, y) })
		w.text("", textX, y+t.size*0.35, anchor, l.texts[i])
	}
	w.raw("</g>")
}

func (l *legend) drawSample(w *svg, e entry, x, y float64) {
	size := l.st.LegendMarker
	if e.color == "" { // only a count
		return
	}
	if e.sample == "line" {
		w.path("", "fill:none;stroke:"+e.color+";"+e.style, func() {
			w.raw("M")
			w.pair(x, y)
			w.raw("h")
			w.num(l.sampleOf(e))
		})
		return
	}
	w.path("", "fill:"+e.color+";"+e.style, func() { w.shape(e.sample, x+l.sampleOf(e)/2, y, size) })
}

// shape appends a marker's outline around a place to a path.
func (w *svg) shape(name string, x, y, size float64) {
	r := size / 2
	switch name {
	case "square":
		w.raw("M")
		w.pair(x-r, y-r)
		w.raw("h")
		w.num(size)
		w.raw("v")
		w.num(size)
		w.raw("h")
		w.num(-size)
		w.raw("z")
	case "triangle":
		w.raw("M")
		w.pair(x, y-r*1.15)
		w.raw("l")
		w.pair(r*1.1, r*2)
		w.raw("h")
		w.num(-r * 2.2)
		w.raw("z")
	default:
		w.raw("M")
		w.pair(x-r, y)
		for _, d := range []float64{size, -size} {
			w.raw("a")
			w.pair(r, r)
			w.raw(" 0 1 0 ")
			w.pair(d, 0)
		}
	}
}
