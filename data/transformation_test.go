package data

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"github.com/quire-reports/quire/report"
)

// sameAsSQL are steps and the SQL that does the same with the tables orders
// (id, customer, region, amount, weight, mixed) and customers (customer, name,
// level).
var sameAsSQL = []struct{ name, steps, query string }{
	{"select", `[{"type":"select","columns":[{"field":"amount"},{"field":"id","as":"number"}]}]`, `SELECT amount, id AS number FROM orders`},
	{"compute", `[{"type":"compute","as":"double","expression":"{$record.amount} == null ? null : {$record.amount} * 2"}]`, `SELECT *, amount * 2 AS double FROM orders`},
	{"compute over", `[{"type":"compute","as":"region","expression":"{$record.id} % 3 == 0 ? 'third' : 'other'"}]`, `SELECT id, customer, CASE WHEN id % 3 = 0 THEN 'third' ELSE 'other' END AS region, amount, weight, mixed FROM orders`},
	{"filter equals", `[{"type":"filter","conditions":[{"field":"region","value":"North"}]}]`, `SELECT * FROM orders WHERE region = 'North'`},
	{"filter not equals, null counts", `[{"type":"filter","conditions":[{"field":"region","operator":"not-equals","value":"North"}]}]`, `SELECT * FROM orders WHERE region IS NOT 'North'`},
	{"filter all", `[{"type":"filter","conditions":[{"field":"amount","operator":"greater","value":20.5},{"field":"amount","operator":"less-or-equal","value":80}]}]`, `SELECT * FROM orders WHERE amount > 20.5 AND amount <= 80`},
	{"filter any", `[{"type":"filter","match":"any","conditions":[{"field":"amount","operator":"less","value":10},{"field":"region","operator":"empty"}]}]`, `SELECT * FROM orders WHERE amount < 10 OR region IS NULL OR region = ''`},
	{"filter in", `[{"type":"filter","conditions":[{"field":"region","operator":"in","value":["East","West"]}]}]`, `SELECT * FROM orders WHERE region IN ('East', 'West')`},
	{"filter texts", `[{"type":"filter","conditions":[{"field":"customer","operator":"contains","value":"1"},{"field":"customer","operator":"not-contains","value":"12"},{"field":"customer","operator":"starts-with","value":"C"},{"field":"customer","operator":"ends-with","value":"1"}]}]`, `SELECT * FROM orders WHERE customer LIKE '%1%' AND customer NOT LIKE '%12%' AND customer LIKE 'c%' AND customer LIKE '%1'`},
	{"filter by parameter", `[{"type":"filter","conditions":[{"field":"amount","operator":"greater-or-equal","parameter":"least"},{"field":"region","parameter":"nothing"}]}]`, `SELECT * FROM orders WHERE amount >= 50`},
	{"filter by expression", `[{"type":"filter","conditions":[{"field":"amount","operator":"less","expression":"{$params.least} / 2"},{"field":"region","expression":"{$params.nothing}"}]}]`, `SELECT * FROM orders WHERE amount < 25`},
	{"sort", `[{"type":"sort","by":[{"field":"region"},{"field":"amount","descending":true},{"field":"id"}]}]`, `SELECT * FROM orders ORDER BY region NULLS LAST, amount DESC NULLS LAST, id`},
	{"limit", `[{"type":"sort","by":[{"field":"id"}]},{"type":"limit","count":7,"offset":3}]`, `SELECT * FROM orders ORDER BY id LIMIT 7 OFFSET 3`},
	{
		"group", `[{"type":"group","by":[{"field":"region"}],"aggregates":[{"function":"sum","field":"amount","as":"total"},{"function":"count","as":"n"},{"function":"count","field":"amount","as":"known"},{"function":"distinct","field":"customer","as":"customers"},{"function":"min","field":"amount","as":"least"},{"function":"max","field":"amount","as":"most"}]},{"type":"sort","by":[{"field":"region"}]}]`,
		`SELECT region, coalesce(sum(amount), 0) AS total, count(*) AS n, count(amount) AS known, count(DISTINCT customer) AS customers, min(amount) AS least, max(amount) AS most FROM orders GROUP BY region ORDER BY region NULLS LAST`,
	},
	{
		"group by two", `[{"type":"group","by":[{"field":"region"},{"field":"customer","as":"who"}],"aggregates":[{"function":"average","field":"amount","as":"mean"},{"function":"average","field":"amount","weight":"weight","as":"weighted"}]},{"type":"sort","by":[{"field":"region"},{"field":"who"}]}]`,
		`SELECT region, customer AS who, avg(amount) AS mean, sum(amount * weight) / sum(CASE WHEN amount IS NULL THEN NULL ELSE weight END) AS weighted FROM orders GROUP BY region, customer ORDER BY region NULLS LAST, customer NULLS LAST`,
	},
	{
		"top groups and the rest", `[{"type":"group","by":[{"field":"customer"}],"aggregates":[{"function":"sum","field":"amount","as":"total"}],"top":{"count":3,"other":"Other"}}]`,
		`WITH g AS (SELECT customer, coalesce(sum(amount), 0) AS total, min(rowid) AS first FROM orders GROUP BY customer), r AS (SELECT *, row_number() OVER (ORDER BY total DESC, first) AS place FROM g)
		 SELECT customer, total FROM (SELECT customer, total, place FROM r WHERE place <= 3 UNION ALL SELECT 'Other', (SELECT sum(total) FROM r WHERE place > 3), 4 WHERE EXISTS (SELECT 1 FROM r WHERE place > 3)) ORDER BY place`,
	},
	{"left join", `[{"type":"join","source":"customers","on":[{"left":"customer"}]},{"type":"sort","by":[{"field":"id"},{"field":"name"}]}]`, `SELECT o.*, c.name, c.level FROM orders o LEFT JOIN customers c ON o.customer = c.customer ORDER BY o.id, c.name NULLS LAST`},
	{"inner join", `[{"type":"join","source":"customers","kind":"inner","on":[{"left":"customer"}],"prefix":"c_","columns":[{"field":"level"},{"field":"name","as":"called"}]},{"type":"sort","by":[{"field":"id"},{"field":"c_called"}]}]`, `SELECT o.*, c.level AS c_level, c.name AS c_called FROM orders o JOIN customers c ON o.customer = c.customer ORDER BY o.id, c.name NULLS LAST`},
	{"right join", `[{"type":"join","source":"customers","kind":"right","on":[{"left":"customer"}]},{"type":"select","columns":[{"field":"id"},{"field":"customer"},{"field":"name"}]},{"type":"sort","by":[{"field":"id"},{"field":"name"}]}]`, `SELECT o.id, c.customer, c.name FROM orders o RIGHT JOIN customers c ON o.customer = c.customer ORDER BY o.id NULLS LAST, c.name NULLS LAST`},
	{"full join", `[{"type":"join","source":"customers","kind":"full","on":[{"left":"customer"}]},{"type":"select","columns":[{"field":"id"},{"field":"customer"},{"field":"name"}]},{"type":"sort","by":[{"field":"id"},{"field":"name"}]}]`, `SELECT o.id, coalesce(o.customer, c.customer) AS customer, c.name FROM orders o FULL JOIN customers c ON o.customer = c.customer ORDER BY o.id NULLS LAST, c.name NULLS LAST`},
	{"union", `[{"type":"union","sources":["customers","orders"]}]`, `SELECT id, customer, region, amount, weight, mixed, NULL AS name, NULL AS level FROM orders UNION ALL SELECT NULL, customer, NULL, NULL, NULL, NULL, name, level FROM customers UNION ALL SELECT id, customer, region, amount, weight, mixed, NULL, NULL FROM orders`},
	{"a number and the text that is it are one group", `[{"type":"group","by":[{"field":"mixed"}],"aggregates":[{"function":"count","as":"n"}]},{"type":"sort","by":[{"field":"n","descending":true},{"field":"mixed"}]}]`, `SELECT mixed, n FROM (SELECT CASE WHEN CAST(mixed AS TEXT) = '1' THEN (SELECT mixed FROM orders o WHERE CAST(o.mixed AS TEXT) = '1' LIMIT 1) ELSE mixed END AS mixed, count(*) AS n FROM orders GROUP BY CAST(mixed AS TEXT)) ORDER BY n DESC, mixed NULLS LAST`},
}

// largeTable is a further size, as of a job at night: -rows 100000.
var largeTable = flag.Int("rows", 0, "rows of one more table that transformations are compared on")

func TestTransformationsGiveWhatSQLGives(t *testing.T) {
	sizes := []int{0, 8, 20, 300, 300, 2000}
	if *largeTable > 0 {
		sizes = append(sizes, *largeTable)
	}
	for seed, size := range sizes {
		world := newSQLWorld(t, uint64(seed), size)
		// Without them right and full joins of SQLite take minutes.
		if _, err := world.db.Exec("CREATE INDEX by_order ON orders (customer); CREATE INDEX by_customer ON customers (customer)"); err != nil {
			t.Fatal(err)
		}
		for _, c := range sameAsSQL {
			t.Run(fmt.Sprintf("%s, %d rows", c.name, size), func(t *testing.T) {
				if diff := cmp.Diff(world.query(t, c.query), world.transform(t, c.steps)); diff != "" {
					t.Errorf("seed %d (-SQL +steps):\n%.3000s", seed, diff)
				}
			})
		}
	}
}

func TestPartitionCarriesTheRows(t *testing.T) {
	world := newSQLWorld(t, 7, 50)
	parts := world.rows(t, `[{"type":"partition","field":"region","key":"region","rows":"orders"}]`)
	total := 0
	for _, p := range parts {
		key, _ := p.(*report.Object).Get("region")
		list, _ := p.(*report.Object).Get("orders")
		for _, row := range list.([]any) {
			if region, _ := row.(*report.Object).Get("region"); region != key {
				t.Errorf("a row of %v stands under %v", region, key)
			}
			total++
		}
	}
	if total != 50 {
		t.Errorf("%d rows of 50", total)
	}
}

// sqlWorld is the same tables in SQLite and as data sources.
type sqlWorld struct {
	db     *sql.DB
	loader *Loader
	tables map[string][]any
	warns  bool // whether transformations may warn
}

func emptySQLWorld(t testing.TB) *sqlWorld {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return &sqlWorld{db: db, loader: loader(t, Config{Inline: true}), tables: map[string][]any{}}
}

func newSQLWorld(t testing.TB, seed uint64, size int) *sqlWorld {
	t.Helper()
	w := emptySQLWorld(t)
	r := rand.New(rand.NewPCG(seed, 1))
	regions := []any{"North", "South", "East", "West", "", nil}
	mixed := []any{int64(1), "1", "one", int64(2), 2.5, nil, "ONE"}
	w.table(t, "orders", []string{"id", "customer", "region", "amount", "weight", "mixed"}, size, func(i int) []any {
		var amount any = float64(r.IntN(10000)) / 4
		if r.IntN(10) == 0 {
			amount = nil
		}
		return []any{int64(i), customerName(r, size), regions[r.IntN(len(regions))], amount, int64(1 + r.IntN(9)), mixed[r.IntN(len(mixed))]}
	})
	w.table(t, "customers", []string{"customer", "name", "level"}, size/5, func(i int) []any {
		return []any{customerName(r, size), fmt.Sprintf("Name %04d", i), int64(r.IntN(3))}
	})
	return w
}

func customerName(r *rand.Rand, size int) any {
	if r.IntN(12) == 0 {
		return nil
	}
	return fmt.Sprintf("C%d", r.IntN(1+size/4))
}

func (w *sqlWorld) table(t testing.TB, name string, columns []string, size int, row func(i int) []any) {
	t.Helper()
	if _, err := w.db.Exec("CREATE TABLE " + name + " (" + strings.Join(columns, ", ") + ")"); err != nil {
		t.Fatal(err)
	}
	tx, err := w.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	insert, err := tx.Prepare("INSERT INTO " + name + " VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")")
	if err != nil {
		t.Fatal(err)
	}
	shape := report.NewShape(columns...)
	rows := []any{}
	for i := range size {
		values := row(i)
		if _, err := insert.Exec(values...); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, report.NewObject(shape, slices.Clone(values)))
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	w.tables[name] = rows
}

// query is the result of a query, a line a row.
func (w *sqlWorld) query(t testing.TB, query string) []string {
	t.Helper()
	rows, err := w.db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	out := []string{}
	for rows.Next() {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		line := ""
		for i, name := range columns {
			line += name + "=" + plain(values[i]) + " "
		}
		out = append(out, line)
	}
	return out
}

func (w *sqlWorld) transform(t testing.TB, steps string) []string {
	out := []string{}
	for _, row := range w.rows(t, steps) {
		line := ""
		for name, v := range row.(*report.Object).All() {
			line += name + "=" + plain(v) + " "
		}
		out = append(out, line)
	}
	return out
}

func (w *sqlWorld) rows(t testing.TB, steps string) []any {
	t.Helper()
	list, err := report.ParseValue([]byte(steps))
	if err != nil {
		t.Fatal(err)
	}
	set, err := w.loader.Load(context.Background(), Request{
		Sources: []report.SourceUse{
			{DataSource: report.DataSource{Name: "orders", Type: "json"}},
			{DataSource: report.DataSource{Name: "customers", Type: "json"}},
			{DataSource: report.DataSource{Name: "out", Type: "transformation", Settings: map[string]any{"source": "orders", "steps": list}}, Dependencies: []string{"$data.orders", "$data.customers"}},
		},
		Replace: map[string]any{"orders": w.tables["orders"], "customers": w.tables["customers"]},
		Params:  report.ObjectOf("least", json.Number("50"), "nothing", nil), Dict: report.ObjectOf(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Warnings) > 0 && !w.warns {
		t.Errorf("warnings: %v", set.Warnings)
	}
	out, _ := set.Data.Get("out")
	return out.([]any)
}

// plain writes a value so that engines with other number types agree.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case json.Number:
		f, _ := v.Float64()
		return fmt.Sprintf("%.9g", f)
	case int64:
		return fmt.Sprintf("%.9g", float64(v))
	case float64:
		return fmt.Sprintf("%.9g", v)
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}

func TestTransformationsThatCannotBe(t *testing.T) {
	for _, c := range []struct{ steps, want string }{
		{`[{"type":"pivot"}]`, `steps[0].type: unknown step "pivot"; accepted: select, compute, filter, sort, limit, group, join, union, partition`},
		{`[7]`, "steps[0]: a step is an object with a type"},
		{`[{"type":"sort"}]`, `steps[0]: "by" is missing`},
		{`[{"type":"filter","conditions":[{"field":"a","operator":"like"}]}]`, `steps[0].conditions[0].operator: unknown value "like"`},
		{`[{"type":"filter","conditions":[{"field":"a","value":1,"parameter":"p"}]}]`, "steps[0].conditions[0]: a condition compares with"},
		{`[{"type":"select","columns":[{"field":"a.x"},{"field":"b.x"}]}]`, `steps[0].columns: two columns are named "x"`},
		{`[{"type":"group","aggregates":[{"function":"sum"}]}]`, "steps[0].aggregates[0].field: sum needs a field"},
		{`[{"type":"group","by":[{"field":"a"}],"aggregates":[{"field":"b"}],"top":{"count":1,"by":"c"}}]`, `steps[0].top.by: there is no aggregate named "c"`},
		{`[{"type":"join","source":"customers","on":[]}]`, "steps[0].on: a join needs at least one pair of fields"},
		{`[{"type":"union","sources":["elsewhere"]}]`, `step 1: appending "elsewhere": the data source "elsewhere" is not declared as a dependency; add $data.elsewhere`},
	} {
		list, err := report.ParseValue([]byte(c.steps))
		if err != nil {
			t.Fatal(err)
		}
		_, err = loader(t, Config{Inline: true}).Load(context.Background(), Request{
			Sources: []report.SourceUse{
				{DataSource: report.DataSource{Name: "orders", Type: "json", Settings: map[string]any{"content": []any{}}}},
				{DataSource: report.DataSource{Name: "out", Type: "transformation", Settings: map[string]any{"source": "orders", "steps": list}}, Dependencies: []string{"orders"}},
			},
		})
		if err == nil || !strings.Contains(strings.Replace(err.Error(), `data source "out": `, "", 1), c.want) {
			t.Errorf("%s: %v", c.steps, err)
		}
	}
}
