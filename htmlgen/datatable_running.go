package htmlgen

import (
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// sumUp turns the values of the columns that print running totals into these, before
// the first row is written: totals, workbooks and what is carried over pages then see
// what the cells show.
func (t *table) sumUp(groups []*group) {
	for _, col := range t.columns {
		if !col.runs() {
			continue
		}
		if col.p.Renderer != "value" {
			t.c.warnAt(t.e, col.setting("runningTotal"), "column %q: a running total is of the value renderer, not of %q", col.title, col.p.Renderer)
			continue
		}
		values := col.values
		if values == nil {
			values = make([]any, len(t.printed))
			for i, row := range t.printed {
				values[i], _ = col.path.Of(row)
			}
		}
		var begins func(int) bool
		if col.p.Running == "group" {
			firsts := map[int]bool{}
			innermostFirsts(groups, firsts)
			begins = func(place int) bool { return firsts[place] }
		}
		col.values = steps.Running(values, begins, func(v any) {
			t.c.warnAt(t.e, col.setting("runningTotal"), "column %q: %s is no number and does not count in the running total", col.title, report.Show(v))
		})
		col.running = true
	}
}

// runs reports whether the column is to print a running total.
func (col *column) runs() bool { return col.p.Running != "" && col.p.Running != "none" }

// innermostFirsts are the places of the rows that begin the innermost groups.
func innermostFirsts(groups []*group, firsts map[int]bool) {
	for _, g := range groups {
		if g.groups == nil {
			firsts[g.scope.first] = true
		}
		innermostFirsts(g.groups, firsts)
	}
}
