package export

import (
	"fmt"
	"slices"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestA7WhatATemplateTakesAlong: what a template uses, and what that uses, goes along
// to another workspace; what only looks like it does not.
func TestA7WhatATemplateTakesAlong(t *testing.T) {
	t.Parallel()
	text := func(s string) []report.Element {
		return []report.Element{{Type: "text", Props: map[string]any{"text": s}}}
	}
	from := &report.Workspace{
		PageTypes: []report.PageType{{Name: "Cover", Code: "cover"}, {Name: "Content", Code: "content"}},
		Themes:    []report.Theme{{Name: "Blue", Code: "blue", ExternalCSS: []string{"blue.css"}, Page: report.PageStyle{FontFamily: "Nordlicht Sans"}}, {Name: "Red", Code: "red"}},
		DataSources: []report.DataSource{
			{Name: "company", Type: "json", Scope: report.ScopeGlobal, Settings: map[string]any{"content": "{$params.branch}"}},
			{Name: "comp", Type: "json", Scope: report.ScopeGlobal},
			{Name: "address", Type: "json", Scope: "reusable"},
			{Name: "branches", Type: "sql", Scope: "reusable", Settings: map[string]any{"connection": "crm", "query": "select 1"}},
		},
		Parameters: []report.Parameter{
			{Name: "branch", Type: "lookup", Scope: report.ScopeGlobal, LookupSource: &report.LookupSource{Reuse: "branches"}},
			{Name: "year", Type: "number", Scope: report.ScopeGlobal},
		},
		Dictionaries: []report.Dictionary{{Name: "Words", Code: "words", Entries: map[string]map[string]string{"page": {"en": "Page"}}}, {Name: "Others", Code: "others", Entries: map[string]map[string]string{"pages": {}}}},
		Files:        []report.File{{Name: "logo.svg"}, {Name: "blue.css"}, {Name: "nordlicht.woff2"}, {Name: "other.woff2"}, {Name: "else.png"}},
	}
	template := &report.Template{Name: "Letter", Code: "letter", Theme: "BLUE", Layouts: []report.Layout{{
		PageType: "cover",
		Header:   []report.Element{{Type: "img", Props: map[string]any{"imageUrl": "logo.svg"}}, {Type: "img", Props: map[string]any{"imageUrl": "{$data.address.picture}"}}},
		Footer:   text("{$data.company.name}, {$dict.page} {$page.number}"),
	}}}
	b := BaggageOf(template, from, map[string]string{"nordlicht.woff2": "Nordlicht Sans", "other.woff2": "Other Sans"})
	var got []string
	for i := range b.Goes.PageTypes {
		got = append(got, b.Goes.PageTypes[i].Code)
	}
	for i := range b.Goes.Themes {
		got = append(got, b.Goes.Themes[i].Code)
	}
	for i := range b.Goes.DataSources {
		got = append(got, b.Goes.DataSources[i].Name)
	}
	for i := range b.Goes.Parameters {
		got = append(got, b.Goes.Parameters[i].Name)
	}
	for i := range b.Goes.Dictionaries {
		got = append(got, b.Goes.Dictionaries[i].Code)
	}
	for i := range b.Goes.Files {
		got = append(got, b.Goes.Files[i].Name)
	}
	want := []string{"cover", "blue", "company", "branches", "branch", "words", "blue.css", "nordlicht.woff2", "logo.svg"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	stays := []string{}
	for _, n := range b.Stays {
		stays = append(stays, fmt.Sprintf("%s %q", n.Kind, n.Name))
	}
	if want := []string{`managed file ""`, `connection "crm"`}; !slices.Equal(stays, want) {
		t.Errorf("%v stay, want %v", stays, want)
	}
}
