package pptx

import (
	"fmt"
	"strconv"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
)

// shape is something on a slide or layout: a text, a box, a line, a table, a picture or a
// chart.
type shape struct {
	kind  string // what it is called, with its number
	box   layout.Box
	turn  float64
	alt   string
	bare  bool // there is nothing to describe
	title bool // it is the title of the slide

	fill   string
	edge   layout.Edge
	radius float64
	body   *textBody
	line   bool // from corner to corner
	table  *table
	chart  string // relationship
	blip   *blip
}

// blip is a picture.
type blip struct {
	png, svg string // relationships
	crop     *layout.Sides
}

// tree writes shapes as the content of a slide or layout.
func (k *deck) tree(x *opc.XML, part string, p placing, list []*shape, titles func(x *opc.XML, next int) int) {
	x.Open("p:spTree").Open("p:nvGrpSpPr").Open("p:cNvPr").Int("id", 1).Attr("name", "").Close().Open("p:cNvGrpSpPr").Close().Open("p:nvPr").Close().Close()
	x.Open("p:grpSpPr").Close()
	id := 2
	if titles != nil {
		id = titles(x, id)
	}
	for _, s := range list {
		k.shape(x, part, p, s, id)
		id++
	}
	x.Close()
}

func (k *deck) shape(x *opc.XML, part string, p placing, s *shape, id int) {
	switch {
	case s.table != nil:
		x.Open("p:graphicFrame").Open("p:nvGraphicFramePr")
		s.about(x, id)
		x.Open("p:cNvGraphicFramePr").Open("a:graphicFrameLocks").Attr("noGrp", "1").Close().Close().Open("p:nvPr").Close().Close()
		frame(x, p, "p:xfrm", s)
		x.Open("a:graphic").Open("a:graphicData").Attr("uri", tableURI)
		k.table(x, part, p, s.table)
		x.Close().Close().Close()
	case s.chart != "":
		x.Open("p:graphicFrame").Open("p:nvGraphicFramePr")
		s.about(x, id)
		x.Open("p:cNvGraphicFramePr").Close().Open("p:nvPr").Close().Close()
		frame(x, p, "p:xfrm", s)
		x.Open("a:graphic").Open("a:graphicData").Attr("uri", chartURI).Open("c:chart").Attr("xmlns:c", chartURI).Attr("r:id", s.chart).Close().Close().Close().Close()
	case s.blip != nil:
		x.Open("p:pic").Open("p:nvPicPr")
		s.about(x, id)
		x.Open("p:cNvPicPr").Open("a:picLocks").Attr("noChangeAspect", "1").Close().Close().Open("p:nvPr").Close().Close()
		s.blip.write(x)
		x.Open("p:spPr")
		s.form(x, p, "rect")
		x.Close().Close()
	case s.line:
		x.Open("p:cxnSp").Open("p:nvCxnSpPr")
		s.about(x, id)
		x.Open("p:cNvCxnSpPr").Close().Open("p:nvPr").Close().Close().Open("p:spPr")
		s.form(x, p, "line")
		edge(x, p, s.edge)
		x.Close().Close()
	default:
		k.plain(x, part, p, s, id)
	}
}

const (
	tableURI = "http://schemas.openxmlformats.org/drawingml/2006/table"
	chartURI = "http://schemas.openxmlformats.org/drawingml/2006/chart"
)

// plain writes a box, with text or without.
func (k *deck) plain(x *opc.XML, part string, p placing, s *shape, id int) {
	x.Open("p:sp").Open("p:nvSpPr")
	s.about(x, id)
	x.Open("p:cNvSpPr")
	if s.body != nil && !s.title {
		x.Attr("txBox", "1")
	}
	x.Close().Open("p:nvPr")
	if s.title {
		x.Open("p:ph").Attr("type", "title").Close()
	}
	x.Close().Close().Open("p:spPr")
	form := "rect"
	if s.radius > 0 {
		form = "roundRect"
	}
	s.form(x, p, form)
	fill(x, s.fill)
	edge(x, p, s.edge)
	x.Close()
	if s.body != nil {
		x.Open("p:txBody")
		s.body.properties(x, p)
		k.paragraphs(x, part, p, s.body)
		x.Close()
	}
	x.Close()
}

// about writes what a shape is.
func (s *shape) about(x *opc.XML, id int) {
	x.Open("p:cNvPr").Int("id", id).Attr("name", fmt.Sprintf("%s %d", s.kind, id-1))
	if s.alt != "" {
		x.Attr("descr", s.alt)
	}
	if s.bare {
		x.Open("a:extLst").Open("a:ext").Attr("uri", "{C183D7F6-B498-43B3-948B-1728B52AA6E4}").
			Open("adec:decorative").Attr("xmlns:adec", "http://schemas.microsoft.com/office/drawing/2017/decorative").Attr("val", "1").Close().Close().Close()
	}
	x.Close()
}

// form writes where a shape stands and what form it has.
func (s *shape) form(x *opc.XML, p placing, preset string) {
	frame(x, p, "a:xfrm", s)
	x.Open("a:prstGeom").Attr("prst", preset).Open("a:avLst")
	if preset == "roundRect" {
		share := s.radius / max(1, min(s.box.Width, s.box.Height))
		x.Open("a:gd").Attr("name", "adj").Attr("fmla", "val "+strconv.Itoa(int(min(share, 0.5)*100_000))).Close()
	}
	x.Close().Close()
}

func frame(x *opc.XML, p placing, name string, s *shape) {
	x.Open(name)
	if turn := int(s.turn*60_000) % 21_600_000; turn != 0 {
		x.Int("rot", (turn+21_600_000)%21_600_000)
	}
	left, top := p.x(s.box.X), p.y(s.box.Y)
	x.Open("a:off").Int("x", left).Int("y", top).Close()
	x.Open("a:ext").Int("cx", max(0, p.x(s.box.X+s.box.Width)-left)).Int("cy", max(0, p.y(s.box.Y+s.box.Height)-top)).Close().Close()
}

// fill writes a colour that fills something; empty is none.
func fill(x *opc.XML, color string) {
	if color == "" {
		x.Open("a:noFill").Close()
		return
	}
	x.Open("a:solidFill")
	colored(x, color)
	x.Close()
}

// colored writes a colour.
func colored(x *opc.XML, color string) {
	rgb := color[:min(len(color), 6)]
	if _, err := strconv.ParseUint(rgb, 16, 24); err != nil || len(rgb) != 6 {
		rgb = "000000"
	}
	x.Open("a:srgbClr").Attr("val", rgb)
	if len(color) == 8 {
		if n, err := strconv.ParseUint(color[6:], 16, 8); err == nil && n < 255 {
			x.Open("a:alpha").Int("val", int(n)*100_000/255).Close()
		}
	}
	x.Close()
}

// edge writes the line around a shape, or the line that it is.
func edge(x *opc.XML, p placing, e layout.Edge) { edgeNamed(x, p, "a:ln", e) }

func edgeNamed(x *opc.XML, p placing, name string, e layout.Edge) {
	x.Open(name)
	if e.Width <= 0 || e.Color == "" {
		x.Open("a:noFill").Close().Close()
		return
	}
	x.Int("w", min(max(1, p.length(e.Width)), 20_116_800))
	if e.Line == "double" {
		x.Attr("cmpd", "dbl")
	}
	fill(x, e.Color)
	x.Open("a:prstDash").Attr("val", map[string]string{"dashed": "dash", "dotted": "sysDot"}[e.Line]+solid(e.Line)).Close().Close()
}

func solid(line string) string {
	if line == "dashed" || line == "dotted" {
		return ""
	}
	return "solid"
}

// faded is a colour that is less opaque.
func faded(color string, opacity float64) string {
	if color == "" || opacity >= 1 {
		return color
	}
	alpha := uint64(255)
	if len(color) == 8 {
		if n, err := strconv.ParseUint(color[6:], 16, 8); err == nil {
			alpha = n
		}
	}
	return fmt.Sprintf("%s%02X", color[:min(len(color), 6)], int(float64(alpha)*max(0, opacity)))
}

// write writes the picture.
func (b *blip) write(x *opc.XML) {
	x.Open("p:blipFill").Open("a:blip").Attr("r:embed", b.png)
	if b.svg != "" {
		x.Open("a:extLst").Open("a:ext").Attr("uri", "{96DAC541-7B7A-43D3-8B79-37D633B846F1}").
			Open("asvg:svgBlip").Attr("xmlns:asvg", "http://schemas.microsoft.com/office/drawing/2016/SVG/main").Attr("r:embed", b.svg).Close().Close().Close()
	}
	x.Close()
	if c := b.crop; c != nil {
		share := func(v float64) int { return int(min(max(v, 0), 0.99) * 100_000) }
		x.Open("a:srcRect").Int("l", share(c[layout.Left])).Int("t", share(c[layout.Top])).Int("r", share(c[layout.Right])).Int("b", share(c[layout.Bottom])).Close()
	}
	x.Open("a:stretch").Open("a:fillRect").Close().Close().Close()
}
