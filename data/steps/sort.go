package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

var sortRows = define[sortStep]("sort", "Sort", "Puts the rows in an order; rows without a value come last.", true)

type sortStep struct {
	By []sortKey `json:"by" label:"Order by" required:"true" help:"What the rows are ordered by; the first counts most." ask:"The first counts most." one:"Field"`
}

type sortKey struct {
	Field      string `json:"field" required:"true" help:"Path of the value in a row." ask:"The field of the rows that they are ordered by."`
	Descending bool   `json:"descending"`
}

func (s *sortStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	return s.first(env, rows, len(rows)), nil
}

// ranked is a row by its place, with the values that order it.
type ranked struct {
	at     int
	values []sortValue
}

// first are the first rows of the order, so many. Of a large table only those
// are kept that may be among them.
func (s *sortStep) first(env *Env, rows []any, most int) []any {
	fields := make([]Field, len(s.By))
	for i, k := range s.By {
		env.checkField(fmt.Sprintf("by[%d].field", i), k.Field, rows)
		fields[i] = fieldOf(k.Field)
	}
	kept := newRanked(min(len(rows), 2*most), len(fields))
	n, bounded := 0, false
	row := ranked{values: make([]sortValue, len(fields))}
	for at, v := range rows {
		row.at = at
		for i, f := range fields {
			row.values[i] = env.sortable(f(v))
		}
		if n == len(kept) {
			s.sort(env, kept)
			n, bounded = most, true
		}
		if bounded && (most == 0 || s.compare(env, &row, &kept[most-1]) > 0) {
			continue
		}
		kept[n].at = at
		copy(kept[n].values, row.values)
		n++
	}
	s.sort(env, kept[:n])
	out := make([]any, min(n, most))
	for i := range out {
		out[i] = rows[kept[i].at]
	}
	return out
}

func newRanked(count, width int) []ranked {
	list, values := make([]ranked, count), make([]sortValue, count*width)
	for i := range list {
		list[i].values = values[i*width : (i+1)*width]
	}
	return list
}

func (s *sortStep) sort(env *Env, list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int { return s.compare(env, &a, &b) })
}

// compare orders two rows; those that are alike keep their order.
func (s *sortStep) compare(env *Env, a, b *ranked) int {
	for i := range s.By {
		if c := env.order(&a.values[i], &b.values[i], s.By[i].Descending); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.at, b.at)
}
