package chart

import (
	"cmp"
	"math"
	"slices"
)

// run is a series made ready to draw.
type run struct {
	*Series
	pts []pt
	// of columns: where they stand beside the middle of their slot, in units
	// of X, and how wide they are
	shift, width float64
	pitch        float64 // distance of the next column
	fills        bool    // from a base to the value, so that zero matters
	bare         bool    // only its labels are seen
	trend        bool    // of another one
}

// pt is a point with the value it starts from.
type pt struct {
	x, from, to float64
	gap         bool
	index       int // in the series
}

// prepare reads the series, stacks them and finds the extents of the axes.
func (p *plot) prepare() {
	for i := range p.c.Series {
		p.runs = append(p.runs, p.read(&p.c.Series[i]))
	}
	p.addTrends()
	p.stack()
	p.logPlaces()
	slot := p.slot()
	p.sizeColumns(slot)
	p.addTotals()
	p.logValues()
	for i := range p.runs {
		p.extend(&p.runs[i])
	}
	if p.base.Kind == Category {
		p.base.ext = extent{-0.5, float64(max(1, len(p.base.Categories))) - 0.5, true}
	}
	p.base.bound(false, 1)
	p.padPoints()
	length := p.c.Height - 3*p.st.labels().line()
	if p.c.Turned {
		length = p.c.Width * 0.75
	}
	p.value.bound(p.filled(false), max(length, 1))
	p.second.bound(p.filled(true), max(length, 1))
	p.stand()
}

// read keeps the points that have a place. A range or marker without X goes
// across the plot.
func (p *plot) read(s *Series) run {
	r := run{Series: s, fills: s.Kind == Column || s.Kind == Area}
	r.pts = make([]pt, 0, len(s.Points))
	free := s.Kind == Range || s.Kind == Marker
	for i, point := range s.Points {
		x := point.X
		if !finite(x) && !free || p.base.Kind == Category && (x < 0 || x >= float64(len(p.base.Categories))) {
			continue
		}
		x = max(-limit, min(limit, x))
		y := max(-limit, min(limit, point.Y))
		from := 0.0
		if s.Kind == Range {
			if from = max(-limit, min(limit, point.Y0)); !finite(from) {
				from = 0
			}
		}
		r.pts = append(r.pts, pt{x: x, from: from, to: y, gap: !finite(point.Y), index: i})
	}
	return r
}

// slot is the room of one value on the base axis: a category, or the least
// distance of values.
func (p *plot) slot() float64 {
	if p.base.Kind == Category {
		return 1
	}
	var xs []float64
	for _, r := range p.runs {
		if r.Kind == Column || r.Kind == Range {
			for _, q := range r.pts {
				if finite(q.x) {
					xs = append(xs, q.x)
				}
			}
		}
	}
	slices.Sort(xs)
	least := math.Inf(1)
	for i := 1; i < len(xs); i++ {
		if d := xs[i] - xs[i-1]; d > 0 {
			least = min(least, d)
		}
	}
	switch {
	case !math.IsInf(least, 1):
		return least
	case p.base.Kind == Time:
		return Day.Milliseconds()
	}
	return 1
}

// sizeColumns shares the slot among columns that stand side by side: stacks
// and series without an offset of their own. The more there are, the less of
// the slot stays free.
func (p *plot) sizeColumns(slot float64) {
	places := map[string]int{}
	place := make([]int, len(p.runs))
	for i := range p.runs {
		r := &p.runs[i]
		if place[i] = -1; r.Kind != Column || r.Offset != 0 {
			continue
		}
		key := p.stackOf(r)
		n, ok := places[key]
		if !ok || key == "" {
			n = len(places)
			if key == "" {
				places[string(rune(0))+string(rune(i+1))] = n
			} else {
				places[key] = n
			}
		}
		place[i] = n
	}
	n := float64(max(1, len(places)))
	for i := range p.runs {
		r := &p.runs[i]
		size := r.Size
		if !(size > 0) {
			size = 0.5
		}
		unit := slot
		if r.Units {
			unit = 1
		}
		r.shift = r.Offset * unit
		if place[i] < 0 || n == 1 {
			r.width, r.pitch = size*unit, slot
			continue
		}
		group := size * unit
		if !r.Units && size < 1 {
			group = (1 - (1-size)/math.Pow(n, 0.6)) * unit
		}
		r.width = group / n
		r.pitch = r.width
		r.shift = (float64(place[i])+0.5)*r.width - group/2
	}
}

// stackOf names the stack of a series; empty: it stands alone.
func (p *plot) stackOf(r *run) string {
	if r.Kind == Scatter || r.Kind == Range || r.Kind == Marker {
		return ""
	}
	name := r.Stack
	if name == "" && p.axisOf(r).Normalised {
		name = "all"
	}
	if name == "" {
		return ""
	}
	kind := "columns "
	if r.Kind != Column {
		kind = "lines "
	}
	if r.Second {
		kind += "second "
	}
	return kind + name
}

// sums are the heights of a stack at one place.
type sums struct{ up, down, total float64 }

// stack puts series with the same stack on each other, negative values below
// zero, and makes shares of them where the axis is normalised.
func (p *plot) stack() {
	members := map[string][]int{}
	var names []string
	for i := range p.runs {
		if key := p.stackOf(&p.runs[i]); key != "" {
			if members[key] == nil {
				names = append(names, key)
			}
			members[key] = append(members[key], i)
		}
	}
	for _, key := range names {
		p.stackRuns(members[key])
	}
}

func (p *plot) stackRuns(list []int) {
	if p.runs[list[0]].Kind != Column {
		p.align(list)
	}
	at := map[float64]*sums{}
	each := func(do func(q *pt, s *sums)) {
		for _, i := range list {
			for k := range p.runs[i].pts {
				if q := &p.runs[i].pts[k]; !q.gap {
					s := at[q.x]
					if s == nil {
						s = &sums{}
						at[q.x] = s
					}
					do(q, s)
				}
			}
		}
	}
	normal := p.axisOf(&p.runs[list[0]]).Normalised
	if normal {
		each(func(q *pt, s *sums) { s.total += math.Abs(q.to) })
	}
	each(func(q *pt, s *sums) {
		v := q.to
		if normal {
			if v = 0; s.total > 0 {
				v = q.to / s.total
			}
		}
		if v < 0 {
			q.from = s.down
			s.down += v
			q.to = s.down
		} else {
			q.from = s.up
			s.up += v
			q.to = s.up
		}
	})
	for _, i := range list {
		p.runs[i].fills = true
	}
}

// align gives stacked lines values at the same places: between their own they
// are interpolated, outside they are zero.
func (p *plot) align(list []int) {
	var xs []float64
	for _, i := range list {
		pts := p.runs[i].pts
		slices.SortStableFunc(pts, func(a, b pt) int { return cmp.Compare(a.x, b.x) })
		for _, q := range pts {
			if !q.gap {
				xs = append(xs, q.x)
			}
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for _, i := range list {
		own := slices.DeleteFunc(p.runs[i].pts, func(q pt) bool { return q.gap })
		full := make([]pt, 0, len(xs))
		k := 0
		for _, x := range xs {
			for k < len(own)-1 && own[k+1].x <= x {
				k++
			}
			q := pt{x: x, index: -1}
			switch {
			case len(own) == 0 || x < own[0].x || x > own[len(own)-1].x:
			case own[k].x == x:
				q = own[k]
			default:
				t := (x - own[k].x) / (own[k+1].x - own[k].x)
				q.to = own[k].to + t*(own[k+1].to-own[k].to)
			}
			full = append(full, q)
		}
		p.runs[i].pts = full
	}
}

// extend adds the values of a series to the extents of its axes.
func (p *plot) extend(r *run) {
	a := p.axisOf(r)
	for _, q := range r.pts {
		p.base.ext.add(q.x)
		p.base.parts = p.base.parts || !whole(q.x)
		if r.Kind == Column || r.Kind == Range && p.base.Kind == Category {
			p.base.ext.add(q.x + r.shift - r.width/2)
			p.base.ext.add(q.x + r.shift + r.width/2)
		}
		if q.gap {
			continue
		}
		a.ext.add(q.to)
		a.parts = a.parts || !whole(q.to) || !whole(q.from)
		if r.fills || r.Filled || r.Kind == Range {
			a.ext.add(q.from)
		}
	}
	a.points = a.points || r.Kind == Scatter
	if r.Labels && r.Kind != Marker && r.Place != "inside" && !p.segmented(r) {
		a.labelNeed = max(a.labelNeed, p.labelNeed(r))
	}
}

// labelNeed is how far the labels of a series reach beyond its values.
func (p *plot) labelNeed(r *run) float64 {
	t := p.st.labels()
	if !p.c.Turned {
		return t.line() + 4
	}
	need := 0.0
	for i := range r.Points {
		if s := r.Points[i].Label; s != "" {
			need = max(need, t.width(s)+8)
		}
	}
	return min(need, p.c.Width*0.3)
}

// filled reports whether a series of the axis is an area or columns.
func (p *plot) filled(second bool) bool {
	for i := range p.runs {
		if r := &p.runs[i]; r.Second == second && (r.fills || r.Filled) {
			return true
		}
	}
	return false
}

// padPoints keeps points off the edges of the plot.
func (p *plot) padPoints() {
	for i := range p.runs {
		if p.runs[i].Kind != Scatter || p.base.Kind == Category || p.base.Snap {
			continue
		}
		pad := (p.base.ext.hi - p.base.ext.lo) * 0.03
		if !p.base.fixedLo {
			p.base.ext.lo -= pad
		}
		if !p.base.fixedHi {
			p.base.ext.hi += pad
		}
		return
	}
}
