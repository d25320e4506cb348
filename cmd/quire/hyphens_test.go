package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

const aboutBoats = "Die Donaudampfschifffahrtsgesellschaft fährt im Sommer auch nach Regensburg und Deggendorf, wo die Verwaltungsgemeinschaft ihren Sitz in einem ehemaligen Klostergebäude hat, dessen Bausubstanz erneuerungsbedürftig ist."

// atLineEnd is a hyphen at the end of a line, which programs read as - or as a soft hyphen.
var atLineEnd = regexp.MustCompile(`[-\x{2010}\x{00ad}]\n`)

// TestDividedWordsAreReadWhole: where no line ends at a soft hyphen, nothing of it is in
// a PDF file. Programs read "Do nau dampf", or soft hyphens within words.
func TestDividedWordsAreReadWhole(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	paragraph := `{"type":"paragraph","props":{"textAlign":"justify","width":"60mm","text":"` + aboutBoats + `"}}`
	service := serviceWith(t, one(t, `{"version":1,"name":"T","language":"de","pages":[{"id":1,"elements":[`+paragraph+`]}]}`), nil)
	for _, accessible := range []bool{false, true} {
		content, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Accessible: accessible}})
		if len(warnings) > 0 {
			t.Errorf("warned of %s", allOf(warnings))
		}
		file := filepath.Join(t.TempDir(), "divided.pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		read := output(t, "pdftotext", "-layout", file, "-")
		if divided := len(atLineEnd.FindAllString(read, -1)); divided < 2 {
			t.Errorf("accessible %v: %d lines end within a word", accessible, divided)
		}
		whole := strings.Join(strings.Fields(atLineEnd.ReplaceAllString(read, "\n")), "")
		if want := strings.ReplaceAll(aboutBoats, " ", ""); !strings.Contains(strings.ReplaceAll(whole, "\u00ad", "·"), want) {
			t.Errorf("accessible %v: poppler reads %q", accessible, read)
		}
		if accessible {
			judge(t, []string{"ua1=" + file}, new(tally))
		}
	}
}

// TestSoftHyphensOfAuthorsAreReadWhole: the same for those that nobody put in but the author.
func TestSoftHyphensOfAuthorsAreReadWhole(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	service := serviceWith(t, one(t, `{"version":1,"name":"T","language":"en","pages":[{"id":1,"elements":[{"type":"heading","props":{"title":"Extra\u00adordinary"}}]}]}`), nil)
	content, _ := finished(t, service, export.Request{Report: "one"})
	file := filepath.Join(t.TempDir(), "authors.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if read := output(t, "pdftotext", file, "-"); !strings.Contains(read, "Extraordinary") {
		t.Errorf("poppler reads %q", read)
	}
}
