package sheets

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// row is a row of a table as the document has it.
type row struct {
	part   atom.Atom // Thead, Tbody or Tfoot
	kind   rowKind
	level  int // of a group's caption or footer, or how deep the row stands in a tree
	begins []begin
	cells  []cell
	seen   []seen // pictures in its cells
}

// rowKind is what a row is among the others.
type rowKind uint8

const (
	bodyRow rowKind = iota
	headRow
	captionRow
	groupFooterRow
	totalRow
	emptyRow // says that there are no rows
)

// begin is a group that begins with a row; see htmlgen's groupMark.
type begin struct {
	Level   int    `json:"level"`
	Name    string `json:"name"`
	Key     string `json:"key"`
	Rows    int    `json:"rows"`
	Printed bool   `json:"printed"`
}

// cell is a cell of such a row.
type cell struct {
	text             string
	kind             valueKind
	value            string // digits, moment or truth
	code             int
	sum              int // number of SUBTOTAL; 0: the value is not added up here
	colSpan, rowSpan int
	head             bool // it heads others
	same             bool // as the one above it
	align            align
	style            string // CSS
	inner            string // CSS of the only part of its text
	link             string
}

type valueKind uint8

const (
	noValue valueKind = iota
	isNumber
	isMoment
	isTruth
)

type align uint8

const (
	start align = iota
	center
	right
)

// rowReader reads the rows of a table, one at a time into the same row.
type rowReader struct {
	*scanner
	part  atom.Atom
	tag   tag
	words words
	row   row
	// caption is what the table is called.
	caption string
	opened  []opened // elements that are open in the cell

	// Where rows stand elsewhere: what finds them, and what reads them.
	rows  func(table, piece int, room []byte) ([]byte, bool)
	ahead *ahead
}

// readRows reads a table whose start tag was read. It has to be stopped.
func (b *book) readRows(s *scanner) *rowReader {
	return &rowReader{scanner: s, part: atom.Tbody, rows: b.Rows}
}

// stop ends the reading of the table.
func (r *rowReader) stop() {
	if r.ahead != nil {
		r.ahead.stop()
		r.ahead = nil
	}
}

// nextRow reads the next row, which holds until the one after it; nil at the end of the
// table. Who keeps a text of a row has to clone it.
func (r *rowReader) nextRow() *row {
	for {
		if r.ahead != nil {
			if row := r.ahead.next(); row != nil {
				return row
			}
			r.stop()
		}
		if !r.read() {
			return nil
		}
		switch {
		case r.kind == html.EndTagToken && r.name == atom.Table:
			return nil
		case r.kind != html.StartTagToken:
		case r.name == atom.Caption:
			r.caption = oneLine(r.inside(atom.Caption, nil))
		case r.name == atom.Thead || r.name == atom.Tbody || r.name == atom.Tfoot:
			r.part = r.name
			if r.attributes(&r.tag); r.tag.rows != "" && r.rows != nil {
				table := number(r.tag.rows)
				r.ahead = newAhead(func(piece int, room []byte) ([]byte, bool) { return r.rows(table, piece, room) }, r.part)
			}
		case r.name == atom.Tr:
			r.startRow()
			r.readCells()
			return &r.row
		}
	}
}

func (r *rowReader) startRow() {
	r.attributes(&r.tag)
	g := &r.tag
	r.row = row{part: r.part, cells: r.row.cells[:0], seen: r.row.seen[:0]}
	switch {
	case r.part == atom.Thead:
		r.row.kind = headRow
	case g.class == "":
	case g.has("q-group-caption"):
		r.row.kind, r.row.level = captionRow, groupLevel(g.class)
	case g.has("q-group-footer"):
		r.row.kind, r.row.level = groupFooterRow, groupLevel(g.class)
	case g.has("q-total"):
		r.row.kind = totalRow
	case g.has("q-empty"):
		r.row.kind = emptyRow
	case g.has("q-table-header"):
		r.row.kind = headRow
	}
	if _, depth, ok := strings.Cut(g.style, "--depth:"); ok && r.row.kind == bodyRow {
		digits, _, _ := strings.Cut(depth, ";")
		r.row.level = number(digits)
	}
	if g.begins != "" {
		_ = json.Unmarshal([]byte(g.begins), &r.row.begins)
	}
}

func groupLevel(class string) int {
	_, digits, _ := strings.Cut(class, " q-group-")
	for _, name := range strings.Fields(class) {
		if d, ok := strings.CutPrefix(name, "q-group-"); ok && d != "caption" && d != "footer" {
			digits = d
		}
	}
	return max(1, number(digits))
}

func (r *rowReader) readCells() {
	for r.read() {
		switch {
		case r.kind == html.EndTagToken && (r.name == atom.Tr || r.name == atom.Table):
			return
		case r.kind == html.StartTagToken && (r.name == atom.Td || r.name == atom.Th):
			r.readCell()
		}
	}
}

func (r *rowReader) readCell() {
	name := r.name
	r.attributes(&r.tag)
	g := &r.tag
	c := cell{head: name == atom.Th, same: g.same, style: g.style, colSpan: count(g.colSpan), rowSpan: count(g.rowSpan)}
	c.kind, c.value, c.code = g.value()
	c.sum = number(g.sum)
	switch {
	case g.has("q-right"):
		c.align = right
	case g.has("q-center"):
		c.align = center
	}
	c.text = r.inside(name, &c)
	r.row.cells = append(r.row.cells, c)
}

// value is what an element is marked to print.
func (g *tag) value() (kind valueKind, value string, code int) {
	code = number(g.code)
	switch {
	case g.number != "":
		return isNumber, g.number, code
	case g.moment != "":
		return isMoment, g.moment, code
	case g.truth != "":
		return isTruth, g.truth, 0
	}
	return noValue, "", 0
}

// mostSpanned is how many columns or rows a cell reaches over at most.
const mostSpanned = 1000

func count(digits string) int {
	return min(max(1, number(digits)), mostSpanned)
}

// number is a number in an attribute; 0 if there is none, as in most cells.
func number(digits string) int {
	if digits == "" {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// inside reads up to the end of an element and gives its text. The cell, if any,
// takes over what its text looks like.
func (r *rowReader) inside(name atom.Atom, c *cell) string {
	plain := "" // the text as long as there is nothing else
	r.opened = r.opened[:0]
	parts, depth := 0, 0
	r.words.kept = false
	for r.read() {
		switch r.kind {
		case html.TextToken:
			if parts++; parts == 1 && r.words.empty() {
				plain = r.text
				continue
			}
			r.words.add(plain)
			r.words.add(r.text)
			plain = ""
			continue
		case html.EndTagToken:
			if r.name == name && depth == 0 {
				if plain != "" && isTrim(plain) {
					return plain
				}
				r.words.add(plain)
				return r.words.take()
			}
			if r.name == name {
				depth--
			}
			r.closeInside()
			r.words.add(plain)
		case html.StartTagToken, html.SelfClosingTagToken:
			if r.name == name {
				depth++
			}
			if r.skipped(c) {
				continue
			}
			r.words.add(plain)
			r.startInside(c, parts)
		}
		plain = ""
		r.breaks()
	}
	return r.words.take()
}

// isTrim reports whether a text prints as it stands: its blanks are single ones
// between words.
func isTrim(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' '
}

// breaks ends the line at the elements that do.
func (r *rowReader) breaks() {
	switch {
	case r.name == atom.Br:
		r.words.b.WriteByte('\n')
		r.words.gap = false
	case !isInline(r.name) && r.name != 0 && r.name != atom.Td && r.name != atom.Th:
		r.words.line()
	case r.name == atom.Td || r.name == atom.Th:
		r.words.gap = true
	}
}

// startInside notes what an element inside a cell adds to its looks.
func (r *rowReader) startInside(c *cell, parts int) {
	if c != nil && r.kind == html.StartTagToken && !isVoid(r.name) {
		r.opened = append(r.opened, opened{name: r.name, begin: r.at, end: r.next})
	}
	if c == nil || len(r.attrs) == 0 {
		return
	}
	name := r.name
	r.attributes(&r.tag)
	g := &r.tag
	if name == atom.A && c.link == "" {
		c.link = g.href
	}
	if n := len(r.opened); n > 0 && r.opened[n-1].end == r.next {
		r.opened[n-1].style, r.opened[n-1].alt = g.style, g.alt
	}
	if parts == 0 && name == atom.Span && c.inner == "" {
		c.inner = g.style
	}
	if c.kind == noValue { // an element that prints one value
		c.kind, c.value, c.code = g.value()
	}
	if g.has("q-preserve") {
		r.words.kept = true
	}
}

// skipped leaves out what is no text: drawings, pictures, and the tables that
// charts have for readers.
func (r *rowReader) skipped(c *cell) bool {
	s := seen{cell: len(r.row.cells), doc: r.doc, from: r.at}
	switch r.name {
	case atom.Svg:
		r.skip(atom.Svg)
	case atom.Img:
		r.attributes(&s.tag)
	case atom.Style, atom.Script, atom.Math, atom.Template:
		r.skip(r.name)
		return true
	case atom.Div:
		if r.attributes(&r.tag); r.tag.has("q-chart-data") {
			r.skip(r.name)
			return true
		}
		return false
	default:
		return false
	}
	if c != nil {
		s.to, s.around = r.next, slices.Clone(r.opened)
		r.row.seen = append(r.row.seen, s)
	}
	return true
}

// closeInside notes the end of an element in a cell.
func (r *rowReader) closeInside() {
	for n := len(r.opened) - 1; n >= 0; n-- {
		if r.opened[n].name == r.name {
			r.opened = r.opened[:n]
			return
		}
	}
}

// skip reads over an element whose start tag was read.
func (s *scanner) skip(name atom.Atom) {
	if s.kind == html.SelfClosingTagToken {
		return
	}
	for depth := 1; depth > 0 && s.read(); {
		switch {
		case s.name != name:
		case s.kind == html.StartTagToken:
			depth++
		case s.kind == html.EndTagToken:
			depth--
		}
	}
}
