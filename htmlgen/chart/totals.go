package chart

// addTotals lets the labels with the sums of stacks of columns stand at their ends:
// they are those of columns without a height.
func (p *plot) addTotals() {
	done := map[string]bool{}
	for i := range p.runs {
		r := &p.runs[i]
		if key := p.stackOf(r); r.Total != nil && p.segmented(r) && !p.axisOf(r).Normalised && !done[key] {
			done[key] = true
			p.runs = append(p.runs, p.totals(key, r))
		}
	}
}

// totals are the sums of a stack, written as one of its series does.
func (p *plot) totals(key string, of *run) run {
	t := run{Series: &Series{Name: "Σ", Kind: Column, Second: of.Second, Labels: true}, shift: of.shift, width: of.width, pitch: of.pitch, bare: true}
	ends, at := map[float64]*sums{}, []float64{}
	for i := range p.runs {
		r := &p.runs[i]
		if p.stackOf(r) != key {
			continue
		}
		for _, q := range r.pts {
			if q.gap {
				continue
			}
			if ends[q.x] == nil {
				ends[q.x], at = &sums{}, append(at, q.x)
			}
			s := ends[q.x]
			s.up, s.down, s.total = max(s.up, q.to), min(s.down, q.to), s.total+q.to-q.from
		}
	}
	for i, x := range at {
		s := ends[x]
		q := pt{x: x, from: s.up, to: s.up, index: i}
		if s.up == 0 && s.down < 0 { // it grows down
			q.from, q.to = s.down*(1-tolerance), s.down
		}
		t.pts = append(t.pts, q)
		t.Points = append(t.Points, Point{X: x, Y: s.total, Label: of.Total(s.total)})
	}
	return t
}
