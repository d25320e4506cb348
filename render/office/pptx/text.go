package pptx

import (
	"math"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

// textBody is the text of a shape or cell. Lines break where the page breaks them:
// whatever font the reader has, no text moves what is below it.
type textBody struct {
	paragraphs []paragraph
	inset      layout.Sides
	anchor     string // ctr, b; empty: t
	vertical   string // vert, vert270; empty: as usual
}

// paragraph is one of a text.
type paragraph struct {
	runs   []run
	align  string  // l, r, ctr
	pitch  float64 // from line to line
	before float64 // room above it
	left   float64 // of its lines
	first  float64 // of the first line, from the others
	bullet *bullet
	tabs   []tab
	rtl    bool
	style  *layout.Style // of what has no text of its own
	level  int           // of a list, from 0
}

// bullet is the mark of an item of a list.
type bullet struct {
	char, number, color string
	start               int
}

// tab is a place that text goes on at.
type tab struct {
	at    float64
	align string
}

// run is some text of one look.
type run struct {
	text    string
	style   *layout.Style
	link    string
	field   layout.FieldKind
	newLine bool
	leader  string // what a tab is filled with
	scale   float64
	opacity float64
}

// properties writes how the text stands in its shape.
func (b *textBody) properties(x *opc.XML, p placing) {
	anchor := b.anchor
	if anchor == "" {
		anchor = "t"
	}
	x.Open("a:bodyPr")
	if b.vertical != "" {
		x.Attr("vert", b.vertical)
	}
	x.Attr("wrap", "none").Int("lIns", p.length(b.inset[layout.Left])).Int("tIns", p.length(b.inset[layout.Top])).
		Int("rIns", p.length(b.inset[layout.Right])).Int("bIns", p.length(b.inset[layout.Bottom])).Attr("anchor", anchor)
	x.Open("a:noAutofit").Close().Close().Open("a:lstStyle").Close()
}

// paragraphs writes the paragraphs of a text, of which there is at least one.
func (k *deck) paragraphs(x *opc.XML, part string, p placing, b *textBody) {
	for i := range b.paragraphs {
		k.paragraph(x, part, p, &b.paragraphs[i])
	}
	if len(b.paragraphs) == 0 {
		nothing(x)
	}
}

// nothing writes a paragraph without text, of the least height: an empty one is as high
// as a line of 18 points.
func nothing(x *opc.XML) {
	x.Open("a:p").Open("a:endParaRPr").Int("sz", 100).Close().Close()
}

func (k *deck) paragraph(x *opc.XML, part string, p placing, g *paragraph) {
	x.Open("a:p").Open("a:pPr")
	x.Int("marL", p.length(max(0, g.left))).Int("indent", p.length(g.first))
	if g.level > 0 {
		x.Int("lvl", min(g.level, 8))
	}
	x.Attr("algn", g.align)
	if g.rtl {
		x.Attr("rtl", "1")
	}
	if g.pitch > 0 {
		x.Open("a:lnSpc").Open("a:spcPts").Int("val", min(max(p.points(g.pitch), 0), 158_400)).Close().Close()
	}
	x.Open("a:spcBef").Open("a:spcPts").Int("val", min(max(p.points(g.before), 0), 158_400)).Close().Close()
	x.Open("a:spcAft").Open("a:spcPts").Int("val", 0).Close().Close()
	g.bullet.write(x)
	if len(g.tabs) > 0 {
		x.Open("a:tabLst")
		for _, t := range g.tabs {
			x.Open("a:tab").Int("pos", p.length(t.at)).Attr("algn", t.align).Close()
		}
		x.Close()
	}
	x.Close()
	for i := range g.runs {
		k.run(x, part, p, &g.runs[i])
	}
	if len(g.runs) == 0 && g.style != nil {
		k.look(x, part, p, "a:endParaRPr", &run{style: g.style, scale: 1, opacity: 1})
	}
	x.Close()
}

func (b *bullet) write(x *opc.XML) {
	if b == nil {
		x.Open("a:buNone").Close()
		return
	}
	if b.color != "" {
		x.Open("a:buClr")
		colored(x, b.color)
		x.Close()
	}
	if b.number != "" {
		x.Open("a:buFont").Attr("typeface", "+mj-lt").Close().Open("a:buAutoNum").Attr("type", b.number)
		if b.start > 1 {
			x.Int("startAt", min(b.start, 32767))
		}
		x.Close()
		return
	}
	x.Open("a:buFont").Attr("typeface", "Arial").Close().Open("a:buChar").Attr("char", b.char).Close()
}

// numbers are the ways of DrawingML to number, by those of CSS.
var numbers = map[string]string{
	"decimal": "arabicPeriod", "lower-alpha": "alphaLcPeriod", "upper-alpha": "alphaUcPeriod", "lower-latin": "alphaLcPeriod", "upper-latin": "alphaUcPeriod",
	"lower-roman": "romanLcPeriod", "upper-roman": "romanUcPeriod",
}

// bulletOf is the mark of an item; nil where there is none.
func bulletOf(l *layout.ListOf, n int) *bullet {
	b := &bullet{color: l.Color}
	if number, ok := numbers[l.Marker]; ok || l.Ordered && l.Marker == "" {
		if b.number = number; b.number == "" {
			b.number = "arabicPeriod"
		}
		b.start = max(1, l.Start) + n
		return b
	}
	switch l.Marker {
	case "none":
		return nil
	case "circle":
		b.char = "○"
	case "square":
		b.char = "▪"
	case "", "disc":
		b.char = "•"
	default:
		if b.char = strings.TrimSpace(strings.Trim(l.Marker, `"'`)); b.char == "" {
			return nil
		}
	}
	return b
}

func (k *deck) run(x *opc.XML, part string, p placing, r *run) {
	switch {
	case r.newLine:
		x.Open("a:br")
		k.look(x, part, p, "a:rPr", r)
		x.Close()
	case r.field == layout.PageNumber:
		x.Open("a:fld").Attr("id", "{5C3A1D52-6B0E-4F0B-9C41-9D3B8A1E7F10}").Attr("type", "slidenum")
		k.look(x, part, p, "a:rPr", r)
		x.Leaf("a:t", r.text).Close()
	default:
		x.Open("a:r")
		k.look(x, part, p, "a:rPr", r)
		x.Leaf("a:t", transformed(r.text, r.style.Transform)).Close()
	}
}

// transformed is a text as it is printed where PowerPoint cannot do that by itself.
func transformed(text, how string) string {
	switch how {
	case "lowercase":
		return strings.ToLower(text)
	case "capitalize":
		return cases.Title(language.Und, cases.NoLower).String(text)
	}
	return text
}

// superscript is how large PowerPoint draws text above and below the line, of its size.
const superscript = 0.66

// look writes how text looks.
func (k *deck) look(x *opc.XML, part string, p placing, name string, r *run) {
	s := r.style
	x.Open(name)
	if lang := firstText(s.Language, k.doc.Language); lang != "" {
		x.Attr("lang", lang)
	}
	size := s.Size * r.scale
	if s.Shift != "" {
		size /= superscript
	}
	x.Int("sz", min(max(p.points(size), 100), 400_000))
	x.Attr("b", yes(s.Weight >= 600)).Attr("i", yes(s.Italic))
	switch { // tabs have no leaders here, but lines under them
	case r.leader != "":
		x.Attr("u", firstText(map[string]string{"dotted": "dotted", "dashed": "dash"}[r.leader], "sng"))
	case s.Underline:
		x.Attr("u", "sng")
	}
	if s.Strike {
		x.Attr("strike", "sngStrike")
	}
	switch {
	case s.Transform == "uppercase":
		x.Attr("cap", "all")
	case s.SmallCaps:
		x.Attr("cap", "small")
	}
	if spacing := p.points(s.Spacing * r.scale); spacing != 0 {
		x.Int("spc", min(max(spacing, -400_000), 400_000))
	}
	switch s.Shift {
	case "super":
		x.Int("baseline", 30_000)
	case "sub":
		x.Int("baseline", -25_000)
	}
	fill(x, faded(firstText(s.Color, "000000"), r.opacity))
	if s.Display != "block" && r.highlighted() {
		x.Open("a:highlight")
		colored(x, s.Background)
		x.Close()
	}
	if s.Font != "" {
		x.Open("a:latin").Attr("typeface", k.typeface(s.Font)).Close()
	}
	k.hyperlink(x, part, r.link)
	x.Close()
}

// highlighted reports text with a ground of its own.
func (r *run) highlighted() bool { return r.style.Background != "" && r.text != "" && r.opacity >= 1 }

// typeface is what a font is called in the presentation: one of the theme's, where it is
// that, so that who changes these changes the slides.
func (k *deck) typeface(family string) string {
	name := family
	if k.Font != nil {
		name = firstText(k.Font(family), family)
	}
	switch {
	case strings.EqualFold(name, k.Theme.Body):
		return "+mn-lt"
	case strings.EqualFold(name, k.Theme.Heading):
		return "+mj-lt"
	}
	return name
}

const hyperlinkType = relationNamespace + "/hyperlink"

// hyperlink writes where text leads: to an address, or to a slide.
func (k *deck) hyperlink(x *opc.XML, part, link string) {
	switch name, inside := strings.CutPrefix(link, "#"); {
	case link == "":
		return
	case inside:
		at, known := k.anchors[name]
		if !known {
			return
		}
		x.Open("a:hlinkClick").Attr("r:id", k.pkg.Relate(part, relationNamespace+"/slide", slidePart(at))).Attr("action", "ppaction://hlinksldjump")
	default:
		x.Open("a:hlinkClick").Attr("r:id", k.pkg.RelateOutside(part, hyperlinkType, link))
	}
	// The colour is that of the text, not of all links.
	x.Open("a:extLst").Open("a:ext").Attr("uri", "{A12FA001-AC4F-418D-AE19-62706E023703}").
		Open("ahyp:hlinkClr").Attr("xmlns:ahyp", "http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor").Attr("val", "tx").Close().Close().Close().Close()
}

func yes(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

func firstText(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// middle is where the middle of a line stands.
func middle(b layout.Box) float64 { return b.Y + b.Height/2 }

// pitch is how far lines are from each other, or how high a single one is.
func pitch(lines []layout.Box, s *layout.Style, scale float64) float64 {
	usual := s.LineHeight * scale
	if usual <= 0 {
		usual = s.Size * scale * 1.2
	}
	if n := len(lines); n > 1 {
		if measured := (middle(lines[n-1]) - middle(lines[0])) / float64(n-1); measured > 0 && math.Abs(measured-usual) > 0.3 {
			return measured
		}
	}
	return usual
}
