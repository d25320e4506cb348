package chart

import (
	"math"
	"slices"
)

// Slice is one part of a pie; a value that is not above zero has no slice.
type Slice struct {
	Value  float64
	Color  string // CSS
	Legend string // its entry in the legend; empty: none
	Label  string // written beside it; empty: none
}

// Pie is a pie or donut chart.
type Pie struct {
	Width, Height    float64
	Style            Style
	Slices           []Slice
	Start            float64 // degrees from three o'clock
	Clockwise        bool
	Diameter         float64              // pixels; 0: what the room allows
	Share            float64              // of the largest diameter, where Diameter is 0; 0: 1
	OffsetX, OffsetY float64              // of the middle
	Apart            float64              // how far slices stand from the middle
	Gap              float64              // between slices
	Corner           float64              // radius of the corners of slices
	Inner, Outer     float64              // radii as shares of the pie's; Outer 0: 1
	LabelWidth       float64              // greatest width of a label; 0: a third of the chart
	Lead             float64              // length of the lines to labels; 0: none
	Legend           string               // auto, top, right, bottom, left, none
	Empty            string               // what a pie without slices says
	Warn             func(message string) // told what has no room; may be nil
}

// wedge is a slice while it is drawn: angles run counter-clockwise in radians.
type wedge struct {
	*Slice
	from, to float64
}

func (w wedge) middle() float64 { return (w.from + w.to) / 2 }

// pie is a pie chart while it is drawn.
type pie struct {
	svg
	c        *Pie
	st       Style
	wedges   []wedge
	box      Rect
	cx, cy   float64
	r, inner float64
	labels   []*pieLabel
	wanted   int // labels
	short    int // labels that are shortened
	legend   *legend
}

// Render draws the pie.
func (c *Pie) Render() []byte {
	p := c.laidOut()
	p.warnLabels()
	p.b = make([]byte, 0, 4<<10)
	p.open(p.c.Width, p.c.Height)
	p.draw()
	p.legend.draw(&p.svg)
	p.raw("</svg>")
	return p.b
}

// laidOut is the pie with everything in its place.
func (c *Pie) laidOut() *pie {
	own := *c
	own.Width, own.Height = size(c.Width, 640), size(c.Height, 260)
	own.Slices = slices.Clone(c.Slices)
	own.repair()
	p := &pie{c: &own, st: c.Style}
	p.st.complete()
	p.divide()
	full := Rect{edge, edge, own.Width - 2*edge, own.Height - 2*edge}
	position := own.Legend
	if position == "" || position == "auto" {
		if position = "bottom"; own.Width > own.Height*1.25 {
			if position = "right"; p.st.RightToLeft {
				position = "left"
			}
		}
	}
	p.legend, p.box = newLegend(&p.st, p.entries(), position, full)
	if p.legend != nil && (position == "left" || position == "right") {
		p.legend.centre()
	}
	p.place(p.usualRadius(full, position))
	return p
}

// repair brings the options where they can be drawn.
func (c *Pie) repair() {
	share := func(v *float64, def float64) {
		if !(*v > 0) {
			*v = def
		}
		*v = min(*v, 1)
	}
	share(&c.Share, 1)
	share(&c.Outer, 1)
	share(&c.Inner, 0)
	c.Inner = min(c.Inner, c.Outer*0.98)
	for _, v := range []*float64{&c.Apart, &c.Gap, &c.Corner, &c.Lead, &c.LabelWidth, &c.Diameter} {
		if !(*v >= 0) || *v > maxSize {
			*v = 0
		}
	}
	for _, v := range []*float64{&c.Start, &c.OffsetX, &c.OffsetY} {
		if !finite(*v) || math.Abs(*v) > maxSize {
			*v = 0
		}
	}
}

// divide gives every slice its part of the circle.
func (p *pie) divide() {
	most, sum := 0.0, 0.0
	for _, s := range p.c.Slices {
		if s.Value > 0 && finite(s.Value) {
			most = max(most, s.Value)
		}
	}
	for _, s := range p.c.Slices {
		if s.Value > 0 && finite(s.Value) {
			sum += s.Value / most
		}
	}
	at := p.c.Start * math.Pi / 180
	turn := 2 * math.Pi
	if p.c.Clockwise {
		at, turn = -at, -turn
	}
	for i := range p.c.Slices {
		s := &p.c.Slices[i]
		if !(s.Value > 0) || !finite(s.Value) {
			continue
		}
		next := at + s.Value/most/sum*turn
		p.wedges = append(p.wedges, wedge{s, min(at, next), max(at, next)})
		at = next
	}
}

func (p *pie) entries() []entry {
	var list []entry
	for _, s := range p.c.Slices {
		if s.Legend != "" && s.Value > 0 {
			list = append(list, entry{text: s.Legend, color: s.Color, sample: "square"})
		}
	}
	return list
}

// place finds the middle and the radius, and then the places of the labels.
func (p *pie) place(r float64) {
	b := p.box
	most := p.c.LabelWidth
	if most == 0 {
		most = b.W / 3
	}
	for _, w := range p.wedges {
		p.wanted += boolIndex(w.Label != "")
	}
	largest := min(b.W, b.H)/2 - p.c.Apart
	r = min(r, largest)
	if t := p.st.labels(); p.labelled() && b.W/2-r-p.c.Apart-p.c.Lead-pieLabelGap < min(p.widestLabel(t, most), t.size*3) {
		for i := range p.wedges {
			p.wedges[i].Label = ""
		}
	}
	if p.c.Diameter > 0 {
		r = min(p.c.Diameter/2, largest)
	} else {
		r *= p.c.Share
	}
	r = max(r, 1)
	p.r, p.inner = r*p.c.Outer, r*p.c.Inner
	p.cx, p.cy = b.X+b.W/2+p.c.OffsetX, b.Y+b.H/2+p.c.OffsetY
	p.spread(most)
}

// usualRadius is that of every pie in a box of this size: what labels and a
// legend usually need is left to them, not what these need, so that pies beside
// each other can be compared. Longer labels wrap.
func (p *pie) usualRadius(full Rect, position string) float64 {
	w, h := full.W, full.H
	t := p.st.labels()
	beside := t.size * 6.5 // a name and a number
	if p.legend != nil {
		beside = t.size * 3 // a number
		switch position {
		case "left", "right":
			w -= min(w*0.36, 170) + p.st.LegendGap
		default:
			h -= min(2*p.legend.line(), h*0.36) + 8
		}
	}
	side := min(w, h)
	if !p.labelled() {
		return side/2 - p.c.Apart
	}
	return max(side*0.15, min(w/2-p.c.Lead-pieLabelGap-beside, h/2-t.line()-p.c.Lead*0.5)-p.c.Apart)
}

func (p *pie) labelled() bool {
	return slices.ContainsFunc(p.wedges, func(w wedge) bool { return w.Label != "" })
}

// widestLabel is the width of the widest label, up to a bound.
func (p *pie) widestLabel(t texts, most float64) float64 {
	widest := 0.0
	for _, w := range p.wedges {
		if w.Label != "" {
			widest = max(widest, min(most, t.width(w.Label)+1))
		}
	}
	return widest
}

func (p *pie) draw() {
	if len(p.wedges) == 0 {
		p.noData(&p.st, p.c.Width, p.c.Height, p.c.Empty)
		return
	}
	for _, w := range p.wedges {
		p.raw("<path")
		p.attr("class", "q-c-slice")
		p.attr("style", "fill:"+w.Color)
		p.raw(` d="`)
		p.wedge(w)
		p.raw(`"/>`)
	}
	p.drawLabels()
}

// polar is the place at an angle and a radius around a middle.
func polar(x, y, angle, r float64) (float64, float64) {
	sin, cos := math.Sincos(angle)
	return x + r*cos, y - r*sin
}

// wedge appends the outline of a slice.
func (p *pie) wedge(w wedge) {
	if w.to-w.from > 2*math.Pi-1e-6 {
		p.ring()
		return
	}
	x, y := polar(p.cx, p.cy, w.middle(), p.c.Apart)
	half := (w.to - w.from) / 2
	gap := min(p.c.Gap/2, half*p.r*0.3)
	corner := p.cornerOf(half, gap)
	// the outer edge
	inset := math.Asin(min(1, (gap+corner)/(p.r-corner)))
	reach := root(p.r-corner, gap+corner)
	edgeAt := func(angle, side, distance float64) (float64, float64) { // on the straight edge
		ex, ey := polar(x, y, angle, distance)
		return polar(ex, ey, angle+side*math.Pi/2, gap)
	}
	ax, ay := edgeAt(w.from, 1, reach)
	p.raw("M")
	p.pair(ax, ay)
	if corner > 0 {
		cx, cy := polar(x, y, w.from+inset, p.r)
		p.arc(corner, false, true, cx, cy)
	}
	ox, oy := polar(x, y, w.to-inset, p.r)
	p.arc(p.r, w.to-w.from-2*inset > math.Pi, true, ox, oy)
	if corner > 0 {
		cx, cy := edgeAt(w.to, -1, reach)
		p.arc(corner, false, true, cx, cy)
	}
	p.wedgeInside(w, x, y, half, gap, edgeAt)
	p.raw("Z")
}

// wedgeInside appends the inner edge: an arc, or the tip of the slice.
func (p *pie) wedgeInside(w wedge, x, y, half, gap float64, edgeAt func(angle, side, distance float64) (float64, float64)) {
	sin := math.Sin(half)
	tip := min(p.r*0.5, gap/max(sin, 1e-6))
	if p.inner <= tip || p.inner <= gap {
		tx, ty := polar(x, y, w.middle(), tip)
		p.raw("L")
		p.pair(tx, ty)
		return
	}
	corner := 0.0
	if sin < 0.999 && half < math.Pi/2 {
		corner = max(0, min(p.c.Corner, (p.r-p.inner)/2-0.1, (p.inner*sin-gap)/(1-sin)))
	} else {
		corner = min(p.c.Corner, (p.r-p.inner)/2-0.1)
	}
	if corner < 0.3 {
		corner = 0
	}
	inset := math.Asin(min(1, (gap+corner)/(p.inner+corner)))
	reach := root(p.inner+corner, gap+corner)
	bx, by := edgeAt(w.to, -1, reach)
	p.raw("L")
	p.pair(bx, by)
	if corner > 0 {
		cx, cy := polar(x, y, w.to-inset, p.inner)
		p.arc(corner, false, true, cx, cy)
	}
	ix, iy := polar(x, y, w.from+inset, p.inner)
	p.arc(p.inner, w.to-w.from-2*inset > math.Pi, false, ix, iy)
	if corner > 0 {
		cx, cy := edgeAt(w.from, 1, reach)
		p.arc(corner, false, true, cx, cy)
	}
}

// cornerOf is the radius that the outer corners of a slice can have.
func (p *pie) cornerOf(half, gap float64) float64 {
	corner := min(p.c.Corner, (p.r-p.inner)/2-0.1)
	if half < math.Pi/2 {
		sin := math.Sin(half)
		corner = min(corner, (p.r*sin-gap)/(1+sin))
	}
	if corner < 0.3 {
		return 0
	}
	return corner
}

func root(hypotenuse, side float64) float64 {
	return math.Sqrt(max(0, hypotenuse*hypotenuse-side*side))
}

// arc appends an arc; the angles grow counter-clockwise, against SVG's sweep.
func (w *svg) arc(r float64, large, counter bool, x, y float64) {
	w.raw("A")
	w.pair(r, r)
	w.raw(" 0 ")
	w.flag(large)
	w.flag(!counter)
	w.pair(x, y)
}

func (w *svg) flag(on bool) {
	if on {
		w.raw("1 ")
	} else {
		w.raw("0 ")
	}
}

// ring appends the whole circle, with its hole.
func (p *pie) ring() {
	for i, r := range []float64{p.r, p.inner} {
		if r <= 0 {
			continue
		}
		p.raw("M")
		p.pair(p.cx+r, p.cy)
		p.arc(r, false, i == 0, p.cx-r, p.cy)
		p.arc(r, false, i == 0, p.cx+r, p.cy)
		p.raw("Z")
	}
}
