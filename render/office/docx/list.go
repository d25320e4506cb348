package docx

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

// level is one level of a list.
type level struct {
	format, text  string
	left, hanging int
	color         string
}

// lists are the numberings of the document.
type lists struct {
	abstracts []map[int]level
	known     map[string]int
	nums      []num
}

// num is one list: its levels, and where its numbers begin.
type num struct {
	abstract, level, start int
}

// formats are the markers of CSS in Word.
var formats = map[string]string{
	"decimal": "decimal", "decimal-leading-zero": "decimalZero", "lower-alpha": "lowerLetter", "upper-alpha": "upperLetter", "lower-latin": "lowerLetter", "upper-latin": "upperLetter",
	"lower-roman": "lowerRoman", "upper-roman": "upperRoman", "hebrew": "hebrew1", "arabic-indic": "decimal",
}

var bullets = map[string]string{"disc": "•", "circle": "◦", "square": "▪"}

// levelOf is how the items of a list are marked; false: not at all.
func levelOf(of *layout.ListOf) (level, bool) {
	l := level{color: solid(of.Color)}
	switch marker := of.Marker; {
	case marker == "none":
		return l, false
	case strings.HasPrefix(marker, `"`) || strings.HasPrefix(marker, "'"):
		l.format, l.text = "bullet", strings.TrimSpace(strings.Trim(marker, `"'`))
		if l.text == "" {
			return l, false
		}
		if r := []rune(l.text); len(r) > 20 {
			l.text = string(r[:20])
		}
	case bullets[marker] != "":
		l.format, l.text = "bullet", bullets[marker]
	case formats[marker] != "":
		l.format = formats[marker]
	case of.Ordered:
		l.format = "decimal"
	default:
		l.format, l.text = "bullet", "•"
	}
	return l, true
}

// listState is the list that is being written.
type listState struct {
	num, depth int // num 0: without markers
	left       float64
	hanging    float64
	fresh      bool // the item has not had its marker yet
	between    bool // the lower line of the item stands between it and the next, too
	apart      bool // the box of the item is not one with that of the next
	id         string
}

// mark gives a paragraph the marker of its item, and what gives it its number.
func (l *listState) mark(k *walker, p *paragraphLook) func() {
	if !l.fresh || l.num == 0 {
		return nil
	}
	l.fresh = false
	p.first = -twips(l.hanging)
	return func() {
		k.x.Open("w:numPr").Open("w:ilvl").Int("w:val", l.depth).Close().Open("w:numId").Int("w:val", l.num).Close().Close()
	}
}

// listOf writes a list.
func (k *walker) listOf(n *layout.Node, p *piece, in room) {
	style := &k.d.Styles[n.Style]
	_, padding := sides(n, style)
	start := padding[layout.Left]
	if style.RTL {
		start = padding[layout.Right]
	}
	outer := k.list
	state := &listState{left: p.left, hanging: min(max(start, 8), 36), id: "ListNumber"}
	if outer != nil {
		state.depth = min(outer.depth+1, 8)
	}
	if l, marked := levelOf(n.List); marked {
		l.left, l.hanging = twips(p.left+start), twips(state.hanging)
		state.num = k.lists.num(l, state.depth, n.List.Start)
		if l.format == "bullet" {
			state.id = "ListBullet"
		}
	}
	var made []piece
	var states []*listState
	for i := range n.Children {
		item := &n.Children[i]
		list := k.item(item)
		own := *state
		own.fresh = item.Role != layout.Plain
		box := k.boxOf(item)
		own.between, own.apart = !box && len(list) == 1, box && i%2 == 1
		for j := range list {
			q := &list[j]
			if style.RTL {
				q.right += start + p.right
				q.left += p.left
			} else {
				q.left += p.left + start
				q.right += p.right
			}
			if p.keep&layout.KeepTogether != 0 && len(n.Children) <= whole {
				q.keep |= layout.KeepTogether
				if i < len(n.Children)-1 || j < len(list)-1 {
					q.keep |= layout.KeepNext
				}
			}
			if i == len(n.Children)-1 && j == len(list)-1 {
				q.keep |= p.keep & layout.KeepNext
			}
			states = append(states, &own)
		}
		made = append(made, list...)
	}
	if len(made) == 0 {
		return
	}
	made[0].before = max(made[0].before, p.before)
	made[0].keep |= p.keep & layout.KeepBefore
	made[len(made)-1].after = max(made[len(made)-1].after, p.after)
	room := room{left: in.left - p.left, width: in.width + p.left + p.right, rtl: in.rtl}
	k.pending = append(k.pending, n.Anchors...)
	for i := range made {
		if i > 0 && k.isTable(&made[i-1]) && k.isTable(&made[i]) {
			k.gap(max(made[i-1].after, made[i].before))
		}
		k.list = states[i]
		k.piece(&made[i], room)
	}
	k.list = outer
	if k.isTable(&made[len(made)-1]) {
		k.tiny()
	}
}

// boxOf reports whether what is drawn of an item is a box, and not a line that parts it
// from the next.
func (k *walker) boxOf(n *layout.Node) bool {
	style := &k.d.Styles[n.Style]
	return style.Background != "" || style.Border != nil && style.Border[layout.Top].Width > 0 && style.Border[layout.Bottom].Width > 0
}

// item is what an item holds, in its ground and between its lines.
func (k *walker) item(n *layout.Node) []piece {
	style := &k.d.Styles[n.Style]
	margin, padding := sides(n, style)
	a := around{left: margin[layout.Left] + padding[layout.Left], right: margin[layout.Right] + padding[layout.Right]}
	drawn := style.Background != "" || style.Border != nil
	if drawn {
		a.ground, a.border, a.padding, a.boxed = style.Background, style.Border, padding, itemBox
	}
	g := &gatherer{k: k, boxes: itemBox}
	content := n.Content()
	for i := range content {
		g.block(&content[i], a)
	}
	k.pending = append(k.pending, g.anchors...)
	list := g.out
	if len(list) == 0 {
		list = []piece{{n: &layout.Node{Kind: layout.Paragraph, Style: n.Style, Bare: true}, left: a.left, right: a.right, ground: a.ground, border: a.border, padding: a.padding}}
	}
	first, last := &list[0], &list[len(list)-1]
	if !drawn {
		margin[layout.Top] += padding[layout.Top]
		margin[layout.Bottom] += padding[layout.Bottom]
	}
	first.before = max(first.before, margin[layout.Top])
	last.after = max(last.after, margin[layout.Bottom])
	if drawn && len(list) > 1 {
		for i := range list {
			list[i].inBox(i == 0, i == len(list)-1)
		}
	}
	return list
}

// itemBox numbers the box of an item among those that its pieces stand in.
const itemBox = 1

// inBox leaves the upper line and room of an item's box to the first piece in it, the
// lower to the last.
func (p *piece) inBox(first, last bool) {
	if p.boxed != itemBox {
		return
	}
	if !first {
		p.open(layout.Top)
	}
	if !last {
		p.open(layout.Bottom)
	}
}

// open takes a side of the box away.
func (p *piece) open(side int) {
	p.padding[side] = 0
	if p.border != nil {
		border := *p.border
		border[side] = layout.Edge{}
		p.border = &border
	}
}

// num is the number of a list with such a level at a depth.
func (l *lists) num(of level, depth, start int) int {
	if l.known == nil {
		l.known = map[string]int{}
	}
	key := fmt.Sprint(of, depth)
	at, known := l.known[key]
	if !known {
		at = len(l.abstracts)
		l.abstracts = append(l.abstracts, map[int]level{depth: of})
		l.known[key] = at
	}
	l.nums = append(l.nums, num{abstract: at, level: depth, start: max(start, 1)})
	return len(l.nums)
}

// write writes the part.
func (l *lists) write(x *opc.XML) {
	x.Open("w:numbering").Attr("xmlns:w", wordNamespace)
	for i, levels := range l.abstracts {
		x.Open("w:abstractNum").Int("w:abstractNumId", i)
		leaf(x, "w:multiLevelType", "hybridMultilevel")
		for depth := range 9 {
			of, said := levels[depth]
			if !said {
				of = level{format: "bullet", text: "•", left: (depth + 1) * 360, hanging: 360}
				for _, only := range levels {
					of.format, of.text = only.format, only.text
				}
			}
			x.Open("w:lvl").Int("w:ilvl", depth).Open("w:start").Int("w:val", 1).Close()
			leaf(x, "w:numFmt", of.format)
			text := of.text
			if of.format != "bullet" {
				text = fmt.Sprintf("%%%d.", depth+1)
			}
			leaf(x, "w:lvlText", text)
			leaf(x, "w:lvlJc", "left")
			x.Open("w:pPr").Open("w:ind").Int("w:left", of.left).Int("w:hanging", of.hanging).Close().Close()
			if bullet := of.format == "bullet"; bullet || of.color != "" {
				x.Open("w:rPr")
				if bullet { // fonts of documents often lack such signs
					x.Open("w:rFonts").Attr("w:ascii", "Arial").Attr("w:hAnsi", "Arial").Attr("w:cs", "Arial").Close()
				}
				if of.color != "" {
					x.Open("w:color").Attr("w:val", of.color).Close()
				}
				x.Close()
			}
			x.Close()
		}
		x.Close()
	}
	for i, n := range l.nums {
		x.Open("w:num").Int("w:numId", i+1).Open("w:abstractNumId").Int("w:val", n.abstract).Close()
		x.Open("w:lvlOverride").Int("w:ilvl", n.level).Open("w:startOverride").Int("w:val", n.start).Close().Close()
		x.Close()
	}
	x.Close()
}
