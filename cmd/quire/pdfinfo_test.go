package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// TestWhatAFileTellsOfItsDocument exports a report with a cover that does not
// count, in all kinds of PDF: information, outline and page labels are there.
func TestWhatAFileTellsOfItsDocument(t *testing.T) {
	def, problems := report.ParseReport([]byte(`{"version": 1, "name": "Budget", "title": "Budget {$data.b.year}", "author": "Department {$data.b.unit}", "subject": "Income & spending", "keywords": "budget, {$data.b.year}",
		"dataSources": [{"name": "b", "type": "json", "settings": {"content": {"year": 2027, "unit": "Ödland"}}}],
		"pages": [
			{"id": 1, "name": "Cover", "count": false, "elements": [{"type": "heading", "props": {"level": "H1", "title": "Budget", "includeInToc": false}}]},
			{"id": 2, "name": "Income", "elements": [{"type": "heading", "props": {"level": "H1", "title": "Income", "autoNumber": true}}, {"type": "heading", "props": {"level": "H2", "title": "Taxes", "autoNumber": true}}]},
			{"id": 3, "name": "Spending", "elements": [{"type": "heading", "props": {"level": "H1", "title": "Spending"}}]}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	c := newPageCheck(t, &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}}, Reports: []report.NamedReport{{Code: "budget", Report: *def}}})
	for name, req := range map[string]export.Request{"plain": {}, "accessible": {ExportOptions: report.ExportOptions{Accessible: true}}, "pdf/a-2b": {ExportOptions: report.ExportOptions{Conformance: "pdf/a-2b"}}, "pdf/a-2a": {ExportOptions: report.ExportOptions{Conformance: "pdf/a-2a"}}, "pdf/a-3b": {ExportOptions: report.ExportOptions{Conformance: "pdf/a-3b"}}} {
		t.Run(name, func(t *testing.T) {
			req.Report = "budget"
			content, _ := finished(t, c.service, req)
			facts, err := pdf.ReadFacts(context.Background(), content, "")
			if err != nil {
				t.Fatal(err)
			}
			if facts.Title != "Budget 2027" || facts.Author != "Department Ödland" || facts.Subject != "Income & spending" || facts.Keywords != "budget, 2027" || facts.Creator != "Quire" {
				t.Errorf("information is\n%s", facts)
			}
			want := []pdf.OutlineFacts{{Level: 1, Title: "1 Income", Page: 2}, {Level: 2, Title: "1.1 Taxes", Page: 2}, {Level: 1, Title: "Spending", Page: 3}}
			if !slices.Equal(facts.Outline, want) {
				t.Errorf("outline is %v, want %v", facts.Outline, want)
			}
			plain := strings.Join(strings.Fields(string(inflated(t, content))), " ")
			labels := regexp.MustCompile(`/PageLabels << /Nums \[ (.*?) \] >>`).FindStringSubmatch(plain)
			if len(labels) != 2 || labels[1] != "0 << >> 1 << /S /D /St 1 >>" {
				t.Errorf("page labels are %q", labels)
			}
			for _, s := range []string{"<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Budget 2027<", "Income &amp; spending", "<pdf:Keywords>budget, 2027<", "Department Ödland"} {
				if !strings.Contains(plain, s) {
					t.Errorf("the metadata do not say %s", s)
				}
			}
		})
	}
}
