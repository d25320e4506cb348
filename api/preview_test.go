package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

func itoa(n int) string { return strconv.Itoa(n) }

// refusing makes the exporter refuse everything.
func (e *exporter) refusing(err error) {
	e.export = func(export.Request) (*export.File, error) { return nil, err }
	e.preview = func(export.PreviewRequest) (*export.Preview, error) { return nil, err }
}

func TestPreviewPage(t *testing.T) {
	h := open(t)
	w := h.check(t, scenario{path: previewPath + "?params[a]=1&lang=de&timezone=Asia/Tokyo&theme=meadow&template=letter&tempDataId=7", who: "viewer", status: 200, has: []string{"Invoice 4711"}})
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": samplePolicy + "; sandbox allow-scripts allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads; frame-ancestors *",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
	r := h.export.shown
	if h.jsonOf(r.Params) != `{"a":"1"}` || r.Lang != "de" || r.Timezone != "Asia/Tokyo" || r.Theme != "meadow" || r.Template != "letter" || r.TempDataID != 7 || r.AssetBase != "/assets" {
		t.Errorf("the request is %+v", r)
	}
	h.run([]scenario{
		{name: "by number", path: "/ws/1/reports/2/preview", who: "viewer", status: 200},
		{name: "broken options", path: previewPath + "?params={", who: "viewer", status: 400, has: []string{"<!doctype html>", "<code>params</code>", "ends too early"}},
		{name: "unknown time zone", path: previewPath + "?timezone=Mars", who: "viewer", status: 400, has: []string{"unknown time zone", "Mars"}},
		{name: "unknown report", path: "/ws/demo/reports/none/preview", who: "viewer", status: 404, has: []string{"Not found"}},
		{name: "nobody", path: previewPath, status: 401, lacks: []string{"Bearer"}, has: []string{"This page has expired", "/sign-in?next=%2Fws%2Fdemo%2Freports%2Finvoice%2Fpreview"}, answer: map[string]string{"Content-Security-Policy": "frame-ancestors *"}},
		{name: "markup in an option", path: previewPath + "?timezone=%3Cscript%3E", who: "viewer", status: 400, has: []string{"&lt;script&gt;"}, lacks: []string{"<script>"}},
	})
}

func TestWhoMayEmbedPreviews(t *testing.T) {
	h := open(t, func(c *Config) { c.FrameAncestors = []string{"https://shop.example.com", "'self'"} })
	h.check(t, scenario{path: previewPath, who: "viewer", status: 200, answer: map[string]string{"Content-Security-Policy": "frame-ancestors https://shop.example.com 'self'"}})
	h = open(t, func(c *Config) { c.FrameAncestors = []string{} })
	h.check(t, scenario{path: previewPath, who: "viewer", status: 200, answer: map[string]string{"Content-Security-Policy": "frame-ancestors 'none'"}})
}

func TestMissingParametersAreAskedFor(t *testing.T) {
	h := open(t)
	h.export.refusing(report.Problems{report.Problemf("params.year", `the parameter "Year" (year) is required`)})
	h.run([]scenario{
		{name: "the form", path: "/ws/demo/reports/sales/preview?params[from]=2026-01-31&params[region]=n&data=%7B%7D&theme=meadow&nonce=" + h.nonce("viewer"), status: 400, has: []string{
			`<form method="get"`, `<legend>Period</legend>`, `type="number" name="params[year]" value="" step="any" required>`,
			`type="date" name="params[from]" value="2026-01-31"`, `<option value="n" selected>North</option>`, `<option value="s">s</option>`, `<option value="true" selected>Yes</option>`,
			`<input type="hidden" name="data" value="{}">`, `<input type="hidden" name="theme" value="meadow">`,
		}, lacks: []string{"nonce", "is required."}, answer: map[string]string{"Content-Security-Policy": "frame-ancestors *"}},
		{name: "a wrong value", path: "/ws/demo/reports/sales/preview?params[year]=%22soon", who: "viewer", status: 400, has: []string{
			`value="&#34;soon" step="any" required aria-invalid="true" aria-describedby="p0-problem"`, `id="p0-problem">The parameter &#34;Year&#34; (year) is required.`,
		}},
		{name: "of a file for people", path: "/ws/demo/reports/sales/pdf", header: header("Cookie", h.session("viewer")), status: 400, has: []string{`name="params[year]"`}},
		{name: "not of the API", path: "/api/v1/ws/demo/reports/sales/pdf", who: "viewer", status: 400, has: []string{`"path":"params.year"`}, lacks: []string{"<form"}},
		{name: "not in a thumbnail", path: "/ws/demo/reports/sales/preview?thumbnail=true", who: "viewer", status: 400, lacks: []string{"<form"}, has: []string{"is required"}},
	})
	h.export.refusing(report.Problems{report.Problemf("params.year", "x"), report.Problemf("data.sales", "no answer")})
	h.check(t, scenario{path: "/ws/demo/reports/sales/preview", who: "viewer", status: 400, lacks: []string{"<form"}, has: []string{"no answer"}})
}

func TestLookupsThatDependOnOthersAreAskedAgain(t *testing.T) {
	h := open(t)
	h.export.asked = []export.Asked{
		{Parameter: report.Parameter{Name: "department", Type: report.ParameterLookup, LookupSource: &report.LookupSource{}}, Leads: true, Choices: []report.LookupItem{{Value: "it", Label: "Information technology"}}},
		{Parameter: report.Parameter{Name: "person", Type: report.ParameterLookup, LookupSource: &report.LookupSource{}}, Waits: []string{"Department"}},
		{Parameter: report.Parameter{Name: "site", Type: report.ParameterLookup, LookupSource: &report.LookupSource{}}, Problem: "the host did not answer"},
	}
	h.run([]scenario{
		{name: "asked again", path: "/ws/demo/reports/sales/preview?params[department]=it&ask=1", who: "viewer", status: 200, has: []string{
			`<option value="it" selected>Information technology</option>`, ` data-leads>`, `disabled aria-describedby="`, "First choose Department.", `name="ask" value="1" formnovalidate`, `src="/ui/form.js?v=`, "The host did not answer.",
		}, lacks: []string{`type="hidden" name="ask"`}, answer: map[string]string{"Content-Security-Policy": "script-src 'self'; default-src 'none'"}},
		{name: "the script", path: "/ui/form.js", status: 200, has: []string{"data-leads"}},
		{name: "shown", path: "/ws/demo/reports/sales/preview?params[department]=it", who: "viewer", status: 200, has: []string{"Invoice 4711"}},
	})
}

func TestFilesForPeople(t *testing.T) {
	h := open(t)
	cookie := header("Cookie", h.session("viewer"))
	h.check(t, scenario{path: "/ws/demo/reports/invoice/pdf", header: cookie, status: 200, answer: map[string]string{"Content-Disposition": "inline; filename=", "Content-Type": "application/pdf", "Content-Security-Policy": "frame-ancestors 'self'"}})
	h.export.export = func(export.Request) (*export.File, error) { return newFile("a.html", "text/html", "<p>"), nil }
	h.check(t, scenario{path: "/ws/demo/reports/invoice/pdf?format=html", header: cookie, status: 200, answer: map[string]string{"Content-Disposition": "attachment; filename="}})
}

// TestWhatGoesWrongInExports checks statuses and headers of both faces.
func TestWhatGoesWrongInExports(t *testing.T) {
	problem := func(kind report.Kind, message string) error { return &report.Problem{Kind: kind, Message: message} }
	for name, c := range map[string]struct {
		err    error
		status int
		has    string
		retry  string
	}{
		"busy":               {problem(report.Busy, "all browsers are busy; try again"), 503, "all browsers are busy", "2"},
		"timed out":          {problem(report.TimedOut, "the export took longer than 120 seconds"), 504, "120 seconds", ""},
		"a deadline":         {context.DeadlineExceeded, 504, "time limit", ""},
		"too large":          {problem(report.TooLarge, "more than 1,000,000 rows"), 413, "rows", ""},
		"a fault of authors": {problem(report.Failed, "the script of orders failed"), 400, "orders", ""},
		"something missing":  {report.NotFoundf("theme %q does not exist", "neon"), 404, "neon", ""},
		"a conflict":         {problem(report.Conflict, "it was changed meanwhile"), 409, "changed", ""},
		"a fault of ours":    {errors.New("dial tcp 10.0.0.3:5432: secret-host"), 500, "the log has it under request", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t)
			h.lawless = c.status == 409
			h.export.refusing(c.err)
			for _, path := range []string{pdfPath, previewPath} {
				w := h.do(scenario{path: path, who: "viewer"})
				if w.Code != c.status || w.Header().Get("Retry-After") != c.retry {
					t.Errorf("%s: %d, Retry-After %q", path, w.Code, w.Header().Get("Retry-After"))
				}
				h.check(t, scenario{path: path, who: "viewer", status: c.status, has: []string{c.has}, lacks: []string{"secret-host"}})
			}
		})
	}
}

// TestRefusalsSpeakToReaders: whoever reads an embedded report knows of no token
// and of no user; programs get what they always got.
func TestRefusalsSpeakToReaders(t *testing.T) {
	t.Parallel()
	h := open(t)
	if err := h.store.SetLanguage(t.Context(), h.users["viewer"].ID, "en"); err != nil {
		t.Fatal(err)
	}
	german := func(more ...string) http.Header {
		return header(append([]string{"Accept-Language", "de-AT,de;q=0.9"}, more...)...)
	}
	cookie := h.entered(t, previewPath, h.scoped(t, "")).Get("Cookie")
	h.run([]scenario{
		{name: "used", path: previewPath + "?nonce=used", header: german(), status: 401, has: []string{`lang="de"`, "Diese Seite ist abgelaufen", "neu laden"}, lacks: []string{"Bearer", "nonce", "sign-in"}},
		{name: "in a frame", path: previewPath, header: german("Sec-Fetch-Dest", "iframe"), status: 401, has: []string{"Diese Seite ist abgelaufen"}, lacks: []string{"Bearer", "sign-in"}},
		{name: "a link", path: previewPath + "?lang=de", header: german("Sec-Fetch-Dest", "document"), status: 303, answer: map[string]string{"Location": "/sign-in?next=%2Fws%2Fdemo%2Freports%2Finvoice%2Fpreview%3Flang%3Dde"}},
		{name: "a used nonce in a window", path: previewPath + "?nonce=used", header: german("Sec-Fetch-Dest", "document"), status: 401, has: []string{"Diese Seite ist abgelaufen"}, lacks: []string{"sign-in"}},
		{name: "an ended cookie in a window", path: previewPath, header: german("Cookie", "quire_preview_1=gone", "Sec-Fetch-Dest", "document"), status: 401, has: []string{"Diese Seite ist abgelaufen"}},
		{name: "an ended cookie", path: previewPath, header: german("Cookie", "quire_preview_1=gone"), status: 401, has: []string{"Diese Seite ist abgelaufen"}, lacks: []string{"Bearer"}},
		{name: "another report", path: salesPath, header: german("Cookie", cookie), status: 404, has: []string{`lang="de"`, "Nicht gefunden"}},
		{name: "a program", path: pdfPath, header: german(), status: 401, has: []string{"Bearer"}, answer: map[string]string{"Content-Type": "application/problem+json"}},
	})
}

// TestFramesThatNeedOurOrigin: over plain HTTP a browser that does not trust the
// address sends the cookie only with what pages of our origin ask for.
func TestFramesThatNeedOurOrigin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header http.Header
		host   string
		tls    bool
		own    bool
	}{
		"plain HTTP":           {own: true},
		"plain HTTP at a port": {host: "intranet:8080", own: true},
		"a trusted address":    {header: header("Sec-Fetch-Site", "same-site", "Sec-Fetch-Dest", "iframe")},
		"HTTPS":                {tls: true},
		"an odd host":          {host: "a;script-src *"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			policy := func(path string, more ...string) string {
				r := arriving(path, c.header, c.tls)
				if c.host != "" {
					r.Host = c.host
				}
				for i := 0; i < len(more); i += 2 {
					r.Header.Set(more[i], more[i+1])
				}
				w := httptest.NewRecorder()
				h.handler.ServeHTTP(w, r)
				if w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				return w.Header().Get("Content-Security-Policy")
			}
			got := policy(previewPath + "?nonce=" + h.nonce("viewer"))
			if strings.Contains(got, "allow-same-origin") != c.own || strings.Contains(got, "script-src 'self'") == c.own || c.own && !strings.Contains(got, "/assets/preview.js; ") {
				t.Error(got)
			}
			for _, signedIn := range []string{policy(previewPath, "Cookie", h.session("viewer")), policy(previewPath+"?nonce="+h.nonce("viewer"), "Cookie", h.session("root"))} {
				if strings.Contains(signedIn, "allow-same-origin") {
					t.Errorf("beside a session: %s", signedIn)
				}
			}
		})
	}
}

// Who has a nonce learns nothing of where data come from; the log does.
func TestGuestsLearnNothingOfDataSources(t *testing.T) {
	t.Parallel()
	h := open(t)
	fault := &report.Problem{Kind: report.Failed, Path: "dataSources.salaries.settings.query", Message: `data source "salaries": the query failed at line 3: column "wage" does not exist`}
	cookie := h.entered(t, previewPath, h.nonce("author")).Get("Cookie")
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) { return nil, report.Problems{fault} }
	h.export.export = func(export.Request) (*export.File, error) { return nil, fault }
	for _, path := range []string{previewPath, pdfPath} {
		before := len(h.log.String())
		w := h.check(t, scenario{path: path, header: header("Cookie", cookie), status: 400, lacks: []string{"salaries", "wage"}})
		id := w.Header().Get("X-Request-Id")
		if said := strings.ToLower(w.Body.String()); !strings.Contains(said, "the data of this report could not be read; the log of the service has the reason under "+id) {
			t.Errorf("%s: %s", path, w.Body)
		}
		if log := h.log.String()[before:]; !strings.Contains(log, "a reason was not shown") || !strings.Contains(log, "wage") || !strings.Contains(log, "request="+id) {
			t.Errorf("%s: the log says %s", path, log)
		}
		h.check(t, scenario{path: path, who: "author", status: 400, has: []string{"line 3"}})
	}
}
