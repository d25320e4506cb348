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
