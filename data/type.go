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

	connections []report.ConnectionType // that it reads from
	fields      func() []report.Field
	check       func(settings map[string]any, path string) report.Problems
	load        func(ctx context.Context, env *Env, settings map[string]any) (any, error)
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

// from gives a type the types of connections that it reads from.
func (t Type) from(connections ...report.ConnectionType) Type {
	t.connections = connections
	return t
}

// Env is what a source sees while it loads.
type Env struct {
	Params *report.Object
	Data   *report.Object // the sources it depends on
	Dict   *report.Object
	User   report.Person

	Zone     *time.Location
	Now      time.Time
	Locale   *text.Locale
	Language string

	loader    *Loader
	workspace int
	scheduled bool // a job's run
	result    *SourceResult
	warnings  report.Problems
	trial     *trial // what is to be told of it beside its value; nil means nothing
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
	case "$user":
		return e.User.Value(), true
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

func (e *Env) warn(path, message string) { e.warnAt(path, message, place{}) }

// warnAt warns of a place in a text.
func (e *Env) warnAt(path, message string, at place) {
	if len(e.warnings) >= maxWarnings {
		return
	}
	for _, w := range e.warnings {
		if w.Message == message {
			return
		}
	}
	e.warnings = append(e.warnings, &report.Problem{Path: path, Message: message, Line: at.line, Column: at.column})
}

// call runs a function of the source's author with the three arguments it may
// name.
func (e *Env) call(ctx context.Context, path, source string) (*scripting.Result, error) {
	return e.callWith(ctx, path, source, e.scriptArgs(false))
}

// callHook runs a hook of an API source, with the values in front. In scheduled
// jobs it sees only $params (SPEC.md, Data source, rule 5).
func (e *Env) callHook(ctx context.Context, path, source string, front ...scripting.Arg) (*scripting.Result, error) {
	return e.callWith(ctx, path, source, e.scriptArgs(e.scheduled), front...)
}

func (e *Env) callWith(ctx context.Context, path, source string, args []scripting.Arg, front ...scripting.Arg) (*scripting.Result, error) {
	if e.loader.config.Scripts == nil {
		return nil, failed(path, "no script can be run here")
	}
	call := &scripting.Call{Path: path, Source: source, Zone: e.Zone, Now: e.Now, Locale: e.Language, Args: args}
	if len(front) > 0 {
		call.Rows = [][]any{nil}
		for _, a := range front {
			call.Names, call.Rows[0] = append(call.Names, a.Name), append(call.Rows[0], a.Value)
		}
	}
	res, err := e.loader.config.Scripts.Call(ctx, call)
	if res != nil {
		e.result.Logs = append(e.result.Logs, res.Logs...)
	}
	if err == nil && len(res.Faults) > 0 {
		return nil, res.Faults[0].Problem
	}
	return res, err
}

func (e *Env) scriptArgs(paramsOnly bool) []scripting.Arg {
	var data, dict any = e.Data, e.Dict
	if paramsOnly {
		data, dict = scripting.Undefined, scripting.Undefined
	}
	return []scripting.Arg{{Name: "$data", Value: data}, {Name: "$params", Value: e.Params}, {Name: "$dict", Value: dict}, {Name: "$user", Value: e.User.Value()}}
}

func failed(path, format string, args ...any) *report.Problem {
	return &report.Problem{Kind: report.Failed, Path: path, Message: fmt.Sprintf(format, args...)}
}
