package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

var everyReport = flag.Bool("every-report", false, "validate every report of the gallery and the demo, not only some")

// notAccessible are reports that cannot conform, and why.
func notAccessible() map[string]string {
	return map[string]string{"contract": "attached PDF"}
}

// TestAccessibleReportsConformToPDFUA has veraPDF judge what accessible exports
// say of themselves.
func TestAccessibleReportsConformToPDFUA(t *testing.T) {
	some := []string{"invoice", "loan-schedule", "charts", "school-report-ar", "annual-report", "contract"}
	for _, folder := range []string{"../../examples/gallery", "../../assets/demo"} {
		ws := bundleIn(t, folder)
		c := newPageCheck(t, ws)
		var files []string
		dir := t.TempDir()
		for _, r := range ws.Reports {
			if r.Report.Subreport || !*everyReport && (folder != "../../examples/gallery" || !slices.Contains(some, r.Code)) {
				continue
			}
			content, warnings := accessible(t, c.service, export.Request{Report: r.Code})
			file := filepath.Join(dir, r.Code+".pdf")
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			qpdfCheck(t, file)
			if why := notAccessible()[r.Code]; why != "" {
				if bytes.Contains(content, []byte("pdfuaid:part")) || !strings.Contains(warnings.Error(), why) {
					t.Errorf("%s says that it conforms, or does not say why not: %v", r.Code, warnings)
				}
				continue
			}
			if !bytes.Contains(content, []byte("pdfuaid:part")) {
				t.Errorf("%s does not conform: %v", r.Code, warnings)
			}
			files = append(files, "ua1="+file)
		}
		if len(files) > 0 {
			judge(t, files)
		}
	}
}

// judge fails the test for every rule that veraPDF found broken.
func judge(t *testing.T, files []string) {
	t.Helper()
	passed, checks, rules := 0, 0, 0
	for _, v := range veraPDF(t, files...) {
		if v.Error != "" {
			t.Errorf("%s: %s", v.File, v.Error)
		}
		for _, f := range v.Failed {
			t.Errorf("%s, %s: rule %s failed %d times: %s %s", filepath.Base(v.File), v.Flavour, f.Rule, f.Count, f.Message, f.Places)
		}
		if v.Compliant {
			passed++
		}
		checks += v.Checks
		rules = v.Rules
	}
	t.Logf("%d of %d files conform: %d rules, %d checks", passed, len(files), rules, checks)
}

// accessible exports a report with accessible set.
func accessible(t testing.TB, s *export.Service, req export.Request) ([]byte, report.Problems) {
	t.Helper()
	req.Workspace, req.Accessible, req.AllowPrinting, req.AllowCopying = 1, true, true, true
	f, err := s.Export(context.Background(), req)
	if err != nil {
		t.Fatalf("%s: %v", req.Report, err)
	}
	defer f.Close()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), f.Warnings
}
