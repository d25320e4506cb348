package main

import (
	"slices"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// TestWhatATooWideTableTells: words and numbers that were broken so that a table
// fits its page are told of, with what prints it whole.
func TestWhatATooWideTableTells(t *testing.T) {
	const whole = `; "Continue columns on further sheets" prints it whole`
	for name, test := range map[string]struct {
		rows, table string
		want        []string
	}{
		"words": {
			`j % 2 ? j * 1000 : 'Word' + j + ' longer text'`, `{"source":"$data.w"}`,
			[]string{`t: is much wider than the page, so that its short words are broken, too` + whole, `t: is wider than the page and was drawn smaller to fit`},
		},
		"numbers":   {`(j + 1) * 1234567`, `{"source":"$data.w"}`, []string{`t: is much wider than the page, so that its numbers are broken, too` + whole}},
		"continued": {`(j + 1) * 1234567`, `{"source":"$data.w","continueColumns":true}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			def, err := report.ParseReport([]byte(`{"version":1,"name":"Wide","dataSources":[{"name":"w","type":"javascript","settings":{"function":
				"() => [Object.fromEntries([...Array(24).keys()].map(j => ['c' + j, ` + test.rows + `]))]"}}],
				"pages":[{"name":"Wide","elements":[{"id":"t","type":"data-table","props":` + test.table + `}]}]}`))
			if err != nil {
				t.Fatal(err)
			}
			c := newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "wide", Report: *def}}})
			_, warnings := finished(t, c.service, export.Request{Report: "wide", ExportOptions: report.ExportOptions{Format: "pdf"}})
			var told []string
			for _, w := range warnings {
				told = append(told, w.Error())
			}
			if !slices.Equal(told, test.want) {
				t.Errorf("the warnings are %q; want %q", told, test.want)
			}
		})
	}
}

// TestWhatATooTallTableTells: a table that is kept on one page says when there is no
// room for it, and what lets it go on on the next.
func TestWhatATooTallTableTells(t *testing.T) {
	const next = `; "Allow break across pages" lets it go on on the next page`
	for name, test := range map[string]struct {
		rows, table string
		want        []string
	}{
		"a little": {`45`, `{"source":"$data.w"}`, []string{`t: is taller than the page and was drawn smaller to fit` + next}},
		"much":     {`200`, `{"source":"$data.w"}`, []string{`t: is much taller than the page and was broken` + next}},
		"may":      {`200`, `{"source":"$data.w","breakAcrossPages":true}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			def, err := report.ParseReport([]byte(`{"version":1,"name":"Tall","dataSources":[{"name":"w","type":"javascript","settings":{"function":
				"() => [...Array(` + test.rows + `).keys()].map(i => ({number: i, name: 'Row ' + i}))"}}],
				"pages":[{"name":"Tall","elements":[{"id":"t","type":"data-table","props":` + test.table + `}]}]}`))
			if err != nil {
				t.Fatal(err)
			}
			c := newPageCheck(t, &report.Workspace{Reports: []report.NamedReport{{Code: "tall", Report: *def}}})
			_, warnings := finished(t, c.service, export.Request{Report: "tall", ExportOptions: report.ExportOptions{Format: "pdf"}})
			var told []string
			for _, w := range warnings {
				told = append(told, w.Error())
			}
			if !slices.Equal(told, test.want) {
				t.Errorf("the warnings are %q; want %q", told, test.want)
			}
		})
	}
}
