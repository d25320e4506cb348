package render

import (
	"context"
	"encoding/base64"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// BenchmarkDriver asks browsers with the same flags for the same document through the
// project's own connection and through chromedp's, in turns: its HTML is sent, its fonts
// are waited for, its PDF is read. CPU is that of this process, which is what a driver
// costs; the browser does the same for both.
func BenchmarkDriver(b *testing.B) {
	needBrowser(b)
	html := printedInvoice(b)
	ours, theirs := newOwnDriver(b), newChromedpDriver(b)
	for range 20 {
		ours.print(b, html)
		theirs.print(b, html)
	}
	var own, other cost
	for b.Loop() {
		own.add(func() int { return ours.print(b, html) })
		other.add(func() int { return theirs.print(b, html) })
	}
	if own.size != other.size {
		b.Fatalf("%d bytes of PDF, and %d by chromedp", own.size, other.size)
	}
	own.tell(b, "own")
	other.tell(b, "chromedp")
	b.ReportMetric(float64(median(other.wall))/float64(median(own.wall)), "chromedp/own")
	b.ReportMetric(float64(other.cpu)/float64(own.cpu), "cpu-chromedp/own")
}

// printedInvoice is the invoice as it is printed: paginated already, with fonts of the machine.
func printedInvoice(b *testing.B) string {
	p := newPool(b, func(c *Config) { c.Script = realScript(b) })
	finished, err := p.Paginate(b.Context(), Job{HTML: invoice(), Paginate: true, Resources: fontFiles(b)})
	if err != nil {
		b.Fatal(err)
	}
	return strings.ReplaceAll(string(finished.HTML), "url(https://quire.invalid/fonts/", "local(")
}

// cost is what prints took; cpu is of this process.
type cost struct {
	wall []time.Duration
	cpu  time.Duration
	size int
}

func (c *cost) add(print func() int) {
	began, cpu := time.Now(), ownCPU()
	c.size = print()
	c.wall, c.cpu = append(c.wall, time.Since(began)), c.cpu+ownCPU()-cpu
}

func (c *cost) tell(b *testing.B, name string) {
	b.ReportMetric(float64(median(c.wall).Microseconds())/1000, name+"-median-ms")
	b.ReportMetric(float64(c.cpu.Microseconds())/1000/float64(len(c.wall)), name+"-cpu-ms")
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const fontsReady = "document.fonts.ready.then(() => 1)"

// ownDriver is a plain tab of the project's own connection.
type ownDriver struct{ t *tab }

func newOwnDriver(b *testing.B) *ownDriver {
	p, err := startProcess(b.Context(), Config{Path: browserPath(b), StartTimeout: time.Minute}, b.TempDir(), false)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.end)
	t := &tab{b: &browser{process: p}}
	targets, err := p.conn.call(b.Context(), "", "Target.createTarget", newParams(0).str("url", "about:blank"))
	if err != nil {
		b.Fatal(err)
	}
	t.target = string(rawString(member(targets, "targetId")))
	r, err := p.conn.call(b.Context(), "", "Target.attachToTarget", newParams(0).str("targetId", t.target).bool("flatten", true))
	if err != nil {
		b.Fatal(err)
	}
	t.session = string(rawString(member(r, "sessionId")))
	return &ownDriver{t}
}

func (d *ownDriver) print(b *testing.B, html string) int {
	content := newParams(len(html)).str("frameId", d.t.target).str("html", html)
	ready := newParams(0).str("expression", fontsReady).bool("awaitPromise", true).bool("returnByValue", true)
	for _, step := range []struct {
		method string
		p      *params
	}{{"Page.setDocumentContent", content}, {"Runtime.evaluate", ready}} {
		if _, err := d.t.call(b.Context(), step.method, step.p); err != nil {
			b.Fatal(err)
		}
	}
	r, err := d.t.call(b.Context(), "Page.printToPDF", printParams(&Job{}, false))
	if err != nil {
		b.Fatal(err)
	}
	pdf, err := base64.StdEncoding.AppendDecode(nil, rawString(member(r, "data")))
	if err != nil {
		b.Fatal(err)
	}
	return len(pdf)
}

func browserPath(b *testing.B) string {
	path, err := FindBrowser(os.Getenv("QUIRE_TEST_BROWSER"))
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// chromedpDriver is a tab of chromedp's, over its pipe.
type chromedpDriver struct{ floor }

func newChromedpDriver(b *testing.B) *chromedpDriver {
	path, profile := browserPath(b), b.TempDir()
	alloc, stop := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(unwrap(path)), chromedp.UserDataDir(profile),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { cmd.Args = append(cmd.Args[:1], flags(Config{}, profile, false)...) }))
	b.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	b.Cleanup(cancel)
	tree, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) (cdppage.GetFrameTreeResult, error) {
		return cdp.Call(ctx, t, cdppage.GetFrameTree, cdp.Empty{})
	})
	if err != nil {
		b.Fatal(err)
	}
	return &chromedpDriver{floor{ctx, tree.FrameTree.Frame.ID}}
}

func (d *chromedpDriver) print(b *testing.B, html string) int {
	n, err := chromedp.Run(d.ctx, func(ctx context.Context, t *chromedp.Target) (int, error) {
		if _, err := cdp.Call(ctx, t, cdppage.SetDocumentContent, cdppage.SetDocumentContentParams{FrameID: d.frame, HTML: html}); err != nil {
			return 0, err
		}
		if _, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: fontsReady, AwaitPromise: new(true), ReturnByValue: new(true)}); err != nil {
			return 0, err
		}
		zero := 0.0
		r, err := cdp.Call(ctx, t, cdppage.PrintToPDF, cdppage.PrintToPDFParams{
			PrintBackground: new(true), PreferCSSPageSize: new(true), GenerateTaggedPDF: new(false),
			MarginTop: &zero, MarginRight: &zero, MarginBottom: &zero, MarginLeft: &zero,
		})
		return len(r.Data), err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}
