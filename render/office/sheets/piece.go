package sheets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Drawing is a piece of a document as a picture.
type Drawing struct {
	PNG           []byte // empty: nothing is to be seen
	Width, Height float64
}

// piece is what only a browser can draw: drawings, codes, and charts that Excel does
// not have.
type piece struct {
	html  string
	alt   string
	fault Warning // if it is not drawn
	// Of a picture: what the report gives it; see reader.given.
	width, height float64
}

// Drawn marks the element of a piece that is drawn.
const Drawn = "data-drawn"

// mostPieces is how many pieces of a document are drawn.
const mostPieces = 500

// piece is the drawing that stands at a place of the document: inside the element that
// gives it its size, or, of a picture, by itself.
func (r *reader) piece(from, to int) *piece {
	own := r.scanner.doc[from:to]
	head := strings.IndexAny(own, " />")
	if head < 0 {
		return &piece{}
	}
	if strings.HasPrefix(own, "<img") {
		p := &piece{html: "<div>" + own[:head] + " " + Drawn + own[head:] + "</div>"}
		p.width, p.height = r.given()
		return p
	}
	around := len(r.open)
	for i := len(r.open) - 1; i >= 0; i-- {
		if f := &r.open[i]; f.block != nil && f.block.id != "" {
			around = i
			break
		}
	}
	var b strings.Builder
	b.WriteString("<div" + r.room(own) + ">")
	for _, f := range r.open[around:] {
		b.WriteString(r.scanner.doc[f.begin:f.end])
	}
	b.WriteString(own[:head] + " " + Drawn + own[head:])
	for _, f := range slices.Backward(r.open[around:]) {
		b.WriteString("</" + f.name.String() + ">")
	}
	b.WriteString("</div>")
	return &piece{html: b.String()}
}

// room is how much room the piece has: that of a chart says its view box, all others
// have the width of the page.
func (r *reader) room(svg string) string {
	width := r.page.width - r.page.margins[1] - r.page.margins[3]
	if tag, _, _ := strings.Cut(svg, ">"); strings.Contains(tag, `class="q-c"`) {
		_, box, _ := strings.Cut(tag, `viewBox="`)
		if fields := strings.Fields(box); len(fields) > 2 {
			width = points(fields[2] + "px")
		}
	}
	if width <= 0 {
		return ""
	}
	return ` style="width:` + strconv.FormatFloat(width, 'f', 2, 64) + `pt"`
}

// draw has the pieces of all pages drawn, and leaves out those that are not.
func (b *book) draw(pages []*page) error {
	var list []*picture
	var pieces []string
	add := func(pic *picture) {
		switch {
		case pic == nil || pic.piece == nil || pic.piece.html == "" || b.Draw == nil:
		case len(list) == mostPieces:
			pic.piece.fault.Message = "a workbook has at most 500 drawings; this one is left out"
		default:
			list = append(list, pic)
			pieces = append(pieces, pic.piece.html)
		}
	}
	for _, p := range pages {
		for i := range p.blocks {
			add(p.blocks[i].picture)
			if t := p.blocks[i].table; t != nil {
				t.eachPicture(add)
			}
		}
	}
	if len(list) > 0 {
		drawings, err := b.Draw(pieces)
		if err != nil {
			return err
		}
		if len(drawings) != len(list) {
			return fmt.Errorf("%d drawings of %d pieces", len(drawings), len(list))
		}
		for i, d := range drawings {
			list[i].drawn(d)
		}
	}
	for _, p := range pages {
		for i := range p.blocks {
			if t := p.blocks[i].table; t != nil {
				t.eachPicture(func(pic *picture) {
					if len(pic.content) == 0 {
						b.warn(pic.piece.fault.ID, "%s", pic.piece.fault.Message)
					}
				})
				t.pictured()
			}
		}
		p.blocks = slices.DeleteFunc(p.blocks, func(at block) bool {
			if at.picture == nil || len(at.picture.content) > 0 {
				return false
			}
			b.warn(at.picture.piece.fault.ID, "%s", at.picture.piece.fault.Message)
			return true
		})
	}
	return nil
}

// drawn takes over a drawing.
func (p *picture) drawn(d Drawing) {
	if len(d.PNG) == 0 || d.Width <= 0 || d.Height <= 0 {
		return
	}
	p.content, p.kind, p.alt = d.PNG, "image/png", p.piece.alt
	p.width, p.height = d.Width, d.Height
	if p.inCell {
		p.within(p.piece.width, p.piece.height)
		return
	}
	p.fit(p.piece.width, p.piece.height)
}
