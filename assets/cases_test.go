package assets_test

import (
	"fmt"
	"strings"
	"testing"
)

// A paginationCase is a document and what must be true of its pages: an
// expression that gives "" or says what is wrong.
type paginationCase struct {
	name     string
	html     string
	pages    int // 0: any number
	warnings string
	check    string
}

func box(id string, height int) string {
	return fmt.Sprintf(`<div class="q-el" data-id="%s" data-break="avoid" style="height:%dpx">%s</div>`, id, height, id)
}

// free stands freely on pages.
func free(pages, layer string) string {
	return fmt.Sprintf(`<div class="q-el q-on-pages" data-pages="%s" data-layer="%s" style="height:4000px">free</div>`, pages, layer)
}

const (
	runOfPages = `<span class="q-page-number"></span>/<span class="q-page-run-count"></span>`
	running    = `<span class="q-page-running" data-ref="1"></span>|<span class="q-page-running" data-ref="2"></span>|<span class="q-page-running" data-ref="group"></span>`
)

func outline(level int, title string) string {
	return fmt.Sprintf(`<h%d class="q-el" id="%.3s" data-outline="%d" style="height:40px;margin:0">%s</h%d>`, level, title, level, title, level)
}

// grouped is a table of two groups with a page each; numbers begin anew with the second.
func grouped(anew string) string {
	if anew != "" {
		anew = ` data-anew="` + anew + `"`
	}
	return `<table class="q-el" data-break="auto"><tbody><tr data-repeat="1" data-keep-next><th>North</th></tr><tr><td style="height:400px">a</td></tr><tr data-repeat="1" data-keep-next data-break-before="page"` + anew + `><th>South</th></tr><tr><td style="height:400px">b</td></tr></tbody></table>`
}

func one(body string) string {
	return document(sheet{header: "Header", footer: pageOfPages, body: body})
}

// groupsBelow are tables of groups with sums, each after a box of one of the heights.
func groupsBelow(heights ...int) string {
	groups := strings.Repeat(`<tbody><tr data-repeat="1" data-keep-next><th>Group</th></tr>`+strings.Repeat(`<tr><td style="height:39px">row</td></tr>`, 5)+`<tr data-keep-prev><td>Sum</td></tr></tbody>`, 9)
	var sheets []sheet
	for _, height := range heights {
		sheets = append(sheets, sheet{header: "Header", footer: pageOfPages, body: box("a", height) + `<table data-break="auto" class="q-el" data-id="t">` + groups + `</table>`})
	}
	return document(sheets...)
}

// room is about the height of a body in the documents made by one.
const room = 928

// evenly is text of long words, which stand with wide gaps where each line ends as late as it can.
const evenly = "Die Verwaltungs\u00adgemeinschaft hat ihren Sitz in einem ehemaligen Kloster\u00adgebäude, dessen Bausubstanz <i>erneuerungs\u00adbedürftig</i> ist, und legt die Kosten der Instandsetzung auf alle Mitglieds\u00adgemeinden um."

// reference prints the number of the page of what has an id.
func reference(id string) string {
	return `<a class="q-ref" href="#` + id + `"><span class="q-page-of" data-target="` + id + `"></span></a>`
}

func paginationCases() []paginationCase {
	return []paginationCase{
		{name: "empty body", html: one(""), pages: 1},
		{
			name: "box that is higher than what it holds",
			html: one(`<div class="q-el" data-break="auto" data-id="x" style="height:1500px"><p>one</p><p>two</p></div>`), pages: 2,
			check: `all(".q-scaled").length === 0 ? "" : "drawn smaller"`,
		},
		{name: "no sections", html: documentWith(`lang="en"`, ""), pages: 0, check: `pages.length === 0 ? "" : "pages out of nothing"`},
		{name: "block that fits exactly", html: one(box("a", 300) + box("b", room-300)), pages: 1},
		{name: "block that does not fit", html: one(box("a", 300) + box("b", room-290)), pages: 2},
		{
			name: "over-tall block", html: one(box("a", 100) + box("tall", 2000) + box("z", 100)), pages: 3, warnings: "tall",
			check: `Math.abs(rect("[data-id=tall]").height - bodyHeight()) < 1 ? "" : "height " + rect("[data-id=tall]").height`,
		},
		{
			name: "block of many parts that is far too tall is broken where it stands", warnings: "far",
			html: one(box("a", 300) + `<div class="q-el" data-break="avoid" data-id="far">` + strings.Repeat(`<div style="height:90px">part</div>`, 30) + `</div>` + box("z", 100)), pages: 4,
			check: `all(".q-scaled").length === 0 && same("[data-id=a]", "[data-id=far]") && same("[data-id=z]", ".q-page:last-child [data-id=far]") ? "" : "small or moved"`,
		},
		{
			name: "text that should stay whole is broken where it is far too tall", warnings: "far",
			html:  one(box("a", 300) + `<div class="q-el" data-break="avoid" data-id="far"><p>` + words(6000) + `</p></div>` + box("z", 100)),
			check: `all(".q-scaled").length === 0 && same("[data-id=a]", "[data-id=far]") ? "" : "small or moved"`,
		},
		{
			name: "box in a box that is far too tall is broken", warnings: "out",
			html: one(box("a", 300) + `<div class="q-el" data-break="avoid" data-id="out"><div class="q-el" data-break="avoid" data-id="in">` + strings.Repeat(`<div style="height:90px">part</div>`, 30) + `</div></div>` + box("z", 100)), pages: 4,
			check: `all(".q-scaled").length === 0 && same("[data-id=a]", "[data-id=out]") ? "" : "small or moved"`,
		},
		{
			name: "whole table of one row that is far too tall", warnings: "t",
			html:  one(`<table data-break="avoid" class="q-el" data-id="t"><tbody><tr><td>` + words(6000) + `</td></tr></tbody></table>`),
			check: `all("tr.q-sliced").length > 1 && all(".q-scaled").length === 0 ? "" : "not sliced"`,
		},
		{
			name: "line that reaches out of its block is drawn no smaller than needed", warnings: "t",
			html:  one(`<div class="q-el" data-break="avoid" data-id="t" style="width:400px;background:#eee"><div style="width:1000px;height:50px" id="inner">x</div></div>`),
			check: `Math.abs(rect("#inner").right - rect(".q-page-body").right) < 2 ? "" : rect("#inner").right + " of " + rect(".q-page-body").right`,
		},
		{
			name: "over-tall picture in a table drawn smaller", warnings: "t t",
			html:  one(`<table data-break="auto" class="q-el" data-id="t"><tbody><tr><td><div style="height:3000px;width:1000px;background:#ccc" id="pic"></div></td><td>y</td></tr></tbody></table>`),
			check: `Math.abs(rect("#pic").height - rect(".q-scaled").height) < 2 ? "" : rect("#pic").height + " in " + rect(".q-scaled").height`,
		},
		{
			name: "block with a share of the width that is drawn smaller keeps its lines", pages: 1, warnings: "share",
			html:  one(`<div class="q-el" data-break="avoid" data-id="share" style="width:20%">` + words(130) + `</div>`),
			check: `rect(".q-scaled").width > 80 && rect(".q-scaled").width < 140 && rect("[data-id=share]").height <= bodyHeight() + 1 ? "" : rect(".q-scaled").width + " x " + rect("[data-id=share]").height`,
		},
		{
			name: "block of many parts that is a little too tall is drawn smaller", warnings: "near",
			html: one(`<div class="q-el" data-break="avoid" data-id="near">` + strings.Repeat(`<div style="height:90px">part</div>`, 12) + `</div>`), pages: 1,
			check: `all(".q-scaled").length === 1 ? "" : "not drawn smaller"`,
		},
		{
			name: "whole table that is far too tall repeats its header", warnings: "t",
			html: one(`<table data-break="avoid" class="q-el" data-id="t"><thead><tr><th>Header</th></tr></thead><tbody>` + strings.Repeat(`<tr><td style="height:40px">row</td></tr>`, 60) + `</tbody></table>`), pages: 3,
			check: `all("thead").length === 3 && all(".q-scaled").length === 0 ? "" : all("thead").length + " headers"`,
		},
		{
			name: "table that is wider than its box keeps out of what stands beside it", warnings: "t",
			html:  one(`<div class="q-el" data-break="avoid" style="display:flex"><div class="q-el" style="width:120px;flex:none"><table class="q-el" data-id="t"><tbody><tr><td style="white-space:nowrap">12,345,678.90</td><td style="white-space:nowrap">12,345,678.90</td></tr></tbody></table></div><div data-id="beside">beside</div></div>`),
			check: `rect("table").right <= rect("[data-id=beside]").left + 1 ? "" : rect("table").right + " over " + rect("[data-id=beside]").left`,
		},
		{
			name: "formula that is wider than its box keeps out of what stands beside it", warnings: "f t",
			html: one(`<div class="q-el" data-break="avoid" style="display:flex"><div style="width:120px;flex:none"><div class="q-el q-math" data-id="f" style="display:grid;grid-template-columns:1fr auto 1fr;min-width:max-content"><math display="block" style="grid-column:2"><mi>a</mi><mo>=</mo><mn>1234567890123456789012345</mn></math></div></div>` +
				`<p class="q-el" data-id="t" style="width:120px;flex:none">such as <math><mi>a</mi><mo>=</mo><mn>1234567890123456789012345</mn></math> is</p><div data-id="beside">beside</div></div>`),
			check: `all("math")[0].getBoundingClientRect().right <= rect("[data-id=t]").left + 1 && all("math")[1].getBoundingClientRect().right <= rect("[data-id=beside]").left + 1 ? "" : "over"`,
		},
		{
			name: "box too narrow for its table gives its width up", warnings: "b",
			html: one(`<div class="q-el" data-break="auto" data-id="b" style="width:14px"><table class="q-el q-fixed" data-id="t" data-break="auto" style="width:100%"><thead><tr><th>Id</th><th>Name</th><th>Group</th></tr></thead><tbody><tr><td>1</td><td>First</td><td>North</td></tr></tbody></table></div>`), pages: 1,
			check: `rect("table").width > 400 && all("[style*=zoom]").length === 0 ? "" : "width " + rect("table").width + ", smaller: " + all("[style*=zoom]").length`,
		},
		{
			name: "box as narrow as its table can be read keeps its width",
			html: one(`<div class="q-el" data-break="auto" data-id="b" style="width:170px"><table class="q-el q-fixed" data-id="t" data-break="auto" style="width:100%"><thead><tr><th>Id</th><th>Name</th><th>Group</th></tr></thead><tbody><tr><td>1</td><td>First</td><td>North</td></tr></tbody></table></div>`), pages: 1,
			check: `rect("[data-id=b]").width === 170 ? "" : "width " + rect("[data-id=b]").width`,
		},
		{
			name: "wide table keeps its width from page to page", warnings: "t",
			html: one(`<table data-break="auto" class="q-el" data-id="t" style="width:100%"><tbody>` + strings.Repeat(`<tr>`+strings.Repeat(`<td style="white-space:nowrap;padding:2px">1,234,567.89</td>`, 12)+`</tr>`, 90) + `</tbody></table>`),
			check: `(() => { const out = all("table").filter((t) => Math.abs(t.getBoundingClientRect().width - rect(".q-page-body").width) > 3 || [...t.querySelectorAll("td")].some((c) => c.scrollWidth > c.clientWidth + 1));
				return pages.length > 1 && out.length === 0 ? "" : pages.length + " pages, " + out.length + " tables of another width, " + all("table").map((t) => t.getBoundingClientRect().width) + " of " + rect(".q-page-body").width + " " + all("td")[0].scrollWidth + ">" + all("td")[0].clientWidth })()`,
		},
		{
			name: "over-tall block behind its heading", html: one(box("a", 100) + `<h2 class="q-el" data-keep-next data-id="h">Title</h2>` + box("tall", 2000)), pages: 2, warnings: "tall",
			check: `same("[data-id=h]", "[data-id=tall]") ? "" : "heading alone"`,
		},
		{
			name: "block that nearly fits behind its heading", html: one(`<h2 class="q-el" data-keep-next data-id="h">Title</h2>` + box("b", room-10)), pages: 1, warnings: "b",
		},
		{
			name: "block that does not fit behind much that stays with it", html: one(strings.Replace(box("a", 400), ">", " data-keep-next>", 1) + box("b", room-10)), pages: 2,
		},
		{
			name: "over-tall picture in a line", warnings: "p",
			html:  one(`<p class="q-el" data-break="auto" data-id="p">before <img style="width:300px;height:1900px" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='30' height='190'/%3E"> after</p>`),
			check: `rect("img").height < bodyHeight() ? "" : "height " + rect("img").height`,
		},
		{
			name: "row taller than a page", html: one(`<table data-break="auto" class="q-el" data-id="t"><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>` + words(1200) + `</td><td>` + words(2500) + `</td></tr><tr><td>x</td><td>y</td></tr></tbody></table>`),
			check: `all("tr.q-sliced").length >= 4 && all(".q-page-body > .q-scaled-content").length === 0 ? "" : "not sliced"`,
		},
		{
			name: "row with an over-tall picture", warnings: "t",
			html:  one(`<table data-break="auto" class="q-el" data-id="t"><tbody><tr><td><div style="height:1500px;background:#ccc"></div></td><td>y</td></tr></tbody></table>`),
			check: `rect("td div.q-scaled").height <= bodyHeight() ? "" : "too high"`,
		},
		{
			name: "row with a height of its own", html: one(`<table data-break="auto" class="q-el" data-id="t"><tbody><tr style="height:1500px"><td>x</td><td>y</td></tr></tbody></table>`), pages: 1,
		},
		{
			name: "header that fills the page", warnings: "1",
			html: document(sheet{header: `<div style="height:1500px">Header</div>`, footer: "Footer", body: para("p", 600)}),
		},
		{
			name: "table header of half a page is not repeated",
			html: one(`<table data-break="auto" class="q-el" data-id="t"><thead><tr><th style="height:600px">Header</th></tr></thead><tbody>` + strings.Repeat(`<tr><td>row</td></tr>`, 60) + `</tbody></table>`), pages: 3,
			check: `all("thead").length === 1 ? "" : all("thead").length + " headers"`,
		},
		{
			name:  "pages that do not count",
			html:  document(sheet{footer: pageOfPages, header: "H", body: "cover", uncounted: true}, sheet{header: "H", footer: pageOfPages, body: box("a", 600) + box("b", 600)}),
			check: `all(".q-page-footer").map(e => e.textContent).join("|") === "Page  of 2|Page 1 of 2|Page 2 of 2" ? "" : all(".q-page-footer").map(e => e.textContent).join("|")`,
		},
		{
			name:  "formats of page numbers",
			html:  document(sheet{header: `<span class="q-page-number" data-format="zeropad;3:prefix;p. :wrap;(;)"></span>`, footer: `<span class="q-page-count" data-format="n"></span>`, body: "x"}),
			check: `text(".q-page-header") === "(p. 001)" && text(".q-page-footer") === "1" ? "" : text(".q-page-header")`,
		},
		{
			name: "contents with page numbers",
			html: one(`<p>Contents</p><p><a href="#c">C</a> <span class="q-page-of" data-target="c"></span></p>` + box("a", 700) + box("b", 700) + `<h2 id="c" data-outline="1">C</h2>` + para("p", 20)), pages: 2,
			check: `text(".q-page-of") === "2" && answer.anchors.some(a => a.id === "c" && a.page === 2 && a.text === "C") ? "" : text(".q-page-of")`,
		},
		{
			name: "references before and after what they name", warnings: "",
			html: document(sheet{header: `Costs on ` + reference("c"), footer: pageOfPages, body: `<p class="q-el">See ` + reference("c") + `</p><div class="q-el q-html" data-break="auto" style="columns:3">` + strings.Repeat(`<p>`+words(60)+` `+reference("c")+` `+words(60)+`</p>`, 20) + `</div>` +
				`<table class="q-el" data-break="auto"><tbody>` + strings.Repeat(`<tr><td style="width:1em;overflow-wrap:anywhere">`+reference("c")+`</td><td>`+words(9)+`</td></tr>`, 400) + `</tbody></table>` +
				`<h2 id="c" data-outline="1">C</h2><p class="q-el">` + words(900) + `</p><p class="q-el">Back to ` + reference("c") + `</p>`}),
			check: `(() => { const on = String(pages.findIndex((p) => p.querySelector("#c")) + 1); const said = all(".q-page-of").map((n) => n.textContent); return Number(on) > 9 && said.length > 420 && said.every((n) => n === on) ? "" : on + " is not " + [...new Set(said)]; })()`,
		},
		{
			name: "forced break", html: one(box("a", 50) + `<div class="q-el" data-break="auto" data-break-before="page" style="margin-top:40px">b</div>`), pages: 2,
			check: `Math.abs(rect("[data-break-before]").top - rect(".q-page:nth-of-type(2) .q-page-body").top - 40) < 1 ? "" : "margin lost"`,
		},
		{
			name: "margin at the top of a page is dropped", html: one(box("a", 800) + `<div class="q-el" data-break="avoid" data-id="b" style="margin-top:40px;height:300px">b</div>`), pages: 2,
			check: `Math.abs(rect("[data-id=b]").top - rect(".q-page:nth-of-type(2) .q-page-body").top) < 1 ? "" : "margin kept"`,
		},
		{
			name: "numbered list goes on", html: one(`<ol data-break="auto" class="q-el" data-id="l" start="5">` + strings.Repeat("<li>"+words(40)+"</li>", 40) + `</ol>`),
			check: `all("ol").slice(1).every((o, i) => o.start === 5 + count(all("ol").slice(0, i + 1))) ? "" : all("ol").map(o => o.start).join()`,
		},
		{
			name: "list that counts down", html: one(`<ol reversed data-break="auto" class="q-el" data-id="l">` + strings.Repeat("<li>item</li>", 70) + `</ol>`), pages: 2,
			check: `all("ol")[0].start === 70 && all("ol")[1].start === 70 - all("ol")[0].children.length ? "" : all("ol").map(o => o.start).join()`,
		},
		{
			name: "group captions are repeated", html: one(`<table data-break="auto" class="q-el" data-id="t"><tbody>` + groups() + `</tbody></table>`),
			check: `all("[data-repeated]").map(e => e.textContent).join() === "Group 1,Region 2" || all("[data-repeated]").length > 1 ? "" : "captions: " + all("[data-repeated]").length`,
		},
		{
			name: "sums are carried to the next page and from the one before", html: one(box("a", 500) + carrying(90, "<tfoot><tr><td>total</td><td>90</td></tr></tfoot>")), pages: 4,
			check: `carriedBy("forward", ".q-carried") === carriedBy("brought", ".q-brought") ? all(".q-page-body").every(b => b.scrollHeight <= b.clientHeight) ? "" : "too high" : carriedBy("brought", ".q-brought")`,
		},
		{
			name: "each page has the sum of its rows", html: one(box("a", 500) + summing(90)), pages: 4,
			check: `summed()`,
		},
		{
			name: "a table on one page has the sum of all rows", html: one(summing(9)), pages: 1,
			check: `summed()`,
		},
		{
			name: "a box that begins a page with an empty one keeps the margin of that", html: one(box("a", 100) + `<ul class="q-el" data-break="auto" data-id="l"><li class="q-el" data-break-before="page" data-id="i"><div class="q-el" style="margin:0 0 60px"></div></li></ul>` + strings.Repeat("<p style='margin:0'>row</p>", 200)),
			check: `all(".q-page-body").every(b => b.scrollHeight <= b.clientHeight) ? "" : all(".q-page-body").map(b => b.scrollHeight - b.clientHeight).join()`,
		},
		{
			name: "what is too wide together is drawn smaller", warnings: "f", html: one(`<div class="q-el" data-id="f" style="display:flex">` + strings.Repeat(`<div class="q-el" style="flex:0 0 300px"><div class="q-el"><p>words</p></div></div>`, 3) + `</div>`),
			check: `all("p").every(p => p.getBoundingClientRect().right <= rect(".q-page-body").right + 1) && new Set(all("p").map(p => p.currentCSSZoom)).size === 1 ? "" : "off the paper or not alike"`,
		},
		{
			name: "what is too wide together from right to left is drawn smaller", warnings: "f", html: one(`<div class="q-el" data-id="f" dir="rtl" style="display:flex">` + strings.Repeat(`<div class="q-el" style="flex:0 0 300px"><div class="q-el"><p>words</p></div></div>`, 3) + `</div>`),
			check: `all("p").every(p => p.getBoundingClientRect().left >= rect(".q-page-body").left - 1) ? "" : "off the paper"`,
		},
		{
			name: "a box higher than its page does not pass on shares of its height", warnings: "f", html: one(`<div class="q-el" data-id="f" style="height:1400px"><div class="q-el" data-id="r" style="height:130%"><p>words</p></div></div>`), pages: 1,
			check: `all(".q-page-body").every(b => b.scrollHeight <= b.clientHeight) ? "" : all(".q-page-body").map(b => b.scrollHeight - b.clientHeight).join()`,
		},
		{
			name: "nothing is carried where a table begins on a page or stays on one", html: one(box("a", 900) + carrying(3, "")), pages: 2,
			check: `all("tr.q-carried, tr.q-brought").every(r => r.getBoundingClientRect().height === 0) && same("[data-carry]", "[data-carry='3']") ? "" : "carried"`,
		},
		{
			name: "no row of a group is alone on a page, neither its first nor its last", html: groupsBelow(300, 330, 360, 390, 420, 450, 480),
			check: `(() => {
				const kinds = all(".q-page-body").map(b => [...b.querySelectorAll("tr")].map(r => r.hasAttribute("data-repeat") ? "G" : r.hasAttribute("data-keep-prev") ? "S" : "r").join(""));
				return kinds.length > 2 && kinds.every(k => !/Gr$|^G?r(S|$)/.test(k)) ? "" : kinds.join(" ");
			})()`,
		},
		{
			name: "group of rows is kept together", html: one(box("a", 800) + `<table data-break="auto" class="q-el" data-id="t"><tbody><tr><td>first</td></tr></tbody><tbody data-keep><tr><td style="height:40px">one</td></tr><tr><td style="height:40px">two</td></tr><tr id="three"><td style="height:40px">three</td></tr></tbody></table>`), pages: 2,
			check: `same("[data-id=a]", "[data-id=t]") && all("tbody[data-keep]").length === 1 && !same("[data-id=a]", "#three") ? "" : "group was parted"`,
		},
		{
			name: "kept group taller than a page", html: one(box("a", 100) + `<table data-break="auto" class="q-el" data-id="t"><tbody data-keep>` + strings.Repeat("<tr><td>row</td></tr>", 99) + `</tbody></table>`),
			check: `all("tr").length === 99 ? "" : all("tr").length + " rows"`,
		},
		{
			name: "row group taller than a page", html: one(`<table data-break="auto" class="q-el" data-id="t"><tbody><tr><td rowspan="100">span</td><td>0</td></tr>` + strings.Repeat("<tr><td>row</td></tr>", 99) + `</tbody></table>`),
			check: `all("td[rowspan]").reduce((n, c) => n + c.rowSpan, 0) === 100 && all("tr").every(tr => tr.getBoundingClientRect().width > 0) ? "" : "spans " + all("td[rowspan]").map(c => c.rowSpan).join()`,
		},
		{
			name: "plain HTML follows its container", html: one(`<div class="q-el q-html" data-break="auto" data-id="x"><h2>Title</h2><p>` + words(900) + `</p><table><thead><tr><th>H</th></tr></thead><tbody>` + strings.Repeat("<tr><td>cell</td></tr>", 80) + `</tbody></table><p style="break-before:page">New page</p></div>`),
			check: `all("thead").length > 1 && text(".q-page:last-of-type .q-page-body") === "New page" ? "" : "not broken"`,
		},
		{
			name: "wrapped flow", html: one(`<div class="q-el q-flow" data-id="f" data-break="auto" style="display:flex;flex-wrap:wrap;gap:10px">` + strings.Repeat(`<div style="width:200px;height:90px;background:#eee">card</div>`, 50) + `</div>`), pages: 2,
			check: `all(".q-page").every(p => p.querySelectorAll(".q-flow > div").length % 3 === 0 || p.matches(":last-of-type")) ? "" : "a line was parted"`,
		},
		{
			name: "white space at the end of a page", html: one(box("a", 900) + `<div class="q-el q-spacer" data-space style="height:200px"></div>` + box("b", 100)), pages: 2,
			check: `Math.abs(rect("[data-id=b]").top - rect(".q-page:nth-of-type(2) .q-page-body").top) < 1 ? "" : "white space at the top"`,
		},
		{
			name: "white space at the end of a document", html: one(box("a", 900) + `<div class="q-el q-spacer" data-space style="height:200px"></div>`), pages: 1,
		},
		{
			name: "numbers begin anew with a section, an element and a group",
			html: document(
				sheet{header: "h", footer: runOfPages, body: box("a", 900) + box("b", 900)}, sheet{header: "h", footer: runOfPages, anew: true, body: box("c", 900) + box("d", 900) + `<div class="q-el" data-break="auto" data-anew="1">` + box("e", 900) + box("f", 900) + `</div>`},
				sheet{header: "h", footer: runOfPages, body: box("g", 900)}, sheet{header: "h", footer: runOfPages, uncounted: true, anew: true, body: box("h", 900)}, sheet{header: "h", footer: runOfPages, body: grouped("4")},
			), pages: 10,
			check: `footers() === "1/2 2/2 1/2 2/2 1/3 2/3 3/3 /1 1/1 1/1" ? "" : footers()`,
		},
		{
			name: "chapters begin on odd pages, after a blank one that counts",
			html: document(sheet{header: "h", footer: pageOfPages, body: box("a", 900)}, sheet{header: "h", footer: pageOfPages, startOn: "odd", body: box("b", 900) + box("c", 900)}, sheet{header: "h", footer: pageOfPages, startOn: "odd", body: box("d", 900) + box("e", 900) + box("f", 900)},
				sheet{header: "h", footer: pageOfPages, startOn: "even", body: box("g", 900)}),
			pages: 8,
			check: `pages.map(p => (p.querySelector("[data-id]")?.dataset.id ?? "-") + p.dataset.number).join(" ") + "; " + footers() === "a1 -2 b3 c4 d5 e6 f7 g8; Page 1 of 8 Page 3 of 8 Page 4 of 8 Page 5 of 8 Page 6 of 8 Page 7 of 8 Page 8 of 8" && pages[1].textContent === "" && pages[1].matches(".q-blank:not([data-page], [data-name])") ? "" : pages.map(p => (p.querySelector("[data-id]")?.dataset.id ?? "-") + p.dataset.number).join(" ") + "; " + footers()`,
		},
		{
			name: "letters begin on fronts, each with numbers of its own, which blank pages are left out of",
			html: document(sheet{header: "h", footer: runOfPages, uncounted: true, body: "cover"}, sheet{header: "h", footer: runOfPages, startOn: "odd", anew: true, body: box("a", 900)}, sheet{header: "h", footer: runOfPages, startOn: "odd", anew: true, body: box("b", 900) + box("c", 900) + box("d", 900)},
				sheet{header: "h", footer: runOfPages, startOn: "odd", anew: true, body: box("e", 900)}),
			pages: 9,
			check: `pages.map(p => p.dataset.number || "-").join(" ") + "; " + footers() === "- - 1 - 1 2 3 - 1; /0 1/1 1/3 2/3 3/3 1/1" ? "" : pages.map(p => p.dataset.number || "-").join(" ") + "; " + footers()`,
		},
		{
			name: "a report begins on an even page after a blank one", html: document(sheet{header: "h", footer: "f", startOn: "even", body: box("a", 900)}, sheet{header: "h", footer: "f", startOn: "sideways", body: box("b", 900)}), pages: 3,
			check: `pages[0].matches(".q-blank") && pages[1].querySelector("[data-id=a]") ? "" : "not there"`,
		},
		{
			name:  "headers say the last heading and group that began by the end of their page",
			html:  document(sheet{header: running, footer: "f", body: box("a", 900) + outline(1, "One") + box("b", 850) + outline(2, "Two") + box("c", 850) + outline(1, "A longer heading than the others, which takes more than one line of the header if it is as long as that") + box("d", 500)}, sheet{header: running, footer: "f", body: grouped("")}),
			check: `headers() === "|| One|| One|Two| A longer heading than the others, which takes more than one line of the header if it is as long as that|| A longer heading than the others, which takes more than one line of the header if it is as long as that||North A longer heading than the others, which takes more than one line of the header if it is as long as that||South" && all(".q-page-header").every(h => h.scrollHeight <= h.nextElementSibling.offsetTop - h.offsetTop + 1) ? "" : headers()`,
		},
		{
			name: "captions and heads that go on say so, and keep room for it",
			html: one(`<table class="q-el" data-break="auto"><thead><tr class="q-again"><th style="height:40px">Table (continued)</th></tr><tr><th>Head</th></tr></thead><tbody><tr data-repeat="1" data-keep-next><th>North <span class="q-again">(continued)</span></th></tr>` + strings.Repeat(`<tr><td style="height:50px">row</td></tr>`, 40) + `</tbody></table>`), pages: 3,
			check: `all(".q-page").map(p => [...p.querySelectorAll(".q-again")].filter(e => getComputedStyle(e).visibility === "visible").map(e => e.textContent).join("+")).join(" / ") === " / Table (continued)+(continued) / Table (continued)+(continued)" && all(".q-page-body").every(b => b.scrollHeight <= b.clientHeight) ? "" : all("table").map(t => t.innerText).join(" / ")`,
		},
		{
			name: "what stands freely is on the pages that it says, once, and takes no room",
			html: document(sheet{header: "h" + free("all", "behind"), footer: "f", body: box("a", 900)}, sheet{header: "h" + free("even", "above") + free("even", "above") + free("last", "above"), footer: "f" + free("following", "behind"), body: box("b", 900) + box("c", 900)}), pages: 3,
			check: `all(".q-page").map(p => [...p.children].map(e => e.dataset.pages ?? "-").join("")).join(" ") === "all--- ---even following---last" ? "" : all(".q-page").map(p => [...p.children].map(e => e.dataset.pages ?? "-").join("")).join(" ")`,
		},
		{
			name: "justified text stays justified", html: one(`<p class="q-el" data-break="auto" data-id="p" style="text-align:justify">` + words(1500) + `</p>`),
			check: `getComputedStyle(all("p.q-cut-end")[0]).textAlignLast === "justify" ? "" : "last line is ragged"`,
		},
		{
			name: "the gaps of justified text are even, and its lines as wide as their paragraph", html: one(`<div class="q-el q-rich" data-break="auto" data-id="p" style="width:220px;font:14px serif;text-align:justify"><p>` + evenly + `</p><p><b>` + evenly + `</b><br>` + evenly + `</p></div>`),
			check: `(() => {
				const rects = (el) => { const r = document.createRange(); r.selectNodeContents(el); return r.getBoundingClientRect(); };
				const lines = all("p .q-line");
				const own = lines.map(l => [l, rects(l), l.closest("p").getBoundingClientRect(), l.closest("p")]);
				const last = (l) => !l.nextElementSibling || l.nextElementSibling.tagName === "BR";
				const ragged = own.filter(([l, r, p]) => !last(l) && Math.abs(r.right - p.right) > 0.6 && !l.classList.contains("q-hyphen")).map(([l]) => l.textContent);
				const over = own.filter(([, r, p]) => r.right > p.right + 0.6).map(([l]) => l.textContent);
				const torn = own.filter(([, r]) => r.height > 24).map(([l]) => l.textContent);
				return lines.length > 12 && ragged.length + over.length + torn.length === 0 && !all("p").some(p => /\ufffd/.test(p.textContent)) ? "" : JSON.stringify({ n: lines.length, ragged, over, torn });
			})()`,
		},
		{
			name: "soft hyphens", html: one(`<p class="q-el" data-break="auto" data-id="p" style="width:90px">` + strings.Repeat("Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft ", 60) + `</p>`),
			check: `all(".q-cut-end").every(p => !p.textContent.endsWith("\u00ad") || p.classList.contains("q-hyphen")) ? "" : "hyphen lost"`,
		},
		{
			name: "markup inside of text", html: one(`<p class="q-el" data-break="auto" data-id="p"><a href="#x" id="x" style="padding:0 4px"><b><i>` + words(2000) + `</i></b></a></p>`),
			check: `all("#x").length === 1 && all("a b i").length === all(".q-page").length ? "" : "markup lost"`,
		},
		{
			name: "characters outside of the basic plane", html: one(`<p class="q-el" data-break="auto" data-id="p">` + strings.Repeat("𝒜𝒷😀 ", 2500) + `</p>`),
			check: `all("p").every(p => p.textContent.isWellFormed()) ? "" : "half a character"`,
		},
		{
			name: "preformatted text", html: one(`<div class="q-el" data-break="auto" data-id="x"><pre>` + strings.Repeat("line of code\n", 150) + `</pre></div>`), pages: 4,
		},
		{
			name: "floats go with their neighbours", html: one(box("a", 800) + `<div class="q-el" data-break="auto" data-id="f"><div style="float:left;width:100px;height:180px">float</div><p>` + words(60) + `</p></div>`), pages: 2,
		},
		{
			name: "right to left", html: documentWith(`lang="ar" dir="rtl"`, "", sheet{header: "رأس", footer: pageOfPages, body: table(60) + box("tall", 2000)}), warnings: "tall",
		},
		{
			name: "landscape and custom sizes",
			html: document(sheet{header: "h", footer: "f", width: "297mm", height: "210mm", body: "a"}, sheet{header: "h", footer: "f", width: "100.3mm", height: "77.7mm", margin: "5mm", body: "b"}, sheet{header: "h", footer: "f", width: "8.5in", height: "11in", body: "c"}), pages: 3,
		},
		{
			name: "many sizes", html: document(manySizes()...), pages: 60,
		},
		{
			name: "unreadable sizes", html: document(sheet{width: "wide", height: "-3mm", margin: "5000mm", header: "h", footer: "f", body: para("p", 300)}),
		},
		{
			name: "box that closes at each break", html: one(`<div class="q-el q-flow col" data-break="auto" data-id="f" style="box-decoration-break:clone">` + para("a", 700) + para("b", 700) + `</div>`),
			check: `all(".col").every(c => getComputedStyle(c).borderBottomWidth === "2px") ? "" : "open frame"`,
		},
		{
			name: "text in columns", html: one(box("a", 700) + columns("auto", 3, 1500) + box("z", 60)), pages: 4,
			check: `all(".q-page").map(p => p.querySelectorAll(".q-column").length).join() === "3,3,3,3" && Math.abs(all(".q-column").at(-1).offsetHeight - all(".q-column").at(-3).offsetHeight) < 60 ? "" : all(".q-page").map(p => p.querySelectorAll(".q-column").length).join()`,
		},
		{
			name: "text in columns that is whole", html: one(box("a", 700) + columns("avoid", 2, 500)), pages: 2,
			check: `all(".q-column").length === 0 ? "" : "broken"`,
		},
		{
			name: "text in columns of a width", html: one(`<div class="q-el q-html" data-break="auto" data-id="c" style="columns:200px;padding:8px"><p>` + words(5000) + `</p></div>`),
			check: `all(".q-scaled").length === 0 && all(".q-page:first-child .q-column").length === 3 ? "" : all(".q-page:first-child .q-column").length + " columns"`,
		},
		{
			name: "text in columns of a width that has room once, behind a number", html: one(`<div class="q-el q-html" data-break="auto" data-id="c" style="columns:3 500px"><p>` + words(3000) + `</p></div>`),
			check: `all(".q-scaled, .q-column").length === 0 ? "" : all(".q-column").length + " columns"`,
		},
		{
			name: "text in columns behind its heading", html: one(box("a", 890) + `<h2 class="q-el" data-keep-next>Title</h2>` + columns("auto", 2, 300)), pages: 2,
			check: `same("h2", ".q-columns") ? "" : "heading alone"`,
		},
		{
			name: "over-tall block in columns", warnings: "c",
			html:  one(`<div class="q-el" data-break="auto" data-id="c" style="columns:2">` + words(300) + `<div style="break-inside:avoid;height:1500px"></div></div>`),
			check: `rect(".q-scaled").height <= bodyHeight() ? "" : "too high"`,
		},
		{
			name: "footnotes leave the room that they need", pages: 2,
			html:  one(box("a", room-120) + `<p class="q-el" data-id="p">word` + note("short") + `</p><p class="q-el" data-id="q">word` + note(words(60)) + `</p><p>end</p>`),
			check: `same("[data-id=a]", "[data-id=p]") && !same("[data-id=p]", "[data-id=q]") && text(".q-page-notes") === "1 short" ? "" : all(".q-page-notes").map((n) => n.textContent).join(" / ")`,
		},
		{
			name:  "footnotes of lines stand where the lines do",
			html:  one(`<p class="q-el" data-break="auto">` + strings.Repeat(words(40)+note(words(12)), 40) + `</p>`),
			check: `pages.length > 2 && pages.every((p) => p.querySelector(".q-note-number")) && all(".q-note-number").map((n) => n.textContent).join() === [...Array(40).keys()].map((n) => n + 1).join() ? "" : pages.length + " pages"`,
		},
		{
			name:  "footnotes of text in columns",
			html:  one(box("a", 200) + `<div class="q-el q-html" data-break="auto" style="columns:3">` + strings.Repeat("<p>"+words(60)+note(words(15))+"</p>", 40) + `</div><p class="q-el">end` + note("last") + `</p>`),
			check: `pages.length > 2 && pages.every((p) => p.querySelector(".q-note-number")) && all(".q-note-number").length === 41 ? "" : pages.length + " pages"`,
		},
		{
			name: "footnotes of boxes side by side", warnings: "f",
			html:  one(beside("avoid", `<p class="q-el" style="width:60%">`+strings.Repeat(words(50)+note(words(9)), 30)+`</p>`, `<p class="q-el">`+strings.Repeat(words(30)+note(words(9)), 30)+`</p>`)),
			check: `pages.length > 2 && all(".q-note-number").length === 60 ? "" : all(".q-note-number").length + " notes"`,
		},
		{
			name:  "footnotes of a header that repeats are printed once",
			html:  one(`<table class="q-el" data-break="auto"><thead><tr data-repeat><th>Head` + note("of the header") + `</th></tr></thead><tbody>` + strings.Repeat(`<tr><td>row</td></tr>`, 70) + `<tr><td>row` + note("of a row") + `</td></tr></tbody></table>`),
			check: `all(".q-page-notes").map((n) => n.textContent).join() === "1 of the header,2 of a row" ? "" : all(".q-page-notes").map((n) => n.textContent).join()`,
		},
		{
			name: "footnote that is higher than half a page", warnings: "p",
			html:  one(box("a", 500) + `<p class="q-el" data-id="p">word` + note(words(1500)) + `</p>`),
			check: `text("[data-id=p]") === "word1" && rect(".q-page-notes").height < 700 ? "" : "height " + rect(".q-page-notes").height`,
		},
		{
			name:  "footnotes of what is not drawn are not printed, nor those in footnotes",
			html:  one(`<p class="q-el"><span style="display:none">gone` + note("lost") + `</span>one` + note("first"+note("inner")) + ` two` + note("second") + `</p>`),
			check: `all(".q-page-notes .q-note-text").map((n) => n.textContent).join() === "1 first (inner),2 second" ? "" : text(".q-page-notes")`,
		},
		{
			name: "footnotes of headers stand in parentheses", warnings: "h",
			html:  document(sheet{header: `<p data-id="h">Header` + note("aside") + `</p>`, footer: pageOfPages, body: "<p>text</p>"}),
			check: `headers() === "Header (aside)" && !document.querySelector(".q-page-notes") ? "" : headers()`,
		},
		{
			name: "boxes side by side break together", warnings: "f",
			html:  one(box("a", 100) + beside("avoid", `<p class="q-el" style="width:60%">`+words(2000)+`</p>`, `<div class="q-el" data-id="s">side</div>`) + box("z", 100)),
			check: `all(".q-scaled").length === 0 && pages.length >= 3 && same("[data-id=a]", "[data-id=s]") && all(".row > p").every((p) => Math.abs(p.offsetWidth - all(".row > p")[0].offsetWidth) < 1) ? "" : pages.length + " pages"`,
		},
		{
			name:  "tables side by side repeat their headers",
			html:  one(box("a", 300) + beside("auto", tableOf("s", 30), tableOf("t", 90)) + box("z", 100)),
			check: `all(".q-scaled").length === 0 && same("[data-id=a]", "[data-id=s]") && all("tbody tr").length === 120 && all("table[data-id=t]").length > 1 && all("table").every((t) => t.tHead && Math.abs(t.offsetWidth - all("table")[0].offsetWidth) < 2) && all("[data-id=t]").every((t) => t.getBoundingClientRect().left > 300) ? "" : all("table").map((t) => t.dataset.id + t.offsetWidth + (t.tHead ? "h" : "")).join()`,
		},
		{
			name: "a long value beside its name", warnings: "d",
			html:  one(`<dl class="q-el" data-break="auto" data-id="d"><div style="display:grid;grid-template-columns:35% 1fr;break-inside:avoid" data-id="k"><dt>name</dt><dd>` + words(2500) + `</dd></div></dl>` + box("z", 100)),
			check: `all(".q-scaled").length === 0 && all("dd").every((d) => Math.abs(d.offsetLeft - all("dd")[0].offsetLeft) < 1) && pages.length > 2 ? "" : all("dd").map((d) => d.offsetLeft).join()`,
		},
		{
			name: "boxes side by side in boxes side by side", warnings: "f",
			html:  one(beside("avoid", `<div class="q-el row" data-id="in"><p class="q-el" style="width:50%">`+words(2500)+`</p><p class="q-el">`+words(300)+`</p></div>`, `<img style="width:80px;height:60px" alt="" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">`) + box("z", 100)),
			check: `all(".q-scaled").length === 0 && all("img").length === 1 && pages.length > 2 ? "" : all("img").length + " pictures"`,
		},
		{
			name: "fixed height grows", warnings: "x",
			html: one(`<div class="q-el" data-break="avoid" data-id="x" style="height:50px">` + words(200) + `</div>` + box("z", 100) + `<div class="q-el" data-id="y" style="height:50px">short</div>`), pages: 1,
			check: `rect("[data-id=x]").bottom <= rect("[data-id=z]").top + 1 && rect("[data-id=x]").height > 100 && rect("[data-id=y]").height === 50 ? "" : "height " + rect("[data-id=x]").height`,
		},
		{
			name: "fixed height grows past the page", warnings: "x x",
			html:  one(`<div class="q-el" data-break="avoid" data-id="x" style="height:50px">` + words(3000) + `</div>` + box("z", 100)),
			check: `pages.length > 3 && all(".q-scaled").length === 0 ? "" : pages.length + " pages"`,
		},
		{
			name: "fixed height that cuts off",
			html: one(`<div class="q-el" data-id="x" data-overflow="clip" style="height:50px;overflow:hidden">` + words(200) + `</div>` + box("z", 100)), pages: 1,
			check: `rect("[data-id=x]").height === 50 ? "" : "height " + rect("[data-id=x]").height`,
		},
		{
			name: "fixed height that cuts off more than pages",
			html: one(`<ul class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="height:50px;overflow:hidden">` + strings.Repeat("<li>"+words(9)+"</li>", 300) + `</ul>` +
				`<div class="q-el" data-id="r" data-break="auto" style="display:flex"><ul class="q-el" data-break="auto" data-overflow="clip" style="flex:1;height:60px;overflow:hidden">` + strings.Repeat("<li>"+words(9)+"</li>", 300) + `</ul><p style="flex:1">beside</p></div>` + box("z", 100)), pages: 1,
			check: `rect("[data-id=x]").height === 50 && rect("[data-id=r]").height < 100 ? "" : "heights " + rect("[data-id=x]").height + ", " + rect("[data-id=r]").height`,
		},
		{
			name: "box higher than a page that cuts off lines", warnings: "x",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="height:3000px;overflow:hidden"><p>` + words(9000) + `</p><p>` + words(9000) + `</p></div>` + box("z", 100)), pages: 4,
			check: highOf("x", 3000) + `|| (same("[data-id=z]", ".q-page:last-of-type [data-id=x]") ? "" : "pages of what is hidden")`,
		},
		{
			name: "box higher than a page that cuts off blocks", warnings: "x",
			html: one(`<ul class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="height:1500px;overflow:hidden">` + strings.Repeat("<li>"+words(9)+"</li>", 900) + `</ul>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500),
		},
		{
			name: "boxes side by side in one that is higher than a page and cuts off", warnings: "x",
			html: one(`<div class="q-el row" data-id="x" data-break="auto" data-overflow="clip" style="display:flex;height:1500px;overflow:hidden"><p style="flex:1">` + words(9000) + `</p><p style="flex:1">beside</p></div>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500),
		},
		{
			name: "box higher than a page that ends in an ellipsis", warnings: "x",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="ellipsis" style="height:1500px;line-height:20px;overflow:hidden">` + words(9000) + `</div>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500) + `|| (all(".q-continued").length === 1 && rect(".q-continued").width > 5 && rect(".q-continued").bottom > all("[data-id=x]").at(-1).getBoundingClientRect().bottom - 21 ? "" : "no ellipsis")`,
		},
		{
			name: "text in columns of a fixed height that cuts off",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="columns:3;height:200px;overflow:hidden">` + words(900) + `</div>` + box("z", 100)), pages: 1,
			check: `(() => { const r = document.createRange(); r.selectNodeContents(all("[data-id=x]")[0]); return rect("[data-id=x]").height === 200 && [...r.getClientRects()].some((b) => b.left > 450 && b.left < rect("[data-id=x]").right) ? "" : "one column"; })()`,
		},
		{
			name: "text in columns higher than a page that cuts off", warnings: "x",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="columns:3;height:1500px;overflow:hidden">` + words(20000) + `</div>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500) + `|| ((cols) => { const high = cols.reduce((sum, c) => sum + c.getBoundingClientRect().height, 0); return cols.length === 6 && high > 3 * 1440 && high <= 3 * 1500 ? "" : cols.length + " columns, together " + high; })(all("[data-id=x] > .q-column"))`,
		},
		{
			name: "text in columns of a width higher than a page that cuts off", warnings: "x",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="columns:200px;height:1500px;overflow:hidden">` + words(20000) + `</div>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500),
		},
		{
			name: "text in columns higher than a page that cuts off, in a float", warnings: "f",
			html: one(`<div class="q-el" data-id="f" style="display:flow-root"><div style="float:left;width:100%"><div class="q-el" data-overflow="clip" style="columns:3;height:1500px;overflow:hidden" data-id="x">` + words(20000) + `</div></div></div>` + box("z", 100)), pages: 2,
			check: highOf("x", 1500),
		},
		{
			name: "text in columns nearly as high as a page that cuts off",
			html: one(`<div class="q-el" data-break="auto" data-id="x" data-overflow="clip" style="columns:3;height:850px;overflow:hidden">` + words(20000) + `</div>` + box("z", 50)), pages: 1,
			check: highOf("x", 850),
		},
		{
			name: "box in columns that cuts off, higher than a page",
			html: one(`<div class="q-el" data-break="auto" data-id="c" style="columns:2"><div data-break="auto" data-id="x" data-overflow="clip" style="height:1500px;overflow:hidden">` + words(20000) + `</div></div>` + box("z", 100)), pages: 1,
			check: highOf("x", 1500),
		},
		{
			name: "fixed height that ends in an ellipsis",
			html: one(`<div class="q-el" data-id="x" data-overflow="ellipsis" style="height:50px;line-height:20px;overflow:hidden">` + words(200) + `</div>` + box("z", 100)), pages: 1,
			check: `rect("[data-id=x]").height === 40 && rect("[data-id=z]").top - rect("[data-id=x]").top === 50 && getComputedStyle(all("[data-id=x]")[0]).webkitLineClamp === "2" ? "" : "height " + rect("[data-id=x]").height`,
		},
		{
			name: "number in a fixed column that is too narrow", warnings: "t",
			html:  one(`<table data-break="auto" class="q-el q-fixed" data-id="t" style="table-layout:fixed;width:100%"><colgroup><col style="width:40px"><col style="width:60px"><col></colgroup><tbody><tr><td style="white-space:nowrap">$123,456,789,012.55</td><td>second</td><td>third</td></tr></tbody></table>`),
			check: `all("td").every((c) => c.scrollWidth <= c.clientWidth + 1) && all("td")[0].offsetWidth < 60 ? "" : "over its neighbour"`,
		},
		{
			name: "numbers in fixed columns that shrink as far as they can be read", warnings: "t",
			html:  one(`<table data-break="auto" class="q-el q-fixed" data-id="t" data-narrow="shrink" style="table-layout:fixed;width:200px;font-size:16px"><tbody><tr><td style="white-space:nowrap">123,456,789.5</td><td>second</td></tr><tr><td style="white-space:nowrap">$123,456,789,012.55</td><td>Unbreakable</td></tr></tbody></table>`),
			check: `((sizes) => all("td").every((c) => c.scrollWidth <= c.clientWidth + 1) && sizes[0] < 16 && sizes[0] > 11.2 && sizes[1] === 16 && Math.abs(sizes[2] - 11.2) < 0.1 && all("td")[0].offsetHeight < all("td")[2].offsetHeight ? "" : sizes.join(" "))(all("td").map((c) => parseFloat(getComputedStyle(c).fontSize)))`,
		},
		{
			name:  "table head that is higher than its page is broken",
			html:  one(box("a", 300) + `<table class="q-el" data-id="t" data-break="auto"><thead><tr><th>Short</th><th>` + words(1500) + `</th></tr></thead><tbody>` + strings.Repeat(`<tr><td>row</td><td>2</td></tr>`, 40) + `</tbody></table>` + box("z", 100)),
			check: `all(".q-scaled").length === 0 && all("thead").length > 2 && same("[data-id=a]", "thead") && same("thead.q-cut-start:not(.q-cut-end)", "tbody") && same("[data-id=z]", "tbody.q-cut-start") && all("tbody.q-cut-start").every((b) => !b.parentElement.tHead) ? "" : all("thead").length + " heads"`,
		},
		{
			name:  "rows of a high table head are broken between each other, joined cells go on",
			html:  one(`<table class="q-el" data-id="t" data-break="auto"><thead><tr><th rowspan="2">Joined</th><th colspan="2">` + words(500) + `</th></tr><tr><th>` + words(300) + `</th><th>Right</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>`),
			check: `all(".q-scaled").length === 0 && all("thead > tr").length > 2 && all("tr").every((r) => [...r.cells].reduce((n, c) => n + c.colSpan, 0) + all("[rowspan='2']").filter((c) => c.parentElement === r.previousElementSibling).length === 3) && all("td")[1].getBoundingClientRect().left === all("td")[0].getBoundingClientRect().right ? "" : all("tr").map((r) => r.innerHTML.replace(/>[^<]{20,}</g, ">…<")).join(" | ")`,
		},
		{
			name:  "high head of a table without rows",
			html:  one(`<table class="q-el" data-id="t" data-break="auto"><thead><tr><th>Short</th><th>` + words(1500) + `</th></tr></thead><tbody></tbody></table>` + box("z", 100)),
			check: `all(".q-scaled").length === 0 && all("thead").length > 2 ? "" : all("thead").length + " heads"`,
		},
		{
			name: "head of more than half a page stands once, with its first row",
			html: one(box("a", 500) + `<table class="q-el" data-id="t" data-break="auto"><thead><tr><th style="height:600px">Head</th></tr></thead><tbody>` + strings.Repeat(`<tr><td>row</td></tr>`, 60) + `</tbody></table>`), pages: 4,
			check: `all("thead").length === 1 && same("thead", "tbody") ? "" : all("thead").length + " heads"`,
		},
		{
			name: "merged cells repeat what they hold on every page", pages: 6,
			html:  one(box("a", 500) + merged(60, "data-repeat") + box("z", 100)),
			check: `all("table").every((t) => t.tBodies[0].rows[0].cells.length === 2 && t.tBodies[0].rows[0].cells[0].textContent.startsWith("Merged")) && same("[data-id=a]", "table") && all("table").slice(0, -1).every((t) => rect(".q-page-body").height - (t.getBoundingClientRect().bottom - t.closest(".q-page-body").getBoundingClientRect().top) < 120) ? "" : all("table").map((t) => t.rows.length + ": " + t.rows[0].textContent).join()`,
		},
		{
			name: "short runs of merged cells stay together", pages: 6,
			html:  one(box("a", room-100) + merged(3, "data-repeat")),
			check: `all("table tr:first-child").every((r) => r.cells.length === 2 && !r.cells[0].hasAttribute("data-repeated")) ? "" : "torn"`,
		},
		{
			name:  "cells that reach over rows and are not merged go on empty",
			html:  one(merged(60, "")),
			check: `all("table").some((t) => t.rows[0].cells[0].textContent === "") && all("[data-repeated]").length === 0 ? "" : "repeated"`,
		},
		{
			name: "what begins where its flow ends has no room there, however small all is drawn", warnings: "f",
			html:  one(`<div class="q-el q-flow" data-id="f" dir="rtl" style="display:flex"><div class="q-el" style="flex:none;width:100%;height:12pt"></div><p class="q-el" style="min-width:12ch">21 November 2026, 9:30</p><p class="q-el" style="min-width:12ch">22 November 2026, 9:30</p></div>`),
			check: `((page) => all("p").every((p) => { const r = p.getBoundingClientRect(); return r.left >= page.left && r.right <= page.right + 1 && r.height >= 16; }) ? "" : all("p").map((p) => p.getBoundingClientRect().left + " " + p.getBoundingClientRect().height).join())(rect(".q-page-body"))`,
		},
		{
			name: "hidden and absolute elements", html: one(`<div style="display:none">hidden</div><div style="position:absolute;top:0;height:3000px">mark</div>` + para("p", 50)), pages: 1,
		},
	}
}

// checkHelpers are what the expressions of cases are written in.
const checkHelpers = `
var all = (s) => [...document.querySelectorAll(s)];
var rect = (s) => document.querySelector(s).getBoundingClientRect();
var text = (s) => document.querySelector(s).textContent.trim();
var footers = () => all(".q-page-footer").map(f => f.textContent.trim()).join(" ");
var headers = () => all(".q-page-header").map(f => f.textContent.trim()).join(" ");
// What pages say that they carry over, beside the last row before: the pages with rows and the drawn rows of the class must be one fewer.
var carriedBy = (word, rows) => {
  const last = all(".q-page").map(p => [...p.querySelectorAll("tr[data-carry]")].pop()?.dataset.carry).slice(0, -1);
  const said = all(rows).filter(r => r.getBoundingClientRect().height > 0).map(r => r.innerText.replace(/\s+/g, " ").trim());
  return said.join() === last.map(n => word + " " + n).join() ? "as the rows" : said.join() + " after " + last.join();
};
// The sum that each page with rows says, beside the number of its rows.
var summed = () => all(".q-page").map(p => {
  const rows = p.querySelectorAll("tr[data-sums]").length;
  const said = [...p.querySelectorAll("tr.q-page-sum")].filter(r => r.getBoundingClientRect().height > 0).map(r => r.querySelector("span").textContent).join();
  const body = p.querySelector(".q-page-body");
  return said === (rows ? String(rows / 2) : "") && body.scrollHeight <= body.clientHeight ? "" : said + " for " + rows + " rows ";
}).join("");
var same = (a, b) => document.querySelector(a).closest(".q-page") === document.querySelector(b).closest(".q-page");
var bodyHeight = () => rect(".q-page-body").height;
var count = (lists) => lists.reduce((n, l) => n + [...l.children].filter((li) => !li.classList.contains("q-cut-start")).length, 0) - (lists.at(-1).lastElementChild.classList.contains("q-cut-end") ? 1 : 0);
null`

func TestCases(t *testing.T) {
	tb := chrome(t)
	for _, c := range paginationCases() {
		t.Run(c.name, func(t *testing.T) {
			r := tb.checked(t, c.html)
			if c.pages != 0 && len(r.Pages) != c.pages {
				t.Errorf("%d pages, not %d", len(r.Pages), c.pages)
			}
			var ids []string
			for _, w := range r.Warnings {
				ids = append(ids, w.ID)
			}
			if got := strings.Join(ids, " "); got != c.warnings {
				t.Errorf("warnings of %q, not %q", got, c.warnings)
			}
			tb.expect(t, c.check)
			if n := pdfPages(t, tb.pdf(t)); n != max(1, len(r.Pages)) {
				t.Errorf("%d pages in the PDF, %d in the browser", n, len(r.Pages))
			}
		})
	}
}

func (tb *tab) expect(t testing.TB, check string) {
	t.Helper()
	if check == "" {
		return
	}
	tb.eval(t, checkHelpers, nil)
	var fault string
	tb.eval(t, "(() => { const pages = all('.q-page'); return "+check+"; })()", &fault)
	if fault != "" {
		t.Error(fault)
	}
}
