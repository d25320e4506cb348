package assets_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/quire-reports/quire/assets"
)

// previewServer serves a document as the preview does: the built script from
// its own address, and a policy that allows no other script.
func previewServer(t *testing.T, html string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/assets/", http.StripPrefix("/assets/", http.FileServerFS(assets.Dist())))
	mux.HandleFunc("/stub.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `window.print = () => { document.body.dataset.printed = "yes"; parent.postMessage("printed", "*"); };`)
	})
	mux.HandleFunc("/preview", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src 'self'")
		fmt.Fprint(w, strings.Replace(html, "</head>", `<script src="/stub.js"></script><script src="/assets/preview.js" defer></script></head>`, 1))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// embedder serves a page of another origin that shows the preview in a frame
// and writes what it hears into its title.
func embedder(t *testing.T, address string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>heard:</title><iframe id="f" src="%s" style="width:600px;height:700px"></iframe>
<script>addEventListener("message", e => { document.title += " " + (e.data.type ? e.data.type + "=" + e.data.pages : e.data) });</script>`, address)
	}))
	t.Cleanup(s.Close)
	return s
}

func previewDocument() string {
	return document(
		sheet{header: "Header", footer: pageOfPages, body: `<h1 class="q-el">Statement</h1>` + table(60) + `<p><a href="https://example.com/">link</a></p>`},
		sheet{width: "297mm", height: "210mm", header: "Landscape", footer: pageOfPages, body: para("p", 300)},
	)
}

func (tb *tab) open(t *testing.T, url string, width, height int64) {
	t.Helper()
	must(t, chromedp.Do(tb.ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(url)))
}

func (tb *tab) page(t *testing.T, expression string) string {
	t.Helper()
	v, err := chromedp.Run(tb.ctx, chromedp.Evaluate[string](expression))
	must(t, err)
	return v
}

// waitFor asks until the expression gives the text wanted.
func (tb *tab) waitFor(t *testing.T, expression, want string) {
	t.Helper()
	got := ""
	for range 100 {
		if got = tb.page(t, expression); got == want {
			return
		}
		time.Sleep(30 * time.Millisecond)
	}
	t.Fatalf("%s is %q, not %q", expression, got, want)
}

func (tb *tab) picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("QUIRE_TEST_OUT")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(tb.ctx, chromedp.CaptureScreenshot())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, name+".png"), shot, 0o644))
}

func TestPreview(t *testing.T) {
	tb := chrome(t)
	s := previewServer(t, previewDocument())
	tb.open(t, s.URL+"/preview", 1200, 900)
	tb.waitFor(t, `document.querySelector(".q-counter")?.textContent ?? ""`, "1 / 5")
	tb.picture(t, "preview-wide")
	for _, c := range []struct{ expression, want string }{
		{`document.querySelector(".q-print").getAttribute("aria-label")`, "Print"},
		{`String(document.querySelectorAll(".q-progress").length)`, "0"},
		{`document.querySelector("a[href^=http]").target`, "_blank"},
		{`document.querySelector(".q-desk").style.transform`, ""},
		{`document.querySelector(".q-print").click(), document.body.dataset.printed`, "yes"},
		{`dispatchEvent(new KeyboardEvent("keydown", {key: "x"})), document.dispatchEvent(new KeyboardEvent("keydown", {key: "+"})), document.querySelector(".q-desk").style.transform`, "scale(1.1)"},
		{`document.dispatchEvent(new KeyboardEvent("keydown", {key: "0"})), document.querySelector(".q-desk").style.transform`, ""},
		{`scrollTo(0, document.documentElement.scrollHeight), ""`, ""},
	} {
		tb.waitFor(t, c.expression, c.want)
	}
	tb.waitFor(t, `document.querySelector(".q-counter").textContent`, "5 / 5")
	if n := pdfPages(t, tb.pdf(t)); n != 5 {
		t.Errorf("%d pages in print, not 5", n)
	}
}

func TestPreviewNarrow(t *testing.T) {
	tb := chrome(t)
	s := previewServer(t, previewDocument())
	tb.open(t, s.URL+"/preview?hidePrintButton=true", 400, 700)
	tb.waitFor(t, `document.querySelector(".q-counter")?.textContent ?? ""`, "1 / 5")
	tb.waitFor(t, `document.documentElement.scrollWidth <= 400 ? "fits" : "wide"`, "fits")
	tb.waitFor(t, `String(document.querySelector(".q-print"))`, "null")
	tb.picture(t, "preview-narrow")
}

func TestPreviewInFrame(t *testing.T) {
	tb := chrome(t)
	s := previewServer(t, previewDocument())
	e := embedder(t, s.URL+"/preview")
	tb.open(t, e.URL, 800, 800)
	tb.waitFor(t, `document.title`, "heard: quire:ready=5")
	tb.page(t, `document.getElementById("f").contentWindow.postMessage("something else", "*"), ""`)
	tb.page(t, `document.getElementById("f").contentWindow.postMessage("print", "*"), ""`)
	tb.waitFor(t, `document.title`, "heard: quire:ready=5 printed")
	tb.picture(t, "preview-frame")
}
