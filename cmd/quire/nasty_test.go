package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/quire-reports/quire/report"
)

// lookClosely are helpers of the checks below, which look at the pages that a
// browser shows.
const lookClosely = `
	const all = (s, from = document) => [...from.querySelectorAll(s)];
	const box = (el) => el.getBoundingClientRect();
	const body = (el) => box(el.closest(".q-page-body"));
	const written = (el) => { const r = document.createRange(); r.selectNodeContents(el); return r.getBoundingClientRect(); };
	const lines = (el) => { const r = document.createRange(); r.selectNodeContents(el); return new Set([...r.getClientRects()].map((x) => Math.round(x.top))).size; };
	const near = (a, b) => Math.abs(a - b) < 1.5;
`

// nastyChecks say of reports that people make without meaning harm what is wrong
// with their pages.
var nastyChecks = map[string]string{
	"columns": `all("td.q-right").filter((c) => lines(c) > 1).length + " broken numbers, smallest " + Math.min(1, ...all("table").map((t) => Number(t.style.zoom) >= 0.6 ? 1 : 0)) +
		", " + all("table").filter((t) => !near(box(t).width, body(t).width)).length + " tables of another width"`,
	"longwords":    `all("td.q-right").filter((c) => lines(c) > 1 && c.textContent.length < 20).length + " broken numbers"`,
	"rtl":          `all(".q-page-footer .q-text").filter((el) => !near(written(el).left, box(el.parentElement).left) && !near(written(el).right, box(el.parentElement).right)).length + " off the margin"`,
	"nested":       `all("td thead th").filter((c) => getComputedStyle(c).borderBottomWidth === "0px" || c.cellIndex === 0 && getComputedStyle(c).paddingLeft !== "0px").length + " inner headers as cells"`,
	"barcode":      `all(".q-barcode, .q-qr-code").filter((el) => box(el).width < 40 || box(el).right > body(el).right + 1).length + " codes too small or lost"`,
	"empty":        `all("tfoot").length + " footers"`,
	"list":         `all(".q-list .q-list").filter((l) => l.previousSibling === null).length + " lists behind two markers"`,
	"toc":          `all(".q-page").filter((p) => all(".q-entry", p).at(-1)?.matches(".q-toc-1")).length + " chapters without sections"`,
	"keep":         `all(".q-page").filter((p) => all(".q-scaled", p).length > 0).length + " pages drawn smaller"`,
	"groups":       `new Set(all("tbody td:first-child, tbody th:first-child, tfoot th:first-child").map((c) => getComputedStyle(c).paddingLeft)).size + " left edges"`,
	"categories":   `all(".q-c").slice(0, -1).filter((c) => all("text", c).filter((t) => t.textContent.startsWith("Depart")).length < 6).length + " charts without names"`,
	"values":       `all(".q-c text").filter((t) => t.textContent === "0.25").length + " parts of a piece"`,
	"whole":        `all(".q-scaled").length + " drawn smaller, " + all("thead").length + " headers"`,
	"narrow":       `all("table").filter((t) => box(t).right > box(t.parentElement).right + 1.5).length + " tables over their neighbours"`,
	"merge":        `all("tbody tr").filter((r) => [...r.cells].some((c) => c !== r.lastElementChild && getComputedStyle(c).borderRightWidth === "0px")).length + " rows without lines"`,
	"side":         `all("tr").filter((r) => box(r).height > 60).length + " stretched rows"`,
	"beside":       `all(".q-scaled").length + " drawn smaller, " + all("thead").length + " headers, " + all(".q-column").length + " columns"`,
	"heights":      `all(".q-scaled").length + " drawn smaller, pictures " + all("figure img").map((i) => Math.round(box(i).width)).join(" ") + ", " + all("[data-overflow]").filter((el) => near(box(el).height, 40)).length + " as high as said"`,
	"pressed":      `all("table[style*='40%'] :is(td, th)").filter((c) => lines(c) > 2 && !/ /.test(c.textContent)).length + " words in strips of letters"`,
	"grow":         `all("li, .q-date-time, .q-flow .q-flow .q-heading").filter((el) => lines(el) > 4 || written(el).right > body(el).right + 1).length + " strips of letters"`,
	"placeholders": `all(".q-scaled").length + " drawn smaller, " + (all(".q-page").length > 1) + " more pages, " + Math.max(...all(".q-text").map(lines)) + " line beside"`,
	"classes":      `(([strong, muted, small, plain]) => [strong.fontWeight, muted.color !== plain.color, parseFloat(small.fontSize) < parseFloat(plain.fontSize), plain.fontWeight])(all("tbody td").map((c) => getComputedStyle(c))).join()`,
	"flow":         `all("[style*=zoom]").length + " drawn smaller, " + all(".q-html img[src]").length + " picture"`,
}

var nastyWant = map[string]string{
	"columns": "0 broken numbers, smallest 1, 0 tables of another width", "longwords": "0 broken numbers", "rtl": "0 off the margin", "nested": "0 inner headers as cells",
	"barcode": "0 codes too small or lost", "empty": "3 footers", "list": "0 lists behind two markers", "toc": "0 chapters without sections", "keep": "0 pages drawn smaller",
	"whole": "0 drawn smaller, 6 headers", "narrow": "0 tables over their neighbours", "merge": "0 rows without lines", "side": "0 stretched rows",
	"beside":  "0 drawn smaller, 6 headers, 12 columns",
	"heights": "0 drawn smaller, pictures 40 28, 1 as high as said",
	"groups":  "1 left edges", "categories": "0 charts without names", "values": "0 parts of a piece", "flow": "0 drawn smaller, 1 picture", "grow": "0 strips of letters",
	"classes": "600,true,true,400", "pressed": "0 words in strips of letters", "placeholders": "0 drawn smaller, true more pages, 1 line beside",
}

// TestNastyReports makes reports whose content is larger, longer, deeper or
// emptier than their author thought: nothing may be lost, cut or unreadable.
func TestNastyReports(t *testing.T) {
	ofDocuments(t)
	files, err := filepath.Glob("testdata/nasty/*.json")
	if err != nil || len(files) < len(nastyChecks) {
		t.Fatal(files, err)
	}
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
	c := newPageCheck(t, ws)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			doc, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			def, problems := report.ParseReport(doc)
			if problems != nil {
				t.Fatal(problems)
			}
			for _, fault := range c.check(ws, def) {
				t.Error(fault)
			}
			if nastyChecks[name] == "" {
				return
			}
			result, err := chromedp.Call(c.tab.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "(() => {" + lookClosely + " return String(" + nastyChecks[name] + ") })()", ReturnByValue: new(true)})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(result.Result.Value); got != `"`+nastyWant[name]+`"` {
				t.Errorf("%s, want %s", got, nastyWant[name])
			}
		})
	}
}
