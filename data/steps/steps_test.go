package steps

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

func sales() []any {
	var rows []any
	for _, r := range []struct {
		region, amount any
		units          any
	}{
		{"North", json.Number("0.1"), json.Number("1")},
		{"South", json.Number("0.2"), json.Number("2")},
		{"North", json.Number("0.2"), nil},
		{nil, "12.50", json.Number("4")},
		{"south", nil, json.Number("1")},
		{"South", "n/a", json.Number("3")},
	} {
		rows = append(rows, report.ObjectOf("region", r.region, "amount", r.amount, "units", r.units))
	}
	return rows
}

func field(name string) Field {
	return func(row any) any { v, _ := row.(*report.Object).Get(name); return v }
}

func TestAggregates(t *testing.T) {
	tests := []struct {
		column Column
		want   any
	}{
		{Column{Aggregate: Sum, Field: field("amount")}, json.Number("13")},
		{Column{Aggregate: Count}, int64(6)},
		{Column{Aggregate: Count, Field: field("amount")}, int64(5)},
		{Column{Aggregate: Distinct, Field: field("region")}, int64(3)},
		{Column{Aggregate: Average, Field: field("units")}, json.Number("2.2")},
		{Column{Aggregate: Average, Field: field("amount"), Weight: field("units")}, json.Number("7.2142857142857143")},
		{Column{Aggregate: Min, Field: field("units")}, json.Number("1")},
		{Column{Aggregate: Max, Field: field("units")}, json.Number("4")},
		{Column{Aggregate: Last, Field: field("amount")}, "n/a"},
	}
	for _, test := range tests {
		if got := test.column.Of(sales()); got != test.want {
			t.Errorf("%s: got %v, want %v", test.column.Aggregate, got, test.want)
		}
	}
}

func TestSumReportsWhatIsNoNumberAndStaysExact(t *testing.T) {
	var refused []any
	c := Column{Aggregate: Sum, Field: field("amount"), Refused: func(v any) { refused = append(refused, v) }}
	c.Of(sales())
	if diff := cmp.Diff([]any{"n/a"}, refused); diff != "" {
		t.Error(diff)
	}
	rows := []any{}
	for _, n := range []string{"9223372036854775807", "9223372036854775807", "0.001", "-0.1", "1e3"} {
		rows = append(rows, report.ObjectOf("amount", json.Number(n)))
	}
	if got := c.Of(rows); got != json.Number("18446744073709552613.901") {
		t.Errorf("got %v", got)
	}
	if got := c.Of([]any{report.ObjectOf("amount", json.Number("1e999999999"))}); got != json.Number("0") {
		t.Errorf("a number beyond all reason: got %v", got)
	}
}

func TestGroupsAreInOrderOfTheirKeysOrOfAppearance(t *testing.T) {
	keys := func(groups []Group) (keys []any) {
		for _, g := range groups {
			keys = append(keys, g.Key)
		}
		return keys
	}
	if diff := cmp.Diff([]any{nil, "North", "South", "south"}, keys(GroupBy(sales(), field("region"), false))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"North", "South", nil, "south"}, keys(GroupBy(sales(), field("region"), true))); diff != "" {
		t.Error(diff)
	}
}
