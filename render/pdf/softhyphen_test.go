package pdf

import (
	"testing"
)

// TestWordsAreJoined: a blank without width stood at each soft hyphen, and programs
// read "Do nau dampf".
func TestWordsAreJoined(t *testing.T) {
	t.Parallel()
	const mark = "/Span<</ActualText <feff00ad> >> BDC\n"
	for label, c := range map[string]struct{ in, want string }{
		"within a word":       {"/F1 12 Tf\n<0001> Tj\n" + mark + "7.5 0 Td <0003> Tj\nEMC\n0 0 Td <0002> Tj", "/F1 12 Tf\n<0001> Tj\n7.5 0 Td\n0 0 Td <0002> Tj"},
		"in capitals":         {"/F1 12 Tf\n/Span<</ActualText <FEFF00AD> >> BDC\n<0003> Tj EMC <0002> Tj", "/F1 12 Tf\n <0002> Tj"},
		"without a move":      {"/F1 12 Tf\n" + mark + "<0003> Tj EMC <0002> Tj", "/F1 12 Tf\n <0002> Tj"},
		"at a line's end":     {"/F1 12 Tf\n" + mark + "7.5 0 Td <0004> Tj\nEMC", ""},
		"another text":        {"/F1 12 Tf\n/Span<</ActualText <feff00e4> >> BDC\n7.5 0 Td <0003> Tj\nEMC feff00ad", ""},
		"more than a blank":   {"/F1 12 Tf\n" + mark + "7.5 0 Td <0003> Tj <0002> Tj\nEMC", ""},
		"a mark within":       {"/F1 12 Tf\n" + mark + "/Span<<>> BDC <0003> Tj EMC EMC", ""},
		"another text object": {"BT /F1 12 Tf <0001> Tj ET BT " + mark + "<0003> Tj EMC ET", ""},
		"two of them":         {"/F1 12 Tf " + mark + "<0003> Tj EMC <0001> Tj " + mark + "1 0 Td <0003> Tj EMC", "/F1 12 Tf <0001> Tj 1 0 Td"},
		"no font":             {mark + "7.5 0 Td <0003> Tj\nEMC", ""},
		"no end":              {"/F1 12 Tf\n" + mark + "7.5 0 Td <0003> Tj", ""},
	} {
		tg := &tagger{p: &part{f: &file{}}, fonts: map[int]*font{}}
		face := &font{wide: true, text: map[int]string{1: "a", 2: "b", 3: " ", 4: "-"}}
		canvas := &canvas{content: []byte(c.in), fonts: map[name]*font{"F1": face}}
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := string(tg.joined(canvas)); spaced(got) != spaced(want) {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
}
