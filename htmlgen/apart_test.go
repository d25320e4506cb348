package htmlgen

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestLargeTablesStandApart: the rows of a large table are not in the typed document, and
// are the same as those of the document that is printed but for the marks.
func TestLargeTablesStandApart(t *testing.T) {
	rows := make([]any, 3*apartFrom)
	for i := range rows {
		rows[i] = report.ObjectOf("town", fmt.Sprintf("Town <%d>", i/1500), "n", json.Number(strconv.Itoa(i)))
	}
	compile := func(typed bool, columns string) *Document {
		def, problems := report.Parse[struct {
			Elements []report.Element `json:"elements"`
		}]([]byte(`{"elements": [{"type": "toc"}, {"type": "heading", "props": {"title": "All"}}, {"type": "data-table", "props": {"source": "$data.rows", "groups": [{"field": "town"}],
			"footer": {"enabled": true}, "columns": [{"field": "town"}, ` + columns + `]}}, {"type": "data-table", "props": {"source": "$data.rows"}}]}`))
		if problems != nil {
			t.Fatal(problems)
		}
		in := testInput(t, def.Elements)
		in.Data = report.ObjectOf("rows", rows)
		in.Typed = typed
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	const plainColumns = `{"field": "n", "footer": {"aggregate": "sum"}}`
	doc, plain := compile(true, plainColumns), compile(false, plainColumns)
	if len(doc.HTML) > 200<<10 {
		t.Errorf("the document has %d bytes", len(doc.HTML))
	}
	apart := regexp.MustCompile(`<tbody data-rows="(\d)">\n`)
	whole, pieces := apart.ReplaceAllStringFunc(string(doc.HTML), func(tag string) string {
		table, err := strconv.Atoi(apart.FindStringSubmatch(tag)[1])
		if err != nil {
			t.Fatal(err)
		}
		found := "<tbody>\n"
		for n := 0; ; n++ {
			rows, ok := doc.Rows(table, n, nil)
			if !ok {
				return found
			}
			if s := string(rows); !strings.HasPrefix(s, "<tr") || !strings.HasSuffix(s, "</tr>\n") {
				t.Errorf("piece %d of table %d is no whole rows: %.60s", n, table, s)
			}
			found += string(rows)
		}
	}), len(doc.rows)
	if pieces != 2 || len(doc.rows[0]) < 3 {
		t.Errorf("%d tables stand apart; the first in %d pieces", pieces, len(doc.rows[0]))
	}
	body := func(html string) string {
		_, body, _ := strings.Cut(html, "<body")
		return typedAttr.ReplaceAllString(regexp.MustCompile(` data-begins="[^"]*"`).ReplaceAllString(body, ""), "")
	}
	if body(whole) != body(string(plain.HTML)) {
		t.Error("with its rows the document is not the one that is printed")
	}
	if got := compile(true, `{"field": "n", "renderer": "html", "html": "<svg></svg>"}`); len(got.rows) != 1 {
		t.Errorf("%d tables stand apart; the one with drawings has to stay", len(got.rows))
	}
}

// TestLargeTablesCount: what stands apart counts for the size that a document may have.
func TestLargeTablesCount(t *testing.T) {
	def, problems := report.Parse[struct {
		Elements []report.Element `json:"elements"`
	}]([]byte(`{"elements": [{"type": "data-table", "props": {"source": "$data.rows"}}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	in := testInput(t, def.Elements)
	rows := make([]any, 10*apartFrom)
	for i := range rows {
		rows[i] = report.ObjectOf("n", json.Number("1"))
	}
	in.Data, in.Typed, in.MostBytes = report.ObjectOf("rows", rows), true, 300<<10
	if _, err := Compile(t.Context(), in); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("it ends with %v", err)
	}
}
