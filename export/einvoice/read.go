package einvoice

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// read takes an object of a report's data as an invoice and looks at each value by
// itself.
func read(value any, path string) (*Invoice, report.Problems) {
	o, ok := value.(*report.Object)
	if !ok {
		return nil, report.Problems{report.Problemf(path, "is no object with the members of an invoice, such as number, seller and lines")}
	}
	in := &Invoice{}
	problems := report.AssignInto(written(o), in, path)
	report.ApplyDefaults(in)
	look(reflect.ValueOf(in).Elem(), path, &problems)
	return in, problems
}

// written is a value with its numbers as they were written, and empty texts as if
// they were not there.
func written(value any) any {
	switch v := value.(type) {
	case *report.Object:
		o := report.ObjectOf()
		for name, member := range v.All() {
			o.Set(name, written(member))
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = written(v[i])
		}
		return list
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case time.Time:
		return v.Format(time.DateOnly)
	case string:
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
		return nil
	}
	return value
}

// numeral is a number whose digits all count. A limit keeps sums small.
var numeral = regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,18})?$`)

// look finds values that are not what their fields take.
func look(v reflect.Value, path string, problems *report.Problems) {
	for _, f := range report.FieldsOf(v.Type()) {
		lookAt(f.In(v.Addr().Interface()), &f, report.JoinPath(path, f.Name), problems)
	}
}

func lookAt(v reflect.Value, f *report.Field, path string, problems *report.Problems) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			lookAt(v.Elem(), f, path, problems)
		}
	case reflect.Slice:
		for i := range v.Len() {
			look(v.Index(i), fmt.Sprintf("%s[%d]", path, i), problems)
		}
	case reflect.Struct:
		look(v, path, problems)
	case reflect.String:
		if v.Len() == 0 {
			return
		}
		if wrong := fault(v, f.Tag("codes")); wrong != nil {
			wrong.Path, wrong.Message = path, wrong.Message+term(f)
			*problems = append(*problems, wrong)
		}
	}
}

// fault is why a text is not what its field takes; nil where it is.
func fault(v reflect.Value, codes string) *report.Problem {
	s := v.String()
	switch v.Interface().(type) {
	case Amount:
		if !numeral.MatchString(s) {
			return report.Problemf("", "%q is no amount; accepted: digits with at most two decimals, such as 1234.50", shown(s))
		}
		if n := decimals(number(s)); n > 2 {
			return report.Problemf("", "%s has %d decimals; accepted: at most two. Round it in the mapping, for example Number(x.toFixed(2))", s, n)
		}
	case Decimal:
		if !numeral.MatchString(s) {
			return report.Problemf("", "%q is no number; accepted: digits with a point before decimals, such as 0.075", shown(s))
		}
	case Date:
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return report.Problemf("", "%q is no day; accepted: year, month and day, such as 2026-01-31", shown(s))
		}
	default:
		if codes != "" && !known(codes, s) {
			return report.Problemf("", "unknown code %q; accepted: %s", shown(s), accepted(codes))
		}
		if !utf8.ValidString(s) || strings.ContainsFunc(s, unwritable) {
			return report.Problemf("", "has characters that XML cannot hold")
		}
	}
	return nil
}

// unwritable tells whether a character cannot stand in XML.
func unwritable(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0xfffe || r == 0xffff
}

// shown is a text as messages quote it.
func shown(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// term names the business term of a field, where it has one.
func term(f *report.Field) string {
	if bt := f.Tag("bt"); bt != "" {
		return " (" + bt + ")"
	}
	return ""
}

// number reads what numeral matches; an empty text is 0.
func number[T ~string](s T) *big.Rat {
	r, ok := new(big.Rat).SetString(string(s))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// decimals is how many a number has.
func decimals(r *big.Rat) int {
	n := 0
	ten, rest := big.NewRat(10, 1), new(big.Rat).Set(r)
	for ; !rest.IsInt(); n++ {
		rest.Mul(rest, ten)
	}
	return n
}

// plain writes a number that has an end with all its decimals.
func plain(r *big.Rat) string { return r.FloatString(decimals(r)) }

// money writes an amount.
func money(r *big.Rat) string { return r.FloatString(2) }

// rounded is a number in two decimals, halves away from zero.
func rounded(r *big.Rat) *big.Rat { return number(r.FloatString(2)) }
