package api

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/store"
)

// TestStartingPoints: who may make reports makes one of a starting point, which
// is shown as it will be.
func TestStartingPoints(t *testing.T) {
	point := func(code, name string) []starter.Point {
		return []starter.Point{{Code: code, Name: name, Report: &report.Report{Version: 1, Name: name, Pages: []report.Page{{ID: 1}}}}}
	}
	h := open(t, func(c *Config) {
		c.Layouts, c.Gallery = point("letter", "A letter"), point("letter", "Love letters")
	})
	const at = "/ws/demo/reports/new"
	h.opened(t, "author", at, "Letter", `value="letter"`, `value="example-letter"`, `src="`+at+`/example-letter/picture?v=`)
	if page := h.opened(t, "author", at+"?q=love", `value="example-letter"`); strings.Contains(page, `value="letter"`) {
		t.Error("the search leaves nothing out")
	}
	h.opened(t, "author", at+"?q=nothing+so", "No starting point fits")
	for _, code := range []string{"letter", "example-letter", "example-letter"} {
		h.check(t, scenario{path: at + "/" + code + "/picture", header: header("Cookie", h.session("author")), status: 200, has: []string{"page 1"}, answer: map[string]string{"Content-Type": "image/webp"}})
	}
	h.check(t, scenario{path: at + "/example-none/picture", header: header("Cookie", h.session("author")), status: 404})
	h.check(t, scenario{path: at + "/letter/picture", header: header("Cookie", h.session("viewer")), status: 403})

	w := h.sent(t, "author", "/ws/demo/reports", 303, "start", "example-letter", "name", " To Ana ")
	made := h.report(t, "demo", "To Ana", false)
	if made == nil || made.OwnerID != h.users["author"].ID {
		t.Fatalf("%+v", made)
	}
	leads(t, w, "/ws/demo/reports/"+itoa(made.ID)+"/design")
	h.sent(t, "author", "/ws/demo/reports", 303, "start", "letter", "name", "")
	if h.report(t, "demo", "Letter", false) == nil {
		t.Error("without a name it has that of the starting point")
	}
	h.sent(t, "author", "/ws/demo/reports", 422, "start", "of-nothing")
	h.sent(t, "author", "/ws/demo/reports", 422, "start", "letter", "name", strings.Repeat("x", 300))
	h.sent(t, "viewer", "/ws/demo/reports", 403, "start", "letter")
	h.sent(t, "author", "/ws/demo/reports", 400, "name", "")
}

// TestPicturesOfStartingPointsAreKept: a picture is drawn once for all who ask, and
// one in the look of the workspace again only when that look changes.
func TestPicturesOfStartingPointsAreKept(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) {
		c.Layouts = []starter.Point{{Code: "letter", Name: "A letter", Report: &report.Report{Version: 1, Name: "A letter", Pages: []report.Page{{ID: 1}}}}}
	})
	seen := func(who, workspace string, drawn int) {
		t.Helper()
		h.check(t, scenario{path: "/ws/" + workspace + "/reports/new/letter/picture", header: header("Cookie", h.session(who)), status: 200, has: []string{"page 1"}})
		if h.export.pictures != drawn {
			t.Errorf("%d pictures were drawn, want %d", h.export.pictures, drawn)
		}
	}
	seen("author", "demo", 1)
	seen("author", "demo", 1)
	seen("root", "demo", 1)
	seen("root", "other-house", 2) // it may look otherwise
	must[*store.FileRow](t)(h.store.PutFile(t.Context(), h.demo.ID, "notes.txt", "text/plain", strings.NewReader("x")))
	seen("author", "demo", 3)
	must[int](t)(h.store.CreateResource(t.Context(), h.demo.ID, store.SharedSources, []byte(`{"name":"rows","type":"json","settings":{"content":[]}}`)))
	seen("author", "demo", 3) // which says nothing of the look
	must[int](t)(h.store.CreateResource(t.Context(), h.demo.ID, store.ThemeKind, []byte(`{"name":"Night","code":"night"}`)))
	seen("author", "demo", 4)
	seen("root", "other-house", 4)
}
