package htmlgen

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

func TestChartsKnowTheirRoom(t *testing.T) {
	chart := `{"type":"pie-chart","props":{"source":"$data.empty"%s}}`
	with := func(props string) string { return fmt.Sprintf(chart, props) }
	page := (210 - 2*18) * 96 / 25.4 // A4 with the default margins
	for _, c := range []struct {
		name, element string
		want          []float64
	}{
		{"page", with(``), []float64{page}},
		{"own width", with(`,"width":"200pt"`), []float64{200 * 96 / 72.0}},
		{"percent and padding", with(`,"width":"50%","padding":"0 10px"`), []float64{page/2 - 20}},
		{"margin", with(`,"margin":"0 5px 0 15px"`), []float64{page - 20}},
		{"shared row", `{"type":"flow","props":{"gap":"20px"},"children":[` + with(``) + `,` + with(``) + `]}`, []float64{(page - 20) / 2, (page - 20) / 2}},
		{"row beside a width", `{"type":"flow","props":{"gap":"4px 10px","padding":"5px"},"children":[` + with(`,"width":"100px"`) + `,` + with(``) + `]}`, []float64{100, page - 10 - 10 - 100}},
		{"row beside what takes all of it", `{"type":"flow","props":{},"children":[{"type":"spacer","props":{"width":"130%"}},` + with(``) + `]}`, []float64{page / 4}},
		{"column in a row", `{"type":"flow","props":{},"children":[{"type":"flow","props":{"orientation":"vertical","padding":"0 8px"},"children":[` + with(``) + `]},{"type":"spacer","props":{"width":"50px"}}]}`, []float64{page - 50 - 16}},
		{"list", `{"type":"list","props":{"width":"200px","padding":"0 10px","listIndent":"30px"},"children":[` + with(``) + `,{"type":"list","props":{"listIndent":"50px"},"children":[` + with(``) + `]}]}`, []float64{150, 100}},
		{"after a row", `{"type":"flow","props":{"orientation":"vertical"},"children":[{"type":"flow","props":{},"children":[{"type":"text"},` + with(``) + `]},` + with(``) + `]}`, []float64{page / 2, page}},
	} {
		html := compileExample(t, c.element)
		var got []float64
		for _, m := range regexp.MustCompile(`viewBox="0 0 ([\d.]+) `).FindAllStringSubmatch(html, -1) {
			var w float64
			fmt.Sscan(m[1], &w)
			got = append(got, w)
		}
		ok := len(got) == len(c.want)
		for i := range got {
			ok = ok && math.Abs(got[i]-c.want[i]) < 0.02
		}
		if !ok {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPixels(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		ok   bool
	}{
		{"12", 12, true},
		{"9pt", 12, true},
		{"1in", 96, true},
		{"25.4mm", 96, true},
		{"2em", 20, true},
		{"50%", 300, true},
		{"-3px", -3, true},
		{"auto", 0, false},
		{"calc(1px + 2px)", 0, false},
		{"", 0, false},
		{"3ex", 0, false},
		{"red", 0, false},
	} {
		if got, ok := pixels(c.in, 600, 10); ok != c.ok || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q: %v %v, want %v %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

func TestTimeAxesAreInTheZoneOfTheRun(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	var rows []any
	for h := range 25 { // the night in which the clock goes forward
		rows = append(rows, report.ObjectOf("t", time.Date(2026, 3, 28, 12+h, 0, 0, 0, time.UTC).Format(time.RFC3339), "v", int64(h)))
	}
	series := []any{report.ObjectOf("xField", "t", "yField", "v")}
	in := testInput(t, []report.Element{{Type: "generic-chart", Props: map[string]any{"source": "$data.rows", "series": series, "xAxis": report.ObjectOf("format", "t;HHmm")}}})
	in.Data, in.Zone = report.ObjectOf("rows", rows), oslo
	doc, err := Compile(context.Background(), in)
	if err != nil || len(doc.Warnings) > 0 {
		t.Fatal(err, doc.Warnings)
	}
	for _, label := range []string{">15:00<", ">18:00<", ">00:00<", ">06:00<", ">12:00<"} {
		if !strings.Contains(string(doc.HTML), label) {
			t.Errorf("no label %s", label)
		}
	}
}

// BenchmarkGenericChart compiles a report with twelve categories in three
// series, labels included.
func BenchmarkGenericChart(b *testing.B) {
	var rows []any
	for i := range 12 {
		rows = append(rows, report.ObjectOf("m", time.Month(i+1).String(), "a", json.Number(fmt.Sprint(100+i*7)), "b", json.Number(fmt.Sprint(80+i*3)), "c", json.Number(fmt.Sprint(60+i))))
	}
	var series []any
	for _, f := range []string{"a", "b", "c"} {
		series = append(series, report.ObjectOf("name", f, "chartType", "column", "xField", "m", "yField", f, "labels", report.ObjectOf("enabled", true)))
	}
	in := testInput(b, []report.Element{{Type: "generic-chart", Props: map[string]any{"source": "$data.rows", "series": series}}})
	in.Data = report.ObjectOf("rows", rows)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNamesOfMonthsMayBeLeftOut in the language of the report; those of countries are
// missed.
func TestNamesOfMonthsMayBeLeftOut(t *testing.T) {
	t.Parallel()
	for tag, names := range map[string]string{
		"de-DE":      "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
		"sr-Latn-RS": "jan feb mar apr maj jun jul avg sep okt nov dec",
		"en-AU":      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", // June, July and Sept in the language
		"en-GB":      "January February March April May June July August September October November December",
		"-":          "AT DE CH IT SI HR RS HU SK CZ PL RO",
	} {
		in := testInput(t, nil)
		in.Locale = text.LocaleFor(tag)
		var rows []any
		for _, name := range strings.Fields(names) {
			rows = append(rows, report.ObjectOf("c", name, "v", int64(1)))
		}
		in.Data = report.ObjectOf("r", rows)
		in.Report.Pages = []report.Page{{ID: 1, Elements: []report.Element{{Type: "generic-chart", Props: map[string]any{
			"source": "$data.r", "width": "220px", "height": "90px", "series": []any{map[string]any{"chartType": "bar", "xField": "c", "yField": "v"}},
		}}}}}
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if missed := strings.Contains(doc.Warnings.Error(), "no room for the names of"); missed != (tag == "-") || strings.Contains(string(doc.HTML), ">"+strings.Fields(names)[1]+"<") {
			t.Errorf("%s: %v", tag, doc.Warnings)
		}
	}
}
