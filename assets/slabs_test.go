package assets_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// longTable ends a sheet with a table of rows that are plain text, as the paginator lays
// out some at a time.
func (g *generator) longTable(rows int) string {
	var b strings.Builder
	style := ""
	switch g.IntN(5) {
	case 0:
		style = ` style="width:auto"`
	case 1:
		style = ` style="border-collapse:separate;border-spacing:1px 3px"`
	case 2:
		style = ` style="border-top:3px solid red;border-bottom:4px solid red;margin-bottom:20px"`
	}
	columns := 1 + g.IntN(5)
	fmt.Fprintf(&b, `<table class="q-el t" data-break="auto" data-id="%s"%s>`, g.name(), style)
	if g.IntN(3) == 0 {
		b.WriteString("<caption>" + words(1+g.IntN(20)) + "</caption>")
	}
	b.WriteString("\n<colgroup>")
	for range columns {
		b.WriteString([]string{"<col>", "<col>", "<col>", `<col style="width:20%">`, `<col style="width:90px">`}[g.IntN(5)])
	}
	b.WriteString("</colgroup>\n")
	gone := []int{0, 0, 0, 0, 0, 0, 1, 2}[g.IntN(8)] // of what some are not drawn: nothing, rows, cells
	cells := func(tag string, most int) {
		if hide := tag == "td" && g.IntN(40) == 0; hide && gone == 1 {
			b.WriteString(`<tr class="gone">`)
		} else if hide && gone == 2 {
			b.WriteString(`<tr class="part">`)
		} else {
			b.WriteString("<tr>")
		}
		for range columns {
			attr := []string{"", "", ` class="right"`, ` style="background:#eee"`}[g.IntN(4)]
			text := g.text(g.IntN(most))
			switch g.IntN(12) {
			case 1:
				text = fmt.Sprint(g.IntN(1_000_000_000))
			case 2:
				text = strings.Repeat("x", g.IntN(12))
			}
			fmt.Fprintf(&b, "<%s%s>%s</%s>", tag, attr, text, tag)
		}
		b.WriteString("</tr>\n")
	}
	if g.IntN(4) > 0 {
		b.WriteString("<thead>")
		if columns > 1 && g.IntN(2) == 0 {
			fmt.Fprintf(&b, `<tr><th colspan="%d">%s</th></tr>`, columns, words(1+g.IntN(12)))
		}
		cells("th", 4)
		b.WriteString("</thead>\n")
	}
	b.WriteString("<tbody>\n")
	most := 2 + g.IntN(3)
	for range rows {
		if g.IntN(60) == 0 {
			cells("td", 2*most) // which decides how wide the columns are
			continue
		}
		cells("td", most)
	}
	b.WriteString("</tbody>\n")
	if g.IntN(3) == 0 {
		b.WriteString("<tfoot>")
		cells("td", 6)
		b.WriteString("</tfoot>")
	}
	return b.String() + "</table>\n"
}

func (g *generator) text(n int) string {
	list := strings.Fields("invoice Delivery a Lieferschein quarterly net of 12,000.00 settled bank-transfer Größe Σ 合計金額 further/notice")
	out := make([]string, n)
	for i := range out {
		out[i] = list[g.IntN(len(list))]
	}
	return strings.Join(out, " ")
}

func TestLongTablesInPartsEqualThoseInOnePiece(t *testing.T) {
	wanted := 100
	if testing.Short() {
		wanted = 10
	}
	tb := chrome(t)
	parts, pages, documents := 0, 0, 0
	for seed := uint64(0); parts < wanted && documents < 5*wanted; seed++ {
		documents++
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 19))}
		first := g.sheet()
		first.body = g.blocks(g.IntN(5), 0) + g.longTable(60+g.IntN(300))
		sheets := []sheet{first}
		if g.IntN(4) == 0 {
			sheets = append(sheets, g.sheet())
		}
		html := documentWith([]string{`lang="en"`, `lang="ar" dir="rtl"`}[g.IntN(2)], `.right{text-align:right;white-space:nowrap}.gone,.part>:nth-child(2){display:none}`, sheets...)
		whole, _ := inSlabs(t, tb, html, 1<<30, 1, 0)
		got, measured := inSlabs(t, tb, html, 20, 1+g.IntN(50), g.IntN(4))
		if measured {
			parts++
		}
		pages += strings.Count(whole, `class="q-page `)
		if got != whole {
			at := 0
			for at < min(len(got), len(whole)) && got[at] == whole[at] {
				at++
			}
			t.Errorf("seed %d: in parts %.300q, in one piece %.300q", seed, got[max(0, at-100):], whole[max(0, at-100):])
		}
	}
	t.Logf("%d documents of %d pages, %d tables measured in parts", documents, pages, parts)
	if parts < wanted {
		t.Errorf("of %d tables %d were measured in parts", documents, parts)
	}
}

// inSlabs is what comes of a document whose tables of so many rows are laid out so many at a
// time: its pages and all that is told of them; and whether there was such a table.
func inSlabs(t *testing.T, tb *tab, html string, from, rows, longest int) (string, bool) {
	t.Helper()
	tb.load(t, html)
	var answer struct {
		Result   json.RawMessage
		Body     string
		Measured bool
	}
	tb.eval(t, fmt.Sprintf(`(async () => {
		Object.assign(quire.slabs, { from: %d, rows: %d, longest: %d, measured: 0 });
		const r = await quire.paginate();
		delete r.ms;
		for (const a of r.anchors) a.y = +a.y.toFixed(6); // far down, places are not as exact
		return { result: r, body: document.body.outerHTML, measured: quire.slabs.measured > 0 };
	})()`, from, rows, longest), &answer)
	return string(answer.Result) + answer.Body, answer.Measured
}

// TestWhoReadsTheDocumentFindsAllRows: Word files are written from the document as it is
// before its pages are made.
func TestWhoReadsTheDocumentFindsAllRows(t *testing.T) {
	const rows = 50
	tb := chrome(t)
	for _, call := range []string{"quire.paginate(settled)", "quire.number(settled)"} {
		tb.load(t, document(sheet{body: table(rows)}))
		var drawn int
		tb.eval(t, `(async () => {
			Object.assign(quire.slabs, { from: 10, rows: 7 });
			let drawn = 0;
			const settled = async () => { drawn = [...document.querySelectorAll("tbody > tr")].filter((tr) => tr.getBoundingClientRect().height > 0).length; };
			await `+call+`;
			return drawn;
		})()`, &drawn)
		if drawn != rows {
			t.Errorf("%s: whoever reads the document finds %d of %d rows", call, drawn, rows)
		}
	}
}
