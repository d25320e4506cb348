package scripting

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/quire-reports/quire/report"
)

func call(t *testing.T, p *Pool, source string, args ...Arg) (*Result, error) {
	t.Helper()
	return p.Call(context.Background(), &Call{Source: source, Args: args})
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	v, err := report.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEveryFormOfAFunctionRuns(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	data := Arg{"$data", parseJSON(t, `{"orders":[{"id":1,"total":12.5},{"id":2,"total":30}]}`)}
	params := Arg{"$params", parseJSON(t, `{"rate":0.2}`)}
	dict := Arg{"$dict", parseJSON(t, `{"hello":"Guten Tag"}`)}
	tests := map[string]struct{ source, want string }{
		"arrow":                  {`($data, $params) => $data.orders.map(o => o.total * $params.rate)`, `[2.5,6]`},
		"arrow with semicolon":   {"($data) => $data.orders.length;\n", `2`},
		"names without dollar":   {`(data, params, dict) => dict.hello`, `"Guten Tag"`},
		"other names in order":   {`(d, p) => d.orders[1].total * p.rate`, `6`},
		"later name only":        {`($params) => $params.rate`, `0.2`},
		"arrow to an object":     {`(orders, p) => ({rate: p.rate})`, `{"rate":0.2}`},
		"pattern":                {`({$data, $dict}) => $dict.hello + $data.orders.length`, `"Guten Tag2"`},
		"pattern no dollar":      {`({data, params: {rate}}) => rate + data.orders[0].id`, `1.2`},
		"one parameter":          {`ctx => ctx.$data.orders[0].id`, `1`},
		"no parameter":           {`() => $data.orders[0].id`, `1`},
		"anonymous function":     {`function ($data) { return $data.orders[0] }`, `{"id":1,"total":12.5}`},
		"named function":         {`function load($data) { return $data.orders[0].id }`, `1`},
		"async function":         {`async ($data) => { const x = await Promise.resolve(5); return x + $data.orders.length }`, `7`},
		"helpers first":          {"const twice = x => x * 2;\nfunction inner(x) { return twice(x) }\n($data) => inner($data.orders[0].total)", `25`},
		"declarations only":      {"function add(a, b) { return a + b }\nfunction load($data) { return add($data.orders[0].id, 1) }", `2`},
		"body":                   {"const o = $data.orders;\nreturn o.length", `2`},
		"body with await":        {"const o = await $data.orders;\nreturn o.length", `2`},
		"expression":             {`$data.orders.reduce((a, o) => a + o.total, 0)`, `42.5`},
		"object literal":         {`{ "a": 1, b: $params.rate }`, `{"a":1,"b":0.2}`},
		"optional chaining":      {`$data?.missing?.deeper ?? "none"`, `"none"`},
		"class":                  {"class A { #x = 3; get x() { return this.#x } static s = 4 }\n() => new A().x + A.s", `7`},
		"logical assignment":     {"() => { let a = null; a ??= 5; a &&= a + 1; return a }", `6`},
		"generator":              {"() => { function* g() { yield 1; yield 2 } return [...g()] }", `[1,2]`},
		"async iteration":        {"async () => { let s = 0; for await (const x of [1, Promise.resolve(2)]) s += x; return s }", `3`},
		"template literal":       {"`${$dict.hello}!`", `"Guten Tag!"`},
		"static block":           {"class A { static v; static { A.v = 9 } }\n() => A.v", `9`},
		"regexp named group":     {`/(?<y>\d{4})/.exec("in 2024").groups.y`, `"2024"`},
		"bigint":                 {`12345678901234567890n + 1n`, `12345678901234567891`},
		"nothing":                {`() => {}`, `null`},
		"map and set":            {`({m: new Map([["a", 1], ["b", new Set([1, 2])]])})`, `{"m":{"a":1,"b":[1,2]}}`},
		"toJSON":                 {`({v: {toJSON() { return "me" }}})`, `{"v":"me"}`},
		"functions are left out": {`({a: 1, f() {}, u: undefined, s: Symbol("x")})`, `{"a":1}`},
		"not a number":           {`[0/0, 1/0, -1/0]`, `[null,null,null]`},
		"wrapped primitives":     {`[new Number(4), new String("x"), Object(true)]`, `[4,"x",true]`},
		"date":                   {`new Date(Date.UTC(2024, 1, 29, 12))`, `"2024-02-29T12:00:00Z"`},
		"invalid date":           {`[new Date("x")]`, `[null]`},
		"typed array":            {`new Uint8Array([1, 2, 250])`, `[1,2,250]`},
		"proto as a name":        {`JSON.parse('{"__proto__": 5}')`, `{"__proto__":5}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := call(t, p, tt.source, data, params, dict)
			if err != nil {
				t.Fatal(err)
			}
			if got := mustJSON(t, r.Values[0]); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
