package pptx

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/pptx/pptxtest"
	"github.com/quire-reports/quire/render/office/theme"
)

var update = flag.Bool("update", false, "rewrite golden files")

// dot is a picture of one pixel.
var dot = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\xdacd\xf8\xcfP\x0f\x00\x03\x86\x01\x80Z4}k\x00\x00\x00\x00IEND\xaeB`\x82")

func options() Options {
	return Options{
		About: opc.Core{Title: "Sales", Language: "en"}, Theme: theme.Theme{Body: "Arial", Heading: "Georgia"},
		Font: func(family string) string {
			return map[string]string{"Inter": "Arial", "JetBrains Mono": "Courier New"}[family]
		},
		Color:    func(css string) (string, bool) { return "accent1", css == "#1d4e89" },
		Drawings: []Drawing{{PNG: dot, Width: 20, Height: 20}, {PNG: dot, Width: 400, Height: 240}},
	}
}

func read(t testing.TB, file string) *layout.Document {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func written(t testing.TB, d *layout.Document) ([]byte, []Warning) {
	t.Helper()
	var b bytes.Buffer
	warnings, err := Write(&b, d, options())
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), warnings
}

// TestDocuments: documents and the parts that are made of them. The Open XML SDK's
// validator finds no fault in such files (make check-office).
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			content, warnings := written(t, read(t, file))
			got := parts(t, content)
			for _, w := range warnings {
				got += fmt.Sprintf("! %s: %s\n", w.ID, w.Message)
			}
			golden := strings.TrimSuffix(file, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || got != string(want) {
				t.Errorf("it is not %s (%v); -update rewrites it\n%s", golden, err, got)
			}
			if faults := pptxtest.Open(t, content).Faults(); len(faults) > 0 {
				t.Errorf("%q", faults)
			}
			if again, _ := written(t, read(t, file)); !bytes.Equal(content, again) {
				t.Error("the same document gives other bytes")
			}
		})
	}
}

// parts are the parts of a file but for those that say nothing of the document.
func parts(t *testing.T, content []byte) string {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range r.File {
		if strings.HasPrefix(f.Name, "ppt/theme/") || !strings.HasSuffix(f.Name, "xml") && !strings.HasSuffix(f.Name, ".rels") {
			fmt.Fprintf(&out, "== %s\n", f.Name)
			continue
		}
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "== %s\n%s\n", f.Name, strings.ReplaceAll(string(text), "><", ">\n<"))
	}
	return out.String()
}

// TestSlides: pages become slides of one size with titles, and count as the pages do.
func TestSlides(t *testing.T) {
	content, _ := written(t, read(t, "testdata/report.json"))
	deck := pptxtest.Open(t, content)
	if len(deck.Slides) != 3 {
		t.Fatalf("%d slides", len(deck.Slides))
	}
	for i, want := range []pptxtest.Slide{
		{Title: "Annual report of the company", Layout: "Cover"},
		{Title: "Sales", Layout: "Sales", Tables: 1, Charts: 1, Pictures: 2},
		{Title: "Sales (2)", Layout: "Sales 2", Hidden: true},
	} {
		got := deck.Slides[i]
		got.Text, got.Own = "", ""
		if got != want {
			t.Errorf("slide %d is %+v; want %+v", i+1, got, want)
		}
	}
	if text := deck.Slides[1].Text; !strings.HasPrefix(text, "\nCompany & Co <Ltd>\nPage ‹#› of 2\n\nSales\nRead the terms or go to the start2\n") {
		t.Errorf("it says %q", text)
	}
	if main := string(deck.Parts["/ppt/presentation.xml"]); !strings.Contains(main, `firstSlideNum="0"`) || !strings.Contains(main, `cx="7559993" cy="10691813"`) {
		t.Errorf("the presentation is %s", main)
	}
}

// sheets is a document of pages that hold one text each.
func sheets(sizes ...[2]float64) *layout.Document {
	d := &layout.Document{State: layout.Pages, Language: "en", Styles: []layout.Style{{Font: "Inter", Size: 12, LineHeight: 16, Color: "000000"}}}
	for i, size := range sizes {
		text := layout.Node{Kind: layout.Paragraph, Box: &layout.Box{X: 10, Y: 10, Width: 50, Height: 16}, Lines: []layout.Box{{X: 10, Y: 10, Width: 40, Height: 16}}, Text: fmt.Sprintf("Text %d", i+1)}
		d.Sheets = append(d.Sheets, layout.Sheet{ID: "1", Name: "Page", Width: size[0], Height: size[1], Number: i + 1, Body: &layout.Node{Kind: layout.Block, Children: []layout.Node{text}}})
	}
	return d
}

// TestSizes: slides are as large as the largest page, and never beyond what PowerPoint
// opens.
func TestSizes(t *testing.T) {
	for name, test := range map[string]struct {
		pages [][2]float64
		want  string
		warns string
	}{
		"none":                     {nil, `cx="9144000" cy="5143500"`, "the presentation is empty"},
		"one":                      {[][2]float64{{1280, 720}}, `cx="12192000" cy="6858000"`, ""},
		"upright and across":       {[][2]float64{{800, 1100}, {1100, 800}, {1100, 800}}, `cx="10477500" cy="7620000"`, "one size"},
		"a label":                  {[][2]float64{{48, 96}}, `cx="914400" cy="1828800"`, "2.00 times as large"},
		"a poster":                 {[][2]float64{{9600, 4800}}, `cx="51206400" cy="25603200"`, "0.56 times as large"},
		"a strip that is too long": {[][2]float64{{10, 100000}}, `cx="914400" cy="51206400"`, "1 to 56 inches"},
	} {
		t.Run(name, func(t *testing.T) {
			content, warnings := written(t, sheets(test.pages...))
			deck := pptxtest.Open(t, content)
			if main := string(deck.Parts["/ppt/presentation.xml"]); !strings.Contains(main, test.want) || len(deck.Slides) != len(test.pages) || len(deck.Faults()) > 0 {
				t.Errorf("%q\n%s", deck.Faults(), main)
			}
			if got := fmt.Sprint(warnings); test.warns == "" && len(warnings) > 0 || !strings.Contains(got, test.warns) {
				t.Errorf("it warns %s", got)
			}
		})
	}
}

// TestFurniture: what pages have in common stands on layouts. Numbers of pages that the
// program would count otherwise, and headers that say something else on every page, stand
// on the slides.
func TestFurniture(t *testing.T) {
	line := func(y float64, nodes ...layout.Node) *layout.Node {
		return &layout.Node{Kind: layout.Block, Children: []layout.Node{{Kind: layout.Paragraph, Box: &layout.Box{X: 10, Y: y, Width: 400, Height: 16}, Lines: []layout.Box{{X: 10, Y: y, Width: 40, Height: 16}}, Children: nodes}}}
	}
	number := func(n int) layout.Node {
		return layout.Node{Kind: layout.Field, Field: layout.PageNumber, Text: fmt.Sprint(n)}
	}
	d := sheets(slices.Repeat([][2]float64{{800, 600}}, 200)...)
	for i := range d.Sheets {
		d.Sheets[i].Footer = line(580, layout.Node{Kind: layout.Text, Text: "Page "}, number(i+1))
	}
	content, warnings := written(t, d)
	deck := pptxtest.Open(t, content)
	if n := layouts(deck); n != 1 || len(deck.Faults()) > 0 || len(warnings) > 0 || strings.Contains(string(deck.Parts["/ppt/slides/slide7.xml"]), "Page </a:t>") || !strings.Contains(string(deck.Parts["/ppt/slideLayouts/slideLayout1.xml"]), `type="slidenum"`) {
		t.Errorf("%d layouts, %q %v", n, deck.Faults(), warnings)
	}
	for i := range d.Sheets { // counting begins again
		n := i%100 + 1
		d.Sheets[i].Number = n
		d.Sheets[i].Footer = line(580, layout.Node{Kind: layout.Text, Text: "Page "}, number(n))
	}
	content, _ = written(t, d)
	deck = pptxtest.Open(t, content)
	if n := layouts(deck); n != 1 || !strings.Contains(deck.Slides[150].Text, "Page 51") || strings.Contains(string(deck.Parts["/ppt/slides/slide151.xml"]), "slidenum") {
		t.Errorf("%d layouts; page 151 says %q", n, deck.Slides[150].Text)
	}
	for i := range d.Sheets {
		d.Sheets[i].Header = line(5, layout.Node{Kind: layout.Text, Text: fmt.Sprintf("Chapter %d", i)})
	}
	content, warnings = written(t, d)
	deck = pptxtest.Open(t, content)
	if n := layouts(deck); n > mostLayouts+1 || !strings.Contains(deck.Slides[199].Text, "Chapter 199") || !strings.Contains(fmt.Sprint(warnings), "on the slide itself") || len(deck.Faults()) > 0 {
		t.Errorf("%d layouts; the last page says %q; %v %q", n, deck.Slides[199].Text, warnings, deck.Faults())
	}
}

func layouts(d *pptxtest.Deck) (n int) {
	for name := range d.Parts {
		if strings.HasPrefix(name, "/ppt/slideLayouts/slideLayout") {
			n++
		}
	}
	return n
}

// TestEnds: nobody waits for a presentation that is not wanted any more, and a document
// that is not of pages is none.
func TestEnds(t *testing.T) {
	o := options()
	o.Alive = func() error { return io.ErrClosedPipe }
	if _, err := Write(io.Discard, sheets([2]float64{800, 600}), o); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("it ends with %v", err)
	}
	if _, err := Write(io.Discard, &layout.Document{State: layout.Flow}, options()); err == nil {
		t.Error("a document that flows is written")
	}
}

// FuzzWrite: whatever is in the document, there is a presentation without faults.
func FuzzWrite(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := layout.Decode(text)
		if err != nil || d.State != layout.Pages {
			return
		}
		content, _ := written(t, d)
		if faults := pptxtest.Open(t, content).Faults(); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
	})
}
