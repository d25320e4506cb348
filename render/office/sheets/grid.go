package sheets

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// grid puts the cells of rows into columns: those that reach over several rows take
// room in the rows below them.
type grid struct {
	above []spanned
	row   []placed
}

// spanned is a cell that reaches into the rows below.
type spanned struct {
	cell cell
	left int // rows that it still covers
}

// placed is what stands in a column of a row.
type placed struct {
	*cell
	follows bool // the cell before it reaches over this column
}

// place gives the cells of a row by their columns. A cell over several rows stands
// in each of them, so that rows can be sorted; in heads only in the last, over the
// data, where it names the column.
func (g *grid) place(r *row) []placed {
	g.row = g.row[:0]
	at := 0
	for i := range r.cells {
		if at > xlsx.MostColumns {
			break
		}
		at = g.covered(at, r)
		c := &r.cells[i]
		for n := range c.colSpan {
			g.put(at, c, n > 0, r)
			at++
		}
	}
	for at < len(g.above) {
		next := g.covered(at, r)
		if next == at {
			g.row = append(g.row, placed{})
			next++
		}
		at = next
	}
	return g.row
}

func (g *grid) put(at int, c *cell, follows bool, r *row) {
	for len(g.above) <= at {
		g.above = append(g.above, spanned{})
	}
	p := placed{cell: c, follows: follows}
	if c.rowSpan > 1 {
		g.above[at] = spanned{cell: c.clone(), left: c.rowSpan - 1}
		g.above[at].cell.same = true
		if r.part == atom.Thead {
			p.cell = nil
		}
	}
	g.row = append(g.row, p)
}

// clone is a cell that is kept while others are read.
func (c *cell) clone() cell {
	kept := *c
	for _, text := range []*string{&kept.text, &kept.value, &kept.style, &kept.inner, &kept.link} {
		*text = strings.Clone(*text)
	}
	return kept
}

// covered fills the columns that cells of rows above take, and gives the next that
// is free.
func (g *grid) covered(at int, r *row) int {
	for at < len(g.above) && g.above[at].left > 0 {
		s := &g.above[at]
		s.left--
		p := placed{cell: &s.cell, follows: at > 0 && s.cell.colSpan > 1 && len(g.row) > 0 && sameSpan(g.row[len(g.row)-1].cell, &s.cell)}
		if r.part == atom.Thead {
			s.cell.same = false
			if s.left > 0 {
				p.cell = nil
			}
		}
		g.row = append(g.row, p)
		at++
	}
	return at
}

// sameSpan reports two columns of one cell over several columns and rows.
func sameSpan(a, b *cell) bool {
	return a != nil && a.text == b.text && a.colSpan == b.colSpan && a.rowSpan == b.rowSpan
}

// endPart ends the head, body or foot of a table: cells do not reach out of it.
func (g *grid) endPart() {
	for i := range g.above {
		g.above[i].left = 0
	}
}
