package docx

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/layout"
)

// anchored writes content with the bookmarks that refer to it, and to what is around it
// and begins here.
func (k *walker) anchored(anchors []string, content func()) {
	var ids []int
	anchors, k.pending = slices.Concat(k.pending, anchors), nil
	for _, a := range anchors {
		if m, known := k.marks[a]; known && m.id > 0 {
			k.x.Open("w:bookmarkStart").Int("w:id", m.id).Attr("w:name", m.name).Close()
			ids = append(ids, m.id)
			k.marks[a] = mark{name: m.name, id: -m.id} // once
		}
	}
	content()
	for _, id := range ids {
		k.x.Open("w:bookmarkEnd").Int("w:id", id).Close()
	}
}

// inline writes what stands in lines.
func (k *walker) inline(list []layout.Node, s *style, link bool) {
	for i := range list {
		n := &list[i]
		switch n.Kind {
		case layout.Text:
			k.text(n.Style, n.Text, s, link)
		case layout.Link:
			k.link(n, s, link)
		case layout.Field:
			k.fieldOf(n, s, link)
		case layout.Image:
			k.inlinePicture(n)
		case layout.Break:
			k.x.Open("w:r").Open("w:br").Close().Close()
		case layout.Note:
			k.note(n, s)
		case layout.Tab:
			k.run(n.Style, s, link)
			k.x.Open("w:tab").Close().Close()
		}
	}
}

// note writes the number of a footnote, whose text is written when all of the
// document's is.
func (k *walker) note(n *layout.Node, s *style) {
	k.notes = append(k.notes, n)
	k.run(n.Style, s, false)
	k.x.Open("w:footnoteReference").Int("w:id", len(k.notes)).Close().Close()
}

// text writes a run. What Word has elements for is no character in it.
func (k *walker) text(at int, text string, s *style, link bool) {
	if text == "" {
		return
	}
	k.run(at, s, link)
	from := 0
	for i, r := range text {
		name := map[rune]string{'\t': "w:tab", '\n': "w:br", '\u00AD': "w:softHyphen"}[r]
		if name == "" {
			continue
		}
		k.letters(text[from:i])
		k.x.Open(name).Close()
		from = i + len(string(r))
	}
	k.letters(text[from:])
	k.x.Close()
}

func (k *walker) letters(text string) {
	if text == "" {
		return
	}
	k.x.Open("w:t")
	if text[0] == ' ' || text[len(text)-1] == ' ' || strings.Contains(text, "  ") {
		k.x.Attr("xml:space", "preserve")
	}
	k.x.Text(text).Close()
}

// run opens a run of a style in a paragraph of another.
func (k *walker) run(at int, s *style, link bool) {
	k.x.Open("w:r")
	r := k.styles.look(at).run
	if k.shrink > 0 {
		r.size = max(int(float64(r.size)*k.shrink), 8)
	}
	base := s.run
	if link {
		r.link, base.underline, base.color = true, true, k.Theme.Link
	}
	if r != base {
		k.styles.runProperties(k.x, r, base)
	}
}

// link writes a link, or only its text where it leads nowhere.
func (k *walker) link(n *layout.Node, s *style, inside bool) {
	content := n.Content()
	if anchor, local := strings.CutPrefix(n.Ref, "#"); local {
		m, known := k.marks[anchor]
		if !known || inside {
			k.inline(content, s, inside)
			return
		}
		k.x.Open("w:hyperlink").Attr("w:anchor", m.name).Attr("w:history", "1")
	} else {
		address, ok := outside(n.Ref)
		if !ok || inside {
			k.inline(content, s, inside)
			return
		}
		k.x.Open("w:hyperlink").Attr("r:id", k.pkg.RelateOutside(k.part, relationNamespace+"/hyperlink", address)).Attr("w:history", "1")
	}
	k.inline(content, s, true)
	k.x.Close()
}

// identifiers of what captions count.
var counted = map[string]string{"general": "Figure", "tables": "Table", "charts": "Chart", "images": "Image"}

func countedAs(channel string) string {
	if name := counted[channel]; name != "" {
		return name
	}
	return "Figure"
}

// fieldOf writes a field with what it shows until Word counts again.
func (k *walker) fieldOf(n *layout.Node, s *style, link bool) {
	code := ""
	switch n.Field {
	case layout.PageNumber:
		code = "PAGE"
	case layout.PageCount:
		code = "NUMPAGES"
		if !k.allCount && k.lastCounted() >= 0 {
			code = "PAGEREF " + endMark
		}
	case layout.RunCount:
		code = "SECTIONPAGES"
	case layout.Running:
		if k.furniture == "" || n.Ref == "group" {
			if k.furniture != "" {
				k.warn("", "documents of Word know no current group of a table; it is left out of their headers and footers")
				return
			}
			k.text(n.Style, n.Text, s, link)
			return
		}
		code = "STYLEREF " + n.Ref
	case layout.PageOf:
		m, known := k.marks[n.Ref]
		if !known {
			k.text(n.Style, n.Text, s, link)
			return
		}
		code = `PAGEREF ` + m.name + ` \h`
	case layout.Counter:
		code = "SEQ " + countedAs(n.Ref) + ` \* ARABIC`
	}
	text := n.Text
	if text == "" || k.furniture != "" && n.Field != layout.Running && n.Field != layout.PageOf {
		text = "1"
	}
	k.x.Open("w:fldSimple").Attr("w:instr", " "+code+" ")
	k.text(n.Style, text, s, link)
	k.x.Close()
}
