package pdf

import "testing"

// FuzzRewrite gives the surveyor and the rewriter content that no browser
// writes.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{
		"/NonStruct <</MCID 0>>BDC\nBT\n/F1 12 Tf\n(a) Tj\n/Span<</ActualText <feff2019> >> BDC\n(b) Tj\nEMC\n(c) Tj\nET\nEMC",
		"q 1 0 0 1 5 5 cm 0 0 5 5 re W n 0 0 m 5 0 l S Q BI /W 1 ID xx EI /X1 Do EMC",
		"BT [(a\\)) -3 <41>] TJ ET << /A [ ( ] ) >> /B gs",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		tg := &tagger{p: &part{f: &file{}}, marks: map[markKey]*mark{}, forms: map[int]*canvas{}, fonts: map[int]*font{}}
		for id := range 3 {
			tg.marks[markKey{1, id}] = &mark{owner: &element{role: "P"}, seq: id}
		}
		c := &canvas{page: 1, content: content, base: identity()}
		tg.survey(c, 0)
		out := tg.rewrite(c)
		if len(out) > 100*len(content)+100 {
			t.Errorf("%d bytes became %d", len(content), len(out))
		}
	})
}
