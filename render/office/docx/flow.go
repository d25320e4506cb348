package docx

import (
	"math"
	"slices"

	"github.com/quire-reports/quire/render/layout"
)

// single reports whether a block is one line of text, with nothing drawn around it.
func (k *walker) single(n *layout.Node) bool {
	if n.Kind != layout.Paragraph || n.Box == nil {
		return false
	}
	style := &k.d.Styles[n.Style]
	if !n.Bare && (style.Background != "" || style.Border != nil) {
		return false
	}
	for i := range n.Children {
		if c := &n.Children[i]; c.Kind == layout.Image || c.Kind == layout.Break || c.Kind == layout.Tab {
			return false
		}
	}
	line := style.LineHeight
	if line == 0 {
		line = style.Size * 1.2
	}
	_, padding := sides(n, style)
	return n.Box.Height-padding[layout.Top]-padding[layout.Bottom] < line*1.6
}

// wraps reports whether a block is text in lines that end where its box does.
func (k *walker) wraps(n *layout.Node) bool {
	return n.Kind == layout.Paragraph && n.Box != nil && !k.single(n) &&
		!slices.ContainsFunc(n.Children, func(c layout.Node) bool { return c.Kind == layout.Break || c.Kind == layout.Image })
}

// tabbed reports whether boxes side by side are written as one line with tabs: when
// each is a line of text.
func (k *walker) tabbed(p *piece) bool {
	n := p.n
	style := &k.d.Styles[n.Style]
	if len(p.rows) > 0 || n.Role == layout.Pair || style.RTL || !n.Bare && (style.Background != "" || style.Border != nil) || len(n.Children) > 5 || p.ground != "" || p.border != nil {
		return false
	}
	for i := range n.Children {
		c := &n.Children[i]
		if !k.single(c) {
			return false
		}
		// Contents take whole paragraphs: a heading is one of its own.
		if k.listed && c.Role == layout.Heading && len(c.Anchors) > 0 && len(n.Children) > 1 {
			return false
		}
	}
	return len(n.Children) > 0
}

// tabs writes such a line.
func (k *walker) tabs(p *piece, in room) {
	n := p.n
	type stop struct {
		kind string
		at   float64
	}
	var stops []stop
	for i := range n.Children {
		c := &n.Children[i]
		b := *c.Box
		align := k.d.Styles[c.Style].Align
		start, end := b.X-in.left, b.X+b.Width-in.left
		if in.rtl {
			start, end = in.left+in.width-b.X-b.Width, in.left+in.width-b.X
		}
		last := i == len(n.Children)-1
		switch {
		case align == "center":
			stops = append(stops, stop{"center", (start + end) / 2})
		case align == "left" || align == "right" || last && i > 0 && end > in.width-2:
			stops = append(stops, stop{"right", min(end, in.width)})
		case i > 0 || start > 1:
			stops = append(stops, stop{"left", start})
		default:
			stops = append(stops, stop{})
		}
	}
	first := &n.Children[0]
	look := *p
	look.n = first
	l := k.paragraphLook(first, &look)
	l.align = ""
	l.left, l.right, l.first = twips(p.left), twips(p.right), 0
	if l.bidi {
		l.left, l.right = l.right, l.left
	}
	s := k.open(first, l, nil, func() {
		if !slices.ContainsFunc(stops, func(t stop) bool { return t.kind != "" && twips(t.at)+l.left > 0 }) {
			return
		}
		k.x.Open("w:tabs")
		at := 0
		for _, t := range stops {
			if t.kind != "" {
				if at = max(at+15, twips(t.at)+l.left); at > 0 {
					k.x.Open("w:tab").Attr("w:val", t.kind).Int("w:pos", at).Close()
				}
			}
		}
		k.x.Close()
	})
	for i := range n.Children {
		c := &n.Children[i]
		if stops[i].kind != "" {
			k.x.Open("w:r").Open("w:tab").Close().Close()
		}
		if k.furniture != "" && k.uncounted && hasNumber(c) {
			continue
		}
		k.anchored(c.Anchors, func() { k.inline(c.Content(), s, false) })
	}
	k.x.Close()
}

// sideBySide writes boxes side by side as a table without borders. Its columns end
// where the next box begins.
func (k *walker) sideBySide(p *piece, in room) {
	n := p.n
	style := &k.d.Styles[n.Style]
	in.rtl = style.RTL
	margin, padding := sides(n, style)
	left := in.left + margin[layout.Left] + padding[layout.Left]
	width := max(in.width-margin[layout.Left]-margin[layout.Right]-padding[layout.Left]-padding[layout.Right], 10)
	starts := make([]float64, 0, len(n.Children)+1)
	for i := range n.Children {
		at := 0.0
		if b := n.Children[i].Box; b != nil {
			at = b.X - left
			if in.rtl {
				at = left + width - b.X - b.Width
			}
		}
		if i > 0 {
			at = max(at, starts[i-1]+4)
		}
		starts = append(starts, max(at, 0))
	}
	if len(starts) == 0 {
		return
	}
	end := max(width, starts[len(starts)-1]+10)
	columns := make([]float64, len(starts))
	for i := range starts {
		next := end
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		columns[i] = next - starts[i]
	}
	wider := k.slack(n, columns)
	q := *p
	q.left += margin[layout.Left] + starts[0]
	ground := solid(style.Background)
	border := style.Border
	if n.Bare {
		ground, border = "", nil
	}
	if ground == "" {
		ground = solid(p.ground)
	}
	if ground != "" || border != nil {
		columns[0] += padding[layout.Left]
		columns[len(columns)-1] += padding[layout.Right]
	} else {
		q.left += padding[layout.Left]
	}
	k.beginTable(&q, in, columns, false, false, "")
	rows := append([]*layout.Node{n}, p.rows...)
	for r, row := range rows {
		k.x.Open("w:tr").Open("w:trPr").Open("w:cantSplit").Close()
		rowStyle := &k.d.Styles[row.Style]
		if rowStyle.Height > 0 {
			k.x.Open("w:trHeight").Int("w:val", twips(rowStyle.Height)).Attr("w:hRule", "atLeast").Close()
		}
		k.x.Close()
		_, own := sides(row, rowStyle)
		for i := range row.Children {
			c := cellLook{width: twips(columns[i]), vertical: verticals[rowStyle.Vertical], ground: ground}
			if g := solid(rowStyle.Background); g != "" && !row.Bare {
				c.ground = g
			}
			c.padding = [4]int{twips(own[layout.Top]), 0, twips(own[layout.Bottom]), 0}
			if ground != "" || border != nil || len(p.rows) > 0 {
				if i == 0 {
					c.padding[1] = twips(own[layout.Left])
				}
				if i == len(row.Children)-1 {
					c.padding[3] = twips(own[layout.Right])
				}
			}
			if b := rowStyle.Border; b != nil && !row.Bare {
				for side := range b {
					outer := side == layout.Top || side == layout.Bottom || side == layout.Left && i == 0 || side == layout.Right && i == len(row.Children)-1
					if e := b[side]; e.Width > 0 && outer {
						c.borders[side] = edge{eighths(e.Width), 0, lineOfEdge(e.Line), solid(e.Color)}
					}
				}
			}
			child := &row.Children[i]
			inner := room{left: left + starts[i], width: max(columns[i], 5), rtl: in.rtl}
			if b := child.Box; b != nil {
				inner.left, inner.width = b.X, min(max(b.Width, 5), inner.width)
			}
			keep := p.keep&layout.KeepNext != 0 || len(rows) > 1 && len(rows) <= whole && r < len(rows)-1
			if c.vertical == "" {
				c.vertical = standing(row.Children, i)
			}
			atEnd := i > 0 && i == len(row.Children)-1 && wider[i] && reaches(*child.Box, left, width, in.rtl)
			k.cell(&c, func() { k.side(child, inner, columns[i], keep, atEnd) })
		}
		k.x.Close()
	}
	k.x.Close()
}

// standing is where one of the boxes side by side stands between the upper and the
// lower end of them all.
func standing(list []layout.Node, at int) string {
	own := list[at].Box
	if own == nil {
		return ""
	}
	top, bottom := own.Y, own.Y+own.Height
	for i := range list {
		if b := list[i].Box; b != nil {
			top, bottom = min(top, b.Y), max(bottom, b.Y+b.Height)
		}
	}
	over, under := own.Y-top, bottom-own.Y-own.Height
	switch {
	case over < 2:
		return ""
	case under < 2:
		return "bottom"
	case math.Abs(over-under) < 2:
		return "center"
	}
	return ""
}

// reaches reports whether a box ends where its room does.
func reaches(b layout.Box, left, width float64, rtl bool) bool {
	if rtl {
		return math.Abs(b.X-left) < 1
	}
	return math.Abs(b.X+b.Width-left-width) < 1
}

// side writes one of the boxes side by side. What is narrower than its column ends where
// the box does.
func (k *walker) side(n *layout.Node, in room, column float64, keep, atEnd bool) {
	if n.Kind == layout.Rule && n.Box != nil && n.Box.Height > n.Box.Width {
		k.tiny()
		return
	}
	list := k.gather([]layout.Node{*n})
	aligned := k.aligned(n)
	for i := range list {
		q := &list[i]
		if i == 0 {
			q.before = q.room // it stands where its box does
		}
		q.beside = len(list) == 1
		if keep {
			q.keep |= layout.KeepNext
		}
		extra := column - in.width
		if !aligned && q.n.Kind != layout.Image && !k.wraps(q.n) {
			extra = 0 // other fonts may need the room
		}
		if extra > 1 && q.n.Kind != layout.Table && q.n.Kind != layout.Flex && !k.single(n) {
			if in.rtl {
				q.left += extra
			} else {
				q.right += extra
			}
		}
		if atEnd && q.align == "" && k.single(n) {
			q.align = "right" // the end of the line, from whichever side it begins
		}
	}
	// Rows of boxes have no room beside them to end in: they are as wide as their box.
	if !aligned || slices.ContainsFunc(list, func(q piece) bool { return q.n.Kind != layout.Flex }) {
		if in.rtl {
			in.left += in.width - column
		}
		in.width = column
	}
	k.pieces(list, in, false)
}

// aligned reports whether it is to be seen how wide a box is.
func (k *walker) aligned(n *layout.Node) bool {
	for c := range n.All() {
		s := &k.d.Styles[c.Style]
		if c.Kind == layout.Paragraph && s.Align != "" || c.Kind != layout.Text && !c.Bare && (s.Background != "" || s.Border != nil) {
			return true
		}
	}
	return false
}

// slack gives text that just fits its column a little more, which the widest other
// column has: other fonts are wider. It gives the columns that are wider now.
func (k *walker) slack(n *layout.Node, columns []float64) map[int]bool {
	wider := map[int]bool{}
	for i := range n.Children {
		if n.Children[i].Box == nil {
			continue
		}
		widest := -1
		for j := range columns {
			if j != i && (widest < 0 || columns[j] > columns[widest]) {
				widest = j
			}
		}
		more := columns[i]*0.12 + 2
		if !k.single(&n.Children[i]) {
			more = columns[i]*0.03 + 2
		}
		if widest >= 0 && columns[widest] > 3*columns[i] && columns[widest] > 4*more && columns[i] < n.Children[i].Box.Width*1.12 {
			columns[i] += more
			columns[widest] -= more
			wider[i] = true
		}
	}
	return wider
}

// card writes a block with a ground or a border as a table of one cell.
func (k *walker) card(p *piece, in room) {
	n := p.n
	style := &k.d.Styles[n.Style]
	margin, padding := sides(n, style)
	q := *p
	in.rtl = style.RTL
	width := in.width
	if n.Box != nil {
		width = min(n.Box.Width, width)
	}
	k.beginTable(&q, in, []float64{width}, false, false, "")
	k.x.Open("w:tr").Open("w:trPr")
	if p.keep&layout.KeepTogether != 0 {
		k.x.Open("w:cantSplit").Close()
	}
	height := style.Height
	if p.beside && n.Box != nil { // as high as the others
		height = max(height, n.Box.Height)
	}
	if height > 0 {
		k.x.Open("w:trHeight").Int("w:val", twips(height)).Attr("w:hRule", "atLeast").Close()
	}
	k.x.Close()
	c := cellLook{width: twips(width), ground: solid(style.Background), padding: cellPadding(style.Padding, in.rtl), vertical: verticals[style.Vertical]}
	if c.ground == "" {
		c.ground = solid(p.ground)
	}
	if style.Border != nil {
		for i, e := range style.Border {
			if e.Width > 0 {
				c.borders[i] = edge{eighths(e.Width), 0, lineOfEdge(e.Line), solid(e.Color)}
			}
		}
	}
	inner := room{left: in.left + padding[layout.Left] + margin[layout.Left], width: max(width-padding[layout.Left]-padding[layout.Right], 5), rtl: in.rtl}
	list := k.gather(n.Children)
	if p.keep&layout.KeepNext != 0 {
		for i := range list {
			list[i].keep |= layout.KeepNext
		}
	}
	k.cell(&c, func() { k.pieces(list, inner, false) })
	k.x.Close().Close()
}

// colored is an empty block in a colour or with a border: a paragraph as high as that.
func (k *walker) colored(p *piece, in room) {
	n := p.n
	style := &k.d.Styles[n.Style]
	height, width := style.Height, in.width
	if n.Box != nil {
		height, width = n.Box.Height, n.Box.Width
	}
	l := paragraphLook{before: twips(max(p.before, 0)), after: twips(max(p.after, 0)), exact: min(max(twips(height), 20), 31_680), ground: solid(style.Background), left: twips(p.left), right: twips(p.right + max(in.width-width, 0))}
	l.border = edges(style.Border, layout.Sides{}, "")
	k.line(l)
}

// line writes a paragraph without text.
func (k *walker) line(l paragraphLook) {
	k.x.Open("w:p").Open("w:pPr")
	paragraphPieces(k.x, l, paragraphLook{}, nil, nil)
	k.x.Open("w:rPr").Open("w:sz").Int("w:val", 2).Close().Close().Close().Close()
}

// rule writes a line across.
func (k *walker) rule(p *piece, in room) {
	n := p.n
	style := &k.d.Styles[n.Style]
	e := layout.Edge{Width: 1, Color: "000000"}
	if style.Border != nil {
		e = style.Border[layout.Top]
		if e.Width == 0 {
			e = style.Border[layout.Left]
		}
	}
	width := in.width
	if n.Box != nil {
		width = min(n.Box.Width, width)
	}
	left := p.left
	if n.Box != nil && !in.rtl && n.Box.X > in.left+1 && n.Box.X+width <= in.left+in.width+1 {
		left += n.Box.X - in.left
	}
	l := paragraphLook{
		before: twips(max(p.before, 0)), after: twips(max(p.after, 0)), exact: max(twips(e.Width), 20), left: twips(left), right: max(twips(in.width+p.left-left-width+p.right), 0),
		next: p.keep&layout.KeepNext != 0, top: p.keep&layout.KeepBefore != 0,
	}
	if in.rtl {
		l.bidi = true
		l.left, l.right = l.right, l.left
	}
	if size := eighths(e.Width); e.Width*6 > 96 { // a bar
		l.ground, l.exact = solid(e.Color), twips(e.Width)
	} else {
		l.border[layout.Bottom] = edge{size, 0, lineOfEdge(e.Line), solid(e.Color)}
	}
	k.line(l)
}
