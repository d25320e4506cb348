package pdf

import (
	"fmt"
	"slices"
	"strings"
)

// place puts shaped elements under one that is in the document already. What
// goes on from the page before joins the last element of its kind.
func (t *tagger) place(above *element, kids []kid) {
	for _, k := range t.speak(above, captioned(kids)) {
		switch {
		case k.mark != nil:
			t.placeMark(above, k.mark)
			above.kids = append(above.kids, k)
		case k.el == nil:
			above.kids = append(above.kids, k)
		case k.el.role == "Note":
			t.hold(above, k)
		case !t.goesOn(above, k.el):
			t.release(above)
			t.placeElement(above, k)
		}
	}
}

// hold places a footnote, which is read after what goes on on the next page. ISO
// 14289-1, 7.9 asks for its ID.
func (t *tagger) hold(above *element, k kid) {
	k.el.id = fmt.Sprintf("n%07d", len(t.ids)+1)
	t.ids = append(t.ids, elementID{id: k.el.id, el: k.el})
	t.placeElement(above, k)
	above.kids = above.kids[:len(above.kids)-1]
	t.notes = append(t.notes, k)
}

// release gives the footnotes before it their places.
func (t *tagger) release(above *element) {
	if len(t.notes) > 0 && t.notes[0].el.parent == above {
		above.kids = append(above.kids, t.notes...)
		t.notes = nil
	}
}

// captioned puts captions into the figures and tables that they belong to; what
// is left of them are paragraphs.
func captioned(kids []kid) []kid {
	if !slices.ContainsFunc(kids, isCaption) {
		return kids
	}
	var out []kid
	for i, k := range kids {
		var of *element
		switch {
		case !isCaption(k):
		case k.el.sign == captionOfData && len(out) > 1:
			of = out[len(out)-2].el
		case k.el.sign == captionOfLast && len(out) > 0:
			of = out[len(out)-1].el
		case k.el.sign == captionOfNext && i+1 < len(kids):
			of = kids[i+1].el
		}
		switch {
		case !isCaption(k):
			out = append(out, k)
			continue
		case of == nil || !of.takesCaption():
			k.el.role = "P"
			out = append(out, k)
		case k.el.sign == captionOfNext:
			of.kids = append([]kid{k}, of.kids...)
		default:
			of.kids = append(of.kids, k)
		}
		k.el.sign = noSign
	}
	return out
}

func isCaption(k kid) bool {
	return k.el != nil && k.el.role == "Caption" && k.el.sign > continued
}

// takesCaption says whether an element is one that a caption may be part of and
// has none.
func (e *element) takesCaption() bool {
	if e == nil || e.role != "Figure" && e.role != "Table" {
		return false
	}
	return !slices.ContainsFunc(e.kids, func(k kid) bool { return k.el != nil && k.el.role == "Caption" })
}

func (t *tagger) placeMark(e *element, m *mark) {
	t.seq++
	m.owner, m.seq = e, t.seq
	m.page = t.p.ref(ref{num: m.on.page})
	if e.page == 0 {
		e.page = m.page
	}
}

func (t *tagger) placeElement(above *element, k kid) {
	e := k.el
	e.parent, e.num = above, t.m.w.alloc()
	above.kids = append(above.kids, k)
	switch e.role {
	case "H1", "H2", "H3", "H4", "H5", "H6":
		e.role = t.heading(int(e.role[1] - '0'))
	case "Table":
		e.grid = &grid{}
	case "TR":
		t.headRow(above, e)
	}
	own := e.kids
	e.kids = nil
	if e.said != "" {
		for _, k := range own {
			t.placeMark(e, k.mark)
		}
		e.kids = own
		return
	}
	t.place(e, own)
}

// heading is the role of a heading: a level that is skipped counts as one step.
func (t *tagger) heading(level int) name {
	for n := len(t.levels); n > 0 && t.levels[n-1] >= level; n-- {
		t.levels = t.levels[:n-1]
	}
	t.levels = append(t.levels, level)
	return name(fmt.Sprintf("H%d", len(t.levels)))
}

// goesOn joins an element to the one that it continues, if that is there.
func (t *tagger) goesOn(above, e *element) bool {
	if e.sign != continued || len(above.kids) == 0 {
		return false
	}
	last := above.kids[len(above.kids)-1].el
	if last == nil || last.role != e.role {
		return false
	}
	switch {
	case e.role == "TR":
		return t.joinRow(last, e)
	default:
		t.place(last, e.kids)
	}
	return true
}

// joinRow puts what goes on of a row into its cells, by their columns.
func (t *tagger) joinRow(row, more *element) bool {
	into := make([]*element, len(more.kids))
	for i, k := range more.kids {
		if into[i] = row.cellAt(k.el.cell.at); into[i] == nil && len(k.el.kids) > 0 {
			return false
		}
	}
	for i, k := range more.kids {
		if into[i] != nil {
			t.place(into[i], k.el.kids)
		}
	}
	return true
}

// cellAt is the cell of a row that stands in a column; nil when one from above
// takes it.
func (e *element) cellAt(column int) *element {
	for _, k := range e.kids {
		if c := k.el.cell; c.at <= column && column < c.at+c.columns {
			return k.el
		}
	}
	return nil
}

// headRow tells the cells of a row by which header cells they are headed, and
// gives header cells their names.
func (t *tagger) headRow(above, row *element) {
	table := above
	for table != nil && table.role != "Table" {
		table = table.parent
	}
	if table == nil {
		return
	}
	g := table.grid
	inHead := above.role == "THead"
	heading := inHead || isHeading(row)
	g.beginRow(heading)
	for _, c := range elements(row.kids) {
		at := g.take(c.cell)
		if c.role == "TH" {
			c.id = fmt.Sprintf("h%07d", len(t.ids)+1)
			t.ids = append(t.ids, elementID{id: c.id, el: c})
			g.register(c, at, inHead, heading)
		}
		t.setAttributes(c, g.headersOf(c, at))
	}
	if wrong := g.endRow(); wrong != "" {
		t.fail(t.pageOf(row), "%s", wrong)
	}
}

// pageOf is the page that an element begins on; 0 when nothing of it shows.
func (t *tagger) pageOf(e *element) (page int) {
	e.each(func(m *mark) {
		if page == 0 && m.on != nil {
			page = t.number[m.on.page]
		}
	})
	return page
}

// setAttributes gives a cell its attributes, which it shares with others.
func (t *tagger) setAttributes(c *element, headers []string) {
	d := dict{{"O", name("Table")}}
	if c.role == "TH" {
		d = append(d, entry{"Scope", c.cell.scope})
	}
	if c.cell.rows > 1 {
		d = append(d, entry{"RowSpan", c.cell.rows})
	}
	if c.cell.columns > 1 {
		d = append(d, entry{"ColSpan", c.cell.columns})
	}
	if len(headers) > 0 {
		list := make(array, len(headers))
		for i, h := range headers {
			list[i] = text(h)
		}
		d = append(d, entry{"Headers", list})
	}
	if len(d) == 1 {
		return
	}
	key := fmt.Sprint(c.cell.scope, c.cell.rows, c.cell.columns, strings.Join(headers, " "))
	num, known := t.shared[key]
	if !known {
		num = t.m.w.alloc()
		t.m.w.object(num, d, &appender{})
		t.shared[key] = num
	}
	c.attrs = num
}

// sealSpine writes all elements but those that may go on in the next part: the
// last one of each that may itself.
func (t *tagger) sealSpine(e *element) {
	var live []kid
	for i, k := range e.kids {
		if k.el != nil && (i == len(e.kids)-1 || e.role == "TR") {
			t.sealSpine(k.el)
			live = append(live, k)
			continue
		}
		t.entry(e, k)
	}
	e.kids = live
}

// entry writes a kid of an element and enters it into the element's list.
func (t *tagger) entry(e *element, k kid) {
	switch {
	case k.el != nil:
		if !k.el.sealed {
			t.write(k.el)
		}
		e.done = append(e.done, ref{num: k.el.num})
	case k.mark != nil:
		for _, id := range k.mark.now {
			e.done = append(e.done, t.markEntry(e, k.mark, id))
		}
	default:
		e.done = append(e.done, dict{{"Type", name("OBJR")}, {"Pg", ref{num: t.p.pageOf[k.annot]}}, {"Obj", ref{num: t.p.ref(ref{num: k.annot})}}})
	}
}

func (t *tagger) markEntry(e *element, m *mark, id int) any {
	if m.page == e.page && m.on.form == 0 {
		return id
	}
	d := dict{{"Type", name("MCR")}, {"Pg", ref{num: m.page}}}
	if m.on.form != 0 {
		d = append(d, entry{"Stm", ref{num: t.p.ref(ref{num: m.on.form})}})
	}
	return append(d, entry{"MCID", id})
}

// write writes an element and all below it.
func (t *tagger) write(e *element) {
	for _, k := range e.kids {
		t.entry(e, k)
	}
	e.kids = nil
	above := t.m.tags.root
	if e.parent != nil {
		above = e.parent.num
	}
	d := dict{{"S", e.role}, {"P", ref{num: above}}}
	if e.page != 0 {
		d = append(d, entry{"Pg", ref{num: e.page}})
	}
	switch len(e.done) {
	case 0:
	case 1:
		d = append(d, entry{"K", e.done[0]})
	default:
		d = append(d, entry{"K", e.done})
	}
	d = append(d, e.description()...)
	t.m.w.object(e.num, d, &appender{})
	e.done = nil
}

// description is what an element has besides its place.
func (e *element) description() (d dict) {
	switch {
	case e.isPicture():
		d = append(d, entry{"A", dict{{"O", name("Layout")}, {"Placement", name("Block")}, {"BBox", e.area.within(e.box)}}})
	case e.role == "L" && e.list != "":
		d = append(d, entry{"A", dict{{"O", name("List")}, {"ListNumbering", e.list}}})
	case e.attrs != 0:
		d = append(d, entry{"A", ref{num: e.attrs}})
	}
	if len(e.alt) > 0 {
		d = append(d, entry{"Alt", e.alt})
	}
	if e.said != "" {
		d = append(d, entry{"ActualText", textOf(e.said)})
	}
	if e.lang != "" {
		d = append(d, entry{"Lang", textOf(e.lang)})
	}
	if e.id != "" {
		d = append(d, entry{"ID", text(e.id)})
	}
	return d
}

// writeParents writes the part's leaf of the parent tree.
func (t *tagger) writeParents() {
	if len(t.parents) == 0 {
		return
	}
	leaf := t.m.w.alloc()
	t.m.w.object(leaf, dict{{"Limits", array{t.parents[0], t.parents[len(t.parents)-2]}}, {"Nums", t.parents}}, &appender{})
	t.m.tags.parents = append(t.m.tags.parents, ref{num: leaf})
	t.parents = nil
}

// finish writes what is left of the structure and enters it into the catalog.
func (t *tagger) finish(d dict) dict {
	if t.doc == nil {
		return d
	}
	m := t.m
	if m.lang != "" {
		t.doc.lang = m.lang
	} else {
		t.fail(0, "it has no language")
	}
	if m.o.Title == "" {
		t.fail(0, "it has no title")
	}
	for range m.o.Attached {
		t.fail(0, "pages of an attached PDF have no structure")
		break
	}
	t.release(t.doc)
	t.write(t.doc)
	root := dict{{"Type", name("StructTreeRoot")}, {"K", ref{num: t.doc.num}}, {"ParentTree", dict{{"Kids", m.tags.parents}}}, {"ParentTreeNextKey", m.tags.next}}
	if len(t.ids) > 0 {
		slices.SortFunc(t.ids, func(a, b elementID) int { return strings.Compare(a.id, b.id) })
		names := make(array, 0, 2*len(t.ids))
		for _, h := range t.ids {
			names = append(names, text(h.id), ref{num: h.el.num})
		}
		root = root.with("IDTree", dict{{"Names", names}})
	}
	m.w.object(m.tags.root, root, &appender{})
	return d.with("StructTreeRoot", ref{num: m.tags.root}).with("MarkInfo", dict{{"Marked", true}})
}
