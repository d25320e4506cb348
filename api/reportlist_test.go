package api

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

func TestListOfReportsIsSearched(t *testing.T) {
	h := open(t)
	for query, want := range map[string]struct{ has, lacks []string }{
		"":                   {[]string{`">Invoice</a></h3>`, `">Plain invoice</a></h3>`, `">Sales</a></h3>`}, nil},
		"?q=INVOICE":         {[]string{`">Invoice</a></h3>`, `">Plain invoice</a></h3>`, `value="INVOICE"`}, []string{`">Sales</a></h3>`}},
		"?type=sales":        {[]string{`">Sales</a></h3>`, `<option value="sales" selected>`}, []string{`">Invoice</a></h3>`}},
		"?q=none<b>":         {[]string{"No report fits “none&lt;b&gt;”", "Show all reports"}, []string{"<h3>"}},
		"?kind=subreports":   {[]string{"No subreport fits"}, []string{"<h3>"}},
		"?sort=name&q=i":     {[]string{`<option value="name" selected>`, `name="list" value="q=i&amp;sort=name"`}, []string{`">Sales</a></h3>`}},
		"?sort=%FF&type=%00": {[]string{`">Invoice</a></h3>`}, nil},
	} {
		page := h.opened(t, "administrator", "/ws/demo"+query, want.has...)
		for _, word := range want.lacks {
			if strings.Contains(page, word) {
				t.Errorf("%q shows %s", query, word)
			}
		}
	}
	if page := h.opened(t, "viewer", "/ws/demo", "More for", "/share\">Share"); strings.Contains(page, "Duplicate") || strings.Contains(page, "Delete") {
		t.Error("the menu of a viewer has more than how to share a report")
	}
	h.opened(t, "root", "/ws/other-house", "A report is a document that fills itself with data", "press Create")
}

// report is the first report of a name as the list has it.
func (h *house) report(t *testing.T, workspace, name string, inner bool) *store.ReportRow {
	t.Helper()
	ws := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), workspace))
	for _, row := range must[[]store.ReportRow](t)(h.store.Reports(t.Context(), ws.ID, store.ReportQuery{Subreports: true})) {
		if row.Name == name && row.IsSubreport == inner {
			return &row
		}
	}
	return nil
}

func testReportMenu(t *testing.T, open opener) {
	h := open(t)
	const plain = "/ws/demo/reports/2"
	for who, status := range map[string]int{"viewer": 403, "operator": 403, "guest": 403, "stranger": 404} {
		h.sent(t, who, plain+"/duplicate", status)
	}
	w := h.sent(t, "author", plain+"/duplicate", 303, "list", "q=plain&offset=0&evil=1")
	copied := h.report(t, "demo", "Plain invoice (copy)", false)
	if copied == nil || copied.OwnerID != h.users["author"].ID || copied.TypeCode != "invoice" {
		t.Fatalf("%+v", copied)
	}
	leads(t, w, "/ws/demo?q=plain&done=copied&report="+itoa(copied.ID))
	h.opened(t, "author", w.Header().Get("Location"), "Plain invoice (copy) was made.", "/reports/"+itoa(copied.ID)+"/design")

	own := "/ws/demo/reports/" + itoa(copied.ID)
	h.sent(t, "viewer", own+"/subreport", 403)
	h.sent(t, "guest", own+"/subreport", 404)
	leads(t, h.sent(t, "author", own+"/subreport", 303), "/ws/demo?done=subreport&report="+itoa(copied.ID))
	if h.report(t, "demo", copied.Name, true) == nil {
		t.Error("the report was not converted")
	}
	if strings.Contains(h.opened(t, "author", "/ws/demo"), copied.Name) {
		t.Error("the list shows a subreport")
	}
	h.opened(t, "author", "/ws/demo?kind=subreports", copied.Name, own+"/standalone")
	leads(t, h.sent(t, "author", own+"/standalone", 303, "list", "kind=subreports"), "/ws/demo?kind=subreports&done=standalone&report="+itoa(copied.ID))
	if h.report(t, "demo", copied.Name, false) == nil {
		t.Error("the report was not converted back")
	}
	testDeletingFromTheList(t, h, own, copied.ID)
	testMovingFromTheList(t, h, copied.ID)
}

// testDeletingFromTheList: who made a report may delete it and bring it back.
func testDeletingFromTheList(t *testing.T, h *house, own string, id int) {
	for who, status := range map[string]int{"author": 403, "viewer": 403, "guest": 404} {
		h.sent(t, who, "/ws/demo/reports/2/delete", status)
	}
	w := h.sent(t, "author", own+"/delete", 303, "list", "sort=name")
	leads(t, w, "/ws/demo?sort=name&deleted="+itoa(id))
	h.opened(t, "author", w.Header().Get("Location"), "Plain invoice (copy) was deleted.", own+"/restore", "Undo")
	if page := h.opened(t, "viewer", w.Header().Get("Location")); strings.Contains(page, "was deleted") {
		t.Error("a viewer is told what others deleted")
	}
	h.sent(t, "viewer", own+"/restore", 403)
	h.sent(t, "guest", own+"/restore", 404)
	leads(t, h.sent(t, "author", own+"/restore", 303), "/ws/demo?done=restored&report="+itoa(id))
	h.opened(t, "author", w.Header().Get("Location"), "Plain invoice (copy)")
	h.sent(t, "author", own+"/restore", 404)
}

// testMovingFromTheList: a report goes only where its mover may write.
func testMovingFromTheList(t *testing.T, h *house, id int) {
	other := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "other-house"))
	own := "/ws/demo/reports/" + itoa(id) + "/move"
	h.opened(t, "author", own, "There is no other workspace")
	says(t, h.sent(t, "author", own, 422, "workspace", itoa(other.ID)), "There is no other workspace")
	for _, role := range must[[]store.Role](t)(h.store.Roles(t.Context(), other.ID)) {
		if role.Name == "Author" {
			must[struct{}](t)(struct{}{}, h.store.SetMember(t.Context(), other.ID, h.users["author"].ID, role.ID))
		}
	}
	h.opened(t, "author", own, "Other house (other-house)")
	says(t, h.sent(t, "author", own, 422, "workspace", "x"), "Choose a workspace where you may write reports.")
	h.sent(t, "author", "/ws/demo/reports/2/move", 403, "workspace", itoa(other.ID))
	w := h.sent(t, "author", own, 303, "workspace", itoa(other.ID))
	leads(t, w, "/ws/other-house?report="+itoa(id)+"&done=moved")
	h.opened(t, "author", w.Header().Get("Location"), "Plain invoice (copy) was moved here.")
	if h.report(t, "demo", "Plain invoice (copy)", false) != nil {
		t.Error("the report is still where it was")
	}
}

// TestOwnReportsHaveTheirMenu: a role without access to reports may do
// everything with its own.
func TestOwnReportsHaveTheirMenu(t *testing.T) {
	h := open(t)
	made := must[*store.ReportDefinition](t)(h.store.CreateReport(t.Context(), h.demo.ID, store.NewReport{Name: "Mine", Owner: h.users["guest"].ID, Definition: &report.Report{Version: 1}}))
	page := h.opened(t, "guest", "/ws/demo", `">Mine</a></h3>`, "/move", "/delete", "/subreport")
	if strings.Contains(page, "/duplicate") || strings.Contains(page, "Sales</h3>") {
		t.Error("a guest is offered to make reports, or sees others")
	}
	w := h.sent(t, "guest", "/ws/demo/reports/"+itoa(made.ID)+"/delete", 303)
	h.opened(t, "guest", w.Header().Get("Location"), "Mine was deleted.")
	h.sent(t, "guest", "/ws/demo/reports/"+itoa(made.ID)+"/restore", 303)
}
