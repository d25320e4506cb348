package sheets

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// tableWriting is a table while its rows are written.
type tableWriting struct {
	*writing
	t      *table
	grid   grid
	cells  []xlsx.Cell
	starts [maxLevels + 1]int // the sheet's first row of each group that is open
	counts [maxLevels + 1]int // rows that a group has, where its caption says so
	keys   [maxLevels + 1]string
	first  int // the sheet's first row with data
	last   int // and its last
	head   int // the last row of the head
	heads  int // how many of its rows are written
}

// maxLevels is how deep groups and trees are followed.
const maxLevels = 64

// table writes a table.
func (w *writing) table(t *table) error {
	tw := &tableWriting{writing: w, t: t}
	rows := w.readRows(scanFrom(w.doc, t.at))
	defer rows.stop()
	var part atom.Atom
	n := 0
	for r := rows.nextRow(); r != nil; r = rows.nextRow() {
		if n++; n%1024 == 0 {
			if err := w.Alive(); err != nil {
				return err
			}
		}
		if r.part != part {
			tw.grid.endPart()
			part = r.part
		}
		full, err := tw.row(r, n)
		if err != nil {
			return err
		}
		if full {
			w.warn(t.id, "a sheet takes 1,048,576 rows; the rows of the table beyond are left out")
			break
		}
	}
	tw.finish()
	return nil
}

func (w *tableWriting) row(r *row, n int) (full bool, err error) {
	number := w.Rows() + 1
	w.begin(r, number)
	placed := w.grid.place(r)
	w.cells = w.cells[:0]
	lines := 1
	for i := range placed[:min(len(placed), w.t.columns)] {
		w.cells = append(w.cells, w.cell(r, i, placed[i], number))
		lines = max(lines, w.linesOf(r, i, placed[i]))
	}
	w.keyCells(r)
	out := xlsx.Row{Cells: w.cells, Level: w.level(r)}
	if lines > 1 {
		out.Height = float64(lines) * lineHeight
	}
	if high := w.picture(n, number, lines, placed); high > 0 {
		out.Height, out.Fixed = max(out.Height, high), true
	}
	number, err = w.Row(out)
	if err == xlsx.ErrFull {
		return true, nil
	}
	switch r.kind {
	case headRow:
		if r.part == atom.Thead {
			w.head = number
			w.heads++
		}
	case totalRow:
	default:
		if w.first == 0 {
			w.first = number
		}
		w.last = number
	}
	return false, err
}

// linesOf is how many lines a cell has.
func (w *tableWriting) linesOf(r *row, i int, p placed) int {
	if p.cell == nil || p.follows || p.colSpan > 1 || p.kind != noValue || r.kind != headRow && !w.t.wrapped[i] && !strings.Contains(p.text, "\n") {
		return 1
	}
	return w.lines(p.text, r.kind != bodyRow, 1, w.widths[i])
}

// begin notes the groups that begin with a row.
func (w *tableWriting) begin(r *row, number int) {
	for _, g := range r.begins {
		if g.Level > maxLevels {
			continue
		}
		w.keys[g.Level], w.counts[g.Level], w.starts[g.Level] = g.Key, g.Rows, number
		if r.kind == captionRow && r.level == g.Level {
			w.starts[g.Level]++
		}
	}
}

// level is the row's level in the outline.
func (w *tableWriting) level(r *row) int {
	switch {
	case r.kind == bodyRow && w.t.tree:
		return r.level
	case r.kind == bodyRow && r.part == atom.Tbody:
		return w.t.levels
	case r.kind == captionRow || r.kind == groupFooterRow:
		return r.level - 1
	}
	return 0
}

// keyCells fills the hidden columns with the keys of the groups around.
func (w *tableWriting) keyCells(r *row) {
	if len(w.t.keys) == 0 {
		return
	}
	for len(w.cells) < w.t.columns {
		w.cells = append(w.cells, xlsx.Cell{})
	}
	for _, k := range w.t.keys {
		c := xlsx.Cell{}
		switch {
		case r.kind == headRow && r.part == atom.Thead && w.heads == w.t.heads-1:
			c = xlsx.Cell{Kind: xlsx.Text, Text: k.name, Style: w.style(styleKey{kind: headRow})}
		case r.kind == bodyRow:
			c = xlsx.Cell{Kind: xlsx.Text, Text: w.keys[k.level]}
		}
		w.cells = append(w.cells, c)
	}
}

func (w *tableWriting) cell(r *row, i int, p placed, number int) xlsx.Cell {
	key := styleKey{kind: r.kind, level: r.level, code: -1}
	if r.kind == bodyRow {
		key.level = 0
	}
	if p.cell == nil {
		return xlsx.Cell{Style: w.style(key)}
	}
	c := p.cell
	key.align, key.css, key.inner, key.same = c.align, c.style, c.inner, c.same
	key.bold = c.head && r.kind == bodyRow
	key.top = r.kind == bodyRow && w.tall()
	if r.kind == headRow && c.colSpan > 1 {
		key.across = true
	}
	if p.follows {
		return xlsx.Cell{Style: w.style(key)}
	}
	out := cellOf(c.kind, c.value, c.text)
	if out.Kind == xlsx.Number {
		key.code = c.code
	}
	if i == 0 && r.kind == bodyRow && r.level > 0 {
		key.indent = min(r.level, 15)
	}
	key.wrap = out.Kind == xlsx.Text && (r.kind == headRow || w.t.wrapped[i] && c.colSpan == 1 && r.kind == bodyRow || strings.Contains(c.text, "\n"))
	if strings.Contains(c.link, ":") {
		out.Link, key.link = strings.Clone(c.link), true
	}
	if out.Kind == xlsx.Number && c.sum > 0 {
		out.Formula = w.formula(r, i, c.sum, number)
	}
	out.Style = w.style(key)
	return out
}

// formula finds an aggregate from the rows of its group.
func (w *tableWriting) formula(r *row, column, sum, number int) string {
	from, to := w.first, w.last
	switch r.kind {
	case captionRow:
		from, to = number+1, number+w.counts[min(r.level, maxLevels)]
	case groupFooterRow:
		from, to = w.starts[min(r.level, maxLevels)], number-1
	case totalRow:
	default:
		return ""
	}
	if from == 0 || to < from || to > xlsx.MostRows {
		return ""
	}
	name := xlsx.ColumnName(column + 1)
	return "SUBTOTAL(" + strconv.Itoa(sum) + "," + name + strconv.Itoa(from) + ":" + name + strconv.Itoa(to) + ")"
}

// finish makes the rows a table of Excel, or gives them arrows for filters: where
// groups have captions between the rows they cannot be sorted.
func (w *tableWriting) finish() {
	t := w.t
	if w.head == 0 || t.rows == 0 {
		return
	}
	if t.levels > 0 || t.spanned || t.heads > 1 || !sortable(t.names) || w.last-w.head != t.rows {
		if !w.filtered {
			w.Filter(xlsx.Ref(w.head, 1) + ":" + xlsx.Ref(w.last, t.columns+len(t.keys)))
			w.filtered = true
		}
		return
	}
	w.Table(xlsx.Table{Name: oneLine(t.caption), Row: w.head, Column: 1, Columns: t.names[:t.columns], Rows: t.rows, Style: "TableStyleLight1", Banded: w.Looks.Banded})
}

// sortable reports whether the names of columns are those that a table would give
// them: none is empty, no two are the same.
func sortable(names []string) bool {
	for i, name := range xlsx.UniqueNames(names) {
		if name != names[i] {
			return false
		}
	}
	return true
}

// cellOf is a cell that holds a value, or the text where that is none.
func cellOf(kind valueKind, value, text string) xlsx.Cell {
	switch kind {
	case isNumber:
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			return xlsx.Cell{Kind: xlsx.Number, Number: n, Text: text}
		}
	case isMoment:
		if when, err := time.Parse("2006-01-02T15:04:05.999", value); err == nil {
			if serial, ok := xlsx.Serial(when); ok {
				return xlsx.Cell{Kind: xlsx.Number, Number: serial, Text: text}
			}
		}
	case isTruth:
		return xlsx.Cell{Kind: xlsx.Bool, Bool: value == "true"}
	}
	if text == "" {
		return xlsx.Cell{}
	}
	return xlsx.Cell{Kind: xlsx.Text, Text: text}
}
