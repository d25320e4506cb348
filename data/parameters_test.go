package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

func bindOne(t *testing.T, l *Loader, p report.Parameter, given string) (string, error) {
	t.Helper()
	p.Name = "p"
	var object *report.Object
	if given != "" {
		object = report.ObjectOf("p", parse(t, given))
	}
	now := time.Date(2024, 3, 15, 23, 30, 0, 0, time.UTC) // the 16th in Belgrade
	bound, err := l.BindParameters(context.Background(), []report.Parameter{p}, Binding{Given: object, Zone: belgrade(t), Now: now})
	if err != nil {
		return "", err
	}
	v, _ := bound.Get("p")
	return toJSON(t, v), nil
}

func TestParametersOfEachType(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	lookup := []report.LookupItem{{Value: parse(t, "1"), Label: "One"}, {Value: parse(t, "2")}, {Value: "x"}}
	tests := []struct {
		p     report.Parameter
		given string
		want  string
	}{
		{report.Parameter{Type: "text"}, `"abc"`, `"abc"`},
		{report.Parameter{Type: "text"}, `12.50`, `"12.50"`},
		{report.Parameter{}, `true`, `"true"`},
		{report.Parameter{Type: "text"}, ``, `null`},
		{report.Parameter{Type: "text", Default: "standard"}, ``, `"standard"`},
		{report.Parameter{Type: "text", Default: "standard"}, `null`, `"standard"`},
		{report.Parameter{Type: "text", Default: "standard"}, `""`, `"standard"`},
		{report.Parameter{Type: "number"}, `12345678901234567890.10`, `12345678901234567890.10`},
		{report.Parameter{Type: "number"}, `" 12.5 "`, `12.5`},
		{report.Parameter{Type: "number", Default: parse(t, "7")}, ``, `7`},
		{report.Parameter{Type: "date"}, `"2024-02-29"`, `"2024-02-29"`},
		{report.Parameter{Type: "date"}, `"2024-02-28T23:30:00.000Z"`, `"2024-02-29"`},
		{report.Parameter{Type: "date"}, `"2024-02-29T23:30:00"`, `"2024-02-29"`},
		{report.Parameter{Type: "date", Default: "{[new Date()]}"}, ``, `"2024-03-16"`},
		{report.Parameter{Type: "date", Default: "{[ (() => { const d = new Date(); return new Date(d.getFullYear(), d.getMonth() - 1, 1) })() ]}"}, ``, `"2024-02-01"`},
		{report.Parameter{Type: "month-range"}, `"2024-02"`, `{"from":"2024-02-01","to":"2024-03-01"}`},
		{report.Parameter{Type: "month-range"}, `{"from": "2024-02-01", "to": "2024-05-01"}`, `{"from":"2024-02-01","to":"2024-05-01"}`},
		{report.Parameter{Type: "month-range"}, `{"from": "2023-12", "to": "2024-02"}`, `{"from":"2023-12-01","to":"2024-03-01"}`},
		{report.Parameter{Type: "month-range"}, `{"from": "2024-01-31T23:00:00Z", "to": "2024-02-29T23:00:00Z"}`, `{"from":"2024-02-01","to":"2024-03-01"}`},
		{report.Parameter{Type: "month-range"}, `{"from": "2024-12"}`, `{"from":"2024-12-01","to":"2025-01-01"}`},
		{report.Parameter{Type: "month-range", Default: "{[ ({from: new Date(2024, 0, 1), to: new Date(2024, 3, 1)}) ]}"}, ``, `{"from":"2024-01-01","to":"2024-04-01"}`},
		{report.Parameter{Type: "switch"}, `true`, `true`},
		{report.Parameter{Type: "switch"}, `"False"`, `false`},
		{report.Parameter{Type: "switch"}, `1`, `true`},
		{report.Parameter{Type: "switch"}, ``, `false`},
		{report.Parameter{Type: "lookup", Lookup: lookup}, `"1"`, `1`},
		{report.Parameter{Type: "lookup", Lookup: lookup}, `["x"]`, `"x"`},
		{report.Parameter{Type: "lookup"}, `"anything"`, `"anything"`},
		{report.Parameter{Type: "lookup", Lookup: lookup, Multiple: true}, `[2, "x"]`, `[2,"x"]`},
		{report.Parameter{Type: "lookup", Lookup: lookup, Multiple: true}, `2`, `[2]`},
		{report.Parameter{Type: "lookup", Multiple: true}, ``, `[]`},
	}
	for _, tt := range tests {
		if got, err := bindOne(t, l, tt.p, tt.given); err != nil || got != tt.want {
			t.Errorf("%s %s: got %s %v, want %s", tt.p.Type, tt.given, got, err, tt.want)
		}
	}
}

func TestParametersThatAreWrong(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	tests := []struct {
		p     report.Parameter
		given string
		want  string
	}{
		{report.Parameter{Required: true}, ``, `params.p: the parameter "p" is required`},
		{report.Parameter{Required: true, Label: "Customer"}, `null`, `params.p: the parameter "Customer" (p) is required`},
		{report.Parameter{Required: true, Type: "lookup", Multiple: true}, `[]`, `is required`},
		{report.Parameter{Type: "text"}, `{"a": 1}`, `it must be text, not an object`},
		{report.Parameter{Type: "text"}, `[1]`, `it must be text, not a list`},
		{report.Parameter{Type: "number"}, `"12,5"`, `it must be a number such as 1234.5, not "12,5"`},
		{report.Parameter{Type: "number"}, `"0x10"`, `must be a number`},
		{report.Parameter{Type: "date"}, `"31.02.2024"`, `it must be a date such as 2024-02-29, not "31.02.2024"`},
		{report.Parameter{Type: "date"}, `"2023-02-29"`, `must be a date`},
		{report.Parameter{Type: "date"}, `20240229`, `must be a date`},
		{report.Parameter{Type: "month-range"}, `"2024-13"`, `must be a month`},
		{report.Parameter{Type: "month-range"}, `{"from": "2024-05-01", "to": "2024-02-01"}`, `its from is not before its to`},
		{report.Parameter{Type: "month-range"}, `{"to": "2024-02-01"}`, `must be a month`},
		{report.Parameter{Type: "month-range"}, `"2024-02-01"`, `must be a month`},
		{report.Parameter{Type: "switch"}, `"maybe"`, `it must be true or false, not "maybe"`},
		{report.Parameter{Type: "lookup", Lookup: []report.LookupItem{{Value: "a"}, {Value: "b"}}}, `"c"`, `"c" is none of the offered values: a, b`},
		{report.Parameter{Type: "lookup"}, `["a", "b"]`, `it takes one value, not a list`},
		{report.Parameter{Type: "date", Default: "soon"}, ``, `its default: it must be a date`},
		{report.Parameter{Type: "date", Default: "{[ wibble() ]}"}, ``, `wibble is not defined`},
	}
	for _, tt := range tests {
		_, err := bindOne(t, l, tt.p, tt.given)
		var problem *report.Problem
		if !errors.As(err, &problem) || problem.Path != "params.p" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v", tt.p.Type, tt.given, err)
		}
	}
}

func TestAllParameterFaultsAreReported(t *testing.T) {
	l := loader(t, Config{})
	defs := []report.Parameter{
		{Name: "a", Required: true}, {Name: "b", Type: "number"}, {Name: "c", Default: "{$params.d} of {$params.e}"}, {Name: "d", Default: "x"}, {Name: "f", Default: "{$params.d}-{$params.extra}"},
	}
	given := report.ObjectOf("b", "x", "extra", "left out", "d", "first")
	bound, err := l.BindParameters(context.Background(), defs, Binding{Given: given})
	var problems report.Problems
	if !errors.As(err, &problems) || len(problems) < 2 || bound == nil {
		t.Fatalf("%v %v", bound, err)
	}
	if v, ok := bound.Get("extra"); ok {
		t.Errorf("what is no parameter is bound: %v", v)
	}
}

// TestSamplesStandInWhileDesigning: of required parameters that have no value, and
// of values that are wrong, and of nothing else.
func TestSamplesStandInWhileDesigning(t *testing.T) {
	l := loader(t, Config{})
	offered := []report.LookupItem{{Value: "n", Label: "North"}, {Value: "s"}}
	defs := []report.Parameter{
		{Name: "text", Required: true, Label: "Customer"},
		{Name: "number", Type: "number", Required: true},
		{Name: "day", Type: "date", Required: true},
		{Name: "months", Type: "month-range", Required: true},
		{Name: "on", Type: "switch", Required: true},
		{Name: "one", Type: "lookup", Required: true, Lookup: offered},
		{Name: "more", Type: "lookup", Required: true, Multiple: true, Lookup: offered},
		{Name: "free", Type: "lookup", Required: true},
		{Name: "source", Type: "lookup", Required: true, LookupSource: &report.LookupSource{Type: "json"}},
		{Name: "given", Required: true},
		{Name: "defaulted", Required: true, Default: "d"},
		{Name: "optional", Type: "date"},
		{Name: "wrong", Type: "number"},
	}
	samples := report.ObjectOf()
	bound, err := l.BindParameters(context.Background(), defs, Binding{
		Given: report.ObjectOf("given", "x", "wrong", "soon"), Zone: time.FixedZone("", 2*3600), Now: time.Date(2026, 10, 31, 23, 0, 0, 0, time.UTC), Samples: samples,
	})
	var problems report.Problems
	if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Path != "params.wrong" {
		t.Errorf("%v", err)
	}
	const made = `"text":"Customer","number":1,"day":"2026-11-01","months":%s,"on":true,"one":"n","more":["n"],"free":"free"`
	for got, want := range map[*report.Object]string{
		samples: `{` + fmt.Sprintf(made, `"2026-11"`) + `,"wrong":1}`,
		bound:   `{` + fmt.Sprintf(made, `{"from":"2026-11-01","to":"2026-12-01"}`) + `,"source":null,"given":"x","defaulted":"d","optional":null,"wrong":1}`,
	} {
		if text, err := json.Marshal(got); err != nil || string(text) != want {
			t.Errorf("%s %v\nwant %s", text, err, want)
		}
	}
}
