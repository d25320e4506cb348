package render

import (
	"bytes"
	"image/png"
	"testing"
)

// TestDraw makes pictures of elements, where they stand beyond the window, too.
func TestDraw(t *testing.T) {
	t.Parallel()
	p := newPool(t, nil)
	got, took, err := p.Draw(t.Context(), Job{HTML: []byte(`<!doctype html><html><body style="margin:0">
		<div data-drawn style="width:40px;height:20px"><svg width="40" height="20"><rect width="20" height="20" fill="#0000ff"/></svg></div>
		<div style="height:3000px"></div>
		<div data-drawn style="width:10px;height:10px;background:#ff0000"></div><div data-drawn></div>
		<div data-drawn style="width:9px;height:9000px"></div><img data-drawn src="gone.png" style="width:9px;height:9px"><div data-drawn style="width:3200px;height:16px;background:#ff0000"></div></body></html>`)}, "data-drawn")
	if err != nil || len(got) != 6 {
		t.Fatalf("%d drawings, %v", len(got), err)
	}
	if took.Fill <= 0 || took.Print <= 0 {
		t.Errorf("it took %+v", took)
	}
	for i, what := range map[int]string{2: "what has no height", 3: "what is larger than any paper", 4: "a picture that is not there"} {
		if got[i].PNG != nil {
			t.Errorf("%s is drawn", what)
		}
	}
	for _, want := range []struct {
		of, width, height, x, y int
		color                   [4]uint32
	}{
		{0, 80, 40, 10, 10, [4]uint32{0, 0, 0xffff, 0xffff}},
		{0, 80, 40, 70, 10, [4]uint32{}},
		{1, 20, 20, 10, 10, [4]uint32{0xffff, 0, 0, 0xffff}},
		{5, 1600, 8, 800, 4, [4]uint32{0xffff, 0, 0, 0xffff}},
	} {
		img, err := png.Decode(bytes.NewReader(got[want.of].PNG))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != want.width || size.Y != want.height {
			t.Errorf("%d: %v", want.of, size)
		}
		var c [4]uint32
		c[0], c[1], c[2], c[3] = img.At(want.x, want.y).RGBA()
		if c != want.color {
			t.Errorf("%d: its colour is %x, not %x", want.of, c, want.color)
		}
	}
}
