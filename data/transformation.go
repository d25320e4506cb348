package data

import (
	"context"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
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
	stepEnv := steps.NewEnv(env.text(ctx), func(format string, args ...any) { env.warn("settings.steps", fmt.Sprintf(format, args...)) })
	stepEnv.Rows = env.rows
	out, err := steps.Run(ctx, stepEnv, list, rows)
	if err != nil {
		return nil, failed("settings.steps", "%v", err)
	}
	if out == nil {
		out = []any{}
	}
	return out, nil
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
