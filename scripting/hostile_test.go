package scripting

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// hostile scripts and the word that their message must have.
var hostile = map[string]struct{ source, want string }{
	"infinite loop":              {`() => { for (;;); }`, "ran longer than its limit"},
	"infinite loop that catches": {`() => { for (;;) { try { for (;;); } catch (e) {} finally { continue } } }`, "ran longer than its limit"},
	"endless promises":           {`() => { const f = () => Promise.resolve().then(f); return f() }`, "limit"},
	"endless generator":          {`() => { function* g() { for (;;) yield 1 } return Array.from(g()) }`, "limit"},
	"endless allocation":         {`() => { const a = []; for (;;) a.push(new Array(1000).fill(a.length)) }`, "limit"},
	"endless string":             {`() => { let s = "x"; for (;;) s += s }`, "limit"},
	"one huge array":             {`() => new Array(3e7).fill({}).map(x => [x])`, "limit"},
	"huge typed array":           {`() => new Float64Array(3e8)`, "limit"},
	"huge repeat":                {`() => "abcdefgh".repeat(2 ** 28)`, "limit"},
	"native loop":                {`() => new Array(3e7).fill(0).sort(() => 0.5 - Math.random())`, "limit"},
	"native loop without calls":  {`() => Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)`, "ran longer than its limit"},
	"deep recursion":             {`() => { const f = n => 1 + f(n + 1); return f(0) }`, "deep"},
	"deep native recursion":      {`() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a).length }`, ""},
	"recursion through natives":  {`() => { const f = () => [1].map(f); return f() }`, "the script"},
	"regexp bomb":                {`() => /^(?=(a+)+$)(a+)+\1$/.test("a".repeat(40) + "b")`, "ran longer than its limit"},
	"throws a number":            {`() => { throw 42 }`, "the script threw 42"},
	"throws an object":           {`() => { throw {code: 7} }`, `the script threw {"code":7}`},
	"throws text":                {`() => { throw "no rows" }`, `the script threw "no rows"`},
	"throws nothing":             {`() => { throw undefined }`, "the script threw undefined"},
	"throws what throws":         {`() => { throw {toString() { throw 1 }, get code() { throw 2 }} }`, "the script threw"},
	"throws what loops":          {`() => { const e = new Error("x"); e.toString = () => { for (;;); }; Object.defineProperty(e, "name", {get() { for (;;); }}); throw e }`, "limit"},
	"rejects":                    {`async () => { throw new RangeError("out of stock") }`, "RangeError: out of stock"},
	"never settles":              {`() => new Promise(() => {})`, "never ends"},
	"cycle":                      {`() => { const a = {list: [1]}; a.list.push({parent: a}); return a }`, `contains itself at ".list[1].parent"`},
	"endless nesting":            {`() => { let a = {}; for (let i = 0; i < 1000; i++) a = {a}; return a }`, "nested more than"},
	"endless proxy":              {`() => new Proxy({}, {get: (t, k) => k === "toJSON" ? undefined : new Proxy({}, {ownKeys: () => ["x"], getOwnPropertyDescriptor: () => ({enumerable: true, configurable: true, value: 1}), get: (t, k) => k === "toJSON" ? undefined : new Proxy(t, {})}), ownKeys: () => ["x"], getOwnPropertyDescriptor: () => ({enumerable: true, configurable: true, value: 1})})`, ""},
	"pretended length":           {`() => new Proxy([], {get: (t, k) => k === "length" ? 2 ** 40 : 1})`, ""},
	"sparse array":               {`() => { const a = []; a[4e9] = 1; return a }`, "list of"},
	"endless toJSON":             {`() => ({toJSON() { return {toJSON: this.toJSON} }})`, "nested"},
	"throwing getter":            {`() => ({get a() { throw new Error("in the getter") }})`, "in the getter"},
	"looping getter":             {`() => ({get a() { for (;;); }})`, "ran longer than its limit"},
	"eval loop":                  {`() => eval("for(;;);")`, "ran longer than its limit"},
	"Function constructor":       {`() => new Function("for(;;);")()`, "ran longer than its limit"},
	"syntax error":               {"($data) => {\n  return $data.orders.map(o => o.total;\n}", "line 2, column 39"},
	"deeply nested source":       {`() => ` + strings.Repeat("(", 50000) + "1" + strings.Repeat(")", 50000), ""},
	"deeply nested arrays":       {`() => ` + strings.Repeat("[", 200000), ""},
}

func TestHostileScriptsEndAndHarmNothing(t *testing.T) {
	p := testPool(t, Config{Processes: 1, Memory: 96 << 20, Timeout: 300 * time.Millisecond})
	for name, tt := range hostile {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := call(t, p, tt.source)
			took := time.Since(start)
			if took > 20*time.Second { // a busy machine takes some of it
				t.Errorf("took %v", took)
			}
			if tt.want != "" {
				var problem *report.Problem
				if !errors.As(err, &problem) || !strings.Contains(problem.Message, tt.want) {
					t.Errorf("got %v, want a problem with %q", err, tt.want)
				}
			}
			t.Logf("%v in %v", err, took.Round(time.Millisecond))
			after(t, p)
		})
	}
}

// after checks that the next run is unharmed.
func after(t *testing.T, p *Pool) {
	t.Helper()
	next := func() (*Result, error) {
		return call(t, p, `($params) => [1, 2, 3].map(x => x * $params.f)`, Arg{"$params", report.ObjectOf("f", int64(2))})
	}
	r, err := next()
	// A limit of milliseconds may pass on a busy machine before the process gets a turn.
	for tries := 0; tries < 10 && err != nil && strings.Contains(err.Error(), "ran longer than its limit"); tries++ {
		r, err = next()
	}
	if err != nil {
		t.Fatalf("the next run: %v", err)
	}
	if got := mustJSON(t, r.Values[0]); got != "[2,4,6]" {
		t.Fatalf("the next run gave %s", got)
	}
}

func TestNothingIsLeftForTheNextRun(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	sources := []string{
		`() => { globalThis.leak = 1; leak2 = 2; }`,
		`() => { Array.prototype.map = () => "gone"; Object.prototype.toJSON = () => "gone"; JSON.stringify = () => "gone"; }`,
		`() => { Object.freeze(globalThis); delete globalThis.Array; Number.prototype.valueOf = () => 7; }`,
		`() => { console.log = null; console = 5; Date.now = () => 0; Math.random = () => 0; }`,
		`() => { Object.defineProperty(Object.prototype, "f", {get() { return 99 }}); }`,
		`() => { Symbol.iterator; Array.prototype[Symbol.iterator] = () => { throw 1 }; return [1] }`,
	}
	for _, s := range sources {
		if _, err := call(t, p, s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		after(t, p)
		r, err := call(t, p, `() => [typeof leak, typeof leak2, typeof Array, typeof console.log, JSON.stringify([1])]`)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustJSON(t, r.Values[0]); got != `["undefined","undefined","function","function","[1]"]` {
			t.Errorf("after %s: %s", s, got)
		}
	}
}

func TestRedefinedBuiltinsDoNotChangeTheResult(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	r, err := call(t, p, `() => { Array.prototype.map = null; Object.keys = () => []; JSON.stringify = null; Date.prototype.toISOString = null;
		return {a: [1, {b: new Date(0)}]} }`)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustJSON(t, r.Values[0]); got != `{"a":[1,{"b":"1970-01-01T00:00:00Z"}]}` {
		t.Error(got)
	}
}

func TestManyHostileRunsLeaveNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	p := testPool(t, Config{Processes: 2, Memory: 64 << 20, Timeout: 20 * time.Millisecond})
	sources := []string{
		hostile["infinite loop"].source, hostile["cycle"].source, hostile["throws an object"].source, hostile["deep recursion"].source,
		`() => { Array.prototype.map = null }`, hostile["endless allocation"].source,
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	rounds := func(n int) {
		for i := range n {
			_, _ = call(t, p, sources[i%len(sources)])
			after(t, p) // the next run is unharmed
		}
	}
	rounds(60)
	before, goroutines := heap(), runtime.NumGoroutine()
	rounds(1000)
	after(t, p)
	if now := heap(); now > before+before/10+256<<10 {
		t.Errorf("heap grew from %d to %d bytes", before, now)
	}
	if n := runtime.NumGoroutine(); n > goroutines+4 {
		t.Errorf("%d goroutines before, %d after", goroutines, n)
	}
}

func TestACancelledCallEndsAtOnce(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	after(t, p)
	for _, source := range []string{hostile["infinite loop"].source, hostile["regexp bomb"].source} {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		start := time.Now()
		_, err := p.Call(ctx, &Call{Source: source})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		after(t, p)
	}
}

func TestAChildThatWasKilledIsReplaced(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	after(t, p)
	child, err := p.pop()
	if err != nil || child == nil {
		t.Fatal("no idle child", err)
	}
	p.keep(child)
	_ = child.cmd.Process.Kill()
	<-child.gone
	after(t, p)
}

func TestTheLastWordsOfAProcessAreUnderstood(t *testing.T) {
	p := New(Config{})
	for _, d := range deaths {
		err := p.problem(fmt.Errorf("%w: fatal error: %s", errGone, d.says), &Call{Path: "there"})
		var problem *report.Problem
		if !errors.As(err, &problem) || problem.Path != "there" || strings.Contains(problem.Message, "memory") != d.memory {
			t.Errorf("%s: %v", d.says, err)
		}
	}
}
