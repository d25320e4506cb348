package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

const protectedText = "Turmhaus Translations"

// TestProtectionInEveryReader exports a report with a password and each pair of
// permissions, and has qpdf, poppler and mupdf open it.
func TestProtectionInEveryReader(t *testing.T) {
	ofDocuments(t)
	for _, program := range []string{"qpdf", "pdftotext", "mutool"} {
		if _, err := exec.LookPath(program); err != nil {
			judges.Missing(t, "needs ", program)
		}
	}
	const password = "Zitronen-Öl 7"
	c := newPageCheck(t, notElectronic(bundleIn(t, "../../examples/gallery")))
	rules := new(tally)
	for _, accessible := range []bool{false, true} {
		for bits := range 4 {
			printing, copying := bits&1 != 0, bits&2 != 0
			t.Run(fmt.Sprintf("accessible %t, printing %t, copying %t", accessible, printing, copying), func(t *testing.T) {
				content := protected(t, c.service, export.Request{Report: "invoice", Password: report.Secret(password), ExportOptions: report.ExportOptions{Accessible: accessible, DenyPrinting: !printing, DenyCopying: !copying}})
				if bytes.Contains(content, []byte("pdfuaid")) || bytes.Contains(content, []byte("/Invoice")) {
					t.Error("something of the document can be read without the password")
				}
				file := keepFile(t, content)
				permissions(t, file, password, printing, copying)
				opens(t, file, password, true)
				opens(t, file, "zitronen-öl 7", false)
				opens(t, file, "", false)
				if accessible {
					judge(t, []string{"ua1:" + password + "=" + file}, rules)
				}
			})
		}
	}
	t.Run("no password", func(t *testing.T) {
		file := keepFile(t, protected(t, c.service, export.Request{Report: "invoice", ExportOptions: report.ExportOptions{DenyPrinting: true}}))
		permissions(t, file, "", false, true)
		opens(t, file, "", true)
	})
}

// permissions compares what qpdf tells of a file's protection.
func permissions(t *testing.T, file, password string, printing, copying bool) {
	t.Helper()
	shown := output(t, "qpdf", "--show-encryption", "--password="+password, file)
	allowed := map[bool]string{true: "allowed", false: "not allowed"}
	for _, line := range []string{
		"R = 6",
		"extract for accessibility: allowed",
		"extract for any purpose: " + allowed[copying],
		"print low resolution: " + allowed[printing],
		"print high resolution: " + allowed[printing],
		"modify document assembly: not allowed",
		"modify forms: allowed", // fields are there to be filled in
		"modify annotations: not allowed",
		"modify other: not allowed",
		"stream encryption method: AESv3",
		"string encryption method: AESv3",
		"file encryption method: AESv3",
	} {
		if !strings.Contains(shown, line+"\n") {
			t.Errorf("qpdf does not tell %q but\n%s", line, shown)
		}
	}
	if out, err := exec.Command("qpdf", "--check", "--password="+password, file).CombinedOutput(); err != nil {
		t.Errorf("qpdf: %v\n%s", err, out)
	}
}

// opens says whether the readers open a file with a password.
func opens(t *testing.T, file, password string, want bool) {
	t.Helper()
	for _, args := range [][]string{
		{"qpdf", "--check", "--password=" + password, file},
		{"pdftotext", "-upw", password, file, "-"},
		{"mutool", "draw", "-F", "txt", "-p", password, file},
	} {
		out, err := exec.Command(args[0], args[1:]...).Output()
		if opened := err == nil; opened != want {
			t.Errorf("%s opens the file with %q: %t", args[0], password, opened)
		}
		if has := bytes.Contains(out, []byte(protectedText)); args[0] != "qpdf" && has != want {
			t.Errorf("%s reads the text with %q: %t", args[0], password, has)
		}
	}
}

// notElectronic takes from the invoices of a workspace that they are for programs,
// too: such cannot be protected.
func notElectronic(ws *report.Workspace) *report.Workspace {
	for i := range ws.Reports {
		ws.Reports[i].Report.Invoice = nil
	}
	return ws
}

func protected(t *testing.T, s *export.Service, req export.Request) []byte {
	t.Helper()
	req.Workspace = 1
	f, err := s.Export(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return contentOf(t, f)
}
