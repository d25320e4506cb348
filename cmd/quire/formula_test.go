package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFormulasConform: each is a formula of the structure, with its text, and veraPDF
// finds nothing.
func TestFormulasConform(t *testing.T) {
	ofDocuments(t)
	content, warnings := accessible(t, `{"version":1,"name":"T","language":"en","pages":[{"id":1,"elements":[
		{"type":"math","props":{"tex":"u_c = \\sqrt{\\sum_{i=1}^{N} \\left(\\frac{\\partial f}{\\partial x_i}\\right)^2 u^2(x_i)}","number":"({$equation.number})"}},
		{"type":"math","props":{"tex":"\\hat{x} = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\underbrace{y}_{n} f'(x) \\widehat{ABC} \\cancel{z}"}},
		{"type":"math","props":{"mathml":"<mfrac><mi>a</mi><mn>2</mn></mfrac>","altText":"Half of a"}},
		{"type":"html","props":{"html":"<p>Where <math tex=\"\\frac{{a}}{{b}}\"></math> stands.</p>"}}
	]}]}`)
	if len(warnings) > 0 {
		t.Errorf("warned of %s", allOf(warnings))
	}
	plain := inflated(t, content)
	if !bytes.Contains(plain, []byte("pdfuaid:part")) {
		t.Error("it does not say that it conforms")
	}
	if n := bytes.Count(plain, []byte("/S/Formula")) + bytes.Count(plain, []byte("/S /Formula")); n != 4 {
		t.Errorf("%d formulas are in the structure", n)
	}
	if !bytes.Contains(plain, []byte("Half of a")) {
		t.Error("the alternative text is missing")
	}
	file := filepath.Join(t.TempDir(), "formulas.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	judge(t, []string{"ua1=" + file}, new(tally))
}
