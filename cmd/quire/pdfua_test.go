package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

var everyReport = flag.Bool("every-report", false, "validate every report of the gallery and the demo, not only some")

// notAccessible are reports that cannot conform, and why.
func notAccessible() map[string]string {
	return map[string]string{"contract": "attached PDF"}
}

// TestReportsConformToWhatTheySay has veraPDF judge exports that say that they
// are PDF/UA or PDF/A.
func TestReportsConformToWhatTheySay(t *testing.T) {
	ofDocuments(t)
	kinds := []struct {
		name     string
		ask      export.Request
		says     []string
		flavours []string
		reports  []string // without -every-report
	}{
		{"accessible", export.Request{ExportOptions: report.ExportOptions{Accessible: true}}, []string{"pdfuaid:part"}, []string{"ua1"}, []string{"invoice", "loan-schedule", "charts", "school-report-ar", "annual-report", "contract"}},
		{"archive", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b"}}, []string{"pdfaid:part>2", "conformance>B"}, []string{"2b"}, []string{"charts", "catalogue", "contract"}},
		{"archive with data", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-3b"}}, []string{"pdfaid:part>3", "conformance>B"}, []string{"3b"}, []string{"invoice", "contract"}},
		{"accessible archive", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2a"}}, []string{"pdfaid:part>2", "conformance>A", "pdfuaid:part"}, []string{"2a", "ua1"}, []string{"annual-report", "contract"}},
		{"press", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x-4", Bleed: "3mm", CropMarks: true}}, []string{"pdfaid:part>2", "GTS_PDFXVersion>PDF/X-4"}, []string{"2b"}, []string{"charts", "portfolio", "price-list"}},
	}
	folders := []string{"../../examples/gallery"}
	if *everyReport {
		folders = append(folders, "../../assets/demo")
	}
	var rules tally
	t.Cleanup(func() { t.Logf("rules passed and failed over all reports:\n%s", &rules) })
	for _, folder := range folders {
		ws := bundleIn(t, folder)
		c := newPageCheck(t, ws)
		for _, kind := range kinds {
			t.Run(filepath.Base(folder)+", "+kind.name, func(t *testing.T) {
				t.Parallel() // one makes files while another is judged
				var files []string
				dir := t.TempDir()
				for _, r := range ws.Reports {
					if r.Report.Subreport || !*everyReport && !slices.Contains(kind.reports, r.Code) {
						continue
					}
					if asked := kind.ask.Conformance; r.Report.Invoice != nil && asked != "" && asked != "pdf/a-3b" {
						continue // it is PDF/A-3, and refuses another
					}
					kind.ask.Report = r.Code
					content, warnings := finished(t, c.service, kind.ask)
					file := filepath.Join(dir, r.Code+".pdf")
					if err := os.WriteFile(file, content, 0o600); err != nil {
						t.Fatal(err)
					}
					qpdfCheck(t, file)
					if !conforms(t, r.Code, content, warnings, kind.says) {
						continue
					}
					if has := bytes.Contains(inflated(t, content), []byte("/AFRelationship /Data")); has != (kind.ask.Conformance == "pdf/a-3b" && len(r.Report.DataSources) > 0) {
						t.Errorf("%s has its data inside: %t", r.Code, has)
					}
					for _, flavour := range kind.flavours {
						files = append(files, flavour+"="+file)
					}
				}
				if len(files) > 0 {
					judge(t, files, &rules)
				}
			})
		}
	}
}

// conforms looks whether a report says what it should, and whether those that
// cannot say why.
func conforms(t *testing.T, code string, content []byte, warnings report.Problems, says []string) bool {
	t.Helper()
	if why := notAccessible()[code]; why != "" {
		if bytes.Contains(content, []byte("pdfuaid:part")) || bytes.Contains(content, []byte("pdfaid:part")) || !strings.Contains(warnings.Error(), why) {
			t.Errorf("%s says that it conforms, or does not say why not: %v", code, warnings)
		}
		return false
	}
	plain := inflated(t, content)
	for _, s := range says {
		if !bytes.Contains(plain, []byte(s)) {
			t.Errorf("%s does not say %s: %v", code, s, warnings)
		}
	}
	return true
}

// inflated is a PDF with its object streams unpacked.
func inflated(t testing.TB, content []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("qpdf", "--qdf", "--object-streams=disable", file, "-").Output()
	if err != nil {
		t.Fatal(withErrors(err))
	}
	return out
}

// judge fails the test for every rule that veraPDF found broken.
func judge(t *testing.T, files []string, rules *tally) {
	t.Helper()
	passed, checks := 0, 0
	for _, v := range veraPDF(t, files...) {
		if v.Error != "" {
			t.Errorf("%s: %s", v.File, v.Error)
		} else if len(v.Passed) == 0 {
			t.Errorf("%s: veraPDF kept to no rule", v.File)
		}
		for _, f := range v.Failed {
			t.Errorf("%s, %s: rule %s failed %d times: %s %s", filepath.Base(v.File), v.Flavour, f.Rule, f.Count, f.Message, f.Places)
		}
		if v.Compliant {
			passed++
		}
		checks += v.Checks
		rules.add(v)
	}
	t.Logf("%d of %d files conform: %d checks", passed, len(files), checks)
}

// finished exports a report as a PDF.
func finished(t testing.TB, s *export.Service, req export.Request) ([]byte, report.Problems) {
	t.Helper()
	req.Workspace = 1
	f, err := s.Export(context.Background(), req)
	if err != nil {
		t.Fatalf("%s: %v", req.Report, err)
	}
	defer f.Close()
	return contentOf(t, f), f.Warnings
}

func contentOf(t testing.TB, f *export.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestPictureWithoutAlternativeTextIsNamed has a report with a picture that
// nobody described: the file is an ordinary PDF, and the warning names the element.
func TestPictureWithoutAlternativeTextIsNamed(t *testing.T) {
	const picture = `data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIyMCIgaGVpZ2h0PSIyMCI+PHJlY3Qgd2lkdGg9IjIwIiBoZWlnaHQ9IjIwIi8+PC9zdmc+`
	for _, tt := range []struct {
		name, html string
		conforms   bool
	}{
		{"described", `<p>Our house</p><img src="` + picture + `" alt="The house" width="20" height="20">`, true},
		{"decoration", `<p>Our house</p><img src="` + picture + `" alt="" width="20" height="20">`, true},
		{"not described", `<p>Our house</p><img src="` + picture + `" width="20" height="20">`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}}
			def, err := report.ParseReport([]byte(`{"version": 1, "name": "House", "pages": [{"name": "House", "elements": [{"id": "front", "type": "html", "props": {"html": ` + strconv.Quote(tt.html) + `}}]}]}`))
			if err != nil {
				t.Fatal(err)
			}
			ws.Reports = []report.NamedReport{{Code: "house", Report: *def}}
			c := newPageCheck(t, ws)
			content, warnings := finished(t, c.service, export.Request{Report: "house", ExportOptions: report.ExportOptions{Accessible: true}})
			if says := bytes.Contains(content, []byte("pdfuaid:part")); says != tt.conforms {
				t.Errorf("says that it conforms: %t, warnings %v", says, warnings)
			}
			if named := strings.Contains(fmt.Sprint(warnings), "front"); named == tt.conforms {
				t.Errorf("the warnings are %v", warnings)
			}
		})
	}
}

// TestTextOfALongAccessibleReport has poppler read a report of more than 50
// pages by its structure: the table is one, and its rows are all there in order.
func TestTextOfALongAccessibleReport(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	gallery := bundleIn(t, "../../examples/gallery")
	at := slices.IndexFunc(gallery.Reports, func(r report.NamedReport) bool { return r.Code == "bank-statement" })
	movements := gallery.Reports[at].Report.DataSources[0].Settings
	movements["content"] = slices.Repeat(movements["content"].([]any), 22)
	c := newPageCheck(t, gallery)
	texts := map[bool]string{}
	var tree string
	for _, accessible := range []bool{false, true} {
		content, _ := finished(t, c.service, export.Request{Report: "bank-statement", ExportOptions: report.ExportOptions{Accessible: accessible}})
		file := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		texts[accessible] = output(t, "pdftotext", file, "-")
		if accessible {
			tree = output(t, "pdfinfo", "-struct-text", file)
		}
	}
	if texts[true] != texts[false] {
		t.Error("the text of the accessible report is not that of the plain one")
	}
	if n := strings.Count(tree, "\n  Table"); n != 1 {
		t.Errorf("%d tables, want one over all pages", n)
	}
	if n := strings.Count(texts[true], "\f"); n < 50 {
		t.Errorf("only %d pages", n)
	}
	document, _, err := c.file("bank-statement", "html")
	if err != nil {
		t.Fatal(err)
	}
	if want, got := bodyText(document), readText(tree); !strings.Contains(got, want) {
		t.Errorf("what is read is not the report's text: %s", difference(want, got))
	}
}

// readText is the text in a listing of the structure, without blanks.
func readText(tree string) string {
	var b strings.Builder
	for line := range strings.Lines(tree) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, `"`); ok {
			b.WriteString(strings.Join(strings.Fields(strings.TrimSuffix(text, `"`)), ""))
		}
	}
	return b.String()
}

func needPoppler(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("pdfinfo"); err != nil {
		judges.Missing(t, "needs poppler")
	}
}

func output(t testing.TB, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", program, withErrors(err))
	}
	return string(out)
}
