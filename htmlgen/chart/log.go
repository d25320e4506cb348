package chart

import "math"

// A logarithmic axis measures powers of ten: its values, its extent and its ticks are
// the logarithms of what it shows.

// logBounds turns the author's bounds into powers of ten. Shares, times and names have
// no such scale.
func (p *plot) logBounds(a *Axis) {
	a.Log = a.Log && a.Kind == Numeric && !a.Normalised
	if !a.Log {
		return
	}
	for _, bound := range []*float64{&a.Min, &a.Max} {
		if finite(*bound) && *bound <= 0 {
			p.warn("a logarithmic axis has no place for %v, so it is no bound", *bound)
		}
		*bound = logOf(*bound)
	}
}

// logOf is the logarithm of what has one, else a gap.
func logOf(v float64) float64 {
	if !finite(v) || v <= 0 {
		return Gap()
	}
	return math.Log10(v)
}

// logPlaces puts points on a logarithmic base axis.
func (p *plot) logPlaces() {
	if !p.base.Log {
		return
	}
	for i := range p.runs {
		r := &p.runs[i]
		kept, missing := r.pts[:0], 0
		for _, q := range r.pts {
			if finite(q.x) { // else it goes across the plot
				if q.x = logOf(q.x); !finite(q.x) {
					missing++
					continue
				}
			}
			kept = append(kept, q)
		}
		r.pts = kept
		p.warnNoLog(r, missing)
	}
}

// logValues makes powers of ten of the values that are measured by them. What begins at
// zero or below begins where the axis does.
func (p *plot) logValues() {
	for i := range p.runs {
		r := &p.runs[i]
		if !p.axisOf(r).Log {
			continue
		}
		missing := 0
		for k := range r.pts {
			q := &r.pts[k]
			if q.gap {
				continue
			}
			if q.from = logOf(q.from); !finite(q.from) {
				q.from = math.Inf(-1)
			}
			if q.to = logOf(q.to); !finite(q.to) {
				q.gap = true
				missing++
			}
		}
		p.warnNoLog(r, missing)
	}
}

func (p *plot) warnNoLog(r *run, missing int) {
	if missing > 0 && !r.bare && !r.trend {
		p.warn("%d values of %s are zero or less, for which a logarithmic axis has no place; they are left out", missing, r.title(p.c.Series))
	}
}

// stand has columns and areas of logarithmic axes begin where these do.
func (p *plot) stand() {
	for i := range p.runs {
		r := &p.runs[i]
		a := p.axisOf(r)
		if !a.Log {
			continue
		}
		for k := range r.pts {
			r.pts[k].from = max(r.pts[k].from, a.ext.lo)
		}
	}
}

// boundLog makes the extent one that a logarithmic scale can have.
func (a *axis) boundLog(length float64) {
	e := &a.ext
	if !e.any {
		*e = extent{0, 1, true}
	}
	a.most = e.hi
	if e.hi-e.lo < 1e-6 { // one value stands in the middle
		e.lo, e.hi = e.lo-0.5, e.hi+0.5
	}
	if a.labelNeed > 0 && a.value {
		share := max(0.05, min(0.3, a.labelNeed/length))
		e.hi += (e.hi - e.lo) * share / (1 - share)
	}
	if pad := (e.hi - e.lo) * 0.03; a.points && a.value {
		e.lo, e.hi = e.lo-pad, e.hi+pad
	}
	if a.Snap {
		parts := logParts(e.hi - e.lo)
		e.lo, e.hi = logBelow(e.lo, parts), -logBelow(-e.hi, mirrored(parts))
	}
	a.author()
}

// wholeDecades divide a power of ten into one part, decadeParts into three that look
// about alike: 1, 2, 5 and 10.
var (
	wholeDecades = []float64{0}
	decadeParts  = []float64{0, math.Log10(2), math.Log10(5)}
)

// logParts is how the powers of ten of a span are divided: of many, none is.
func logParts(span float64) []float64 {
	if span > 1.7 {
		return wholeDecades
	}
	return decadeParts
}

// mirrored are the same parts seen from the end.
func mirrored(parts []float64) []float64 {
	seen := []float64{0}
	for i := len(parts) - 1; i > 0; i-- {
		seen = append(seen, 1-parts[i])
	}
	return seen
}

// logBelow is the greatest part of a power of ten that is not above a value.
func logBelow(v float64, parts []float64) float64 {
	decade := math.Floor(v + 1e-9)
	for i := len(parts) - 1; i > 0; i-- {
		if decade+parts[i] <= v+1e-9 {
			return decade + parts[i]
		}
	}
	return decade
}

// logTicks finds about n ticks: parts of powers of ten, powers, or every so many of
// them; within one power of ten numbers that are a step apart.
func (a *axis) logTicks(n int) {
	a.scale.lo, a.scale.hi, a.ticks, a.step = a.ext.lo, a.ext.hi, a.ticks[:0], 0
	if a.empty {
		return
	}
	switch span := a.ext.hi - a.ext.lo; {
	case span < 1:
		a.decadeTicks(n)
	case span*3 <= float64(max(n, 4))+1:
		a.partTicks(decadeParts, 1)
	default:
		a.partTicks(wholeDecades, max(1, math.Ceil(span/float64(max(n, 1))-1e-9)))
	}
	a.step = float64(len(a.ticks))
}

// decadeTicks are ticks within one power of ten.
func (a *axis) decadeTicks(n int) {
	plain := extent{math.Pow(10, a.ext.lo), math.Pow(10, a.ext.hi), true}
	values, step := numberTicks(&plain, n, false, false, false)
	for _, v := range values {
		if at := logOf(v); finite(at) {
			a.ticks = append(a.ticks, tick{v: at, label: a.number(v, step, plain.hi)})
		}
	}
}

// partTicks are the parts of every so many powers of ten.
func (a *axis) partTicks(parts []float64, every float64) {
	most := math.Pow(10, a.ext.hi)
	for decade := math.Floor(a.ext.lo + 1e-9); decade <= a.ext.hi+1e-9; decade += every {
		for _, part := range parts {
			at := decade + part
			if at < a.ext.lo-1e-9 || at > a.ext.hi+1e-9 {
				continue
			}
			step := math.Pow(10, min(decade, 0))
			v := math.Round(math.Pow(10, part)) * math.Pow(10, decade)
			if a.ext.lo < -2 { // written as short as the greatest, the least would be zero
				most = v
			}
			a.ticks = append(a.ticks, tick{v: at, label: a.number(v, step, most)})
		}
	}
}

// number writes a value of the axis.
func (a *axis) number(v, step, most float64) string {
	if a.Number == nil {
		return plainNumber(v, step, most)
	}
	return a.Number(v, step, most)
}
