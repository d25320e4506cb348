package pdf

import (
	"strings"
	"testing"
)

// TestRewriteMarksEverything looks at what becomes of the marks of a page: 0 is
// a paragraph, 1 the same one further on, 2 a picture, 3 a running header.
func TestRewriteMarksEverything(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a box without a mark", "0 0 5 5 re\nf", "/Artifact BMC\n0 0 5 5 re\nf\nEMC"},
		{"a clip is no mark", "q\n0 0 5 5 re\nW* n\nQ", "q\n0 0 5 5 re\nW* n\nQ"},
		{
			"text, then a line below it", "/NonStruct <</MCID 0>>BDC\nBT\n(a) Tj\nET\nEMC\n0 0 m\n5 0 l\nS",
			"/P<</MCID 0>>BDC\nBT\n(a) Tj\nET\nEMC\n/Artifact BMC\n0 0 m\n5 0 l\nS\nEMC",
		},
		{
			"two marks of one element become one", "/NonStruct <</MCID 0>>BDC\nBT\n(a) Tj\nET\nEMC\n/NonStruct <</MCID 1>>BDC\nBT\n(b) Tj\nET\nEMC",
			"/P<</MCID 0>>BDC\nBT\n(a) Tj\nET\nBT\n(b) Tj\nET\nEMC",
		},
		{
			"but not with something between them", "/NonStruct <</MCID 0>>BDC\nBT\n(a) Tj\nET\nEMC\nBI /W 1 /H 1 ID xEI EI\n/NonStruct <</MCID 1>>BDC\nBT\n(b) Tj\nET\nEMC",
			"/P<</MCID 0>>BDC\nBT\n(a) Tj\nET\nEMC\n/Artifact BMC\nBI /W 1 /H 1 ID xEI EI\nEMC\n/P<</MCID 1>>BDC\nBT\n(b) Tj\nET\nEMC",
		},
		{"a picture", "/Figure <</MCID 2>>BDC\n/X1 Do\nEMC", "/Figure<</MCID 0>>BDC\n/X1 Do\nEMC"},
		{
			"a running header", "/NonStruct <</MCID 3>>BDC\nBT\n[(a) 3 (b)] TJ\nET\nEMC",
			"/Artifact <</Type/Pagination/Subtype/Header>>BDC\nBT\n[(a) 3 (b)] TJ\nET\nEMC",
		},
		{
			"a glyph with a text of its own", "/NonStruct <</MCID 0>>BDC\nBT\n(a) Tj\n/Span<</ActualText <feff2019> >> BDC\n(b) Tj\nEMC\n(c) Tj\nET\nEMC",
			"BT\n/P<</MCID 0>>BDC\n(a) Tj\nEMC\n/Span<</MCID 1/ActualText <feff2019> >>BDC\n(b) Tj\nEMC\n/P<</MCID 2>>BDC\n(c) Tj\nEMC\nET",
		},
		{"marks that do not end", "/NonStruct <</MCID 0>>BDC\nBT\n(a) Tj", "/P<</MCID 0>>BDC\nBT\n(a) Tj\nEMC"},
		{"ends without marks", "EMC EMC\nBT\n(a) Tj\nET", "/Artifact BMC\nBT\n(a) Tj\nET\nEMC"},
		{"a mark of no element", "/NonStruct <</MCID 9>>BDC\nBT\n(a) Tj\nET\nEMC", "/Artifact BMC\nBT\n(a) Tj\nET\nEMC"},
		{"what cannot be read stays", "0 0 5 5 re\nf\n)\n(b) Tj", "/Artifact BMC\n0 0 5 5 re\nf\n)\n(b) Tj\nEMC"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			paragraph, picture := &element{role: "P"}, &element{role: "Figure"}
			c := &canvas{page: 7, content: []byte(tt.in)}
			tagger := &tagger{p: &part{}, marks: map[markKey]*mark{
				{7, 0}: {owner: paragraph, seq: 1},
				{7, 1}: {owner: paragraph, seq: 2},
				{7, 2}: {owner: picture, seq: 3},
				{7, 3}: {role: pageHeader},
			}}
			if got := spaced(string(tagger.rewrite(c))); got != spaced(tt.want) {
				t.Errorf("%q became\n%q, want\n%q", tt.in, got, tt.want)
			}
		})
	}
}

// spaced is a content stream with one blank between its words.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }
