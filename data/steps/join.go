package steps

import (
	"context"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/report"
)

var joinRows = define[joinStep]("join", "Join", "Adds the columns of another source to the rows with the same key.", false)

type joinStep struct {
	Source  string           `json:"source" editor:"source" required:"true" help:"Name of the other data source."`
	Kind    string           `json:"kind" enum:"left,inner,right,full" default:"left" help:"Which rows without a partner stay: ours, none, the other's, or both."`
	On      []joinKey        `json:"on" required:"true" help:"The fields that must be equal. Null equals nothing."`
	Columns []selectedColumn `json:"columns" help:"Columns of the other source to add. Default: all but the keys."`
	Prefix  string           `json:"prefix" help:"Put before the names of the added columns, to tell them from ours."`
}

type joinKey struct {
	Left  string `json:"left" required:"true" help:"Field of our rows."`
	Right string `json:"right" help:"Field of the other source. Default: the same."`
}

func (s *joinStep) check(path string) report.Problems {
	if len(s.On) == 0 {
		return report.Problems{report.Problemf(path+".on", "a join needs at least one pair of fields")}
	}
	return nil
}

func (s *joinStep) run(ctx context.Context, env *Env, rows []any) ([]any, error) {
	others, err := env.Rows(s.Source)
	if err != nil {
		return nil, fmt.Errorf("joining %q: %w", s.Source, err)
	}
	j := s.prepare(rows, others)
	for i, row := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j.left(row, s.Kind == "left" || s.Kind == "full")
	}
	if s.Kind == "right" || s.Kind == "full" {
		j.unmatched(others)
	}
	return j.out, nil
}

// join is one run of the step.
type join struct {
	ours, theirs []Field // the keys
	partners     [][]int // rows of the other source, by place of their keys
	places       *keyIndex
	added        []Field
	others       []any
	used         []bool
	wide         *extended
	keyed        *extended // our key columns, for rows that only the other source has
	keys         []any
	values       []any
	out          []any
}

func (s *joinStep) prepare(rows, others []any) *join {
	j := &join{others: others, used: make([]bool, len(others)), places: newKeyIndex(len(s.On)), keys: make([]any, len(s.On))}
	var names []string
	for _, on := range s.On {
		j.ours = append(j.ours, fieldOf(on.Left))
		j.theirs = append(j.theirs, fieldOf(firstOf(on.Right, on.Left)))
		names = append(names, lastPart(on.Left))
	}
	columns := s.addedColumns(others)
	var shown []string
	for _, c := range columns {
		j.added = append(j.added, fieldOf(c.Field))
		shown = append(shown, s.Prefix+firstOf(c.As, lastPart(c.Field)))
	}
	j.wide = newExtended(shown...)
	j.keyed = newExtended(append(columnsOf(rows), names...)...)
	j.values = make([]any, len(j.added))
	for i, row := range others {
		if !readKeys(j.theirs, row, j.keys) {
			continue
		}
		at, known := j.places.place(j.keys, len(j.partners))
		if !known {
			j.partners = append(j.partners, nil)
		}
		j.partners[at] = append(j.partners[at], i)
	}
	return j
}

// addedColumns are those given, or all of the other source but the keys.
func (s *joinStep) addedColumns(others []any) []selectedColumn {
	if len(s.Columns) > 0 {
		return s.Columns
	}
	var columns []selectedColumn
	for _, name := range columnsOf(others) {
		if !slices.ContainsFunc(s.On, func(on joinKey) bool { return firstOf(on.Right, on.Left) == name }) {
			columns = append(columns, selectedColumn{Field: name})
		}
	}
	return columns
}

// columnsOf are the names of all columns of some rows, in the order they
// appear.
func columnsOf(rows []any) []string {
	var names []string
	seen := map[string]bool{}
	shapes := map[*report.Shape]bool{}
	for _, row := range rows {
		o, ok := row.(*report.Object)
		if !ok || shapes[o.Shape()] {
			continue
		}
		shapes[o.Shape()] = true
		for name := range o.All() {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// readKeys reads the keys of a row; false when one is null.
func readKeys(fields []Field, row any, keys []any) bool {
	for i, f := range fields {
		if keys[i] = f(row); keys[i] == nil {
			return false
		}
	}
	return true
}

// left adds our row with each of its partners, or alone.
func (j *join) left(row any, alone bool) {
	if readKeys(j.ours, row, j.keys) {
		if at, ok := j.places.find(j.keys); ok {
			for _, i := range j.partners[at] {
				j.used[i] = true
				j.out = append(j.out, j.wide.row(row, j.read(j.others[i])))
			}
			return
		}
	}
	if alone {
		clear(j.values)
		j.out = append(j.out, j.wide.row(row, j.values))
	}
}

func (j *join) read(other any) []any {
	for i, f := range j.added {
		j.values[i] = f(other)
	}
	return j.values
}

// unmatched adds the rows of the other source that found no partner, with the
// keys in our columns.
func (j *join) unmatched(others []any) {
	for i, other := range others {
		if j.used[i] {
			continue
		}
		values := make([]any, len(j.keyed.names))
		for k, f := range j.theirs {
			values[len(values)-len(j.theirs)+k] = f(other)
		}
		j.out = append(j.out, j.wide.row(j.keyed.row(nil, values), j.read(other)))
	}
}
