package htmlgen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report/text"
)

// Workbooks are made of the document that is printed. Compiled for them
// (Input.Typed), what prints one value carries the value:
//
//	data-n   a number, in digits
//	data-d   a moment by the report's clock: 2026-03-01T14:30:00
//	data-b   true or false
//	data-f   the place of its number format code among Document.Codes
//	data-sum the number by which SUBTOTAL does what the column's aggregate does
//
// Pages and tables that the report puts somewhere else, or nowhere, say so in
// data-workbook. Rows that begin groups of a table say so in data-begins, a list of
// groupMark. Cells that would be merged stand in every row, marked data-same. The rows
// of large tables stand apart; see apart.go.

// inWorkbook says where a page or table stands in a workbook.
func (c *Context) inWorkbook(place string) {
	if c.in.Typed && place != "auto" && place != "sheet" {
		c.Attr("data-workbook", place)
	}
}

// typed writes the value that an element prints by a format, as attributes of the
// node whose start tag is open.
func (c *Context) typed(v any, f text.Format) {
	if !c.in.Typed {
		return
	}
	if cell, ok := f.SheetValue(v, c.Env); ok {
		c.sheetValue(&cell, f.String())
	}
}

// typedTemplate does so for an element that prints a template.
func (c *Context) typedTemplate(t *text.Template) {
	if !c.in.Typed {
		return
	}
	if cell, ok := t.SheetValue(c.Env); ok {
		c.sheetValue(&cell, t.String())
	}
}

func (c *Context) sheetValue(v *text.SheetValue, printed string) {
	switch {
	case v.Truth != nil:
		c.Attr("data-b", strconv.FormatBool(*v.Truth))
		return
	case v.Date:
		c.Attr("data-d", v.Moment.Format("2006-01-02T15:04:05.999"))
	default:
		c.Attr("data-n", v.Digits)
	}
	if !v.Exact {
		c.Warn(c.at, "spreadsheets have no number format for %s; in a workbook these values are printed as near to it as they can", printed)
	}
	at, known := c.codeAt[v.Code]
	if !known {
		at = len(c.codes)
		c.codes = append(c.codes, v.Code)
		c.codeAt[v.Code] = at
	}
	c.Raw(` data-f="`)
	c.Int(at)
	c.Raw(`"`)
}

// typedCell writes the value of a cell of a data table.
func (t *table) typedCell(col *column, row any) {
	c := t.c
	if !c.in.Typed {
		return
	}
	switch col.p.Renderer {
	case "text":
		c.typedTemplate(col.template)
	case "function":
		if t.next < len(col.results) {
			if v, f, ok := t.rendersValue(col, row, col.results[t.next]); ok {
				c.typed(v, f)
			}
		}
	case "row-number":
		c.typed(int64(t.numbers), text.Format{})
	case "html":
		if cell, ok := c.ParseHTML(col.p.HTML).HTMLSheetValue(c.Env); ok {
			c.sheetValue(&cell, col.title)
		}
	case "elements", "component":
	default:
		c.typed(t.shown(col, row), col.format)
	}
}

// rendersValue is the value that a renderer function printed, and how: what it gave
// when that is a value, or the field's where it gave HTML whose text is this value, as
// the column or the program itself writes it, in whatever markup.
func (t *table) rendersValue(col *column, row, result any) (v any, f text.Format, ok bool) {
	written, isText := result.(string)
	if !isText {
		return result, col.format, true
	}
	if col.p.Field == "" {
		return nil, f, false
	}
	shown := writtenText(written)
	if v = t.value(col, row); v == nil || shown == "" {
		return nil, f, false
	}
	for _, f := range []text.Format{col.format, {}} {
		if shown == strings.TrimSpace(string(f.Append(nil, v, t.c.Env, text.Raw))) {
			return v, f, true
		}
	}
	return nil, f, false
}

// mostWritten is how much HTML is read for the value that it shows.
const mostWritten = 4 << 10

// writtenText is the text of HTML as it prints in one line.
func writtenText(written string) string {
	if !strings.ContainsAny(written, "<&") || len(written) > mostWritten {
		return strings.TrimSpace(written)
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(written))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.Write(z.Text()) // entities are resolved
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "br", "img", "svg", "script", "style": // it shows more than a value
				return ""
			}
		}
	}
}

// typedBand writes the value of an aggregate, and by which formula a workbook finds
// it.
func (t *table) typedBand(b *band, g *groupScope) {
	c := t.c
	switch {
	case !c.in.Typed:
		return
	case b.p.Text != "" && b.p.Type != "html":
		c.typedTemplate(c.Parse(b.p.Text))
		return
	case b.p.Text != "":
		return
	}
	c.typed(g.aggregate(b), b.format(t))
	if n := t.subtotal(b); n > 0 {
		c.Raw(` data-sum="`)
		c.Int(n)
		c.Raw(`"`)
	}
}

// subtotals are the numbers by which SUBTOTAL (ECMA-376 part 1, 18.17.7.314) does
// what aggregates do. Rows that a filter hides do not count.
var subtotals = map[string]int{"average": 1, "count": 2, "max": 4, "min": 5, "sum": 9}

// subtotal is the number of a band's aggregate; 0 where a workbook cannot find it
// from the cells of the column. That takes cells that hold all the values that were
// aggregated, and nothing else that counts between them.
func (t *table) subtotal(b *band) int {
	if t.plainNumbers == nil {
		t.plainNumbers = map[*column]bool{}
	}
	sums, known := t.plainNumbers[b.col]
	if !known {
		sums = t.holdsNumbers(b.col)
		t.plainNumbers[b.col] = sums
	}
	if !sums || !b.ofColumn() {
		return 0
	}
	return subtotals[b.p.Aggregate]
}

// ofColumn reports whether an aggregate is of what the column's cells hold.
func (b *band) ofColumn() bool {
	return b.weight == nil && b.values == nil && subtotals[b.p.Aggregate] > 0 &&
		(b.p.Field == "" || b.p.Field == b.col.p.Field && b.col.expr == nil && !b.col.running && b.col.p.Renderer == "value")
}

// holdsNumbers reports whether the cells of a column hold its values, these are
// numbers, and none of its bands prints another that SUBTOTAL would take for a row's.
func (t *table) holdsNumbers(col *column) bool {
	if slices.ContainsFunc(t.columns, func(other *column) bool { return other.p.ColSpan > 1 }) {
		return false
	}
	for b := range col.allBands {
		if b.p.Aggregate != "" && !b.ofColumn() || b.p.Text != "" {
			return false
		}
	}
	switch col.p.Renderer {
	case "value", "text":
	case "function":
		if len(col.results) != len(t.printed) {
			return false
		}
	default:
		return false
	}
	var outer covered
	for i, row := range t.printed {
		if t.c.stopped() != nil {
			return false
		}
		t.c.scope.pushRecord(row, i, &outer)
		cell, ok := t.cellOf(col, row, i)
		t.c.scope.popRecord(&outer)
		if !ok || cell.Digits == "" && cell != (text.SheetValue{}) {
			return false
		}
	}
	return true
}

// cellOf is what a cell holds; nothing where it is empty, false where it is text.
func (t *table) cellOf(col *column, row any, place int) (text.SheetValue, bool) {
	var v any
	var cell text.SheetValue
	var ok bool
	switch {
	case col.p.Renderer == "text":
		v = col.template.Sole(t.c.Env)
		cell, ok = col.template.SheetValue(t.c.Env)
	case col.p.Renderer == "function":
		value, f, found := t.rendersValue(col, row, col.results[place])
		// Where the function gives texts, too, the field's values are added up.
		if !found || col.values == nil && steps.Key(value) != steps.Key(t.value(col, row)) {
			return text.SheetValue{}, false
		}
		v = value
		cell, ok = f.SheetValue(v, t.c.Env)
	case (col.expr != nil || col.running) && col.values != nil:
		v = col.values[place]
		cell, ok = col.format.SheetValue(v, t.c.Env)
	default:
		v = t.value(col, row)
		cell, ok = col.format.SheetValue(v, t.c.Env)
	}
	if _, isText := v.(string); isText || v != nil && !ok {
		return text.SheetValue{}, false
	}
	return cell, true
}

// groupMark tells of a group of rows that begins.
type groupMark struct {
	Level int    `json:"level"` // from 1, the outermost
	Name  string `json:"name"`  // of what the key is; empty where there is none
	Key   string `json:"key"`   // as text
	// Rows is how many rows of the table the group has, with the captions and
	// footers in it, but not its own.
	Rows int `json:"rows"`
	// Printed says that a column prints the key in every row.
	Printed bool `json:"printed,omitempty"`
}

// beginGroup notes that a group begins, for the next row that is written.
func (t *table) beginGroup(g *group) {
	if !t.c.in.Typed {
		return
	}
	l := &t.levels[g.level]
	mark := groupMark{Level: g.level + 1, Rows: t.rowsOf(g)}
	if l.path != nil {
		field := bare(l.p.Field)
		mark.Name = firstOf(l.title, humanise(field))
		mark.Key = string(text.Format{}.Append(nil, g.scope.key, t.c.Env, text.Printed))
		mark.Printed = slices.ContainsFunc(t.columns, func(col *column) bool {
			return bare(col.p.Field) == field && col.printsField()
		})
	}
	t.begins = append(t.begins, mark)
}

// typedRow writes which groups begin with a row.
func (t *table) typedRow() {
	if len(t.begins) == 0 {
		return
	}
	doc, err := json.Marshal(t.begins)
	t.begins = t.begins[:0]
	if err == nil {
		t.c.Attr("data-begins", string(doc))
	}
}

// rowsOf is how many rows of the table a group has besides its caption and footer.
func (t *table) rowsOf(g *group) int {
	if g.groups == nil {
		return len(g.rows)
	}
	n := 0
	for _, inner := range g.groups {
		l := &t.levels[inner.level]
		n += t.rowsOf(inner)
		if l.p.Caption.Enabled {
			n++
		}
		if l.p.Footer.Enabled {
			n++
		}
	}
	return n
}
