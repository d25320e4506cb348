package chart

import "math"

// columns draws the columns of a series as one path; those that fall on the
// same pixel become one.
func (p *plot) columns(r *run) {
	a := p.axisOf(r)
	if r.Kind == Range {
		p.acrossBands(r)
	}
	base := 0.0
	if base = max(a.scale.lo, min(a.scale.hi, 0)); r.Kind == Range {
		base = 0
	}
	alpha := 1.0
	width := max(0.75, math.Abs(p.base.scale.at(r.width)-p.base.scale.at(0)))
	p.path("q-c-column", r.fillStyle(alpha)+r.outline(), func() {
		var last Rect
		for _, q := range r.pts {
			if q.gap || !finite(q.x) {
				continue
			}
			from := q.from
			if from == 0 && r.Kind != Range {
				from = base
			}
			mid := p.base.scale.at(q.x + r.shift)
			box := p.rectOf(mid-width/2, mid+width/2, a.scale.at(from), a.scale.at(q.to))
			if width < 1 && near(box, last) {
				continue
			}
			last = box
			p.rectPath(box)
			if p.marking && r.Kind != Range { // the end is what a label must not hide
				x0, y0 := p.xy(mid-width/2, a.scale.at(q.to))
				x1, y1 := p.xy(mid+width/2, a.scale.at(q.to))
				p.places.markLine(x0, y0, x1, y1)
			}
		}
	})
	p.noteLabels(r)
}

// near reports whether a box adds nothing to be seen to another.
func near(box, last Rect) bool {
	const seen = 0.25
	return math.Abs(box.X-last.X) < seen && math.Abs(box.Y-last.Y) < seen && math.Abs(box.H-last.H) < seen && math.Abs(box.W-last.W) < seen
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
				p.places.mark(x, y)
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
