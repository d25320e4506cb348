package steps

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/quire-reports/quire/report"
)

// Key is a value as a map key. Equal values have one key, in joins, groups,
// conditions and lookups alike: numbers by size (1 and 1.0), times by instant,
// and a text with the number that is written as it ("2" and 2, but neither "02"
// nor "2.0", which are other texts than "2").
func Key(v any) any {
	switch n := v.(type) {
	case json.Number:
		if plainNumeral(string(n)) {
			return v
		}
		return numberKey(n)
	case string:
		if plainNumeral(n) {
			return json.Number(n)
		}
		return v // not n, which would be held a second time
	case float64:
		return numberKey(n)
	case int64:
		return json.Number(strconv.FormatInt(n, 10))
	case time.Time:
		return n.UTC()
	case nil, bool:
		return v
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return "\x00" + string(b)
}

// Same reports whether two values are equal as keys are.
func Same(a, b any) bool { return Key(a) == Key(b) }

// numberKey is the key of a number, or of a text that is one however it is
// written; anything else is its own.
func numberKey(v any) any {
	if d, ok := Number(v); ok {
		return json.Number(canonical(d))
	}
	return v
}

// keyText is a key as a text; kinds may give the same.
func keyText(key any) string {
	switch k := key.(type) {
	case nil:
		return ""
	case string:
		return k
	case json.Number:
		return string(k)
	case bool:
		return strconv.FormatBool(k)
	case time.Time:
		return k.Format(time.RFC3339Nano)
	default:
		return fmt.Sprint(k)
	}
}

// plainNumeral reports whether a text is the one way a number is written as a
// key: digits without a zero in front, and none at the end behind a point.
func plainNumeral(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 400 || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	whole, fraction, pointed := strings.Cut(digits, ".")
	if whole[0] == '0' && (len(whole) > 1 || !pointed && s != "0") {
		return false
	}
	if pointed && (fraction == "" || fraction[len(fraction)-1] == '0') {
		return false
	}
	return onlyDigits(whole) && onlyDigits(fraction)
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// canonical writes a decimal without trailing zeros.
func canonical(d decimal.Decimal) string {
	s := d.String()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// written is a value as a text: what conditions on texts look into.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return string(v)
	case bool, time.Time, int64, float64:
		return keyText(Key(v))
	}
	return report.Show(v)
}
