package scripting

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestScriptsHaveTheGlobalsThatNeedNothing from outside, under the same limits.
func TestScriptsHaveTheGlobalsThatNeedNothing(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	for source, want := range map[string]any{
		`() => { const a = {n: [1, {d: new Date(5)}], m: new Map([["k", new Set([2])]])}; a.self = a; const b = structuredClone(a); a.n[1].d.setTime(9);
			return [b.self === b, b.n[1].d.getTime(), b.m.get("k").has(2), b.n !== a.n].join() }`: "true,5,true,true",
		`() => structuredClone($data).rows.length`:                               int64(2),
		`() => { try { structuredClone(() => 1) } catch (e) { return e.name } }`: "TypeError",
		`() => Array.from(structuredClone(new Uint8Array([7, 8]))).join()`:       "7,8",
		`() => btoa("Zürich") + atob(" WvxyaWNo ")`:                              "WvxyaWNoZürich",
		`() => { try { btoa("Đ") } catch (e) { return e.name } }`:                "TypeError",
		`() => { try { atob("a") } catch (e) { return e.name } }`:                "TypeError",
		`() => Object.keys(globalThis).includes("structuredClone")`:              false,
	} {
		r, err := p.Call(context.Background(), &Call{Source: source, Args: []Arg{{"$data", map[string]any{"rows": []any{int64(1), int64(2)}}}}})
		if err != nil || r.Values[0] != want {
			t.Errorf("%s: %v %v; want %v", source, r, err, want)
		}
	}
	for source, want := range map[string]string{
		`() => { let a = {}; for (let i = 0; i < 20000; i++) a = {a}; return structuredClone(a) }`: "",
		`() => { const a = [...Array(100000).keys()]; for (;;) structuredClone(a) }`:               "limit",
	} {
		if _, err := p.Call(context.Background(), &Call{Source: source, Timeout: 500 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
