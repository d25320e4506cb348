package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNumberTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   string
	}{
		{0, 87, 5, "[0 20 40 60 80 100]"},
		{-28, 75, 5, "[-40 -20 0 20 40 60 80]"},
		{0, 408, 5, "[0 100 200 300 400 500]"},
		{0, 0.87, 4, "[0 0.25 0.5 0.75 1]"},
		{1e-9, 3e-9, 2, "[1e-09 2e-09 3e-09]"},
		{2, 2.5, 5, "[2 2.1 2.2 2.3 2.4 2.5]"},
	} {
		e := extent{c.lo, c.hi, true}
		values, _ := numberTicks(&e, c.n, true, true, false)
		for i := range values {
			values[i] = math.Round(values[i]*1e12) / 1e12
		}
		if got := fmt.Sprint(values); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestTicksOfWholeNumbersAreWhole(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   string
	}{{0, 2, 8, "[0 1 2]"}, {0, 12, 5, "[0 5 10]"}, {1, 8, 16, "[1 2 3 4 5 6 7 8]"}, {0, 120, 5, "[0 25 50 75 100]"}, {1194, 1206, 1, "[1195 1200 1205]"}} {
		values, _ := numberTicks(&extent{c.lo, c.hi, true}, c.n, false, false, true)
		if got := fmt.Sprint(values); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	c := months(Line, 1, false)
	for i := range c.Series[0].Points {
		c.Series[0].Points[i].Y = float64(i % 3)
	}
	if doc := string(c.Render()); strings.Contains(doc, ">0.5<") || !strings.Contains(doc, ">1<") {
		t.Error("an axis that counts has half a piece")
	}
}

func TestTicksOfForcedEndsAreEven(t *testing.T) {
	for seed := range uint64(1500) {
		p := newPlot(wild(rand.New(rand.NewPCG(seed, 9))))
		p.prepare()
		p.layout()
		for _, a := range []*axis{&p.value, &p.second} {
			for i := 2; i < len(a.ticks) && !a.Log; i++ {
				one, other := a.ticks[i].v-a.ticks[i-1].v, a.ticks[i-1].v-a.ticks[i-2].v
				if math.Abs(one-other) > math.Abs(one)*1e-6 {
					t.Fatalf("seed %d: the ticks %v %v %v are uneven", seed, a.ticks[i-2].v, a.ticks[i-1].v, a.ticks[i].v)
				}
			}
		}
	}
}

func TestEndsThatCutValuesOffAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     Kind
		min, max float64
		want     string
	}{
		{"nothing", Area, 0, 200, ""},
		{"a line without zero", Line, 50, 200, ""},
		{"columns without zero", Column, 50, 200, `the axis of "Series 0" does not show zero`},
		{"areas without zero", Area, 50, 200, `the axis of "Series 0" does not show zero`},
		{"values above", Line, 0, 120, `4 values of "Series 0" lie beyond the ends of its axes`},
	} {
		chart, warned := months(c.kind, 1, false), ""
		chart.Value.Min, chart.Value.Max, chart.Warn = c.min, c.max, func(message string) { warned += message }
		chart.Render()
		if c.want == "" && warned != "" || !strings.Contains(warned, c.want) {
			t.Errorf("%s: %q, want %q", c.name, warned, c.want)
		}
	}
}
