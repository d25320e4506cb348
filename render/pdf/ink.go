package pdf

import (
	"math"
	"strconv"
	"strings"
)

// inked is a content with its colours as they are printed: those of inks, greys with
// black alone, and the others as they were.
func (m *merger) inked(content []byte) []byte {
	c := &colorist{inks: m.o.Press.Inks, used: m.used, in: content, out: make([]byte, 0, len(content)+len(content)/16), now: chosen{-1, -1}}
	scanContent(content, c.visit)
	return append(c.out, content[c.done:]...)
}

// colorist writes the colours of a content anew.
type colorist struct {
	inks []Ink
	used map[int]bool // the inks that anything is printed with
	in   []byte
	out  []byte
	done int // bytes of in that are in out

	now   chosen
	saved []chosen
}

// chosen are the places of the inks that areas and lines are painted with; -1 for none.
type chosen struct{ fill, line int }

func (c *colorist) visit(o *operator) {
	switch o.effect() {
	case pathPaint, showText:
		c.used[c.now.fill], c.used[c.now.line] = true, true
	}
	switch o.name {
	case "q":
		c.saved = append(c.saved, c.now)
	case "Q":
		if k := len(c.saved); k > 0 {
			c.now, c.saved = c.saved[k-1], c.saved[:k-1]
		}
	case "cs", "CS", "g", "G", "k", "K":
		c.choose(strings.ToUpper(o.name) == o.name, -1)
	case "rg", "RG":
		c.color(o)
	}
}

// choose notes the ink of lines or of areas.
func (c *colorist) choose(line bool, place int) {
	if line {
		c.now.line = place
	} else {
		c.now.fill = place
	}
}

// color writes the colour that an operator chooses as its ink.
func (c *colorist) color(o *operator) {
	var rgb [3]float64
	if !o.numbers(c.in, rgb[:]) {
		return
	}
	stroke := o.name == "RG"
	var b []byte
	i := c.ink(rgb)
	c.choose(stroke, i)
	switch {
	case i >= 0:
		b = c.inks[i].appendTo(b, i, stroke)
	case rgb[0] == rgb[1] && rgb[1] == rgb[2]:
		b = append(appendFloat(b, rgb[0]), operatorFor(" g", " G", stroke)...)
	default:
		return
	}
	c.out = append(append(c.out, c.in[c.done:o.start]...), b...)
	c.done = o.end
}

// ink is the place of the ink of a colour; -1 for a colour without one.
func (c *colorist) ink(rgb [3]float64) int {
	for i, ink := range c.inks {
		same := true
		for k, v := range rgb {
			same = same && math.Round(v*255) == float64(ink.Color[k])
		}
		if same {
			return i
		}
	}
	return -1
}

// appendTo writes the operators that choose an ink, the one of that place among all.
func (ink *Ink) appendTo(b []byte, place int, stroke bool) []byte {
	if ink.Spot != "" {
		b = strconv.AppendInt(append(b, "/"+inkName...), int64(place), 10)
		return append(b, operatorFor(" cs 1 scn", " CS 1 SCN", stroke)...)
	}
	for _, share := range ink.CMYK {
		b = append(appendFloat(b, share), ' ')
	}
	return append(b, operatorFor("k", "K", stroke)...)
}

func operatorFor(fill, line string, stroke bool) string {
	if stroke {
		return line
	}
	return fill
}
