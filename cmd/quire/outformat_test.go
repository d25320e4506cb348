package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/quire-reports/quire/export"
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

// The XML of an electronic invoice is written into files that say so.
func TestTheNameOfTheXMLOfAnInvoice(t *testing.T) {
	for out, fault := range map[string]string{"a.xml": "", "a.XML": "", "-": "", "a.pdf": "--invoice-xml writes XML; name the file .xml", "a": "name the file .xml"} {
		o := exportFlags{out: out}
		o.req.InvoiceXML = true
		if _, err := o.request(); (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("-o %s: %v; want %q", out, err, fault)
		}
	}
}

// Every option that is no object and no secret has a flag.
func TestExportOptionsAreFlags(t *testing.T) {
	var o exportFlags
	flags := pflag.NewFlagSet("export", pflag.ContinueOnError)
	o.add(flags)
	err := flags.Parse([]string{
		"-o", "a.pdf", "--param", "year=2026", "--lang", "de", "--timezone", "Europe/Berlin", "--template", "t", "--theme", "2", "--include-attachments",
		"--accessible", "--conformance", "pdf/a-2b", "--bleed", "3mm", "--crop-marks", "--print-condition", "FOGRA39", "--deny-printing", "--deny-copying", "--exclude-pages", "2,3",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := o.request()
	want := export.Request{
		Lang: "de", Timezone: "Europe/Berlin", ExcludePages: []int{2, 3}, Params: got.Params,
		ExportOptions: report.ExportOptions{Format: "pdf", Template: "t", Theme: "2", IncludeAttachments: true, Accessible: true, Conformance: "pdf/a-2b", Bleed: "3mm", CropMarks: true, PrintCondition: "FOGRA39", DenyPrinting: true, DenyCopying: true},
	}
	if year, _ := got.Params.Get("year"); err != nil || !reflect.DeepEqual(got, want) || fmt.Sprint(year) != "2026" {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if flags.Lookup("password") != nil {
		t.Error("a password can be said where everybody sees it")
	}
	if help := flags.FlagUsages(); !strings.Contains(help, strings.Join(export.Formats(), " or ")+" (default by the output's extension)") || !strings.Contains(help, "Accepted: pdf/a-2b, pdf/a-3b, pdf/a-2a") {
		t.Error(help)
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
