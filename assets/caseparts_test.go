package assets_test

import (
	"fmt"
	"strings"
)

// What the cases of TestCases are made of.

func columns(mode string, count, n int) string {
	return fmt.Sprintf(`<div class="q-el q-html" data-break="%s" data-id="c" style="columns:%d;column-gap:20px;column-rule:1px solid #999;padding:8px;background:#f4f4f8"><h3>Title</h3><p>%s</p><p>%s</p></div>`,
		mode, count, words(n/2), words(n-n/2))
}

// highOf tells whether the parts of an element are together as high as it was told to be, but for a line or two.
func highOf(id string, height int) string {
	return fmt.Sprintf(`((high) => all(".q-scaled").length > 0 ? "drawn smaller" : high <= %d && high > %d ? "" : "height " + high)(all("[data-id=%s]").reduce((sum, el) => sum + el.getBoundingClientRect().height, 0))`, height, height-60, id)
}

func beside(mode string, boxes ...string) string {
	return `<div class="q-el row" style="display:flex;gap:10px" data-id="f" data-break="` + mode + `">` + strings.Join(boxes, "") + `</div>`
}

func tableOf(id string, rows int) string {
	return fmt.Sprintf(`<table class="q-el" data-id="%s" data-break="auto" style="align-self:flex-start;width:100%%"><thead><tr><th>Header</th><th>Two</th></tr></thead><tbody>%s</tbody></table>`,
		id, strings.Repeat(`<tr><td>row</td><td>2</td></tr>`, rows))
}

// merged is a table of 150 rows in which a cell stands for each so many of them.
func merged(span int, attrs string) string {
	var b strings.Builder
	b.WriteString(`<table class="q-el" data-id="t" data-break="auto"><tbody>`)
	for i := range 150 {
		b.WriteString("<tr>")
		if i%span == 0 {
			fmt.Fprintf(&b, `<td rowspan="%d" %s>Merged %d</td>`, min(span, 150-i), attrs, i/span)
		}
		fmt.Fprintf(&b, "<td>%d</td></tr>", i)
	}
	return b.String() + "</tbody></table>"
}

// manySizes are sections of sizes that are no whole number of pixels, each of two pages.
func manySizes() []sheet {
	var sheets []sheet
	for i := range 30 {
		sheets = append(sheets, sheet{
			width: fmt.Sprintf("%.1fmm", 60+float64(i)*7.3), height: fmt.Sprintf("%.1fmm", 80+float64(i)*11.7), margin: "5mm",
			header: "h", footer: "f", body: `<p>first</p><p data-break-before="page">second</p>`,
		})
	}
	return sheets
}

// carrying is a table of rows that are counted, and carries the count.
func carrying(rows int, foot string) string {
	var b strings.Builder
	b.WriteString(`<style>.q-carry{visibility:collapse}</style><table data-break="auto" class="q-el" data-id="t"><thead><tr data-repeat><th>Row</th><th>So far</th></tr></thead><tbody>`)
	for i := range rows {
		fmt.Fprintf(&b, `<tr data-carry="%d"><td>row</td><td>%d</td></tr>`, i+1, i+1)
	}
	b.WriteString(`</tbody><tbody class="q-carry"><tr class="q-carried" data-repeated><th style="height:41px">forward</th><td><span class="q-carry-value">99</span></td></tr><tr class="q-brought" data-repeated><th>brought</th><td><span class="q-carry-value">99</span></td></tr></tbody>` + foot + `</table>`)
	return b.String()
}

// summing is a table whose rows are a half each, with the sums of pages.
func summing(rows int) string {
	var b strings.Builder
	b.WriteString(`<style>.q-carry{visibility:collapse}</style><table data-break="auto" class="q-el" data-id="t"><tbody>`)
	for i := range rows {
		fmt.Fprintf(&b, `<tr data-sums="%g"><td>row</td><td>0.5</td></tr>`, float64(i+1)/2)
	}
	sum := `<td>sum</td><td><span class="q-carry-value" data-shape='{"plus":["",""],"minus":["-",""],"point":".","group":"","sizes":[3,3],"from":0,"least":0,"most":1,"digits":["0","1","2","3","4","5","6","7","8","9"]}'>%g</span></td></tr></tbody>`
	fmt.Fprintf(&b, `</tbody><tbody class="q-carry"><tr class="q-page-sum">`+sum, 99.5)
	fmt.Fprintf(&b, `<tbody class="q-last-page-sum"><tr class="q-page-sum" data-keep-prev data-until="%g">`+sum, float64(rows)/2, float64(rows)/2)
	return b.String() + `<tfoot><tr><td>total</td><td>x</td></tr></tfoot></table>`
}

func groups() string {
	var b strings.Builder
	for g := range 4 {
		if g%2 == 0 {
			fmt.Fprintf(&b, `<tr data-repeat="1" data-keep-next><th colspan="2">Region %d</th></tr>`, g)
		}
		fmt.Fprintf(&b, `<tr data-repeat="2" data-keep-next><th colspan="2">Group %d</th></tr>`, g)
		for i := range 30 {
			fmt.Fprintf(&b, `<tr><td>%d</td><td>%d</td></tr>`, g, i)
		}
		b.WriteString(`<tr data-keep-prev><td>Sum</td><td>30</td></tr>`)
	}
	return b.String()
}
