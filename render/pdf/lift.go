package pdf

import "bytes"

// lifter takes what the browser drew in the places of fields out of the content of a
// page: of lines of text the text objects, of boxes to tick the mark too. Each is kept
// with the state that it was drawn in.
type lifter struct {
	s      surveyor // follows the matrices
	places []*widget
	out    []byte
	done   int // bytes of the content that are in out

	set   []setting // what colours and lines are drawn with
	saved [][]setting
	path  int     // where the path began that is being built; -1 outside
	text  int     // where the text object began; -1 outside
	over  *widget // in whose place the text object stands
}

// setting is the last operator of its kind.
type setting struct {
	kind string
	op   []byte
}

func (l *lifter) lift() []byte {
	l.path, l.text = -1, -1
	scanContent(l.s.c.content, l.visit)
	return append(l.out, l.s.c.content[l.done:]...)
}

func (l *lifter) visit(o *operator) {
	switch o.effect() {
	case pathBegin:
		if l.path < 0 {
			l.path = o.start
		}
	case pathPaint:
		if w := l.around(l.s.path, -slack); w != nil && w.isBox() && l.path >= 0 {
			l.take(w, l.path, o.end)
		}
		l.path, l.s.path = -1, bounds{}
		return
	case pathEnd:
		l.path, l.s.path = -1, bounds{}
		return
	case textBegin:
		l.text, l.over = o.start, nil
	case showText:
		if l.over == nil {
			var at bounds
			at.add(l.s.tm.before(l.s.ctm), 0, l.s.size/4)
			l.over = l.around(at, slack)
		}
		return
	case textEnd:
		if l.over != nil && l.text >= 0 {
			l.take(l.over, l.text, o.end)
		}
		l.text = -1
		return
	}
	switch o.name {
	case "q":
		l.saved = append(l.saved, append([]setting(nil), l.set...))
	case "Q":
		if k := len(l.saved); k > 0 {
			l.set, l.saved = l.saved[k-1], l.saved[:k-1]
		}
	case "gs", "rg", "RG", "g", "G", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "w", "J", "j", "M", "d":
		l.remember(o)
	}
	l.s.state(o)
}

// remember keeps an operator in the place of the last of its kind; colours of one
// operator take the place of those of another.
func (l *lifter) remember(o *operator) {
	kind := o.name
	switch kind {
	case "rg", "g", "k":
		kind = "fill"
	case "RG", "G", "K":
		kind = "stroke"
	}
	for i := range l.set {
		if l.set[i].kind == kind {
			l.set = append(l.set[:i:i], l.set[i+1:]...)
			break
		}
	}
	l.set = append(l.set, setting{kind, l.s.c.content[o.start:o.end]})
}

// slack is by how much places are not where they are drawn, in points: the browser
// rounds them to pixels.
const slack = 0.5

// around is the place that something is drawn in; nil for none.
func (l *lifter) around(drawn bounds, slack float64) *widget {
	for _, w := range l.places {
		if drawn.some && drawn.x0 >= w.rect[0]-slack && drawn.x1 <= w.rect[2]+slack && drawn.y0 >= w.rect[1]-slack && drawn.y1 <= w.rect[3]+slack {
			return w
		}
	}
	return nil
}

// take moves a piece of the content into the look of a place.
func (l *lifter) take(w *widget, start, end int) {
	b := l.s.c.content
	l.out = append(l.out, b[l.done:start]...)
	l.done = end
	w.look = l.s.ctm.appendTo(append(w.look, "q\n"...))
	for _, s := range l.set {
		w.look = append(append(w.look, s.op...), '\n')
	}
	w.look = append(append(w.look, bytes.TrimSpace(b[start:end])...), "\nQ\n"...)
}

// appendTo writes the matrix as an operator.
func (m matrix) appendTo(b []byte) []byte {
	for _, v := range m {
		b = append(appendFloat(b, v), ' ')
	}
	return append(b, "cm\n"...)
}
