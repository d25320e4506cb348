package render

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// realScript is the paginator that is built into assets, or the stand-in while
// there is none.
func realScript(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("../assets/dist/paginate.js")
	if err != nil {
		return stubScript(t)
	}
	return b
}

// invoice is a one-page invoice as htmlgen writes it, with two fonts.
func invoice() []byte {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice 2026-0142</title><style>` +
		`@font-face{font-family:Doc;font-weight:400;src:url(https://quire.invalid/fonts/Regular.woff2)}` +
		`@font-face{font-family:Doc;font-weight:700;src:url(https://quire.invalid/fonts/Bold.woff2)}` +
		`.q-pending>.q-sheet{display:none}body{font:11px/1.4 Doc,sans-serif;margin:0}table{width:100%;border-collapse:collapse}` +
		`td,th{padding:4px 6px;border-bottom:1px solid #ccc;text-align:left}.n{text-align:right}h1{font-size:24px}` +
		`.r{display:flex;justify-content:space-between}</style></head><body class="q-doc q-pending">` +
		`<section class="q-sheet" data-page="1" data-name="Invoice" data-count="1" data-width="210mm" data-height="297mm" data-margin="18mm 18mm 16mm 18mm">` +
		`<div class="q-footer"><div class="q-el r" data-id="f" data-break="avoid"><span>Northwind Trading GmbH</span><span>Page <span class="q-page-number"></span> of <span class="q-page-count"></span></span></div></div><div class="q-body">` +
		`<div class="q-el q-flow r" data-id="a" data-break="avoid"><div><b>Northwind Trading GmbH</b><br>Hafenstraße 12<br>20457 Hamburg</div><div>Invoice no. <b>2026-0142</b><br>Date 20 November 2026<br>Due 4 December 2026</div></div>` +
		`<h1 class="q-el q-heading" data-id="h" data-keep-next id="h-1" data-outline="1">Invoice</h1><p class="q-el q-paragraph" data-id="p" data-break="auto">Dear Ms Østergård, thank you for your order. We invoice the following items as agreed.</p>` +
		`<table class="q-el q-data-table" data-id="t" data-break="auto" data-rows="40"><thead><tr data-repeat><th>Pos<th>Article<th>Description<th class=n>Qty<th class=n>Price<th class=n>Total</tr></thead><tbody>`)
	for i := 1; i <= 18; i++ {
		fmt.Fprintf(&b, `<tr><td>%d<td>AX-%04d<td>Adjustable shelf bracket, galvanised, %d mm<td class=n>%d<td class=n>%d.50 €<td class=n>%d.00 €</tr>`, i, i*37, i*20, i*3, i, i*i*3)
	}
	b.WriteString(`</tbody></table><p class="q-el q-paragraph" data-id="s" data-break="auto"><b>Total 4,218.00 €</b> including 19 % VAT.</p></div></section></body></html>`)
	return []byte(b.String())
}

func fontFiles(t testing.TB) Resources {
	t.Helper()
	files := map[string][]byte{}
	for name, weight := range map[string]string{"Regular": "400", "Bold": "700"} {
		b, err := os.ReadFile("../assets/fonts/inter/inter-latin-" + weight + "-normal.woff2")
		if err != nil {
			t.Fatal(err)
		}
		files["fonts/"+name+".woff2"] = b
	}
	return func(path string) (string, []byte, bool) {
		b, ok := files[path]
		return "font/woff2", b, ok
	}
}

// floor is a bare warm tab: the same flags, the finished HTML, nothing else.
type floor struct {
	ctx   context.Context
	frame cdp.FrameID
}

func newFloor(b *testing.B, path string) *floor {
	b.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-gpu", true))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	b.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // it does not know of setDocumentContent
	b.Cleanup(cancel)
	tree, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) (cdppage.GetFrameTreeResult, error) {
		return cdp.Call(ctx, t, cdppage.GetFrameTree, cdp.Empty{})
	})
	if err != nil {
		b.Fatal(err)
	}
	return &floor{ctx, tree.FrameTree.Frame.ID}
}

func (f *floor) print(html string) (int, error) {
	return chromedp.Run(f.ctx, func(ctx context.Context, t *chromedp.Target) (int, error) {
		if _, err := cdp.Call(ctx, t, cdppage.SetDocumentContent, cdppage.SetDocumentContentParams{FrameID: f.frame, HTML: html}); err != nil {
			return 0, err
		}
		zero := 0.0
		r, err := cdp.Call(ctx, t, cdppage.PrintToPDF, cdppage.PrintToPDFParams{
			PrintBackground: new(true), PreferCSSPageSize: new(true), GenerateTaggedPDF: new(false),
			MarginTop: &zero, MarginRight: &zero, MarginBottom: &zero, MarginLeft: &zero,
		})
		return len(r.Data), err
	})
}

// BenchmarkInvoiceWarm prints an invoice in a warm pool, and beside it in a
// bare warm tab that only prints the finished HTML.
func BenchmarkInvoiceWarm(b *testing.B) {
	needBrowser(b)
	p := newPool(b, func(c *Config) { c.Script = realScript(b) })
	job := Job{HTML: invoice(), Paginate: true, Resources: fontFiles(b)}
	finished, err := p.Paginate(b.Context(), job)
	if err != nil {
		b.Fatal(err)
	}
	path, _ := FindBrowser(os.Getenv("QUIRE_TEST_BROWSER"))
	f := newFloor(b, path)
	html := string(bytes.ReplaceAll(finished.HTML, []byte(`url(https://quire.invalid/fonts/`), []byte(`local(`)))
	ours := func() error {
		res, err := p.Print(b.Context(), job)
		if err != nil {
			return err
		}
		return res.Close()
	}
	bare := func() error { _, err := f.print(html); return err }
	for range 20 {
		if err := errorsOf(ours, bare); err != nil {
			b.Fatal(err)
		}
	}
	var mine, floors []time.Duration
	for b.Loop() {
		mine = append(mine, timed(b, ours))
		floors = append(floors, timed(b, bare))
	}
	report(b, "ours", mine)
	report(b, "floor", floors)
	b.ReportMetric(float64(total(floors))/float64(total(mine)), "rate/floor")
	b.ReportMetric(float64(median(mine))/float64(median(floors)), "median/floor")
}

func errorsOf(fns ...func() error) error {
	for _, fn := range fns {
		if err := fn(); err != nil {
			return err
		}
	}
	return nil
}

func timed(b *testing.B, fn func() error) time.Duration {
	b.Helper()
	began := time.Now()
	if err := fn(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

func total(list []time.Duration) (sum time.Duration) {
	for _, d := range list {
		sum += d
	}
	return sum
}

func report(b *testing.B, name string, list []time.Duration) {
	b.Helper()
	b.ReportMetric(float64(median(list).Microseconds())/1000, name+"-ms")
}
