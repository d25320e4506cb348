package assets_test

import (
	"fmt"
	"strings"
)

// sheet is a section of a test document.
type sheet struct {
	name          string
	width, height string
	margin        string
	first         string
	header        string
	footer        string
	body          string
	uncounted     bool
	anew          bool
	startOn       string
}

const testCSS = `
.q-pending>.q-sheet{display:none}
*{box-sizing:border-box}
body{font:14px/1.5 "DejaVu Sans",sans-serif;color:#222}
p,ul,ol,h1,h2{margin:0 0 10px}h2{margin:20px 0 8px;font-size:18px}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:4px 6px;text-align:left;vertical-align:top}
thead th{background:#eef}
.q-header{border-bottom:1px solid #888;padding-bottom:6px;margin-bottom:10px}
.q-footer{border-top:1px solid #888;padding-top:6px}
.col{display:flex;flex-direction:column;gap:12px;border:2px solid #c60;padding:10px}
.row{display:flex;gap:12px}.row>*{flex:1}
`

// document writes sections as htmlgen does.
func document(sheets ...sheet) string {
	return documentWith(`lang="en"`, "", sheets...)
}

func documentWith(attrs, css string, sheets ...sheet) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html %s><head><meta charset="utf-8"><title>Test</title><style>%s%s</style></head><body class="q-doc q-pending">`, attrs, testCSS, css)
	for i, s := range sheets {
		s.write(&b, i)
	}
	b.WriteString("</body></html>")
	return b.String()
}

func (s sheet) write(b *strings.Builder, i int) {
	count := "1"
	if s.uncounted {
		count = "0"
	}
	if s.anew {
		count += `" data-anew="s`
	}
	if s.startOn != "" {
		count += `" data-start-on="` + s.startOn
	}
	fmt.Fprintf(b, `<section class="q-sheet" data-page="%d" data-name="%s" data-count="%s" data-width="%s" data-height="%s" data-margin="%s" data-background="#fff">`,
		i+1, s.name, count, or(s.width, "210mm"), or(s.height, "297mm"), or(s.margin, "18mm 18mm 16mm 18mm"))
	part(b, "q-first-header", s.first)
	part(b, "q-header", s.header)
	part(b, "q-footer", s.footer)
	fmt.Fprintf(b, `<div class="q-body">%s</div></section>`, s.body)
}

func part(b *strings.Builder, class, content string) {
	if content != "" {
		fmt.Fprintf(b, `<div class="%s">%s</div>`, class, content)
	}
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

const pageOfPages = `Page <span class="q-page-number"></span> of <span class="q-page-count"></span>`

// para is a paragraph of n words that may be broken between lines.
func para(id string, n int) string {
	return fmt.Sprintf(`<p class="q-el q-paragraph" data-id="%s" data-break="auto">%s</p>`, id, words(n))
}

func words(n int) string {
	list := strings.Fields("invoice delivery customer quarterly net amount of the account was settled by bank transfer in due time and without further notice")
	out := make([]string, n)
	for i := range out {
		out[i] = list[(i*7+i/5)%len(list)]
	}
	return strings.Join(out, " ")
}

// table is a plain table of rows with a header, which may be broken.
func table(rows int) string {
	var b strings.Builder
	b.WriteString(`<table class="q-el q-data-table" data-id="t" data-break="auto"><thead><tr data-repeat><th>No.</th><th>Date</th><th>Customer</th><th>Text</th><th>Amount</th></tr></thead><tbody>`)
	for i := range rows {
		fmt.Fprintf(&b, `<tr><td>%d</td><td>2026-%02d-%02d</td><td>Customer %d</td><td>%s</td><td>%d.%02d</td></tr>`,
			i+1, i%12+1, i%28+1, i*7919%1000, words(3+i%9), i*37%9000, i%100)
	}
	b.WriteString(`</tbody><tfoot><tr><td colspan="4">Sum</td><td>123.00</td></tr></tfoot></table>`)
	return b.String()
}
