package xlsx

import (
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/quire-reports/quire/render/office/opc"
)

const (
	drawingNamespace = "http://schemas.openxmlformats.org/drawingml/2006/main"
	placeNamespace   = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
	chartNamespace   = "http://schemas.openxmlformats.org/drawingml/2006/chart"
	drawingType      = "application/vnd.openxmlformats-officedocument.drawing+xml"
	chartType        = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
	pixelEMU         = 9525
)

// Place is where something stands over the cells: the cell of its upper left corner,
// from 1, and its size in pixels.
type Place struct {
	Row, Column   int
	Left, Top     float64 // from that corner, in pixels
	Width, Height float64
	Name          string // unique names are nicer, none is needed
	Alt           string // what people read who do not see it
}

// drawn is something over the cells.
type drawn struct {
	place   Place
	chart   func(*opc.XML)
	picture []byte
	kind    string // content type of the picture
}

// Chart puts a chart over the cells; write writes its part.
func (s *Sheet) Chart(p Place, write func(*opc.XML)) {
	s.drawings = append(s.drawings, drawn{place: p, chart: write})
}

// Picture puts a PNG or JPEG picture over the cells.
func (s *Sheet) Picture(p Place, content []byte, contentType string) {
	s.drawings = append(s.drawings, drawn{place: p, picture: content, kind: contentType})
}

// endDrawings says that there are drawings; their parts come after the sheet's.
func (s *Sheet) endDrawings() (part string) {
	if len(s.drawings) == 0 {
		return ""
	}
	s.wb.drawings++
	part = fmt.Sprintf("/xl/drawings/drawing%d.xml", s.wb.drawings)
	s.x.Open("drawing").Attr("r:id", s.wb.pkg.Relate(s.part, relationNamespace+"/drawing", part)).Close()
	return part
}

// writeDrawings writes the parts of the drawings.
func (s *Sheet) writeDrawings(part string) error {
	if part == "" {
		return nil
	}
	ids := make([]string, len(s.drawings))
	for i := range s.drawings {
		id, err := s.wb.writeDrawn(part, &s.drawings[i])
		if err != nil {
			return err
		}
		ids[i] = id
	}
	return s.wb.part(part, drawingType, func(x *opc.XML) {
		x.Open("xdr:wsDr").Attr("xmlns:xdr", placeNamespace).Attr("xmlns:a", drawingNamespace)
		for i := range s.drawings {
			s.drawings[i].write(x, i, ids[i])
		}
		x.Close()
	})
}

// writeDrawn writes what a drawing shows and gives its relationship.
func (wb *Workbook) writeDrawn(part string, d *drawn) (id string, err error) {
	if d.chart != nil {
		wb.charts++
		name := fmt.Sprintf("/xl/charts/chart%d.xml", wb.charts)
		return wb.pkg.Relate(part, relationNamespace+"/chart", name), wb.part(name, chartType, d.chart)
	}
	ending := map[string]string{"image/png": "png", "image/jpeg": "jpeg"}[d.kind]
	if ending == "" {
		return "", fmt.Errorf("a workbook takes no pictures of type %s", d.kind)
	}
	sum := sha256.Sum256(d.picture)
	if name, known := wb.media[sum]; known { // the same in many rows
		return wb.pkg.Relate(part, relationNamespace+"/image", name), nil
	}
	name := fmt.Sprintf("/xl/media/image%d.%s", len(wb.media)+1, ending)
	wb.media[sum] = name
	w, err := wb.pkg.Part(name, d.kind)
	if err == nil {
		_, err = w.Write(d.picture)
	}
	return wb.pkg.Relate(part, relationNamespace+"/image", name), err
}

func (d *drawn) write(x *opc.XML, i int, id string) {
	p := &d.place
	x.Open("xdr:oneCellAnchor").Open("xdr:from").Leaf("xdr:col", fmt.Sprint(p.Column-1)).Leaf("xdr:colOff", fmt.Sprint(int(p.Left*pixelEMU))).
		Leaf("xdr:row", fmt.Sprint(p.Row-1)).Leaf("xdr:rowOff", fmt.Sprint(int(p.Top*pixelEMU))).Close()
	emu := func(pixels float64) int { return int(math.Max(1, pixels) * pixelEMU) }
	x.Open("xdr:ext").Int("cx", emu(p.Width)).Int("cy", emu(p.Height)).Close()
	about := func() {
		name := p.Name
		if name == "" {
			name = fmt.Sprintf("Drawing %d", i+1)
		}
		x.Open("xdr:cNvPr").Int("id", i+2).Attr("name", name)
		if p.Alt != "" {
			x.Attr("descr", p.Alt)
		}
		x.Close()
	}
	if d.chart != nil {
		x.Open("xdr:graphicFrame").Attr("macro", "").Open("xdr:nvGraphicFramePr")
		about()
		x.Open("xdr:cNvGraphicFramePr").Close().Close()
		x.Open("xdr:xfrm").Open("a:off").Int("x", 0).Int("y", 0).Close().Open("a:ext").Int("cx", 0).Int("cy", 0).Close().Close()
		x.Open("a:graphic").Open("a:graphicData").Attr("uri", chartNamespace).
			Open("c:chart").Attr("xmlns:c", chartNamespace).Attr("xmlns:r", relationNamespace).Attr("r:id", id).Close().Close().Close().Close()
	} else {
		x.Open("xdr:pic").Open("xdr:nvPicPr")
		about()
		x.Open("xdr:cNvPicPr").Open("a:picLocks").Attr("noChangeAspect", "1").Close().Close().Close()
		x.Open("xdr:blipFill").Open("a:blip").Attr("xmlns:r", relationNamespace).Attr("r:embed", id).Close().Open("a:stretch").Open("a:fillRect").Close().Close().Close()
		x.Open("xdr:spPr").Open("a:xfrm").Open("a:off").Int("x", 0).Int("y", 0).Close().Open("a:ext").Int("cx", emu(p.Width)).Int("cy", emu(p.Height)).Close().Close()
		x.Open("a:prstGeom").Attr("prst", "rect").Open("a:avLst").Close().Close().Close().Close()
	}
	x.Open("xdr:clientData").Close().Close()
}
