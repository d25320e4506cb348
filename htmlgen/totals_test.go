package htmlgen

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/render/office/sheets"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// totalTables is how many random tables are added up: -totals 1000.
var totalTables = flag.Int("totals", 150, "random tables whose totals are compared with their cells")

// TestTotalsAreThoseOfThePrintedCells reads the tables as a person with a
// calculator does: it knows nothing but the cells on the page.
func TestTotalsAreThoseOfThePrintedCells(t *testing.T) {
	t.Parallel()
	checked := 0
	for seed := range uint64(*totalTables) {
		g := &totalsGenerator{Rand: rand.New(rand.NewPCG(seed, 5))}
		in := testInput(t, []report.Element{{Type: "data-table", Props: g.table()}})
		in.Data = report.ObjectOf("r", g.rows)
		in.Scripts = doublingScripts{testScripts{scripting.NewExpressions(context.Background(), noEngine{}, scripting.Scene{})}}
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Warnings) > 0 {
			t.Fatalf("seed %d: %v", seed, doc.Warnings)
		}
		root, err := html.Parse(bytes.NewReader(doc.HTML))
		if err != nil {
			t.Fatal(err)
		}
		a := addition{columns: g.columns, from: make([]int, maxGroups+1)}
		a.walk(root)
		if len(a.faults) > 0 {
			t.Fatalf("seed %d: %s\n%s", seed, strings.Join(a.faults, "\n"), doc.HTML[bytes.Index(doc.HTML, []byte("<table")):])
		}
		checked += a.checked
	}
	if checked < 10**totalTables {
		t.Errorf("only %d totals in %d tables", checked, *totalTables)
	}
	t.Logf("%d totals", checked)
}

// TestTotalsOfWorkbooks: the formulas of the same tables find what is printed.
func TestTotalsOfWorkbooks(t *testing.T) {
	t.Parallel()
	formulas := 0
	for seed := range uint64(*totalTables) {
		g := &totalsGenerator{Rand: rand.New(rand.NewPCG(seed, 5))}
		in := testInput(t, []report.Element{{Type: "data-table", Props: g.table()}})
		in.Data, in.Typed = report.ObjectOf("r", g.rows), true
		in.Scripts = doublingScripts{testScripts{scripting.NewExpressions(context.Background(), noEngine{}, scripting.Scene{})}}
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := sheets.Write(&b, doc.HTML, sheets.Config{Codes: doc.Codes}); err != nil {
			t.Fatal(err)
		}
		book := xlsxtest.Open(t, b.Bytes())
		if faults := book.Faults(); len(faults) > 0 {
			t.Fatalf("seed %d: %s\n%s", seed, strings.Join(faults, "\n"), book)
		}
		formulas += strings.Count(book.String(), "=SUBTOTAL(")
	}
	if formulas < *totalTables {
		t.Errorf("only %d formulas in %d tables", formulas, *totalTables)
	}
	t.Logf("%d formulas", formulas)
}

// doublingScripts renders every function as one that doubles its value, in the
// form that the function's source asks for.
type doublingScripts struct{ testScripts }

func (s doublingScripts) Render(_ context.Context, call *RenderCall) ([]any, error) {
	results := make([]any, len(call.Rows))
	for i, row := range call.Rows {
		n, isNumber := row[0].(float64)
		switch {
		case !isNumber:
		case call.Source == "text":
			results[i] = strconv.FormatFloat(2*n, 'f', 2, 64)
		case call.Source == "markup":
			results[i] = "<b>" + strconv.FormatFloat(n, 'f', 2, 64) + "</b>"
		default:
			results[i] = 2 * n
		}
	}
	return results, nil
}

type totalsGenerator struct {
	*rand.Rand
	rows    []any
	columns []totalColumn
}

// totalColumn is the aggregate of a printed column and the column of its weights.
type totalColumn struct {
	aggregate string
	of        int // the column whose cells are added up
}

// columnsOfTotals are the ways to print numbers; the first four are in all
// tables, since others add them up or weigh by them.
var columnsOfTotals = []map[string]any{
	{"field": "q", "customFormat": "n;4"},
	{"field": "p", "customFormat": "n;4"},
	{"field": "c", "customFormat": "n;4"},
	{"value": "{$record.q} * {$record.p}", "title": "Product", "customFormat": "n;4"},
	{"field": "p", "value": "{$record.q} + 1", "customFormat": "n;4"},
	{"renderer": "text", "title": "Text", "text": "{$record.q:n;2} pcs", "customFormat": "n;4"},
	{"renderer": "text", "field": "q", "text": "{$record.c}: {$record.q}", "customFormat": "n;4"},
	{"renderer": "function", "field": "p", "function": "number", "customFormat": "n;4"},
	{"renderer": "function", "field": "p", "function": "text", "customFormat": "n;4"},
	{"renderer": "function", "field": "p", "function": "markup", "customFormat": "n;4"},
	{"renderer": "html", "field": "p", "html": "<i>{$record.p:n;2}</i>", "customFormat": "n;4"},
	{"renderer": "value", "title": "Unlike", "value": "'x'", "footer": "p"},
	{"renderer": "value", "title": "Own", "value": "'x'", "footer": "product"},
}

func (g *totalsGenerator) table() map[string]any {
	steps := []any{report.ObjectOf("type", "compute", "as", "c", "expression", "{$record.q} * 3")}
	if g.IntN(3) == 0 {
		steps = append(steps, report.ObjectOf("type", "filter", "conditions", []any{report.ObjectOf("field", "c", "operator", "greater", "expression", "{$record.q} * 2")}))
	}
	if g.IntN(3) == 0 {
		steps = append(steps, report.ObjectOf("type", "sort", "by", []any{report.ObjectOf("field", "p", "descending", true)}))
	}
	g.rows = g.data(0, []int{1, 4, 17, 60}[g.IntN(4)])
	props := map[string]any{"source": "$data.r", "transform": steps, "footer": report.ObjectOf("enabled", true), "preserveGroupOrder": g.IntN(2) == 0, "isTree": g.IntN(3) == 0}
	if g.IntN(2) == 0 {
		delete(props, "transform")
		for _, row := range g.rows {
			addProducts(row.(*report.Object))
		}
	}
	if props["isTree"] == true {
		delete(props, "transform")
		for _, row := range g.rows {
			addProducts(row.(*report.Object))
		}
	}
	var groups []any
	for _, field := range [][]string{{}, {"k"}, {"k", "l"}, {"l", "k", "m"}}[g.IntN(4)] {
		groups = append(groups, report.ObjectOf("field", field, "footer", report.ObjectOf("enabled", true)))
	}
	props["groups"] = groups
	var columns []any
	for i, c := range columnsOfTotals {
		if i < 4 || g.IntN(2) == 0 {
			columns = append(columns, g.column(c))
		}
	}
	props["columns"] = columns
	return props
}

// column gives a column a footer.
func (g *totalsGenerator) column(settings map[string]any) *report.Object {
	aggregate := []string{"sum", "sum", "average", "min", "max", "count", "distinct", "last", "weighted-average"}[g.IntN(9)]
	column, footer := report.ObjectOf(), report.ObjectOf("aggregate", aggregate)
	total := totalColumn{aggregate: aggregate, of: len(g.columns)}
	for _, name := range sortedKeys(settings) {
		switch v := settings[name]; {
		case name != "footer":
			column.Set(name, v)
		case v == "p":
			footer.Set("aggregateField", "p")
			total.of = 1
		default:
			footer.Set("aggregateValue", "{[ {$record.q} * {$record.p} ]}")
			total.of = 3
		}
	}
	footer.Set("format", "n;4")
	if aggregate == "weighted-average" {
		footer.Set("weightField", "q")
	}
	column.Set("footer", footer)
	g.columns = append(g.columns, total)
	return column
}

func (g *totalsGenerator) data(depth, n int) []any {
	rows := make([]any, n)
	for i := range rows {
		row := report.ObjectOf("q", float64(1+g.IntN(9)), "p", float64(g.IntN(20000)-5000)/100, "k", []any{int64(1), "1", "a", nil}[g.IntN(4)], "l", g.IntN(3) == 0, "m", []any{"x", 2.5, "2.5"}[g.IntN(3)], "children", nil)
		if depth < 2 && g.IntN(4) == 0 {
			row.Set("children", g.data(depth+1, 1+g.IntN(3)))
		}
		rows[i] = row
	}
	return rows
}

// addProducts gives rows, and those below them, the field that a step computes.
func addProducts(row *report.Object) {
	q, _ := row.Get("q")
	row.Set("c", q.(float64)*3)
	below, _ := row.Get("children")
	list, _ := below.([]any)
	for _, child := range list {
		addProducts(child.(*report.Object))
	}
}

// addition adds up the cells of a table as it is read.
type addition struct {
	columns []totalColumn
	rows    [][]string
	from    []int // the first row of the group of each level; the table's is last
	checked int
	faults  []string
}

func (a *addition) walk(n *html.Node) {
	if n.Type == html.ElementNode && n.Data == "tr" && n.Parent.Data != "thead" {
		class := attribute(n, "class")
		switch {
		case strings.HasPrefix(class, "q-group-footer"):
			level := int(class[len(class)-1]-'0') - 1
			a.check(class, n, a.rows[a.from[level]:])
			for i := level; i < maxGroups; i++ {
				a.from[i] = len(a.rows)
			}
		case class == "q-total":
			a.check(class, n, a.rows)
		case class == "" || class == "q-alt":
			a.rows = append(a.rows, cells(n))
		}
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		a.walk(child)
	}
}

func (a *addition) check(what string, row *html.Node, rows [][]string) {
	for i, printed := range cells(row) {
		c := a.columns[i]
		want, ok := c.fold(rows)
		got, isNumber := number(printed)
		if a.checked++; ok != isNumber || math.Abs(want-got) > 0.0000501 {
			a.faults = append(a.faults, fmt.Sprintf("%s, column %d: the %s of %d rows is printed as %q, the cells give %v", what, i, c.aggregate, len(rows), printed, want))
		}
	}
}

// fold is the aggregate of the printed cells.
func (c *totalColumn) fold(rows [][]string) (float64, bool) {
	sum, weights, count, least, most, last := 0.0, 0.0, 0.0, math.Inf(1), math.Inf(-1), math.NaN()
	distinct := map[string]bool{}
	for _, row := range rows {
		n, ok := number(row[c.of])
		if !ok {
			continue
		}
		weight := 1.0
		if c.aggregate == "weighted-average" {
			weight, _ = number(row[0])
		}
		sum, weights, count, last = sum+n*weight, weights+weight, count+1, n
		least, most = math.Min(least, n), math.Max(most, n)
		distinct[row[c.of]] = true
	}
	value := map[string]float64{"sum": sum, "average": sum / weights, "weighted-average": sum / weights, "count": count, "distinct": float64(len(distinct)), "min": least, "max": most, "last": last}[c.aggregate]
	return value, !math.IsNaN(value) && !math.IsInf(value, 0)
}

// number reads a cell such as "-1,234.50", "12.00 pcs" or "3: 7".
func number(cell string) (float64, bool) {
	if _, after, found := strings.Cut(cell, ": "); found {
		cell = after
	}
	cell, _, _ = strings.Cut(cell, " ")
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(cell), 64)
	return n, err == nil
}

func cells(row *html.Node) (list []string) {
	for n := row.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			list = append(list, strings.TrimSpace(textOf(n)))
		}
	}
	return list
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		b.WriteString(textOf(child))
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
