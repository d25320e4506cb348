package scripting

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/quire-reports/quire/report"
)

// Values of a quick expression are nil (null), undefined{}, bool, float64,
// string, and opaque for lists, objects and dates, of which only the truth and
// whether they are null is known here.
type (
	undefined struct{}
	opaque    struct{}
)

// quickValue is a report value as JavaScript sees it.
func quickValue(v any) any {
	switch v := v.(type) {
	case nil, bool, string:
		return v
	case json.Number:
		return quickNumber(string(v))
	case int64:
		return quickInteger(v)
	case int:
		return quickInteger(int64(v))
	case float64:
		return v
	case report.Secret:
		return v.String()
	case *report.Object:
		if v == nil {
			return nil
		}
	case time.Time:
	}
	return opaque{}
}

func quickNumber(text string) any {
	switch n := jsNumber(text).(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return text
}

func quickInteger(n int64) any {
	if n > maxSafe || n < -maxSafe {
		return quickNumber(strconv.FormatInt(n, 10))
	}
	return float64(n)
}

// eval evaluates an expression for bound values; false means that it needs
// the engine after all.
func (q *quick) eval(bound []any) (any, bool) {
	switch q.op {
	case "":
		if q.name >= 0 {
			return quickValue(bound[q.name]), true
		}
		return q.value, true
	case "?", "&&", "||", "??":
		return q.choose(bound)
	}
	left, ok := q.args[0].eval(bound)
	if !ok {
		return nil, false
	}
	if len(q.args) == 1 {
		return unaryOp(q.op, left)
	}
	right, ok := q.args[1].eval(bound)
	if !ok {
		return nil, false
	}
	return binaryOp(q.op, left, right)
}

// choose evaluates only the side that JavaScript would.
func (q *quick) choose(bound []any) (any, bool) {
	left, ok := q.args[0].eval(bound)
	if !ok {
		return nil, false
	}
	takeRight := false
	switch q.op {
	case "?":
		if truth(left) {
			return q.args[1].eval(bound)
		}
		return q.args[2].eval(bound)
	case "&&":
		takeRight = truth(left)
	case "||":
		takeRight = !truth(left)
	case "??":
		takeRight = isNullish(left)
	}
	if takeRight {
		return q.args[1].eval(bound)
	}
	return left, true
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil, undefined:
		return false
	case bool:
		return v
	case float64:
		return v != 0 && v == v
	case string:
		return v != ""
	}
	return true
}

func isNullish(v any) bool { return v == nil || v == undefined{} }

func isOpaque(v any) bool { return v == opaque{} }

// isOdd is whether a value has no number here: opaque ones, and text such as
// "0x1F", which the engine reads its own way.
func isOdd(v any) bool {
	s, ok := v.(string)
	if !ok {
		return isOpaque(v)
	}
	s = strings.TrimFunc(s, isBlank)
	return len(s) > 1 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0
}

func unaryOp(op string, v any) (any, bool) {
	if op == "unary!" {
		return !truth(v), true
	}
	if isOdd(v) {
		return nil, false
	}
	n := toNumber(v)
	if op == "unary-" {
		n = -n
	}
	return n, true
}

func binaryOp(op string, a, b any) (any, bool) {
	switch op {
	case "===", "!==":
		same, ok := strictEqual(a, b)
		return same == (op == "==="), ok
	case "==", "!=":
		same, ok := looseEqual(a, b)
		return same == (op == "=="), ok
	}
	if isOdd(a) || isOdd(b) {
		return nil, false
	}
	switch op {
	case "<", ">", "<=", ">=":
		return compare(op, a, b), true
	case "+":
		return add(a, b), true
	}
	n := arithmetic(op, toNumber(a), toNumber(b))
	return n, n != 0 || !math.Signbit(n) // goja has its own mind about where -0 comes from
}

func strictEqual(a, b any) (same, ok bool) {
	if isOpaque(a) && isOpaque(b) {
		return false, false // the same object or two alike: not known here
	}
	return a == b, true // NaN is not equal to itself in Go either
}

func looseEqual(a, b any) (same, ok bool) {
	if isNullish(a) || isNullish(b) {
		return isNullish(a) && isNullish(b), true
	}
	if isOpaque(a) || isOpaque(b) {
		return false, false
	}
	s, aText := a.(string)
	t, bText := b.(string)
	if aText && bText {
		return a == b, true
	}
	plain := isWholeNumber(s + t) // of other notations goja compares wrongly; either may evaluate it
	return toNumber(a) == toNumber(b), plain || !aText && !bText
}

func isWholeNumber(s string) bool { return s != "" && len(s) < 16 && digits(s) == len(s) }

func compare(op string, a, b any) bool {
	s, aText := a.(string)
	t, bText := b.(string)
	if aText && bText {
		c := compareText(s, t)
		return map[string]bool{"<": c < 0, ">": c > 0, "<=": c <= 0, ">=": c >= 0}[op]
	}
	x, y := toNumber(a), toNumber(b)
	switch op {
	case "<":
		return x < y
	case ">":
		return x > y
	case "<=":
		return x <= y
	}
	return x >= y
}

// compareText compares as JavaScript does, by UTF-16 units, which differs from
// the order of bytes beyond the basic plane.
func compareText(s, t string) int {
	a, b := utf16.Encode([]rune(s)), utf16.Encode([]rune(t))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return int(a[i]) - int(b[i])
		}
	}
	return len(a) - len(b)
}

func add(a, b any) any {
	_, aText := a.(string)
	_, bText := b.(string)
	if aText || bText {
		return toText(a) + toText(b)
	}
	return toNumber(a) + toNumber(b)
}

func arithmetic(op string, x, y float64) float64 {
	switch op {
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	return math.Mod(x, y)
}

// quickResult is the value of an expression as the engine would give it back.
func quickResult(v any) any {
	switch v := v.(type) {
	case undefined:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return tidyNumber(v)
	}
	return v
}

// tidyNumber is an int64 for whole numbers that are exact, so that a result
// has one form; -0 becomes 0.
func tidyNumber(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) <= maxSafe {
		return int64(f)
	}
	return f
}
