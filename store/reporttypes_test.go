package store

import "github.com/quire-reports/quire/report"

func testReportTypesAreWritten(f *fixture) {
	w, other := f.workspace("shop"), f.workspace("other")
	id := ok[int](f.t)(f.PutReportType(f.ctx(), w.ID, 0, 0, report.ReportType{Name: "Offers", Code: "offers"}))
	_, err := f.PutReportType(f.ctx(), w.ID, 0, 0, report.ReportType{Name: "Again", Code: "OFFERS"})
	f.isKind(err, report.Conflict)
	for _, wrong := range []report.ReportType{{Code: "no-name"}, {Name: "Digits", Code: "12"}, {Name: "Offers", Code: "offers", DefaultReport: "nothing"}} {
		_, err := f.PutReportType(f.ctx(), w.ID, id, 0, wrong)
		f.isKind(err, report.Invalid)
	}
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Summer offer", Type: "offers"}))
	ok[int](f.t)(f.PutReportType(f.ctx(), w.ID, id, 0, report.ReportType{Name: "Our offers", Code: "offers", DefaultReport: made.Row.Code}))
	found := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, "offers"))
	if found.ID != made.ID || found.Row.TypeName != "Our offers" {
		f.t.Errorf("%+v", found.Row)
	}
	f.isKind(f.DeleteReportType(f.ctx(), w.ID, id), report.Conflict)
	unused := ok[int](f.t)(f.PutReportType(f.ctx(), w.ID, 0, 0, report.ReportType{Name: "Unused", Code: "unused"}))
	f.isKind(f.DeleteReportType(f.ctx(), other.ID, unused), report.NotFound)
	_, err = f.PutReportType(f.ctx(), other.ID, unused, 0, report.ReportType{Name: "Theirs", Code: "theirs"})
	f.isKind(err, report.NotFound)
	f.must(f.DeleteReportType(f.ctx(), w.ID, unused))
	f.isKind(f.DeleteReportType(f.ctx(), w.ID, unused), report.NotFound)
}
