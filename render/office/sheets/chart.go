package sheets

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/xlsx"
)

// chartMark is what a chart shows; see htmlgen, which writes it.
type chartMark struct {
	Pie                 bool
	Width, Height       float64
	Turned              bool
	Legend              string
	Base, Value, Second axisMark
	Categories, Colors  []string
	Series              []seriesMark
	Hole, Start         float64
	Lacks               string

	id, alt string
	data    *sheet // where its values stand, if not below it
	grid    chartGrid
	again   bool // a series has several values at a place
}

type axisMark struct {
	Kind, Title, Code, Cells        string
	Min, Max                        *float64
	Inverted, Shares, Hidden, Lines bool
}

type seriesMark struct {
	Name, Kind, Color, Stack, Shape string
	Width, Size, Filled             float64
	Dash, Smooth, Second, Labels    bool
	Points                          [][]*float64
}

// chartGrid are the values of a chart as rows and columns of cells.
type chartGrid struct {
	head    []string
	codes   []string // of the columns
	rows    [][]any  // float64, string or nil
	series  []chartColumns
	points  bool // places are numbers of an axis of their own
	days    bool // places are days
	removed []string
}

// chartColumns are the columns of a series: of its places and of its values.
type chartColumns struct {
	mark         *seriesMark
	base, values int
	rows         int // how many rows it has
}

// readChart reads what a chart shows; nil where that is nothing.
func readChart(doc, id, alt string) *chartMark {
	m := &chartMark{id: id, alt: alt}
	if json.Unmarshal([]byte(doc), m) != nil {
		return nil
	}
	m.lay()
	if len(m.grid.rows) == 0 || len(m.grid.series) == 0 {
		return nil
	}
	return m
}

// lay puts the values into rows and columns.
func (m *chartMark) lay() {
	g := &m.grid
	g.head, g.codes = []string{m.Base.Title}, []string{""}
	kinds := map[string]bool{}
	for i := range m.Series {
		kinds[m.Series[i].Kind] = true
	}
	if m.Turned && (kinds["line"] || kinds["area"] || kinds["scatter"]) {
		m.Lacks = "lines and areas that lie"
	}
	m.stacks()
	m.keep()
	switch {
	case m.Pie || m.Base.Kind == "category":
		for _, name := range m.Categories {
			g.rows = append(g.rows, []any{name})
		}
		m.columns(func(x float64) int { return int(x) })
	case kinds["column"] || kinds["area"]:
		places := m.union()
		if m.across(places); !g.days && !even(places) {
			m.Lacks = "columns or areas at places of uneven distances"
		}
	case kinds["line"] || kinds["scatter"]:
		g.points = true
		if places := m.places(); places != nil {
			m.across(places)
		} else {
			m.pairs()
		}
	}
	if m.again {
		m.Lacks = "several values of a series at one place"
		m.pairs()
	}
}

// pairs puts each series into two columns: its places and its values.
func (m *chartMark) pairs() {
	g := &m.grid
	*g = chartGrid{removed: g.removed, points: g.points}
	set := func(row, column int, v any) {
		for len(g.rows) <= row {
			g.rows = append(g.rows, nil)
		}
		for len(g.rows[row]) <= column {
			g.rows[row] = append(g.rows[row], nil)
		}
		g.rows[row][column] = v
	}
	for i := range m.Series {
		s := &m.Series[i]
		at := len(g.head)
		g.head, g.codes = append(g.head, m.Base.Title, s.Name), append(g.codes, m.Base.Cells, m.axis(s).Cells)
		n := 0
		for _, p := range s.Points {
			switch {
			case len(p) < 2 || p[1] == nil:
				continue
			case p[0] == nil: // a line across the plot
				low, high := m.reach()
				set(0, at, m.place(low))
				set(1, at, m.place(high))
				set(0, at+1, *p[1])
				set(1, at+1, *p[1])
				n = 2
				continue
			case m.Base.Kind == "category" && int(*p[0]) < len(m.Categories) && *p[0] >= 0:
				set(n, at, m.Categories[int(*p[0])])
			default:
				set(n, at, m.place(*p[0]))
			}
			set(n, at+1, *p[1])
			n++
		}
		g.series = append(g.series, chartColumns{mark: s, base: at, values: at + 1, rows: n})
	}
	for r := range g.rows {
		set(r, len(g.head)-1, g.at(r, len(g.head)-1))
	}
}

// at is what stands in a cell.
func (g *chartGrid) at(row, column int) any {
	if column < len(g.rows[row]) {
		return g.rows[row][column]
	}
	return nil
}

// reach is the first and the last place.
func (m *chartMark) reach() (low, high float64) {
	if places := m.union(); len(places) > 0 {
		return places[0], places[len(places)-1]
	}
	return 0, 1
}

// across makes a row of each place.
func (m *chartMark) across(places []float64) {
	g := &m.grid
	g.codes[0] = m.Base.Cells
	g.days = m.Base.Kind == "time"
	at := map[float64]int{}
	for i, x := range places {
		at[x] = i
		v := m.place(x)
		g.days = g.days && v == math.Trunc(v)
		g.rows = append(g.rows, []any{v})
	}
	m.columns(func(x float64) int {
		if i, ok := at[x]; ok {
			return i
		}
		return -1
	})
}

// place is a place of the base as cells hold it.
func (m *chartMark) place(x float64) float64 {
	const day, epoch = 24 * 60 * 60 * 1000, 25569 // of 1970, in the days of Excel
	if m.Base.Kind == "time" {
		return x/day + epoch
	}
	return x
}

// columns puts the values of each series into a column.
func (m *chartMark) columns(row func(x float64) int) {
	g := &m.grid
	for i := range m.Series {
		s := &m.Series[i]
		at := len(g.head)
		g.head, g.codes = append(g.head, s.Name), append(g.codes, m.axis(s).Cells)
		g.series = append(g.series, chartColumns{mark: s, values: at, rows: len(g.rows)})
		for r := range g.rows {
			g.rows[r] = append(g.rows[r], any(nil))
		}
		for _, p := range s.Points {
			if len(p) < 2 || p[1] == nil {
				continue
			}
			if p[0] == nil { // a line across the plot
				for r := range g.rows {
					g.rows[r][at] = *p[1]
				}
				continue
			}
			r := row(*p[0])
			switch {
			case r < 0 || r >= len(g.rows):
			case g.rows[r][at] != nil:
				m.again = true
			default:
				g.rows[r][at] = *p[1]
			}
		}
	}
}

func (m *chartMark) axis(s *seriesMark) *axisMark {
	if s.Second {
		return &m.Second
	}
	return &m.Value
}

// keep leaves out lines across the plot that a workbook cannot draw.
func (m *chartMark) keep() {
	kept := m.Series[:0]
	for _, s := range m.Series {
		if s.Kind == "marker" && (m.Turned || len(s.Points) == 0 || len(s.Points[0]) < 2 || s.Points[0][0] != nil) {
			m.grid.removed = append(m.grid.removed, s.Name)
			continue
		}
		kept = append(kept, s)
	}
	m.Series = kept
}

// stacks finds out whether the stacks are such as workbooks have.
func (m *chartMark) stacks() {
	for _, kind := range []string{"column", "area"} {
		names, count := map[string]bool{}, 0
		for _, s := range m.Series {
			if s.Kind == kind {
				names[s.Stack] = true
				count++
			}
		}
		if len(names) > 1 && count > 1 {
			m.Lacks = "several stacks beside each other"
		}
	}
}

// places are the places of the series where they are the same for all, and none comes
// again; nil where not.
func (m *chartMark) places() []float64 {
	var first []float64
	found := false
	for _, s := range m.Series {
		if s.Kind == "marker" {
			continue
		}
		var xs []float64
		for _, p := range s.Points {
			if len(p) > 0 && p[0] != nil {
				xs = append(xs, *p[0])
			}
		}
		if found && !slices.Equal(xs, first) {
			return nil
		}
		first, found = xs, true
	}
	if sorted := slices.Sorted(slices.Values(first)); len(slices.Compact(sorted)) < len(first) {
		return nil
	}
	return first
}

// union are the places of all series, in order.
func (m *chartMark) union() []float64 {
	var all []float64
	for _, s := range m.Series {
		for _, p := range s.Points {
			if len(p) > 0 && p[0] != nil {
				all = append(all, *p[0])
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// even reports places that are as far apart from each other.
func even(places []float64) bool {
	for i := 2; i < len(places); i++ {
		if a, b := places[i]-places[i-1], places[1]-places[0]; math.Abs(a-b) > 1e-6*math.Abs(b) {
			return false
		}
	}
	return true
}

// apartAt is from how many values on they stand on a sheet of their own.
const apartAt = 60

// charted writes a chart and, where they stand below it, its values.
func (w *writing) charted(m *chartMark) error {
	if len(m.grid.removed) > 0 {
		w.warn(m.id, "a line across the chart is not in the workbook (%s)", m.grid.removed[0])
	}
	if m.Lacks != "" {
		w.warn(m.id, "the workbook has the chart as a picture beside its values, for it has %s, which Excel does not draw", m.Lacks)
		if m.data != nil {
			return nil
		}
		return w.chartValues(m)
	}
	name, first := w.of.name, 0
	place := xlsx.Place{Row: w.Rows() + 1, Column: 1, Width: m.Width, Height: m.Height, Alt: m.alt}
	w.Skip(int(math.Ceil(m.Height/rowPixels)) + 1)
	if m.data != nil {
		name, first = m.data.name, 1
	} else {
		first = w.Rows() + 1
	}
	drawn := m.drawing(w.book, name, first)
	w.Chart(place, func(x *opc.XML) { drawn.Write(x) })
	if m.data != nil {
		return nil
	}
	return w.chartValues(m)
}

// chartValues writes the values of a chart as a table.
func (w *writing) chartValues(m *chartMark) error {
	g := &m.grid
	head := make([]xlsx.Cell, len(g.head))
	bold := w.wb.Style(xlsx.Style{Font: xlsx.Font{Bold: true, Color: w.Looks.Header.Color}, Fill: w.Looks.Header.Fill, Wrap: true})
	over := w.wb.Style(xlsx.Style{Font: xlsx.Font{Bold: true, Color: w.Looks.Header.Color}, Fill: w.Looks.Header.Fill, Wrap: true, Horizontal: "right"})
	for i, title := range g.head {
		head[i] = cellOf(noValue, "", oneLine(title))
		if head[i].Style = over; i == 0 {
			head[i].Style = bold
		}
	}
	if _, err := w.Row(xlsx.Row{Cells: head}); err != nil {
		return err
	}
	styles := make([]xlsx.StyleID, len(g.codes))
	for i, code := range g.codes {
		if code != "" && code != general {
			styles[i] = w.wb.Style(xlsx.Style{Format: code})
		}
	}
	for _, r := range g.rows {
		cells := make([]xlsx.Cell, len(r))
		for i, v := range r {
			switch v := v.(type) {
			case float64:
				cells[i] = xlsx.Cell{Kind: xlsx.Number, Number: v, Style: styles[i]}
			case string:
				cells[i] = cellOf(noValue, "", oneLine(v))
			}
		}
		if _, err := w.Row(xlsx.Row{Cells: cells}); err != nil {
			return err
		}
	}
	return nil
}
