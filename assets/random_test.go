package assets_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A generator writes random documents of everything that a report may hold.
type generator struct {
	*rand.Rand
	id int
}

func generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	n := 1 + g.IntN(3)
	sheets := make([]sheet, n)
	for i := range sheets {
		sheets[i] = g.sheet()
	}
	attrs := `lang="en"`
	if g.IntN(6) == 0 {
		attrs = `lang="ar" dir="rtl"`
	}
	if g.IntN(3) == 0 {
		for i := range sheets {
			sheets[i].body = g.noted(sheets[i].body)
		}
	}
	return documentWith(attrs, "", sheets...)
}

var tagOrWord = regexp.MustCompile(`<[^>]*>|[^<\s]+ `)

// noted puts footnotes behind some words.
func (g *generator) noted(html string) string {
	return tagOrWord.ReplaceAllStringFunc(html, func(part string) string {
		if part[0] == '<' || g.IntN(60) > 0 {
			return part
		}
		return part + note(words(1+g.IntN(60)))
	})
}

func note(text string) string {
	return `<span class="q-note"><span class="q-aside"> (</span>` + text + `<span class="q-aside">)</span></span>`
}

func (g *generator) sheet() sheet {
	s := sheet{header: "Header " + pageOfPages, footer: pageOfPages, uncounted: g.IntN(8) == 0}
	switch g.IntN(4) {
	case 0:
		s.width, s.height = "297mm", "210mm"
	case 1:
		s.width, s.height, s.margin = "148mm", "210mm", "12mm"
	}
	if g.IntN(3) == 0 {
		s.first = "First header<br>two<br>three"
	}
	s.body = g.blocks(2+g.IntN(12), 0)
	return s
}

func (g *generator) name() string {
	g.id++
	return fmt.Sprintf("e%d", g.id)
}

func (g *generator) blocks(n, depth int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.block(depth))
	}
	return b.String()
}

func (g *generator) block(depth int) string {
	switch k := g.IntN(16); {
	case k < 4:
		return g.paragraph()
	case k < 5:
		return fmt.Sprintf(`<h2 class="q-el q-heading" id="h-%s" data-outline="2" data-keep-next data-id="%s">%s</h2>`, g.name(), g.name(), words(2+g.IntN(6)))
	case k < 7 && depth < 2:
		return g.table()
	case k < 9:
		return g.list(0)
	case k < 10 && depth < 2:
		return g.flow(depth)
	case k < 11:
		return fmt.Sprintf(`<div class="q-el row" data-break="avoid" data-id="%s"><div>%s</div><div>%s</div></div>`, g.name(), words(10+g.IntN(60)), words(g.IntN(40)))
	case k < 12:
		return fmt.Sprintf(`<div class="q-el q-spacer" data-space data-id="%s" style="height:%dpx"></div>`, g.name(), g.IntN(120))
	case k < 13:
		return fmt.Sprintf(`<div class="q-el" data-break="avoid" data-id="%s" style="height:%dpx;background:#dfd">Box</div>`, g.name(), 20+g.IntN(500))
	case k < 14:
		return g.rich("")
	case k < 15:
		return g.rich(fmt.Sprintf("columns:%d;column-gap:16px", 2+g.IntN(2)))
	default:
		return fmt.Sprintf(`<p class="q-el" data-break="auto" data-break-before="page" data-id="%s">%s</p>`, g.name(), words(10+g.IntN(40)))
	}
}

func (g *generator) paragraph() string {
	style := ""
	switch g.IntN(6) {
	case 0:
		style = `style="text-align:justify;line-height:1.2"`
	case 1:
		style = `style="text-wrap:pretty"`
	case 2:
		style = `style="hyphens:auto"`
	}
	text := strings.Fields(words(5 + g.IntN(300)))
	for i := range text {
		switch g.IntN(25) {
		case 0:
			text[i] = "<b>" + text[i] + "</b>"
		case 1:
			text[i] = "<i>" + text[i] + " <span style='font-size:1.3em'>big</span></i>"
		case 2:
			text[i] += "<sup>2</sup>"
		case 3:
			text[i] += "<br>"
		}
	}
	return fmt.Sprintf(`<p class="q-el q-paragraph" data-break="auto" data-id="%s" %s>%s</p>`, g.name(), style, strings.Join(text, " "))
}

func (g *generator) list(depth int) string {
	tag := []string{"ul", "ol"}[g.IntN(2)]
	var b strings.Builder
	fmt.Fprintf(&b, `<%s class="q-el q-list" data-break="auto" data-id="%s">`, tag, g.name())
	for range 2 + g.IntN(12) {
		b.WriteString("<li>" + words(1+g.IntN(60)))
		if depth < 2 && g.IntN(5) == 0 {
			b.WriteString(strings.Replace(g.list(depth+1), "q-el ", "", 1))
		}
		b.WriteString("</li>")
	}
	fmt.Fprintf(&b, "</%s>", tag)
	return b.String()
}

func (g *generator) flow(depth int) string {
	mode := []string{"auto", "auto", "avoid"}[g.IntN(3)]
	style := ""
	if g.IntN(3) == 0 {
		style = `style="box-decoration-break:clone"`
	}
	return fmt.Sprintf(`<div class="q-el q-flow col" data-break="%s" data-id="%s" %s>%s</div>`, mode, g.name(), style, g.blocks(1+g.IntN(4), depth+1))
}

func (g *generator) rich(style string) string {
	return fmt.Sprintf(`<div class="q-el q-html" data-break="auto" data-id="%s" style="%s"><h3>%s</h3><p>%s</p><blockquote><p>%s</p><p>%s</p></blockquote><pre>%s</pre></div>`,
		g.name(), style, words(3), words(g.IntN(200)), words(g.IntN(80)), words(g.IntN(120)), strings.ReplaceAll(words(g.IntN(40)), " ", "\n"))
}

func (g *generator) table() string {
	var b strings.Builder
	mode := "auto"
	if g.IntN(5) == 0 {
		mode = "avoid"
	}
	collapse := []string{"collapse", "separate"}[g.IntN(2)]
	fmt.Fprintf(&b, `<table class="q-el" data-break="%s" data-id="%s" style="border-collapse:%s">`, mode, g.name(), collapse)
	if g.IntN(4) > 0 {
		b.WriteString("<thead><tr data-repeat><th>A</th><th>B</th><th>C</th><th>D</th></tr></thead>")
	}
	rows := 1 + g.IntN(60)
	if mode == "avoid" {
		rows = 1 + g.IntN(12)
	}
	grouped, spans := g.IntN(3) == 0, g.IntN(3) == 0
	b.WriteString("<tbody>")
	for i := 0; i < rows; i++ {
		switch {
		case grouped && i%9 == 0:
			fmt.Fprintf(&b, `<tr data-keep-next data-repeat="1"><th colspan="4">Group %d</th></tr>`, i)
		case spans && i%5 == 0 && i+3 < rows:
			i += g.span(&b, i)
		default:
			g.row(&b, i)
		}
		if grouped && i%9 == 8 {
			b.WriteString(`<tr data-keep-prev><td colspan="4">Group sum</td></tr>`)
		}
	}
	b.WriteString("</tbody>")
	if g.IntN(2) == 0 {
		b.WriteString(`<tfoot><tr><td>Sum</td><td></td><td></td><td>1,234.00</td></tr></tfoot>`)
	}
	b.WriteString("</table>")
	return b.String()
}

func (g *generator) row(b *strings.Builder, i int) {
	n := g.IntN(12)
	if g.IntN(60) == 0 {
		n = 400 + g.IntN(600)
	}
	fmt.Fprintf(b, `<tr><td>%d</td><td>%s</td><td>%s</td><td>%d.00</td></tr>`, i, words(1+g.IntN(5)), words(n), g.IntN(10000))
}

// span writes three rows that one cell spans, and tells how many more than one they are.
func (g *generator) span(b *strings.Builder, i int) int {
	fmt.Fprintf(b, `<tr><td rowspan="3">%d</td><td>%s</td><td>x</td><td>1</td></tr>`, i, words(4))
	fmt.Fprintf(b, `<tr><td colspan="2">%s</td><td>2</td></tr><tr><td>y</td><td>z</td><td>3</td></tr>`, words(6))
	return 2
}
