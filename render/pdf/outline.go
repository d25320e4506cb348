package pdf

// outlineItem is a heading in the outline and those below it.
type outlineItem struct {
	anchor Anchor
	num    int
	kids   []*outlineItem
}

// writeOutline writes the headings as a tree and returns its number, or 0 when
// there are none. A level that is skipped counts as one step.
func (m *merger) writeOutline() int {
	top := &outlineItem{}
	path := []*outlineItem{top}
	for _, a := range m.o.Anchors {
		if a.Level < 1 || m.anchor(a) == nil {
			continue
		}
		for len(path) > 1 && path[len(path)-1].anchor.Level >= a.Level {
			path = path[:len(path)-1]
		}
		item := &outlineItem{anchor: a}
		above := path[len(path)-1]
		above.kids = append(above.kids, item)
		path = append(path, item)
	}
	if len(top.kids) == 0 {
		return 0
	}
	top.number(m.w)
	m.w.object(top.num, dict{
		{"Type", name("Outlines")},
		{"Count", top.visible()},
		{"First", ref{num: top.kids[0].num}},
		{"Last", ref{num: top.kids[len(top.kids)-1].num}},
	}, &appender{})
	m.writeItems(top)
	return top.num
}

func (o *outlineItem) number(w *writer) {
	o.num = w.alloc()
	for _, kid := range o.kids {
		kid.number(w)
	}
}

// visible is the number of items below when all are open.
func (o *outlineItem) visible() int {
	n := len(o.kids)
	for _, kid := range o.kids {
		n += kid.visible()
	}
	return n
}

func (m *merger) writeItems(above *outlineItem) {
	for i, item := range above.kids {
		d := dict{{"Title", textOf(item.anchor.Text)}, {"Parent", ref{num: above.num}}, {"Dest", m.anchor(item.anchor)}}
		if i > 0 {
			d = d.with("Prev", ref{num: above.kids[i-1].num})
		}
		if i+1 < len(above.kids) {
			d = d.with("Next", ref{num: above.kids[i+1].num})
		}
		if n := len(item.kids); n > 0 {
			d = d.with("First", ref{num: item.kids[0].num}).with("Last", ref{num: item.kids[n-1].num}).with("Count", item.visible())
		}
		m.w.object(item.num, d, &appender{})
		m.writeItems(item)
	}
}
