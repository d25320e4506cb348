package data

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func TestSourcesSeeWhatTheyDependOn(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	set, err := l.Load(context.Background(), Request{
		Sources: []report.SourceUse{
			source("total", "javascript", map[string]any{"function": `($data) => $data.lines.reduce((a, l) => a + l.sum, 0)`}, "$data.lines"),
			source("lines", "javascript", map[string]any{"function": `({$data, $params, $dict}) => $data.orders.map(o => ({...o, sum: o.amount * $params.rate, text: $dict.hello}))`}, "$data.orders", "$params.rate"),
			source("orders", "json", map[string]any{"content": `[{"id": 1, "amount": 10.5}, {"id": 2, "amount": 20}]`}),
			source("implied", "javascript", map[string]any{"function": `() => $data.total + 1`}),
			source("count", "javascript", map[string]any{"function": `({$data}) => $data["orders"].length`}),
		},
		Params: report.ObjectOf("rate", int64(2)), Dict: report.ObjectOf("hello", "Hallo"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"total":61,"lines":[{"id":1,"amount":10.5,"sum":21,"text":"Hallo"},{"id":2,"amount":20,"sum":40,"text":"Hallo"}],"orders":[{"id":1,"amount":10.5},{"id":2,"amount":20}],"implied":62,"count":2}`
	if got := toJSON(t, set.Data); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestReplacedSourcesDoNotRun(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	set, err := l.Load(context.Background(), Request{
		Sources: []report.SourceUse{
			source("broken", "javascript", map[string]any{"function": `() => { throw new Error("ran") }`}),
			source("unknown", "telepathy", nil),
			source("after", "javascript", map[string]any{"function": `($data) => $data.broken.length`}, "broken"),
		},
		Replace: map[string]any{"broken": []any{int64(1), int64(2)}, "unknown": nil, "zextra": "x", "extra": true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := toJSON(t, set.Data), `{"broken":[1,2],"unknown":null,"after":2,"extra":true,"zextra":"x"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !set.Sources[0].Replaced || set.Sources[2].Replaced {
		t.Errorf("%+v", set.Sources)
	}
}

func TestAllFailuresAreNamed(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	_, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{
		source("good", "json", map[string]any{"content": "[1]"}),
		source("broken", "json", map[string]any{"content": "[1,\n2,"}),
		source("thrower", "javascript", map[string]any{"function": "($data) => {\n  return $data.good.missing.deeper\n}"}, "good"),
		source("misspelt", "csv", map[string]any{"contents": "a"}),
		source("typeless", "jsn", map[string]any{}),
		source("skipped", "javascript", map[string]any{"function": "() => 1"}, "broken"),
	}})
	var problems report.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("%T %v", err, err)
	}
	want := []string{
		`dataSources.broken.settings.content`, `data source "broken": the JSON ends too early`,
		`dataSources.thrower.settings.function`, `data source "thrower": TypeError: Cannot read property 'deeper' of undefined (line 2, column 29: return $data.good.missing.deeper)`,
		`dataSources.misspelt.settings`, `data source "misspelt": "content" is missing`,
		`dataSources.misspelt.settings.contents`, `unknown name`,
		`dataSources.typeless.type`, `unknown data source type "jsn"; accepted: sql, api, json, csv, javascript`,
	}
	all := ""
	for _, p := range problems {
		all += p.Error() + "\n"
	}
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("missing %q in\n%s", w, all)
		}
	}
	if strings.Contains(all, "skipped") {
		t.Errorf("the source that could not run is blamed:\n%s", all)
	}
}

func TestCirclesAreReportedWithTheirPath(t *testing.T) {
	l := loader(t, Config{})
	js := map[string]any{"function": "() => 1"}
	_, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{
		source("start", "javascript", js, "$data.a"), source("a", "javascript", js, "$data.b"), source("b", "javascript", js, "c"), source("c", "javascript", js, "$data.a"),
	}})
	if err == nil || !strings.Contains(err.Error(), "in a circle: a → b → c → a") {
		t.Error(err)
	}
	_, err = l.Load(context.Background(), Request{Sources: []report.SourceUse{source("self", "javascript", js, "$data.self")}})
	if err == nil || !strings.Contains(err.Error(), "self → self") {
		t.Error(err)
	}
	_, err = l.Load(context.Background(), Request{Sources: []report.SourceUse{source("a", "javascript", js, "$data.nowhere")}})
	if err == nil || !strings.Contains(err.Error(), `depends on "$data.nowhere", which does not exist`) {
		t.Error(err)
	}
}

func TestTextThatReadsBothWaysIsNoCircle(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	set, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{
		source("a", "javascript", map[string]any{"function": `() => 1 // not $data.b`}),
		source("b", "javascript", map[string]any{"function": `() => $data.a + 1`}, "a"),
	}})
	if err != nil || toJSON(t, set.Data) != `{"a":1,"b":2}` {
		t.Error(set, err)
	}
}

func TestIndependentSourcesLoadInParallel(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	slow := map[string]any{"function": `() => { const end = Date.now() + 150; while (Date.now() < end); return 1 }`}
	start := time.Now()
	_, err := l.Load(context.Background(), Request{Now: time.Now(), Sources: []report.SourceUse{source("a", "javascript", slow), source("b", "javascript", slow)}})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 280*time.Millisecond {
		t.Logf("two sources of 150 ms took %v", took) // a busy machine may
	}
}

func TestEveryTypeHonoursAnEndedContextAndChecksItsSettings(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	for _, kind := range Types() {
		t.Run(kind.Name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := l.Load(ctx, Request{Sources: []report.SourceUse{source("x", kind.Name, nil)}}); !errors.Is(err, context.Canceled) {
				t.Errorf("ended context: %v", err)
			}
			problems := l.Check(report.DataSource{Type: kind.Name, Settings: map[string]any{"wibble": true}}, "dataSources[0]")
			if len(problems) == 0 || !strings.Contains(problems.Error()+problems[len(problems)-1].Error(), "dataSources[0].settings.wibble") {
				t.Errorf("unknown setting: %v", problems)
			}
			if kind.Label == "" || kind.Help == "" || len(kind.Fields()) == 0 {
				t.Error("nothing for the designer to show")
			}
			_, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{source("x", kind.Name, map[string]any{})}})
			var problems2 report.Problems
			if !errors.As(err, &problems2) {
				t.Errorf("no settings: %T %v", err, err)
			}
		})
	}
}

func TestPastedContentIsParsedOnceAndBounded(t *testing.T) {
	l := loader(t, Config{CacheBytes: 10_000})
	load := func(content string) any {
		set, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{source("x", "json", map[string]any{"content": content})}})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := set.Data.Get("x")
		return v
	}
	first := load(`[{"a": 1}]`).([]any)[0].(*report.Object)
	if again := load(`[{"a": 1}]`).([]any)[0].(*report.Object); again != first {
		t.Error("parsed twice")
	}
	for i := range 100 {
		load(`["` + strings.Repeat("x", i) + `"]`)
	}
	if l.parsed.bytes > 10_000 || len(l.parsed.entries) > 10 {
		t.Errorf("%d bytes, %d entries", l.parsed.bytes, len(l.parsed.entries))
	}
}

func TestJSONContent(t *testing.T) {
	l := loader(t, Config{})
	tests := []struct {
		content any
		want    string
	}{
		{`{"a": 12345678901234567890, "b": 0.10}`, `{"a":12345678901234567890,"b":0.10}`},
		{"\ufeff[1]", `[1]`},
		{"  ", `null`},
		{parse(t, `{"pasted": ["as", "value"]}`), `{"pasted":["as","value"]}`},
	}
	for _, tt := range tests {
		got, err := loadOne(t, l, "json", map[string]any{"content": tt.content})
		if err != nil || got != tt.want {
			t.Errorf("%v: %s %v", tt.content, got, err)
		}
	}
}

func BenchmarkLoadPastedJSON(b *testing.B) {
	l := loader(b, Config{})
	content := "[" + strings.TrimSuffix(strings.Repeat(`{"id":1,"name":"Customer","amount":12.5},`, 1000), ",") + "]"
	req := Request{Sources: []report.SourceUse{source("x", "json", map[string]any{"content": content})}}
	for b.Loop() {
		if _, err := l.Load(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func TestOnlyWhatChangedIsLoadedAgain(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	use := func(name, function string, dependencies ...string) report.SourceUse {
		s := source(name, "javascript", map[string]any{"function": function})
		s.Dependencies = dependencies
		return s
	}
	sources := []report.SourceUse{
		use("customers", `() => [1, 2, 3]`, "$params.region"),
		use("orders", `({$data, $params}) => $data.customers.map(c => c * $params.year)`, "$data.customers", "$params.year"),
		use("total", `({$data}) => $data.orders.reduce((a, b) => a + b)`, "$data.orders"),
		use("rates", `() => 7`, "$params.day"),
		use("all", `({$params}) => $params.day`),
	}
	load := func(previous *Set, sources []report.SourceUse, params ...any) (*Set, string) {
		t.Helper()
		set, err := l.Load(context.Background(), Request{Sources: sources, Params: report.ObjectOf(params...), Previous: previous})
		if err != nil {
			t.Fatal(err)
		}
		var loaded []string
		for _, s := range set.Sources {
			if !s.Kept {
				loaded = append(loaded, s.Name)
			}
		}
		return set, strings.Join(loaded, " ")
	}
	first, loaded := load(&Set{}, sources, "region", "n", "year", int64(2025), "day", "a")
	if loaded != "customers orders total rates all" {
		t.Errorf("at first: %s", loaded)
	}
	changed := append([]report.SourceUse{}, sources...)
	changed[3] = use("rates", `() => 8`, "$params.day")
	for _, c := range []struct {
		sources []report.SourceUse
		params  []any
		want    string
		data    string
	}{
		{sources, []any{"region", "n", "year", int64(2025), "day", "a"}, "", `{"customers":[1,2,3],"orders":[2025,4050,6075],"total":12150,"rates":7,"all":"a"}`},
		{sources, []any{"region", "n", "year", int64(1), "day", "a"}, "orders total all", `{"customers":[1,2,3],"orders":[1,2,3],"total":6,"rates":7,"all":"a"}`},
		{sources, []any{"region", "s", "year", int64(2025), "day", "a"}, "customers orders total all", ""},
		{sources, []any{"region", "n", "year", int64(2025), "day", "b"}, "rates all", ""},
		{changed, []any{"region", "n", "year", int64(2025), "day", "a"}, "rates", ""},
	} {
		set, loaded := load(first, c.sources, c.params...)
		if loaded != c.want {
			t.Errorf("%v: loaded %q, want %q", c.params, loaded, c.want)
		}
		if got := toJSON(t, set.Data); c.data != "" && got != c.data {
			t.Errorf("%v: %s", c.params, got)
		}
	}
}
