package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

var filterRows = define[filterStep]("filter", "Filter", "Keeps the rows that meet conditions.", true)

type filterStep struct {
	Match      string            `json:"match" label:"Rows meet" enum:"all,any" default:"all" help:"Whether a row meets all conditions or at least one." ask:"All of the conditions, or at least one."`
	Conditions []filterCondition `json:"conditions" required:"true" help:"What a row must meet; one whose parameter has no value is ignored." ask:"One whose parameter has no value does not count." one:"Condition"`
}

type filterCondition struct {
	Field      string `json:"field" required:"true" help:"Path of the value in a row." ask:"The field of the rows that is looked at."`
	Operator   string `json:"operator" enum:"equals,not-equals,less,less-or-equal,greater,greater-or-equal,contains,not-contains,starts-with,ends-with,in,not-in,empty,not-empty" default:"equals"`
	Value      any    `json:"value" help:"A constant; a list for in and not-in. A number and a text are equal when the text is that number." ask:"What it is compared with. A number and a text are equal when the text is that number; “in” and “not in” take a list."`
	Parameter  string `json:"parameter" help:"Name of a parameter to compare with, in place of a constant. Without a value the condition is ignored." ask:"The name of a parameter whose value is compared with. While it has none, the condition does not count."`
	Expression string `json:"expression" editor:"expression" help:"Expression to compare with, in place of a constant: of each row where it reads $record, such as {$record.limit} * 2. One that reads no row and has no value is ignored; one that reads $user keeps no row then."`
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
	holds func(row any, index int, v any) bool
}

func (s *filterStep) run(ctx context.Context, env *Env, rows []any) ([]any, error) {
	var conditions []condition
	for i := range s.Conditions {
		at := fmt.Sprintf("conditions[%d]", i)
		env.checkField(at+".field", s.Conditions[i].Field, rows)
		c, err := s.Conditions[i].ready(env, at)
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
	for i, row := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i == 1024 { // as many of the rest as of these
			out = slices.Grow(out, len(out)*(len(rows)-i)/i)
		}
		if meets(row, i, conditions, all) {
			out = append(out, row)
		}
	}
	return out, nil
}

func meets(row any, index int, conditions []condition, all bool) bool {
	for i := range conditions {
		if c := &conditions[i]; c.holds(row, index, c.field(row)) != all {
			return !all
		}
	}
	return all
}

// ready is nil when the condition is to be ignored: its parameter or expression
// gives nothing. What cannot be read is an error, so that no row stays by it, and
// none does when a condition asks who looks and nobody does: what is there for
// somebody is not there for everybody.
func (c *filterCondition) ready(env *Env, at string) (*condition, error) {
	field := fieldOf(c.Field)
	switch c.Operator {
	case "empty":
		return &condition{field, func(_ any, _ int, v any) bool { return isEmpty(v) }}, nil
	case "not-empty":
		return &condition{field, func(_ any, _ int, v any) bool { return !isEmpty(v) }}, nil
	}
	if c.Expression != "" && readsRecord(c.Expression) {
		return c.ofRows(env, at+".expression", field), nil
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
			if readsUser(source) {
				return &condition{field, func(any, int, any) bool { return false }}, nil
			}
			return nil, nil
		}
	}
	holds := comparison(c.Operator, with)
	return &condition{field, func(_ any, _ int, v any) bool { return holds(v) }}, nil
}

// ofRows compares with what the expression gives for each row. A row for which
// it fails does not meet the condition.
func (c *filterCondition) ofRows(env *Env, at string, field Field) *condition {
	value := env.Expression(braced(c.Expression))
	return &condition{field, func(row any, index int, v any) bool {
		with, err := value(row, index)
		if err != nil {
			env.warn(at, "%v; rows for which this fails are left out", err)
			return false
		}
		return comparison(c.Operator, with)(v)
	}}
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
		if list, ok := with.([]any); ok {
			return among(list)
		}
		return equalTo(with)
	case "contains", "starts-with", "ends-with":
		if with == nil {
			return func(any) bool { return false }
		}
		return textTest(operator, written(with))
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

// equalTo compares as keys do; besides, a number is equal to a text that is it
// in another spelling, since constants are typed: 2.5 and "2.50".
func equalTo(with any) func(v any) bool {
	key := Key(with)
	number, isNumber := Number(with)
	text, isText := with.(string)
	return func(v any) bool {
		if v == nil || with == nil {
			return v == with
		}
		if s, both := v.(string); both && isText { // the keys of two texts are equal when they are
			return s == text
		}
		if Key(v) == key {
			return true
		}
		if !isNumber || kindOf(v) == kindOf(with) {
			return false
		}
		n, ok := Number(v)
		return ok && n.Equal(number)
	}
}

// among is equalTo any of a list.
func among(list []any) func(v any) bool {
	keys, numbers, anyway := map[any]bool{}, map[any]bool{}, map[any]bool{}
	texts := map[string]bool{} // that are one of the list as they are written
	for _, item := range list {
		key := Key(item)
		keys[key] = true
		anyway[numberKey(item)] = true
		switch kindOf(item) {
		case numberKind:
			numbers[key] = true
			texts[keyText(key)] = true
		case textKind:
			texts[item.(string)] = true
		}
	}
	return func(v any) bool {
		switch v := v.(type) {
		case string:
			return texts[v] || len(numbers) > 0 && numbers[numberKey(v)]
		case json.Number, int64, float64:
			return anyway[Key(v)]
		}
		return keys[Key(v)]
	}
}

// textTest looks for a text without regard to case.
func textTest(operator, part string) func(v any) bool {
	part = strings.ToLower(part)
	test := map[string]func(s, part string) bool{"contains": strings.Contains, "starts-with": strings.HasPrefix, "ends-with": strings.HasSuffix}[operator]
	return func(v any) bool { return v != nil && test(strings.ToLower(written(v)), part) }
}
