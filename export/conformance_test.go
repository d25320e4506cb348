package export

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestWhatPDFACannotBeIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  Request
		want string // in the message; empty for what is accepted
	}{
		{"none", Request{}, ""},
		{"2b", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b"}}, ""},
		{"3b as PDF", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-3b", Format: "pdf"}}, ""},
		{"unknown", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x"}}, "accepted: pdf/a-2b, pdf/a-3b, pdf/a-2a"},
		{"as HTML", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b", Format: "html"}}, "format pdf only, not html"},
		{"with a password", Request{Password: "secret", ExportOptions: report.ExportOptions{Conformance: "pdf/a-2a"}}, "cannot be protected"},
		{"for the press", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x-4", PrintCondition: "CGATS TR 006", Bleed: "0.125in", CropMarks: true}}, ""},
		{"for the press, tagged", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x-4", Accessible: true}}, "accessible: pdf/x-4 files are for a printing house and not tagged"},
		{"for the press, with a password", Request{Password: "secret", ExportOptions: report.ExportOptions{Conformance: "pdf/x-4"}}, "cannot be protected"},
		{"an unknown press", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x-4", PrintCondition: "newspaper"}}, `printCondition: unknown printing condition "newspaper"; accepted: FOGRA39, CGATS TR 006`},
		{"a press of no use", Request{ExportOptions: report.ExportOptions{PrintCondition: "FOGRA39"}}, "set conformance to pdf/x-4"},
		{"a bleed of its own", Request{ExportOptions: report.ExportOptions{Bleed: "2cm"}}, ""},
		{"no bleed", Request{ExportOptions: report.ExportOptions{Bleed: "0"}}, ""},
		{"a bleed without a unit", Request{ExportOptions: report.ExportOptions{Bleed: "3"}}, `bleed: "3" is no bleed; accepted: a length from 0 to 20mm`},
		{"too much bleed", Request{ExportOptions: report.ExportOptions{Bleed: "2.01cm"}}, "no bleed"},
		{"only a unit", Request{ExportOptions: report.ExportOptions{Bleed: ".mm"}}, "no bleed"},
		{"less than nothing", Request{ExportOptions: report.ExportOptions{Bleed: "-3mm"}}, "no bleed"},
		{"a bleed in HTML", Request{ExportOptions: report.ExportOptions{Bleed: "3mm", Format: "html"}}, "bleed: is for format pdf only, not html"},
		{"crop marks in HTML", Request{ExportOptions: report.ExportOptions{CropMarks: true, Format: "html"}}, "cropMarks: is for format pdf only, not html"},
		{"without printing", Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2a", DenyPrinting: true}}, "cannot be protected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.req.Check(Formats()).Err()
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
