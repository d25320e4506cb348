package export

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// BenchmarkWorkbook makes a workbook of a table of ten columns, from data in memory
// to the file; scripts/excelize is its baseline. It tells how much more memory the
// process has meanwhile than before.
func BenchmarkWorkbook(b *testing.B) {
	for _, rows := range []int{10_000, 100_000} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			s, _ := newService(b, map[string]string{"reports/orders.json": `{"name": "Orders", "pages": [{"id": 1, "name": "All", "elements": [
				{"type": "data-table", "props": {"source": "$data.orders", "footer": {"enabled": true}, "columns": [{"field": "a"}, {"field": "b"}, {"field": "c"}, {"field": "n"},
				{"field": "v4", "footer": {"aggregate": "sum"}}, {"field": "v5"}, {"field": "v6"}, {"field": "v7"}, {"field": "v8"}, {"field": "v9"}]}}]}],
				"dataSources": [{"name": "orders", "type": "json", "settings": {"content": []}}]}`})
			data := make([]any, rows)
			for i := range data {
				row := report.ObjectOf("a", "Customer "+strconv.Itoa(i%977), "b", "Customer "+strconv.Itoa(i%977), "c", "Customer "+strconv.Itoa(i%977), "n", json.Number(strconv.Itoa(i)))
				for c := 4; c < 10; c++ {
					row.Set("v"+strconv.Itoa(c), json.Number(strconv.FormatFloat(float64(i*c)/7, 'f', 4, 64)))
				}
				data[i] = row
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				peak := measureMemory(b)
				b.StartTimer()
				req := Request{Report: "orders", Data: report.ObjectOf("orders", data), ExportOptions: report.ExportOptions{Format: "xlsx"}}
				f, err := s.Export(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(f.Size)/float64(rows), "bytes/row")
				b.ReportMetric(peak(), "MB-above-idle")
				_ = f.Close()
			}
		})
	}
}

// measureMemory notes how much memory the process has, having given back what it does
// not need; what it gives tells how many MB more it had at most since then.
func measureMemory(b *testing.B) (peak func() float64) {
	b.Helper()
	debug.FreeOSMemory()
	before := resident(b)
	done, most := make(chan struct{}), make(chan int)
	go func() {
		highest := 0
		for {
			select {
			case <-done:
				most <- highest
				return
			case <-time.After(5 * time.Millisecond):
				highest = max(highest, resident(b))
			}
		}
	}()
	return func() float64 {
		close(done)
		return float64(<-most-before) / (1 << 20)
	}
}

// resident is how much memory the process has, in bytes.
func resident(b *testing.B) int {
	b.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip("needs /proc")
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		b.Fatal(err)
	}
	return pages * os.Getpagesize()
}
