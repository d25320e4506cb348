package data

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// column reads the values of one column.
type column struct {
	kind        string // text, number, boolean or date
	number      numberForm
	dateLayout  string // of Go's time package
	hasTime     bool
	unread      int // values that are not of the kind
	firstUnread string
}

// numberForm is how the numbers of a column are written.
type numberForm struct {
	pattern *regexp.Regexp
	clean   *strings.Replacer // to the form of JSON; nil when they have it
}

var (
	plainNumber   = numberForm{pattern: regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$`)}
	commaDecimal  = numberForm{regexp.MustCompile(`^-?(\d{1,3}(\.\d{3})+|0|[1-9]\d*)(,\d+)?$`), strings.NewReplacer(".", "", ",", ".")}
	pointGrouped  = numberForm{regexp.MustCompile(`^-?(\d{1,3}(,\d{3})+|0|[1-9]\d*)(\.\d+)?$`), strings.NewReplacer(",", "")}
	dottedDate    = regexp.MustCompile(`^\d{1,2}\.\d{1,2}\.\d{4}$`)
	groupedSample = regexp.MustCompile(`\d,\d{3}\.\d`)
)

// newColumn is a column as its settings say, or as its values look.
func newColumn(records [][]string, at int, o csvColumn, format csvFormat, delimiter byte) column {
	values := func(yield func(string) bool) {
		for _, r := range records {
			if at < len(r) {
				if v := strings.TrimSpace(r[at]); v != "" && !yield(v) {
					return
				}
			}
		}
	}
	c := column{kind: o.Type, number: plainNumber}
	c.number = numbersOf(values, format.Decimal, delimiter)
	if o.Format != "" {
		c.kind = "date"
		c.dateLayout, c.hasTime = goLayout(o.Format)
		return c
	}
	if c.kind == "date" && all(values, dottedDate.MatchString) {
		c.dateLayout = "2.1.2006"
	}
	if c.kind != "auto" && c.kind != "" {
		return c
	}
	c.kind = "text"
	if format.Types {
		c.kind, c.dateLayout = kindOf(values, c.number)
	}
	return c
}

// kindOf is what all values of a column are.
func kindOf(values func(func(string) bool), number numberForm) (kind, layout string) {
	empty := true
	values(func(string) bool { empty = false; return false })
	switch {
	case empty:
		return "text", ""
	case all(values, number.pattern.MatchString):
		return "number", ""
	case all(values, isBoolean):
		return "boolean", ""
	case all(values, isDottedDate):
		return "date", "2.1.2006"
	}
	return "text", ""
}

func all(values func(func(string) bool), test func(string) bool) bool {
	ok := true
	values(func(v string) bool { ok = test(v); return ok })
	return ok
}

func isBoolean(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

func isDottedDate(s string) bool {
	_, err := time.Parse("2.1.2006", s)
	return err == nil && dottedDate.MatchString(s)
}

// numbersOf is how the numbers of a column are written. Without a setting, a
// comma is the decimal sign only when it cannot divide the fields and some
// value has one; a comma groups only when some value shows both signs.
func numbersOf(values func(func(string) bool), decimal string, delimiter byte) numberForm {
	contains := func(test func(string) bool) bool { return !all(values, func(v string) bool { return !test(v) }) }
	hasComma := func(v string) bool { return strings.Contains(v, ",") }
	switch {
	case decimal == "comma":
		return commaDecimal
	case decimal == "point":
		return pointGrouped
	case !contains(hasComma):
		return plainNumber
	case contains(groupedSample.MatchString):
		return pointGrouped
	case delimiter != ',':
		return commaDecimal
	}
	return plainNumber
}

// value reads one field; what is not of the column's kind stays text.
func (c *column) value(field string) any {
	trimmed := strings.TrimSpace(field)
	if trimmed == "" {
		return nil
	}
	switch c.kind {
	case "number":
		if c.number.pattern.MatchString(trimmed) {
			if c.number.clean != nil {
				trimmed = c.number.clean.Replace(trimmed)
			}
			return json.Number(trimmed)
		}
	case "boolean":
		if isBoolean(trimmed) {
			return len(trimmed) == len("true")
		}
	case "date":
		if v, ok := c.date(trimmed); ok {
			return v
		}
	default:
		return field
	}
	c.unread++
	if c.unread == 1 {
		c.firstUnread = trimmed
	}
	return field
}

// date writes a date as ISO text, which text formats read in the report's time
// zone.
func (c *column) date(s string) (any, bool) {
	if c.dateLayout == "" {
		_, err := time.Parse(time.DateOnly, s[:min(10, len(s))])
		return s, err == nil
	}
	t, err := time.Parse(c.dateLayout, s)
	if err != nil {
		return nil, false
	}
	if c.hasTime {
		return t.Format("2006-01-02T15:04:05"), true
	}
	return t.Format(time.DateOnly), true
}

// goLayout writes a date format such as dd.MM.yyyy HH:mm as Go does.
func goLayout(format string) (layout string, hasTime bool) {
	layout = strings.NewReplacer(
		"YYYY", "2006", "yyyy", "2006", "YY", "06", "yy", "06", "MMMM", "January", "MMM", "Jan", "MM", "01", "M", "1",
		"dd", "02", "d", "2", "HH", "15", "H", "15", "hh", "03", "h", "3", "mm", "04", "m", "4", "ss", "05", "s", "5", "A", "PM", "a", "PM",
	).Replace(format)
	return layout, strings.ContainsAny(format, "Hhms")
}
