package pptx

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

const (
	slideLayoutType = relationNamespace + "/slideLayout"
	slideMasterType = relationNamespace + "/slideMaster"
)

func slidePart(at int) string { return fmt.Sprintf("/ppt/slides/slide%d.xml", at+1) }

// slideLayout is what some slides have in common.
type slideLayout struct {
	part, name string
}

// mostLayouts is how many layouts a presentation has at most. Where headers say something
// else on every page, they stand on the slides.
const mostLayouts = 60

// slide writes the slide of a page.
func (k *deck) slide(at int) error {
	s := &k.doc.Sheets[at]
	p := k.place(s)
	part := slidePart(at)
	w := &walker{deck: k, sheet: s, part: part}
	header, headerOwn := k.common(s, s.Header)
	footer, footerOwn := k.common(s, s.Footer)
	on, err := k.layout(s, header, footer)
	if err != nil {
		return err
	}
	if on == nil {
		headerOwn, footerOwn = s.Header, s.Footer
		if on, err = k.layout(s, nil, nil); err != nil {
			return err
		}
	}
	start := state{scale: 1, opacity: 1}
	w.walk(headerOwn, start)
	w.body = true
	if s.Attached != "" {
		w.attached()
	}
	w.walk(s.Body, start)
	w.body = false
	w.walk(footerOwn, start)
	if w.fault != nil {
		return w.fault
	}
	k.pkg.Relate(part, slideLayoutType, on.part)
	err = k.part(part, contentTypes+"slide+xml", func(x *opc.XML) {
		x.Open("p:sld").Attr("xmlns:p", mainNamespace).Attr("xmlns:a", drawingNamespace).Attr("xmlns:r", relationNamespace)
		x.Open("p:cSld")
		k.tree(x, part, p, w.out, k.titled(w, s, part))
		x.Close().Open("p:clrMapOvr").Open("a:masterClrMapping").Close().Close().Close()
	})
	k.slideIDs = append(k.slideIDs, k.pkg.Relate(presentationPart, relationNamespace+"/slide", part))
	return err
}

// titled gives a slide without a heading of the first level a title that nobody sees: by
// titles people find slides in the outline, and hear where they are.
func (k *deck) titled(w *walker, s *layout.Sheet, part string) func(x *opc.XML, next int) int {
	if w.title != nil {
		k.headings(s, textOf(w.title.body))
		return nil
	}
	title := k.unique(firstText(k.last(s), firstHeading(s.Body), s.Name, "Slide"))
	style := &layout.Style{Size: 18, Color: k.Theme.Text}
	made := &shape{
		kind: "Title", title: true, box: layout.Box{X: 0, Y: -48, Width: k.width, Height: 32},
		body: &textBody{paragraphs: []paragraph{{align: "l", style: style, runs: []run{{text: title, style: style, scale: 1, opacity: 1}}}}},
	}
	return func(x *opc.XML, next int) int {
		k.shape(x, part, placing{scale: 1}, made, next)
		return next + 1
	}
}

// lastTitle is the title of the slide before, and of which page of the report it is.
type lastTitle struct{ page, title string }

func (k *deck) headings(s *layout.Sheet, title string) {
	k.titles[title]++
	k.before = lastTitle{s.ID, title}
}

// last is the title that goes on, on later pages of the same content.
func (k *deck) last(s *layout.Sheet) string {
	if k.before.page == s.ID && s.ID != "" {
		return k.before.title
	}
	return ""
}

// unique is a title that no slide before has.
func (k *deck) unique(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	k.titles[title]++
	if n := k.titles[title]; n > 1 {
		return fmt.Sprintf("%s (%d)", title, n)
	}
	return title
}

// textOf is what a text says.
func textOf(b *textBody) string {
	var out strings.Builder
	for i := range b.paragraphs {
		for _, r := range b.paragraphs[i].runs {
			out.WriteString(r.text)
			if r.newLine {
				out.WriteByte(' ')
			}
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// firstHeading is the first heading of a page, of whatever level.
func firstHeading(n *layout.Node) string {
	if n == nil {
		return ""
	}
	if n.Role == layout.Heading {
		return plain(n)
	}
	for i := range n.Children {
		if found := firstHeading(&n.Children[i]); found != "" {
			return found
		}
	}
	return ""
}

// plain is the text of a node.
func plain(n *layout.Node) string {
	if n.Kind == layout.Break {
		return " "
	}
	text := n.Text
	for i := range n.Children {
		text += plain(&n.Children[i])
	}
	return text
}

// common is what of a header or footer pages have in common: all of it, but for the
// numbers of pages that the program would count otherwise, which stand on the slides.
func (k *deck) common(s *layout.Sheet, n *layout.Node) (common, own *layout.Node) {
	if n == nil || !has(n, layout.PageNumber) {
		return n, nil
	}
	if k.counted && s.Number > 0 {
		common = clone(n)
		numbered(common)
		return common, nil
	}
	common, own = clone(n), &layout.Node{Kind: layout.Block, Style: 0}
	part(common, own)
	return common, own
}

// numbered makes all texts with a page's number the same.
func numbered(n *layout.Node) {
	if n.Kind == layout.Field && n.Field == layout.PageNumber {
		n.Text = "‹#›"
	}
	if len(n.Lines) > 0 && has(n, layout.PageNumber) {
		for i := range n.Lines {
			n.Lines[i].X, n.Lines[i].Width = 0, 0
		}
	}
	for i := range n.Children {
		numbered(&n.Children[i])
	}
}

// part moves the paragraphs with numbers of pages out of a node.
func part(from, to *layout.Node) {
	kept := from.Children[:0]
	for i := range from.Children {
		c := &from.Children[i]
		if c.Kind == layout.Paragraph && has(c, layout.PageNumber) {
			to.Children = append(to.Children, *c)
			continue
		}
		part(c, to)
		kept = append(kept, *c)
	}
	from.Children = kept
}

func has(n *layout.Node, kind layout.FieldKind) bool {
	if n.Kind == layout.Field && n.Field == kind {
		return true
	}
	for i := range n.Children {
		if has(&n.Children[i], kind) {
			return true
		}
	}
	return false
}

// clone is a node with all below it; what is not changed is shared.
func clone(n *layout.Node) *layout.Node {
	c := *n
	c.Lines = append([]layout.Box(nil), n.Lines...)
	c.Children = make([]layout.Node, len(n.Children))
	for i := range n.Children {
		c.Children[i] = *clone(&n.Children[i])
	}
	return &c
}

// layout is the layout with a header and a footer; nil where there are too many.
func (k *deck) layout(s *layout.Sheet, header, footer *layout.Node) (*slideLayout, error) {
	shared := *s
	shared.ID, shared.Name, shared.Body, shared.Header, shared.Footer, shared.FirstHeader, shared.Attached, shared.Uncounted = "", "", nil, nameless(header), nameless(footer), nil, "", false
	if shared.Number > 0 {
		shared.Number = 1
	}
	key, err := json.Marshal(shared)
	if err != nil {
		return nil, err
	}
	if l, known := k.layoutOf[string(key)]; known {
		return l, nil
	}
	if len(k.layouts) >= mostLayouts && (header != nil || footer != nil) {
		k.shared++
		return nil, nil
	}
	l := &slideLayout{part: fmt.Sprintf("/ppt/slideLayouts/slideLayout%d.xml", len(k.layouts)+1), name: k.layoutName(s.Name)}
	k.layouts = append(k.layouts, l)
	k.layoutOf[string(key)] = l
	w := &walker{deck: k, sheet: s, part: l.part}
	w.walk(header, state{scale: 1, opacity: 1})
	w.walk(footer, state{scale: 1, opacity: 1})
	if w.fault != nil {
		return nil, w.fault
	}
	k.pkg.Relate(l.part, slideMasterType, masterPart)
	p := k.place(s)
	return l, k.part(l.part, contentTypes+"slideLayout+xml", func(x *opc.XML) {
		x.Open("p:sldLayout").Attr("xmlns:p", mainNamespace).Attr("xmlns:a", drawingNamespace).Attr("xmlns:r", relationNamespace).Attr("type", "titleOnly").Attr("preserve", "1")
		x.Open("p:cSld").Attr("name", l.name)
		background(x, s.Background)
		k.tree(x, l.part, p, w.out, func(x *opc.XML, next int) int {
			k.titleHolder(x, s, p, next)
			return next + 1
		})
		x.Close().Open("p:clrMapOvr").Open("a:masterClrMapping").Close().Close().Close()
	})
}

// nameless is a header or footer without the names of its elements, which are of one page.
func nameless(n *layout.Node) *layout.Node {
	if n == nil {
		return nil
	}
	c := clone(n)
	for part := range c.All() {
		part.ID = ""
	}
	return c
}

func (k *deck) layoutName(name string) string {
	name = firstText(strings.Join(strings.Fields(name), " "), "Page")
	made := name
	for n := 2; k.names[strings.ToLower(made)]; n++ {
		made = fmt.Sprintf("%s %d", name, n)
	}
	k.names[strings.ToLower(made)] = true
	return made
}

// background writes the colour of the whole slide, if it is not the theme's.
func background(x *opc.XML, color string) {
	if color == "" {
		return
	}
	x.Open("p:bg").Open("p:bgPr")
	fill(x, color)
	x.Open("a:effectLst").Close().Close().Close()
}

// titleHolder writes the place of the title on a layout or the master.
func (k *deck) titleHolder(x *opc.XML, s *layout.Sheet, p placing, id int) {
	m := s.Margin
	at := &shape{kind: "Title", box: layout.Box{X: m[layout.Left], Y: m[layout.Top], Width: max(96, s.Width-m[layout.Left]-m[layout.Right]), Height: 48}}
	x.Open("p:sp").Open("p:nvSpPr")
	at.about(x, id)
	x.Open("p:cNvSpPr").Open("a:spLocks").Attr("noGrp", "1").Close().Close().Open("p:nvPr").Open("p:ph").Attr("type", "title").Close().Close().Close()
	x.Open("p:spPr")
	frame(x, p, "a:xfrm", at)
	x.Open("a:prstGeom").Attr("prst", "rect").Open("a:avLst").Close().Close().Close()
	x.Open("p:txBody").Open("a:bodyPr").Int("lIns", 0).Int("tIns", 0).Int("rIns", 0).Int("bIns", 0).Open("a:normAutofit").Close().Close().Open("a:lstStyle").Close()
	x.Open("a:p").Open("a:endParaRPr").Attr("lang", firstText(k.doc.Language, "en")).Close().Close().Close().Close()
}

// attached says that a page of a PDF file belongs here.
func (w *walker) attached() {
	w.warn("", "the page %q is pages of a PDF file, which a presentation cannot show; notes with the file's name stand in their place. Make the report as PDF, or hand that file over as well", w.sheet.Name)
}
