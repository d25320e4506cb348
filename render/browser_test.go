package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render/pdf"
)

// finish joins the parts of a result.
func finish(t testing.TB, res *Result, o pdf.Options) (*pdf.Facts, []byte) {
	t.Helper()
	for _, a := range res.Anchors {
		o.Anchors = append(o.Anchors, pdf.Anchor{ID: a.ID, Page: a.Page, X: a.X, Y: a.Y, Level: a.Level, Text: a.Text})
	}
	var b bytes.Buffer
	if _, err := pdf.Finish(context.Background(), &b, res.Parts, o); err != nil {
		t.Fatal(err)
	}
	facts, err := pdf.ReadFacts(context.Background(), b.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	return facts, b.Bytes()
}

func mustPrint(t testing.TB, p *Pool, job Job) *Result {
	t.Helper()
	res, err := p.Print(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Close() })
	return res
}

func needText(t testing.TB, facts *pdf.Facts) {
	t.Helper()
	for _, p := range facts.Pages {
		if p.Text != "" {
			return
		}
	}
	judges.Missing(t, "needs pdftotext")
}

func TestLinkBasesAgree(t *testing.T) {
	if LinkBase != pdf.LinkBase {
		t.Errorf("%q is not %q", LinkBase, pdf.LinkBase)
	}
}

func TestPrintsAPage(t *testing.T) {
	p := newPool(t, nil)
	for _, paginate := range []bool{true, false} {
		res := mustPrint(t, p, Job{HTML: page("Grüße, мир &amp; Ωmega"), Paginate: paginate})
		facts, _ := finish(t, res, pdf.Options{Title: "Test", Lang: "en"})
		if len(facts.Pages) != 1 || len(res.Pages) != map[bool]int{true: 1}[paginate] || facts.Tagged {
			t.Errorf("paginate %t: %v, pages %v", paginate, facts, res.Pages)
		}
		needText(t, facts)
		if !strings.Contains(facts.Pages[0].Text, "Grüße, мир & Ωmega") {
			t.Errorf("paginate %t: text %q", paginate, facts.Pages[0].Text)
		}
	}
}

func TestPrintsTaggedOnlyWhenAsked(t *testing.T) {
	p := newPool(t, nil)
	res := mustPrint(t, p, Job{HTML: page("<b>seen</b>"), Paginate: true, Tagged: true})
	facts, _ := finish(t, res, pdf.Options{})
	if !facts.Tagged || facts.Tags["P"] != 1 {
		t.Errorf("tagged %t, %v", facts.Tagged, facts.Tags)
	}
}

// Chunks are printed in several tabs; the result must not show it.
func TestPrintsLargeDocumentsInChunks(t *testing.T) {
	p := newPool(t, func(c *Config) { c.ChunkPages = 4; c.MemoryPart = 1000 })
	for p.ready.Load() < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	res := mustPrint(t, p, Job{HTML: table(300, 10), Paginate: true, Tagged: true})
	if len(res.Parts) != 8 || res.Parts[0].First != 1 || res.Parts[7].Last != 30 {
		t.Errorf("parts %+v", res.Parts)
	}
	if s := p.Stats(); s.Helped == 0 || s.Chunks != 8 {
		t.Errorf("%d of %d chunks were printed by another tab", s.Helped, s.Chunks)
	}
	facts, _ := finish(t, res, pdf.Options{Title: "Rows"})
	if len(facts.Pages) != 30 || facts.Tags["Table"] != 30 || facts.Tags["TD"] != 600 || facts.Tags["Document"] != 1 {
		t.Errorf("%d pages, tags %v", len(facts.Pages), facts.Tags)
	}
	needText(t, facts)
	for i := range 300 {
		if !strings.Contains(facts.Pages[i/10].Text, fmt.Sprintf("row %d ", i)) {
			t.Errorf("row %d is not on page %d", i, i/10+1)
		}
	}
	for i, page := range facts.Pages {
		for _, l := range page.Links {
			if want := fmt.Sprintf("page %d", 30-i); l != want {
				t.Errorf("a link on page %d leads to %s, want %s", i+1, l, want)
			}
		}
		if len(page.Links) != 10 {
			t.Errorf("page %d has %d links", i+1, len(page.Links))
		}
	}
}

func TestPaginateGivesTheFinishedHTML(t *testing.T) {
	p := newPool(t, nil)
	res, err := p.Paginate(t.Context(), Job{HTML: table(25, 10)})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Pages) != 3 || len(res.Parts) != 0 || bytes.Count(res.HTML, []byte(`class="q-page"`)) != 3 {
		t.Errorf("%d pages, %d parts, %d bytes of HTML", len(res.Pages), len(res.Parts), len(res.HTML))
	}
	if len(res.Anchors) != 25 || res.Anchors[24].Page != 3 {
		t.Errorf("%d anchors", len(res.Anchors))
	}
}

func picture(c color.Color) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 20, 20))
	for i := range 400 {
		m.Set(i%20, i/20, c)
	}
	var b bytes.Buffer
	png.Encode(&b, m) //nolint:errcheck // a buffer takes everything
	return b.Bytes()
}

// A warm tab keeps files, but never those of another document.
func TestEveryDocumentGetsItsOwnFiles(t *testing.T) {
	p := newPool(t, func(c *Config) { c.Tabs = 1 })
	var asked atomic.Int64
	print := func(body []byte) string {
		give := func(path string) (string, []byte, bool) {
			asked.Add(1)
			return "image/png", body, path == "files/the logo.png" && body != nil
		}
		res := mustPrint(t, p, Job{HTML: page(`<img src="https://quire.invalid/files/the%20logo.png" width=20 height=20>`), Paginate: true, Resources: give})
		r, err := res.Parts[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var b bytes.Buffer
		b.ReadFrom(r)
		return imageData(b.Bytes())
	}
	red, blue := picture(color.RGBA{255, 0, 0, 255}), picture(color.RGBA{0, 0, 255, 255})
	first, again, other, none := print(red), print(red), print(blue), print(nil)
	if first == "" || first != again {
		t.Error("the same picture looks different")
	}
	if other == "" || other == first {
		t.Error("the second document has the first one's picture")
	}
	if none == first || none == other {
		t.Error("a document without files has a picture of another")
	}
	if n := p.Stats().TabsEmptied; n != 2 {
		t.Errorf("the tab was emptied %d times", n)
	}
}

// imageData is the data of the first image of a PDF, or "".
func imageData(b []byte) string {
	_, after, ok := bytes.Cut(b, []byte("/Subtype /Image"))
	if !ok {
		return ""
	}
	_, after, _ = bytes.Cut(after, []byte("stream\n"))
	data, _, _ := bytes.Cut(after, []byte("endstream"))
	return string(data)
}

// Nothing a document asks for reaches a network: neither through the
// interception nor past it.
func TestNoNetwork(t *testing.T) {
	var connections atomic.Int64
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close()
		}
	}()
	evil := "http://" + l.Addr().String() + "/"
	html := strings.ReplaceAll(`<!doctype html><html><head><link rel="dns-prefetch" href="EVIL"><link rel="preconnect" href="EVIL">
		<link rel="prefetch" href="EVILa"><link rel="preload" as="image" href="EVILb"><link rel="stylesheet" href="EVILc"><link rel="icon" href="EVILd">
		<link rel="prerender" href="EVILe"><link rel="modulepreload" href="EVILf"><meta http-equiv="refresh" content="0;url=EVILg">
		<style>@import url(EVILh);@font-face{font-family:X;src:url(EVILi)}body{font-family:X;background:url(EVILj)}</style></head><body>
		<section class="q-sheet"><div class="q-body"><p>seen</p><img src="EVILk"><img srcset="EVILl 2x"><iframe src="EVILm"></iframe><object data="EVILn"></object><embed src="EVILo">
		<video src="EVILp" poster="EVILq"></video><audio src="EVILr"></audio><svg><image href="EVILs"/><use href="EVILt#a"/></svg><script src="EVILu"></script>
		<script>document.querySelector('p').textContent='script ran'; fetch('EVILv'); new WebSocket('EVILw'.replace('http','ws'))</script>
		<img src="x" onerror="document.querySelector('p').textContent='handler ran'"><img src="file:///etc/hostname"><iframe src="file:///etc/passwd"></iframe>
		<iframe srcdoc="<script>parent.document.querySelector('p').textContent='frame ran'</script><img src=EVILx>"></iframe></div></section></body></html>`, "EVIL", evil)
	p := newPool(t, func(c *Config) { c.Tabs = 1 })
	for _, paginate := range []bool{true, false} {
		res := mustPrint(t, p, Job{HTML: []byte(html), Paginate: paginate})
		// The same tab prints another one meanwhile, for what comes late.
		mustPrint(t, p, Job{HTML: page("the next one"), Paginate: paginate})
		facts, _ := finish(t, res, pdf.Options{})
		needText(t, facts)
		if text := facts.Pages[0].Text; !strings.Contains(text, "seen") || strings.Contains(text, "ran") {
			t.Errorf("paginate %t: %q", paginate, text)
		}
	}
	if found := internetSockets(t, p.Health().Browsers[0].PID); len(found) > 0 {
		t.Errorf("the browser has sockets: %v", found)
	}
	last, err := net.Dial("tcp", l.Addr().String()) // what was made before is taken before it
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	if _, err := last.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections were made", n-1)
	}
	if p.Stats().Refused == 0 {
		t.Error("nothing was refused: the test asks for nothing")
	}
	// A document that tried to leave did not take the tab with it.
	mustPrint(t, p, Job{HTML: page("still here"), Paginate: true})
}

// internetSockets are the IP sockets of the browser's processes that are bound
// or connected to another machine.
func internetSockets(t *testing.T, pgid int) (found []string) {
	t.Helper()
	inodes := map[string]bool{}
	for _, pid := range groupOf(pgid) {
		fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		for _, fd := range fds {
			link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			if id, ok := strings.CutPrefix(link, "socket:["); ok {
				inodes[strings.TrimSuffix(id, "]")] = true
			}
		}
	}
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6"} {
		b, _ := os.ReadFile("/proc/net/" + kind)
		for _, line := range strings.Split(string(b), "\n") {
			if f := strings.Fields(line); len(f) > 9 && inodes[f[9]] && kind[:3] == "tcp" {
				found = append(found, line)
			} else if len(f) > 9 && inodes[f[9]] && strings.Trim(f[2], "0:") != "" {
				found = append(found, line)
			}
		}
	}
	return found
}

func TestDocumentsThatCannotBePrinted(t *testing.T) {
	p := newPool(t, func(c *Config) { c.Tabs = 1 })
	bad := bytes.Replace(page("x"), []byte("<body>"), []byte(`<body data-fail="no width for q-sheet">`), 1)
	_, err := p.Print(t.Context(), Job{HTML: bad, Paginate: true})
	if !errors.Is(err, ErrPageFailed) || !strings.Contains(err.Error(), "no width for q-sheet") {
		t.Errorf("a paginator that throws: %v", err)
	}
	hang := bytes.Replace(page("x"), []byte("<body>"), []byte(`<body data-hang="1">`), 1)
	began := time.Now()
	_, err = p.Print(t.Context(), Job{HTML: hang, Paginate: true, Timeout: 300 * time.Millisecond})
	if !errors.Is(err, ErrTimeout) || time.Since(began) > 10*time.Second {
		t.Errorf("a paginator that hangs: %v after %v", err, time.Since(began))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err = p.Print(ctx, Job{HTML: hang, Paginate: true}); !errors.Is(err, ErrTimeout) {
		t.Errorf("the caller's deadline: %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, leave)
	if _, err = p.Print(ctx, Job{HTML: hang, Paginate: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that leaves: %v", err)
	}
	mustPrint(t, p, Job{HTML: page("next"), Paginate: true})
	if s := p.Stats(); s.TabsDropped < 2 || s.BrowserLost != 0 || s.Failed != 4 || s.TimedOut != 2 {
		t.Errorf("%+v", s)
	}
}

func TestWithoutPaginator(t *testing.T) {
	p := newPool(t, func(c *Config) { c.Tabs = 1; c.Script = nil })
	if _, err := p.Print(t.Context(), Job{HTML: page("x"), Paginate: true}); !errors.Is(err, ErrPageFailed) {
		t.Errorf("%v", err)
	}
	mustPrint(t, p, Job{HTML: page("x")})
}

func TestBusyAndStop(t *testing.T) {
	p := newPool(t, func(c *Config) { c.Tabs = 1; c.Queue = 3 })
	mustPrint(t, p, Job{HTML: page("warm")})
	hang := bytes.Replace(page("x"), []byte("<body>"), []byte(`<body data-hang="1">`), 1)
	errs := make(chan error, 10)
	try := func() {
		_, err := p.Print(context.Background(), Job{HTML: hang, Paginate: true})
		errs <- err
	}
	go try()
	for p.Health().Running == 0 { // the tab takes it before the queue fills
		runtime.Gosched()
	}
	for range 9 {
		go try()
	}
	for range 6 { // one is printed, three wait
		if err := <-errs; !errors.Is(err, ErrBusy) {
			t.Errorf("%v", err)
		}
	}
	if h := p.Health(); h.Waiting != 3 || h.Running != 1 || h.State != Ready {
		t.Errorf("%+v", h)
	}
	p.Stop()
	for range 4 {
		if err := <-errs; !errors.Is(err, ErrStopped) {
			t.Errorf("%v", err)
		}
	}
	if _, err := p.Print(context.Background(), Job{HTML: hang}); !errors.Is(err, ErrStopped) {
		t.Errorf("after Stop: %v", err)
	}
	if h := p.Health(); h.State != Stopped {
		t.Errorf("%+v", h)
	}
}

// Tabs and browsers are replaced in the background; no document notices.
func TestRenewal(t *testing.T) {
	p := newPool(t, func(c *Config) { c.TabUses = 5; c.BrowserUses = 40 })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 40 {
				res, err := p.Print(context.Background(), Job{HTML: page(fmt.Sprint(i)), Paginate: true})
				if err != nil {
					t.Error(err)
					return
				}
				res.Close()
			}
		})
	}
	wg.Wait()
	s := p.Stats()
	if s.Printed != 160 || s.TabsRenewed < 1 || s.BrowserRenewed < 1 || s.TabsDropped != 0 || s.BrowserLost != 0 {
		t.Errorf("%+v", s)
	}
}

func TestVeryLargeHTMLGoesInPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	p := newPool(t, func(c *Config) { c.Tabs = 1 })
	filler := "<!--" + strings.Repeat("Größe ", pieceSize/6) + "-->"
	res := mustPrint(t, p, Job{HTML: page(filler + "the end"), Paginate: true, Timeout: 2 * time.Minute})
	facts, _ := finish(t, res, pdf.Options{})
	needText(t, facts)
	if !strings.Contains(facts.Pages[0].Text, "the end") {
		t.Errorf("text %q", facts.Pages[0].Text)
	}
}
