package pdf

import (
	"math"
	"strconv"
)

// Where a page is cut. The browser prints it with the bleed around, in which colours and
// pictures that reach its edge go on; marks in the corners say where the edge is.

// In points. Marks begin outside of the bleed, and 3 mm from the edge at least.
const (
	markFrom   = 8.5
	markLength = 14.0
	markWidth  = 0.25
	markMargin = 3.0
)

// slug is how much of the sheet lies around the bleed.
func (o *Options) slug() float64 {
	if !o.CropMarks {
		return 0
	}
	return math.Max(markFrom-o.bleed(), 0) + markLength + markMargin
}

// bleed is how far colours go over the edge, in points.
func (o *Options) bleed() float64 { return float64(o.Bleed) * 72 / 96 }

// trimmed gives a page, which has its exact size with the bleed, its edges.
func (p *part) trimmed(page dict) dict {
	o := &p.m.o
	if o.Press == nil && o.Bleed == 0 && !o.CropMarks {
		return page
	}
	box := p.rectangle(page.get("MediaBox"), defaultBox)
	page = page.with("TrimBox", boxArray(grown(box, -o.bleed()))).with("BleedBox", boxArray(box))
	return page.with("MediaBox", boxArray(grown(box, o.slug()))).without("CropBox", "ArtBox")
}

// trimOf is where a page is cut.
func (p *part) trimOf(page dict) [4]float64 {
	return p.rectangle(page.get("TrimBox"), defaultBox)
}

func boxArray(box [4]float64) (edges array) {
	for _, edge := range box {
		edges = append(edges, real(strconv.FormatFloat(math.Round(edge*1000)/1000, 'f', -1, 64)))
	}
	return edges
}

func grown(box [4]float64, by float64) [4]float64 {
	return [4]float64{box[0] - by, box[1] - by, box[2] + by, box[3] + by}
}

// marked is a content that ends with the bleed, and has marks of the corners around.
func (m *merger) marked(content []byte, trim [4]float64) []byte {
	o := &m.o
	bleed := grown(trim, o.bleed())
	out := make([]byte, 0, len(content)+512)
	out = append(out, "q "...)
	for _, v := range []float64{bleed[0], bleed[1], bleed[2] - bleed[0], bleed[3] - bleed[1]} {
		out = append(appendFloat(out, v), ' ')
	}
	out = append(append(out, "re W n\n"...), content...)
	out = append(out, "\nQ\n/Artifact BMC\nq "...)
	out = append(appendFloat(out, markWidth), " w "...)
	if o.Press != nil {
		out = append(out, "/"+allInks+" CS 1 SCN\n"...)
	} else {
		out = append(out, "0 G\n"...)
	}
	from := math.Max(markFrom, o.bleed())
	for _, x := range []float64{trim[0], trim[2]} {
		for _, y := range []float64{trim[1], trim[3]} {
			dx, dy := math.Copysign(1, x-(trim[0]+trim[2])/2), math.Copysign(1, y-(trim[1]+trim[3])/2)
			out = appendLine(out, x+dx*from, y, x+dx*(from+markLength), y)
			out = appendLine(out, x, y+dy*from, x, y+dy*(from+markLength))
		}
	}
	return append(out, "Q\nEMC\n"...)
}

func appendLine(b []byte, x1, y1, x2, y2 float64) []byte {
	b = append(appendFloat(append(appendFloat(b, x1), ' '), y1), " m "...)
	return append(appendFloat(append(appendFloat(b, x2), ' '), y2), " l S\n"...)
}
