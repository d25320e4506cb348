// Package starter makes the first report of somebody's own rows: it finds the
// rows in a value, says what their fields are, proposes what a first report shows
// of them, and writes its definition. It reads no text and keeps nothing.
package starter

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/quire-reports/quire/report"
)

// Kind is what the values of a field are.
type Kind string

// The kinds of fields. Other values, such as lists, are shown in no table.
const (
	Text   Kind = "text"
	Number Kind = "number"
	Date   Kind = "date"
	Switch Kind = "switch"
)

// Field is a field of the rows, with what is known of its values.
type Field struct {
	Path   string // within a row, such as customer.name
	Kind   Kind
	Sample []string // the first values, as they are written

	filled   int // rows that have a value
	distinct map[string]bool
	decimals int  // most decimals that a number has
	counted  bool // numbers that run up by one, as numbers of rows do
	years    bool // numbers that all could be years
	last     float64
}

// Table are rows with their fields.
type Table struct {
	Path   string // of the rows within the value; empty for the value itself
	Rows   []any
	Fields []*Field
}

// What is looked at, at most.
const (
	mostFields   = 40
	mostDistinct = 50
	mostSamples  = 3
	deepest      = 3
)

// Read finds the rows of a value: the value itself, or the longest list of
// objects inside of it.
func Read(value any) (*Table, error) {
	t := &Table{}
	t.find(value, "", 0)
	if len(t.Rows) == 0 {
		return nil, report.Problemf("text", "there are no rows in it: CSV has a line of names and lines of values, JSON a list of objects such as [{\"item\": \"Chair\", \"price\": 120}]")
	}
	known := map[string]*Field{}
	for _, row := range t.Rows {
		t.look(row, "", known)
	}
	t.Fields = slices.DeleteFunc(t.Fields, func(f *Field) bool { return f.Kind == "" })
	if len(t.Fields) == 0 {
		return nil, report.Problemf("text", "its rows have no fields with a text, number or date")
	}
	return t, nil
}

// find takes the longest list of objects.
func (t *Table) find(value any, path string, depth int) {
	switch v := value.(type) {
	case []any:
		objects := 0
		for _, row := range v {
			if _, ok := row.(*report.Object); ok {
				objects++
			}
		}
		if objects == len(v) && objects > len(t.Rows) {
			t.Path, t.Rows = path, v
		}
	case *report.Object:
		for name, member := range v.All() {
			if depth < deepest && plainName.MatchString(name) {
				t.find(member, join(path, name), depth+1)
			}
		}
	}
}

// plainName is a name that a path can have as it stands.
var plainName = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]*$`)

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// look takes the fields of a row in, and those of its objects.
func (t *Table) look(row any, path string, known map[string]*Field) {
	o, _ := row.(*report.Object)
	for name, value := range o.All() {
		at := join(path, name)
		if inner, ok := value.(*report.Object); ok && strings.Count(at, ".") < deepest {
			t.look(inner, at, known)
			continue
		}
		f := known[at]
		if f == nil {
			if len(t.Fields) == mostFields {
				continue
			}
			f = &Field{Path: at, distinct: map[string]bool{}, counted: true, years: true}
			known[at] = f
			t.Fields = append(t.Fields, f)
		}
		f.take(value)
	}
}

var isoDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$`)

// take learns from a value.
func (f *Field) take(value any) {
	kind, text := Text, written(value)
	switch v := value.(type) {
	case string:
		if isoDate.MatchString(v) {
			kind = Date
		}
	case bool:
		kind = Switch
	case json.Number:
		kind = Number
		f.number(v)
	}
	if strings.TrimSpace(text) == "" { // nothing, or a list, which no cell shows
		return
	}
	if f.filled++; f.Kind == "" {
		f.Kind = kind
	} else if f.Kind != kind {
		f.Kind = Text
	}
	if len(f.Sample) < mostSamples {
		f.Sample = append(f.Sample, text)
	}
	if len(f.distinct) <= mostDistinct {
		f.distinct[text] = true
	}
}

func (f *Field) number(n json.Number) {
	value, err := n.Float64()
	if err != nil {
		return
	}
	if _, after, found := strings.Cut(n.String(), "."); found {
		f.decimals = max(f.decimals, len(after))
	}
	f.counted = f.counted && (f.filled == 0 || value == f.last+1)
	f.years = f.years && value == float64(int(value)) && value >= 1900 && value < 2100
	f.last = value
}

// Beginning are the first rows as texts, a cell for each field, each at most so
// many letters long.
func (t *Table) Beginning(rows, letters int) [][]string {
	var out [][]string
	for _, row := range t.Rows[:min(rows, len(t.Rows))] {
		cells := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			text := []rune(written(at(row, f.Path)))
			if len(text) > letters {
				text = append(text[:letters:letters], '…')
			}
			cells[i] = string(text)
		}
		out = append(out, cells)
	}
	return out
}

// at is the value at a path of a row.
func at(row any, path string) any {
	if o, ok := row.(*report.Object); ok {
		if whole, ok := o.Get(path); ok {
			return whole // its name may hold dots
		}
	}
	for name := range strings.SplitSeq(path, ".") {
		o, _ := row.(*report.Object)
		row, _ = o.Get(name)
	}
	return row
}

// written is a value as it was written.
func written(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// Label is what people call the field: soldAt, sold_at and order.soldAt are "Sold at".
func (f *Field) Label() string { return Label(f.Path) }

var camel = regexp.MustCompile(`\p{Ll}\p{Lu}\p{Ll}`)

// Label is the last name of a path as words. Capitals of names that are words
// already stay.
func Label(path string) string {
	name := path
	if last := path[strings.LastIndexByte(path, '.')+1:]; strings.TrimSpace(last) != "" {
		name = last
	}
	name = camel.ReplaceAllStringFunc(name, func(s string) string {
		letters := []rune(s)
		return string(letters[0]) + " " + strings.ToLower(string(letters[1:]))
	})
	label := []rune(strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(name)), " "))
	if len(label) > 0 {
		label[0] = unicode.ToUpper(label[0])
	}
	return string(label)
}
