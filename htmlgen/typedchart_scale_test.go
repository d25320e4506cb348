package htmlgen

import (
	"math"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen/chart"
)

func TestNumbersBesideAnAxisHaveTheDecimalsOfItsSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		values []float64
		min    float64
		log    bool
		code   string
		whole  bool
	}{
		{"hundreds with decimals", []float64{12.25, 480.5}, math.NaN(), false, "#,##0", false},
		{"below ten", []float64{1.5, 8.25}, math.NaN(), false, "#,##0", false},
		{"below one", []float64{0.1, 0.9}, math.NaN(), false, "#,##0.0", false},
		{"near each other", []float64{99.2, 99.9}, math.NaN(), false, "#,##0.0", false},
		{"few pieces", []float64{0, 3, 2}, math.NaN(), false, "#,##0", true},
		{"many pieces", []float64{0, 3000, 2}, math.NaN(), false, "#,##0", false},
		{"all the same", []float64{7}, math.NaN(), false, "#,##0", false},
		{"with a least", []float64{1200.5, 1204}, 1195, false, "#,##0", false},
		{"powers of ten", []float64{2.35, 9870.1}, math.NaN(), true, "#,##0", false},
		{"hundredths", []float64{0.02, 9}, math.NaN(), true, "#,##0.00", false},
		{"nothing", nil, math.NaN(), false, "", false},
	} {
		in := testInput(t, nil)
		ctx := newContext(t.Context(), in)
		var s chart.Series
		for _, v := range c.values {
			s.Points = append(s.Points, chart.Point{Y: v})
		}
		code, whole := ctx.scale(&chart.Axis{Min: c.min, Max: math.NaN(), Log: c.log}, "", []chart.Series{s}, func(q chart.Point) float64 { return q.Y })
		code, _, _ = strings.Cut(code, ";") // that of numbers below zero
		if code != c.code || whole != c.whole {
			t.Errorf("%s: %q, whole %t; want %q, %t", c.name, code, whole, c.code, c.whole)
		}
	}
}

func TestSharesInOfficeHaveTheirDecimals(t *testing.T) {
	t.Parallel()
	ctx := newContext(t.Context(), testInput(t, nil))
	for _, c := range []struct {
		template string
		values   []float64
		code     string
	}{
		{"", []float64{1, 1, 2}, "#,##0%"},
		{"", []float64{420, 310, 190}, "#,##0.0%"},
		{"{$it.slice.name} {$it.slice.share:p;0;0}", []float64{420, 310, 190}, "#,##0%"},
		{"{$it.slice.share:p;2;2}", []float64{1, 1, 2}, "#,##0.00%"},
	} {
		var list []slice
		for _, v := range c.values {
			list = append(list, slice{value: v})
		}
		if code, _, _ := strings.Cut(ctx.shareCode(c.template, list), ";"); code != c.code {
			t.Errorf("%q of %v: %q, want %q", c.template, c.values, code, c.code)
		}
	}
}
