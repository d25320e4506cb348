package htmlgen

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// Totals are of what a column prints. Most columns print a field; the values of
// the others are worked out before the first row is written, for all rows in the
// order they print, since captions stand before the rows that they sum up. The
// rows of a group are a stretch of that order.

// place puts the rows of the groups into the order they print and tells each
// group where its own begin.
func (t *table) place(groups []*group) {
	if groups == nil {
		t.printed = t.all
		return
	}
	t.printed = make([]any, 0, len(t.all))
	t.placeGroups(groups)
}

func (t *table) placeGroups(groups []*group) {
	for _, g := range groups {
		g.scope.first = len(t.printed)
		if g.groups == nil {
			t.printed = append(t.printed, g.rows...)
		} else {
			t.placeGroups(g.groups)
		}
		g.scope.rows = t.printed[g.scope.first:]
	}
}

// workOut finds the values of the columns that print no field but have totals.
func (t *table) workOut() {
	t.renderFunctions()
	for _, col := range t.columns {
		if !col.totals() && !col.runs() && (!t.p.Carry.Enabled || col.p.Carry == "") {
			continue
		}
		switch {
		case col.expr != nil:
			col.values = t.eachRow(func(row any) any { return t.value(col, row) })
		case col.template != nil:
			col.values = t.plain(col, t.eachRow(func(any) any { return col.template.Sole(t.c.Env) }))
		case col.p.Renderer == "function":
			col.values = t.plain(col, col.results)
		case col.p.Renderer != "value" && col.p.Field == "":
			col.values = []any{}
		}
		for b := range col.allBands {
			if b.ofValue() {
				template := t.c.Parse(b.p.Value)
				b.values = t.eachRow(func(any) any { return template.Sole(t.c.Env) })
			}
		}
	}
}

// totals reports whether aggregates of the column are printed.
func (col *column) totals() bool {
	for b := range col.allBands {
		if b.p.Aggregate != "" {
			return true
		}
	}
	return false
}

// eachRow is what a function gives for each row, with the row in scope.
func (t *table) eachRow(value func(row any) any) []any {
	values := make([]any, len(t.printed))
	var outer covered
	for i, row := range t.c.each(t.printed) {
		t.c.scope.pushRecord(row, i, &outer)
		values[i] = value(row)
		t.c.scope.popRecord(&outer)
	}
	return values
}

// plain is what a column of texts or of a function prints, where that is values:
// a column that has a field, too, counts by it unless all are numbers.
func (t *table) plain(col *column, values []any) []any {
	for _, v := range values {
		if _, isNumber := steps.Number(v); isNumber || v == nil || v == "" {
			continue
		}
		if col.p.Field != "" {
			return nil
		}
		if s, isText := v.(string); isText && strings.ContainsAny(s, "<&") {
			return []any{}
		}
	}
	return values
}

// ofValue reports whether a band folds a value of its own for each row.
func (b *band) ofValue() bool {
	return b.p.Aggregate != "" && b.p.Aggregate != "value" && b.p.Value != "" && b.p.Field == ""
}

// folded are the rows of a group as an aggregate reads them, and how it finds the
// value in one; the function is nil where there is none.
func (b *band) folded(g *groupScope) ([]any, steps.Field) {
	values := b.col.values
	if b.values != nil {
		values = b.values
	}
	switch {
	case b.p.Field != "" || values == nil:
		return g.rows, fieldOf(b.path)
	case len(values) < g.first+len(g.rows):
		return g.rows, nil
	}
	values = values[g.first : g.first+len(g.rows)]
	if b.weight == nil {
		return values, func(v any) any { return v }
	}
	pairs := make([]any, len(values))
	for i, v := range values {
		pairs[i] = weighed{v, g.rows[i]}
	}
	return pairs, func(pair any) any { return pair.(weighed).value }
}

// weighed is a value beside the row that has its weight.
type weighed struct{ value, row any }

func weightOf(p *text.Path) steps.Field {
	of := fieldOf(p)
	return func(row any) any {
		if pair, ok := row.(weighed); ok {
			row = pair.row
		}
		return of(row)
	}
}

// fold is the band's aggregate over a group; nothing where it has no values.
func (b *band) fold(g *groupScope) any {
	c := g.t.c
	rows, field := b.folded(g)
	column := steps.Column{Aggregate: b.kind(), Field: field, Refused: func(v any) {
		c.warnAt(g.t.e, b.at, "column %q: %s is no number and does not count in the %s", b.col.title, report.Show(v), b.p.Aggregate)
	}}
	if b.weight != nil {
		column.Weight = weightOf(b.weight)
	} else if b.p.Aggregate == "weighted-average" {
		c.warnAt(g.t.e, b.at+".weightField", "column %q: a weighted average needs a weight field", b.col.title)
	}
	switch {
	case b.lost:
		return nil
	case column.Aggregate == steps.Count && (field == nil || b.p.Field == "" && b.col.p.Field == "" && b.col.values == nil && b.values == nil):
		column.Field = nil
	case field == nil:
		c.warnAt(g.t.e, b.at, "column %q prints no values; name the field of its %s in aggregateField", b.col.title, b.p.Aggregate)
		return nil
	}
	return column.Of(rows)
}

// checkFields warns of fields of the table that no row has.
func (t *table) checkFields() {
	for i := range t.levels {
		t.c.missingField(t.e, fmt.Sprintf("groups[%d].field", i), t.all, bare(t.levels[i].p.Field))
	}
	for i, col := range t.columns {
		if i < len(t.p.Columns) && col.p == &t.p.Columns[i] && col.printsField() {
			t.c.missingField(t.e, fmt.Sprintf("columns[%d].field", i), t.all, bare(col.p.Field))
		}
		for b := range col.allBands {
			if b.p.Aggregate == "" || b.p.Aggregate == "value" {
				continue
			}
			b.lost = t.c.missingField(t.e, b.at+".aggregateField", t.all, bare(b.p.Field))
			t.c.missingField(t.e, b.at+".weightField", t.all, bare(b.p.WeightField))
		}
	}
}

// printsField reports whether the cells show the column's field.
func (col *column) printsField() bool {
	return col.p.Renderer == "value" && col.expr == nil || col.p.Renderer == "function"
}
