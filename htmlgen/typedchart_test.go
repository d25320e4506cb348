package htmlgen

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

var chartAttr = regexp.MustCompile(` data-chart="([^"]*)"`)

// markOf is what the chart of a document says of itself for Office.
func markOf(t *testing.T, name string, in *Input) (mark chartMark) {
	t.Helper()
	in.Charted = true
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	found := chartAttr.FindSubmatch(doc.HTML)
	if found == nil {
		t.Fatalf("%s: the chart does not say what it shows (%v)", name, doc.Warnings)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &mark); err != nil {
		t.Fatal(err)
	}
	return mark
}

// TestLabelsInOffice have their own format, and those of lines across the name of the series.
func TestLabelsInOffice(t *testing.T) {
	for name, c := range map[string]struct {
		field, series, code string
		named               bool
		sizes               string
	}{
		"as the axis":    {field: "sold", series: `"chartType":"column","labels":{"enabled":true}`},
		"money":          {field: "sold", series: `"chartType":"column","labels":{"enabled":true,"format":"c;EUR;0"}`, code: `[$€]#,##0;"−"[$€]#,##0`},
		"shortened":      {field: "sold", series: `"chartType":"line","labels":{"enabled":true,"format":"n;0;0;c"}`, code: `[>=999.5]0,"K";#,##0`},
		"off":            {field: "sold", series: `"chartType":"line","labels":{"format":"n;0;0;c"}`},
		"a line across":  {field: "sold", series: `"chartType":"marker-line","name":"Goal","labels":{"enabled":true}`, named: true},
		"its value then": {field: "sold", series: `"chartType":"marker-line","name":"Goal","labels":{"enabled":true,"format":"n;1;1"}`, code: `#,##0.0;"−"#,##0.0`},
		"of many sizes": {
			field: "people", series: `"chartType":"column","labels":{"enabled":true,"format":"n;0;0;c"}`, code: `[>=999500000]0,,,"B";[>=999500]0,,"M";#,##0`,
			sizes: `[{0 #,##0;"−"#,##0} {999.5 0,"K";"−"0,"K"} {999500 0,,"M";"−"0,,"M"} {9.995e+08 0,,,"B";"−"0,,,"B"}]`,
		},
		"below zero": {
			field: "result", series: `"chartType":"column","labels":{"enabled":true,"format":"c;EUR;1;1;c"}`, code: `[>=999.95][$€]0.0,"K";[$€]#,##0.0`,
			sizes: `[{0 [$€]#,##0.0;"−"[$€]#,##0.0} {999.95 [$€]0.0,"K";"−"[$€]0.0,"K"}]`,
		},
	} {
		in := chartInput(t, "generic-chart", `[{"c":"A","sold":1500,"people":5000,"result":-1500},{"c":"B","sold":20,"people":5e9,"result":20}]`, `"series":[{"xField":"c","yField":"`+c.field+`",`+c.series+`}]`)
		mark := markOf(t, name, in)
		sizes := ""
		if s := mark.Series[0]; s.Sizes != nil {
			sizes = fmt.Sprint(s.Sizes)
		}
		if s := mark.Series[0]; s.Code != c.code || s.Named != c.named || sizes != c.sizes {
			t.Errorf("%s: the labels are written by %q, %s and named %v; want %q, %s and %v", name, s.Code, sizes, s.Named, c.code, c.sizes, c.named)
		}
	}
}

func TestLabelsOfPiesInOffice(t *testing.T) {
	for template, want := range map[string]struct {
		names, shares, more bool
	}{
		"": {},
		"{$it.slice.name}: {$it.slice.share:p;1;1}": {names: true, shares: true},
		"{$record.c} ({ $it.slice.share })":         {names: true, shares: true},
		"{$it.slice.value:c;EUR}":                   {more: true},
		"Share {$it.slice.share:p}":                 {shares: true, more: true},
		"{$it.slice.number}. {$it.slice.name}":      {names: true, more: true},
	} {
		p := pieChartProps{ValueTemplate: template, NameField: "c"}
		if names, shares, more := p.said(); names != want.names || shares != want.shares || more != want.more {
			t.Errorf("%q says names %v, shares %v, more %v; want %+v", template, names, shares, more, want)
		}
	}
	for value, want := range map[string]string{"{$it.slice.share}": `"categories":["B 5","A 3"]`, "{$it.slice.name}": `"lacks":"labels beside a legend that says more"`} {
		in := chartInput(t, "pie-chart", `[{"c":"A","v":3},{"c":"B","v":5}]`, `"nameField":"c","valueField":"v","legend":{"position":"right"},"legendEntryTemplate":"{$it.slice.name} {$it.slice.value}","valueTemplate":"`+value+`"`)
		in.Charted = true
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(html.UnescapeString(string(doc.HTML)), want) {
			t.Errorf("the legend of a template is not in Office:\n%s", doc.HTML)
		}
	}
}

// TestChartsSayWhatOfficeDoesNotDraw: then they are pictures there, with all that they
// show; else it would be missing from charts of Office without a word.
func TestChartsSayWhatOfficeDoesNotDraw(t *testing.T) {
	const (
		stack  = `{"chartType":"column","xField":"c","yField":"v","stacked":true,"labels":{"enabled":true}}`
		summed = `{"chartType":"column","xField":"c","yField":"w","stacked":true,"labels":{"total":true}}`
	)
	for name, c := range map[string]struct{ props, lacks string }{
		"a stack":            {`"series":[` + stack + `,` + stack + `]`, ""},
		"sums of a stack":    {`"series":[` + stack + `,` + summed + `]`, "sums at the ends of its stacks"},
		"sums of bars":       {`"series":[{"chartType":"bar","xField":"c","yField":"v","stacked":true,"labels":{"total":true}}]`, "sums at the ends of its stacks"},
		"shares have no sum": {`"yAxis":{"normalised":true},"series":[` + stack + `,` + summed + `]`, ""},
		"no stack, no sum":   {`"series":[{"chartType":"column","xField":"c","yField":"v","labels":{"total":true}}]`, ""},
		"lines have no sum":  {`"series":[{"chartType":"line","xField":"c","yField":"v","stacked":true,"labels":{"total":true}}]`, ""},
		"ranges":             {`"series":[{"chartType":"range","xField":"c","yField":"v","y0Field":"w"}]`, "ranges"},
		"texts as labels":    {`"series":[{"chartType":"column","xField":"c","yField":"v","labels":{"enabled":true,"template":"{$record.c}"}}]`, "labels that a template writes"},
		"lanes":              {`"swimlanes":{"enabled":true},"series":[` + stack + `]`, "lanes"},
	} {
		in := chartInput(t, "generic-chart", `[{"c":"A","v":3,"w":4},{"c":"B","v":5,"w":6}]`, c.props)
		mark := markOf(t, name, in)
		if mark.Lacks != c.lacks {
			t.Errorf("%s: Office does not draw %q; want %q", name, mark.Lacks, c.lacks)
		}
	}
}
