package starter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func read(t *testing.T, text string) *Table {
	t.Helper()
	value, err := report.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	table, err := Read(value)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestFieldsHaveTheKindOfTheirValues(t *testing.T) {
	table := read(t, `[{"no": 1, "name": "Ana", "at": {"day": "2026-11-02", "hour": "2026-11-02T10:30:00Z"}, "paid": true, "mixed": 1, "lines": [1], "none": null},
		{"no": 2, "name": "", "at": {"day": null}, "paid": false, "mixed": "x", "late": 4}]`)
	got := []string{}
	for _, f := range table.Fields {
		got = append(got, f.Path+" "+string(f.Kind))
	}
	want := []string{"no number", "name text", "at.day date", "at.hour date", "paid switch", "mixed text", "late number"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if rows := table.Beginning(1, 3); fmt.Sprint(rows) != "[[1 Ana 202… 202… tru… 1 ]]" {
		t.Errorf("got %q", rows)
	}
}

func TestTheLongestListIsTheTable(t *testing.T) {
	tests := []struct{ text, path string }{
		{`[{"a": 1}]`, ""},
		{`{"orders": [{"a": 1}, {"a": 2}], "people": [{"b": 1}], "numbers": [1, 2, 3, 4]}`, "orders"},
		{`{"page": {"items": [{"a": 1}]}}`, "page.items"},
	}
	for _, test := range tests {
		if got := read(t, test.text).Path; got != test.path {
			t.Errorf("%s: got %q", test.text, got)
		}
	}
	for _, none := range []string{`5`, `[]`, `{"a": 1}`, `[1, 2]`, `[{"a": [1]}]`, `{"bad name": [{"a": 1}]}`} {
		value, _ := report.ParseValue([]byte(none))
		if _, err := Read(value); err == nil {
			t.Errorf("%s has rows", none)
		}
	}
}

func TestOnlyWhatAddsUpHasATotal(t *testing.T) {
	table := read(t, `[{"orderId": 17, "year": 2025, "Position": 1, "unitPrice": 3.5, "units": 2, "margin %": 4, "amount": 7, "PLZ": 80331},
		{"orderId": 9, "year": 2026, "Position": 2, "unitPrice": 1, "units": 3, "margin %": 2, "amount": 3, "PLZ": 10115}]`)
	if got := table.Suggest().Totals; !slices.Equal(got, []string{"units", "amount"}) {
		t.Errorf("got %q", got)
	}
}

func TestTheChartIsDrawnOverWhatSaysMost(t *testing.T) {
	tests := []struct{ name, text, category, value string }{
		{"values that repeat", `[{"item": "a", "region": "N", "on": "2026-01-01", "v": 1}, {"item": "b", "region": "N", "on": "2026-01-02", "v": 1}, {"item": "c", "region": "S", "on": "2026-01-03", "v": 1}]`, "region", "v"},
		{"dates", `[{"on": "2026-01-01", "v": 1}, {"on": "2026-01-02", "v": 1}, {"on": "2026-01-03", "v": 1}]`, "on", "v"},
		{"years", `[{"year": 2024, "v": 1.5}, {"year": 2025, "v": 2}]`, "year", "v"},
		{"few names", `[{"item": "a", "v": 1}, {"item": "b", "v": 4}]`, "item", "v"},
		{"one row", `[{"item": "a", "v": 1}]`, "", ""},
		{"no number", `[{"item": "a"}, {"item": "a"}]`, "", ""},
	}
	for _, test := range tests {
		c := read(t, test.text).Suggest()
		if c.Category != test.category || c.Value != test.value {
			t.Errorf("%s: got %q by %q", test.name, c.Value, c.Category)
		}
	}
}

func TestChoicesThatCannotBeAreRefused(t *testing.T) {
	table := read(t, `[{"item": "a", "v": 1}]`)
	tests := []struct {
		choice Choice
		says   string
	}{
		{Choice{Columns: []string{"gone"}}, "no field"},
		{Choice{}, "at least one column"},
		{Choice{Columns: []string{"item"}, Totals: []string{"item"}}, "only numbers"},
		{Choice{Columns: []string{"item"}, Value: "v"}, "both or neither"},
		{Choice{Columns: []string{"item"}, Category: "v", Value: "item"}, "draws numbers"},
	}
	for _, test := range tests {
		if err := table.Check(test.choice); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: %v", test.choice, err)
		}
	}
	if err := table.Check(table.Suggest()); err != nil {
		t.Error(err)
	}
}

func TestLabelsAreWords(t *testing.T) {
	for path, want := range map[string]string{"soldAt": "Sold at", "sold_at": "Sold at", "order.unitPrice": "Unit price", "Offener Betrag": "Offener Betrag", "VAT": "VAT", "Nr.": "Nr.", "orderID": "OrderID"} {
		if got := Label(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	for name, want := range map[string]string{"Sales of November!": "sales_of_november", "2026": "rows", "Übersicht 3": "bersicht_3", "  ": "rows"} {
		if got := SourceName(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
