package steps

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// sortValue is a value made ready to be compared many times.
type sortValue struct {
	kind int
	near float64 // of a number: decides as long as it differs
	text string  // of a text: what orders it in the reader's language
	v    any
}

func (e *Env) sortable(v any) sortValue {
	s := sortValue{kind: kindOf(v), v: v}
	switch s.kind {
	case numberKind:
		s.near = near(v)
	case textKind:
		if e.CollationKey != nil {
			s.text = e.CollationKey(v.(string))
		}
	}
	return s
}

// near is a number as a float. Rounding keeps the order, so that numbers whose
// floats differ are ordered as their floats are.
func near(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	case json.Number:
		if f, err := strconv.ParseFloat(string(n), 64); err == nil {
			return f
		}
	}
	return 0
}

// order compares two values: texts by the rules of the language, null last in
// either direction.
func (e *Env) order(a, b *sortValue, descending bool) int {
	if a.kind == nullKind || b.kind == nullKind {
		return boolRank(a.kind == nullKind) - boolRank(b.kind == nullKind)
	}
	c := 0
	switch {
	case a.kind != b.kind:
		c = a.kind - b.kind
	case a.kind == textKind && e.CollationKey != nil:
		c = strings.Compare(a.text, b.text)
	case a.kind == numberKind:
		if c = cmp.Compare(a.near, b.near); c == 0 && a.v != b.v {
			c = compareNumbers(a.v, b.v)
		}
	default:
		c = Compare(a.v, b.v)
	}
	if descending {
		return -c
	}
	return c
}
