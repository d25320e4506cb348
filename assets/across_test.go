package assets_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wideTable is a table that continues its columns, of a heading over three of
// them, a caption over all and rows of uneven heights.
func wideTable(attrs string, columns, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<table class="q-el" data-id="wide" data-break="auto" style="width:100%%;max-width:100%%;border-collapse:collapse" %s><thead><tr><th rowspan="2">Key</th><th colspan="%d">First</th><th colspan="3" id="three">Three</th></tr><tr>`, attrs, columns-4)
	for c := 1; c < columns; c++ {
		fmt.Fprintf(&b, `<th id="h%d">Head%d</th>`, c, c)
	}
	fmt.Fprintf(&b, `</tr></thead><tbody><tr data-repeat="1"><td colspan="%d" id="caption">%s</td></tr>`, columns, words(60))
	for r := range rows {
		fmt.Fprintf(&b, `<tr class="line"><td id="key%d">key-%d</td>`, r, r)
		for c := 1; c < columns; c++ {
			text := fmt.Sprintf("cell-%d-%d", r, c)
			if (r+c)%17 == 0 {
				text += " " + words(1+r%12)
			}
			fmt.Fprintf(&b, `<td>%s</td>`, text)
		}
		b.WriteString(`</tr>`)
	}
	fmt.Fprintf(&b, `</tbody><tfoot><tr><td colspan="2">Sum</td><td colspan="%d">all</td></tr></tfoot></table>`, columns-2)
	return b.String()
}

// TestColumnsContinue lays the sheets of a wide table side by side: every cell is
// on one of them, with its key and its head, and as high as the others of its row.
func TestColumnsContinue(t *testing.T) {
	tb := chrome(t)
	const columns, rows = 24, 90
	for _, c := range []struct {
		name, around string
		keys         int
	}{
		{"on a page of its own", `%s`, 1},
		{"between others", `<h2 data-id="before" id="before">Before</h2>%s<p data-id="after">After</p>`, 1},
		{"in a box", `<div class="q-el" data-id="box" style="padding:20px;border:1px solid">%s</div>`, 2},
		{"without key columns", `%s`, 0},
		{"with margins", `<style>[data-id=wide]{margin:6px 10px}</style>%s`, 1},
		{"in an item of a list", `<ol class="q-el" data-id="list" data-break="auto"><li>first</li><li data-break="auto">%s</li><li>last</li></ol>`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tb.paginate(t, one(fmt.Sprintf(c.around, wideTable(fmt.Sprintf(`data-continue="%d"`, c.keys), columns, rows))))
			for _, w := range r.Warnings {
				t.Errorf("warning %+v", w)
			}
			tb.expect(t, fmt.Sprintf(`(() => {
				const faults = [], keys = %d, columns = %d, rows = %d;
				const ids = all("[id]").map((e) => e.id);
				for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push("twice: " + id);
				for (let r = 0; r < rows; r++) {
					const own = all("tr.line").filter((tr) => tr.textContent.includes("cell-" + r + "-") || tr.cells[0].textContent === "key-" + r);
					const texts = own.flatMap((tr) => [...tr.cells].map((td) => td.textContent.split(" ")[0]));
					for (let c = 1; c < columns; c++) {
						const want = c < keys ? own.length : 1;
						if (texts.filter((x) => x === "cell-" + r + "-" + c).length !== want) faults.push("cell " + r + " " + c);
					}
					if (texts.filter((x) => x === "key-" + r).length !== (keys ? own.length : own.length && 1)) faults.push("key " + r);
					const tops = own.map((tr) => tr.getBoundingClientRect().top - tr.closest(".q-page").getBoundingClientRect().top);
					const heights = own.map((tr) => tr.getBoundingClientRect().height);
					if (Math.max(...tops) - Math.min(...tops) > 1) faults.push("row " + r + " at " + tops);
					if (Math.max(...heights) - Math.min(...heights) > 0.5) faults.push("heights of " + r + ": " + heights);
					const at = own.map((tr) => pages.indexOf(tr.closest(".q-page")));
					if (own.length < 2 || at.some((p, i) => p !== at[0] + i)) faults.push("row " + r + " on pages " + at);
				}
				for (const td of all("tr.line td")) {
					const table = td.closest("table");
					const nth = /cell-\d+-(\d+)/.exec(td.textContent);
					const r = td.getBoundingClientRect();
					if (r.right > td.closest(".q-page-body").getBoundingClientRect().right + 1) faults.push("off the page: " + td.textContent);
					if (td.scrollWidth > td.clientWidth + 1) faults.push("over its neighbour: " + td.textContent);
					const heads = [...table.querySelectorAll("thead th")].filter((h) => h.textContent === "Head" + (nth && nth[1]));
					if (nth && (heads.length !== 1 || Math.abs(heads[0].getBoundingClientRect().left - r.left) > 1)) faults.push("without its head: " + td.textContent);
				}
				if (all("thead th[colspan='3']").length !== all("thead th").filter((h) => h.textContent === "Three").length) faults.push("parted heading");
				pages.forEach((p, i) => { if (!p.textContent.includes("Page " + (i + 1) + " of " + pages.length)) faults.push("number of page " + (i + 1)); });
				const marked = all("li").filter((li) => getComputedStyle(li).listStyleType !== "none").length;
				if (marked > 3) faults.push(marked + " markers of three items");
				return faults.slice(0, 5).join("; ");
			})()`, c.keys, columns, rows))
			if n := pdfPages(t, tb.pdf(t)); n != len(r.Pages) {
				t.Errorf("%d pages in the PDF, %d in the browser", n, len(r.Pages))
			}
		})
	}
}

// A table that fits, or is not asked to, stays one; one that has others beside it
// cannot do it and says so.
func TestColumnsDoNotContinue(t *testing.T) {
	tb := chrome(t)
	for _, c := range []struct{ name, html, warnings string }{
		{"narrow", wideTable(`data-continue="1"`, 5, 3), ""},
		{"not asked", wideTable("", 24, 3), "wide"},
		{"beside another", `<div class="q-el" data-id="row" style="display:flex">` + wideTable(`data-continue="1"`, 24, 3) + box("x", 20) + `</div>`, "wide"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tb.checked(t, one(c.html))
			told := len(r.Warnings) > 0 && strings.Contains(r.Warnings[0].ID, c.warnings)
			if (c.warnings != "") != told {
				t.Errorf("warnings %+v", r.Warnings)
			}
			tb.expect(t, `all(".q-across").length === 0 && all("tr.line").length === 3 ? "" : all("tr.line").length + " rows"`)
		})
	}
}

// TestSheetsAreBalanced: columns of one width are shared out over the sheets that they
// need, so that none has two fewer than another.
func TestSheetsAreBalanced(t *testing.T) {
	tb := chrome(t)
	for columns := 6; columns <= 36; columns += 6 {
		row := "<td>key</td>" + strings.Repeat("<td>123456789012</td>", columns)
		tb.paginate(t, one(`<table class="q-el" data-id="wide" data-break="auto" data-continue="1" style="width:100%;max-width:100%;border-collapse:collapse"><tbody><tr>`+row+`</tr></tbody></table>`))
		var on []int
		tb.eval(t, `[...document.querySelectorAll(".q-page")].map((p) => p.querySelectorAll("td").length - 1)`, &on)
		total := 0
		for _, n := range on {
			total += n
		}
		if len(on) < 2 || total != columns || slices.Max(on)-slices.Min(on) > 1 {
			t.Errorf("%d columns are on sheets of %v", columns, on)
		}
	}
}

// TestSmallTextIsToldOf: a table that is drawn smaller for its width and once more for
// its height says how small it has become, in the warning that it was drawn smaller.
func TestSmallTextIsToldOf(t *testing.T) {
	tb := chrome(t)
	for _, c := range []struct {
		wide, high int
		want       string
	}{
		{80, 17, "is wider than the page and was drawn smaller to fit, to 62 % of its size, which may be too small to read"},
		{80, 14, ""},
		{50, 17, ""},
	} {
		row := "<tr>" + strings.Repeat(fmt.Sprintf(`<td style="padding:0"><div style="width:%dpx;height:%dpx">text</div></td>`, c.wide, c.high), 10) + "</tr>"
		r := tb.paginate(t, one(`<table class="q-el" data-id="t" style="border-collapse:collapse"><tbody>`+strings.Repeat(row, 82)+`</tbody></table>`))
		var told []string
		for _, w := range r.Warnings {
			if strings.Contains(w.Message, "% of its size") {
				told = append(told, w.Message)
			}
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%d x %d: told %q; want %q (of %+v)", c.wide, c.high, got, c.want, r.Warnings)
		}
	}
}
