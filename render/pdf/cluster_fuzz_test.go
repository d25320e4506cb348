package pdf

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"
)

// placedGlyph is a glyph and where it is drawn.
type placedGlyph struct {
	code string
	x, y float64
}

// drawGlyphs follows a content and says where its glyphs are drawn.
func drawGlyphs(content []byte, f *font) (list []placedGlyph) {
	var x, y, ahead, size, spacing float64
	scanContent(content, func(o *operator) {
		var n [6]float64
		switch o.name {
		case "Tf":
			if len(o.args) == 2 {
				size = parseNumber(content[o.args[1].start:o.args[1].end])
			}
		case "Tm":
			if o.numbers(content, n[:]) {
				x, y, ahead = n[4], n[5], 0
			}
		case "Td":
			if o.numbers(content, n[:2]) {
				x, y, ahead = x+n[0], y+n[1], 0
			}
		case "Tc":
			if o.numbers(content, n[:1]) {
				spacing = n[0]
			}
		case "TJ":
			if len(o.args) == 1 {
				ahead -= parseNumber(bytes.Trim(content[o.args[0].start:o.args[0].end], "[]")) * size / 1000
			}
		case "Tj":
			if len(o.args) != 1 {
				return
			}
			code := string(content[o.args[0].start:o.args[0].end])
			list = append(list, placedGlyph{code, x + ahead, y})
			if len(code) == 6 {
				id, _ := strconv.ParseUint(code[1:5], 16, 16)
				ahead += f.width(int(id))*size/1000 + spacing
			}
		}
	})
	slices.SortFunc(list, func(a, b placedGlyph) int {
		if a.code != b.code {
			return bytes.Compare([]byte(a.code), []byte(b.code))
		}
		return slices.Compare([]float64{math.Round(a.x * 100), a.y}, []float64{math.Round(b.x * 100), b.y})
	})
	return list
}

// FuzzClusters puts the glyphs of letters in order: each is drawn where it was.
func FuzzClusters(f *testing.F) {
	for _, seed := range []string{
		"BT\n/ReversedChars BMC\n/Span<</ActualText <feff064a> >> BDC\n/F 10 Tf\n1 0 0 -1 583 137 Tm\n5.4 -6.8 Td <0105> Tj\n-5.4 6.8 Td <0066> Tj\nEMC\n/Span<</ActualText <feff0633> >> BDC\n<0025> Tj\nEMC\n22.1 0 Td <001e> Tj\nEMC\nET",
		"/F 9 Tf /Span<</ActualText <feff0642> >> BDC\n14 -1 Td <0105> Tj\n<0034> Tj\n<0124> Tj\nEMC 3 0 Td <0105> Tj",
		"/F 9 Tf /Span<</ActualText <feff0642> >> BDC\n<0105> Tj <0105> Tj <0034> Tj EMC Tj (a) Tj",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		// Other operators than these move text too; what is written with them is left alone.
		for _, other := range []string{"Tc", "TJ", "'", "\"", "T*", "TL", "TD", "Tz", "Tw", "[", "Do", "BI", "%"} {
			if bytes.Contains(content, []byte(other)) {
				return
			}
		}
		face := &font{wide: true, usual: 600, widths: map[int]float64{0x105: 0, 0x124: 0}}
		c := &canvas{content: content, fonts: map[name]*font{"F": face}}
		before := drawGlyphs(content, face)
		after := drawGlyphs((&tagger{p: &part{f: &file{}}, fonts: map[int]*font{}}).clusters(c), face)
		if len(before) != len(after) {
			t.Fatalf("%d glyphs became %d", len(before), len(after))
		}
		for i := range before {
			a, b := before[i], after[i]
			if math.Abs(a.x) > 1e6 || math.Abs(a.y) > 1e6 {
				return
			}
			if a.code != b.code || math.Abs(a.x-b.x) > 0.01 || math.Abs(a.y-b.y) > 0.01 {
				t.Fatalf("%v became %v in\n%s", a, b, content)
			}
		}
	})
}
