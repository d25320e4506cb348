package assets_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/internal/judges"
)

// A tab is one page of a real browser with the paginator in it, in a world of
// its own as in production.
type tab struct {
	ctx   context.Context
	frame cdp.FrameID
	world runtime.ExecutionContextID
}

// chrome starts a browser for one test, or skips the test where there is none.
func chrome(t testing.TB) *tab {
	t.Helper()
	path := browserPath()
	if path == "" {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("hide-scrollbars", true))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, closeTab := chromedp.NewContext(alloc)
	t.Cleanup(func() { closeTab(); stop() })
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute) // for all that a test prints; a busy machine is no fault
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	tree := call(t, ctx, page.GetFrameTree, cdp.Empty{})
	tb := &tab{ctx: ctx, frame: tree.FrameTree.Frame.ID}
	tb.enter(t)
	return tb
}

func browserPath() string {
	for _, name := range []string{os.Getenv("QUIRE_BROWSER"), "chromium-headless-shell", "chromium"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// enter makes the isolated world and puts the paginator into it.
func (tb *tab) enter(t testing.TB) {
	t.Helper()
	w := call(t, tb.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tb.frame, WorldName: "quire"})
	tb.world = w.ExecutionContextID
	tb.eval(t, assets.Paginator()+";null", nil)
}

// visit goes to an address, from which documents may load files.
func (tb *tab) visit(t testing.TB, url string) {
	t.Helper()
	must(t, chromedp.Do(tb.ctx, chromedp.Navigate(url)))
	tb.enter(t)
}

// load replaces the document.
func (tb *tab) load(t testing.TB, html string) {
	t.Helper()
	call(t, tb.ctx, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: tb.frame, HTML: html})
}

// eval evaluates in the paginator's world and decodes the answer into out.
func (tb *tab) eval(t testing.TB, expression string, out any) {
	t.Helper()
	r := call(t, tb.ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: tb.world, AwaitPromise: new(true), ReturnByValue: new(true),
	})
	if r.ExceptionDetails != nil {
		t.Fatalf("script: %s", description(r.ExceptionDetails))
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal([]byte(r.Result.Value), out); err != nil {
		t.Fatalf("reading the answer: %v", err)
	}
}

// result is what quire.paginate() answers.
type result struct {
	Pages []struct {
		Number        int
		Width, Height float64
		Name          string
		SourcePage    string
	}
	Anchors []struct {
		ID    string
		Page  int
		X, Y  float64
		Level int
		Text  string
	}
	Warnings []struct{ ID, Message string }
	MS       float64
}

func (tb *tab) paginate(t testing.TB, html string) result {
	t.Helper()
	tb.load(t, html)
	var r result
	tb.eval(t, "quire.paginate()", &r)
	return r
}

// pdf prints the tab and returns the file's path.
func (tb *tab) pdf(t testing.TB) string {
	t.Helper()
	out := call(t, tb.ctx, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: new(true), PreferCSSPageSize: new(true), GenerateTaggedPDF: new(false),
	})
	dir := os.Getenv("QUIRE_TEST_OUT")
	if dir == "" {
		dir = t.TempDir()
	}
	path := filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+".pdf")
	must(t, os.WriteFile(path, out.Data, 0o644))
	return path
}

// pdfPages counts the pages of a file with poppler.
func pdfPages(t testing.TB, path string) int {
	t.Helper()
	out, err := exec.Command("pdfinfo", path).Output()
	if err != nil {
		judges.Missing(t, "needs pdfinfo of poppler-utils")
	}
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "Pages:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			must(t, err)
			return n
		}
	}
	t.Fatal("pdfinfo tells no number of pages")
	return 0
}

func call[P, R any](t testing.TB, ctx context.Context, cmd cdp.Command[P, R], params P) R {
	t.Helper()
	r, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		t.Fatalf("%s: %v", cmd.Method, err)
	}
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func description(e *runtime.ExceptionDetails) string {
	if e.Exception != nil {
		return e.Exception.Description
	}
	return e.Text
}
