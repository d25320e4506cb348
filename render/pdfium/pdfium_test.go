package pdfium

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/png"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	ChildMain()
	os.Exit(m.Run())
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
	drawer := NewDrawer()
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

// TestKept: a Drawer keeps so many bytes, the last ones.
func TestKept(t *testing.T) {
	d := NewDrawer()
	for page := range 5 {
		d.keep(pageKey{page: page}, Picture{Content: make([]byte, keptBytes/2)})
	}
	if _, last := d.known[pageKey{page: 4}]; len(d.known) != 2 || len(d.order) != 2 || d.size != keptBytes || !last {
		t.Errorf("%d pictures of %d bytes are kept", len(d.known), d.size)
	}
}

// TestDrawNothing: what is no PDF file is an error, and so is the end of the context.
func TestDrawNothing(t *testing.T) {
	if list, err := NewDrawer().Draw(t.Context(), []byte("no PDF"), []int{1}); err == nil || len(list[0].Content) > 0 {
		t.Errorf("no PDF is drawn: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewDrawer().Draw(ctx, terms(t), []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
