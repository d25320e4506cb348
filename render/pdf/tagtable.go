package pdf

import "slices"

// table shapes a table, or the part of it on a page: rows of header cells at
// its beginning are its head, sums at its end its foot, others its body.
func (t *tagger) table(e *element) []kid {
	out := &element{role: "Table", lang: e.lang, sign: e.sign}
	var rows []*element
	last := 0
	var walk func(*element)
	walk = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.el == nil:
			case k.el.sign == repeated:
				last = k.el.rowNumber()
				t.furniture(k.el)
			case k.el.role == "TR":
				if r := t.row(k.el); r != nil {
					rows = append(rows, leftOut(last, k.el.rowNumber(), r.foot)...)
					rows, last = append(rows, r), k.el.rowNumber()
				}
			case k.el.role == "Caption":
				if len(out.kids) == 0 {
					out.kids = k.el.around("Caption", t.inlineKids(k.el, false))
				}
			default:
				walk(k.el)
			}
		}
	}
	walk(e)
	if len(rows) == 0 {
		return out.kids // a caption at most
	}
	level(rows)
	rows = withoutBlank(rows)
	head := 0
	for head < len(rows) && e.sign != continued && isHeading(rows[head]) {
		head++
	}
	if head == len(rows) {
		head = 0
	}
	if head > 0 {
		out.kids = append(out.kids, kid{el: group("THead", kidsOf(rows[:head]))})
	}
	foot := len(rows)
	for foot > head && rows[foot-1].foot {
		foot--
	}
	if foot == head && e.sign != continued {
		foot = len(rows) // a table has a body
	}
	if body := group("TBody", kidsOf(rows[head:foot])); foot > head {
		body.sign = e.sign
		out.kids = append(out.kids, kid{el: body})
	}
	if foot < len(rows) {
		sums := group("TFoot", kidsOf(rows[foot:]))
		sums.sign = rows[foot].sign
		out.kids = append(out.kids, kid{el: sums})
	}
	return []kid{{el: out}}
}

func kidsOf(list []*element) []kid {
	kids := make([]kid, len(list))
	for i, e := range list {
		kids[i].el = e
	}
	return kids
}

// row shapes a row; nil when it has no cells.
func (t *tagger) row(e *element) *element {
	out := &element{role: "TR", sign: e.sign, foot: e.sign == tableFoot || e.sign == moreTableFoot}
	switch e.sign {
	case tableFoot:
		out.sign = noSign
	case moreTableFoot:
		out.sign = continued
	}
	var walk func(*element)
	walk = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.el == nil:
			case k.el.role == "TD" || k.el.role == "TH":
				out.kids = append(out.kids, kid{el: t.cell(k.el)})
			default:
				walk(k.el)
			}
		}
	}
	walk(e)
	if len(out.kids) == 0 {
		return nil
	}
	return out
}

// rowNumber is where a row stands in its part of the table, from 1; 0 unknown.
func (e *element) rowNumber() int {
	for _, k := range elements(e.kids) {
		if k.cell != nil {
			return k.cell.row
		}
		if n := k.rowNumber(); n > 0 {
			return n
		}
	}
	return 0
}

// leftOut are the rows between two that were left out, because all of their
// cells are empty, or none is theirs.
func leftOut(last, next int, foot bool) []*element {
	if last == 0 {
		return nil
	}
	var list []*element
	for last++; last < next; last++ {
		list = append(list, &element{role: "TR", foot: foot})
	}
	return list
}

func (t *tagger) cell(e *element) *element {
	content := t.blocks(e)
	if len(content) == 1 && content[0].el.role == "P" && content[0].el.sign == noSign && content[0].el.lang == "" {
		content = content[0].el.kids
	}
	c := &element{role: e.role, lang: e.lang, kids: content, cell: e.cell}
	if c.cell == nil {
		c.cell = &cell{rows: 1, columns: 1}
	}
	if c.role == "TH" && c.cell.scope == "" {
		c.cell.scope = "Column"
	}
	return c
}

// isHeading says whether a row has header cells of columns only.
func isHeading(row *element) bool {
	some := false
	for _, k := range row.kids {
		if k.el.role == "TH" && k.el.cell.scope != "Row" {
			some = true
		} else if len(k.el.kids) > 0 {
			return false
		}
	}
	return some
}

// level makes all rows equally wide: cells end with the table's last row, and
// where cells were left out because they are empty, empty ones stand.
func level(rows []*element) {
	width := 0
	for _, row := range rows {
		for _, k := range row.kids {
			width = max(width, k.el.cell.of)
		}
	}
	if rows[0].sign == continued {
		endSpans(rows, width)
	}
	var taken []int
	widths := make([]int, len(rows))
	for i, row := range rows {
		widths[i] = align(row, &taken, len(rows)-i, width)
	}
	width = slices.Max(widths)
	for i, row := range rows {
		for ; widths[i] < width; widths[i]++ {
			row.kids = append(row.kids, emptyCell(widths[i]))
		}
	}
}

// endSpans ends the cells of a row that goes on, which is to join the one that
// it continues: empty cells stand below those that reached down from it.
func endSpans(rows []*element, width int) {
	var taken []int
	for i, row := range rows {
		align(row, &taken, len(rows)-i, width)
	}
	for _, k := range rows[0].kids {
		k.el.cell.rows = 1
	}
}

// withoutBlank drops rows without a cell of their own from the cells that reach
// down into them.
func withoutBlank(rows []*element) []*element {
	for i := len(rows) - 1; i >= 0; i-- {
		if len(rows[i].kids) > 0 {
			continue
		}
		for j, row := range rows[:i] {
			for _, k := range row.kids {
				if j+k.el.cell.rows > i {
					k.el.cell.rows--
				}
			}
		}
		rows = slices.Delete(rows, i, i+1)
	}
	return rows
}

// align puts the cells of a row into their columns, beside those that reach
// down from above, with empty ones where some were left out, up to a width.
// It returns how wide the row is.
func align(row *element, taken *[]int, below, width int) (column int) {
	cells := row.kids
	row.kids = nil
	skip := func() {
		for column < len(*taken) && (*taken)[column] > 0 {
			(*taken)[column]--
			column++
		}
	}
	put := func(k kid) {
		c := k.el.cell
		c.at, c.rows = column+1, min(c.rows, below)
		row.kids = append(row.kids, k)
		for range c.columns {
			if column >= len(*taken) {
				*taken = append(*taken, 0)
			}
			(*taken)[column] = max((*taken)[column], c.rows-1)
			column++
		}
		skip()
	}
	skip()
	for _, k := range cells {
		for k.el.cell.at > column+1 {
			put(emptyCell(column))
		}
		put(k)
	}
	for column < width {
		put(emptyCell(column))
	}
	return column
}

// emptyCell is one that was left out, behind some columns.
func emptyCell(columns int) kid {
	return kid{el: &element{role: "TD", cell: &cell{rows: 1, columns: 1, at: columns + 1}}}
}
