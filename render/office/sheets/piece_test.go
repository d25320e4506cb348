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

const pictured = `<body><section class="q-sheet" data-name="P"><div class="q-body"><table data-id="t"><thead><tr><th>Ware</th><th>Picture</th><th>Code</th></tr></thead><tbody>
<tr><td>Table</td><td><figure style="width:60px"><img src="/photo.png" alt="A table"></figure></td><td><div class="q-qr-code" style="width:40px;height:40px" aria-label="A code"><span><svg viewBox="0 0 9 9"><g></g></svg></span></div></td></tr>
<tr><td>Chair</td><td>Oak<br><img src="/photo.png" alt="A chair"><img src="/photo.png" alt="Its back"></td><td><figure class="q-chart"><svg class="q-c"></svg><div class="q-chart-data"><table><tr><td>hidden</td></tr></table></div></figure></td></tr>
<tr><td>Lamp</td><td><img src="/lost.webp" alt="A lamp"></td><td>none</td></tr></tbody></table></div></section></body>`

// TestPicturesInCells: they stand over their cells, below the text, in rows that are high
// and columns that are wide enough; a picture of many rows is in the file once.
func TestPicturesInCells(t *testing.T) {
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 120, 80))); err != nil {
		t.Fatal(err)
	}
	c := config()
	c.Picture = func(address string) ([]byte, string, bool) {
		return photo.Bytes(), "image/png", address == "/photo.png"
	}
	c.Draw = func(pieces []string) ([]Drawing, error) {
		want := []string{
			`<div><div class="q-qr-code" style="width:40px;height:40px" aria-label="A code"><span><svg data-drawn viewBox="0 0 9 9"><g></g></svg></span></div></div>`,
			`<div><figure class="q-chart"><svg data-drawn class="q-c"></svg></figure></div>`, `<div><img data-drawn src="/lost.webp" alt="A lamp"></div>`,
		}
		if strings.Join(pieces, "\n") != strings.Join(want, "\n") {
			t.Errorf("asked for\n%s", strings.Join(pieces, "\n"))
		}
		return []Drawing{{PNG: photo.Bytes(), Width: 40, Height: 40}, {PNG: []byte("\x89PNG chart"), Width: 800, Height: 400}, {}}, nil
	}
	content, warnings := made(t, pictured, c)
	if len(warnings) != 1 || warnings[0].ID != "t" || !strings.Contains(warnings[0].Message, "cannot be shown") {
		t.Errorf("warnings: %v", warnings)
	}
	book := xlsxtest.Open(t, content)
	drawing := book.Part("xl/drawings/drawing1.xml")
	for _, want := range []string{
		`<xdr:col>1</xdr:col><xdr:colOff>19050</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>19050</xdr:rowOff></xdr:from><xdr:ext cx="571500" cy="381000"/>`, // 60 of 120 pixels
		`descr="A chair"`, `descr="Its back"`, `descr="A code"`,
		`<xdr:row>2</xdr:row><xdr:rowOff>190500</xdr:rowOff></xdr:from><xdr:ext cx="1143000" cy="762000"/>`, // below a line of text
		`<xdr:row>2</xdr:row><xdr:rowOff>971550</xdr:rowOff></xdr:from><xdr:ext cx="1143000" cy="762000"/>`, // below the other
		`<xdr:ext cx="3048000" cy="1524000"/>`, // a chart, small enough for a cell
	} {
		if !strings.Contains(drawing, want) {
			t.Errorf("the drawing lacks %s: %s", want, drawing)
		}
	}
	if relations := book.Part("xl/drawings/_rels/drawing1.xml.rels"); strings.Count(relations, "<Relationship ") != 2 {
		t.Errorf("pictures: %s", relations)
	}
	if sheet := book.Part("xl/worksheets/sheet1.xml"); !strings.Contains(sheet, `ht="33"`) || strings.Contains(sheet, "hidden</t>") {
		t.Errorf("rows: %s", sheet)
	}
	many := strings.Repeat(`<tr><td><img src="/photo.png"></td></tr>`, mostCellPictures+5)
	c.Draw = nil
	if _, warnings := made(t, `<section class="q-sheet"><div class="q-body"><table data-id="m"><tbody>`+many+`</tbody></table></div></section>`, c); len(warnings) != 1 || !strings.Contains(warnings[0].Message, "at most 2000 pictures") {
		t.Errorf("of %d pictures: %v", mostCellPictures+5, warnings)
	}
}
