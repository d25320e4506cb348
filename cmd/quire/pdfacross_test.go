package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/pdf"
)

// Each part of a table that continues its columns on further sheets is a table
// with a header of its own, and the file conforms.
func TestColumnsThatContinueConform(t *testing.T) {
	ofDocuments(t)
	content, warnings := accessible(t, `{"version":1,"name":"Wide","language":"en","dataSources":[{"name":"w","type":"javascript","settings":{"function":
		"() => [...Array(60).keys()].map(i => Object.fromEntries([...Array(24).keys()].map(j => ['c' + j, j % 2 ? (j + 1) * 1000 : 'Word' + j + (j === 6 && i % 7 === 3 ? ' longer text that wraps in its cell' : '')])))"}}],
		"pages":[{"id":1,"elements":[
			{"type":"heading","props":{"title":"A wide table","level":"H1"}},
			{"type":"data-table","props":{"source":"$data.w","continueColumns":true,"groups":[{"field":"c0"}],"footer":{"enabled":true,"text":"Sum"}}}]}]}`)
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	if !bytes.Contains(inflated(t, content), []byte("pdfuaid:part")) {
		t.Error("it does not say that it is PDF/UA")
	}
	facts, err := pdf.ReadFacts(t.Context(), content, "")
	if err != nil {
		t.Fatal(err)
	}
	file := keepFile(t, content)
	judge(t, []string{"ua1=" + file}, new(tally))
	tree := output(t, "pdfinfo", "-struct", file)
	tables, heads := strings.Count(tree, "\n  Table"), strings.Count(tree, "\n    THead")
	if pages := len(facts.Pages); pages < 4 || tables != pages || heads != pages {
		t.Errorf("%d tables with %d headers on %d pages", tables, heads, pages)
	}
}
