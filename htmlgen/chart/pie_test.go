package chart

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPieLabelsNeverOverlapOrLeaveTheirBox(t *testing.T) {
	placed := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := wildPie(r)
		wellFormed(t, c.Render())
		p := c.laidOut()
		var boxes []Rect
		for _, l := range p.labels {
			b := Rect{l.x, l.y - l.h/2, l.w, l.h}
			if !l.right {
				b.X -= l.w
			}
			boxes = append(boxes, b)
		}
		placed += len(boxes)
		for i, a := range boxes {
			if c.OffsetX == 0 && !(Rect{-0.1, p.box.Y - 0.1, c.Width + 0.2, p.box.H + 0.2}).holds(a) {
				t.Fatalf("seed %d: the label %+v leaves %+v", seed, a, p.box)
			}
			for _, b := range boxes[:i] {
				if b.H -= 0.001; a.overlaps(Rect{b.X, b.Y + 0.001, b.W, b.H - 0.001}) {
					t.Fatalf("seed %d: labels overlap: %+v %+v", seed, a, b)
				}
			}
		}
	}
	if placed < 10_000 {
		t.Errorf("only %d labels were placed", placed)
	}
}

func wildPie(r *rand.Rand) *Pie {
	c := &Pie{
		Width: 20 + r.Float64()*600, Height: 20 + r.Float64()*400, Start: r.Float64() * 360, Clockwise: r.IntN(2) == 0, Share: r.Float64(),
		Apart: float64(r.IntN(2)) * 8, Gap: float64(r.IntN(3)), Corner: float64(r.IntN(3)) * 5, Inner: r.Float64() * float64(r.IntN(2)), Outer: r.Float64(),
		Lead: float64(r.IntN(3)) * 12, Legend: []string{"auto", "top", "right", "bottom", "left", "none"}[r.IntN(6)],
	}
	if r.IntN(4) == 0 {
		c.OffsetX, c.OffsetY, c.Diameter = 20, -10, r.Float64()*300
	}
	for i := range r.IntN(25) {
		v := []float64{r.Float64(), r.Float64() * 100, 0, -3, math.NaN(), math.Inf(1), 1e308, 5e-324}[max(0, r.IntN(24)-16)]
		c.Slices = append(c.Slices, Slice{Value: v, Color: "red", Legend: fmt.Sprint("Slice ", i), Label: strings.Repeat("Label ", 1+r.IntN(4)) + fmt.Sprint(i)})
	}
	return c
}

// Labels were once left out one by one, each after a look at all: this took
// minutes.
func TestAPieOfVeryManySlicesEnds(t *testing.T) {
	for name, first := range map[string]float64{"equal": 1, "one side": 200_000} {
		pie := Pie{Width: 600, Height: 300, Style: Style{LabelSize: 10, LegendSize: 10}, Lead: 14}
		pie.Slices = slices.Repeat([]Slice{{Value: 1, Color: "red", Label: "0%", Legend: "n"}}, 200_000)
		pie.Slices[0].Value = first
		begin := time.Now()
		doc := pie.Render()
		if took := time.Since(begin); took > 15*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if n := bytes.Count(doc, []byte("q-c-slice")); n != len(pie.Slices) {
			t.Errorf("%s: %d slices", name, n)
		}
	}
}

func FuzzPie(f *testing.F) {
	f.Add(uint64(1), 300.0, 200.0, 1.0, 2.0, 90.0, 5.0)
	f.Fuzz(func(t *testing.T, seed uint64, width, height, a, b, start, lead float64) {
		c := wildPie(rand.New(rand.NewPCG(seed, 6)))
		c.Width, c.Height, c.Start, c.Lead, c.Gap, c.Corner, c.Inner = width, height, start, lead, a, b, a
		c.Slices = append(c.Slices, Slice{Value: a, Label: "a"}, Slice{Value: b, Legend: "b"})
		wellFormed(t, c.Render())
	})
}

func BenchmarkPie(b *testing.B) {
	c := wildPie(rand.New(rand.NewPCG(8, 8)))
	c.Width, c.Height = 400, 260
	b.ReportAllocs()
	for b.Loop() {
		c.Render()
	}
}
