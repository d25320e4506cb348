// Package docx writes documents of Word (WordprocessingML, ECMA-376 part 1) of documents
// that were read in flow: sections with headers and footers, headings, lists, tables,
// contents that can be updated, charts with their data. What a layout only puts side by
// side becomes tables without borders. It is a leaf.
package docx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
)

// Options are what a document needs besides what was read.
type Options struct {
	About opc.Core
	Theme theme.Theme
	// Color makes a colour of CSS one of six hexadecimal digits; nil: charts have the
	// colours that Word gives them.
	Color func(css string) (color string, ok bool)
	// Resource is what an address in the document stands for; nil: nothing.
	Resource func(address string) (content []byte, contentType string, ok bool)
	// Drawings are the pictures that the browser made, as PNG; see layout.ImageOf.
	Drawings [][]byte
	// Alive tells from time to time whether to go on; may be nil.
	Alive func() error
}

// Warning is what did not become part of the document, or not as it is printed.
type Warning struct {
	ID      string // of the element in the report; empty: of no single one
	Message string
}

const (
	wordNamespace     = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	drawingNamespace  = "http://schemas.openxmlformats.org/drawingml/2006/main"
	placeNamespace    = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
	relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	contentTypes      = "application/vnd.openxmlformats-officedocument.wordprocessingml."

	documentPart  = "/word/document.xml"
	footnotesPart = "/word/footnotes.xml"
)

// part is a part that is written when its content is known: media and charts while the
// text goes on.
type part struct {
	name, contentType string
	content           []byte
}

// writer writes a document. What concerns one part is in the walker.
type writer struct {
	Options
	d        *layout.Document
	pkg      *opc.Writer
	styles   *styles
	lists    *lists
	later    []part
	media    map[string]string // names of parts by their content
	parts    map[string]string // names of headers and footers by their content
	marks    map[string]mark   // bookmarks by anchor
	headings map[string]bool   // anchors of headings
	listed   bool              // there are contents
	warnings []Warning
	said     map[Warning]bool
	ids      int // of drawings
	charts   int
	notes    []*layout.Node // footnotes, in the order of their numbers
	allCount bool           // all sheets count, so that Word's own count of pages is right
	fault    error
}

// mark is a bookmark.
type mark struct {
	name string
	id   int
}

// Write writes a document.
func Write(w io.Writer, d *layout.Document, o Options) ([]Warning, error) {
	if d.State != layout.Flow {
		return nil, fmt.Errorf("a document of Word is made of one in flow, not in the state %q", d.State)
	}
	o.Theme = o.Theme.Complete()
	word := &writer{
		Options: o, d: d, pkg: opc.NewWriter(w, documentPart, o.About), lists: &lists{}, media: map[string]string{}, parts: map[string]string{},
		marks: map[string]mark{}, headings: map[string]bool{}, said: map[Warning]bool{}, allCount: true,
	}
	word.styles = newStyles(d, o.Theme)
	word.bookmarks()
	heads := word.furniture()
	word.document(heads)
	word.rest()
	if word.fault != nil {
		return nil, word.fault
	}
	return word.warnings, word.pkg.Close()
}

func (w *writer) fail(err error) {
	if w.fault == nil {
		w.fault = err
	}
}

func (w *writer) warn(id, format string, values ...any) {
	if warning := (Warning{id, fmt.Sprintf(format, values...)}); !w.said[warning] {
		w.said[warning] = true
		w.warnings = append(w.warnings, warning)
	}
}

// bookmarks gives what links and fields refer to names that Word takes: at most 40
// letters, digits and underscores.
func (w *writer) bookmarks() {
	n := 0
	for node := range w.d.Nodes() {
		for _, anchor := range node.Anchors {
			if _, known := w.marks[anchor]; !known {
				n++
				w.marks[anchor] = mark{fmt.Sprintf("_Toc%08d", n), n}
			}
			w.headings[anchor] = w.headings[anchor] || node.Role == layout.Heading
		}
		w.listed = w.listed || node.Role == layout.Contents
	}
	for i := range w.d.Sheets {
		w.allCount = w.allCount && !w.d.Sheets[i].Uncounted
	}
}

// write writes a whole part; the first fault is kept.
func (w *writer) write(name, contentType string, content func(x *opc.XML)) {
	out, err := w.pkg.Part(name, contentType)
	if err != nil {
		w.fail(err)
		return
	}
	x := opc.NewXML(out)
	content(x)
	if err := x.End(); err != nil {
		w.fail(err)
	}
}

// sheetParts are the headers and footers of a sheet by their names in the package.
type sheetParts struct {
	firstHeader, header, footer string
	headHeight, footHeight      float64
}

// furniture writes the headers and footers of all sheets; sheets that have the same
// share them.
func (w *writer) furniture() []sheetParts {
	list := make([]sheetParts, len(w.d.Sheets))
	for i := range w.d.Sheets {
		s := &w.d.Sheets[i]
		first, following := stampsOf(s, "first"), stampsOf(s, "following")
		list[i] = sheetParts{header: w.headerPart(s, s.Header, "hdr", following), footer: w.headerPart(s, s.Footer, "ftr", nil)}
		switch {
		case s.FirstHeader != nil:
			list[i].firstHeader = w.headerPart(s, s.FirstHeader, "hdr", first)
		case len(first) != len(following) || len(first) < len(s.Stamps):
			list[i].firstHeader = w.headerPart(s, s.Header, "hdr", first)
		}
		list[i].headHeight, list[i].footHeight = w.height(s.Header), w.height(s.Footer)
	}
	return list
}

// stampsOf are what stands freely on the first pages of a sheet, or on those following.
func stampsOf(s *layout.Sheet, pages string) []layout.Stamp {
	var list []layout.Stamp
	for _, stamp := range s.Stamps {
		if stamp.Pages == "all" || stamp.Pages == pages {
			list = append(list, stamp)
		}
	}
	return list
}

// headerPart writes a header (hdr) or footer (ftr) if there is none like it, and gives
// its name. Word has in headers what stands freely on pages.
func (w *writer) headerPart(s *layout.Sheet, n *layout.Node, kind string, stamps []layout.Stamp) string {
	key, err := json.Marshal(struct {
		Kind      string
		Width     float64
		Uncounted bool
		Node      *layout.Node
		Stamps    []layout.Stamp
	}{kind, textWidth(s), s.Uncounted, n, stamps})
	if err != nil {
		w.fail(err)
		return ""
	}
	if name, known := w.parts[string(key)]; known {
		return name
	}
	file := map[string]string{"hdr": "header", "ftr": "footer"}[kind]
	name := fmt.Sprintf("/word/%s%d.xml", file, len(w.parts)+1)
	w.parts[string(key)] = name
	w.write(name, contentTypes+file+"+xml", func(x *opc.XML) {
		x.Open("w:" + kind)
		namespaces(x)
		k := &walker{writer: w, x: x, part: name, furniture: file, uncounted: s.Uncounted}
		if len(stamps) > 0 {
			k.stamps(stamps)
		}
		switch {
		case n != nil:
			k.blocks([]layout.Node{*n}, room{width: textWidth(s)}, false)
		case len(stamps) == 0:
			k.tiny()
		}
		x.Close()
	})
	return name
}

func namespaces(x *opc.XML) {
	x.Attr("xmlns:w", wordNamespace).Attr("xmlns:r", relationNamespace).Attr("xmlns:wp", placeNamespace).Attr("xmlns:a", drawingNamespace)
}

func textWidth(s *layout.Sheet) float64 {
	return max(s.Width-s.Margin[layout.Left]-s.Margin[layout.Right], 1)
}

// height is about how high a header or footer is: Word makes room for more by itself,
// but moves the text only where there is less.
func (w *writer) height(n *layout.Node) float64 {
	if n == nil {
		return 0
	}
	top, bottom := 0.0, 0.0
	seen := false
	for node := range n.All() {
		if b := node.Box; b != nil {
			if !seen {
				top, bottom, seen = b.Y, b.Y+b.Height, true
			}
			top, bottom = min(top, b.Y), max(bottom, b.Y+b.Height)
		}
	}
	return bottom - top
}

// document writes the text.
func (w *writer) document(heads []sheetParts) {
	w.write(documentPart, contentTypes+"document.main+xml", func(x *opc.XML) {
		x.Open("w:document")
		namespaces(x)
		if color := w.ground(); color != "" {
			x.Open("w:background").Attr("w:color", color).Close()
		}
		x.Open("w:body")
		k := &walker{writer: w, x: x, part: documentPart}
		for i := range w.d.Sheets {
			if w.Alive != nil {
				if err := w.Alive(); err != nil {
					w.fail(err)
				}
			}
			if w.fault != nil {
				break
			}
			s := &w.d.Sheets[i]
			k.section = func(continuous bool, columns *layout.ColumnsOf) { w.sectPr(x, i, &heads[i], continuous, columns) }
			k.continued = false
			k.sheet(s)
			k.endOfCount(i)
			if i == len(w.d.Sheets)-1 {
				w.sectPr(x, i, &heads[i], k.continued, nil)
				continue
			}
			x.Open("w:p").Open("w:pPr")
			k.tinyLine()
			w.sectPr(x, i, &heads[i], k.continued, nil)
			x.Close().Close()
		}
		if len(w.d.Sheets) == 0 {
			w.warn("", "no page of the report is here; the document of Word is empty")
			k.tiny()
			x.Open("w:sectPr").Open("w:pgSz").Int("w:w", 11_906).Int("w:h", 16_838).Close() // A4
			x.Open("w:pgMar")
			for _, side := range []string{"top", "right", "bottom", "left", "header", "footer"} {
				x.Int("w:"+side, 1134)
			}
			x.Int("w:gutter", 0).Close().Close()
		}
		x.Close().Close()
	})
}

// ground is the colour of all pages, if they have the same that is not white.
func (w *writer) ground() string {
	color := ""
	for i := range w.d.Sheets {
		c := solid(w.d.Sheets[i].Background)
		if c == "FFFFFF" {
			c = ""
		}
		if i > 0 && c != color {
			return ""
		}
		color = c
	}
	return color
}

// sectPr writes what a section is: its paper, margins, header and footer. Continuous
// ones begin on the page of the text before.
func (w *writer) sectPr(x *opc.XML, at int, parts *sheetParts, continuous bool, columns *layout.ColumnsOf) {
	s := &w.d.Sheets[at]
	x.Open("w:sectPr")
	header, footer := relationNamespace+"/header", relationNamespace+"/footer"
	refer := func(element, kind, relation, part string) {
		x.Open(element).Attr("w:type", kind).Attr("r:id", w.pkg.Relate(documentPart, relation, part)).Close()
	}
	first := parts.firstHeader != ""
	if !continuous { // those have the headers of the section before
		refer("w:headerReference", "default", header, parts.header)
		if first {
			refer("w:headerReference", "first", header, parts.firstHeader)
		}
		refer("w:footerReference", "default", footer, parts.footer)
		if first {
			refer("w:footerReference", "first", footer, parts.footer)
		}
	} else {
		x.Open("w:type").Attr("w:val", "continuous").Close()
	}
	if s.StartOn != "" && !continuous {
		x.Open("w:type").Attr("w:val", s.StartOn+"Page").Close()
	}
	x.Open("w:pgSz").Int("w:w", page(s.Width)).Int("w:h", page(s.Height))
	if s.Width > s.Height {
		x.Attr("w:orient", "landscape")
	}
	x.Close()
	m := &s.Margin
	x.Open("w:pgMar").Int("w:top", twips(m[layout.Top]+parts.headHeight)).Int("w:right", twips(m[layout.Right])).Int("w:bottom", twips(m[layout.Bottom]+parts.footHeight)).
		Int("w:left", twips(m[layout.Left])).Int("w:header", twips(m[layout.Top])).Int("w:footer", twips(m[layout.Bottom])).Int("w:gutter", 0).Close()
	if w.restarts(at) && !continuous {
		x.Open("w:pgNumType").Int("w:start", 1).Close()
	}
	if columns != nil {
		x.Open("w:cols").Int("w:num", columns.Count).Int("w:space", twips(columns.Gap)).Close()
	}
	if first && !continuous {
		x.Open("w:titlePg").Close()
	}
	if w.d.RTL {
		x.Open("w:bidi").Close()
	}
	x.Close()
}

// restarts reports whether the numbers of pages begin with a sheet: it says so, or those
// before do not count.
func (w *writer) restarts(at int) bool {
	if w.d.Sheets[at].Anew {
		return true
	}
	if at == 0 || w.d.Sheets[at].Uncounted {
		return false
	}
	for i := range at {
		if !w.d.Sheets[i].Uncounted {
			return false
		}
	}
	return true
}

// lastCounted is the last sheet whose pages count.
func (w *writer) lastCounted() int {
	for i := len(w.d.Sheets) - 1; i >= 0; i-- {
		if !w.d.Sheets[i].Uncounted {
			return i
		}
	}
	return -1
}

// endMark is the bookmark at the end of the last page that counts.
const endMark = "_QuireEnd"

// endOfCount marks the end of the last page that counts, around a blank in a paragraph
// of its own: LibreOffice forgets marks around nothing, and what ends a section.
func (k *walker) endOfCount(at int) {
	if k.allCount || at != k.lastCounted() {
		return
	}
	k.x.Open("w:p").Open("w:pPr")
	k.tinyLine()
	k.x.Close()
	k.x.Open("w:bookmarkStart").Int("w:id", 1_000_000).Attr("w:name", endMark).Close()
	k.x.Open("w:r").Open("w:t").Attr("xml:space", "preserve").Text(" ").Close().Close()
	k.x.Open("w:bookmarkEnd").Int("w:id", 1_000_000).Close()
	k.x.Close()
}

// rest writes the parts that are known when the text is: styles, lists, media.
func (w *writer) rest() {
	w.pkg.Relate(documentPart, relationNamespace+"/styles", "/word/styles.xml")
	w.write("/word/styles.xml", contentTypes+"styles+xml", w.styles.write)
	w.pkg.Relate(documentPart, theme.Relation, "/word/theme/theme1.xml")
	w.write("/word/theme/theme1.xml", theme.ContentType, w.Theme.Write)
	w.pkg.Relate(documentPart, relationNamespace+"/settings", "/word/settings.xml")
	w.write("/word/settings.xml", contentTypes+"settings+xml", w.settings)
	w.pkg.Relate(documentPart, relationNamespace+"/fontTable", "/word/fontTable.xml")
	w.write("/word/fontTable.xml", contentTypes+"fontTable+xml", w.styles.fontTable)
	w.pkg.Relate(documentPart, relationNamespace+"/footnotes", footnotesPart)
	w.write(footnotesPart, contentTypes+"footnotes+xml", w.footnotes)
	if len(w.lists.nums) > 0 {
		w.pkg.Relate(documentPart, relationNamespace+"/numbering", "/word/numbering.xml")
		w.write("/word/numbering.xml", contentTypes+"numbering+xml", w.lists.write)
	}
	for _, p := range w.later {
		out, err := w.pkg.Part(p.name, p.contentType)
		if err == nil {
			_, err = out.Write(p.content)
		}
		if err != nil {
			w.fail(err)
		}
	}
}

func (w *writer) settings(x *opc.XML) {
	x.Open("w:settings").Attr("xmlns:w", wordNamespace)
	if w.ground() != "" {
		x.Open("w:displayBackgroundShape").Close()
	}
	x.Open("w:defaultTabStop").Int("w:val", 720).Close()
	x.Open("w:footnotePr")
	for _, id := range []int{-1, 0} {
		x.Open("w:footnote").Int("w:id", id).Close()
	}
	x.Close().Open("w:compat")
	x.Open("w:compatSetting").Attr("w:name", "compatibilityMode").Attr("w:uri", "http://schemas.microsoft.com/office/word").Attr("w:val", "15").Close()
	x.Close()
	x.Open("w:themeFontLang")
	if lang := w.d.Language; w.d.RTL {
		x.Attr("w:val", "en-US").Attr("w:bidi", lang)
	} else if lang != "" {
		x.Attr("w:val", lang)
	}
	x.Close()
	x.Open("w:clrSchemeMapping")
	for _, pair := range [][2]string{{"bg1", "light1"}, {"t1", "dark1"}, {"bg2", "light2"}, {"t2", "dark2"}} {
		x.Attr("w:"+pair[0], pair[1])
	}
	for i := range 6 {
		x.Attr(fmt.Sprintf("w:accent%d", i+1), fmt.Sprintf("accent%d", i+1))
	}
	x.Attr("w:hyperlink", "hyperlink").Attr("w:followedHyperlink", "followedHyperlink").Close()
	x.Close()
}

// footnotes writes the lines above footnotes, and these.
func (w *writer) footnotes(x *opc.XML) {
	x.Open("w:footnotes")
	namespaces(x)
	for i, name := range []string{"separator", "continuationSeparator"} {
		x.Open("w:footnote").Attr("w:type", name).Int("w:id", i-1).Open("w:p").Open("w:pPr").Open("w:spacing").Int("w:after", 0).Close().Close().
			Open("w:r").Open("w:" + name).Close().Close().Close().Close()
	}
	k := &walker{writer: w, x: x, part: footnotesPart}
	for i, note := range w.notes {
		x.Open("w:footnote").Int("w:id", i+1)
		k.noted = note
		k.blocks(note.Children, room{width: textWidth(&w.d.Sheets[0]), rtl: w.d.RTL}, false)
		x.Close()
	}
	x.Close()
}

// twips are twentieths of a point.
func twips(px float64) int {
	v := px*15 + 0.5
	if v < 0 {
		v--
	}
	return int(min(max(v, -31_680), 31_680))
}

// page is a side of the paper, of which Word knows at most 22 inches.
func page(px float64) int { return min(max(twips(px), 144), 31_680) }

// emu are the units of drawings.
func emu(px float64) int { return max(int(px*9525+0.5), 1) }

// solid is a colour as it looks on white, as six digits; empty: none.
func solid(color string) string {
	if len(color) != 8 {
		return color
	}
	var r, g, b, a int
	if _, err := fmt.Sscanf(color, "%02X%02X%02X%02X", &r, &g, &b, &a); err != nil {
		return color[:6]
	}
	mix := func(v int) int { return (v*a + 255*(255-a)) / 255 }
	return fmt.Sprintf("%02X%02X%02X", mix(r), mix(g), mix(b))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func bytesOf(content func(x *opc.XML)) ([]byte, error) {
	var b bytes.Buffer
	x := opc.NewXML(&b)
	content(x)
	err := x.End()
	return b.Bytes(), err
}
