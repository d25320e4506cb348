package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// A form is judged by programs of others: qpdf and pdfsig say what it has, mutool fills
// it in, and poppler draws and reads it before and after.

const formReport = `{"version":1,"name":"Form","language":"en","title":"Form",
"dataSources":[{"name":"rows","type":"json","settings":{"content":[{"t":"Chairs"},{"t":"Tables"}]}}],
"pages":[{"id":1,"name":"A","elements":[
{"type":"heading","props":{"title":"Order"}},
{"type":"form-field","props":{"name":"name","label":"Name","value":"Ägnes Büttner","required":true,"hint":"as in your passport"}},
{"type":"form-field","props":{"name":"arabic","label":"الاسم","value":"مريم العلي","style":"direction:rtl"}},
{"type":"form-field","props":{"name":"iban","label":"IBAN","comb":true,"maxLength":10,"value":"DE02"}},
{"type":"form-field","props":{"kind":"multiline","name":"note","label":"Note","value":"One\nTwo"}},
{"type":"form-field","props":{"kind":"choice","name":"land","label":"Country","value":"de","options":[{"value":"de","label":"Germany"},{"value":"fr","label":"France"}]}},
{"type":"form-field","props":{"kind":"checkbox","name":"agree","label":"I agree","value":"1"}},
{"type":"form-field","props":{"kind":"checkbox","name":"news","label":"News"}},
{"type":"form-field","props":{"kind":"radio","name":"pay","label":"Payment","value":"cash","options":[{"value":"cash"},{"value":"card"}]}},
{"type":"table","props":{"columns":[{},{}],"rows":[{"type":"header","cells":[{"value":"What"},{"value":"How many"}]},{"repeat":{"source":"$data.rows","alias":"items"},"cells":[{"value":"{$it.items.t}"},{"contentType":"elements","elements":[{"type":"form-field","props":{"name":"qty","kind":"number","label":"How many {$it.items.t}","labelPosition":"none"}}]}]}]}},
{"type":"form-field","props":{"kind":"signature","name":"sign","label":"Signature","pageBreakBefore":true}}
]}]}`

// faintReport has a box in something translucent, of which it is a part.
const faintReport = `{"version":1,"name":"Form","pages":[{"id":1,"elements":[
{"type":"flow","props":{"style":"opacity:0.5"},"children":[{"id":"faint","type":"form-field","props":{"kind":"checkbox","name":"faint","label":"Faint"}}]},
{"type":"form-field","props":{"kind":"checkbox","name":"plain","label":"Plain"}}]}]}`

func TestAFieldThatIsPartOfAPictureStaysPrinted(t *testing.T) {
	ofDocuments(t)
	content, warnings := finished(t, formService(t, faintReport).service, export.Request{Report: "r"})
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if fields := formFields(t, file); len(fields) != 1 || fields["plain"] == "" {
		t.Errorf("the fields are %q", fields)
	}
	if len(warnings) != 1 || warnings[0].Path != "faint" || !strings.Contains(warnings[0].Message, "cannot be filled in") {
		t.Errorf("the warnings are %v", warnings)
	}
}

func formService(t *testing.T, definition string) *pageCheck {
	t.Helper()
	def, problems := report.ParseReport([]byte(definition))
	if problems != nil {
		t.Fatal(problems)
	}
	return newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "r", Report: *def}}})
}

// judgedBy runs a program that judges a file.
func judgedBy(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		judges.Missing(t, "needs "+name)
	}
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, withErrors(err))
	}
	return out
}

// formFields are the fields of a file by their full names, as qpdf reads them: the kind,
// what it is told as and its value.
func formFields(t *testing.T, file string) map[string]string {
	t.Helper()
	var said struct {
		AcroForm struct {
			NeedAppearances bool `json:"needappearances"`
			Fields          []struct {
				FullName, FieldType, AlternativeName string
				Value                                any
				Annotation                           struct {
					AppearanceState string
				}
			}
		}
	}
	if err := json.Unmarshal(judgedBy(t, "qpdf", "--json", "--json-key=acroform", file), &said); err != nil {
		t.Fatal(err)
	}
	if said.AcroForm.NeedAppearances {
		t.Error("the file asks viewers to draw its fields")
	}
	all := map[string]string{}
	for _, f := range said.AcroForm.Fields {
		all[f.FullName] += strings.TrimSpace(fmt.Sprintf("%s %s %v %s;", f.FieldType, f.AlternativeName, f.Value, f.Annotation.AppearanceState))
	}
	return all
}

func TestFormsCanBeFilledIn(t *testing.T) {
	ofDocuments(t)
	c := formService(t, formReport)
	dir := t.TempDir()
	save := func(name string, ask export.Request) (string, report.Problems) {
		ask.Report = "r"
		content, warnings := finished(t, c.service, ask)
		file := filepath.Join(dir, name+".pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if ask.Password == "" {
			qpdfCheck(t, file)
		}
		return file, warnings
	}
	plain, _ := save("plain", export.Request{})
	want := map[string]string{
		"name": "Ägnes Büttner", "arabic": "مريم العلي", "iban": "DE02", "note": "One\nTwo", "land": "de", "agree": "/Yes", "news": "/Off", "pay": "/cash",
		"items[1].qty": "How many Chairs", "items[2].qty": "How many Tables", "sign": "/Sig",
	}
	fields := formFields(t, plain)
	for name, part := range want {
		if !strings.Contains(fields[name], part) {
			t.Errorf("the field %s is %q, without %q", name, fields[name], part)
		}
	}
	if len(fields) != len(want) {
		t.Errorf("there are %d fields: %q", len(fields), fields)
	}
	if out := judgedBy(t, "pdfsig", plain); !bytes.Contains(out, []byte("Signature Field Name: sign")) || !bytes.Contains(out, []byte("not signed")) {
		t.Errorf("pdfsig: %s", out)
	}

	// A printing house gets the same pages, with nothing to fill in.
	press, warnings := save("press", export.Request{ExportOptions: report.ExportOptions{Conformance: "pdf/x-4"}})
	if fields := formFields(t, press); len(fields) > 0 {
		t.Errorf("a file for a printing house has fields: %v", fields)
	}
	if !slices.ContainsFunc(warnings, func(p *report.Problem) bool { return strings.Contains(p.Message, "nothing to fill in") }) {
		t.Errorf("nobody is told that the fields are lost: %v", warnings)
	}
	if n := unlike(drawn(t, plain), drawn(t, press)); n > 60 { // corners of marks
		t.Errorf("%d pixels of the empty form differ from the printed one", n)
	}

	var judged []string
	for _, kind := range []struct {
		name    string
		ask     report.ExportOptions
		flavour string
	}{
		{"accessible", report.ExportOptions{Accessible: true}, "ua1"},
		{"2a", report.ExportOptions{Conformance: "pdf/a-2a"}, "2a"},
		{"3b", report.ExportOptions{Conformance: "pdf/a-3b"}, "3b"},
	} {
		file, warnings := save(kind.name, export.Request{ExportOptions: kind.ask})
		if len(warnings) > 0 || len(formFields(t, file)) != len(want) {
			t.Errorf("%s: %v", kind.name, warnings)
		}
		if n := unlike(drawn(t, plain), drawn(t, file)); n > 0 {
			t.Errorf("%s: %d pixels differ", kind.name, n)
		}
		judged = append(judged, kind.flavour+"="+file)
	}
	judge(t, judged, new(tally))

	secret, _ := save("secret", export.Request{Password: "s3cret"})
	open := filepath.Join(dir, "open.pdf")
	judgedBy(t, "qpdf", "--password=s3cret", "--decrypt", secret, open)
	if fields := formFields(t, open); !strings.Contains(fields["name"], "Ägnes Büttner") {
		t.Errorf("the fields of a protected file are %v", fields)
	}

	// Filled in by another program, each field shows what was filled in and not what stood there.
	script, filled := filepath.Join(dir, "fill.js"), filepath.Join(dir, "filled.pdf")
	if err := os.WriteFile(script, []byte(fillScript), 0o600); err != nil {
		t.Fatal(err)
	}
	judgedBy(t, "mutool", "run", script, plain, filled)
	fields = formFields(t, filled)
	for name, part := range map[string]string{"name": "Zoë", "note": "Zoë", "land": "fr", "agree": "/Off", "news": "/Yes", "items[2].qty": "Zoë"} {
		if !strings.Contains(fields[name], part) {
			t.Errorf("filled in, the field %s is %q, without %q", name, fields[name], part)
		}
	}
	shown := string(judgedBy(t, "pdftotext", "-layout", filled, "-"))
	if strings.Contains(shown, "Büttner") || strings.Contains(shown, "Germany") || strings.Count(shown, "Zoë") < 4 {
		t.Errorf("the filled form shows %s", shown)
	}
}

const fillScript = `
var doc = new Document(scriptArgs[0]);
for (var i = 0; i < doc.countPages(); i++) {
  var widgets = doc.loadPage(i).getWidgets();
  for (var k = 0; k < widgets.length; k++) {
    var w = widgets[k], kind = w.getFieldType();
    if (kind == "text") w.setTextValue("Zoë");
    if (kind == "checkbox") w.toggle();
    if (kind == "combobox") w.setChoiceValue("fr");
    w.update();
  }
}
doc.save(scriptArgs[1]);
`

// drawn are the pages of a file as poppler draws them.
func drawn(t *testing.T, file string) []byte {
	t.Helper()
	return judgedBy(t, "pdftoppm", "-r", "72", file)
}

// unlike is how many bytes of two drawings are not nearly the same.
func unlike(a, b []byte) (n int) {
	if len(a) != len(b) {
		return max(len(a), len(b))
	}
	for i := range a {
		if d := int(a[i]) - int(b[i]); d < -24 || d > 24 {
			n++
		}
	}
	return n
}
