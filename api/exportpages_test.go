package api

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// newExport is an export that nobody works on.
func (h *house) newExport(t *testing.T, who string) int {
	t.Helper()
	id, err := h.store.CreateExport(t.Context(), store.NewExport{
		WorkspaceID: h.demo.ID, UserID: h.users[who].ID, Kind: "held", Priority: store.Interactive, Lifetime: time.Hour, Report: "1", Format: "xlsx",
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestExportPages: everybody has their own exports, who has Full on reports
// all, and an export is cancelled with the name of who does so.
func TestExportPages(t *testing.T) {
	h := open(t)
	h.opened(t, "viewer", "/ws/demo/exports", "There are no exports", "that you have asked for")
	of := map[string]int{"viewer": h.newExport(t, "viewer"), "administrator": h.newExport(t, "administrator"), "operator": h.newExport(t, "operator")}
	at := func(who string) string { return fmt.Sprintf("/ws/demo/exports/%d", of[who]) }
	lists := func(who string, others ...string) {
		t.Helper()
		page := h.opened(t, who, "/ws/demo/exports")
		for owner := range of {
			wanted := strings.Contains(" "+strings.Join(others, " ")+" ", " "+owner+" ")
			if strings.Contains(page, at(owner)+"/cancel") != wanted {
				t.Errorf("%s, export of %s: want it listed %v in\n%s", who, owner, wanted, page)
			}
		}
	}
	lists("viewer", "viewer")
	lists("administrator", "viewer", "administrator", "operator")
	lists("guest")
	h.opened(t, "viewer", "/ws/demo/exports", "xlsx", "being made", "asked for by "+h.users["viewer"].DisplayName)
	h.sent(t, "viewer", at("operator")+"/cancel", 404)
	h.sent(t, "viewer", at("viewer")+"/cancel", 303)
	h.sent(t, "viewer", at("viewer")+"/cancel", 409)
	h.opened(t, "viewer", "/ws/demo/exports", "Cancelled by "+h.users["viewer"].DisplayName+".")
	cookie := header("Cookie", h.session("administrator"))
	h.check(t, scenario{name: "too early", path: at("operator") + "/file", header: cookie, status: 409})
	if _, err := h.store.CompleteExport(t.Context(), of["operator"], store.Finished{Name: "Zeit & Ort.xlsx", ContentType: "application/vnd.ms-excel", Timing: report.Timing{Took: 2500, Phases: []report.PhaseTime{{Phase: "data", MS: 2400}}}}, strings.NewReader("rows")); err != nil {
		t.Fatal(err)
	}
	h.opened(t, "administrator", "/ws/demo/exports", "Zeit &amp; Ort.xlsx", "4 bytes", "Why did it take 2.5 s?", "went into data", `class="phase data"`)
	h.check(t, scenario{path: at("operator") + "/file", header: cookie, status: 200, has: []string{"rows"}})
	h.check(t, scenario{path: at("operator") + "/file", header: header("Cookie", h.session("viewer")), status: 404})
	for range 60 {
		h.newExport(t, "author")
	}
	if page := h.opened(t, "author", "/ws/demo/exports", `rel="next"`); strings.Contains(page, `rel="prev"`) {
		t.Error("the first page has one before it")
	}
	h.opened(t, "author", "/ws/demo/exports?page=2", `rel="prev"`)
}

// TestExportEvents come when an export begins and when it ends.
func TestExportEvents(t *testing.T) {
	h := open(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/ws/demo/exports/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Cookie", h.session("viewer"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	last := ""
	next := func() {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && data != last {
				last = data
				return
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
	}
	next()
	id := h.newExport(t, "viewer")
	next()
	if err := h.store.CancelExport(t.Context(), h.demo.ID, id, "cancelled by Ana"); err != nil {
		t.Fatal(err)
	}
	next()
}
