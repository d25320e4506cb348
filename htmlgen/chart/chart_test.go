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
	"time"
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

func TestDataLabelsNeverOverlapOrLeaveThePlot(t *testing.T) {
	placed := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p, warned := newPlot(wild(r)), ""
		p.c.Warn = func(message string) { warned += message + "\n" }
		p.prepare()
		p.layout()
		p.draw()
		wellFormed(t, p.b)
		var boxes []Rect
		has, want := map[*run]int{}, map[*run]int{}
		for _, l := range p.labels {
			want[l.run]++
			if l.placed.W > 0 {
				boxes = append(boxes, l.placed)
				has[l.run]++
				if l.run.Kind == Line && p.places.covered(l.placed, markedBody) > 0 {
					t.Fatalf("seed %d: the label %q of a line stands on a column", seed, l.text)
				}
			}
		}
		for r, n := range want {
			missing := fmt.Sprintf("no room for %d labels of %s;", n, r.title(p.c.Series))
			if has[r] != n && (has[r] != 0 || !strings.Contains(warned, missing)) {
				t.Fatalf("seed %d: %d of %d labels of %s, warned of %q", seed, has[r], n, r.title(p.c.Series), warned)
			}
		}
		placed += len(boxes)
		for i, a := range boxes {
			if !p.places.box.holds(a) || a.X+a.W > p.c.Width+1 || a.Y < -1 {
				t.Fatalf("seed %d: the label %+v leaves the plot %+v", seed, a, p.places.box)
			}
			for _, b := range boxes[:i] {
				if a.overlaps(b) {
					t.Fatalf("seed %d: labels overlap: %+v %+v", seed, a, b)
				}
			}
		}
	}
	if placed < 800 {
		t.Errorf("only %d labels were placed", placed)
	}
}

func TestAxisLabelsStayInsideTheChart(t *testing.T) {
	text := regexp.MustCompile(`<text( class="[^"]*")? x="([-\d.]+)" y="([-\d.]+)"( text-anchor="(\w+)")?( style="[^"]*")?>([^<]*)</text>`)
	for seed := range uint64(1500) {
		c := wild(rand.New(rand.NewPCG(seed, 2)))
		doc := c.Render()
		for _, m := range text.FindAllSubmatch(doc, -1) {
			var x, y float64
			fmt.Sscan(string(m[2]), &x)
			fmt.Sscan(string(m[3]), &y)
			size := 10.67
			if m := regexp.MustCompile(`--chart-label-size:([\d.]+)px`).FindSubmatch(doc); m != nil {
				fmt.Sscan(string(m[1]), &size)
			}
			if strings.Contains(string(m[1]), "title") {
				size = 12
			}
			w := MeasureSans(string(m[7]), size, false)
			left := x
			switch string(m[5]) {
			case "middle":
				left = x - w/2
			case "end":
				left = x - w
			}
			if left < -1 || left+w > c.Width+1 || y < 0 || y > c.Height+1 {
				t.Fatalf("seed %d: %q at %.1f to %.1f, %.1f leaves %.0f × %.0f", seed, m[7], left, left+w, y, c.Width, c.Height)
			}
		}
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	for seed := range uint64(200) {
		first := wild(rand.New(rand.NewPCG(seed, 4))).Render()
		if !bytes.Equal(first, wild(rand.New(rand.NewPCG(seed, 4))).Render()) {
			t.Fatalf("seed %d differs", seed)
		}
	}
}

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

// labelled is how many of some labels a chart shows, whole or shortened.
func labelled(doc []byte, begin string) int { return strings.Count(string(doc), ">"+begin) }

func TestLongNamesStayBelowTheirColumns(t *testing.T) {
	for n, want := range map[int]int{6: 6, 12: 12, 60: 25} {
		c := months(Column, 1, false)
		c.Base.Categories = nil
		for i := range n {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprintf("Department of Agriculture and Forestry, branch %d", i))
		}
		if got := labelled(c.Render(), "Depart"); got < want {
			t.Errorf("%d long names: %d labels, want %d", n, got, want)
		}
	}
	c := months(Column, 1, false)
	c.Base.Categories = nil
	for i := range 60 {
		c.Base.Categories = append(c.Base.Categories, fmt.Sprintf("%d March", i))
	}
	if doc := c.Render(); strings.Contains(string(doc), "rotate(") {
		t.Error("labels that count are turned where every so many would do")
	}
}

func TestLabelsAtTheEdgeOfThePlotAreShown(t *testing.T) {
	for _, legend := range []string{"none", "top", "right", "left"} {
		c := months(Column, 2, false)
		c.Turned, c.Legend, c.Base.Guidelines, c.Value.Normalised = true, legend, false, true
		for i := range c.Series {
			c.Series[i].Stack = "all"
		}
		c.Value.Number = func(v, _, _ float64) string { return fmt.Sprintf("%.0f%%", 100*v) }
		if labelled(c.Render(), "100%<") != 1 || labelled(c.Render(), "0%<") != 1 {
			t.Errorf("legend %s: the first or the last label is left out", legend)
		}
	}
}

func TestATitleKeepsOutOfTheLegend(t *testing.T) {
	c := months(Column, 2, false)
	c.Legend, c.Second, c.Series[1].Second = "right", Axis{Snap: true, Min: math.NaN(), Max: math.NaN(), Title: "Pieces"}, true
	place := func(pattern string) (x float64) {
		if m := regexp.MustCompile(pattern).FindSubmatch(c.Render()); m != nil {
			fmt.Sscan(string(m[1]), &x)
		}
		return x
	}
	if end, begin := place(`x="([\d.]+)"[^>]*>Pieces<`), place(`x="([\d.]+)"[^>]*>Series 0<`); end == 0 || end > begin {
		t.Errorf("the title ends at %v, the legend's texts begin at %v", end, begin)
	}
}

func TestTimeTicksFollowTheCalendarOfTheZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) float64 {
		v, err := time.ParseInLocation("2006-01-02 15:04", s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return millis(v)
	}
	for _, c := range []struct {
		name, from, to string
		step           calendarStep
		layout, want   string
	}{
		{"days across the spring change", "2026-03-27 00:00", "2026-03-31 00:00", calendarStep{Day, 1}, "02 15:04", "27 00:00,28 00:00,29 00:00,30 00:00,31 00:00"},
		{"six hours across the spring change", "2026-03-28 18:00", "2026-03-29 18:00", calendarStep{Hour, 6}, "15:04", "18:00,00:00,06:00,12:00,18:00"},
		{"hours across the spring change: two o'clock is left out", "2026-03-29 00:00", "2026-03-29 05:00", calendarStep{Hour, 1}, "15", "00,01,03,04,05"},
		{"hours across the autumn change: two o'clock comes twice", "2026-10-25 00:00", "2026-10-25 04:00", calendarStep{Hour, 1}, "15", "00,01,02,02,03,04"},
		{"weeks begin on Mondays", "2026-03-18 10:00", "2026-04-12 00:00", calendarStep{Week, 1}, "Mon 02 15:04", "Mon 23 00:00,Mon 30 00:00,Mon 06 00:00"},
		{"months", "2025-11-05 00:00", "2026-02-20 00:00", calendarStep{Month, 1}, "2006-01-02", "2025-12-01,2026-01-01,2026-02-01"},
		{"quarters", "2025-12-05 00:00", "2026-08-20 00:00", calendarStep{Quarter, 1}, "2006-01-02", "2026-01-01,2026-04-01,2026-07-01"},
		{"two days begin again with the month", "2026-01-27 00:00", "2026-02-04 00:00", calendarStep{Day, 2}, "01-02", "01-27,01-29,02-01,02-03"},
		{"decades", "1985-01-02 00:00", "2021-01-02 00:00", calendarStep{Year, 10}, "2006", "1990,2000,2010,2020"},
		{"minutes", "2026-10-25 02:50", "2026-10-25 03:20", calendarStep{Minute, 15}, "15:04", "03:00,03:15"},
	} {
		e := extent{at(c.from), at(c.to), true}
		var got []string
		for _, m := range timeTicks(&e, c.step, berlin, false, false) {
			got = append(got, m.Format(c.layout))
		}
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

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

func TestMeasureAndFit(t *testing.T) {
	if w := MeasureSans("Quire", 100, false); math.Abs(w-255) > 12 {
		t.Errorf("Quire is %v wide", w)
	}
	if w := MeasureSans("報告書", 10, false); w < 30 || w > 32 {
		t.Errorf("three full-width characters are %v wide", w)
	}
	f := texts{MeasureSans, 10, false, false}
	for _, c := range []struct {
		text string
		room float64
		want string
	}{{"Berlin", 100, "Berlin"}, {"Federal Republic", 50, "Federal…"}, {"Berlin", 3, ""}} {
		if got := f.fit(c.text, c.room); got != c.want {
			t.Errorf("%q in %v: %q, want %q", c.text, c.room, got, c.want)
		}
	}
	if lines, ok := f.wrap("Share of 12 %", 45, 2); !ok || strings.Join(lines, "|") != "Share of|12 %" {
		t.Errorf("%q %v", lines, ok)
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

// The figures of axes are tabular, and so are their signs: a measure without
// that cut the minus of the lowest label at the edge.
func TestLabelsOfAxesAreMeasuredWithTabularFigures(t *testing.T) {
	f := Style{LabelSize: 100, Measure: MeasureSans}
	for text, want := range map[string]float64{"−1,000": 5*65 + 29, "-11": 3 * 65, "(1.1)": 2*39 + 2*65 + 29} {
		if got := f.labels().width(text); math.Abs(got-want*safety) > 2 {
			t.Errorf("%s is %v wide, want %v", text, got, want*safety)
		}
	}
}

func TestLabelsAreForAllOrNone(t *testing.T) {
	warned := ""
	warn := func(message string) { warned += message }
	full := months(Column, 1, true) // the greatest is at the end of the axis
	full.Turned, full.Value.Max, full.Height, full.Warn = true, 140, 300, warn
	full.Series[0].Points[3].Y, full.Series[0].Points[3].Label = 140, "140"
	written := func(c *XY) string {
		_, labels, _ := strings.Cut(string(c.Render()), "q-c-data")
		labels, _, _ = strings.Cut(labels, "</g>")
		return labels
	}
	if labels := written(full); strings.Count(labels, "<text") != 12 || strings.Contains(labels, "q-c-in") || warned != "" {
		t.Errorf("bars up to the end of their axis: %s %s", labels, warned)
	}
	warned = ""
	tight := months(Line, 6, true)
	tight.Warn = warn
	labels := written(tight)
	if n := strings.Count(labels, "<text"); n%12 != 0 || strings.Count(warned, "no room for 12 labels") != 6-n/12 {
		t.Errorf("crossing lines: %d labels, warned of %q", n, warned)
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

func TestTicksOfForcedEndsAreEven(t *testing.T) {
	for seed := range uint64(1500) {
		p := newPlot(wild(rand.New(rand.NewPCG(seed, 9))))
		p.prepare()
		p.layout()
		for _, a := range []*axis{&p.value, &p.second} {
			for i := 2; i < len(a.ticks); i++ {
				one, other := a.ticks[i].v-a.ticks[i-1].v, a.ticks[i-1].v-a.ticks[i-2].v
				if math.Abs(one-other) > math.Abs(one)*1e-6 {
					t.Fatalf("seed %d: the ticks %v %v %v are uneven", seed, a.ticks[i-2].v, a.ticks[i-1].v, a.ticks[i].v)
				}
			}
		}
	}
}

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

// An outline of letters makes Type 3 fonts in PDF files.
func TestLabelsHaveNoOutline(t *testing.T) {
	c := months(Line, 1, true)
	c.Series = append(c.Series, Series{Kind: Marker, Name: "Limit", Labels: true, Points: []Point{{X: math.NaN(), Y: 100, Label: "Limit"}}})
	if doc := string(c.Render()); !strings.Contains(doc, `class="q-c-halo"`) {
		t.Error("a label across a line has no ground")
	}
}

func TestNamesWithoutRoomAreSmallerOrWarnedOf(t *testing.T) {
	names := func(n int, turned bool, width, height float64) (doc, warned string) {
		c := months(Column, 1, false)
		c.Turned, c.Width, c.Height, c.Legend, c.Base.Categories = turned, width, height, "none", nil
		c.Warn = func(message string) { warned += message }
		for i := range n {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprint("Branch of town ", i))
		}
		return string(c.Render()), warned
	}
	for _, test := range []struct {
		n             int
		turned        bool
		width, height float64
		size, angle   string // of the labels, where they are not the usual ones
		named         bool   // all of them
	}{
		{40, true, 400, 420, "7.", "", true},
		{80, true, 400, 420, "", "", false},
		{20, false, 420, 220, "", "rotate(-40)", true},
		{30, false, 420, 220, "10.", "rotate(-60)", true},
		{40, false, 420, 220, "7.", "rotate(-60)", true},
		{46, false, 420, 220, "7.", "rotate(-90)", true},
		{60, false, 420, 220, "", "rotate(-90)", false},
	} {
		doc, warned := names(test.n, test.turned, test.width, test.height)
		_, size, _ := strings.Cut(doc, "--chart-label-size:")
		if (test.size == "") != (size == "") || !strings.HasPrefix(size, test.size) || !strings.Contains(doc, test.angle) {
			t.Errorf("%+v: labels of %.6s, turned: %v", test, size, strings.Contains(doc, "rotate("))
		}
		got, want := labelled([]byte(doc), "Branch"), ""
		if got < test.n {
			want = fmt.Sprintf("there is no room for the names of %d of %d categories", test.n-got, test.n)
		}
		if warned != want || (got == test.n) != test.named {
			t.Errorf("%+v: %d names, %q", test, got, warned)
		}
	}
}

// The highest label of the value axis is where the plot begins, whatever the size
// of labels.
func TestTheHighestLabelIsThere(t *testing.T) {
	for n := range 60 {
		c := months(Column, 1, false)
		c.Width, c.Height, c.Legend, c.Base.Categories, c.Value.Title = 420, 220, "none", nil, ""
		for i := range n + 1 {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprint("Branch of town ", i))
		}
		doc := string(c.Render())
		_, lines, _ := strings.Cut(doc, `class="q-c-guide" d="`)
		lines, _, _ = strings.Cut(lines, `"`)
		labels := regexp.MustCompile(`text-anchor="end">\d+<`).FindAllString(doc, -1)
		if want := strings.Count(lines, "H") + 1; len(labels) != want {
			t.Errorf("%d categories: %d labels of values, want %d", n+1, len(labels), want)
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
