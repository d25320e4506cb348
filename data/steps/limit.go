package steps

import "context"

var limitRows = define[limitStep]("limit", "Limit", "Keeps a number of rows.", true)

type limitStep struct {
	Count  int `json:"count" label:"How many" min:"0" default:"10" help:"How many rows stay."`
	Offset int `json:"offset" label:"Leave out before" min:"0" help:"How many rows before them are left out." ask:"How many rows at the beginning are left out."`
}

func (s *limitStep) run(_ context.Context, _ *Env, rows []any) ([]any, error) {
	return rows[min(s.Offset, len(rows)):s.reach(len(rows))], nil
}

// reach is how many of the rows it looks at.
func (s *limitStep) reach(rows int) int {
	from := min(s.Offset, rows)
	return from + min(s.Count, rows-from)
}
