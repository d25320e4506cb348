package docx

import (
	"github.com/quire-reports/quire/render/layout"
)

// cellLook is how a cell of a table is drawn.
type cellLook struct {
	width    int
	columns  int
	merge    string // restart or continue; empty: it is not merged with others below
	borders  [4]edge
	ground   string
	padding  [4]int // twips; top, left, bottom, right
	vertical string
}

// beginTable writes what a table is as a whole.
func (k *walker) beginTable(p *piece, in room, columns []float64, named, header bool, title string) {
	x := k.x
	x.Open("w:tbl").Open("w:tblPr")
	if named {
		leaf(x, "w:tblStyle", "QuireTable")
	}
	if in.rtl {
		x.Open("w:bidiVisual").Close()
	}
	total := 0
	for _, c := range columns {
		total += max(twips(c), 15)
	}
	x.Open("w:tblW").Int("w:w", total).Attr("w:type", "dxa").Close()
	if left := twips(p.left); left != 0 {
		x.Open("w:tblInd").Int("w:w", left).Attr("w:type", "dxa").Close()
	}
	if named { // the lines are those of the cells
		x.Open("w:tblBorders")
		for _, name := range []string{"w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"} {
			x.Open(name).Attr("w:val", "nil").Close()
		}
		x.Close()
	}
	x.Open("w:tblLayout").Attr("w:type", "fixed").Close()
	x.Open("w:tblCellMar")
	for _, side := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
		x.Open(side).Int("w:w", 0).Attr("w:type", "dxa").Close()
	}
	x.Close()
	look, first := "0000", "0"
	if header {
		look, first = "0020", "1"
	}
	x.Open("w:tblLook").Attr("w:val", look).Attr("w:firstRow", first)
	for _, name := range []string{"w:lastRow", "w:firstColumn", "w:lastColumn"} {
		x.Attr(name, "0")
	}
	x.Attr("w:noHBand", "0").Attr("w:noVBand", "0").Close()
	if title != "" {
		x.Open("w:tblCaption").Attr("w:val", title).Close()
	}
	x.Close().Open("w:tblGrid")
	for _, c := range columns {
		x.Open("w:gridCol").Int("w:w", max(twips(c), 15)).Close()
	}
	x.Close()
}

// cell writes a cell; content ends with a paragraph.
func (k *walker) cell(c *cellLook, content func()) {
	x := k.x
	x.Open("w:tc").Open("w:tcPr").Open("w:tcW").Int("w:w", max(c.width, 15)).Attr("w:type", "dxa").Close()
	if c.columns > 1 {
		x.Open("w:gridSpan").Int("w:val", c.columns).Close()
	}
	switch c.merge {
	case "restart":
		leaf(x, "w:vMerge", "restart")
	case "continue":
		x.Open("w:vMerge").Close()
	}
	if c.borders != [4]edge{} {
		x.Open("w:tcBorders")
		for i, name := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
			if e := c.borders[[]int{layout.Top, layout.Left, layout.Bottom, layout.Right}[i]]; e.drawn() {
				x.Open(name).Attr("w:val", e.line).Int("w:sz", e.size).Int("w:space", 0).Attr("w:color", e.color).Close()
			}
		}
		x.Close()
	}
	if c.ground != "" {
		shading(x, c.ground)
	}
	if c.padding != [4]int{} {
		x.Open("w:tcMar")
		for i, name := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
			x.Open(name).Int("w:w", max(c.padding[i], 0)).Attr("w:type", "dxa").Close()
		}
		x.Close()
	}
	if c.vertical != "" {
		leaf(x, "w:vAlign", c.vertical)
	}
	x.Close()
	content()
	x.Close()
}

var verticals = map[string]string{"middle": "center", "bottom": "bottom"}

func cellPadding(padding *layout.Sides, rtl bool) [4]int {
	if padding == nil {
		return [4]int{}
	}
	left, right := padding[layout.Left], padding[layout.Right]
	if rtl {
		left, right = right, left
	}
	return [4]int{twips(padding[layout.Top]), twips(left), twips(padding[layout.Bottom]), twips(right)}
}

// spans are the cells of rows above that reach into those below, by column.
type span struct {
	rows, columns int
	look          cellLook
}

// under gives the line above a cell the look that it has: of two lines of the same
// strength between cells that of the upper one is drawn, and stronger ones are always.
func (c *cellLook) under(above edge) {
	if own := &c.borders[layout.Top]; above.drawn() && above.size >= own.size {
		*own = above
	}
}

// table writes a table.
func (k *walker) table(p *piece, in room) {
	n := p.n
	columns := fit(n.Table.Columns, in.width)
	if len(columns) == 0 {
		columns = []float64{in.width}
	}
	style := &k.d.Styles[n.Style]
	in.rtl = style.RTL
	k.beginTable(p, in, columns, true, n.Table.Head > 0, oneLine(n.Table.Title))
	if total := sum(n.Table.Columns); total > in.width*1.1 && k.shrink == 0 {
		k.shrink = max(in.width/total, 0.4)
		defer func() { k.shrink = 0 }()
		k.warn(k.id, "is wider than the page; in the document of Word its text is smaller, for tables do not go on on further sheets there")
	}
	spans, above := make([]span, len(columns)), make([]edge, len(columns))
	together := p.keep&layout.KeepTogether != 0 && len(n.Children) <= whole
	for i := range n.Children {
		if i%1000 == 999 && k.Alive != nil {
			if err := k.Alive(); err != nil {
				k.fail(err)
				break
			}
		}
		row := &n.Children[i]
		last := i == len(n.Children)-1
		keep := row.Keep&layout.KeepNext != 0 || together && !last || last && p.keep&layout.KeepNext != 0 || i < n.Table.Head
		k.row(row, columns, spans, above, in, style, i < n.Table.Head && n.Table.Repeat, keep)
	}
	k.x.Close()
}

// fit makes columns that are wider than their room as wide as that.
func fit(columns []float64, width float64) []float64 {
	total := 0.0
	for _, c := range columns {
		total += c
	}
	if total <= width*1.005 || total <= 0 {
		return columns
	}
	made := make([]float64, len(columns))
	for i, c := range columns {
		made[i] = c * width / total
	}
	return made
}

func sum(list []float64) (v float64) {
	for _, c := range list {
		v += c
	}
	return v
}

func (k *walker) row(row *layout.Node, columns []float64, spans []span, above []edge, in room, table *layout.Style, repeat, keep bool) {
	x := k.x
	k.pending = append(k.pending, row.Anchors...)
	x.Open("w:tr").Open("w:trPr").Open("w:cantSplit").Close()
	if h := k.d.Styles[row.Style].Height; h > 0 {
		if k.shrink > 0 { // text that is smaller needs less room
			h *= k.shrink
		}
		x.Open("w:trHeight").Int("w:val", twips(h)).Attr("w:hRule", "atLeast").Close()
	}
	if repeat {
		x.Open("w:tblHeader").Close()
	}
	x.Close()
	ground := solid(k.d.Styles[row.Style].Background)
	if ground == "" {
		ground = solid(table.Background)
	}
	at, next := 0, 0
	for at < len(columns) {
		if s := &spans[at]; s.rows > 0 { // a cell above reaches here
			wide := min(max(s.columns, 1), len(columns)-at)
			s.rows--
			s.look.merge = "continue"
			k.cell(&s.look, k.tiny)
			for i := range wide {
				above[at+i] = s.look.borders[layout.Bottom]
			}
			at += wide
			continue
		}
		if next >= len(row.Children) { // nothing is said of what is left
			k.cell(&cellLook{width: twips(columns[at])}, k.tiny)
			above[at] = edge{}
			at++
			continue
		}
		cell := &row.Children[next]
		next++
		wide, rows := 1, 1
		if cell.Cell != nil {
			wide, rows = max(cell.Cell.Columns, 1), max(cell.Cell.Rows, 1)
		}
		wide = min(wide, len(columns)-at)
		for i := 1; i < wide; i++ {
			if spans[at+i].rows > 0 {
				wide = i
			}
		}
		style := &k.d.Styles[cell.Style]
		c := cellLook{width: twips(sum(columns[at : at+wide])), columns: wide, ground: solid(style.Background), padding: cellPadding(style.Padding, in.rtl), vertical: verticals[style.Vertical]}
		if c.ground == "" {
			c.ground = ground
		}
		if k.shrink > 0 {
			for i := range c.padding {
				c.padding[i] = int(float64(c.padding[i]) * k.shrink)
			}
		}
		if style.Border != nil {
			for i := range style.Border {
				if e := style.Border[i]; e.Width > 0 {
					c.borders[i] = edge{eighths(e.Width), 0, lineOfEdge(e.Line), solid(e.Color)}
				}
			}
			if in.rtl {
				c.borders[layout.Left], c.borders[layout.Right] = c.borders[layout.Right], c.borders[layout.Left]
			}
		}
		c.under(above[at])
		for i := range wide {
			above[at+i] = c.borders[layout.Bottom]
		}
		if rows > 1 {
			c.merge = "restart"
			spans[at] = span{rows - 1, wide, c}
		}
		inner := room{left: in.left + sum(columns[:at]), width: max(sum(columns[at:at+wide])-px(c.padding[1])-px(c.padding[3]), 5), rtl: style.RTL}
		k.cell(&c, func() { k.cellContent(cell, inner, keep) })
		at += wide
	}
	x.Close()
}

func px(twips int) float64 { return float64(twips) / 15 }

func (k *walker) cellContent(cell *layout.Node, in room, keep bool) {
	content := cell.Content()
	if len(content) == 0 {
		k.emptyCell(cell, keep)
		return
	}
	list := k.gather(content)
	if keep {
		for i := range list {
			list[i].keep |= layout.KeepNext
		}
	}
	k.pending = append(k.pending, cell.Anchors...)
	k.pieces(list, in, false)
}

// emptyCell is a paragraph that is as high as a line of the cell.
func (k *walker) emptyCell(cell *layout.Node, keep bool) {
	n := layout.Node{Kind: layout.Paragraph, Style: cell.Style, Bare: true}
	p := piece{n: &n}
	if keep {
		p.keep = layout.KeepNext
	}
	k.open(&n, k.paragraphLook(&n, &p), nil, nil)
	k.x.Close()
}

// gather makes pieces of blocks.
func (k *walker) gather(list []layout.Node) []piece {
	g := &gatherer{k: k}
	for i := range list {
		g.block(&list[i], around{})
	}
	k.pending = append(k.pending, g.anchors...)
	return g.out
}
