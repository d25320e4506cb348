package render

import (
	"bytes"
	"image"
	"testing"

	_ "golang.org/x/image/webp"
)

// TestPicture makes a picture of a page, of the last one for those after it.
func TestPicture(t *testing.T) {
	t.Parallel()
	p := newPool(t, nil)
	sheet := func(color string) string {
		return `<section class="q-sheet" data-width="400px" data-height="600px" data-margin="10px"><div class="q-body"><div style="height:500px;background:` + color + `"></div></div></section>`
	}
	html := `<!doctype html><html><body class="q-doc q-pending">` + sheet("#ff0000") + sheet("#0000ff") + `</body></html>`
	for want, page := range map[int]int{1: 1, 2: 2, 9: 2, 0: 1} {
		got, took, err := p.Picture(t.Context(), Job{HTML: []byte(html)}, Still{Page: want, Width: 300})
		if err != nil {
			t.Fatal(err)
		}
		img, kind, err := image.Decode(bytes.NewReader(got.WebP))
		if err != nil || kind != "webp" || img.Bounds().Dx() != 300 || got.Page != page || took.Fill <= 0 {
			t.Fatalf("page %d: %v %s of page %d, %v, %+v", want, err, kind, got.Page, img.Bounds(), took)
		}
		r, _, b, _ := img.At(150, 150).RGBA()
		if blue := page == 2; blue != (b > r) || r == b {
			t.Errorf("page %d has another page's colour", want)
		}
	}
	real := newPool(t, func(c *Config) { c.Script = realScript(t) })
	high, _, err := real.Picture(t.Context(), Job{HTML: []byte(`<!doctype html><html><body class="q-doc q-pending"><section class="q-sheet" data-width="100px" data-height="4000px" data-margin="0"><div class="q-body">high</div></section></body></html>`)}, Still{Page: 1, Width: 300})
	if err != nil {
		t.Fatal(err)
	}
	if img, _, err := image.Decode(bytes.NewReader(high.WebP)); err != nil || img.Bounds().Size() != image.Pt(40, drawingPixels) {
		t.Errorf("a page of 100 by 4,000: %v, %v", err, img.Bounds())
	}
	if _, _, err := p.Picture(t.Context(), Job{HTML: []byte("<!doctype html><p>nothing to make pages of</p>")}, Still{Page: 1, Width: 300}); err == nil {
		t.Error("a picture of no page")
	}
}
