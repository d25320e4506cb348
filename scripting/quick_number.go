package scripting

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Conversions between numbers and text as JavaScript makes them.

func toNumber(v any) float64 {
	switch v := v.(type) {
	case nil:
		return 0
	case bool:
		return float64(b2b(v))
	case float64:
		return v
	case string:
		return stringToNumber(v)
	}
	return math.NaN()
}

func toText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case undefined:
		return "undefined"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return numberToText(v)
	}
	return v.(string)
}

// stringToNumber is Number(text).
func stringToNumber(s string) float64 {
	s = strings.TrimFunc(s, isBlank)
	if s == "" {
		return 0
	}
	switch strings.TrimLeft(s, "+-") {
	case "Infinity":
		if len(s) > len("Infinity")+1 {
			return math.NaN()
		}
		return math.Inf(1 - 2*strings.Count(s, "-"))
	}
	if !isDecimal(s) {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(s, 64) // out of range is an infinity, as there
	return f
}

func isBlank(r rune) bool {
	return r == '\uFEFF' || r >= '\t' && r <= '\r' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Zs, r)
}

// isDecimal is whether a text is a decimal number as JavaScript writes it,
// which excludes what Go also reads: inf, nan, hexadecimal, underscores.
func isDecimal(s string) bool {
	s = trimSign(s)
	whole := digits(s)
	s = s[whole:]
	fraction := 0
	if strings.HasPrefix(s, ".") {
		fraction = digits(s[1:])
		s = s[1+fraction:]
	}
	if whole+fraction == 0 {
		return false
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = trimSign(s[1:])
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func trimSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// numberToText is String(number).
func numberToText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+") + "inity"
	case f == 0:
		return "0"
	}
	abs := math.Abs(f)
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}
