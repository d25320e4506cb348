package render

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func stubScript(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/paginate.js")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// needBrowser skips a test where there is no browser.
func needBrowser(t testing.TB) {
	t.Helper()
	if _, err := FindBrowser(os.Getenv("QUIRE_TEST_BROWSER")); err != nil {
		t.Skip("needs a browser: ", err)
	}
}

func testConfig(t testing.TB) Config {
	t.Helper()
	needBrowser(t)
	return Config{Path: os.Getenv("QUIRE_TEST_BROWSER"), Script: stubScript(t), Tabs: 2, Dir: t.TempDir(), Timeout: 20 * time.Second}
}

func newPool(t testing.TB, change func(*Config)) *Pool {
	t.Helper()
	c := testConfig(t)
	if change != nil {
		change(&c)
	}
	p := New(c)
	t.Cleanup(p.Stop)
	return p
}

// page is a one-page document with some text.
func page(text string) []byte {
	return []byte(`<!doctype html><html lang="en"><head><title>Test</title><style>body{font:12px sans-serif}</style></head><body>` +
		`<section class="q-sheet"><div class="q-body"><p>` + text + `</p></div></section></body></html>`)
}

// table is a document with one table of rows, perPage on a page.
func table(rows, perPage int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>Rows</title><style>table{width:100%%;border-collapse:collapse}td,th{height:10mm;padding:0;font:10px sans-serif}</style></head><body>`+
		`<section class="q-sheet"><div class="q-body"><table data-rows="%d"><thead><tr><th>No</th><th>Link</th></tr></thead><tbody>`, perPage)
	for i := range rows {
		fmt.Fprintf(&b, `<tr><td id="row%d">row %d</td><td><a href="#row%d">to the mirror row</a></td></tr>`, i, i, rows-1-i)
	}
	b.WriteString(`</tbody></table></div></section></body></html>`)
	return b.Bytes()
}

// partText is the text of a part, or of a whole result, by pdftotext.
func text(t testing.TB, res *Result) []string {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext")
	}
	var pages []string
	for _, part := range res.Parts {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("pdftotext", "-layout", "-", "-")
		cmd.Stdin = r
		out, err := cmd.Output()
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, strings.Split(strings.TrimSuffix(string(out), "\f"), "\f")...)
	}
	return pages
}

func TestPrint(t *testing.T) {
	p := newPool(t, nil)
	res, err := p.Print(t.Context(), Job{HTML: page("Grüße, мир & Ωmega"), Paginate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	got := text(t, res)
	if len(got) != 1 || !strings.Contains(got[0], "Grüße, мир & Ωmega") {
		t.Errorf("text = %q", got)
	}
	if len(res.Pages) != 1 {
		t.Errorf("pages = %v", res.Pages)
	}
	t.Logf("%+v %+v", res.Timings, p.Health())
}

func TestPrintChunks(t *testing.T) {
	p := newPool(t, func(c *Config) { c.ChunkPages = 4 })
	res, err := p.Print(t.Context(), Job{HTML: table(300, 10), Paginate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	t.Logf("%+v parts %d %+v", res.Timings, len(res.Parts), p.Stats())
	pages := text(t, res)
	if len(pages) != 30 {
		t.Fatalf("%d pages", len(pages))
	}
	for i := range 300 {
		if !strings.Contains(pages[i/10], fmt.Sprintf("row %d ", i)) {
			t.Errorf("row %d is not on page %d: %s", i, i/10+1, pages[i/10])
		}
	}
}

var _ = context.Background
var _ = io.EOF
