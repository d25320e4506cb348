package htmlgen

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/report"
)

// movements are rows whose sums a float gets wrong.
func movements(amounts ...string) []any {
	rows := make([]any, len(amounts))
	for i, amount := range amounts {
		kind := "in"
		if strings.HasPrefix(amount, "-") {
			kind = "out"
		}
		rows[i] = report.ObjectOf("kind", kind, "amount", json.Number(amount))
	}
	return rows
}

// printedCells are the texts of the cells of each row of the only table.
func printedCells(t *testing.T, in *Input) ([]string, *Document) {
	t.Helper()
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(doc.HTML))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for node := range root.Descendants() {
		if node.Type != html.ElementNode || node.Data != "tr" || node.Parent.Data == "thead" {
			continue
		}
		var cells []string
		for cell := range node.ChildNodes() {
			cells = append(cells, textOf(cell))
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return rows, doc
}

func TestRunningTotals(t *testing.T) {
	t.Parallel()
	amounts := []string{"0.1", "0.2", "-0.3", "12345678901.07", "-5"}
	running := func(props ...any) map[string]any {
		column := report.ObjectOf("field", "amount", "format", "custom", "customFormat", "n;2;2")
		for i := 0; i < len(props); i += 2 {
			column.Set(props[i].(string), props[i+1])
		}
		return map[string]any{"source": "$data.m", "columns": []any{report.ObjectOf("field", "amount"), column}}
	}
	group := func(props map[string]any) map[string]any {
		props["groups"] = []any{report.ObjectOf("field", "kind", "footer", report.ObjectOf("enabled", true))}
		return props
	}
	for _, c := range []struct {
		name  string
		props map[string]any
		want  string
	}{
		{"over the table", running("runningTotal", "table"), "0.10, 0.30, 0.00, 12,345,678,901.07, 12,345,678,896.07"},
		{"of an expression", running("runningTotal", "table", "field", "", "value", "{$record.amount}"), "0.10, 0.30, 0.00, 12,345,678,901.07, 12,345,678,896.07"},
		{
			"over each group, with its last", group(running("runningTotal", "group", "footer", report.ObjectOf("aggregate", "last"))),
			"in, 0.10, 0.30, 12,345,678,901.37, 12,345,678,901.37, out, −0.30, −5.30, −5.30",
		},
		{
			"over the table, in groups", group(running("runningTotal", "table", "footer", report.ObjectOf("aggregate", "sum", "aggregateField", "amount"))),
			"in, 0.10, 0.30, 12,345,678,901.37, 12,345,678,901.37, out, 12,345,678,901.07, 12,345,678,896.07, −5.30",
		},
	} {
		in := testInput(t, []report.Element{{Type: "data-table", Props: c.props}})
		in.Data = report.ObjectOf("m", movements(amounts...))
		rows, doc := printedCells(t, in)
		for i, row := range rows {
			rows[i] = row[strings.LastIndex(row, "| ")+1:]
			rows[i] = strings.TrimSpace(rows[i])
		}
		if got := strings.Join(rows, ", "); got != c.want || len(doc.Warnings) > 0 {
			t.Errorf("%s:\n got %s\nwant %s\n%v", c.name, got, c.want, doc.Warnings)
		}
	}
}

// A workbook has the values that the cells show, and no formula that would add
// running totals up.
func TestRunningTotalsInWorkbooks(t *testing.T) {
	t.Parallel()
	column := report.ObjectOf("field", "amount", "runningTotal", "table", "footer", report.ObjectOf("aggregate", "sum", "aggregateField", "amount"))
	in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{
		"source": "$data.m", "columns": []any{column}, "footer": report.ObjectOf("enabled", true),
	}}})
	in.Data, in.Typed = report.ObjectOf("m", movements("0.1", "0.2")), true
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	page := string(doc.HTML)
	if strings.Count(page, `data-n="0.3"`) != 2 || strings.Contains(page, "data-sum") {
		t.Errorf("%s", page[strings.Index(page, "<tbody"):])
	}
}

func TestRunningTotalsOfWhatIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column *report.Object
		want   string
	}{
		{report.ObjectOf("renderer", "text", "text", "x", "runningTotal", "table"), `column "": a running total is of the value renderer, not of "text"`},
		{report.ObjectOf("field", "kind", "runningTotal", "table"), `column "Kind": "in" is no number and does not count in the running total`},
	} {
		in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{"source": "$data.m", "columns": []any{c.column}}}})
		in.Data = report.ObjectOf("m", movements("1"))
		_, doc := printedCells(t, in)
		if len(doc.Warnings) != 1 || !strings.HasSuffix(doc.Warnings[0].Message, c.want) || !strings.HasSuffix(doc.Warnings[0].Path, "props.columns[0].runningTotal") {
			t.Errorf("%v, want %s", doc.Warnings, c.want)
		}
	}
}
