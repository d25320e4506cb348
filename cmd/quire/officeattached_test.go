package main

import (
	"archive/zip"
	"bytes"
	"image"
	"path"
	"strings"
	"testing"
)

// TestAttachedPagesArePictures: each page of a PDF file that a report attaches is a
// picture of the page in Office files, and a warning names the file.
func TestAttachedPagesArePictures(t *testing.T) {
	ofDocuments(t)
	const pages = 2 // that the contract attaches
	ws := bundleIn(t, "../../examples/gallery")
	exported := exporterThrough(t, unchanged)
	for _, format := range []string{"docx", "pptx", "xlsx"} {
		t.Run(format, func(t *testing.T) {
			content, warnings := exported(ws, "contract", format)
			if said := allWarnings(warnings); !strings.Contains(said, "general-terms.pdf") || !strings.Contains(said, "its pages are pictures") {
				t.Errorf("it warns of %q", said)
			}
			if n := picturesOfPages(t, content); n != pages {
				t.Errorf("%d pictures of pages; want %d", n, pages)
			}
		})
	}
}

// picturesOfPages is how many pictures of a file are as large as A4 at 144 dots to the
// inch.
func picturesOfPages(t *testing.T, content []byte) (n int) {
	t.Helper()
	file, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.File {
		if path.Base(path.Dir(f.Name)) != "media" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		size, _, err := image.DecodeConfig(r)
		r.Close()
		if err == nil && size.Width > 1180 && size.Width < 1200 && size.Height > 1670 && size.Height < 1700 {
			n++
		}
	}
	return n
}
