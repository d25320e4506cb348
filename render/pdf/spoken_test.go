package pdf

import (
	"slices"
	"testing"
)

// line is what the browser shows: fragments in one direction each, from left to
// right.
func line(words ...string) []glyphs {
	var list []glyphs
	for i, w := range words {
		at := float64(i * 50)
		g := glyphs{x: at, origin: [2]float64{at, 700}, size: 12}
		for _, r := range w {
			g.pieces = append(g.pieces, string(r))
		}
		if directionOf(w) == rightToLeft && len(g.pieces) > 1 {
			slices.Reverse(g.pieces)
			g.reversed = true
		}
		list = append(list, g)
	}
	return list
}

func TestWordsAreSaidInTheOrderOfSpeech(t *testing.T) {
	for name, tt := range map[string]struct {
		shown []glyphs
		base  direction
		want  string
	}{
		"Arabic":                     {line("مدرسي", " ", "تقرير"), rightToLeft, "تقرير مدرسي"},
		"a number in Arabic":         {line("أيام", " ", "30", " ", "خلال"), rightToLeft, "خلال 30 أيام"},
		"an English name in Hebrew":  {line("לקוח", " ", "Harbour Street", " ", "שלום"), rightToLeft, "שלום Harbour Street לקוח"},
		"English words keep order":   {line("كتاب", " ", "Annual Report"), rightToLeft, "Annual Report كتاب"},
		"words in bold":              {line("كتاب", " ", "Annual", " Report"), rightToLeft, "Annual Report كتاب"},
		"Hebrew in English":          {line("Dear ", "כהן", " ", "דוד", ", welcome"), leftToRight, "Dear דוד כהן, welcome"},
		"Hebrew, number in English":  {line("See ", "תקנות", " ", "12", " ", "סעיף", " today"), leftToRight, "See סעיף 12 תקנות today"},
		"numbers follow one another": {line("2026", " ", "1250", " ", "דוח"), rightToLeft, "דוח 1250 2026"},
		"a number before a name":     {line("Lindau", " ", "2026", " ", "דוח"), rightToLeft, "דוח 2026 Lindau"},
		"a number after a name":      {line("דוח", " ", "Lindau 2026", " ", "של"), rightToLeft, "של Lindau 2026 דוח"},
		"two fonts in a fragment":    {[]glyphs{{x: 90, origin: [2]float64{50, 700}, size: 12, pieces: []string{"ב", "א"}, reversed: true}, {x: 80, origin: [2]float64{50, 700}, size: 12, pieces: []string{" "}}, {x: 50, origin: [2]float64{50, 700}, size: 12, pieces: []string{"ד", "ג"}, reversed: true}}, leftToRight, "אב גד"},
		"two Hebrew words apart":     {line("דוד", " and ", "רות"), leftToRight, "דוד and רות"},
		"one letter":                 {line("و"), rightToLeft, "و"},
		"dates with invisible marks": {line("2026", "\u200f/", "8"), rightToLeft, "8\u200f/2026"},
		"nothing from right to left": {line("Total", " ", "12"), leftToRight, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := spoken([]*mark{{shown: tt.shown}}, tt.base); got != tt.want {
				t.Errorf("said is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBrokenLinesAreSaidOneAfterTheOther(t *testing.T) {
	first, second := line("أكثر", " ", "تتدرب"), line("الفيزياء")
	for i := range second {
		second[i].origin[1] = 680
	}
	if got, want := spoken([]*mark{{shown: first}, {shown: second}}, rightToLeft), "تتدرب أكثر الفيزياء"; got != want {
		t.Errorf("said is %q, want %q", got, want)
	}
}

func TestScriptsFromRightToLeft(t *testing.T) {
	for lang, want := range map[string]bool{"ar": true, "ar-AE": true, "he": true, "iw-IL": true, "fa": true, "ur-PK": true, "yi": true, "uz-Arab": true, "de": false, "uz": false, "ja": false, "": false, "x-y-z-": false} {
		if got := isRightToLeft(lang); got != want {
			t.Errorf("%s is from right to left: %t", lang, got)
		}
	}
}

// pdfName is the type of names where a variable is called so.
type pdfName = name

func TestDotsOfALetterFollowItsBase(t *testing.T) {
	const before = "BT\n/ReversedChars BMC\n"
	for name, tt := range map[string]struct{ in, want string }{
		"dots first": {
			"/Span<</ActualText <feff0642> >> BDC\n14.6642609 -1.40783691 Td <0105> Tj\n-3.0503235 1.40783691 Td <0034> Tj\nEMC\n14 0 Td <001f> Tj",
			"/Span<</ActualText <feff0642> >> BDC\n11.61393740 0.00000000 Td <0034> Tj\n3.05032350 -1.40783691 Td 2.94967650 Tc <0105> Tj 0 Tc\n-3.05032350 1.40783691 Td [-600.00000000] TJ EMC\n14 0 Td <001f> Tj",
		},
		"font and place inside": {
			"/Span<</ActualText <feff064a> >> BDC\n/F6 10 Tf\n1 0 0 -1 583 137 Tm\n5 -6 Td <0105> Tj\n-5 6 Td <0034> Tj\nEMC",
			"/Span<</ActualText <feff064a> >> BDC\n/F6 10 Tf\n1 0 0 -1 583 137 Tm\n<0034> Tj\n5.00000000 -6.00000000 Td 1.00000000 Tc <0105> Tj 0 Tc\n-5.00000000 6.00000000 Td [-600.00000000] TJ EMC",
		},
		"the next glyph goes on": {
			"/Span<</ActualText <feff064a> >> BDC\n5 -6 Td <0105> Tj\n-5 6 Td <0034> Tj\nEMC\n/Span<</ActualText <feff0633> >> BDC\n<0025> Tj\nEMC",
			"/Span<</ActualText <feff064a> >> BDC\n<0034> Tj\n5.00000000 -6.00000000 Td 1.00000000 Tc <0105> Tj 0 Tc\n-5.00000000 6.00000000 Td [-600.00000000] TJ EMC\n/Span<</ActualText <feff0633> >> BDC\n<0025> Tj\nEMC",
		},
		"glyphs of a letter go on": {
			"/Span<</ActualText <feff064a> >> BDC\n5 -6 Td <0105> Tj\n-5 6 Td <0034> Tj\n<0035> Tj\nEMC",
			"/Span<</ActualText <feff064a> >> BDC\n<0034> Tj\n6.00000000 0.00000000 Td <0035> Tj\n-1.00000000 -6.00000000 Td 7.00000000 Tc <0105> Tj 0 Tc\n-5.00000000 6.00000000 Td [-1200.00000000] TJ EMC",
		},
		"no dots":         {"/Span<</ActualText <feff0644> >> BDC\n12 0 Td <0048> Tj\n3 0 Td <0008> Tj\nEMC", ""},
		"only dots":       {"/Span<</ActualText <feff064e064e> >> BDC\n12 0 Td <0105> Tj\n3 0 Td <0105> Tj\nEMC", ""},
		"another font":    {"/Span<</ActualText <feff0644> >> BDC\n12 0 Td <0105> Tj\n/F7 9 Tf 3 0 Td <0034> Tj\nEMC", ""},
		"a shape inside":  {"/Span<</ActualText <feff0644> >> BDC\n12 0 Td <0105> Tj\n0 0 9 9 re f 3 0 Td <0034> Tj\nEMC", ""},
		"codes of a byte": {"/Span<</ActualText <feff0644> >> BDC\n12 0 Td <05> Tj\n3 0 Td <34> Tj\nEMC", ""},
		"spelt otherwise": {"/Span<</ActualText <feff0644> >> BDC\n12 0 Td (\\005) Tj\n3 0 Td (4) Tj\nEMC", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &font{wide: true, usual: 600, widths: map[int]float64{0x105: 0}}
			in := before + "/F6 10 Tf\n" + tt.in + "\nEMC\nET"
			want := before + "/F6 10 Tf\n" + tt.want + "\nEMC\nET"
			if tt.want == "" {
				want = in
			}
			c := &canvas{content: []byte(in), fonts: map[pdfName]*font{"F6": f, "F7": f}}
			if got := string((&tagger{}).clusters(c)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
