package scripting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func TestABatchIsOneCall(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	var rows [][]any
	for i := range 1000 {
		rows = append(rows, []any{report.ObjectOf("n", int64(i)), json.Number(fmt.Sprint(i))})
	}
	r, err := p.Call(context.Background(), &Call{
		Source: `($record, index, $params) => { if ($record.n % 100 === 7) throw new Error("row " + $record.n); return $params.text + ($record.n + index) }`,
		Args:   []Arg{{"$params", report.ObjectOf("text", "n=")}}, Names: []string{"$record", "index"}, Rows: rows, Path: "pages[0].elements[1]",
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Values[0] != "n=0" || r.Values[7] != nil || r.Values[999] != "n=1998" || r.Failed != 10 || len(r.Faults) != 10 {
		t.Errorf("%v %v %v %d", r.Values[0], r.Values[7], r.Values[999], r.Failed)
	}
	f := r.Faults[1]
	if f.Row != 107 || f.Problem.Path != "pages[0].elements[1]" || f.Problem.Message != `Error: row 107 (line 1, column 69: ($record, index, $params) => { if ($record.n % 100 === 7) throw new Error("row " )` && !strings.HasPrefix(f.Problem.Message, "Error: row 107 (line 1, column ") {
		t.Errorf("%d %s", f.Row, f.Problem)
	}
}

func TestABatchWithoutRowsIsEmpty(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	r, err := p.Call(context.Background(), &Call{Source: `x => x`, Names: []string{"x"}})
	if err != nil || len(r.Values) != 0 {
		t.Errorf("%v %v", r, err)
	}
}

func TestAnExpressionRunsForEveryRow(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	for _, source := range []string{`x * 2`, "const y = x;\nreturn y * 2", "x => x * 2", "let y = 2;\ny * x"} {
		r, err := p.Call(context.Background(), &Call{Source: source, Names: []string{"x"}, Rows: [][]any{{int64(1)}, {int64(2)}, {int64(3)}}})
		if err != nil || len(r.Faults) > 0 {
			t.Errorf("%s: %v %v", source, r, err)
			continue
		}
		if !cmp.Equal(r.Values, []any{int64(2), int64(4), int64(6)}) {
			t.Errorf("%s: %v", source, r.Values)
		}
	}
}

func TestValuesArriveAndReturnAsTheyAre(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	when := time.Date(2024, 2, 29, 17, 5, 9, 123e6, time.UTC)
	tests := []struct {
		in   any
		kind string
		out  any
	}{
		{nil, "object", nil},
		{true, "boolean", true},
		{"ä€😀\x00", "string", "ä€😀\x00"},
		{json.Number("9007199254740991"), "number", int64(9007199254740991)},
		{json.Number("-5"), "number", int64(-5)},
		{json.Number("0.1"), "number", 0.1},
		{json.Number("12.50"), "number", 12.5},
		{json.Number("1e3"), "number", int64(1000)},
		{json.Number("12345678901234567890"), "string", "12345678901234567890"},
		{json.Number("9007199254740993"), "string", "9007199254740993"},
		{json.Number("100000000000000000000"), "number", 1e20},
		{json.Number("1e400"), "string", "1e400"},
		{int64(9223372036854775807), "string", "9223372036854775807"},
		{1.5, "number", 1.5},
		{when, "object", when},
		{[]any{int64(1), "a", nil}, "object", []any{int64(1), "a", nil}},
		{[]any{}, "object", []any{}},
	}
	for _, tt := range tests {
		r, err := p.Call(context.Background(), &Call{Source: `v => [typeof v, v]`, Args: []Arg{{"v", tt.in}}})
		if err != nil {
			t.Errorf("%v: %v", tt.in, err)
			continue
		}
		if want := []any{tt.kind, tt.out}; !cmp.Equal(r.Values[0], want) {
			t.Errorf("%#v: got %#v, want %#v", tt.in, r.Values[0], want)
		}
	}
}

func TestLargeMembersAreSentWhenTheyAreRead(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	many := make([]any, 100)
	for i := range many {
		many[i] = report.ObjectOf("id", int64(i), "name", "x")
	}
	data := report.ObjectOf("orders", many, "customers", many, "broken", []any{make(chan int), 1, 2, 3, 4, 5}, "small", "s", "__proto__", many)
	tests := []struct{ source, want string }{
		{`$data.orders[99].id + $data.orders.length`, `199`},
		{`$data.small`, `"s"`},
		{`Object.keys($data)`, `["orders","customers","broken","small","__proto__"]`},
		{`(() => { $data.orders = 5; return $data.orders })()`, `5`},
		{`(() => { delete $data.broken; return JSON.stringify($data).length })()`, `10000`},
		{`(() => { const {orders, broken: _, ...rest} = {...{}, orders: $data.orders}; return orders.length })()`, `100`},
		{`$data.orders === $data.orders`, `true`},
		{`$data.customers.map(c => c.id).reduce((a, b) => a + b)`, `4950`},
	}
	for _, tt := range tests {
		r, err := p.Call(context.Background(), &Call{Source: tt.source, Args: []Arg{{"$data", data}}})
		if err != nil {
			t.Errorf("%s: %v", tt.source, err)
			continue
		}
		if got := mustJSON(t, r.Values[0]); got != tt.want && tt.want != `10000` {
			t.Errorf("%s: got %s", tt.source, got)
		}
	}
}

func TestNothingReturnedIsNotNull(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	r, err := p.Call(context.Background(), &Call{Source: `x => x === 1 ? undefined : x === 2 ? null : false`, Names: []string{"x"}, Rows: [][]any{{int64(1)}, {int64(2)}, {int64(3)}}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Undefined(0) || r.Undefined(1) || r.Undefined(2) || r.Values[1] != nil || r.Values[2] != false {
		t.Errorf("%v %v", r.Values, r.undefined)
	}
}

func TestTheConsoleIsCaptured(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	r, err := p.Call(context.Background(), &Call{Source: `() => { console.log("total", 5, {a: [1]}, null, undefined); console.warn(new Error("careful")); const c = {}; c.c = c; console.error(c);
		for (let i = 0; i < 1000; i++) console.info("x".repeat(5000)) }`})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Logs) != maxLogs || r.Logs[0] != `total 5 {"a":[1]} null undefined` || r.Logs[1] != "Error: careful" || len(r.Logs[5]) > maxLine+10 {
		t.Errorf("%d lines: %.200q", len(r.Logs), r.Logs[:3])
	}
}

func TestFaultsNameThePlaceInTheAuthorsText(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	tests := map[string]struct{ source, want string }{
		"expression":      {`$data.a.b.c`, "TypeError: Cannot read property 'b' of undefined (line 1, column 9: $data.a.b.c)"},
		"function":        {"($data) => {\n  const x = 1;\n  return $data.a.b;\n}", "line 3, column 18: return $data.a.b;"},
		"body":            {"const x = 1;\nreturn $data.a.b;", "line 2, column 16: return $data.a.b;"},
		"first line body": {"return $data.a.b;", "line 1, column 16: return $data.a.b;"},
		"helper":          {"function f(x) {\n  throw new RangeError(\"too \" + x)\n}\n($data) => f(1)", "RangeError: too 1 (line 2, column 9: throw new RangeError(\"too \" + x))"},
		"async":           {"async ($data) => {\n  await null;\n  return $data.a.b;\n}", "line 3, column 18"},
		"rejected later":  {"($data) => Promise.resolve(1).then(() => {\n throw new Error('late')\n})", "Error: late (line 2, column 8"},
		"lowered":         {"async function* g() {\n  yield 1\n}\nasync ($data) => {\n  for await (const x of g()) {\n    $data.a.b\n  }\n}", "line 6"},
		"not defined":     {`wibble + 1`, "ReferenceError: wibble is not defined (line 1, column 1: wibble + 1)"},
		"syntax":          {"($data) => {\n  const = 5\n}", "SyntaxError: Expected identifier but found \"=\" (line 2, column 9: const = 5)"},
		"syntax in body":  {"const x = 1;\nreturn x +;", "(line 2, column 11: return x +;)"},
		"empty":           {"  \n", "the script is empty"},
		"long line":       {"() => { /* " + strings.Repeat("x", 300) + " */ throw new Error('far') }", "xxxx */ throw new Error('far') })"},
		"no function":     {"class A {}\nA", "TypeError"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := p.Call(context.Background(), &Call{Source: tt.source, Path: "there", Args: []Arg{{"$data", report.ObjectOf("x", nil)}}})
			var problem *report.Problem
			if !errors.As(err, &problem) || problem.Path != "there" || problem.Kind != report.Failed || !strings.Contains(problem.Message, tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestTheClockIsTheRuns(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	r, err := p.Call(context.Background(), &Call{Source: `new Date().toISOString().slice(0, 19)`, Now: now})
	if err != nil || r.Values[0] != "2024-02-29T12:00:00" {
		t.Errorf("%v %v", r, err)
	}
}

func TestScriptsReachNothing(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	for _, name := range []string{"require", "process", "fetch", "XMLHttpRequest", "setTimeout", "importScripts", "Deno", "global", "window", "document", "WebAssembly"} {
		r, err := p.Call(context.Background(), &Call{Source: "typeof " + name})
		if err != nil || r.Values[0] != "undefined" {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
	if _, err := p.Call(context.Background(), &Call{Source: `import("fs")`}); err == nil {
		t.Error("import works")
	}
}

func TestCallsRunSideBySide(t *testing.T) {
	p := testPool(t, Config{Processes: 2})
	errs := make(chan error)
	for i := range 20 {
		go func() {
			r, err := p.Call(context.Background(), &Call{Source: `x => x * 2`, Args: []Arg{{"x", int64(i)}}})
			if err == nil && r.Values[0] != int64(2*i) {
				err = fmt.Errorf("%d: %v", i, r.Values[0])
			}
			errs <- err
		}()
	}
	for range 20 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	p.mu.Lock()
	if n := len(p.idle); n > 2 {
		t.Errorf("%d processes", n)
	}
	p.mu.Unlock()
}

func TestAStoppedEngineSaysSo(t *testing.T) {
	p := New(Config{})
	p.Stop()
	if _, err := p.Call(context.Background(), &Call{Source: `1`}); !errors.Is(err, errStoppedPool) {
		t.Error(err)
	}
}
