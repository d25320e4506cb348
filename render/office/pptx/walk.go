package pptx

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/layout"
)

// walker makes shapes of what stands on a page.
type walker struct {
	*deck
	sheet  *layout.Sheet
	part   string // that refers to pictures and links
	out    []*shape
	title  *shape // the first heading of the page
	inside int    // how many tables are around
	body   bool   // it is no header or footer
	fault  error
}

// state is what holds for a node and all in it.
type state struct {
	id      string  // of the element
	scale   float64 // of letters
	turn    float64
	opacity float64
}

func (w *walker) style(n *layout.Node) *layout.Style { return &w.doc.Styles[n.Style] }

// enter is the state inside a node.
func (w *walker) enter(n *layout.Node, at state) state {
	if n.ID != "" {
		at.id = n.ID
	}
	if n.Scale > 0 {
		at.scale *= n.Scale
	}
	at.turn += n.Turn
	if o := w.style(n).Opacity; o > 0 && n.Kind != layout.Text {
		at.opacity *= o
	}
	return at
}

func (w *walker) add(s *shape) *shape {
	w.out = append(w.out, s)
	return s
}

// walk makes shapes of a node.
func (w *walker) walk(n *layout.Node, at state) {
	if n == nil || w.fault != nil {
		return
	}
	at = w.enter(n, at)
	s := w.style(n)
	switch n.Kind {
	case layout.Paragraph:
		w.paragraph(n, n.Box, at)
		return
	case layout.Image:
		w.decorate(n, s, at)
		w.image(n, at)
		return
	case layout.Table:
		w.decorate(n, s, at)
		w.table(n, at)
		return
	case layout.Rule:
		w.rule(n, s, at)
		return
	case layout.List:
		w.decorate(n, s, at)
		if w.list(n, at) {
			return
		}
	case layout.Page:
		return
	default:
		w.decorate(n, s, at)
	}
	if n.Text != "" {
		w.text(n, n.Box, at)
		return
	}
	for i := range n.Children {
		w.walk(&n.Children[i], at)
	}
}

// decorate draws the ground and the border of a box.
func (w *walker) decorate(n *layout.Node, s *layout.Style, at state) {
	if n.Box == nil || n.Box.Width <= 0 || n.Box.Height <= 0 {
		return
	}
	w.ground(*n.Box, s, at)
}

// ground draws a ground with a border around; what is only at some sides are lines.
func (w *walker) ground(box layout.Box, s *layout.Style, at state) {
	e, even := around(s.Border)
	if s.Background != "" || even && e.Width > 0 {
		made := &shape{kind: "Box", box: box, fill: faded(s.Background, at.opacity), radius: s.Radius * at.scale, bare: true}
		if even && e.Width > 0 {
			made.edge = drawn(e, at)
			made.box = inner(box, e.Width*at.scale/2)
		}
		w.add(made)
	}
	if !even {
		w.sides(box, s.Border, at)
	}
}

// sides draws the lines at the sides of a box.
func (w *walker) sides(box layout.Box, b *layout.Border, at state) {
	for side, e := range b {
		if e.Width <= 0 || e.Color == "" {
			continue
		}
		half := e.Width * at.scale / 2
		line := box
		switch side {
		case layout.Top:
			line.Y, line.Height = box.Y+half, 0
		case layout.Bottom:
			line.Y, line.Height = box.Y+box.Height-half, 0
		case layout.Left:
			line.X, line.Width = box.X+half, 0
		case layout.Right:
			line.X, line.Width = box.X+box.Width-half, 0
		}
		w.add(&shape{kind: "Line", box: line, line: true, bare: true, edge: drawn(e, at)})
	}
}

// around is the line around a box, and whether it is the same at all sides.
func around(b *layout.Border) (layout.Edge, bool) {
	if b == nil {
		return layout.Edge{}, true
	}
	for _, e := range b {
		if e != b[0] {
			return layout.Edge{}, false
		}
	}
	if b[0].Color == "" {
		return layout.Edge{}, true
	}
	return b[0], true
}

func drawn(e layout.Edge, at state) layout.Edge {
	e.Width *= at.scale
	e.Color = faded(e.Color, at.opacity)
	return e
}

// inner is a box without some of its edge.
func inner(b layout.Box, edge float64) layout.Box {
	return layout.Box{X: b.X + edge, Y: b.Y + edge, Width: max(0, b.Width-2*edge), Height: max(0, b.Height-2*edge)}
}

// content is a box without its border and padding.
func content(b layout.Box, s *layout.Style, scale float64) layout.Box {
	var around layout.Sides
	if s.Padding != nil {
		around = *s.Padding
	}
	if s.Border != nil {
		for side, e := range s.Border {
			around[side] += e.Width
		}
	}
	for side := range around {
		around[side] *= scale
	}
	return layout.Box{
		X: b.X + around[layout.Left], Y: b.Y + around[layout.Top],
		Width: max(0, b.Width-around[layout.Left]-around[layout.Right]), Height: max(0, b.Height-around[layout.Top]-around[layout.Bottom]),
	}
}

// rule draws a line across.
func (w *walker) rule(n *layout.Node, s *layout.Style, at state) {
	if n.Box == nil {
		return
	}
	if s.Border == nil {
		w.decorate(n, s, at)
		return
	}
	w.sides(*n.Box, s.Border, at)
}

// paragraph makes a text box of a paragraph, and pictures of those in it.
func (w *walker) paragraph(n *layout.Node, box *layout.Box, at state) {
	if !n.Bare && box != nil && box.Width > 0 && box.Height > 0 {
		w.ground(*box, w.style(n), at)
	}
	w.text(n, box, at)
	w.pictures(n, at)
}

// pictures makes those that stand in lines.
func (w *walker) pictures(n *layout.Node, at state) {
	for i := range n.Children {
		c := &n.Children[i]
		switch c.Kind {
		case layout.Image:
			w.walk(c, at)
		case layout.Link:
			w.pictures(c, w.enter(c, at))
		}
	}
}

// text makes a text box of what stands in lines.
func (w *walker) text(n *layout.Node, box *layout.Box, at state) {
	g := w.lines(n, at)
	if len(g.runs) == 0 || box == nil || len(n.Lines) == 0 {
		return
	}
	s := w.style(n)
	made := &shape{kind: "Text", body: &textBody{}}
	room := *box
	if !n.Bare {
		room = content(*box, s, at.scale)
	}
	switch turn := math.Mod(at.turn+360, 360); turn {
	case 0:
		high := g.pitch * float64(len(n.Lines))
		made.box = layout.Box{X: room.X, Y: top(n.Lines[0], &g, s, at), Width: room.Width, Height: high}
		w.pin(&g, n, made.box)
	default: // the box is that before it is turned
		high := g.pitch * float64(1+count(n, layout.Break))
		made.box, made.turn = layout.Box{X: room.X, Y: room.Y + (room.Height-high)/2, Width: room.Width, Height: high}, turn
	}
	made.body.paragraphs = []paragraph{g}
	if w.body && w.inside == 0 && w.title == nil && n.Role == layout.Heading && n.Level == 1 && at.turn == 0 {
		made.title, made.kind, w.title = true, "Title", made
	}
	w.add(made)
}

// top is where a text begins whose first line stands somewhere: programs put what a line
// is higher than its letters above them, browsers half of it below.
func top(line layout.Box, g *paragraph, s *layout.Style, at state) float64 {
	const letters = 1.2 // of the size: about the height of letters in most fonts
	return middle(line) - g.pitch/2 - max(0, g.pitch-s.Size*at.scale*letters)/2
}

// count is how many nodes of a kind a paragraph has.
func count(n *layout.Node, kind layout.Kind) int {
	found := 0
	for i := range n.Children {
		if n.Children[i].Kind == kind {
			found++
		}
		found += count(&n.Children[i], kind)
	}
	return found
}

// pin puts the text of a paragraph with pictures in its lines, or a first line that is
// moved, where it stands on the page.
func (w *walker) pin(g *paragraph, n *layout.Node, box layout.Box) {
	if indent := w.style(n).Indent; indent != 0 && g.align == "l" && !g.rtl {
		g.first = indent
		if indent < 0 {
			g.left = 0
			g.first = 0
		}
	}
	var stops []tab
	for i := range n.Children {
		c := &n.Children[i]
		switch {
		case c.Box == nil:
		case c.Kind == layout.Image && g.align == "l":
			stops = append(stops, tab{c.Box.X + c.Box.Width - box.X, "l"})
		case c.Kind == layout.Tab:
			stops = append(stops, tab{box.Width, "r"})
		}
	}
	if count(n, layout.Tab) > 0 && len(stops) == 0 {
		stops = append(stops, tab{box.Width, "r"})
	}
	slices.SortStableFunc(stops, func(a, b tab) int { return cmp.Compare(a.at, b.at) })
	for _, t := range slices.Compact(stops) {
		if t.at > 0 {
			g.tabs = append(g.tabs, t)
		}
	}
}

// lines are the runs of what stands in lines.
func (w *walker) lines(n *layout.Node, at state) paragraph {
	s := w.style(n)
	g := paragraph{style: s, rtl: s.RTL, align: alignment(s), pitch: pitch(n.Lines, s, at.scale)}
	pictures := false
	w.runs(n, at, "", &g.runs, &pictures)
	for len(g.runs) > 0 && g.runs[len(g.runs)-1].newLine {
		g.runs = g.runs[:len(g.runs)-1]
	}
	if pictures && !slices.ContainsFunc(g.runs, func(r run) bool { return strings.TrimSpace(r.text) != "" }) {
		g.runs = nil
	}
	return g
}

// alignment is how lines stand between the sides. Lines that fill their width would do so
// only if they broke by themselves.
func alignment(s *layout.Style) string {
	switch s.Align {
	case "center":
		return "ctr"
	case "right":
		return "r"
	case "left":
		return "l"
	}
	if s.RTL {
		return "r"
	}
	return "l"
}

func (w *walker) runs(n *layout.Node, at state, link string, out *[]run, pictures *bool) {
	inside := n.Content()
	if n.Text != "" {
		inside = []layout.Node{{Kind: layout.Text, Style: n.Style, Text: n.Text}}
	}
	for i := range inside {
		c := &inside[i]
		in := w.enter(c, at)
		r := run{style: w.style(c), link: link, scale: in.scale, opacity: in.opacity}
		switch c.Kind {
		case layout.Text:
			r.text = oneLine(c.Text)
		case layout.Field:
			r.text = c.Text
			if c.Field == layout.PageNumber && w.counted && w.sheet.Number > 0 {
				r.field = c.Field
			}
			if r.link == "" && c.Field == layout.PageOf && c.Ref != "" {
				r.link = "#" + strings.TrimPrefix(c.Ref, "#")
			}
		case layout.Break:
			if c.Hyphen {
				*out = append(*out, run{text: "-", style: lastStyle(*out, r.style), scale: r.scale, opacity: r.opacity})
			}
			r.newLine, r.style, r.link = true, lastStyle(*out, r.style), ""
		case layout.Tab:
			r.text, r.leader = "\t", c.Fill
		case layout.Image:
			*pictures = true
			r.text, r.link = "\t", ""
			if len(*out) == 0 && i == len(inside)-1 {
				continue
			}
		case layout.Link:
			w.runs(c, in, firstText(c.Ref, link), out, pictures)
			continue
		default:
			continue
		}
		if r.text != "" || r.newLine {
			*out = append(*out, r)
		}
	}
}

func lastStyle(list []run, or *layout.Style) *layout.Style {
	if len(list) > 0 {
		return list[len(list)-1].style
	}
	return or
}

// oneLine is a text without the ends of lines in its source.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\f' || r == '\v' {
			return ' '
		}
		return r
	}, s)
}

// list makes one text of a list that has nothing else than texts.
func (w *walker) list(n *layout.Node, at state) bool {
	if n.Box == nil || at.turn != 0 || at.scale <= 0 {
		return false
	}
	body := &textBody{}
	f := flat{walker: w, body: body, left: n.Box.X}
	if !f.list(n, at, 0) || len(body.paragraphs) == 0 {
		return false
	}
	w.add(&shape{kind: "List", box: layout.Box{X: n.Box.X, Y: f.top, Width: n.Box.Width, Height: max(1, f.bottom-f.top)}, body: body})
	return true
}

// flat gathers texts that stand one below the other as one.
type flat struct {
	*walker
	body        *textBody
	left        float64
	top, bottom float64
	begun       bool
}

// node adds what stands in a node; false when that is more than texts.
func (f *flat) node(n *layout.Node, at state, level int, b *bullet) bool {
	at = f.enter(n, at)
	s := f.style(n)
	if at.turn != 0 || n.Absolute {
		return false
	}
	switch n.Kind {
	case layout.Paragraph:
		return (n.Bare || !decorated(s)) && f.add(n, at, level, b)
	case layout.Item, layout.Cell, layout.Block:
		if n.Kind == layout.Block && decorated(s) {
			return false
		}
		if n.Text != "" {
			return f.add(n, at, level, b)
		}
		for i := range n.Children {
			if !f.node(&n.Children[i], at, level, b) {
				return false
			}
			b = nil
		}
		return true
	case layout.List:
		return f.list(n, at, level)
	}
	return false
}

func decorated(s *layout.Style) bool { return s.Background != "" || s.Border != nil }

func (f *flat) list(n *layout.Node, at state, level int) bool {
	at = f.enter(n, at)
	for i := range n.Children {
		b := bulletOf(n.List, i)
		if n.Children[i].Role == layout.Plain {
			b = nil
		}
		if item := &n.Children[i]; item.Text == "" && len(item.Children) == 0 {
			continue
		} else if decorated(f.style(item)) || !f.node(item, at, level, b) {
			return false
		}
		if level > 8 {
			return false
		}
	}
	return true
}

// add adds a paragraph.
func (f *flat) add(n *layout.Node, at state, level int, b *bullet) bool {
	if count(n, layout.Image) > 0 {
		return false
	}
	g := f.lines(n, at)
	if len(g.runs) == 0 {
		return true
	}
	if len(n.Lines) == 0 {
		return false
	}
	first := top(n.Lines[0], &g, f.style(n), at)
	if f.begun {
		g.before = max(0, first-f.bottom)
	} else {
		f.top, f.begun = first, true
	}
	f.bottom = max(first, f.bottom) + g.pitch*float64(len(n.Lines))
	if b != nil {
		g.bullet, g.level = b, level
		size := f.style(n).Size * at.scale
		if g.rtl {
			g.left, g.first = size*1.5, -size*1.2
		} else {
			g.left = max(size*0.8, n.Lines[0].X-f.left)
			g.first = -min(g.left, size*1.3)
		}
	} else if g.align == "l" && !g.rtl && f.left > 0 && n.Box != nil {
		g.left = max(0, n.Box.X-f.left)
	}
	f.body.paragraphs = append(f.body.paragraphs, g)
	return true
}
