package starter

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Choice is what a first report shows of a table; fields are named by their paths.
type Choice struct {
	Columns  []string
	Totals   []string
	Group    string // whose equal values stand together; may be empty
	Category string // of the chart; empty: there is none
	Value    string
}

// How many different values make a category that a chart can show, and a group
// that is worth a caption.
const (
	mostCategories = 15
	mostBars       = 30 // of rows that are each their own category
)

// names of numbers that nobody adds up.
var (
	numbering = regexp.MustCompile(`(?i)(^|[^\pL])(id|no|nr|nummer|number|code|key|zip|plz|postcode|year|jahr|month|monat|quarter|quartal|week|woche|position|pos|line|zeile|index|rank|phone|telefon|lat|lon|latitude|longitude)$`)
	rates     = regexp.MustCompile(`(?i)(^|[^\pL])(price|preis|rate|satz|kurs|percent|percentage|prozent|share|anteil|margin|marge|ratio|growth|average|avg|mean|age|alter|temperature|temperatur|score|rating|discount|rabatt)$|%`)
)

// named are the words of a field's name, in which a rule looks for one.
func (f *Field) named(rule *regexp.Regexp) bool { return rule.MatchString(f.Label()) }

// written tells whether the number stands for itself, as years and numbers of
// invoices do, and takes no separators.
func (f *Field) written() bool {
	return f.Kind == Number && f.decimals == 0 && (f.years || f.counted && f.filled > 2 || f.named(numbering))
}

// adds tells whether a sum of the field means something.
func (f *Field) adds() bool { return f.Kind == Number && !f.written() && !f.named(rates) }

// Suggest proposes a first report: all columns, totals of what adds up, and a
// chart of the first such number by the field whose values say most.
func (t *Table) Suggest() Choice {
	c := Choice{}
	for _, f := range t.Fields {
		c.Columns = append(c.Columns, f.Path)
		if f.adds() {
			c.Totals = append(c.Totals, f.Path)
		}
	}
	if len(c.Totals) == 0 {
		return c
	}
	if category := t.category(); category != nil {
		c.Category, c.Value = category.Path, c.Totals[len(c.Totals)-1]
	}
	return c
}

// category is the field that a chart is best drawn over: one whose values repeat,
// else dates, else texts that are few.
func (t *Table) category() *Field {
	rows := len(t.Rows)
	rules := []func(f *Field) bool{
		func(f *Field) bool {
			return (f.Kind == Text || f.Kind == Switch) && len(f.distinct) > 1 && len(f.distinct) <= mostCategories && len(f.distinct) < f.filled
		},
		func(f *Field) bool { return f.Kind == Date && len(f.distinct) > 2 },
		func(f *Field) bool { return f.Kind == Number && f.years && len(f.distinct) > 1 },
		func(f *Field) bool {
			return f.Kind == Text && rows > 1 && rows <= mostBars && len(f.distinct) == f.filled
		},
	}
	for _, fits := range rules {
		if at := slices.IndexFunc(t.Fields, fits); at >= 0 {
			return t.Fields[at]
		}
	}
	return nil
}

// Check refuses a choice of fields that the table does not have, or that a report
// cannot show so.
func (t *Table) Check(c Choice) error {
	known := map[string]*Field{}
	for _, f := range t.Fields {
		known[f.Path] = f
	}
	var all []string
	all = append(append(all, c.Columns...), c.Totals...)
	for _, path := range append(all, c.Group, c.Category, c.Value) {
		if path != "" && known[path] == nil {
			return report.Problemf("text", "there is no field %q in the data any more; look at it again", path)
		}
	}
	switch {
	case len(c.Columns) == 0:
		return report.Problemf("columns", "choose at least one column")
	case slices.ContainsFunc(c.Totals, func(path string) bool { return known[path].Kind != Number }):
		return report.Problemf("totals", "only numbers have a total")
	case (c.Category == "") != (c.Value == ""):
		return report.Problemf("category", "a chart needs a category and a number; choose both or neither")
	case c.Value != "" && known[c.Value].Kind != Number:
		return report.Problemf("value", "a chart draws numbers; %q has none", c.Value)
	}
	return nil
}

func (t *Table) field(path string) *Field {
	for _, f := range t.Fields {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// SourceName is the name of a report's data by what people call it.
func SourceName(name string) string {
	name = strings.ToLower(name)
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z' || b.Len() > 0 && r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && (r == ' ' || r == '-' || r == '_'):
			b.WriteByte('_')
		}
	}
	if name = strings.Trim(b.String(), "_"); name == "" {
		return "rows"
	}
	return name
}
