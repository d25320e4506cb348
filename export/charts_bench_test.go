package export

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// BenchmarkCharts renders whole reports of one native chart, beside the same
// data drawn by ECharts in a warm script child. The issue asks for times-echarts
// of at most 0.05.
func BenchmarkCharts(b *testing.B) {
	var months, wave []any
	for m := range 12 {
		months = append(months, report.ObjectOf("m", time.Month(m+1).String(), "a", int64(100+m*7), "b", int64(80+m*3), "c", int64(60+m)))
	}
	for i := range 1000 {
		wave = append(wave, report.ObjectOf("x", int64(i), "y", math.Sin(float64(i)/30)))
	}
	var columns []any
	for _, f := range []string{"a", "b", "c"} {
		columns = append(columns, report.ObjectOf("name", f, "chartType", "column", "xField", "m", "yField", f))
	}
	line := []any{report.ObjectOf("name", "wave", "chartType", "line", "xField", "x", "yField", "y")}
	for _, c := range []struct {
		name   string
		rows   []any
		native report.Element
		option string
	}{
		{
			"columns-12x3", months,
			report.Element{Type: "generic-chart", Props: map[string]any{"series": columns}},
			`() => ({xAxis: {type: 'category', data: $data.rows.map(r => r.m)}, yAxis: {}, legend: {}, series: ['a', 'b', 'c'].map(f => ({name: f, type: 'bar', data: $data.rows.map(r => r[f])}))})`,
		},
		{
			"line-1000", wave,
			report.Element{Type: "generic-chart", Props: map[string]any{"series": line}},
			`() => ({xAxis: {}, yAxis: {}, series: [{type: 'line', data: $data.rows.map(r => [r.x, r.y])}]})`,
		},
		{
			"pie-12", months,
			report.Element{Type: "pie-chart", Props: map[string]any{"nameField": "m", "valueField": "a"}},
			`() => ({series: [{type: 'pie', data: $data.rows.map(r => ({name: r.m, value: r.a}))}]})`,
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.native.Props["source"] = "$data.rows"
			other := report.Element{Type: "advanced-chart", Props: map[string]any{"options": c.option}}
			s, _ := newService(b, map[string]string{"reports/native.json": benchChart(c.native, c.rows), "reports/echarts.json": benchChart(other, c.rows)})
			render := func(name string) time.Duration {
				began := time.Now()
				if _, warnings := bodyOf(b, s, Request{Report: name}); warnings != "" {
					b.Fatal(warnings)
				}
				return time.Since(began)
			}
			render("native")
			render("echarts")
			var native, echarts time.Duration
			for b.Loop() {
				native += render("native")
				echarts += render("echarts")
			}
			b.ReportMetric(float64(native.Microseconds())/1e3/float64(b.N), "native-ms")
			b.ReportMetric(float64(echarts.Microseconds())/1e3/float64(b.N), "echarts-ms")
			b.ReportMetric(float64(native)/float64(echarts), "times-echarts")
		})
	}
}

func benchChart(e report.Element, rows []any) string {
	props := report.ObjectOf("width", "640px", "height", "320px")
	for name, value := range e.Props {
		props.Set(name, value)
	}
	def, err := report.MarshalDefinition(report.ObjectOf("name", "Chart", "pages", []any{report.ObjectOf("id", int64(1), "name", "A", "elements", []any{report.ObjectOf("id", "c", "type", e.Type, "props", props)})},
		"dataSources", []any{report.ObjectOf("name", "rows", "type", "json", "settings", report.ObjectOf("content", rows))}))
	if err != nil {
		panic(fmt.Sprint("benchmark definition: ", err))
	}
	return string(def)
}
