package plots

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/quire-reports/quire/render/office/chart"
	"github.com/quire-reports/quire/render/office/xlsx"
)

// Look is how charts look besides what they say themselves.
type Look struct {
	Text string // colour of texts; six hexadecimal digits
	Font string // of texts; empty: that of the file
	// Color makes a colour of CSS one that package chart takes; nil: none is taken over.
	Color func(css string) (color string, ok bool)
}

func (l *Look) color(css string) string {
	if l.Color == nil {
		return ""
	}
	color, _ := l.Color(css)
	return color
}

// Chart is the chart whose values stand on a sheet, their head in a row.
func (m *Mark) Chart(sheet string, head int, look Look) *chart.Chart {
	g := &m.Grid
	c := &chart.Chart{Legend: m.Legend, Color: look.Text, Font: look.Font, Size: m.Size * 0.75, Mirrored: m.Mirrored, Base: m.Base.axis(), Value: m.Value.axis(), Second: m.Second.axis()}
	c.Value.Numbers, c.Second.Numbers = true, true
	c.Base.Numbers, c.Base.Days = g.points, g.days && !g.points
	if m.Base.Kind == "time" {
		c.Base.Min, c.Base.Max = m.bound(m.Base.Min), m.bound(m.Base.Max)
	}
	m.fromZero(&c.Value, false)
	m.fromZero(&c.Second, true)
	if m.Turned { // rows run down here, and up there
		c.Base.Inverted = !c.Base.Inverted
	}
	ref := func(column, rows int) chart.Ref {
		r := chart.Ref{Formula: area(sheet, column+1, head+1, head+rows), Code: g.Codes[column]}
		for _, row := range g.Rows[:rows] {
			switch v := row[column].(type) {
			case string:
				r.Texts = append(r.Texts, oneLine(v))
			case float64:
				r.Numbers = append(r.Numbers, v)
			default:
				r.Numbers = append(r.Numbers, math.NaN())
			}
		}
		return r
	}
	for _, kind := range []string{"pie", "area", "column", "line", "scatter", "marker"} {
		for _, second := range []bool{false, true} {
			m.plot(&look, c, kind, second, sheet, head, ref)
		}
	}
	return c
}

// fromZero has columns and areas begin at zero, as they do on pages; programs cut axes
// short whose values differ little.
func (m *Mark) fromZero(axis *chart.Axis, second bool) {
	least, filled := 0.0, false
	for i := range m.Series {
		s := &m.Series[i]
		if s.Second != second {
			continue
		}
		filled = filled || s.Kind == "column" || s.Kind == "area"
		for _, p := range s.Points {
			if len(p) > 1 && p[1] != nil {
				least = min(least, *p[1])
			}
		}
	}
	if filled && least == 0 && !axis.Log && math.IsNaN(axis.Min) {
		axis.Min = 0
	}
}

// plot adds the series of a kind.
func (m *Mark) plot(look *Look, c *chart.Chart, kind string, second bool, sheet string, head int, ref func(column, rows int) chart.Ref) {
	p := chart.Plot{Kind: m.kind(kind), Second: second, Turned: m.Turned, Gap: 60, Hole: int(math.Round(m.Hole * 100)), Start: int(math.Round(m.Start))}
	for i := range m.Grid.series {
		at := &m.Grid.series[i]
		s := at.mark
		if s.Kind != kind || s.Second != second || at.rows == 0 {
			continue
		}
		axis := m.axis(s)
		made := chart.Series{
			Name: chart.Ref{Formula: area(sheet, at.values+1, head, head), Texts: []string{oneLine(s.Name)}}, Base: ref(at.base, at.rows), Values: ref(at.values, at.rows),
			Smooth: s.Smooth, Labels: s.Labels, LabelCode: cmp.Or(s.Code, axis.Code), Named: s.Named,
		}
		if s.Labels && len(s.Sizes) > 0 {
			made.LabelCodes = m.Grid.labelCodes(at)
		}
		made.Color = look.color(s.Color)
		switch kind {
		case "line", "marker":
			made.Width = s.Width * 0.75
			made.Marker, made.MarkerSize = s.Shape, int(math.Round(s.Size*0.75))
		case "area":
			made.Width, made.Opacity = s.Width*0.75, s.Alpha
		case "scatter":
			made.Marker, made.MarkerSize = s.Shape, int(math.Round(s.Size*0.75))
			if made.Marker == "" {
				made.Marker = "circle"
			}
			made.MarkerSize = max(made.MarkerSize, 4)
		case "pie":
			for _, color := range m.Colors {
				made.Colors = append(made.Colors, look.color(color))
			}
			for _, ink := range s.Inks {
				made.Inks = append(made.Inks, look.color(ink))
			}
			made.LabelCode, made.Names, made.Shares = s.Code, s.Names, s.Shares || !s.Names
		case "column":
			made.Ink = look.color(s.Ink)
			if s.Filled > 0 && s.Filled <= 1 {
				p.Gap = int(math.Round((1/s.Filled - 1) * 100))
			}
		}
		made.Trend, made.Period = trends[s.Trend], s.Period
		if s.Dash {
			made.Dash = "sysDash"
		}
		p.Stacked = p.Stacked || s.Stack != ""
		p.Shares = p.Shares || s.Stack != "" && axis.Shares
		p.Series = append(p.Series, made)
	}
	if len(p.Series) > 0 {
		c.Plots = append(c.Plots, p)
	}
}

// labelCodes are the codes of the labels of a series, each by the size of its value.
func (g *Grid) labelCodes(at *columnsOf) []string {
	codes := make([]string, at.rows)
	for r := range codes {
		v, ok := g.at(r, at.values).(float64)
		if !ok {
			continue
		}
		for _, size := range at.mark.Sizes {
			if math.Abs(v) >= size.From {
				codes[r] = size.Code
			}
		}
	}
	return codes
}

var trends = map[string]chart.Trend{"linear": chart.Linear, "exponential": chart.Exponential, "moving-average": chart.MovingAverage}

// kind is how a workbook draws a kind of series on this base.
func (m *Mark) kind(kind string) chart.Kind {
	switch {
	case kind == "pie":
		return chart.Pie
	case kind == "column":
		return chart.Columns
	case kind == "area":
		return chart.Areas
	case m.Grid.points:
		return chart.Points
	}
	return chart.Lines
}

func (a *axisMark) axis() chart.Axis {
	made := chart.Axis{Title: a.Title, Min: math.NaN(), Max: math.NaN(), Inverted: a.Inverted, Hidden: a.Hidden, Lines: a.Lines, Log: a.Log, Code: a.Code, Whole: a.Whole}
	if a.Scale != "" {
		made.Code = a.Scale
	}
	if a.Min != nil {
		made.Min = *a.Min
	}
	if a.Max != nil {
		made.Max = *a.Max
	}
	return made
}

// bound is a bound of a base of times.
func (m *Mark) bound(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return m.place(*v)
}

// area is the reference of cells of a column.
func area(sheet string, column, from, to int) string {
	name := xlsx.ColumnName(column)
	ref := fmt.Sprintf("'%s'!$%s$%d", strings.ReplaceAll(sheet, "'", "''"), name, from)
	if to == from {
		return ref
	}
	return fmt.Sprintf("%s:$%s$%d", ref, name, to)
}
