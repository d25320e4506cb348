package data

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
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
	out, err := steps.Run(ctx, stepEnv(env.text(ctx), env.rows, func(format string, args ...any) { env.warn("settings.steps", fmt.Sprintf(format, args...)) }), list, rows)
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

// stepEnv is what steps ask for, in the environment of a run's texts.
func stepEnv(env *text.Env, rows func(string) ([]any, error), warn func(string, ...any)) *steps.Env {
	return &steps.Env{
		Rows: rows, Warn: warn, CollationKey: collationKeys(tagOf(env.Locale)),
		Value: func(source string) (any, error) {
			return text.ParseExpression(braced(source)).Eval(env)
		},
		Expression: func(source string) func(row any) (any, error) {
			expression := text.ParseExpression(source)
			record := &recordScope{outer: env.Scope}
			own := *env
			own.Scope = record
			return func(row any) (any, error) {
				record.row = row
				return expression.Eval(&own)
			}
		},
	}
}

// collationKeys makes keys by the rules of a language, each text's once.
func collationKeys(tag string) func(string) string {
	var order *collate.Collator
	var buffer collate.Buffer
	known := map[string]string{}
	return func(s string) string {
		key, ok := known[s]
		if !ok {
			if order == nil {
				order = collate.New(language.Make(tag))
			}
			key = string(order.KeyFromString(&buffer, s))
			buffer.Reset()
			known[s] = key
		}
		return key
	}
}

func tagOf(l *text.Locale) string {
	if l == nil {
		return "en"
	}
	return l.Tag()
}

// braced makes a binding of a bare path.
func braced(source string) string {
	if strings.HasPrefix(source, "$") && !strings.ContainsAny(source, " {}()+*/<>=!&|?'\"") {
		return "{" + source + "}"
	}
	return source
}

// recordScope adds the current row to a scope.
type recordScope struct {
	outer text.Scope
	row   any
}

// Lookup implements text.Scope.
func (s *recordScope) Lookup(root string) (any, bool) {
	if root == "$record" {
		return s.row, true
	}
	return s.outer.Lookup(root)
}
