package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

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
	if diff := cmp.Diff([]any{nil, "North", "South", "south"}, keys(GroupBy(sales(), field("region"), false, nil))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"North", "South", nil, "south"}, keys(GroupBy(sales(), field("region"), true, nil))); diff != "" {
		t.Error(diff)
	}
}

func TestDecimalsOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		value  any
		places int
		size   float64
	}{
		{json.Number("12"), 0, 1},
		{json.Number("1200"), 0, 1},
		{json.Number("-12.50"), 1, 1},
		{json.Number("10.00"), 0, 1},
		{json.Number("1234567890123456789.125"), 3, 1},
		{json.Number("0.05"), 2, 0.05},
		{json.Number("-0.250"), 2, 0.25},
		{json.Number("1.5e2"), 0, 1},
		{json.Number("125e-2"), 2, 1},
		{json.Number("2e-3"), 3, 0.002},
		{int64(-7), 0, 1},
		{2.5, 1, 1},
		{0.5, 1, 0.5},
	} {
		places, size, ok := Decimals(tt.value)
		if places != tt.places || size != tt.size || !ok {
			t.Errorf("Decimals(%v) = %d places, size %v, %t; want %d, %v", tt.value, places, size, ok, tt.places, tt.size)
		}
	}
	for _, none := range []any{nil, "12", true, json.Number("x"), json.Number("1.2.3"), json.Number("-")} {
		if places, _, ok := Decimals(none); ok {
			t.Errorf("Decimals(%v) = %d places, want none", none, places)
		}
	}
}

func TestNumbersThatFitAWordAreAsExactAsDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []any{int64(0), int64(-7), 0.1, 2.25, 1e300, -0.0001, json.Number("12.50"), json.Number("-0.05"), json.Number("123456789012345678"), json.Number("0.000000000000000001"), json.Number("1e3"), " 4.5 ", "x", "", "1.", ".5", "--1", nil, true, int64(math.MaxInt64), int64(math.MinInt64)}
	for range 300 {
		values = append(values, r.Int64N(2000)-1000, float64(r.IntN(1e6))/4, r.NormFloat64(), json.Number(fmt.Sprintf("%d.%0*d", r.IntN(1e6), 1+r.IntN(6), r.IntN(10))))
	}
	for _, a := range values {
		n, small := scaledOf(a)
		d, isNumber := Number(a)
		if small && (!isNumber || !n.decimal().Equal(d) || string(n.number()) != d.String()) {
			t.Errorf("%v: %v is %s, not %s", a, n, n.number(), d)
		}
		for _, b := range values {
			m, smallToo := scaledOf(b)
			if !small || !smallToo {
				continue
			}
			e, _ := Number(b)
			if c, ok := n.cmp(m); ok && c != d.Cmp(e) {
				t.Errorf("%v and %v compare as %d", a, b, c)
			}
			if p, ok := n.times(m); ok && !p.decimal().Equal(d.Mul(e)) {
				t.Errorf("%v times %v is %s", a, b, p.number())
			}
		}
	}
}

func TestSumsAndAveragesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var rows []any
		sum, weighted, weights := decimal.Zero, decimal.Zero, decimal.Zero
		for range 1 + r.IntN(30) {
			v := []any{r.Int64N(1000), float64(r.IntN(1000)) / 8, json.Number(fmt.Sprintf("%d.%03d", r.IntN(100), r.IntN(1000))), int64(math.MaxInt64 - 5), 1e-9, json.Number("0.3333333333333333333333")}[r.IntN(6)]
			w := []any{int64(1 + r.IntN(5)), 0.5, json.Number("0.001")}[r.IntN(3)]
			rows = append(rows, report.ObjectOf("v", v, "w", w))
			d, _ := Number(v)
			e, _ := Number(w)
			sum, weighted, weights = sum.Add(d), weighted.Add(d.Mul(e)), weights.Add(e)
		}
		total := Column{Aggregate: Sum, Field: fieldOf("v")}
		if got := total.Of(rows); got != json.Number(sum.String()) {
			t.Errorf("the sum is %v, not %s", got, sum)
		}
		mean := Column{Aggregate: Average, Field: fieldOf("v"), Weight: fieldOf("w")}
		if got := mean.Of(rows); got != json.Number(weighted.DivRound(weights, averageDigits).String()) {
			t.Errorf("the average is %v, not %s", got, weighted.DivRound(weights, averageDigits))
		}
	}
}

func TestTheFirstRowsOfAnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var rows []any
		for i := range r.IntN(60) {
			rows = append(rows, report.ObjectOf("i", int64(i), "a", []any{int64(r.IntN(5)), 0.5, nil, "b", "a"}[r.IntN(5)]))
		}
		sort := &sortStep{By: []sortKey{{Field: "a", Descending: r.IntN(2) == 0}}}
		all := sort.first(&Env{}, rows, len(rows))
		most := r.IntN(len(rows) + 1)
		if got := sort.first(&Env{}, rows, most); !slices.Equal(got, all[:most]) {
			t.Fatalf("the first %d of %d rows differ", most, len(rows))
		}
		limit := &limitStep{Count: math.MaxInt, Offset: most}
		if got, err := limit.run(context.Background(), &Env{}, all); err != nil || !slices.Equal(got, all[most:]) {
			t.Fatal("a limit without an end", err)
		}
	}
}
