package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// TestPicturesAreVetted: a picture that would stop the browser is not given to
// it; its place is empty, and the warning names the element and the file. A photo
// is as large as its place can show.
func TestPicturesAreVetted(t *testing.T) {
	t.Parallel()
	bomb := `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect/></g>`
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		bomb += `<g id="a` + n + `">` + strings.Repeat(`<use href="#a`+string(n[0]-1)+`"/>`, 10) + `</g>`
	}
	bomb += `</svg>`
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewRGBA(image.Rect(0, 0, 2000, 1500)), nil); err != nil {
		t.Fatal(err)
	}
	uri := func(kind, content string) string {
		return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
	}
	s, _ := newService(t, map[string]string{
		"files/bomb.svg": bomb, "files/photo.jpg": photo.String(),
		"reports/p.json": `{"name": "P", "pages": [{"id": 1, "name": "A", "elements": [
			{"type": "img", "props": {"imageUrl": "bomb.svg"}},
			{"type": "img", "props": {"imageUrl": "` + uri("image/svg+xml", bomb) + `"}},
			{"type": "html", "props": {"html": "<img src='bomb.svg'>"}},
			{"type": "qr-code", "props": {"text": "x", "imageUrl": "bomb.svg"}},
			{"type": "img", "props": {"imageUrl": "photo.jpg", "width": "96px"}},
			{"type": "img", "props": {"imageUrl": "` + uri("image/jpeg", photo.String()) + `", "width": "48px"}},
			{"type": "img", "props": {"imageUrl": "photo.jpg", "width": "96px"}}]}]}`,
	})
	file, err := s.Export(t.Context(), Request{Report: "p", ExportOptions: report.ExportOptions{Format: "html"}})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if len(file.Warnings) != 4 {
		t.Errorf("%d warnings: %v", len(file.Warnings), file.Warnings)
	}
	for i, w := range file.Warnings {
		if !strings.Contains(w.Message, "would take too long to draw: ") || w.Path == "" {
			t.Errorf("%s: %s", w.Path, w.Message)
		}
		if called := map[bool]string{true: "the picture in the data: address", false: `the managed file "bomb.svg"`}[i == 1]; !strings.Contains(w.Message, called) {
			t.Errorf("the warning does not say %s: %s", called, w.Message)
		}
	}
	html := string(file.memory)
	if strings.Contains(html, "data:image/svg") {
		t.Error("the browser gets the drawing")
	}
	var sizes []int
	for rest := html; ; {
		_, after, found := strings.Cut(rest, `src="data:image/jpeg;base64,`)
		if !found {
			break
		}
		text, after, _ := strings.Cut(after, `"`)
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := jpeg.DecodeConfig(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		sizes, rest = append(sizes, c.Width), after
	}
	if len(sizes) != 3 || sizes[0] != 300 || sizes[1] != 150 || sizes[2] != 300 {
		t.Errorf("photos are %v pixels wide", sizes)
	}
}

func TestScalerRemembers(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 1000, 1000)), nil); err != nil {
		t.Fatal(err)
	}
	s := newScaler()
	f := &report.File{Name: "a.jpg", ContentType: "image/jpeg", Content: photo.Bytes()}
	var first *report.File
	for i := range 3 {
		small, err := s.fit(t.Context(), f, htmlgen.Space{Width: 96})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = small
		}
		if &small.Content[0] != &first.Content[0] || len(small.Content) == len(f.Content) || small.Name != "a.jpg" {
			t.Errorf("round %d makes another", i)
		}
	}
	if other, err := s.fit(t.Context(), f, htmlgen.Space{Width: 48}); err != nil || len(other.Content) == len(first.Content) {
		t.Errorf("another size is the same: %v", err)
	}
}

// TestFontsOfPicturesAreToldOf: a picture has none of a document's fonts.
func TestFontsOfPicturesAreToldOf(t *testing.T) {
	t.Parallel()
	s, _ := newService(t, map[string]string{
		"files/logo.svg":  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text y="15" font-family="Inter, sans-serif">Halden</text></svg>`,
		"files/plain.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text y="15">Halden</text></svg>`,
		"reports/p.json": `{"name": "P", "pages": [{"id": 1, "name": "A", "elements": [
			{"type": "img", "props": {"imageUrl": "logo.svg", "altText": "Halden"}},
			{"type": "img", "props": {"imageUrl": "logo.svg", "altText": "Halden again"}},
			{"type": "img", "props": {"imageUrl": "plain.svg", "altText": "Halden"}}]}]}`,
	})
	file, err := s.Export(t.Context(), Request{Report: "p", ExportOptions: report.ExportOptions{Format: "html"}})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if len(file.Warnings) != 2 {
		t.Fatalf("the warnings are %v", file.Warnings)
	}
	for i, w := range file.Warnings {
		if w.Path != fmt.Sprintf("pages[0].elements[%d]", i) || !strings.HasPrefix(w.Message, `img: the managed file "logo.svg" asks for the font "Inter", `) {
			t.Errorf("the warning %v", w)
		}
	}
}
