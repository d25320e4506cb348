package htmlgen

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/htmlgen/chart"
)

var genericChart = define("generic-chart", "Chart", "Charts", "Lines, areas, columns, bars, points and ranges on two axes.", compileGenericChart, icon("chart-column"))

type genericChartProps struct {
	Source string `json:"source" label:"Data source" editor:"binding" help:"Rows of every series that has no source of its own, for example $data.months."`
	transformProps
	Series    []seriesProps `json:"series" one:"Series | one"`
	XAxis     axisProps     `json:"xAxis" label:"X axis" help:"Axis of the X fields. A bar chart lies on its side: this axis runs down."`
	YAxis     axisProps     `json:"yAxis" label:"Y axis" help:"Axis of the Y fields. As a category or time axis it turns the chart: Y gives the place and X the value."`
	Secondary axisProps     `json:"secondaryAxis" label:"Secondary axis" help:"Value axis on the other side, for the series that use it."`
	Legend    legendProps   `json:"legend"`
	Swimlanes swimlaneProps `json:"swimlanes"`
	chartFrame
}

type seriesProps struct {
	Name        string      `json:"name" editor:"template" help:"Name in the legend; a series without one has no entry."`
	Type        string      `json:"chartType" label:"Chart type" enum:"line,area,bar,column,scatter,range,marker-line" default:"line" help:"range is the band between Y0 and Y; marker-line a line across the chart at Y or at X." ask:"A range fills the band between Y0 and Y; a marker line runs across the chart at Y or at X."`
	Source      string      `json:"source" label:"Data source" editor:"binding" help:"Default: the chart's."`
	Transform   []any       `json:"transform" label:"Transform data" editor:"steps" help:"Steps that change the rows of this series only, after those of the chart."`
	X           string      `json:"xField" label:"X field" editor:"field" help:"Path in a row. Default: the number of the row. Ranges and marker lines without one go across the chart." ask:"The field along the axis. Left empty, rows are numbered; a range or marker line then goes across the chart."`
	Y           string      `json:"yField" label:"Y field" editor:"field" help:"Path in a row; of a range or marker line also a number." ask:"The field that is measured; for a range or marker line a number, too."`
	Y0          string      `json:"y0Field" label:"Y0 field" editor:"field" help:"Path or number where a range begins." ask:"The field or number where a range begins."`
	Split       string      `json:"splitField" label:"Split by" editor:"field" help:"Path in a row; each of its values is a series of its own, in the order in which they come, at most 32." ask:"Each value of this field has a line, area or column of its own, 32 at most."`
	Aggregate   string      `json:"aggregate" label:"Repeated categories" enum:",sum,average,min,max,count,each" help:"What rows of the same category become in lines, areas, columns and bars; each draws every row. Default: their sum, with a warning."`
	Color       string      `json:"color" editor:"color" help:"Default: the next colour of the theme."`
	LineWidth   float64     `json:"lineWidth" label:"Line width" min:"0" max:"50" help:"In pixels; of columns the width of their border. Default: 1.75 for lines, none for columns."`
	LineDash    string      `json:"lineDash" label:"Line dash" help:"Lengths of dashes and gaps, for example 4 2."`
	Opacity     float64     `json:"opacity" min:"0" max:"1" default:"1"`
	Smooth      bool        `json:"smooth" label:"Smoothing" help:"A curve through the points that never goes beyond them."`
	Area        bool        `json:"area" help:"Fills the area below a line."`
	FillColor   string      `json:"fillColor" label:"Fill color" editor:"color" help:"Of areas and columns. Default: the colour."`
	FillOpacity float64     `json:"fillOpacity" label:"Fill opacity" min:"0" max:"1" help:"Default, 0: 0.18 for areas, 0.8 for stacked ones, 1 for columns."`
	Marker      string      `json:"marker" enum:",circle,square,triangle" help:"Shape at each point. Default: none on lines, circle for scatter."`
	MarkerSize  float64     `json:"markerSize" label:"Marker size" min:"0" max:"100" default:"5" help:"In pixels."`
	Secondary   bool        `json:"secondaryAxis" label:"Secondary axis" help:"Measures the series on the secondary axis."`
	Stacked     bool        `json:"stacked" help:"Stands on the series before it in the same stack."`
	Stack       string      `json:"stack" help:"Name of the stack; default one for all stacked series."`
	Size        float64     `json:"size" min:"0" max:"1000000" default:"0.5" help:"Width of columns and bars: a share of the slot, or in the unit. Columns side by side share it, and the more there are, the more they get."`
	Offset      float64     `json:"offset" min:"-1000000" max:"1000000" help:"Moves columns and bars: a share of the slot, or in the unit. Such a column does not share its place."`
	Unit        string      `json:"unit" enum:",millisecond,second,minute,hour,day,week,month,quarter,year" help:"Unit of size and offset on a time axis; a month is 30, a quarter 91, a year 365 days. Default: a share of the least distance of values."`
	Trend       string      `json:"trend" label:"Trend line" enum:",linear,exponential,moving-average" help:"A dashed line that says where the series leads: straight, or a steady growth, with the least squares of distances; or the average of each value and those before it. Stacked series have none."`
	Period      int         `json:"trendPeriod" label:"Period of the trend" min:"2" max:"255" default:"3" help:"How many values a moving average is of."`
	HideLegend  bool        `json:"hideInLegend" label:"Hide in legend"`
	Labels      labelsProps `json:"labels" label:"Data labels"`

	steps []steps.Step
	part  *string // the value by which it was split off, its name
}

// prepare reads the steps of the series.
func (p *genericChartProps) prepare(pr *preparer, path string) {
	for i := range p.Series {
		s := &p.Series[i]
		s.steps = pr.steps(s.Transform, fmt.Sprintf("%s.series[%d].transform", path, i))
	}
}

type labelsProps struct {
	Enabled  bool   `json:"enabled" help:"All labels of a series are written, or, where one has no room, none and a warning."`
	Template string `json:"template" editor:"template" help:"Text template; the row is $record. Default: the value." ask:"What stands at a point, with values of its row such as {$record.name}. Left empty, the value."`
	Format   string `json:"format" editor:"format" help:"Default: the format of the axis."`
	Position string `json:"position" enum:"auto,above,below,inside" default:"auto"`
	Total    bool   `json:"total" help:"The sum of its stack of columns or bars stands at their end, in the format of the labels."`
}

type axisProps struct {
	Type       string `json:"type" enum:",numeric,category,time" help:"Default: by the values."`
	Title      string `json:"title" editor:"template"`
	Min        any    `json:"min" editor:"template" help:"Number, or a date on a time axis. Default: from the values."`
	Max        any    `json:"max" editor:"template" help:"Number, or a date on a time axis. Default: from the values."`
	Format     string `json:"format" editor:"format" help:"Format of the labels. Default: by the values and the visible span."`
	Inverted   bool   `json:"inverted"`
	Scale      string `json:"scale" enum:"linear,logarithmic" default:"linear" help:"logarithmic gives each power of ten the same room; for numbers above zero. Columns and areas begin where the axis does, so their heights do not compare."`
	Normalised bool   `json:"normalised" help:"Stacks are shares of their sum, up to 100 %."`
	Snap       string `json:"snapToTicks" label:"Snap to ticks" enum:"auto,always,never" default:"auto" help:"Whether the axis begins and ends at a tick; auto does so for values."`
	Ticks      int    `json:"ticks" min:"0" max:"100" help:"About how many ticks; 0: what has room."`
	Guidelines string `json:"guidelines" enum:"auto,on,off" default:"auto" help:"auto draws them for values only."`
	Hidden     bool   `json:"hidden" help:"No labels and no line."`
}

type legendProps struct {
	Position string `json:"position" enum:"auto,top,right,bottom,left,none" default:"auto" help:"auto is above the chart when at least two series have names."`
	Template string `json:"template" editor:"template" scope:"$record" help:"Entry of a series; $record has name, first, last, min, max, sum, average and count. Default: the name."`
}

type swimlaneProps struct {
	Enabled bool   `json:"enabled" help:"Every second slot of an axis has a background."`
	Axis    string `json:"axis" enum:"x,y" default:"x"`
	Color   string `json:"color" editor:"color" help:"Default: the theme's surface colour."`
}

// chartKinds are the chart types as the chart package calls them.
func chartKind(name string) chart.Kind {
	switch name {
	case "area":
		return chart.Area
	case "bar", "column":
		return chart.Column
	case "scatter":
		return chart.Scatter
	case "range":
		return chart.Range
	case "marker-line":
		return chart.Marker
	}
	return chart.Line
}

// chartTrend is a trend as the chart package calls it.
func chartTrend(name string) chart.Trend {
	switch name {
	case "linear":
		return chart.Linear
	case "exponential":
		return chart.Exponential
	case "moving-average":
		return chart.Average
	}
	return chart.NoTrend
}

// units are the names of the chart package's units, in its order.
func unitOf(name string) (chart.Unit, bool) {
	for i, n := range []string{"millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"} {
		if n == name {
			return chart.Unit(i), true
		}
	}
	return 0, false
}

func compileGenericChart(c *Context, e *Element, p *genericChartProps) {
	c.writeChart(e, &p.chartFrame, func(width, height float64) ([]byte, func() chartTable, func() *chartMark) {
		g := &genericData{c: c, e: e, p: p, xy: &chart.XY{Width: width, Height: height, Style: c.chartStyle(&p.chartFrame), Empty: c.emptyText(&p.chartFrame), Warn: func(message string) { c.Warn(e, "%s", message) }}}
		g.turn()
		g.read()
		g.axes()
		g.series()
		g.legend()
		return g.xy.Render(), g.table, g.mark
	})
}

// turn decides whether the chart lies on its side, and which axis places the
// values.
func (g *genericData) turn() {
	p := g.p
	g.base, g.value = &p.XAxis, &p.YAxis
	if p.YAxis.Type == "category" || p.YAxis.Type == "time" {
		g.xy.Turned, g.swapped = true, true
		g.base, g.value = &p.YAxis, &p.XAxis
	}
	for i := range p.Series {
		g.xy.Turned = g.xy.Turned || p.Series[i].Type == "bar"
	}
}

// axes fills in the axes once the kind of the base axis is known.
func (g *genericData) axes() {
	c, xy := g.c, g.xy
	xy.Base = g.axis(g.base, g.kind, false)
	xy.Base.Categories, xy.Base.Calendar = g.categories, c.calendar()
	xy.Value = g.axis(g.value, chart.Numeric, true)
	xy.Second = g.axis(&g.p.Secondary, chart.Numeric, true)
	if s := &g.p.Swimlanes; s.Enabled {
		onBase := (s.Axis != "y") != g.swapped
		xy.Base.Lanes, xy.Value.Lanes = onBase, !onBase
		xy.LaneFill = cssValue(s.Color)
	}
	if xy.Turned && g.kind == chart.Time && c.Env.Zone == nil {
		xy.Base.Zone = time.UTC
	}
}

func (g *genericData) axis(p *axisProps, kind chart.AxisKind, value bool) chart.Axis {
	c := g.c
	a := chart.Axis{
		Kind: kind, Title: c.Shown(p.Title), Min: g.bound(p.Min, kind), Max: g.bound(p.Max, kind),
		Inverted: p.Inverted, Normalised: p.Normalised, Ticks: p.Ticks, Hidden: p.Hidden, Zone: c.Env.Zone,
		Log:  g.logarithmic(p, kind),
		Snap: p.Snap == "always" || p.Snap == "auto" && value, Guidelines: p.Guidelines == "on" || p.Guidelines == "auto" && value && !p.Hidden,
	}
	format := p.Format
	a.Number, a.Moment = c.chartNumber, c.chartMoment
	if format == "" && p.Normalised {
		format = "p;0;1"
	}
	if format != "" {
		a.Number = func(v, _, _ float64) string { return c.formatted(format, v) }
		a.Moment = func(t time.Time, _ chart.Unit) (string, string) { return c.formatted(format, t), "" }
	}
	return a
}

// logarithmic reports whether an axis has powers of ten; one that cannot is told of.
func (g *genericData) logarithmic(p *axisProps, kind chart.AxisKind) bool {
	switch {
	case p.Scale != "logarithmic":
		return false
	case kind != chart.Numeric:
		g.c.Warn(g.e, "a logarithmic scale is of numbers; an axis of names or times has none")
	case p.Normalised:
		g.c.Warn(g.e, "a normalised axis has no logarithmic scale")
	default:
		return true
	}
	return false
}

// bound reads a bound of an axis: a number, a date or a template of one.
func (g *genericData) bound(v any, kind chart.AxisKind) float64 {
	if s, ok := v.(string); ok {
		s = strings.TrimSpace(g.c.Expand(s))
		if s == "" {
			return math.NaN()
		}
		v = s
	}
	if v == nil || kind == chart.Category {
		return math.NaN()
	}
	f, ok := plainNumber(v)
	if kind == chart.Time {
		f, ok = g.c.timeOf(v)
	}
	if !ok {
		g.c.Warn(g.e, "%q is no bound for the axis", clip(g.c.formatted("", v), 40))
		return math.NaN()
	}
	return f
}
