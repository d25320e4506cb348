package text

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// operate works out two values by JavaScript's rules; false leaves it to the
// engine.
func operate(op string, l, r any) (any, bool) {
	if !isScalar(l) || !isScalar(r) {
		return nil, false
	}
	switch op {
	case "===", "!==":
		same, ok := strictlyEqual(l, r)
		return same == (op == "==="), ok
	case "==", "!=":
		same, ok := looselyEqual(l, r)
		return same == (op == "=="), ok
	case "<", ">", "<=", ">=":
		return compare(op, l, r)
	case "+":
		return add(l, r)
	}
	return calculate(op, l, r)
}

func isScalar(v any) bool {
	switch v.(type) {
	case nil, bool, string, json.Number, int64, int, float64:
		return true
	}
	return false
}

func isNumber(v any) bool {
	switch v.(type) {
	case json.Number, int64, int, float64:
		return true
	}
	return false
}

// toNumber is JavaScript's number of a scalar.
func toNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		return textNumber(string(v))
	case string:
		return textNumber(v)
	}
	return 0, false
}

// textNumber leaves other notations than decimals, and other blanks than the
// usual, to the engine.
func textNumber(s string) (float64, bool) {
	s = trimBlanks(s)
	if s == "" {
		return 0, true
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return math.NaN(), isPlainText(s)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN(), true
	}
	return f, true
}

// isPlainText reports whether text cannot be a number in any notation.
func isPlainText(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] < ' ' {
			return false
		}
	}
	return !strings.HasPrefix(strings.TrimLeft(s, "+-"), "Infinity") && (len(s) < 2 || s[0] != '0')
}

func strictlyEqual(l, r any) (bool, bool) {
	switch {
	case l == nil || r == nil:
		return l == r, true
	case isNumber(l) != isNumber(r):
		return false, true
	case isNumber(l):
		return numbersEqual(l, r)
	}
	return l == r, true
}

func looselyEqual(l, r any) (bool, bool) {
	_, leftText := l.(string)
	_, rightText := r.(string)
	switch {
	case l == nil || r == nil:
		return l == r, true
	case leftText && rightText:
		return l == r, true
	}
	return numbersEqual(l, r)
}

func numbersEqual(l, r any) (bool, bool) {
	a, ok1 := toNumber(l)
	b, ok2 := toNumber(r)
	return a == b, ok1 && ok2
}

func compare(op string, l, r any) (any, bool) {
	a, leftText := l.(string)
	b, rightText := r.(string)
	if leftText && rightText {
		return ordered(op, strings.Compare(a, b)), true
	}
	x, ok1 := toNumber(l)
	y, ok2 := toNumber(r)
	switch {
	case !ok1 || !ok2:
		return nil, false
	case x < y:
		return ordered(op, -1), true
	case x > y:
		return ordered(op, 1), true
	case x == y:
		return ordered(op, 0), true
	}
	return false, true // NaN
}

func ordered(op string, sign int) bool {
	switch op {
	case "<":
		return sign < 0
	case ">":
		return sign > 0
	case "<=":
		return sign <= 0
	}
	return sign >= 0
}

// add joins texts or adds numbers.
func add(l, r any) (any, bool) {
	_, leftText := l.(string)
	_, rightText := r.(string)
	if !leftText && !rightText {
		return calculate("+", l, r)
	}
	a, ok1 := toText(l)
	b, ok2 := toText(r)
	return a + b, ok1 && ok2
}

// toText is JavaScript's text of a scalar; the engine writes very large and
// very small numbers.
func toText(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case string:
		return v, true
	}
	f, ok := toNumber(v)
	if abs := math.Abs(f); !ok || f != 0 && (abs < 1e-6 || abs >= 1e21) || f != f {
		return "", false
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64), true
}

func calculate(op string, l, r any) (any, bool) {
	a, ok1 := toNumber(l)
	b, ok2 := toNumber(r)
	if !ok1 || !ok2 {
		return nil, false
	}
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/":
		return a / b, true
	}
	return math.Mod(a, b), true
}
