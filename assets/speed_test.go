package assets_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkPaginate measures quire.paginate() in the browser, which includes
// the browser's layout of the source. One operation is one document.
//
//	go test ./assets -run - -bench Paginate -benchtime 3x
func BenchmarkPaginate(b *testing.B) {
	invoice := document(sheet{header: "Invoice", footer: pageOfPages, body: "<h2>Invoice</h2>" + table(14) + para("p", 60)})
	b.Run("invoice", func(b *testing.B) { benchmarkDocument(b, invoice, 1) })
	for _, rows := range []int{1_000, 3_000, 10_000, 30_000} {
		html := document(sheet{header: "Statement", footer: pageOfPages, body: table(rows)})
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) { benchmarkDocument(b, html, rows) })
	}
}

// benchmarkDocument reports beside the whole time what the browser alone needs
// to lay the same document out, so that the paginator's own part is seen.
func benchmarkDocument(b *testing.B, html string, rows int) {
	tb := chrome(b)
	tb.paginate(b, html)
	var own, layout, total float64
	pages := 0
	for b.Loop() {
		tb.load(b, html)
		var alone float64
		tb.eval(b, layoutTime, &alone)
		r := tb.paginate(b, html)
		total += r.MS
		layout += alone
		own += max(0, r.MS-alone)
		pages = len(r.Pages)
	}
	n := float64(b.N)
	b.ReportMetric(total/n, "ms/doc")
	b.ReportMetric(layout/n, "layout-ms/doc")
	b.ReportMetric(own*1000/n/float64(rows), "own-µs/row")
	b.ReportMetric(float64(pages), "pages")
}

// layoutTime lays the source out at the width of its page, as the paginator does.
const layoutTime = `(() => {
	const began = performance.now();
	document.body.classList.remove("q-pending");
	for (const s of document.querySelectorAll(".q-sheet")) s.style.width = "657.64px";
	document.body.offsetHeight;
	return performance.now() - began;
})()`

// BenchmarkCostOfAPart reports how many times as much a part costs when there
// are four times as many. It is about 1, and 4 where anything looks at all parts
// for each page or leaves something in the document for each part.
func BenchmarkCostOfAPart(b *testing.B) {
	repeat := func(open, part, end string) func(n int) string {
		return func(n int) string { return open + strings.Repeat(part, n) + end }
	}
	tb := chrome(b)
	for _, c := range []struct {
		name string
		few  int
		body func(n int) string
	}{
		{"rows", 2_000, table},
		{"items", 4_000, repeat(`<ul class="q-el" data-break="auto">`, "<li>item</li>", "</ul>")},
		{"numbered-items", 4_000, repeat(`<ol class="q-el" data-break="auto">`, "<li>item</li>", "</ol>")},
		{"paragraphs", 4_000, repeat(`<div class="q-el" data-break="auto">`, "<p>text</p>", "</div>")},
		{"lines", 2_500, repeat(`<div class="q-el" data-break="auto">`, "text<br>", "</div>")},
		{"words-in-elements", 5_000, repeat(`<p class="q-el" data-break="auto">`, "<b>word</b> ", "</p>")},
		{"letters-of-a-narrow-text", 10_000, narrowText},
		{"boxes-side-by-side", 4_000, repeat(`<div class="q-el" style="display:flex">`, `<div class="q-el">box</div>`, "</div>")},
	} {
		b.Run(c.name, func(b *testing.B) {
			cost := func(n int) float64 {
				html := document(sheet{header: "h", footer: pageOfPages, body: c.body(n)})
				return tb.paginate(b, html).MS / float64(n)
			}
			cost(c.few) // warms the tab
			var few, many float64
			for b.Loop() {
				few += cost(c.few)
				many += cost(4 * c.few)
			}
			b.ReportMetric(many*1000/float64(b.N), "µs/part")
			b.ReportMetric(many/few, "times-each")
		})
	}
}

// narrowText is a text of so many letters, of which a line has room for one or two.
func narrowText(letters int) string {
	return `<p class="q-el" data-break="auto" style="width:10px;overflow-wrap:anywhere">` + strings.Repeat("narrow text of letters ", letters/23) + `</p>`
}

// TestLongTextsCostWhatTheyHold counts what the browser looks at to tell where letters
// are: all of a text for one letter of it. Texts are whole again on their pages.
func TestLongTextsCostWhatTheyHold(t *testing.T) {
	tb := chrome(t)
	cost := func(letters int) float64 {
		tb.load(t, document(sheet{body: narrowText(letters)}))
		var seen, texts, places float64
		tb.eval(t, `(async () => {
			let seen = 0;
			const start = Range.prototype.setStart;
			Range.prototype.setStart = function (node, at) { seen += node.length ?? 0; return start.call(this, node, at); };
			await quire.paginate();
			Range.prototype.setStart = start;
			return seen;
		})()`, &seen)
		tb.eval(t, `document.querySelectorAll(".q-page-body p").length`, &places)
		tb.eval(t, `[...document.querySelectorAll(".q-page-body p")].reduce((n, p) => n + p.childNodes.length, 0)`, &texts)
		if places < 20 || texts != places {
			t.Errorf("%v letters are %v texts on %v pages", letters, texts, places)
		}
		return seen
	}
	few, many := cost(5_000), cost(20_000)
	if few == 0 || many > 6*few {
		t.Errorf("4 times the letters cost %.1f times as much", many/few)
	}
}

// A call takes some 120,000 arguments: no list of nodes is given to one.
func TestMoreRowsThanACallTakesArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows = 150_000
	tb := chrome(t)
	body := `<table class="q-el" data-break="auto"><tbody>` + strings.Repeat("<tr><td>1</td></tr>", rows) + `</tbody></table>`
	if r := tb.paginate(t, document(sheet{body: body})); len(r.Pages) < 1000 {
		t.Errorf("%d pages", len(r.Pages))
	}
	var n int
	if tb.eval(t, `document.querySelectorAll(".q-page tr").length`, &n); n != rows {
		t.Errorf("%d rows", n)
	}
}

// TestChunks: pages shown in turn print like the whole, and pages handed to
// another tab print there.
func TestChunks(t *testing.T) {
	tb := chrome(t)
	r := tb.paginate(t, document(sheet{header: "h", footer: pageOfPages, body: table(200)}))
	total := len(r.Pages)
	last := total - 2
	var html string
	tb.eval(t, fmt.Sprintf("quire.extract(%d, %d)", last+1, total), &html)
	var around []string
	tb.eval(t, "quire.shell()", &around)
	printed := 0
	for from := 1; from <= last; from += 4 {
		tb.eval(t, fmt.Sprintf("quire.show(%d, %d); null", from, min(from+3, last)), nil)
		printed += pdfPages(t, tb.pdf(t))
	}
	tb.eval(t, "quire.show(); null", nil)
	if n := pdfPages(t, tb.pdf(t)); n != last {
		t.Errorf("%d pages left, not %d", n, last)
	}
	other := chrome(t)
	other.load(t, around[0]+html+around[1])
	var adopted int
	other.eval(t, "quire.adopt()", &adopted)
	printed += pdfPages(t, other.pdf(t))
	if printed != total || adopted != 2 {
		t.Errorf("%d pages printed and %d adopted, of %d", printed, adopted, total)
	}
}

// TestSameBytes: pagination of the same document gives the same bytes.
func TestSameBytes(t *testing.T) {
	tb := chrome(t)
	html := generate(11)
	var first, second string
	tb.paginate(t, html)
	tb.eval(t, "document.documentElement.outerHTML", &first)
	tb.paginate(t, html)
	tb.eval(t, "document.documentElement.outerHTML", &second)
	if first != second {
		t.Error("two paginations of one document differ")
	}
}
