package chart

import (
	"math"
	"strconv"
)

// style collects CSS declarations.
func (r *run) color() string {
	if r.Color == "" {
		return "currentColor"
	}
	return r.Color
}

func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }

// strokeStyle is the look of a line.
func (r *run) strokeStyle(width float64) string {
	if r.Width > 0 && finite(r.Width) {
		width = min(r.Width, 100)
	}
	s := "stroke:" + r.color() + ";stroke-width:" + decimal(width)
	if r.Dash != "" {
		s += ";stroke-dasharray:" + r.Dash
	}
	return s + r.opacity()
}

func (r *run) opacity() string {
	if r.Opacity > 0 && r.Opacity < 1 {
		return ";opacity:" + decimal(r.Opacity)
	}
	return ""
}

// Opacities of areas alone, and of such on each other.
const areaAlpha, stackAlpha = 0.18, 0.8

// AreaOpacity is how opaque the area of a series is.
func (s *Series) AreaOpacity() float64 {
	switch {
	case s.FillAlpha > 0 && s.FillAlpha <= 1:
		return s.FillAlpha
	case s.Stack != "":
		return stackAlpha
	}
	return areaAlpha
}

// fillStyle is the look of an area; alpha is its usual opacity.
func (r *run) fillStyle(alpha float64) string {
	fill := r.Fill
	if fill == "" {
		fill = r.color()
	}
	if r.FillAlpha > 0 && r.FillAlpha <= 1 {
		alpha = r.FillAlpha
	}
	s := "fill:" + fill
	if alpha < 1 {
		s += ";fill-opacity:" + decimal(alpha)
	}
	return s + r.opacity()
}

// series draws one series and notes its labels.
func (p *plot) series(r *run) {
	switch {
	case r.Kind == Marker:
		p.marker(r)
	case r.Kind == Column, r.Kind == Range && p.base.Kind == Category:
		p.columns(r)
	case r.Kind == Range:
		p.acrossBands(r)
		p.band(r)
	case r.Kind == Scatter:
		p.shapes(r, r.Shape, 5)
	default:
		p.line(r)
	}
}

// place is a point in pixels along both axes.
type place struct {
	b, v, from float64
	index      int
}

// segments are the runs of points between gaps, in pixels, thinned where more
// points fall on a pixel than can be seen.
func (p *plot) segments(r *run) [][]place {
	a := p.axisOf(r)
	var out [][]place
	var now []place
	for _, q := range r.pts {
		if q.gap || !finite(q.x) {
			if len(now) > 0 {
				out, now = append(out, now), nil
			}
			continue
		}
		if now == nil {
			now = make([]place, 0, len(r.pts))
		}
		now = append(now, place{p.base.scale.at(q.x), a.scale.at(q.to), a.scale.at(q.from), q.index})
	}
	if len(now) > 0 {
		out = append(out, now)
	}
	for i := range out {
		out[i] = thinned(out[i])
	}
	return out
}

// thinned keeps, of the points within each half pixel, the first, the lowest,
// the highest and the last: the drawn line is the same.
func thinned(pts []place) []place {
	const few = 1500
	if len(pts) <= few {
		return pts
	}
	out := pts[:0]
	for i := 0; i < len(pts); {
		cell := math.Floor(pts[i].b * 2)
		lo, hi, j := i, i, i
		for ; j < len(pts) && math.Floor(pts[j].b*2) == cell; j++ {
			if pts[j].v < pts[lo].v {
				lo = j
			}
			if pts[j].v > pts[hi].v {
				hi = j
			}
		}
		keep := [4]place{pts[i], pts[min(lo, hi)], pts[max(lo, hi)], pts[j-1]}
		ends := [4]int{i, min(lo, hi), max(lo, hi), j - 1}
		for k := range keep {
			if k == 0 || ends[k] != ends[k-1] {
				out = append(out, keep[k])
			}
		}
		i = j
	}
	return out
}

// line draws a line, with its area where it has one.
func (p *plot) line(r *run) {
	list := p.segments(r)
	if len(list) == 0 {
		return
	}
	if r.Kind == Area || r.Filled {
		alpha := areaAlpha
		if p.stackOf(r) != "" {
			alpha = stackAlpha
		}
		p.path("q-c-area", r.fillStyle(alpha), func() {
			for _, s := range list {
				p.areaOf(s, r.Smooth)
			}
		})
	}
	width := 1.75
	if p.stackOf(r) != "" && (r.Kind == Area || r.Filled) {
		width = 1
	}
	p.path("q-c-line", r.strokeStyle(width), func() {
		for _, s := range list {
			p.curve(s, r.Smooth, "M", func(q place) float64 { return q.v })
			p.markLines(s)
		}
	})
	if r.Shape != "" {
		p.shapes(r, r.Shape, 5)
	} else {
		p.lonely(r, list)
	}
	p.noteLabels(r)
}

// markLines tells the labels where the lines are.
func (p *plot) markLines(list []place) {
	if !p.marking {
		return
	}
	for i := 1; i < len(list); i++ {
		x0, y0 := p.xy(list[i-1].b, list[i-1].v)
		x1, y1 := p.xy(list[i].b, list[i].v)
		p.places.markLine(x0, y0, x1, y1)
	}
}

// lonely marks points that have no neighbours and would not be seen.
func (p *plot) lonely(r *run, list [][]place) {
	begun := false
	for _, s := range list {
		if len(s) > 1 {
			continue
		}
		if !begun {
			p.raw(`<path style="fill:`)
			p.escaped(r.color() + r.opacity())
			p.raw(`" d="`)
			begun = true
		}
		x, y := p.xy(s[0].b, s[0].v)
		p.shape("circle", x, y, 5)
	}
	if begun {
		p.raw(`"/>`)
	}
}

// areaOf appends the outline between a line and where it starts from.
func (p *plot) areaOf(s []place, smooth bool) {
	p.curve(s, smooth, "M", func(q place) float64 { return q.v })
	back := make([]place, len(s))
	flat := true
	for i, q := range s {
		back[len(s)-1-i] = q
		flat = flat && q.from == s[0].from
	}
	if flat {
		for _, q := range []place{back[0], back[len(back)-1]} {
			x, y := p.xy(q.b, q.from)
			p.raw("L")
			p.pair(x, y)
		}
	} else {
		p.curve(back, smooth, "L", func(q place) float64 { return q.from })
	}
	p.raw("Z")
}

// curve appends a line through places, straight or smooth.
func (p *plot) curve(s []place, smooth bool, begin string, value func(place) float64) {
	var slopes []float64
	if smooth {
		slopes = monotone(s, value)
	}
	for i, q := range s {
		x, y := p.xy(q.b, value(q))
		switch {
		case i == 0:
			p.raw(begin)
		case slopes != nil:
			d := (q.b - s[i-1].b) / 3
			x1, y1 := p.xy(s[i-1].b+d, value(s[i-1])+slopes[i-1]*d)
			x2, y2 := p.xy(q.b-d, value(q)-slopes[i]*d)
			p.raw("C")
			p.pair(x1, y1)
			p.b = append(p.b, ' ')
			p.pair(x2, y2)
			p.b = append(p.b, ' ')
		default:
			p.raw("L")
		}
		p.pair(x, y)
	}
}

// monotone gives slopes for a cubic curve that never overshoots its points
// (Fritsch and Butland); nil when the points turn back along the base axis.
func monotone(s []place, value func(place) float64) []float64 {
	n := len(s)
	if n < 3 {
		return nil
	}
	sign := s[1].b - s[0].b
	secants := make([]float64, n-1)
	for i := range secants {
		d := s[i+1].b - s[i].b
		if d == 0 || (d > 0) != (sign > 0) {
			return nil
		}
		secants[i] = (value(s[i+1]) - value(s[i])) / d
	}
	slopes := make([]float64, n)
	slopes[0], slopes[n-1] = secants[0], secants[n-2]
	for i := 1; i < n-1; i++ {
		a, b := secants[i-1], secants[i]
		if a*b > 0 {
			slopes[i] = 2 * a * b / (a + b)
		}
	}
	return slopes
}

// band draws the range between Y0 and Y.
func (p *plot) band(r *run) {
	list := p.segments(r)
	if len(list) == 0 {
		return
	}
	p.path("q-c-area", r.fillStyle(0.18), func() {
		for _, s := range list {
			if len(s) == 1 { // one value has no width of its own
				q := s[0]
				s = []place{{q.b - 1.5, q.v, q.from, 0}, {q.b + 1.5, q.v, q.from, 0}}
			}
			p.areaOf(s, r.Smooth)
		}
	})
	p.noteLabels(r)
}

// acrossBands draws ranges without X across the whole plot.
func (p *plot) acrossBands(r *run) {
	a := p.axisOf(r)
	b0, b1, _, _ := p.span()
	for _, q := range r.pts {
		if !finite(q.x) && !q.gap {
			p.rect("q-c-area", r.fillStyle(0.18), p.rectOf(b0, b1, a.scale.at(q.from), a.scale.at(q.to)))
		}
	}
}
