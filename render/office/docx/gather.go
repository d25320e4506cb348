package docx

import (
	"math"
	"slices"

	"github.com/quire-reports/quire/render/layout"
)

// around is what the blocks around one say of it.
type around struct {
	left, right float64
	keep        layout.Keep
	ground      string
	border      *layout.Border
	padding     layout.Sides
	boxed       int
	id          string
	role        layout.Role
}

// gatherer makes pieces of blocks.
type gatherer struct {
	k     *walker
	out   []piece
	space float64 // room that does not become one with margins
	boxes int
	// anchors are those of blocks that have begun, for the piece that comes next.
	anchors []string
}

// whole is up to how many pieces a block is kept together: more are no block that
// anybody meant to keep on one page.
const whole = 40

func (g *gatherer) block(n *layout.Node, a around) {
	k := g.k
	if n.ID != "" {
		a.id = n.ID
	}
	if n.Absolute {
		k.warn(a.id, "stands freely on the page; in the document of Word it stands in the text")
	}
	if k.furniture != "" && k.uncounted && n.Kind == layout.Paragraph && hasNumber(n) {
		return // pages that do not count show no numbers
	}
	style := &k.d.Styles[n.Style]
	switch n.Kind {
	case layout.Block, layout.Columns:
	default:
		g.leaf(n, style, a)
		return
	}
	if len(n.Children) == 0 {
		g.empty(n, style, a)
		return
	}
	if n.Role == layout.Contents || n.Role == layout.Figures {
		a.role = n.Role
	}
	drawn := !n.Bare && (style.Background != "" || style.Border != nil)
	if drawn && g.asTable(n) || n.Kind == layout.Columns && k.section != nil && a.boxed == 0 && len(n.Children) > 1 && g.k.depth == 0 || n.Role == layout.Contents || n.Role == layout.Figures {
		g.leaf(n, style, a)
		return
	}
	g.into(n, style, a, drawn)
}

// into divides a block into its children.
func (g *gatherer) into(n *layout.Node, style *layout.Style, a around, drawn bool) {
	margin, padding := sides(n, style)
	g.anchors = append(g.anchors, n.Anchors...)
	first := len(g.out)
	if drawn {
		g.boxes++
		a.ground, a.border, a.padding, a.boxed = style.Background, style.Border, padding, g.boxes
		a.left, a.right = a.left+margin[layout.Left]+padding[layout.Left], a.right+margin[layout.Right]+padding[layout.Right]
	} else {
		a.left, a.right = a.left+margin[layout.Left]+padding[layout.Left], a.right+margin[layout.Right]+padding[layout.Right]
		g.space += padding[layout.Top]
	}
	keep := a.keep | n.Keep
	a.keep = n.Keep & layout.KeepTogether
	for i := range n.Children {
		g.block(&n.Children[i], a)
		if i+1 < len(n.Children) && style.RowGap > 0 {
			g.space += style.RowGap
		}
	}
	made := g.out[first:]
	if len(made) == 0 {
		g.space += max(margin[layout.Top], margin[layout.Bottom])
		return
	}
	made[0].before = max(made[0].before, margin[layout.Top])
	last := &made[len(made)-1]
	last.after = max(last.after, margin[layout.Bottom]) + g.space
	g.space = 0
	if !drawn {
		last.after += padding[layout.Bottom]
	}
	if keep&layout.KeepBefore != 0 {
		made[0].keep |= layout.KeepBefore
	}
	if keep&layout.KeepNext != 0 {
		last.keep |= layout.KeepNext
	}
	if keep&layout.KeepTogether != 0 && len(made) <= whole {
		for i := range made {
			made[i].keep |= layout.KeepTogether
			if i+1 < len(made) {
				made[i].keep |= layout.KeepNext
			}
		}
	}
}

// asTable reports whether a block with a ground or a border is drawn as a table of one
// cell: one that holds more than texts one below the other, and is no long part of the
// report.
func (g *gatherer) asTable(n *layout.Node) bool {
	texts, nodes := true, 0
	for c := range n.All() {
		nodes++
		texts = texts && (c == n || c.Kind == layout.Paragraph || c.Kind == layout.Text || c.Kind == layout.Link || c.Kind == layout.Field || c.Kind == layout.Break)
		if nodes > 600 {
			return false
		}
	}
	return !texts || len(n.Children) > 1
}

func sides(n *layout.Node, style *layout.Style) (margin, padding layout.Sides) {
	if n.Bare {
		return
	}
	if style.Margin != nil {
		margin = *style.Margin
	}
	if style.Padding != nil {
		padding = *style.Padding
	}
	return
}

// empty is a block that holds nothing: room, or a box in a colour.
func (g *gatherer) empty(n *layout.Node, style *layout.Style, a around) {
	height := style.Height
	if n.Box != nil {
		height = n.Box.Height
	}
	margin, _ := sides(n, style)
	if style.Background == "" && style.Border == nil {
		g.anchors = append(g.anchors, n.Anchors...)
		g.space += height + max(margin[layout.Top], 0) + max(margin[layout.Bottom], 0)
		return
	}
	g.leaf(n, style, a)
}

func (g *gatherer) leaf(n *layout.Node, style *layout.Style, a around) {
	margin, padding := sides(n, style)
	p := piece{
		n: n, before: margin[layout.Top], after: margin[layout.Bottom], left: a.left, right: a.right, keep: a.keep | n.Keep, ground: a.ground, border: a.border,
		padding: a.padding, boxed: a.boxed, id: a.id, role: a.role, anchors: g.anchors,
	}
	g.anchors = nil
	if n.Kind != layout.Table && n.Kind != layout.Flex {
		p.left, p.right = p.left+margin[layout.Left], p.right+margin[layout.Right]
	}
	if n.Kind == layout.List || n.Kind == layout.Columns || n.Role == layout.Contents || n.Role == layout.Figures {
		p.before, p.after = p.before+padding[layout.Top], p.after+padding[layout.Bottom]
	}
	p.room = g.space
	p.before += g.space
	if g.space > 0 && len(g.out) > 0 { // room and the margins around it add up
		last := &g.out[len(g.out)-1]
		p.before += last.after
		last.after = 0
	}
	g.space = 0
	if n.Kind == layout.Flex && g.joins(&p) {
		return
	}
	g.out = append(g.out, p)
}

// joins puts a row of boxes side by side below one with the same columns, as a further
// row of its table.
func (g *gatherer) joins(p *piece) bool {
	if len(g.out) == 0 {
		return false
	}
	last := &g.out[len(g.out)-1]
	if last.n.Kind != layout.Flex || last.left != p.left || last.boxed != p.boxed || len(last.n.Children) != len(p.n.Children) || p.n.Role != layout.Pair || last.n.Role != layout.Pair {
		return false
	}
	for i := range p.n.Children {
		a, b := last.n.Children[i].Box, p.n.Children[i].Box
		if a == nil || b == nil || math.Abs(a.X-b.X) > 2 {
			return false
		}
	}
	last.rows = append(last.rows, p.n)
	last.anchors = append(last.anchors, slices.Concat(p.anchors, p.n.Anchors)...)
	last.after = p.after
	last.keep |= p.keep & layout.KeepNext
	return true
}

func hasNumber(n *layout.Node) bool {
	for c := range n.All() {
		if c.Field == layout.PageNumber {
			return true
		}
	}
	return false
}
