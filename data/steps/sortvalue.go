package steps

import (
	"cmp"

	"github.com/shopspring/decimal"
)

// sortNumber is a number read once for all comparisons.
type sortNumber struct {
	near  float64 // decides as long as it differs
	exact decimal.Decimal
}

// sortable is a value made ready to be compared many times.
func sortable(v any) any {
	if kindOf(v) != numberKind {
		return v
	}
	d, ok := Number(v)
	if !ok {
		return v
	}
	return sortNumber{d.InexactFloat64(), d}
}

func compareSortable(a, b any) int {
	x, xNumber := a.(sortNumber)
	y, yNumber := b.(sortNumber)
	switch {
	case xNumber && yNumber:
		if c := cmp.Compare(x.near, y.near); c != 0 {
			return c
		}
		return x.exact.Cmp(y.exact)
	case xNumber:
		return numberKind - kindOf(b)
	case yNumber:
		return kindOf(a) - numberKind
	}
	return Compare(a, b)
}
