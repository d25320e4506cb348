package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

func TestTablesSayThatTheyGoOn(t *testing.T) {
	t.Parallel()
	const row, caption = `<tr class="q-again"><th scope="colgroup" colspan="1">Table 3</th></tr>`, `<span class="q-again">(Fortsetzung)</span>`
	for _, c := range []struct {
		name         string
		breaks       bool
		change       func(*Input)
		row, caption bool
		told         string
	}{
		{"pages", true, func(*Input) {}, true, true, ""},
		{"a table that stays on its page", false, func(*Input) {}, false, false, ""},
		{"workbooks", true, func(in *Input) { in.Typed = true }, false, false, "workbooks carry no sums over pages; they are left out"},
		{"documents of Word", true, func(in *Input) { in.Charted = true }, false, true, "documents of Word carry no sums over pages; they are left out, in documents of Word nothing stands above the head where a table goes on"},
		{"presentations", true, func(in *Input) { in.Charted, in.Slides = true, true }, true, true, ""},
	} {
		in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{
			"source": "$data.orders", "breakAcrossPages": c.breaks, "continuedText": "Table 3",
			"groups":  []any{report.ObjectOf("field", "region", "caption", report.ObjectOf("continued", true))},
			"carry":   report.ObjectOf("enabled", c.breaks),
			"columns": []any{report.ObjectOf("field", "total", "runningTotal", "table")},
		}}})
		in.Locale = text.LocaleFor("de-DE")
		c.change(in)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, w := range doc.Warnings {
			told = append(told, strings.TrimPrefix(w.Message, "data-table: "))
		}
		html := string(doc.HTML)
		if strings.Contains(html, row) != c.row || strings.Contains(html, caption) != c.caption || strings.Join(told, ", ") != c.told {
			t.Errorf("%s: row %v, caption %v, told %q", c.name, strings.Contains(html, row), strings.Contains(html, caption), told)
		}
	}
}
