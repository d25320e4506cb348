package htmlgen

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/report"
)

// carriedRows are what the rows of the only table carry, and the rows that say so.
func carriedRows(t *testing.T, page []byte) (carried, rows []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			if a.Key == "data-carry" {
				carried = append(carried, a.Val)
			}
			if a.Key == "class" && (a.Val == "q-carried" || a.Val == "q-brought") {
				rows = append(rows, textOf(node))
			}
		}
	}
	return carried, rows
}

func TestSumsThatAreCarriedOverPages(t *testing.T) {
	t.Parallel()
	amount := func(props ...any) *report.Object {
		o := report.ObjectOf("field", "amount", "format", "custom", "customFormat", "n;2;2")
		for i := 0; i < len(props); i += 2 {
			o.Set(props[i].(string), props[i+1])
		}
		return o
	}
	kind, sum := report.ObjectOf("field", "kind"), report.ObjectOf("aggregate", "sum")
	for _, c := range []struct {
		name    string
		columns []any
		texts   []any
		want    string
		rows    string
	}{
		{"sums of footers", []any{kind, amount("footer", sum)}, nil, "0.10, 0.30, 0.00, 1,000.00", "Carried forward1,000.00, Brought forward1,000.00"},
		{"running totals", []any{kind, amount("runningTotal", "table")}, nil, "0.10, 0.30, 0.00, 1,000.00", "Carried forward1,000.00, Brought forward1,000.00"},
		{"what the column says", []any{amount("carry", "sum"), amount("carry", "last"), amount("footer", sum, "carry", "none")}, nil, "0.10\t0.10, 0.30\t0.20, 0.00\t−0.30, 1,000.00\t1,000.00", "Carried forward 1,000.001,000.00, Brought forward 1,000.001,000.00"},
		{"a field of its own", []any{kind, report.ObjectOf("field", "kind", "footer", report.ObjectOf("aggregate", "sum", "aggregateField", "amount", "format", "n;1;1"))}, nil, "0.1, 0.3, 0.0, 1,000.0", "Carried forward1,000.0, Brought forward1,000.0"},
		{"an expression", []any{kind, report.ObjectOf("value", "{$record.amount}", "format", "expression", "carry", "sum")}, nil, "0.1, 0.3, 0, 1000", "Carried forward1000, Brought forward1000"},
		{"texts", []any{kind, amount("footer", sum)}, []any{"forwardText", "to {$params.x}", "broughtText", "from"}, "0.10, 0.30, 0.00, 1,000.00", "to <next>1,000.00, from1,000.00"},
	} {
		carry := report.ObjectOf("enabled", true)
		for i := 0; i < len(c.texts); i += 2 {
			carry.Set(c.texts[i].(string), c.texts[i+1])
		}
		in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{
			"source": "$data.m", "columns": c.columns, "carry": carry, "breakAcrossPages": true,
		}}})
		in.Data, in.Params = report.ObjectOf("m", movements("0.1", "0.2", "-0.3", "1000")), report.ObjectOf("x", "<next>")
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		carried, rows := carriedRows(t, doc.HTML)
		got, said := strings.Join(carried, ", "), strings.Join(rows, ", ")
		if got != c.want || said != c.rows || len(doc.Warnings) > 0 {
			t.Errorf("%s:\n got %s (%s)\nwant %s (%s)\n%v", c.name, got, said, c.want, c.rows, doc.Warnings)
		}
	}
}

func TestNothingIsCarriedThatIsNotThere(t *testing.T) {
	t.Parallel()
	sum := report.ObjectOf("field", "amount", "footer", report.ObjectOf("aggregate", "sum"))
	for _, c := range []struct {
		name   string
		column *report.Object
		breaks bool
		typed  bool
		want   string
	}{
		{"no column", report.ObjectOf("field", "kind"), true, false, "props.carry.enabled: data-table: no column has a sum to carry"},
		{"no break", sum, false, false, "props.carry.enabled: data-table: sums are carried over pages only where the table may break"},
		{"no number", report.ObjectOf("field", "kind", "carry", "sum"), true, false, `props.columns[0].carry: data-table: column "Kind": "in" is no number`},
		{"no values", report.ObjectOf("renderer", "html", "html", "<b>x</b>", "carry", "sum"), true, false, "prints no values"},
		{"a workbook", sum, true, true, "workbooks carry no sums over pages"},
	} {
		in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{
			"source": "$data.m", "columns": []any{c.column}, "carry": report.ObjectOf("enabled", true), "breakAcrossPages": c.breaks,
		}}})
		in.Data, in.Typed = report.ObjectOf("m", movements("1")), c.typed
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if warned := doc.Warnings.Error(); !strings.Contains(warned, c.want) {
			t.Errorf("%s: %q, not %q", c.name, warned, c.want)
		}
		if _, rows := carriedRows(t, doc.HTML); len(rows) > 0 && c.name != "no number" {
			t.Errorf("%s: %v", c.name, rows)
		}
	}
}

// A document whose tables carry nothing is what it was.
func TestRulesOfCarriedSumsComeWithThem(t *testing.T) {
	t.Parallel()
	in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{"source": "$data.m"}}})
	in.Data = report.ObjectOf("m", movements("1"))
	doc, err := Compile(context.Background(), in)
	if err != nil || bytes.Contains(doc.HTML, []byte("q-carr")) {
		t.Error("rules of carried sums where there are none", err)
	}
}

func TestSumsOfPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, sums, warning string }{
		{"n;2;2", "0.1, 0.3, 0, 1000", ""},
		{"c;EUR", "0.1, 0.3, 0, 1000", ""},
		{"p;1", "", `props.carry.pageTotals: data-table: column "Amount": sums of a page cannot be written in the format p;1; they are left out`},
	} {
		in := testInput(t, []report.Element{{Type: "data-table", Props: map[string]any{
			"source": "$data.m", "breakAcrossPages": true, "carry": report.ObjectOf("pageTotals", true),
			"columns": []any{report.ObjectOf("field", "kind"), report.ObjectOf("field", "amount", "format", "custom", "customFormat", c.format, "footer", report.ObjectOf("aggregate", "sum"))},
		}}})
		in.Data = report.ObjectOf("m", movements("0.1", "0.2", "-0.3", "1000"))
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var sums []string
		for _, found := range regexp.MustCompile(`data-sums="([^"]*)"`).FindAllStringSubmatch(string(doc.HTML), -1) {
			sums = append(sums, found[1])
		}
		if got := strings.Join(sums, ", "); got != c.sums || !strings.Contains(doc.Warnings.Error(), c.warning) {
			t.Errorf("%s: %s %v", c.format, got, doc.Warnings)
		}
		if ends := strings.Count(string(doc.HTML), `data-until="1000"`); c.warning == "" && (ends != 1 || len(doc.Warnings) > 0) {
			t.Errorf("%s: %d ends; %v", c.format, ends, doc.Warnings)
		}
	}
}
