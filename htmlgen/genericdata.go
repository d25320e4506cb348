package htmlgen

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report"
)

// genericData reads the rows of a chart with axes into numbers and texts.
type genericData struct {
	c           *Context
	e           *Element
	p           *genericChartProps
	xy          *chart.XY
	base, value *axisProps
	swapped     bool // Y is the place and X the value
	kind        chart.AxisKind
	rows        [][]any // of each series
	categories  []string
	place       map[string]int // of each category
}

// fields are the fields of the place and of the value of a series.
func (g *genericData) fields(s *seriesProps) (place, value string) {
	if g.swapped {
		return s.Y, s.X
	}
	return s.X, s.Y
}

// across reports series that need no rows: ranges and lines at numbers.
func (g *genericData) across(s *seriesProps) bool {
	if s.Type != "range" && s.Type != "marker-line" {
		return false
	}
	place, value := g.fields(s)
	_, constant := plainNumber(value)
	return place == "" && constant || value == "" && isConstant(place)
}

// isConstant reports a field that is a number or date itself.
func isConstant(field string) bool {
	_, number := plainNumber(field)
	return field != "" && (number || isoDate.MatchString(field))
}

// read looks up the rows, decides what the base axis measures and collects the
// categories.
func (g *genericData) read() {
	c := g.c
	if len(g.p.Series) == 0 {
		c.Warn(g.e, "the chart has no series")
	}
	var series []seriesProps
	for i := range g.p.Series {
		s := &g.p.Series[i]
		if g.across(s) {
			series, g.rows = append(series, *s), append(g.rows, []any{nil})
			continue
		}
		rows := c.stepped(fmt.Sprintf("%s.props.series[%d].transform", g.e.path, i), g.e.label, s.steps, c.rowsOf(g.e, firstOf(s.Source, g.p.Source)))
		place, value := g.fields(s)
		c.missingField(g.e, fmt.Sprintf("series[%d].xField", i), rows, place)
		c.missingField(g.e, fmt.Sprintf("series[%d].yField", i), rows, value)
		if !isConstant(s.Y0) {
			c.missingField(g.e, fmt.Sprintf("series[%d].y0Field", i), rows, s.Y0)
		}
		c.missingField(g.e, fmt.Sprintf("series[%d].splitField", i), rows, s.Split)
		parts, split := g.split(s, rows)
		series, g.rows = append(series, parts...), append(g.rows, split...)
	}
	whole := *g.p // shared with the chart's other places
	whole.Series = series
	g.p = &whole
	g.kind = g.baseKind()
	if g.kind == chart.Category {
		g.place = map[string]int{}
		g.collect()
	}
}

// mostParts bounds into how many series one is split.
const mostParts = 32

// split is a series for each value of the field that one is split by, with their
// rows; the series itself where it is not split.
func (g *genericData) split(s *seriesProps, rows []any) (parts []seriesProps, split [][]any) {
	if s.Split == "" {
		return []seriesProps{*s}, [][]any{rows}
	}
	at := map[string]int{}
	left, unnamed := 0, 0
	for _, row := range rows {
		v, _ := g.c.fieldPath(s.Split).Of(row)
		name := g.c.formatted("", v)
		if name == "" {
			unnamed++
		}
		i, known := at[name]
		if !known {
			if len(parts) == mostParts {
				left++
				continue
			}
			i = len(parts)
			at[name] = i
			part := *s
			part.part = &name
			parts, split = append(parts, part), append(split, nil)
		}
		split[i] = append(split[i], row)
	}
	if left > 0 {
		g.c.Warn(g.e, "the field %q has more than %d values; %d rows of the others are left out", s.Split, mostParts, left)
	}
	if unnamed > 0 && len(parts) > 1 { // else no row has the field, which is told already
		g.c.Warn(g.e, "%d rows have no value in the field %q; their series has no name in the legend", unnamed, s.Split)
	}
	return parts, split
}

// nameOf is what a series is called.
func (g *genericData) nameOf(s *seriesProps) string {
	if s.part != nil {
		return *s.part
	}
	return g.c.Shown(s.Name)
}

// baseKind is what the base axis measures: as it says, or by the first rows.
func (g *genericData) baseKind() chart.AxisKind {
	switch g.base.Type {
	case "time":
		return chart.Time
	case "numeric":
		return chart.Numeric
	case "category":
		return chart.Category
	}
	numbers, dates, others := 0, 0, 0
	columns := false
	for i := range g.p.Series {
		s := &g.p.Series[i]
		place, _ := g.fields(s)
		if s.Type == "marker-line" || s.Type == "range" && place == "" {
			continue
		}
		columns = columns || s.Type == "column" || s.Type == "bar"
		for _, row := range g.rows[i][:min(len(g.rows[i]), sampleRows)] {
			v, _ := g.c.fieldPath(place).Of(row)
			if place == "" {
				v = int64(0)
			}
			switch v := v.(type) {
			case nil:
			case json.Number, int64, float64:
				numbers++
			case time.Time:
				dates++
			case string:
				if isoDate.MatchString(v) {
					dates++
				} else {
					others++
				}
			default:
				others++
			}
		}
	}
	switch {
	case others == 0 && dates > 0 && numbers == 0:
		return chart.Time
	case others == 0 && numbers > 0 && dates == 0 && !columns:
		return chart.Numeric
	}
	return chart.Category
}

// collect gives every category its place, in the order they first appear.
func (g *genericData) collect() {
	for i := range g.p.Series {
		s := &g.p.Series[i]
		if s.Type == "marker-line" {
			continue
		}
		place, _ := g.fields(s)
		if place == "" && s.Type == "range" {
			continue
		}
		for n, row := range g.rows[i] {
			name := g.category(place, row, n)
			if _, ok := g.place[name]; !ok {
				g.place[name] = len(g.categories)
				g.categories = append(g.categories, name)
			}
		}
	}
}

// category is the name of a row's category.
func (g *genericData) category(field string, row any, n int) string {
	if field == "" {
		return fmt.Sprint(n + 1)
	}
	if isConstant(field) {
		return field
	}
	v, _ := g.c.fieldPath(field).Of(row)
	format := g.base.Format
	if s, ok := v.(string); ok && format == "" {
		if !isoDate.MatchString(s) {
			return s
		}
		format = "d"
	}
	return g.c.formatted(format, v)
}

// calendar knows the names of months and days in the language of the report, in
// lower case, with the words between them; also shortened to three letters and more:
// where people write Sep, the language may have Sept.
func (c *Context) calendar() func(word string) bool {
	var words map[string]bool
	return func(word string) bool {
		if words == nil {
			words = map[string]bool{}
			for i := range 12 {
				day := time.Date(2026, 1, 1+31*i, 12, 0, 0, 0, time.UTC) // of each month, and each of a week
				for _, format := range []string{"d;MMM", "d;MMMM", "d;MMMd", "d;MMMMd", "d;DDD", "d;DDDD"} {
					for name := range strings.FieldsFuncSeq(c.formatted(format, day), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
						letters := []rune(strings.ToLower(name))
						for n := min(3, len(letters)); n <= len(letters); n++ {
							words[string(letters[:n])] = true
						}
					}
				}
			}
		}
		return words[word]
	}
}

// series fills in the series.
func (g *genericData) series() {
	for i := range g.p.Series {
		p := &g.p.Series[i]
		s := chart.Series{
			Name: g.nameOf(p), Kind: chartKind(p.Type), Color: firstOf(cssValue(p.Color), paletteColor(i)),
			Width: p.LineWidth, Dash: dashes(p.LineDash), Opacity: visible(p.Opacity), Smooth: p.Smooth, Filled: p.Area, Fill: cssValue(p.FillColor),
			FillAlpha: p.FillOpacity, Shape: p.Marker, ShapeSize: p.MarkerSize, Second: p.Secondary, Size: p.Size, Offset: p.Offset,
			Labels: p.Labels.Enabled, Place: p.Labels.Position, Trend: chartTrend(p.Trend), Period: p.Period,
		}
		if p.Labels.Total {
			s.Total = func(sum float64) string { return g.valueLabel(p, sum) }
		}
		if p.part != nil { // one colour for all would tell none from the other
			s.Color, s.Fill = paletteColor(i), ""
		}
		s.Ink = g.c.inkOn(firstOf(s.Fill, s.Color))
		if p.Stacked || p.Stack != "" {
			s.Stack = firstOf(p.Stack, "stack")
		}
		if unit, ok := unitOf(p.Unit); ok && g.kind == chart.Time {
			s.Units = true
			s.Size *= unit.Milliseconds()
			s.Offset *= unit.Milliseconds()
		}
		s.Points = g.points(p, g.rows[i])
		g.xy.Series = append(g.xy.Series, s)
	}
}

// dashes keeps a dash pattern that is a list of lengths.
func dashes(s string) string { return lengths(strings.ReplaceAll(s, ",", " ")) }

// points reads the rows of a series.
func (g *genericData) points(s *seriesProps, rows []any) []chart.Point {
	c := g.c
	place, value := g.fields(s)
	points := make([]chart.Point, 0, len(rows))
	sources := make([]any, 0, len(rows)) // the row of each point
	wrong, misplaced := 0, 0
	for n, row := range rows {
		var q chart.Point
		var ok bool
		if q.X, ok = g.x(s, place, row, n); !ok {
			misplaced++
			continue
		}
		v, y, ok := g.number(value, row)
		if !ok && v != nil {
			wrong++
		}
		q.Y = y
		if s.Y0 != "" {
			_, q.Y0, _ = g.number(s.Y0, row)
		}
		points, sources = append(points, q), append(sources, row)
	}
	c.noNumbers(g.e, wrong, value, "numbers")
	c.noNumbers(g.e, misplaced, place, map[chart.AxisKind]string{chart.Time: "times", chart.Numeric: "numbers", chart.Category: "categories"}[g.kind])
	points, sources = g.folded(s, points, sources)
	if s.Labels.Enabled {
		for i := range points {
			if q := &points[i]; !math.IsNaN(q.Y) || s.Type == "marker-line" {
				q.Label = g.label(s, sources[i], q.Y)
			}
		}
	}
	return points
}

// x is the place of a row on the base axis; NaN goes across the chart.
func (g *genericData) x(s *seriesProps, field string, row any, n int) (float64, bool) {
	if field == "" && (s.Type == "range" || s.Type == "marker-line") {
		return math.NaN(), true
	}
	if g.kind == chart.Category {
		at, ok := g.place[g.category(field, row, n)]
		return float64(at), ok
	}
	var v any = field
	switch {
	case field == "":
		return float64(n + 1), true
	case !isConstant(field):
		v, _ = g.c.fieldPath(field).Of(row)
	}
	if g.kind == chart.Time {
		return g.c.timeOf(v)
	}
	return plainNumber(v)
}

// number is a field of a row as a number; what is none is a gap.
func (g *genericData) number(field string, row any) (v any, y float64, ok bool) {
	if field == "" {
		return nil, chart.Gap(), true
	}
	v, _ = g.c.fieldPath(field).Of(row)
	if v == nil {
		if y, constant := plainNumber(field); constant {
			return field, y, true
		}
		return nil, chart.Gap(), true
	}
	y, ok = plainNumber(v)
	if !ok {
		y = chart.Gap()
	}
	return v, y, ok
}

// label is the data label of a row.
func (g *genericData) label(s *seriesProps, row any, y float64) string {
	c := g.c
	switch {
	case s.Labels.Template != "":
		label := ""
		c.withRecord(row, func() { label = c.Shown(s.Labels.Template) })
		return label
	case s.Type == "marker-line" && s.Labels.Format == "" && g.nameOf(s) != "":
		return g.nameOf(s)
	case math.IsNaN(y):
		return ""
	}
	return g.valueLabel(s, y)
}

// valueLabel is a value, as the labels of a series write it.
func (g *genericData) valueLabel(s *seriesProps, y float64) string {
	c := g.c
	if s.Labels.Format != "" {
		return c.formatted(s.Labels.Format, y)
	}
	axis := g.value
	if s.Secondary {
		axis = &g.p.Secondary
	}
	if axis.Format != "" {
		return c.formatted(axis.Format, y)
	}
	return c.chartValue(y)
}

// legend names the series in the legend.
func (g *genericData) legend() {
	p := &g.p.Legend
	named := 0
	for i := range g.xy.Series {
		s := &g.xy.Series[i]
		if s.Name == "" || g.p.Series[i].HideLegend {
			continue
		}
		named++
		s.Legend = g.c.legendEntry(s.Name)
		if p.Template != "" {
			g.c.withRecord(statistics(s), func() { s.Legend = g.c.legendEntry(g.c.Shown(p.Template)) })
		}
	}
	g.xy.Legend = p.Position
	if p.Position == "auto" {
		g.xy.Legend = "top"
		if named < 2 {
			g.xy.Legend = "none"
		}
	}
}

// statistics is what a legend's template can print of a series.
func statistics(s *chart.Series) *report.Object {
	var first, last, least, most any
	sum, count := 0.0, 0
	for _, q := range s.Points {
		if math.IsNaN(q.Y) {
			continue
		}
		if count == 0 {
			first, least, most = q.Y, q.Y, q.Y
		}
		last, least, most = q.Y, min(least.(float64), q.Y), max(most.(float64), q.Y)
		sum += q.Y
		count++
	}
	var average any
	if count > 0 {
		average = sum / float64(count)
	}
	return report.ObjectOf("name", s.Name, "first", first, "last", last, "min", least, "max", most, "sum", sum, "average", average, "count", int64(count))
}
