package htmlgen

import (
	"strings"
	"testing"
)

// TestNumbersAlignRightInAFormatOfTheirOwn, and texts do not.
func TestNumbersAlignRightInAFormatOfTheirOwn(t *testing.T) {
	t.Parallel()
	got := compileBody(t, false, `{"type": "data-table", "props": {"source": "$data.orders", "columns": [
		{"field": "total", "format": "custom", "customFormat": "n;1"}, {"field": "city", "format": "custom", "customFormat": "uppercase"},
		{"field": "total", "format": "custom", "customFormat": "n", "align": "left"}]}}`)
	if want := `<tr><td class="q-right">1,234.5</td><td>OSLO</td><td class="q-figures">1,234.5</td></tr>`; !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
}

// TestComputedNumbersAlignRight, too, the whole column alike, its header with it;
// what is no number in every row does not.
func TestComputedNumbersAlignRight(t *testing.T) {
	t.Parallel()
	got := compileBody(t, false, `{"type": "data-table", "props": {"source": "$data.orders", "footer": {"enabled": true}, "columns": [
		{"title": "A", "renderer": "value", "value": "{$record.total} * 2", "footer": {"text": "F"}},
		{"title": "B", "renderer": "value", "value": "{$record.total} > 1000 ? 'much' : {$record.total}"},
		{"title": "C", "renderer": "value", "value": "{$record.total} * 2", "format": "custom", "customFormat": "n;0"},
		{"title": "D", "renderer": "value", "value": "{$record.total} * 2", "align": "center"},
		{"title": "E", "field": "total", "renderer": "function", "function": "(value) => value"}, {"title": "F", "field": "city", "renderer": "function", "function": "(value) => value"}]}}`)
	for _, want := range []string{
		`<th class="q-right" scope="col">A</th><th scope="col">B</th><th class="q-right" scope="col">C</th><th class="q-center" scope="col">D</th><th class="q-right" scope="col">E</th><th scope="col">F</th>`,
		`<tr><td class="q-right">2,469</td><td>much</td><td class="q-right">2,469</td><td class="q-center q-figures">2,469</td><td class="q-right">1,234.5</td><td>Oslo</td></tr>`,
		`<td class="q-right"> F</td>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got)
		}
	}
}

// TestTabularFiguresAreForNumbersAndDates only: they would part "SE-101" at its hyphen.
func TestTabularFiguresAreForNumbersAndDates(t *testing.T) {
	t.Parallel()
	for _, sheet := range []string{tableCSS, baseCSS} {
		for rule := range strings.Lines(sheet) {
			if strings.Contains(rule, "tabular-nums") && (strings.HasPrefix(rule, ".q-data-table{") || strings.Contains(rule, ">dd{")) {
				t.Errorf("tabular figures for all: %.80s…", rule)
			}
		}
	}
	got := compileBody(t, false, `{"type": "data-table", "props": {"source": "$data.orders", "columns": [{"field": "city"}, {"field": "total", "format": "date"}]}}`)
	if want := `<tr><td>Oslo</td><td class="q-figures">`; !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
}

// TestSpanningHeadersAreCentred over their columns, whatever these hold.
func TestSpanningHeadersAreCentred(t *testing.T) {
	t.Parallel()
	got := compileBody(t, false, `{"type": "data-table", "props": {"source": "$data.orders", "columns": [
		{"field": "total", "format": "number", "headers": [{"text": "Money", "colSpan": 2}, {"text": "Total"}]}, {"field": "share", "format": "number", "headers": [{}, {"text": "Share"}]}]}}`)
	if want := `<th class="q-center" colspan="2" scope="colgroup">Money</th>`; !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
}

// TestCellsBesideSpannedOnesStandInTheirColumn: the first and the last cell of a row
// have no room at the edges of the table only where they are in its first and last column.
func TestCellsBesideSpannedOnesStandInTheirColumn(t *testing.T) {
	t.Parallel()
	got := compileBody(t, false, `{"type": "data-table", "props": {"source": "$data.orders", "columns": [
		{"field": "region", "mergeCells": "always", "headers": [{"text": "R", "rowSpan": 2}]}, {"field": "city", "headers": [{"text": "Place", "colSpan": 2}, {"text": "City"}]},
		{"field": "id", "headers": [{"text": ""}, {"text": "No."}]}, {"field": "total", "headers": [{"text": "T", "rowSpan": 2}]}]}}`)
	for _, want := range []string{
		`<tr data-repeat><th data-inner scope="col">City</th><th data-inner-end class="q-right" scope="col">No.</th></tr>`,
		`<td rowspan="3" data-repeat>North</td><td>Oslo</td>`, `<tr><td data-inner>Rome</td>`, `<tr><td data-inner>Oslo</td>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in %s", want, got)
		}
	}
	if strings.Count(got, "data-inner") != 4 {
		t.Errorf("other cells are marked, too: %s", got)
	}
}
