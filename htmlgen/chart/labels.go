package chart

import (
	"math"
	"strings"
)

// widest is the widest line of a label.
func widest(label string, t texts) string {
	best, width := "", -1.0
	for line := range strings.SplitSeq(label, "\n") {
		if w := t.width(line); w > width {
			best, width = line, w
		}
	}
	return best
}

// sideLabels shortens and thins the labels beside the plot: categories take up
// to two lines, and no two labels touch.
func (p *plot) sideLabels(a *axis, room float64) {
	t := p.st.labels()
	slot := math.Inf(1)
	for i := 1; i < len(a.ticks); i++ {
		slot = min(slot, math.Abs(a.scale.at(a.ticks[i].v)-a.scale.at(a.ticks[i-1].v)))
	}
	if a.Kind == Category {
		for i := range a.ticks {
			k := &a.ticks[i]
			if t.width(k.label) <= room {
				continue
			}
			if lines, ok := t.wrap(k.label, room, 2); ok && slot >= 2*t.line() {
				k.label = strings.Join(lines, "\n")
			} else {
				k.label = t.fit(k.label, room)
			}
		}
	}
	if a.Kind == Time {
		last := ""
		for i := range a.ticks {
			k := &a.ticks[i]
			if k.sub != "" && k.sub != last {
				last = k.sub
				k.label += " " + k.sub
			}
		}
	}
	every := 1
	for slot*float64(every) < t.line() && every < len(a.ticks) {
		every++
	}
	for i := range a.ticks {
		a.ticks[i].hide = i%every != 0
	}
}

// leastLabel is the size below which labels are left out rather than made
// smaller, in pixels: 5.5 points.
const leastLabel = 7.4

// shrinkNames makes labels beside the plot smaller where each category has less
// than a line.
func (p *plot) shrinkNames() {
	n := len(p.base.Categories)
	if !p.c.Turned || p.base.Kind != Category || n == 0 || p.base.Hidden {
		return
	}
	if fits := p.box.H / float64(n) / 1.2 * (1 - tolerance); fits < p.st.LabelSize && fits >= leastLabel {
		p.st.LabelSize, p.small = fits, fits
	}
}

// labelLayout is how the labels below the plot are written.
type labelLayout struct {
	height float64
	turn   float64 // degrees
	// overhang is how far turned labels reach to the left of the plot
	overhang float64
}

// belowTicks makes the ticks of the axis below the plot and tells how high its
// labels are.
func (p *plot) belowTicks(rest Rect) float64 {
	a := &p.base
	if p.c.Turned {
		a = &p.value
		p.lying(&p.second)
	}
	if a.Kind == Category {
		a.makeTicks(0)
		return p.categoryLabels(a, rest)
	}
	p.lying(a)
	t := p.st.labels()
	if a.Hidden {
		return 0
	}
	height := t.line() + labelGap
	for i := range a.ticks {
		if a.ticks[i].sub != "" {
			height = 2*t.line() + labelGap
		}
	}
	p.horizontal = labelLayout{height: height}
	return height
}

// lying makes the ticks of a numeric or time axis along the width: as many as
// have room for their labels.
func (p *plot) lying(a *axis) {
	if a.Kind == Category {
		return
	}
	t := p.st.labels()
	if a.Ticks > 0 {
		a.makeTicks(a.Ticks)
		p.thin(a, t)
		return
	}
	last := -1.0
	for n := int(max(1, min(16, p.box.W/36))); n > 0; n-- {
		a.makeTicks(n)
		if a.step == last {
			continue
		}
		last = a.step
		if p.fits(a, t) {
			return
		}
	}
	p.thin(a, t)
}

// fits reports whether no label comes near the next one.
func (p *plot) fits(a *axis, t texts) bool {
	gap := t.size * 1.1
	if a.Kind == Numeric {
		gap = t.size * 2.2
	}
	for i := 1; i < len(a.ticks); i++ {
		w := (t.width(a.ticks[i].label) + t.width(a.ticks[i-1].label)) / 2
		if math.Abs(a.scale.at(a.ticks[i].v)-a.scale.at(a.ticks[i-1].v)) < w+gap {
			return false
		}
	}
	return true
}

// thin hides labels that would touch the one before.
func (p *plot) thin(a *axis, t texts) {
	end, have := 0.0, false
	for i := range a.ticks {
		k := &a.ticks[i]
		x, w := math.Abs(a.scale.at(k.v)-a.scale.from), t.width(k.label)
		k.hide = have && x-w/2 < end+t.size*0.6
		if !k.hide {
			end, have = x+w/2, true
		}
	}
}

// categoryLabels finds how the names below fit best: whole, in several lines,
// shortened, every so many left out, and only then turned.
func (p *plot) categoryLabels(a *axis, rest Rect) float64 {
	p.horizontal = labelLayout{}
	if a.Hidden || len(a.ticks) == 0 {
		return 0
	}
	t := p.st.labels()
	slot := p.box.W / float64(len(a.ticks))
	room := slot - t.size*0.4
	longest := 0.0
	for i := range a.ticks {
		longest = max(longest, t.width(a.ticks[i].label))
	}
	lines := 1
	// every so many: harmless where the labels count, a loss where they name
	step := int(math.Ceil((longest + t.size*0.8) / max(slot, 0.01)))
	skip := step <= 2+len(a.ticks)/4 && len(a.ticks) > 2*step && p.counting(a) || len(a.ticks) > 30 && len(a.ticks) > 7*step
	switch {
	case longest <= room:
	case p.wrapAll(a, t, room, &lines):
	case skip:
		for i := range a.ticks {
			a.ticks[i].hide = i%step != 0
		}
	case room >= t.size*4.5:
		for i := range a.ticks {
			wrapped := t.wrapCut(a.ticks[i].label, room, p.mostLines(t))
			a.ticks[i].label = strings.Join(wrapped, "\n")
			lines = max(lines, len(wrapped))
		}
	default:
		return p.turn(a, slot, rest)
	}
	p.horizontal.height = float64(lines)*t.line() + labelGap
	return p.horizontal.height
}

// mostLines is how many lines a label below may have.
func (p *plot) mostLines(t texts) int { return max(1, min(3, int(p.c.Height*0.2/t.line()))) }

// wrapAll breaks all labels into lines, or none.
func (p *plot) wrapAll(a *axis, t texts, room float64, most *int) bool {
	if room < t.size*2.2 {
		return false
	}
	allowed := p.mostLines(t)
	wrapped := make([]string, len(a.ticks))
	for i := range a.ticks {
		lines, ok := t.wrap(a.ticks[i].label, room, allowed)
		if !ok {
			return false
		}
		wrapped[i] = strings.Join(lines, "\n")
		*most = max(*most, len(lines))
	}
	for i := range a.ticks {
		a.ticks[i].label = wrapped[i]
	}
	return true
}

// turnedPitch is how far turned labels are apart, across their lines, in sizes.
const turnedPitch = 1.1

// tolerance is what computing with fractions adds.
const tolerance = 1e-9

// turnBy is by how many degrees labels of categories that are so far apart are
// turned: the less the better to read, and before any is left out all of them are
// smaller.
func (p *plot) turnBy(slot float64) float64 {
	for _, angle := range []float64{40, 60} {
		if slot*math.Sin(angle*math.Pi/180) >= p.st.LabelSize*turnedPitch {
			return angle
		}
	}
	angle := 60.0
	if slot*math.Sin(angle*math.Pi/180) < leastLabel*turnedPitch {
		angle = 90
	}
	if fits := slot * math.Sin(angle*math.Pi/180) / turnedPitch; fits >= leastLabel {
		p.st.LabelSize = min(p.st.LabelSize, fits)
		p.small = p.st.LabelSize
	}
	return angle
}

// turn writes the labels at an angle, shortened to less than half of the chart's
// height, as many as have room.
func (p *plot) turn(a *axis, slot float64, rest Rect) float64 {
	angle := p.turnBy(slot)
	t := p.st.labels()
	sin, cos := math.Sincos(angle * math.Pi / 180)
	room := (rest.H*0.45 - t.line()) / sin
	if room < t.size*2 { // too small for any
		for i := range a.ticks {
			a.ticks[i].hide = true
		}
		return labelGap
	}
	step := max(1, int(math.Ceil(t.size*turnedPitch/sin/max(slot, 0.01)-tolerance)))
	height, overhang := 0.0, 0.0
	for i := range a.ticks {
		k := &a.ticks[i]
		k.hide = i%step != 0
		k.label = t.fit(k.label, room)
		at := a.scale.at(k.v)
		overhang = max(overhang, t.width(k.label)*cos-(at-p.box.X)+1)
		// the text runs down to the left and must not leave the chart
		k.label = t.fit(k.label, max(0, (at-edge)/cos))
		if !k.hide {
			height = max(height, t.width(k.label)*sin)
		}
	}
	p.horizontal = labelLayout{height: height + t.line() + labelGap, turn: -angle, overhang: overhang}
	return p.horizontal.height
}
