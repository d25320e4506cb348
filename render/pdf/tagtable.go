package pdf

// table shapes a table, or the part of it on a page: rows of header cells at
// its beginning are its head, sums at its end its foot, others its body.
func (t *tagger) table(e *element) []kid {
	out := &element{role: "Table", lang: e.lang, sign: e.sign}
	var rows []*element
	var walk func(*element)
	walk = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.el == nil:
			case k.el.sign == repeated:
				t.furniture(k.el)
			case k.el.role == "TR":
				if r := t.row(k.el); r != nil {
					rows = append(rows, r)
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
				out.kids = append(out.kids, kid{el: t.cell(k.el, out.sign)})
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

func (t *tagger) cell(e *element, row sign) *element {
	content := t.blocks(e)
	if len(content) == 1 && content[0].el.role == "P" && content[0].el.sign == noSign && content[0].el.lang == "" {
		content = content[0].el.kids
	}
	c := &element{role: e.role, lang: e.lang, kids: content, sign: row, cell: e.cell}
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
	var taken []int
	widths := make([]int, len(rows))
	for i, row := range rows {
		widths[i] = align(row, &taken, len(rows)-i)
		width = max(width, widths[i])
	}
	for i, row := range rows {
		if n := width - widths[i]; n > 0 {
			row.kids = append(row.kids, emptyCells(n))
		}
	}
}

// align puts the cells of a row into their columns, beside those that reach
// down from above, and returns how wide the row is.
func align(row *element, taken *[]int, below int) (column int) {
	skip := func() {
		for column < len(*taken) && (*taken)[column] > 0 {
			(*taken)[column]--
			column++
		}
	}
	var kids []kid
	for _, k := range row.kids {
		c := k.el.cell
		skip()
		for c.at > column+1 {
			kids = append(kids, emptyCells(1))
			if column++; column > len(*taken) {
				*taken = append(*taken, 0)
			}
			skip()
		}
		kids = append(kids, k)
		c.rows = min(c.rows, below)
		for range c.columns {
			if column >= len(*taken) {
				*taken = append(*taken, 0)
			}
			(*taken)[column] = max((*taken)[column], c.rows-1)
			column++
		}
	}
	skip()
	row.kids = kids
	return column
}

func emptyCells(columns int) kid {
	return kid{el: &element{role: "TD", cell: &cell{rows: 1, columns: columns}}}
}
