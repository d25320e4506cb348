package export

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// chartReport is a report of advanced charts, one a function.
func chartReport(functions ...string) string {
	var elements []any
	for i, f := range functions {
		elements = append(elements, report.ObjectOf("id", fmt.Sprint("c", i), "type", "advanced-chart", "props", report.ObjectOf("options", f, "width", "320px", "height", "200px")))
	}
	def, _ := report.MarshalDefinition(report.ObjectOf("name", "Charts", "pages", []any{report.ObjectOf("id", int64(1), "name", "A", "elements", elements)},
		"dataSources", []any{report.ObjectOf("name", "sales", "type", "json", "settings", report.ObjectOf("content", []any{
			report.ObjectOf("month", "Jan", "value", int64(12), "day", "2026-03-28"), report.ObjectOf("month", "Feb", "value", int64(-7), "day", "2026-03-30"),
		}))}))
	return string(def)
}

func TestAdvancedChartsAreDrawnOnTheServer(t *testing.T) {
	s, _ := newServiceFor(t, map[string]string{"reports/charts.json": chartReport(
		`({$data}) => ({xAxis: {type: 'category', data: $data.sales.map(s => s.month)}, yAxis: {}, series: [{type: 'bar', color: 'var(--accent)', label: {show: true, formatter: p => 'v' + p.value}, data: $data.sales.map(s => s.value)}]})`,
		`() => ({xAxis: {type: 'time'}, yAxis: {}, series: [{type: 'line', areaStyle: {}, data: $data.sales.map(s => [s.day, s.value])}]})`,
		`return {series: [{type: 'pie', data: [{name: 'North', value: 3}, {name: 'South', value: 5}]}]}`,
		`() => ({series: [{type: 'sankey', data: [{name: 'a'}, {name: 'b'}], links: [{source: 'a', target: 'b', value: 3}]}]})`,
		`() => ({series: [{type: 'gauge', data: [{value: 42, name: 'Score'}]}]})`,
		`() => ({xAxis: {type: 'category'}, yAxis: {type: 'category'}, visualMap: {min: 0, max: 9}, series: [{type: 'heatmap', label: {show: true}, data: [['a', 'b', 3], ['c', 'b', 9]]}],
			graphic: [{type: 'text', left: 10, top: 10, style: {text: 'In the font of the page', fontSize: 20}}]})`,
	)}, time.Minute) // six drawings take that long on a busy machine, and are what is to be seen here
	first, warnings := bodyOf(t, s, Request{Report: "charts", Timezone: "Europe/Belgrade"})
	if warnings != "" {
		t.Errorf("warnings: %s", warnings)
	}
	for _, want := range []string{">Jan</text>", ">v12</text>", `fill="#c7772e"`, ">North</text>", ">Score</text>", ">a</text>", "Inter"} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(first, "paint-order") {
		t.Error("labels are outlined, which makes Type 3 fonts")
	}
	if text := regexp.MustCompile(`<text[^>]*>In the font of the page`).FindString(first); text == "" || strings.Contains(text, "font-family") {
		t.Errorf("text of no font has one of its own: %s", text)
	}
	if n := strings.Count(first, "<svg"); n != 6 {
		t.Errorf("%d drawings of 6", n)
	}
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(first, -1) {
		if n := strings.Count(first, id[0]); n != 1 {
			t.Errorf("the id %s stands %d times", id[1], n)
		}
	}
	if second, _ := bodyOf(t, s, Request{Report: "charts", Timezone: "Europe/Belgrade"}); second != first {
		t.Error("the same charts were drawn differently")
	}
}

func TestAdvancedChartsThatCannotBeDrawn(t *testing.T) {
	for function, want := range map[string]string{
		`() => { throw new Error("no data yet") }`: "no data yet",
		`() => $data.sales.nothing.x`:              "line 1",
		`() => undefined`:                          "must return the option object",
		`() => [1]`:                                "must return the option object of an ECharts chart, not a list",
		`() => { for (;;); }`:                      "longer than",
		`() => ({xAxis: {type: 'category'}, yAxis: {}, series: [{type: 'bar', data: [1], label: {show: true, formatter() { for (;;); }}}]})`: "longer than",
		`() => { const all = []; for (let i = 0; ; i++) all.push("x".repeat(1 << 20) + i) }`:                                                 "memory|longer than", // whichever limit a busy machine meets first
		`() => ({`: "line 1",
	} {
		s, _ := newService(t, map[string]string{"reports/charts.json": chartReport(function)})
		html, warnings := bodyOf(t, s, Request{Report: "charts"})
		if !regexp.MustCompile(want).MatchString(warnings) || !strings.Contains(warnings, `advanced-chart "c0"`) || !strings.Contains(html, "q-missing") {
			t.Errorf("%s: warnings: %s", function, warnings)
		}
	}
}
