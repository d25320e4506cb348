package scripting

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// intlOptions reads the options object of Intl.
type intlOptions struct{ o *goja.Object }

func optionsOf(vm *goja.Runtime, v goja.Value) intlOptions {
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return intlOptions{}
	}
	return intlOptions{v.ToObject(vm)}
}

func (i intlOptions) get(name string) goja.Value {
	if i.o == nil {
		return nil
	}
	v := i.o.Get(name)
	if v == nil || goja.IsUndefined(v) {
		return nil
	}
	return v
}

func (i intlOptions) text(name string) string {
	if v := i.get(name); v != nil {
		return v.String()
	}
	return ""
}

// digits is a number of fraction digits, or the given default.
func (i intlOptions) digits(name string, absent int) int {
	v := i.get(name)
	if v == nil {
		return absent
	}
	return int(max(0, min(20, v.ToInteger())))
}

// numberFormat writes options as a text format.
func numberFormat(o intlOptions) string {
	name, absentMin, absentMax := "n", 0, 3
	switch o.text("style") {
	case "percent":
		name, absentMax = "p", 0
	case "currency":
		name = "currency;" + onlyLetters(o.text("currency"))
		absentMin, absentMax = -1, -1
	}
	low := o.digits("minimumFractionDigits", absentMin)
	high := o.digits("maximumFractionDigits", absentMax)
	return name + ";" + digitsText(low, high) + ";" + numberFlags(o)
}

// digitsText writes the least and most digits; a limit that is given wins over
// the default of the other.
func digitsText(low, high int) string {
	switch {
	case low < 0 && high < 0:
		return ";"
	case low < 0:
		low = min(2, high)
	case high < low:
		high = low
	}
	return strconv.Itoa(low) + ";" + strconv.Itoa(high)
}

func numberFlags(o intlOptions) string {
	flags := ""
	if o.text("notation") == "compact" {
		flags += "c"
	}
	if o.text("currencySign") == "accounting" {
		flags += "a"
	}
	if sign := o.text("signDisplay"); sign == "always" || sign == "exceptZero" {
		flags += "+"
	}
	return flags
}

func onlyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// Patterns of dates without options.
const (
	dateOnly    = "yyyyMd"
	timeOnly    = "jmmss"
	dateAndTime = dateOnly + timeOnly
)

// styles are the patterns of dateStyle and timeStyle.
var (
	dateStyles = map[string]string{"full": "DDDDyyyyMMMMd", "long": "yyyyMMMMd", "medium": "yyyyMMMd", "short": "yyMd"}
	timeStyles = map[string]string{"full": "jmmss", "long": "jmmss", "medium": "jmmss", "short": "jmm"}
	dateFields = []struct{ option, short, long, twoDigit, numeric string }{
		{"weekday", "DDD", "DDDD", "DDD", "DDD"},
		{"year", "yyyy", "yyyy", "yy", "yyyy"},
		{"month", "MMM", "MMMM", "MM", "M"},
		{"day", "d", "d", "dd", "d"},
		{"hour", "j", "j", "jj", "j"},
		{"minute", "mm", "mm", "mm", "mm"},
		{"second", "ss", "ss", "ss", "ss"},
	}
)

// datePattern writes options as a date pattern.
func datePattern(o intlOptions, absent string) string {
	pattern := dateStyles[o.text("dateStyle")] + timeStyles[o.text("timeStyle")]
	for _, f := range dateFields {
		switch o.text(f.option) {
		case "short", "narrow":
			pattern += f.short
		case "long":
			pattern += f.long
		case "2-digit":
			pattern += f.twoDigit
		case "numeric":
			pattern += f.numeric
		}
	}
	if pattern == "" {
		pattern = absent
	}
	if twelve := o.get("hour12"); twelve != nil {
		pattern = strings.ReplaceAll(pattern, "j", map[bool]string{true: "h", false: "H"}[twelve.ToBoolean()])
	}
	return pattern
}
