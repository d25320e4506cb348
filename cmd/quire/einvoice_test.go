package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/export/einvoice"
	"github.com/quire-reports/quire/report"
)

var everyInvoice = flag.Bool("every-invoice", false, "judge every kind of electronic invoice in every profile, not only some")

// judgement is what the Mustang project's validator says of an electronic invoice.
type judgement struct {
	File   string
	Valid  bool
	Rules  int
	Failed []string
}

// mustang judges PDF and XML files in one Java machine.
func mustang(t testing.TB, files ...string) []judgement {
	t.Helper()
	var list []judgement
	for line := range bytes.Lines(javaJudge(t, "mustang", "Judge.java", files)) {
		var j judgement
		if err := json.Unmarshal(line, &j); err != nil {
			t.Fatalf("the validator wrote %q: %v", line, err)
		}
		list = append(list, j)
	}
	if len(list) != len(files) {
		t.Fatalf("%d of %d files are judged", len(list), len(files))
	}
	return list
}

// invoiceReport is a report that is an electronic invoice of an object.
func invoiceReport(t testing.TB, profile string, of any) report.NamedReport {
	t.Helper()
	def, err := report.ParseReport([]byte(`{"version": 1, "name": "Invoice", "pages": [{"id": 1, "name": "Invoice", "elements": [{"type": "paragraph", "props": {"text": "Invoice {$data.invoice.number}"}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	def.Invoice = &report.Invoice{Profile: profile, Source: "$data.invoice"}
	def.DataSources = []report.SourceUse{{DataSource: report.DataSource{Name: "invoice", Type: "json", Settings: map[string]any{"content": of}}}}
	return report.NamedReport{Code: profile, Report: *def}
}

// TestElectronicInvoices has the Mustang project's validator judge invoices of all
// profiles, as XML and inside PDF files, by schema and rules; these by veraPDF, too.
func TestElectronicInvoices(t *testing.T) {
	ofDocuments(t)
	content, err := os.ReadFile("../../export/einvoice/testdata/invoices.json")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := report.ParseValue(content)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files, archives []string
	keep := func(name string, content []byte) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		if strings.HasSuffix(name, ".pdf") {
			archives = append(archives, "3b="+file)
		}
	}
	everything, _ := samples.(*report.Object).Get("everything")
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}}
	for _, p := range einvoice.Profiles() {
		ws.Reports = append(ws.Reports, invoiceReport(t, p.Name, everything))
		profile, err := einvoice.ProfileOf(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		for name, sample := range samples.(*report.Object).All() {
			if *everyInvoice {
				made, err := einvoice.XML(sample, profile, "")
				if err != nil {
					t.Fatal(name, p.Name, err)
				}
				keep(strings.ReplaceAll(name, " ", "-")+"."+p.Name+".xml", made)
			}
		}
	}
	c := newPageCheck(t, ws)
	for _, r := range ws.Reports {
		made, warnings := finished(t, c.service, export.Request{Report: r.Code})
		if len(warnings) > 0 {
			t.Errorf("%s: %v", r.Code, warnings)
		}
		keep(r.Code+".pdf", made)
		whole := slices.Contains([]string{"basic", "en16931", "extended", "xrechnung"}, r.Code)
		if relation := map[bool]string{true: "/AFRelationship /Alternative", false: "/AFRelationship /Data"}[whole]; !bytes.Contains(inflated(t, made), []byte(relation)) {
			t.Errorf("%s has no %s", r.Code, relation)
		}
	}
	both, _ := finished(t, c.service, export.Request{Report: "en16931", ExportOptions: report.ExportOptions{Accessible: true, Conformance: "pdf/a-3b"}})
	keep("accessible.pdf", both)
	archives = append(archives, "ua1="+files[len(files)-1])
	gallery := newPageCheck(t, bundleIn(t, "../../examples/gallery"))
	made, _ := finished(t, gallery.service, export.Request{Report: "invoice"})
	keep("gallery.pdf", made)

	guide, err := os.ReadFile("../../docs/invoices.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(guide), "```json\n")
	example, _, _ = strings.Cut(example, "\n```")
	def, problems := report.ParseReport([]byte(example))
	if problems != nil {
		t.Fatal(problems)
	}
	made, _ = finished(t, newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "guide", Report: *def}}}).service, export.Request{Report: "guide"})
	keep("guide.pdf", made)

	rules := 0
	for _, j := range mustang(t, files...) {
		rules += j.Rules
		if !j.Valid || len(j.Failed) > 0 || j.Rules == 0 {
			t.Errorf("%s: valid %t, %d rules, failed: %s", filepath.Base(j.File), j.Valid, j.Rules, strings.Join(j.Failed, "; "))
		}
	}
	t.Logf("%d files, %d rules", len(files), rules)
	judge(t, archives, new(tally))
}

// sampleInvoice is the data of an invoice with two rates of VAT.
func sampleInvoice(t *testing.T) any {
	t.Helper()
	content, err := os.ReadFile("../../export/einvoice/testdata/invoices.json")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := report.ParseValue(content)
	if err != nil {
		t.Fatal(err)
	}
	sample, _ := samples.(*report.Object).Get("two rates")
	return sample
}

// The validator finds what is wrong, so that its silence means something.
func TestTheInvoiceValidatorFindsFaults(t *testing.T) {
	sample := sampleInvoice(t)
	profile, err := einvoice.ProfileOf("en16931")
	if err != nil {
		t.Fatal(err)
	}
	made, err := einvoice.XML(sample, profile, "")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files, wants []string
	for from, to := range map[string]string{
		"<ram:GrandTotalAmount>142.11":  "<ram:GrandTotalAmount>142.12", // BR-CO-15
		"<ram:CountryID>AT</":           "<ram:CountryID>Austria</",
		"<ram:ID>R-1</ram:ID>":          "", // the schema
		"<ram:BilledQuantity unitCode=": "<ram:BilledQuantity unit=",
	} {
		file := filepath.Join(dir, string(rune('a'+len(files)))+".xml")
		if err := os.WriteFile(file, bytes.Replace(made, []byte(from), []byte(to), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		files, wants = append(files, file), append(wants, to)
	}
	for i, j := range mustang(t, files...) {
		if j.Valid || len(j.Failed) == 0 {
			t.Errorf("%q passes", wants[i])
		}
	}
}

// An electronic invoice that cannot be one is refused, with what to do; so is what
// asks for one of a report that is none.
func TestElectronicInvoicesAreRefused(t *testing.T) {
	ofDocuments(t)
	good := report.ObjectOf("number", "R-1")
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}, Reports: []report.NamedReport{invoiceReport(t, "minimum", good)}}
	plain := invoiceReport(t, "minimum", good)
	plain.Code, plain.Report.Invoice = "plain", nil
	nowhere := invoiceReport(t, "minimum", good)
	nowhere.Code, nowhere.Report.Invoice.Source = "nowhere", "$data.invoices"
	ws.Reports = append(ws.Reports, plain, nowhere)
	c := newPageCheck(t, ws)
	for _, tt := range []struct {
		name, report string
		ask          export.Request
		want         string
	}{
		{"data", "minimum", export.Request{}, "$data.invoice.totals.net: is missing, and profile minimum needs it (BT-109)"},
		{"password", "minimum", export.Request{Password: "secret"}, "password: an electronic invoice cannot be protected"},
		{"another archive", "minimum", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b"}}, "conformance: an electronic invoice is pdf/a-3b, not pdf/a-2b"},
		{"nowhere", "nowhere", export.Request{}, "invoice.source: $data.invoices leads to no value"},
		{"no invoice", "plain", export.Request{ExportOptions: report.ExportOptions{InvoiceXML: true}}, "invoiceXml: the report is no electronic invoice"},
		{"no PDF", "minimum", export.Request{ExportOptions: report.ExportOptions{InvoiceXML: true, Format: "docx"}}, "invoiceXml: stands in the place of a PDF file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.ask.Workspace, tt.ask.Report = 1, tt.report
			f, err := c.service.Export(t.Context(), tt.ask)
			if err == nil {
				f.Close()
				t.Fatal("a file is made")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("says %v; want %q", err, tt.want)
			}
		})
	}
}
