package main

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// TestSameReportSameBytes exports a report twice at the same time of the clock.
// The bytes are the same; with a password the key is another each time, and the
// bytes are the same once it is taken off.
func TestSameReportSameBytes(t *testing.T) {
	ofDocuments(t)
	c := newPageCheck(t, notElectronic(bundleIn(t, "../../examples/gallery")))
	identifier := regexp.MustCompile(`/ID \[.*?\]`)
	for name, req := range map[string]export.Request{
		"plain":                  {},
		"accessible":             {ExportOptions: report.ExportOptions{Accessible: true}},
		"pdf/a-2b":               {ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b"}},
		"pdf/a-2a":               {ExportOptions: report.ExportOptions{Conformance: "pdf/a-2a"}},
		"pdf/a-3b":               {ExportOptions: report.ExportOptions{Conformance: "pdf/a-3b"}},
		"pdf/x-4":                {ExportOptions: report.ExportOptions{Conformance: "pdf/x-4", Bleed: "3mm", CropMarks: true}},
		"a password":             {Password: report.Secret("Alder 7")},
		"accessible, a password": {Password: report.Secret("Alder 7"), ExportOptions: report.ExportOptions{Accessible: true}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, code := range []string{"invoice", "school-report-ar", "bank-statement"} {
				req.Report = code
				first, _ := finished(t, c.service, req)
				second, _ := finished(t, c.service, req)
				if req.Password != "" {
					if bytes.Equal(first, second) {
						t.Errorf("%s has the same key twice", code)
					}
					open := func(b []byte) []byte {
						plain := output(t, "qpdf", "--decrypt", "--password=Alder 7", "--qdf", "--object-streams=disable", "--static-id", keepFile(t, b), "-")
						return identifier.ReplaceAll([]byte(plain), nil)
					}
					first, second = open(first), open(second)
				}
				if !bytes.Equal(first, second) {
					t.Errorf("%s has other bytes the second time", code)
				}
			}
		})
	}
}
