package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestStacksPutNegativeValuesBelowZeroAndSharesAddUp(t *testing.T) {
	c := &XY{Base: Axis{Kind: Category, Categories: []string{"a"}}}
	for _, v := range []float64{30, -10, 20, -40} {
		c.Series = append(c.Series, Series{Kind: Column, Stack: "s", Points: []Point{{X: 0, Y: v}}})
	}
	spans := func() string {
		p := newPlot(c)
		p.prepare()
		var list []string
		for _, r := range p.runs {
			list = append(list, fmt.Sprintf("%g..%g", r.pts[0].from, r.pts[0].to))
		}
		return strings.Join(list, " ")
	}
	if got := spans(); got != "0..30 0..-10 30..50 -10..-50" {
		t.Errorf("stacked: %s", got)
	}
	c.Value.Normalised = true
	if got := spans(); got != "0..0.3 0..-0.1 0.3..0.5 -0.1..-0.5" {
		t.Errorf("normalised: %s", got)
	}
}

func TestThinnedLinesKeepWhatIsSeen(t *testing.T) {
	var pts []place
	for i := range 100_000 {
		pts = append(pts, place{b: float64(i) / 200, v: 100 + 50*math.Sin(float64(i)*0.7)})
	}
	lowest := func(list []place, cell int) float64 {
		low := math.Inf(1)
		for _, q := range list {
			if int(q.b*2) == cell {
				low = min(low, q.v)
			}
		}
		return low
	}
	before := []float64{lowest(pts, 0), lowest(pts, 333), lowest(pts, 999)}
	out := thinned(pts)
	if len(out) > 4*1001 {
		t.Errorf("%d points are left", len(out))
	}
	for i, cell := range []int{0, 333, 999} {
		if got := lowest(out, cell); got != before[i] {
			t.Errorf("half pixel %d: lowest %v, was %v", cell, got, before[i])
		}
	}
}

func TestTenThousandValuesMakeASmallChart(t *testing.T) {
	for kind, most := range map[Kind]int{Line: 90_000, Column: 60_000, Scatter: 900_000} {
		c := &XY{Width: 640, Height: 260}
		c.Base, c.Value = Axis{Kind: Time, Min: math.NaN(), Max: math.NaN()}, Axis{Snap: true, Min: math.NaN(), Max: math.NaN()}
		s := Series{Kind: kind, Color: "red"}
		for i := range 10_000 {
			s.Points = append(s.Points, Point{X: float64(i) * 6e4, Y: 50 + 40*math.Sin(float64(i)*7)})
		}
		c.Series = []Series{s}
		if n := len(c.Render()); n > most {
			t.Errorf("kind %d: %d bytes, more than %d", kind, n, most)
		}
	}
}
