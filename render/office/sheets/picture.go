package sheets

import (
	"bytes"
	"image"
	_ "image/jpeg" // pictures whose sizes are read
	_ "image/png"
	"math"
	"strings"

	"github.com/quire-reports/quire/render/office/xlsx"
)

// picture is a picture of the document.
type picture struct {
	content       []byte
	kind, alt     string
	width, height float64 // pixels
	piece         *piece  // of what the browser draws
	inCell        bool    // it stands in a table
}

// rowPixels is how high rows are that nobody gave a height.
const rowPixels = 20

// mostPicture is how large pictures are on a sheet at most, in pixels.
const mostPicture = 700

// drawn is a picture that a workbook can show; nil where it cannot.
func (r *reader) drawn(g *tag) *picture {
	if r.region != inBody {
		return nil
	}
	p := r.file(g)
	if p != nil {
		p.fit(r.given())
	}
	return p
}

// file is a picture in a form that Excel shows; nil where it has another.
func (b *book) file(g *tag) *picture {
	if b.Picture == nil || g.source == "" {
		return nil
	}
	content, kind, ok := b.Picture(g.source)
	kind, _, _ = strings.Cut(kind, ";")
	if !ok || kind != "image/png" && kind != "image/jpeg" {
		return nil
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || size.Width == 0 || size.Height == 0 {
		return nil
	}
	p := &picture{content: content, kind: kind, width: float64(size.Width), height: float64(size.Height)}
	if !g.hidden {
		p.alt = oneLine(g.alt)
	}
	return p
}

// given is how wide and high the report has the picture that is read, in pixels; 0
// where it does not say so.
func (r *reader) given() (width, height float64) {
	if n := len(r.open); n > 0 && r.open[n-1].block != nil {
		style := r.open[n-1].block.style
		width, height = points(declaration(style, "width"))/0.75, points(declaration(style, "height"))/0.75
	}
	return width, height
}

// fit makes a picture as small as it was meant, and has to be.
func (p *picture) fit(width, height float64) {
	scale := min(1, mostPicture/max(p.width, p.height))
	if width > 0 {
		scale = min(scale, width/p.width)
	}
	if height > 0 {
		scale = min(scale, height/p.height)
	}
	p.width, p.height = p.width*scale, p.height*scale
}

func (p *picture) rows() int { return int(math.Ceil(p.height / rowPixels)) }

func (w *writing) pictured(p *picture) {
	w.Sheet.Picture(xlsx.Place{Row: w.Rows() + 1, Column: 1, Width: p.width, Height: p.height, Alt: p.alt}, p.content, p.kind)
	w.Skip(p.rows())
}
