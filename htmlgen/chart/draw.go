package chart

import (
	"math"
	"strings"
)

// draw writes the chart from the back to the front.
func (p *plot) draw() {
	p.b = make([]byte, 0, 8<<10)
	p.open(p.c.Width, p.c.Height)
	if p.empty() {
		p.noData(&p.st, p.c.Width, p.c.Height, p.c.Empty)
		p.raw("</svg>")
		return
	}
	p.flip(p.body)
	p.axisTexts()
	p.flip(func() {
		for i := range p.runs {
			if p.runs[i].Kind == Marker {
				p.series(&p.runs[i])
			}
		}
	})
	p.dataLabels()
	p.legend.draw(&p.svg)
	p.raw("</svg>")
}

// body draws what lies behind the texts.
func (p *plot) body() {
	p.lanes()
	p.guides()
	clipped := p.clips()
	if clipped {
		p.raw("<svg")
		p.numAttr("x", p.box.X)
		p.numAttr("y", p.box.Y)
		p.numAttr("width", p.box.W)
		p.numAttr("height", p.box.H)
		p.raw(` viewBox="`)
		p.pair(p.box.X, p.box.Y)
		p.b = append(p.b, ' ')
		p.pair(p.box.W, p.box.H)
		p.raw(`">`)
	}
	over := p.over()
	p.places, p.marking = newPlacer(Rect{p.box.X, p.box.Y - over.Y, p.box.W + over.X, p.box.H + over.Y}), p.labelled()
	for _, layer := range [][]Kind{{Range}, {Column}, {Area}, {Line}, {Scatter}} {
		for i := range p.runs {
			if r := &p.runs[i]; r.Kind == layer[0] {
				p.series(r)
			}
		}
	}
	if clipped {
		p.raw("</svg>")
	}
	p.axisLines()
}

// empty reports whether no series has a value: limits alone say nothing, unless
// the chart shows nothing else.
func (p *plot) empty() bool {
	limits := 0
	for i := range p.runs {
		r := &p.runs[i]
		limit := r.Kind == Marker
		for _, q := range r.pts {
			if limit = limit || r.Kind == Range && !finite(q.x); !limit && !q.gap {
				return false
			}
		}
		if limit {
			limits++
		}
	}
	return limits == 0 || limits < len(p.runs)
}

// open writes the start of a chart.
func (w *svg) open(width, height float64) {
	w.raw(`<svg class="q-c" viewBox="0 0 `)
	w.pair(width, height)
	w.raw(`" aria-hidden="true"`)
	if w.small > 0 {
		w.attr("style", "--chart-label-size:"+decimal(w.small)+"px")
	}
	w.raw(">")
}

// clips reports whether values may lie outside the plot.
func (p *plot) clips() bool {
	for _, a := range []*axis{&p.base, &p.value, &p.second} {
		if a.fixedLo || a.fixedHi {
			return true
		}
	}
	return false
}

// warnCut tells what the ends that the author set cut off.
func (p *plot) warnCut() {
	for i := range p.runs {
		r := &p.runs[i]
		if r.bare || r.trend {
			continue
		}
		a, cut, base := p.axisOf(r), 0, false
		for _, q := range r.pts {
			if !q.gap && (a.outside(q.to) || finite(q.x) && p.base.outside(q.x)) {
				cut++
			}
			base = base || !q.gap && a.outside(q.from) && (r.fills || r.Filled)
		}
		if cut > 0 {
			p.warn("%d values of %s lie beyond the ends of its axes and are cut off", cut, r.title(p.c.Series))
		}
		if base {
			p.warn("the axis of %s does not show zero: its columns or areas are cut off and do not compare", r.title(p.c.Series))
		}
	}
}

// xy turns pixels along the base and the value axis into a place.
func (p *plot) xy(base, value float64) (x, y float64) {
	if p.c.Turned {
		return value, base
	}
	return base, value
}

// rectOf is the box between two places of the base and two of the value axis.
func (p *plot) rectOf(b0, b1, v0, v1 float64) Rect {
	x0, y0 := p.xy(b0, v0)
	x1, y1 := p.xy(b1, v1)
	return Rect{min(x0, x1), min(y0, y1), math.Abs(x1 - x0), math.Abs(y1 - y0)}
}

// span is where the plot begins and ends along the base axis and along the
// value axes, in pixels.
func (p *plot) span() (b0, b1, v0, v1 float64) {
	b := p.box
	if p.c.Turned {
		return b.Y, b.Y + b.H, b.X, b.X + b.W
	}
	return b.X, b.X + b.W, b.Y + b.H, b.Y
}

// lanes gives every second slot of an axis with swimlanes a background.
func (p *plot) lanes() {
	b0, b1, v0, v1 := p.span()
	style := "fill:" + p.c.LaneFill
	if p.c.LaneFill == "" {
		style = ""
	}
	var edges []float64
	if p.base.Lanes {
		for i, k := range p.base.ticks {
			if p.base.Kind == Category {
				edges = append(edges, p.base.scale.at(k.v-0.5), p.base.scale.at(k.v+0.5))
			} else if i+1 < len(p.base.ticks) {
				edges = append(edges, p.base.scale.at(k.v), p.base.scale.at(p.base.ticks[i+1].v))
			}
		}
		for i := 0; i+1 < len(edges); i += 4 {
			p.rect("q-c-lane", style, p.rectOf(edges[i], edges[i+1], v0, v1))
		}
	}
	if p.value.Lanes {
		for i := 0; i+1 < len(p.value.ticks); i += 2 {
			p.rect("q-c-lane", style, p.rectOf(b0, b1, p.value.scale.at(p.value.ticks[i].v), p.value.scale.at(p.value.ticks[i+1].v)))
		}
	}
}

// guides writes the guidelines in one path.
func (p *plot) guides() {
	b0, b1, v0, v1 := p.span()
	begun := false
	line := func(fromB, fromV, toB, toV float64) {
		if !begun {
			p.raw(`<path class="q-c-guide" d="`)
			begun = true
		}
		x0, y0 := p.xy(fromB, fromV)
		x1, y1 := p.xy(toB, toV)
		p.raw("M")
		p.pair(x0, y0)
		if y0 == y1 {
			p.raw("H")
			p.num(x1)
		} else {
			p.raw("V")
			p.num(y1)
		}
	}
	for _, a := range []*axis{&p.value, &p.second} {
		if !a.used || !a.Guidelines {
			continue
		}
		for _, k := range a.ticks {
			if k.v != 0 || a.Normalised || a.Log {
				line(b0, a.scale.at(k.v), b1, a.scale.at(k.v))
			}
		}
		break // a second set would only confuse
	}
	if p.base.Guidelines {
		for i, k := range p.base.ticks {
			at := k.v
			if p.base.Kind == Category {
				if at = k.v + 0.5; i == len(p.base.ticks)-1 {
					continue
				}
			}
			line(p.base.scale.at(at), v0, p.base.scale.at(at), v1)
		}
	}
	if begun {
		p.raw(`"/>`)
	}
}

// axisLines draws the lines of the axes.
func (p *plot) axisLines() {
	b0, b1, v0, _ := p.span()
	v := &p.value
	if !v.used {
		v = &p.second
	}
	class, at := "q-c-axis", v0
	if v.scale.lo <= 0 && v.scale.hi >= 0 && !v.Log {
		class, at = "q-c-zero", v.scale.at(0)
	}
	if class == "q-c-zero" || !p.base.Hidden {
		p.path(class, "", func() {
			x0, y0 := p.xy(b0, at)
			x1, y1 := p.xy(b1, at)
			p.raw("M")
			p.pair(x0, y0)
			p.raw("L")
			p.pair(x1, y1)
		})
	}
	p.tickMarks(v0)
}

// axisTexts writes the labels and titles of the axes.
func (p *plot) axisTexts() {
	p.raw(`<g class="q-c-label">`)
	if p.c.Turned {
		p.belowTexts(&p.value, p.box.Y+p.box.H)
		p.aboveTexts(&p.second)
	} else {
		p.sideTexts(&p.value, false)
		p.sideTexts(&p.second, true)
	}
	p.raw("</g>")
	p.baseTexts()
	p.titles()
}

// baseTexts writes the labels of the base axis. Names are not figures in a column: a
// hyphen between their letters is as wide as in other text.
func (p *plot) baseTexts() {
	class := "q-c-label"
	if p.base.Kind == Category {
		class = "q-c-label q-c-names"
	}
	p.raw(`<g class="` + class + `">`)
	if p.c.Turned {
		p.sideTexts(&p.base, false)
	} else {
		p.belowTexts(&p.base, p.box.Y+p.box.H)
	}
	p.raw("</g>")
}

// tickMarks writes short marks on a numeric or time base axis.
func (p *plot) tickMarks(v0 float64) {
	if p.base.Kind == Category || p.base.Hidden || p.base.Guidelines || len(p.base.ticks) == 0 {
		return
	}
	p.path("q-c-tick", "", func() {
		for _, k := range p.base.ticks {
			length := 3.0
			if k.major {
				length = 5
			}
			x, y := p.xy(p.base.scale.at(k.v), v0)
			p.raw("M")
			p.pair(x, y)
			if p.c.Turned {
				p.raw("h")
				p.num(-length)
			} else {
				p.raw("v")
				p.num(length)
			}
		}
	})
}

// sideTexts writes the labels at the left or right of the plot.
func (p *plot) sideTexts(a *axis, right bool) {
	if !a.used || a.Hidden {
		return
	}
	t := p.st.labels()
	x, anchor := p.box.X-labelGap, atEnd
	if right {
		x, anchor = p.box.X+p.box.W+labelGap, atStart
	}
	for _, k := range a.ticks {
		if k.hide || k.label == "" {
			continue
		}
		n := float64(strings.Count(k.label, "\n"))
		y := a.scale.at(k.v) - n*t.line()/2 + t.size*0.36
		if y-t.size*0.76 < -tolerance || y+n*t.line() > p.c.Height+tolerance {
			continue
		}
		a.written++
		for line := range strings.SplitSeq(k.label, "\n") {
			p.text("", x, y, anchor, line)
			y += t.line()
		}
	}
}

// belowTexts writes the labels below a place.
func (p *plot) belowTexts(a *axis, top float64) {
	if !a.used || a.Hidden {
		return
	}
	t := p.st.labels()
	y := top + labelGap + t.size*0.85
	subEnd, subLast := math.Inf(-1), ""
	for _, k := range a.ticks {
		x := a.scale.at(k.v)
		if p.horizontal.turn != 0 && a.Kind == Category {
			p.turned(a, k, x, top)
			continue
		}
		w, lines := t.width(widest(k.label, t)), strings.Count(k.label, "\n")
		if k.hide || k.label == "" || x-w/2 < 0 || x+w/2 > p.c.Width || y+float64(lines)*t.line() > p.c.Height {
			continue
		}
		a.written++
		lineY := y
		for line := range strings.SplitSeq(k.label, "\n") {
			p.text("", x, lineY, atMiddle, line)
			lineY += t.line()
		}
		if k.sub != subLast {
			subLast = k.sub
			subEnd = p.subText(k, x, y+t.line(), subEnd, t)
		}
	}
}

// subText writes the coarser unit below a tick, if there is room for it.
func (p *plot) subText(k tick, x, y, after float64, t texts) float64 {
	if k.sub == "" {
		return after
	}
	w := t.width(k.sub)
	from := min(max(x-w/2, 0), p.c.Width-w)
	if from < after || from < 0 || y > p.c.Height {
		return after
	}
	p.text("", from+w/2, y, atMiddle, k.sub)
	return from + w + t.size
}

func (p *plot) turned(a *axis, k tick, x, top float64) {
	if k.hide || k.label == "" {
		return
	}
	a.written++
	var at svg
	at.raw("translate(")
	x, turn := x+p.st.LabelSize*0.3, p.horizontal.turn
	if p.mirror > 0 {
		x, turn = p.mirror-x, -turn
	}
	at.pair(x, top+labelGap+p.st.LabelSize*0.4)
	at.raw(")rotate(")
	at.num(turn)
	at.raw(")")
	p.textStyled("", 0, 0, atEnd, "", string(at.b), k.label)
}

// aboveTexts writes the labels of a second value axis of a turned chart.
func (p *plot) aboveTexts(a *axis) {
	if !a.used || a.Hidden {
		return
	}
	t := p.st.labels()
	for _, k := range a.ticks {
		x, w := a.scale.at(k.v), t.width(k.label)
		if !k.hide && x-w/2 >= 0 && x+w/2 <= p.c.Width && p.box.Y < p.c.Height {
			p.text("", x, p.box.Y-labelGap, atMiddle, k.label)
			a.written++
		}
	}
}

// titles writes the titles of the axes: those of the sides stand level above
// them, so that they read without turning the head.
func (p *plot) titles() {
	if p.c.Height < small {
		return
	}
	t := p.st.titles()
	y := p.box.Y - p.over().Y - titleGap - t.size*0.25
	if p.c.Turned && p.second.used && !p.second.Hidden {
		y -= p.st.labels().line() + labelGap
	}
	left, right, below := &p.value, &p.second, &p.base
	if p.c.Turned {
		left, below = &p.base, &p.value
	}
	room := p.c.Width - 2*edge
	if right.used && right.Title != "" {
		room /= 2
		p.title(p.right, y, atEnd, t.fit(right.Title, room-6))
	}
	if left.used && left.Title != "" {
		x := p.box.X - p.leftRoom()
		p.title(x, y, atStart, t.fit(left.Title, min(room, p.c.Width-x)))
	}
	if below.used && below.Title != "" {
		bottom := p.box.Y + p.box.H + p.horizontal.height + t.size*1.05 + 2
		mid := p.box.X + p.box.W/2
		p.title(mid, bottom, atMiddle, t.fit(below.Title, 2*min(mid, p.c.Width-mid)))
	}
}

// title writes the title of an axis, or what of it has room.
func (p *plot) title(x, y float64, anchor, s string) {
	if s != "" {
		p.text("q-c-title", x, y, anchor, s)
		p.titled++
	}
}

// leftRoom is the width of the labels at the left.
func (p *plot) leftRoom() float64 {
	t, room := p.st.labels(), 0.0
	a := p.side()[0]
	if a.Hidden || !a.used {
		return 0
	}
	for _, k := range a.ticks {
		if !k.hide {
			room = max(room, t.width(widest(k.label, t))+labelGap)
		}
	}
	return room
}
