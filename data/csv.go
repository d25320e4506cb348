package data

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

var csvSource = define("csv", "CSV", "Rows of text that are pasted in.", loadCSV)

type csvSettings struct {
	Content string `json:"content" label:"Content" editor:"code" required:"true" help:"The text of the file, pasted in."`
	csvFormat
}

// csvFormat says how CSV is read; what it leaves open is found out.
type csvFormat struct {
	Delimiter string      `json:"delimiter" label:"Delimiter" default:"auto" help:"The character between fields, tab, or auto."`
	Quote     string      `json:"quote" label:"Quote" default:"auto" help:"The character around fields, none, or auto."`
	Header    bool        `json:"header" label:"First row holds the names" default:"true" help:"Without it the columns are called column1, column2 and so on."`
	Decimal   string      `json:"decimal" label:"Decimal sign" enum:"auto,point,comma" default:"auto" help:"What separates the decimals of numbers; auto finds it out."`
	Types     bool        `json:"types" label:"Find out types" default:"true" help:"Whether columns of numbers, yes or no, and dates are read as such; off leaves text."`
	Columns   []csvColumn `json:"columns" label:"Columns" help:"What is known about columns better than found out." ask:"What you know of columns better than is found out." one:"Column"`
}

// csvColumn overrides what was found out about a column.
type csvColumn struct {
	Name   string `json:"name" label:"Name" required:"true"`
	Type   string `json:"type" label:"Type" enum:"auto,text,number,boolean,date" default:"auto"`
	Format string `json:"format" label:"Date format" help:"How the dates are written, for example dd.MM.yyyy or MM/dd/yyyy HH:mm."`
}

func loadCSV(_ context.Context, env *Env, s csvSettings) (any, error) {
	options, err := json.Marshal(s.csvFormat)
	if err != nil {
		return nil, err
	}
	key := cacheKey{kind: "csv", options: fmt.Sprint(string(options), env.loader.config.MaxRows), content: s.Content}
	v, err := env.loader.parsed.get(key, func() (any, error) { return readCSV(s.Content, s.csvFormat, env.loader.config.MaxRows) })
	if err != nil {
		return nil, underContent(err)
	}
	table := v.(*csvTable)
	table.tell(env, "settings.content")
	return table.rows, nil
}

// csvTable is what CSV came to.
type csvTable struct {
	rows     []any // of *report.Object
	warnings []csvWarning
	placeOf  func(record, fields int) place // behind so many fields; known while the rows are made
}

// csvWarning is something odd about CSV, with its place in the text.
type csvWarning struct {
	message string
	place
}

// place is a place in a text, counted from 1 as an editor does; 0 is unknown.
type place struct{ line, column int }

// tell warns of what is odd.
func (t *csvTable) tell(env *Env, path string) {
	for _, w := range t.warnings {
		env.warnAt(path, w.message, w.place)
	}
}

// readCSV reads CSV text as rows of objects.
func readCSV(content string, format csvFormat, maxRows int) (*csvTable, error) {
	whole := strings.TrimPrefix(content, "\ufeff")
	delimiter, quote, content, err := format.signs(whole)
	if err != nil {
		return nil, err
	}
	p := csvParser{src: content, delimiter: delimiter, quote: quote}
	var records [][]string
	for {
		record, ok := p.record()
		if !ok {
			break
		}
		records = append(records, record)
		if len(records) > maxRows+1 {
			return nil, &report.Problem{Kind: report.TooLarge, Message: fmt.Sprintf("more than %d rows; the limit is the setting Limits__Rows", maxRows)}
		}
	}
	t := &csvTable{rows: []any{}}
	before := len(whole) - len(content)
	for _, o := range p.odd {
		t.warnings = append(t.warnings, csvWarning{o.message, placeAt(whole, before+o.at)})
	}
	t.placeOf = func(record, fields int) place {
		again := csvParser{src: content, at: p.starts[record], delimiter: delimiter, quote: quote}
		return placeAt(whole, before+again.behind(fields))
	}
	err = t.build(records, format, delimiter)
	t.placeOf = nil
	return t, err
}

// placeAt is the place of a byte of a text.
func placeAt(s string, at int) place {
	before := s[:at]
	line := strings.Count(before, "\n") + strings.Count(before, "\r") - strings.Count(before, "\r\n")
	return place{line + 1, utf8.RuneCountInString(before[strings.LastIndexAny(before, "\r\n")+1:]) + 1}
}

// build names the columns, finds their types and makes the rows.
func (t *csvTable) build(records [][]string, format csvFormat, delimiter byte) error {
	names, records := columnNames(records, format.Header)
	columns := make([]column, len(names))
	overrides, err := format.overrides(names)
	if err != nil {
		return err
	}
	for i := range columns {
		columns[i] = newColumn(records, i, overrides[i], format, delimiter)
	}
	shape := report.NewShape(names...)
	t.rows = make([]any, len(records))
	for r, record := range records {
		if len(record) != len(names) {
			t.ragged(r, len(record), len(names), format.Header)
		}
		values := make([]any, len(names))
		for i := range names {
			if i < len(record) {
				values[i] = columns[i].value(record[i])
			}
		}
		t.rows[r] = report.NewObject(shape, values)
	}
	for i, c := range columns {
		if c.unread > 0 {
			t.warn("column %q: %d values are no %s, the first is %q", names[i], c.unread, c.kind, c.firstUnread)
		}
	}
	return nil
}

func (t *csvTable) warn(format string, args ...any) {
	if len(t.warnings) < maxWarnings {
		t.warnings = append(t.warnings, csvWarning{message: fmt.Sprintf(format, args...)})
	}
}

func (t *csvTable) ragged(row, has, want int, header bool) {
	if header {
		row++
	}
	if len(t.warnings) < maxWarnings {
		t.warnings = append(t.warnings, csvWarning{fmt.Sprintf("row %d has %d fields; the others have %d", row+1, has, want), t.placeOf(row, min(has, want))})
	}
}

// overrides are the settings of each column by its place.
func (f csvFormat) overrides(names []string) (map[int]csvColumn, error) {
	found := map[int]csvColumn{}
	for _, o := range f.Columns {
		at := -1
		for i, n := range names {
			if n == o.Name {
				at = i
			}
		}
		if at < 0 {
			return nil, failed("", "there is no column %q; the columns are %s", o.Name, quoteAll(names))
		}
		found[at] = o
	}
	return found, nil
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(quoted, ", ")
}

// columnNames takes the names from the first record, or makes them; doubled
// and empty ones are told apart by numbers.
func columnNames(records [][]string, header bool) ([]string, [][]string) {
	if len(records) == 0 {
		return nil, nil
	}
	names := make([]string, len(records[0]))
	if header {
		copy(names, records[0])
		records = records[1:]
	} else {
		for _, r := range records {
			for len(names) < len(r) {
				names = append(names, "")
			}
		}
	}
	seen := map[string]bool{}
	for i, n := range names {
		names[i] = freeName(strings.TrimSpace(n), i, seen)
		seen[names[i]] = true
	}
	return names, records
}

func freeName(name string, at int, seen map[string]bool) string {
	if name == "" {
		name = fmt.Sprintf("column%d", at+1)
	}
	free := name
	for n := 2; seen[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	return free
}
