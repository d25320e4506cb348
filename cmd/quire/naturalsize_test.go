package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/quire-reports/quire/report"
)

// TestPicturesWithoutASizeHaveTheirNaturalOne: a point of the picture is one of 96 to
// the inch, but a picture is at most as wide and as high as its page has room for
// (finding pages B8: all were as wide as the page).
func TestPicturesWithoutASizeHaveTheirNaturalOne(t *testing.T) {
	ofDocuments(t)
	const wide, high = 666, 940 // about what a page of A4 has room for beside a line
	for _, c := range []struct{ width, height, drawnWidth, drawnHeight, pages int }{
		{2, 2, 2, 2, 1},
		{200, 50, 200, 50, 1},
		{2000, 100, wide, wide / 20, 1},
		{60, 4000, high * 60 / 4000, high, 1},
	} {
		t.Run(fmt.Sprintf("%d x %d", c.width, c.height), func(t *testing.T) {
			var b bytes.Buffer
			if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, c.width, c.height))); err != nil {
				t.Fatal(err)
			}
			def, problems := report.ParseReport([]byte(`{"version":1,"name":"T","pages":[{"id":1,"elements":[
				{"type":"text","props":{"text":"before"}},
				{"type":"img","props":{"altText":"x","imageUrl":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"}}]}]}`))
			if problems != nil {
				t.Fatal(problems)
			}
			page := newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "r", Report: *def}}})
			document, warnings, err := page.file("r", "html")
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			seen, err := page.see(document)
			if err != nil {
				t.Fatal(err)
			}
			result, err := chromedp.Call(page.tab.ctx, runtime.Evaluate, runtime.EvaluateParams{
				Expression: `(() => { const r = document.querySelector(".q-page img").getBoundingClientRect(); return r.width + " " + r.height; })()`, ReturnByValue: new(true),
			})
			if err != nil {
				t.Fatal(err)
			}
			var width, height float64
			if _, err := fmt.Sscanf(string(result.Result.Value), `"%f %f"`, &width, &height); err != nil {
				t.Fatal(err)
			}
			near := func(got float64, want int) bool { return math.Abs(got-float64(want)) <= 1+0.1*float64(want) }
			if !near(width, c.drawnWidth) || !near(height, c.drawnHeight) || seen.Pages != c.pages {
				t.Errorf("drawn as %.1f x %.1f on %d pages; want about %d x %d on %d", width, height, seen.Pages, c.drawnWidth, c.drawnHeight, c.pages)
			}
			if math.Abs(width/height*float64(c.height)/float64(c.width)-1) > 0.02 {
				t.Errorf("%.1f x %.1f is not its shape", width, height)
			}
		})
	}
}
