package chart

import "math"

// columns draws the columns of a series as one path. Columns narrower than a
// pixel become one with those on the same half pixel.
func (p *plot) columns(r *run) {
	if r.bare {
		p.noteLabels(r)
		return
	}
	if r.Kind == Range {
		p.acrossBands(r)
	}
	width := math.Abs(p.base.scale.at(r.width) - p.base.scale.at(0))
	merge := width < 1
	alpha := 1.0
	if r.Kind == Range {
		alpha = 0.3 // what lies before it is to be seen
	}
	p.path("q-c-column", r.fillStyle(alpha)+r.outline(), func() {
		var open Rect // columns that are being merged
		for _, q := range r.pts {
			if q.gap || !finite(q.x) {
				continue
			}
			box := p.column(r, q, max(0.75, width))
			switch {
			case !merge:
				p.rectPath(box)
			case open.W > 0 && p.sameSpot(open, box):
				open = open.union(box)
			default:
				if open.W > 0 {
					p.rectPath(open)
				}
				open = box
			}
		}
		if open.W > 0 {
			p.rectPath(open)
		}
	})
	p.noteLabels(r)
}

// column is the box of one column.
func (p *plot) column(r *run, q pt, width float64) Rect {
	a := p.axisOf(r)
	from := q.from
	if from == 0 && r.Kind != Range { // zero, or the end of the axis next to it
		from = max(a.scale.lo, min(a.scale.hi, 0))
	}
	mid := p.base.scale.at(q.x + r.shift)
	box := p.rectOf(mid-width/2, mid+width/2, a.scale.at(from), a.scale.at(q.to))
	if p.marking && r.Kind != Range {
		p.places.markBody(box)
	}
	return box
}

// sameSpot reports whether two columns stand on the same half pixel.
func (p *plot) sameSpot(a, b Rect) bool {
	if p.c.Turned {
		return math.Abs(a.Y-b.Y) < 0.5
	}
	return math.Abs(a.X-b.X) < 0.5
}

// outline is the border of columns whose author gave a width.
func (r *run) outline() string {
	if !(r.Width > 0) || !finite(r.Width) {
		return ""
	}
	s := ";stroke:" + r.color() + ";stroke-width:" + decimal(min(r.Width, 100))
	if r.Dash != "" {
		s += ";stroke-dasharray:" + r.Dash
	}
	return s
}

func (w *svg) rectPath(r Rect) {
	w.raw("M")
	w.pair(r.X, r.Y)
	w.raw("h")
	w.num(r.W)
	w.raw("v")
	w.num(r.H)
	w.raw("h")
	w.num(-r.W)
	w.raw("z")
}

// shapes draws a marker at each point, once for each half pixel.
func (p *plot) shapes(r *run, shape string, size float64) {
	if r.ShapeSize > 0 && finite(r.ShapeSize) {
		size = min(r.ShapeSize, 200)
	}
	if shape == "" {
		shape = "circle"
	}
	a := p.axisOf(r)
	var seen map[[2]int32]bool
	if len(r.pts) > 500 {
		seen = make(map[[2]int32]bool, len(r.pts))
	}
	p.path("q-c-point", r.pointStyle(), func() {
		for _, q := range r.pts {
			if q.gap || !finite(q.x) || q.index < 0 {
				continue
			}
			x, y := p.xy(p.base.scale.at(q.x), a.scale.at(q.to))
			if seen != nil {
				cell := [2]int32{int32(max(-far, min(far, x*2))), int32(max(-far, min(far, y*2)))}
				if seen[cell] {
					continue
				}
				seen[cell] = true
			}
			if p.marking {
				p.places.mark(x, y, markedLine)
			}
			p.shape(shape, x, y, size)
		}
	})
	if r.Kind == Scatter {
		p.noteLabels(r)
	}
}

func (r *run) pointStyle() string {
	s := "fill:" + r.color() + r.opacity()
	if r.Kind == Scatter && r.FillAlpha > 0 && r.FillAlpha < 1 {
		s += ";fill-opacity:" + decimal(r.FillAlpha)
	}
	return s
}

// marker draws a line across the plot: level at Y, upright at X.
func (p *plot) marker(r *run) {
	a := p.axisOf(r)
	b0, b1, v0, v1 := p.span()
	draw := func(fb, fv, tb, tv float64) {
		x0, y0 := p.xy(fb, fv)
		x1, y1 := p.xy(tb, tv)
		p.path("q-c-line", r.strokeStyle(1.25), func() {
			p.raw("M")
			p.pair(x0, y0)
			p.raw("L")
			p.pair(x1, y1)
		})
	}
	for _, q := range r.pts {
		if !q.gap && a.scale.inside(q.to) {
			draw(b0, a.scale.at(q.to), b1, a.scale.at(q.to))
		}
		if finite(q.x) && p.base.scale.inside(q.x) {
			draw(p.base.scale.at(q.x), v0, p.base.scale.at(q.x), v1)
		}
	}
	p.noteLabels(r)
}
