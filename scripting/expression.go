package scripting

import (
	"context"
	"time"

	"github.com/quire-reports/quire/report"
)

// Expressions evaluates the expressions of one run of a report that are more
// than package text works out itself: all rows of one expression in one call.
// It is text.Expressions.
type Expressions struct {
	ctx    context.Context // of the run; Eval is called deep inside rendering
	engine Engine
	scene  Scene
}

// Scene is what scripts of one run share.
type Scene struct {
	Zone   *time.Location
	Now    time.Time
	Locale string
}

// NewExpressions makes the evaluator of one run.
func NewExpressions(ctx context.Context, engine Engine, scene Scene) *Expressions {
	return &Expressions{ctx, engine, scene}
}

// Eval runs an expression once for each row of values, which the code knows by
// the names. When rows fail, their values are nil and the error is the first
// one's problem.
func (e *Expressions) Eval(code string, names []string, rows [][]any) ([]any, error) {
	call := &Call{Source: code, Zone: e.scene.Zone, Now: e.scene.Now, Locale: e.scene.Locale}
	call.Args, call.Names, call.Rows = shareArguments(names, rows)
	res, err := e.engine.Call(e.ctx, call)
	if err != nil {
		return nil, err
	}
	values := res.Values
	for len(values) < len(rows) { // nothing differs between the rows
		values = append(values, values[0])
	}
	if len(res.Faults) > 0 {
		return values, res.Faults[0].Problem
	}
	return values, nil
}

// shareArguments sends objects that are the same in every row, such as $data,
// once and member by member.
func shareArguments(names []string, rows [][]any) (shared []Arg, own []string, ownRows [][]any) {
	var columns []int
	for i, name := range names {
		if o, ok := sameObject(rows, i); ok {
			shared = append(shared, Arg{name, o})
		} else {
			columns = append(columns, i)
			own = append(own, name)
		}
	}
	if len(columns) == 0 {
		return shared, nil, nil
	}
	if len(columns) == len(names) {
		return nil, names, rows
	}
	ownRows = make([][]any, len(rows))
	for r, row := range rows {
		ownRows[r] = make([]any, len(columns))
		for i, c := range columns {
			ownRows[r][i] = row[c]
		}
	}
	return shared, own, ownRows
}

func sameObject(rows [][]any, column int) (*report.Object, bool) {
	if len(rows) == 0 {
		return nil, false
	}
	first, ok := rows[0][column].(*report.Object)
	if !ok || first == nil {
		return nil, false
	}
	for _, row := range rows[1:] {
		if row[column] != any(first) {
			return nil, false
		}
	}
	return first, true
}
