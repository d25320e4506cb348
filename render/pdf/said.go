package pdf

import "bytes"

// said follows the marks of a content stream that tell of text: those around
// glyphs in reverse order, and those that have the text of their glyphs.
type said struct {
	nest     []saying
	reversed int // how many marks around reversed glyphs are open
	text     *string
	used     bool // the text of the open mark has been taken
	started  bool // the text object has shown something
}

// saying is what a mark tells.
type saying byte

const (
	saysNothing saying = iota
	saysReversed
	saysText
)

// turns says whether a content has glyphs in reverse order.
func turns(content []byte) bool { return bytes.Contains(content, []byte("/ReversedChars")) }

func (s *said) begin(o *operator, b []byte) {
	kind := saysNothing
	switch {
	case o.name == "BMC" && o.nameAt(b, 0) == "ReversedChars":
		kind = saysReversed
		s.reversed++
	case s.text == nil:
		if value, ok := o.actualText(b); ok {
			kind, s.text, s.used = saysText, &value, false
		}
	}
	s.nest = append(s.nest, kind)
}

func (s *said) end() {
	n := len(s.nest) - 1
	if n < 0 {
		return
	}
	switch s.nest[n] {
	case saysReversed:
		s.reversed--
	case saysText:
		s.text = nil
	}
	s.nest = s.nest[:n]
}

// actualText is the text that a mark says of its glyphs.
func (o *operator) actualText(b []byte) (string, bool) {
	if o.name != "BDC" || len(o.args) < 2 || !bytes.Contains(b[o.args[1].start:o.args[1].end], []byte("ActualText")) {
		return "", false
	}
	v, err := (&lexer{b: b[:o.args[1].end], i: o.args[1].start}).value()
	d, _ := v.(dict)
	t, ok := d.get("ActualText").(text)
	return t.String(), ok && err == nil
}

// showGlyphs keeps what an operator shows for the text that is said.
func (s *surveyor) showGlyphs(m *mark, at matrix, o *operator) {
	last := len(m.shown) - 1
	if !s.said.started || last < 0 || m.shown[last].reversed != (s.said.reversed > 0) {
		s.said.started = true
		origin := s.origin.before(s.ctm)
		m.shown = append(m.shown, glyphs{x: at[4], origin: [2]float64{origin[4], origin[5]}, size: s.size * at.scale(), reversed: s.said.reversed > 0})
		last++
	}
	g := &m.shown[last]
	g.x = min(g.x, at[4])
	if s.said.text != nil {
		if !s.said.used {
			g.pieces = append(g.pieces, *s.said.text)
			s.said.used = true
		}
		return
	}
	a := o.args[len(o.args)-1]
	s.font.eachText(s.c.content[a.start:a.end], func(piece string) { g.pieces = append(g.pieces, piece) })
}
