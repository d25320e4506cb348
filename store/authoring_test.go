package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

func (f *fixture) versions(w *Workspace, id int) string {
	f.t.Helper()
	out := ""
	for _, v := range ok[[]Version](f.t)(f.ReportVersions(f.ctx(), w.ID, id)) {
		out += fmt.Sprintf("%d %s|", v.Revision, v.User)
	}
	return out
}

func testAuthoring(f *fixture) {
	w := f.workspace("shop")
	ana := f.member(w, "ana@example.com", "Author")
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: " Šta & kako 2026! ", Owner: ana.ID}))
	if made.Row.Code != "sta-kako-2026" || made.Row.Name != "Šta & kako 2026!" || made.Row.TypeCode != "other" || made.Row.OwnerID != ana.ID || len(made.Report.Pages) != 1 {
		f.t.Errorf("%+v %+v", made.Row, made.Report)
	}
	second := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Šta & kako 2026!", Definition: made.Report, Owner: ana.ID}))
	if second.Row.Code != "sta-kako-2026-2" {
		f.t.Errorf("%+v", second.Row)
	}
	_, err := f.CreateReport(f.ctx(), w.ID, NewReport{Name: "x", Code: "STA-kako-2026"})
	f.isKind(err, report.Conflict)
	for _, n := range []NewReport{{}, {Name: "x", Code: "123"}, {Name: "x", Type: "nothing"}} {
		_, err = f.CreateReport(f.ctx(), w.ID, n)
		f.isKind(err, report.Invalid)
	}

	change := *made.Report
	change.Title = "First"
	if got := ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, made.ID, 1, ana.ID, &change)); got != 2 {
		f.t.Errorf("revision %d", got)
	}
	// Saving by itself makes one version of a sitting.
	change.Title = "Second"
	f.clock.Advance(time.Minute)
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, made.ID, 2, ana.ID, &change))
	change.Title = "Third"
	f.clock.Advance(time.Hour)
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, made.ID, 3, ana.ID, &change))
	change.Title = "Fourth"
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, made.ID, 4, f.root.ID, &change))
	name := ana.DisplayName
	if got, want := f.versions(w, made.ID), fmt.Sprintf("5 %s|4 %s|3 %s|1 %s|", f.root.DisplayName, name, name, name); got != want {
		f.t.Errorf("%s, want %s", got, want)
	}
	if old := ok[*report.Report](f.t)(f.ReportVersion(f.ctx(), w.ID, made.ID, 3)); old.Title != "Second" {
		f.t.Error(old.Title)
	}
	if now := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, fmt.Sprint(made.ID))); now.Report.Title != "Fourth" || now.Row.Revision != 5 {
		f.t.Errorf("%s %d", now.Report.Title, now.Row.Revision)
	}
	_, err = f.SaveReport(f.ctx(), w.ID, made.ID, 4, ana.ID, &change)
	f.isKind(err, report.Conflict)
	if !containsText(err, f.root.DisplayName+" has saved this report meanwhile: it is at revision 5, and your changes are based on 4") {
		f.t.Error(err)
	}
	other := f.workspace("elsewhere")
	_, err = f.SaveReport(f.ctx(), other.ID, made.ID, 5, ana.ID, &change)
	f.isKind(err, report.NotFound)
	_, err = f.ReportVersion(f.ctx(), other.ID, made.ID, 3)
	f.isKind(err, report.NotFound)
}

func testHistoryIsBounded(f *fixture) {
	w := f.workspace("shop")
	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums"}))
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, 1, f.root.ID, r.Report))
	f.must(f.NameVersion(f.ctx(), w.ID, r.ID, 2, " As it was sent "))
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, 2, f.root.ID, r.Report)) // in the same sitting
	for revision := 3; revision <= keptVersions+5; revision++ {
		f.clock.Advance(time.Hour)
		_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, revision, f.root.ID, r.Report))
	}
	versions := ok[[]Version](f.t)(f.ReportVersions(f.ctx(), w.ID, r.ID))
	if len(versions) != keptVersions+1 || versions[0].Revision != keptVersions+6 || versions[keptVersions-1].Revision != 7 {
		f.t.Errorf("%d versions, %+v to %+v", len(versions), versions[0], versions[len(versions)-1])
	}
	if last := versions[len(versions)-1]; last.Revision != 2 || last.Name != "As it was sent" {
		f.t.Errorf("the one with a name: %+v", last)
	}
	f.isKind(f.NameVersion(f.ctx(), w.ID, r.ID, 3, "Gone"), report.NotFound)
	f.isKind(f.NameVersion(f.ctx(), f.workspace("elsewhere").ID, r.ID, 2, "Mine"), report.NotFound)
	f.isKind(f.NameVersion(f.ctx(), w.ID, r.ID, 2, strings.Repeat("x", mostName+1)), report.Invalid)
	f.must(f.NameVersion(f.ctx(), w.ID, r.ID, 2, "")) // it goes with the next save, as the others
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, keptVersions+6, f.root.ID, r.Report))
	if versions := ok[[]Version](f.t)(f.ReportVersions(f.ctx(), w.ID, r.ID)); versions[len(versions)-1].Revision == 2 {
		f.t.Error("the version is kept without its name")
	}
}

// testTwoInASitting has two save by turns: they make a version each, not one with each save.
func testTwoInASitting(f *fixture) {
	w := f.workspace("shop")
	ana, ben := f.member(w, "ana@example.com", "Author"), f.member(w, "ben@example.com", "Author")
	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums", Owner: ana.ID}))
	f.clock.Advance(time.Hour)
	for revision := 1; revision <= 9; revision++ {
		f.clock.Advance(time.Second)
		_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, revision, []*User{ben, ana}[revision%2].ID, r.Report))
	}
	if got, want := f.versions(w, r.ID), fmt.Sprintf("10 %s|9 %s|1 %s|", ana.DisplayName, ben.DisplayName, ana.DisplayName); got != want {
		f.t.Errorf("%s, want %s", got, want)
	}
}

func testDeletingIsUndone(f *fixture) {
	w := f.workspace("shop")
	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums"}))
	f.must(f.DeleteReport(f.ctx(), w.ID, r.ID))
	f.isKind(f.DeleteReport(f.ctx(), w.ID, r.ID), report.NotFound)
	_, err := f.ReportByCode(f.ctx(), w.ID, "sums")
	f.isKind(err, report.NotFound)
	_, err = f.SaveReport(f.ctx(), w.ID, r.ID, 1, f.root.ID, r.Report)
	f.isKind(err, report.NotFound)
	if list := ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{})); len(list) != 0 {
		f.t.Errorf("%+v", list)
	}
	if bundle := ok[*report.Workspace](f.t)(f.ExportWorkspace(f.ctx(), w.Code)); len(bundle.Reports) != 0 {
		f.t.Errorf("%+v", bundle.Reports)
	}
	taken := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums"}))
	if taken.Row.Code != "sums" {
		f.t.Error(taken.Row.Code)
	}
	back := ok[*ReportDefinition](f.t)(f.RestoreReport(f.ctx(), w.ID, r.ID))
	if back.ID != r.ID || back.Row.Code != "sums-2" {
		f.t.Errorf("%+v", back.Row)
	}
	_, err = f.RestoreReport(f.ctx(), w.ID, r.ID)
	f.isKind(err, report.NotFound)
	f.must(f.DeleteReport(f.ctx(), w.ID, r.ID))
	f.clock.Advance(keptDeleted + time.Minute)
	_ = ok[Swept](f.t)(f.Sweep(f.ctx()))
	_, err = f.RestoreReport(f.ctx(), w.ID, r.ID)
	f.isKind(err, report.NotFound)
}
