package scripting

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

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
