package pdf

import (
	"strconv"
	"strings"
)

// readTags reads the part's structure as elements, and takes their objects out
// of the copy.
func (t *tagger) readTags(p *part, catalog dict) error {
	at := catalog.get("StructTreeRoot")
	root, err := p.f.dict(at)
	if err != nil || root == nil {
		return err
	}
	p.skip(at)
	for _, key := range []name{"ParentTree", "IDTree"} {
		if err := p.walkTree(root.get(key), "Nums", func(any, any) {}); err != nil {
			return err
		}
		p.skip(root.get(key))
	}
	kids, err := p.list(root.get("K"))
	if err != nil {
		return err
	}
	t.top = &element{role: "Document"}
	for _, v := range kids {
		if err := t.readKid(p, t.top, v, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// maxTags bounds how deep elements are nested.
const maxTags = 400

func (t *tagger) readKid(p *part, above *element, v any, page, depth int) error {
	if depth > maxTags {
		return damaged("its structure is too deep")
	}
	if id, ok := v.(int); ok {
		t.readMark(above, page, 0, id)
		return nil
	}
	r, _ := v.(ref)
	if r.num > 0 && (r.num >= len(p.objs) || p.objs[r.num] == nil) {
		return nil // seen before
	}
	d, err := p.dict(v)
	if err != nil || d == nil {
		return err
	}
	p.skip(v)
	if pg, ok := d.get("Pg").(ref); ok {
		page = pg.num
	}
	switch d.name("Type") {
	case "MCR":
		id, _ := d.get("MCID").(int)
		form, _ := d.get("Stm").(ref)
		t.readMark(above, page, form.num, id)
		return nil
	case "OBJR":
		if obj, ok := d.get("Obj").(ref); ok {
			above.kids = append(above.kids, kid{annot: obj.num})
		}
		return nil
	}
	e := t.readElement(p, d)
	e.parent = above
	if e.lang == above.language() {
		e.lang = ""
	}
	above.kids = append(above.kids, kid{el: e})
	kids, err := p.list(d.get("K"))
	if err != nil {
		return err
	}
	for _, v := range kids {
		if err := t.readKid(p, e, v, page, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// dict resolves a value that should be a dictionary; what the part has read is
// not read again.
func (p *part) dict(v any) (dict, error) {
	if r, ok := v.(ref); ok && r.num > 0 && r.num < len(p.objs) {
		if d, ok := p.objs[r.num].(dict); ok {
			return d, nil
		}
	}
	return p.f.dict(v)
}

func (t *tagger) readElement(p *part, d dict) *element {
	e := &element{role: d.name("S")}
	e.alt, _ = d.get("Alt").(text)
	lang, _ := d.get("Lang").(text)
	e.lang = lang.String()
	if own, mark, ok := strings.Cut(e.lang, "-x-"); ok {
		mark, number, _ := strings.Cut(mark, "-")
		if e.lang, e.sign = own, signs()[mark]; own == "und" {
			e.lang = ""
		}
		if e.sign == inColumn {
			e.sign, e.cell = noSign, placeOf(number)
		}
	}
	p.attributes(e, d.get("A"), 0)
	return e
}

// placeOf reads what a sign says of a cell: its column, how many there are, and
// its row.
func placeOf(sign string) *cell {
	c := &cell{rows: 1, columns: 1}
	for i, part := range strings.SplitN(sign, "-", 3) {
		n, _ := strconv.ParseUint(part, 36, 16)
		switch i {
		case 0:
			c.at = int(n) + 1
		case 1:
			c.of = min(int(n), maxColumns)
		case 2:
			c.row = int(n)
		}
	}
	return c
}

// maxColumns bounds how wide a table is, as in the browser.
const maxColumns = 1000

// attributes reads those that are kept, of cells and lists.
func (p *part) attributes(e *element, v any, depth int) {
	v, err := p.f.resolve(v)
	if err != nil || depth > 2 {
		return
	}
	switch v := v.(type) {
	case array:
		for _, a := range v {
			p.attributes(e, a, depth+1)
		}
	case dict:
		if n := v.name("ListNumbering"); n != "" {
			e.list = n
		}
		if e.role != "TH" && e.role != "TD" {
			return
		}
		if e.cell == nil {
			e.cell = &cell{rows: 1, columns: 1}
		}
		if n, ok := v.get("RowSpan").(int); ok && n > 0 {
			e.cell.rows = min(n, 65534)
		}
		if n, ok := v.get("ColSpan").(int); ok && n > 0 {
			e.cell.columns = min(n, maxColumns)
		}
		if s := v.name("Scope"); s != "" {
			e.cell.scope = s
		}
	}
}

// readMark enters a mark of a page or a form under its element.
func (t *tagger) readMark(e *element, page, form, id int) {
	if form != 0 {
		page = form
	}
	m := t.mark(page, id)
	if m == nil || m.owner != nil {
		return
	}
	m.owner = e
	e.kids = append(e.kids, kid{mark: m})
}
