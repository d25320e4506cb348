package export

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
	"github.com/quire-reports/quire/report"
)

func workbook(t testing.TB, s *Service, req Request) ([]byte, report.Problems) {
	t.Helper()
	req.Format = "xlsx"
	file, err := s.Export(t.Context(), req)
	if err != nil {
		t.Fatalf("%s: %v", req.Report, err)
	}
	defer func() { _ = file.Close() }()
	if file.ContentType != xlsxType || !strings.HasSuffix(file.Name, ".xlsx") {
		t.Errorf("%s is %s, %s", req.Report, file.Name, file.ContentType)
	}
	content, err := contentOf(file)
	if err != nil {
		t.Fatal(err)
	}
	return content, file.Warnings
}

func contentOf(f *File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

// TestWorkbooksOfRealReports: every report of the demo and the gallery becomes a
// workbook whose formulas find the totals that PDF files print, the same with the
// same input.
func TestWorkbooksOfRealReports(t *testing.T) {
	formulas := 0
	for name, bundle := range bundles() {
		s, ws := bundleService(t, bundle)
		for _, r := range ws.Reports {
			content, _ := workbook(t, s, Request{Report: r.Code})
			book := xlsxtest.Open(t, content)
			if faults := book.Faults(); len(faults) > 0 {
				t.Errorf("%s %s: %q", name, r.Code, faults)
			}
			formulas += strings.Count(book.String(), "=SUBTOTAL(")
			if name != "demo" {
				continue
			}
			if again, _ := workbook(t, s, Request{Report: r.Code}); !bytes.Equal(content, again) {
				t.Errorf("%s %s: the second workbook differs", name, r.Code)
			}
		}
	}
	if formulas < 30 {
		t.Errorf("only %d totals are formulas", formulas)
	}
}

// TestAWorkbookInItsLanguage: what cells hold is the same, how they print it is not.
func TestAWorkbookInItsLanguage(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/orders.json": `{"name": "Orders", "title": "Q1 {$params.year}", "parameters": [{"name": "year", "type": "number"}],
		"pages": [{"id": 1, "name": "All [orders]", "elements": [{"type": "data-table", "props": {"source": "$data.orders", "footer": {"enabled": true, "text": "Sum"},
			"columns": [{"field": "day", "format": "date"}, {"field": "amount", "format": "currency", "footer": {"aggregate": "sum"}}, {"field": "code"}]}}]}],
		"dataSources": [{"name": "orders", "type": "json", "settings": {"content": [{"day": "2026-03-01", "amount": 1234.5, "code": "0042"}, {"day": "2026-03-02", "amount": -4, "code": "=2+2"}]}}]}`})
	const want = `== All orders
footer: "&R&8 &P / &N"
frozen above: "A2"
widths: 12.9 11.3 7.9
table
1 | A "Day" | B "Amount" | C "Code"
2 | A 46082 as dd\/mm\/yyyy | B 1234.5 as [$£]#,##0.00;"−"[$£]#,##0.00 | C "0042"
3 | A 46083 as dd\/mm\/yyyy | B -4 as [$£]#,##0.00;"−"[$£]#,##0.00 | C "=2+2"
4 | A "Sum" | B 1230.5 as [$£]#,##0.00;"−"[$£]#,##0.00 =SUBTOTAL(9,B2:B3)
`
	req := request()
	content, warnings := workbook(t, s, req)
	if got := xlsxtest.Open(t, content).String(); got != want || len(warnings) > 0 {
		t.Errorf("%v\n%s", warnings, got)
	}
	req.Lang = "de"
	german, _ := workbook(t, s, req)
	if got := xlsxtest.Open(t, german).String(); !strings.Contains(got, `46082 as d\.m\.yyyy`) || !strings.Contains(got, "[$€]") {
		t.Errorf("in German:\n%s", got)
	}
}

// TestOfficeIsSwitchedOff: the answer names the setting, and nothing offers the format.
func TestOfficeIsSwitchedOff(t *testing.T) {
	s, _ := newService(t, files())
	s.cfg.NoOffice = true
	if slices.Contains(s.Formats(), "xlsx") {
		t.Errorf("it offers %v", s.Formats())
	}
	req := request()
	req.Format = "xlsx"
	if _, err := s.Export(t.Context(), req); err == nil || err.Error() != "format: format xlsx is switched off here by the setting Office.Enabled; accepted: pdf, html" {
		t.Errorf("it says %v", err)
	}
	s.cfg.NoOffice = false
	req.Password = "secret"
	if _, err := s.Export(t.Context(), req); err == nil || !strings.Contains(err.Error(), "protect PDF files only, not xlsx") {
		t.Errorf("with a password it says %v", err)
	}
}

// TestAWorkbookWithAttachments is inside the ZIP as a PDF file would be.
func TestAWorkbookWithAttachments(t *testing.T) {
	s, _ := newService(t, files())
	req := request()
	req.Format, req.IncludeAttachments = "xlsx", true
	file, err := s.Export(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	content, err := contentOf(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil || !slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".xlsx") }) {
		t.Errorf("%v: no workbook in the ZIP", err)
	}
}
