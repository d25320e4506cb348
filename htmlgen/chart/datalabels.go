package chart

import (
	"fmt"
	"math"
	"strconv"
)

// dataLabel is a label that waits for its place.
type dataLabel struct {
	text   string
	run    *run
	ways   [][]try // all labels of a series stand in the same way
	placed Rect
	in     bool // on the series' own colour
}

// try is a place that a label may take.
type try struct {
	x, y float64 // middle of the text
	in   bool    // inside a column
	room float64 // width that the text may have there; 0: any
	high float64 // height that the text may have there; 0: any
}

// noteLabels notes the labels of a series with the places they may take.
func (p *plot) noteLabels(r *run) {
	if !r.Labels {
		return
	}
	for _, q := range r.pts {
		if q.index < 0 || q.gap && r.Kind != Marker {
			continue
		}
		text := r.Points[q.index].Label
		if text == "" || q.to == q.from && p.segmented(r) || !q.gap && !p.axisOf(r).scale.inside(q.to) {
			continue // a segment without height has no place, nor has what is cut off
		}
		p.labels = append(p.labels, dataLabel{text: text, run: r, ways: p.ways(r, q, text)})
	}
}

// segmented reports whether a series is drawn as segments of columns.
func (p *plot) segmented(r *run) bool {
	return r.Kind == Column && p.stackOf(r) != "" || r.Kind == Range && p.base.Kind == Category
}

func (p *plot) ways(r *run, q pt, text string) [][]try {
	t := p.st.labels()
	w, h := t.width(text), t.line()
	switch {
	case r.Kind == Marker:
		return [][]try{p.markerTries(r, q, w, h)}
	case r.Kind == Column || r.Kind == Range && p.base.Kind == Category:
		return p.columnWays(r, q, w, h)
	}
	if !finite(q.x) {
		return nil
	}
	x, y := p.xy(p.base.scale.at(q.x), p.axisOf(r).scale.at(q.to))
	far := h/2 + 3
	if r.Shape != "" || r.Kind == Scatter {
		far += max(5, min(r.ShapeSize, 200)) / 2
	}
	above, below := try{x: x, y: y - far}, try{x: x, y: y + far}
	side := w/2 + far - h/2
	right, left := try{x: x + side, y: y}, try{x: x - side, y: y}
	// a label at the edge of the plot moves inwards rather than away
	in := try{x: max(p.box.X+w/2, min(p.box.X+p.box.W-w/2, x)), y: y - far}
	under := try{x: in.x, y: y + far}
	if r.Place == "below" {
		return [][]try{{below, under, above, in, right, left}}
	}
	return [][]try{{above, in, below, under, right, left}}
}

// columnWays are the places at the end of a column, inside it where it does
// not stand alone.
func (p *plot) columnWays(r *run, q pt, w, h float64) [][]try {
	a := p.axisOf(r)
	b := p.base.scale.at(q.x + r.shift)
	v, from := a.scale.at(q.to), a.scale.at(q.from)
	wide := math.Abs(p.base.scale.at(r.width) - p.base.scale.at(0))
	box := p.rectOf(b-wide/2, b+wide/2, from, v)
	middle := try{x: box.X + box.W/2, y: box.Y + box.H/2, in: true, room: box.W - 2, high: box.H - 1}
	out := 1.0 // direction of growth in pixels
	if v < from || v == from && !p.c.Turned == !a.Inverted {
		out = -1
	}
	end, inner := try{}, try{in: true, room: box.W - 2, high: box.H - 1}
	if p.c.Turned {
		end = try{x: v + out*(w/2+4), y: b}
		inner.x, inner.y = v-out*(w/2+4), b
	} else {
		end = try{x: b, y: v + out*(h/2+2)}
		inner.x, inner.y = b, v-out*(h/2+2)
	}
	switch {
	case r.Place == "inside" && q.to != q.from, p.segmented(r):
		return p.apart(middle)
	case q.to == q.from: // nothing that it could stand in
		return p.apart(end, end)
	}
	// a label much wider than what is under it would stand over the neighbours
	if pitch := math.Abs(p.base.scale.at(r.pitch) - p.base.scale.at(0)); !p.c.Turned && w > pitch*1.3 {
		return p.apart(inner)
	}
	// at the edge of the plot a label may stand a little beside its column
	in := end
	in.x = max(p.box.X+w/2+1, min(p.box.X+p.box.W-w/2-1, end.x))
	if p.c.Turned {
		in.x, in.y = end.x, max(p.box.Y+h/2, min(p.box.Y+p.box.H-h/2, end.y))
	}
	if math.Abs(in.x-end.x) > w/2 || math.Abs(in.y-end.y) > h/2 {
		return p.apart(end, inner)
	}
	return p.apart(in, inner)
}

// apart are places of which each is a way of its own. All labels share their memory.
func (p *plot) apart(places ...try) [][]try {
	begin := len(p.wayList)
	for _, t := range places {
		p.tries = append(p.tries, t)
		n := len(p.tries)
		p.wayList = append(p.wayList, p.tries[n-1:n:n])
	}
	return p.wayList[begin:len(p.wayList):len(p.wayList)]
}

// markerTries are the places at the ends of a line across the plot.
func (p *plot) markerTries(r *run, q pt, w, h float64) []try {
	a := p.axisOf(r)
	box := p.box
	var level, upright []try
	lines := func(at float64, isLevel bool) {
		if isLevel {
			for _, share := range []float64{1, 0, 0.75, 0.5, 0.25} {
				x := box.X + w/2 + 2 + share*(box.W-w-4)
				level = append(level, try{x: x, y: at - h/2 - 1}, try{x: x, y: at + h/2 + 1})
			}
			return
		}
		upright = append(upright, try{x: at + w/2 + 4, y: box.Y + h/2}, try{x: at - w/2 - 4, y: box.Y + h/2})
	}
	if !q.gap {
		lines(a.scale.at(q.to), !p.c.Turned)
	}
	if finite(q.x) {
		lines(p.base.scale.at(q.x), p.c.Turned)
	}
	return append(level, upright...)
}

// dataLabels gives the labels their places and writes them.
func (p *plot) dataLabels() {
	t := p.st.labels()
	for rest := p.labels; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].run == rest[0].run {
			n++
		}
		p.settleSeries(rest[:n], t)
		rest = rest[n:]
	}
	p.flip(p.halos)
	begun := false
	for _, l := range p.labels {
		if l.placed.W == 0 {
			continue
		}
		if !begun {
			p.raw(`<g class="q-c-data">`)
			begun = true
		}
		class, style := "", ""
		if l.in {
			class = "q-c-in"
			if l.run.Ink != "" {
				style = "fill:" + l.run.Ink
			}
		}
		p.textStyled(class, l.placed.X+l.placed.W/2, l.placed.Y+l.placed.H/2+t.size*0.36, atMiddle, style, "", l.text)
	}
	if begun {
		p.raw("</g>")
	}
}

// halos draws a ground below the labels that hide something. An outline around
// the letters would do, too, but in PDF files it makes drawings of them instead
// of text.
func (p *plot) halos() {
	begun := false
	for _, l := range p.labels {
		if l.placed.W == 0 || l.in || p.places.covered(l.placed, markedLine|markedBody) == 0 {
			continue
		}
		if !begun {
			p.raw(`<path class="q-c-halo" d="`)
			begun = true
		}
		p.rectPath(l.placed)
	}
	if begun {
		p.raw(`"/>`)
	}
}

// settleSeries gives all labels of a series places in one of their ways. Where
// one has none, none is written: labels here and there would be read as if the
// others were zero.
func (p *plot) settleSeries(list []dataLabel, t texts) {
	for way := range list[0].ways {
		n := 0
		for n < len(list) && way < len(list[n].ways) && p.settle(&list[n], list[n].ways[way], t) {
			n++
		}
		if n == len(list) {
			return
		}
		for ; n > 0; n-- {
			p.places.release(list[n-1].placed)
			list[n-1].placed = Rect{}
		}
	}
	p.warn("there is no room for %d labels of %s; none of them is written", len(list), list[0].run.title(p.c.Series))
}

// title names a series for people.
func (r *run) title(all []Series) string {
	if r.Name != "" {
		return strconv.Quote(r.Name)
	}
	for i := range all {
		if &all[i] == r.Series {
			return "series " + strconv.Itoa(i+1)
		}
	}
	return "a series"
}

// warn tells the author about something that the chart does not show.
func (p *plot) warn(format string, args ...any) {
	if p.c.Warn != nil {
		p.c.Warn(fmt.Sprintf(format, args...))
	}
}

// What a label may hide: one that stands close to a line touches a mark, and one
// that hides more than a few cannot be told from what is under it.
const (
	fewMarks  = 1
	mostMarks = 3
)

// settle gives a label the free place where it hides least; false when it has
// none.
func (p *plot) settle(l *dataLabel, tries []try, t texts) bool {
	w, least := t.width(l.text), -1
	for _, at := range tries {
		if at.in && (w > at.room || t.size > at.high) {
			continue
		}
		// the box is that of capitals and digits, with some air
		r := Rect{at.x - w/2 - 1, at.y - t.size*0.55, w + 2, t.size * 1.1}
		if !p.places.free(r) {
			continue
		}
		hidden := 0
		switch {
		case at.in:
		case l.run.Kind == Column: // not on the columns beside its own
			if p.places.covered(Rect{r.X + 3, r.Y + 2, r.W - 6, r.H - 6}, markedBody) > 0 {
				continue
			}
		case l.run.Kind == Marker:
			hidden = p.places.covered(r, markedLine|markedBody)
		default:
			if hidden = p.places.covered(r, markedLine); hidden > mostMarks || p.places.covered(r, markedBody) > 0 {
				continue
			}
		}
		if least < 0 || hidden < least {
			l.placed, l.in, least = r, at.in, hidden
		}
		if least <= fewMarks {
			break
		}
	}
	if least < 0 {
		return false
	}
	p.places.take(l.placed)
	return true
}

// labelled reports whether any series has labels, so that what is drawn has to
// be known to them.
func (p *plot) labelled() bool {
	for i := range p.runs {
		if p.runs[i].Labels {
			return true
		}
	}
	return false
}

// entries are the named series as entries of the legend.
func (p *plot) entries() []entry {
	var list []entry
	for i := range p.c.Series {
		r := run{Series: &p.c.Series[i]}
		if r.Legend == "" {
			continue
		}
		e := entry{text: r.Legend, color: r.color(), sample: "square"}
		switch {
		case r.Kind == Line && !r.Filled, r.Kind == Marker:
			e.sample = "line"
			e.style = lineSample(&r)
		case r.Kind == Scatter:
			if e.sample = r.Shape; e.sample == "" {
				e.sample = "circle"
			}
		case r.Kind == Range && r.FillAlpha == 0:
			e.style = "fill-opacity:.35"
		}
		if r.Fill != "" && e.sample == "square" {
			e.color = r.Fill
		}
		list = append(list, e)
	}
	return list
}

func lineSample(r *run) string {
	width := 2.0
	if r.Width > 0 && finite(r.Width) {
		width = min(r.Width, 6)
	}
	s := "stroke-width:" + decimal(width)
	if r.Dash != "" {
		s += ";stroke-dasharray:" + r.Dash
	}
	return s
}
