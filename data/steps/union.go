package steps

import (
	"context"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/report"
)

var unionRows = define[unionStep]("union", "Union", "Appends the rows of other sources; columns are matched by name.", false)

type unionStep struct {
	Sources []string `json:"sources" editor:"source" required:"true" help:"Names of the other data sources, in the order their rows follow." ask:"The other data sources, in the order in which their rows follow." one:"Data source"`
}

func (s *unionStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	all := slices.Clone(rows)
	for _, name := range s.Sources {
		more, err := env.Rows(name)
		if err != nil {
			return nil, fmt.Errorf("appending %q: %w", name, err)
		}
		all = append(all, more...)
	}
	shape := report.NewShape(columnsOf(all)...)
	for i, row := range all {
		all[i] = alike(row, shape)
	}
	return all, nil
}

// alike is a row with exactly the columns of a shape.
func alike(row any, shape *report.Shape) any {
	o, ok := row.(*report.Object)
	if !ok || o.Shape() == shape {
		return row
	}
	values := make([]any, len(shape.Names()))
	for i, name := range shape.Names() {
		values[i], _ = o.Get(name)
	}
	return report.NewObject(shape, values)
}
