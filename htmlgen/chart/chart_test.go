package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// months is a chart as people make it.
func months(kind Kind, series int, labels bool) *XY {
	c := &XY{Width: 640, Height: 260, Legend: "top"}
	c.Base = Axis{Kind: Category, Min: math.NaN(), Max: math.NaN(), Categories: strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")}
	c.Value = Axis{Snap: true, Guidelines: true, Min: math.NaN(), Max: math.NaN(), Title: "Revenue"}
	for s := range series {
		list := Series{Name: fmt.Sprint("Series ", s), Legend: fmt.Sprint("Series ", s), Kind: kind, Color: "var(--chart-1)", Labels: labels}
		for i := range 12 {
			v := 100 + 40*math.Sin(float64(i+s))
			list.Points = append(list.Points, Point{X: float64(i), Y: v, Label: fmt.Sprintf("%.0f", v)})
		}
		c.Series = append(c.Series, list)
	}
	return c
}

// wild makes a chart of random options and values.
func wild(r *rand.Rand) *XY {
	values := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 1e-12, 1e15, math.MaxFloat64}
	value := func() float64 {
		if r.IntN(8) == 0 {
			return values[r.IntN(len(values))]
		}
		return (r.Float64() - 0.3) * math.Pow(10, float64(r.IntN(7)-2))
	}
	some := func() float64 {
		if r.IntN(4) > 0 {
			return math.NaN()
		}
		return value()
	}
	axis := func(kind AxisKind) Axis {
		return Axis{
			Kind: kind, Title: []string{"", "Title of the axis"}[r.IntN(2)], Min: some(), Max: some(), Inverted: r.IntN(4) == 0, Normalised: r.IntN(5) == 0,
			Snap: r.IntN(2) == 0, Ticks: r.IntN(3) * r.IntN(60), Guidelines: r.IntN(2) == 0, Hidden: r.IntN(6) == 0, Lanes: r.IntN(4) == 0,
		}
	}
	c := &XY{Width: 20 + r.Float64()*800, Height: 10 + r.Float64()*400, Turned: r.IntN(3) == 0, Legend: []string{"top", "right", "bottom", "left", "none"}[r.IntN(5)]}
	c.Style.RightToLeft = r.IntN(3) == 0
	c.Base = axis(AxisKind(r.IntN(3)))
	c.Value, c.Second = axis(Numeric), axis(Numeric)
	for i := range r.IntN(40) {
		c.Base.Categories = append(c.Base.Categories, strings.Repeat("Long name ", r.IntN(4))+fmt.Sprint(i))
	}
	for range r.IntN(5) {
		s := Series{
			Legend: strings.Repeat("Name ", r.IntN(6)), Kind: Kind(r.IntN(6)), Width: some(), Opacity: r.Float64(), Smooth: r.IntN(2) == 0, Filled: r.IntN(3) == 0,
			Shape: []string{"", "circle", "square", "triangle"}[r.IntN(4)], ShapeSize: some(), Second: r.IntN(3) == 0, Stack: []string{"", "", "a"}[r.IntN(3)],
			Size: r.Float64(), Offset: (r.Float64() - 0.5) * float64(r.IntN(2)), Labels: true, Place: []string{"auto", "below", "inside"}[r.IntN(3)],
		}
		for i := range r.IntN(60) {
			x := float64(i)
			if c.Base.Kind == Time {
				x = 1.7e12 + float64(i)*math.Pow(10, float64(r.IntN(10)))
			} else if r.IntN(5) == 0 {
				x = value()
			}
			s.Points = append(s.Points, Point{X: x, Y: value(), Y0: value(), Label: strings.Repeat("8", 1+r.IntN(9))})
		}
		c.Series = append(c.Series, s)
	}
	c.Value.Log, c.Second.Log, c.Base.Log = r.IntN(4) == 0, r.IntN(4) == 0, r.IntN(6) == 0
	for i := range c.Series {
		c.Series[i].Trend, c.Series[i].Period = Trend(r.IntN(6)), r.IntN(5)
	}
	return c
}

// wellFormed reads the markup as XML and looks for numbers that are none.
func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
	}
	if bad := regexp.MustCompile(`NaN|Inf|\d[eE][+-]\d`).Find(stripText(doc)); bad != nil {
		t.Fatalf("%s in %s", bad, doc)
	}
}

func stripText(doc []byte) []byte {
	return regexp.MustCompile(`>[^<]*<`).ReplaceAll(doc, []byte("><"))
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	for seed := range uint64(200) {
		first := wild(rand.New(rand.NewPCG(seed, 4))).Render()
		if !bytes.Equal(first, wild(rand.New(rand.NewPCG(seed, 4))).Render()) {
			t.Fatalf("seed %d differs", seed)
		}
	}
}

// labelled is how many of some labels a chart shows, whole or shortened.
func labelled(doc []byte, begin string) int { return strings.Count(string(doc), ">"+begin) }

func TestRightToLeftMirrorsTheChart(t *testing.T) {
	c := months(Column, 2, true)
	c.Legend = "left"
	left := string(c.Render())
	c.Style.RightToLeft = true
	right := string(c.Render())
	text := func(doc, s string) (x float64, anchor string) {
		m := regexp.MustCompile(`<text[^>]* x="([-\d.]+)"[^>]*?(?: text-anchor="(\w+)")?>` + s + "<").FindStringSubmatch(doc)
		if m == nil {
			t.Fatalf("no text %s in %s", s, doc)
		}
		fmt.Sscan(m[1], &x)
		return x, m[2]
	}
	for s, anchors := range map[string][2]string{"Jan": {"middle", "middle"}, "100": {"end", ""}, "Revenue": {"", "end"}} {
		x, from := text(left, s)
		mirrored, to := text(right, s)
		if s != "Revenue" && s != "100" && x > mirrored || from != anchors[0] || to != anchors[1] {
			t.Errorf("%s is at %v %q, mirrored at %v %q", s, x, from, mirrored, to)
		}
	}
	jan, _ := text(right, "Jan")
	dec, _ := text(right, "Dec")
	axis, _ := text(right, "100")
	if legend, _ := text(right, "Series 1"); jan < dec || axis < jan || legend > dec {
		t.Errorf("Jan %v, Dec %v, axis %v, legend at the left %v", jan, dec, axis, legend)
	}
	if strings.Count(right, "<g transform=") == 0 || strings.Contains(left, "<g transform=") {
		t.Error("shapes are not mirrored")
	}
}

func FuzzXY(f *testing.F) {
	f.Add(uint64(1), 640.0, 260.0, 1.0, 2.0, 0.0, 1.0)
	f.Add(uint64(7), 120.0, 80.0, math.Inf(1), math.NaN(), 1e300, 5e-324)
	f.Fuzz(func(t *testing.T, seed uint64, width, height, a, b, lo, hi float64) {
		c := wild(rand.New(rand.NewPCG(seed, 5)))
		c.Width, c.Height = width, height
		c.Value.Min, c.Base.Max = lo, hi
		c.Series = append(c.Series, Series{Kind: Kind(seed % 6), Points: []Point{{X: a, Y: b, Y0: lo}, {X: b, Y: a}, {X: lo, Y: hi, Label: "x"}}, Size: a, Offset: b, Width: hi, ShapeSize: lo, Labels: true})
		wellFormed(t, c.Render())
	})
}

func BenchmarkColumns12x3(b *testing.B) {
	c := months(Column, 3, true)
	b.ReportAllocs()
	for b.Loop() {
		c.Render()
	}
}

func BenchmarkLine(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		c := &XY{Width: 640, Height: 260}
		c.Base, c.Value = Axis{Kind: Time, Min: math.NaN(), Max: math.NaN()}, Axis{Snap: true, Guidelines: true, Min: math.NaN(), Max: math.NaN()}
		s := Series{Kind: Line, Labels: true}
		for i := range n {
			s.Points = append(s.Points, Point{X: 1.7e12 + float64(i)*6e4, Y: math.Sin(float64(i) * 0.01), Label: "12"})
		}
		c.Series = []Series{s}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Render()
			}
		})
	}
}
