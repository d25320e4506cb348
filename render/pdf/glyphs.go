package pdf

import (
	"bytes"
	"slices"
)

// A font has no glyph for a character that it does not know: glyph 0 stands in
// its place, the box that says so. What the browser says of such a box as text is
// all that is left of it.

// Missing is text that no font had glyphs for.
type Missing struct {
	Page int    // from 1
	Text string // empty when it is not known
}

// mostMissing bounds what is told.
const mostMissing = 2_000

// letters looks at the text of the pages: whether it has all its glyphs, and,
// unless the pages are written anew anyway, that letters of several glyphs are
// read as they are written.
func (p *part) letters() {
	if !p.m.o.Glyphs {
		return
	}
	t := &tagger{m: p.m, p: p, fonts: map[int]*font{}, forms: map[int]*canvas{}}
	ordered := map[int][]byte{}
	for i, num := range p.pages {
		if num == 0 {
			continue // another stands for it
		}
		page, _ := p.objs[num].(dict)
		content, err := p.content(page.get("Contents"))
		if err != nil {
			continue
		}
		c := &canvas{page: num, content: content}
		c.resources, _ = p.f.dict(page.get("Resources"))
		c.names, _ = p.f.dict(c.resources.get("XObject"))
		(&glyphFinder{t: t, c: c, page: p.first + i}).look()
		if p.m.tagger == nil && spells(content) {
			if after := t.clusters(c); !bytes.Equal(after, content) {
				ordered[num] = bytes.Clone(p.m.w.deflate(after))
			}
		}
	}
	t.setContents(ordered)
}

// setContents gives pages, by their numbers, other contents, which are deflated.
func (t *tagger) setContents(contents map[int][]byte) {
	p := t.p
	for num := range contents {
		t.dropContent(p.objs[num].(dict).get("Contents"))
	}
	for _, num := range sortedKeys(contents) {
		p.objs = append(p.objs, stream{dict{{"Filter", name("FlateDecode")}}, contents[num]})
		p.nums = append(p.nums, 0)
		p.objs[num] = p.objs[num].(dict).with("Contents", ref{num: len(p.objs) - 1})
	}
}

// spells says whether a content says the text of any of its glyphs.
func spells(content []byte) bool { return bytes.Contains(content, []byte("ActualText")) }

// glyphFinder follows the text of a content stream and of the forms in it.
type glyphFinder struct {
	t     *tagger
	c     *canvas
	page  int
	depth int
	said  said
	font  *font
}

func (g *glyphFinder) look() {
	if zero := []byte("00"); bytes.Contains(g.c.content, zero) || len(g.c.names) > 0 {
		scanContent(g.c.content, g.visit)
	}
}

func (g *glyphFinder) visit(o *operator) {
	switch o.effect() {
	case markBegin:
		g.said.begin(o, g.c.content)
	case markEnd:
		g.said.end()
	case showText:
		if len(o.args) > 0 && g.font.showsNothing(o.operand(g.c.content)) {
			g.note()
		}
	case paintOther:
		if r, f, ok := g.t.form(g.c, o); ok && g.depth < maxForms {
			form := *g
			form.c, form.depth = g.t.newForm(g.c, r, f, identity()), g.depth+1
			form.look()
		}
	case noEffect:
		if o.name == "Tf" {
			g.font = g.t.fontOf(g.c, o.nameAt(g.c.content, 0))
		}
	}
}

func (g *glyphFinder) note() {
	found := Missing{Page: g.page}
	if g.said.text != nil {
		found.Text = *g.said.text
	}
	if m := g.t.m; len(m.missing) < mostMissing && !slices.Contains(m.missing, found) {
		m.missing = append(m.missing, found)
	}
}

// operand is the last one of an operator.
func (o *operator) operand(content []byte) []byte {
	a := o.args[len(o.args)-1]
	return content[a.start:a.end]
}

// showsNothing says whether a shown string or array of strings has glyph 0.
func (f *font) showsNothing(operand []byte) bool {
	found := false
	f.eachCode(operand, func(code int) { found = found || code == 0 })
	return found
}
