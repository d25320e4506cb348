package htmlgen

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

var customTable = define("table", "Table", "Data", "A table built by hand of rows and cells, which may repeat.", compileTable, colors(ColorsOfTable), icon("table"))

type tableProps struct {
	Columns       []tableColumn `json:"columns" help:"Widths of the columns; further columns share the rest." ask:"Their widths; further columns share the rest." one:"Column"`
	Rows          []tableRow    `json:"rows" one:"Row"`
	Caption       string        `json:"caption" editor:"template" help:"What the table shows, for screen readers."`
	Break         bool          `json:"breakAcrossPages" label:"Allow break across pages"`
	FixedLayout   bool          `json:"fixedLayout" label:"Use fixed table layout"`
	NarrowCells   string        `json:"narrowCells" label:"Narrow cells" enum:"wrap,shrink,hashes" default:"wrap" help:"What cells of a fixed table layout do that are too narrow for a number or a word: break it, draw it smaller (down to 70 % and 5 pt, then break it), or print ### in its place."`
	Workbook      string        `json:"workbook" label:"In workbooks" enum:"auto,own-sheet,with-page,leave-out" default:"auto" help:"Where the table stands in an Excel workbook: on a sheet of its own if the page has several tables (auto), always on one, on the sheet of its page, or nowhere."`
	VerticalLines bool          `json:"verticalLines" label:"Show vertical lines"`
	Font
	Box

	rows    []*preparedRow
	repeats []*repeat // of the columns
}

type tableColumn struct {
	Width  string         `json:"width" editor:"length"`
	Repeat *report.Repeat `json:"repeat" help:"Repeats the column as its cells are repeated."`
}

type tableRow struct {
	Type     string         `json:"type" enum:"data,header,caption,footer" default:"data"`
	Level    int            `json:"level" min:"1" max:"4" default:"1" help:"Weight of a header, caption or footer, 1 the heaviest; how far a data row stands in."`
	Cells    []tableCell    `json:"cells" one:"Cell"`
	Rows     []tableRow     `json:"rows" help:"Makes this a group: these rows in place of cells, repeated together and kept on one page where they fit." ask:"Other rows in place of cells, which repeat together and stay on one page where they fit." one:"Row"`
	Repeat   *report.Repeat `json:"repeat" help:"Repeats the row or group; the item is also $record."`
	Visible  string         `json:"visible" label:"Visible when" editor:"expression"`
	Separate bool           `json:"breakInside" label:"Break inside" help:"Lets a group be parted between pages as if its rows were no group."`
	Class    string         `json:"class"`
	Style    string         `json:"style" label:"Own CSS" editor:"css" help:"CSS declarations, a text template." ask:"For the row, such as font-weight: 600."`
}

type tableCell struct {
	ContentType   string           `json:"contentType" label:"Content type" enum:"text,html,elements" default:"text"`
	Value         string           `json:"value" label:"Cell value" editor:"template" help:"Text template, or HTML with templates." ask:"What stands in the cell; { begins a value."`
	Elements      []report.Element `json:"elements"`
	Align         string           `json:"align" enum:",left,center,right"`
	VerticalAlign string           `json:"verticalAlign" label:"Vertical align" enum:",top,middle,bottom"`
	ColSpan       int              `json:"colSpan" label:"Column span" min:"1" max:"100" default:"1"`
	RowSpan       int              `json:"rowSpan" label:"Row span" min:"1" max:"1000" default:"1"`
	Cells         []tableCell      `json:"cells" help:"Makes this a group: these cells in place of a value, repeated together." ask:"Other cells in place of a value, which repeat together." one:"Cell"`
	Repeat        *report.Repeat   `json:"repeat" help:"Repeats the cell or group from side to side."`
	Visible       string           `json:"visible" label:"Visible when" editor:"expression" help:"Expression; the cell is left out when it is false." ask:"A formula: the cell is left out when it gives no."`
	Class         string           `json:"class"`
	Style         string           `json:"style" label:"Own CSS" editor:"css" help:"CSS declarations, a text template." ask:"For the cell, such as color: red."`
}

// preparedRow is a row with its elements made ready.
type preparedRow struct {
	p      *tableRow
	repeat *repeat
	cells  []*preparedCell
	rows   []*preparedRow
}

type preparedCell struct {
	p        *tableCell
	repeat   *repeat
	elements []*Element
	cells    []*preparedCell
}

func (p *tableProps) prepare(prep *preparer, path string) {
	p.rows = prepareRows(prep, p.Rows, path)
	for i := range p.Columns {
		p.repeats = append(p.repeats, prep.repeat(p.Columns[i].Repeat, fmt.Sprintf("%s.columns[%d].repeat", path, i)))
	}
}

func prepareRows(prep *preparer, rows []tableRow, path string) []*preparedRow {
	list := make([]*preparedRow, len(rows))
	for i := range rows {
		at := fmt.Sprintf("%s.rows[%d]", path, i)
		list[i] = &preparedRow{p: &rows[i], repeat: prep.repeat(rows[i].Repeat, at+".repeat"), cells: prepareCells(prep, rows[i].Cells, at), rows: prepareRows(prep, rows[i].Rows, at)}
		if len(rows[i].Rows) > 0 && len(rows[i].Cells) > 0 {
			prep.problems = append(prep.problems, report.Problemf(at, "a row has cells or rows, not both"))
		}
	}
	return list
}

func prepareCells(prep *preparer, cells []tableCell, path string) []*preparedCell {
	list := make([]*preparedCell, len(cells))
	for i := range cells {
		at := fmt.Sprintf("%s.cells[%d]", path, i)
		list[i] = &preparedCell{p: &cells[i], repeat: prep.repeat(cells[i].Repeat, at+".repeat"), elements: prep.elements(cells[i].Elements, at+".elements"), cells: prepareCells(prep, cells[i].Cells, at)}
	}
	return list
}

func compileTable(c *Context, e *Element, p *tableProps) {
	classes := []string{"q-data-table"} // the theme's rules for tables hold here too
	if p.FixedLayout {
		classes = append(classes, "q-fixed")
	}
	if p.VerticalLines {
		classes = append(classes, "q-lines")
	}
	c.Open(e, tag{name: "table", classes: strings.Join(classes, " "), breaks: p.Break, font: &p.Font, box: &p.Box, extra: func(s *style) {
		if p.Margin != "" {
			p.fill(s)
		}
		c.keepRoom(s, &p.Box)
	}})
	c.narrowCells(p.FixedLayout, p.NarrowCells)
	c.inWorkbook(p.Workbook)
	c.Raw(">\n")
	if p.Caption != "" {
		c.Raw(`<caption class="q-hidden">`)
		c.Print(p.Caption)
		c.Raw("</caption>\n")
	}
	w := &tableWriter{Context: c, e: e}
	w.columns(p)
	from, to := sections(p.rows)
	w.section("thead", p.rows[:from])
	w.section("tbody", p.rows[from:to])
	w.section("tfoot", p.rows[to:])
	c.Raw("</table>\n")
}

// narrowCells tells the paginator what cells of fixed columns do that are too
// narrow for what they hold.
func (c *Context) narrowCells(fixed bool, do string) {
	if fixed && do != "" && do != "wrap" {
		c.Attr("data-narrow", do)
	}
}

// sections is where the header rows that a table begins with end, and where the
// footer rows that it ends with begin.
func sections(rows []*preparedRow) (from, to int) {
	for from < len(rows) && rows[from].p.Type == "header" && len(rows[from].rows) == 0 {
		from++
	}
	to = len(rows)
	for to > from && rows[to-1].p.Type == "footer" && len(rows[to-1].rows) == 0 {
		to--
	}
	return from, to
}

// tableWriter writes the parts of one hand-built table.
type tableWriter struct {
	*Context
	e    *Element
	part string // thead, tbody or tfoot
	open bool   // whether a tbody is open
	// Whether the next cell heads others: those of header rows, and the first of
	// captions and footers.
	heads bool
}

func (w *tableWriter) columns(p *tableProps) {
	if len(p.Columns) == 0 {
		return
	}
	w.Raw("<colgroup>")
	for i := range p.Columns {
		w.times(p.repeats[i], func() {
			w.Raw("<col")
			if width := length(p.Columns[i].Width); width != "" {
				w.Attr("style", "width:"+width)
			}
			w.Raw(">")
		})
	}
	w.Raw("</colgroup>\n")
}

// times writes something once, or for each item of an array.
func (w *tableWriter) times(r *repeat, write func()) {
	if r == nil {
		write()
		return
	}
	w.repeat(w.e, r, func(rowItem) { write() })
}

func (w *tableWriter) section(name string, rows []*preparedRow) {
	if len(rows) == 0 {
		return
	}
	w.part = name
	if name == "tbody" {
		w.rowList(rows)
		w.closeBody()
		return
	}
	w.Raw("<" + name + ">\n")
	w.rowList(rows)
	w.Raw("</" + name + ">\n")
}

func (w *tableWriter) openBody(attributes string) {
	if w.part == "tbody" && !w.open {
		w.Raw("<tbody" + attributes + ">\n")
		w.open = true
	}
}

func (w *tableWriter) closeBody() {
	if w.open {
		w.Raw("</tbody>\n")
		w.open = false
	}
}

func (w *tableWriter) rowList(rows []*preparedRow) {
	for _, row := range rows {
		w.repeatRow(row, func() {
			if w.stopped() != nil || !w.holds(w.e, row.p.Visible) {
				return
			}
			if len(row.rows) > 0 {
				w.group(row)
				return
			}
			w.openBody("")
			w.row(row)
		})
	}
}

// repeatRow is times with the item also as $record.
func (w *tableWriter) repeatRow(row *preparedRow, write func()) {
	if row.repeat == nil {
		write()
		return
	}
	w.repeat(w.e, row.repeat, func(item rowItem) {
		var outer covered
		w.scope.pushRecord(item.value, item.index, &outer)
		w.scope.place = outer.place // that of the item
		w.from("$record", item.origin)
		write()
		w.scope.popRecord(&outer)
	})
}

// group writes rows that belong together. The innermost group is a section of
// its own, which the paginator keeps on one page where it fits.
func (w *tableWriter) group(row *preparedRow) {
	if row.p.Separate || !innermost(row.rows) {
		w.rowList(row.rows)
		return
	}
	w.closeBody()
	w.openBody(" data-keep")
	w.rowList(row.rows)
	w.closeBody()
}

func innermost(rows []*preparedRow) bool {
	for _, r := range rows {
		if len(r.rows) > 0 {
			return false
		}
	}
	return true
}

func (w *tableWriter) row(row *preparedRow) {
	p := row.p
	w.Raw("<tr")
	w.Attr("class", strings.TrimSpace(w.rowClass(p)+" "+classNames(w.Expand(p.Class))))
	switch {
	case w.part == "thead":
		w.BoolAttr("data-repeat")
	case p.Type == "caption":
		w.BoolAttr("data-keep-next")
		w.Raw(fmt.Sprintf(` data-repeat="%d"`, p.Level))
	case p.Type == "header":
		w.BoolAttr("data-keep-next")
	case p.Type == "footer":
		w.BoolAttr("data-keep-prev")
	}
	style := w.ownStyle(w.e, p.Style)
	if p.Type == "data" && p.Level > 1 {
		style = fmt.Sprintf("--depth:%d;", p.Level-1) + style
	}
	w.Attr("style", style)
	w.Raw(">")
	w.heads = p.Type != "data"
	w.cells(row.cells, p)
	w.Raw("</tr>\n")
}

// rowClass is the class that the theme's rules for a row's type have.
func (w *tableWriter) rowClass(p *tableRow) string {
	switch p.Type {
	case "header":
		return fmt.Sprintf("q-table-header q-level-%d", p.Level)
	case "caption":
		return fmt.Sprintf("q-group-caption q-group-%d q-level-%d", min(p.Level, maxGroups), p.Level)
	case "footer":
		if w.part == "tbody" {
			return fmt.Sprintf("q-group-footer q-group-%d q-level-%d", min(p.Level, maxGroups), p.Level)
		}
		return fmt.Sprintf("q-total q-level-%d", p.Level)
	}
	if p.Level > 1 {
		return "q-indented"
	}
	return ""
}

func (w *tableWriter) cells(cells []*preparedCell, row *tableRow) {
	for _, cell := range cells {
		w.times(cell.repeat, func() {
			switch {
			case !w.holds(w.e, cell.p.Visible):
			case len(cell.cells) > 0:
				w.cells(cell.cells, row)
			default:
				w.cell(cell, row)
				w.heads = row.Type == "header"
			}
		})
	}
}

func (w *tableWriter) cell(cell *preparedCell, row *tableRow) {
	p := cell.p
	name := "td"
	if w.heads {
		name = "th"
	}
	w.Raw("<" + name)
	class := alignClass(p.Align)
	if p.VerticalAlign != "" {
		class += " q-v" + p.VerticalAlign
	}
	if p.Class != "" {
		class += " " + classNames(w.Expand(p.Class))
	}
	w.Attr("class", strings.TrimSpace(class))
	if p.ColSpan > 1 {
		w.Raw(fmt.Sprintf(` colspan="%d"`, p.ColSpan))
	}
	if p.RowSpan > 1 {
		w.Raw(fmt.Sprintf(` rowspan="%d"`, p.RowSpan))
	}
	if name == "th" {
		w.Attr("scope", cellScope(row, p, w.part))
	}
	w.Attr("style", w.ownStyle(w.e, p.Style))
	if p.ContentType != "elements" {
		w.templateOrigins(p.Value)
	}
	if p.ContentType == "text" {
		w.typedTemplate(w.Parse(p.Value))
	}
	w.Raw(">")
	switch p.ContentType {
	case "elements":
		share := fmt.Sprintf("%d%%", min(100, 100*p.ColSpan/max(1, len(row.Cells))))
		w.inside(&Box{Width: share}, func() { w.Children(cell.elements) })
	case "html":
		w.Markup(w.e, p.Value)
	default:
		w.Print(p.Value)
	}
	w.Raw("</" + name + ">")
}

// cellScope is what a heading cell heads.
func cellScope(row *tableRow, p *tableCell, part string) string {
	switch {
	case row.Type == "caption":
		return "rowgroup"
	case row.Type == "footer":
		return "row"
	case p.ColSpan > 1 && part == "thead":
		return "colgroup"
	}
	return "col"
}
