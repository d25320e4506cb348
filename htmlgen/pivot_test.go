package htmlgen

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// salesRows are rows of sales, with combinations that are missing, keys that are
// empty and values that are none.
func salesRows(n int) []any {
	r := rand.New(rand.NewPCG(5, 6))
	rows := make([]any, n)
	for i := range rows {
		var amount, region any = int64(r.IntN(2000)-500) * 5, []any{"North", "South", "East", nil}[r.IntN(4)]
		if r.IntN(9) == 0 {
			amount = nil
		}
		rows[i] = report.ObjectOf("region", region, "product", fmt.Sprintf("P%02d", r.IntN(12)), "year", int64(2023+r.IntN(4)*r.IntN(2)),
			"quarter", fmt.Sprintf("Q%d", 1+r.IntN(4)), "amount", amount, "pieces", int64(1+r.IntN(7)))
	}
	return rows
}

// pivotCells are the numbers of a table in a typed document, row by row, behind the
// texts of the row's keys.
func pivotCells(t *testing.T, in *Input) (rows [][]string, warnings []string) {
	t.Helper()
	in.Typed = true
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(doc.HTML)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data != "tr" || n.Parent.Data == "thead" {
			continue
		}
		var row []string
		for cell := range n.ChildNodes() {
			shown := ""
			for d := range cell.Descendants() {
				if d.Type == html.TextNode {
					shown += d.Data
				}
			}
			for _, a := range cell.Attr {
				switch a.Key {
				case "data-n":
					shown = a.Val
				case "colspan":
					shown += strings.Repeat("|", int(a.Val[0]-'1'))
				}
			}
			row = append(row, strings.Split(shown, "|")...)
		}
		rows = append(rows, row)
	}
	for _, w := range doc.Warnings {
		warnings = append(warnings, w.Message)
	}
	return rows, warnings
}

// TestPivotTablesAreWhatStepsComeTo: every cell, subtotal and total of a pivot table is
// what the step "group" makes of the same rows.
func TestPivotTablesAreWhatStepsComeTo(t *testing.T) {
	t.Parallel()
	for _, aggregate := range []string{"sum", "count", "distinct", "average", "min", "max", "weighted-average"} {
		t.Run(aggregate, func(t *testing.T) {
			t.Parallel()
			in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
				"source": "$data.rows", "rows": []any{report.ObjectOf("field", "region"), report.ObjectOf("field", "product")},
				"columns":  []any{report.ObjectOf("field", "year"), report.ObjectOf("field", "quarter")},
				"measures": []any{report.ObjectOf("field", "amount", "aggregate", aggregate, "weightField", "pieces")},
			}}})
			in.Data = report.ObjectOf("rows", salesRows(700))
			rows, warnings := pivotCells(t, in)
			if len(warnings) > 0 {
				t.Errorf("warnings: %v", warnings)
			}
			want := newStepsOf(t, in.Data, aggregate)
			// The columns: each year with its quarters and its total, then the total.
			var columns [][2]string
			for _, year := range want.keys("year", "quarter") {
				if n := len(columns); n > 0 && columns[n-1][0] != year[0] {
					columns = append(columns, [2]string{columns[n-1][0], ""})
				}
				columns = append(columns, [2]string{year[0], year[1]})
			}
			columns = append(columns, [2]string{columns[len(columns)-1][0], ""}, [2]string{"", ""})
			cells, subtotals := 0, 0
			for _, row := range rows {
				region, product := row[0], row[1]
				if rest, isTotal := strings.CutPrefix(region, "Total"); isTotal {
					region, product = strings.TrimSpace(rest), ""
					subtotals++
				}
				if len(row) != 2+len(columns) {
					t.Fatalf("%d cells, %d columns: %v", len(row), len(columns), row)
				}
				for i, col := range columns {
					if got, want := row[2+i], want.of(region, product, col[0], col[1]); got != want {
						t.Errorf("%q %q %v: %s, want %s", region, product, col, got, want)
					}
					cells++
				}
			}
			if cells < 600 || subtotals != 5 {
				t.Errorf("%d cells and %d subtotals and totals were compared", cells, subtotals)
			}
		})
	}
}

// stepsOf are what rows come to by the step "group", for each choice of fields.
type stepsOf struct {
	t         *testing.T
	rows      []any
	aggregate report.Object
	known     map[string]map[string]string
}

func newStepsOf(t *testing.T, data *report.Object, aggregate string) *stepsOf {
	rows, _ := data.Get("rows")
	var filled []any
	for _, row := range rows.([]any) {
		o := row.(*report.Object).Clone()
		if region, _ := o.Get("region"); region == nil {
			o.Set("region", noKey)
		}
		filled = append(filled, o)
	}
	a := report.ObjectOf("function", aggregate, "field", "amount", "as", "value")
	if aggregate == "weighted-average" {
		a = report.ObjectOf("function", "average", "weight", "pieces", "field", "amount", "as", "value")
	}
	return &stepsOf{t: t, rows: filled, aggregate: *a, known: map[string]map[string]string{}}
}

func (s *stepsOf) grouped(by ...string) []any {
	var fields []any
	for _, f := range by {
		fields = append(fields, report.ObjectOf("field", f))
	}
	list, problems := steps.Parse([]any{report.ObjectOf("type", "group", "by", fields, "aggregates", []any{&s.aggregate})}, "", true)
	if problems != nil {
		s.t.Fatal(problems)
	}
	rows, err := steps.Run(s.t.Context(), steps.NewEnv(&text.Env{}, func(string, string) {}), list, s.rows)
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

func shownOf(row any, field string) string {
	v, _ := row.(*report.Object).Get(field)
	return string(text.Format{}.Append(nil, v, &text.Env{}, text.Raw))
}

func (s *stepsOf) of(values ...string) string {
	names := []string{"region", "product", "year", "quarter"}
	var by, chosen []string
	for i, v := range values {
		if v != "" {
			by, chosen = append(by, names[i]), append(chosen, v)
		}
	}
	at := strings.Join(by, " ")
	if s.known[at] == nil {
		s.known[at] = map[string]string{}
		for _, row := range s.grouped(by...) {
			var keys []string
			for _, f := range by {
				keys = append(keys, shownOf(row, f))
			}
			s.known[at][strings.Join(keys, " ")] = shownOf(row, "value")
		}
	}
	return s.known[at][strings.Join(chosen, " ")]
}

func (s *stepsOf) keys(by ...string) [][]string {
	var list [][]string
	for _, row := range s.grouped(by...) {
		var keys []string
		for _, f := range by {
			keys = append(keys, shownOf(row, f))
		}
		list = append(list, keys)
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// TestWorkbooksFindTheTotalsOfPivotTables by formulas where these give the same, and
// have numbers where they would not.
func TestWorkbooksFindTheTotalsOfPivotTables(t *testing.T) {
	t.Parallel()
	for aggregate, want := range map[string]int{"sum": 9, "max": 4, "min": 5, "average": 0, "count": 0, "distinct": 0} {
		in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
			"source": "$data.sales", "rows": []any{report.ObjectOf("field", "region"), report.ObjectOf("field", "product")}, "columns": []any{report.ObjectOf("field", "year")},
			"measures": []any{report.ObjectOf("field", "amount", "aggregate", aggregate)},
		}}})
		in.Typed = true
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		marked, all := strings.Count(string(doc.HTML), fmt.Sprintf(`data-sum="%d"`, want)), strings.Count(string(doc.HTML), "data-sum=")
		// Three columns in the footers of three regions and of the table.
		if want == 0 && all > 0 || want > 0 && (marked != 12 || all != 12) {
			t.Errorf("%s: %d of %d", aggregate, marked, all)
		}
		if n := strings.Count(string(doc.HTML), `data-same`); n != 2 {
			t.Errorf("%s: %d cells repeat the value above them", aggregate, n)
		}
		if !strings.Contains(string(doc.HTML), `"name":"Region","key":"North","rows":2,"printed":true`) && !strings.Contains(string(doc.HTML), `&#34;name&#34;:&#34;Region&#34;,&#34;key&#34;:&#34;North&#34;,&#34;rows&#34;:2,&#34;printed&#34;:true`) {
			t.Errorf("%s: no mark of a group: %s", aggregate, regexp.MustCompile(`data-begins="[^"]*"`).FindString(string(doc.HTML)))
		}
	}
}

// TestOrdersOfPivotTables: by the values, by their first rows and by what they come to.
func TestOrdersOfPivotTables(t *testing.T) {
	t.Parallel()
	rows := []any{
		report.ObjectOf("k", "b", "v", int64(5)), report.ObjectOf("k", "ä", "v", int64(9)), report.ObjectOf("k", nil, "v", int64(7)),
		report.ObjectOf("k", "Z", "v", int64(1)), report.ObjectOf("k", "a", "v", int64(2)), report.ObjectOf("k", "b", "v", int64(-3)),
	}
	for _, c := range []struct {
		sort       string
		descending bool
		want       string
	}{
		{"key", false, "a ä b Z –"},
		{"key", true, "Z b ä a –"},
		{"first", false, "b ä – Z a"},
		{"first", true, "a Z – ä b"},
		{"measure", false, "Z a b – ä"},
		{"measure", true, "ä – a b Z"},
	} {
		in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
			"source": "$data.rows", "columnTotals": false, "measures": []any{report.ObjectOf("field", "v")},
			"rows": []any{report.ObjectOf("field", "k", "sort", c.sort, "descending", c.descending)},
		}}})
		in.Data = report.ObjectOf("rows", rows)
		in.Locale = text.LocaleFor("de-DE")
		printed, _ := pivotCells(t, in)
		var keys []string
		for _, row := range printed {
			keys = append(keys, row[0])
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s, downwards %v: %s, want %s", c.sort, c.descending, got, c.want)
		}
	}
}

// TestAPivotTableBoundsItsColumns, and says so.
func TestAPivotTableBoundsItsColumns(t *testing.T) {
	t.Parallel()
	rows := make([]any, 1200)
	for i := range rows {
		rows[i] = report.ObjectOf("day", fmt.Sprintf("D%04d", i), "a", int64(1), "b", int64(2))
	}
	in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
		"source": "$data.rows", "columns": []any{report.ObjectOf("field", "day")},
		"measures": []any{report.ObjectOf("field", "a"), report.ObjectOf("field", "b"), report.ObjectOf("field", "b", "aggregate", "count")},
	}}})
	in.Data = report.ObjectOf("rows", rows)
	printed, warnings := pivotCells(t, in)
	if len(printed) != 1 || len(printed[0]) != 501 || printed[0][498] != "1200" || printed[0][499] != "2400" || len(warnings) != 1 ||
		!strings.Contains(warnings[0], "the first 498 of 3600 columns are printed; totals are of all") {
		t.Errorf("%d rows, %d cells: %v", len(printed), len(printed[0]), warnings)
	}
}

// TestWordsOfPivotTables are in the report's language.
func TestWordsOfPivotTables(t *testing.T) {
	t.Parallel()
	in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
		"source": "$data.sales", "rows": []any{report.ObjectOf("field", "region"), report.ObjectOf("field", "year")},
	}}})
	in.Locale = text.LocaleFor("de-DE")
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Anzahl</th>", ">Gesamt North</th>", ">Gesamt</th>", ">2025</td>"} {
		if !strings.Contains(string(doc.HTML), want) {
			t.Errorf("there is no %s", want)
		}
	}
}

func BenchmarkPivotTable(b *testing.B) {
	in := testInput(b, []report.Element{{Type: "pivot-table", Props: map[string]any{
		"source": "$data.rows", "rows": []any{report.ObjectOf("field", "region"), report.ObjectOf("field", "product")},
		"columns": []any{report.ObjectOf("field", "year"), report.ObjectOf("field", "quarter")}, "measures": []any{report.ObjectOf("field", "amount")},
	}}})
	in.Data = report.ObjectOf("rows", salesRows(20_000))
	for b.Loop() {
		if _, err := Compile(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHeadersOfPivotTablesAreShort: what is too long for a header of all pages ends, of
// titles and of values that go across, and that is said once.
func TestHeadersOfPivotTablesAreShort(t *testing.T) {
	long := strings.Repeat("many words ", 40)
	in := testInput(t, []report.Element{{Type: "pivot-table", Props: map[string]any{
		"source": "$data.rows", "rows": []any{report.ObjectOf("field", "region", "title", long)}, "columns": []any{report.ObjectOf("field", "product")},
		"measures": []any{report.ObjectOf("field", "amount"), report.ObjectOf("field", "pieces", "title", "{$data.title}")},
	}}})
	in.Data = report.ObjectOf("title", long, "rows", []any{
		report.ObjectOf("region", "North", "product", long, "amount", int64(1), "pieces", int64(2)),
		report.ObjectOf("region", "North", "product", long+"more", "amount", int64(1), "pieces", int64(2)),
	})
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(doc.HTML), "</thead>")
	if strings.Contains(head, strings.TrimSpace(long)) || !strings.Contains(head, strings.TrimSpace(clip(long, longestHeader))) {
		t.Errorf("a header is too long, or another:\n%s", head)
	}
	for _, where := range []string{"rows[0].title", "columns[0].field", "measures[1].field"} {
		if n := len(slices.DeleteFunc(slices.Clone([]*report.Problem(doc.Warnings)), func(w *report.Problem) bool { return !strings.Contains(w.Error(), where) })); n != 1 {
			t.Errorf("%d warnings of %s: %v", n, where, doc.Warnings)
		}
	}
}
