package pdf

import (
	"fmt"
	"sort"
)

// tagger finishes what a screen reader needs. For each part it reads the
// browser's structure and the pages' content, brings both into the order that
// PDF/UA asks for, and writes them; what may go on in the next part waits.
type tagger struct {
	m      *merger
	doc    *element // the document; its kids are those that are not finished
	levels []int    // of the headings that the last one is under, and its own
	ids    []elementID
	notes  []kid // footnotes that wait for what goes on on the next page
	// unmet is what keeps the document from being PDF/UA.
	unmet []Unmet

	// Of the part that is being worked on:
	p        *part
	top      *element
	pages    map[int]*canvas // by object number
	order    []int           // their object numbers
	number   map[int]int     // the pages' numbers in the document, from 1
	forms    map[int]*canvas
	marks    map[markKey]*mark
	fonts    map[int]*font
	seq      int
	reversed bool             // some text is read from right to left
	shared   map[string]int   // attributes that several cells have
	annots   map[int]*element // the links that have them
	parents  array            // leaves of the parent tree
}

// elementID is the name of a header cell or a footnote.
type elementID struct {
	id string
	el *element
}

// Unmet is something that keeps a document from conforming to PDF/UA or PDF/A.
type Unmet struct {
	Page    int  // from 1; 0 for the document
	Picture bool // a picture lacks a description
	Message string
}

func (t *tagger) fail(page int, format string, args ...any) {
	const enough = 100
	if len(t.unmet) < enough {
		t.unmet = append(t.unmet, Unmet{Page: page, Message: fmt.Sprintf(format, args...)})
	}
}

// add tags a part whose pages are in the document.
func (t *tagger) add(p *part, catalog dict) error {
	t.p, t.top, t.reversed = p, nil, false
	t.pages, t.forms, t.order, t.number = map[int]*canvas{}, map[int]*canvas{}, nil, map[int]int{}
	t.marks, t.fonts, t.shared, t.annots = map[markKey]*mark{}, map[int]*font{}, map[string]int{}, map[int]*element{}
	if t.doc == nil {
		t.doc = &element{role: "Document", num: p.m.w.alloc()}
		p.m.tags.root, p.m.tags.doc = p.m.w.alloc(), t.doc.num
	}
	if err := t.readTags(p, catalog); err != nil {
		return err
	}
	if t.top == nil {
		t.top = &element{}
		t.fail(0, "the browser wrote no structure")
	}
	for i, num := range p.pages {
		if num != 0 {
			t.readPage(num, p.first+i)
		}
	}
	kids := append(t.blocks(t.top), t.looseLinks()...)
	for _, m := range t.marks {
		m.owner = nil
	}
	t.place(t.doc, kids)
	t.paintAll()
	t.finishLinks()
	t.fixFonts()
	t.sealSpine(t.doc)
	for _, k := range t.notes {
		if !k.el.sealed {
			t.write(k.el)
			k.el.sealed = true
		}
	}
	t.writeParents()
	t.top, t.pages, t.forms, t.marks = nil, nil, nil, nil
	return p.m.w.err
}

// readPage makes the canvas of a page and looks at it.
func (t *tagger) readPage(num, number int) {
	page, _ := t.p.objs[num].(dict)
	content, err := t.p.content(page.get("Contents"))
	if err != nil {
		t.fail(number, "its content cannot be read: %v", err)
		return
	}
	resources, _ := t.p.f.dict(page.get("Resources"))
	c := &canvas{page: num, content: content, base: identity(), resources: resources}
	c.names, _ = t.p.f.dict(resources.get("XObject"))
	c.box = t.p.rectangle(page.get("MediaBox"), defaultBox)
	c.turned = turns(content)
	t.reversed = t.reversed || c.turned
	t.pages[num] = c
	t.order = append(t.order, num)
	t.number[num] = number
	t.survey(c, 0)
}

// content is what a page shows, its streams joined.
func (p *part) content(v any) ([]byte, error) {
	if r, ok := v.(ref); ok && r.num >= len(p.f.xref) && r.num < len(p.objs) {
		v = p.objs[r.num] // written anew
	}
	v, err := p.f.resolve(v)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case stream:
		return v.decode()
	case array:
		var all []byte
		for _, e := range v {
			b, err := p.content(e)
			if err != nil {
				return nil, err
			}
			all = append(append(all, b...), '\n')
		}
		return all, nil
	}
	return nil, nil
}

// form finds the form that Do draws.
func (t *tagger) form(c *canvas, o *operator) (ref, stream, bool) {
	if o.name != "Do" {
		return ref{}, stream{}, false
	}
	r, ok := c.names.get(o.nameAt(c.content, 0)).(ref)
	if !ok || r.num <= 0 || r.num >= len(t.p.objs) {
		return ref{}, stream{}, false
	}
	f, ok := t.p.objs[r.num].(stream)
	return r, f, ok && f.dict.name("Subtype") == "Form"
}

func (t *tagger) newForm(on *canvas, r ref, f stream, ctm matrix) *canvas {
	content, err := f.decode()
	if err != nil {
		t.fail(t.number[on.page], "a form cannot be read: %v", err)
	}
	resources, _ := t.p.f.dict(f.dict.get("Resources"))
	c := &canvas{page: on.page, form: r.num, content: content, base: ctm, box: on.box, resources: resources}
	c.names, _ = t.p.f.dict(resources.get("XObject"))
	if c.names == nil && f.dict.get("Resources") == nil {
		c.names, c.resources = on.names, on.resources
	}
	c.turned = turns(content)
	t.reversed = t.reversed || c.turned
	if a, _ := t.p.f.array(f.dict.get("Matrix")); len(a) == 6 {
		var own matrix
		for i := range own {
			own[i] = number(a[i])
		}
		c.base = own.before(ctm)
	}
	c.area = t.p.rectangle(f.dict.get("BBox"), [4]float64{})
	t.forms[r.num] = c
	return c
}

// paintAll writes the pages and forms of the part with their new marks.
func (t *tagger) paintAll() {
	for _, num := range t.order {
		page := t.p.objs[num].(dict)
		t.dropContent(page.get("Contents"))
	}
	for _, num := range t.order {
		page := t.p.objs[num].(dict).without("StructParents", "Tabs", "Contents")
		content, key := t.paint(t.pages[num])
		t.p.objs = append(t.p.objs, stream{dict{{"Filter", name("FlateDecode")}}, content})
		t.p.nums = append(t.p.nums, 0)
		page = page.with("Contents", ref{num: len(t.p.objs) - 1}).with("Tabs", name("S"))
		if key >= 0 {
			page = page.with("StructParents", key)
		}
		t.p.objs[num] = page
	}
	for _, num := range sortedKeys(t.forms) {
		f := t.p.objs[num].(stream)
		content, key := t.paint(t.forms[num])
		f.dict = f.dict.without("StructParents", "Filter", "DecodeParms").with("Filter", name("FlateDecode"))
		if key >= 0 {
			f.dict = f.dict.with("StructParents", key)
		}
		t.p.objs[num] = stream{f.dict, content}
	}
}

// paint packs the content of a canvas with its new marks. The key is that of
// its elements in the parent tree, or -1.
func (t *tagger) paint(c *canvas) (packed []byte, key int) {
	if spells(c.content) {
		c.content = t.clusters(c)
	}
	packed = append(packed, t.m.w.deflate(t.rewrite(c))...)
	c.content = nil
	if len(c.owners) == 0 {
		return packed, -1
	}
	list := make(array, len(c.owners))
	for i, e := range c.owners {
		list[i] = ref{num: e.num}
	}
	return packed, t.key(list)
}

// key gives something its place in the parent tree.
func (t *tagger) key(owners any) int {
	key := t.m.tags.next
	t.m.tags.next++
	t.parents = append(t.parents, key, owners)
	return key
}

// dropContent leaves the old content of a page out of the copy.
func (t *tagger) dropContent(v any) {
	if r, ok := v.(ref); ok && r.num > 0 && r.num < len(t.p.objs) {
		if a, ok := t.p.objs[r.num].(array); ok {
			t.dropContent(a)
		}
		t.p.objs[r.num] = nil
	}
	a, _ := v.(array)
	for _, e := range a {
		t.dropContent(e)
	}
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	return keys
}
