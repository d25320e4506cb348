package htmlgen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// pivot is a pivot table while it is worked out.
type pivot struct {
	c        *Context
	e        *Element
	p        *pivotTableProps
	measures []*pivotMeasure
	across   *pivotNode // what goes across, and
	leaves   []*pivotNode
	down     []*pivotNode // one for each row of the table
	columns  []pivotColumn
	groups   []*group
	rowOf    map[any]*pivotNode // by the row of the table
	together map[any]pivotItems // of the rows that were last summed up, by the first
	collate  func(string) string
	told     map[string]bool // of which settings a long header was warned of
}

// pivotItem is a row of the source and the leaf across that it falls into.
type pivotItem struct {
	row  any
	leaf int
}

// pivotNode is a value of a field, with those of the next field in it. Its items are
// in the order of the leaves across, so that those of some are a stretch of them.
type pivotNode struct {
	key   any
	keys  []any // of the nodes around it, and its own
	items []any
	nodes []*pivotNode
	// first and behind are the leaves of a node that goes across.
	first, behind int
}

// pivotMeasure is a measure made ready.
type pivotMeasure struct {
	p      *pivotMeasureProps
	at     string
	title  string
	values steps.Column
	lost   bool // a setting is missing without which it has no values
	format text.Format
	kind   string
}

// pivotColumn is a column of values: of some leaves, and one measure.
type pivotColumn struct {
	first, behind int
	measure       *pivotMeasure
	total         bool
}

func makePivot(c *Context, e *Element, p *pivotTableProps) *pivot {
	v := &pivot{c: c, e: e, p: p, rowOf: map[any]*pivotNode{}, told: map[string]bool{}, collate: steps.CollationKeys(c.Env.Locale)}
	rows := v.rows()
	v.makeMeasures(rows)
	items := make([]any, len(rows))
	for i, row := range rows {
		items[i] = &pivotItem{row: row}
	}
	v.across = v.axis(nil, p.Columns, items)
	v.leaves = v.across.leaves(nil)
	for i, leaf := range v.leaves {
		for _, item := range leaf.items {
			item.(*pivotItem).leaf = i
		}
	}
	v.across.number(new(int))
	v.down = v.axis(nil, p.Rows, items).leaves(nil)
	for _, row := range v.down {
		sortByLeaf(row.items)
	}
	v.makeColumns()
	return v
}

// rows are those of the source; a field that none of them has is warned of.
func (v *pivot) rows() []any {
	if v.p.Source == "" {
		v.c.Warn(v.e, "the table has no data source")
		return nil
	}
	rows := v.c.SourceRows(v.e, v.p.Source)
	for i := range v.p.Rows {
		v.c.missingField(v.e, fmt.Sprintf("rows[%d].field", i), rows, bare(v.p.Rows[i].Field))
	}
	for i := range v.p.Columns {
		v.c.missingField(v.e, fmt.Sprintf("columns[%d].field", i), rows, bare(v.p.Columns[i].Field))
	}
	for i := range v.p.Measures {
		v.c.missingField(v.e, fmt.Sprintf("measures[%d].field", i), rows, bare(v.p.Measures[i].Field))
		v.c.missingField(v.e, fmt.Sprintf("measures[%d].weightField", i), rows, bare(v.p.Measures[i].WeightField))
	}
	return rows
}

func (v *pivot) makeMeasures(rows []any) {
	list := v.p.Measures
	if len(list) == 0 {
		list = []pivotMeasureProps{{Aggregate: "count"}}
	}
	for i := range list {
		p := &list[i]
		m := &pivotMeasure{p: p, at: fmt.Sprintf("measures[%d].field", i), title: firstOf(p.Title, humanise(bare(p.Field)), escapeTemplate(v.c.Env.Locale.Count()))}
		m.lost = p.Field == "" && p.Aggregate != "count" || p.Aggregate == "weighted-average" && p.WeightField == ""
		m.values = steps.Column{Aggregate: steps.Aggregate(p.Aggregate), Refused: func(value any) {
			v.c.warnAt(v.e, m.at, "column %q: %s is no number and does not count in the %s", m.title, report.Show(value), p.Aggregate)
		}}
		if p.Field != "" {
			m.values.Field = ofItem(text.ParsePath(bare(p.Field)))
		}
		if p.Aggregate == "weighted-average" {
			m.values.Aggregate = steps.Average
			m.values.Weight = ofItem(text.ParsePath(bare(p.WeightField)))
		}
		v.measures = append(v.measures, m)
	}
}

// ofItem finds a field in the row of an item.
func ofItem(path *text.Path) steps.Field {
	of := fieldOf(path)
	return func(item any) any { return of(item.(*pivotItem).row) }
}

// axis is the tree of what goes down or across.
func (v *pivot) axis(keys []any, fields []pivotFieldProps, items []any) *pivotNode {
	n := &pivotNode{keys: keys, items: items}
	if len(keys) > 0 {
		n.key = keys[len(keys)-1]
	}
	if len(fields) == 0 || v.c.stopped() != nil {
		return n
	}
	for _, g := range v.ordered(&fields[0], items) {
		n.nodes = append(n.nodes, v.axis(append(slices.Clone(keys), g.Key), fields[1:], g.Rows))
	}
	return n
}

// noKey stands for values that are missing or empty.
const noKey = "–"

// ordered are items by the value of a field, in the order that it has.
func (v *pivot) ordered(f *pivotFieldProps, items []any) []steps.Group {
	of := ofItem(text.ParsePath(bare(f.Field)))
	groups := steps.GroupBy(items, func(item any) any {
		if key := of(item); key != nil && key != "" {
			return key
		}
		return noKey
	}, f.Sort == "first", v.collate)
	if f.Sort == "measure" {
		m := v.measures[0]
		worth := make(map[any]any, len(groups))
		for _, g := range groups {
			worth[steps.Key(g.Key)] = m.of(g.Rows)
		}
		slices.SortStableFunc(groups, func(a, b steps.Group) int {
			if f.Descending {
				a, b = b, a
			}
			return steps.Compare(worth[steps.Key(a.Key)], worth[steps.Key(b.Key)])
		})
	} else if f.Descending {
		slices.Reverse(groups)
	}
	if i := slices.IndexFunc(groups, func(g steps.Group) bool { return g.Key == noKey }); i >= 0 && f.Sort == "key" {
		last := groups[i]
		groups = append(slices.Delete(groups, i, i+1), last)
	}
	return groups
}

// leaves adds the innermost nodes in their order; of a tree without fields the node
// itself, of one without rows none.
func (n *pivotNode) leaves(list []*pivotNode) []*pivotNode {
	if n.nodes == nil && len(n.items) > 0 {
		return append(list, n)
	}
	for _, inner := range n.nodes {
		list = inner.leaves(list)
	}
	return list
}

// number tells each node which leaves are its own.
func (n *pivotNode) number(next *int) {
	n.first = *next
	if n.nodes == nil && len(n.items) > 0 {
		*next++
	}
	for _, inner := range n.nodes {
		inner.number(next)
	}
	n.behind = *next
}

func sortByLeaf(items []any) {
	slices.SortStableFunc(items, func(a, b any) int { return cmp.Compare(a.(*pivotItem).leaf, b.(*pivotItem).leaf) })
}

// value is what items come to in a column; nil where none falls into it.
func (col *pivotColumn) value(items []any) any {
	at := func(leaf int) int {
		i, _ := slices.BinarySearchFunc(items, leaf, func(item any, leaf int) int { return cmp.Compare(item.(*pivotItem).leaf, leaf) })
		return i
	}
	from, to := at(col.first), at(col.behind)
	if from == to {
		return nil
	}
	return col.measure.of(items[from:to])
}

// of is what items come to.
func (m *pivotMeasure) of(items []any) any {
	if m.lost {
		return nil
	}
	return m.values.Of(items)
}

// makeColumns are the columns of values: for each value across and each measure one,
// with subtotals behind those of an outer value, and totals at the end.
func (v *pivot) makeColumns() {
	add := func(n *pivotNode, total bool) {
		for _, m := range v.measures {
			v.columns = append(v.columns, pivotColumn{n.first, n.behind, m, total})
		}
	}
	for _, n := range v.across.nodes {
		if n.nodes == nil {
			add(n, false)
			continue
		}
		for _, inner := range n.nodes {
			add(inner, false)
		}
		if v.p.Columns[0].Totals {
			add(n, true)
		}
	}
	if most := mostAcross / len(v.measures) * len(v.measures); len(v.columns) > most {
		v.c.Warn(v.e, "the first %d of %d columns are printed; totals are of all", most, len(v.columns))
		v.columns = v.columns[:most]
	}
	if len(v.p.Columns) == 0 || v.p.RowTotals {
		add(v.across, len(v.p.Columns) > 0)
	}
	if most := mostPivotCells / max(1, len(v.columns)); len(v.down) > most {
		v.c.Warn(v.e, "the first %d of %d rows are printed; totals are of these", most, len(v.down))
		v.down = v.down[:most]
	}
}
