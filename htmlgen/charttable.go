package htmlgen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/htmlgen/chart"
)

// mostTold is how many rows the table of a chart has at most: nobody listens to
// more, and each costs as much as one that is shown.
const mostTold = 1000

// chartTable is what a chart shows, for people who do not see it.
type chartTable struct {
	head []string
	rows [][]string // their first cell is their head
}

// writeChartTable writes the table of a chart over its drawing: clipped on
// screens, in letters without colour in tagged PDF files.
func (c *Context) writeChartTable(e *Element, t chartTable, width, height float64) {
	if len(t.rows) == 0 {
		return
	}
	if n := len(t.rows); n > mostTold {
		c.Warn(e, "the chart's table for screen readers has the first %d of %d rows; a step that groups or limits the rows makes them fewer", mostTold, n)
		t.rows = t.rows[:mostTold]
	}
	c.Raw(`<div class="q-chart-data"`)
	c.Attr("style", fmt.Sprintf("font-size:%.3fpx", t.letters(width, height)))
	c.Raw("><table><thead><tr>")
	for _, title := range t.head {
		c.Raw(`<th scope="col">`)
		c.Text(title)
		c.Raw("</th>")
	}
	c.Raw("</tr></thead><tbody>")
	for _, row := range t.rows {
		c.Raw(`<tr><th scope="row">`)
		c.Text(row[0])
		c.Raw("</th>")
		for _, text := range row[1:] {
			c.Raw("<td>")
			c.Text(text)
			c.Raw("</td>")
		}
		c.Raw("</tr>")
	}
	c.Raw("</tbody></table></div>\n")
}

// letters is the font size in which the table stays inside the chart, so that
// readers show where it is.
func (t *chartTable) letters(width, height float64) float64 {
	widest := 1
	for _, row := range append([][]string{t.head}, t.rows...) {
		for _, text := range row {
			widest = max(widest, utf8.RuneCountInString(text))
		}
	}
	const largest, broad = 6, 0.8 // px; the width of a letter
	return max(0.05, min(largest, height/float64(len(t.rows)+2), width/float64(len(t.head))/(broad*float64(widest))))
}

// chartPlace is a row of the table: the place on the base axis, and how many points of
// the series had it before.
type chartPlace struct {
	x     float64
	again int
}

// table is what the chart shows, a column for each series.
func (g *genericData) table() chartTable {
	p := g.p
	t := chartTable{head: []string{g.placeTitle()}}
	values := map[chartPlace][]string{}
	var across [][]string // what has no place on the base axis
	for i := range g.xy.Series {
		s := &g.xy.Series[i]
		_, field := g.fields(&p.Series[i])
		name := firstOf(s.Name, field, fmt.Sprint(i+1))
		t.head = append(t.head, name)
		count := map[float64]int{}
		for _, q := range s.Points {
			text := g.valueText(&p.Series[i], q)
			if math.IsNaN(q.X) {
				row := make([]string, len(g.xy.Series)+1)
				row[0], row[i+1] = name, text
				across = append(across, row)
				continue
			}
			at := chartPlace{q.X, count[q.X]}
			count[q.X]++
			if values[at] == nil {
				values[at] = make([]string, len(g.xy.Series)+1)
			}
			values[at][i+1] = text
		}
	}
	places := make([]chartPlace, 0, len(values))
	for at := range values {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b chartPlace) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.again, b.again)) })
	place := g.placeText(places)
	for _, at := range places {
		row := values[at]
		row[0] = place(at.x)
		t.rows = append(t.rows, row)
	}
	t.rows = append(t.rows, across...)
	return t
}

// placeTitle is what the base axis measures.
func (g *genericData) placeTitle() string {
	field := ""
	for i := range g.p.Series {
		if place, _ := g.fields(&g.p.Series[i]); field == "" && !isConstant(place) {
			field = place
		}
	}
	return firstOf(strings.TrimSpace(g.xy.Base.Title), field, "#")
}

// placeText is how places of the base axis are written.
func (g *genericData) placeText(places []chartPlace) func(x float64) string {
	c, format := g.c, g.base.Format
	switch g.kind {
	case chart.Category:
		return func(x float64) string { return g.categories[int(x)] }
	case chart.Time:
		zone := c.Env.Zone
		if zone == nil {
			zone = time.UTC
		}
		moment := func(x float64) time.Time { return time.UnixMilli(int64(x)).In(zone) }
		if format == "" {
			format = "d"
			if slices.ContainsFunc(places, func(at chartPlace) bool { h, m, s := moment(at.x).Clock(); return h+m+s > 0 }) {
				format = "dt"
			}
		}
		return func(x float64) string { return c.formatted(format, moment(x)) }
	}
	return func(x float64) string { return c.formatted(firstOf(format, "n;0;6"), x) }
}

// valueText is the value of a point; of a range both ends.
func (g *genericData) valueText(s *seriesProps, q chart.Point) string {
	axis := g.value
	if s.Secondary {
		axis = &g.p.Secondary
	}
	write := func(y float64) string {
		if math.IsNaN(y) {
			return ""
		}
		return g.c.formatted(firstOf(s.Labels.Format, axis.Format, "n;0;6"), y)
	}
	if s.Y0 != "" {
		return write(q.Y0) + " – " + write(q.Y)
	}
	return write(q.Y)
}

// table is what a pie shows: the names, values and shares of its slices.
func (p *pieChartProps) table(c *Context, list []slice) chartTable {
	sum := sumOf(list)
	t := chartTable{head: []string{p.NameField, p.ValueField, "%"}}
	for _, s := range list {
		t.rows = append(t.rows, []string{s.name, c.formatted("n;0;6", s.value), c.formatted("p;0;1", share(s.value, sum))})
	}
	return t
}
