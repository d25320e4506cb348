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
	values := make([]any, len(rows))
	for i, row := range rows {
		values[i], _ = col.path.Of(row)
	}
	if places := decimalsOf(values); places > 0 {
		col.format = t.c.format("n;" + strconv.Itoa(places))
	}
}

// decimalsOf is how many decimal places numbers need that stand below each other; 0
// where they are whole, or rounding would leave little of some.
func decimalsOf(values []any) int {
	places := 0
	smallest := 1.0
	for _, v := range values {
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
		return 0
	case places > mostDecimals:
		return roundedDecimals
	}
	return places
}
