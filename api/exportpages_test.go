package api

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
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
}

var (
	pagerLink = regexp.MustCompile(`rel="(prev|next)" href="([^"]+)"`)
	listedRow = regexp.MustCompile(`data-listed="(\d+)"|id="export-(\d+)"`)
)

// leafed are the rows of each page of a list, read from its first to its last and
// back again by the links that people press; a new row appears at the first page
// of change before the way back.
func (h *house) leafed(t *testing.T, who, address string, change func()) (forward, back [][]string) {
	t.Helper()
	turn := func(way string) (pages [][]string) {
		for {
			page := h.opened(t, who, address)
			var rows []string
			for _, row := range listedRow.FindAllStringSubmatch(page, -1) {
				rows = append(rows, row[1]+row[2])
			}
			pages = append(pages, rows)
			links := map[string]string{}
			for _, link := range pagerLink.FindAllStringSubmatch(page, -1) {
				links[link[1]] = html.UnescapeString(link[2])
			}
			if links[way] == "" {
				return pages
			}
			address = links[way]
		}
	}
	forward = turn("next")
	change()
	return forward, turn("prev")
}

// TestExportsAreLeafedThrough: no export is missing or shown twice, though new ones
// come; they are on the first page only.
func TestExportsAreLeafedThrough(t *testing.T) {
	t.Parallel()
	h := open(t)
	var want []string // the newest first
	for range 160 {
		want = slices.Insert(want, 0, fmt.Sprint(h.newExport(t, "author")))
		h.clock.Advance(time.Millisecond)
	}
	var fresh string
	forward, back := h.leafed(t, "author", "/ws/demo/exports", func() { fresh = fmt.Sprint(h.newExport(t, "author")) })
	if got := slices.Concat(forward...); len(forward) != 4 || !slices.Equal(got, want) {
		t.Errorf("forward %v; want %v", forward, want)
	}
	first := append([]string{fresh}, want[:49]...)
	slices.Reverse(back)
	if len(back) != 4 || !slices.Equal(back[0], first) || !slices.Equal(slices.Concat(back[1:]...), want[50:]) {
		t.Errorf("back %v; want %v in front of the others", back, first)
	}
}

// customers are the records of so many entries.
type customers int

func (c customers) Len() int { return int(c) }
func (c customers) At(i int) ([]byte, error) {
	return fmt.Appendf(nil, `{"name":"Customer %d"}`, i+1), nil
}

// TestEntriesAreLeafedThrough: all of a run, those in some states, and what was
// searched for.
func TestEntriesAreLeafedThrough(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.withIdleJobs() // the test begins the run itself
	jobs, err := h.store.Jobs(t.Context(), h.demo.ID)
	if err != nil {
		t.Fatal(err)
	}
	id, err := h.store.CreateRun(t.Context(), store.NewRun{WorkspaceID: h.demo.ID, JobID: jobs[1].ID, Document: []byte(`{"name":"Resting","code":"resting"}`)})
	if err != nil {
		t.Fatal(err)
	}
	run := &store.Run{ID: id, WorkspaceID: h.demo.ID, JobID: jobs[1].ID}
	if begun, err := h.store.BeginRun(t.Context(), run, []byte("{}"), func(w io.Writer) error { _, err := io.WriteString(w, "{}"); return err }, customers(170)); !begun || err != nil {
		t.Fatal(begun, err)
	}
	if _, err := h.store.CancelRun(t.Context(), run, "cancelled", nil); err != nil { // what is listed stays as it is
		t.Fatal(err)
	}
	found, err := h.store.Entries(t.Context(), id, 0, 170)
	if err != nil {
		t.Fatal(err)
	}
	var all, failed []string
	for _, e := range found {
		all = append(all, fmt.Sprint(e.ID))
		if e.Failed() {
			failed = append(failed, fmt.Sprint(e.ID))
		}
	}
	for query, want := range map[string][]string{"": all, "?state=errors": failed, "?q=customer": all} {
		forward, back := h.leafed(t, "operator", fmt.Sprintf("/ws/demo/jobs/%d/runs/%d%s", run.JobID, id, query), func() {})
		slices.Reverse(back)
		for _, pages := range [][][]string{forward, back} {
			if len(pages) != (len(want)+49)/50 || !slices.Equal(slices.Concat(pages...), want) {
				t.Errorf("%s: %v; want %v", query, pages, want)
			}
		}
	}
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
