package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// BenchmarkOffice makes reports as documents of Word and presentations beside the same
// reports as PDF, in turns, and tells how many times the processor time of the service
// and its browser they take. At most 1.2 (docx) and 1.5 (pptx) is wanted.
//
// A round makes several of each in a row: the kernel counts processors in hundredths
// of a second, and a browser tidies up after a document while the next is made.
func BenchmarkOffice(b *testing.B) {
	const officeBatch = 5
	exported := exporter(b)
	demo, gallery := bundleIn(b, "../../assets/demo"), bundleIn(b, "../../examples/gallery")
	for _, c := range []struct {
		name   string
		ws     *report.Workspace
		code   string
		format string
	}{
		{"AnnualReport", gallery, "annual-report", "docx"},
		{"Rows10000", tableOf(b, 10_000), "rows", "docx"},
		{"SalesReport", demo, "sales-report", "pptx"},
	} {
		b.Run(c.name+"/"+c.format, func(b *testing.B) {
			spent := func(format string) float64 {
				began := processorTime(b)
				for range officeBatch {
					exported(c.ws, c.code, format)
				}
				return (processorTime(b) - began).Seconds() * 1000 / officeBatch
			}
			spent("pdf")
			spent(c.format)
			var pdf, own, share []float64
			for b.Loop() {
				pdf, own = append(pdf, spent("pdf")), append(own, spent(c.format))
				share = append(share, own[len(own)-1]/pdf[len(pdf)-1])
			}
			b.ReportMetric(median(own), "cpu-ms")
			b.ReportMetric(median(pdf), "pdf-cpu-ms")
			b.ReportMetric(median(share), "times-pdf")
		})
	}
}

// median is the value in the middle.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// tableOf is a workspace with a report that is a table of so many rows.
func tableOf(t testing.TB, rows int) *report.Workspace {
	t.Helper()
	data := make([]map[string]any, rows)
	for i := range data {
		data[i] = map[string]any{"no": i + 1, "name": "Customer " + strconv.Itoa(i%977), "city": "Town " + strconv.Itoa(i%61), "net": float64(i%9973) * 1.25, "tax": float64(i%9973) * 0.25}
	}
	content, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "reports"), 0o700); err != nil {
		t.Fatal(err)
	}
	definition := `{"name": "Rows", "pages": [{"id": 1, "name": "All", "elements": [{"type": "data-table", "props": {"source": "$data.rows", "columns": [
		{"field": "no"}, {"field": "name"}, {"field": "city"}, {"field": "net", "format": "n;2"}, {"field": "tax", "format": "n;2"}]}}]}],
		"dataSources": [{"name": "rows", "type": "json", "settings": {"content": ` + string(content) + `}}]}`
	for name, content := range map[string]string{"workspace.json": `{"version": 1, "name": "Rows", "code": "rows", "languages": [{"name": "English", "code": "en", "culture": "en-GB"}]}`, "reports/rows.json": definition} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return bundleIn(t, folder)
}

// processorTime is what this process and all below it have worked, and those below that
// have ended and were waited for.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		t.Skip("needs /proc")
	}
	type process struct{ parent, ticks int }
	all := map[int]process{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(content), ") ")
		f := strings.Fields(after)
		if len(f) < 15 {
			continue
		}
		number := func(i int) int { n, _ := strconv.Atoi(f[i]); return n } //nolint:errcheck // the kernel writes numbers
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))          //nolint:errcheck // and names folders by them
		all[pid] = process{number(1), number(11) + number(12) + number(13) + number(14)}
	}
	sum := 0
	for pid, p := range all {
		for at := pid; at > 0; at = all[at].parent {
			if at == os.Getpid() {
				sum += p.ticks
				break
			}
		}
	}
	return time.Duration(sum) * 10 * time.Millisecond
}
