package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// TestABrokenPictureIsNamedAndLeavesAQuietBox prints a file that begins like a
// PNG and is none: the warning has its name, the page its description.
func TestABrokenPictureIsNamedAndLeavesAQuietBox(t *testing.T) {
	def, err := report.ParseReport([]byte(`{"version": 1, "name": "House", "pages": [{"name": "House", "elements": [
		{"id": "front", "type": "img", "props": {"imageUrl": "broken.png", "altText": "The house", "width": "200px", "height": "80px"}},
		{"id": "text", "type": "html", "props": {"html": "<p>Our logo <img src=\"broken.png\" alt=\"A swan\" width=\"60\" height=\"20\"> is blue.</p>"}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	c := newPageCheck(t, &report.Workspace{
		Reports: []report.NamedReport{{Code: "house", Report: *def}},
		Files:   []report.File{{Name: "broken.png", ContentType: "image/png", Content: append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 100)...)}},
	})
	content, warnings := finished(t, c.service, export.Request{Report: "house", ExportOptions: report.ExportOptions{Format: "pdf"}})
	var told []string
	for _, w := range warnings {
		told = append(told, w.Error())
	}
	if want := []string{`front: image "broken.png" could not be shown`, `text: image "broken.png" could not be shown`}; !slices.Equal(told, want) {
		t.Errorf("the warnings are %q; want %q", told, want)
	}
	printed := output(t, "pdftotext", keepFile(t, content), "-")
	for _, want := range []string{"The house", "Our logo A swan is blue."} {
		if !strings.Contains(strings.Join(strings.Fields(printed), " "), want) {
			t.Errorf("%q is not on the page: %s", want, printed)
		}
	}
}
