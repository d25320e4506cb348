package pdf

import "strconv"

// inherited are the entries that a page may leave to the nodes above it.
func inherited() []name { return []name{"Resources", "MediaBox", "CropBox", "Rotate"} }

// pageTree puts the pages of the part under one node of the document, in order.
func (p *part) pageTree(root any) error {
	var kids array
	p.first = len(p.m.pages) + 1
	err := p.walkPages(root, nil, 0, func(num int, page dict) {
		if other, ok := p.m.replaced[len(p.m.pages)+1]; ok {
			p.objs[num] = nil
			p.pages = append(p.pages, 0)
			kids = append(kids, ref{num: other.node})
			p.m.pages = append(p.m.pages, other.page)
			p.m.w.object(other.node, dict{{"Type", name("Pages")}, {"Parent", ref{num: p.node}}, {"Count", 1}, {"Kids", array{ref{num: other.page.num}}}}, &appender{})
			return
		}
		page = p.cut(page)
		top, height := p.box(page)
		page = p.trimmed(page)
		p.objs[num] = page.without("Parent").with("Parent", placed{p.node})
		to := p.ref(ref{num: num})
		p.pages = append(p.pages, num)
		kids = append(kids, ref{num: to})
		bleed := p.m.o.bleed()
		p.m.pages = append(p.m.pages, pageInfo{num: to, top: top - bleed, height: height - 2*bleed, left: bleed})
	})
	if err != nil {
		return err
	}
	node := dict{{"Type", name("Pages")}, {"Parent", ref{num: p.m.root}}, {"Count", len(kids)}, {"Kids", kids}}
	p.m.w.object(p.node, node, &appender{})
	return nil
}

// placed is a number of the document in the midst of values of a part.
type placed struct{ num int }

// walkPages visits the pages below a node, with what they inherit filled in.
// Nodes are taken out of the copy.
func (p *part) walkPages(v any, above dict, depth int, visit func(num int, page dict)) error {
	r, ok := v.(ref)
	if !ok || depth > maxDepth || r.num <= 0 || r.num >= len(p.objs) {
		return damaged("its pages are in disorder")
	}
	d, ok := p.objs[r.num].(dict)
	if !ok {
		return damaged("its pages are in disorder")
	}
	for _, key := range inherited() {
		if d.get(key) == nil && above.get(key) != nil {
			d = d.with(key, above.get(key))
		}
	}
	if d.get("Kids") == nil {
		if p.leaves[r.num] || d.name("Type") != "Page" {
			return damaged("its pages are in disorder")
		}
		p.leaves[r.num] = true
		visit(r.num, d)
		return nil
	}
	p.objs[r.num] = nil
	kids, err := p.f.array(d.get("Kids"))
	if err != nil {
		return err
	}
	for _, kid := range kids {
		if err := p.walkPages(kid, d, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// larger is how much larger than a page its print may be, in points: a pixel and what
// the browser rounds.
const larger = 1.5

// cut gives a page its exact size, which is at its upper left corner.
func (p *part) cut(page dict) dict {
	at := len(p.m.pages)
	if at >= len(p.m.o.Sizes) {
		return page
	}
	const pt = 72.0 / 96
	around := 2 * p.m.o.bleed()
	width, height := p.m.o.Sizes[at].Width*pt+around, p.m.o.Sizes[at].Height*pt+around
	box := p.rectangle(page.get("MediaBox"), defaultBox)
	over := func(printed, exact float64) bool { return printed >= exact && printed <= exact+larger }
	if !over(box[2]-box[0], width) || !over(box[3]-box[1], height) {
		return page // printed by other rules, such as those of an author's style sheet
	}
	box[1], box[2] = box[3]-height, box[0]+width
	return page.with("MediaBox", boxArray(box))
}

// box is the upper edge of a page and its height, in points.
func (p *part) box(page dict) (top, height float64) {
	a, _ := p.f.array(page.get("MediaBox"))
	if len(a) != 4 {
		return 842, 842
	}
	bottom, top := number(a[1]), number(a[3])
	return top, top - bottom
}

// number reads a number of either kind.
func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case real:
		f, _ := strconv.ParseFloat(string(v), 64) // the lexer has read it before
		return f
	}
	return 0
}
