package steps

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Aggregate folds the rows of a group into one value. Nulls are skipped by all
// of them; text that is a number counts as one.
type Aggregate string

// The aggregates.
const (
	Sum      Aggregate = "sum"
	Count    Aggregate = "count"    // rows whose field is not null; without a field, rows
	Distinct Aggregate = "distinct" // different values
	Average  Aggregate = "average"  // weighted when there is a weight
	Min      Aggregate = "min"
	Max      Aggregate = "max"
	Last     Aggregate = "last"
)

// Field is how a value is found in a row.
type Field func(row any) any

// Column is what an aggregate works on.
type Column struct {
	Aggregate Aggregate
	Field     Field // nil only for Count
	Weight    Field // for Average; nil counts every row once
	// Refused is told of each value that should be a number and is none; it may
	// be nil.
	Refused func(v any)
}

// averageDigits is how many decimal places an average that does not end keeps.
const averageDigits = 16

// Of is the aggregate of some rows; nil when nothing was there to aggregate,
// except that Sum, Count and Distinct are 0 then.
func (c *Column) Of(rows []any) any {
	switch c.Aggregate {
	case Sum:
		return c.sum(rows)
	case Count:
		return c.count(rows)
	case Distinct:
		return c.distinct(rows)
	case Average:
		return c.average(rows)
	case Min:
		return c.extreme(rows, -1)
	case Max:
		return c.extreme(rows, 1)
	case Last:
		return c.last(rows)
	}
	return nil
}

// number is a row's value as a number; null is skipped silently, everything
// else that is no number is reported.
func (c *Column) number(row any, field Field) (decimal.Decimal, bool) {
	v := field(row)
	if v == nil || v == "" {
		return decimal.Zero, false
	}
	d, ok := Number(v)
	if !ok && c.Refused != nil {
		c.Refused(v)
	}
	return d, ok
}

func (c *Column) sum(rows []any) any {
	var total adder
	for _, row := range rows {
		c.addTo(&total, c.Field(row))
	}
	return total.value()
}

// addTo adds a value if it is a number.
func (c *Column) addTo(total *adder, v any) {
	if v == nil || v == "" {
		return
	}
	if n, ok := scaledOf(v); ok {
		total.addScaled(n)
	} else if d, ok := Number(v); ok {
		total.add(d)
	} else if c.Refused != nil {
		c.Refused(v)
	}
}

func (c *Column) count(rows []any) any {
	if c.Field == nil {
		return int64(len(rows))
	}
	n := int64(0)
	for _, row := range rows {
		if c.Field(row) != nil {
			n++
		}
	}
	return n
}

func (c *Column) distinct(rows []any) any {
	seen := map[any]struct{}{}
	for _, row := range rows {
		if v := c.Field(row); v != nil {
			seen[Key(v)] = struct{}{}
		}
	}
	return int64(len(seen))
}

func (c *Column) average(rows []any) any {
	var total, weights adder
	for _, row := range rows {
		v := c.Field(row)
		if n, ok := scaledOf(v); ok && c.weighScaled(&total, &weights, row, n) {
			continue
		}
		d, ok := c.number(row, c.Field)
		if !ok {
			continue
		}
		w := decimal.NewFromInt(1)
		if c.Weight != nil {
			if w, ok = c.number(row, c.Weight); !ok {
				continue
			}
			d = d.Mul(w)
		}
		total.add(d)
		weights.add(w)
	}
	if weights.isZero() {
		return nil
	}
	return total.over(&weights)
}

// weighScaled adds a number with its weight, where both are small.
func (c *Column) weighScaled(total, weights *adder, row any, n scaled) bool {
	weight := scaled{1, 0}
	if c.Weight != nil {
		var ok bool
		if weight, ok = scaledOf(c.Weight(row)); !ok {
			return false
		}
	}
	product, ok := n.times(weight)
	if ok {
		total.addScaled(product)
		weights.addScaled(weight)
	}
	return ok
}

func (c *Column) extreme(rows []any, sign int) any {
	var best any
	texts := false
	for _, row := range rows {
		v := c.Field(row)
		texts = texts || kindOf(v) == textKind
		if v != nil && (best == nil || Compare(v, best)*sign > 0) {
			best = v
		}
	}
	if texts {
		if v, ok := c.extremeNumber(rows, sign); ok {
			return v
		}
	}
	return best
}

// extremeNumber is the extreme of values that all are numbers or texts that are.
func (c *Column) extremeNumber(rows []any, sign int) (best any, ok bool) {
	for _, row := range rows {
		v := c.Field(row)
		if v == nil || v == "" {
			continue
		}
		if _, isNumber := Number(v); !isNumber {
			return nil, false
		}
		if best == nil || compareNumbers(v, best)*sign > 0 {
			best = v
		}
	}
	return best, best != nil
}

func (c *Column) last(rows []any) any {
	for _, row := range slices.Backward(rows) {
		if v := c.Field(row); v != nil {
			return v
		}
	}
	return nil
}

// adder adds numbers, in a machine word as long as the sum fits.
type adder struct {
	small scaled
	large decimal.Decimal
}

func (a *adder) addScaled(n scaled) {
	low := min(a.small.exponent, n.exponent)
	x, okX := a.small.at(low)
	y, okY := n.at(low)
	if sum := x + y; okX && okY && sum < scaledLimit && sum > -scaledLimit {
		a.small = scaled{sum, low}
		return
	}
	a.large = a.large.Add(n.decimal())
}

func (a *adder) add(d decimal.Decimal) { a.large = a.large.Add(d) }

func (a *adder) sum() decimal.Decimal {
	if a.small.coefficient == 0 {
		return a.large
	}
	return a.large.Add(a.small.decimal())
}

func (a *adder) isZero() bool {
	return a.large.IsZero() && a.small.coefficient == 0 || a.sum().IsZero()
}

// value is the sum as a value of a data set: a number as it is written.
func (a *adder) value() any {
	if a.large.IsZero() {
		return a.small.number()
	}
	return value(a.sum())
}

// over is the sum divided by another.
func (a *adder) over(by *adder) any {
	if a.large.IsZero() && by.large.IsZero() && a.small.coefficient%by.small.coefficient == 0 && a.small.exponent <= by.small.exponent {
		return scaled{a.small.coefficient / by.small.coefficient, a.small.exponent - by.small.exponent}.number()
	}
	return value(a.sum().DivRound(by.sum(), averageDigits))
}
