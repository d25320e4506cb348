package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

func TestMain(m *testing.M) {
	scripting.ChildMain()
	pdfium.ChildMain()
	os.Exit(m.Run())
}

// printer remembers what it is asked to print and answers with an error, so
// that everything before the browser can be tested without one.
type printer struct {
	job  render.Job
	err  error
	full error
	took render.Timings // by drawings
}

func (p *printer) Room(context.Context, string) error { return p.full }

func (p *printer) Print(_ context.Context, job render.Job) (*render.Result, error) {
	p.job = job
	return nil, p.err
}

func (p *printer) Draw(_ context.Context, job render.Job, attribute string) ([]render.Drawing, render.Timings, error) {
	p.job = job
	time.Sleep(p.took.Queue + p.took.Fill + p.took.Print)
	return make([]render.Drawing, bytes.Count(job.HTML, []byte(" "+attribute))), p.took, p.err
}

func (p *printer) Picture(_ context.Context, job render.Job, still render.Still) (*render.Picture, render.Timings, error) {
	p.job = job
	return &render.Picture{WebP: []byte("webp"), Page: still.Page}, p.took, p.err
}

func (p *printer) Read(_ context.Context, job render.Job, _ render.Reading) (*render.Read, error) {
	p.job = job
	return nil, p.err
}

func newService(t testing.TB, files map[string]string) (*Service, *printer) {
	t.Helper()
	return newServiceFor(t, files, 12*time.Second) // the race detector is slow
}

// newServiceFor is newService with a time limit of scripts.
func newServiceFor(t testing.TB, files map[string]string, limit time.Duration) (*Service, *printer) {
	t.Helper()
	bundle := fstest.MapFS{"workspace.json": {Data: []byte(`{"name": "Acme", "code": "acme", "languages": [{"name": "English", "code": "en", "culture": "en-GB"}, {"name": "Deutsch", "code": "de", "culture": "de-AT"}]}`)}}
	for name, doc := range files {
		bundle[name] = &fstest.MapFile{Data: []byte(doc)}
	}
	ws, problems := report.ReadWorkspace(bundle)
	if problems != nil {
		t.Fatal(problems)
	}
	guard, err := egress.New(egress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	scripts := scripting.New(scripting.Config{Processes: 1, Timeout: limit, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	t.Cleanup(scripts.Stop)
	p := &printer{err: render.ErrBusy}
	loader := data.NewLoader(data.Config{Scripts: scripts, Egress: guard})
	t.Cleanup(loader.Close)
	return New(Config{
		Definitions: Bundle{ws}, Loader: loader, Scripts: scripts, Printer: p, Guard: guard, Zone: time.UTC, Timeout: 10 * limit,
		Clock: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	}), p
}

const orders = `{"name": "Orders", "title": "Orders: {$data.sum.total}/{$params.year}", "timezone": "Europe/Vienna",
	"parameters": [{"name": "year", "type": "number", "required": true}],
	"pages": [
		{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "{$dict.total}: {$data.sum.total:currency;EUR} of {$params.year}, {$data.rates.0.rate:n;2}"}}]},
		{"id": 2, "name": "B", "elements": [{"type": "text", "props": {"text": "second page"}}]}],
	"dataSources": [
		{"name": "orders", "type": "json", "settings": {"content": [{"amount": 10.5}, {"amount": 4}]}},
		{"name": "sum", "type": "javascript", "dependencies": ["$data.orders"], "settings": {"function": "() => ({total: $data.orders.reduce((t, o) => t + o.amount, 0)})"}}]}`

func files() map[string]string {
	return map[string]string{
		"reports/orders.json":          orders,
		"dictionaries/words.json":      `{"name": "Words", "entries": {"total": {"en": "Total", "de": "Summe"}}}`,
		"data-sources/rates.json":      `{"name": "rates", "type": "csv", "scope": "global", "settings": {"content": "code,rate\nEUR,1.25\n"}}`,
		"data-sources/never-read.json": `{"name": "broken", "type": "csv", "scope": "global", "settings": {}}`,
	}
}

func request() Request {
	return Request{Report: "orders", Params: report.ObjectOf("year", int64(2026)), ExportOptions: report.ExportOptions{Format: "html"}}
}

func TestExportGoesTheWholeWay(t *testing.T) {
	s, _ := newService(t, files())
	tests := []struct {
		name   string
		change func(*Request)
		want   []string
	}{
		{"as it is", func(*Request) {}, []string{"Total: €14.50 of 2026, 1.25", "second page", `lang="en-GB"`}},
		{"in German", func(r *Request) { r.Lang = "DE" }, []string{"Summe: € 14,50 of 2026, 1,25", `lang="de-AT"`}},
		{"other data", func(r *Request) {
			r.Data = report.ObjectOf("orders", []any{report.ObjectOf("amount", int64(7))}, "rates", nil)
		}, []string{"Total: €7.00 of 2026, 1.25"}},
		{"without a page", func(r *Request) { r.ExcludePages = []int{1} }, []string{"second page"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			req := request()
			test.change(&req)
			file, err := s.Export(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			r, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			html, _ := io.ReadAll(r)
			for _, want := range test.want {
				if !strings.Contains(strings.ReplaceAll(string(html), "\u00a0", " "), want) {
					t.Errorf("no %q", want)
				}
			}
			if len(req.ExcludePages) > 0 && strings.Contains(string(html), "Total:") {
				t.Error("an excluded page is there")
			}
		})
	}
}

func TestExportRefusesWithThePlace(t *testing.T) {
	s, p := newService(t, files())
	tests := []struct {
		name   string
		change func(*Request)
		kind   report.Kind
		want   string
	}{
		{"parameter", func(r *Request) { r.Params = nil }, report.Invalid, "params.year"},
		{"parameter's type", func(r *Request) { r.Params = report.ObjectOf("year", "soon") }, report.Invalid, "params.year"},
		{"report", func(r *Request) { r.Report = "nothing" }, report.NotFound, "nothing"},
		{"format", func(r *Request) { r.Format = "odt" }, report.Invalid, "accepted: pdf, html"},
		{"zone", func(r *Request) { r.Timezone = "Local" }, report.Invalid, `unknown time zone "Local"`},
		{"zone as a path", func(r *Request) { r.Timezone = "../../etc/passwd" }, report.Invalid, "unknown time zone"},
		{"language", func(r *Request) { r.Lang = "../x" }, report.Invalid, "accepted: en, de"},
		{"theme", func(r *Request) { r.Theme = "neon" }, report.Invalid, "theme"},
		{"protection", func(r *Request) { r.DenyCopying = true }, report.Invalid, "PDF files only"},
		{"upload", func(r *Request) { r.TempDataID = 7 }, report.Invalid, "tempDataId"},
		{"busy printer", func(r *Request) { r.Format = "pdf" }, report.Busy, "try again"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			req := request()
			test.change(&req)
			_, err := s.Export(t.Context(), req)
			var problem *report.Problem
			if !errors.As(err, &problem) || problem.Kind != test.kind || !strings.Contains(problem.Error(), test.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if !p.job.Paginate || !strings.Contains(string(p.job.HTML), "Total: €14.50") {
		t.Error("the printer did not get the document")
	}
}

// Pages that are to be left out and that the report lacks are refused: else the
// page that was meant would be inside.
func TestPagesThatAreLeftOut(t *testing.T) {
	s, _ := newService(t, files())
	req := request()
	for want, list := range map[string][]int{
		"excludePages: the report has no page with the ID 7; it has 1 (A), 2 (B) (and 1 more)": {9, 2, 7},
		"excludePages: all pages of the report would be left out":                              {1, 2},
	} {
		req.ExcludePages = list
		if _, err := s.Export(t.Context(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// A browser that dies of a document: a large one is the reason, a small one not.
func TestDocumentsThatBrowsersDieOf(t *testing.T) {
	for size, want := range map[int]report.Kind{1 << 10: report.Busy, 200 << 20: report.TooLarge} {
		p, ok := errors.AsType[*report.Problem](printProblem(fmt.Errorf("printing: %w", render.ErrCrashed), size))
		if !ok || p.Kind != want || strings.Contains(p.Message, "200 MB") != (want == report.TooLarge) {
			t.Errorf("%d bytes: %v", size, p)
		}
	}
}

// Where a finished file cannot be written, that is said, and why where people
// can do something about it.
func TestFilesThatCannotBeWritten(t *testing.T) {
	missing := &spool{dir: filepath.Join(t.TempDir(), "none")}
	_, gone := missing.Write(make([]byte, memoryLimit+1))
	for _, test := range []struct {
		err  error
		want string
	}{
		{gone, "cannot be written to a temporary file"},
		{unwritten(&os.PathError{Op: "write", Path: "/tmp/x", Err: syscall.ENOSPC}), "no room on the disk"},
	} {
		if p, ok := errors.AsType[*report.Problem](test.err); !ok || p.Kind != report.Busy || !strings.Contains(p.Message, test.want) || strings.Contains(p.Message, "/tmp") {
			t.Errorf("%v; want %q", test.err, test.want)
		}
	}
}

func TestFileNamesAreSafeEverywhere(t *testing.T) {
	for title, want := range map[string]string{
		"Invoice 2026/11":             "Invoice 2026-11.pdf",
		"..\\..\\boot.ini":            "-..-boot.ini.pdf",
		"a\r\nSet-Cookie: x\x00y":     "aSet-Cookie- xy.pdf",
		"  . ":                        "report.pdf",
		"Rechnung „Müller“":           "Rechnung „Müller“.pdf",
		strings.Repeat("ü", 500):      strings.Repeat("ü", 100) + ".pdf", // 200 bytes
		strings.Repeat("a", 500):      strings.Repeat("a", 120) + ".pdf",
		strings.Repeat("漢", 500):      strings.Repeat("漢", 66) + ".pdf",
		"x" + strings.Repeat("🙂", 99): "x" + strings.Repeat("🙂", 49) + ".pdf",
	} {
		if got := fileName(title, "pdf"); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}

// What was accepted before prints behind what somebody waits for.
func TestPrintingHasThePriorityOfTheService(t *testing.T) {
	s, p := newService(t, map[string]string{"reports/a.json": `{"version": 1, "name": "a", "pages": [{"id": 1, "name": "p", "elements": []}]}`})
	for _, priority := range []render.Priority{render.Normal, render.Background} {
		s.cfg.Priority = priority
		_, err := s.Export(t.Context(), Request{Report: "a"})
		var problem *report.Problem
		if !errors.As(err, &problem) || problem.Kind != report.Busy || p.job.Priority != priority {
			t.Errorf("printed with priority %v, %v", p.job.Priority, err)
		}
	}
}

// TestNothingIsDoneForWhomThereIsNoRoom: who is refused is told before any data
// are asked for, and what was accepted is not asked at all.
func TestNothingIsDoneForWhomThereIsNoRoom(t *testing.T) {
	s, p := newService(t, map[string]string{"reports/a.json": `{"version": 1, "name": "A", "type": "other", "dataSources": [{"name": "rows", "type": "javascript", "settings": {"function": "() => { throw new Error('asked') }"}}], "pages": [{"id": 1, "elements": []}]}`})
	p.full = render.ErrBusy
	var problem *report.Problem
	if _, err := s.Export(t.Context(), Request{Report: "a"}); !errors.As(err, &problem) || problem.Kind != report.Busy {
		t.Errorf("without room: %v", err)
	}
	s.cfg.Priority = render.Background
	if _, err := s.Export(t.Context(), Request{Report: "a"}); err == nil || !strings.Contains(err.Error(), "asked") {
		t.Errorf("accepted before: %v", err)
	}
}
