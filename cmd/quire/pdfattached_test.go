package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// TestAttachedFilesOfAllSorts exports a contract with its terms attached as they
// are, damaged, protected and cut off. What cannot be attached is told of on the
// page and in the warnings, and the contract itself comes out.
func TestAttachedFilesOfAllSorts(t *testing.T) {
	if _, err := exec.LookPath("qpdf"); err != nil {
		judges.Missing(t, "needs qpdf")
	}
	terms, err := os.ReadFile("../../examples/gallery/files/general-terms.pdf")
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(terms)
	at := longestStream(terms)
	flipped[at] ^= 4
	closed := []byte(output(t, "qpdf", "--encrypt", "reader", "owner", "256", "--", keepFile(t, terms), "-"))
	for _, tt := range []struct {
		name     string
		file     []byte
		attached bool
		warning  string
	}{
		{"as it is", terms, true, ""},
		{"damaged data", flipped, true, "general-terms.pdf: the file is attached, but the data of object"},
		{"cut off", terms[:len(terms)/2], false, "general-terms.pdf cannot be attached: "},
		{"protected", closed, false, "general-terms.pdf cannot be attached: it is protected; only PDF files that open without a password can be attached"},
		{"of an owner's password", []byte(output(t, "qpdf", "--encrypt", "", "owner", "256", "--", keepFile(t, terms), "-")), true, ""},
		{"no PDF", []byte("<html>Not found</html>"), false, "general-terms.pdf cannot be attached: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws := bundleIn(t, "../../examples/gallery")
			i := slices.IndexFunc(ws.Files, func(f report.File) bool { return f.Name == "general-terms.pdf" })
			ws.Files[i].Content = tt.file
			c := newPageCheck(t, ws)
			content, warnings := finished(t, c.service, export.Request{Report: "contract"})
			facts, err := pdf.ReadFacts(context.Background(), content, "")
			if err != nil {
				t.Fatal(err)
			}
			last := facts.Pages[len(facts.Pages)-1].Text
			if has := !strings.Contains(last, "general-terms.pdf"); has != tt.attached {
				t.Errorf("the terms are attached: %t; the last page says %q", has, last)
			}
			if text := warnings.Error(); tt.warning == "" && strings.Contains(text, "general-terms") || !strings.Contains(text, tt.warning) {
				t.Errorf("warnings are %q, want %q", text, tt.warning)
			}
		})
	}
}

// longestStream is a place in the midst of the longest data of a PDF.
func longestStream(b []byte) int {
	most, place := 0, 0
	for from := 0; ; {
		begin := bytes.Index(b[from:], []byte("stream\n"))
		if begin < 0 {
			return place
		}
		begin += from + len("stream\n")
		end := bytes.Index(b[begin:], []byte("endstream"))
		if end > most {
			most, place = end, begin+end/2
		}
		from = begin + max(end, 0) + len("endstream")
	}
}
