package data

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pipelineCount is how many random pipelines run beside SQL: -pipelines 500.
var pipelineCount = flag.Int("pipelines", 60, "random pipelines that are compared with SQL")

// TestRandomPipelinesGiveWhatSQLGives writes each pipeline of one to five steps
// a second time, as one SQL query over the same tables. Their columns hold
// numbers, texts that are such numbers, other spellings of them and nulls, and
// have names in common.
func TestRandomPipelinesGiveWhatSQLGives(t *testing.T) {
	for seed := range uint64(*pipelineCount) {
		r := rand.New(rand.NewPCG(seed, 11))
		world := newMixedWorld(t, r)
		p := newPipeline(r, "orders")
		for range 1 + r.IntN(5) {
			if p.add(); len(world.query(t, p.query)) == 0 {
				break // rows tell what columns there are; SQL knows without
			}
		}
		list, err := json.Marshal(p.steps)
		if err != nil {
			t.Fatal(err)
		}
		world.warns = true
		got, want := known(world.transform(t, string(list))), known(world.query(t, "SELECT "+p.list("")+" FROM ("+p.query+") ORDER BY _o"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, %s\n%s\n(-SQL +steps):\n%.3000s", seed, list, p.query, diff)
		}
	}
}

// known are rows without their nulls, in the order of the names: a column that
// is null in all rows is none.
func known(rows []string) []string {
	for i, row := range rows {
		fields := slices.DeleteFunc(strings.Fields(row), func(f string) bool { return strings.HasSuffix(f, "=null") })
		slices.Sort(fields)
		rows[i] = strings.Join(fields, " ")
	}
	return rows
}

var mixedValues = []any{int64(1), "1", int64(2), "2", "02", 2.5, "2.5", "2.50", "2.0", "one", "two", "", nil, nil, int64(10), "10"}

var mixedTables = map[string][]sqlColumn{
	"orders":    {{"id", true}, {"customer", false}, {"v", true}, {"w", true}, {"mixed", false}},
	"customers": {{"customer", false}, {"name", false}, {"v", true}, {"level", true}},
}

// sqlColumn is a column of a pipeline and whether it holds numbers only.
type sqlColumn struct {
	name    string
	numbers bool
}

func newMixedWorld(t testing.TB, r *rand.Rand) *sqlWorld {
	w := emptySQLWorld(t)
	number := func() any {
		switch n := r.IntN(40) - 8; {
		case r.IntN(8) == 0:
			return nil
		case n%4 == 0:
			return int64(n / 4)
		default:
			return float64(n) / 4
		}
	}
	mixed := func() any { return mixedValues[r.IntN(len(mixedValues))] }
	w.table(t, "orders", namesOf(mixedTables["orders"]), []int{1, 5, 30}[r.IntN(3)], func(i int) []any {
		return []any{int64(i), mixed(), number(), number(), mixed()}
	})
	w.table(t, "customers", namesOf(mixedTables["customers"]), []int{0, 2, 8}[r.IntN(3)], func(i int) []any {
		return []any{mixed(), fmt.Sprintf("n%d", i), number(), int64(r.IntN(3))}
	})
	return w
}

func namesOf(columns []sqlColumn) (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// pipeline is steps and the query that does the same. Its column _o is the order
// of the rows.
type pipeline struct {
	*rand.Rand
	steps   []map[string]any
	query   string
	columns []sqlColumn
	next    int
}

func newPipeline(r *rand.Rand, table string) *pipeline {
	return &pipeline{Rand: r, columns: mixedTables[table], query: fromTable(table)}
}

func fromTable(name string) string {
	return "SELECT " + strings.Join(namesOf(mixedTables[name]), ", ") + ", rowid AS _o FROM " + name
}

// list are the columns of the rows, of a table of the query.
func (p *pipeline) list(table string) string {
	var names []string
	for _, c := range p.columns {
		names = append(names, table+quoted(c.name))
	}
	return strings.Join(names, ", ")
}

func quoted(name string) string { return `"` + name + `"` }

func (p *pipeline) add() {
	adders := []func(){p.selected, p.computed, p.filtered, p.filtered, p.sorted, p.limited, p.grouped, p.joined, p.joined, p.appended}
	adders[p.IntN(len(adders))]()
}

func (p *pipeline) step(step map[string]any) { p.steps = append(p.steps, step) }

func (p *pipeline) any() sqlColumn { return p.columns[p.IntN(len(p.columns))] }

func (p *pipeline) number() (sqlColumn, bool) {
	var numbers []sqlColumn
	for _, c := range p.columns {
		if c.numbers {
			numbers = append(numbers, c)
		}
	}
	if len(numbers) == 0 {
		return sqlColumn{}, false
	}
	return numbers[p.IntN(len(numbers))], true
}

func (p *pipeline) fresh() string { p.next++; return fmt.Sprintf("x%d", p.next) }

func (p *pipeline) selected() {
	var shown []any
	var columns []sqlColumn
	var list []string
	for _, i := range p.Perm(len(p.columns))[:1+p.IntN(len(p.columns))] {
		c := p.columns[i]
		as := c.name
		if p.IntN(3) == 0 {
			as = p.fresh()
		}
		shown = append(shown, map[string]any{"field": c.name, "as": as})
		columns = append(columns, sqlColumn{as, c.numbers})
		list = append(list, quoted(c.name)+" AS "+quoted(as))
	}
	p.step(map[string]any{"type": "select", "columns": shown})
	p.query = "SELECT " + strings.Join(list, ", ") + ", _o FROM (" + p.query + ")"
	p.columns = columns
}

func (p *pipeline) computed() {
	c, ok := p.number()
	if !ok {
		return
	}
	as := p.fresh()
	p.step(map[string]any{"type": "compute", "as": as, "expression": "{$record." + c.name + "} == null ? null : {$record." + c.name + "} * 2"})
	p.query = "SELECT " + p.list("") + ", " + quoted(c.name) + " * 2 AS " + as + ", _o FROM (" + p.query + ")"
	p.columns = append(slices.Clone(p.columns), sqlColumn{as, true})
}

func (p *pipeline) filtered() {
	match := []string{"all", "any"}[p.IntN(2)]
	var conditions []any
	var tests []string
	for range 1 + p.IntN(2) {
		c, test := p.condition()
		conditions, tests = append(conditions, c), append(tests, "coalesce("+test+", 0)")
	}
	p.step(map[string]any{"type": "filter", "match": match, "conditions": conditions})
	p.query = "SELECT * FROM (" + p.query + ") WHERE " + strings.Join(tests, map[string]string{"all": " AND ", "any": " OR "}[match])
}

func (p *pipeline) condition() (map[string]any, string) {
	c := p.any()
	v := quoted(c.name)
	operator := []string{"equals", "not-equals", "less", "greater-or-equal", "in", "not-in", "equals", "empty"}[p.IntN(8)]
	condition := map[string]any{"field": c.name, "operator": operator}
	switch operator {
	case "empty":
		return condition, "(" + v + " IS NULL OR " + v + " = '')"
	case "in", "not-in":
		var list []any
		var tests []string
		for range 1 + p.IntN(3) {
			with := p.constant()
			list = append(list, with)
			tests = append(tests, sqlEqual(v, literal(with)))
		}
		condition["value"] = list
		return condition, negated(operator == "not-in", strings.Join(tests, " OR "))
	}
	with := ""
	if p.IntN(2) == 0 {
		other := p.any()
		condition["expression"] = "{$record." + other.name + "}"
		with = quoted(other.name)
	} else {
		constant := p.constant()
		condition["value"] = constant
		with = literal(constant)
	}
	switch operator {
	case "less":
		return condition, sqlOrdered(v, "<", with)
	case "greater-or-equal":
		return condition, sqlOrdered(v, ">=", with)
	}
	return condition, negated(operator == "not-equals", sqlEqual(v, with))
}

func (p *pipeline) constant() any {
	for {
		if v := mixedValues[p.IntN(len(mixedValues))]; v != nil && v != "" {
			return v
		}
	}
}

func literal(v any) string {
	if s, ok := v.(string); ok {
		return "'" + s + "'"
	}
	return fmt.Sprint(v)
}

func negated(not bool, test string) string {
	if not {
		return "NOT coalesce(" + test + ", 0)"
	}
	return "(" + test + ")"
}

// sqlKey is what makes values equal: how a number is written.
func sqlKey(v string) string {
	return "CASE WHEN typeof(" + v + ") = 'real' AND " + v + " = CAST(" + v + " AS INTEGER) THEN CAST(CAST(" + v + " AS INTEGER) AS TEXT) ELSE CAST(" + v + " AS TEXT) END"
}

func sqlNumber(v string) string {
	return "(typeof(" + v + ") IN ('integer', 'real') OR typeof(" + v + ") = 'text' AND " + v + " GLOB '[0-9]*' AND " + v + " NOT GLOB '*[^0-9.]*')"
}

// sqlEqual is equality as in conditions, where a number also is equal to a text
// that is it in another spelling.
func sqlEqual(v, with string) string {
	differ := "(typeof(" + v + ") = 'text') <> (typeof(" + with + ") = 'text')"
	return "(" + sqlKey(v) + " IS " + sqlKey(with) + " OR " + differ + " AND " + sqlNumber(v) + " AND " + sqlNumber(with) + " AND CAST(" + v + " AS REAL) = CAST(" + with + " AS REAL))"
}

func sqlOrdered(v, operator, with string) string {
	return "(CASE WHEN " + sqlNumber(v) + " AND " + sqlNumber(with) + " THEN CAST(" + v + " AS REAL) " + operator + " CAST(" + with + " AS REAL) ELSE typeof(" + v + ") = 'text' AND typeof(" + with + ") = 'text' AND " + v + operator + with + " END)"
}

func (p *pipeline) sorted() {
	var by []any
	var order []string
	for range 1 + p.IntN(2) {
		c, descending := p.any(), p.IntN(2) == 0
		by = append(by, map[string]any{"field": c.name, "descending": descending})
		if descending {
			order = append(order, quoted(c.name)+" DESC NULLS LAST")
		} else {
			order = append(order, quoted(c.name)+" NULLS LAST")
		}
	}
	p.step(map[string]any{"type": "sort", "by": by})
	p.order(p.query, p.list(""), append(order, "_o"))
}

// order makes the order of a query's rows.
func (p *pipeline) order(query, columns string, by []string) {
	p.query = "SELECT " + columns + ", row_number() OVER (ORDER BY " + strings.Join(by, ", ") + ") AS _o FROM (" + query + ")"
}

func (p *pipeline) limited() {
	count, offset := p.IntN(12), p.IntN(4)
	p.step(map[string]any{"type": "limit", "count": count, "offset": offset})
	p.query = fmt.Sprintf("SELECT * FROM (%s) ORDER BY _o LIMIT %d OFFSET %d", p.query, count, offset)
}

func (p *pipeline) grouped() {
	var by, aggregates []any
	var columns []sqlColumn
	var keys, same, list []string
	for _, i := range p.Perm(len(p.columns))[:p.IntN(min(3, len(p.columns)+1))] {
		c := p.columns[i]
		by = append(by, map[string]any{"field": c.name})
		columns = append(columns, c)
		keys = append(keys, sqlKey(quoted(c.name)))
		same = append(same, sqlKey("a."+quoted(c.name))+" IS "+sqlKey("b."+quoted(c.name)))
	}
	for range 1 + p.IntN(3) {
		function, field, sql := p.aggregate(strings.Join(append(same, "true"), " AND "))
		as := p.fresh()
		a := map[string]any{"function": function, "as": as}
		if field.name != "" {
			a["field"] = field.name
		}
		aggregates = append(aggregates, a)
		columns = append(columns, sqlColumn{as, function != "last" || field.numbers})
		list = append(list, sql+" AS "+as)
	}
	p.step(map[string]any{"type": "group", "by": by, "aggregates": aggregates})
	grouping := ""
	if len(keys) > 0 {
		grouping = " GROUP BY " + strings.Join(keys, ", ")
	}
	groups := "SELECT min(_o) AS _m, " + strings.Join(list, ", ") + " FROM (" + p.query + ") AS a" + grouping
	p.columns = columns
	// Keys are those of the first row of a group.
	var shown []string
	for _, c := range columns[:len(keys)] {
		shown = append(shown, "p."+quoted(c.name))
	}
	for _, c := range columns[len(keys):] {
		shown = append(shown, "g."+quoted(c.name))
	}
	query := p.query
	p.query = "SELECT " + strings.Join(shown, ", ") + ", coalesce(_m, 0) AS _o FROM (" + groups + ") AS g LEFT JOIN (" + query + ") AS p ON p._o = g._m"
}

// aggregate is one of a random column; same tells the rows of a group.
func (p *pipeline) aggregate(same string) (function string, field sqlColumn, sql string) {
	c := p.any()
	switch p.IntN(4) {
	case 0:
		return "count", sqlColumn{}, "count(*)"
	case 1:
		return "distinct", c, "count(DISTINCT " + sqlKey("a."+quoted(c.name)) + ")"
	case 2:
		return "last", c, "(SELECT " + quoted(c.name) + " FROM (" + p.query + ") AS b WHERE " + same + " AND " + quoted(c.name) + " IS NOT NULL ORDER BY b._o DESC LIMIT 1)"
	}
	c, ok := p.number()
	if !ok {
		return "count", sqlColumn{}, "count(*)"
	}
	v := "a." + quoted(c.name)
	switch p.IntN(4) {
	case 0:
		return "sum", c, "coalesce(sum(" + v + "), 0)"
	case 1:
		return "average", c, "avg(" + v + ")"
	case 2:
		return "min", c, "min(" + v + ")"
	}
	return "max", c, "max(" + v + ")"
}

func (p *pipeline) joined() {
	left, other := p.any(), mixedTables["customers"]
	right := other[p.IntN(len(other))]
	kind := []string{"left", "inner", "right", "full"}[p.IntN(4)]
	step := map[string]any{"type": "join", "source": "customers", "kind": kind, "on": []any{map[string]any{"left": left.name, "right": right.name}}}
	prefix := ""
	if p.IntN(3) == 0 {
		prefix = "c_"
		step["prefix"] = prefix
	}
	outer := kind == "right" || kind == "full"
	var list []string
	columns := slices.Clone(p.columns)
	for i, c := range p.columns {
		v := "p." + quoted(c.name)
		if c.name == left.name && outer {
			v = "CASE WHEN p._o IS NULL THEN c." + right.name + " ELSE " + v + " END"
			columns[i].numbers = c.numbers && right.numbers
		}
		list = append(list, v+" AS "+quoted(c.name))
	}
	for _, c := range other {
		if c.name == right.name {
			continue
		}
		as := prefix + c.name
		if slices.Contains(namesOf(columns), as) {
			for as = "customers_" + as; slices.Contains(namesOf(columns), as); as += "_2" {
			}
		}
		columns = append(columns, sqlColumn{as, c.numbers})
		list = append(list, "c."+c.name+" AS "+quoted(as))
	}
	p.step(step)
	p.query = "SELECT " + strings.Join(list, ", ") + ", row_number() OVER (ORDER BY p._o IS NULL, p._o, c._o) AS _o FROM (" + p.query + ") AS p " +
		map[string]string{"left": "LEFT", "inner": "", "right": "RIGHT", "full": "FULL"}[kind] + " JOIN (" + fromTable("customers") + ") AS c ON " + sqlKey("p."+quoted(left.name)) + " = " + sqlKey("c."+right.name)
	p.columns = columns
}

func (p *pipeline) appended() {
	table := []string{"orders", "customers"}[p.IntN(2)]
	columns := slices.Clone(p.columns)
	for _, c := range mixedTables[table] {
		if i := slices.IndexFunc(columns, func(o sqlColumn) bool { return o.name == c.name }); i >= 0 {
			columns[i].numbers = columns[i].numbers && c.numbers
		} else {
			columns = append(columns, c)
		}
	}
	part := func(has []sqlColumn) string {
		var list []string
		for _, c := range columns {
			if slices.Contains(namesOf(has), c.name) {
				list = append(list, quoted(c.name))
			} else {
				list = append(list, "NULL AS "+quoted(c.name))
			}
		}
		return strings.Join(list, ", ")
	}
	query := "SELECT " + part(p.columns) + ", 0 AS _p, _o AS _q FROM (" + p.query + ") UNION ALL SELECT " + part(mixedTables[table]) + ", 1, _o FROM (" + fromTable(table) + ")"
	p.step(map[string]any{"type": "union", "sources": []any{table}})
	p.columns = columns
	p.order(query, p.list(""), []string{"_p", "_q"})
}
