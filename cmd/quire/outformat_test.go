package main

import (
	"archive/zip"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func TestTheFormatOfAFile(t *testing.T) {
	for _, test := range []struct{ out, asked, want, fault string }{
		{"a.pdf", "", "pdf", ""},
		{"a.HTML", "", "html", ""},
		{"a.htm", "", "html", ""},
		{"a", "", "pdf", ""},
		{"-", "", "pdf", ""},
		{"-", "html", "html", ""},
		{"a.tmp", "html", "html", ""},
		{"a.html", "HTML", "html", ""},
		{"a.htm", "html", "html", ""},
		{"statement.2026", "", "pdf", ""},
		{"a.tmp", "", "pdf", ""},
		{"a.png", "", "", `-o a.png: "png" is no format that can be made`},
		{"a.docx", "pdf", "", "--format pdf does not fit -o a.docx; name the file .pdf, or leave --format out"},
		{"a.html", "pdf", "", "--format pdf does not fit -o a.html"},
		{"a.pdf", "html", "", "--format html does not fit -o a.pdf"},
	} {
		got, err := formatFor(test.out, test.asked)
		if got != test.want || (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("-o %s --format %q: %q, %v; want %q, %q", test.out, test.asked, got, err, test.want, test.fault)
		}
		var usage usageError
		if err != nil && !errors.As(err, &usage) {
			t.Errorf("-o %s --format %q: not a wrong use", test.out, test.asked)
		}
	}
}

// Programs that unpack take the time of a file from its entry.
func TestFilesOfABundleHaveATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "acme.zip")
	if err := writeBundle(&report.Workspace{Name: "Acme", Code: "acme"}, path); err != nil {
		t.Fatal(err)
	}
	bundle, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer bundle.Close()
	if len(bundle.File) == 0 {
		t.Error("the bundle is empty")
	}
	for _, f := range bundle.File {
		if age := time.Since(f.Modified); age < -time.Minute || age > time.Hour {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
}
