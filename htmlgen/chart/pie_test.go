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

// TestPiesInEqualBoxesAreEqual has pies of other names and values be as large.
func TestPiesInEqualBoxesAreEqual(t *testing.T) {
	names := [][]string{{"A", "B"}, {"Hand tools", "Garden", "Timber"}, {"Department of the harbour and the lakes", "Donaudampfschifffahrtsgesellschaft", "C", "D"}, {"All of it"}}
	for _, position := range []string{"right", "left", "bottom", "none"} {
		var radius []float64
		for _, list := range names {
			c := Pie{Width: 300, Height: 180, Legend: position, Lead: 14}
			for i, n := range list {
				s := Slice{Value: float64(i + 1), Color: "red", Legend: n, Label: "12.5%"}
				if position == "none" {
					s.Label = n + " 12.5%"
				}
				c.Slices = append(c.Slices, s)
			}
			p := c.laidOut()
			radius = append(radius, p.r)
			for _, l := range p.labels {
				if last := l.lines[len(l.lines)-1]; !strings.HasSuffix(last, "12.5%") {
					t.Errorf("legend %s: the label of %q lost its number: %q", position, l.wedge.Legend, l.lines)
				}
			}
		}
		for i, r := range radius {
			if r != radius[0] {
				t.Errorf("legend %s: the pie of %q has the radius %.1f, that of %q %.1f", position, names[i], r, names[0], radius[0])
			}
		}
	}
}

func TestLabelsOfSlicesAreNotLeftOutSilently(t *testing.T) {
	told := ""
	c := Pie{Width: 90, Height: 90, Legend: "right", Lead: 14, Warn: func(m string) { told += m }}
	for range 3 {
		c.Slices = append(c.Slices, Slice{Value: 1, Color: "red", Legend: "Hand tools", Label: "33.3%"})
	}
	c.Render()
	if !strings.Contains(told, "the labels of 3 of 3 slices") {
		t.Errorf("said of labels without room: %q", told)
	}
}

func TestAFullLegendBesideAPieHasColumns(t *testing.T) {
	c := Pie{Width: 500, Height: 240, Legend: "right"}
	for i := range 30 {
		c.Slices = append(c.Slices, Slice{Value: 1, Color: "red", Legend: fmt.Sprintf("Item %d", i)})
	}
	p := c.laidOut()
	if p.legend.counted > 0 {
		t.Errorf("%d of 30 entries have no room", p.legend.counted)
	}
	for i, a := range p.legend.at {
		if a.X+a.W > p.legend.room.W+0.01 || a.Y+a.H > p.legend.room.H {
			t.Errorf("entry %d leaves the legend", i)
		}
		for _, b := range p.legend.at[:i] {
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H-0.01 && b.Y < a.Y+a.H-0.01 {
				t.Errorf("entries lie over each other: %v, %v", a, b)
			}
		}
	}
}

func TestSlicesWithoutRoomForTheirLabelsAreWarnedOf(t *testing.T) {
	for n, want := range map[int]string{1: "", 8: "", 60: "there is no room for the labels of"} {
		warned := ""
		c := &Pie{Width: 400, Height: 220, Lead: 14, Warn: func(message string) { warned += message }}
		for i := range n {
			c.Slices = append(c.Slices, Slice{Value: 1, Color: "red", Label: "12.5%", Legend: fmt.Sprint("Slice ", i)})
		}
		doc := string(c.Render())
		if want == "" && (warned != "" || strings.Count(doc, ">12.5%<") != n) || !strings.Contains(warned, want) || n == 60 && !strings.Contains(warned, "entries of the legend") {
			t.Errorf("%d slices: %d labels, %q", n, strings.Count(doc, ">12.5%<"), warned)
		}
	}
}
