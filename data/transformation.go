package data

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

var transformationSource = define("transformation", "Data Transformation", "The rows of another data source, changed step by step.", loadTransformation)

type transformationSettings struct {
	Source string `json:"source" label:"Source" editor:"source" required:"true" help:"Name of the data source whose rows are changed; it is one of the dependencies."`
	Steps  []any  `json:"steps" label:"Steps" editor:"steps" help:"What is done to the rows, in order."`
}

func (s *transformationSettings) validate(path string) report.Problems {
	_, problems := steps.Parse(s.Steps, report.JoinPath(path, "steps"), false)
	return problems
}

func loadTransformation(ctx context.Context, env *Env, s transformationSettings) (any, error) {
	list, problems := steps.Parse(s.Steps, "settings.steps", false)
	if len(problems) > 0 {
		return nil, problems
	}
	rows, err := env.rows(s.Source)
	if err != nil {
		return nil, failed("settings.source", "%v", err)
	}
	stepEnv := steps.NewEnv(env.text(ctx), func(at, message string) { env.warn("settings.steps"+at, message) })
	stepEnv.Rows = env.rows
	out, err := env.runSteps(ctx, stepEnv, list, rows)
	if err != nil {
		return nil, stepProblem(err)
	}
	if out == nil {
		out = []any{}
	}
	return out, budget.Spend(ctx, rowsSize(out))
}

// rowsSize is what rows take that share their values with others.
func rowsSize(rows []any) (bytes int64) {
	for _, row := range rows {
		if o, ok := row.(*report.Object); ok {
			bytes += int64(rowSize + 16*o.Len())
		}
	}
	return bytes
}

// runSteps also tells what each step gave where that is asked for.
func (e *Env) runSteps(ctx context.Context, stepEnv *steps.Env, list []steps.Step, rows []any) ([]any, error) {
	if e.trial == nil {
		return steps.Run(ctx, stepEnv, list, rows)
	}
	if e.trial.most >= 0 {
		list = list[:min(e.trial.most, len(list))]
	}
	e.trial.input = rows
	return steps.Trace(ctx, stepEnv, list, rows, func(rows []any) { e.trial.steps = append(e.trial.steps, rows) })
}

// stepProblem puts a fault at its step, with the place in the step's script.
func stepProblem(err error) *report.Problem {
	p := failed("settings.steps", "%v", err)
	var fault *steps.Fault
	if errors.As(err, &fault) {
		p.Path = fmt.Sprintf("settings.steps[%d]", fault.Step)
	}
	var cause *report.Problem
	if errors.As(err, &cause) {
		p.Line, p.Column = cause.Line, cause.Column
	}
	return p
}

// rows are the rows of a source that this one depends on.
func (e *Env) rows(name string) ([]any, error) {
	name = strings.TrimPrefix(strings.Trim(name, "{}"), "$data.")
	v, ok := e.Data.Get(name)
	if !ok {
		return nil, fmt.Errorf("the data source %q is not declared as a dependency; add $data.%s", name, name)
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		return v, nil
	case *report.Object:
		return []any{v}, nil
	}
	return nil, fmt.Errorf("the data source %q is no list of rows", name)
}
