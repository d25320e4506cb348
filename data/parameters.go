package data

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/scripting"
)

// Binding is what BindParameters finds values with.
type Binding struct {
	Given *report.Object
	User  report.Person // who looks; defaults may read it
	Zone  *time.Location
	Now   time.Time
	// Samples, where it is not nil, notes values that are made from the type of a
	// parameter: somebody is designing, and nothing else is there for a required
	// one, or what is there is wrong.
	Samples *report.Object
}

// BindParameters turns the values that a request gives into the values of a
// report's parameters: types are checked, defaults filled in, and a required
// one that is missing is a Problem with the path "params.<name>". Values of
// names that are no parameters are left out: nobody has checked them.
//
// Dates are text of the form 2024-02-29, in the report's time zone; a month
// range is an object {from, to} of two such dates, to being the first day
// after the range. Numbers are json.Number, switches bool.
func (l *Loader) BindParameters(ctx context.Context, defs []report.Parameter, b Binding) (*report.Object, error) {
	if b.Zone == nil {
		b.Zone = time.UTC
	}
	p := &parameterBinder{given: b.Given, user: b.User, zone: b.Zone, now: b.Now, samples: b.Samples, bound: &report.Object{}}
	p.env = &text.Env{Zone: b.Zone, Now: b.Now, Scope: p}
	if l.config.Scripts != nil {
		p.env.Expr = scripting.NewExpressions(ctx, l.config.Scripts, scripting.Scene{Zone: b.Zone, Now: b.Now})
	}
	for i := range defs {
		p.bind(&defs[i])
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return p.bound, p.problems.Err()
}

type parameterBinder struct {
	given    *report.Object
	user     report.Person
	zone     *time.Location
	now      time.Time
	samples  *report.Object
	env      *text.Env
	bound    *report.Object
	problems report.Problems
}

// Lookup lets defaults read the parameters before them, and $user.
func (b *parameterBinder) Lookup(root string) (any, bool) {
	switch root {
	case "$params":
		return b.bound, true
	case "$user":
		return b.user.Value(), true
	}
	return nil, false
}

func (b *parameterBinder) bind(p *report.Parameter) {
	v, _ := b.given.Get(p.Name)
	fromDefault := IsAbsent(v)
	if fromDefault {
		v = b.defaultOf(p)
	}
	if IsAbsent(v) && p.Required {
		v = b.sample(p)
	}
	if IsAbsent(v) {
		b.missing(p)
		return
	}
	value, fault := b.convert(p, v)
	if fault != "" {
		if fromDefault {
			fault = "its default: " + fault
		}
		b.problems = append(b.problems, report.Problemf("params."+p.Name, "the parameter %s: %s", titleOf(p), fault))
		if made := b.sample(p); made != nil {
			value, _ = b.convert(p, made)
		}
	}
	b.bound.Set(p.Name, value)
}

// IsAbsent is whether a value counts as not given.
func IsAbsent(v any) bool {
	list, isList := v.([]any)
	return v == nil || v == "" || isList && len(list) == 0
}

func (b *parameterBinder) missing(p *report.Parameter) {
	if p.Required && (b.samples == nil || p.LookupSource == nil) {
		b.problems = append(b.problems, report.Problemf("params."+p.Name, "the parameter %s is required", titleOf(p)))
	}
	var empty any
	switch {
	case p.Type == report.ParameterSwitch:
		empty = false
	case p.Multiple:
		empty = []any{}
	}
	b.bound.Set(p.Name, empty)
}

// titleOf names a parameter as people know it.
func titleOf(p *report.Parameter) string {
	if p.Label != "" && p.Label != p.Name {
		return fmt.Sprintf("%q (%s)", p.Label, p.Name)
	}
	return fmt.Sprintf("%q", p.Name)
}

// defaultOf evaluates a default: text with placeholders or an expression
// {[ … ]} is worked out, anything else is the value.
func (b *parameterBinder) defaultOf(p *report.Parameter) any {
	s, ok := p.Default.(string)
	if !ok || !strings.Contains(s, "{") {
		return p.Default
	}
	env := *b.env
	env.Warn = func(message string) {
		b.problems = append(b.problems, report.Problemf("params."+p.Name, "the default of the parameter %s: %s", titleOf(p), message))
	}
	return text.Parse(s).Value(&env)
}

// convert checks a value and brings it to the form of its type; fault says
// what is wrong.
func (b *parameterBinder) convert(p *report.Parameter, v any) (value any, fault string) {
	switch p.Type {
	case report.ParameterNumber:
		return toNumber(v)
	case report.ParameterDate:
		return b.day(v)
	case report.ParameterMonthRange:
		return b.monthRange(v)
	case report.ParameterSwitch:
		return toSwitch(v)
	case report.ParameterLookup:
		value, _, fault = offerOf(p.Lookup).choose(p, v)
		return value, fault
	}
	return toText(v)
}

func toText(v any) (any, string) {
	switch v := v.(type) {
	case string:
		return v, ""
	case json.Number, bool, int64, float64, int:
		return fmt.Sprint(v), ""
	case time.Time:
		return v.Format(time.RFC3339), ""
	}
	return nil, "it must be text, not " + kindName(v)
}

// kindName says what a value is.
func kindName(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case bool, json.Number, int64, float64, int:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	case time.Time:
		return "a date"
	}
	return "an object"
}

func toNumber(v any) (any, string) {
	switch n := v.(type) {
	case json.Number, int64, float64:
		return n, ""
	case int:
		return int64(n), ""
	case string:
		if s := strings.TrimSpace(n); plainNumber.pattern.MatchString(s) {
			return json.Number(s), ""
		}
	}
	return nil, "it must be a number such as 1234.5, not " + kindName(v)
}

func toSwitch(v any) (any, string) {
	switch strings.ToLower(fmt.Sprint(v)) {
	case "true", "1":
		return true, ""
	case "false", "0":
		return false, ""
	}
	return nil, "it must be true or false, not " + kindName(v)
}
