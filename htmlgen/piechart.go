package htmlgen

import (
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
	"github.com/quire-reports/quire/report"
)

var pieChart = define("pie-chart", "Pie chart", "Charts", "Shares of a whole as a pie or donut.", compilePieChart, icon("chart-pie"))

type pieChartProps struct {
	Source string `json:"source" label:"Data source" editor:"binding" help:"Array of rows, for example $data.orders." ask:"A list of the data, such as $data.orders."`
	transformProps
	NameField      string        `json:"nameField" label:"Name field" editor:"field" default:"name" help:"Path of a slice's name in a row." ask:"The field that names a slice."`
	ValueField     string        `json:"valueField" label:"Value field" editor:"field" default:"value" help:"Path of a slice's value in a row; only values above zero have a slice." ask:"The field that is measured; only values above zero have a slice."`
	Aggregate      string        `json:"aggregate" label:"Repeated names" enum:",sum,average,min,max,count,each" help:"What rows of the same name become; each gives every row a slice of its own. Default: their sum, with a warning."`
	ChartOffset    string        `json:"chartOffset" label:"Chart offset" editor:"lengths" help:"How far the pie stands from the middle: right and down, for example 0 10px."`
	PieSize        string        `json:"pieChartSize" label:"Pie chart size" editor:"length" help:"Diameter, or a share of the largest one such as 80%. Default: what the labels leave."`
	StartAngle     float64       `json:"startAngle" label:"Start angle" min:"0" max:"360" help:"Where the first slice begins, in degrees from three o'clock, counter-clockwise."`
	SliceOffset    string        `json:"sliceOffset" label:"Slice offset" editor:"length" help:"How far slices stand from the middle."`
	Gap            string        `json:"gap" editor:"length" help:"Room between slices."`
	SliceRadius    string        `json:"sliceBorderRadius" label:"Border radius" editor:"length" help:"Radius of the corners of slices."`
	InnerRadius    float64       `json:"innerPieRadius" label:"Inner pie radius" min:"0" max:"100" help:"Percent of the pie's radius; above zero gives a donut."`
	OuterRadius    float64       `json:"outerPieRadius" label:"Outer pie radius" min:"1" max:"100" default:"100" help:"Percent of the pie's radius."`
	Clockwise      bool          `json:"clockwise"`
	LegendTemplate string        `json:"legendEntryTemplate" label:"Legend entry template" editor:"template" scope:"$it.slice" help:"Entry of a slice in the legend; the row is $record, $it.slice has name, value, share and number. Default: the name."`
	ValueTemplate  string        `json:"valueTemplate" label:"Value template" editor:"template" scope:"$it.slice" help:"Label of a slice; the row is $record, $it.slice has name, value, share and number. Default: the share, with the name where there is no legend."`
	Labels         bool          `json:"labels" default:"true" help:"Whether slices have labels."`
	MaxLabelWidth  string        `json:"maxLabelWidth" label:"Max label width" editor:"length" help:"Longer labels are wrapped, then shortened. Default: a third of the chart."`
	LeadLength     string        `json:"leadLength" label:"Lead length" editor:"length" default:"14px" help:"Length of the lines from slices to labels; 0 draws none."`
	ColorMap       colorMapProps `json:"colorMap" label:"Color map"`
	Legend         pieLegend     `json:"legend"`
	chartFrame
}

type pieLegend struct {
	Position string `json:"position" enum:"auto,top,right,bottom,left,none" default:"auto" help:"auto is at the right of wide charts and below others."`
}

type colorMapProps struct {
	Mode   string      `json:"mode" enum:"even,order" default:"even" help:"even spreads the colours of the theme over the slices, the first 8 of them over up to 8; order takes them one by one."`
	Offset int         `json:"offset" min:"0" max:"15" help:"How many colours are left out at the beginning."`
	Step   int         `json:"step" min:"0" max:"15" help:"How many colours lie between two slices; 0: by the mode."`
	Size   int         `json:"size" min:"0" max:"1000" help:"Number of slices the colours are spread for; 0: as many as there are. The same size gives charts with different numbers of slices the same colours."`
	Field  string      `json:"field" label:"Color field" editor:"field" help:"Path of a CSS colour in a row." ask:"A field of the rows that holds the colour of the slice."`
	Colors []namedFill `json:"colors" help:"Colours of certain names." one:"Name"`
}

type namedFill struct {
	Name  string `json:"name"`
	Color string `json:"color" editor:"color"`
}

func compilePieChart(c *Context, e *Element, p *pieChartProps) {
	rows := c.rowsOf(e, p.Source)
	c.missingField(e, "nameField", rows, p.NameField)
	c.missingField(e, "valueField", rows, p.ValueField)
	c.missingField(e, "colorMap.field", rows, p.ColorMap.Field)
	c.writeChart(e, &p.chartFrame, func(width, height float64) ([]byte, func() chartTable, func() *chartMark) {
		pie := chart.Pie{
			Width: width, Height: height, Style: c.chartStyle(&p.chartFrame), Empty: c.emptyText(&p.chartFrame),
			Warn:  func(message string) { c.Warn(e, "%s", message) },
			Start: p.StartAngle, Clockwise: p.Clockwise, Apart: c.px(p.SliceOffset, min(width, height), 0), Gap: c.px(p.Gap, 0, 0),
			Corner: c.px(p.SliceRadius, min(width, height), 0), Inner: p.InnerRadius / 100, Outer: p.OuterRadius / 100,
			LabelWidth: c.px(p.MaxLabelWidth, width, 0), Lead: c.px(p.LeadLength, 0, 0), Legend: p.Legend.Position,
		}
		p.size(c, &pie)
		list := p.slices(c, e, rows)
		pie.Slices = p.drawn(c, list)
		return pie.Render(), func() chartTable { return p.table(c, list) }, func() *chartMark { return p.mark(c, &pie, list) }
	})
}

// size reads the diameter and the offset of the pie.
func (p *pieChartProps) size(c *Context, pie *chart.Pie) {
	if size := length(p.PieSize); strings.HasSuffix(size, "%") {
		pie.Share = c.px(size, 1, 1)
	} else {
		pie.Diameter = c.px(size, 0, 0)
	}
	if parts := strings.Fields(lengths(p.ChartOffset)); len(parts) > 0 {
		pie.OffsetX = c.px(parts[0], pie.Width, 0)
		pie.OffsetY = c.px(parts[len(parts)-1], pie.Height, 0)
		if len(parts) == 1 {
			pie.OffsetY = 0
		}
	}
}

// slice is a row of a pie chart.
type slice struct {
	row   any
	name  string
	value float64
}

// manySlices is from how many slices on a pie is most likely a mistake.
const manySlices = 500

// slices reads the rows.
func (p *pieChartProps) slices(c *Context, e *Element, rows []any) []slice {
	var list []slice
	wrong, negative := 0, 0
	for _, row := range rows {
		v, _ := c.fieldPath(p.ValueField).Of(row)
		value, ok := plainNumber(v)
		switch {
		case v == nil:
			continue
		case !ok:
			wrong++
			continue
		case value < 0:
			negative++
			continue
		}
		name, _ := c.fieldPath(p.NameField).Of(row)
		list = append(list, slice{row, c.formatted("", name), value})
	}
	c.noNumbers(e, wrong, p.ValueField, "numbers")
	if negative > 0 {
		c.Warn(e, "%d values of the field %q are below zero and have no slice", negative, p.ValueField)
	}
	list = p.folded(c, e, list)
	if len(list) > manySlices {
		c.Warn(e, "%d slices are more than anybody can tell apart; a group step with top puts the small ones together", len(list))
	}
	return list
}

func sumOf(list []slice) (sum float64) {
	for _, s := range list {
		sum += s.value
	}
	return sum
}

func share(value, sum float64) float64 {
	if sum > 0 {
		return value / sum
	}
	return 0
}

// drawn writes the texts of slices.
func (p *pieChartProps) drawn(c *Context, list []slice) []chart.Slice {
	sum := sumOf(list)
	out := make([]chart.Slice, len(list))
	for i, s := range list {
		share := share(s.value, sum)
		undo := c.scope.pushItem("slice", report.ObjectOf("name", s.name, "value", s.value, "share", share, "number", int64(i+1)), i)
		c.withRecord(s.row, func() {
			out[i] = chart.Slice{Value: s.value, Color: p.color(c, s, i, len(list)), Legend: p.legend(c, s), Label: p.label(c, s, share)}
		})
		undo()
	}
	return out
}

// folded is one slice for each name; rows without a name keep their own.
func (p *pieChartProps) folded(c *Context, e *Element, list []slice) []slice {
	if p.Aggregate == "each" {
		return list
	}
	first, values := foldRows(len(list), p.Aggregate, func(i int) (string, float64, bool) { return list[i].name, list[i].value, list[i].name != "" })
	c.warnFolded(e, p.Aggregate, p.NameField, len(list), len(first))
	for i, from := range first {
		list[i] = list[from]
		list[i].value = values[i]
	}
	return list[:len(first)]
}

func (p *pieChartProps) legend(c *Context, s slice) string {
	if p.LegendTemplate == "" {
		return c.legendEntry(s.name)
	}
	return c.legendEntry(c.Shown(p.LegendTemplate))
}

func (p *pieChartProps) label(c *Context, s slice, share float64) string {
	switch {
	case !p.Labels:
		return ""
	case p.ValueTemplate != "":
		return c.Shown(p.ValueTemplate)
	case p.Legend.Position == "none":
		return strings.TrimSpace(s.name + " " + c.formatted(usualShare, share))
	}
	return c.formatted(usualShare, share)
}

// usualShare is the format of shares in labels.
const usualShare = "p;0;1"

// color is the colour of a slice: the row's, that of its name, or the theme's.
func (p *pieChartProps) color(c *Context, s slice, i, n int) string {
	m := &p.ColorMap
	if m.Field != "" {
		v, _ := c.fieldPath(m.Field).Of(s.row)
		if own, ok := v.(string); ok && cssValue(own) != "" {
			return cssValue(own)
		}
	}
	for _, named := range m.Colors {
		if named.Name == s.name && cssValue(named.Color) != "" {
			return cssValue(named.Color)
		}
	}
	return paletteColor(m.place(i, n))
}

// place is the palette colour of the i-th of n slices. Up to eight slices are
// spread over the first eight colours, which can be told apart; past the end of
// those spread over, the colours in between are taken, so that neighbours differ.
func (m *colorMapProps) place(i, n int) int {
	if m.Size > 0 {
		n = m.Size
	}
	colours := paletteSize
	if n <= paletteSize/2 && m.Step == 0 && m.Mode == "even" {
		colours = paletteSize / 2
	}
	step := m.Step
	if step == 0 {
		step = 1
		if m.Mode == "even" {
			step = max(1, colours/max(1, n))
		}
	}
	at := i * step
	return m.Offset + at + at/colours*boolInt(colours%step == 0 && step > 1)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
