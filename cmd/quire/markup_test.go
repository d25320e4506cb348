package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

const formula = `<p>Share: <math><mfrac><mn>4711</mn><mn>8012</mn></mfrac><mo>=</mo><msup><mi>x</mi><mn>77</mn></msup></math></p>`

var boxOfWord = regexp.MustCompile(`yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(\d+)</word>`)

// TestFormulasArePrinted: finding model A10, where MathML left the text of its tags.
// A fraction has one number above the other, and an exponent stands above its line.
func TestFormulasArePrinted(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	service := serviceWith(t, one(t, `{"version":1,"name":"T","pages":[{"id":1,"elements":[{"type":"html","props":{"html":"`+formula+`"}}]}]}`), nil)
	content, warnings := finished(t, service, export.Request{Report: "one"})
	if len(warnings) > 0 {
		t.Errorf("warned of %s", allOf(warnings))
	}
	top, bottom := map[string]float64{}, map[string]float64{}
	for _, m := range boxOfWord.FindAllStringSubmatch(output(t, "pdftotext", "-bbox", keepFile(t, content), "-"), -1) {
		top[m[3]], _ = strconv.ParseFloat(m[1], 64)
		bottom[m[3]], _ = strconv.ParseFloat(m[2], 64)
	}
	if top["4711"] == 0 || top["77"] == 0 || top["8012"] < bottom["4711"]-4 || bottom["77"] > top["8012"] {
		t.Errorf("tops %v, bottoms %v", top, bottom)
	}
	content, warnings = finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Accessible: true}})
	if !bytes.Contains(inflated(t, content), []byte("pdfuaid:part")) {
		t.Errorf("it does not say that it conforms: %s", allOf(warnings))
	}
	file := filepath.Join(t.TempDir(), "formula.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	judge(t, []string{"ua1=" + file}, new(tally))
}

// TestRowsOfUnequalLengthConform: the rows of an author's HTML may be of any length,
// and those of the structure are of one (finding pages A1).
func TestRowsOfUnequalLengthConform(t *testing.T) {
	ofDocuments(t)
	var files []string
	for name, table := range map[string]string{
		"short":    `<tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td></tr><tr><td>2</td><td>3</td></tr>`,
		"long":     `<tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr>`,
		"reaching": `<tr><th>A</th><th>B</th></tr><tr><td rowspan='4'>1</td><td colspan='3'>2</td></tr><tr><td>3</td></tr>`,
		"crossing": `<tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td rowspan='2'>2</td><td>3</td></tr><tr><td colspan='2'>4</td><td>5</td></tr>`,
		"none":     `<tr></tr><tr><td>1</td></tr>`,
	} {
		content, warnings := accessible(t, `{"version":1,"name":"T","pages":[{"id":1,"elements":[{"type":"html","props":{"html":"<table>`+table+`</table>"}}]}]}`)
		if !bytes.Contains(inflated(t, content), []byte("pdfuaid:part")) {
			t.Logf("%s: %s", name, allOf(warnings))
			if len(warnings) == 0 {
				t.Errorf("%s does not say that it conforms, nor why not", name)
			}
			continue
		}
		file := filepath.Join(t.TempDir(), name+".pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, "ua1="+file)
	}
	judge(t, files, new(tally))
}

// TestDrawingsStandInCells: finding model A10, where the cells were empty.
func TestDrawingsStandInCells(t *testing.T) {
	ofDocuments(t)
	service := serviceWith(t, one(t, `{"version":1,"name":"T","dataSources":[{"name":"v","type":"json","settings":{"content":[{"a":5},{"a":30}]}}],
	 "pages":[{"id":1,"elements":[{"type":"data-table","props":{"source":"$data.v","columns":[{"field":"a"},
	  {"title":"B","renderer":"function","function":"(value, record) => '<svg width=40 height=10><rect width=' + record.a + ' height=10 /></svg>'"},
	  {"title":"C","renderer":"html","html":"<svg width='40' height='10'><rect width='{$record.a}' height='10'/></svg>"}]}}]}]}`), nil)
	content, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: report.ExportOptions{Format: "html"}})
	for _, want := range []string{`<rect width="5" height="10">`, `<rect width="30" height="10">`} {
		if n := bytes.Count(content, []byte(want)); n != 2 {
			t.Errorf("%s stands there %d times", want, n)
		}
	}
	if len(warnings) > 0 {
		t.Errorf("warned of %s", allOf(warnings))
	}
}

// TestLettersOfPicturesAreMissedToo: no font of a machine has a letter of a drawing
// (findings model A1 and B2).
func TestLettersOfPicturesAreMissedToo(t *testing.T) {
	ofDocuments(t)
	for told, element := range map[string]string{
		`img "logo": no font has U+10ABCD (private use) of the picture in the data: address; boxes are drawn`: `{"type":"img","name":"logo","props":{"altText":"Logo","width":"90px","imageUrl":"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='30'%3E%3Ctext y='20'%3E` + boxed + `%3C/text%3E%3C/svg%3E"}}`,
		`html "inner": no font has U+EABC (private use); boxes stand in their place on page 1`:                `{"type":"html","name":"inner","props":{"html":"<svg width='90' height='30' aria-label='Logo'><text y='20'>` + boxedToo + `</text></svg>"}}`,
	} {
		service := serviceWith(t, one(t, `{"version":1,"name":"T","pages":[{"id":1,"elements":[{"type":"text","props":{"text":"plain"}},`+element+`]}]}`), nil)
		for _, ask := range []report.ExportOptions{{}, {Accessible: true}, {Conformance: "pdf/a-2b"}} {
			content, warnings := finished(t, service, export.Request{Report: "one", ExportOptions: ask})
			if !strings.Contains(allOf(warnings), told) {
				t.Errorf("%+v: nothing says %q: %s", ask, told, allOf(warnings))
			}
			if plain := inflated(t, content); bytes.Contains(plain, []byte("pdfuaid:part")) || bytes.Contains(plain, []byte("pdfaid:part")) {
				t.Errorf("%+v: it says that it conforms", ask)
			}
		}
	}
}
