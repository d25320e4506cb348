package docx

import (
	"fmt"
	"math"
	"strconv"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

// walker writes the text of one part.
type walker struct {
	*writer
	x    *opc.XML
	part string
	// furniture is header or footer while one is written.
	furniture string
	uncounted bool
	id        string // of the element that is being written
	// section ends a section within a sheet; nil where there can be none.
	section   func(continuous bool, columns *layout.ColumnsOf)
	continued bool // a section of this sheet has ended
	contents  int  // how many contents there were
	list      *listState
	depth     int
	noted     *layout.Node // the footnote whose number the next paragraph begins with
	pending   []string     // anchors of what is around the next paragraph
	frame     *layout.Box
	shrink    float64 // how much smaller text is, where columns are wider than their room; 0: not at all
}

// room is where blocks stand: how wide it is, and how far its left edge is from that of
// the sheet.
type room struct {
	left, width float64
	rtl         bool
}

// piece is a block that is not divided further, with what the blocks around it say of
// it. Lengths are pixels.
type piece struct {
	n             *layout.Node
	before, after float64
	room          float64 // of before, what is no margin
	left, right   float64 // indents
	keep          layout.Keep
	ground        string
	border        *layout.Border
	padding       layout.Sides
	boxed         int // which box with a ground or border it stands in; 0: none
	id            string
	rows          []*layout.Node // of a table that several flows side by side make
	role          layout.Role
	anchors       []string // of the blocks that begin with it
	beside        bool     // it is all of a box that stands beside others
	align         string   // of its lines, where that is not as its style says
}

// sheet writes the body of a sheet.
func (k *walker) sheet(s *layout.Sheet) {
	if s.Attached != "" {
		k.warn(s.ID, "the page %q is pages of a PDF file, which a document of Word cannot show; notes with the file's name stand in their place. Make the report as PDF, or hand that file over as well", s.Name)
	}
	k.uncounted = s.Uncounted
	for i := range s.Framed {
		n := &s.Framed[i]
		k.frame, k.id = n.Box, n.ID
		k.blocks([]layout.Node{*n}, room{width: n.Box.Width, rtl: k.d.RTL}, false)
		k.frame, k.id = nil, ""
	}
	k.blocks([]layout.Node{*s.Body}, room{width: textWidth(s), rtl: k.d.RTL}, true)
	if len(k.pending) > 0 {
		k.tiny()
	}
}

// blocks writes blocks one below the other. In a cell, header or footer the last must be
// a paragraph.
func (k *walker) blocks(list []layout.Node, in room, body bool) {
	g := &gatherer{k: k}
	for i := range list {
		g.block(&list[i], around{})
	}
	k.pieces(g.out, in, body)
	k.pending = append(k.pending, g.anchors...)
}

// pieces writes pieces with the room between them.
func (k *walker) pieces(list []piece, in room, body bool) {
	k.depth++
	defer func() { k.depth-- }()
	ended := false // with a paragraph
	for i := range list {
		if k.fault != nil {
			return
		}
		p := &list[i]
		table := k.isTable(p)
		if i > 0 {
			before := &list[i-1]
			if gap := max(before.after, p.before); k.isTable(before) {
				if table {
					k.gap(gap)
				} else {
					p.before = gap
				}
			} else if table {
				p.before = 0
			}
		} else if table && p.before > 1 {
			k.gap(p.before)
		}
		if i+1 < len(list) && !table && k.isTable(&list[i+1]) {
			p.after = max(p.after, list[i+1].before)
		}
		if table && p.keep&layout.KeepBefore != 0 && body {
			k.newPage()
		}
		outer := k.id
		if p.id != "" {
			k.id = p.id
		}
		k.piece(p, in)
		k.id = outer
		ended = !table && p.n.Role != layout.Contents // which stand in a box of their own
	}
	switch {
	case ended:
	case k.furniture == "header" && len(list) > 0 && list[len(list)-1].after > 1 && k.depth == 1: // between it and the text
		k.gap(list[len(list)-1].after)
	default:
		k.tiny()
	}
}

// isTable reports whether a piece becomes a table.
func (k *walker) isTable(p *piece) bool {
	switch p.n.Kind {
	case layout.Table:
		return true
	case layout.Flex:
		return !k.tabbed(p)
	case layout.Block:
		return len(p.n.Children) > 0 && p.n.Role != layout.Contents && p.n.Role != layout.Figures
	}
	return false
}

func (k *walker) piece(p *piece, in room) {
	n := p.n
	k.pending = append(k.pending, p.anchors...)
	if n.Kind != layout.Paragraph && n.Kind != layout.Image { // which have them themselves
		k.pending = append(k.pending, n.Anchors...)
	}
	inner := room{left: in.left + p.left, width: max(in.width-p.left-p.right, 10), rtl: in.rtl}
	switch n.Kind {
	case layout.Paragraph:
		k.paragraph(n, p)
	case layout.Image:
		k.picture(p, inner)
	case layout.Rule:
		k.rule(p, inner)
	case layout.List:
		k.listOf(n, p, inner)
	case layout.Table:
		k.table(p, inner)
	case layout.Flex:
		if k.tabbed(p) {
			k.tabs(p, inner)
		} else {
			k.sideBySide(p, inner)
		}
	case layout.Columns:
		switch {
		case n.Role == layout.Contents || n.Role == layout.Figures:
			k.contentsOf(p, in)
		default:
			k.inColumns(p, in)
		}
	case layout.Block:
		switch {
		case n.Role == layout.Contents || n.Role == layout.Figures:
			k.contentsOf(p, in)
		case len(n.Children) == 0:
			k.colored(p, inner)
		default:
			k.card(p, inner)
		}
	case layout.Page:
		k.newPage()
	}
}

// gap is room between two tables, which would become one without it.
func (k *walker) gap(px float64) {
	k.x.Open("w:p").Open("w:pPr").Open("w:spacing").Int("w:before", 0).Int("w:after", 0).Int("w:line", max(twips(px), 20)).Attr("w:lineRule", "exact").Close()
	k.x.Open("w:rPr").Open("w:sz").Int("w:val", 2).Close().Close().Close().Close()
}

// tiny is the paragraph that Word asks for where nothing is to be seen.
func (k *walker) tiny() {
	k.x.Open("w:p").Open("w:pPr")
	k.tinyLine()
	k.x.Close()
	k.anchored(nil, func() {})
	k.x.Close()
}

func (k *walker) tinyLine() {
	k.x.Open("w:spacing").Int("w:before", 0).Int("w:after", 0).Int("w:line", 20).Attr("w:lineRule", "exact").Close()
	k.x.Open("w:rPr").Open("w:sz").Int("w:val", 2).Close().Close()
}

func (k *walker) newPage() {
	k.x.Open("w:p").Open("w:pPr").Open("w:pageBreakBefore").Close()
	k.tinyLine()
	k.x.Close().Close()
}

// styleOf is the style of a paragraph, by what it is for.
func (k *walker) styleOf(n *layout.Node) *style {
	by := k.styles.byID
	switch {
	case n.Role == layout.Heading && n.Level >= 1 && n.Level <= 6:
		id := "Heading" + strconv.Itoa(n.Level)
		if len(n.Anchors) == 0 {
			id += "Unlisted"
		}
		return by[id]
	case n.Role == layout.Caption:
		return by["Caption"]
	case n.Role == layout.Quote:
		return by["Quote"]
	case k.furniture == "header":
		return by["Header"]
	case k.furniture == "footer":
		return by["Footer"]
	}
	s := k.styles.of(n)
	if k.list != nil && s.id == "Normal" {
		return by[k.list.id]
	}
	return s
}

// paragraphLook is what a paragraph looks like where it stands.
func (k *walker) paragraphLook(n *layout.Node, p *piece) paragraphLook {
	l := k.styles.look(n.Style).paragraph
	l.before, l.after = twips(max(p.before, 0)), twips(max(p.after, 0))
	l.next, l.together, l.top = p.keep&layout.KeepNext != 0, p.keep&layout.KeepTogether != 0, p.keep&layout.KeepBefore != 0
	left, right := p.left, p.right
	style := &k.d.Styles[n.Style]
	ground, border := p.ground, p.border
	padding := p.padding
	if !n.Bare {
		if style.Background != "" || style.Border != nil {
			ground, border = style.Background, style.Border
			padding = layout.Sides{}
			if style.Padding != nil {
				padding = *style.Padding
			}
			left, right = left+padding[layout.Left], right+padding[layout.Right]
		} else if style.Padding != nil {
			left, right = left+style.Padding[layout.Left], right+style.Padding[layout.Right]
			l.before, l.after = l.before+twips(style.Padding[layout.Top]), l.after+twips(style.Padding[layout.Bottom])
		}
	}
	l.ground = solid(ground)
	if border != nil || l.ground != "" {
		l.border = edges(border, padding, l.ground)
		if k.list != nil {
			l.between = k.list.between
			if k.list.apart {
				l.border = apart(l.border)
			}
		}
	}
	if l.bidi {
		left, right = right, left
	}
	l.left, l.right = twips(left), twips(right)
	if p.align != "" {
		l.align = p.align
	}
	l.frame = k.frame
	return l
}

// edges are the lines around a paragraph. Where there is none, one in the colour of the
// ground gives it the room that it has inside.
func edges(border *layout.Border, padding layout.Sides, ground string) (list [4]edge) {
	for i := range list {
		e := layout.Edge{}
		if border != nil {
			e = border[i]
		}
		space := min(int(math.Round(padding[i]*0.75)), 31)
		switch {
		case e.Width > 0:
			list[i] = edge{eighths(e.Width), space, lineOfEdge(e.Line), solid(e.Color)}
		case ground != "" && space > 0:
			list[i] = edge{4, space, "single", ground}
		}
	}
	return list
}

// apart are the same lines in colours that nobody tells from theirs: Word makes one box of
// paragraphs that have the same.
func apart(list [4]edge) [4]edge {
	for i := range list {
		if c, err := strconv.ParseUint(list[i].color, 16, 32); err == nil {
			list[i].color = fmt.Sprintf("%06X", c^1)
		}
	}
	return list
}

func eighths(px float64) int { return min(max(int(math.Round(px*6)), 2), 96) }

func lineOfEdge(line string) string {
	switch line {
	case "dashed", "dotted", "double":
		return line
	}
	return "single"
}

// open begins a paragraph.
func (k *walker) open(n *layout.Node, l paragraphLook, number, tabs func()) *style {
	s := k.styleOf(n)
	k.x.Open("w:p").Open("w:pPr")
	if s.id != "Normal" {
		leaf(k.x, "w:pStyle", s.id)
	}
	paragraphPieces(k.x, l, s.paragraph, number, tabs)
	k.x.Close()
	return s
}

// paragraph writes a paragraph.
func (k *walker) paragraph(n *layout.Node, p *piece) {
	l := k.paragraphLook(n, p)
	content := n.Content()
	for i := range content {
		if content[i].Kind == layout.Image {
			l.line = 240
		}
	}
	var number func()
	if k.list != nil {
		number = k.list.mark(k, &l)
	}
	s := k.open(n, l, number, nil)
	if k.noted != nil {
		k.run(k.noted.Style, s, false)
		k.x.Open("w:footnoteRef").Close().Close()
		k.text(n.Style, " ", s, false)
		k.noted = nil
	}
	k.anchored(n.Anchors, func() { k.inline(content, s, false) })
	k.x.Close()
}
