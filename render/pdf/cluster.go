package pdf

import "strconv"

// A letter of Arabic may be several glyphs of which the browser shows the dots
// first. Programs that measure a letter from its first glyph to the end of its last
// then see gaps, and read blanks in the midst of words. Clusters shows the base of
// a letter first and its dots after it, where they were, and has the last of them
// end where the base does.

// clusters is a content with the glyphs of letters in order.
func (t *tagger) clusters(c *canvas) []byte {
	s := &clusterer{t: t, c: c, in: c.content}
	scanContent(c.content, s.visit)
	if s.done == 0 {
		return c.content
	}
	return append(s.out, s.in[s.done:]...)
}

type clusterer struct {
	t    *tagger
	c    *canvas
	in   []byte
	out  []byte
	done int

	font  *font
	size  float64
	open  bool       // a letter that may be put in order
	start int        // of its first move
	pen   [2]float64 // where the last move led
	ahead float64    // how far glyphs went from there
	shown []glyph
}

// glyph is one of a letter, with its place from where the letter began.
type glyph struct {
	at    [2]float64
	code  string
	width float64
}

func (s *clusterer) visit(o *operator) {
	switch o.name {
	case "Tf":
		s.font, s.size = s.t.fontOf(s.c, o.nameAt(s.in, 0)), 0
		if len(o.args) == 2 {
			s.size = parseNumber(s.in[o.args[1].start:o.args[1].end])
		}
		s.open = s.open && len(s.shown) == 0 && s.start < 0
	case "Tm":
		s.open = s.open && len(s.shown) == 0 && s.start < 0
	case "Td":
		s.move(o)
	case "Tj":
		s.show(o)
	case "BDC":
		_, ok := o.actualText(s.in)
		s.open, s.start, s.pen, s.ahead, s.shown = ok && !s.open, -1, [2]float64{}, 0, s.shown[:0]
	case "EMC":
		if s.open && len(s.shown) > 1 {
			s.order(o.start)
		}
		s.open = false
	default:
		s.open = false
	}
}

func (s *clusterer) move(o *operator) {
	var n [2]float64
	if !o.numbers(s.in, n[:]) {
		s.open = false
		return
	}
	if s.start < 0 {
		s.start = o.start
	}
	s.pen[0], s.pen[1], s.ahead = s.pen[0]+n[0], s.pen[1]+n[1], 0
}

// show takes a glyph: a code of two bytes, as fonts have them that the browser
// writes.
func (s *clusterer) show(o *operator) {
	if s.start < 0 {
		s.start = o.start
	}
	var code string
	if len(o.args) == 1 {
		code = string(s.in[o.args[0].start:o.args[0].end])
	}
	if s.font == nil || !s.font.wide || len(code) != 6 || code[0] != '<' {
		s.open = false
		return
	}
	n, err := strconv.ParseUint(code[1:5], 16, 16)
	s.open = s.open && err == nil
	width := s.font.width(int(n)) * s.size / 1000
	s.shown = append(s.shown, glyph{[2]float64{s.pen[0] + s.ahead, s.pen[1]}, code, width})
	s.ahead += width
}

// order writes the letter anew when a glyph without width comes first.
func (s *clusterer) order(end int) {
	var bases, dots []glyph
	for _, g := range s.shown {
		if g.width == 0 {
			dots = append(dots, g)
		} else {
			bases = append(bases, g)
		}
	}
	if len(bases) == 0 || len(dots) == 0 {
		return
	}
	right := bases[0].at[0]
	for _, g := range bases {
		right = max(right, g.at[0]+g.width)
	}
	s.out = append(s.out, s.in[s.done:s.start]...)
	var at [2]float64
	if bases[0].at != at {
		s.moveTo(&at, bases[0].at)
	}
	for i, g := range append(bases, dots[:len(dots)-1]...) {
		if i > 0 {
			s.moveTo(&at, g.at)
		}
		s.out = append(append(s.out, g.code...), " Tj\n"...)
	}
	// The spacing of the last glyph is what lets it end with the base.
	last := dots[len(dots)-1]
	s.moveTo(&at, last.at)
	s.out = append(appendNumber(s.out, right-last.at[0]), " Tc "...)
	s.out = append(append(s.out, last.code...), " Tj 0 Tc\n"...)
	s.moveTo(&at, s.pen)
	if s.ahead != 0 { // the next glyph may stand where the last one ended
		s.out = append(appendNumber(append(s.out, '['), -s.ahead*1000/s.size), "] TJ "...)
	}
	s.done = end
}

// moveTo moves to a place, if only back from where a glyph led.
func (s *clusterer) moveTo(at *[2]float64, to [2]float64) {
	s.out = append(appendNumber(s.out, to[0]-at[0]), ' ')
	s.out = append(appendNumber(s.out, to[1]-at[1]), " Td "...)
	*at = to
}

// appendNumber writes a number as exactly as the browser does.
func appendNumber(b []byte, n float64) []byte { return strconv.AppendFloat(b, n, 'f', 8, 64) }
