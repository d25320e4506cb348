package htmlgen

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen/formula"
	"github.com/quire-reports/quire/report"
)

var testTeX = formula.New(func() string {
	f, err := os.Open(filepath.Join("..", "assets", "third_party", "temml", "temml.min.js.gz"))
	if err != nil {
		panic(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	source, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(source)
})

// TestOnlyFormulasHaveTheFontForThem: it is large.
func TestOnlyFormulasHaveTheFontForThem(t *testing.T) {
	faces := []FontFace{{Family: "Inter", Weight: "400", Style: "normal", File: "inter"}, {Family: mathFamily, Weight: "400", Style: "normal", File: "math"}}
	for name, want := range map[string]struct {
		element report.Element
		font    bool
	}{
		"TeX":       {element("math", "tex", "x"), true},
		"MathML":    {element("math", "mathml", "<mi>x</mi>"), true},
		"in HTML":   {element("html", "html", "<p>a <math><mi>x</mi></math></p>"), true},
		"TeX in it": {element("html", "html", `<p>a <math tex="x"></math></p>`), true},
		"none":      {element("text", "text", "x < y and <math"), false},
		"no TeX":    {element("math", "tex", `\foo`), false},
	} {
		in := testInput(t, []report.Element{want.element})
		in.Fonts = faces
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(doc.HTML), "/font/math"); has != want.font {
			t.Errorf("%s: the font is there: %v", name, has)
		}
	}
}

// TestValuesInFormulasAreNumbersOrWords, whatever stands in the data.
func TestValuesInFormulasAreNumbersOrWords(t *testing.T) {
	for value, want := range map[string]string{
		"12":             "<mn>12</mn>",
		"-1,234.5":       "<mn>1,234.5</mn>",
		"1.234,5 %":      "<mtext>1.234,5 %</mtext>",
		"97.5%":          "<mn>97.5</mn><mi>%</mi>",
		`}\color{red}{x`: `<mtext>}\color{red}{x</mtext>`,
		"<b>&amp;</b>":   "<mtext>&lt;b&gt;&amp;amp;&lt;/b&gt;</mtext>",
		"steel & iron_2": "<mtext>steel &amp; iron_2</mtext>",
		"$x^2$":          "<mtext>$x^2$</mtext>",
	} {
		in := testInput(t, []report.Element{element("math", "tex", `m = \frac{$params.value}{2}`)})
		in.Params = report.ObjectOf("value", value)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.ReplaceAll(string(doc.HTML), "\u00a0", " "), want) || len(doc.Warnings) > 0 {
			_, got, _ := strings.Cut(string(doc.HTML), "<math")
			t.Errorf("%s: %s %v", value, got[:min(len(got), 400)], doc.Warnings)
		}
	}
}

// TestSmallFontsHaveWhatBrowsersDrawOfFormulas: slanted letters, signs of roots, and
// minus signs for hyphens.
func TestSmallFontsHaveWhatBrowsersDrawOfFormulas(t *testing.T) {
	s := shownIn(&styles{}, []byte(`<math><msqrt><mi>x</mi></msqrt><mo>-</mo><mi>sin</mi><mi>β</mi></math>`))
	face := &FontFace{Family: mathFamily, Weight: "400", Style: "normal"}
	got := s.in(face, func(rune) bool { return true }, []FontFace{*face})
	for _, r := range "√𝑥−𝛽sin" {
		if !slices.Contains(got.Chars, r) {
			t.Errorf("%c is not among %q", r, string(got.Chars))
		}
	}
	if !got.Variants {
		t.Error("its forms of glyphs are left out")
	}
}

// TestWorkbooksHaveFormulasAsText, also those in HTML.
func TestWorkbooksHaveFormulasAsText(t *testing.T) {
	in := testInput(t, []report.Element{
		element("math", "tex", `\frac{a+b}{2} < x_i`), element("math", "mathml", "<msup><mi>x</mi><mn>2</mn></msup>"),
		element("html", "html", `<p>It is <math tex="\sqrt{{y}}"></math> or <math><mi>z</mi></math>.</p>`),
	})
	in.Typed = true
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">(a + b)/2 &lt; x_i<", ">x^2<", "It is √y or z."} {
		if !strings.Contains(string(doc.HTML), want) || strings.Contains(string(doc.HTML), "<math") {
			t.Errorf("%s is missing in %s", want, doc.HTML[bytes.Index(doc.HTML, []byte("<body")):])
		}
	}
}
