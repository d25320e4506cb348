package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// tagged exports a report as an accessible PDF and has poppler read its
// structure: an element a line, indented, with its text.
func tagged(t *testing.T, definition string) (structure string, conforms bool, warnings report.Problems) {
	t.Helper()
	needPoppler(t)
	content, warnings := accessible(t, definition)
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return listing(output(t, "pdfinfo", "-struct-text", file)), bytes.Contains(inflated(t, content), []byte("pdfuaid:part")), warnings
}

func accessible(t *testing.T, definition string) ([]byte, report.Problems) {
	t.Helper()
	def, err := report.ParseReport([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}}
	ws.Reports = []report.NamedReport{{Code: "r", Report: *def}}
	return finished(t, newPageCheck(t, ws).service, export.Request{Report: "r", ExportOptions: report.ExportOptions{Accessible: true}})
}

var headersListed = regexp.MustCompile(`/Headers \[(.*)\]`)

// listing is the structure that poppler prints, with the headers of a cell and
// the texts of an element in its line.
func listing(tree string) string {
	var out []string
	for line := range strings.Lines(tree) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		last := len(out) - 1
		switch {
		case strings.HasPrefix(trimmed, `"`):
			out[last] += " " + trimmed
		case strings.HasPrefix(trimmed, "/"):
			if m := headersListed.FindStringSubmatch(trimmed); m != nil {
				out[last] += " under " + strings.NewReplacer("(", "", ")", "").Replace(m[1])
			} else if strings.HasPrefix(trimmed, "/RowSpan") || strings.HasPrefix(trimmed, "/ColSpan") {
				out[last] += " " + trimmed
			}
		case trimmed != "":
			out = append(out, strings.TrimSuffix(strings.TrimSuffix(line, " (block)"), ":"))
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// TestTallRowsStayOneRowUnderTheirHeaders has rows of several pages: each is one
// row of the structure, with all of its text under the header it stands below.
func TestTallRowsStayOneRowUnderTheirHeaders(t *testing.T) {
	ofDocuments(t)
	const long = "The board discussed the plan of the new harbour at length. "
	for _, columns := range []int{2, 4, 6} {
		for tall := range columns {
			if columns > 2 && tall != 1 && tall != columns-1 {
				continue
			}
			t.Run(fmt.Sprintf("column %d of %d", tall+1, columns), func(t *testing.T) {
				var fields, row []string
				for i := range columns {
					fields = append(fields, fmt.Sprintf(`{"field":"f%d"}`, i))
					value := fmt.Sprintf("'v%d'", i)
					if i == tall {
						value = fmt.Sprintf("'%s'.repeat(160) + 'END'", long)
					}
					row = append(row, fmt.Sprintf("f%d: %s", i, value))
				}
				structure, conforms, warnings := tagged(t, `{"version":1,"name":"Tall","dataSources":[{"name":"r","type":"javascript","settings":{"function":
					"() => [{f0: 'first'}, {`+strings.Join(row, ", ")+`}, {f0: 'third'}]"}}],
					"pages":[{"id":1,"elements":[{"type":"data-table","props":{"source":"$data.r","breakAcrossPages":true,"verticalLines":true,"columns":[`+strings.Join(fields, ",")+`]}}]}]}`)
				if !conforms {
					t.Errorf("it does not say that it conforms: %v", warnings)
				}
				if n := strings.Count(structure, "      TR\n"); n != 4 {
					t.Errorf("%d rows, want 4", n)
				}
				if n := strings.Count(structure, "        TD"); n != 3*columns {
					t.Errorf("%d cells, want %d", n, 3*columns)
				}
				for line := range strings.Lines(structure) {
					if !strings.Contains(line, "harbour") {
						continue
					}
					if want := fmt.Sprintf("under h%07d ", tall+1); !strings.Contains(line, want) || !strings.Contains(line, "END") || strings.Count(line, "harbour") < 150 {
						t.Errorf("the tall cell is not whole below its header %s: %d harbours, %.90s", want, strings.Count(line, "harbour"), line)
					}
				}
			})
		}
	}
}

// TestCellsOverTheCutOfARowKeepTheirColumns has cells that reach down into rows
// that go over several pages, at their end and through them.
func TestCellsOverTheCutOfARowKeepTheirColumns(t *testing.T) {
	ofDocuments(t)
	long := strings.Repeat("The board discussed the plan. ", 300)
	table := `<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody>` +
		`<tr><td rowspan='3'>a1</td><td>b1</td><td>c1</td></tr><tr><td>b2` + long + `</td><td>c2</td></tr><tr><td>b3</td><td>c3</td></tr>` +
		`<tr><td>a4</td><td>b4</td><td>c4</td></tr>` +
		`<tr><td rowspan='2'>a5</td><td>b5</td><td>c5</td></tr><tr><td>b6` + long + `</td><td>c6</td></tr>` +
		`<tr><td>a7</td><td rowspan='2'>b7` + long + `</td><td>c7</td></tr><tr><td>a8</td><td>c8</td></tr></tbody></table>`
	structure, conforms, warnings := tagged(t, `{"version":1,"name":"Spans","pages":[{"id":1,"elements":[{"type":"html","props":{"breakAcrossPages":true,"html":"`+table+`"}}]}]}`)
	if !conforms {
		t.Errorf("it does not say that it conforms: %v", warnings)
	}
	for i, column := range []string{"a", "b", "c"} {
		for row := 1; row <= 8; row++ {
			cell := regexp.MustCompile(fmt.Sprintf(`under h000000(\d) "%s%d`, column, row)).FindStringSubmatch(structure)
			if cell != nil && cell[1] != fmt.Sprint(i+1) {
				t.Errorf("%s%d stands below header %s", column, row, cell[1])
			}
			missing := cell == nil && !slices.Contains([]string{"a2", "a3", "a6", "b8"}, fmt.Sprint(column, row))
			if missing {
				t.Errorf("%s%d is not in the structure:\n%s", column, row, structure)
			}
		}
	}
}

// TestStructureSaysWhatBelongsTogether reads the structure of small reports:
// numbers and captions, letterheads, keys and values.
func TestStructureSaysWhatBelongsTogether(t *testing.T) {
	ofDocuments(t)
	const picture = `"imageUrl":"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='90'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"`
	const rows = `"dataSources":[{"name":"c","type":"json","settings":{"content":[{"n":"A","v":1}]}}],`
	for _, tt := range []struct{ name, report, want string }{
		{"numbers have their blank", `"pages":[{"id":1,"elements":[
			{"type":"heading","props":{"level":"H1","title":"To our shareholders","autoNumber":true}},
			{"type":"heading","props":{"level":"H2","title":"Central Europe","autoNumber":true}},
			{"type":"toc","props":{}}]}]`, `
Document
  H1 "1 To our shareholders"
  H2 "1.1 Central Europe"
  TOC
    TOCI
      Reference (inline)
        Link (inline) "1 To our shareholders" "1"
          Object
    TOCI
      Reference (inline)
        Link (inline) "1.1 Central Europe" "1"
          Object
`},
		{"captions are part of what they name", rows + `"pages":[{"id":1,"elements":[
			{"type":"img","props":{"altText":"Plan",` + picture + `}},
			{"type":"figure-caption","props":{"title":"Below"}},
			{"type":"figure-caption","props":{"title":"Above","position":"above"}},
			{"type":"data-table","props":{"source":"$data.c"}},
			{"type":"paragraph","props":{"text":"Text."}},
			{"type":"figure-caption","props":{"title":"Of nothing"}},
			{"type":"tof","props":{}}]}]`, `
Document
  Figure ""
    Caption "Figure 1 Below"
  Table
    Caption "Figure 2 Above"
    THead
      TR
        TH <h0000001> "N"
        TH <h0000002> "V"
    TBody
      TR
        TD under h0000001 "A"
        TD under h0000002 "1"
  P "Text."
  P "Figure 3 Of nothing"
  TOC
    TOCI
      Reference (inline)
        Link (inline) "Figure 1 Below" "1"
          Object
    TOCI
      Reference (inline)
        Link (inline) "Figure 2 Above" "1"
          Object
    TOCI
      Reference (inline)
        Link (inline) "Figure 3 Of nothing" "1"
          Object
`},
		{"captions belong to a chart rather than to its table for readers", rows + `"pages":[{"id":1,"elements":[
			{"type":"generic-chart","props":{"source":"$data.c","altText":"One column","dataTable":true,"height":"100px","series":[{"chartType":"column","xField":"n","yField":"v"}]}},
			{"type":"figure-caption","props":{"title":"Read"}},
			{"type":"generic-chart","props":{"source":"$data.c","decorative":true,"dataTable":true,"height":"100px","series":[{"chartType":"column","xField":"n","yField":"v"}]}},
			{"type":"figure-caption","props":{"title":"Table alone"}}]}]`, `
Document
  Figure "01A"
    Caption "Figure 1 Read"
  Table
    THead
      TR
        TH <h0000001> "n"
        TH <h0000002> "v"
    TBody
      TR
        TH <h0000003> "A"
        TD under h0000002 h0000003 "1"
  Table
    THead
      TR
        TH <h0000004> "n"
        TH <h0000005> "v"
    TBody
      TR
        TH <h0000006> "A"
        TD under h0000005 h0000006 "1"
    Caption "Figure 2 Table alone"
`},
		{"keys stand with their values", `"pages":[{"id":1,"elements":[{"type":"key-value-grid","props":{"dividerText":":","items":[
			{"key":"Customer","value":"Meridian"},{"key":"Empty","value":""},{"key":"Terms","elements":[{"type":"paragraph","props":{"text":"Thirty days."}},{"type":"paragraph","props":{"text":"Net."}}]}]}}]}]`, `
Document
  L
    LI
      Lbl "Customer:"
      LBody "Meridian"
    LI
      Lbl "Empty:"
    LI
      Lbl "Terms:"
      LBody
        P "Thirty days."
        P "Net."
`},
		{"letterheads are read once", `"template":"t","include":{"templates":[{"code":"t","name":"T","layouts":[{
			"firstHeader":[{"type":"text","props":{"text":"City of Lindau, page {$page.number}"}}],"header":[{"type":"text","props":{"text":"Continued"}}],
			"body":[{"type":"content-placeholder","props":{}}]}]}]},
			"pages":[{"id":1,"elements":[{"type":"heading","props":{"title":"One"}}]},{"id":2,"elements":[{"type":"heading","props":{"title":"Two"}}]}]`, `
Document
  P "City of Lindau, page 1"
  H1 "One"
  H1 "Two"
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			structure, conforms, warnings := tagged(t, `{"version":1,"name":"T",`+tt.report+`}`)
			structure = regexp.MustCompile(`Object .*`).ReplaceAllString(structure, "Object")
			if got := "\n" + structure; got != tt.want || !conforms {
				t.Errorf("conforms: %t (%v), the structure is %s", conforms, warnings, got)
			}
		})
	}
}

// TestFootnotesAreReadAfterTheirParagraph has a paragraph go on on the next page: the
// footnotes of the page do not stand in the middle of it, and paragraphs in a box that is parted
// between them stay two.
func TestFootnotesAreReadAfterTheirParagraph(t *testing.T) {
	ofDocuments(t)
	note := `<span class="footnote">See the minutes.</span>`
	long := strings.Repeat("The council noted the report of the treasurer. ", 70)
	content := "<p>Begin " + long + note + "</p><p>Middle" + note + " " + long + "</p><p>End" + note + "</p>"
	def, err := json.Marshal(map[string]any{"version": 1, "name": "T", "pages": []any{map[string]any{"id": 1, "elements": []any{
		map[string]any{"type": "rich-text-editor", "props": map[string]any{"content": content, "breakAcrossPages": true}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	structure, conforms, warnings := tagged(t, string(def))
	structure = regexp.MustCompile(`The council .*`).ReplaceAllString(structure, "…")
	structure = regexp.MustCompile(` <n.*`).ReplaceAllString(structure, "")
	if want := `
Document
  P "Begin …
  P "Middle2 …
  Note
    P "1 See the minutes."
  Note
    P "2 See the minutes."
  P "End3"
  Note
    P "3 See the minutes."
`; "\n"+structure != want || !conforms {
		t.Errorf("conforms: %t (%v), the structure is %s", conforms, warnings, structure)
	}
}

// TestWhatReadersMissIsSaid has a report with placeholders for descriptions, a
// skipped level and a table without header cells: each is a warning that names
// the element.
func TestWhatReadersMissIsSaid(t *testing.T) {
	ofDocuments(t)
	_, _, warnings := tagged(t, `{"version":1,"name":"T","dataSources":[{"name":"c","type":"json","settings":{"content":[{"n":"A","v":1},{"n":"B","v":2}]}}],"pages":[{"id":1,"elements":[
		{"type":"heading","props":{"level":"H1","title":"Title"}},{"id":"skips","type":"heading","props":{"level":"H4","title":"Skipped"}},{"type":"heading","props":{"level":"H2","title":"Back"}},
		{"id":"plain","type":"img","props":{"width":"40px","imageUrl":"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"}},
		{"id":"bars","type":"generic-chart","props":{"source":"$data.c","height":"120px","series":[{"chartType":"column","xField":"n","yField":"v"}]}},
		{"id":"slices","type":"pie-chart","props":{"source":"$data.c","height":"120px","altText":"Chart"}},
		{"id":"bare","type":"data-table","props":{"source":"$data.c","hideHeader":true}},{"id":"headed","type":"data-table","props":{"source":"$data.c"}}]}]}`)
	var found []string
	for _, w := range warnings {
		for _, says := range []string{"follows one of level 1", `"Image"`, `"Chart"`, "no header cells"} {
			if strings.Contains(w.Message, says) {
				found = append(found, w.Path)
			}
		}
	}
	slices.Sort(found)
	if want := []string{"bare", "bars", "plain", "skips", "slices"}; !slices.Equal(found, want) {
		t.Errorf("warned of %v, want %v: %v", found, want, warnings)
	}
}
