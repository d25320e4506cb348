package steps

import "context"

var computedColumn = define[computeStep]("compute", "Computed column", "Adds a column worked out from the others, or replaces one.", true)

type computeStep struct {
	As         string `json:"as" label:"Name" required:"true" help:"Name of the column."`
	Expression string `json:"expression" editor:"expression" required:"true" help:"JavaScript expression with bindings, such as {$record.price} * {$record.quantity}; {$index} is the place of the row, from 0." ask:"A formula with values of the row, such as {$record.price} * {$record.quantity}; {$index} is the number of the row, from 0."`
}

func (s *computeStep) run(ctx context.Context, env *Env, rows []any) ([]any, error) {
	value := env.Expression(s.Expression)
	wide := newExtended(s.As)
	out := make([]any, len(rows))
	for i, row := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := value(row, i)
		if err != nil {
			env.warn("expression", "the computed column %q: %v", s.As, err)
		}
		out[i] = wide.row(row, []any{v})
	}
	return out, nil
}
