package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

var accessibleReports = flag.Int("accessible-reports", 6, "how many generated accessible reports veraPDF judges")

// accessibleGenerator makes reports of what is hard to tag: rows of several
// pages, cells over several, groups, captions, and sometimes what must keep a
// file from saying that it is accessible.
type accessibleGenerator struct {
	*rand.Rand
	id       int
	lacking  []string // elements that must keep the file from saying that it conforms
	doubtful []string // elements that must be warned of
}

func (g *accessibleGenerator) report() map[string]any {
	layout := map[string]any{"pageType": "a", "size": g.one("A4", "A5", "Letter"), "body": []any{element("content-placeholder", nil)}}
	if g.IntN(2) == 0 {
		layout["firstHeader"] = []any{element("text", map[string]any{"text": "City of Lindau"}), element("img", map[string]any{"altText": "Arms", "height": "20px", "imageUrl": drawing})}
		layout["header"] = []any{element("text", map[string]any{"text": "Continued, {$page.number}"})}
	}
	pages := []any{}
	for i := range 1 + g.IntN(2) {
		elements := []any{g.element("heading", map[string]any{"level": "H1", "title": "Chapter", "autoNumber": g.IntN(2) == 0})}
		for range 2 + g.IntN(5) {
			elements = append(elements, g.part()...)
		}
		pages = append(pages, map[string]any{"id": i + 1, "pageType": "a", "elements": elements})
	}
	r := map[string]any{
		"version": 1, "name": "Accessible", "template": "t", "pages": pages,
		"include":     map[string]any{"templates": []any{map[string]any{"code": "t", "name": "T", "layouts": []any{layout}}}},
		"dataSources": []any{map[string]any{"name": "r", "type": "json", "settings": map[string]any{"content": g.rows()}}},
	}
	if g.IntN(6) == 0 {
		r["language"] = "ar"
	}
	return r
}

const drawing = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='60'%3E%3Crect width='90' height='60'/%3E%3C/svg%3E"

func element(kind string, props map[string]any) map[string]any {
	return map[string]any{"type": kind, "props": props}
}

func (g *accessibleGenerator) element(kind string, props map[string]any) map[string]any {
	g.id++
	e := element(kind, props)
	e["id"] = fmt.Sprintf("x%d", g.id)
	return e
}

func (g *accessibleGenerator) one(list ...string) string { return list[g.IntN(len(list))] }

// long is a text of up to several pages.
func (g *accessibleGenerator) long() string {
	sentence := g.one("The board discussed the plan of the harbour. ", "Donaudampfschifffahrtsgesellschaft met. ", "نص عربي قصير هنا. ")
	return strings.Repeat(sentence, []int{1, 1, 2, 3, 12, 110}[g.IntN(6)])
}

func (g *accessibleGenerator) rows() []any {
	rows := []any{}
	for i := range 1 + g.IntN(16) {
		row := map[string]any{"a": i, "b": g.one("x", "", "Market"), "g": g.one("North", "South"), "v": g.IntN(1000) - 200}
		if row["c"], row["d"] = "c", nil; g.IntN(8) == 0 {
			row["c"], row["d"] = g.long(), g.long()
		}
		rows = append(rows, row)
	}
	return rows
}

// part is one thing of a report, with its caption.
func (g *accessibleGenerator) part() []any {
	switch g.IntN(13) {
	case 0:
		return []any{g.element("heading", map[string]any{"level": g.one("H2", "H3"), "title": "Section", "autoNumber": true}), g.element("paragraph", map[string]any{"text": g.long()})}
	case 1, 2, 3:
		return g.captioned(g.dataTable())
	case 4, 5:
		return []any{g.element("html", map[string]any{"html": g.spans(), "breakAcrossPages": true})}
	case 6:
		return g.captioned(g.picture())
	case 7:
		return g.captioned(g.chart())
	case 8:
		return []any{g.element("key-value-grid", map[string]any{"dividerText": g.one("", ":"), "items": []any{
			map[string]any{"key": "Customer", "value": "Meridian"},
			map[string]any{"key": "", "value": "No key"},
			map[string]any{"key": "Terms", "elements": []any{element("paragraph", map[string]any{"text": g.long()})}},
			map[string]any{"key": "Empty", "value": ""},
		}})}
	case 9:
		return []any{g.element(g.one("toc", "tof"), map[string]any{})}
	case 10:
		return []any{g.element("rich-text-editor", map[string]any{"breakAcrossPages": true, "content": "<h3>Notes</h3><ol><li>" + g.long() + "</li><li>Two<ul><li>inner</li></ul></li></ol><p>" + g.long() + `<a href="https://example.com">more</a></p>`})}
	case 11:
		return []any{g.element("qr-code", map[string]any{"text": "QUIRE"})}
	}
	return g.fault()
}

// fault is something that keeps a file from conforming.
func (g *accessibleGenerator) fault() []any {
	var e map[string]any
	switch g.IntN(3) {
	case 0:
		e = g.element("html", map[string]any{"html": `<p>Plan</p><img src="` + drawing + `" width="40">`})
	case 1:
		e = g.element("text", map[string]any{"text": "No font has \U000F1234."})
	default:
		e = g.element("data-table", map[string]any{"source": "$data.r", "columns": []any{map[string]any{"field": "a", "title": "\uE123"}, map[string]any{"field": "v"}}})
	}
	g.lacking = append(g.lacking, e["id"].(string))
	return []any{e}
}

func (g *accessibleGenerator) captioned(e any) []any {
	switch g.IntN(4) {
	case 0:
		return []any{e, g.element("figure-caption", map[string]any{"title": "What stands above"})}
	case 1:
		return []any{g.element("figure-caption", map[string]any{"title": "What stands below", "position": "above"}), e}
	}
	return []any{e}
}

func (g *accessibleGenerator) dataTable() any {
	var columns []any
	for i, field := range []string{"a", "c", "b", "d", "v", "missing"}[:1+g.IntN(6)] {
		column := map[string]any{"field": field}
		if i == 0 && g.IntN(3) == 0 {
			column["title"] = ""
		}
		columns = append(columns, column)
	}
	p := map[string]any{"source": "$data.r", "columns": columns, "breakAcrossPages": g.IntN(5) > 0, "verticalLines": g.IntN(2) == 0}
	if g.IntN(3) == 0 {
		p["groups"] = []any{map[string]any{"field": "g"}}
	}
	e := g.element("data-table", p)
	if g.IntN(8) == 0 {
		p["hideHeader"] = true
	}
	return e
}

// spans is a table whose cells reach over rows and columns at random.
func (g *accessibleGenerator) spans() string {
	var b strings.Builder
	columns := 2 + g.IntN(4)
	b.WriteString("<table><thead><tr>")
	for i := range columns {
		fmt.Fprintf(&b, "<th>C%d</th>", i)
	}
	b.WriteString("</tr></thead><tbody>")
	taken := make([]int, columns)
	rows := 3 + g.IntN(8)
	for r := range rows {
		b.WriteString("<tr>")
		for c := 0; c < columns; {
			if taken[c] > 0 {
				taken[c]--
				c++
				continue
			}
			wide := 1
			for g.IntN(4) == 0 && c+wide < columns && taken[c+wide] == 0 {
				wide++
			}
			high := 1 + g.IntN(3)*g.IntN(2)
			high = min(high, rows-r)
			text := g.one("", "cell", g.long())
			fmt.Fprintf(&b, `<%[1]s rowspan="%[2]d" colspan="%[3]d">%[4]s</%[1]s>`, g.one("td", "td", "td", "th"), high, wide, text)
			for range wide {
				taken[c] = high - 1
				c++
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

func (g *accessibleGenerator) picture() any {
	e := g.element("img", map[string]any{"imageUrl": drawing, "width": "90px", "altText": "A plan"})
	return g.perhapsUndescribed(e)
}

func (g *accessibleGenerator) chart() any {
	e := g.element("generic-chart", map[string]any{"source": "$data.r", "height": "120px", "altText": "Sales", "dataTable": g.IntN(2) == 0, "series": []any{map[string]any{"chartType": g.one("column", "line", "bar"), "xField": "a", "yField": "v"}}})
	return g.perhapsUndescribed(e)
}

func (g *accessibleGenerator) perhapsUndescribed(e map[string]any) any {
	switch g.IntN(4) {
	case 0:
		delete(e["props"].(map[string]any), "altText")
		g.doubtful = append(g.doubtful, e["id"].(string))
	case 1:
		e["props"].(map[string]any)["decorative"] = true
	}
	return e
}

// TestGeneratedReportsConformToWhatTheySay has veraPDF judge generated reports
// that say that they are accessible; those that do not say why.
func TestGeneratedReportsConformToWhatTheySay(t *testing.T) {
	ofDocuments(t)
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
	c := newPageCheck(t, ws)
	dir := t.TempDir()
	var files []string
	silent := 0
	for seed := uint64(*firstSeed); seed < uint64(*firstSeed+*accessibleReports); seed++ {
		g := &accessibleGenerator{Rand: rand.New(rand.NewPCG(seed, 14))}
		definition, err := json.Marshal(g.report())
		if err != nil {
			t.Fatal(err)
		}
		def, problems := report.ParseReport(definition)
		if problems != nil {
			t.Fatalf("seed %d: %v", seed, problems)
		}
		ws.Reports = []report.NamedReport{{Code: "r", Report: *def}}
		ask := export.Request{Report: "r", ExportOptions: report.ExportOptions{Accessible: true}}
		if seed%4 == 3 {
			ask.Conformance = "pdf/a-2a"
		}
		content, warnings := finished(t, c.service, ask)
		file := filepath.Join(dir, fmt.Sprintf("%d.pdf", seed))
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, w := range warnings {
			text += w.Error() + "; "
		}
		says := bytes.Contains(content, []byte("pdfuaid:part"))
		if says != (len(g.lacking) == 0) {
			t.Errorf("seed %d says that it conforms: %t; %v lack something: %v", seed, says, g.lacking, text)
		}
		for _, id := range append(g.lacking, g.doubtful...) {
			if !strings.Contains(text, id) {
				t.Errorf("seed %d: no warning names %s: %v", seed, id, text)
			}
		}
		switch {
		case !says:
			silent++
			if !strings.Contains(text, "does not say that it conforms") {
				t.Errorf("seed %d does not say why it does not conform: %v", seed, text)
			}
		case ask.Conformance != "":
			files = append(files, "2a="+file, "ua1="+file)
		default:
			files = append(files, "ua1="+file)
		}
	}
	t.Logf("%d reports: %d say that they conform, %d say why not", *accessibleReports, *accessibleReports-silent, silent)
	judge(t, files, new(tally))
}
