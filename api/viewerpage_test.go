package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// told is what the script of a preview is told.
type told struct {
	Place      string
	Hosts      []string
	Formats    []string
	Given      map[string]any
	Asking     bool
	Parameters []struct {
		Name   string
		Fields []struct{ Name, Label, Kind, Value, Problem string }
	}
	Warnings []struct{ Path, Message string }
	Comments *struct {
		Address string
		Open    int
	}
}

// tells looks at a preview and reads what its script is told.
func (h *house) tells(t *testing.T, s scenario) told {
	t.Helper()
	body := h.check(t, s).Body.String()
	block := body[strings.LastIndex(body, `<script type="application/json" id="quire-viewer">`):]
	var out told
	if err := json.Unmarshal([]byte(between(block, `id="quire-viewer">`, "</script></body>")), &out); err != nil {
		t.Fatalf("%v in %s", err, block)
	}
	return out
}

func (o *told) names() (names []string) {
	for _, g := range o.Parameters {
		for _, f := range g.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// TestWhatTheViewerIsTold: it offers what whoever looks may do, and no more.
func TestWhatTheViewerIsTold(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) {
		c.Formats = []string{"pdf", "html"}
		c.FrameAncestors = []string{"https://shop.example.com"}
	})
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) {
		return &export.Preview{HTML: []byte(sampleHTML), CSP: samplePolicy, Warnings: report.Problems{report.Problemf("pages[0]", "</script> is odd")}}, nil
	}
	signedIn := header("Cookie", h.session("viewer"))
	got := h.tells(t, scenario{path: salesPath + "?params[region]=n", header: signedIn, status: 200})
	if got.Place != "Demo" || len(got.Warnings) != 1 || got.Warnings[0].Message != "</script> is odd" || strings.Join(got.Formats, " ") != "pdf html" || got.Given["region"] != "n" || got.Hosts[0] != "https://shop.example.com" {
		t.Errorf("signed in: %+v", got)
	}
	if names := got.names(); !slices.Contains(names, "year") || !slices.Contains(names, "region") {
		t.Errorf("the parameters are %v", names)
	}
	for _, path := range []string{"?thumbnail=true", "?toolbar=false", "?toolbar=pages,zoom"} {
		if got := h.tells(t, scenario{path: salesPath + path, header: signedIn, status: 200}); len(got.Parameters) > 0 {
			t.Errorf("%s asks for parameters that nobody sees: %v", path, got.names())
		}
	}

	nonce := h.scopedOf(t, "viewer", `{"workspace":"demo","reports":"sales","params":{"year":2026}}`)
	got = h.tells(t, scenario{path: salesPath + "?nonce=" + nonce, status: 200})
	if got.Place != "" || len(got.Warnings) > 0 || len(got.Formats) != 2 || got.Given != nil {
		t.Errorf("by a nonce: %+v", got)
	}
	if names := got.names(); slices.Contains(names, "year") || !slices.Contains(names, "region") {
		t.Errorf("by a nonce that fixes the year, %v may be chosen", names)
	}
}

// TestTheViewerOffersFilesThatMayBeFetched: a token that only reads makes nonces
// that only show.
func TestTheViewerOffersFilesThatMayBeFetched(t *testing.T) {
	t.Parallel()
	h := open(t)
	for scopes, may := range map[store.TokenScopes]bool{store.ScopeRead: false, store.ScopeRead | store.ScopeExport: true} {
		name := "crm" + itoa(int(scopes))
		h.service(t, name, "Viewer", scopes)
		cookie := h.entered(t, previewPath, h.scopedOf(t, name, `{"workspace":"demo","reports":"invoice"}`))
		if got := h.tells(t, scenario{path: previewPath, header: cookie, status: 200}); (len(got.Formats) > 0) != may {
			t.Errorf("with %v the formats are %v", scopes.Names(), got.Formats)
		}
		status := 403
		if may {
			status = 200
		}
		h.check(t, scenario{path: pdfPath, header: cookie, status: status})
	}
}

// TestMissingParametersAreAskedForBesideTheReport: the viewer stays, without pages.
func TestMissingParametersAreAskedForBesideTheReport(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.export.refusing(report.Problems{report.Problemf("params.year", `the parameter "Year" (year) is required`)})
	w := scenario{path: salesPath + "?ask=beside&params[year]=soon&lang=de", who: "viewer", status: 400, lacks: []string{"<form"}, has: []string{`<html lang="de">`, `src="/assets/preview.js"`, `<title>Sales`}, answer: map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self';", "Cache-Control": "no-store"}}
	got := h.tells(t, w)
	if !got.Asking || len(got.Formats) > 0 || got.Given["year"] != "soon" {
		t.Errorf("told %+v", got)
	}
	for _, g := range got.Parameters {
		for _, f := range g.Fields {
			if f.Name == "year" && f.Problem == "" {
				t.Errorf("nothing is said of %+v", f)
			}
		}
	}
	if policy := h.do(w).Header().Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox allow-scripts") {
		t.Error(policy)
	}
	h.export.refusing(report.NotFoundf("theme %q does not exist", "neon"))
	h.check(t, scenario{path: salesPath + "?ask=beside", who: "viewer", status: 404, has: []string{"neon"}})
}

func TestTheElementForPagesOfOthers(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.check(t, scenario{path: "/embed/quire-report.js", status: 200, has: []string{"customElements"}, answer: map[string]string{"Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, no-cache"}})
	h.check(t, scenario{path: "/embed/preview.js", status: 404})
}

// TestTheViewerLeadsToComments: who is signed in is told how much is open and may
// frame the report in our own page; by a nonce there is nothing of it.
func TestTheViewerLeadsToComments(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) { c.FrameAncestors = []string{"https://shop.example.com"} })
	one := "/api/ui/ws/demo/reports/1"
	h.send(t, "viewer", http.MethodPost, one+"/threads", "", `{"text":"Done"}`, 201)
	h.send(t, "viewer", http.MethodPost, one+"/threads", "", `{"text":"Not yet"}`, 201)
	h.send(t, "viewer", http.MethodPost, one+"/threads/1/resolve", "", "", 200)
	signedIn := header("Cookie", h.session("viewer"))
	w := scenario{path: previewPath, header: signedIn, status: 200}
	if got := h.tells(t, w).Comments; got == nil || got.Open != 1 || got.Address != "/ws/demo/reports/1/comments" {
		t.Errorf("signed in: %+v", got)
	}
	if policy := h.check(t, w).Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors 'self' https://shop.example.com") {
		t.Errorf("signed in, the policy is %s", policy)
	}
	if got := h.tells(t, scenario{path: previewPath + "?thumbnail=true", header: signedIn, status: 200}).Comments; got != nil {
		t.Errorf("a picture has %+v", got)
	}
	by := scenario{path: previewPath + "?nonce=" + h.scopedOf(t, "viewer", `{"workspace":"demo","reports":"invoice"}`), status: 200}
	w = scenario{path: previewPath, header: h.entered(t, previewPath, h.scopedOf(t, "viewer", `{"workspace":"demo","reports":"invoice"}`)), status: 200}
	if got := h.tells(t, by).Comments; got != nil {
		t.Errorf("by a nonce: %+v", got)
	}
	if policy := h.check(t, w).Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors https://shop.example.com") {
		t.Errorf("by a nonce, the policy is %s", policy)
	}
	h.check(t, scenario{path: "/ws/demo/reports/1/comments", header: w.header, status: 303})
	h.check(t, scenario{path: "/ws/demo/reports/1/comments?params[year]=2026&toolbar=false", header: signedIn, status: 200, has: []string{`data-names="false"`, `/preview?params%5Byear%5D=2026&amp;toolbar=pages`}})
	h.check(t, scenario{path: "/ws/demo/reports/1/comments", header: header("Cookie", h.session("author")), status: 200, has: []string{`data-names="true"`}})
}
