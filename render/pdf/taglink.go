package pdf

import "strings"

// looseLinks are elements for the links of the pages that have none, such as
// those over pictures that only decorate.
func (t *tagger) looseLinks() []kid {
	t.p.pageOf = map[int]int{}
	var out []kid
	for _, num := range t.order {
		page, _ := t.p.objs[num].(dict)
		list, _ := t.p.f.array(page.get("Annots"))
		for _, v := range list {
			r, ok := v.(ref)
			if !ok {
				t.fail(t.number[num], "an annotation has no structure")
				continue
			}
			t.p.pageOf[r.num] = t.p.ref(ref{num: num})
			d, _ := t.p.objs[r.num].(dict)
			if t.annots[r.num] == nil && (t.p.widgets[r.num] != nil || d.name("Subtype") == "Link") {
				l := &element{role: t.roleOf(r.num), kids: []kid{{annot: r.num}}}
				t.annots[r.num] = l
				out = append(out, kid{el: group("P", []kid{{el: l}})})
			}
		}
	}
	return out
}

// roleOf is what the element of an annotation is.
func (t *tagger) roleOf(annot int) name {
	if t.p.widgets[annot] != nil {
		return "Form"
	}
	return "Link"
}

// finishLinks describes the links and ties them to their elements.
func (t *tagger) finishLinks() {
	for _, num := range sortedKeys(t.annots) {
		d, ok := t.p.objs[num].(dict)
		e := t.annots[num]
		if w := t.p.widgets[num]; w != nil && e.num != 0 {
			w.parent = t.key(ref{num: e.num})
			continue
		}
		if !ok || e.num == 0 {
			continue
		}
		label := e.label()
		if label == "" {
			action, _ := t.p.f.dict(d.get("A"))
			uri, _ := action.get("URI").(text)
			label = strings.TrimPrefix(string(uri), LinkBase)
		}
		if label == "" {
			label = "Link"
		}
		d = d.without("StructParent", "Contents", "F").with("F", 4).with("Contents", textOf(label))
		t.p.objs[num] = d.with("StructParent", t.key(ref{num: e.num}))
	}
}

// label is the text of a link.
func (e *element) label() string {
	var b strings.Builder
	e.writeLabel(&b)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (e *element) writeLabel(b *strings.Builder) {
	if e.said != "" {
		b.WriteString(e.said + " ")
		return
	}
	for _, k := range e.kids {
		switch {
		case k.mark != nil:
			b.Write(k.mark.label)
			b.WriteByte(' ')
		case k.el != nil:
			k.el.writeLabel(b)
		}
	}
}
