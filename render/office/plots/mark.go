// Package plots makes charts of Office of what charts show by the marks of a typed
// document (htmlgen.Input.Typed): their values as rows and columns of cells, the chart
// of these cells, and a workbook with nothing else for the files in which people edit
// the data of a chart. What Office cannot draw it says.
package plots

import (
	"encoding/json"
	"math"
	"slices"
)

// Mark is what a chart shows; see htmlgen, which writes it. It is not changed once it
// is read.
type Mark struct {
	Pie                 bool
	Width, Height       float64
	Turned, Mirrored    bool
	Size                float64 // of texts, in pixels
	Legend              string
	Base, Value, Second axisMark
	Categories, Colors  []string
	Series              []seriesMark
	Hole, Start         float64
	Lacks               string // what of it Office cannot draw; empty: nothing

	Grid  Grid `json:"-"`
	again bool // a series has several values at a place
}

type axisMark struct {
	Kind, Title, Code, Cells, Scale string
	Min, Max                        *float64
	Inverted, Shares, Hidden, Lines bool
	Log                             bool // powers of ten are the same way apart
	Whole                           bool // the numbers beside it are whole
}

type seriesMark struct {
	Name, Kind, Color, Stack, Shape string
	Ink, Code                       string
	Inks                            []string
	Width, Size, Filled, Alpha      float64
	Names, Shares, Named            bool
	Dash, Smooth, Second, Labels    bool
	Trend                           string
	Period                          int // of a moving average
	Points                          [][]*float64
	Sizes                           []shortMark // codes of labels by the size of their values, the smallest first; empty: Code
}

// shortMark is the code of values from one on, without their signs.
type shortMark struct {
	From float64
	Code string
}

// Grid are the values of a chart as rows and columns of cells.
type Grid struct {
	Head    []string
	Codes   []string // number format codes of the columns
	Rows    [][]any  // float64, string or nil
	Removed []string // lines across the plot that Office cannot draw

	series []columnsOf
	points bool // places are numbers of an axis of their own
	days   bool // places are days
}

// columnsOf are the columns of a series: of its places and of its values.
type columnsOf struct {
	mark         *seriesMark
	base, values int
	rows         int // how many rows it has
}

// Read reads what a chart shows; nil where that is nothing.
func Read(doc string) *Mark {
	m := &Mark{}
	if json.Unmarshal([]byte(doc), m) != nil {
		return nil
	}
	m.lay()
	if len(m.Grid.Rows) == 0 || len(m.Grid.series) == 0 {
		return nil
	}
	return m
}

// lay puts the values into rows and columns.
func (m *Mark) lay() {
	g := &m.Grid
	g.Head, g.Codes = []string{m.Base.Title}, []string{""}
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
			g.Rows = append(g.Rows, []any{name})
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
	if m.Base.Log && !g.points {
		m.Lacks = "places on a logarithmic axis"
	}
	if m.again {
		m.Lacks = "several values of a series at one place"
		m.pairs()
	}
}

// pairs puts each series into two columns: its places and its values.
func (m *Mark) pairs() {
	g := &m.Grid
	*g = Grid{Removed: g.Removed, points: g.points}
	set := func(row, column int, v any) {
		for len(g.Rows) <= row {
			g.Rows = append(g.Rows, nil)
		}
		for len(g.Rows[row]) <= column {
			g.Rows[row] = append(g.Rows[row], nil)
		}
		g.Rows[row][column] = v
	}
	for i := range m.Series {
		s := &m.Series[i]
		at := len(g.Head)
		g.Head, g.Codes = append(g.Head, m.Base.Title, s.Name), append(g.Codes, m.Base.Cells, m.axis(s).Cells)
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
		g.series = append(g.series, columnsOf{mark: s, base: at, values: at + 1, rows: n})
	}
	for r := range g.Rows {
		set(r, len(g.Head)-1, g.at(r, len(g.Head)-1))
	}
}

// at is what stands in a cell.
func (g *Grid) at(row, column int) any {
	if column < len(g.Rows[row]) {
		return g.Rows[row][column]
	}
	return nil
}

// reach is the first and the last place.
func (m *Mark) reach() (low, high float64) {
	if places := m.union(); len(places) > 0 {
		return places[0], places[len(places)-1]
	}
	return 0, 1
}

// across makes a row of each place.
func (m *Mark) across(places []float64) {
	g := &m.Grid
	g.Codes[0] = m.Base.Cells
	g.days = m.Base.Kind == "time"
	at := map[float64]int{}
	for i, x := range places {
		at[x] = i
		v := m.place(x)
		g.days = g.days && v == math.Trunc(v)
		g.Rows = append(g.Rows, []any{v})
	}
	m.columns(func(x float64) int {
		if i, ok := at[x]; ok {
			return i
		}
		return -1
	})
}

// place is a place of the base as cells hold it.
func (m *Mark) place(x float64) float64 {
	const day, epoch = 24 * 60 * 60 * 1000, 25569 // of 1970, in the days of Excel
	if m.Base.Kind == "time" {
		return x/day + epoch
	}
	return x
}

// columns puts the values of each series into a column.
func (m *Mark) columns(row func(x float64) int) {
	g := &m.Grid
	for i := range m.Series {
		s := &m.Series[i]
		at := len(g.Head)
		g.Head, g.Codes = append(g.Head, s.Name), append(g.Codes, m.axis(s).Cells)
		g.series = append(g.series, columnsOf{mark: s, values: at, rows: len(g.Rows)})
		for r := range g.Rows {
			g.Rows[r] = append(g.Rows[r], any(nil))
		}
		for _, p := range s.Points {
			if len(p) < 2 || p[1] == nil {
				continue
			}
			if p[0] == nil { // a line across the plot
				for r := range g.Rows {
					g.Rows[r][at] = *p[1]
				}
				continue
			}
			r := row(*p[0])
			switch {
			case r < 0 || r >= len(g.Rows):
			case g.Rows[r][at] != nil:
				m.again = true
			default:
				g.Rows[r][at] = *p[1]
			}
		}
	}
}

func (m *Mark) axis(s *seriesMark) *axisMark {
	if s.Second {
		return &m.Second
	}
	return &m.Value
}

// keep leaves out lines across the plot that a workbook cannot draw.
func (m *Mark) keep() {
	kept := m.Series[:0]
	for _, s := range m.Series {
		if s.Kind == "marker" && (m.Turned || len(s.Points) == 0 || len(s.Points[0]) < 2 || s.Points[0][0] != nil) {
			m.Grid.Removed = append(m.Grid.Removed, s.Name)
			continue
		}
		kept = append(kept, s)
	}
	m.Series = kept
}

// stacks finds out whether the stacks are such as workbooks have.
func (m *Mark) stacks() {
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
func (m *Mark) places() []float64 {
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
func (m *Mark) union() []float64 {
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
