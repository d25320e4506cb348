package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

var filterRows = define[filterStep]("filter", "Filter", "Keeps the rows that meet conditions.", true)

type filterStep struct {
	Match      string            `json:"match" enum:"all,any" default:"all" help:"Whether a row meets all conditions or at least one."`
	Conditions []filterCondition `json:"conditions" required:"true"`
}

type filterCondition struct {
	Field      string `json:"field" required:"true" help:"Path of the value in a row."`
	Operator   string `json:"operator" enum:"equals,not-equals,less,less-or-equal,greater,greater-or-equal,contains,not-contains,starts-with,ends-with,in,not-in,empty,not-empty" default:"equals"`
	Value      any    `json:"value" help:"A constant; a list for in and not-in."`
	Parameter  string `json:"parameter" help:"Name of a parameter to compare with, in place of a constant. Without a value the condition is ignored."`
	Expression string `json:"expression" editor:"expression" help:"Expression to compare with, in place of a constant. Without a value the condition is ignored."`
}

func (s *filterStep) check(path string) report.Problems {
	var problems report.Problems
	for i := range s.Conditions {
		c := &s.Conditions[i]
		given := 0
		for _, is := range []bool{c.Value != nil, c.Parameter != "", c.Expression != ""} {
			if is {
				given++
			}
		}
		if given > 1 {
			problems = append(problems, report.Problemf(fmt.Sprintf("%s.conditions[%d]", path, i), "a condition compares with a value, a parameter or an expression; only one of them"))
		}
	}
	return problems
}

// condition is a condition made ready for the rows.
type condition struct {
	field Field
	holds func(v any) bool
}

func (s *filterStep) run(_ context.Context, env *Env, rows []any) ([]any, error) {
	var conditions []condition
	for i := range s.Conditions {
		c, err := s.Conditions[i].ready(env)
		if err != nil {
			return nil, fmt.Errorf("the condition on %q: %w", s.Conditions[i].Field, err)
		}
		if c != nil {
			conditions = append(conditions, *c)
		}
	}
	if len(conditions) == 0 {
		return rows, nil
	}
	all := s.Match == "all"
	var out []any
	for _, row := range rows {
		if meets(row, conditions, all) {
			out = append(out, row)
		}
	}
	return out, nil
}

func meets(row any, conditions []condition, all bool) bool {
	for i := range conditions {
		if c := &conditions[i]; c.holds(c.field(row)) != all {
			return !all
		}
	}
	return all
}

// ready is nil when the condition is to be ignored: its parameter or expression
// gives nothing.
func (c *filterCondition) ready(env *Env) (*condition, error) {
	field := fieldOf(c.Field)
	switch c.Operator {
	case "empty":
		return &condition{field, isEmpty}, nil
	case "not-empty":
		return &condition{field, func(v any) bool { return !isEmpty(v) }}, nil
	}
	with := c.Value
	if c.Parameter != "" || c.Expression != "" {
		source := c.Expression
		if c.Parameter != "" {
			source = "$params." + strings.TrimPrefix(c.Parameter, "$params.")
		}
		var err error
		if with, err = env.Value(source); err != nil {
			return nil, err
		}
		if list, ok := with.([]any); isEmpty(with) || ok && len(list) == 0 {
			return nil, nil
		}
	}
	return &condition{field, comparison(c.Operator, with)}, nil
}

func isEmpty(v any) bool { return v == nil || v == "" }

// comparison is a test of a value. As in SQL, null meets none but being unequal
// to something.
func comparison(operator string, with any) func(v any) bool {
	switch operator {
	case "not-equals":
		equal := comparison("equals", with)
		return func(v any) bool { return !equal(v) }
	case "not-in":
		in := comparison("in", with)
		return func(v any) bool { return !in(v) }
	case "not-contains":
		contains := comparison("contains", with)
		return func(v any) bool { return !contains(v) }
	case "in":
		return inList(with)
	case "contains", "starts-with", "ends-with":
		return textTest(operator, asText(with))
	case "equals":
		return equalTo(with)
	}
	return ordered(orderTests[operator], with)
}

// ordered compares by size; text that is a number counts as one beside numbers.
func ordered(test func(order int) bool, with any) func(v any) bool {
	number, isNumber := Number(with)
	if !isNumber {
		return func(v any) bool { return v != nil && kindOf(v) == kindOf(with) && test(Compare(v, with)) }
	}
	small, isSmall := scaledOf(with)
	return func(v any) bool {
		if n, ok := scaledOf(v); ok && isSmall {
			if c, ok := n.cmp(small); ok {
				return test(c)
			}
		}
		if n, ok := Number(v); ok {
			return test(n.Cmp(number))
		}
		return v != nil && kindOf(v) == kindOf(with) && test(Compare(v, with))
	}
}

var orderTests = map[string]func(order int) bool{
	"less":             func(o int) bool { return o < 0 },
	"less-or-equal":    func(o int) bool { return o <= 0 },
	"greater":          func(o int) bool { return o > 0 },
	"greater-or-equal": func(o int) bool { return o >= 0 },
}

// equalTo compares numbers by size, also where one of them is a text, and texts
// as they are.
func equalTo(with any) func(v any) bool {
	key := Key(with)
	number, isNumber := Number(with)
	return func(v any) bool {
		if v == nil {
			return with == nil
		}
		if kindOf(v) == kindOf(with) {
			return Key(v) == key
		}
		if !isNumber {
			return false
		}
		n, ok := Number(v)
		return ok && n.Equal(number)
	}
}

func inList(with any) func(v any) bool {
	list, ok := with.([]any)
	if !ok {
		list = []any{with}
	}
	keys := map[any]bool{}
	for _, item := range list {
		keys[Key(item)] = true
	}
	return func(v any) bool { return keys[Key(v)] }
}

// textTest looks for a text without regard to case.
func textTest(operator, part string) func(v any) bool {
	part = strings.ToLower(part)
	test := map[string]func(s, part string) bool{"contains": strings.Contains, "starts-with": strings.HasPrefix, "ends-with": strings.HasSuffix}[operator]
	return func(v any) bool { return v != nil && test(strings.ToLower(asText(v)), part) }
}

func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return fmt.Sprint(v)
}
