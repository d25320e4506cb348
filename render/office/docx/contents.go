package docx

import (
	"math"
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/layout"
)

// inColumns writes text in columns as a section of its own, where there can be one.
func (k *walker) inColumns(p *piece, in room) {
	n := p.n
	if k.section == nil || k.furniture != "" || k.depth > 1 || n.Columns == nil {
		k.warn(k.id, "is set in columns; in the document of Word it stands in one, for it is part of something else")
		k.pieces(k.gather(n.Children), in, false)
		return
	}
	k.endSection(p.before, nil)
	k.pieces(k.gather(n.Children), room{left: in.left, width: (in.width - n.Columns.Gap*float64(n.Columns.Count-1)) / float64(n.Columns.Count), rtl: in.rtl}, true)
	k.endSection(0, n.Columns)
}

// endSection ends a section of the sheet; what follows goes on on the same page.
func (k *walker) endSection(after float64, columns *layout.ColumnsOf) {
	k.x.Open("w:p").Open("w:pPr")
	k.x.Open("w:spacing").Int("w:before", 0).Int("w:after", twips(max(after, 0))).Int("w:line", 20).Attr("w:lineRule", "exact").Close().Open("w:rPr").Open("w:sz").Int("w:val", 2).Close().Close()
	k.section(k.continued, columns)
	k.continued = true
	k.x.Close().Close()
}

// contentsOf writes a table of contents or of figures, filled in, that Word updates.
func (k *walker) contentsOf(p *piece, in room) {
	n := p.n
	columns := n.Columns
	split := columns != nil && k.section != nil && k.furniture == "" && k.depth <= 1
	if split {
		k.endSection(p.before, nil)
		in.width = (in.width - columns.Gap*float64(columns.Count-1)) / float64(columns.Count)
	}
	entries := k.entries(n)
	deepest := 1
	for i := range entries {
		deepest = max(deepest, min(entries[i].n.Level, 6))
	}
	if len(entries) == 0 {
		k.pieces(k.gather(n.Children), in, false)
		return
	}
	code := ` TOC \o "1-` + string(rune('0'+deepest)) + `" \h \z \u `
	headings := n.Role == layout.Contents
	switch {
	case n.Role == layout.Figures:
		code = ` TOC \h \z \c "` + countedAs(n.Ref) + `" `
	case !slices.ContainsFunc(entries, func(e piece) bool { return k.headings[strings.TrimPrefix(e.n.Ref, "#")] }):
		code, headings = "", false // a list of pages: updated, it would become one of headings
	}
	x := k.x
	if headings {
		x.Open("w:sdt").Open("w:sdtPr").Open("w:docPartObj")
		leaf(x, "w:docPartGallery", "Table of Contents")
		if k.contents == 0 {
			x.Open("w:docPartUnique").Close()
		}
		x.Close().Close().Open("w:sdtContent")
		k.contents++
	}
	for i := range entries {
		q := &entries[i]
		q.left, q.right = q.left+p.left, q.right+p.right
		if i == 0 && !split {
			q.before = max(q.before, p.before)
		}
		if i == len(entries)-1 {
			q.after = max(q.after, p.after)
		}
		k.entry(q, in, n.Role == layout.Figures, i == 0, i == len(entries)-1, code)
	}
	if headings {
		x.Close().Close()
	}
	if split {
		k.endSection(p.after, columns)
	}
}

// entries are the lines of contents, with the room and the lines that the blocks around
// them have.
func (k *walker) entries(n *layout.Node) (list []piece) {
	for i := range n.Children {
		c := &n.Children[i]
		style := &k.d.Styles[c.Style]
		margin, padding := sides(c, style)
		if c.Role == layout.Entry && c.Kind == layout.Paragraph {
			list = append(list, piece{n: c, before: margin[layout.Top], after: margin[layout.Bottom], left: margin[layout.Left], right: margin[layout.Right], keep: c.Keep})
			continue
		}
		made := k.entries(c)
		if len(made) == 0 {
			continue
		}
		for j := range made {
			made[j].left, made[j].right = made[j].left+margin[layout.Left]+padding[layout.Left], made[j].right+margin[layout.Right]+padding[layout.Right]
		}
		first, last := &made[0], &made[len(made)-1]
		first.before = max(first.before, margin[layout.Top]) + padding[layout.Top]
		last.after = max(last.after, margin[layout.Bottom])
		if b := style.Border; b != nil && !c.Bare && b[layout.Bottom].Width > 0 {
			last.border, last.padding = &layout.Border{layout.Bottom: b[layout.Bottom]}, layout.Sides{layout.Bottom: padding[layout.Bottom]}
		} else {
			last.after += padding[layout.Bottom]
		}
		list = append(list, made...)
	}
	return list
}

// leaders are what tabs are filled with.
var leaders = map[string]string{"dotted": "dot", "dashed": "hyphen", "solid": "underscore"}

// entry writes a line of contents, which the field of a code begins and ends around.
func (k *walker) entry(p *piece, in room, figures, first, last bool, code string) {
	n, x := p.n, k.x
	id := "TOC" + string(rune('0'+min(max(n.Level, 1), 6)))
	if figures {
		id = "TableofFigures"
	}
	s := k.styles.byID[id]
	l := k.paragraphLook(n, p)
	l.between = l.border[layout.Bottom].drawn()
	x.Open("w:p").Open("w:pPr")
	leaf(x, "w:pStyle", s.id)
	leader := ""
	tab := false
	for i := range n.Children {
		if c := &n.Children[i]; c.Kind == layout.Tab {
			tab, leader = true, leaders[c.Fill]
		}
	}
	paragraphPieces(x, l, s.paragraph, nil, func() {
		if !tab {
			return
		}
		x.Open("w:tabs").Open("w:tab").Attr("w:val", "right")
		if leader != "" {
			x.Attr("w:leader", leader)
		}
		x.Int("w:pos", twips(in.width-p.right)).Close().Close()
	})
	x.Close()
	char := func(kind string) {
		x.Open("w:r").Open("w:fldChar").Attr("w:fldCharType", kind).Close().Close()
	}
	if first && code != "" {
		char("begin")
		x.Open("w:r").Open("w:instrText").Attr("xml:space", "preserve").Text(code).Close().Close()
		char("separate")
	}
	anchor := ""
	if len(n.Ref) > 1 && n.Ref[0] == '#' {
		anchor = n.Ref[1:]
	}
	m, known := k.marks[anchor]
	if known {
		x.Open("w:hyperlink").Attr("w:anchor", m.name).Attr("w:history", "1")
	}
	k.inline(n.Content(), s, false)
	if known {
		x.Close()
	}
	if last && code != "" {
		char("end")
	}
	x.Close()
}

func round(v float64) int { return int(math.Round(v)) }
