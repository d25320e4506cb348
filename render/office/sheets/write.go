package sheets

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// writing is one sheet while it is written.
type writing struct {
	*book
	*xlsx.Sheet
	of      *sheet
	columns int       // of its tables
	widths  []float64 // in characters
	broad   float64   // all of them together
	// Whether a range of it has arrows for filters; a sheet has one such range.
	filtered bool
}

// write writes a sheet.
func (b *book) write(s *sheet) error {
	w := &writing{book: b, of: s}
	config := w.config()
	var err error
	if w.Sheet, err = b.wb.Sheet(config); err != nil {
		return err
	}
	if s.list != nil {
		return w.index()
	}
	before := -1
	for i := range s.blocks {
		at := &s.blocks[i]
		if before >= 0 && w.gap(before, i) {
			w.Skip(1)
		}
		switch {
		case at.table != nil:
			err = w.table(at.table)
		case at.chart != nil:
			err = w.charted(at.chart)
		case at.picture != nil:
			w.pictured(at.picture)
		case at.values != nil:
			err = w.chartValues(at.values)
		default:
			err = w.text(at)
		}
		if err != nil {
			return err
		}
		before = i
	}
	return nil
}

// figure reports a picture, a chart, or the values of one.
func (b *block) figure() bool { return b.charted() != nil || b.picture != nil }

// charted is the chart whose values stand here.
func (b *block) charted() *chartMark {
	if b.chart != nil {
		return b.chart
	}
	return b.values
}

// chartWidths gives the columns of a chart's values their widths.
func (w *writing) chartWidths(m *chartMark, grow func(at int, width float64)) {
	if m.data != nil && m.data != w.of {
		return
	}
	for i, title := range m.Grid.Head {
		grow(i, min(widestLabel, max(10, w.characters(longestWord(title), true, 1)+1)))
	}
	for _, row := range m.Grid.Rows {
		for i, v := range row {
			if text, ok := v.(string); ok {
				grow(i, min(widestLabel, w.characters(oneLine(text), false, 1)))
			}
		}
	}
	w.columns = max(w.columns, len(m.Grid.Head))
}

// gap reports whether an empty row stands between two blocks.
func (w *writing) gap(before, at int) bool {
	a, b := &w.of.blocks[before], &w.of.blocks[at]
	return a.figure() || b.figure() && b.table == nil || a.table != nil || b.table != nil && a.level == 0 || b.level > 0 || (a.label == "") != (b.label == "")
}

// mostFrozen is how many rows stay on the screen at most while the rest is moved.
const mostFrozen = 9

// config is what the sheet has to know before its rows.
func (w *writing) config() xlsx.SheetConfig {
	c := xlsx.SheetConfig{Name: w.of.name, RightToLeft: w.RightToLeft, HideGridlines: true, Page: w.of.page.setup(w.RightToLeft)}
	var widths []float64
	grow := func(at int, width float64) {
		for len(widths) <= at {
			widths = append(widths, narrowest)
		}
		widths[at] = max(widths[at], width)
	}
	row, before, tables := 0, -1, 0
	for i := range w.of.blocks {
		at := &w.of.blocks[i]
		if before >= 0 && w.gap(before, i) {
			row++
		}
		before = i
		if t := at.table; t != nil {
			if tables++; tables > 1 { // no head is that of all rows
				c.FreezeRows, c.FreezeColumns, c.TitleRows = 0, 0, [2]int{}
			}
			for i, width := range t.widths {
				grow(i, width)
			}
			w.columns = max(w.columns, t.columns+len(t.keys))
			w.outline(&c, t)
			if t.heads > 0 && tables == 1 {
				if row+t.heads <= mostFrozen {
					c.FreezeRows = row + t.heads
				}
				c.TitleRows = [2]int{row + 1, row + t.heads}
				if t.columns > 8 {
					c.FreezeColumns = 1
				}
			}
			c.HideGridlines = false
			continue
		}
		if m := at.charted(); m != nil {
			w.chartWidths(m, grow)
			row += mostFrozen // nothing below it stays on the screen
			continue
		}
		if at.picture != nil {
			row += at.picture.rows()
			continue
		}
		row++
		switch {
		case at.label != "":
			grow(0, min(widestLabel, w.characters(at.label, false, 1)))
			if at.kind == isNumber || at.kind == isMoment { // texts go on over the columns beside them
				grow(1, w.characters(at.text, at.bold, 1)+1)
			}
		case at.kind == isNumber || at.kind == isMoment:
			grow(0, w.characters(at.text, at.bold, 1)+1)
		}
	}
	if tables == 0 {
		grow(0, 12)
	}
	if w.of.list != nil {
		grow(0, 48)
	}
	w.size(&c, widths)
	return c
}

// size gives the columns their widths. Where there is no table the last of them is
// for the text.
func (w *writing) size(c *xlsx.SheetConfig, widths []float64) {
	if w.columns == 0 && w.of.list == nil && len(w.of.blocks) > 0 {
		const page = 90 // about what fits on a page upright
		taken := 0.0
		for _, width := range widths[:len(widths)-1] {
			taken += width
		}
		widths[len(widths)-1] = max(widths[len(widths)-1], page-taken)
		w.columns = len(widths)
	}
	for _, width := range widths {
		w.broad += width
	}
	for w.long() && w.broad < leastBroad && len(widths) > 1 && !w.keyed() { // text goes on beside what is narrow
		widths = append(widths, 10)
		w.broad += 10
		w.columns = len(widths)
	}
	for _, width := range widths {
		c.Columns = append(c.Columns, xlsx.Column{Width: width})
	}
	w.widths = widths
	for i := range w.of.blocks {
		if t := w.of.blocks[i].table; t != nil {
			for n, k := range t.keys {
				for len(c.Columns) <= t.columns+n {
					c.Columns = append(c.Columns, xlsx.Column{})
				}
				c.Columns[t.columns+n] = xlsx.Column{Width: k.width, Hidden: true, Level: 1}
			}
		}
	}
}

// leastBroad is how broad a sheet is at least, in characters, for its text.
const leastBroad = 80

// long reports a text that is broader than the sheet so far.
func (w *writing) long() bool {
	return slices.ContainsFunc(w.of.blocks, func(b block) bool {
		return b.table == nil && !b.figure() && w.characters(b.text, b.bold, 1) > w.broad
	})
}

// keyed reports whether a table of the sheet has hidden columns behind it.
func (w *writing) keyed() bool {
	return slices.ContainsFunc(w.of.blocks, func(b block) bool { return b.table != nil && len(b.table.keys) > 0 })
}

func (w *writing) outline(c *xlsx.SheetConfig, t *table) {
	c.RowLevels = max(c.RowLevels, t.levels)
	if t.tree || t.captions && !t.footers {
		c.SummaryAbove = true
	}
}

// headingSizes are those of headings, in points.
var headingSizes = [7]float64{0, 16, 14, 12, 11, 11, 11}

// text writes a line of text, or a name with its value.
func (w *writing) text(b *block) error {
	color, _ := w.Color(b.color)
	style := xlsx.Style{Font: xlsx.Font{Bold: b.bold, Color: color}}
	r := xlsx.Row{}
	switch {
	case b.level > 0:
		style.Font.Bold, style.Font.Size = true, headingSizes[min(b.level, 6)]
	case b.link != "":
		style.Font.Underline = true
		if color == "" {
			style.Font.Color = linkColor
		}
	}
	c := w.value(b.kind, b.value, b.code, b.text, &style)
	c.Link = b.link
	if b.label != "" {
		muted := xlsx.Style{Vertical: "top"}
		style.Vertical, style.Horizontal = "top", w.start()
		if lines := w.lines(b.text, b.bold, 1, w.broad-w.widths[0]); lines > 1 && c.Kind == xlsx.Text {
			style.Wrap, r.Height, r.Fixed = true, float64(lines)*lineHeight, w.columns > 2
		}
		c.Style = w.wb.Style(style)
		r.Cells = []xlsx.Cell{{Kind: xlsx.Text, Text: b.label, Style: w.wb.Style(muted)}, c}
		return w.wide(r, 2)
	}
	if c.Kind == xlsx.Text {
		w.spread(&r, b, &style)
		c.Style = w.wb.Style(style)
	} else {
		style.Horizontal = w.start()
		c.Style = w.wb.Style(style)
	}
	r.Cells = append([]xlsx.Cell{c}, r.Cells...)
	return w.wide(r, 1)
}

// start is the side where lines begin.
func (w *writing) start() string {
	if w.RightToLeft {
		return "right"
	}
	return "left"
}

// wide writes a row whose last cell, where it has several lines, is as broad as the
// sheet.
func (w *writing) wide(r xlsx.Row, from int) error {
	number, err := w.Row(r)
	if err == nil && r.Height > 0 && w.columns > from {
		w.Merge(xlsx.Ref(number, from) + ":" + xlsx.Ref(number, w.columns))
	}
	return err
}

// spread gives a text that does not fit into the width of the sheet the lines that
// it needs, over all columns: it is no data, so nothing is sorted there.
func (w *writing) spread(r *xlsx.Row, b *block, style *xlsx.Style) {
	scale := 1.0
	if b.level > 0 {
		scale = headingSizes[min(b.level, 6)] / 11
	}
	bold := style.Font.Bold
	lines := w.lines(b.text, bold, scale, w.broad)
	if lines < 2 {
		return
	}
	style.Wrap, style.Vertical = true, "top"
	r.Height, r.Fixed = float64(lines)*lineHeight*scale, w.columns > 1
}

const linkColor = "0563C1"

// value is a cell that holds a value, or the text where there is none.
func (w *writing) value(kind valueKind, value string, code int, text string, style *xlsx.Style) xlsx.Cell {
	c := cellOf(kind, value, text)
	if c.Kind == xlsx.Number && code < len(w.Codes) && w.Codes[code] != general {
		style.Format = w.Codes[code]
	}
	c.Style = w.wb.Style(*style)
	return c
}

// general is the code that cells have by themselves.
const general = "General"

// index writes the list of the sheets.
func (w *writing) index() error {
	title := xlsx.Style{Font: xlsx.Font{Bold: true, Size: headingSizes[1]}}
	heading := xlsx.Cell{Kind: xlsx.Text, Text: w.About.Title, Style: w.wb.Style(title)}
	if _, err := w.Row(xlsx.Row{Cells: []xlsx.Cell{heading}}); err != nil {
		return err
	}
	w.Skip(1)
	link := w.wb.Style(xlsx.Style{Font: xlsx.Font{Underline: true, Color: linkColor}})
	for _, s := range w.of.list {
		c := xlsx.Cell{Kind: xlsx.Text, Text: s.name, Style: link, Link: "#'" + strings.ReplaceAll(s.name, "'", "''") + "'!A1"}
		if _, err := w.Row(xlsx.Row{Cells: []xlsx.Cell{c}}); err != nil {
			return err
		}
	}
	return nil
}

// papers are Excel's numbers of papers by their sizes upright, in points.
var papers = []struct {
	width, height float64
	number        int
}{{595.3, 841.9, 9}, {841.9, 1190.6, 8}, {419.5, 595.3, 11}, {297.6, 419.5, 70}, {612, 792, 1}, {612, 1008, 5}, {792, 1224, 3}}

// setup is how the sheet is printed: on the paper of the page, as wide as it is.
func (p *page) setup(rightToLeft bool) xlsx.Page {
	width, height := p.width, p.height
	s := xlsx.Page{FitWidth: true, Landscape: width > height}
	if s.Landscape {
		width, height = height, width
	}
	for _, paper := range papers {
		if near(width, paper.width) && near(height, paper.height) {
			s.Paper = paper.number
		}
	}
	s.Header, s.Footer = line(p.header, rightToLeft), line(p.footer, rightToLeft)
	if len(p.firstHeader) > 0 {
		s.FirstHeader, s.First = line(p.firstHeader, rightToLeft), true
	}
	const inch, edge, room, lineOf8 = 72, 0.3, 0.75, 0.14
	m := p.margins
	s.Margins = [6]float64{m[3] / inch, m[1] / inch, m[0] / inch, m[2] / inch, edge, edge}
	for i, lines := range map[int]int{2: max(linesOf(s.Header), linesOf(s.FirstHeader)), 3: linesOf(s.Footer)} {
		if lines > 0 { // they stand in the margin
			s.Margins[i] = max(s.Margins[i], room, edge+lineOf8*float64(lines+1))
		}
	}
	return s
}

// linesOf is how many lines the highest part of a header or footer has.
func linesOf(text string) (most int) {
	if text == "" {
		return 0
	}
	for part := range strings.SplitSeq(text, "&8 ") {
		most = max(most, 1+strings.Count(part, "\n"))
	}
	return most
}

func near(a, b float64) bool { return a-b < 3 && b-a < 3 }

// line writes a header or footer by Excel's rules (18.3.1.46): the first of its texts
// where lines begin, the last where they end, what is between in the middle.
func line(marks []mark, rightToLeft bool) string {
	var texts []string
	for _, m := range marks {
		text := strings.ReplaceAll(m.text, "&", "&&")
		texts = append(texts, strings.NewReplacer("\x00P", "&P", "\x00N", "&N").Replace(text))
	}
	var begin, middle, end string
	switch n := len(texts); {
	case n == 0:
	case n > 1:
		begin, middle, end = texts[0], strings.Join(texts[1:n-1], "\n"), texts[n-1]
	case strings.Contains(texts[0], "&P"):
		end = texts[0]
	default:
		begin = texts[0]
	}
	if rightToLeft {
		begin, end = end, begin
	}
	var out string
	for _, part := range [][2]string{{"&L", begin}, {"&C", middle}, {"&R", end}} {
		if part[1] != "" {
			out += part[0] + "&8 " + part[1]
		}
	}
	return out
}
