package htmlgen

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheTableOfAChartHasWhatItShows(t *testing.T) {
	for _, c := range []struct{ kind, rows, props, want string }{
		{
			"generic-chart", `[{"c":"B","v":1},{"c":"A","v":2.25},{"c":"B","v":3}]`, `"series":[{"chartType":"column","xField":"c","yField":"v"},{"name":"<Half>","chartType":"line","xField":"c","yField":"v","aggregate":"each"}]`,
			"c|v|&lt;Half&gt; B|4|1 B||3 A|2.25|2.25",
		},
		{
			"generic-chart", `[{"c":"2026-03-02","v":1},{"c":"2026-03-01","v":null}]`, `"yAxis":{"format":"currency;EUR"},"series":[{"name":"Cost","xField":"c","yField":"v"}]`,
			"c|Cost 3/1/2026| 3/2/2026|€1.00",
		},
		{"generic-chart", `[{"c":1,"v":2},{"c":1,"v":3}]`, `"series":[{"chartType":"scatter","xField":"c","yField":"v"}]`, "c|v 1|2 1|3"},
		{"generic-chart", `[]`, `"series":[{"xField":"c","yField":"v"}]`, ""},
		{"pie-chart", `[{"name":"A","value":1},{"name":"B","value":3}]`, `"legend":{"position":"none"}`, "name|value|% A|1|25% B|3|75%"},
	} {
		html, _ := drawn(t, c.kind, c.rows, c.props+`,"dataTable":true`)
		_, table, _ := strings.Cut(html, `<div class="q-chart-data"`)
		table, _, _ = strings.Cut(table, "</div>")
		var rows []string
		for row := range strings.SplitSeq(table, "</tr>") {
			var cells []string
			for _, cell := range strings.Split(strings.ReplaceAll(row, "</th>", "</td>"), "</td>") {
				if at := strings.LastIndexByte(cell, '>'); at >= 0 && strings.Contains(cell, "<t") {
					cells = append(cells, cell[at+1:])
				}
			}
			if len(cells) > 1 {
				rows = append(rows, strings.Join(cells, "|"))
			}
		}
		if got := strings.Join(rows, " "); got != c.want {
			t.Errorf("%s of %s: %q instead of %q", c.props, c.rows, got, c.want)
		}
	}
}

func TestTheTableOfAChartHasABound(t *testing.T) {
	var rows []string
	for i := range 1200 {
		rows = append(rows, fmt.Sprintf(`{"c":%d,"v":1}`, i))
	}
	html, warnings := drawn(t, "generic-chart", "["+strings.Join(rows, ",")+"]", `"series":[{"xField":"c","yField":"v"}],"dataTable":true`)
	if n := strings.Count(html, `<th scope="row">`); n != 1000 || !strings.Contains(warnings, "the first 1000 of 1200 rows") {
		t.Errorf("%d rows: %s", n, warnings)
	}
}

func TestFieldsThatNoRowHasAreToldOf(t *testing.T) {
	const rows = `[{"c":"A","v":1}]`
	for _, c := range []struct{ kind, props, want string }{
		{"generic-chart", `"series":[{"chartType":"range","xField":"c","yField":"v","y0Field":"w"}]`, `series[0].y0Field: generic-chart: no row has a field "w"`},
		{"generic-chart", `"series":[{"chartType":"range","xField":"c","yField":"v","y0Field":"0"}]`, ""},
		{"pie-chart", `"nameField":"c","valueField":"v","colorMap":{"field":"colour"}`, `colorMap.field: pie-chart: no row has a field "colour"`},
	} {
		if _, warnings := drawn(t, c.kind, rows, c.props); (warnings != "") != (c.want != "") || !strings.Contains(warnings, c.want) {
			t.Errorf("%s: %s", c.props, warnings)
		}
	}
}
