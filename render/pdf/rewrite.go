package pdf

import "strconv"

// rewriter writes a content stream anew: what is tagged keeps its mark under a
// new number, everything else that shows becomes an artifact.
type rewriter struct {
	t    *tagger
	c    *canvas
	in   []byte
	out  []byte
	done int // bytes of in that are in out

	nest   []bool // of the marks that are open in the input: whether they are kept as they are
	want   *mark  // what the input has open
	marked []*mark
	open   bool     // a mark of ours is open
	has    *mark    // which; nil for an artifact
	kind   artifact // of the artifact
	inText bool     // the open mark was opened in the text object

	path  int // where the path began that is being built; -1 outside
	text  int // where the text object began; -1 outside
	shown bool
}

// rewrite is the canvas's content with marks in order.
func (t *tagger) rewrite(c *canvas) []byte {
	r := &rewriter{t: t, c: c, in: c.content, path: -1, text: -1}
	r.out = make([]byte, 0, len(c.content)+len(c.content)/16+64)
	scanContent(c.content, r.visit)
	r.copyTo(len(r.in))
	if r.open {
		r.out = append(r.out, "\nEMC"...)
	}
	return r.out
}

func (r *rewriter) copyTo(end int) {
	if end > r.done {
		r.out = append(r.out, r.in[r.done:end]...)
		r.done = end
	}
}

func (r *rewriter) visit(o *operator) {
	switch o.effect() {
	case pathBegin:
		if r.path < 0 {
			r.path = o.start
		}
	case pathPaint:
		r.ensure(max(r.path, 0))
		r.path = -1
	case pathEnd:
		r.path = -1
	case textBegin:
		r.text, r.shown = o.start, false
	case textEnd:
		if r.open && r.inText {
			r.copyTo(o.start)
			r.close()
		}
		r.text = -1
	case showText:
		r.ensureText(o)
	case paintOther:
		r.other(o)
	case markBegin:
		r.begin(o)
	case markEnd:
		r.end(o)
	}
}

// begin takes a mark of the input. One with a number is ours to write; others,
// such as the text that stands for some glyphs, stay where they are.
func (r *rewriter) begin(o *operator) {
	id := o.markID(r.in)
	if id < 0 && o.name == "BDC" {
		r.ensureText(o)
		r.nest, r.marked = append(r.nest, true), append(r.marked, r.want)
		return
	}
	r.copyTo(o.start)
	r.done = o.end
	r.nest, r.marked = append(r.nest, false), append(r.marked, r.want)
	if id >= 0 {
		r.want = r.t.mark(r.c.object(), id)
	}
}

func (r *rewriter) end(o *operator) {
	k := len(r.nest) - 1
	if k < 0 || !r.nest[k] {
		r.copyTo(o.start)
		r.done = o.end
	}
	if k >= 0 {
		r.want = r.marked[k]
		r.nest, r.marked = r.nest[:k], r.marked[:k]
	}
}

// ensureText sees to it that text is shown in the right mark, which is opened
// before the text object when nothing of it has been shown.
func (r *rewriter) ensureText(o *operator) {
	switch {
	case r.text >= 0 && !r.shown && r.done <= r.text:
		r.ensure(r.text)
	default:
		r.ensure(o.start)
	}
	r.shown = true
}

// other sees to pictures and to forms, of which some have marks of their own.
func (r *rewriter) other(o *operator) {
	if f, _, ok := r.t.form(r.c, o); ok {
		if inner := r.t.forms[f.num]; inner != nil && !inner.plain {
			if r.open {
				r.copyTo(o.start)
				r.close()
			}
			return
		}
	}
	r.ensure(o.start)
}

// ensure sees to it that the mark which is wanted is open at a place.
func (r *rewriter) ensure(at int) {
	if r.c.plain {
		return
	}
	want, kind := r.want, decoration
	if want != nil && want.role != notArtifact {
		want, kind = nil, want.role
	}
	if want != nil && want.owner == nil {
		want = nil
	}
	if r.open && (r.has == want && (want != nil || r.kind == kind) || r.continues(want)) {
		return
	}
	r.copyTo(at)
	if r.open {
		r.close()
	}
	r.open, r.has, r.kind, r.inText = true, want, kind, r.text >= 0 && r.done > r.text
	if want == nil {
		r.out = append(r.out, kind.begin()...)
		return
	}
	id := r.c.number(want)
	r.out = appendName(r.out, want.owner.role)
	r.out = append(r.out, "<</MCID "...)
	r.out = strconv.AppendInt(r.out, int64(id), 10)
	r.out = append(r.out, ">>BDC\n"...)
}

// continues says whether a mark can be joined to the one before it, because
// the same element has both and nothing in between.
func (r *rewriter) continues(want *mark) bool {
	if want == nil || r.has == nil || len(want.now) > 0 || r.has.owner != want.owner || r.has.seq+1 != want.seq {
		return false
	}
	r.has = want
	return true
}

func (r *rewriter) close() {
	r.out = append(r.out, "EMC\n"...)
	r.open, r.has, r.inText = false, nil, false
}

// number gives a mark its next number on the canvas.
func (c *canvas) number(m *mark) int {
	id := len(c.owners)
	c.owners = append(c.owners, m.owner)
	m.now = append(m.now, id)
	return id
}
