package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// lintOf lints a report of elements over a shop's data.
func lintOf(t *testing.T, elements, more string) []Finding {
	t.Helper()
	s, _ := newService(t, map[string]string{
		"reports/shop.json":       `{"name": "Shop", "pages": []}`,
		"dictionaries/words.json": `{"name": "Words", "entries": {"total": {"en": "Total"}}}`,
	})
	def, problems := report.ParseReport([]byte(`{"name": "Shop",
		"parameters": [{"name": "year", "type": "number", "default": 2026}, {"name": "period", "type": "month-range"}],
		"dataSources": [
			{"name": "shop", "type": "json", "settings": {"content": {"name": "Acme", "vat": null, "lines": [{"id": 1, "amount": 2, "address": {"city": "Wien"}, "tags": []}, {"id": 2, "note": "x"}]}}},
			{"name": "nothing", "type": "json", "settings": {"content": []}},
			{"name": "sums", "type": "javascript", "dependencies": ["$data.shop"], "settings": {"function": "() => $data.shop.lines.length + $params.year + ($params.period ? 1 : 0)"}}
			` + more + `],
		"title": "{$data.sums} {$data.nothing}",
		"pages": [{"id": 1, "name": "A", "elements": [` + elements + `]}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	if err := s.Check(def).Err(); err != nil {
		t.Fatal(err)
	}
	r, err := s.prepare(t.Context(), Request{Report: "shop", Definition: def})
	if err != nil {
		t.Fatal(err)
	}
	return s.lint(r)
}

const allOfIt = `"props": {"source": "$data.shop.lines", "columns": [{"field": "id"}, {"field": "amount"}, {"field": "address.city"}, {"text": "{$record.note} {$record.address.city}", "renderer": "text"}]}`

func TestLintRules(t *testing.T) {
	tests := []struct {
		name, elements, more string
		want                 []string // "rule path message…", the message's beginning
	}{
		{"nothing", `{"type": "text", "props": {"text": "{$data.shop.name} {$data.shop.lines.0.amount} {$data.shop.lines.length} {$params.year} {$params.period.from} {$dict.total} {$page.number}"}}`, "", nil},
		{"unknown to all rows, and to some", `{"type": "data-table", ` + allOfIt + `}`, "", nil},
		{"below null and in empty lists", `{"type": "text", "props": {"text": "{$data.shop.vat.number} {$data.nothing.0.id} {$data.shop.lines.7.any}"}}, {"type": "text", "repeat": {"source": "$data.nothing"}, "props": {"text": "{$it.record.id}"}}`, "", nil},
		{"braces of other languages", `{"type": "html", "props": {"html": "<p>{a: 1} {name} {x.y}</p>"}}`, "", nil},
		{
			"a source", `{"type": "text", "props": {"text": "{$data.shopp.name}"}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.text {$data.shopp.name}: there is no data source "shopp"; did you mean "shop"?`},
		},
		{
			"a member", `{"type": "text", "props": {"text": "{$data.shop.lines.0.amout:n;2}"}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.text {$data.shop.lines.0.amout:n;2} leads to no value: $data.shop.lines.0 has no field "amout"; did you mean "amount"?`},
		},
		{"a member that may be missing", `{"type": "text", "props": {"text": "{$data.shop.phone|none}"}}`, "", nil},
		{
			"a parameter and an entry", `{"type": "text", "visible": "{$params.yaer} > 2000", "props": {"text": "{$dict.totl}"}}`, "",
			[]string{`dead-binding pages[0].elements[0].visible {$params.yaer}: the report has no parameter "yaer"; there is year, period`, `dead-binding pages[0].elements[0].props.text {$dict.totl}: no dictionary has an entry "totl"; did you mean "total"?`},
		},
		{
			"in code", `{"type": "text", "props": {"text": "{[ $data.shpo.lines.map(l => l.amount) ]} {[ {$data.shop.nam} + 1 ]}"}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.text $data.shpo: there is no data source "shpo"`, `dead-binding pages[0].elements[0].props.text {$data.shop.nam} leads to no value`},
		},
		{
			"items of repeats", `{"type": "flow", "repeat": {"source": "{$data.shop.lines}", "alias": "line"}, "children": [{"type": "text", "props": {"text": "{$it.line.id} {$it.line.price} {$it.record.id}"}}, {"type": "text", "repeat": {"source": "$it.line.tags", "alias": "tag"}, "props": {"text": "{$it.tag.name} {$it.line.id}"}}]}`, "",
			[]string{`dead-binding pages[0].elements[0].children[0].props.text {$it.line.price} leads to no value: $it.line has no field "price"; there is id, amount, address, tags, note`, `dead-binding pages[0].elements[0].children[0].props.text {$it.record.id}: nothing around it repeats under the name "record"; there is line`},
		},
		{
			"fields of columns", `{"type": "data-table", "props": {"source": "$data.shop.lines", "columns": [{"field": "amounts"}, {"field": "address.town"}, {"renderer": "elements", "elements": [{"type": "text", "props": {"text": "{$record.ids}"}}]}], "groups": [{"field": "kind"}]}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.columns[0].field none of the rows has a field "amounts"; did you mean "amount"?`, `dead-binding pages[0].elements[0].props.columns[1].field none of the rows has a field "town"; there is city`, `dead-binding pages[0].elements[0].props.columns[2].elements[0].props.text {$record.ids} leads to no value`, `dead-binding pages[0].elements[0].props.groups[0].field none of the rows has a field "kind"`},
		},
		{"fields of the rows of a tree", `{"type": "data-table", "props": {"source": "$data.tree", "isTree": true, "childrenField": "below", "columns": [{"field": "name"}, {"field": "price"}]}}`, `, {"name": "tree", "type": "json", "settings": {"content": [{"name": "All", "below": [{"name": "One", "price": 1}]}]}}`, nil},
		{"fields that steps make", `{"type": "data-table", "props": {"source": "$data.shop.lines", "transform": [{"type": "compute", "as": "double", "expression": "{$record.amount} * 2"}], "columns": [{"field": "double"}]}}`, "", nil},
		{
			"fields of series", `{"type": "generic-chart", "props": {"altText": "Amounts", "source": "$data.shop.lines", "series": [{"xField": "id", "yField": "amout"}, {"chartType": "marker-line", "yField": "12.5"}, {"source": "$data.nothing", "yField": "any"}], "legend": {"template": "{$record.name}"}}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.series[0].yField none of the rows has a field "amout"`},
		},
		{"items that components give", `{"type": "list", "props": {"source": "$data.shop.lines", "itemTemplate": "{$it.item.id}"}}, {"type": "pie-chart", "props": {"altText": "Shares", "source": "$data.shop.lines", "nameField": "id", "valueField": "amount", "valueTemplate": "{$it.slice.share:p} {$record.id}"}}`, "", nil},
		{
			"rows of a table by hand", `{"type": "table", "props": {"rows": [{"repeat": {"source": "$data.shop.lines", "alias": "l"}, "visible": "{$it.l.amount} > 0", "cells": [{"value": "{$it.l.id} {$record.id} {$it.l.sum}"}]}]}}`, "",
			[]string{`dead-binding pages[0].elements[0].props.rows[0].cells[0].value {$it.l.sum} leads to no value`},
		},
		{
			"alternative texts", `{"type": "img", "props": {"imageUrl": "a.png"}}, {"type": "img", "props": {"imageUrl": "a.png", "decorative": true}}, {"type": "img", "props": {"imageUrl": "a.png", "altText": "{$data.shop.name}"}}, {"type": "pie-chart", "props": {"source": "$data.nothing"}}`, "",
			[]string{"alt-text pages[0].elements[0].props.altText people who do not see this image get nothing", "alt-text pages[0].elements[3].props.altText people who do not see this pie chart"},
		},
		{
			"headings", `{"type": "heading", "props": {"level": "H2", "title": "A"}}, {"type": "flow", "children": [{"type": "heading", "props": {"level": "H4", "title": "B"}}]}, {"type": "heading", "props": {"level": "H2", "title": " "}}, {"type": "html", "props": {"html": "<h2>C</h2>"}}, {"type": "heading", "props": {"level": "H3", "title": "D"}}`, "",
			[]string{"heading-order pages[0].elements[1].children[0].props.level an H4 after an H2 → pages[0].elements[1].children[0].props.level=H3", "empty-text pages[0].elements[2].props.title the heading is empty"},
		},
		{
			"footers that are off", `{"type": "data-table", "props": {"source": "$data.shop.lines", "columns": [{"field": "id"}, {"field": "amount", "footer": {"aggregate": "sum"}}]}}, {"type": "data-table", "props": {"source": "$data.shop.lines", "footer": {"enabled": true}, "columns": [{"field": "amount", "footer": {"aggregate": "sum"}}]}}, {"type": "data-table", "props": {"source": "$data.shop.lines", "groups": [{"field": "id", "footer": {"enabled": true}}], "columns": [{"field": "amount", "footer": {"aggregate": "sum"}}]}}, {"type": "data-table", "props": {"source": "$data.shop.lines", "columns": [{"field": "amount", "footer": {"enabled": false, "aggregate": "sum"}}]}}`, "",
			[]string{"hidden-footer pages[0].elements[0].props.columns[1].footer the column has a footer, but that of the table is off → pages[0].elements[0].props.footer.enabled=true"},
		},
		{
			"sums of running totals", `{"type": "data-table", "props": {"source": "$data.shop.lines", "footer": {"enabled": true}, "columns": [{"title": "Balance", "field": "amount", "runningTotal": "table", "footer": {"aggregate": "sum"}, "groupFooters": [{"aggregate": "average"}]}, {"field": "amount", "runningTotal": "table", "footer": {"aggregate": "sum", "aggregateField": "amount"}}, {"field": "amount", "runningTotal": "group", "footer": {"aggregate": "last"}}, {"field": "amount", "runningTotal": "none", "footer": {"aggregate": "sum"}}]}}`, "",
			[]string{`running-sum pages[0].elements[0].props.columns[0].footer.aggregate column "Balance" prints running totals, and its sum is that of these totals`, `running-sum pages[0].elements[0].props.columns[0].groupFooters[0].aggregate column "Balance" prints running totals, and its average`},
		},
		{
			"placeholders that are none", `{"type": "text", "props": {"text": "{$params.year\n:n} of {$params.year}"}}, {"type": "text", "props": {"text": "open {$data.shop.name"}}, {"type": "text", "props": {"text": "{{$x}} {$data.shop.name:s}"}}`, "",
			[]string{"dead-binding pages[0].elements[0].props.text {$params.year is no placeholder and prints as it is", "dead-binding pages[0].elements[1].props.text {$data.shop.name is no placeholder"},
		},
		{
			"links", `{"type": "link", "props": {"text": "", "href": "https://example.com"}}, {"type": "link", "props": {"text": "Shop"}}`, "",
			[]string{"empty-text pages[0].elements[0].props.text the link has no text", "empty-text pages[0].elements[1].props.href the link leads nowhere"},
		},
		{
			"weak colours", `{"type": "text", "props": {"text": "a", "color": "#999"}}, {"type": "flow", "props": {"background": "var(--primary)"}, "children": [{"type": "text", "props": {"text": "b"}}, {"type": "text", "props": {"text": "c", "color": "#fff"}}]}`, "",
			[]string{"contrast pages[0].elements[0].props.color the text in #999 on #ffffff has a contrast of 2.8 to 1, and 4.5 is needed → pages[0].elements[0].props.color=<nil>", "contrast pages[0].elements[1].children[0] the text in #1f2430 on var(--primary)"},
		},
		{
			"a colour that would be no better", `{"type": "text", "props": {"text": "a", "color": "#444", "background": "#222"}}`, "",
			[]string{"contrast pages[0].elements[0].props.color the text in #444 on #222 has a contrast of 1.6 to 1 → "},
		},
		{"colours on a picture", `{"type": "watermark", "props": {"imageUrl": "cover.png"}}, {"type": "text", "props": {"text": "a", "color": "#fff"}}`, "", nil},
		{"colours that are strong enough or cannot be told", `{"type": "text", "props": {"text": "a", "color": "#777", "fontSize": "20pt"}}, {"type": "text", "props": {"text": "a", "color": "rgba(0,0,0,.2)"}}, {"type": "text", "props": {"text": "a", "color": "#999", "class": "stamp"}}, {"type": "text", "props": {"text": "a", "color": "#999", "style": "background: #000"}}, {"type": "text", "props": {"text": "a", "color": "{$data.shop.name}"}}`, "", nil},
		{
			"small text", `{"type": "text", "props": {"text": "a", "fontSize": "6pt"}}, {"type": "flow", "children": [{"type": "paragraph", "props": {"text": "b", "fontSize": "8px"}}]}, {"type": "text", "props": {"text": "c", "fontSize": "6.5pt"}}, {"type": "text", "props": {"text": "d", "style": "font-size: 4pt"}}`, "",
			[]string{"small-text pages[0].elements[0].props.fontSize the text is set in 6 pt, which few people read easily; 6.5 pt is the least for notes, and 9 pt for what is read → pages[0].elements[0].props.fontSize=6.5pt", "small-text pages[0].elements[1].children[0].props.fontSize the text is set in 6 pt"},
		},
		{
			"typefaces", `{"type": "text", "props": {"text": "a"}}, {"type": "text", "props": {"text": "b", "fontFamily": "'Source Serif 4', serif"}}, {"type": "heading", "props": {"level": "H1", "title": "c", "fontFamily": "Lora"}}, {"type": "text", "props": {"text": "d", "fontFamily": "lora"}}, {"type": "text", "props": {"text": "e", "fontFamily": "Noto Sans Hebrew"}}, {"type": "text", "props": {"text": "f", "fontFamily": "var(--own)"}}`, "",
			[]string{"typefaces pages[0].elements[2].props.fontFamily Lora is one more typeface beside Inter and Source Serif 4; two are enough: take one of these, and set apart by size and weight → pages[0].elements[2].props.fontFamily=<nil>"},
		},
		{
			"numbers that do not line up", `{"type": "data-table", "props": {"source": "$data.prices", "columns": [{"title": "Price", "field": "price", "align": "center"}, {"field": "year", "align": "center"}, {"field": "name", "align": "left"}, {"field": "price"}, {"field": "price", "align": "right"}, {"field": "price", "align": "left", "renderer": "text", "text": "{$record.name}"}]}}, {"type": "data-table", "props": {"source": "$data.prices", "transform": [{"type": "compute", "as": "price", "expression": "'a'"}], "columns": [{"field": "price", "align": "left"}]}}`,
			`, {"name": "prices", "type": "json", "settings": {"content": [{"name": "Nut", "price": 9.5, "year": 2025}, {"name": "Bolt", "price": 112.25, "year": 2026}]}}`,
			[]string{`numbers pages[0].elements[0].props.columns[0].align the numbers of column "Price" are of different lengths and do not line up; left to the table, they stand at the right → pages[0].elements[0].props.columns[0].align=<nil>`},
		},
		{
			"sources", `{"type": "spacer"}`, `, {"name": "idle", "type": "json", "settings": {"content": []}}, {"name": "sloppy", "type": "javascript", "settings": {"function": "() => $data.shop"}}, {"name": "used", "type": "transformation", "dependencies": ["$data.sloppy"], "settings": {"source": "sloppy", "steps": []}}`,
			[]string{`unused-source dataSources[3] nothing reads the data source "idle"`, `unused-source dataSources[5] nothing reads the data source "used"`, `undeclared-dependency dataSources[4].dependencies the data source "sloppy" reads $data.shop; add it`},
		},
		{
			"names", `{"type": "text", "name": "Total", "props": {"text": "a"}}, {"type": "flow", "children": [{"type": "text", "name": "Total", "props": {"text": "b"}}]}`, "",
			[]string{`duplicate-name pages[0].elements[1].children[0].name the element name "Total" stands twice`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := lintOf(t, test.elements, test.more)
			for i, f := range got {
				line := fmt.Sprintf("%s %s %s", f.Rule, f.Path, f.Message)
				repair := ""
				if f.Repair != nil {
					repair = fmt.Sprintf("%s=%v", f.Repair.Path, f.Repair.Value)
				}
				var want, mended string
				if i < len(test.want) {
					want, mended, _ = strings.Cut(test.want[i], " → ")
				}
				if want == "" || !strings.HasPrefix(line, want) || mended != "" && repair != mended {
					t.Errorf("found %s → %s", line, repair)
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("%d findings, want %d", len(got), len(test.want))
			}
		})
	}
}

func TestUnusedParameters(t *testing.T) {
	def, problems := report.ParseReport([]byte(`{"name": "Shop", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "visible": "{$params.inText}", "props": {"text": "{[ $params.inCode ]}"}}]}],
		"parameters": [{"name": "inText"}, {"name": "inCode"}, {"name": "inSQL"}, {"name": "declared"}, {"name": "shown", "display": true}, {"name": "leads"}, {"name": "idle"},
			{"name": "region", "lookupSource": {"type": "javascript", "settings": {"function": "() => []"}, "dependencies": ["$params.leads"]}}],
		"dataSources": [{"name": "x", "type": "sql", "dependencies": ["$params.declared"], "settings": {"query": "select 1 where a = :inSQL"}}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	in := &LintInput{Report: def, Sources: def.DataSources, Params: report.ObjectOf(), Words: report.ObjectOf(), Data: report.ObjectOf()}
	for _, p := range def.Parameters {
		in.Parameters = append(in.Parameters, p.Parameter)
	}
	var names []string
	for _, f := range Lint(in) {
		if f.Rule == RuleUnusedParameter {
			names = append(names, f.Path)
		}
	}
	if got := strings.Join(names, " "); got != "parameters[6] parameters[7]" {
		t.Errorf("unused: %s", got)
	}
	def.Subreport = true
	for _, f := range Lint(in) {
		if f.Rule == RuleUnusedParameter {
			t.Errorf("of a subreport, whose parameters belong to who uses it: %v", f)
		}
	}
}

// TestDoubledNames takes a definition as the designer sends it, which nothing has
// checked for them.
func TestDoubledNames(t *testing.T) {
	use := report.SourceUse{DataSource: report.DataSource{Name: "orders", Type: "json"}}
	def := &report.Report{Name: "Shop", DataSources: []report.SourceUse{use, use}, Parameters: []report.ParameterUse{{Reuse: "year"}, {Parameter: report.Parameter{Name: "year"}}}}
	var paths []string
	for _, f := range Lint(&LintInput{Report: def, Sources: def.DataSources, Params: report.ObjectOf(), Words: report.ObjectOf(), Data: report.ObjectOf()}) {
		if f.Rule == RuleDuplicateName {
			paths = append(paths, f.Path)
		}
	}
	if got := strings.Join(paths, " "); got != "dataSources[1].name parameters[1].name" {
		t.Errorf("found %s", got)
	}
}

// TestNothingIsSaidOfWhatDidNotLoad lints what a source that was not ready leaves
// behind.
func TestNothingIsSaidOfWhatDidNotLoad(t *testing.T) {
	def, problems := report.ParseReport([]byte(`{"name": "Shop", "dataSources": [{"name": "late", "type": "api", "settings": {"url": "https://example.com"}}], "pages": [{"id": 1, "name": "A", "elements": [
		{"type": "text", "props": {"text": "{$data.late.total}"}}, {"type": "text", "repeat": {"source": "$data.late"}, "props": {"text": "{$it.record.total}"}},
		{"type": "data-table", "props": {"source": "$data.late", "columns": [{"field": "total"}]}}]}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	if found := Lint(&LintInput{Report: def, Sources: def.DataSources, Params: report.ObjectOf(), Words: report.ObjectOf(), Data: report.ObjectOf()}); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// BenchmarkLint looks at a page of three hundred elements, as every edit does.
func BenchmarkLint(b *testing.B) {
	s, _ := newService(b, map[string]string{"reports/shop.json": `{"name": "Shop", "dataSources": [{"name": "shop", "type": "json", "settings": {"content": {"lines": [{"amount": 1}]}}}],
		"pages": [{"id": 1, "name": "A", "elements": [` + strings.Repeat(`{"type": "text", "props": {"text": "{$data.shop.lines.0.amount:n;2}", "color": "var(--primary)"}},`, 299) + `{"type": "spacer"}]}]}`})
	r, err := s.prepare(b.Context(), Request{Report: "shop"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if found := s.lint(r); len(found) != 0 {
			b.Fatal(found)
		}
	}
}
