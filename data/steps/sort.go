package steps

import (
	"context"
	"slices"
)

var sortRows = define[sortStep]("sort", "Sort", "Puts the rows in an order; rows without a value come last.", true)

type sortStep struct {
	alone
	By []sortKey `json:"by" required:"true" help:"What the rows are ordered by; the first counts most."`
}

type sortKey struct {
	Field      string `json:"field" required:"true" help:"Path of the value in a row."`
	Descending bool   `json:"descending"`
}

func (s *sortStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	type keyed struct {
		row  any
		keys []any
	}
	fields := make([]Field, len(s.By))
	for i, k := range s.By {
		fields[i] = fieldOf(k.Field)
	}
	keys := make([]any, len(rows)*len(fields))
	list := make([]keyed, len(rows))
	for i, row := range rows {
		own := keys[i*len(fields) : (i+1)*len(fields)]
		for j, f := range fields {
			own[j] = sortable(f(row))
		}
		list[i] = keyed{row, own}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		for i := range s.By {
			if c := env.order(a.keys[i], b.keys[i], s.By[i].Descending); c != 0 {
				return c
			}
		}
		return 0
	})
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i].row
	}
	return out, nil
}

// order compares two values: texts by the rules of the language, null last in
// either direction.
func (e *Env) order(a, b any, descending bool) int {
	if (a == nil) != (b == nil) {
		if a == nil {
			return 1
		}
		return -1
	}
	c := 0
	x, xText := a.(string)
	y, yText := b.(string)
	if xText && yText && e.Collate != nil {
		c = e.Collate(x, y)
	} else {
		c = compareSortable(a, b)
	}
	if descending {
		return -c
	}
	return c
}
