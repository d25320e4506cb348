package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// TestUsage: root users see what was made for all workspaces, administrators for
// theirs, by day and month, as a page and as CSV.
func TestUsage(t *testing.T) {
	h := open(t)
	other := must[*store.Workspace](t)(h.store.CreateWorkspace(t.Context(), store.NewWorkspace{Name: "=cmd()", Code: "other"}))
	if err := h.store.AddUsage(t.Context(), []store.Usage{
		{Period: "2026-10-31", WorkspaceID: h.demo.ID, Documents: 2, Pages: 7, Bytes: 3 << 20},
		{Period: "2026-11-01", WorkspaceID: h.demo.ID, Documents: 4, Pages: 9, Bytes: 2 << 20},
		{Period: "2026-11-01", WorkspaceID: other.ID, Documents: 8, Pages: 800, Bytes: 1 << 20},
	}); err != nil {
		t.Fatal(err)
	}
	const days = "?from=2026-10-01&to=2026-11-30"
	h.opened(t, "root", "/usage"+days, "2026-10-31", "=cmd()", ">14<", ">816<", "6 MB", `href="/usage.csv?from=2026-10-01&amp;to=2026-11-30"`)
	page := h.opened(t, "administrator", "/ws/demo/usage"+days, "2026-11-01", ">16<", "5 MB")
	if strings.Contains(page, "=cmd()") || strings.Contains(page, "800") {
		t.Error("an administrator sees the usage of another workspace")
	}
	h.opened(t, "administrator", "/ws/demo/usage"+days+"&by=month", "2026-10<", "2026-11<")
	h.opened(t, "administrator", "/ws/demo/usage?from=2020-01-01&to=2020-01-02", "Nothing was made in this time.")
	file := func(who, path string) string {
		t.Helper()
		rec := h.do(scenario{path: path, header: header("Cookie", h.session(who))})
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "text/csv; charset=utf-8" {
			t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
		}
		return rec.Body.String()
	}
	const top = "period,workspaceId,workspaceCode,workspace,documents,pages,bytes\n"
	if got := file("administrator", "/ws/demo/usage.csv"+days+"&by=month"); got != top+"2026-11,1,demo,"+h.demo.Name+",4,9,2097152\n2026-10,1,demo,"+h.demo.Name+",2,7,3145728\n" {
		t.Error(got)
	}
	if got := file("root", "/usage.csv?from=2026-11-01&to=2026-11-01"); !strings.Contains(got, ",other,'=cmd(),8,800,1048576\n") {
		t.Error(got)
	}
	h.check(t, scenario{path: "/usage?from=soon", header: header("Cookie", h.session("root")), status: 400, has: []string{"is no day"}})
}
