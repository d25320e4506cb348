package main

import (
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// TestABleedGoesOnWithWhatReachesTheEdge prints a page with a bleed: inside its edges it
// is the page without one, and outside go on the colours of the paper and of what
// reaches the edge, which pictures do mirrored.
func TestABleedGoesOnWithWhatReachesTheEdge(t *testing.T) {
	ofDocuments(t)
	c := newPageCheck(t, bundleIn(t, "testdata/press"))
	printed := func(o report.ExportOptions) *image.RGBA {
		content, _ := finished(t, c.service, export.Request{Report: "folder", ExportOptions: o})
		page, err := pdfPage(keepFile(t, content), 1)
		if err != nil {
			t.Fatal(err)
		}
		return averaged(page, page.Bounds().Dx()/fine, page.Bounds().Dy()/fine)
	}
	plain, bled := printed(report.ExportOptions{}), printed(report.ExportOptions{Bleed: "3mm"})
	const bleed = 12 // 3 mm in whole pixels
	inside := image.NewRGBA(plain.Bounds())
	draw.Draw(inside, inside.Bounds(), bled, image.Pt(bleed, bleed), draw.Src)
	if share, where := differing(plain, inside); share > 0.001 {
		writePNG(filepath.Join(os.TempDir(), "quire-bleed-where.png"), where)
		t.Errorf("%.4f of the page are others with a bleed", share)
	}
	right, bottom := bled.Bounds().Dx()-bleed/2, bled.Bounds().Dy()-bleed/2
	for _, tt := range []struct {
		name string
		x, y int
		want [3]int
	}{
		{"band, above", 300, 6, [3]int{0xc8, 0x10, 0x2e}},
		{"band, left", 6, 60, [3]int{0xc8, 0x10, 0x2e}},
		{"band, in the corner", 5, 5, [3]int{0xc8, 0x10, 0x2e}},
		{"band, in the other corner", right, 5, [3]int{0xc8, 0x10, 0x2e}},
		{"gradient, left", 6, 160, [3]int{0x02, 0x35, 0x67}},
		{"gradient, right", right, 160, [3]int{0x87, 0xa9, 0xcb}},
		{"picture, left", 6, 320, [3]int{0xff, 0xcc, 0x00}},
		{"picture, right", right, 320, [3]int{0x33, 0x66, 0x99}},
		{"paper, left", 6, 600, [3]int{0xf4, 0xef, 0xe6}},
		{"paper, below", 300, bottom, [3]int{0xf4, 0xef, 0xe6}},
	} {
		at := bled.RGBAAt(tt.x, tt.y)
		for k, v := range []uint8{at.R, at.G, at.B} {
			if d := int(v) - tt.want[k]; d > 4 || d < -4 {
				t.Errorf("%s is %v, want %v", tt.name, at, tt.want)
				break
			}
		}
	}
}
