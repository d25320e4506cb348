package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// checkedAt is the time of all checked documents, so that they are the same
// each time.
var checkedAt = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// pageCheck makes documents of reports and looks at them as a browser shows
// them.
type pageCheck struct {
	engine  *engine
	service *export.Service
	tab     *browser
	server  *httptest.Server

	mu       sync.Mutex
	document []byte
	looks    int
}

func newPageCheck(t testing.TB, ws *report.Workspace) *pageCheck {
	t.Helper()
	s, err := loadSettings("", nil, map[string]string{"Log.Level": "error", "Scripts.TimeoutSeconds": "60"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(t.Context(), s, slog.New(slog.DiscardHandler), data.Config{Inline: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.stop)
	e.config.Definitions, e.config.Zone = export.Bundle{Workspace: ws}, time.UTC
	e.config.Clock = func() time.Time { return checkedAt }
	c := &pageCheck{engine: e, service: export.New(e.config), tab: openBrowser(t)}
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(c.document)
	}))
	t.Cleanup(c.server.Close)
	if _, err := chromedp.Call(c.tab.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1700, Height: 1400, DeviceScaleFactor: 1}); err != nil {
		t.Fatal(err)
	}
	return c
}

// readBundle reads a workspace from a folder of the repository.
func bundleIn(t testing.TB, folder string) *report.Workspace {
	t.Helper()
	ws, problems := report.ReadWorkspace(os.DirFS(folder))
	if problems != nil {
		t.Fatal(problems)
	}
	return ws
}

// file is an export of a report.
func (c *pageCheck) file(code, format string) (content []byte, warnings report.Problems, err error) {
	f, err := c.service.Export(context.Background(), export.Request{Workspace: 1, Report: code, ExportOptions: report.ExportOptions{Format: format}})
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := f.Open()
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	_, err = b.ReadFrom(r)
	return b.Bytes(), f.Warnings, err
}

// seenPages is what the browser tells of a document.
type seenPages struct {
	Pages    int
	Text     string   // of all pages' bodies, without what is repeated and what depends on pages
	Sliced   bool     // whether a row is broken from side to side: its text is not in order then
	Overflow []string // what runs over its page
	Words    []string // off the paper, over their neighbours or too small to read
	Boxes    []struct {
		X, Y, Width, Height float64
		Attached            bool // stands in for a page of an attached PDF
	}
	Codes    []seenCode
	Warnings []string
}

type seenCode struct {
	Page                int
	Text, Format        string
	X, Y, Width, Height float64
}

//go:embed testdata/pagecheck.js
var lookAtPages string

// see opens a document as a person sees it.
func (c *pageCheck) see(document []byte) (*seenPages, error) {
	c.mu.Lock()
	c.document = document
	c.looks++
	// Who follows a link to a place does not get the first pages before the others.
	address := fmt.Sprintf("%s/?look=%d#whole", c.server.URL, c.looks)
	c.mu.Unlock()
	// A hostile report may have thousands of pages, and the machine other work.
	ctx, cancel := context.WithTimeout(c.tab.ctx, 5*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	result, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: lookAtPages, AwaitPromise: new(true), ReturnByValue: new(true)})
	if err == nil && result.ExceptionDetails != nil {
		err = fmt.Errorf("%s %s", result.ExceptionDetails.Text, string(result.ExceptionDetails.Exception.Description))
	}
	if err != nil {
		return nil, err
	}
	seen := &seenPages{}
	return seen, json.Unmarshal([]byte(result.Result.Value), seen)
}

// shot is a picture of one page at a scale.
func (c *pageCheck) shot(x, y, width, height, scale float64) ([]byte, error) {
	taken, err := chromedp.Call(c.tab.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: new(true), OptimizeForSpeed: new(true), Clip: &page.Viewport{X: x, Y: y, Width: width, Height: height, Scale: scale},
	})
	if err != nil {
		return nil, err
	}
	return taken.Data, nil
}

// invariants are what must be true of every document; each fault is a line.
func (c *pageCheck) invariants(code string) (faults []string, seen *seenPages) {
	document, warnings, err := c.file(code, "html")
	if err != nil {
		return []string{"html: " + err.Error()}, nil
	}
	if again, other, err := c.file(code, "html"); !bytes.Equal(document, again) {
		faults = append(faults, fmt.Sprintf("two renders of the same input differ (%v): %s; warnings %v and %v", err, difference(string(document), string(again)), warnings, other))
	}
	if seen, err = c.see(document); err != nil {
		return append(faults, "preview: "+err.Error()), nil
	}
	source := bodyText(document)
	if !sameText(source, seen) {
		faults = append(faults, "the pages' text is not that of the document: "+difference(source, seen.Text))
	}
	for _, o := range seen.Overflow {
		faults = append(faults, "overflow: "+o)
	}
	for _, w := range seen.Words {
		faults = append(faults, "word: "+w)
	}
	printed, _, err := c.file(code, "pdf")
	if err != nil {
		return append(faults, "pdf: "+err.Error()), seen
	}
	facts, err := pdf.ReadFacts(context.Background(), printed, "")
	if err != nil {
		return append(faults, "pdf: "+err.Error()), seen
	}
	if len(facts.Pages) != seen.Pages {
		faults = append(faults, fmt.Sprintf("%d pages in the browser, %d in the PDF", seen.Pages, len(facts.Pages)))
	}
	return faults, seen
}

func sameText(source string, seen *seenPages) bool {
	if seen.Sliced {
		return letters(source) == letters(seen.Text)
	}
	return source == seen.Text
}

// difference shows where two texts part.
func difference(want, got string) string {
	a, b := []rune(want), []rune(got)
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	part := func(r []rune) string { return string(r[max(0, at-30):min(len(r), at+50)]) }
	return fmt.Sprintf("%d and %d characters, at %d: want …%s…, got …%s…", len(a), len(b), at, part(a), part(b))
}

// bodyText is the text of a document's bodies without blanks, and without what
// depends on the pages. Footnotes have their numbers there, and their texts after it.
func bodyText(document []byte) string {
	root, err := html.Parse(bytes.NewReader(document))
	if err != nil {
		return err.Error()
	}
	var body, notes strings.Builder
	b, numbers := &body, 0
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		if n.Type == html.ElementNode {
			for _, class := range strings.Fields(attribute(n, "class")) {
				switch class {
				case "q-body":
					inside = true
				case "q-note":
					if inside {
						numbers++
						b.WriteString(strconv.Itoa(numbers))
						b = &notes
						defer func() { b = &body }()
					}
				case "q-aside":
					return
				case "q-page-number", "q-page-count", "q-page-run-count", "q-page-of", "q-page-running", "q-carry", "q-page-sum", "q-again", "q-on-pages":
					return
				}
			}
			if n.Data == "script" || n.Data == "style" {
				return
			}
		}
		if n.Type == html.TextNode && inside {
			b.WriteString(n.Data)
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, inside)
		}
	}
	walk(root, false)
	return strings.Join(strings.Fields(strings.ReplaceAll(body.String()+notes.String(), "\u00a0", " ")), "")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
