package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// A workspace's own fonts are managed files, and a theme names their family.
func TestAThemeChoosesAFontOfTheWorkspace(t *testing.T) {
	ofDocuments(t)
	content, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
	if err != nil {
		judges.Missing(t, "needs a font file: ", err)
	}
	ws := one(t, `{"version":1,"name":"T","theme":"t","include":{"themes":[{"name":"T","code":"t","page":{"fontFamily":"dejavu serif"}}]},
	 "pages":[{"id":1,"elements":[{"type":"text","props":{"text":"Brand 123"}},{"type":"text","props":{"text":"x","fontFamily":"Brand"}}]}]}`)
	ws.Files = append(ws.Files, report.File{Name: "fonts/brand.ttf", Content: content}, report.File{Name: "broken.ttf", Content: []byte("nothing")})
	service := serviceWith(t, ws, nil)
	for _, format := range []string{"pdf", "html"} {
		made, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: format}})
		told := allOf(warnings)
		if len(warnings) != 2 || !strings.Contains(told, `there is no font "Brand"`) || !strings.Contains(told, `the font "broken.ttf" cannot be used: it is no TrueType, OpenType or WOFF2 font`) {
			t.Errorf("%s: it says %s", format, told)
		}
		if format == "html" && !bytes.Contains(made, []byte(`@font-face{font-family:"DejaVu Serif";font-weight:400;font-style:normal;font-display:block;src:url("data:font/ttf;base64,`)) {
			t.Error("the HTML file does not bring the font")
		}
		if format == "pdf" && !bytes.Contains(inflated(t, made), []byte("+DejaVuSerif")) {
			t.Error("the PDF does not have the font")
		}
	}
	ws = one(t, `{"version":1,"name":"T","pages":[{"id":1,"elements":[{"type":"text","props":{"text":"x"}}]}]}`)
	ws.Files = append(ws.Files, report.File{Name: "brand.ttf", Content: content})
	made, _ := finished(t, serviceWith(t, ws, nil), export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: "html"}})
	if bytes.Contains(made, []byte("font/ttf")) {
		t.Error("the HTML file brings a font that nothing names")
	}
}

// A font that says what it is, but has no outlines that the browser accepts, is
// told of: the text has another.
func TestAFontThatTheBrowserCannotReadIsToldOf(t *testing.T) {
	ofDocuments(t)
	content, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
	if err != nil {
		judges.Missing(t, "needs a font file: ", err)
	}
	at := bytes.Index(content[:512], []byte("maxp")) // of the table directory: tag, checksum, offset, length
	table := content[at+8 : at+12]
	offset := int(table[0])<<24 | int(table[1])<<16 | int(table[2])<<8 | int(table[3])
	copy(content[offset+4:], []byte{0xff, 0xff}) // more glyphs than it has
	ws := one(t, `{"version":1,"name":"T","theme":"t","include":{"themes":[{"name":"T","code":"t","page":{"fontFamily":"DejaVu Serif"}}]},
	 "pages":[{"id":1,"elements":[{"type":"text","props":{"text":"Brand 123"}}]}]}`)
	ws.Files = append(ws.Files, report.File{Name: "brand.ttf", Content: content})
	_, warnings := finished(t, serviceWith(t, ws, nil), export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: "pdf"}})
	if told := allOf(warnings); len(warnings) != 1 || !strings.Contains(told, `the browser cannot read the font "DejaVu Serif"; another is used`) {
		t.Errorf("it says %s", told)
	}
}
