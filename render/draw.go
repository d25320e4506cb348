package render

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Drawing is a piece of a document as a picture.
type Drawing struct {
	PNG           []byte // its background is transparent; empty for what has no size or is beyond the bounds
	Width, Height float64
}

// Bounds of drawings: however many a document has, and however large, their pictures
// take little room.
const (
	drawingScale  = 2        // pixels of a CSS pixel: two print well
	drawingPixels = 1600     // of the longer side, at most
	largestDrawn  = 8000     // CSS pixels of the longer side; what is larger is not drawn
	drawingBytes  = 64 << 20 // of all pictures; then no more are made
)

// Draw makes pictures of the elements of a document that have an attribute, in their
// order. It is not paginated. Like Print it waits for its turn; how long, and how long
// the rest took, is told, too.
func (p *Pool) Draw(ctx context.Context, job Job, attribute string) ([]Drawing, Timings, error) {
	job.Paginate, job.HTMLOut = false, false
	it := newItem(ctx, job, true)
	it.draw = attribute
	res, err := p.do(it)
	if err != nil {
		return nil, Timings{}, err
	}
	return res.drawings, res.Timings, nil
}

// places are where the elements with an attribute stand.
const places = `[...document.querySelectorAll("[%s]")].map(e => {
  const r = e.getBoundingClientRect(), broken = e.tagName === "IMG" && e.naturalWidth === 0;
  return { x: r.x + scrollX, y: r.y + scrollY, width: broken ? 0 : r.width, height: r.height };
})`

// draw takes pictures of elements of what the tab shows.
func (t *tab) draw(ctx context.Context, attribute string) ([]Drawing, error) {
	value, err := t.evaluate(ctx, fmt.Sprintf(places, attribute))
	if err != nil {
		return nil, err
	}
	var list []spot
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, fail(ErrPageFailed, "the places of drawings are unreadable: %v", err)
	}
	if err := t.transparent(ctx); err != nil {
		return nil, err
	}
	drawings := make([]Drawing, len(list))
	room := drawingBytes
	for i, at := range list {
		if drawings[i], err = t.capture(ctx, at, drawingScale, drawingPixels, &room); err != nil {
			return nil, err
		}
	}
	_, err = t.call(ctx, "Emulation.setDefaultBackgroundColorOverride", nil)
	return drawings, err
}

// spot is a place in a document, in CSS pixels.
type spot struct{ X, Y, Width, Height float64 }

// capture makes a picture of a place, of at most so many pixels on its longer side, if
// it has a size and there is room for it.
func (t *tab) capture(ctx context.Context, at spot, scale, pixels float64, room *int) (Drawing, error) {
	long := max(at.Width, at.Height)
	if at.Width < 1 || at.Height < 1 || long > largestDrawn || *room <= 0 {
		return Drawing{}, nil
	}
	png, err := t.shoot(ctx, at, min(scale, pixels/long), newParams(0).str("format", "png"))
	if err != nil {
		return Drawing{}, err
	}
	*room -= len(png)
	return Drawing{PNG: png, Width: at.Width, Height: at.Height}, nil
}

// shoot takes a picture of a place, in a format.
func (t *tab) shoot(ctx context.Context, at spot, scale float64, format *params) ([]byte, error) {
	whole := func(v float64) float64 { return math.Round(v*scale) / scale } // where the browser draws it: at pixels
	clip, err := json.Marshal(map[string]float64{"x": whole(at.X), "y": whole(at.Y), "width": at.Width, "height": at.Height, "scale": scale})
	if err != nil {
		return nil, err
	}
	r, err := t.call(ctx, "Page.captureScreenshot", format.raw("clip", clip).bool("captureBeyondViewport", true))
	if err != nil {
		return nil, err
	}
	picture, err := base64.StdEncoding.AppendDecode(nil, rawString(member(r, "data")))
	if err != nil {
		return nil, errors.Join(fail(ErrPageFailed, "a picture is unreadable"), err)
	}
	return picture, nil
}

// transparent has pictures without a ground of their own.
func (t *tab) transparent(ctx context.Context) error {
	_, err := t.call(ctx, "Emulation.setDefaultBackgroundColorOverride", newParams(0).raw("color", []byte(`{"r":0,"g":0,"b":0,"a":0}`)))
	return err
}
