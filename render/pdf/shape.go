package pdf

import (
	"bytes"
	"strings"
)

// The browser writes one NonStruct for nearly every box and every run of text.
// Shaping leaves what has a meaning: boxes are dissolved, runs of text become
// paragraphs, and what only decorates loses its marks.

// blocks shapes what an element has where paragraphs, lists and tables stand.
func (t *tagger) blocks(e *element) []kid {
	var out, run []kid
	flush := func() {
		out = append(out, paragraph(run)...)
		run = nil
	}
	mixed := t.hasText(e)
	for _, k := range e.kids {
		switch {
		case k.el == nil:
			run = append(run, t.kept(k, false)...)
		case t.isInLine(k.el, mixed):
			run = append(run, t.inline(k.el)...)
		case isBox(k.el.role) && k.el.sign <= continued:
			flush()
			out = append(out, t.box(k.el)...)
		default:
			flush()
			out = append(out, t.block(k.el)...)
		}
	}
	flush()
	return out
}

// isInLine says whether a part of an element stands in a line of its text; mixed
// says that there is some beside the parts.
func (t *tagger) isInLine(part *element, mixed bool) bool {
	return isInline(part.role) || t.isRun(part) || mixed && isBox(part.role) && !isBlocky(part)
}

// box dissolves a box; what the paginator said of it holds for the paragraph
// that it is. Paragraphs in it have signs of their own.
func (t *tagger) box(e *element) []kid {
	kids := t.blocks(e)
	begins := len(e.kids) > 0 && (e.kids[0].el == nil || t.isInLine(e.kids[0].el, t.hasText(e)))
	if begins && len(kids) > 0 && e.sign == continued && kids[0].el != nil && kids[0].el.role == "P" && kids[0].el.sign == noSign {
		kids[0].el.sign = continued
	}
	if e.role != "Document" || e.lang != t.m.o.Lang {
		setLang(kids, e.lang)
	}
	return kids
}

func setLang(kids []kid, lang string) {
	for _, k := range kids {
		if k.el != nil && k.el.lang == "" {
			k.el.lang = lang
		}
	}
}

// kept is what stays of a mark or an annotation: text, and in pictures and
// labels all that shows.
func (t *tagger) kept(k kid, ink bool) []kid {
	if k.mark != nil && k.mark.on != nil && !k.mark.on.plain && (k.mark.text || ink && k.mark.ink) {
		return []kid{k}
	}
	return nil
}

// hasText says whether text stands in the element itself, so that its boxes
// stand in lines.
func (t *tagger) hasText(e *element) bool {
	for _, k := range e.kids {
		if k.el != nil && t.isRun(k.el) || k.mark != nil && k.mark.text {
			return true
		}
	}
	return false
}

// isRun says whether an element is a run of text.
func (t *tagger) isRun(e *element) bool {
	if !isBox(e.role) || e.sign > continued {
		return false
	}
	text := false
	for _, k := range e.kids {
		if k.mark == nil {
			return false
		}
		text = text || k.mark.text
	}
	return text
}

// isBox says whether an element of a role means nothing by itself.
func isBox(role name) bool {
	switch role {
	case "P", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody", "Table", "TR", "TH", "TD", "THead", "TBody", "TFoot",
		"Figure", "Formula", "Caption", "BlockQuote", "Link", "Code", "Quote", "Span":
		return false
	}
	return !isEmphasis(role)
}

// isEmphasis says whether a role is one of PDF 2.0 for words in a text.
func isEmphasis(role name) bool { return role == "Strong" || role == "Em" }

// isPicture says whether an element is read as what is said of it.
func (e *element) isPicture() bool { return e.role == "Figure" || e.role == "Formula" }

func isInline(role name) bool {
	return role == "Link" || role == "Code" || role == "Quote" || role == "Span" || isEmphasis(role)
}

// isBlocky says whether something below an element stands by itself.
func isBlocky(e *element) bool {
	for _, k := range e.kids {
		if k.el != nil && (!isBox(k.el.role) && !isInline(k.el.role) && !k.el.isPicture() || isBlocky(k.el)) {
			return true
		}
	}
	return false
}

// paragraph puts a run of text into one. Pictures alone need none.
func paragraph(run []kid) []kid {
	for _, k := range run {
		if k.el == nil || !k.el.isPicture() {
			return []kid{{el: group("P", run)}}
		}
	}
	return run
}

// inline shapes an element in a line of text.
func (t *tagger) inline(e *element) []kid {
	switch {
	case e.role == "Link":
		return t.link(e)
	case e.role == "Code" || e.role == "Quote" || e.role == "Span":
		return e.around(e.role, t.inlineKids(e, false))
	case isBox(e.role) || isEmphasis(e.role):
		if e.sign > continued {
			return t.block(e)
		}
		kids := t.inlineKids(e, false)
		if e.lang != "" && len(kids) > 0 {
			return e.around("Span", kids)
		}
		return kids
	}
	return t.block(e)
}

func (t *tagger) inlineKids(e *element, ink bool) []kid {
	var out []kid
	for _, k := range e.kids {
		if k.el != nil {
			out = append(out, t.inline(k.el)...)
		} else {
			out = append(out, t.kept(k, ink)...)
		}
	}
	return out
}

// around is an element like this one with other kids; none without kids.
func (e *element) around(role name, kids []kid) []kid {
	if len(kids) == 0 {
		return nil
	}
	return []kid{{el: &element{role: role, kids: kids, lang: e.lang, sign: e.sign, list: e.list}}}
}

// block shapes an element that stands by itself.
func (t *tagger) block(e *element) []kid {
	switch e.sign {
	case repeated, inHeader, inFooter:
		return t.furniture(e)
	case contents, moreContents:
		return t.contents(e)
	case pairs, morePairs:
		return t.pairs(e)
	case captionOfLast, captionOfData, captionOfNext:
		return e.around("Caption", t.inlineKids(e, false))
	case footnote:
		return e.around("Note", t.blocks(e))
	}
	switch e.role {
	case "P", "H1", "H2", "H3", "H4", "H5", "H6", "Caption":
		role := e.role
		if role == "Caption" {
			role = "P"
		}
		if isBlocky(e) {
			return t.box(e)
		}
		return e.around(role, t.inlineKids(e, false))
	case "L":
		return t.listOf(e)
	case "Table":
		return t.table(e)
	case "Figure":
		return t.figure(e)
	case "BlockQuote":
		return e.around("BlockQuote", t.blocks(e))
	}
	return t.box(e)
}

// furniture makes artifacts of what stands in running headers and footers or is
// shown again. Links stay, because they can be followed.
func (t *tagger) furniture(e *element) []kid {
	role := decoration
	switch e.sign {
	case inHeader:
		role = pageHeader
	case inFooter:
		role = pageFooter
	}
	var links []kid
	var walk func(*element)
	walk = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.mark != nil:
				k.mark.role = role
			case k.el != nil && k.el.role == "Link":
				links = append(links, t.link(k.el)...)
			case k.el != nil:
				walk(k.el)
			}
		}
	}
	walk(e)
	return paragraph(links)
}

// contents shapes a list of contents: an item for each link.
func (t *tagger) contents(e *element) []kid {
	toc := &element{role: "TOC", lang: e.lang}
	if e.sign == moreContents {
		toc.sign = continued
	}
	for _, k := range t.blocks(&element{kids: e.kids, parent: e.parent}) {
		if k.el.role != "P" {
			toc.kids = append(toc.kids, kid{el: group("TOCI", []kid{k})})
			continue
		}
		for _, entry := range k.el.kids {
			if entry.el != nil {
				entry = kid{el: group("Reference", []kid{entry})}
			}
			toc.kids = append(toc.kids, kid{el: group("TOCI", []kid{entry})})
		}
	}
	if len(toc.kids) == 0 {
		return nil
	}
	return []kid{{el: toc}}
}

// listOf shapes a list: items with a label and a body.
func (t *tagger) listOf(e *element) []kid {
	var items []kid
	var walk func(*element)
	walk = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.el == nil:
			case k.el.role == "LI":
				items = append(items, t.item(k.el)...)
			case isBox(k.el.role):
				walk(k.el)
			default:
				items = append(items, (&element{}).around("LI", (&element{}).around("LBody", t.block(k.el)))...)
			}
		}
	}
	walk(e)
	if e.list == "" || e.list == "None" {
		e.list = ""
		if len(items) > 0 && items[0].el.kids[0].el.role == "Lbl" {
			e.list = numbering(items[0].el.kids[0].el.label())
		}
	}
	return e.around("L", items)
}

// numbering says how a list is numbered that says nothing of it itself, by its
// first label.
func numbering(label string) name {
	label = strings.Trim(label, "(). ")
	switch {
	case label == "":
		return "Disc"
	case label[0] >= '0' && label[0] <= '9':
		return "Decimal"
	case strings.Trim(label, "IVXLC") == "":
		return "UpperRoman"
	case strings.Trim(label, "ivxlc") == "":
		return "LowerRoman"
	case label[0] >= 'A' && label[0] <= 'Z':
		return "UpperAlpha"
	case label[0] >= 'a' && label[0] <= 'z':
		return "LowerAlpha"
	}
	return "Disc"
}

func (t *tagger) item(e *element) []kid {
	var label []kid
	body := &element{sign: e.sign}
	for _, k := range e.kids {
		if k.el != nil && k.el.role == "Lbl" {
			if e.sign != continued {
				label = append(label, t.inlineKids(k.el, true)...)
			}
			continue
		}
		body.kids = append(body.kids, k)
	}
	content := t.blocks(body)
	if len(content) == 1 && content[0].el.role == "P" {
		content = content[0].el.kids
	}
	kids := (&element{}).around("Lbl", label)
	kids = append(kids, body.around("LBody", content)...)
	return e.around("LI", kids)
}

// figure shapes a picture: all that it shows with one description. A frame
// around pictures and texts is none itself.
func (t *tagger) figure(e *element) []kid {
	e.alt = bytes.TrimSpace(e.alt)
	if len(e.alt) == 0 && !isPicture(e) {
		return t.box(e)
	}
	f := &element{role: "Figure", alt: e.alt, lang: e.lang}
	if e.sign == formula {
		f.role = "Formula"
	}
	page := 0
	e.each(func(m *mark) {
		for _, k := range t.kept(kid{mark: m}, true) {
			f.kids = append(f.kids, k)
			f.area.join(m.area)
			f.box = m.on.box
			page = t.number[m.on.page]
		}
	})
	if len(f.kids) == 0 {
		return nil
	}
	if len(f.alt) == 0 {
		t.unmet = append(t.unmet, Unmet{Page: page, Picture: true, Message: "a picture has no alternative text"})
	}
	return []kid{{el: f}}
}

// isPicture says whether an element is one by itself, and not a frame around
// pictures.
func isPicture(e *element) bool {
	own := false
	for _, k := range e.kids {
		if k.el != nil && (k.el.isPicture() || isBlocky(k.el)) {
			return false
		}
		own = own || k.mark != nil && k.mark.ink
	}
	return own
}

// link shapes a link: what is shown of it, and where it can be clicked.
func (t *tagger) link(e *element) []kid {
	kids := t.inlineKids(e, false)
	var places []kid
	for _, k := range e.kids {
		if k.annot > 0 && k.annot < len(t.p.objs) && t.annots[k.annot] == nil {
			places = append(places, k)
		}
	}
	if len(places) == 0 {
		return kids
	}
	l := &element{role: t.roleOf(places[0].annot), kids: append(kids, places...), lang: e.lang}
	for _, k := range places {
		t.annots[k.annot] = l
	}
	return []kid{{el: l}}
}
