package main

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// TestPagesHaveTheSizeOfTheirPaper: to a hundredth of a millimetre, though the browser
// prints whole pixels, and the colour of the paper reaches all four edges, from right to
// left, too.
func TestPagesHaveTheSizeOfTheirPaper(t *testing.T) {
	ofDocuments(t)
	for _, language := range []string{"en", "ar"} {
		t.Run(language, func(t *testing.T) { pagesHaveTheSizeOfTheirPaper(t, language) })
	}
}

func pagesHaveTheSizeOfTheirPaper(t *testing.T, language string) {
	papers := []struct {
		layout        report.Layout
		width, height float64
	}{
		{report.Layout{Size: "A4"}, 210, 297},
		{report.Layout{Size: "A4", Orientation: "landscape"}, 297, 210},
		{report.Layout{Size: "A3"}, 297, 420},
		{report.Layout{Size: "A5"}, 148, 210},
		{report.Layout{Size: "A6", Orientation: "landscape"}, 148, 105},
		{report.Layout{Size: "Letter"}, 215.9, 279.4},
		{report.Layout{Size: "Legal"}, 215.9, 355.6},
		{report.Layout{Size: "Custom", Width: "62mm", Height: "29mm"}, 62, 29},
		{report.Layout{Size: "Custom", Width: "80mm", Height: "1000mm"}, 80, 1000},
		{report.Layout{Size: "Custom", Width: "3in", Height: "200pt"}, 76.2, 70.56},
	}
	frame := report.Template{Name: "Papers", Code: "papers"}
	def := report.Report{Version: 1, Name: "Papers", Language: language, Template: "papers"}
	for i, p := range papers {
		p.layout.PageType, p.layout.Background = fmt.Sprint("p", i), "#123456"
		p.layout.Margin = report.Margin{Top: "5mm", Right: "5mm", Bottom: "5mm", Left: "5mm"}
		frame.Layouts = append(frame.Layouts, p.layout)
		def.Pages = append(def.Pages, report.Page{ID: i + 1, PageType: p.layout.PageType, Elements: []report.Element{{Type: "text", Props: map[string]any{"text": "Paper"}}}})
	}
	ws := &report.Workspace{Languages: []report.Language{{Name: language, Code: language, Culture: language}}, Templates: []report.Template{frame}, Reports: []report.NamedReport{{Code: "r", Report: def}}}
	for i := range papers {
		ws.PageTypes = append(ws.PageTypes, report.PageType{Name: fmt.Sprint("p", i), Code: fmt.Sprint("p", i)})
	}
	content, warnings := finished(t, newPageCheck(t, ws).service, export.Request{Report: "r"})
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	facts, err := pdf.ReadFacts(t.Context(), content, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(facts.Pages) != len(papers) {
		t.Fatalf("%d pages; want %d", len(facts.Pages), len(papers))
	}
	file := keepFile(t, content)
	dir := t.TempDir()
	output(t, "pdftoppm", "-r", "150", "-png", file, filepath.Join(dir, "p"))
	for i, p := range papers {
		if got := facts.Pages[i]; got.Width != p.width || got.Height != p.height {
			t.Errorf("%+v: %g x %g mm; want %g x %g", p.layout, got.Width, got.Height, p.width, p.height)
		}
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("p-%02d.png", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		right, bottom := picture.Bounds().Max.X, picture.Bounds().Max.Y
		for _, at := range [][2]int{{0, bottom / 2}, {right - 2, bottom / 2}, {right / 2, 0}, {right / 2, bottom - 2}} {
			if got := color.RGBAModel.Convert(picture.At(at[0], at[1])); got != (color.RGBA{0x12, 0x34, 0x56, 0xff}) {
				t.Errorf("%+v: the edge at %v of %d x %d is %v", p.layout, at, right, bottom, got)
			}
		}
	}
}
