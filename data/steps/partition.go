package steps

import (
	"context"

	"github.com/quire-reports/quire/report"
)

var partitionRows = define[partitionStep]("partition", "Partition", "Makes one row a key, which carries the rows with that key.", true)

type partitionStep struct {
	Field string `json:"field" required:"true" help:"Path of the key in a row." ask:"Rows with the same value in it become one."`
	Key   string `json:"key" label:"Column of the key" default:"key" help:"Name of the column with the key." ask:"What it is called."`
	Rows  string `json:"rows" label:"Column of the rows" default:"rows" help:"Name of the column with the rows." ask:"What it is called."`
}

func (s *partitionStep) check(path string) report.Problems {
	if s.Key == s.Rows {
		return report.Problems{report.Problemf(path+".rows", "two columns are named %q", s.Rows)}
	}
	return nil
}

func (s *partitionStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	env.checkField("field", s.Field, rows)
	shape := report.NewShape(s.Key, s.Rows)
	groups := GroupBy(rows, fieldOf(s.Field), true, nil)
	out := make([]any, len(groups))
	for i, g := range groups {
		out[i] = report.NewObject(shape, []any{g.Key, g.Rows})
	}
	return out, nil
}
