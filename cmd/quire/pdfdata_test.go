package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// TestDataGoesWithTheReport compares the data files of a PDF/A-3 and of a ZIP
// file: they are the same, and a password protects the PDF alone.
func TestDataGoesWithTheReport(t *testing.T) {
	if _, err := exec.LookPath("pdfdetach"); err != nil {
		judges.Missing(t, "needs poppler")
	}
	c := newPageCheck(t, bundleIn(t, "../../assets/demo"))
	content, _ := finished(t, c.service, export.Request{Report: "statement", ExportOptions: report.ExportOptions{Conformance: "pdf/a-3b"}})
	file := keepFile(t, content)
	judge(t, []string{"3b=" + file}, new(tally))
	folder := t.TempDir()
	output(t, "pdfdetach", "-saveall", "-o", folder, file)
	if n := strings.Count(string(inflated(t, content)), "/AFRelationship /Data"); n != 3 {
		t.Errorf("%d files are said to be data, want 3", n)
	}

	packed := protected(t, c.service, export.Request{Report: "statement", Password: "s3cret!", ExportOptions: report.ExportOptions{IncludeAttachments: true}})
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		inZIP, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name, isData := strings.CutPrefix(f.Name, "data/")
		if !isData {
			needsPassword(t, inZIP)
			continue
		}
		found++
		inPDF, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !bytes.Equal(inPDF, inZIP) {
			t.Errorf("%s is not the same in the PDF: %v", f.Name, err)
		}
	}
	if found != 3 {
		t.Errorf("%d data files, want account.json, transactions.json and transactions.csv", found)
	}
}

// needsPassword has qpdf open a PDF with and without its password.
func needsPassword(t *testing.T, content []byte) {
	t.Helper()
	file := keepFile(t, content)
	if exec.Command("qpdf", "--check", file).Run() == nil {
		t.Error("the PDF opens without the password")
	}
	if out, err := exec.Command("qpdf", "--check", "--password=s3cret!", file).CombinedOutput(); err != nil {
		t.Errorf("the PDF does not open with the password: %s", out)
	}
}
