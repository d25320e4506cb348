package pdf

// pair is a key with its value.
type pair struct{ key, value []kid }

// pairs shapes keys and their values as a list: the key of an item is its label.
func (t *tagger) pairs(e *element) []kid {
	list := &element{role: "L", lang: e.lang}
	if e.sign == morePairs {
		list.sign = continued
	}
	for i, p := range t.readPairs(e, nil) {
		item := &element{}
		if i == 0 && len(p.key) == 0 {
			item.sign = list.sign
		}
		if len(p.value) == 1 && p.value[0].el.role == "P" {
			p.value = p.value[0].el.kids
		}
		kids := append((&element{}).around("Lbl", p.key), item.around("LBody", p.value)...)
		list.kids = append(list.kids, item.around("LI", kids)...)
	}
	return list.around("L", list.kids)
}

// readPairs adds the pairs below an element: what follows a key is its value.
func (t *tagger) readPairs(e *element, list []pair) []pair {
	for _, k := range e.kids {
		isKey := k.el != nil && k.el.sign == key
		switch last := len(list) - 1; {
		case k.el != nil && k.el.sign == pairRow:
			list = t.readPairs(k.el, append(list, pair{}))
			continue
		case k.el != nil && isBox(k.el.role) && hasKey(k.el):
			list = t.readPairs(k.el, list)
			continue
		case last < 0 || isKey && len(list[last].value) > 0:
			list = append(list, pair{})
		}
		last := &list[len(list)-1]
		if isKey {
			last.key = append(last.key, t.inlineKids(k.el, false)...)
		} else {
			last.value = append(last.value, t.blocks(group("", []kid{k}))...)
		}
	}
	return list
}

// hasKey says whether an element is a box around keys.
func hasKey(e *element) bool {
	for _, k := range elements(e.kids) {
		if k.sign == key || isBox(k.role) && hasKey(k) {
			return true
		}
	}
	return false
}
