package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Type is one kind of step. A new step is its file and a line in Types.
type Type struct {
	Name  string // in definitions: "filter"
	Label string
	Help  string
	// Alone reports whether the step needs nothing but the rows; the others read
	// further sources and are not offered on single elements.
	Alone bool
	Props []report.Field

	decode func(settings map[string]any, path string) (Step, report.Problems)
}

// Types lists the kinds of steps in the order of the palette.
func Types() []Type {
	return []Type{selectColumns, computedColumn, filterRows, sortRows, limitRows, groupRows, joinRows, unionRows, partitionRows}
}

// Step changes rows. Rows that come in are not changed; those that come out may
// be the same.
type Step interface {
	run(ctx context.Context, env *Env, rows []any) ([]any, error)
}

// Env is what steps may ask for besides their rows.
type Env struct {
	// Expression prepares a JavaScript expression with bindings such as
	// {$record.amount}; the function evaluates it for a row and its place.
	Expression func(source string) func(row any, index int) (any, error)
	// Value is the value of a parameter's name or of an expression without a row.
	Value func(source string) (any, error)
	// Rows are the rows of another source.
	Rows func(name string) ([]any, error)
	// CollationKey is a text that is ordered, byte by byte, as another is by the
	// rules of the reader's language.
	CollationKey func(s string) string
	// Warn tells of a setting or a value that could not be used, with the place
	// of the setting among the steps ("[2].by[0].field"); it may be called often.
	Warn func(at, message string)

	step int // the place of the one that runs
}

func (e *Env) warn(at, format string, args ...any) {
	if e.Warn != nil {
		e.Warn(report.JoinPath(fmt.Sprintf("[%d]", e.step), at), fmt.Sprintf(format, args...))
	}
}

// define makes a Type whose settings are the struct S.
func define[S any, P interface {
	*S
	Step
}](name, label, help string, alone bool) Type {
	return Type{
		Name: name, Label: label, Help: help, Alone: alone, Props: report.Fields[S](),
		decode: func(settings map[string]any, path string) (Step, report.Problems) {
			s, problems := report.DecodeProps[S](settings, path)
			step := P(&s)
			if checked, ok := any(step).(interface {
				check(path string) report.Problems
			}); ok && len(problems) == 0 {
				problems = checked.check(path)
			}
			return step, problems
		},
	}
}

// Parse reads the steps of a definition: objects with a member "type" and the
// settings of that type. Where alone is set, only steps that need nothing but
// rows are accepted.
func Parse(list []any, path string, alone bool) ([]Step, report.Problems) {
	var parsed []Step
	var problems report.Problems
	for i, v := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		step, found := parseStep(v, at, alone)
		problems = append(problems, found...)
		if step != nil {
			parsed = append(parsed, step)
		}
	}
	return parsed, problems
}

func parseStep(v any, path string, alone bool) (Step, report.Problems) {
	settings := members(v)
	if settings == nil {
		return nil, report.Problems{report.Problemf(path, "a step is an object with a type")}
	}
	name, _ := settings["type"].(string)
	delete(settings, "type")
	types := slices.DeleteFunc(Types(), func(t Type) bool { return alone && !t.Alone })
	i := slices.IndexFunc(types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return nil, report.Problems{report.Problemf(report.JoinPath(path, "type"), "unknown step %q; accepted: %s", name, namesOf(types))}
	}
	return types[i].decode(settings, path)
}

func namesOf(types []Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// members is a copy of an object's members; nil when it is none.
func members(v any) map[string]any {
	m := map[string]any{}
	switch o := v.(type) {
	case *report.Object:
		for name, value := range o.All() {
			m[name] = value
		}
	case map[string]any:
		for name, value := range o {
			m[name] = value
		}
	default:
		return nil
	}
	return m
}

// Fault is what went wrong in one of several steps.
type Fault struct {
	Step int // its place
	Err  error
}

// Error names the step as people count.
func (f *Fault) Error() string { return fmt.Sprintf("step %d: %v", f.Step+1, f.Err) }

// Unwrap is the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Trace is Run that also tells the rows after each step.
func Trace(ctx context.Context, env *Env, list []Step, rows []any, after func(rows []any)) ([]any, error) {
	for i, s := range list {
		env.step = i
		err := ctx.Err()
		if err == nil {
			rows, err = s.run(ctx, env, rows)
		}
		if err != nil {
			return nil, &Fault{i, err}
		}
		after(rows)
	}
	return rows, nil
}

// Run passes rows through the steps in order.
func Run(ctx context.Context, env *Env, list []Step, rows []any) ([]any, error) {
	for i, s := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		env.step = i
		if sort, ok := s.(*sortStep); ok && i+1 < len(list) {
			if limit, ok := list[i+1].(*limitStep); ok {
				rows = sort.first(env, rows, limit.reach(len(rows))) // the rest need not be in order
				continue
			}
		}
		var err error
		if rows, err = s.run(ctx, env, rows); err != nil {
			return nil, &Fault{i, err}
		}
	}
	return rows, nil
}
