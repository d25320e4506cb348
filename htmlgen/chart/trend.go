package chart

import (
	"cmp"
	"math"
	"slices"
)

// Trend is a line that says where a series leads.
type Trend int

// The trends.
const (
	NoTrend     Trend = iota
	Linear            // the straight line with the least squares of distances
	Exponential       // the same of the logarithms of the values
	Average           // of each value and those before it
)

// addTrends adds the trends of series, of their values before these are logarithms.
func (p *plot) addTrends() {
	for i := range len(p.runs) {
		if t, ok := p.trendOf(&p.runs[i]); ok {
			p.runs = append(p.runs, t)
		}
	}
}

func (p *plot) trendOf(of *run) (run, bool) {
	switch {
	case of.Trend == NoTrend:
		return run{}, false
	case p.stackOf(of) != "":
		p.warn("%s stands on others and has no trend line", of.title(p.c.Series))
		return run{}, false
	}
	pts := slices.DeleteFunc(slices.Clone(of.pts), func(q pt) bool { return q.gap || !finite(q.x) })
	slices.SortStableFunc(pts, func(a, b pt) int { return cmp.Compare(a.x, b.x) })
	line := p.trendPoints(of, pts)
	if len(line) == 0 {
		p.warn("%s has too few values for a trend line", of.title(p.c.Series))
		return run{}, false
	}
	look := &Series{Name: of.Name, Kind: Line, Color: of.Color, Dash: "5 3", Width: 1.5, Second: of.Second, Opacity: of.Opacity}
	if of.Kind == Column || of.Kind == Area || of.Filled { // it runs over them
		look.Color = ""
	}
	return run{Series: look, pts: line, trend: true}, true
}

// trendPoints are the places of a trend; none where there are too few values.
func (p *plot) trendPoints(of *run, pts []pt) []pt {
	switch of.Trend {
	case Average:
		return averages(pts, max(2, of.Period))
	case Exponential:
		all := len(pts)
		pts = slices.DeleteFunc(pts, func(q pt) bool { return q.to <= 0 })
		if n := all - len(pts); n > 0 {
			p.warn("%d values of %s are zero or less and do not count for its exponential trend", n, of.title(p.c.Series))
		}
		for i := range pts {
			pts[i].to = math.Log(pts[i].to)
		}
	}
	at, ok := leastSquares(pts)
	if !ok {
		return nil
	}
	// A line on a logarithmic axis and a growth on another are curves.
	const bends = 64
	first, last := pts[0].x, pts[len(pts)-1].x
	line := make([]pt, 0, bends+1)
	for i := range bends + 1 {
		x := first + (last-first)*float64(i)/bends
		y := at(x)
		if of.Trend == Exponential {
			y = math.Exp(y)
		}
		line = append(line, pt{x: x, to: max(-limit, min(limit, y)), index: -1})
	}
	return line
}

// averages are those of each value and the ones before it, n together.
func averages(pts []pt, n int) []pt {
	var line []pt
	sum := 0.0
	for i, q := range pts {
		if sum += q.to; i >= n {
			sum -= pts[i-n].to
		}
		if i >= n-1 {
			line = append(line, pt{x: q.x, to: sum / float64(n), index: -1})
		}
	}
	return line
}

// leastSquares is the line through points with the least squares of distances; false
// where they do not say one.
func leastSquares(pts []pt) (at func(x float64) float64, ok bool) {
	n := float64(len(pts))
	var x, y float64 // their means: times are large numbers with small differences
	for _, q := range pts {
		x += q.x / n
		y += q.to / n
	}
	var across, both float64
	for _, q := range pts {
		across += (q.x - x) * (q.x - x)
		both += (q.x - x) * (q.to - y)
	}
	slope := both / across
	if !(across > 0) || !finite(slope) {
		return nil, false
	}
	return func(at float64) float64 { return y + slope*(at-x) }, true
}
