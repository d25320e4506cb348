package pptx

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
	imageType   = relationNamespace + "/image"
	chartType   = relationNamespace + "/chart"
	packageType = relationNamespace + "/package"
)

// endings are those of pictures that PowerPoint shows, by their types.
var endings = map[string]string{"image/png": "png", "image/jpeg": "jpeg", "image/svg+xml": "svg"}

// image makes a picture, or a chart of one that shows values.
func (w *walker) image(n *layout.Node, at state) {
	m := n.Image
	if n.Box == nil || n.Box.Width < 0.5 || n.Box.Height < 0.5 {
		return
	}
	s := &shape{kind: "Picture", box: *n.Box, alt: oneLine(m.Alt), bare: m.Decorative}
	if m.Decorative {
		s.alt = ""
	}
	if len(m.Chart) > 0 && at.turn == 0 && w.charted(n, s, at) {
		return
	}
	blip, err := w.blipOf(n, at)
	switch {
	case err != nil:
		w.fault = err
	case blip == nil:
		w.warn(at.id, "this picture cannot be shown; the presentation leaves it out%s", described(m))
	default:
		if m.What != "" {
			w.warn(at.id, "%s is a picture in the presentation", m.What)
		}
		s.blip = blip
		w.add(s)
	}
}

func described(m *layout.ImageOf) string {
	if m.Alt == "" {
		return ""
	}
	return " (" + oneLine(m.Alt) + ")"
}

// charted makes a chart whose values people edit; false where PowerPoint cannot draw it.
func (w *walker) charted(n *layout.Node, s *shape, at state) bool {
	mark := plots.Read(string(n.Image.Chart))
	if mark == nil {
		return false
	}
	if mark.Lacks != "" {
		w.warn(at.id, "this chart is a picture in the presentation, for it has %s, which PowerPoint does not draw%s", mark.Lacks, described(n.Image))
		return false
	}
	if len(mark.Grid.Removed) > 0 {
		w.warn(at.id, "a line across the chart is not in the presentation (%s)", mark.Grid.Removed[0])
	}
	s.kind = "Chart"
	s.chart, w.fault = w.chart(mark)
	w.add(s)
	return true
}

// chart writes the part of a chart and the workbook behind it.
func (w *walker) chart(mark *plots.Mark) (id string, err error) {
	w.charts++
	part := fmt.Sprintf("/ppt/charts/chart%d.xml", w.charts)
	book := fmt.Sprintf("/ppt/embeddings/chart%d.xlsx", w.charts)
	made := mark.Chart(plots.Sheet, 1, plots.Look{Text: w.Theme.Text, Font: w.Theme.Body, Color: w.Color})
	made.Data = w.pkg.Relate(part, packageType, book)
	if err := w.deck.part(part, "application/vnd.openxmlformats-officedocument.drawingml.chart+xml", made.Write); err != nil {
		return "", err
	}
	var content bytes.Buffer
	if err := mark.Workbook(&content); err != nil {
		return "", err
	}
	out, err := w.pkg.Part(book, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	if err == nil {
		_, err = out.Write(content.Bytes())
	}
	return w.pkg.Relate(w.part, chartType, part), err
}

// blipOf is the picture of a node; nil where there is none that PowerPoint can show.
func (w *walker) blipOf(n *layout.Node, at state) (*blip, error) {
	m := n.Image
	b := &blip{crop: m.Crop}
	content, kind := w.source(m)
	if kind == "image/png" || kind == "image/jpeg" {
		var err error
		b.png, err = w.embed(content, kind)
		return b, err
	}
	if m.Drawing == 0 || m.Drawing > len(w.Drawings) || len(w.Drawings[m.Drawing-1].PNG) == 0 {
		return nil, nil
	}
	var err error
	if b.png, err = w.embed(w.Drawings[m.Drawing-1].PNG, "image/png"); err != nil {
		return nil, err
	}
	b.crop = nil // the browser has drawn what is seen of it
	switch {
	case at.turn != 0:
	case m.SVG != "":
		b.svg, err = w.embed([]byte(m.SVG), "image/svg+xml")
	case kind == "image/svg+xml" && m.Crop == nil:
		b.svg, err = w.embed(content, kind)
	}
	return b, err
}

// source is the file that a picture is.
func (w *walker) source(m *layout.ImageOf) (content []byte, kind string) {
	if data, ok := strings.CutPrefix(m.Source, "data:"); ok {
		head, text, _ := strings.Cut(data, ",")
		kind, _, _ = strings.Cut(head, ";")
		if strings.HasSuffix(head, ";base64") {
			content, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, ""
			}
			return content, kind
		}
		plain, err := url.PathUnescape(text)
		if err != nil {
			return nil, ""
		}
		return []byte(plain), kind
	}
	if m.Source == "" || w.Resource == nil {
		return nil, ""
	}
	content, kind, ok := w.Resource(m.Source)
	if !ok {
		return nil, ""
	}
	kind, _, _ = strings.Cut(kind, ";")
	return content, kind
}

// embed writes a picture's part, once, and gives the relationship to it.
func (w *walker) embed(content []byte, kind string) (id string, err error) {
	sum := sha256.Sum256(content)
	name, known := w.media[sum]
	if !known {
		name = fmt.Sprintf("/ppt/media/image%d.%s", len(w.media)+1, endings[kind])
		w.media[sum] = name
		out, err := w.pkg.Part(name, kind)
		if err == nil {
			_, err = out.Write(content)
		}
		if err != nil {
			return "", err
		}
	}
	return w.pkg.Relate(w.part, imageType, name), nil
}
