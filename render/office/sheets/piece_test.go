package sheets

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
)

const codes = `<body><section class="q-sheet" data-name="P" data-width="595pt" data-height="842pt" data-margin="50pt 47.5pt 50pt 47.5pt"><div class="q-body">
<p data-id="t">Scan this:</p><div class="q-el q-qr-code" data-id="qr" style="width:108px" role="img" aria-label="A code"><span><svg viewBox="0 0 37 37" aria-hidden="true"><path d="M0 0h7"/></svg></span></div>
<figure class="q-el q-chart" data-id="c" aria-label="Lanes"><svg class="q-c" viewBox="0 0 320 170"><svg x="1"></svg></svg></figure><div data-id="i"><img src="a.webp" alt="A plan"></div><p>The end</p></div></section></body>`

// TestPieces: what only a browser draws stands where it stood, with the element around
// it that gives it its size; what is not drawn is told of.
func TestPieces(t *testing.T) {
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	c := config()
	var asked []string
	c.Draw = func(pieces []string) ([]Drawing, error) {
		asked = pieces
		return []Drawing{{PNG: dot.Bytes(), Width: 108, Height: 108}, {PNG: dot.Bytes(), Width: 1400, Height: 700}, {}}, nil
	}
	content, warnings := made(t, codes, c)
	want := []string{
		`<div style="width:500.00pt"><div class="q-el q-qr-code" data-id="qr" style="width:108px" role="img" aria-label="A code"><span><svg data-drawn viewBox="0 0 37 37" aria-hidden="true"><path d="M0 0h7"/></svg></span></div></div>`,
		`<div style="width:240.00pt"><figure class="q-el q-chart" data-id="c" aria-label="Lanes"><svg data-drawn class="q-c" viewBox="0 0 320 170"><svg x="1"></svg></svg></figure></div>`,
		`<div><img data-drawn src="a.webp" alt="A plan"></div>`,
	}
	if got := strings.Join(asked, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("asked for\n%s", got)
	}
	if len(warnings) != 1 || warnings[0].ID != "i" {
		t.Errorf("warnings: %v", warnings)
	}
	drawing := xlsxtest.Open(t, content).Part("xl/drawings/drawing1.xml")
	for _, want := range []string{`descr="A code"`, `descr="Lanes"`, `<xdr:ext cx="1028700" cy="1028700"/>`, `<xdr:ext cx="6667500" cy="3333750"/>`} {
		if !strings.Contains(drawing, want) {
			t.Errorf("the drawing lacks %s: %s", want, drawing)
		}
	}
	many := strings.Repeat(`<div data-id="n"><svg width="9" height="9"></svg></div>`, mostPieces+1)
	c.Draw = func(pieces []string) ([]Drawing, error) { return make([]Drawing, len(pieces)), nil }
	if _, warnings := made(t, `<section class="q-sheet"><div class="q-body">`+many+`</div></section>`, c); len(warnings) != 2 || !strings.Contains(warnings[1].Message, "at most 500") {
		t.Errorf("of %d drawings: %v", mostPieces+1, warnings)
	}
	fault := errors.New("no browser")
	c.Draw = func([]string) ([]Drawing, error) { return nil, fault }
	if _, err := Write(&bytes.Buffer{}, []byte(codes), c); !errors.Is(err, fault) {
		t.Errorf("without a browser: %v", err)
	}
}
