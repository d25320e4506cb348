package render

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/pdf"
)

// largeRows writes rows of five columns, of which some wrap.
func largeRows(rows int) string {
	var b strings.Builder
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&b, `<tr><td>%d</td><td>2026-%02d-%02d</td><td>Payment by card, merchant %d, Lindenstraße %d, terminal %04d, reference %08d</td><td>Groceries and household</td><td class="n">%d.%02d €</td></tr>`,
			i, i%12+1, i%28+1, i%977, i%99, i%1000, i*7919, i%5000, i%100)
	}
	return b.String()
}

const largeStyle = `.q-pending>.q-sheet{display:none}body{font:10px/1.35 sans-serif;margin:0}table{width:100%;border-collapse:collapse;table-layout:fixed}` +
	`td,th{padding:3px 5px;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}.n{text-align:right}` +
	`col:nth-child(1){width:9%}col:nth-child(2){width:13%}col:nth-child(3){width:40%}col:nth-child(4){width:22%}`

const largeHead = `<colgroup><col><col><col><col><col></colgroup><thead><tr data-repeat><th>No</th><th>Date</th><th>Text</th><th>Category</th><th class="n">Amount</th></tr></thead>`

// ownPrint is the table as the browser breaks it by itself.
func ownPrint(rows int) []byte {
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Statement</title><style>@page{size:A4;margin:18mm}` + largeStyle +
		`</style></head><body><table>` + largeHead + `<tbody>` + largeRows(rows) + `</tbody></table></body></html>`)
}

// ourTable is the same table as htmlgen writes it.
func ourTable(rows int) []byte {
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Statement</title><style>` + largeStyle +
		`</style></head><body class="q-doc q-pending"><section class="q-sheet" data-page="1" data-name="Statement" data-count="1" data-width="210mm" data-height="297mm" data-margin="18mm 18mm 18mm 18mm">` +
		`<div class="q-body"><table class="q-el q-data-table" data-id="t" data-break="auto" data-rows="32">` + largeHead + `<tbody>` + largeRows(rows) + `</tbody></table></div></section></body></html>`)
}

// memoryWatch keeps the most memory that the browsers and this program held
// together, and that the browsers held, in bytes: proportional set size, so that
// shared pages count once. The system itself keeps the most that this program held.
type memoryWatch struct {
	most, browsers atomic.Int64
	stop           chan struct{}
	done           chan struct{}
}

func watchMemory(pgid int) *memoryWatch {
	w := &memoryWatch{stop: make(chan struct{}), done: make(chan struct{})}
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak begins anew; without, it is only larger
	go func() {
		defer close(w.done)
		for {
			sum := int64(0)
			for _, pid := range groupOf(pgid) {
				sum += proportional(pid)
			}
			w.browsers.Store(max(w.browsers.Load(), sum))
			w.most.Store(max(w.most.Load(), sum+proportional(os.Getpid())))
			select {
			case <-w.stop:
				return
			case <-time.After(250 * time.Millisecond):
			}
		}
	}()
	return w
}

func (w *memoryWatch) end() int64 {
	close(w.stop)
	<-w.done
	return w.most.Load()
}

func proportional(pid int) int64 {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "smaps_rollup"))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), "\nPss:")
	kb, _ := strconv.ParseInt(strings.Fields(after + " 0")[0], 10, 64)
	return kb << 10
}

// ownPeak is the most memory that this program held since the watch began.
func ownPeak() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), "\nVmHWM:")
	kb, _ := strconv.ParseInt(strings.Fields(after + " 0")[0], 10, 64)
	return kb << 10
}

type discard struct{ n int64 }

func (d *discard) Write(p []byte) (int, error) {
	d.n += int64(len(p))
	return len(p), nil
}

// BenchmarkLargeTable prints tables of many rows to a finished PDF, and beside
// the smaller one lets the browser print the same rows in one go. 8,840 rows
// have 316 pages, 30,000 rows a thousand.
func BenchmarkLargeTable(b *testing.B) {
	for _, tt := range []struct {
		rows   int
		own    bool
		tagged bool
	}{{10_000, true, false}, {8_840, false, true}, {30_000, false, false}, {30_000, false, true}} {
		b.Run(fmt.Sprintf("rows=%d/tagged=%t", tt.rows, tt.tagged), func(b *testing.B) {
			p := newPool(b, func(c *Config) { c.Script = realScript(b); c.Timeout = 10 * time.Minute })
			mustPrint(b, p, Job{HTML: page("warm")})
			for p.ready.Load() < 2 {
				time.Sleep(10 * time.Millisecond)
			}
			html, bare := ourTable(tt.rows), []byte(nil)
			if tt.own {
				bare = ownPrint(tt.rows)
			}
			var peak, own, browsers int64
			var mine, floors []time.Duration
			var last *Result
			var info pdf.Info
			var finishing time.Duration
			var share float64 // of the browser's bytes
			for b.Loop() {
				watch := watchMemory(p.Health().Browsers[0].PID)
				mine = append(mine, timed(b, func() (err error) {
					if last, err = p.Print(b.Context(), Job{HTML: html, Paginate: true, Tagged: tt.tagged}); err != nil {
						return err
					}
					raw, began := last.Size(), time.Now()
					info, err = pdf.Finish(context.Background(), &discard{}, last.Parts, pdf.Options{Title: "Statement", Accessible: tt.tagged})
					finishing, share = time.Since(began), float64(info.Bytes)/float64(raw)
					last.Close()
					return err
				}))
				peak = max(peak, watch.end())
				own, browsers = max(own, ownPeak()), max(browsers, watch.browsers.Load())
				if tt.own {
					floors = append(floors, timed(b, func() error {
						res, err := p.Print(b.Context(), Job{HTML: bare})
						res.Close()
						return err
					}))
				}
			}
			report(b, "ours", mine)
			b.ReportMetric(float64(last.Timings.Fill.Milliseconds()), "paginate-ms")
			b.ReportMetric(float64(last.Timings.Helpers), "helped")
			b.ReportMetric(float64(info.Pages), "pages")
			b.ReportMetric(float64(info.Bytes)/1e6, "MB")
			b.ReportMetric(float64(peak>>20), "peak-MB")
			b.ReportMetric(float64(own>>20), "service-peak-MB")
			b.ReportMetric(float64(browsers>>20), "browsers-peak-MB")
			b.ReportMetric(float64(finishing.Milliseconds()), "finish-ms")
			b.ReportMetric(finishing.Seconds()/last.Timings.Print.Seconds(), "finish/print")
			b.ReportMetric(share, "size/raw")
			if tt.own {
				report(b, "browser", floors)
				b.ReportMetric(float64(median(mine))/float64(median(floors)), "time/browser")
			}
		})
	}
}
