package data

import (
	"context"
	"testing"

	"github.com/quire-reports/quire/report"
)

var (
	ana    = report.Person{Sub: "crm-7", Name: "Ana Marić", Email: "ana@example.com", Groups: []string{"north", "managers"}}
	bojan  = report.Person{ID: 12, Name: "Bojan", Email: "bojan@example.com", Groups: []string{"south"}}
	nobody = report.Person{}
)

// TestSourcesKnowWhoLooks: rows are chosen by who looks, and when nobody does
// there are none.
func TestSourcesKnowWhoLooks(t *testing.T) {
	l, address := apiLoader(t)
	folder := sqliteShop(t)
	l.config.Connections = connections{"shop": {Type: "sqlite", Address: report.Secret(folder + "/shop.db")}}
	l.databases = newDatabases([]string{folder})
	const rows = `[{"n":1,"owner":"ana@example.com","team":"north"},{"n":2,"owner":"bojan@example.com","team":"south"},{"n":3,"owner":null,"team":null}]`
	sql := func(query string) []report.SourceUse {
		return []report.SourceUse{source("rows", "sql", map[string]any{"connection": "shop", "query": query})}
	}
	filtered := func(condition ...any) []report.SourceUse {
		return []report.SourceUse{
			source("all", "json", map[string]any{"content": rows}),
			source("rows", "transformation", map[string]any{"source": "all", "steps": []any{
				report.ObjectOf("type", "filter", "conditions", []any{report.ObjectOf(condition...)}),
				report.ObjectOf("type", "select", "columns", []any{report.ObjectOf("field", "n")}),
			}}, "$data.all"),
		}
	}
	script := func(function string) []report.SourceUse {
		return []report.SourceUse{source("rows", "javascript", map[string]any{"function": function})}
	}
	const owners = "select 'ana@example.com' as owner, 1 as n union all select 'bojan@example.com', 2"
	for name, c := range map[string]struct {
		sources             []report.SourceUse
		ana, bojan, noOneIs string
	}{
		"SQL":                    {sql("select n from (" + owners + ") t where owner = {$user.email}"), `[{"n":1}]`, `[{"n":2}]`, `[]`},
		"SQL, a list":            {sql("select 1 as n where 'managers' in ({$user.groups})"), `[{"n":1}]`, `[]`, `[]`},
		"SQL, an id":             {sql("select {$user.id} as id, {$user.sub} as sub"), `[{"id":null,"sub":"crm-7"}]`, `[{"id":12,"sub":null}]`, `[{"id":null,"sub":null}]`},
		"SQL, a member too many": {sql("select {$user.isRoot} as x"), `[{"x":null}]`, `[{"x":null}]`, `[{"x":null}]`},
		"JSON by a step":         {filtered("field", "owner", "expression", "$user.email"), `[{"n":1}]`, `[{"n":2}]`, `[]`},
		"a step, braced":         {filtered("field", "owner", "expression", "{$user.email}"), `[{"n":1}]`, `[{"n":2}]`, `[]`},
		"a step, groups":         {filtered("field", "team", "operator", "in", "expression", "$user.groups"), `[{"n":1}]`, `[{"n":2}]`, `[]`},
		"a step, unequal":        {filtered("field", "owner", "operator", "not-equals", "expression", "$user.email"), `[{"n":2},{"n":3}]`, `[{"n":1},{"n":3}]`, `[]`},
		"a step, not in":         {filtered("field", "team", "operator", "not-in", "expression", "$user.groups"), `[{"n":2},{"n":3}]`, `[{"n":1},{"n":3}]`, `[]`},
		"JavaScript":             {script(`({$user}) => [$user.email, $user.groups.length]`), `["ana@example.com",2]`, `["bojan@example.com",1]`, `[null,0]`},
		"API": {
			[]report.SourceUse{source("rows", "api", map[string]any{"url": address + "/of/{$user.email}"})},
			`{"method":"GET","uri":"/of/ana@example.com","key":"","type":"","custom":"","body":""}`, `{"method":"GET","uri":"/of/bojan@example.com","key":"","type":"","custom":"","body":""}`,
			`{"method":"GET","uri":"/of/","key":"","type":"","custom":"","body":""}`,
		},
		"API, a builder": {
			[]report.SourceUse{source("rows", "api", map[string]any{"url": address, "requestBuilder": map[string]any{"type": "custom", "code": `({$user}) => ({headers: [["X-Custom", String($user.sub ?? $user.id ?? "nobody")]]})`}, "responseMapper": map[string]any{"type": "custom", "code": `({response, $user}) => [response.custom, $user.email]`}})},
			`["crm-7","ana@example.com"]`, `["12","bojan@example.com"]`, `["nobody",null]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for who, want := range map[*report.Person]string{&ana: c.ana, &bojan: c.bojan, &nobody: c.noOneIs} {
				set, err := l.Load(context.Background(), Request{Sources: c.sources, User: *who, Params: report.ObjectOf()})
				if err != nil {
					t.Fatal(err)
				}
				got, _ := set.Data.Get("rows")
				if text := toJSON(t, got); text != want {
					t.Errorf("%q: got %s, want %s", who.Name, text, want)
				}
				for _, w := range set.Warnings {
					if name != "SQL, a member too many" {
						t.Errorf("%q: %v", who.Name, w)
					}
				}
			}
		})
	}
}

// TestNothingIsKeptForAnother: what a source gave to one is not shown to another,
// whatever it declares that it depends on.
func TestNothingIsKeptForAnother(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	sources := []report.SourceUse{
		source("me", "javascript", map[string]any{"function": `({$user}) => $user.email`}, "$params.year"),
		source("after", "javascript", map[string]any{"function": `({$data}) => "for " + $data.me`}, "$data.me"),
	}
	load := func(who report.Person, previous *Set) *Set {
		t.Helper()
		set, err := l.Load(context.Background(), Request{Sources: sources, User: who, Params: report.ObjectOf("year", int64(2026)), Previous: previous})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	first := load(ana, &Set{})
	if again := load(ana, first); !again.Sources[0].Kept || !again.Sources[1].Kept {
		t.Error("the same for the same is loaded again")
	}
	if got := toJSON(t, load(bojan, first).Data); got != `{"me":"bojan@example.com","after":"for bojan@example.com"}` {
		t.Errorf("Bojan is shown %s", got)
	}
	promoted := ana
	promoted.Groups = append([]string{"board"}, ana.Groups...)
	if load(promoted, first).Sources[0].Kept {
		t.Error("groups that changed change nothing")
	}
}

func TestDefaultsKnowWhoLooks(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t)})
	defs := []report.Parameter{{Name: "mail", Default: "{$user.email}"}, {Name: "first", Default: "{[ $user.groups[0] ?? '' ]}"}}
	for who, want := range map[*report.Person]string{&ana: `{"mail":"ana@example.com","first":"north"}`, &nobody: `{"mail":null,"first":null}`} {
		bound, err := l.BindParameters(t.Context(), defs, Binding{Given: report.ObjectOf(), User: *who})
		if err != nil {
			t.Fatal(err)
		}
		if got := toJSON(t, bound); got != want {
			t.Errorf("%q: %s, want %s", who.Name, got, want)
		}
	}
}
