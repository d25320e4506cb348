package steps

import (
	"context"
	"fmt"

	"github.com/quire-reports/quire/report"
)

var selectColumns = define[selectStep]("select", "Select columns", "Keeps some columns, in an order and under names of your own.", true)

type selectStep struct {
	Columns []selectedColumn `json:"columns" required:"true" help:"The columns that stay." one:"Column"`
}

type selectedColumn struct {
	Field string `json:"field" required:"true" help:"Path of the value in a row." ask:"What the rows call it."`
	As    string `json:"as" label:"Name" help:"Name of the column. Default: the field's."`
}

func (s *selectStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	names := make([]string, len(s.Columns))
	fields := make([]Field, len(s.Columns))
	for i, c := range s.Columns {
		env.checkField(fmt.Sprintf("columns[%d].field", i), c.Field, rows)
		names[i], fields[i] = firstOf(c.As, lastPart(c.Field)), fieldOf(c.Field)
	}
	shape := report.NewShape(names...)
	out := make([]any, len(rows))
	for i, row := range rows {
		values := make([]any, len(fields))
		for j, f := range fields {
			values[j] = f(row)
		}
		out[i] = report.NewObject(shape, values)
	}
	return out, nil
}

func (s *selectStep) check(path string) report.Problems {
	return twice(s.Columns, path)
}

// twice finds two columns of one name.
func twice(columns []selectedColumn, path string) report.Problems {
	seen := map[string]bool{}
	for _, c := range columns {
		name := firstOf(c.As, lastPart(c.Field))
		if seen[name] {
			return report.Problems{report.Problemf(path+".columns", "two columns are named %q", name)}
		}
		seen[name] = true
	}
	return nil
}
