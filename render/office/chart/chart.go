// Package chart writes charts of Office (DrawingML, ECMA-376 part 1, 21.2): plots
// that share axes, with the values that they had when they were written. Where the
// values stand is said by formulas, so that who changes a value changes the chart. It
// is a leaf: what is plotted how others decide.
package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/render/office/opc"
)

// Chart is a chart. Its plots are drawn one over the other.
type Chart struct {
	Plots               []Plot
	Base, Value, Second Axis
	Legend              string  // top, right, bottom, left; empty: none
	Color               string  // of texts and axes; six hexadecimal digits as all colours, or one of a theme, such as accent1
	Font                string  // of texts; empty: that of the file
	Size                float64 // of texts, in points; 0: 9
	Mirrored            bool    // from right to left
	Data                string  // the relationship of the chart's part with the workbook that holds the values; empty: they stand in the same file
}

// Kind is how values are drawn.
type Kind int

// The kinds of plots.
const (
	Columns Kind = iota
	Lines
	Areas
	Points // pairs of numbers
	Pie
)

// Plot is some series that are drawn the same way.
type Plot struct {
	Kind    Kind
	Turned  bool // columns lie
	Stacked bool
	Shares  bool // stacks are shares of their sum
	Second  bool // on the second axis of values
	Gap     int  // between columns, as a percentage of their width
	Hole    int  // of a ring, as a percentage of its radius; 0: a pie
	Start   int  // of the first slice, in degrees clockwise from twelve o'clock
	Series  []Series
}

// Series is one set of values.
type Series struct {
	Name         Ref
	Base, Values Ref
	Color        string
	Colors       []string // of each value; empty: Color
	Width        float64  // of lines, in points; 0: none
	Dash         string   // sysDot, dash …; empty: none
	Smooth       bool
	Marker       string // circle, square, triangle; empty: none
	MarkerSize   int
	Labels       bool
	Named        bool     // labels say the name of the series instead of the value
	LabelCode    string   // number format code of the labels; empty: that of the values
	LabelCodes   []string // of each value; empty: LabelCode
	Ink          string   // colour of labels that stand in columns; empty: beyond them
	Inks         []string // colours of labels that stand in slices of a ring
	Names        bool     // labels of slices say their names
	Shares       bool     // and their shares
	Opacity      float64
	Trend        Trend
	Period       int // of a moving average
}

// Trend is a line that programs draw through the values.
type Trend string

// The trends; the empty one is none.
const (
	Linear        Trend = "linear"
	Exponential   Trend = "exp"
	MovingAverage Trend = "movingAvg"
)

// Ref is a range of cells, and what they held when the chart was written.
type Ref struct {
	Formula string
	Texts   []string  // or
	Numbers []float64 // NaN is a gap
	Code    string    // number format code of the numbers
}

// Axis is an axis of a chart.
type Axis struct {
	Numbers  bool // it measures numbers; otherwise it names places
	Days     bool // its places are days
	Title    string
	Min, Max float64 // NaN: from the values
	Inverted bool
	Hidden   bool
	Lines    bool // lines across the plot
	Log      bool // each power of ten has the same room
	Whole    bool // a step is one
	Code     string
}

const (
	namespace     = "http://schemas.openxmlformats.org/drawingml/2006/chart"
	drawing       = "http://schemas.openxmlformats.org/drawingml/2006/main"
	relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

	baseID, valueID, secondBaseID, secondID = 1001, 1002, 1003, 1004
)

// writer writes a chart.
type writer struct {
	*opc.XML
	c      *Chart
	order  int // of the next series
	trends int // how many there are
}

// Write writes the content of the chart's part.
func (c *Chart) Write(x *opc.XML) {
	w := &writer{XML: x, c: c}
	x.Open("c:chartSpace").Attr("xmlns:c", namespace).Attr("xmlns:a", drawing).Attr("xmlns:r", relationships)
	w.val("c:date1904", "0")
	w.val("c:roundedCorners", "0")
	x.Open("c:chart")
	w.val("c:autoTitleDeleted", "1")
	x.Open("c:plotArea").Open("c:layout").Close()
	for i := range c.Plots {
		w.plot(&c.Plots[i])
	}
	w.axes()
	x.Close()
	if c.Legend != "" {
		x.Open("c:legend")
		w.val("c:legendPos", map[string]string{"top": "t", "right": "r", "left": "l"}[c.Legend], "b")
		for i := range w.trends { // they follow the series, and pages name them no more
			w.Open("c:legendEntry")
			w.val("c:idx", strconv.Itoa(w.order+i))
			w.flag("c:delete", true)
			w.Close()
		}
		w.val("c:overlay", "0")
		x.Close()
	}
	w.val("c:plotVisOnly", "0") // rows that are hidden stay in the picture
	w.val("c:dispBlanksAs", "gap")
	x.Close()
	if c.Data != "" { // it has neither ground nor frame, as it is printed
		x.Open("c:spPr").Open("a:noFill").Close().Open("a:ln").Open("a:noFill").Close().Close().Close()
	}
	w.text(c.Color)
	if c.Data != "" {
		x.Open("c:externalData").Attr("r:id", c.Data)
		w.flag("c:autoUpdate", false)
		x.Close()
	}
	x.Close()
}

// val writes an element that has a value and nothing else; the first that is not
// empty counts.
func (w *writer) val(name string, values ...string) {
	for _, v := range values {
		if v != "" {
			w.Open(name).Attr("val", v).Close()
			return
		}
	}
}

func (w *writer) flag(name string, on bool) {
	if on {
		w.val(name, "1")
	} else {
		w.val(name, "0")
	}
}

// size is that of texts, in hundredths of points.
func (w *writer) size() int {
	if w.c.Size > 0 {
		return int(math.Round(min(max(w.c.Size, 1), 400) * 100))
	}
	return 900
}

// text is how texts look.
func (w *writer) text(color string) {
	w.Open("c:txPr").Open("a:bodyPr").Close().Open("a:lstStyle").Close().Open("a:p").Open("a:pPr").Open("a:defRPr").Int("sz", w.size()).Attr("b", "0")
	if color != "" {
		w.fill(color, 0)
	}
	if w.c.Font != "" {
		for _, script := range []string{"a:latin", "a:cs"} {
			w.Open(script).Attr("typeface", w.c.Font).Close()
		}
	}
	w.Close().Close().Open("a:endParaRPr").Attr("lang", "en-US").Close().Close().Close()
}

func (w *writer) fill(color string, opacity float64) {
	w.Open("a:solidFill")
	if strings.HasPrefix(color, "accent") {
		w.Open("a:schemeClr").Attr("val", color)
	} else {
		w.Open("a:srgbClr").Attr("val", color)
	}
	if opacity > 0 && opacity < 1 {
		w.val("a:alpha", strconv.Itoa(int(opacity*100_000)))
	}
	w.Close().Close()
}

var names = map[Kind]string{Columns: "c:barChart", Lines: "c:lineChart", Areas: "c:areaChart", Points: "c:scatterChart", Pie: "c:pieChart"}

func (w *writer) plot(p *Plot) {
	name := names[p.Kind]
	if p.Kind == Pie && p.Hole > 0 {
		name = "c:doughnutChart"
	}
	w.Open(name)
	switch p.Kind {
	case Columns:
		w.val("c:barDir", map[bool]string{true: "bar", false: "col"}[p.Turned])
		w.val("c:grouping", p.grouping("clustered"))
	case Lines, Areas:
		w.val("c:grouping", p.grouping("standard"))
	case Points:
		w.val("c:scatterStyle", "lineMarker")
	}
	w.flag("c:varyColors", p.Kind == Pie)
	for i := range p.Series {
		w.series(p, &p.Series[i])
	}
	switch p.Kind {
	case Columns:
		w.val("c:gapWidth", strconv.Itoa(min(max(p.Gap, 0), 500)))
		if p.Stacked || p.Shares {
			w.val("c:overlap", "100")
		}
	case Lines:
		w.val("c:marker", "1")
	case Pie:
		w.val("c:firstSliceAng", strconv.Itoa(((p.Start%360)+360)%360))
		if p.Hole > 0 {
			w.val("c:holeSize", strconv.Itoa(min(max(p.Hole, 10), 90)))
		}
		w.Close()
		return
	}
	base, value := baseID, valueID
	if p.Second {
		base, value = secondBaseID, secondID
	}
	w.val("c:axId", strconv.Itoa(base))
	w.val("c:axId", strconv.Itoa(value))
	w.Close()
}

func (p *Plot) grouping(plain string) string {
	switch {
	case p.Shares:
		return "percentStacked"
	case p.Stacked:
		return "stacked"
	}
	return plain
}

func (w *writer) series(p *Plot, s *Series) {
	w.Open("c:ser")
	w.val("c:idx", strconv.Itoa(w.order))
	w.val("c:order", strconv.Itoa(w.order))
	w.order++
	if s.Name.Formula != "" || len(s.Name.Texts) > 0 {
		w.Open("c:tx")
		w.ref(&s.Name)
		w.Close()
	}
	if p.Kind != Pie {
		w.shape(p, s, s.Color)
	}
	switch p.Kind {
	case Columns:
		w.val("c:invertIfNegative", "0")
	case Lines, Points:
		w.marker(s)
	}
	for i, color := range s.Colors {
		w.Open("c:dPt")
		w.val("c:idx", strconv.Itoa(i))
		if p.Kind == Columns {
			w.val("c:invertIfNegative", "0")
		}
		w.val("c:bubble3D", "0")
		w.shape(p, s, color)
		w.Close()
	}
	w.labels(p, s)
	w.trend(p, s)
	if p.Kind == Points {
		w.Open("c:xVal")
		w.ref(&s.Base)
		w.Close().Open("c:yVal")
	} else {
		w.Open("c:cat")
		w.ref(&s.Base)
		w.Close().Open("c:val")
	}
	w.ref(&s.Values)
	w.Close()
	if p.Kind == Lines || p.Kind == Points {
		w.flag("c:smooth", s.Smooth)
	}
	w.Close()
}

// trend writes the trend line of a series: programs compute it anew.
func (w *writer) trend(p *Plot, s *Series) {
	if s.Trend == "" || p.Stacked || p.Kind == Pie {
		return
	}
	w.trends++
	color := s.Color
	if p.Kind == Columns || p.Kind == Areas { // it runs over them
		color = w.c.Color
	}
	w.Open("c:trendline").Open("c:spPr").Open("a:ln").Int("w", 14_288).Attr("cap", "rnd")
	if color != "" {
		w.fill(color, 0)
	}
	w.val("a:prstDash", "sysDash")
	w.Close().Close()
	w.val("c:trendlineType", string(s.Trend))
	if s.Trend == MovingAverage {
		w.val("c:period", strconv.Itoa(min(max(s.Period, 2), 255)))
	}
	w.flag("c:dispRSqr", false)
	w.flag("c:dispEq", false)
	w.Close()
}

// shape is how columns, areas, slices and lines look.
func (w *writer) shape(p *Plot, s *Series, color string) {
	w.Open("c:spPr")
	filled := p.Kind == Columns || p.Kind == Areas || p.Kind == Pie
	if filled && color != "" {
		w.fill(color, s.Opacity)
	}
	w.Open("a:ln")
	switch {
	case p.Kind == Pie:
		w.Int("w", 9525)
		w.fill("FFFFFF", 0)
	case p.Kind == Columns || s.Width <= 0:
		w.Open("a:noFill").Close()
	default:
		w.Int("w", int(s.Width*12_700)).Attr("cap", "rnd")
		opacity := s.Opacity
		if filled { // the line around an area is not
			opacity = 0
		}
		if color != "" {
			w.fill(color, opacity)
		}
		if s.Dash != "" {
			w.val("a:prstDash", s.Dash)
		}
		w.Open("a:round").Close()
	}
	w.Close().Close()
}

func (w *writer) marker(s *Series) {
	w.Open("c:marker")
	w.val("c:symbol", s.Marker, "none")
	if s.Marker != "" {
		w.val("c:size", strconv.Itoa(min(max(s.MarkerSize, 2), 72)))
		w.Open("c:spPr")
		if s.Color != "" {
			w.fill(s.Color, s.Opacity)
		}
		w.Open("a:ln").Open("a:noFill").Close().Close().Close()
	}
	w.Close()
}

func (w *writer) labels(p *Plot, s *Series) {
	if !s.Labels {
		return
	}
	w.Open("c:dLbls")
	place := ""
	switch {
	case s.Ink != "":
		place = "ctr"
	case p.Kind == Columns && !p.Stacked && !p.Shares, p.Kind == Pie && p.Hole == 0:
		place = "outEnd"
	case p.Kind == Lines || p.Kind == Points:
		place = "t"
	}
	for i := range max(len(s.Inks), len(s.LabelCodes)) {
		own, ink := s.LabelCode, s.Ink
		if i < len(s.LabelCodes) && s.LabelCodes[i] != "" {
			own = s.LabelCodes[i]
		}
		if i < len(s.Inks) && p.Kind == Pie && p.Hole > 0 && s.Inks[i] != "" {
			ink = s.Inks[i]
		}
		if own == s.LabelCode && ink == s.Ink {
			continue
		}
		w.Open("c:dLbl")
		w.val("c:idx", strconv.Itoa(i))
		w.label(p, s, own, ink, place)
		w.Close()
	}
	w.label(p, s, s.LabelCode, s.Ink, place)
	if p.Kind == Pie {
		w.flag("c:showLeaderLines", p.Hole == 0)
	}
	w.Close()
}

// label writes what labels say and how they look: an empty ink is that of the chart.
func (w *writer) label(p *Plot, s *Series, code, ink, place string) {
	if code != "" {
		w.Open("c:numFmt").Attr("formatCode", code).Attr("sourceLinked", "0").Close()
	}
	if ink != "" {
		w.text(ink)
	}
	w.val("c:dLblPos", place)
	w.flag("c:showLegendKey", false)
	w.flag("c:showVal", p.Kind != Pie && !s.Named)
	w.flag("c:showCatName", p.Kind == Pie && s.Names)
	w.flag("c:showSerName", s.Named)
	w.flag("c:showPercent", p.Kind == Pie && s.Shares)
	w.flag("c:showBubbleSize", false)
}

// ref writes where values stand, and what they were.
func (w *writer) ref(r *Ref) {
	numbers := r.Texts == nil
	if numbers {
		w.Open("c:numRef").Leaf("c:f", r.Formula).Open("c:numCache").Leaf("c:formatCode", code(r.Code))
		w.val("c:ptCount", strconv.Itoa(len(r.Numbers)))
	} else {
		w.Open("c:strRef").Leaf("c:f", r.Formula).Open("c:strCache")
		w.val("c:ptCount", strconv.Itoa(len(r.Texts)))
	}
	for i, v := range r.Numbers {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			w.Open("c:pt").Int("idx", i).Leaf("c:v", opc.Digits(v)).Close()
		}
	}
	for i, text := range r.Texts {
		w.Open("c:pt").Int("idx", i).Leaf("c:v", text).Close()
	}
	w.Close().Close()
}

func code(c string) string {
	if c == "" {
		return "General"
	}
	return c
}
