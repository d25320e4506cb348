package render

import (
	"bytes"
	"image/png"
	"io"
	"os"
	"testing"
	"time"
)

// TestLateFontsAreWaitedFor: a document that is not paginated is printed and drawn in
// its font however late that comes.
func TestLateFontsAreWaitedFor(t *testing.T) {
	t.Parallel()
	font, err := os.ReadFile("../assets/fonts/source-serif-4/source-serif-4-latin-400-normal.woff2")
	if err != nil {
		t.Fatal(err)
	}
	late := func(path string) (string, []byte, bool) {
		time.Sleep(700 * time.Millisecond)
		return "font/woff2", font, path == "serif.woff2"
	}
	html := []byte(`<!doctype html><html><head><style>@font-face{font-family:Brought;src:url(` + ResourceBase + `serif.woff2)} span{font:40px Brought,monospace}</style></head><body style="margin:0"><span data-drawn>Illinois</span></body></html>`)
	t.Run("printed", func(t *testing.T) {
		res := mustPrint(t, newPool(t, nil), Job{HTML: html, Resources: late})
		part, err := res.Parts[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		defer part.Close()
		made, err := io.ReadAll(part)
		if err != nil || !bytes.Contains(made, []byte("SourceSerif")) {
			t.Errorf("the font is not in the PDF: %v", err)
		}
	})
	t.Run("drawn", func(t *testing.T) {
		got, _, err := newPool(t, nil).Draw(t.Context(), Job{HTML: html, Resources: late}, "data-drawn")
		if err != nil || len(got) != 1 {
			t.Fatalf("%d drawings, %v", len(got), err)
		}
		img, err := png.Decode(bytes.NewReader(got[0].PNG))
		if err != nil {
			t.Fatal(err)
		}
		ink := 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if _, _, _, alpha := img.At(x, y).RGBA(); alpha > 0x8000 {
					ink++
				}
			}
		}
		if monospace := 8 * 0.6 * 40.0; ink == 0 || got[0].Width > monospace*0.9 {
			t.Errorf("the text is %v wide with %d dark pixels", got[0].Width, ink)
		}
	})
}
