package sheets

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// Bounds of pictures in cells, in pixels, and of how many a workbook has.
const (
	mostCellWidth    = 320
	mostCellHeight   = 400
	mostCellPictures = 2000
	cellGap          = 2
)

// seen is a picture or drawing in a cell as the document has it.
type seen struct {
	cell     int // among those of its row
	doc      string
	from, to int // its place in the document
	around   []opened
	tag      tag // of a picture
}

// opened is an element that is open in a cell.
type opened struct {
	name       atom.Atom
	begin, end int // its tag
	style, alt string
}

// cellPicture is a picture of a table.
type cellPicture struct {
	column int
	*picture
}

// cellPictures takes over the pictures of a row that is measured; rows counts from 1.
func (m *measuring) cellPictures(r *row, placed []placed) {
	for i := range r.seen {
		s := &r.seen[i]
		column := -1
		for at := range placed {
			if placed[at].cell == &r.cells[s.cell] && !placed[at].follows {
				column = at
				break
			}
		}
		if column < 0 {
			continue
		}
		if m.inCells++; m.inCells > mostCellPictures {
			m.warn(m.table.id, "a workbook has at most %d pictures in cells; those beyond are left out", mostCellPictures)
			return
		}
		p := m.pictureOf(s)
		if m.table.pictures == nil {
			m.table.pictures = map[int][]cellPicture{}
		}
		m.table.pictures[m.seen] = append(m.table.pictures[m.seen], cellPicture{column, p})
	}
}

// pictureOf is a picture of a cell: the file, or what the browser is to draw.
func (m *measuring) pictureOf(s *seen) *picture {
	alt := s.tag.alt
	var width, height float64
	if n := len(s.around); n > 0 {
		style := s.around[n-1].style
		width, height = points(declaration(style, "width"))/0.75, points(declaration(style, "height"))/0.75
		for i := n - 1; i >= 0 && alt == ""; i-- {
			alt = s.around[i].alt
		}
	}
	if p := m.file(&s.tag); p != nil {
		p.within(width, height)
		return p
	}
	own := s.doc[s.from:s.to]
	made := &piece{alt: oneLine(alt), width: width, height: height, fault: Warning{m.table.id, "a picture in a cell cannot be shown; the workbook leaves it out"}}
	if head := strings.IndexAny(own, " />"); head > 0 {
		var b strings.Builder
		b.WriteString("<div>")
		for _, o := range s.around {
			b.WriteString(s.doc[o.begin:o.end])
		}
		b.WriteString(own[:head] + " " + Drawn + own[head:])
		for _, o := range slices.Backward(s.around) {
			b.WriteString("</" + o.name.String() + ">")
		}
		b.WriteString("</div>")
		made.html = b.String()
	}
	return &picture{piece: made, inCell: true}
}

// within makes a picture small enough for a cell.
func (p *picture) within(width, height float64) {
	if width <= 0 || width > mostCellWidth {
		width = mostCellWidth
	}
	if height <= 0 || height > mostCellHeight {
		height = mostCellHeight
	}
	p.inCell = true
	p.fit(width, height)
}

// eachPicture calls do for the pictures in the cells, in the order of the rows.
func (t *table) eachPicture(do func(*picture)) {
	for _, n := range slices.Sorted(maps.Keys(t.pictures)) {
		for _, p := range t.pictures[n] {
			do(p.picture)
		}
	}
}

// pictured makes the columns wide enough for the pictures in them.
func (t *table) pictured() {
	for _, list := range t.pictures {
		for _, p := range list {
			if len(p.content) > 0 && p.column < len(t.widths) {
				t.widths[p.column] = max(t.widths[p.column], (p.width+2*cellGap+edgePixels)/digitPixels)
			}
		}
	}
}

// picture puts the pictures of a row over their cells, below the text, and gives the
// height that the row needs for them, in points.
func (w *tableWriting) picture(n, number, lines int, placed []placed) (high float64) {
	down := map[int]float64{}
	for _, p := range w.t.pictures[n] {
		if len(p.content) == 0 || p.column >= w.t.columns {
			continue
		}
		if _, begun := down[p.column]; !begun {
			down[p.column] = cellGap
			if p.column < len(placed) && placed[p.column].cell != nil && placed[p.column].text != "" {
				down[p.column] = float64(lines) * lineHeight / 0.75
			}
		}
		w.Sheet.Picture(xlsx.Place{Row: number, Column: p.column + 1, Left: cellGap, Top: down[p.column], Width: p.width, Height: p.height, Alt: p.alt}, p.content, p.kind)
		down[p.column] += p.height + cellGap
		high = max(high, down[p.column]*0.75)
	}
	return high
}
