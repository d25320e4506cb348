package text

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"
)

// TestBindingsBecomeNames shows the JavaScript that an expression turns into.
func TestBindingsBecomeNames(t *testing.T) {
	cases := []struct {
		source, code string
		paths        []string
	}{
		{"{$params.showAll} && {$record.amount} != 0", "_v0               && _v1              != 0", []string{"$params.showAll", "$record.amount"}},
		{"{person.age} > 17 ? 'adult' : 'minor'", "_v0          > 17 ? 'adult' : 'minor'", []string{"person.age"}},
		{"{[{person.age} > 17]}", "_v0          > 17", []string{"person.age"}},
		{"%{ {a.b} + {a.b} }", " _v0   + _v0   ", []string{"a.b"}},
		{"'{$it.x}' + \"{a.b}\"", "'{$it.x}' + \"{a.b}\"", nil},
		{"`${$it.x} {a.b}`", "`${$it.x} {a.b}`", []string{"$it"}},
		{"`a ${{a.b} + `${{c.d}}`} z`", "`a ${_v0   + `${_v1  }`} z`", []string{"a.b", "c.d"}},
		{"$data.rows[0].x > 1 /* {a.b} */ // {c.d}", "$data.rows[0].x > 1 /* {a.b} */ // {c.d}", []string{"$data"}},
		{"({a: 1, b: {c: 2}}).a", "({a: 1, b: {c: 2}}).a", nil},
		{"/[{]{a.b}/.test({c.d})", "/[{]{a.b}/.test(_v0  )", []string{"c.d"}},
		{"{a.b} / 2 / {c.d}", "_v0   / 2 / _v1  ", []string{"a.b", "c.d"}},
		{"obj.$data", "obj.$data", nil},
		{"{$record.x|0} + 1", "_v0           + 1", []string{"$record.x"}},
		{"{item}", "_v0   ", []string{"item"}},
		{"return {", "return {", nil},
		{"", "", nil},
	}
	for _, c := range cases {
		e := ParseExpression(c.source)
		var paths []string
		for _, b := range e.bindings {
			paths = append(paths, b.path.String())
		}
		if e.Code() != c.code || !slices.Equal(paths, c.paths) {
			t.Errorf("%s: got %q %q", c.source, e.Code(), paths)
		}
	}
}

// engine runs expressions in goja.
type engine struct{ calls int }

func (g *engine) Eval(code string, names []string, rows [][]any) ([]any, error) {
	g.calls++
	vm := goja.New()
	fn, err := vm.RunString("(function(" + strings.Join(names, ",") + "){return (" + code + "\n)})")
	if err != nil {
		return nil, err
	}
	call, _ := goja.AssertFunction(fn)
	out := make([]any, len(rows))
	for i, row := range rows {
		args := make([]goja.Value, len(row))
		for j, v := range row {
			args[j] = vm.ToValue(jsValue(v))
		}
		v, err := call(goja.Undefined(), args...)
		if err != nil {
			return nil, err
		}
		out[i] = v.Export()
	}
	return out, nil
}

func jsValue(v any) any {
	if n, ok := v.(json.Number); ok {
		f, _ := n.Float64()
		return f
	}
	return v
}

func TestExpressionsGetTheirValues(t *testing.T) {
	g := &engine{}
	var warned []string
	env := &Env{Scope: scopeOf(t, invoice), Expr: g, Warn: func(m string) { warned = append(warned, m) }}
	cases := []struct {
		source string
		want   any
	}{
		{"{$params.rate} > 0.1 && {$record.ok}", true},
		{"{$it.name}.toUpperCase()", "ANNA"},
		{"{$record.amount:n;2} + ' EUR'", "-1,234.50 EUR"},
		{"{$params.none|7} + ''", "7"},
		{"{$it.name}", "Anna"},
		{"true", true},
		{"", nil},
	}
	for _, c := range cases {
		got, err := ParseExpression(c.source).Eval(env)
		if err != nil || !cmp.Equal(got, c.want) {
			t.Errorf("%s: got %v %v", c.source, got, err)
		}
	}
	if g.calls != 1 {
		t.Errorf("the engine was asked %d times", g.calls)
	}
	if len(warned) > 0 {
		t.Errorf("warned %q", warned)
	}
}

func TestVisibleExpressions(t *testing.T) {
	var warned []string
	env := &Env{Scope: scopeOf(t, invoice), Warn: func(m string) { warned = append(warned, m) }}
	cases := []struct {
		source string
		want   bool
	}{
		{"", true},
		{"{$record.ok}", true},
		{"{$params.none}", false},
		{"{$params.blank}", false},
		{"{$record.amount} > 0", false},
		{"!{$params.none}", true},
		{"{$params.rate} == '0.19'", true},
		{"broken(", true},
	}
	for _, c := range cases {
		if got := ParseExpression(c.source).Visible(env); got != c.want {
			t.Errorf("%q: got %v", c.source, got)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "broken(") {
		t.Errorf("warned %q", warned)
	}
}

// TestSimpleExpressionsAgreeWithAnEngine runs every operator over every pair
// of values both ways.
func TestSimpleExpressionsAgreeWithAnEngine(t *testing.T) {
	values := []any{
		nil, true, false, "", "0", "1", "a", "B", " 2 ", "1e3", "0x10", "Infinity", "-", "ä", int64(0), int64(1), int64(-7),
		0.1, 2.5, json.Number("10"), json.Number("0.30"), json.Number("12345678901234567890"), math.NaN(), math.Inf(1),
	}
	var rows [][]any
	for _, a := range values {
		for _, b := range values {
			rows = append(rows, []any{a, b})
		}
	}
	names := []string{"_v0", "_v1"}
	handled := 0
	for _, code := range []string{
		"_v0 == _v1", "_v0 != _v1", "_v0 === _v1", "_v0 !== _v1", "_v0 < _v1", "_v0 <= _v1", "_v0 > _v1", "_v0 >= _v1", "_v0 + _v1", "_v0 - _v1",
		"_v0 * _v1", "_v0 / _v1", "_v0 % _v1", "_v0 && _v1", "_v0 || _v1", "_v0 ?? _v1", "!_v0 ? _v1 : 'no'", "-_v0 + 1 * (2 - _v1)",
		"_v0 > 0 && _v1 < 2 || _v0 == null", "_v0 ? _v1 ? 1 : 2 : 3",
	} {
		node := parseSimple(code, names)
		if node == nil {
			t.Fatalf("%s is not simple", code)
		}
		want, err := new(engine).Eval(code, names, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			got, ok := node.eval(row)
			if ok {
				handled++
			}
			if ok && plain(got) != plain(want[i]) {
				t.Errorf("%s with %#v: got %v, engine %v", code, row, plain(got), plain(want[i]))
			}
		}
	}
	if handled < len(rows)*20*85/100 {
		t.Errorf("only %d cases were worked out without the engine", handled)
	}
}

// plain writes a scalar so that numbers of all types compare; -0 is 0.
func plain(v any) string {
	if isNumber(v) {
		f, _ := toNumber(v)
		return fmt.Sprint(f + 0)
	}
	return fmt.Sprintf("%T %v", v, v)
}

func TestWhatIsNotSimple(t *testing.T) {
	for _, code := range []string{
		"_v0.length", "f(1)", "_v0 ** 2", "a", "1 +", "(1", "'a\\n'", "`x`", "[1]", "{}", "1 || 2 ?? 3", "_v0++", "x => 1", "0x10", "1n", "_v0 & 1", "? :",
		strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), strings.Repeat("!", 300) + "1", strings.Repeat("1+", 500) + "1", "undefined",
	} {
		if parseSimple(code, []string{"_v0"}) != nil {
			t.Errorf("%.20q is simple", code)
		}
	}
	if v, ok := parseSimple("_v0 == 1", []string{"_v0"}).eval([]any{[]any{1.0}}); ok {
		t.Errorf("a list was compared: %v", v)
	}
}

func TestTruth(t *testing.T) {
	cases := map[bool][]any{
		false: {nil, false, "", int64(0), 0, 0.0, math.NaN(), json.Number("0"), json.Number("-0.00e5")},
		true:  {true, "0", "false", int64(-1), 0.1, json.Number("0.01"), []any{}, time.Time{}, json.Number("1e0")},
	}
	for want, values := range cases {
		for _, v := range values {
			if Truthy(v) != want {
				t.Errorf("%#v is %v", v, !want)
			}
		}
	}
}
