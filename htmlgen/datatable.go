package htmlgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

var tableCSS = ownStyle("table.css")

var dataTable = define("data-table", "Data table", "Data", "Rows of a data source as a table with formats, groups and totals.", compileDataTable, colors(ColorsOfTable), icon("table-2"))

type dataTableProps struct {
	Source string `json:"source" label:"Data source" editor:"binding" help:"Array of rows, for example $data.orders." ask:"A list of the data, such as $data.orders."`
	transformProps
	Columns       []columnProps `json:"columns" editor:"columns" help:"Default: one for each field of the rows." ask:"Left empty, one for each field of the rows." one:"Column"`
	Regenerate    bool          `json:"regenerateColumns" label:"Automatically regenerate columns" help:"Makes the columns from the fields of the rows at every run, also when columns are given."`
	Tree          bool          `json:"isTree" label:"Rows below rows"`
	ChildrenField string        `json:"childrenField" label:"Field of the rows below" default:"children" help:"Field that holds the rows below a row." ask:"The field in which a row has those below it."`
	Caption       string        `json:"caption" editor:"template" help:"What the table shows, for screen readers."`
	EmptyText     string        `json:"emptyText" label:"Empty text" editor:"template" help:"Shown when there are no rows."`
	Formats       tableFormats  `json:"formats" label:"Default formats"`
	Break         bool          `json:"breakAcrossPages" label:"Allow break across pages"`
	Continue      bool          `json:"continueColumns" label:"Continue columns on further sheets" help:"A table wider than the page goes on beside it on further sheets, instead of breaking words and being drawn smaller. Its rows have the same height on all of them."`
	KeyColumns    int           `json:"keyColumns" label:"Key columns" min:"0" max:"20" default:"1" help:"How many columns at the beginning repeat on each sheet that continues columns."`
	FixedLayout   bool          `json:"fixedLayout" label:"Use fixed table layout"`
	NarrowCells   string        `json:"narrowCells" label:"Narrow cells" enum:"wrap,shrink,hashes" default:"wrap" help:"What cells of a fixed table layout do that are too narrow for a number or a word: break it, draw it smaller (down to 70 % and 5 pt, then break it), or print ### in its place."`
	Workbook      string        `json:"workbook" label:"In workbooks" enum:"auto,own-sheet,with-page,leave-out" default:"auto" help:"Where the table stands in an Excel workbook: on a sheet of its own if the page has several tables (auto), always on one, on the sheet of its page, or nowhere."`
	Hyphens       string        `json:"hyphens" label:"Hyphenation" enum:",auto,none" help:"Whether words in cells are divided where lines end, by the language of the report. Default: words of eight letters and more for which a column has no room."`
	NoCellWrap    bool          `json:"disableCellWrap" label:"Disable cell text wrap"`
	NoHeaderWrap  bool          `json:"disableHeaderWrap" label:"Disable header text wrap"`
	VerticalLines bool          `json:"verticalLines" label:"Show vertical lines"`
	HideHeader    bool          `json:"hideHeader" label:"Hide header"`
	PreserveOrder bool          `json:"preserveGroupOrder" label:"Preserve group order" help:"Groups in the order they first appear, instead of by their keys."`
	Groups        []groupProps  `json:"groups" help:"Up to three levels, the outermost first." one:"Group"`
	Footer        footerProps   `json:"footer"`
	Carry         carryProps    `json:"carry" label:"Sums carried over pages"`
	Continued     string        `json:"continuedText" label:"Text where the table goes on" editor:"template" help:"Printed above the head of the table on the pages after its first, for example Table 3 (continued)."`
	Font
	Box

	elements map[*columnProps][]*Element // of columns that print elements
}

type tableFormats struct {
	Number   string `json:"number" editor:"format" help:"Default: the theme's."`
	Percent  string `json:"percent" editor:"format" help:"Default: the theme's."`
	Date     string `json:"date" editor:"format" help:"Default: the theme's."`
	Currency string `json:"currency" editor:"format" help:"Default: the theme's."`
}

type footerProps struct {
	Enabled bool   `json:"enabled"`
	Type    string `json:"type" enum:"text,html" default:"text"`
	Text    string `json:"text" editor:"template" help:"Printed before the first cell of a column."`
}

type groupProps struct {
	Field           string      `json:"field" editor:"field" help:"Field whose values make the groups; without one all rows are one group." ask:"Rows with the same value in it are a group. Left empty, all rows are one."`
	Caption         captionCell `json:"caption"`
	Footer          footerProps `json:"footer"`
	ResetRowNumbers bool        `json:"resetRowNumbers" label:"Reset row numbers"`
	PageBreak       bool        `json:"pageBreak" label:"Page break" help:"Every group after the first starts a new page."`
	Restart         bool        `json:"restartPageNumbers" label:"Restart page numbers" help:"The numbers of pages begin anew with the page that the caption of a group begins; best with a page break."`
}

type captionCell struct {
	Enabled bool   `json:"enabled" default:"true"`
	Type    string `json:"type" enum:"text,html" default:"text"`
	Text    string `json:"text" editor:"template" default:"{$group.$key}" help:"Template; $group holds the key, the records and the aggregates." ask:"{$group.$key} is what its rows have in common, {$group.field} what is worked out."`
	Again   bool   `json:"continued" label:"Say that it continues" help:"Whether the caption, where it repeats on the pages after, ends in (continued), in the report's language."`
	Words   string `json:"continuedText" label:"Text where it continues" editor:"template" help:"Default: (continued), in the report's language."`
}

// maxGroups is how many grouping levels a table has at most.
const maxGroups = 3

func (p *dataTableProps) prepare(prep *preparer, path string) {
	if len(p.Groups) > maxGroups {
		prep.problems = append(prep.problems, report.Problemf(path+".groups", "a table groups by at most %d levels, not %d", maxGroups, len(p.Groups)))
		p.Groups = p.Groups[:maxGroups]
	}
	p.elements = map[*columnProps][]*Element{}
	for i := range p.Columns {
		p.prepareColumn(prep, &p.Columns[i], fmt.Sprintf("%s.columns[%d]", path, i))
	}
}

func (p *dataTableProps) prepareColumn(prep *preparer, col *columnProps, path string) {
	switch {
	case len(col.Headers) > maxHeaders:
		prep.problems = append(prep.problems, report.Problemf(path+".headers", "a table has at most %d header rows, not %d", maxHeaders, len(col.Headers)))
	case len(col.GroupCaptions) > maxGroups || len(col.GroupFooters) > maxGroups:
		prep.problems = append(prep.problems, report.Problemf(path, "a table groups by at most %d levels", maxGroups))
	}
	switch {
	case col.Renderer == "elements":
		p.elements[col] = prep.elements(col.Elements, path+".elements")
	case col.Renderer == "component" && col.Component == nil:
		prep.problems = append(prep.problems, report.Problemf(path+".component", "the component renderer needs an element"))
	case col.Renderer == "component":
		if e := prep.element(col.Component, path+".component"); e != nil {
			p.elements[col] = []*Element{e}
		}
	}
}

// table is one data table while it is written.
type table struct {
	c        *Context
	e        *Element
	p        *dataTableProps
	columns  []*column
	levels   []level
	all      []any     // rows in the order of the source
	printed  []any     // rows in the order they print
	depth    []int     // of each row of a tree, else nil
	striped  bool      // every second row has a background of its own
	carries  []*carry  // over pages
	pageSums []*carry  // of each page
	numbers  int       // row number of the last row
	next     int       // place of the next row among all
	begin    int       // where the table begins in the document
	paths    *rowPaths // where the rows come from, when it is asked for
	outer    covered   // by the row that is being written
	classes  string    // of the table, besides those of its type
	inner    bool      // the cell that is being written is the first of its row, but not of the table
	apart    bool      // rows are taken out of the document; see apart.go
	bodyAt   int       // where those begin that are still in it
	packing  []byte    // room to pack them

	begins       []groupMark      // of groups that begin with the next row, when they are asked for
	plainNumbers map[*column]bool // columns whose totals a workbook can find
}

func compileDataTable(c *Context, e *Element, p *dataTableProps) {
	t := &table{c: c, e: e, p: p, begin: c.Len(), striped: c.theme.Table.Cells.AltBackground != ""}
	rows := t.rows()
	t.all, t.paths = rows, t.tracePaths(rows)
	t.columns = t.makeColumns(rows)
	t.divideWords()
	t.levels = t.makeLevels()
	t.checkFields()
	groups := t.group(rows)
	t.place(groups)
	t.workOut()
	t.sumUp(groups)
	t.makeCarries()
	t.write(groups)
}

// write writes the table of rows that are known and placed.
func (t *table) write(groups []*group) {
	c, e, p, rows := t.c, t.e, t.p, t.all
	t.open()
	t.header()
	t.openBody()
	if len(rows) == 0 {
		t.empty()
	}
	t.body(groups, rows)
	if t.next < len(rows) && c.stopped() == nil {
		c.Warn(e, "the canvas shows the first %d of %d rows; preview and files have all", t.next, len(rows))
	}
	t.closeBody()
	t.carryRows()
	if p.Footer.Enabled && (len(rows) > 0 || p.EmptyText == "") {
		c.Raw("<tfoot>\n")
		t.footerRow("q-total", &p.Footer, newGroupScope(t, "", nil, 0, t.printed, nil), func(col *column) *band { return col.footer })
		c.Raw("</tfoot>\n")
	}
	c.Raw("</table>\n")
}

// rows are the table's rows, a tree's in the order of reading.
func (t *table) rows() []any {
	if t.p.Source == "" {
		t.c.Warn(t.e, "the table has no data source")
		return nil
	}
	rows := t.c.SourceRows(t.e, t.p.Source)
	if !t.p.Tree {
		return rows
	}
	t.c.missingField(t.e, "childrenField", rows, t.p.ChildrenField)
	var flat []any
	t.flatten(rows, 0, &flat)
	return flat
}

// maxTreeDepth bounds the levels of a tree; deeper rows are left out with a
// warning.
const maxTreeDepth = 40

func (t *table) flatten(rows []any, depth int, flat *[]any) {
	if depth > maxTreeDepth {
		t.c.Warn(t.e, "rows more than %d levels deep were left out", maxTreeDepth)
		return
	}
	for _, row := range rows {
		*flat = append(*flat, row)
		t.depth = append(t.depth, depth)
		if o, ok := row.(*report.Object); ok {
			if below, ok := o.Get(t.p.ChildrenField); ok {
				list, _ := below.([]any)
				t.flatten(list, depth+1, flat)
			}
		}
	}
}

func (t *table) open() {
	c, p := t.c, t.p
	classes := strings.Fields(t.classes)
	for _, flag := range []struct {
		on   bool
		name string
	}{{p.FixedLayout, "q-fixed"}, {p.NoCellWrap, "q-nowrap"}, {p.NoHeaderWrap, "q-head-nowrap"}, {p.VerticalLines, "q-lines"}} {
		if flag.on {
			classes = append(classes, flag.name)
		}
	}
	c.Open(t.e, tag{name: "table", classes: strings.Join(classes, " "), breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) {
		if p.Margin != "" {
			p.fill(s)
		}
		c.keepRoom(s, &p.Box)
	}})
	c.narrowCells(p.FixedLayout, p.NarrowCells)
	c.inWorkbook(p.Workbook)
	if p.Continue {
		c.Raw(` data-continue="`)
		c.Int(p.KeyColumns)
		c.Raw(`"`)
	}
	c.Raw(">\n")
	if p.Caption != "" {
		c.Raw(`<caption class="q-hidden">`)
		c.Print(p.Caption)
		c.Raw("</caption>\n")
	}
	c.Raw("<colgroup>")
	for _, col := range t.columns {
		c.Raw("<col")
		if w := length(col.p.Width); w != "" {
			c.Attr("style", "width:"+w)
		}
		c.Raw(">")
	}
	c.Raw("</colgroup>\n")
}

// header writes up to three rows of header cells. A cell spans columns and rows
// as it says; a column under a spanning cell writes none.
func (t *table) header() {
	if t.p.HideHeader {
		return
	}
	depth := 1
	for _, col := range t.columns {
		depth = min(max(depth, len(col.p.Headers)), maxHeaders)
	}
	t.c.Raw("<thead>\n")
	t.continued()
	covered := make([]int, len(t.columns)) // rows still covered from above
	for row := range depth {
		t.c.Raw("<tr data-repeat>")
		start := t.c.Len()
		for i := 0; i < len(t.columns); {
			if covered[i] > 0 {
				covered[i]--
				i++
				continue
			}
			t.inner = i > 0 && t.c.Len() == start
			i += t.headerCell(i, row, depth, covered)
		}
		t.inner = false
		t.c.Raw("</tr>\n")
	}
	t.c.Raw("</thead>\n")
}

// headerCell writes the cell of a column in a header row and tells how many
// columns it takes.
func (t *table) headerCell(i, row, depth int, covered []int) int {
	col := t.columns[i]
	h := headerProps{ColSpan: 1, RowSpan: 1}
	if row < len(col.p.Headers) {
		h = col.p.Headers[row]
	} else if row == 0 {
		h.Text = col.title
		h.RowSpan = depth
	}
	colSpan := min(max(h.ColSpan, 1), len(t.columns)-i)
	rowSpan := min(max(h.RowSpan, 1), depth-row)
	c := t.c
	c.Raw("<th")
	if t.inner {
		c.BoolAttr("data-inner")
	}
	if rest := covered[i+colSpan:]; len(rest) > 0 && !slices.Contains(rest, 0) {
		c.BoolAttr("data-inner-end") // the last of its row, but not of the table
	}
	c.Attr("class", alignClass(firstOf(h.Align, map[bool]string{true: "center"}[colSpan > 1], col.align)))
	scope := "col"
	if colSpan > 1 {
		scope = "colgroup"
		c.Attr("colspan", fmt.Sprint(colSpan))
	}
	if rowSpan > 1 {
		c.Attr("rowspan", fmt.Sprint(rowSpan))
	}
	c.Attr("scope", scope)
	c.Raw(">")
	start := c.Len()
	if h.plain {
		c.Text(h.Text)
	} else {
		c.Print(h.Text)
	}
	if colSpan == 1 && col.headLeast > 0 {
		c.hyphenate(start, col.headLeast)
	}
	c.Raw("</th>")
	for j := range colSpan {
		covered[i+j] = rowSpan - 1
	}
	return colSpan
}

// empty writes the text for a table without rows, over all columns.
func (t *table) empty() {
	if t.p.EmptyText == "" {
		return
	}
	t.c.Raw(`<tr class="q-empty"><td colspan="`)
	t.c.Int(max(1, len(t.columns)))
	t.c.Raw(`">`)
	t.c.Print(t.p.EmptyText)
	t.c.Raw("</td></tr>\n")
}

// body writes groups and the rows in them, or the rows alone.
func (t *table) body(groups []*group, rows []any) {
	if groups == nil {
		t.plainRows(rows)
		return
	}
	for i, g := range groups {
		t.groupRows(g, i)
	}
}

func (t *table) groupRows(g *group, place int) {
	if t.c.stopped() != nil || t.room() == 0 {
		return
	}
	l := &t.levels[g.level]
	if l.p.ResetRowNumbers {
		t.numbers = 0
	}
	t.beginGroup(g)
	if l.p.Caption.Enabled {
		t.captionRow(g, l, place)
	}
	if g.groups != nil {
		for i, inner := range g.groups {
			t.groupRows(inner, i)
		}
	} else {
		t.plainRows(g.rows)
	}
	if l.p.Footer.Enabled {
		t.footerRow(fmt.Sprintf("q-group-footer q-group-%d", g.level+1), &l.p.Footer, g.scope, func(col *column) *band { return col.groupFooters[g.level] })
	}
}

func (t *table) captionRow(g *group, l *level, place int) {
	c := t.c
	c.Raw(`<tr class="q-group-caption q-group-`)
	c.Int(g.level + 1)
	c.Raw(`" data-keep-next data-repeat="`)
	c.Int(g.level + 1)
	c.Raw(`"`)
	if l.p.PageBreak && place > 0 {
		c.Raw(` data-break-before="page"`)
	}
	if l.p.Restart {
		c.numbersAnew(t.e)
	}
	t.typedRow()
	c.Raw(">")
	undo := c.scope.pushGroup(g.scope)
	t.bandRow("rowgroup", g.scope, func(col *column) *band { return col.captions[g.level] }, l.p.Caption.Text, func() {
		if l.p.Caption.Type == "html" {
			c.Markup(t.e, l.p.Caption.Text)
		} else {
			c.Print(l.p.Caption.Text)
		}
		t.again(&l.p.Caption)
	})
	undo()
	c.Raw("</tr>\n")
}

func (t *table) plainRows(rows []any) {
	rows = rows[:min(len(rows), t.room())]
	for _, col := range t.columns {
		col.merge(rows)
	}
	for i, row := range t.c.each(rows) {
		t.numbers++
		t.row(row, i)
		t.next++
		switch {
		case t.apart:
			t.pack(apartPiece)
		case t.next == sizedRows:
			t.reserve()
		}
	}
}

// room is how many more rows are written.
func (t *table) room() int {
	if t.c.in.TableRows == 0 {
		return len(t.all)
	}
	return t.c.in.TableRows - t.next
}

// sizedRows is after how many rows the size of a large table is known well
// enough.
const sizedRows = 200

// reserve makes room for the rows to come, which saves growing the document step
// by step.
func (t *table) reserve() {
	left := len(t.all) - t.next
	each := (t.c.Len() - t.begin) / t.next
	t.c.buf = slices.Grow(t.c.buf, min(left*(each+each/8), max(0, t.c.most-t.c.Len())))
}

// row writes one row; place is its place among the rows that may merge cells.
func (t *table) row(row any, place int) {
	c := t.c
	c.scope.pushRecord(row, t.next, &t.outer)
	c.from("$record", t.paths.of(row))
	c.Raw("<tr")
	if t.striped && place%2 == 1 {
		c.Raw(` class="q-alt"`)
	}
	if t.depth != nil {
		c.Raw(` style="--depth:`)
		c.Int(t.depth[t.next])
		c.Raw(`"`)
	}
	t.carried()
	t.typedRow()
	c.Raw(">")
	skip, start := 0, c.Len()
	for _, col := range t.columns {
		if skip > 0 {
			skip--
			continue
		}
		if c.stopped() != nil {
			break
		}
		t.inner = col.index > 0 && c.Len() == start
		skip = t.cell(col, row, place)
	}
	t.inner = false
	c.Raw("</tr>\n")
	c.scope.popRecord(&t.outer)
}
