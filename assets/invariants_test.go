package assets_test

import (
	"os"
	"strconv"
	"testing"
)

// checked paginates a document and fails the test for each broken invariant.
func (tb *tab) checked(t testing.TB, html string) result {
	t.Helper()
	script, err := os.ReadFile("testdata/check.js")
	must(t, err)
	tb.load(t, html)
	tb.eval(t, string(script), nil)
	tb.eval(t, "globalThis.before = check.source(); null", nil)
	var r result
	tb.eval(t, "(async () => globalThis.answer = await quire.paginate())()", &r)
	var faults []string
	tb.eval(t, "[...check.pages(before, {header: true, footer: true}), ...check.anchors(answer.anchors)]", &faults)
	for _, f := range faults {
		t.Error(f)
	}
	return r
}

func TestRandomDocuments(t *testing.T) {
	tb := chrome(t)
	first, count := 1, 200
	if s := os.Getenv("QUIRE_TEST_SEED"); s != "" {
		n, err := strconv.Atoi(s)
		must(t, err)
		first, count = n, 1
	}
	if testing.Short() {
		count = min(count, 20)
	}
	pages := 0
	for seed := first; seed < first+count; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			r := tb.checked(t, generate(uint64(seed)))
			pages += len(r.Pages)
			if path := tb.pdf(t); t.Failed() || seed%10 == 0 {
				if n := pdfPages(t, path); n != len(r.Pages) {
					t.Errorf("%d pages in the PDF, %d in the browser", n, len(r.Pages))
				}
			}
		})
	}
	t.Logf("%d documents, %d pages", count, pages)
}
