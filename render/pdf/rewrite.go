package pdf

import (
	"bytes"
	"strconv"
)

// rewriter writes a content stream anew: what is tagged keeps its mark under a
// new number, everything else that shows becomes an artifact.
type rewriter struct {
	t    *tagger
	c    *canvas
	in   []byte
	out  []byte
	done int // bytes of in that are in out

	nest   []nesting // the marks that are open in the input
	want   *mark     // what the input has open
	marked []*mark
	open   bool     // a mark of ours is open
	has    *mark    // which; nil for an artifact
	kind   artifact // of the artifact
	inText bool     // the open mark was opened in the text object

	path  int // where the path began that is being built; -1 outside
	text  int // where the text object began; -1 outside
	shown bool
	apart bool // marks are opened and closed in the text object
	span  bool // a mark with a text of its own is open
}

// nesting says what becomes of a mark of the input.
type nesting byte

const (
	dropped  nesting = iota
	kept             // as it is
	numbered         // with a number of its own
)

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
		r.beginText(o)
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

// beginText begins a text object. Where some of its glyphs have a text that
// stands for them, marks are opened inside of it: a mark in a mark is read by few
// programs as it is meant.
func (r *rewriter) beginText(o *operator) {
	r.text, r.shown, r.apart = o.start, false, false
	end := bytes.Index(r.in[o.end:], []byte("\nET"))
	if end >= 0 && bytes.Contains(r.in[o.end:o.end+end], []byte("/ActualText")) {
		r.apart = true
		if r.open {
			r.copyTo(o.start)
			r.close()
		}
	}
}

// begin takes a mark of the input. One with a number is ours to write; a text
// that stands for some glyphs gets a number of its own or stays where it is.
func (r *rewriter) begin(o *operator) {
	id := o.markID(r.in)
	if id < 0 && o.name == "BDC" && len(o.args) > 1 {
		r.marked = append(r.marked, r.want)
		r.nest = append(r.nest, r.beginSpan(o))
		return
	}
	r.copyTo(o.start)
	r.done = o.end
	r.nest, r.marked = append(r.nest, dropped), append(r.marked, r.want)
	if id >= 0 {
		r.want = r.t.mark(r.c.object(), id)
	}
}

// beginSpan begins a mark that has no number.
func (r *rewriter) beginSpan(o *operator) nesting {
	properties := r.in[o.args[len(o.args)-1].start:o.args[len(o.args)-1].end]
	tagged := r.want != nil && r.want.role == notArtifact && r.want.owner != nil
	if !r.apart || !tagged || r.span || r.c.plain || !bytes.HasPrefix(properties, []byte("<<")) {
		r.ensureText(o)
		return kept
	}
	r.copyTo(o.start)
	if r.open {
		r.close()
	}
	r.out = append(r.out, "/Span<</MCID "...)
	r.out = strconv.AppendInt(r.out, int64(r.c.number(r.want)), 10)
	r.out = append(append(r.out, properties[2:]...), "BDC"...)
	r.done, r.span, r.shown = o.end, true, true
	return numbered
}

func (r *rewriter) end(o *operator) {
	k := len(r.nest) - 1
	if k < 0 || r.nest[k] == dropped {
		r.copyTo(o.start)
		r.done = o.end
	}
	if k < 0 {
		return
	}
	if r.nest[k] == numbered {
		r.copyTo(o.end)
		r.out = append(r.out, '\n')
		r.span = false
	}
	r.want = r.marked[k]
	r.nest, r.marked = r.nest[:k], r.marked[:k]
}

// ensureText sees to it that text is shown in the right mark, which is opened
// before the text object when nothing of it has been shown.
func (r *rewriter) ensureText(o *operator) {
	switch {
	case r.text >= 0 && !r.shown && r.done <= r.text && !r.apart:
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
	if r.c.plain || r.span {
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
