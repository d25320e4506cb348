package htmlgen

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report/text"
)

// Charts of a typed document, or of one whose charts are marked (Input.Charted), carry
// what they show as data-chart, so that Office files draw them themselves, of values
// that people change.

// chartMark is what a chart shows.
type chartMark struct {
	Pie        bool         `json:"pie,omitempty"`
	Width      float64      `json:"width"`
	Height     float64      `json:"height"`
	Turned     bool         `json:"turned,omitempty"`
	Mirrored   bool         `json:"mirrored,omitempty"` // from right to left
	Size       float64      `json:"size,omitempty"`     // of its texts, in pixels
	Legend     string       `json:"legend,omitempty"`
	Base       axisMark     `json:"base"`
	Value      axisMark     `json:"value"`
	Second     axisMark     `json:"second"`
	Categories []string     `json:"categories,omitempty"` // of a base that names places, and of slices
	Colors     []string     `json:"colors,omitempty"`     // of slices
	Series     []seriesMark `json:"series"`
	Hole       float64      `json:"hole,omitempty"`  // of a ring, as a share of its radius
	Start      float64      `json:"start,omitempty"` // degrees clockwise from twelve o'clock
	// Lacks says what of the chart a workbook cannot draw; then it has the values only.
	Lacks string `json:"lacks,omitempty"`
}

// axisMark is an axis: a time is in milliseconds by the report's clock.
type axisMark struct {
	Kind     string   `json:"kind"` // category, number, time
	Title    string   `json:"title,omitempty"`
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	Inverted bool     `json:"inverted,omitempty"`
	Shares   bool     `json:"shares,omitempty"`
	Hidden   bool     `json:"hidden,omitempty"`
	Lines    bool     `json:"lines,omitempty"`
	Log      bool     `json:"log,omitempty"`
	Code     string   `json:"code,omitempty"`  // number format code of the labels of its values
	Cells    string   `json:"cells,omitempty"` // of its values in cells
	Scale    string   `json:"scale,omitempty"` // and of the numbers beside it; empty: Code
	Whole    bool     `json:"whole,omitempty"` // these are whole
}

type seriesMark struct {
	Name   string       `json:"name"`
	Kind   string       `json:"kind"` // line, area, column, scatter, marker
	Color  string       `json:"color,omitempty"`
	Width  float64      `json:"width,omitempty"` // pixels
	Dash   bool         `json:"dash,omitempty"`
	Smooth bool         `json:"smooth,omitempty"`
	Second bool         `json:"second,omitempty"`
	Stack  string       `json:"stack,omitempty"`
	Shape  string       `json:"shape,omitempty"`
	Size   float64      `json:"size,omitempty"`   // of the shape in pixels
	Filled float64      `json:"filled,omitempty"` // share of their slot that columns fill
	Labels bool         `json:"labels,omitempty"`
	Ink    string       `json:"ink,omitempty"`    // colour of labels that stand in columns
	Alpha  float64      `json:"alpha,omitempty"`  // opacity of areas; 0 is 1
	Names  bool         `json:"names,omitempty"`  // labels say the names of slices
	Shares bool         `json:"shares,omitempty"` // and their shares
	Code   string       `json:"code,omitempty"`   // number format code of labels, and of shares
	Sizes  []shortMark  `json:"sizes,omitempty"`  // codes by size, where one code cannot say them all
	Named  bool         `json:"named,omitempty"`  // labels say the name of the series
	Inks   []string     `json:"inks,omitempty"`   // colours of labels that stand in slices
	Trend  string       `json:"trend,omitempty"`  // linear, exponential, or moving-average
	Period int          `json:"period,omitempty"` // of a moving average
	Points [][]*float64 `json:"points"`           // place and value; null is a gap
}

// shortMark is the code of numbers from one on, without their signs.
type shortMark struct {
	From float64 `json:"from"`
	Code string  `json:"code"`
}

// typedChart writes what a chart shows behind its drawing.
func (c *Context) typedChart(mark *chartMark) {
	if doc, err := json.Marshal(mark); err == nil {
		c.Raw("<template")
		c.Attr("data-chart", string(doc))
		c.Raw("></template>")
	}
}

// mark is what the chart shows.
func (g *genericData) mark() *chartMark {
	xy := g.xy
	m := &chartMark{Width: xy.Width, Height: xy.Height, Turned: xy.Turned, Mirrored: xy.Style.RightToLeft, Size: xy.Style.LabelSize, Legend: xy.Legend, Categories: g.categories}
	m.Base, m.Value, m.Second = g.axisMark(&xy.Base, g.base.Format), g.axisMark(&xy.Value, g.value.Format), g.axisMark(&xy.Second, g.p.Secondary.Format)
	if xy.Legend == "none" {
		m.Legend = ""
	}
	if xy.Base.Lanes || xy.Value.Lanes {
		m.Lacks = "lanes"
	}
	for i := range xy.Series {
		s := &xy.Series[i]
		_, field := g.fields(&g.p.Series[i])
		made := seriesMark{
			Name: firstOf(s.Name, field), Kind: seriesKinds[s.Kind], Color: s.Color, Width: positive(s.Width, 2), Dash: s.Dash != "", Smooth: s.Smooth, Second: s.Second,
			Stack: s.Stack, Shape: s.Shape, Size: s.ShapeSize, Filled: s.Size, Labels: s.Labels,
		}
		switch {
		case s.Kind == chart.Range:
			m.Lacks = "ranges"
		case s.Units:
			m.Lacks = "columns of a unit of time"
		case m.sums(s):
			m.Lacks = "sums at the ends of its stacks"
		case s.Trend != chart.NoTrend && g.kind == chart.Time:
			m.Lacks = "trend lines over times"
		case s.Kind == chart.Line && s.Filled:
			made.Kind = seriesKinds[chart.Area]
		}
		if made.Kind == seriesKinds[chart.Area] {
			made.Alpha = s.AreaOpacity()
		}
		if s.Trend != chart.NoTrend && s.Stack == "" {
			made.Trend, made.Period = g.p.Series[i].Trend, s.Period
		}
		if made.Labels {
			g.labelsMark(m, &made, s, &g.p.Series[i])
		}
		if made.Labels && s.Kind == chart.Column && (s.Stack != "" || s.Place == "inside") {
			made.Ink = s.Ink
		}
		for _, q := range s.Points {
			x := q.X
			if g.kind == chart.Time {
				x = g.clock(x)
			}
			made.Points = append(made.Points, []*float64{finite(x), finite(q.Y)})
		}
		m.Series = append(m.Series, made)
	}
	return m
}

// labelsMark is what the labels of a series say, where that is not their value as the axis writes it.
func (g *genericData) labelsMark(m *chartMark, made *seriesMark, s *chart.Series, p *seriesProps) {
	switch format := p.Labels.Format; {
	case p.Labels.Template != "":
		m.Lacks = "labels that a template writes"
	case format != "":
		made.Code, made.Sizes = g.c.labelCode(format, s)
	default:
		made.Named = p.Type == "marker-line" && g.nameOf(p) != ""
	}
}

// labelCode is the number format code of the labels of a series, and codes by size where it
// cannot say them all: below zero, and of numbers of many sizes.
func (c *Context) labelCode(format string, s *chart.Series) (string, []shortMark) {
	low, high := 0.0, 0.0
	for _, q := range s.Points {
		if !math.IsNaN(q.Y) {
			low, high = min(low, q.Y), max(high, q.Y)
		}
	}
	sizes, ok := text.ParseFormat(format).ShortSizes(c.Env, max(-low, high))
	if !ok {
		return c.axisCode(format, []chart.Series{*s}, func(q chart.Point) float64 { return q.Y }), nil
	}
	code, all := text.ShortCode(sizes)
	if all && low == 0 {
		return code, nil
	}
	var marks []shortMark
	for _, size := range sizes {
		marks = append(marks, shortMark{size.From, size.Signed})
	}
	return code, marks
}

// sums reports whether the sums of a series' stack stand at their ends: stacks of shares have none.
func (m *chartMark) sums(s *chart.Series) bool {
	axis := &m.Value
	if s.Second {
		axis = &m.Second
	}
	return s.Total != nil && s.Kind == chart.Column && s.Stack != "" && !axis.Shares
}

var seriesKinds = map[chart.Kind]string{chart.Line: "line", chart.Area: "area", chart.Column: "column", chart.Scatter: "scatter", chart.Range: "range", chart.Marker: "marker"}

// positive is a number above zero, or another.
func positive(v, or float64) float64 {
	if v > 0 {
		return v
	}
	return or
}

// finite is a number that JSON can say.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// clock turns a time into milliseconds by the report's clock.
func (g *genericData) clock(ms float64) float64 {
	if g.c.Env.Zone == nil || math.IsNaN(ms) {
		return ms
	}
	_, offset := time.UnixMilli(int64(ms)).In(g.c.Env.Zone).Zone()
	return ms + float64(offset)*1000
}

func (g *genericData) axisMark(a *chart.Axis, format string) axisMark {
	m := axisMark{
		Kind: map[chart.AxisKind]string{chart.Category: "category", chart.Numeric: "number", chart.Time: "time"}[a.Kind], Title: a.Title,
		Min: finite(a.Min), Max: finite(a.Max), Inverted: a.Inverted, Shares: a.Normalised, Hidden: a.Hidden, Lines: a.Guidelines, Log: a.Log && a.Kind == chart.Numeric && !a.Normalised,
	}
	value := func(q chart.Point) float64 { return q.Y }
	if a == &g.xy.Base {
		value = func(q chart.Point) float64 { return q.X }
	}
	if a.Kind == chart.Time {
		m.Min, m.Max = finite(g.clock(a.Min)), finite(g.clock(a.Max))
		format = firstOf(format, g.timeFormat())
	}
	m.Cells = g.c.axisCode(format, g.xy.Series, value)
	m.Code = m.Cells
	switch {
	case a.Normalised && format == "":
		m.Code = "0%"
	case a.Kind == chart.Numeric && !a.Normalised:
		m.Scale, m.Whole = g.c.scale(a, format, g.xy.Series, value)
	}
	if m.Scale == m.Code {
		m.Scale = ""
	}
	return m
}

// timeFormat prints the places of a base of times: days where they are.
func (g *genericData) timeFormat() string {
	for i := range g.xy.Series {
		for _, q := range g.xy.Series[i].Points {
			if ms := g.clock(q.X); math.Mod(ms, 24*60*60*1000) != 0 && !math.IsNaN(ms) {
				return "dt"
			}
		}
	}
	return "d"
}

// axisCode is the number format code of an axis, and of values without one.
func (c *Context) axisCode(format string, series []chart.Series, value func(chart.Point) float64) string {
	places := 0
	for i := range series {
		for _, q := range series[i].Points {
			if n, _, ok := steps.Decimals(value(q)); ok {
				places = max(places, min(n, roundedDecimals))
			}
		}
	}
	code, _ := text.ParseFormat(firstOf(format, c.theme.Formats.Number)).SheetCode(c.Env, places)
	return code.Code
}

// formatOfShare is the format that a template of labels gives shares.
var formatOfShare = regexp.MustCompile(`slice\.share\s*:([^}]+)}`)

// shareCode is the number format code of shares in labels of slices.
func (c *Context) shareCode(template string, list []slice) string {
	format := usualShare
	if m := formatOfShare.FindStringSubmatch(template); m != nil {
		format = m[1]
	}
	sum, places := sumOf(list), 2
	for _, s := range list {
		if math.Mod(math.Round(share(s.value, sum)*1000), 10) != 0 {
			places = 3 // a tenth of a percent
		}
	}
	code, _ := text.ParseFormat(format).SheetCode(c.Env, places)
	return code.Code
}

// inTemplate is a placeholder of a template.
var inTemplate = regexp.MustCompile(`\{[^{}]*\}`)

// said are what the labels of slices say by their template: names, shares, and more than
// these.
func (p *pieChartProps) said() (names, shares, more bool) {
	rest := inTemplate.ReplaceAllStringFunc(p.ValueTemplate, func(s string) string {
		switch s = strings.TrimSpace(strings.Trim(s, "{}")); {
		case s == "$it.slice.name", p.NameField != "" && s == "$record."+bare(p.NameField):
			names = true
		case strings.HasPrefix(s, "$it.slice.share") && formatOfShare.MatchString("{"+s+"}"), s == "$it.slice.share":
			shares = true
		default:
			return "x"
		}
		return ""
	})
	return names, shares, strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// mark is what a pie shows. Slices follow each other clockwise in workbooks.
func (p *pieChartProps) mark(c *Context, pie *chart.Pie, list []slice) *chartMark {
	m := &chartMark{Pie: true, Width: pie.Width, Height: pie.Height, Legend: pie.Legend, Hole: pie.Inner, Size: pie.Style.LabelSize, Start: math.Mod(90-pie.Start+360, 360)}
	if pie.Clockwise {
		m.Start = math.Mod(90+pie.Start, 360)
	}
	switch pie.Legend {
	case "auto":
		m.Legend = "bottom"
		if pie.Width > pie.Height*1.4 {
			m.Legend = "right"
		}
	case "none":
		m.Legend = ""
	}
	s := seriesMark{Name: humanise(bare(p.ValueField)), Kind: "pie", Labels: p.Labels}
	names, shares, more := p.said()
	s.Names = p.ValueTemplate == "" && pie.Legend == "none" || names
	s.Shares = p.ValueTemplate == "" || shares
	entries := m.Legend != "" && p.LegendTemplate != "" // which are the names of the slices in Office
	switch {
	case p.Labels && more:
		m.Lacks = "labels that a template writes"
	case p.Labels && s.Names && entries:
		m.Lacks = "labels beside a legend that says more"
	}
	if s.Shares {
		s.Code = c.shareCode(p.ValueTemplate, list)
	}
	for i := range list {
		at := i
		if !pie.Clockwise {
			at = len(list) - 1 - i
		}
		if pie.Inner > 0 {
			s.Inks = append(s.Inks, c.inkOn(pie.Slices[at].Color))
		}
		name := list[at].name
		if entries {
			name = pie.Slices[at].Legend
		}
		m.Categories = append(m.Categories, name)
		m.Colors = append(m.Colors, pie.Slices[at].Color)
		place := float64(i)
		s.Points = append(s.Points, []*float64{&place, finite(list[at].value)})
	}
	m.Series = []seriesMark{s}
	code := c.axisCode("", []chart.Series{{Points: points(list)}}, func(q chart.Point) float64 { return q.Y })
	m.Value = axisMark{Kind: "number", Code: code, Cells: code}
	return m
}

func points(list []slice) []chart.Point {
	made := make([]chart.Point, len(list))
	for i := range list {
		made[i].Y = list[i].value
	}
	return made
}
