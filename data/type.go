package data

import (
	"context"
	"fmt"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

// Type is a type of data source.
type Type struct {
	Name  string // as definitions say it
	Label string
	Help  string

	fields func() []report.Field
	check  func(settings map[string]any, path string) report.Problems
	load   func(ctx context.Context, env *Env, settings map[string]any) (any, error)
}

// Fields describe the settings of the type, for the designer and the schema.
func (t Type) Fields() []report.Field { return t.fields() }

// Check finds what is wrong with settings without running them.
func (t Type) Check(settings map[string]any, path string) report.Problems {
	return t.check(settings, path)
}

// define makes a type from the struct of its settings and its load function.
func define[S any](name, label, help string, load func(ctx context.Context, env *Env, settings S) (any, error)) Type {
	return Type{
		Name: name, Label: label, Help: help, fields: report.Fields[S],
		check: func(settings map[string]any, path string) report.Problems {
			s, problems := report.DecodeProps[S](settings, path)
			if checked, ok := any(&s).(interface {
				validate(path string) report.Problems
			}); ok && len(problems) == 0 {
				problems = checked.validate(path)
			}
			return problems
		},
		load: func(ctx context.Context, env *Env, settings map[string]any) (any, error) {
			s, problems := report.DecodeProps[S](settings, "settings")
			if len(problems) > 0 {
				return nil, problems
			}
			return load(ctx, env, s)
		},
	}
}

// Env is what a source sees while it loads.
type Env struct {
	Params *report.Object
	Data   *report.Object // the sources it depends on
	Dict   *report.Object

	Zone     *time.Location
	Now      time.Time
	Locale   *text.Locale
	Language string

	loader    *Loader
	workspace int
	result    *SourceResult
	warnings  report.Problems
}

// Lookup makes an Env a text.Scope.
func (e *Env) Lookup(root string) (any, bool) {
	switch root {
	case "$data":
		return e.Data, true
	case "$params":
		return e.Params, true
	case "$dict":
		return e.Dict, true
	}
	return nil, false
}

// text is the environment in which a source's templates are filled.
func (e *Env) text(ctx context.Context) *text.Env {
	env := &text.Env{Locale: e.Locale, Zone: e.Zone, Now: e.Now, Scope: e, Warn: func(m string) { e.warn("", m) }}
	if e.loader.config.Scripts != nil {
		env.Expr = scripting.NewExpressions(ctx, e.loader.config.Scripts, e.scene())
	}
	return env
}

func (e *Env) scene() scripting.Scene {
	return scripting.Scene{Zone: e.Zone, Now: e.Now, Locale: e.Language}
}

// maxWarnings bounds what one source may say.
const maxWarnings = 20

func (e *Env) warn(path, message string) {
	if len(e.warnings) >= maxWarnings {
		return
	}
	for _, w := range e.warnings {
		if w.Message == message {
			return
		}
	}
	e.warnings = append(e.warnings, report.Problemf(path, "%s", message))
}

// call runs a function of the source's author with the three arguments it may
// name.
func (e *Env) call(ctx context.Context, path, source string, more ...scripting.Arg) (*scripting.Result, error) {
	if e.loader.config.Scripts == nil {
		return nil, failed(path, "no script can be run here")
	}
	res, err := e.loader.config.Scripts.Call(ctx, &scripting.Call{
		Path: path, Source: source, Zone: e.Zone, Now: e.Now, Locale: e.Language,
		Args: append([]scripting.Arg{{Name: "$data", Value: e.Data}, {Name: "$params", Value: e.Params}, {Name: "$dict", Value: e.Dict}}, more...),
	})
	if res != nil {
		e.result.Logs = append(e.result.Logs, res.Logs...)
	}
	return res, err
}

func failed(path, format string, args ...any) *report.Problem {
	return &report.Problem{Kind: report.Failed, Path: path, Message: fmt.Sprintf(format, args...)}
}
