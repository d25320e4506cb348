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
		fmt.Fprint(w, `window.print = () => { document.body.dataset.printed = "yes"; parent.postMessage("printed", "*"); };
if (location.search === "?watch") new MutationObserver((_, o) => {
	const pages = [...document.querySelectorAll(".q-desk > .q-page")];
	if (pages.length === 0) return;
	o.disconnect();
	document.body.dataset.first = pages.length + " pages, " + document.querySelector(".q-page-footer").textContent.trim();
	document.body.dataset.shape = JSON.stringify(pages.slice(0, 7).flatMap((p) => [...p.querySelectorAll("td, h1")].map((e) => [e.textContent, e.getBoundingClientRect().top - p.getBoundingClientRect().top])));
}).observe(document, { childList: true, subtree: true });`)
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
<script>addEventListener("message", e => { if (e.data.type !== "quire:page") document.title += " " + (e.data.type ? e.data.type + "=" + (e.data.pages ?? e.data.message) : e.data) });</script>`, address)
	}))
	t.Cleanup(s.Close)
	return s
}

// ui is a part of the viewer, whose tree is its own.
func ui(selector string) string {
	return fmt.Sprintf(`document.querySelector(".q-viewer").shadowRoot.querySelector(%q)`, selector)
}

// at is the page that the viewer says the reader is on.
var at = `(document.querySelector(".q-viewer") ? ` + ui("input.number") + `.value + " " + ` + ui(".q-counter") + `.textContent : "")`

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
	tb.open(t, s.URL+"/preview", 1400, 900)
	tb.waitFor(t, at, "1 / 5")
	tb.picture(t, "preview-wide")
	for _, c := range []struct{ expression, want string }{
		{ui(".q-print") + `.getAttribute("aria-label")`, "Print"},
		{`String(document.querySelectorAll(".q-progress").length)`, "0"},
		{`document.querySelector("a[href^=http]").target`, "_blank"},
		{`document.querySelector(".q-desk").style.transform`, ""},
		{ui(".q-print") + `.click(), String(document.body.dataset.printed)`, "yes"},
		{`dispatchEvent(new KeyboardEvent("keydown", {key: "x"})), document.dispatchEvent(new KeyboardEvent("keydown", {key: "+"})), document.querySelector(".q-desk").style.transform`, "scale(1.1)"},
		{`document.dispatchEvent(new KeyboardEvent("keydown", {key: "0"})), document.querySelector(".q-desk").style.transform`, ""},
		// Where the reader is tells the place, not the order in which pages came into sight.
		{`scrollTo(0, document.documentElement.scrollHeight), ""`, ""},
		{at, "5 / 5"},
		{`scrollTo(0, 0), scrollTo(0, document.querySelectorAll(".q-page")[2].getBoundingClientRect().top + scrollY), ""`, ""},
		{at, "3 / 5"},
		{`scrollTo(0, document.documentElement.scrollHeight), ""`, ""},
		{at, "5 / 5"},
		{ui(`[aria-label="Previous page"]`) + `.click(), ` + at, "4 / 5"},
		// A search marks its hits and leaves every box where it is.
		{`window.boxes = () => JSON.stringify([...document.querySelectorAll(".q-page *")].map((e) => e.getBoundingClientRect().width)), window.before = boxes(), ` + ui("input[type=search]") + `.value = "STATEMENT", ` + ui("input[type=search]") + `.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true})), ` + ui(".found") + `.textContent`, "1 of 1"},
		{`String(boxes() === before) + CSS.highlights.get("quire-hits").size + " " + ` + at, "true1 1 / 5"},
	} {
		tb.waitFor(t, c.expression, c.want)
	}
	if n := pdfPages(t, tb.pdf(t)); n != 5 {
		t.Errorf("%d pages in print, not 5", n)
	}
}

// TestFirstPagesBeforeTheRest: of many sections the first are there before the whole
// is; they are the same pages, but for what only the whole tells.
func TestFirstPagesBeforeTheRest(t *testing.T) {
	tb := chrome(t)
	sheets := make([]sheet, 40)
	for i := range sheets {
		sheets[i] = sheet{header: "Header", footer: pageOfPages, body: fmt.Sprintf(`<h1 class="q-el" id="h%d" data-outline="1">Statement %d</h1>`, i, i) + table(60)}
	}
	s := previewServer(t, document(sheets...))
	// What stands on the desk first, and when the whole is there.
	tb.open(t, s.URL+"/preview?watch", 1400, 900)
	tb.waitFor(t, at, "1 / 160")
	const shape = `JSON.stringify([...document.querySelectorAll(".q-desk > .q-page")].slice(0, 7).flatMap((p) => [...p.querySelectorAll("td, h1")].map((e) => [e.textContent, e.getBoundingClientRect().top - p.getBoundingClientRect().top])))`
	for _, c := range []struct{ expression, want string }{
		{`document.body.dataset.first`, "7 pages, Page 1 of …"},
		{`String(document.body.dataset.shape === ` + shape + `)`, "true"},
		{`document.querySelector(".q-page-footer").textContent.trim()`, "Page 1 of 160"},
		{`String(document.querySelectorAll(".q-page").length) + document.querySelectorAll(".q-source").length`, "1600"},
		{`String(document.querySelectorAll("[id=h0]").length)`, "1"},
		{`String(document.querySelector(".q-page:last-of-type .q-page-footer").textContent.trim())`, "Page 160 of 160"},
	} {
		tb.waitFor(t, c.expression, c.want)
	}
}

func TestPreviewNarrow(t *testing.T) {
	tb := chrome(t)
	s := previewServer(t, previewDocument())
	tb.open(t, s.URL+"/preview?hidePrintButton=true", 400, 700)
	tb.waitFor(t, at, "1 / 5")
	tb.waitFor(t, `document.documentElement.scrollWidth <= 400 ? "fits" : "wide"`, "fits")
	tb.waitFor(t, `String(`+ui(".q-print")+`)`, "null")
	// The bar at the thumbs covers nothing: the last page ends above it.
	tb.waitFor(t, `scrollTo(0, document.documentElement.scrollHeight), String([...document.querySelectorAll(".q-page")].pop().getBoundingClientRect().bottom <= `+ui(".bar")+`.getBoundingClientRect().top)`, "true")
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
	tb.page(t, `document.getElementById("f").contentWindow.postMessage({type: "quire:page", page: "x"}, "*"), ""`)
	tb.waitFor(t, `document.title`, "heard: quire:ready=5 printed quire:error=page is \"x\"; accepted: a whole number from 1")
	tb.picture(t, "preview-frame")
}
