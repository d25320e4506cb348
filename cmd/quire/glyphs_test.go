package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// serviceWith is an export service of its own, with a workspace of reports and
// files, on the machine's browser.
func serviceWith(t testing.TB, ws *report.Workspace, settings map[string]string) *export.Service {
	t.Helper()
	values := map[string]string{"Log.Level": "error"}
	for name, value := range settings {
		values[name] = value
	}
	s, err := loadSettings("", nil, values)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(t.Context(), s, slog.New(slog.DiscardHandler), data.Config{Inline: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.stop)
	e.config.Definitions, e.config.Zone = export.Bundle{Workspace: ws}, time.UTC
	e.config.Clock = func() time.Time { return checkedAt }
	return export.New(e.config)
}

// one is a workspace with one report.
func one(t testing.TB, definition string) *report.Workspace {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "reports"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"workspace.json": `{"version":1,"name":"One","code":"one"}`, "reports/one.json": definition} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return bundleIn(t, dir)
}

// Characters for private use, which no font of any machine has.
const boxed, boxedToo = "\U0010ABCD", "\uEABC"

// Findings model A1 and pages A2: squares were printed instead of letters
// without a word, and the file said that it conforms.
func TestTextWithoutGlyphsIsSaidAndNothingIsClaimed(t *testing.T) {
	ofDocuments(t)
	ws := one(t, fmt.Sprintf(`{"version":1,"name":"T","dataSources":[{"name":"r","type":"javascript","settings":{"function":
	  "() => [...Array(200).keys()].map(i => ({a: i, b: i == 150 ? 'row %s' : 'row'}))"}}],
	 "pages":[{"id":1,"elements":[
	  {"type":"text","props":{"text":"all of it is there: é € – ‰ → ✓ שלום مرحبا"}},
	  {"type":"data-table","name":"Rows","props":{"source":"$data.r","breakAcrossPages":true,"columns":[{"field":"a","title":"A"},{"field":"b","title":"B"}]}},
	  {"type":"paragraph","props":{"text":"end %s"}}]}]}`, boxed, boxedToo))
	service := serviceWith(t, ws, nil)
	content, warnings := finished(t, service, export.Request{Report: "one"})
	told := allOf(warnings)
	for _, want := range []string{
		`pages[0].elements[1]: data-table "Rows": no font has U+10ABCD (private use); boxes stand in their place on page 5`,
		`pages[0].elements[2]: paragraph: no font has U+EABC (private use); boxes stand in their place on page 6`,
	} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not say %q but: %s", want, told)
		}
	}
	if len(warnings) != 2 {
		t.Errorf("%d warnings: %v", len(warnings), warnings)
	}
	if len(content) == 0 {
		t.Error("there is no file")
	}
	for _, ask := range []report.ExportOptions{{Accessible: true}, {Conformance: "pdf/a-2b"}, {Conformance: "pdf/a-3b"}, {Conformance: "pdf/a-2a"}} {
		content, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: ask})
		plain := inflated(t, content)
		if bytes.Contains(plain, []byte("pdfuaid:part")) || bytes.Contains(plain, []byte("pdfaid:part")) {
			t.Errorf("%+v: it says that it conforms", ask)
		}
		if said := allOf(warnings); !strings.Contains(said, "some of its text has no glyphs") || !strings.Contains(said, "U+10ABCD") {
			t.Errorf("%+v: it does not say why: %s", ask, said)
		}
	}
	_, warnings = finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: "html"}})
	if said := allOf(warnings); len(warnings) != 2 || !strings.Contains(said, `pages[0].elements[1]: data-table "Rows": no font has U+10ABCD`) {
		t.Errorf("the HTML file does not say it: %s", said)
	}
}

// allOf is the text of all problems.
func allOf(list report.Problems) string {
	var lines []string
	for _, p := range list {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// Finding model B2: a font that nobody has was replaced without a word.
func TestAFontThatNobodyHasIsNamed(t *testing.T) {
	ofDocuments(t)
	ws := one(t, `{"version":1,"name":"T","theme":"t","include":{"themes":[{"name":"T","code":"t","page":{"fontFamily":"Quuxtall Serif"},"text":{"h2":{"fontFamily":"Source Serif 4"}},"customCss":".x{font-family:\"Plumpf\",\"Zrrk\"}"}]},
	 "pages":[{"id":1,"elements":[
	  {"type":"text","props":{"text":"abc","fontFamily":"Intr"}},
	  {"type":"text","props":{"text":"abc","fontFamily":"Inter"}},
	  {"type":"text","props":{"text":"abc","fontFamily":"Grozzle, JetBrains Mono"}},
	  {"type":"text","props":{"text":"abc","style":"font-family:Blorb"}},
	  {"type":"text","props":{"text":"abc","style":"font-family:Blorb, sans-serif"}}]}]}`)
	service := serviceWith(t, ws, nil)
	for _, format := range []string{"pdf", "html"} {
		_, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: format}})
		told := allOf(warnings)
		for _, want := range []string{
			`pages[0].elements[0]: text: there is no font "Intr", another is used; did you mean "Inter"?`,
			`pages[0].elements[3]: text: there is no font "Blorb"`,
			`theme: page: there is no font "Quuxtall Serif"`,
			`theme: there is no font "Plumpf"`,
		} {
			if !strings.Contains(told, want) {
				t.Errorf("%s: it does not say %s", format, want)
			}
		}
		if len(warnings) != 4 {
			t.Errorf("%s: %d warnings:\n%s", format, len(warnings), told)
		}
	}
}

// Finding pages B9: an HTML file carried 500 KB of fonts that it does not use.
func TestAnHTMLFileCarriesOnlyFontsThatItUses(t *testing.T) {
	ofDocuments(t)
	for text, want := range map[string]struct{ symbols, greek, italics bool }{
		"plain – text": {}, "checked ✓": {symbols: true}, "Ωμέγα": {greek: true}, "<em>slanted</em>": {italics: true}, "<p style='font-style:italic'>slanted</p>": {italics: true},
	} {
		service := serviceWith(t, one(t, `{"version":1,"name":"T","pages":[{"id":1,"elements":[{"type":"html","props":{"html":"`+text+`"}}]}]}`), nil)
		content, _ := finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: "html"}})
		if has := bytes.Contains(content, []byte(`@font-face{font-family:"Noto Sans Symbols 2"`)); has != want.symbols {
			t.Errorf("%q brings the font of signs: %t", text, has)
		}
		if has := bytes.Contains(content, []byte("unicode-range:U+0370")); has != want.greek {
			t.Errorf("%q brings Greek letters: %t", text, has)
		}
		if has := bytes.Contains(content, []byte("font-style:italic;font-display")); has != want.italics {
			t.Errorf("%q brings italics: %t", text, has)
		}
		if size := len(content) >> 10; !want.symbols && size > 100 {
			t.Errorf("%q is %d KB", text, size)
		}
	}
}

// An invoice as a file for people to read is small: most of it is what makes its pages.
func TestAnInvoiceAsHTMLIsSmall(t *testing.T) {
	ofDocuments(t)
	content, _ := finished(t, serviceWith(t, bundleIn(t, "../../assets/demo"), nil), export.Request{Report: "invoice", ExportOptions: report.ExportOptions{Format: "html"}})
	const most = 120_000
	t.Logf("%d bytes", len(content))
	if len(content) > most {
		t.Errorf("it has %d bytes; accepted: at most %d", len(content), most)
	}
}
