package htmlgen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

const benchRows = 20_000 // of five cells

// benchData is a ledger: text, date, text, number, amount.
func benchData() *report.Object {
	shape := report.NewShape("account", "date", "description", "quantity", "amount")
	rows := make([]any, benchRows)
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		rows[i] = report.NewObject(shape, []any{
			fmt.Sprintf("%06d", i*37%900_000), day.AddDate(0, 0, i%365).Format(time.DateOnly),
			"Delivery of parts & service, order " + fmt.Sprint(i), json.Number(fmt.Sprint(i % 90)), json.Number(fmt.Sprintf("%d.%02d", i*13%90_000, i%100)),
		})
	}
	return report.ObjectOf("rows", rows)
}

// BenchmarkTableCells writes 100,000 cells, beside html/template writing the
// same cells: as the texts they are, and with the automatic formats, which
// html/template calls as functions. The issue asks for at least four times its
// speed.
func BenchmarkTableCells(b *testing.B) {
	b.Run("text", func(b *testing.B) {
		benchCells(b, "expression", template.FuncMap{"date": asText, "number": asText})
	})
	b.Run("formatted", func(b *testing.B) {
		env := &text.Env{Locale: text.LocaleFor("en-US"), Zone: time.UTC}
		formatted := func(format string) func(any) string {
			f := text.ParseFormat(format)
			return func(v any) string { return string(f.Append(nil, v, env, text.Raw)) }
		}
		benchCells(b, "", template.FuncMap{"date": formatted("d"), "number": formatted("n")})
	})
}

func asText(v any) string { return fmt.Sprint(v) }

const benchTemplate = `<table><tbody>{{range .}}<tr><td>{{.Account}}</td><td>{{date .Date}}</td><td>{{.Description}}</td><td class="q-right">{{number .Quantity}}</td><td class="q-right">{{number .Amount}}</td></tr>
{{end}}</tbody></table>`

func benchCells(b *testing.B, format string, functions template.FuncMap) {
	var columns []any
	for _, field := range []string{"account", "date", "description", "quantity", "amount"} {
		columns = append(columns, report.ObjectOf("field", field, "format", format))
	}
	in := testInput(b, []report.Element{{Type: "data-table", Props: map[string]any{"source": "$data.rows", "columns": columns, "breakAcrossPages": true}}})
	in.Data = benchData()
	rows := benchTexts(in.Data)
	baseline := template.Must(template.New("").Funcs(functions).Parse(benchTemplate))
	var ours, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		begin := time.Now()
		if _, err := Compile(context.Background(), in); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(begin)
		b.StopTimer()
		begin = time.Now()
		if err := baseline.Execute(&bytes.Buffer{}, rows); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(begin)
		b.StartTimer()
	}
	b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N)/(5*benchRows), "ns/cell")
	b.ReportMetric(float64(theirs)/float64(ours), "times-html/template")
}

type benchRow struct {
	Account, Date, Description string
	Quantity, Amount           json.Number
}

func benchTexts(data *report.Object) []benchRow {
	rows, _ := data.Get("rows")
	var list []benchRow
	for _, r := range rows.([]any) {
		o := r.(*report.Object)
		list = append(list, benchRow{o.At(0).(string), o.At(1).(string), o.At(2).(string), o.At(3).(json.Number), o.At(4).(json.Number)})
	}
	return list
}

// BenchmarkCompileSmall compiles a page of twenty elements.
func BenchmarkCompileSmall(b *testing.B) {
	var elements []report.Element
	for i := range 20 {
		elements = append(elements, report.Element{Type: "text", Props: map[string]any{"text": fmt.Sprintf("Line %d of {$data.company.name}", i), "fontSize": "9pt", "margin": "0 0 4pt"}})
	}
	in := testInput(b, elements)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}
