package export

import (
	"strings"
	"testing"
)

func TestWhatPDFACannotBeIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  Request
		want string // in the message; empty for what is accepted
	}{
		{"none", Request{AllowPrinting: true, AllowCopying: true}, ""},
		{"2b", Request{Conformance: "pdf/a-2b", AllowPrinting: true, AllowCopying: true}, ""},
		{"3b as PDF", Request{Conformance: "pdf/a-3b", Format: "pdf", AllowPrinting: true, AllowCopying: true}, ""},
		{"unknown", Request{Conformance: "pdf/x", AllowPrinting: true, AllowCopying: true}, "accepted: pdf/a-2b, pdf/a-3b, pdf/a-2a"},
		{"as HTML", Request{Conformance: "pdf/a-2b", Format: "html", AllowPrinting: true, AllowCopying: true}, "format pdf only, not html"},
		{"with a password", Request{Conformance: "pdf/a-2a", Password: "secret", AllowPrinting: true, AllowCopying: true}, "cannot be protected"},
		{"without printing", Request{Conformance: "pdf/a-2a", AllowCopying: true}, "cannot be protected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := formatOf(tt.req)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
