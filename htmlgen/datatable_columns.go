package htmlgen

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// maxHeaders is how many header rows a table has at most: Header1 to Header3.
const maxHeaders = 3

type columnProps struct {
	Field         string           `json:"field" editor:"field" help:"Path of the value in a row." ask:"The field of the rows that it shows."`
	Title         string           `json:"title" editor:"template" help:"Header text. Default: made from the field." ask:"Left empty, it is made of the field."`
	Headers       []headerProps    `json:"headers" help:"Header1 to Header3 of the column, for headers of several rows." ask:"Heads of the column where there are several rows of them." one:"Row"`
	Format        string           `json:"format" label:"Format type" enum:",number,date,percentage,currency,expression,custom" help:"Default: by the values; the numbers of a column then have the same decimals, 3 at most. expression prints them as they are."`
	CustomFormat  string           `json:"customFormat" label:"Custom format" editor:"format" help:"For example n;2 or dt;dd MMM yyyy."`
	Align         string           `json:"align" enum:",left,center,right" help:"Default: right for numbers."`
	VerticalAlign string           `json:"verticalAlign" label:"Vertical align" enum:",top,middle,bottom"`
	RowSpan       int              `json:"rowSpan" label:"Row span" min:"1" max:"100" default:"1"`
	ColSpan       int              `json:"colSpan" label:"Col span" min:"1" max:"100" default:"1"`
	Width         string           `json:"width" editor:"length"`
	Hyphens       string           `json:"hyphens" label:"Hyphenation" enum:",auto,none" help:"Whether words in its cells are divided where lines end; none is right for codes and names. Default: as the table says."`
	MergeCells    string           `json:"mergeCells" label:"Merge cells" enum:"none,equal,always" default:"none" help:"Cells below each other become one when they are equal, or always; one that reaches over a page repeats there."`
	CustomStyle   string           `json:"customStyle" label:"Own CSS" editor:"css" help:"CSS declarations, a text template with $record." ask:"For its cells, such as color: {$record.color}."`
	Class         string           `json:"class" help:"CSS classes of the cells."`
	Renderer      string           `json:"renderer" label:"Value renderer" enum:"value,text,html,component,elements,function,row-number" default:"value"`
	Value         string           `json:"value" editor:"expression" help:"Expression for the value renderer. Default: the field." ask:"A formula for what it shows. Left empty, the field."`
	Text          string           `json:"text" editor:"template" help:"Template of the text renderer, without automatic format." ask:"What it shows, with values such as {$record.name}; they have no format unless they say one."`
	HTML          string           `json:"html" editor:"html" help:"Template of the HTML renderer." ask:"HTML that it shows, with values such as {$record.name}."`
	Component     *report.Element  `json:"component" label:"Custom component" help:"The element of the component renderer, of any type; the row is $record." ask:"The element that each of its cells is; it reads the row by {$record.name}."`
	Elements      []report.Element `json:"elements" help:"Elements of the elements renderer; the row is $record." ask:"The elements in each of its cells; they read the row by {$record.name}."`
	Running       string           `json:"runningTotal" label:"Running total" enum:"none,table,group" default:"none" help:"Prints, in place of each value, the sum of the values up to it: of all rows of the table, or anew in each group of the innermost level."`
	Carry         string           `json:"carry" label:"Carry over pages" enum:",sum,last,none" help:"What of the column is carried where the table carries sums over pages. Default: the last value of a running total, and the sum where the footer of the column is one."`
	Function      string           `json:"function" editor:"code" names:"file" help:"JavaScript of the function renderer: (value, $record, index) => HTML."`
	Footer        bandCell         `json:"footer" help:"What the column prints in the footer of the table, and in those of its groups that say nothing else."`
	GroupFooters  []bandCell       `json:"groupFooters" label:"Group footers" help:"What the column prints in the footers of the groups, the outermost level first." one:"Level"`
	GroupCaptions []bandCell       `json:"groupCaptions" label:"Group captions" help:"What the column prints in the captions of the groups, the outermost level first; the caption's text stands before the first of them." one:"Level"`
}

type headerProps struct {
	Text    string `json:"text" editor:"template"`
	ColSpan int    `json:"colSpan" label:"Col span" min:"1" max:"100" default:"1"`
	RowSpan int    `json:"rowSpan" label:"Row span" min:"1" max:"3" default:"1"`
	Align   string `json:"align" enum:",left,center,right"`

	plain bool // the text is none of an author
}

// bandCell is what a column prints in a caption or footer.
type bandCell struct {
	Enabled     bool   `json:"enabled" default:"true"`
	Type        string `json:"type" enum:"text,html" default:"text"`
	Text        string `json:"text" editor:"template" help:"Template; $group holds the aggregates. Default: the column's aggregate." ask:"What stands there; {$group.field} is what is worked out. Left empty, that alone."`
	Aggregate   string `json:"aggregate" enum:",sum,count,distinct,average,weighted-average,min,max,last,value"`
	Field       string `json:"aggregateField" label:"Aggregate field" editor:"field" help:"Default: what the column prints, where that is values, or its field."`
	Value       string `json:"aggregateValue" label:"Aggregate value" editor:"template" help:"Template of the aggregate value; of another aggregate, the value of each $record."`
	Alias       string `json:"aggregateAlias" label:"Aggregate alias" help:"Name of the aggregate in $group. Default: the field."`
	WeightField string `json:"weightField" label:"Weight field" editor:"field" help:"Field with the weights of an average."`
	Format      string `json:"format" editor:"format" help:"Default: the column's."`
	Align       string `json:"align" enum:",left,center,right"`
}

// column is a column made ready for its rows.
type column struct {
	p        *columnProps
	index    int
	title    string
	align    string
	figures  bool // all digits as wide: of numbers and dates that do not stand right, too
	path     *text.Path
	format   text.Format
	plain    text.Format // before decimals were lined up: of totals of other values
	template *text.Template
	open     string // start tag of a cell without spans
	expr     *text.Expression
	elements []*Element
	results  []any  // of the renderer function, by the rows as they print
	values   []any  // that totals are of, by the rows as they print; nil: the field's
	running  bool   // the cells show the values, which are sums of those before
	class    string // of its cells, besides those of its settings
	blank    string // printed in cells without a value
	quantity bool   // numbers or dates
	// From how many letters on words are divided, in cells and in heads; 0 is never.
	least, headLeast int
	spans            []int // rows each cell covers; 0 for a covered one; nil when none merge
	footer           *band
	// In the footers and captions of the groups, by level from outside.
	groupFooters, captions []*band
}

// setting is the place of one of the column's settings in the table's.
func (col *column) setting(name string) string { return fmt.Sprintf("columns[%d].%s", col.index, name) }

// makeColumns prepares the columns given, or those that the rows suggest.
func (t *table) makeColumns(rows []any) []*column {
	given := make([]*columnProps, len(t.p.Columns))
	for i := range t.p.Columns {
		given[i] = &t.p.Columns[i]
	}
	if len(given) == 0 || t.p.Regenerate {
		given = regenerateColumns(given, rows, t.p.ChildrenField)
	}
	columns := make([]*column, len(given))
	for i, p := range given {
		columns[i] = t.makeColumn(p, i, rows)
	}
	return columns
}

func (t *table) makeColumn(p *columnProps, i int, rows []any) *column {
	col := &column{p: p, index: i, path: text.ParsePath(bare(p.Field)), title: firstOf(p.Title, humanise(p.Field)), elements: t.p.elements[p]}
	if p.Renderer == "value" && p.Value != "" {
		col.expr = text.ParseExpression(p.Value)
	}
	printed := p.Format
	if printed == "" || printed == "custom" {
		printed = kindOf(t.samples(col, rows))
	}
	kind := firstOf(p.Format, printed)
	source := t.columnFormat(p, kind)
	col.format = t.c.format(source)
	col.plain = col.format
	if kind == "number" && source == "n" && p.Renderer == "value" && col.expr == nil {
		t.lineUp(col, rows)
	}
	col.align = p.Align
	switch p.Renderer {
	case "text":
		col.template = t.c.Parse(p.Text)
	case "row-number":
		col.align, col.quantity = firstOf(p.Align, "right"), true
	case "value":
		if numeric(printed) {
			col.align = firstOf(p.Align, "right")
		}
		col.quantity = numeric(printed) || printed == "date"
		col.figures = col.align != "right" && col.quantity
	}
	col.makeBands()
	col.open = t.cellTag(col)
	return col
}

// cellTag is the start tag of a column's cells up to its spans.
func (t *table) cellTag(col *column) string {
	classes := []string{alignClass(col.align)}
	if col.p.VerticalAlign != "" {
		classes = append(classes, "q-v"+col.p.VerticalAlign)
	}
	if col.figures {
		classes = append(classes, "q-figures")
	}
	if col.index == 0 && t.p.Tree {
		classes = append(classes, "q-branch")
	}
	classes = append(classes, col.class, classNames(col.p.Class))
	w := &Writer{}
	w.Raw("<td")
	w.Attr("class", strings.Join(strings.Fields(strings.Join(classes, " ")), " "))
	return string(w.Bytes())
}

func alignClass(align string) string {
	if align == "" || align == "left" {
		return ""
	}
	return "q-" + align
}

func numeric(kind string) bool { return kind == "number" || kind == "percentage" || kind == "currency" }

// columnFormat is the text format of a kind of column.
func (t *table) columnFormat(p *columnProps, kind string) string {
	own, theme := &t.p.Formats, &t.c.theme.Formats
	switch {
	case p.CustomFormat != "" && (p.Format == "custom" || p.Format == ""):
		return p.CustomFormat
	case kind == "number":
		return firstOf(own.Number, theme.Number)
	case kind == "percentage":
		return firstOf(own.Percent, theme.Percent)
	case kind == "date":
		return firstOf(own.Date, theme.Date)
	case kind == "currency":
		return firstOf(own.Currency, theme.Currency)
	}
	return ""
}

// format parses a format, once for each text of a compile.
func (c *Context) format(source string) text.Format {
	f, ok := c.formats[source]
	if !ok {
		f = text.ParseFormat(source)
		c.formats[source] = f
	}
	return f
}

// sampleRows is how many rows decide what kind of values a column has.
const sampleRows = 50

var isoDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$`)

// samples are the first values that a column prints. What is wrong with an
// expression, its cells say.
func (t *table) samples(col *column, rows []any) []any {
	rows = rows[:min(len(rows), sampleRows)]
	values := make([]any, len(rows))
	if col.expr == nil {
		for i, row := range rows {
			values[i], _ = col.path.Of(row)
		}
		return values
	}
	env := *t.c.Env
	env.Warn, env.Lost = nil, nil
	inputs := make([][]any, len(rows))
	for i, row := range rows {
		t.c.withRecord(row, func() { inputs[i] = col.expr.Values(&env) })
	}
	values, err := col.expr.EvalRows(&env, inputs)
	if err != nil {
		return nil
	}
	return values
}

// kindOf is the kind of a column's values: number or date when all of the first
// agree, so that it is the same for all its rows.
func kindOf(values []any) string {
	kind := ""
	for _, v := range values[:min(len(values), sampleRows)] {
		k := ""
		switch v := v.(type) {
		case nil:
			continue
		case json.Number, int64, float64:
			k = "number"
		case time.Time:
			k = "date"
		case string:
			if isoDate.MatchString(v) {
				k = "date"
			}
		}
		if k == "" || kind != "" && k != kind {
			return "expression"
		}
		kind = k
	}
	return kind
}

// regenerateColumns makes a column for each field of the first rows that holds
// plain values. A column that was given for a field keeps its settings, one that
// shows no field stays, and one whose field is gone goes.
func regenerateColumns(given []*columnProps, rows []any, childrenField string) []*columnProps {
	fields := plainFields(rows, childrenField)
	var columns []*columnProps
	known := map[string]bool{}
	for _, p := range given {
		known[bare(p.Field)] = true
		if p.Field == "" || len(rows) == 0 || strings.ContainsAny(p.Field, ".") || slices.Contains(fields, bare(p.Field)) {
			columns = append(columns, p)
		}
	}
	for _, name := range fields {
		if !known[name] {
			p, _ := report.DecodeProps[columnProps](map[string]any{"field": name}, "")
			columns = append(columns, &p)
		}
	}
	return columns
}

// plainFields are the fields of the first rows that hold plain values.
func plainFields(rows []any, childrenField string) []string {
	var fields []string
	seen := map[string]bool{childrenField: true}
	for _, row := range rows[:min(len(rows), sampleRows)] {
		o, ok := row.(*report.Object)
		if !ok {
			continue
		}
		for name, v := range o.All() {
			switch v.(type) {
			case *report.Object, []any:
				continue
			}
			if !seen[name] {
				seen[name] = true
				fields = append(fields, name)
			}
		}
	}
	return fields
}

// humanise writes a field as a title: "unitPrice" and "unit_price" are
// "Unit price".
func humanise(field string) string {
	field = field[strings.LastIndexByte(field, '.')+1:]
	var b strings.Builder
	lower := false
	for _, r := range field {
		switch {
		case r == '_' || r == '-':
			r, lower = ' ', false
		case r >= 'A' && r <= 'Z' && lower:
			b.WriteByte(' ')
			r += 'a' - 'A'
			lower = false
		default:
			lower = r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		}
		b.WriteRune(r)
	}
	s := strings.TrimSpace(b.String())
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// cell writes one cell and tells how many columns after it it covers.
func (t *table) cell(col *column, row any, place int) int {
	c := t.c
	span := 1
	if col.spans != nil {
		if span = col.spans[place]; span == 0 && !c.in.Typed {
			return 0
		}
	}
	c.Raw(col.open)
	if c.in.Typed && span == 0 {
		c.BoolAttr("data-same")
	}
	if t.inner {
		c.BoolAttr("data-inner")
	}
	if c.in.Typed {
		span = 1
	}
	if span > 1 {
		c.Raw(` rowspan="`)
		c.Int(span)
		c.Raw(`" data-repeat`)
	}
	cols := min(col.p.ColSpan, len(t.columns)-col.index)
	if cols > 1 {
		c.Raw(` colspan="`)
		c.Int(cols)
		c.Raw(`"`)
	}
	if col.p.CustomStyle != "" {
		c.Attr("style", c.ownStyle(t.e, col.p.CustomStyle))
	}
	t.cellOrigins(col, row)
	t.typedCell(col, row)
	c.Raw(">")
	start := c.Len()
	t.cellContent(col, row)
	if col.least > 0 {
		c.hyphenate(start, col.least)
	}
	c.Raw("</td>")
	return cols - 1
}

func (t *table) cellContent(col *column, row any) {
	c := t.c
	switch col.p.Renderer {
	case "text":
		c.Template(col.template, c.Env, text.EscapeText)
	case "html":
		c.Markup(t.e, col.p.HTML)
	case "elements", "component":
		c.inside(&Box{Width: firstOf(length(col.p.Width), fmt.Sprintf("%d%%", 100/max(1, len(t.columns))))}, func() { c.Children(col.elements) })
	case "function":
		t.rendered(col)
	case "row-number":
		c.buf = strconv.AppendInt(c.buf, int64(t.numbers), 10)
	default:
		t.formatted(col.format, t.shown(col, row), col.blank)
	}
}

// formatted writes a value, or what stands for one that is not there; in a workbook
// nothing does, so that its column holds numbers alone.
func (t *table) formatted(f text.Format, v any, blank string) {
	if v == nil && blank != "" && !t.c.in.Typed {
		t.c.Text(blank)
		return
	}
	t.c.buf = f.Append(t.c.buf, v, t.c.Env, text.EscapeText)
}

// shown is a cell's value, worked out once.
func (t *table) shown(col *column, row any) any {
	if (col.expr != nil || col.running) && t.next < len(col.values) {
		return col.values[t.next]
	}
	return t.value(col, row)
}

// value is a cell's value: the field's, or the expression's.
func (t *table) value(col *column, row any) any {
	if col.expr != nil {
		v, err := col.expr.Eval(t.c.Env)
		if err != nil {
			t.c.Warn(t.e, "column %q: %v", col.title, err)
		}
		return v
	}
	v, _ := col.path.Of(row)
	return v
}

// rendered writes what the renderer function gave for the row, cleaned.
func (t *table) rendered(col *column) {
	if t.next >= len(col.results) {
		return
	}
	switch v := col.results[t.next].(type) {
	case nil:
	case string:
		if !strings.ContainsAny(v, "<&") {
			t.c.Text(v)
			return
		}
		t.c.Raw(t.c.clean(t.e, v))
	default:
		t.c.buf = col.format.Append(t.c.buf, v, t.c.Env, text.EscapeText)
	}
}

// renderFunctions runs the renderer function of each column once for all its
// rows, in the order they print.
func (t *table) renderFunctions() {
	for _, col := range t.columns {
		if col.p.Renderer != "function" || t.c.in.Scripts == nil {
			continue
		}
		calls := make([][]any, len(t.printed))
		for i, row := range t.printed {
			v, _ := col.path.Of(row)
			calls[i] = []any{v, row, int64(i)}
		}
		path := fmt.Sprintf("%s.props.columns[%d].function", t.e.path, col.index)
		results, err := t.c.in.Scripts.Render(t.c.ctx, &RenderCall{
			Path: path, Source: col.p.Function, Names: []string{"value", "$record", "index"}, Rows: calls,
			Data: t.c.scope.data, Params: t.c.scope.params, Dict: t.c.scope.dict,
		})
		if err != nil {
			t.c.Warn(t.e, "column %q: %v", col.title, err)
		}
		col.results = results
		if col.p.Align == "" && kindOf(results) == "number" { // numbers stand right however they came to be
			col.align = "right"
			col.open = t.cellTag(col)
		}
	}
}

// merge finds cells that become one with those below them.
func (col *column) merge(rows []any) {
	if col.p.MergeCells == "none" && col.p.RowSpan <= 1 {
		return
	}
	col.spans = make([]int, len(rows))
	for i := 0; i < len(rows); {
		n := min(max(col.p.RowSpan, 1), len(rows)-i)
		for col.p.MergeCells != "none" && i+n < len(rows) && (col.p.MergeCells == "always" || col.same(rows[i], rows[i+n])) {
			n++
		}
		col.spans[i] = n
		i += n
	}
}

func (col *column) same(a, b any) bool {
	x, _ := col.path.Of(a)
	y, _ := col.path.Of(b)
	return steps.Key(x) == steps.Key(y)
}
