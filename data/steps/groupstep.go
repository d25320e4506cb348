package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/report"
)

var groupRows = define[groupStep]("group", "Group and aggregate", "Makes one row of the rows with the same values, with sums, counts and the like.", true)

type groupStep struct {
	By         []selectedColumn `json:"by" label:"Group by" help:"What makes a group; without it all rows are one." ask:"Rows with the same values become one. Without any, all rows do." one:"Field"`
	Aggregates []aggregateOf    `json:"aggregates" label:"Calculations" help:"What is worked out for each group." ask:"What is worked out for each group." one:"Calculation"`
	Top        topGroups        `json:"top" label:"Top groups" help:"Keeps the largest groups only; the others may become one."`
}

type aggregateOf struct {
	Function string `json:"function" label:"Calculation" enum:"sum,count,distinct,average,min,max,last" default:"sum"`
	Field    string `json:"field" help:"Path of the value in a row; count without one counts rows." ask:"The field of the rows that is worked with. A count without one counts rows."`
	Weight   string `json:"weight" label:"Weight field" help:"Field with the weights of an average."`
	As       string `json:"as" label:"Name" help:"Name of the column. Default: the field's, or count."`
}

type topGroups struct {
	Count int    `json:"count" label:"How many" min:"0" help:"How many groups stay, the largest first; 0 is all." ask:"How many groups stay, the largest first; 0 is all."`
	By    string `json:"by" label:"Largest by" help:"Name of the aggregate that decides. Default: the first." ask:"The name of the calculation that decides. Left empty, the first."`
	Other string `json:"other" label:"Name of the rest" help:"Name of a last group made of all the rest. Default: the rest is left out." ask:"What a last group is called that all others become. Left empty, they are left out."`
}

func (a *aggregateOf) name() string {
	return firstOf(a.As, lastPart(a.Field), a.Function)
}

func (s *groupStep) check(path string) report.Problems {
	seen := map[string]bool{}
	for _, name := range s.names() {
		if seen[name] {
			return report.Problems{report.Problemf(path, "two columns are named %q", name)}
		}
		seen[name] = true
	}
	if s.Top.By != "" && !slices.ContainsFunc(s.Aggregates, func(a aggregateOf) bool { return a.name() == s.Top.By }) {
		return report.Problems{report.Problemf(path+".top.by", "there is no aggregate named %q", s.Top.By)}
	}
	if s.Top.Count > 0 && len(s.Aggregates) == 0 {
		return report.Problems{report.Problemf(path+".top", "top groups are found by an aggregate, and there is none")}
	}
	for i, a := range s.Aggregates {
		if a.Field == "" && a.Function != "count" {
			return report.Problems{report.Problemf(fmt.Sprintf("%s.aggregates[%d].field", path, i), "%s needs a field", a.Function)}
		}
	}
	return nil
}

// names are the columns of the result.
func (s *groupStep) names() []string {
	var names []string
	for _, c := range s.By {
		names = append(names, firstOf(c.As, lastPart(c.Field)))
	}
	for i := range s.Aggregates {
		names = append(names, s.Aggregates[i].name())
	}
	return names
}

func (s *groupStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	s.checkFields(env, rows)
	groups := s.groups(rows)
	if len(groups) == 0 && len(s.By) == 0 {
		groups = []keyedGroup{{}}
	}
	shape, columns := report.NewShape(s.names()...), s.columns(env)
	out := make([]any, len(groups))
	for i, g := range groups {
		out[i] = s.aggregate(shape, columns, g.keys, g.rows)
	}
	if s.Top.Count == 0 {
		return out, nil
	}
	return s.top(env, groups, out, func(keys, rows []any) any { return s.aggregate(shape, columns, keys, rows) }), nil
}

func (s *groupStep) checkFields(env *Env, rows []any) {
	for i, c := range s.By {
		env.checkField(fmt.Sprintf("by[%d].field", i), c.Field, rows)
	}
	for i, a := range s.Aggregates {
		env.checkField(fmt.Sprintf("aggregates[%d].field", i), a.Field, rows)
		env.checkField(fmt.Sprintf("aggregates[%d].weight", i), a.Weight, rows)
	}
}

type keyedGroup struct {
	keys []any
	rows []any
}

// groups are the rows by their keys, in the order of first appearance.
func (s *groupStep) groups(rows []any) []keyedGroup {
	fields := make([]Field, len(s.By))
	for i, c := range s.By {
		fields[i] = fieldOf(c.Field)
	}
	var groups []keyedGroup
	places := newKeyIndex(len(fields))
	keys := make([]any, len(fields))
	for _, row := range rows {
		for i, f := range fields {
			keys[i] = f(row)
		}
		at, known := places.place(keys, len(groups))
		if !known {
			groups = append(groups, keyedGroup{keys: slices.Clone(keys)})
		}
		groups[at].rows = append(groups[at].rows, row)
	}
	return groups
}

// columns are the aggregates made ready, for all groups.
func (s *groupStep) columns(env *Env) []Column {
	columns := make([]Column, len(s.Aggregates))
	for i := range s.Aggregates {
		a := &s.Aggregates[i]
		columns[i] = Column{Aggregate: Aggregate(a.Function), Refused: func(v any) {
			env.warn(fmt.Sprintf("aggregates[%d]", i), "%s is no number and does not count in the %s of %q", report.Show(v), a.Function, a.Field)
		}}
		if a.Field != "" {
			columns[i].Field = fieldOf(a.Field)
		}
		if a.Weight != "" {
			columns[i].Weight = fieldOf(a.Weight)
		}
	}
	return columns
}

// aggregate is the row of a group.
func (s *groupStep) aggregate(shape *report.Shape, columns []Column, keys, rows []any) any {
	values := make([]any, len(s.By)+len(columns))
	copy(values, keys)
	for i := range columns {
		values[len(s.By)+i] = columns[i].Of(rows)
	}
	return report.NewObject(shape, values)
}

// top keeps the largest groups, and makes one of the others where that is
// asked for.
func (s *groupStep) top(env *Env, groups []keyedGroup, rows []any, aggregate func(keys, rows []any) any) []any {
	by := fieldOf(firstOf(s.Top.By, s.Aggregates[0].name()))
	order, values := make([]int, len(rows)), make([]sortValue, len(rows))
	for i, row := range rows {
		order[i], values[i] = i, env.sortable(by(row))
	}
	slices.SortStableFunc(order, func(a, b int) int { return env.order(&values[a], &values[b], true) })
	largest := min(s.Top.Count, len(order))
	kept := make([]any, 0, largest+1)
	for _, i := range order[:largest] {
		kept = append(kept, rows[i])
	}
	rest := order[largest:]
	if s.Top.Other == "" || len(rest) == 0 {
		return kept
	}
	slices.SortFunc(rest, func(a, b int) int { return cmp.Compare(a, b) })
	var others []any
	for _, i := range rest {
		others = append(others, groups[i].rows...)
	}
	var keys []any
	if len(s.By) > 0 {
		keys = []any{s.Top.Other}
	}
	return append(kept, aggregate(keys, others))
}
