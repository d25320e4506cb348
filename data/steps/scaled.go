package steps

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// scaled is a number as an integer and a power of ten: 12.50 is 1250 and -2. It
// is what almost all numbers of reports are, and what costs no memory; package
// decimal has the rest.
type scaled struct {
	coefficient int64
	exponent    int32 // 0 or below
}

// scaledLimit is what coefficients stay below, so that two can be added.
const scaledLimit = int64(1) << 61

// scaledOf is a value as a scaled number; false says that it is none or that it
// needs a decimal.
func scaledOf(v any) (scaled, bool) {
	switch n := v.(type) {
	case int64:
		return scaled{n, 0}, n > -scaledLimit && n < scaledLimit
	case float64:
		return scaledFloat(n)
	case json.Number:
		return scaledText(string(n))
	case string:
		return scaledText(strings.TrimSpace(n))
	}
	return scaled{}, false
}

// scaledFloat takes floats of at most four decimal places, which most are.
func scaledFloat(f float64) (scaled, bool) {
	const scale = 1e4
	n := math.Round(f * scale)
	if !(math.Abs(n) < 1e15) || n/scale != f {
		return scaled{}, false
	}
	return scaled{int64(n), -4}, true
}

// scaledText reads digits with at most one point among them, as many as fit.
func scaledText(s string) (scaled, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 18 {
		return scaled{}, false
	}
	var n int64
	point := -1
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return scaled{}, false
		}
	}
	exponent := int32(0)
	if point >= 0 {
		if point == 0 || point == len(digits)-1 {
			return scaled{}, false
		}
		exponent = int32(point + 1 - len(digits))
	}
	if len(digits) != len(s) {
		n = -n
	}
	return scaled{n, exponent}, true
}

func (s scaled) decimal() decimal.Decimal { return decimal.New(s.coefficient, s.exponent) }

// number is the number as it is written, without zeros at the end.
func (s scaled) number() json.Number {
	n, exponent := s.coefficient, s.exponent
	for exponent < 0 && n%10 == 0 {
		n, exponent = n/10, exponent+1
	}
	if exponent == 0 {
		return json.Number(strconv.FormatInt(n, 10))
	}
	text := make([]byte, 0, 24)
	if n < 0 {
		text, n = append(text, '-'), -n
	}
	var room [24]byte
	digits := strconv.AppendInt(room[:0], n, 10)
	places := int(-exponent)
	for len(digits) <= places {
		digits = append([]byte("0"), digits...)
	}
	text = append(text, digits[:len(digits)-places]...)
	text = append(append(text, '.'), digits[len(digits)-places:]...)
	return json.Number(text)
}

// at is the number with another exponent, not above its own; false when that
// does not fit.
func (s scaled) at(exponent int32) (int64, bool) {
	n := s.coefficient
	for e := s.exponent; e > exponent; e-- {
		if n > scaledLimit/10 || n < -scaledLimit/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// times is the product of two numbers; false when it does not fit.
func (s scaled) times(o scaled) (scaled, bool) {
	a, b := s.coefficient, o.coefficient
	if a != 0 && b != 0 {
		if product := a * b; product/b != a || product >= scaledLimit || product <= -scaledLimit {
			return scaled{}, false
		}
	}
	return scaled{a * b, s.exponent + o.exponent}, true
}

// cmp compares two numbers; false when they cannot be brought to one exponent.
func (s scaled) cmp(o scaled) (int, bool) {
	low := min(s.exponent, o.exponent)
	a, okA := s.at(low)
	b, okB := o.at(low)
	switch {
	case !okA || !okB:
		return 0, false
	case a < b:
		return -1, true
	case a > b:
		return 1, true
	}
	return 0, true
}

// compareNumbers orders two values that are numbers.
func compareNumbers(a, b any) int {
	if x, ok := scaledOf(a); ok {
		if y, ok := scaledOf(b); ok {
			if c, ok := x.cmp(y); ok {
				return c
			}
		}
	}
	x, _ := Number(a)
	y, _ := Number(b)
	return x.Cmp(y)
}

// Decimals is how many decimal places a value that is a number needs, and its
// size without a sign, which is 1 for all of 1 and more.
func Decimals(v any) (places int, size float64, ok bool) {
	if n, isText := v.(json.Number); isText {
		if places, ok := writtenPlaces(string(n)); ok {
			return places, 1, true
		}
	}
	if kindOf(v) != numberKind {
		return 0, 0, false
	}
	n, small := scaledOf(v)
	if !small {
		d, ok := Number(v)
		if !ok {
			return 0, 0, false
		}
		_, fraction, _ := strings.Cut(canonical(d), ".")
		return len(fraction), min(d.Abs().InexactFloat64(), 1), true
	}
	for n.exponent < 0 && n.coefficient%10 == 0 {
		n = scaled{n.coefficient / 10, n.exponent + 1}
	}
	return int(-n.exponent), min(math.Abs(float64(n.coefficient))/math.Pow10(int(-n.exponent)), 1), true
}

// writtenPlaces counts the decimal places of a number of 1 and more that is
// written without an exponent, as most are, by its digits alone: it is asked of
// every cell of a column.
func writtenPlaces(s string) (places int, ok bool) {
	if len(s) > 1 && s[0] == '-' {
		s = s[1:]
	}
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	point, last := len(s), 0 // last is the last digit that is no zero
	for i := range len(s) {
		switch c := s[i]; {
		case c > '0' && c <= '9':
			last = i
		case c == '.' && point == len(s):
			point = i
		case c != '0':
			return 0, false
		}
	}
	return max(last-point, 0), true
}
