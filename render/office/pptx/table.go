package pptx

import (
	"math"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

// table is a table of a slide.
type table struct {
	columns []float64
	heights []float64
	grid    [][]tableCell
	head    bool
	foot    bool
	rtl     bool
}

// tableCell is a field of the grid. Every row has one for each column: a cell that takes
// several fields stands in the first of them.
type tableCell struct {
	columns, rows int // that it takes
	left, above   bool
	body          *textBody
	fill          string
	edges         layout.Border
}

// table makes a table, and shapes of what its cells hold besides texts.
func (w *walker) table(n *layout.Node, at state) {
	if n.Box == nil || len(n.Children) == 0 || len(n.Table.Columns) == 0 {
		return
	}
	if n.Table.Layout || at.turn != 0 {
		w.inside++
		for i := range n.Children {
			for c := range n.Children[i].Children {
				w.walk(&n.Children[i].Children[c], at)
			}
		}
		w.inside--
		return
	}
	t := &table{columns: n.Table.Columns, head: n.Table.Head > 0, foot: n.Table.Foot > 0, rtl: w.style(n).RTL}
	made := w.add(&shape{kind: "Table", box: *n.Box, table: t, alt: n.Table.Title})
	w.inside++
	w.rows(n, t, at)
	w.inside--
	made.box.Width, made.box.Height = sum(t.columns), sum(t.heights)
	if len(t.grid) > 0 {
		if first := n.Children[0].Box; first != nil {
			made.box.X, made.box.Y = first.X, first.Y
		}
	}
}

func sum(list []float64) (total float64) {
	for _, v := range list {
		total += v
	}
	return total
}

func (w *walker) rows(n *layout.Node, t *table, at state) {
	wide := len(t.columns)
	t.grid = make([][]tableCell, len(n.Children))
	for r := range t.grid {
		t.grid[r] = make([]tableCell, wide)
	}
	taken := make([][]bool, len(n.Children))
	for r := range taken {
		taken[r] = make([]bool, wide)
	}
	bottom := math.NaN()
	for r := range n.Children {
		row := &n.Children[r]
		inRow := w.enter(row, at)
		high := 0.0
		if row.Box != nil {
			high = row.Box.Height
			if bottom == bottom { // what is between rows belongs to the one before
				t.heights[r-1] += max(0, row.Box.Y-bottom)
			}
			bottom = row.Box.Y + row.Box.Height
		}
		t.heights = append(t.heights, high)
		column := 0
		for c := range row.Children {
			for column < wide && taken[r][column] {
				column++
			}
			if column >= wide {
				break
			}
			column += w.cell(&row.Children[c], row, t, taken, r, column, inRow)
		}
	}
	t.share()
}

// share has cells beside each other have the same line between them, the stronger of
// theirs: the one that is drawn last would else take the other's away.
func (t *table) share() {
	stronger := func(a, b *layout.Edge) {
		if a.Width >= b.Width {
			*b = *a
		} else {
			*a = *b
		}
	}
	before, after := layout.Right, layout.Left // of columns as they follow each other
	if t.rtl {
		before, after = after, before
	}
	for r := range t.grid {
		for c := range t.grid[r] {
			if r > 0 && !t.grid[r][c].above {
				stronger(&t.grid[r-1][c].edges[layout.Bottom], &t.grid[r][c].edges[layout.Top])
			}
			if c > 0 && !t.grid[r][c].left {
				stronger(&t.grid[r][c-1].edges[before], &t.grid[r][c].edges[after])
			}
		}
	}
}

// cell puts a cell into the grid and gives how many columns it takes.
func (w *walker) cell(n, row *layout.Node, t *table, taken [][]bool, r, column int, at state) int {
	at = w.enter(n, at)
	columns, rows := 1, 1
	if n.Cell != nil {
		columns, rows = max(1, n.Cell.Columns), max(1, n.Cell.Rows)
	}
	columns, rows = min(columns, len(t.columns)-column), min(rows, len(t.grid)-r)
	for c := 1; c < columns; c++ { // it does not reach into what is taken
		if taken[r][column+c] {
			columns = c
		}
	}
	for dr := range rows {
		for dc := range columns {
			taken[r+dr][column+dc] = true
			f := &t.grid[r+dr][column+dc]
			f.left, f.above = dc > 0, dr > 0
		}
	}
	made := tableCell{columns: columns, rows: rows}
	s, rs := w.style(n), w.style(row)
	made.fill = faded(firstText(s.Background, rs.Background), at.opacity)
	made.edges = edges(s.Border, rs.Border, at)
	made.body = w.cellText(n, s, at)
	for dr := range rows {
		for dc := range columns {
			f := &t.grid[r+dr][column+dc]
			f.fill, f.edges = made.fill, made.edges
			f.columns, f.rows = 1, 1
			if dc == 0 {
				f.columns = columns
			}
			if dr == 0 {
				f.rows = rows
			}
		}
	}
	made.left, made.above = false, false
	t.grid[r][column] = made
	return columns
}

// edges are the lines of a cell, or of its row where it has none.
func edges(cell, row *layout.Border, at state) (b layout.Border) {
	if row != nil {
		b[layout.Top], b[layout.Bottom] = row[layout.Top], row[layout.Bottom]
	}
	if cell != nil {
		for side, e := range cell {
			if e.Width > 0 {
				b[side] = e
			}
		}
	}
	for side := range b {
		b[side] = drawn(b[side], at)
	}
	return b
}

// cellText is the text of a cell. What a cell holds besides stands over the table.
func (w *walker) cellText(n *layout.Node, s *layout.Style, at state) *textBody {
	body := &textBody{}
	f := flat{walker: w, body: body}
	if n.Box != nil {
		room := content(*n.Box, s, at.scale)
		f.left = room.X
	}
	before := at
	before.turn -= n.Turn // entered again
	if n.Scale > 0 {
		before.scale /= n.Scale
	}
	if s.Opacity > 0 {
		before.opacity /= s.Opacity
	}
	if !f.node(n, before, 0, nil) {
		for i := range n.Children {
			w.walk(&n.Children[i], at)
		}
		return &textBody{}
	}
	if n.Box == nil || len(body.paragraphs) == 0 {
		return body
	}
	room := content(*n.Box, s, at.scale)
	inset := layout.Sides{0, n.Box.X + n.Box.Width - room.X - room.Width, 0, room.X - n.Box.X}
	switch s.Vertical {
	case "middle":
		body.anchor = "ctr"
	case "bottom":
		body.anchor = "b"
		inset[layout.Bottom] = n.Box.Y + n.Box.Height - f.bottom
	default:
		inset[layout.Top] = f.top - n.Box.Y
	}
	// Text that is a little wider in the reader's font has the room beside it.
	switch align := body.paragraphs[0].align; {
	case align == "l":
		inset[layout.Right] = 0
	case align == "r":
		inset[layout.Left] = 0
	}
	for side := range inset {
		inset[side] = max(0, inset[side])
	}
	body.inset = inset
	return body
}

// table writes a table.
func (k *deck) table(x *opc.XML, part string, p placing, t *table) {
	x.Open("a:tbl").Open("a:tblPr")
	if t.rtl {
		x.Attr("rtl", "1")
	}
	if t.head {
		x.Attr("firstRow", "1")
	}
	if t.foot {
		x.Attr("lastRow", "1")
	}
	// Without lines and grounds of a style: those of the cells are said.
	x.Leaf("a:tableStyleId", "{2D5ABB26-0587-4C30-8999-92F81FD0307C}").Close()
	x.Open("a:tblGrid")
	for _, width := range t.columns {
		x.Open("a:gridCol").Int("w", max(1, p.length(width))).Close()
	}
	x.Close()
	for r := range t.grid {
		x.Open("a:tr").Int("h", max(1, p.length(t.heights[r])))
		for c := range t.grid[r] {
			k.cell(x, part, p, &t.grid[r][c])
		}
		x.Close()
	}
	x.Close()
}

func (k *deck) cell(x *opc.XML, part string, p placing, c *tableCell) {
	x.Open("a:tc")
	if c.rows > 1 {
		x.Int("rowSpan", c.rows)
	}
	if c.columns > 1 {
		x.Int("gridSpan", c.columns)
	}
	if c.left {
		x.Attr("hMerge", "1")
	}
	if c.above {
		x.Attr("vMerge", "1")
	}
	x.Open("a:txBody").Open("a:bodyPr").Close().Open("a:lstStyle").Close()
	body := c.body
	if body == nil {
		body = &textBody{}
	}
	k.paragraphs(x, part, p, body)
	x.Close()
	x.Open("a:tcPr").Int("marL", p.length(body.inset[layout.Left])).Int("marR", p.length(body.inset[layout.Right])).
		Int("marT", p.length(body.inset[layout.Top])).Int("marB", p.length(body.inset[layout.Bottom]))
	if body.anchor != "" {
		x.Attr("anchor", body.anchor)
	}
	for _, side := range []struct {
		name string
		at   int
	}{{"a:lnL", layout.Left}, {"a:lnR", layout.Right}, {"a:lnT", layout.Top}, {"a:lnB", layout.Bottom}} {
		edgeNamed(x, p, side.name, c.edges[side.at])
	}
	fill(x, c.fill)
	x.Close().Close()
}
