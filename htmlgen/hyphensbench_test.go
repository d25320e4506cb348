package htmlgen

import (
	"fmt"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// BenchmarkDividedTable compiles 10 000 rows with and without words that are divided.
func BenchmarkDividedTable(b *testing.B) {
	rows := make([]any, 10_000)
	for i := range rows {
		rows[i] = report.ObjectOf("nr", int64(i), "name", fmt.Sprintf("Verwaltungsgemeinschaft Deggendorf %d", i%300), "text", "Die Instandsetzung der Dachkonstruktion wird ausgeschrieben", "betrag", float64(i)*1.5)
	}
	for _, hyphens := range []string{"none", "auto"} {
		b.Run(hyphens, func(b *testing.B) {
			in := &Input{Report: &report.Report{Pages: []report.Page{{Elements: []report.Element{element("data-table", "source", "$data.rows", "hyphens", hyphens)}}}}, Data: report.ObjectOf("rows", rows), Locale: text.LocaleFor("de")}
			for b.Loop() {
				if _, err := Compile(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
