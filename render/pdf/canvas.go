package pdf

// canvas is what has a content stream and marks of its own: a page, or a form
// that is drawn on one.
type canvas struct {
	page      int // object number of the page in the part
	form      int // object number of the form; 0 for a page itself
	content   []byte
	names     dict // XObject resources
	resources dict
	base      matrix
	marks     int        // how many it has
	box       [4]float64 // of the page
	// plain is a form that is drawn inside of a mark: what it shows belongs to it.
	plain  bool
	text   bool       // shows any text
	turned bool       // has text that is read from right to left
	area   [4]float64 // of a form: its box
	fonts  map[name]*font
	owners []*element // of the marks in the finished canvas
}

// mark is a marked run of a canvas, as the browser numbered it.
type mark struct {
	on    *canvas // nil until it is found there
	text  bool    // shows text
	ink   bool    // shows anything
	area  bounds
	owner *element
	page  int // object number in the document
	seq   int // position among the marks in reading order
	role  artifact
	now   []int // its numbers in the finished canvas
	shown []glyphs
	label []byte // the text, of links
}

// artifact is what content is that is not part of the text; none for content
// that is.
type artifact byte

const (
	notArtifact artifact = iota
	decoration
	pageHeader
	pageFooter
)

// begin is the operator that begins an artifact.
func (a artifact) begin() string {
	switch a {
	case pageHeader:
		return "/Artifact <</Type/Pagination/Subtype/Header>>BDC\n"
	case pageFooter:
		return "/Artifact <</Type/Pagination/Subtype/Footer>>BDC\n"
	}
	return "/Artifact BMC\n"
}

// maxForms bounds how deep forms are drawn in forms.
const maxForms = 12

// survey looks at what each mark of a canvas shows, and at the forms it draws.
func (t *tagger) survey(c *canvas, depth int) {
	s := &surveyor{t: t, c: c, depth: depth, ctm: c.base}
	scanContent(c.content, s.visit)
}

// surveyor follows the state of one content stream.
type surveyor struct {
	t     *tagger
	c     *canvas
	depth int
	ctm   matrix
	saved []matrix
	open  []*mark // by nesting; nil for what has no number
	said  said

	path     bounds
	line, tm matrix // of text
	origin   matrix // where the text object was put
	size     float64
	font     *font
}

func (s *surveyor) current() *mark {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i] != nil {
			return s.open[i]
		}
	}
	return nil
}

func (s *surveyor) visit(o *operator) {
	b := s.c.content
	switch o.effect() {
	case markBegin:
		m := s.t.mark(s.c.object(), o.markID(b))
		if m != nil {
			m.on = s.c
			s.c.marks++
		}
		s.open = append(s.open, m)
		s.said.begin(o, b)
		return
	case markEnd:
		if len(s.open) > 0 {
			s.open = s.open[:len(s.open)-1]
		}
		s.said.end()
		return
	case pathPaint:
		s.paint(s.path, false)
		s.path = bounds{}
		return
	case pathEnd:
		s.path = bounds{}
		return
	case showText:
		s.showText(o)
		return
	case paintOther:
		s.other(o)
		return
	}
	s.state(o)
}

// markKey is a number of a mark on the page or form of an object number.
type markKey struct{ object, id int }

// mark is the mark of a number; nil for -1.
func (t *tagger) mark(object, id int) *mark {
	if id < 0 {
		return nil
	}
	m := t.marks[markKey{object, id}]
	if m == nil {
		m = &mark{}
		t.marks[markKey{object, id}] = m
	}
	return m
}

// object is the number in the part of what has the content.
func (c *canvas) object() int {
	if c.form != 0 {
		return c.form
	}
	return c.page
}

func (s *surveyor) paint(area bounds, text bool) {
	if m := s.current(); m != nil {
		m.ink = true
		m.text = m.text || text
		m.area.join(area)
	}
}

// state follows what moves and what is drawn along.
func (s *surveyor) state(o *operator) {
	b := s.c.content
	var n [6]float64
	switch o.name {
	case "q":
		s.saved = append(s.saved, s.ctm)
	case "Q":
		if k := len(s.saved); k > 0 {
			s.ctm, s.saved = s.saved[k-1], s.saved[:k-1]
		}
	case "cm":
		if o.numbers(b, n[:]) {
			s.ctm = matrix(n).before(s.ctm)
		}
	case "m", "l":
		if o.numbers(b, n[:2]) {
			s.path.add(s.ctm, n[0], n[1])
		}
	case "c", "v", "y":
		if o.numbers(b, n[:4]) {
			s.path.add(s.ctm, n[0], n[1])
			s.path.add(s.ctm, n[2], n[3])
		}
		if o.name == "c" && o.numbers(b, n[:6]) {
			s.path.add(s.ctm, n[4], n[5])
		}
	case "re":
		if o.numbers(b, n[:4]) {
			s.path.add(s.ctm, n[0], n[1])
			s.path.add(s.ctm, n[0]+n[2], n[1]+n[3])
		}
	case "BT":
		s.said.started = false
		s.tm, s.line = identity(), identity()
	case "Tm":
		if o.numbers(b, n[:6]) {
			s.tm, s.line, s.origin = matrix(n), matrix(n), matrix(n)
		}
	case "Td", "TD":
		if o.numbers(b, n[:2]) {
			s.line = matrix{1, 0, 0, 1, n[0], n[1]}.before(s.line)
			s.tm = s.line
		}
	case "Tf":
		s.font = s.t.fontOf(s.c, o.nameAt(b, 0))
		if len(o.args) == 2 {
			s.size = parseNumber(b[o.args[1].start:o.args[1].end])
		}
	}
}

func (s *surveyor) showText(o *operator) {
	s.c.text = true
	m := s.current()
	if m == nil || len(o.args) == 0 {
		return
	}
	var area bounds
	at := s.tm.before(s.ctm)
	area.add(at, 0, -s.size/4)
	area.add(at, s.size, s.size)
	s.paint(area, true)
	if m.owner.isRead() {
		a := o.args[len(o.args)-1]
		m.label = s.font.appendText(m.label, s.c.content[a.start:a.end])
	}
	if s.c.turned {
		s.showGlyphs(m, at, o)
	}
}

// other is a picture or a form. A form that is drawn inside of a mark, or more
// than once, is a picture like others: its own marks count for nothing.
func (s *surveyor) other(o *operator) {
	m := s.current()
	var unit bounds
	unit.add(s.ctm, 0, 0)
	unit.add(s.ctm, 1, 1)
	r, f, ok := s.t.form(s.c, o)
	if !ok {
		s.paint(unit, false)
		return
	}
	inner := s.t.forms[r.num]
	if inner != nil {
		inner.plain = true
	} else {
		inner = s.t.newForm(s.c, r, f, s.ctm)
		if s.depth < maxForms {
			s.t.survey(inner, s.depth+1)
		}
		inner.plain = m != nil || inner.marks == 0
	}
	var area bounds
	area.add(inner.base, inner.area[0], inner.area[1])
	area.add(inner.base, inner.area[2], inner.area[3])
	s.paint(area, inner.text)
}
