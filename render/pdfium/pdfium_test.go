package pdfium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shared is where the tests keep what they compiled.
var shared string

func TestMain(m *testing.M) {
	ChildMain()
	shared, _ = os.MkdirTemp("", "pdfium")
	code := m.Run()
	_ = os.RemoveAll(shared)
	os.Exit(code)
}

func terms(t *testing.T) []byte {
	t.Helper()
	content, err := os.ReadFile("../../examples/gallery/files/general-terms.pdf")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestDraw: pages are pictures with ink on them; a page that is not there is none.
func TestDraw(t *testing.T) {
	drawer := NewDrawer(shared)
	list, err := drawer.Draw(t.Context(), terms(t), []int{1, 99})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d pictures: %v", len(list), err)
	}
	if len(list[1].Content) > 0 {
		t.Error("page 99 is drawn")
	}
	img, kind, err := image.Decode(bytes.NewReader(list[0].Content))
	if err != nil || list[0].Type != "image/"+kind {
		t.Fatalf("%s: %v", list[0].Type, err)
	}
	if size := img.Bounds().Size(); size.X < 1180 || size.X > 1200 || size.Y < 1670 || size.Y > 1700 || size != image.Pt(list[0].Width, list[0].Height) {
		t.Errorf("A4 is %v", size)
	}
	again, err := drawer.Draw(t.Context(), terms(t), []int{1})
	if err != nil || &again[0].Content[0] != &list[0].Content[0] {
		t.Errorf("a page that was drawn is drawn again: %v", err)
	}
	dark := 0
	for y := range list[0].Height {
		for x := range list[0].Width {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				dark++
			}
		}
	}
	if dark < 1000 {
		t.Errorf("%d dark pixels", dark)
	}
}

// TestCompiled: what is compiled is kept in the folder, other than what is old, and a file
// there that is broken is not in the way.
func TestCompiled(t *testing.T) {
	folder := t.TempDir()
	old := filepath.Join(folder, "old")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-keptFor-time.Hour)); err != nil {
		t.Fatal(err)
	}
	drawn := func() {
		t.Helper()
		if list, err := NewDrawer(folder).Draw(t.Context(), terms(t), []int{1}); err != nil || len(list[0].Content) == 0 {
			t.Fatalf("nothing is drawn: %v", err)
		}
	}
	drawn()
	if _, err := os.Stat(old); err == nil {
		t.Error("what is old is still there")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files are kept: %v", len(files), err)
	}
	began, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	drawn()
	if again, err := os.Stat(files[0]); err != nil || !os.SameFile(began, again) {
		t.Errorf("it is compiled again: %v", err)
	}
	if err := os.WriteFile(files[0], []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	drawn()
}

// TestKept: a Drawer keeps so many bytes, the last ones.
func TestKept(t *testing.T) {
	d := NewDrawer(shared)
	for page := range 5 {
		d.keep(pageKey{page: page}, Picture{Content: make([]byte, keptBytes/2)})
	}
	if _, last := d.known[pageKey{page: 4}]; len(d.known) != 2 || len(d.order) != 2 || d.size != keptBytes || !last {
		t.Errorf("%d pictures of %d bytes are kept", len(d.known), d.size)
	}
}

// TestDrawNothing: what is no PDF file is an error, and so is the end of the context.
func TestDrawNothing(t *testing.T) {
	if list, err := NewDrawer(shared).Draw(t.Context(), []byte("no PDF"), []int{1}); err == nil || len(list[0].Content) > 0 {
		t.Errorf("no PDF is drawn: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewDrawer(shared).Draw(ctx, terms(t), []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

// TestDrawWithoutEnd: a file that takes too much time or memory to draw ends with an error,
// and the next one is drawn.
func TestDrawWithoutEnd(t *testing.T) {
	drawer := NewDrawer(shared)
	drawer.seconds = 1 - secondsOfPage
	if list, err := drawer.Draw(t.Context(), nested(12), []int{1}); err == nil || !strings.Contains(err.Error(), "killed") && !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("%d pictures: %v", len(list), err)
	}
	drawer.seconds = secondsToDraw
	if _, err := drawer.Draw(t.Context(), terms(t), []int{1}); err != nil {
		t.Error(err)
	}
}

// nested is a PDF file of forms that each draw the next one ten times.
func nested(depth int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 10 0 R/Resources<</XObject<</F 10 0 R>>>>>>endobj\n")
	for i := range depth {
		draws := strings.Repeat("1 0 0 1 1 1 cm /F Do\n", 10)
		fmt.Fprintf(&b, "%d 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</F %d 0 R>>>>/Length %d>>stream\n%sendstream endobj\n", 10+i, 11+i, len(draws), draws)
	}
	last := "0 0 9 9 re f\n"
	fmt.Fprintf(&b, "%d 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Length %d>>stream\n%sendstream endobj\ntrailer<</Root 1 0 R>>\n", 10+depth, len(last), last)
	return b.Bytes()
}
