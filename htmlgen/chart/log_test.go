package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// logChart is a chart of values on a logarithmic axis.
func logChart(kind Kind, warned *[]string, values ...float64) *XY {
	c := &XY{Width: 640, Height: 260, Base: Axis{Kind: Category, Min: math.NaN(), Max: math.NaN()}}
	c.Value = Axis{Log: true, Snap: true, Guidelines: true, Min: math.NaN(), Max: math.NaN()}
	c.Warn = func(message string) { *warned = append(*warned, message) }
	s := Series{Name: "Sold", Kind: kind}
	for i, v := range values {
		c.Base.Categories = append(c.Base.Categories, fmt.Sprint("C", i))
		s.Points = append(s.Points, Point{X: float64(i), Y: v})
	}
	c.Series = []Series{s}
	return c
}

func TestLogarithmicAxes(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		min, max float64
		want     string
		warned   string
	}{
		{[]float64{3, 40, 800}, math.NaN(), math.NaN(), "1 10 100 1000", ""},
		{[]float64{1, 1e6}, math.NaN(), math.NaN(), "1 10 100 1000 10000 100000 1000000", ""},
		{[]float64{1e-12, 1e12}, math.NaN(), math.NaN(), "1e-12 1e-08 0.0001 1 10000 100000000 1e+12", ""},
		{[]float64{92, 108}, math.NaN(), math.NaN(), "50 75 100 125 150 175 200", ""},
		{[]float64{7}, math.NaN(), math.NaN(), "2 5 10 20 50", ""},
		{[]float64{3, 40}, 1, 1000, "1 10 100 1000", ""},
		{[]float64{3, 40}, -1, 0, "2 5 10 20 50", "a logarithmic axis has no place for -1, so it is no bound\na logarithmic axis has no place for 0, so it is no bound"},
		{[]float64{10, 0, -4, 100}, math.NaN(), math.NaN(), "10 20 50 100", `2 values of "Sold" are zero or less, for which a logarithmic axis has no place; they are left out`},
	} {
		var warned []string
		chart := logChart(Column, &warned, c.values...)
		chart.Value.Min, chart.Value.Max = c.min, c.max
		p := newPlot(chart)
		p.prepare()
		p.layout()
		var got []string
		for _, k := range p.value.ticks {
			got = append(got, fmt.Sprintf("%.12g", math.Pow(10, k.v)))
		}
		if strings.Join(got, " ") != c.want || strings.Join(warned, "\n") != c.warned {
			t.Errorf("%v: ticks %q, want %q; warned %q", c.values, strings.Join(got, " "), c.want, warned)
		}
		for _, q := range p.runs[0].pts {
			if !q.gap && (q.from < p.value.scale.lo || q.to > p.value.scale.hi) {
				t.Errorf("%v: a column from %v to %v on an axis from %v to %v", c.values, q.from, q.to, p.value.scale.lo, p.value.scale.hi)
			}
		}
		wellFormed(t, chart.Render())
	}
}

// Ten times as much is as far on all of the axis.
func TestPowersOfTenHaveTheSameRoom(t *testing.T) {
	var warned []string
	p := newPlot(logChart(Line, &warned, 1, 10, 100, 1000))
	p.prepare()
	p.layout()
	list := p.segments(&p.runs[0])[0]
	for i := 2; i < len(list); i++ {
		if a, b := list[i].v-list[i-1].v, list[1].v-list[0].v; math.Abs(a-b) > 1e-6 || a >= 0 {
			t.Errorf("%v after %v", a, b)
		}
	}
}

func TestTrends(t *testing.T) {
	for _, c := range []struct {
		trend  Trend
		values []float64
		want   string // its first, middle and last value
		warned string
	}{
		{Linear, []float64{1, 3, 5, 7}, "1 4 7", ""},
		{Linear, []float64{2, 1, Gap(), 3}, "1.43 2.07 2.71", ""},
		{Exponential, []float64{1, 10, 100}, "1 10 100", ""},
		{Exponential, []float64{1, 0, 100}, "1 10 100", `1 values of "Sold" are zero or less and do not count for its exponential trend`},
		{Average, []float64{1, 2, 6, 10}, "3 3 6", ""},
		{Linear, []float64{4}, "", `"Sold" has too few values for a trend line`},
		{Average, []float64{4, 5}, "", `"Sold" has too few values for a trend line`},
	} {
		var warned []string
		chart := logChart(Column, &warned, c.values...)
		chart.Value.Log = false
		chart.Series[0].Trend, chart.Series[0].Period = c.trend, 3
		p := newPlot(chart)
		p.prepare()
		got := ""
		if i := slices.IndexFunc(p.runs, func(r run) bool { return r.trend }); i >= 0 {
			pts := p.runs[i].pts
			last := len(pts) - 1
			got = fmt.Sprintf("%.3g %.3g %.3g", pts[0].to, pts[last/2].to, pts[last].to)
		}
		if got != c.want || strings.Join(warned, "\n") != c.warned {
			t.Errorf("%v of %v: %s, want %s; warned %q", c.trend, c.values, got, c.want, warned)
		}
	}
	var warned []string
	chart := logChart(Column, &warned, 1, 2, 3)
	chart.Series[0].Trend, chart.Series[0].Stack = Linear, "all"
	if chart.Render(); !slices.Contains(warned, `"Sold" stands on others and has no trend line`) {
		t.Errorf("a stack: %q", warned)
	}
}
