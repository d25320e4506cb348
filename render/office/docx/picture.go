package docx

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/plots"
)

const (
	pictureNamespace = "http://schemas.openxmlformats.org/drawingml/2006/picture"
	chartNamespace   = "http://schemas.openxmlformats.org/drawingml/2006/chart"
	svgExtension     = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"
	decorativeExt    = "{C183D7F6-B498-43B3-948B-1728B52AA6E4}"
)

// endings are those of pictures that Word shows, by their types.
var endings = map[string]string{"image/png": "png", "image/jpeg": "jpeg", "image/svg+xml": "svg"}

// picture writes a picture or chart that stands alone.
func (k *walker) picture(p *piece, in room) {
	n := p.n
	style := &k.d.Styles[n.Style]
	l := paragraphLook{before: twips(max(p.before, 0)), after: twips(max(p.after, 0)), line: 240, next: p.keep&layout.KeepNext != 0, top: p.keep&layout.KeepBefore != 0, bidi: in.rtl}
	left, right := p.left, p.right
	if b := n.Box; b != nil { // where it stands in its room says how it is aligned
		before, after := b.X-in.left, in.left+in.width-b.X-b.Width
		if in.rtl {
			before, after = after, before
		}
		switch {
		case before > 2 && before-after < 2 && after-before < 2:
			l.align = "center"
		case before > 2 && after < 2:
			l.align = "right"
		case before > 2 && in.rtl:
			right += before
		case before > 2:
			left += before
		}
	}
	if in.rtl {
		left, right = right, left
	}
	l.left, l.right = twips(left), twips(right)
	l.ground = solid(p.ground)
	l.border = edges(style.Border, layout.Sides{}, "")
	if p.border != nil {
		l.border = edges(p.border, p.padding, l.ground)
	}
	k.x.Open("w:p").Open("w:pPr")
	var number func()
	if k.list != nil {
		number = k.list.mark(k, &l)
	}
	paragraphPieces(k.x, l, k.styles.byID["Normal"].paragraph, number, nil)
	k.x.Close()
	k.anchored(n.Anchors, func() { k.drawing(n, in.width) })
	k.x.Close()
}

func (k *walker) inlinePicture(n *layout.Node) { k.drawing(n, 0) }

// drawing writes a run with a picture, no wider than its room.
func (k *walker) drawing(n *layout.Node, most float64) {
	m := n.Image
	id := n.ID
	if id == "" {
		id = k.id
	}
	if n.Box == nil || n.Box.Width < 0.5 || n.Box.Height < 0.5 {
		return
	}
	width, height := n.Box.Width, n.Box.Height
	if most > 0 && width > most+1 {
		width, height = most, height*most/width
	}
	if len(m.Chart) > 0 && k.chart(n, id, width, height) {
		return
	}
	png, svg := k.blip(m)
	if png == "" {
		k.warn(id, "this picture cannot be shown; the document of Word leaves it out%s", described(m))
		k.alternative(m)
		return
	}
	if m.What != "" {
		k.warn(id, "%s is a picture in the document of Word", m.What)
	}
	k.inlineDrawing(width, height, m, func() { k.pic(m, png, svg, width, height) })
}

// pic writes a picture of the package.
func (k *walker) pic(m *layout.ImageOf, png, svg string, width, height float64) {
	x := k.x
	x.Open("a:graphicData").Attr("uri", pictureNamespace).Open("pic:pic").Attr("xmlns:pic", pictureNamespace)
	x.Open("pic:nvPicPr").Open("pic:cNvPr").Int("id", k.ids).Attr("name", fmt.Sprintf("Picture %d", k.ids)).Close().Open("pic:cNvPicPr").Close().Close()
	x.Open("pic:blipFill").Open("a:blip").Attr("r:embed", png)
	if svg != "" {
		x.Open("a:extLst").Open("a:ext").Attr("uri", svgExtension).Open("asvg:svgBlip").Attr("xmlns:asvg", "http://schemas.microsoft.com/office/drawing/2016/SVG/main").Attr("r:embed", svg).Close().Close().Close()
	}
	x.Close()
	if c := m.Crop; c != nil && svg == "" && (m.Drawing == 0 || !k.isDrawn(m)) {
		x.Open("a:srcRect").Int("l", round(c[layout.Left]*100_000)).Int("t", round(c[layout.Top]*100_000)).Int("r", round(c[layout.Right]*100_000)).Int("b", round(c[layout.Bottom]*100_000)).Close()
	}
	x.Open("a:stretch").Open("a:fillRect").Close().Close().Close()
	x.Open("pic:spPr").Open("a:xfrm").Open("a:off").Int("x", 0).Int("y", 0).Close().Open("a:ext").Int("cx", emu(width)).Int("cy", emu(height)).Close().Close()
	x.Open("a:prstGeom").Attr("prst", "rect").Open("a:avLst").Close().Close().Close()
	x.Close().Close()
}

// stamps writes pictures that stand freely on the paper, in a paragraph without height.
func (k *walker) stamps(list []layout.Stamp) {
	k.x.Open("w:p").Open("w:pPr")
	k.tinyLine()
	k.x.Close()
	for i := range list {
		n := &list[i].Node
		if png, svg := k.blip(n.Image); png != "" {
			k.freeDrawing(n, list[i].Above, func() { k.pic(n.Image, png, svg, n.Box.Width, n.Box.Height) })
		} else {
			k.warn(n.ID, "this picture cannot be shown; the document of Word leaves it out%s", described(n.Image))
		}
	}
	k.x.Close()
}

// freeDrawing writes a run with a drawing at a place of the paper, behind the text or above it.
func (k *walker) freeDrawing(n *layout.Node, above bool, graphic func()) {
	x, b := k.x, n.Box
	k.ids++
	x.Open("w:r").Open("w:drawing").Open("wp:anchor")
	for _, side := range []string{"distT", "distB", "distL", "distR", "simplePos"} {
		x.Int(side, 0)
	}
	behind := 1
	if above {
		behind = 0
	}
	x.Int("relativeHeight", k.ids).Int("behindDoc", behind).Int("locked", 0).Int("layoutInCell", 1).Int("allowOverlap", 1)
	x.Open("wp:simplePos").Int("x", 0).Int("y", 0).Close()
	x.Open("wp:positionH").Attr("relativeFrom", "page").Open("wp:posOffset").Text(fmt.Sprint(round(b.X * 9525))).Close().Close()
	x.Open("wp:positionV").Attr("relativeFrom", "page").Open("wp:posOffset").Text(fmt.Sprint(round(b.Y * 9525))).Close().Close()
	x.Open("wp:extent").Int("cx", emu(b.Width)).Int("cy", emu(b.Height)).Close().Open("wp:wrapNone").Close()
	k.docPr(n.Image)
	x.Open("wp:cNvGraphicFramePr").Close().Open("a:graphic")
	graphic()
	x.Close().Close().Close().Close()
}

// inlineDrawing writes a run with a drawing that stands in the line.
func (k *walker) inlineDrawing(width, height float64, m *layout.ImageOf, graphic func()) {
	x := k.x
	k.ids++
	x.Open("w:r").Open("w:drawing").Open("wp:inline").Int("distT", 0).Int("distB", 0).Int("distL", 0).Int("distR", 0)
	x.Open("wp:extent").Int("cx", emu(width)).Int("cy", emu(height)).Close()
	k.docPr(m)
	x.Open("wp:cNvGraphicFramePr").Close().Open("a:graphic")
	graphic()
	x.Close().Close().Close().Close()
}

// docPr says what a drawing is, for those who do not see it.
func (k *walker) docPr(m *layout.ImageOf) {
	x := k.x
	x.Open("wp:docPr").Int("id", k.ids).Attr("name", fmt.Sprintf("Picture %d", k.ids))
	if alt := oneLine(m.Alt); alt != "" && !m.Decorative {
		x.Attr("descr", alt)
	}
	if m.Decorative {
		x.Open("a:extLst").Open("a:ext").Attr("uri", decorativeExt).Open("adec:decorative").Attr("xmlns:adec", "http://schemas.microsoft.com/office/drawing/2017/decorative").Attr("val", "1").Close().Close().Close()
	}
	x.Close()
}

func described(m *layout.ImageOf) string {
	if m.Alt == "" {
		return ""
	}
	return " (" + oneLine(m.Alt) + ")"
}

// alternative writes what describes a picture in its place.
func (k *walker) alternative(m *layout.ImageOf) {
	if m.Alt != "" {
		k.x.Open("w:r")
		k.letters("[" + oneLine(m.Alt) + "]")
		k.x.Close()
	}
}

// chart writes a chart whose values people edit; false where Word cannot draw it.
func (k *walker) chart(n *layout.Node, id string, width, height float64) bool {
	mark := plots.Read(string(n.Image.Chart))
	if mark == nil {
		return false
	}
	if mark.Lacks != "" {
		k.warn(id, "this chart is a picture in the document of Word, for it has %s, which Word does not draw%s", mark.Lacks, described(n.Image))
		return false
	}
	if len(mark.Grid.Removed) > 0 {
		k.warn(id, "a line across the chart is not in the document of Word (%s)", mark.Grid.Removed[0])
	}
	k.charts++
	name, book := fmt.Sprintf("/word/charts/chart%d.xml", k.charts), fmt.Sprintf("/word/embeddings/chart%d.xlsx", k.charts)
	made := mark.Chart(plots.Sheet, 1, plots.Look{Text: k.Theme.Text, Font: k.Theme.Body, Color: k.Color})
	made.Data = k.pkg.Relate(name, relationNamespace+"/package", book)
	content, err := bytesOf(made.Write)
	if err != nil {
		k.fail(err)
		return true
	}
	var sheet bytes.Buffer
	if err := mark.Workbook(&sheet); err != nil {
		k.fail(err)
		return true
	}
	k.later = append(k.later, part{name, "application/vnd.openxmlformats-officedocument.drawingml.chart+xml", content},
		part{book, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", sheet.Bytes()})
	rel := k.pkg.Relate(k.part, relationNamespace+"/chart", name)
	k.inlineDrawing(width, height, n.Image, func() {
		k.x.Open("a:graphicData").Attr("uri", chartNamespace).Open("c:chart").Attr("xmlns:c", chartNamespace).Attr("r:id", rel).Close().Close()
	})
	return true
}

// isDrawn reports whether what is shown of a picture is the browser's drawing.
func (k *walker) isDrawn(m *layout.ImageOf) bool {
	_, kind := k.source(m)
	return kind != "image/png" && kind != "image/jpeg"
}

// blip gives the ids of a picture and, where it is one, of its drawing by lines.
func (k *walker) blip(m *layout.ImageOf) (png, svg string) {
	content, kind := k.source(m)
	if kind == "image/png" || kind == "image/jpeg" {
		return k.embed(content, kind), ""
	}
	if m.Drawing == 0 || m.Drawing > len(k.Drawings) || len(k.Drawings[m.Drawing-1]) == 0 {
		return "", ""
	}
	png = k.embed(k.Drawings[m.Drawing-1], "image/png")
	switch {
	case m.SVG != "":
		svg = k.embed([]byte(m.SVG), "image/svg+xml")
	case kind == "image/svg+xml" && m.Crop == nil:
		svg = k.embed(content, kind)
	}
	return png, svg
}

// source is the file of a picture.
func (k *walker) source(m *layout.ImageOf) (content []byte, kind string) {
	if m.Source == "" {
		return nil, ""
	}
	if head, data, isData := strings.Cut(m.Source, ","); isData && strings.HasPrefix(head, "data:") {
		kind, _, _ = strings.Cut(strings.TrimPrefix(head, "data:"), ";")
		var err error
		if strings.HasSuffix(head, ";base64") {
			content, err = base64.StdEncoding.DecodeString(data)
		} else {
			var text string
			text, err = url.PathUnescape(data)
			content = []byte(text)
		}
		if err != nil {
			return nil, ""
		}
		return content, kind
	}
	if k.Resource == nil {
		return nil, ""
	}
	content, kind, ok := k.Resource(m.Source)
	if !ok {
		return nil, ""
	}
	kind, _, _ = strings.Cut(kind, ";")
	return content, kind
}

// embed puts a picture into the package, once, and gives the id by which this part
// refers to it.
func (k *walker) embed(content []byte, kind string) string {
	ending := endings[kind]
	key := fmt.Sprintf("%x", sha256.Sum256(content))
	name := k.media[key]
	if name == "" {
		name = fmt.Sprintf("/word/media/image%d.%s", len(k.media)+1, ending)
		k.media[key] = name
		k.later = append(k.later, part{name, kind, content})
	}
	return k.pkg.Relate(k.part, relationNamespace+"/image", name)
}

// outside is an address that a document may lead to, as Word takes it.
func outside(address string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Opaque == "" && u.Host == "" {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "mailto", "tel", "ftp", "ftps", "sms":
	default:
		return "", false
	}
	made := u.String()
	return made, len(made) <= 2000
}
