package steps

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Number is a value as an exact decimal: numbers, and text that is a number.
// False says that it is none; null is none too.
func Number(v any) (decimal.Decimal, bool) {
	switch n := v.(type) {
	case json.Number:
		return parseDecimal(string(n))
	case int64:
		return decimal.NewFromInt(n), true
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return decimal.Zero, false
		}
		return fromFloat(n), true
	case string:
		return parseDecimal(strings.TrimSpace(n))
	}
	return decimal.Zero, false
}

// fromFloat is a float as the shortest decimal that gives it. Those of few
// decimal places are found faster than by printing.
func fromFloat(f float64) decimal.Decimal {
	if n, ok := scaledFloat(f); ok {
		return n.decimal()
	}
	return decimal.NewFromFloat(f)
}

// maxExponent bounds numbers such as 1e999999999, whose digits would fill the
// memory when they are added to another.
const maxExponent = 400

func parseDecimal(s string) (decimal.Decimal, bool) {
	if s == "" || len(s) > 400 {
		return decimal.Zero, false
	}
	d, err := decimal.NewFromString(s)
	if err != nil || d.Exponent() > maxExponent || d.Exponent() < -maxExponent {
		return decimal.Zero, false
	}
	return d, true
}

// value is a decimal as a value of a data set: a number as it is written.
func value(d decimal.Decimal) any { return json.Number(d.String()) }

// Compare orders two values: null first, then false and true, numbers by size,
// times by instant, and texts by their characters without regard to case.
// Numeric texts are texts. Values of different kinds are ordered by kind.
func Compare(a, b any) int {
	ka, kb := kindOf(a), kindOf(b)
	if ka != kb {
		return ka - kb
	}
	switch ka {
	case boolKind:
		return boolRank(a) - boolRank(b)
	case numberKind:
		return compareNumbers(a, b)
	case timeKind:
		return a.(time.Time).Compare(b.(time.Time))
	case textKind:
		x, y := a.(string), b.(string)
		if c := strings.Compare(strings.ToLower(x), strings.ToLower(y)); c != 0 {
			return c
		}
		return strings.Compare(x, y)
	}
	return 0
}

const (
	nullKind = iota
	boolKind
	numberKind
	timeKind
	textKind
	otherKind
)

func kindOf(v any) int {
	switch v.(type) {
	case nil:
		return nullKind
	case bool:
		return boolKind
	case json.Number, int64, float64:
		return numberKind
	case time.Time:
		return timeKind
	case string:
		return textKind
	}
	return otherKind
}

func boolRank(v any) int {
	if v.(bool) {
		return 1
	}
	return 0
}
