package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/tiff"
	"golang.org/x/sync/errgroup"
)

// The pixel check holds each page of the preview, as Chromium draws it, against
// the same page of the PDF, as poppler draws it, at 96 dpi. Two programs smooth
// the edges of letters differently, so both are drawn at fine times the
// resolution and averaged down; what is left of that stays below the threshold,
// and a word, a line or a shift of one pixel does not: TestThePixelCheckCanFail.
// It is poppler's Cairo output (pdftocairo): its other one, pdftoppm, puts every
// letter at a whole pixel, up to half a pixel from where the PDF has it.

const (
	fine      = 4     // how much finer pages are drawn than they are compared
	threshold = 32    // difference of a channel, of 255, that counts
	allowed   = 0.005 // share of the pixels that may differ
)

// averaged is a picture drawn finer brought down to size.
func averaged(img image.Image, width, height int) *image.RGBA {
	src, ok := img.(*image.RGBA)
	if size := image.Rect(0, 0, width*fine, height*fine); !ok || src.Rect != size || !src.Opaque() {
		src = image.NewRGBA(size)
		draw.Draw(src, size, image.White, image.Point{}, draw.Src)
		draw.Draw(src, size, img, img.Bounds().Min, draw.Over)
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var sum [3]int
			for dy := range fine {
				row := src.Pix[(y*fine+dy)*src.Stride+x*fine*4:]
				for dx := range fine {
					for k := range 3 {
						sum[k] += int(row[dx*4+k])
					}
				}
			}
			at := out.PixOffset(x, y)
			for k := range 3 {
				out.Pix[at+k] = byte(sum[k] / (fine * fine))
			}
			out.Pix[at+3] = 255
		}
	}
	return out
}

// differing is the share of pixels of which a channel differs by more than the
// threshold, and a picture of where.
func differing(a, b *image.RGBA) (float64, *image.Gray) {
	where := image.NewGray(a.Bounds())
	n := 0
	for i := 0; i+3 < len(a.Pix); i += 4 {
		for k := range 3 {
			if d := int(a.Pix[i+k]) - int(b.Pix[i+k]); d > threshold || d < -threshold {
				n++
				where.Pix[i/4] = 255
				break
			}
		}
	}
	return float64(n) / float64(len(a.Pix)/4), where
}

// pdfPage draws a page of a PDF file. A TIFF takes a sixth of the time of a PNG,
// nearly all of which goes into its compression.
func pdfPage(file string, page int) (image.Image, error) {
	drawn := strings.TrimSuffix(file, ".pdf") + "-" + strconv.Itoa(page)
	if out, err := exec.Command("pdftocairo", "-q", "-r", strconv.Itoa(96*fine), "-f", strconv.Itoa(page), "-l", strconv.Itoa(page), "-tiff", "-singlefile", file, drawn).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pdftocairo: %w: %s", err, out)
	}
	picture, err := os.ReadFile(drawn + ".tif")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(drawn + ".tif"); err != nil {
		return nil, err
	}
	return tiff.Decode(bytes.NewReader(picture))
}

// pagePixels is the share of differing pixels of a page that is open in the tab.
func (c *pageCheck) pagePixels(seen *seenPages, file string, page int) (float64, error) {
	box := seen.Boxes[page]
	width, height := int(box.Width+0.01), int(box.Height+0.01)
	var screen, printed image.Image
	var a, b *image.RGBA
	var both errgroup.Group
	both.Go(func() error {
		shot, err := c.shot(box.X, box.Y, float64(width), float64(height), fine)
		if err != nil {
			return err
		}
		if screen, err = png.Decode(bytes.NewReader(shot)); err == nil {
			a = averaged(screen, width, height)
		}
		return err
	})
	both.Go(func() (err error) {
		if printed, err = pdfPage(file, page+1); err == nil {
			b = averaged(printed, width, height)
		}
		return err
	})
	if err := both.Wait(); err != nil {
		return 0, err
	}
	share, where := differing(a, b)
	if share > allowed {
		base := filepath.Join(os.TempDir(), fmt.Sprintf("quire-pixels-%s-%d", filepath.Base(file), page+1))
		writePNG(base+"-rawscreen.png", screen)
		writePNG(base+"-rawpdf.png", printed)
		writePNG(base+"-screen.png", a)
		writePNG(base+"-pdf.png", b)
		writePNG(base+"-where.png", where)
	}
	return share, nil
}

func writePNG(name string, img image.Image) {
	var b bytes.Buffer
	if png.Encode(&b, img) == nil {
		_ = os.WriteFile(name, b.Bytes(), 0o600)
	}
}

func TestThePixelCheckCanFail(t *testing.T) {
	page := func(paint func(img *image.RGBA)) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 400, 400))
		draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
		paint(img)
		return averaged(img, 100, 100)
	}
	box := func(x, y, w, h int, c color.Color) func(*image.RGBA) {
		return func(img *image.RGBA) {
			draw.Draw(img, image.Rect(x, y, x+w, y+h), image.NewUniform(c), image.Point{}, draw.Src)
		}
	}
	same := page(box(40, 40, 200, 40, color.Black))
	for name, other := range map[string]*image.RGBA{
		"shifted by a pixel": page(box(44, 40, 200, 40, color.Black)), "missing": page(func(*image.RGBA) {}), "another colour": page(box(40, 40, 200, 40, color.RGBA{200, 0, 0, 255})),
	} {
		if share, _ := differing(same, other); share <= allowed/4 {
			t.Errorf("%s: only %.4f of the pixels differ", name, share)
		}
	}
	if share, _ := differing(same, page(box(41, 40, 200, 40, color.Black))); share > allowed {
		t.Errorf("a quarter of a pixel: %.4f of the pixels differ", share)
	}
}

// checkPixels compares pages of a report: all, or the first, the last and some
// between.
func (c *pageCheck) checkPixels(t *testing.T, code string, all bool) (worst float64, at string) {
	document, _, err := c.file(code, "html")
	if err != nil {
		t.Fatal(err)
	}
	seen, err := c.see(document)
	if err != nil {
		t.Fatal(err)
	}
	printed, _, err := c.file(code, "pdf")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), code+".pdf")
	if err := os.WriteFile(file, printed, 0o600); err != nil {
		t.Fatal(err)
	}
	for page := range seen.Boxes {
		if !all && page > 0 {
			continue
		}
		if seen.Boxes[page].Attached {
			t.Logf("%s, page %d stands in for a page of an attached PDF, which a browser does not draw", code, page+1)
			continue
		}
		share, err := c.pagePixels(seen, file, page)
		if err != nil {
			t.Fatal(err)
		}
		if share >= worst {
			worst, at = share, fmt.Sprintf("%s, page %d", code, page+1)
		}
		if share > allowed {
			t.Errorf("%s, page %d: %.2f %% of the pixels differ; pictures are in %s", code, page+1, 100*share, os.TempDir())
		}
	}
	return worst, at
}
