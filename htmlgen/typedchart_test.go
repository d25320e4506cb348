package htmlgen

import (
	"context"
	"encoding/json"
	"html"
	"regexp"
	"testing"
)

var chartAttr = regexp.MustCompile(` data-chart="([^"]*)"`)

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
		"lanes":              {`"swimlanes":{"enabled":true},"series":[` + stack + `]`, "lanes"},
	} {
		in := chartInput(t, "generic-chart", `[{"c":"A","v":3,"w":4},{"c":"B","v":5,"w":6}]`, c.props)
		in.Charted = true
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		found := chartAttr.FindSubmatch(doc.HTML)
		if found == nil {
			t.Fatalf("%s: the chart does not say what it shows (%v)", name, doc.Warnings)
		}
		var mark chartMark
		if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &mark); err != nil {
			t.Fatal(err)
		}
		if mark.Lacks != c.lacks {
			t.Errorf("%s: Office does not draw %q; want %q", name, mark.Lacks, c.lacks)
		}
	}
}
