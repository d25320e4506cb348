package scripting

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quire-reports/quire/report"
	"pgregory.net/rapid"
)

func TestQuickExpressions(t *testing.T) {
	names := []string{"_v0", "_v1"}
	tests := []struct {
		code string
		row  []any
		want any
	}{
		{`_v0 > 17 ? 'adult' : 'minor'`, []any{json.Number("18"), nil}, "adult"},
		{`_v0        && _v1 != 0`, []any{true, json.Number("0")}, false},
		{`_v0 + ' ' + _v1`, []any{"Ana", int64(3)}, "Ana 3"},
		{`_v0 * 1.19`, []any{json.Number("100"), nil}, int64(119)},
		{`(_v0 || "none") === "none"`, []any{"", nil}, true},
		{`_v0 ?? _v1`, []any{nil, "x"}, "x"},
		{`!_v0`, []any{[]any{}, nil}, false},
		{`_v0 == null`, []any{report.ObjectOf("a", 1), nil}, false},
		{`_v0 === "12345678901234567890"`, []any{json.Number("12345678901234567890"), nil}, true},
		{`-_v0 % 3`, []any{int64(7), nil}, int64(-1)},
		{`_v0 / 0`, []any{int64(0), nil}, nil},
	}
	for _, tt := range tests {
		q := parseQuick(tt.code, names)
		if q == nil {
			t.Errorf("%s needs the engine", tt.code)
			continue
		}
		got, ok := evalQuick(q, [][]any{tt.row})
		if !ok || !cmp.Equal(got[0], tt.want) {
			t.Errorf("%s: got %#v, want %#v", tt.code, got, tt.want)
		}
	}
}

func TestWhatIsNotQuickGoesToTheEngine(t *testing.T) {
	for _, code := range []string{
		`_v0.length`, `_v0["a"]`, `f(_v0)`, "`a`", `_v0 ** 2`, `_v0 = 1`, `_v0 == 1 ||= 2`, `_v0 ?? 1 || 2`, `1 || 2 ?? 3`, `_v0 in x`, `x`, `017`, `0x1F`, `1_000`,
		`'\x41'`, `1e3`, `1..a`, `_v0++`, `--_v0`, `- -1 ** 2`, `a => a`, `_v0, 1`, `/re/`, `_v0 // c`, `"a`, `(1`, `1 ? 2`, `_v0?.a`, `typeof 1`, `<!-- x`, ``,
		strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100), `_v0 & 1`, `_v0 >> 1`, `_v0 | 1`, `new X`, `5 .a`, `1.`, `3in x`, `_v0 =  = 1`,
	} {
		if parseQuick(code, []string{"_v0"}) != nil {
			t.Errorf("%q was taken", code)
		}
	}
}

var drawnValues = []any{
	nil, true, false, "", "0", " 12 ", "abc", "ABC", "ä", "\U0001F600", "\uFFEE", "1e3", "0x1f", "-5", "Infinity", "-Infinity", "+Infinity", "NaN", "null", ".5", "5.", "1_0", "\n7\t", "--1", "0b11", "0o17", "0xg",
	int64(0), int64(1), int64(-1), int64(1) << 53, int64(9007199254740993), json.Number("0.1"), json.Number("-0"), json.Number("1e21"), json.Number("1.5e-7"),
	json.Number("12345678901234567890"), json.Number("123456789012345680000"), json.Number("100000000000000000000"), json.Number("99.95"), json.Number("1e400"), 1e300, -1e300, 0.2, math.MaxFloat64, 5e-324,
	[]any{},
	[]any{int64(1)},
	report.ObjectOf("a", int64(1)), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
}

// drawExpression is a random expression of the quick kind.
func drawExpression(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 || kind < 3 {
		return rapid.SampledFrom([]string{"_v0", "_v1", "_v2", "null", "undefined", "true", "false", "0", "1", "2.5", "10", "100000000000000000000000", "''", "'a'", `"0"`, `'\n'`, "' 1 '"}).Draw(t, "leaf")
	}
	sub := func() string { return drawExpression(t, depth-1) }
	switch kind {
	case 3:
		return rapid.SampledFrom([]string{"!", "-", "+", "- ", "!!"}).Draw(t, "unary") + "(" + sub() + ")"
	case 4:
		return sub() + " ? " + sub() + " : " + sub()
	case 5:
		return "(" + sub() + ")"
	case 6:
		return "(" + sub() + ") ?? (" + sub() + ")"
	}
	ops := []string{"===", "!==", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&&", "||"}
	return sub() + " " + rapid.SampledFrom(ops).Draw(t, "op") + " " + sub()
}

func TestQuickExpressionsEqualTheEngine(t *testing.T) {
	p := testPool(t, Config{Processes: 1, Timeout: 30 * time.Second})
	names := []string{"_v0", "_v1", "_v2"}
	var rows [][]any
	for i, v := range drawnValues {
		rows = append(rows, []any{v, drawnValues[(i*7+3)%len(drawnValues)], drawnValues[(i*11+5)%len(drawnValues)]})
	}
	taken := 0
	rapid.Check(t, func(rt *rapid.T) {
		code := drawExpression(rt, 4)
		q := parseQuick(code, names)
		if q == nil {
			return
		}
		res, err := p.Call(context.Background(), &Call{Source: code, Names: names, Rows: rows})
		if err != nil {
			rt.Fatalf("%s: the engine refuses it: %v", code, err)
		}
		for i, row := range rows {
			v, ok := q.eval(row)
			if !ok || isOpaque(v) {
				continue
			}
			taken++
			if got, want := fmt.Sprintf("%#v", quickResult(v)), fmt.Sprintf("%#v", normal(res.Values[i])); got != want {
				rt.Fatalf("%s with %#v: quick %s, engine %s", code, row, got, want)
			}
		}
	})
	if taken < 1000 {
		t.Errorf("only %d evaluations were compared", taken)
	}
}

func normal(v any) any {
	switch n := v.(type) {
	case float64:
		return tidyNumber(n)
	case int64:
		return tidyNumber(float64(n))
	}
	return v
}

func TestNumbersAreWrittenAsInJavaScript(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	rapid.Check(t, func(rt *rapid.T) {
		var rows [][]any
		for range 50 {
			rows = append(rows, []any{rapid.Float64().Draw(rt, "f")}, []any{float64(rapid.Int64().Draw(rt, "i"))})
		}
		res, err := p.Call(context.Background(), &Call{Source: "String(f)", Names: []string{"f"}, Rows: rows})
		if err != nil {
			rt.Fatal(err)
		}
		for i, row := range rows {
			if got := numberToText(row[0].(float64)); got != res.Values[i] {
				rt.Fatalf("%v: %s, the engine writes %s", row[0], got, res.Values[i])
			}
		}
	})
}

func TestExpressionsOfARun(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	data := parseJSON(t, `{"rates":[1,2,3,4,5,6],"name":"x"}`)
	e := NewExpressions(context.Background(), p, Scene{})
	got, err := e.Eval(`$data.rates[_v0] * 2`, []string{"$data", "_v0"}, [][]any{{data, int64(1)}, {data, int64(5)}})
	if err != nil || !cmp.Equal(got, []any{int64(4), int64(12)}) {
		t.Errorf("%v %v", got, err)
	}
	got, err = e.Eval(`$data.rates.length`, []string{"$data"}, [][]any{{data}, {data}, {data}})
	if err != nil || !cmp.Equal(got, []any{int64(6), int64(6), int64(6)}) {
		t.Errorf("%v %v", got, err)
	}
	got, err = e.Eval(`_v0.toFixed(1)`, []string{"_v0"}, [][]any{{int64(1)}, {nil}})
	if err == nil || !strings.Contains(err.Error(), "line 1, column") || !cmp.Equal(got, []any{"1.0", nil}) {
		t.Errorf("%v %v", got, err)
	}
	got, err = e.Eval(`1 + 1`, nil, [][]any{nil, nil})
	if err != nil || !cmp.Equal(got, []any{int64(2), int64(2)}) {
		t.Errorf("%v %v", got, err)
	}
	got, err = e.Eval(`[1].length`, nil, [][]any{nil, nil})
	if err != nil || !cmp.Equal(got, []any{int64(1), int64(1)}) {
		t.Errorf("%v %v", got, err)
	}
}

func BenchmarkQuickExpression(b *testing.B) {
	e := NewExpressions(context.Background(), nil, Scene{})
	rows := [][]any{{json.Number("18"), true}}
	for b.Loop() {
		if _, err := e.Eval(`_v0 > 17 && _v1 ? 'adult' : 'minor'`, []string{"_v0", "_v1"}, rows); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWarmCall(b *testing.B) {
	p := testPool(b, Config{Processes: 1})
	call := &Call{Source: `($data) => $data.a + 1`, Args: []Arg{{"$data", report.ObjectOf("a", int64(1))}}}
	if _, err := p.Call(context.Background(), call); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Call(context.Background(), call); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkColumnOf100000Rows(b *testing.B) {
	p := testPool(b, Config{Processes: 1})
	shape := report.NewShape("id", "name", "city", "amount", "date")
	rows := make([][]any, 100_000)
	for i := range rows {
		rows[i] = []any{report.NewObject(shape, []any{int64(i), "Customer", "Novi Sad", json.Number("1234.50"), "2024-02-29"})}
	}
	for b.Loop() {
		_, err := p.Call(context.Background(), &Call{Source: "($record) => `<b>${$record.name}</b> ${$record.amount}`", Names: []string{"$record"}, Rows: rows})
		if err != nil {
			b.Fatal(err)
		}
	}
}
