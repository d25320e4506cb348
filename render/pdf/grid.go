package pdf

import (
	"fmt"
	"slices"
)

// grid is what a table knows of its columns while its rows come.
type grid struct {
	width   int        // columns; 0 before the first row has ended
	taken   []int      // rows that a cell from above still takes, by column
	head    [][]string // header cells of the table's head, by column
	group   [][]string // and of the last rows of header cells after that
	heading bool       // the last row was one of header cells
	column  int        // of the next cell
	crossed bool       // a cell of the row lies over one from above
	rows    []rowHead
}

// rowHead is a header cell of rows, and for how many more it holds.
type rowHead struct {
	id   string
	left int
}

func (g *grid) beginRow(heading bool) {
	if heading && !g.heading {
		g.group = nil
	}
	g.heading, g.column, g.crossed = heading, 0, false
}

// endRow ends a row, and says what is wrong with it; empty when nothing is.
func (g *grid) endRow() string {
	g.skipTaken()
	if g.width == 0 {
		g.width = g.column
	}
	for i := range g.rows {
		g.rows[i].left--
	}
	g.rows = slices.DeleteFunc(g.rows, func(h rowHead) bool { return h.left <= 0 })
	switch {
	case g.column != g.width:
		return fmt.Sprintf("a row of a table has %d columns, those before it have %d", g.column, g.width)
	case g.crossed:
		return "cells of a table lie one over the other"
	}
	return ""
}

func (g *grid) skipTaken() {
	for g.column < len(g.taken) && g.taken[g.column] > 0 {
		g.taken[g.column]--
		g.column++
	}
}

// take gives a cell its place, and returns its first column.
func (g *grid) take(c *cell) int {
	g.skipTaken()
	at := g.column
	for range c.columns {
		if g.column == len(g.taken) {
			g.taken = append(g.taken, 0)
		}
		g.crossed = g.crossed || g.taken[g.column] > 0
		g.taken[g.column] = max(g.taken[g.column], c.rows-1)
		g.column++
	}
	return at
}

// register enters a header cell for the cells that it heads.
func (g *grid) register(c *element, at int, inHead, heading bool) {
	if c.cell.scope == "Row" || !heading {
		g.rows = append(g.rows, rowHead{c.id, c.cell.rows})
		return
	}
	list := &g.group
	if inHead {
		list = &g.head
	}
	for i := at; i < at+c.cell.columns; i++ {
		for i >= len(*list) {
			*list = append(*list, nil)
		}
		(*list)[i] = append((*list)[i], c.id)
	}
}

// headersOf are the header cells of a data cell.
func (g *grid) headersOf(c *element, at int) []string {
	if c.role != "TD" {
		return nil
	}
	var list []string
	for _, by := range [][][]string{g.head, g.group} {
		if at < len(by) {
			list = append(list, by[at]...)
		}
	}
	for _, h := range g.rows {
		list = append(list, h.id)
	}
	return list
}
