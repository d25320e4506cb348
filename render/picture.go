package render

import (
	"context"
	"encoding/json"
	"fmt"
)

// Still says of which page of a document a picture is made, and how wide it is.
type Still struct {
	Page  int // from 1; after the last page it is the last
	Width int // pixels; fewer where a high page would have more than drawingPixels
}

// Picture is a page as a picture.
type Picture struct {
	WebP          []byte
	Page          int
	Width, Height float64 // of the page, in CSS pixels
}

const (
	stillQuality = 82        // of 100; text stays legible
	mostStill    = 512 << 10 // bytes: a page full of photographs takes a tenth of it
)

// Picture makes the pages of a document and a picture of one of them. Like Print it
// waits for its turn; how long, and how long the rest took, is told, too.
func (p *Pool) Picture(ctx context.Context, job Job, still Still) (*Picture, Timings, error) {
	job.Paginate, job.HTMLOut = true, false
	it := newItem(ctx, job, true)
	it.picture = &still
	res, err := p.do(it)
	if err != nil {
		return nil, Timings{}, err
	}
	return res.picture, res.Timings, nil
}

// pagePlace is where a page stands, the last one for those after it.
const pagePlace = `(() => {
  const pages = document.querySelectorAll(".q-page"), n = Math.min(%d, pages.length), r = pages[n - 1]?.getBoundingClientRect();
  return r ? { page: n, x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height } : { page: 0 };
})()`

// still makes a picture of a page that the tab shows.
func (t *tab) still(ctx context.Context, want *Still) (*Picture, error) {
	value, err := t.evaluate(ctx, fmt.Sprintf(pagePlace, max(1, want.Page)))
	if err != nil {
		return nil, err
	}
	var at struct {
		Page int `json:"page"`
		spot
	}
	if err := json.Unmarshal(value, &at); err != nil {
		return nil, fail(ErrPageFailed, "the place of a page is unreadable: %v", err)
	}
	if at.Page == 0 || at.Width < 1 || at.Height < 1 || at.Height > largestDrawn {
		return nil, fail(ErrPageFailed, "there is no page to make a picture of")
	}
	scale := min(float64(want.Width)/at.Width, drawingPixels/max(at.Width, at.Height))
	webp, err := t.shoot(ctx, at.spot, scale, newParams(0).str("format", "webp").num("quality", stillQuality))
	if err != nil {
		return nil, err
	}
	if len(webp) > mostStill {
		return nil, fail(ErrPageFailed, "the picture of the page has %d bytes; at most %d are kept", len(webp), mostStill)
	}
	return &Picture{webp, at.Page, at.Width, at.Height}, nil
}
