package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// pieLabel is a label beside a pie.
type pieLabel struct {
	wedge  wedge
	lines  []string
	right  bool
	angle  float64 // below the level line of its side, in radians
	want   float64 // where its middle should be
	y, h   float64
	x      float64 // of the end that is next to the pie
	w      float64
	weight float64
	short  bool
}

// pieLabelGap is the distance of a label from its line.
const pieLabelGap = 4

// spread places the labels at both sides of the pie so that none overlap. A
// side that is too full gives labels near the top and the bottom to the other;
// when there is still no room for all, those of the smallest slices are left
// out.
func (p *pie) spread(most float64) {
	if !p.roomForLabels(most) {
		return
	}
	sides := [2][]*pieLabel{}
	for _, w := range p.wedges {
		if w.Label == "" {
			continue
		}
		right := math.Cos(w.middle()) >= 0
		if l := p.label(w, right, most); l != nil {
			sides[boolIndex(right)] = append(sides[boolIndex(right)], l)
		}
	}
	for i := range sides {
		sides[i] = p.largest(sides[i])
	}
	p.balance(&sides, most)
	for _, side := range sides {
		side = p.drop(side)
		p.arrange(side)
		p.labels = append(p.labels, side...)
	}
}

// warnLabels tells of slices whose labels have no room.
func (p *pie) warnLabels() {
	if p.c.Warn == nil {
		return
	}
	if missing := p.wanted - len(p.labels); missing > 0 {
		p.c.Warn(fmt.Sprintf("there is no room for the labels of %d of %d slices", missing, p.wanted))
	}
	for _, l := range p.labels {
		p.short += boolIndex(l.short)
	}
	if p.short > 0 {
		p.c.Warn(fmt.Sprintf("the labels of %d of %d slices are shortened", p.short, p.wanted))
	}
	p.legend.warn(p.entries(), p.c.Legend, func(format string, args ...any) { p.c.Warn(fmt.Sprintf(format, args...)) })
}

// roomForLabels reports whether the largest slice can have its label; if not,
// the others have none either.
func (p *pie) roomForLabels(most float64) bool {
	largest := -1
	for i, w := range p.wedges {
		if w.Label != "" && (largest < 0 || w.to-w.from > p.wedges[largest].to-p.wedges[largest].from) {
			largest = i
		}
	}
	return largest >= 0 && p.label(p.wedges[largest], math.Cos(p.wedges[largest].middle()) >= 0, most) != nil
}

func boolIndex(on bool) int {
	if on {
		return 1
	}
	return 0
}

// label makes the label of a slice for a side; nil when it has no room.
func (p *pie) label(w wedge, right bool, most float64) *pieLabel {
	t := p.st.labels()
	away := p.c.Lead * 0.75
	if p.c.Lead == 0 {
		away = t.line() * 0.6
	}
	l := &pieLabel{wedge: w, right: right, weight: w.to - w.from}
	l.angle = math.Remainder(-w.middle(), 2*math.Pi)
	if !right {
		l.angle = math.Remainder(w.middle()-math.Pi, 2*math.Pi)
	}
	l.want = p.cy + math.Sin(max(-math.Pi/2, min(math.Pi/2, l.angle)))*(p.r+p.c.Apart+away)
	l.lines, l.short = p.fitLabel(t, w.Label, min(most, p.sideRoom(right)))
	if len(l.lines) == 0 {
		return nil
	}
	for _, s := range l.lines {
		l.w = max(l.w, t.width(s))
	}
	l.h = float64(len(l.lines))*t.line() + 1
	return l
}

func total(side []*pieLabel) float64 {
	sum := 0.0
	for _, l := range side {
		sum += l.h
	}
	return sum
}

// balance moves labels of nearly upright slices from a full side to the other.
func (p *pie) balance(sides *[2][]*pieLabel, most float64) {
	for range p.wedges {
		from := boolIndex(total(sides[1]) > total(sides[0]))
		side := sides[from]
		if total(side) < p.box.H*0.6 || len(side) < 2 {
			return
		}
		upright := slices.MinFunc(side, func(a, b *pieLabel) int {
			return cmp.Compare(math.Abs(math.Cos(a.wedge.middle())), math.Abs(math.Cos(b.wedge.middle())))
		})
		moved := p.label(upright.wedge, from == 0, most)
		if math.Abs(math.Cos(upright.wedge.middle())) > 0.42 || moved == nil || total(sides[1-from])+moved.h > total(side) {
			return
		}
		sides[from] = slices.DeleteFunc(side, func(l *pieLabel) bool { return l == upright })
		sides[1-from] = append(sides[1-from], moved)
	}
}

// sideRoom is the width beside the pie at its widest place.
func (p *pie) sideRoom(right bool) float64 {
	room := p.cx - p.box.X
	if right {
		room = p.box.X + p.box.W - p.cx
	}
	return room - p.r - p.c.Apart - p.c.Lead - pieLabelGap
}

// fitLabel writes a label in one to three lines, shortened if it must be; a
// number at its end stays whole.
func (p *pie) fitLabel(t texts, label string, room float64) (lines []string, short bool) {
	if room < t.size*1.5 {
		return nil, false
	}
	if t.width(label) <= room {
		return []string{label}, false
	}
	if lines, ok := t.wrap(label, room, 3); ok {
		return lines, false
	}
	if strings.IndexFunc(label, unicode.IsLetter) < 0 {
		return nil, false // half a number would be a wrong one
	}
	name, number := label, ""
	if at := strings.LastIndexByte(label, ' '); at >= 0 && strings.IndexFunc(label[at:], unicode.IsLetter) < 0 {
		name, number = label[:at], label[at+1:]
	}
	if name = t.fit(name, room); len(name) <= 6 || t.width(number) > room {
		return nil, false
	}
	if number == "" {
		return []string{name}, true
	}
	return []string{name, number}, true
}

// largest leaves out labels of a side that has many times more than have room:
// a pie of a hundred thousand slices takes no longer than to draw them.
func (p *pie) largest(side []*pieLabel) []*pieLabel {
	most := 3 * (int(p.box.H/p.st.labels().line()) + 4)
	return smallestLast(side, func(n int, _ *pieLabel) bool { return n < most })
}

// drop leaves out labels of the smallest slices until the rest has room.
func (p *pie) drop(side []*pieLabel) []*pieLabel {
	height := 0.0
	return smallestLast(side, func(_ int, l *pieLabel) bool {
		height += l.h
		return height <= p.box.H
	})
}

// smallestLast keeps labels, those of the largest slices first, as long as a
// condition holds; those kept stay in their order.
func smallestLast(side []*pieLabel, holds func(n int, l *pieLabel) bool) []*pieLabel {
	bySize := slices.Clone(side)
	slices.Reverse(bySize) // of equal slices the first goes first
	slices.SortStableFunc(bySize, func(a, b *pieLabel) int { return cmp.Compare(b.weight, a.weight) })
	kept := map[*pieLabel]bool{}
	for n, l := range bySize {
		if !holds(n, l) {
			break
		}
		kept[l] = true
	}
	return slices.DeleteFunc(side, func(l *pieLabel) bool { return !kept[l] })
}

// arrange moves the labels of a side apart, as little as needed: labels that
// touch become a block around the middle of what they want.
func (p *pie) arrange(side []*pieLabel) {
	slices.SortStableFunc(side, func(a, b *pieLabel) int { return cmp.Compare(a.angle, b.angle) })
	type block struct {
		first, last int
		top, h      float64
		want, n     float64 // sum of wanted tops, of how many
	}
	var blocks []block
	lo, hi := p.box.Y, p.box.Y+p.box.H
	settle := func(b *block) { b.top = max(lo, min(hi-b.h, b.want/b.n)) }
	for i, l := range side {
		b := block{first: i, last: i, h: l.h, want: l.want - l.h/2, n: 1}
		settle(&b)
		blocks = append(blocks, b)
		for n := len(blocks); n > 1 && blocks[n-2].top+blocks[n-2].h > blocks[n-1].top; n-- {
			up, down := blocks[n-2], blocks[n-1]
			up.want += down.want - down.n*up.h
			up.n += down.n
			up.h += down.h
			up.last = down.last
			settle(&up)
			blocks = append(blocks[:n-2], up)
		}
	}
	for _, b := range blocks {
		y := b.top
		for _, l := range side[b.first : b.last+1] {
			l.y = y + l.h/2
			y += l.h
		}
	}
	for _, l := range side {
		p.besidePie(l)
	}
}

// besidePie puts a label next to the circle at its height.
func (p *pie) besidePie(l *pieLabel) {
	reach := p.r + p.c.Apart + max(p.c.Lead*0.75, 4)
	near := max(0, math.Abs(l.y-p.cy)-l.h/2)
	dx := root(reach, min(near, reach))
	elbow := math.Cos(l.wedge.middle()) * (p.r + p.c.Apart + p.c.Lead*0.5)
	if !l.right {
		elbow = -elbow
	}
	dx = max(dx, elbow) + p.c.Lead*0.25 + pieLabelGap
	if l.right {
		l.x = min(p.cx+dx, p.box.X+p.box.W-l.w)
	} else {
		l.x = max(p.cx-dx, p.box.X+l.w)
	}
}

// drawLabels writes the lines and the labels.
func (p *pie) drawLabels() {
	if len(p.labels) == 0 {
		return
	}
	if p.c.Lead > 0 {
		p.path("q-c-lead", "", func() {
			for _, l := range p.labels {
				p.lead(l)
			}
		})
	}
	t := p.st.labels()
	p.raw(`<g class="q-c-label">`)
	for _, l := range p.labels {
		anchor := atStart
		if !l.right {
			anchor = atEnd
		}
		y := l.y - float64(len(l.lines)-1)*t.line()/2 + t.size*0.36
		for _, s := range l.lines {
			p.text("", l.x, y, anchor, s)
			y += t.line()
		}
	}
	p.raw("</g>")
}

// lead appends the line from a slice to its label.
func (p *pie) lead(l *pieLabel) {
	angle := l.wedge.middle()
	x0, y0 := polar(p.cx, p.cy, angle, p.r+p.c.Apart+1)
	x1, y1 := polar(p.cx, p.cy, angle, p.r+p.c.Apart+p.c.Lead*0.5)
	end := l.x - pieLabelGap + 1
	if !l.right {
		end = l.x + pieLabelGap - 1
	}
	p.raw("M")
	p.pair(x0, y0)
	p.raw("L")
	p.pair(x1, y1)
	p.raw("L")
	p.pair(end, l.y)
}
