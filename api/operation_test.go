package api

import (
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// TestOperation: root users see which processes work, what is queued, and what waits for
// nobody.
func TestOperation(t *testing.T) {
	h := open(t)
	h.opened(t, "root", "/operation", "No process takes tasks.", "Nothing is queued.")
	announce := func(p store.Process) {
		t.Helper()
		if err := h.store.Announce(t.Context(), p, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	announce(store.Process{Name: "a", Host: "print<1>", Role: "worker", Version: "1.2.3", Work: store.PrintWork, Places: 16})
	must[int](t)(h.store.CreateExport(t.Context(), store.NewExport{WorkspaceID: h.demo.ID, UserID: 1, Kind: store.ExportTask, Priority: store.Interactive, Payload: []byte("{}"), Lifetime: time.Hour, Report: "1", Format: "pdf"}))
	page := h.opened(t, "root", "/operation", "print&lt;1&gt;", "prints<", ">16<", "1.2.3", "Exports", "somebody waits", ">1<")
	if strings.Contains(page, `role="alert"`) {
		t.Error("something is said to wait for nobody")
	}
	if err := h.store.Depart(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	announce(store.Process{Name: "b", Host: "two", Role: "service", Work: store.DeliverWork, Places: 2})
	h.opened(t, "root", "/operation", "No process prints", "delivers<")
	announce(store.Process{Name: "c", Host: "three", Role: "service", Places: 2})
	if page = h.opened(t, "root", "/operation", "prints and delivers"); strings.Contains(page, "No process prints") {
		t.Error("one prints again, and that is not seen")
	}
}
