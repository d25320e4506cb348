// Package picture knows pictures from their bytes: how large they are, what
// drawing them would cost, and how to make them smaller. It keeps from the
// browser what would take its memory or its time; it draws nothing itself.
package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // registers the format
	_ "image/jpeg" // registers the format
	_ "image/png"  // registers the format

	_ "golang.org/x/image/bmp"  // registers the format
	_ "golang.org/x/image/webp" // registers the format
)

// MostPixels is how many a picture may have. A browser takes four bytes for
// each of them.
const MostPixels = 100_000_000

// mostOthers is the same for pictures that are not made smaller.
const mostOthers = 40_000_000

// Picture is what is known of one.
type Picture struct {
	Format        string // as package image names it, or avif, svg, or empty: the browser does not show it either
	Width, Height int    // in pixels; 0 of a drawing
}

// Vet looks at the beginning of a picture, at all of a drawing, and refuses what
// would cost too much. svg says that it is to be read as a drawing.
func Vet(content []byte, svg bool) (*Picture, error) {
	if svg {
		return &Picture{Format: "svg"}, vetDrawing(content, 0)
	}
	p := size(content)
	most := mostOthers
	if p.scales() {
		most = MostPixels
	}
	if p.Width > 0 && p.Height > most/p.Width {
		return nil, fmt.Errorf("has %d × %d pixels; accepted: %d million in all", p.Width, p.Height, most/1_000_000)
	}
	return p, nil
}

// size reads how large a picture is from its beginning.
func size(content []byte) *Picture {
	c, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err == nil {
		return &Picture{format, c.Width, c.Height}
	}
	// AVIF names its size in a box; the largest counts, as one is of the whole.
	p := &Picture{}
	for rest := content; len(content) > 12 && string(content[4:8]) == "ftyp"; {
		_, after, found := bytes.Cut(rest, []byte("ispe"))
		if !found || len(after) < 12 {
			break
		}
		w, h := int(binary.BigEndian.Uint32(after[4:])), int(binary.BigEndian.Uint32(after[8:]))
		if w*h >= p.Width*p.Height {
			p = &Picture{"avif", w, h}
		}
		rest = after
	}
	return p
}

var errTooMuch = errors.New("would take too long to draw")

func tooMuch(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errTooMuch, fmt.Sprintf(format, args...))
}
