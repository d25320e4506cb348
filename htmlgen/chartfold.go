package htmlgen

import (
	"math"

	"github.com/quire-reports/quire/htmlgen/chart"
)

// Rows of the same category would be drawn over each other, and the chart would
// show the largest instead of what they are together. So they become one value.

// fold is the values of one place while they become one.
type fold struct {
	at    int // of its first row among the rows kept
	count int // of values
	total float64
}

// add takes one more value in; one that is missing changes nothing.
func (f *fold) add(how string, v float64) {
	if math.IsNaN(v) {
		return
	}
	f.count++
	switch {
	case f.count == 1:
		f.total = v
	case how == "min":
		f.total = min(f.total, v)
	case how == "max":
		f.total = max(f.total, v)
	default:
		f.total += v
	}
}

// value is what the values have become.
func (f *fold) value(how string) float64 {
	switch {
	case how == "count":
		return float64(f.count)
	case f.count == 0:
		return chart.Gap()
	case how == "average":
		return f.total / float64(f.count)
	}
	return f.total
}

// foldRows folds the values of n rows by their keys: it gives the rows that are
// the first of their key, and the value of each. Rows without a key stand alone.
func foldRows[K comparable](n int, how string, row func(i int) (key K, value float64, keyed bool)) (first []int, values []float64) {
	places := make(map[K]int, n)
	folds := make([]fold, 0, n)
	for i := range n {
		key, v, keyed := row(i)
		at, known := places[key]
		if !known || !keyed {
			at = len(folds)
			folds = append(folds, fold{at: i})
			if keyed {
				places[key] = at
			}
		}
		folds[at].add(how, v)
	}
	for i := range folds {
		first, values = append(first, folds[i].at), append(values, folds[i].value(how))
	}
	return first, values
}

// warnFolded says that rows were folded though nobody asked for it.
func (c *Context) warnFolded(e *Element, how, field string, rows, places int) {
	if how == "" && rows > places {
		c.Warn(e, "%d rows repeat a category of the field %q and are added up; the setting aggregate chooses what they become", rows-places, field)
	}
}

// folded is the points of a series with one for each place, and their rows.
func (g *genericData) folded(s *seriesProps, points []chart.Point, rows []any) ([]chart.Point, []any) {
	place, _ := g.fields(s)
	beside := s.Type == "column" || s.Type == "bar"
	if s.Aggregate == "each" || !beside && (g.kind != chart.Category || s.Type != "line" && s.Type != "area") {
		return points, rows
	}
	first, values := foldRows(len(points), s.Aggregate, func(i int) (float64, float64, bool) {
		x := points[i].X
		return x, points[i].Y, g.kind != chart.Category || g.categories[int(x)] != ""
	})
	g.c.warnFolded(g.e, s.Aggregate, place, len(points), len(first))
	for i, from := range first {
		points[i], rows[i] = points[from], rows[from]
		points[i].Y = values[i]
	}
	return points[:len(first)], rows[:len(first)]
}
