package htmlgen

import (
	"fmt"
	"math"
	"strings"

	"github.com/quire-reports/quire/report"
)

var sparkline = define("sparkline", "Sparkline", "Charts", "A row of values as a small line, bars, or wins and losses, as high as a line of text; in tables by the component renderer.", compileSparkline, colors(ColorsOfParts), icon("trending-up"), looksBy(`
.q-sparkline{min-width:24px}
.q-sparkline svg{display:block;width:100%}
`))

type sparklineProps struct {
	Source string `json:"source" label:"Data source" editor:"binding" help:"Array of rows or numbers, for example $record.months." ask:"A list of rows or numbers, such as $record.months."`
	transformProps
	Field    string `json:"valueField" label:"Value field" editor:"field" help:"Field of the values; without one the items are the values. Empty values are gaps."`
	Kind     string `json:"kind" enum:"line,bar,win-loss" default:"line"`
	Last     bool   `json:"markLast" label:"Mark the last value" default:"true" help:"Whether a line has a dot at its last value."`
	Min      string `json:"min" label:"Least value" editor:"template" help:"Where the drawing begins: a number, a value or an expression. Default: the least value; of bars zero, if that is less."`
	Max      string `json:"max" label:"Greatest value" editor:"template" help:"Where the drawing ends. Default: the greatest value."`
	Color    string `json:"color" editor:"color" default:"var(--primary)"`
	Negative string `json:"negativeColor" label:"Negative color" editor:"color" default:"#b3261e" help:"Color of values below zero; they stand below the middle or the zero line, too."`
	AltText  string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the drawing. Default: the values, of many the first, the last, the least and the greatest."`
	Box
}

// A sparkline is drawn in these units, whatever its width and height.
const sparkWide, sparkHigh = 200, 40

// sparkHeight is the height in pixels of one without a height, mostSaid how many values
// are read out.
const sparkHeight, mostSaid = 20, 8

func compileSparkline(c *Context, e *Element, p *sparklineProps) {
	values := c.sparkValues(e, p)
	c.Open(e, tag{name: "div", drawing: true, box: &p.Box})
	c.sparkDrawing(e, p, values, within(absolute(length(p.Height)), 1, 2000, sparkHeight))
}

// sparkDrawing writes what is in the node whose start tag is open: a drawing of values,
// so many pixels high, and what it says.
func (c *Context) sparkDrawing(e *Element, p *sparklineProps, values []float64, height float64) {
	c.Raw(` role="img"`)
	c.Attr("aria-label", firstOf(strings.TrimSpace(c.Expand(p.AltText)), c.sparkText(values)))
	c.Raw(`><svg aria-hidden="true" preserveAspectRatio="none"`)
	c.Attr("viewBox", fmt.Sprintf("0 0 %d %d", sparkWide, sparkHigh))
	c.Attr("height", tenths(height))
	c.Raw(">")
	if c.Env.Locale.RightToLeft() {
		c.Raw(fmt.Sprintf(`<g transform="matrix(-1 0 0 1 %d 0)">`, sparkWide))
	} else {
		c.Raw("<g>")
	}
	s := spark{c: c, values: values, color: firstOf(cssValue(p.Color), "var(--primary)"), negative: firstOf(cssValue(p.Negative), "#b3261e")}
	s.low, s.high = c.sparkEnds(e, p, values)
	switch p.Kind {
	case "bar":
		s.bars()
	case "win-loss":
		s.winLoss()
	default:
		s.line(p.Last)
	}
	c.Raw("</g></svg></div>\n")
}

// sparkValues are the values; one that is missing is not a number.
func (c *Context) sparkValues(e *Element, p *sparklineProps) []float64 {
	if p.Source == "" {
		c.Warn(e, "the sparkline has no data source")
		return nil
	}
	rows := c.SourceRows(e, p.Source)
	if p.Field != "" {
		c.missingField(e, "valueField", rows, p.Field)
	}
	values, wrong := make([]float64, len(rows)), 0
	for i, v := range rows {
		if o, ok := v.(*report.Object); ok {
			v, _ = o.Get(p.Field)
		}
		n, ok := plainNumber(v)
		if !ok && v != nil && v != "" {
			wrong++
		}
		if values[i] = n; !ok {
			values[i] = math.NaN()
		}
	}
	c.noNumbers(e, wrong, firstOf(p.Field, p.Source), "numbers")
	return values
}

// sparkEnds are the values at the bottom and the top.
func (c *Context) sparkEnds(e *Element, p *sparklineProps, values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if p.Kind == "bar" {
		low, high = min(low, 0), max(high, 0)
	}
	if v, ok := c.measure(e, "min", p.Min); ok {
		low = v
	}
	if v, ok := c.measure(e, "max", p.Max); ok {
		high = v
	}
	beyond := 0
	for _, v := range values {
		if v < low || v > high {
			beyond++
		}
	}
	if beyond > 0 {
		c.Warn(e, "%d values lie beyond the ends of the sparkline and are drawn at them", beyond)
	}
	return low, high
}

// sparkText says the values to those who do not see them.
func (c *Context) sparkText(values []float64) string {
	var said []string
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			said = append(said, c.formatted("n;0;2", v))
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case len(said) == 0:
		return "–"
	case len(said) > mostSaid:
		return fmt.Sprintf("%s … %s (%s – %s)", said[0], said[len(said)-1], c.formatted("n;0;2", low), c.formatted("n;0;2", high))
	}
	return strings.Join(said, "; ")
}

// spark draws values between two ends.
type spark struct {
	c               *Context
	values          []float64
	low, high       float64
	color, negative string
}

// sparkEdge is the room that lines and dots have at the edges.
const sparkEdge = 4

// y is the height of a value, within the ends.
func (s *spark) y(v float64) float64 {
	if s.high <= s.low {
		return sparkHigh / 2
	}
	share := (min(max(v, s.low), s.high) - s.low) / (s.high - s.low)
	return sparkHigh - sparkEdge - share*(sparkHigh-2*sparkEdge)
}

func (s *spark) line(last bool) {
	step := float64(sparkWide-2*sparkEdge) / float64(max(1, len(s.values)-1))
	var d strings.Builder
	pen, x, y := "M", 0.0, 0.0
	for i, v := range s.values {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		x, y = sparkEdge+float64(i)*step, s.y(v)
		d.WriteString(pen + tenths(x) + " " + tenths(y))
		if pen == "M" {
			d.WriteString("h0") // a value between gaps is a dot
		}
		pen = "L"
	}
	if d.Len() == 0 {
		return
	}
	draw := func(path, width string) {
		s.c.Raw(`<path fill="none" vector-effect="non-scaling-stroke" stroke-linecap="round" stroke-linejoin="round"`)
		s.c.Attr("d", path)
		s.c.Attr("stroke", s.color)
		s.c.Attr("stroke-width", width)
		s.c.Raw("/>")
	}
	draw(d.String(), "1.5")
	if last || len(s.values) == 1 { // a line of no length with round ends is a dot, whatever the drawing is stretched to
		draw("M"+tenths(x)+" "+tenths(y)+"h0", "5")
	}
}

func (s *spark) bars() {
	zero := s.y(0)
	s.each(func(x, wide, v float64) {
		top, bottom := min(s.y(v), zero), max(s.y(v), zero)
		s.bar(x, top, wide, max(bottom-top, 0.5), v)
	})
}

func (s *spark) winLoss() {
	s.each(func(x, wide, v float64) {
		switch {
		case v > 0:
			s.bar(x, sparkEdge, wide, sparkHigh/2-sparkEdge-1, v)
		case v < 0:
			s.bar(x, sparkHigh/2+1, wide, sparkHigh/2-sparkEdge-1, v)
		default:
			s.bar(x, sparkHigh/2-1, wide, 2, v)
		}
	})
}

// each gives the places of bars for the values that are there.
func (s *spark) each(draw func(x, wide, v float64)) {
	step := float64(sparkWide) / float64(max(1, len(s.values)))
	for i, v := range s.values {
		if !math.IsNaN(v) {
			draw(float64(i)*step+step*0.12, step*0.76, v)
		}
	}
}

func (s *spark) bar(x, y, wide, high, v float64) {
	color := s.color
	if v < 0 {
		color = s.negative
	}
	s.c.Raw("<rect")
	s.c.Attr("x", tenths(x))
	s.c.Attr("y", tenths(y))
	s.c.Attr("width", tenths(wide))
	s.c.Attr("height", tenths(high))
	s.c.Attr("fill", color)
	s.c.Raw("/>")
}
