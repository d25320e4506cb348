package pdf

import (
	"bytes"
	"fmt"
	"sort"
)

// structure collects the structure trees of the parts: what a screen reader
// reads. The document element of the result has the children of theirs.
type structure struct {
	next    int // key of the parent tree for the next part
	root    int // object numbers; 0 until a part has structure
	doc     int
	kids    array
	parents array // leaves of the parent tree
	ids     array // leaves of the tree of identifiers
}

// structure takes over the part's structure.
func (p *part) structure(catalog dict) error {
	at := catalog.get("StructTreeRoot")
	root, err := p.f.dict(at)
	if err != nil || root == nil {
		return err
	}
	t := &p.m.tags
	if t.root == 0 {
		t.root, t.doc = p.m.w.alloc(), p.m.w.alloc()
	}
	p.skip(at)
	if r, ok := at.(ref); ok && r.num < len(p.nums) {
		p.nums[r.num] = t.root
	}
	if err := p.topElements(root.get("K")); err != nil {
		return err
	}
	if err := p.parentTree(root); err != nil {
		return err
	}
	return p.identifiers(root.get("IDTree"))
}

// topElements puts the children of the part's document element under the one
// of the whole. An element that cannot be taken apart becomes a child itself.
func (p *part) topElements(v any) error {
	top, err := p.list(v)
	if err != nil {
		return err
	}
	for _, e := range top {
		r, ok := e.(ref)
		if !ok {
			continue
		}
		elem, err := p.f.dict(r)
		if err != nil {
			return err
		}
		kids, err := p.list(elem.get("K"))
		if err != nil {
			return err
		}
		if elem.name("S") != "Document" || !onlyRefs(kids) {
			p.keepElement(r, elem)
			continue
		}
		p.skip(r)
		p.nums[r.num] = p.m.tags.doc
		for _, kid := range kids {
			p.m.tags.kids = append(p.m.tags.kids, ref{num: p.ref(kid.(ref))})
		}
	}
	return nil
}

func (p *part) keepElement(r ref, elem dict) {
	if elem.name("S") == "Document" {
		elem = elem.with("S", name("Part"))
	}
	if r.num > 0 && r.num < len(p.objs) && p.objs[r.num] != nil {
		p.objs[r.num] = elem.with("P", placed{p.m.tags.doc})
		p.m.tags.kids = append(p.m.tags.kids, ref{num: p.ref(r)})
	}
}

// list resolves a value that may be one thing or an array of them. A reference
// to an element stays one.
func (p *part) list(v any) (array, error) {
	if v == nil {
		return nil, nil
	}
	resolved, err := p.f.resolve(v)
	if a, ok := resolved.(array); ok {
		if _, indirect := v.(ref); indirect {
			p.skip(v)
		}
		return a, err
	}
	return array{v}, err
}

func onlyRefs(a array) bool {
	for _, v := range a {
		if _, ok := v.(ref); !ok {
			return false
		}
	}
	return true
}

// parentTree adds the part's tree, with keys that no other part has.
func (p *part) parentTree(root dict) error {
	var nums array
	most := -1
	err := p.walkTree(root.get("ParentTree"), "Nums", func(key, value any) {
		if k, ok := key.(int); ok {
			nums = append(nums, p.base+k, value)
			most = max(most, k)
		}
	})
	if err != nil || len(nums) == 0 {
		return err
	}
	next, _ := root.get("ParentTreeNextKey").(int)
	p.m.tags.next = p.base + max(next, most+1)
	leaf := p.m.w.alloc()
	p.m.w.object(leaf, dict{{"Limits", array{nums[0], nums[len(nums)-2]}}, {"Nums", nums}}, &p.app)
	p.m.tags.parents = append(p.m.tags.parents, ref{num: leaf})
	return nil
}

// identifiers adds the part's names of elements.
func (p *part) identifiers(tree any) error {
	var pairs []entry
	err := p.walkTree(tree, "Names", func(key, value any) {
		if k, ok := key.(text); ok {
			pairs = append(pairs, entry{name(p.mark + string(k)), value})
		}
	})
	if err != nil || len(pairs) == 0 {
		return err
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].key < pairs[j].key })
	var names array
	for _, e := range pairs {
		names = append(names, text(e.key), e.value)
	}
	leaf := p.m.w.alloc()
	p.m.w.object(leaf, dict{{"Limits", array{names[0], names[len(names)-2]}}, {"Names", names}}, &p.app)
	p.m.tags.ids = append(p.m.tags.ids, ref{num: leaf})
	return nil
}

// walkTree visits the pairs of a name or number tree and takes its nodes out of
// the copy.
func (p *part) walkTree(node any, leaf name, visit func(key, value any)) error {
	return p.walkTreeTo(node, leaf, visit, 0)
}

func (p *part) walkTreeTo(node any, leaf name, visit func(key, value any), depth int) error {
	if depth > maxDepth {
		return damaged("a tree is too deep")
	}
	d, err := p.f.dict(node)
	if err != nil || d == nil {
		return err
	}
	if r, ok := node.(ref); ok {
		if p.objs[r.num] == nil {
			return nil // seen: a tree that bites its tail ends here
		}
		p.skip(r)
	}
	pairs, err := p.f.array(d.get(leaf))
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		visit(pairs[i], pairs[i+1])
	}
	kids, err := p.f.array(d.get("Kids"))
	if err != nil {
		return err
	}
	for _, kid := range kids {
		if err := p.walkTreeTo(kid, leaf, visit, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// partMark distinguishes identifiers of parts, which the browser numbers anew
// in every tab. It sorts like the parts.
func partMark(i int) string { return fmt.Sprintf("%05d-", i) }

// adaptTags moves the keys into the parent tree and the names of elements.
func (p *part) adaptTags(d dict) dict {
	for i, e := range d {
		switch e.key {
		case "StructParents", "StructParent":
			if k, ok := e.value.(int); ok {
				d[i].value = p.base + k
			}
		case "ID":
			if id, ok := e.value.(text); ok && d.name("Type") == "StructElem" {
				d[i].value = p.marked(id)
			}
		case "A":
			if p.mark != "" && d.name("Type") == "StructElem" {
				p.markHeaders(e.value)
			}
		}
	}
	return d
}

func (p *part) marked(id text) text {
	return text(bytes.Join([][]byte{[]byte(p.mark), id}, nil))
}

// markHeaders renames the header cells that a table cell names.
func (p *part) markHeaders(attributes any) {
	switch v := attributes.(type) {
	case array:
		for _, e := range v {
			p.markHeaders(e)
		}
	case dict:
		headers, _ := v.get("Headers").(array)
		for i := range headers {
			if id, ok := headers[i].(text); ok {
				headers[i] = p.marked(id)
			}
		}
	}
}

// catalog writes the tree and enters it into the catalog.
func (t *structure) catalog(m *merger, d dict) dict {
	if t.root == 0 {
		return d
	}
	plain := &appender{}
	doc := dict{{"Type", name("StructElem")}, {"S", name("Document")}, {"P", ref{num: t.root}}, {"K", t.kids}}
	if m.lang != "" {
		doc = doc.with("Lang", textOf(m.lang))
	}
	m.w.object(t.doc, doc, plain)
	root := dict{
		{"Type", name("StructTreeRoot")},
		{"K", ref{num: t.doc}},
		{"ParentTree", dict{{"Kids", t.parents}}},
		{"ParentTreeNextKey", t.next},
	}
	if len(t.ids) > 0 {
		root = root.with("IDTree", dict{{"Kids", t.ids}})
	}
	m.w.object(t.root, root, plain)
	return d.with("StructTreeRoot", ref{num: t.root}).with("MarkInfo", dict{{"Marked", true}})
}
