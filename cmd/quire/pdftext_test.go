package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// chapters is a report of many pages: chapters with text, a list, columns and a
// table that runs over pages. The words are given by language.
func chapters(t *testing.T, words func(seed, n int) string, language string) *report.Workspace {
	t.Helper()
	var elements []any
	add := func(kind string, props map[string]any) {
		elements = append(elements, map[string]any{"type": kind, "props": props})
	}
	add("toc", map[string]any{"showLevels": 2})
	for chapter := range chapterCount {
		n := chapter * 100
		add("heading", map[string]any{"level": "H1", "title": words(n, 3)})
		for i := range 6 {
			add("paragraph", map[string]any{"text": words(n+i, i*40+60) + "."})
		}
		add("list", map[string]any{"bulletType": "decimal", "items": []string{words(n, 4), words(n, 25), words(n, 6)}})
		add("heading", map[string]any{"level": "H2", "title": words(n, 5)})
		add("rich-text-editor", map[string]any{"columnCount": 2, "columnGap": "20px", "breakAcrossPages": true, "content": "<p>" + words(n, 300) + "</p><p>" + words(n, 90) + "</p>"})
		add("data-table", map[string]any{"footer": map[string]any{"enabled": true}, "source": fmt.Sprintf("$data.rows%d", chapter), "columns": []any{
			map[string]any{"field": "no", "title": words(n, 1), "width": "110px"},
			map[string]any{"field": "text", "title": words(n, 2), "footer": map[string]any{"text": words(n, 2)}},
			map[string]any{"field": "amount", "title": words(n, 7), "align": "right", "width": "160px"},
		}})
	}
	var sources []any
	for chapter := range chapterCount {
		var rows []any
		n := chapter * 100
		for i := range 70 {
			rows = append(rows, map[string]any{"no": i + 1, "text": words(n+i, i%9+4), "amount": (i*7919 + chapter) % 100000})
		}
		sources = append(sources, map[string]any{"name": fmt.Sprintf("rows%d", chapter), "type": "json", "settings": map[string]any{"content": rows}})
	}
	file, err := json.Marshal(map[string]any{
		"version": 1, "name": "Chapters", "title": words(0, 4), "language": language, "dataSources": sources,
		"pages": []any{map[string]any{"id": 1, "name": "All", "elements": elements}},
	})
	if err != nil {
		t.Fatal(err)
	}
	def, problems := report.ParseReport(file)
	if problems != nil {
		t.Fatal(problems)
	}
	return &report.Workspace{
		Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}, {Name: "עברית", Code: "he", Culture: "he-IL"}},
		Reports:   []report.NamedReport{{Code: "chapters", Report: *def}},
	}
}

// wordsOf gives as many words of a list as asked for, others for each seed.
func wordsOf(list string) func(seed, n int) string {
	words := strings.Fields(list)
	return func(seed, n int) string {
		var b strings.Builder
		state := uint32(seed)*2654435761 + 12345
		for i := range n {
			if i > 0 {
				b.WriteByte(' ')
			}
			state = state*1664525 + 1013904223
			b.WriteString(words[int(state>>16)%len(words)])
		}
		return b.String()
	}
}

const (
	chapterCount = 18
	englishWords = "the council of harbour market street delivers benches lamps before frost and oil each year for people on foot who cross river bank toward library office fifty-two children 1,250 metres §14 naïve café fine affluent"
	arabicWords  = "المادة تقرير مدرسي العام الدراسي يوم الأربعاء بعد الحصة الخامسة مسائل الفيزياء حصص التقوية نقترح أن تتدرب أكثر على كثيرا وتكتب جيدا لا إلا ثلاثة 2026 ص١٢ Lindau المعلّمة بيانات"
	hebrewWords  = "דוח שנתי של העיר רחוב הנמל ספסלים לפני החורף בכל שנה ילדים וילדות 1250 מטר Lindau שלום סעיף שׁלוֹם ספרייה"
)

// TestTextOfAReportOfManyPages makes accessible reports of more than 50 pages and
// has poppler read them by their structure; what is read is the report's text.
func TestTextOfAReportOfManyPages(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	c := newPageCheck(t, chapters(t, wordsOf(englishWords), "en"))
	content, _ := finished(t, c.service, export.Request{Report: "chapters", ExportOptions: report.ExportOptions{Accessible: true}})
	plain, _ := finished(t, c.service, export.Request{Report: "chapters"})
	text := output(t, "pdftotext", keepFile(t, content), "-")
	if text != output(t, "pdftotext", keepFile(t, plain), "-") {
		t.Error("the text of the accessible report is not that of the plain one")
	}
	if n := strings.Count(text, "\f"); n < 50 {
		t.Errorf("only %d pages", n)
	}
	tree := output(t, "pdfinfo", "-struct-text", keepFile(t, content))
	if n := strings.Count(tree, "\n  Table"); n != chapterCount {
		t.Errorf("%d tables, want one a chapter", n)
	}
	for _, part := range []string{"THead", "TBody", "TFoot"} {
		if n := strings.Count(tree, "\n    "+part+"\n"); n != chapterCount {
			t.Errorf("%d %s in %d tables, want one each", n, part, chapterCount)
		}
	}
	document, _, err := c.file("chapters", "html")
	if err != nil {
		t.Fatal(err)
	}
	if want, got := bodyText(withoutContents(t, document)), readText(withoutLabels(tree)); !strings.Contains(got, want) {
		t.Errorf("what is read is not the report's text: %s", difference(want, got))
	}
}

// TestTextFromRightToLeft makes accessible reports of more than 50 pages in
// Arabic and Hebrew. What the elements say is the report's text, and poppler
// finds the words whole and as they are written.
func TestTextFromRightToLeft(t *testing.T) {
	ofDocuments(t)
	needPoppler(t)
	for _, tt := range []struct{ language, words string }{{"ar", arabicWords}, {"he", hebrewWords}} {
		t.Run(tt.language, func(t *testing.T) {
			c := newPageCheck(t, chapters(t, wordsOf(tt.words), tt.language))
			content, warnings := finished(t, c.service, export.Request{Report: "chapters", ExportOptions: report.ExportOptions{Accessible: true}})
			if !bytes.Contains(content, []byte("pdfuaid:part")) {
				t.Error("it does not say that it conforms:", warnings)
			}
			document, _, err := c.file("chapters", "html")
			if err != nil {
				t.Fatal(err)
			}
			facts, err := pdf.ReadFacts(context.Background(), content, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(facts.Pages) < 50 {
				t.Errorf("only %d pages", len(facts.Pages))
			}
			blocks := blocksFromRightToLeft(document)
			want, got := withoutBlanks(strings.Join(blocks, "")), withoutBlanks(strings.Join(slices.DeleteFunc(facts.Said, isLabel), ""))
			if !strings.HasSuffix(got, want) { // the list of contents comes first
				got = got[max(len(got)-len(want), 0):]
				t.Errorf("what is said is not the report's text: %s", difference(want, got))
			}
			plain, _ := finished(t, c.service, export.Request{Report: "chapters"})
			lookAlike(t, keepFile(t, plain), keepFile(t, content), 12)
			// The list of contents and running headers show words besides.
			in, out := countWords(strings.Join(blocks, " ")), countWords(output(t, "pdftotext", keepFile(t, content), "-"))
			missing := 0
			for _, w := range slices.Sorted(maps.Keys(in)) {
				if n := in[w] - out[w]; n > 0 {
					missing += n
					t.Logf("poppler finds %q %d times, the report has it %d times", w, out[w], in[w])
				}
			}
			if missing > 0 {
				t.Errorf("poppler does not find %d words", missing)
			}
		})
	}
}

// blocksFromRightToLeft are the texts of the innermost blocks of a document's
// bodies that have letters from right to left.
func blocksFromRightToLeft(document []byte) []string {
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		return []string{err.Error()}
	}
	var list []string
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		inside = inside || strings.Contains(" "+attribute(n, "class")+" ", " q-body ")
		if n.Data == "nav" || attribute(n, "role") == "doc-toc" {
			return
		}
		switch n.Data {
		case "p", "h1", "h2", "td", "th", "li":
			if text := textOfNode(n); inside && strings.ContainsFunc(text, isFromRightToLeft) {
				list = append(list, text)
			}
			return
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, inside)
		}
	}
	walk(root, false)
	return list
}

// withoutContents leaves the list of contents out of a document.
func withoutContents(t *testing.T, document []byte) []byte {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if attribute(n, "role") == "doc-toc" {
			n.Parent.RemoveChild(n)
			break
		}
	}
	var b bytes.Buffer
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func textOfNode(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.ReplaceAll(n.Data, "\u00ad", "")
	}
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		b.WriteString(textOfNode(child))
	}
	return b.String()
}

func isFromRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew) && unicode.IsLetter(r)
}

// isLabel says whether a text is the label of an item of a list.
func isLabel(s string) bool { return !strings.ContainsFunc(s, isFromRightToLeft) }

// withoutBlanks leaves out blanks and what only directs the order of letters.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// countWords counts the words that are read from right to left. Poppler puts
// vowel signs before their letters, so words with them are left out.
func countWords(s string) map[string]int {
	counts := map[string]int{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !isFromRightToLeft(r) && !unicode.Is(unicode.Mn, r) }) {
		if !strings.ContainsFunc(w, unicode.IsMark) {
			counts[w]++
		}
	}
	return counts
}

// withoutLabels leaves the labels of lists and the list of contents, whose
// numbers of pages are not in the document, out of a listing of the structure.
func withoutLabels(tree string) string {
	var b strings.Builder
	label := -1
	for line := range strings.Lines(tree) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if label >= 0 && indent > label {
			continue
		}
		label = -1
		if strings.HasPrefix(line[indent:], "Lbl") || strings.HasPrefix(line[indent:], "TOC") {
			label = indent
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// lookAlike compares the first pages of two files as poppler draws them.
func lookAlike(t *testing.T, first, second string, pages int) {
	t.Helper()
	for page := 1; page <= pages; page++ {
		n := strconv.Itoa(page)
		a := output(t, "pdftoppm", "-gray", "-r", "80", "-f", n, "-l", n, first)
		b := output(t, "pdftoppm", "-gray", "-r", "80", "-f", n, "-l", n, second)
		if len(a) != len(b) {
			t.Fatalf("page %d has another size", page)
		}
		for i := range len(a) {
			if d := int(a[i]) - int(b[i]); d > 24 || d < -24 {
				t.Errorf("page %d looks otherwise", page)
				break
			}
		}
	}
}

func keepFile(t *testing.T, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
