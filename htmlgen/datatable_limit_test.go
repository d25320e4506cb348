package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// The canvas draws the beginning of a long table. Its sums are those of all rows.
func TestATableIsCutForTheCanvas(t *testing.T) {
	groups := []any{report.ObjectOf("field", "kind", "caption", report.ObjectOf("enabled", true), "footer", report.ObjectOf("enabled", true))}
	for name, c := range map[string]struct {
		groups   []any
		limit    int
		rows     int
		captions int
		warning  string
	}{
		"all":            {nil, 0, 6, 0, ""},
		"as many":        {nil, 6, 6, 0, ""},
		"some":           {nil, 4, 4, 0, "the canvas shows the first 4 of 6 rows"},
		"groups":         {groups, 4, 4, 2, "the canvas shows the first 4 of 6 rows"},
		"a whole group":  {groups, 3, 3, 1, "the canvas shows the first 3 of 6 rows"},
		"all the groups": {groups, 0, 6, 2, ""},
	} {
		props := map[string]any{"source": "$data.rows", "columns": []any{report.ObjectOf("field", "n", "footer", report.ObjectOf("aggregate", "sum"))}, "footer": report.ObjectOf("enabled", true)}
		if c.groups != nil {
			props["groups"] = c.groups
		}
		in := testInput(t, []report.Element{{Type: "data-table", Props: props}})
		var rows []any
		for i := range 6 {
			rows = append(rows, report.ObjectOf("n", int64(i+1), "kind", string(rune('A'+i/3))))
		}
		in.Data = report.ObjectOf("rows", rows)
		in.TableRows = c.limit
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		html := string(doc.HTML)
		if got := strings.Count(html, "<tr><td"); got != c.rows {
			t.Errorf("%s: %d rows; want %d", name, got, c.rows)
		}
		if got := strings.Count(html, `"q-group-caption`); got != c.captions {
			t.Errorf("%s: %d groups; want %d", name, got, c.captions)
		}
		if !strings.Contains(html[strings.Index(html, "<tfoot>"):], "21<") {
			t.Errorf("%s: the sum is not that of all rows", name)
		}
		told := ""
		for _, w := range doc.Warnings {
			told += w.Message
		}
		if !strings.Contains(told, c.warning) || (c.warning == "") != (told == "") {
			t.Errorf("%s: warned %q", name, told)
		}
	}
}
