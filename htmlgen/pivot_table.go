package htmlgen

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// A pivot table is a data table of rows that were worked out. Its fields r0, r1 … are
// what goes down, v0, v1 … the columns of values.

func pivotRow(i int) string   { return fmt.Sprint("r", i) }
func pivotValue(i int) string { return fmt.Sprint("v", i) }

// table is the data table that prints the pivot.
func (v *pivot) table() *table {
	p := v.p
	props := &dataTableProps{
		Source: p.Source, Caption: p.Caption, EmptyText: p.EmptyText, Formats: p.Formats, Break: p.Break, Continue: p.Continue,
		KeyColumns: len(p.Rows), FixedLayout: p.FixedLayout, NarrowCells: p.NarrowCells, Workbook: p.Workbook, NoCellWrap: p.NoCellWrap,
		NoHeaderWrap: p.NoHeaderWrap, VerticalLines: p.VerticalLines, PreserveOrder: true, Continued: p.Continued, Font: p.Font, Box: p.Box,
	}
	t := &table{c: v.c, e: v.e, p: props, begin: v.c.Len(), striped: v.c.theme.Table.Cells.AltBackground != "", classes: "q-data-table"}
	t.all = v.worked()
	v.lineUp(t)
	headers := v.headers()
	for i := range p.Rows {
		props.Columns = append(props.Columns, v.keyColumn(i, headers.depth()))
	}
	for i := range v.columns {
		props.Columns = append(props.Columns, v.valueColumn(i, headers[i]))
	}
	v.makeGroups(props)
	t.columns = t.makeColumns(t.all)
	t.levels = t.makeLevels()
	for i := range t.levels {
		t.levels[i].title = props.Columns[i].Title
	}
	v.finish(t)
	v.groups = t.group(t.all)
	t.place(v.groups)
	return t
}

// worked are the rows of the table.
func (v *pivot) worked() []any {
	var names []string
	for i := range v.p.Rows {
		names = append(names, pivotRow(i))
	}
	for i := range v.columns {
		names = append(names, pivotValue(i))
	}
	shape := report.NewShape(names...)
	rows := make([]any, 0, len(v.down))
	for _, n := range v.down {
		if v.c.stopped() != nil {
			break
		}
		values := append(make([]any, 0, len(names)), n.keys...)
		for i := range v.columns {
			values = append(values, v.columns[i].value(n.items))
		}
		row := report.NewObject(shape, values)
		v.rowOf[row] = n
		rows = append(rows, row)
	}
	return rows
}

// lineUp finds how the values of each measure print, the same in all its columns.
func (v *pivot) lineUp(t *table) {
	for _, m := range v.measures {
		var values []any
		for i := range v.columns {
			for _, row := range t.all {
				if value, _ := row.(*report.Object).Get(pivotValue(i)); v.columns[i].measure == m && value != nil {
					values = append(values, value)
				}
			}
		}
		m.kind = m.p.Format
		if m.kind == "" || m.kind == "custom" {
			m.kind = kindOf(values)
		}
		source := t.columnFormat(&columnProps{Format: m.p.Format, CustomFormat: m.p.CustomFormat}, firstOf(m.p.Format, m.kind))
		m.format = v.c.format(source)
		if m.kind == "number" && source == "n" {
			if places := decimalsOf(values); places > 0 {
				m.format = v.c.format(fmt.Sprint("n;", places))
			}
		}
	}
}

// keyColumn is the column of a field that goes down; cells of the same value become
// one.
func (v *pivot) keyColumn(i, depth int) columnProps {
	f := &v.p.Rows[i]
	col := columnProps{Field: pivotRow(i), Title: firstOf(f.Title, humanise(bare(f.Field)))}
	report.ApplyDefaults(&col)
	col.Format, col.CustomFormat = v.keyFormat(f, i)
	if i < len(v.p.Rows)-1 {
		col.MergeCells, col.VerticalAlign = "equal", "top"
	}
	col.Headers = []headerProps{v.header(headerProps{Text: col.Title, ColSpan: 1, RowSpan: depth}, fmt.Sprintf("rows[%d].title", i))}
	return col
}

// keyFormat is how the values of a field that goes down are printed.
func (v *pivot) keyFormat(f *pivotFieldProps, i int) (kind, format string) {
	keys := make([]any, 0, sampleRows)
	for _, n := range v.down[:min(len(v.down), sampleRows)] {
		keys = append(keys, n.keys[i])
	}
	switch {
	case f.Format != "":
		return "custom", f.Format
	case kindOf(keys) == "date":
		return "date", ""
	}
	return "expression", ""
}

func (v *pivot) valueColumn(i int, headers []headerProps) columnProps {
	m := v.columns[i].measure
	col := columnProps{Field: pivotValue(i), Title: m.title, Headers: headers, Align: m.p.Align}
	report.ApplyDefaults(&col)
	col.Format = firstOf(m.kind, "expression")
	if col.Align == "" && numeric(m.kind) {
		col.Align = "right"
	}
	col.Footer = bandCell{Enabled: true, Aggregate: m.band()}
	return col
}

// band is the aggregate of a footer: what a workbook finds from the cells, or a value.
func (m *pivotMeasure) band() string {
	switch m.p.Aggregate {
	case "sum", "min", "max":
		return m.p.Aggregate
	}
	return "value"
}

// makeGroups are a level for each field that has others inside it.
func (v *pivot) makeGroups(props *dataTableProps) {
	total := firstOf(v.p.TotalText, escapeTemplate(v.c.Env.Locale.Total()))
	for i := range max(0, len(v.p.Rows)-1) {
		key := "{$group.$key}"
		if f := props.Columns[i].CustomFormat; f != "" {
			key = "{$group.$key:" + f + "}"
		} else if props.Columns[i].Format == "date" {
			key = "{$group.$key:" + firstOf(v.p.Formats.Date, v.c.theme.Formats.Date) + "}"
		}
		props.Groups = append(props.Groups, groupProps{Field: pivotRow(i), Footer: footerProps{Enabled: v.p.Rows[i].Totals, Text: total + " " + key}})
	}
	props.Footer = footerProps{Enabled: v.p.ColumnTotals && len(v.p.Rows) > 0, Text: total}
}

// finish gives the columns of the table what their settings cannot say: the format of
// their measure, and totals that are of rows of the source.
func (v *pivot) finish(t *table) {
	for i := range v.columns {
		col := t.columns[len(v.p.Rows)+i]
		col.format, col.plain = v.columns[i].measure.format, v.columns[i].measure.format
		col.blank = v.p.EmptyCells
		if v.columns[i].total {
			col.class = "q-pivot-total"
			col.open = t.cellTag(col)
		}
		for b := range col.allBands {
			b.of = func(rows []any) any { return v.columns[i].value(v.itemsOf(rows)) }
		}
	}
}

// itemsOf are the items of several rows of the table.
func (v *pivot) itemsOf(rows []any) []any {
	if len(rows) == 0 {
		return nil
	}
	if known, ok := v.together[rows[0]]; ok && known.rows == len(rows) {
		return known.items
	}
	var items []any
	for _, row := range rows {
		items = append(items, v.rowOf[row].items...)
	}
	sortByLeaf(items)
	v.together = map[any]pivotItems{rows[0]: {len(rows), items}}
	return items
}

// pivotItems are those of a number of rows.
type pivotItems struct {
	rows  int
	items []any
}

// escapeTemplate is a text that prints as it is written.
func escapeTemplate(s string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
}

// pivotHeaders are the header cells of the columns of values.
type pivotHeaders [][]headerProps

func (h pivotHeaders) depth() int {
	if len(h) == 0 {
		return 1
	}
	return len(h[0])
}

// headers are a row for each field that goes across, and one of the measures where
// there are several or no field goes across.
func (v *pivot) headers() pivotHeaders {
	levels := len(v.p.Columns)
	measured := levels == 0 || len(v.measures) > 1
	depth := levels
	if measured {
		depth++
	}
	list := make(pivotHeaders, len(v.columns))
	for i := range list {
		list[i] = make([]headerProps, depth)
		for row := range list[i] {
			list[i][row] = headerProps{ColSpan: 1, RowSpan: 1}
		}
		if measured {
			m := v.columns[i].measure
			list[i][depth-1].Text = m.title
			list[i][depth-1] = v.header(list[i][depth-1], m.at)
		}
	}
	total := firstOf(v.p.TotalText, escapeTemplate(v.c.Env.Locale.Total()))
	for i := 0; i < len(list); i += len(v.measures) {
		v.headersOf(list, i, levels, total)
	}
	return list
}

// headersOf are those of the columns of all measures from one on: the outermost value
// where its columns begin, and the inner one or the word for totals.
func (v *pivot) headersOf(list pivotHeaders, i, levels int, total string) {
	wide, col := len(v.measures), &v.columns[i]
	switch {
	case levels == 0:
		return
	case col.first == 0 && col.behind == len(v.leaves) && i >= len(list)-wide && v.p.RowTotals:
		list[i][0] = headerProps{Text: total, ColSpan: wide, RowSpan: levels}
		return
	case levels == 1:
		list[i][0] = v.keyHeader(v.across.nodes[col.first].key, 0, wide)
		return
	}
	outer := v.across.nodes[slices.IndexFunc(v.across.nodes, func(n *pivotNode) bool { return col.first < n.behind })]
	if col.first == outer.first && !col.total {
		n, end := 1, len(list)
		if v.p.RowTotals {
			end -= wide
		}
		for i+n < end && v.columns[i+n].behind <= outer.behind && v.columns[i+n].first >= outer.first {
			n++
		}
		list[i][0] = v.keyHeader(outer.key, 0, n)
	}
	if col.total {
		list[i][1] = headerProps{Text: total, ColSpan: wide, RowSpan: 1}
		return
	}
	list[i][1] = v.keyHeader(v.leaves[col.first].key, 1, wide)
}

// keyHeader is the header of a value that goes across.
func (v *pivot) keyHeader(key any, level, wide int) headerProps {
	var format string
	switch f := &v.p.Columns[level]; {
	case f.Format != "":
		format = f.Format
	case kindOf([]any{key}) == "date":
		format = firstOf(v.p.Formats.Date, v.c.theme.Formats.Date)
	}
	shown := string(v.c.format(format).Append(nil, key, v.c.Env, text.Printed))
	return v.header(headerProps{Text: shown, plain: true, ColSpan: wide, RowSpan: 1}, fmt.Sprintf("columns[%d].field", level))
}

// longestHeader is how many letters of a header are shown: headers stand on each page
// above all rows, and are divided among no pages.
const longestHeader = 120

// header is a header cell without what is too long for one, which is warned of once.
func (v *pivot) header(h headerProps, where string) headerProps {
	shown := h.Text
	if !h.plain {
		shown = v.c.Shown(h.Text)
	}
	n := utf8.RuneCountInString(shown)
	if n <= longestHeader {
		return h
	}
	if !v.told[where] {
		v.told[where] = true
		v.c.warnAt(v.e, where, "the header %q has %d letters, of which the first %d are shown", clip(shown, mostReason), n, longestHeader)
	}
	h.Text, h.plain = clip(shown, longestHeader), true
	return h
}
