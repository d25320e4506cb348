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

// Aggregates lists them in the order people see them.
func Aggregates() []Aggregate {
	return []Aggregate{Sum, Count, Distinct, Average, Min, Max, Last}
}

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
		return value(c.sum(rows))
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

func (c *Column) sum(rows []any) decimal.Decimal {
	var total adder
	for _, row := range rows {
		if d, ok := c.number(row, c.Field); ok {
			total.add(d)
		}
	}
	return total.sum()
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
	if weights.sum().IsZero() {
		return nil
	}
	return value(total.sum().DivRound(weights.sum(), averageDigits))
}

func (c *Column) extreme(rows []any, sign int) any {
	var best any
	for _, row := range rows {
		v := c.Field(row)
		if v != nil && (best == nil || Compare(v, best)*sign > 0) {
			best = v
		}
	}
	return best
}

func (c *Column) last(rows []any) any {
	for _, row := range slices.Backward(rows) {
		if v := c.Field(row); v != nil {
			return v
		}
	}
	return nil
}

// adder adds decimals, in a machine word as long as their places agree and the
// sum fits.
type adder struct {
	small    int64
	exponent int32
	started  bool
	large    decimal.Decimal
}

// smallest room left in a word before the sum is carried over.
const wordLimit = int64(1) << 61

func (a *adder) add(d decimal.Decimal) {
	if !a.started {
		a.started, a.exponent = true, d.Exponent()
	}
	m := d.Coefficient()
	if d.Exponent() == a.exponent && m.IsInt64() && m.Int64() < wordLimit && m.Int64() > -wordLimit {
		a.small += m.Int64()
		if a.small >= wordLimit || a.small <= -wordLimit {
			a.carry()
		}
		return
	}
	a.large = a.large.Add(d)
}

func (a *adder) carry() {
	a.large = a.large.Add(decimal.New(a.small, a.exponent))
	a.small = 0
}

func (a *adder) sum() decimal.Decimal {
	if a.small != 0 {
		a.carry()
	}
	return a.large
}
