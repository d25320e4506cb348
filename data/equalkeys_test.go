package data

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// transformed is what steps make of the rows of a, beside a source b, and what
// was warned of or went wrong.
func transformed(t *testing.T, a, b, steps string) (rows string, said []string) {
	t.Helper()
	parse := func(s string) any {
		v, err := report.ParseValue([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	set, err := loader(t, Config{Inline: true}).Load(t.Context(), Request{
		Sources: []report.SourceUse{
			{DataSource: report.DataSource{Name: "a", Type: "json", Settings: map[string]any{"content": parse(a)}}},
			{DataSource: report.DataSource{Name: "b", Type: "json", Settings: map[string]any{"content": parse(b)}}},
			{DataSource: report.DataSource{Name: "t", Type: "transformation", Settings: map[string]any{"source": "a", "steps": parse(steps)}}, Dependencies: []string{"$data.a", "$data.b"}},
		},
		Params: report.ObjectOf("two", "2", "none", nil, "several", []any{"1", "2"}), Dict: report.ObjectOf(),
	})
	if err != nil {
		return "", []string{short.Replace(err.Error())}
	}
	for _, w := range set.Warnings {
		said = append(said, short.Replace(w.Error()))
	}
	out, _ := set.Data.Get("t")
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), said
}

// short leaves out what all messages about the source t say.
var short = strings.NewReplacer("dataSources.t.settings.", "", `data source "t": `, "")

func TestJoinsKeepWhatBothSidesHave(t *testing.T) {
	const a, b = `[{"k":1,"v":10},{"k":"2","v":20},{"k":3,"v":30}]`, `[{"k":1,"n":"uno","v":99},{"k":2,"n":"two","v":98},{"k":"04","n":"four","v":96}]`
	const renamed = `steps[0].prefix: columns of "b" have the names of ours: "v" is now "b_v"; give a prefix, or pick columns`
	tests := []struct {
		name, join, want string
		said             string
	}{
		{"left", `"kind":"left"`, `[{"k":1,"v":10,"n":"uno","b_v":99},{"k":"2","v":20,"n":"two","b_v":98},{"k":3,"v":30,"n":null,"b_v":null}]`, renamed},
		{"inner", `"kind":"inner"`, `[{"k":1,"v":10,"n":"uno","b_v":99},{"k":"2","v":20,"n":"two","b_v":98}]`, renamed},
		{"full", `"kind":"full"`, `[{"k":1,"v":10,"n":"uno","b_v":99},{"k":"2","v":20,"n":"two","b_v":98},{"k":3,"v":30,"n":null,"b_v":null},{"k":"04","v":null,"n":"four","b_v":96}]`, renamed},
		{"a prefix", `"prefix":"of_"`, `[{"k":1,"v":10,"of_n":"uno","of_v":99},{"k":"2","v":20,"of_n":"two","of_v":98},{"k":3,"v":30,"of_n":null,"of_v":null}]`, ""},
		{"a column of one's own name", `"kind":"inner","columns":[{"field":"n","as":"v"}]`, `[{"k":1,"v":10,"b_v":"uno"},{"k":"2","v":20,"b_v":"two"}]`, renamed},
		{"two of one name", `"columns":[{"field":"n","as":"x"},{"field":"v","as":"x"}]`, "", `steps[0].columns: two columns are named "x"`},
	}
	for _, test := range tests {
		rows, said := transformed(t, a, b, `[{"type":"join","source":"$data.b","on":[{"left":"k"}],`+test.join+`}]`)
		if rows != test.want || strings.Join(said, "\n") != test.said {
			t.Errorf("%s:\n got %s\nwant %s\nsaid %q", test.name, rows, test.want, said)
		}
	}
	rows, _ := transformed(t, `[{"id":7,"of":{"id":1}}]`, `[{"id":1},{"id":2}]`, `[{"type":"join","kind":"full","source":"b","on":[{"left":"of.id","right":"id"}]}]`)
	if want := `[{"id":7,"of":{"id":1},"b_id":1},{"id":null,"of":null,"b_id":2}]`; rows != want {
		t.Errorf("a key inside an object: got %s, want %s", rows, want)
	}
}

// TestNumbersAndTextsAreOneKey: whatever compares keys agrees on which are equal.
func TestNumbersAndTextsAreOneKey(t *testing.T) {
	const rows = `[{"k":1},{"k":"1"},{"k":1.0},{"k":"01"},{"k":2.5},{"k":"2.5"},{"k":"2.50"},{"k":null},{"k":"-3"},{"k":-3}]`
	for _, test := range []struct{ name, steps, want string }{
		{"group", `[{"type":"group","by":[{"field":"k"}],"aggregates":[{"function":"count","as":"n"}]}]`, `[{"k":1,"n":3},{"k":"01","n":1},{"k":2.5,"n":2},{"k":"2.50","n":1},{"k":null,"n":1},{"k":"-3","n":2}]`},
		{"group by two", `[{"type":"group","by":[{"field":"k"},{"field":"k","as":"l"}],"aggregates":[{"function":"count","as":"n"}]},{"type":"limit","count":2}]`, `[{"k":1,"l":1,"n":3},{"k":"01","l":"01","n":1}]`},
		{"distinct", `[{"type":"group","aggregates":[{"function":"distinct","field":"k"}]}]`, `[{"k":5}]`},
		{"join", `[{"type":"join","kind":"inner","source":"b","on":[{"left":"k","right":"key"}]}]`, `[{"k":1,"x":"a"},{"k":"1","x":"a"},{"k":1.0,"x":"a"},{"k":2.5,"x":"b"},{"k":"2.5","x":"b"}]`},
		{"equals a text", `[{"type":"filter","conditions":[{"field":"k","value":"1"}]}]`, `[{"k":1},{"k":"1"},{"k":1.0}]`},
		{"equals a number in any spelling", `[{"type":"filter","conditions":[{"field":"k","value":2.5}]}]`, `[{"k":2.5},{"k":"2.5"},{"k":"2.50"}]`},
		{"in", `[{"type":"filter","conditions":[{"field":"k","operator":"in","value":["1","2.50"]}]}]`, `[{"k":1},{"k":"1"},{"k":1.0},{"k":2.5},{"k":"2.50"}]`},
		{"in the values of a lookup", `[{"type":"filter","conditions":[{"field":"k","operator":"in","parameter":"several"}]}]`, `[{"k":1},{"k":"1"},{"k":1.0}]`},
		{"not in", `[{"type":"filter","conditions":[{"field":"k","operator":"not-in","value":["1",2.5,-3]}]}]`, `[{"k":"01"},{"k":null}]`},
		{"partition", `[{"type":"partition","field":"k"},{"type":"select","columns":[{"field":"key"}]},{"type":"limit","count":3}]`, `[{"key":1},{"key":"01"},{"key":2.5}]`},
	} {
		if got, _ := transformed(t, rows, `[{"key":"1","x":"a"},{"key":2.5,"x":"b"}]`, test.steps); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestConditionsCompareColumns(t *testing.T) {
	const rows = `[{"v":10,"w":1},{"v":10,"w":2},{"v":"3","w":3},{"v":null,"w":0},{"v":5,"w":null}]`
	for _, test := range []struct{ name, condition, want, said string }{
		{"greater than a product", `"operator":"greater","expression":"{$record.w} * 9"`, `[{"v":10,"w":1},{"v":5,"w":null}]`, ""},
		{"equal", `"expression":"{$record.w}"`, `[{"v":"3","w":3}]`, ""},
		{"a bare record", `"expression":"$record.w"`, `[{"v":"3","w":3}]`, ""},
		{"not equal", `"operator":"not-equals","expression":"{$record.w}"`, `[{"v":10,"w":1},{"v":10,"w":2},{"v":null,"w":0},{"v":5,"w":null}]`, ""},
		{"with a parameter", `"operator":"less","expression":"{$record.w} * {$params.two}"`, `[{"v":"3","w":3}]`, ""},
		{"without a value", `"expression":"{$params.none}"`, rows, ""},
		{"a parameter that is none", `"parameter":"nome"`, "", `steps[0]: step 1: the condition on "v": {$params.nome} leads to no value`},
		{"a path that leads nowhere", `"operator":"greater","expression":"{$params.gone} * 2"`, "", `steps[0]: step 1: the condition on "v": {$params.gone} leads to no value`},
		{"a field that no row has", `"expression":"{$record.x}"`, `[{"v":null,"w":0}]`, `dataSources.t: {$record.x} leads to no value`},
	} {
		got, said := transformed(t, rows, `[]`, `[{"type":"filter","conditions":[{"field":"v",`+test.condition+`}]}]`)
		if got != test.want || strings.Join(said, "\n") != test.said {
			t.Errorf("%s:\n got %s\nwant %s\nsaid %q", test.name, got, test.want, said)
		}
	}
}

func TestFieldsOfStepsThatNoRowHas(t *testing.T) {
	steps := `[{"type":"filter","conditions":[{"field":"amuont","operator":"not-empty"}]}]`
	_, said := transformed(t, `[{"amount":1}]`, `[]`, steps)
	if diff := cmp.Diff([]string{`steps[0].conditions[0].field: no row has a field "amuont"; did you mean "amount"?`}, said); diff != "" {
		t.Error(diff)
	}
	_, said = transformed(t, `[{"amount":1,"more":{"x":1}},{"note":null}]`, `[{"key":1}]`, `[
		{"type":"sort","by":[{"field":"note"},{"field":"more.y"}]},
		{"type":"join","source":"b","on":[{"left":"amount","right":"kee"}],"columns":[{"field":"nom"}]},
		{"type":"select","columns":[{"field":"amount"},{"field":"more.x"},{"field":"other"}]},
		{"type":"group","by":[{"field":"x"}],"aggregates":[{"function":"average","field":"amount","weight":"y"}]},
		{"type":"partition","field":"z"}]`)
	want := []string{
		`steps[0].by[1].field: no row has a field "more.y"; did you mean "more"?`,
		`steps[1].on[0].right: no row has a field "kee"; did you mean "key"?`,
		`steps[1].columns[0].field: no row has a field "nom"; they have: key`,
		`steps[2].columns[2].field: no row has a field "other"; they have: amount, more, nom, note`,
		`steps[3].aggregates[0].weight: no row has a field "y"; did you mean "x"?`,
		`steps[4].field: no row has a field "z"; did you mean "x"?`,
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}
