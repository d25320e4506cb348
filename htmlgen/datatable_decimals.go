package htmlgen

import (
	"strconv"

	"github.com/quire-reports/quire/data/steps"
)

const (
	// mostDecimals is how many decimal places a column has at most by itself.
	mostDecimals = 3
	// roundedDecimals is how many the numbers of a column are rounded to that
	// has more.
	roundedDecimals = 2
)

// lineUp gives a column of numbers whose format nobody has chosen the decimal
// places that its values need, so that all have as many, and its totals too.
func (t *table) lineUp(col *column, rows []any) {
	places := 0
	smallest := 1.0
	for _, row := range rows {
		v, _ := col.path.Of(row)
		n, size, ok := steps.Decimals(v)
		if !ok {
			continue
		}
		places = max(places, n)
		if size > 0 {
			smallest = min(smallest, size)
		}
	}
	switch {
	case places > mostDecimals && smallest < 0.1:
		return // rounding would leave little of some of them
	case places > mostDecimals:
		places = roundedDecimals
	case places == 0:
		return
	}
	col.format = t.c.format("n;" + strconv.Itoa(places))
}
