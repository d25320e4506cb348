package chart

import (
	"math"
	"time"
)

// plot is a chart with axes while it is drawn.
type plot struct {
	svg
	c                   *XY
	st                  Style
	base, value, second axis
	runs                []run
	box                 Rect    // the inside of the axes
	right               float64 // where plot and labels end, and a legend at the right begins
	legend              *legend
	horizontal          labelLayout // of the axis below
	places              *placer
	labels              []dataLabel
	tries               []try   // of all labels
	wayList             [][]try // into tries
	marking             bool    // labels have to know what is drawn
	titled              int     // axes whose titles had room
}

// Render draws a chart with axes.
func (c *XY) Render() []byte {
	p := newPlot(c)
	p.prepare()
	p.warnCut()
	p.layout()
	p.draw()
	p.warnRoom()
	return p.b
}

func newPlot(c *XY) *plot {
	own := *c
	own.Width, own.Height = size(c.Width, 640), size(c.Height, 260)
	p := &plot{c: &own, st: c.Style}
	p.st.complete()
	if p.st.RightToLeft { // the legend is mirrored with all else, and stays where the author put it
		p.mirror, p.st.RightToLeft = own.Width, false
		if other, ok := map[string]string{"left": "right", "right": "left"}[own.Legend]; ok {
			own.Legend = other
		}
	}
	p.base = axis{Axis: &own.Base, used: true}
	p.value = axis{Axis: &own.Value, value: true}
	p.second = axis{Axis: &own.Second, value: true}
	own.Value.Kind, own.Second.Kind = Numeric, Numeric
	for _, a := range []*Axis{&own.Base, &own.Value, &own.Second} {
		p.logBounds(a)
	}
	for i := range own.Series {
		p.axisOf(&run{Series: &own.Series[i]}).used = true
	}
	if !p.second.used {
		p.value.used = true
	}
	return p
}

func (a *Axis) zone() *time.Location {
	if a.Zone == nil {
		return time.UTC
	}
	return a.Zone
}

// axisOf is the value axis of a series.
func (p *plot) axisOf(r *run) *axis {
	if r.Second {
		return &p.second
	}
	return &p.value
}

// Room that the parts of a chart keep from each other.
const (
	labelGap = 6 // between an axis and its labels
	titleGap = 9 // between a title above and the plot
	edge     = 0 // around the chart
)

// layout places legend, titles, axes and plot. The height of the labels below
// depends on the width of those beside the plot and the other way round, so the
// axes are laid out twice.
func (p *plot) layout() {
	full := Rect{edge, edge, p.c.Width - 2*edge, p.c.Height - 2*edge}
	var rest Rect
	p.legend, rest = newLegend(&p.st, p.entries(), p.c.Legend, full)
	below := p.st.labels().line() + labelGap
	left, right, before, beyond := 0.0, 0.0, 0.0, 0.0
	for range 3 {
		p.box = p.inner(rest, left, right, below)
		p.shrinkNames()
		p.scales()
		p.sideTicks()
		left, right = p.sideRoom(rest.W)
		left = max(left, before, min(p.horizontal.overhang, rest.W*0.2))
		right = max(right, beyond)
		p.box = p.inner(rest, left, right, below)
		p.scales()
		below = p.belowTicks(rest)
		before, beyond = p.overhangs(rest)
	}
	p.box = p.inner(rest, left, right, below)
	p.right = rest.X + rest.W
	p.scales()
}

// overhangs are how far labels below the plot reach over the chart where the plot
// takes its whole width: half of the label of a tick at its edge.
func (p *plot) overhangs(rest Rect) (before, beyond float64) {
	a := &p.base
	if p.c.Turned {
		a = &p.value
	}
	if a.Kind == Category || a.Hidden || !a.used {
		return 0, 0
	}
	t := p.st.labels()
	for _, k := range a.ticks {
		if k.hide {
			continue
		}
		x, half := a.scale.at(k.v), t.width(k.label)/2
		before = max(before, half-(x-p.box.X)-rest.X)
		beyond = max(beyond, half-(p.box.X+p.box.W-x)-(p.c.Width-rest.X-rest.W))
	}
	return min(before, rest.W*0.1), min(beyond, rest.W*0.1)
}

// side and under are the axes at the sides of the plot and below it.
func (p *plot) side() []*axis {
	if p.c.Turned {
		return []*axis{&p.base, nil}
	}
	return []*axis{&p.value, &p.second}
}

// inner is the plot inside the box that the legend left.
func (p *plot) inner(rest Rect, left, right, below float64) Rect {
	top := p.st.LabelSize * 0.4
	if t := p.sideTitles(); t {
		top = p.st.titles().line() + titleGap
	}
	if p.c.Turned && p.second.used && !p.second.Hidden {
		top += p.st.labels().line() + labelGap
	}
	if p.belowTitle() != "" {
		below += p.st.titles().line() + 4
	}
	over := p.over()
	return Rect{rest.X + left, rest.Y + top + over.Y, max(1, rest.W-left-right-over.X-1), max(1, rest.H-top-over.Y-below)}
}

// over is how far data labels reach over the plot, at its right and above it.
func (p *plot) over() (r Rect) {
	past := max(p.value.past(), p.second.past())
	if p.c.Turned {
		r.X = min(past, p.c.Width*0.3)
	} else {
		r.Y = min(past, max(0, p.c.Height-90)*0.12)
	}
	return r
}

// small is a height below which titles are left out.
const small = 96

// sideTitles reports whether there are titles above the axes at the sides.
func (p *plot) sideTitles() bool {
	if p.c.Height < small {
		return false
	}
	for _, a := range p.side() {
		if a != nil && a.used && a.Title != "" {
			return true
		}
	}
	return p.c.Turned && p.second.used && p.second.Title != ""
}

// belowTitle is the title of the axis below the plot.
func (p *plot) belowTitle() string {
	if p.c.Height < small {
		return ""
	}
	if p.c.Turned {
		return p.value.Title
	}
	return p.base.Title
}

// scales puts the axes on the plot.
func (p *plot) scales() {
	b := p.box
	if p.c.Turned {
		p.base.setScale(b.Y, b.Y+b.H)
		p.value.setScale(b.X, b.X+b.W)
		p.second.setScale(b.X, b.X+b.W)
		return
	}
	p.base.setScale(b.X, b.X+b.W)
	p.value.setScale(b.Y+b.H, b.Y)
	p.second.setScale(b.Y+b.H, b.Y)
}

// sideTicks makes the ticks of the axes at the sides.
func (p *plot) sideTicks() {
	for _, a := range p.side() {
		if a == nil {
			continue
		}
		n := a.Ticks
		if n <= 0 {
			n = int(max(1, min(8, math.Round(p.box.H/max(30, p.st.LabelSize*3.4)))))
		}
		a.makeTicks(n)
	}
	if !p.c.Turned && p.second.used && p.value.used {
		p.second.follow(&p.value)
	}
}

// follow gives a second numeric axis as many steps as the first has, so that
// one set of guidelines serves both.
func (a *axis) follow(first *axis) {
	if a.Log || first.Log || !a.Snap || !first.Snap || a.fixedLo || a.fixedHi || first.fixedLo || first.fixedHi || a.Normalised || a.Ticks > 0 || len(first.ticks) < 2 {
		return
	}
	steps := len(first.ticks) - 1
	below := math.Round(-first.scale.lo / first.step) // steps under zero
	zero := below >= 0 && below <= float64(steps) && a.ext.lo <= 0 && a.ext.hi >= 0
	step := niceStep(a.ext.hi-a.ext.lo, steps)
	for range 12 {
		if a.whole() {
			step = wholeStep(step)
		}
		lo := math.Floor(a.ext.lo/step+1e-9) * step
		if zero {
			lo = -below * step
		}
		if hi := lo + float64(steps)*step; lo <= a.ext.lo+step*1e-9 && hi >= a.ext.hi-step*1e-9 {
			a.setTicks(lo, step, steps)
			return
		}
		step = niceStep(step*1.001, 1)
	}
}

func (a *axis) setTicks(lo, step float64, steps int) {
	format := a.Number
	if format == nil {
		format = plainNumber
	}
	a.step = step
	a.scale.lo, a.scale.hi = lo, lo+float64(steps)*step
	most := max(math.Abs(a.scale.lo), math.Abs(a.scale.hi))
	first := math.Round(lo / step)
	a.ticks = a.ticks[:0]
	for i := range steps + 1 {
		v := (first + float64(i)) * step
		if v == 0 {
			v = 0
		}
		a.ticks = append(a.ticks, tick{v: v, label: format(v, step, most)})
	}
}

// sideRoom is the width of the labels at the left and at the right. Labels that
// would take most of a small chart are left out.
func (p *plot) sideRoom(width float64) (left, right float64) {
	t := p.st.labels()
	rooms := [2]float64{}
	for i, a := range p.side() {
		if a == nil || !a.used || a.Hidden {
			continue
		}
		p.sideLabels(a, width*0.4)
		for j := range a.ticks {
			if !a.ticks[j].hide {
				rooms[i] = max(rooms[i], t.width(widest(a.ticks[j].label, t))+labelGap)
			}
		}
	}
	if rooms[0]+rooms[1] > width*0.6 {
		for _, a := range p.side() {
			if a != nil {
				for j := range a.ticks {
					a.ticks[j].hide = true
				}
			}
		}
		return 0, 0
	}
	return rooms[0], rooms[1]
}
