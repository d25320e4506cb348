package steps

import "context"

var limitRows = define[limitStep]("limit", "Limit", "Keeps a number of rows.", true)

type limitStep struct {
	alone
	Count  int `json:"count" min:"0" default:"10" help:"How many rows stay."`
	Offset int `json:"offset" min:"0" help:"How many rows before them are left out."`
}

func (s *limitStep) run(_ context.Context, _ *Env, rows []any) ([]any, error) {
	from := min(s.Offset, len(rows))
	return rows[from:min(len(rows), from+s.Count)], nil
}
