package htmlgen

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report/text"
)

// What the two native charts share: their frame, style and reading of values.

var chartCSS = ownStyle("chart.css")

// chartFrame is what every chart is described and framed by.
type chartFrame struct {
	AltText    string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the chart; an empty one is exported as Chart."`
	Decorative bool   `json:"decorative" help:"The chart says nothing that the text does not; readers skip it."`
	DataTable  bool   `json:"dataTable" label:"Data table for readers" help:"Screen readers read the values as a table, in HTML and in accessible PDF files; nobody sees it. With decorative they read the table alone."`
	EmptyText  string `json:"emptyText" label:"Empty text" editor:"template" help:"Shown when there are no values. Default: No data, in the language of the report."`
	Font
	Box
}

// defaultChartHeight is the height of a chart that has none, in pixels.
const defaultChartHeight = 260

// writeChart writes the figure around a chart that draw makes in a size, with
// what it shows as a table.
func (c *Context) writeChart(e *Element, f *chartFrame, draw func(width, height float64) (svg []byte, table func() chartTable, mark func() *chartMark)) {
	width := c.outer(&f.Box) - c.horizontal(f.Padding)
	height := c.px(f.Height, 0, 0)
	if height <= 0 {
		height = defaultChartHeight
	} else {
		height = max(1, height-c.vertical(f.Padding))
	}
	inRow := c.inRow
	classes := ""
	if f.DataTable {
		classes = "q-charted"
	}
	c.Open(e, tag{name: "figure", classes: classes, font: &f.Font, box: &f.Box, extra: func(s *style) {
		if inRow && f.Width == "" && !f.Grow {
			s.add("flex", "1 1 0")
		}
		c.keepReadable(s, width)
		s.add("--chart-label-size", length(f.FontSize))
		s.add("--legend-font-size", length(f.FontSize))
		s.add("--chart-label-color", cssValue(f.Color))
	}})
	if f.DataTable {
		c.Raw("><div")
	}
	c.describe(f.AltText, f.Decorative)
	c.Raw(">")
	svg, table, mark := draw(max(width, 1), height)
	c.buf = append(c.buf, svg...)
	if mark != nil && (c.in.Typed || c.in.Charted) {
		c.typedChart(mark())
	}
	if f.DataTable {
		c.Raw("</div>\n")
		c.writeChartTable(e, table(), width, height)
	}
	c.Raw("</figure>\n")
}

// chartStyle is the theme's chart style in pixels.
func (c *Context) chartStyle(f *chartFrame) chart.Style {
	t := &c.theme.Chart
	l := &c.theme.Legend
	return chart.Style{
		Measure:      measureAs(&f.Font),
		LabelSize:    c.px(firstOf(length(f.FontSize), t.LabelSize), 0, 0),
		TitleSize:    c.px(t.TitleSize, 0, 0),
		LegendSize:   c.px(firstOf(length(f.FontSize), l.FontSize), 0, 0),
		LegendBold:   l.FontWeight >= "600",
		LegendMarker: c.px(l.MarkerSize, 0, 0),
		LegendGap:    c.px(l.Gap, 0, 0),
		RightToLeft:  c.Env.Locale.RightToLeft(),
	}
}

// measureAs measures the texts of a chart as its font shows them.
func measureAs(f *Font) chart.Measure {
	heavy := f.FontWeight == "bold" || len(f.FontWeight) == 3 && f.FontWeight >= "600"
	return func(s string, size float64, bold bool) float64 {
		switch f.TextTransform {
		case "uppercase":
			s = strings.ToUpper(s)
		case "lowercase":
			s = strings.ToLower(s)
		case "capitalize":
			s = capitalized(s)
		}
		return chart.MeasureSans(s, size, bold || heavy)
	}
}

// capitalized begins each word with a capital letter.
func capitalized(s string) string {
	before := ' '
	return strings.Map(func(r rune) rune {
		inside := unicode.IsLetter(before) || unicode.IsDigit(before)
		before = r
		if inside {
			return r
		}
		return unicode.ToUpper(r)
	}, s)
}

// emptyText is what a chart without values says.
func (c *Context) emptyText(f *chartFrame) string {
	if f.EmptyText != "" {
		return strings.TrimSpace(c.Shown(f.EmptyText))
	}
	return noData(c.Env.Locale)
}

// legendEntry is the text of a legend as the theme writes it.
func (c *Context) legendEntry(s string) string {
	s = strings.TrimSpace(s)
	switch c.theme.Legend.TextTransform {
	case "uppercase":
		return strings.ToUpper(s)
	case "lowercase":
		return strings.ToLower(s)
	}
	return s
}

// visible keeps an opacity of zero apart from one that is not set.
func visible(opacity float64) float64 { return max(opacity, 1e-4) }

// paletteColor is the CSS of a palette colour, counted from 0.
func paletteColor(i int) string {
	const size = 16
	return fmt.Sprintf("var(--chart-%d)", ((i%size)+size)%size+1)
}

// inkOn is a colour for text on another: white, or the text's on light ones.
func (c *Context) inkOn(color string) string {
	if l, ok := luminance(c.resolved(color)); ok && l > 0.36 {
		return "var(--text)"
	}
	return "#fff"
}

// inkOnTint is a colour for text on a tint: a colour through which white paper shows.
func (c *Context) inkOnTint(color string, share float64) string {
	const even = 0.18 // white and black are told apart from it alike
	hex := strings.TrimPrefix(strings.TrimSpace(c.resolved(color)), "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	v, err := strconv.ParseUint(hex[:min(6, len(hex))], 16, 32)
	if err != nil || len(hex) < 6 {
		return c.inkOn(color)
	}
	tint := func(b uint64) uint64 { return uint64(255 - share*(255-float64(b&0xff))) }
	if l, _ := luminance(fmt.Sprintf("%02x%02x%02x", tint(v>>16), tint(v>>8), tint(v))); l <= even {
		return "#fff"
	}
	return "var(--text)"
}

// resolved is the value of a colour that the theme has a name for.
func (c *Context) resolved(color string) string {
	for i, p := range c.theme.Chart.Palette {
		if color == paletteColor(i) {
			color = p
		}
	}
	for _, named := range c.theme.Colors {
		if name := variableName(named.Name); color == "var(--"+name+")" || color == "var(--color-"+name+")" {
			color = named.Value
		}
	}
	return color
}

// luminance is the lightness of a hex colour as people see it, 0 to 1.
func luminance(hex string) (float64, bool) {
	hex = strings.TrimPrefix(strings.TrimSpace(hex), "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	if len(hex) < 6 {
		return 0, false
	}
	v, err := strconv.ParseUint(hex[:6], 16, 32)
	if err != nil {
		return 0, false
	}
	linear := func(b uint64) float64 { return math.Pow(float64(b&0xff)/255, 2.2) }
	return 0.2126*linear(v>>16) + 0.7152*linear(v>>8) + 0.0722*linear(v), true
}

// plainNumber is a value as a number; false for what is none.
func plainNumber(v any) (float64, bool) {
	var f float64
	var err error
	switch v := v.(type) {
	case json.Number:
		f, err = strconv.ParseFloat(string(v), 64)
	case int64:
		f = float64(v)
	case float64:
		f = v
	case string:
		f, err = strconv.ParseFloat(strings.TrimSpace(v), 64)
	default:
		return 0, false
	}
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// timeOf is a value as a time in milliseconds since 1970.
func (c *Context) timeOf(v any) (float64, bool) {
	switch v := v.(type) {
	case time.Time:
		return float64(v.UnixMilli()), true
	case string:
		t, ok := text.ParseTime(v, c.Env.Zone)
		return float64(t.UnixMilli()), ok
	}
	return plainNumber(v)
}

// field reads a field of a row; a path that no row has is a warning.
func (c *Context) fieldPath(source string) *text.Path {
	p, ok := c.paths[source]
	if !ok {
		p = text.ParsePath(bare(source))
		c.paths[source] = p
	}
	return p
}

// withRecord runs something with a row in scope.
func (c *Context) withRecord(row any, do func()) {
	outer := c.scope
	c.scope.record, c.scope.hasRecord = row, true
	do()
	c.scope = outer
}

// formatted is a value in a format as people see it in a chart.
func (c *Context) formatted(format string, v any) string {
	return string(c.format(format).Append(nil, v, c.Env, text.Printed))
}

// compactFrom is the size from which numbers of charts are written short.
const compactFrom = 1e6

// chartNumber writes a number without a format: as many decimals as the step
// needs, large ones short.
func (c *Context) chartNumber(v, step, most float64) string {
	switch {
	case most >= 1e15 || step < 1e-9:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case most >= compactFrom:
		return c.formatted("n;0;2;c", v)
	}
	d := strconv.Itoa(chart.Decimals(step))
	return c.formatted("n;"+d+";"+d, v)
}

// chartValue writes a value of the data without a format.
func (c *Context) chartValue(v float64) string {
	size := math.Abs(v)
	switch {
	case size >= 1e15 || size > 0 && size < 1e-6:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case size >= compactFrom:
		return c.formatted("n;0;2;c", v)
	case size < 1:
		return c.formatted("n;0;4", v)
	}
	return c.formatted("n;0;2", v)
}

// chartMoment writes the label of a time tick for its unit.
func (c *Context) chartMoment(t time.Time, unit chart.Unit) (label, below string) {
	switch unit {
	case chart.Year:
		return c.formatted("d;yyyy", t), ""
	case chart.Quarter, chart.Month:
		return c.formatted("d;MMM", t), c.formatted("d;yyyy", t)
	case chart.Week, chart.Day:
		return c.formatted("d;MMMd", t), c.formatted("d;yyyy", t)
	case chart.Hour, chart.Minute:
		return c.formatted("t", t), c.formatted("d;yyyyMMMd", t)
	case chart.Second:
		return c.formatted("t;HHmmss", t), c.formatted("d;yyyyMMMd", t)
	}
	return fmt.Sprintf(".%03d", t.Nanosecond()/1e6), c.formatted("t;HHmmss", t)
}

// rowsOf is the rows of a chart; one without a source is a warning.
func (c *Context) rowsOf(e *Element, source string) []any {
	if source == "" {
		c.Warn(e, "the chart has no data source")
		return nil
	}
	return c.SourceRows(e, source)
}

// missingField reports whether no row has the field of a setting, and warns.
func (c *Context) missingField(e *Element, setting string, rows []any, field string) bool {
	if field == "" || len(rows) == 0 {
		return false
	}
	for _, row := range rows {
		if _, found := c.fieldPath(field).Of(row); found {
			return false
		}
	}
	c.warnAt(e, setting, "%s", steps.NoField(field, rows))
	return true
}

// noNumbers warns of values that are neither numbers nor empty.
func (c *Context) noNumbers(e *Element, count int, field, what string) {
	if count > 0 {
		c.Warn(e, "%d values of the field %q are no %s and are left out", count, field, what)
	}
}
