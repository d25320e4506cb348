package docx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
)

// runLook is how text looks.
type runLook struct {
	font                                  string
	size                                  int // half points
	bold, italic, underline, strike, caps bool
	small                                 bool
	color, ground                         string
	spacing                               int // twips
	shift                                 string
	rtl                                   bool
	link                                  bool // has the style of links
	language                              string
}

// paragraphLook is how a paragraph looks. Lengths are twips.
type paragraphLook struct {
	before, after       int
	line                int // 240ths of a line of its font; 0: as it comes
	exact               int // height of its lines; 0: as they come
	left, right, first  int
	align               string
	bidi                bool
	ground              string
	border              [4]edge
	frame               *layout.Box // where it stands freely on the paper
	between             bool        // its lower line stands between it and the next that has the same
	next, together, top bool        // kept with the next, whole, at the top of a page
}

type edge struct {
	size, space int // eighths of a point, points
	line, color string
}

// drawn reports whether the line is to be seen.
func (e edge) drawn() bool { return e.size > 0 && e.color != "" }

// look is what a style says.
type look struct {
	run       runLook
	paragraph paragraphLook
}

// style is a style of the document.
type style struct {
	id, name, base string
	look
	outline  int // level of headings from 1; 0: none; 10: body text
	quick    bool
	priority int
}

// styles are those of the document: the built-in ones, and one for each component.
type styles struct {
	d     *layout.Document
	theme theme.Theme
	list  []*style
	byID  map[string]*style
	usual runLook
	fonts map[string]bool
	names []string // of fonts, in order
	looks map[int]look
}

func newStyles(d *layout.Document, t theme.Theme) *styles {
	s := &styles{d: d, theme: t, byID: map[string]*style{}, fonts: map[string]bool{}, looks: map[int]look{}}
	s.usual = s.run(&d.Styles[0])
	normal := look{run: s.usual, paragraph: paragraphLook{line: lineOf(&d.Styles[0])}}
	s.add(&style{id: "Normal", name: "Normal", look: normal, quick: true})
	first := map[string]*layout.Node{}
	for n := range d.Nodes() {
		key := string(n.Role)
		switch n.Role {
		case layout.Heading, layout.Entry:
			key = fmt.Sprint(n.Role, n.Level)
		case layout.Caption, layout.Quote:
		default:
			continue
		}
		if first[key] == nil {
			first[key] = n
		}
	}
	of := func(key string, usual look) look {
		if n := first[key]; n != nil {
			return s.look(n.Style)
		}
		return usual
	}
	scaled := func(share float64, bold bool) look {
		l := normal
		l.run.size = int(math.Round(float64(l.run.size) * share))
		l.run.bold = bold
		l.paragraph.before, l.paragraph.after = 240, 120
		return l
	}
	s.add(&style{id: "Title", name: "Title", base: "Normal", look: scaled(2.4, true), quick: true, priority: 10})
	for i, share := range []float64{1.9, 1.5, 1.25, 1.1, 1, 1} {
		l := of(fmt.Sprint(layout.Heading, i+1), scaled(share, true))
		l.paragraph.next, l.paragraph.together = true, true
		id := fmt.Sprintf("Heading%d", i+1)
		s.add(&style{id: id, name: fmt.Sprintf("heading %d", i+1), base: "Normal", look: l, outline: i + 1, quick: true, priority: 9})
		s.add(&style{id: id + "Unlisted", name: fmt.Sprintf("Heading %d unlisted", i+1), base: id, look: l, outline: 10, priority: 9})
	}
	for i := range 6 {
		l := normal
		l.paragraph.left = i * 240
		s.add(&style{id: fmt.Sprintf("TOC%d", i+1), name: fmt.Sprintf("toc %d", i+1), base: "Normal", look: of(fmt.Sprint(layout.Entry, i+1), l), priority: 39})
	}
	s.add(&style{id: "TOCHeading", name: "TOC Heading", base: "Normal", look: scaled(1.25, true), quick: true, priority: 39})
	s.add(&style{id: "TableofFigures", name: "table of figures", base: "Normal", look: normal, priority: 99})
	s.add(&style{id: "Caption", name: "caption", base: "Normal", look: of(string(layout.Caption), scaled(0.9, false)), quick: true, priority: 35})
	s.add(&style{id: "Quote", name: "Quote", base: "Normal", look: of(string(layout.Quote), normal), quick: true, priority: 29})
	for _, l := range [][2]string{{"ListParagraph", "List Paragraph"}, {"ListBullet", "List Bullet"}, {"ListNumber", "List Number"}, {"Header", "header"}, {"Footer", "footer"}, {"FootnoteText", "footnote text"}} {
		s.add(&style{id: l[0], name: l[1], base: "Normal", look: normal, priority: 99})
	}
	return s
}

func (s *styles) add(made *style) {
	s.list = append(s.list, made)
	s.byID[made.id] = made
	s.font(made.run.font)
}

func (s *styles) font(name string) {
	if name != "" && !s.fonts[name] {
		s.fonts[name] = true
		s.names = append(s.names, name)
	}
}

// of is the style of a paragraph that has no other: that of its component.
func (s *styles) of(n *layout.Node) *style {
	name := s.d.Styles[n.Style].Name
	if n.Bare || name == "" {
		return s.byID["Normal"]
	}
	id := "Quire" + identifier(name)
	if known := s.byID[id]; known != nil {
		return known
	}
	if len(s.list) > 300 {
		return s.byID["Normal"]
	}
	l := s.look(n.Style)
	l.paragraph.before, l.paragraph.after, l.paragraph.left, l.paragraph.right = max(l.paragraph.before, 0), max(l.paragraph.after, 0), 0, 0
	l.paragraph.ground, l.paragraph.border = "", [4]edge{}
	s.add(&style{id: id, name: "Quire " + strings.ReplaceAll(name, "-", " "), base: "Normal", look: l, priority: 50})
	return s.byID[id]
}

// identifier is a name as an id of a style.
func identifier(name string) string {
	up := true
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			if up && r >= 'a' && r <= 'z' {
				r += 'A' - 'a'
			}
			up = false
			return r
		}
		up = true
		return -1
	}, name)
}

// look is what a style of the document says, for Word.
func (s *styles) look(at int) look {
	if known, ok := s.looks[at]; ok {
		return known
	}
	of := &s.d.Styles[at]
	l := look{run: s.run(of), paragraph: s.paragraph(of)}
	s.looks[at] = l
	return l
}

func (s *styles) run(of *layout.Style) runLook {
	r := runLook{
		font: of.Font, size: max(int(math.Round(of.Size*1.5)), 2), bold: of.Weight >= 600, italic: of.Italic, underline: of.Underline, strike: of.Strike,
		caps: of.Transform == "uppercase", small: of.SmallCaps, color: solid(of.Color), spacing: twips(of.Spacing), rtl: of.RTL, language: of.Language,
	}
	r.shift = map[string]string{"super": "superscript", "sub": "subscript"}[of.Shift]
	if r.shift != "" { // Word makes such text smaller itself
		r.size = int(math.Round(of.Size * 1.5 / 0.83))
	}
	r.size = min(r.size, 3276)
	return r
}

func (s *styles) paragraph(of *layout.Style) paragraphLook {
	p := paragraphLook{line: lineOf(of), align: alignments[of.Align], bidi: of.RTL, first: twips(of.Indent)}
	if m := of.Margin; m != nil {
		p.before, p.after = max(twips(m[layout.Top]), 0), max(twips(m[layout.Bottom]), 0)
	}
	return p
}

// alignments are ours in Word, where left is where a line begins, from whichever side.
var alignments = map[string]string{"left": "right", "right": "right", "center": "center", "justify": "both"}

// lineOf is the height of lines as a multiple of those of the font, in 240ths. Most fonts
// have lines of about 1.2 times their size.
func lineOf(of *layout.Style) int {
	if of.LineHeight <= 0 || of.Size <= 0 {
		return 240
	}
	natural := of.Natural
	if natural <= 0 {
		natural = 1.2
	}
	return min(max(int(math.Round(of.LineHeight/(of.Size*natural)*240)), 160), 960)
}

// runProperties writes what of a look differs from another.
func (s *styles) runProperties(x *opc.XML, r, base runLook) {
	s.font(r.font)
	x.Open("w:rPr")
	s.runPieces(x, r, base)
	x.Close()
}

func (s *styles) runPieces(x *opc.XML, r, base runLook) {
	flag := func(name string, on, was bool) {
		if on == was {
			return
		}
		x.Open(name)
		if !on {
			x.Attr("w:val", "0")
		}
		x.Close()
	}
	if r.link {
		x.Open("w:rStyle").Attr("w:val", "Hyperlink").Close()
	}
	if r.font != base.font && r.font != "" {
		x.Open("w:rFonts").Attr("w:ascii", r.font).Attr("w:hAnsi", r.font).Attr("w:eastAsia", r.font).Attr("w:cs", r.font).Close()
	}
	flag("w:b", r.bold, base.bold)
	flag("w:bCs", r.bold, base.bold)
	flag("w:i", r.italic, base.italic)
	flag("w:iCs", r.italic, base.italic)
	flag("w:caps", r.caps, base.caps)
	flag("w:smallCaps", r.small, base.small)
	flag("w:strike", r.strike, base.strike)
	if r.color != base.color && r.color != "" {
		x.Open("w:color").Attr("w:val", r.color).Close()
	}
	if r.spacing != base.spacing {
		x.Open("w:spacing").Int("w:val", r.spacing).Close()
	}
	if r.size != base.size {
		x.Open("w:sz").Int("w:val", r.size).Close().Open("w:szCs").Int("w:val", r.size).Close()
	}
	if r.underline != base.underline {
		x.Open("w:u").Attr("w:val", map[bool]string{true: "single", false: "none"}[r.underline]).Close()
	}
	if r.ground != base.ground {
		shading(x, r.ground)
	}
	if r.shift != base.shift && r.shift != "" {
		x.Open("w:vertAlign").Attr("w:val", r.shift).Close()
	}
	if r.rtl {
		x.Open("w:rtl").Close()
	}
}

func shading(x *opc.XML, color string) {
	if color == "" {
		color = "auto"
	}
	x.Open("w:shd").Attr("w:val", "clear").Attr("w:color", "auto").Attr("w:fill", color).Close()
}

// paragraphPieces writes what of a look differs from another. What stands between in the
// order of the schema comes by number and tabs.
func paragraphPieces(x *opc.XML, p, base paragraphLook, number, tabs func()) {
	flag := func(name string, on, was bool) {
		if on == was {
			return
		}
		x.Open(name)
		if !on {
			x.Attr("w:val", "0")
		}
		x.Close()
	}
	flag("w:keepNext", p.next, base.next)
	flag("w:keepLines", p.together, base.together)
	flag("w:pageBreakBefore", p.top, base.top)
	if b := p.frame; b != nil {
		x.Open("w:framePr").Int("w:w", max(twips(b.Width), 20)).Attr("w:wrap", "around").Attr("w:vAnchor", "page").Attr("w:hAnchor", "page")
		x.Int("w:x", max(twips(b.X), 1)).Int("w:y", max(twips(b.Y), 1)).Close() // 0 is none
	}
	if number != nil {
		number()
	}
	if p.border != base.border {
		x.Open("w:pBdr")
		for i, name := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
			if e := p.border[[]int{layout.Top, layout.Left, layout.Bottom, layout.Right}[i]]; e.drawn() {
				x.Open(name).Attr("w:val", e.line).Int("w:sz", e.size).Int("w:space", e.space).Attr("w:color", e.color).Close()
			}
		}
		if e := p.border[layout.Bottom]; p.between && e.drawn() {
			x.Open("w:between").Attr("w:val", e.line).Int("w:sz", e.size).Int("w:space", e.space).Attr("w:color", e.color).Close()
		}
		x.Close()
	}
	if p.ground != base.ground {
		shading(x, p.ground)
	}
	if tabs != nil {
		tabs()
	}
	flag("w:bidi", p.bidi, base.bidi)
	spacing(x, p, base)
	if p.left != base.left || p.right != base.right || p.first != base.first {
		x.Open("w:ind").Int("w:left", p.left).Int("w:right", p.right)
		if p.first < 0 {
			x.Int("w:hanging", -p.first)
		} else {
			x.Int("w:firstLine", p.first)
		}
		x.Close()
	}
	if p.align != base.align {
		align := p.align
		if align == "" {
			align = "left"
		}
		x.Open("w:jc").Attr("w:val", align).Close()
	}
}

func spacing(x *opc.XML, p, base paragraphLook) {
	if p.before == base.before && p.after == base.after && p.line == base.line && p.exact == base.exact {
		return
	}
	x.Open("w:spacing")
	if p.before != base.before {
		x.Int("w:before", p.before)
	}
	if p.after != base.after {
		x.Int("w:after", p.after)
	}
	switch {
	case p.exact > 0:
		x.Int("w:line", p.exact).Attr("w:lineRule", "exact")
	case p.line != base.line || base.exact > 0:
		x.Int("w:line", max(p.line, 1)).Attr("w:lineRule", "auto")
	}
	x.Close()
}

// write writes the part.
func (s *styles) write(x *opc.XML) {
	x.Open("w:styles").Attr("xmlns:w", wordNamespace)
	x.Open("w:docDefaults").Open("w:rPrDefault").Open("w:rPr")
	u := s.usual
	x.Open("w:rFonts").Attr("w:ascii", u.font).Attr("w:hAnsi", u.font).Attr("w:eastAsia", u.font).Attr("w:cs", u.font).Close()
	if u.color != "" {
		x.Open("w:color").Attr("w:val", u.color).Close()
	}
	x.Open("w:sz").Int("w:val", u.size).Close().Open("w:szCs").Int("w:val", u.size).Close()
	x.Open("w:lang")
	if lang := s.d.Language; lang != "" {
		x.Attr("w:val", lang).Attr("w:eastAsia", lang).Attr("w:bidi", lang)
	}
	x.Close().Close().Close()
	normal := s.byID["Normal"].paragraph
	x.Open("w:pPrDefault").Open("w:pPr").Open("w:spacing").Int("w:before", 0).Int("w:after", 0).Int("w:line", normal.line).Attr("w:lineRule", "auto").Close().Close().Close().Close()
	plain := look{run: u, paragraph: paragraphLook{line: normal.line}}
	plain.run.bold, plain.run.italic, plain.run.underline, plain.run.strike, plain.run.caps, plain.run.small, plain.run.spacing, plain.run.shift = false, false, false, false, false, false, 0, ""
	for _, made := range s.list {
		base := plain
		if of := s.byID[made.base]; of != nil {
			base = of.look
		}
		s.one(x, made, base)
	}
	s.others(x)
	x.Close()
}

func (s *styles) one(x *opc.XML, made *style, base look) {
	x.Open("w:style").Attr("w:type", "paragraph")
	if made.id == "Normal" {
		x.Attr("w:default", "1")
	} else if strings.HasPrefix(made.id, "Quire") || strings.HasSuffix(made.id, "Unlisted") {
		x.Attr("w:customStyle", "1")
	}
	x.Attr("w:styleId", made.id)
	leaf(x, "w:name", made.name)
	if made.base != "" {
		leaf(x, "w:basedOn", made.base)
	}
	if made.outline > 0 || made.id == "Title" {
		leaf(x, "w:next", "Normal")
	}
	if made.priority > 0 {
		x.Open("w:uiPriority").Int("w:val", made.priority).Close()
	}
	if made.quick {
		x.Open("w:qFormat").Close()
	}
	x.Open("w:pPr")
	paragraphPieces(x, made.paragraph, base.paragraph, nil, nil)
	if made.outline > 0 {
		x.Open("w:outlineLvl").Int("w:val", made.outline-1).Close()
	}
	x.Close()
	run := made.run
	run.rtl = false
	s.runProperties(x, run, base.run)
	x.Close()
}

func leaf(x *opc.XML, name, value string) { x.Open(name).Attr("w:val", value).Close() }

// others are the styles that are not of paragraphs.
func (s *styles) others(x *opc.XML) {
	x.Open("w:style").Attr("w:type", "character").Attr("w:default", "1").Attr("w:styleId", "DefaultParagraphFont")
	leaf(x, "w:name", "Default Paragraph Font")
	x.Open("w:uiPriority").Int("w:val", 1).Close().Open("w:semiHidden").Close().Close()
	x.Open("w:style").Attr("w:type", "character").Attr("w:styleId", "Hyperlink")
	leaf(x, "w:name", "Hyperlink")
	x.Open("w:uiPriority").Int("w:val", 99).Close().Open("w:rPr").Open("w:color").Attr("w:val", s.theme.Link).Attr("w:themeColor", "hyperlink").Close().Open("w:u").Attr("w:val", "single").Close().Close().Close()
	x.Open("w:style").Attr("w:type", "character").Attr("w:styleId", "FootnoteReference")
	leaf(x, "w:name", "footnote reference")
	x.Open("w:uiPriority").Int("w:val", 99).Close().Open("w:rPr").Open("w:vertAlign").Attr("w:val", "superscript").Close().Close().Close()
	x.Open("w:style").Attr("w:type", "table").Attr("w:default", "1").Attr("w:styleId", "TableNormal")
	leaf(x, "w:name", "Normal Table")
	x.Open("w:uiPriority").Int("w:val", 99).Close().Open("w:semiHidden").Close()
	x.Open("w:tblPr").Open("w:tblInd").Int("w:w", 0).Attr("w:type", "dxa").Close().Open("w:tblCellMar")
	for _, side := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
		x.Open(side).Int("w:w", 0).Attr("w:type", "dxa").Close()
	}
	x.Close().Close().Close()
	s.tableStyle(x)
	x.Open("w:style").Attr("w:type", "numbering").Attr("w:default", "1").Attr("w:styleId", "NoList")
	leaf(x, "w:name", "No List")
	x.Open("w:uiPriority").Int("w:val", 99).Close().Open("w:semiHidden").Close().Close()
}

// tableStyle is what new tables look like, as those of the report do.
func (s *styles) tableStyle(x *opc.XML) {
	x.Open("w:style").Attr("w:type", "table").Attr("w:customStyle", "1").Attr("w:styleId", "QuireTable")
	leaf(x, "w:name", "Quire Table")
	leaf(x, "w:basedOn", "TableNormal")
	x.Open("w:uiPriority").Int("w:val", 59).Close().Open("w:qFormat").Close()
	x.Open("w:tblPr").Open("w:tblStyleRowBandSize").Int("w:val", 1).Close().Open("w:tblBorders")
	line := s.theme.Light
	for _, name := range []string{"w:top", "w:bottom", "w:insideH"} {
		x.Open(name).Attr("w:val", "single").Int("w:sz", 4).Int("w:space", 0).Attr("w:color", line).Close()
	}
	x.Close().Open("w:tblCellMar")
	for i, side := range []string{"w:top", "w:left", "w:bottom", "w:right"} {
		x.Open(side).Int("w:w", []int{40, 80}[i%2]).Attr("w:type", "dxa").Close()
	}
	x.Close().Close()
	for _, name := range []string{"firstRow", "lastRow"} {
		x.Open("w:tblStylePr").Attr("w:type", name).Open("w:rPr").Open("w:b").Close().Open("w:bCs").Close().Close().Open("w:tblPr").Close().Open("w:tcPr")
		x.Open("w:tcBorders").Open(map[string]string{"firstRow": "w:bottom", "lastRow": "w:top"}[name]).Attr("w:val", "single").Int("w:sz", 8).Int("w:space", 0).Attr("w:color", s.theme.Accents[0]).Attr("w:themeColor", "accent1").Close().Close()
		x.Close().Close()
	}
	x.Close()
}

// stand are fonts that programs have in the place of ours.
var stand = map[string]string{"Inter": "Segoe UI", "Source Sans 3": "Segoe UI", "Source Serif 4": "Georgia", "JetBrains Mono": "Consolas", "Noto Sans Arabic": "Arial", "Noto Sans Hebrew": "Arial"}

func (s *styles) fontTable(x *opc.XML) {
	x.Open("w:fonts").Attr("xmlns:w", wordNamespace)
	slices.Sort(s.names)
	for _, name := range s.names {
		x.Open("w:font").Attr("w:name", name)
		if alt := stand[name]; alt != "" {
			leaf(x, "w:altName", alt)
		}
		lower := strings.ToLower(name)
		family, pitch := "swiss", "variable"
		switch {
		case strings.Contains(lower, "mono") || strings.Contains(lower, "courier"):
			family, pitch = "modern", "fixed"
		case strings.Contains(lower, "serif") && !strings.Contains(lower, "sans") || strings.Contains(lower, "times") || strings.Contains(lower, "georgia"):
			family = "roman"
		}
		leaf(x, "w:family", family)
		leaf(x, "w:pitch", pitch)
		x.Close()
	}
	x.Close()
}
