package htmlgen

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// drawn compiles a chart of rows and gives its markup and the warnings.
func drawn(t *testing.T, typ, rows, props string) (html, warnings string) {
	t.Helper()
	doc, err := Compile(context.Background(), chartInput(t, typ, rows, props))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Warnings) > 0 {
		warnings = doc.Warnings.Error()
	}
	html = string(doc.HTML)
	return html[strings.Index(html, "<figure"):], warnings
}

// chartInput is a report of one chart.
func chartInput(t *testing.T, typ, rows, props string) *Input {
	t.Helper()
	e, problems := report.Parse[report.Element]([]byte(`{"type":"` + typ + `","props":{"source":"$data.r","width":"300px","height":"180px",` + props + `}}`))
	if problems != nil {
		t.Fatal(problems)
	}
	in := testInput(t, []report.Element{*e})
	data, err := report.ParseValue([]byte(`{"r":` + rows + `}`))
	if err != nil {
		t.Fatal(err)
	}
	in.Data = data.(*report.Object)
	return in
}

const twice = `[{"c":"A","v":100},{"c":"B","v":50},{"c":"A","v":30},{"c":"B","v":null}]`

func TestRepeatedCategoriesBecomeOneValue(t *testing.T) {
	for _, c := range []struct{ how, want string }{
		{``, "130 50"},
		{`,"aggregate":"sum"`, "130 50"},
		{`,"aggregate":"average"`, "65 50"},
		{`,"aggregate":"min"`, "30 50"},
		{`,"aggregate":"max"`, "100 50"},
		{`,"aggregate":"count"`, "2 1"},
	} {
		for _, kind := range []string{"column", "bar", "line", "area"} {
			fields := `"xField":"c","yField":"v"`
			html, warnings := drawn(t, "generic-chart", twice, `"series":[{"chartType":"`+kind+`",`+fields+`,"labels":{"enabled":true}`+c.how+`}]`)
			_, labels, _ := strings.Cut(html, `<g class="q-c-data">`)
			labels, _, _ = strings.Cut(labels, "</g>")
			if got := strings.Join(strings.Fields(stripTags(labels)), " "); got != c.want {
				t.Errorf("%s%s: labels %q, want %q", kind, c.how, got, c.want)
			}
			if warned := strings.Contains(warnings, `pages[0].elements[0]: generic-chart: 2 rows repeat a category of the field "c"`); warned != (c.how == "") {
				t.Errorf("%s%s: %q", kind, c.how, warnings)
			}
		}
	}
	if html, warnings := drawn(t, "generic-chart", twice, `"series":[{"chartType":"column","xField":"c","yField":"v","aggregate":"each"}]`); strings.Count(html, "h-") != 3 || warnings != "" {
		t.Errorf("each: %s %s", html, warnings)
	}
	html, warnings := drawn(t, "pie-chart", twice, `"nameField":"c","valueField":"v"`)
	if strings.Count(html, "q-c-slice") != 2 || !strings.Contains(html, ">72.2%<") || !strings.Contains(warnings, "1 rows repeat") {
		t.Errorf("a pie: %s %s", html, warnings)
	}
	if html, warnings = drawn(t, "pie-chart", twice, `"nameField":"c","valueField":"v","aggregate":"each"`); strings.Count(html, "q-c-slice") != 3 || warnings != "" {
		t.Errorf("each slice: %s %s", html, warnings)
	}
}

func stripTags(s string) string {
	var b strings.Builder
	for _, part := range strings.Split(s, "<") {
		_, text, _ := strings.Cut(part, ">")
		b.WriteString(text + " ")
	}
	return b.String()
}

func TestStepsOfASeriesChangeItsRowsAlone(t *testing.T) {
	html, warnings := drawn(t, "generic-chart", `[{"c":"A","v":3},{"c":"B","v":5},{"c":"C","v":7}]`,
		`"transform":[{"type":"limit","count":2}],"series":[{"chartType":"column","xField":"c","yField":"v"},{"chartType":"scatter","xField":"c","yField":"v","transform":[{"type":"limit","count":1}]}]`)
	if warnings != "" || strings.Count(html, "h-") != 2 || strings.Count(html, "a2.5") != 2 || strings.Contains(html, ">C<") {
		t.Error(warnings, html)
	}
	e, _ := report.Parse[report.Element]([]byte(`{"type":"generic-chart","props":{"series":[{},{"transform":[{"type":"join"}]}]}}`))
	got := Validate(&report.Report{Pages: []report.Page{{ID: 1, Name: "A", Elements: []report.Element{*e}}}}).Error()
	if !strings.Contains(got, `pages[0].elements[0].props.series[1].transform[0].type: unknown step "join"`) {
		t.Error(got)
	}
}

func TestAChartWithoutValuesSaysSo(t *testing.T) {
	for typ, props := range map[string]string{
		"pie-chart":     `"nameField":"c","valueField":"v"`,
		"generic-chart": `"series":[{"chartType":"column","xField":"c","yField":"v"},{"chartType":"marker-line","yField":"3"},{"chartType":"range","yField":"3","y0Field":"1"}]`,
	} {
		if html, _ := drawn(t, typ, `[]`, props); !strings.Contains(html, ">No data<") {
			t.Errorf("%s: %s", typ, html)
		}
		if html, _ := drawn(t, typ, `[{"c":"A","v":null}]`, props+`,"emptyText":"Nothing in {$params.none|May}"`); !strings.Contains(html, ">Nothing in May<") {
			t.Errorf("%s: %s", typ, html)
		}
		if html, _ := drawn(t, typ, `[{"c":"A","v":1}]`, props); strings.Contains(html, "No data") {
			t.Errorf("%s with a value: %s", typ, html)
		}
	}
	for tag, want := range map[string]string{"de-AT": "Keine Daten", "sr-Latn-RS": "Nema podataka", "sr-Cyrl-RS": "Нема података", "zh-Hant-TW": "無資料", "tlh": "No data"} {
		if got := noData(text.LocaleFor(tag)); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

func TestASeriesIsSplitByAField(t *testing.T) {
	rows := `[{"c":"A","r":"North","v":1},{"c":"B","r":"South","v":2},{"c":"B","r":"North","v":4}]`
	split := `"series":[{"name":"Sold","color":"#102030","chartType":"column","xField":"c","yField":"v","splitField":"r","labels":{"enabled":true,"template":"{$record.r} {$record.v}"}}]`
	html, warnings := drawn(t, "generic-chart", rows, split+`,"legend":{"position":"bottom"}`)
	for _, want := range []string{"North 1", "South 2", "North 4", ">North<", ">South<"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is not drawn", want)
		}
	}
	if warnings != "" || strings.Contains(html, "#102030") || strings.Contains(html, ">Sold<") {
		t.Errorf("parts have the name or the colour of the whole, or warn: %s", warnings)
	}
	if _, warnings := drawn(t, "generic-chart", rows, strings.Replace(split, `"r","l`, `"region","l`, 1)); !strings.Contains(warnings, `series[0].splitField: generic-chart: no row has a field "region"`) {
		t.Errorf("a field that nobody has: %q", warnings)
	}
	if _, warnings := drawn(t, "generic-chart", strings.Replace(rows, `"South"`, "null", 1), split); !strings.Contains(warnings, `1 rows have no value in the field "r"; their series has no name in the legend`) {
		t.Errorf("a row without a value: %q", warnings)
	}
	var many []string
	for i := range mostParts + 3 {
		many = append(many, fmt.Sprintf(`{"c":"A","r":%d,"v":1}`, i))
	}
	if _, warnings := drawn(t, "generic-chart", "["+strings.Join(many, ",")+"]", split); !strings.Contains(warnings, `the field "r" has more than 32 values; 3 rows of the others are left out`) {
		t.Errorf("too many parts: %q", warnings)
	}
}
