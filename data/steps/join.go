package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

var joinRows = define[joinStep]("join", "Join", "Adds the columns of another source to the rows with the same key.", false)

type joinStep struct {
	Source  string           `json:"source" editor:"source" required:"true" help:"Name of the other data source."`
	Kind    string           `json:"kind" label:"Rows that stay" enum:"left,inner,right,full" default:"left" help:"Which rows without a partner stay: ours, none, the other's, or both." ask:"What becomes of rows without a partner."`
	On      []joinKey        `json:"on" label:"Matching fields" required:"true" help:"The fields that must be equal. A number and a text are equal when the text is that number; null equals nothing." ask:"The fields that must be equal. A number and a text are equal when the text is that number." one:"Pair"`
	Columns []selectedColumn `json:"columns" help:"Columns of the other source to add. Default: all but the keys." ask:"Those of the other source to add. Left empty, all but the matching ones." one:"Column"`
	Prefix  string           `json:"prefix" help:"Put before the names of the added columns, to tell them from ours. Default: the source's name and _ before those that are ours, too, such as customers_name."`
}

type joinKey struct {
	Left  string `json:"left" label:"Field of our rows" required:"true" help:"Field of our rows." ask:"Its value is looked for in the other source."`
	Right string `json:"right" label:"Field of the other source" help:"Field of the other source. Default: the same." ask:"Left empty, it is called the same."`
}

// plain reports whether our key is a column, where that of rows which only the
// other source has can stand, too.
func (k *joinKey) plain() bool { return !strings.Contains(barePath(k.Left), ".") }

func (s *joinStep) check(path string) report.Problems {
	if len(s.On) == 0 {
		return report.Problems{report.Problemf(path+".on", "a join needs at least one pair of fields")}
	}
	return twice(s.Columns, path)
}

func (s *joinStep) run(ctx context.Context, env *Env, rows []any) ([]any, error) {
	others, err := env.Rows(s.Source)
	if err != nil {
		return nil, fmt.Errorf("joining %q: %w", s.Source, err)
	}
	j := s.prepare(env, rows, others)
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
	keyed        *extended // our columns, for rows that only the other source has
	keyPlaces    []int     // of our keys among them; below 0 where the key is no column
	keys         []any
	values       []any
	out          []any
}

func (s *joinStep) prepare(env *Env, rows, others []any) *join {
	j := &join{others: others, used: make([]bool, len(others)), places: newKeyIndex(len(s.On)), keys: make([]any, len(s.On))}
	ours := columnsOf(rows)
	for i, on := range s.On {
		right, side := firstOf(on.Right, on.Left), "left"
		if on.Right != "" {
			side = "right"
		}
		env.checkField(fmt.Sprintf("on[%d].left", i), on.Left, rows)
		env.checkField(fmt.Sprintf("on[%d].%s", i, side), right, others)
		j.ours, j.theirs = append(j.ours, fieldOf(on.Left)), append(j.theirs, fieldOf(right))
		if on.plain() && !slices.Contains(ours, barePath(on.Left)) {
			ours = append(ours, barePath(on.Left))
		}
		j.keyPlaces = append(j.keyPlaces, slices.Index(ours, barePath(on.Left)))
	}
	columns := s.addedColumns(others)
	for i, c := range columns {
		if len(s.Columns) > 0 {
			env.checkField(fmt.Sprintf("columns[%d].field", i), c.Field, others)
		}
		j.added = append(j.added, fieldOf(c.Field))
	}
	j.wide = newExtended(s.names(env, ours, columns)...)
	j.keyed = newExtended(ours...)
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

// names are the names of the added columns. One that our rows have, too, gets
// the source's name before it, so that both stay.
func (s *joinStep) names(env *Env, ours []string, columns []selectedColumn) []string {
	source := sourceName(s.Source)
	taken := map[string]bool{}
	for _, name := range ours {
		taken[name] = true
	}
	var names, renamed []string
	for _, c := range columns {
		name := s.Prefix + firstOf(c.As, lastPart(c.Field))
		if taken[name] {
			was := name
			for name = source + "_" + name; taken[name]; name += "_2" {
			}
			renamed = append(renamed, fmt.Sprintf("%q is now %q", was, name))
		}
		taken[name] = true
		names = append(names, name)
	}
	if len(renamed) > 0 {
		env.warn("prefix", "columns of %q have the names of ours: %s; give a prefix, or pick columns", source, strings.Join(renamed, ", "))
	}
	return names
}

// sourceName is the name in a reference such as {$data.orders}.
func sourceName(reference string) string {
	return strings.TrimPrefix(strings.Trim(reference, "{}"), "$data.")
}

// addedColumns are those given, or all of the other source but the keys that
// our columns have.
func (s *joinStep) addedColumns(others []any) []selectedColumn {
	if len(s.Columns) > 0 {
		return s.Columns
	}
	var columns []selectedColumn
	for _, name := range columnsOf(others) {
		if !slices.ContainsFunc(s.On, func(on joinKey) bool { return on.plain() && barePath(firstOf(on.Right, on.Left)) == name }) {
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
			if at := j.keyPlaces[k]; at >= 0 {
				values[at] = f(other)
			}
		}
		j.out = append(j.out, j.wide.row(j.keyed.row(nil, values), j.read(other)))
	}
}
