package store

import (
	"slices"
	"time"

	"github.com/quire-reports/quire/report"
)

func testDeletedIsBroughtBack(f *fixture) {
	w := f.workspace("shop")
	ids := func(kind Kind) (ids []int) {
		for _, r := range ok[[]Resource](f.t)(f.Resources(f.ctx(), w.ID, kind)) {
			ids = append(ids, r.ID)
		}
		return ids
	}
	create := func(kind Kind, text string) int {
		return ok[int](f.t)(f.CreateResource(f.ctx(), w.ID, kind, []byte(text)))
	}
	create(ThemeKind, `{"name": "Halden", "code": "halden"}`)
	create(ThemeKind, `{"name": "Meridian", "code": "meridian"}`)
	before := ids(ThemeKind)
	first := before[0] // the default
	f.isKind(f.RestoreResource(f.ctx(), w.ID, ThemeKind, first), report.NotFound)
	f.must(f.DeleteResource(f.ctx(), w.ID, ThemeKind, first))
	if slices.Contains(ids(ThemeKind), first) {
		f.t.Error("it is still there")
	}
	f.isKind(f.RestoreResource(f.ctx(), f.workspace("other").ID, ThemeKind, first), report.NotFound)
	f.isKind(f.RestoreResource(f.ctx(), w.ID, TemplateKind, first), report.NotFound)
	f.must(f.RestoreResource(f.ctx(), w.ID, ThemeKind, first))
	if after := ids(ThemeKind); !slices.Equal(after, before) {
		f.t.Errorf("%v, before %v", after, before)
	}

	// Its code may be another's by now.
	code := ok[[]Resource](f.t)(f.Resources(f.ctx(), w.ID, ThemeKind))[0].Definition.(*report.Theme).Code
	f.must(f.DeleteResource(f.ctx(), w.ID, ThemeKind, first))
	create(ThemeKind, `{"name": "Another", "code": "`+code+`"}`)
	f.isKind(f.RestoreResource(f.ctx(), w.ID, ThemeKind, first), report.Conflict)

	// A job comes back with its ended runs, and no run of it goes on without it.
	job := create(JobKind, `{"name": "Monthly", "code": "monthly", "active": true}`)
	run := ok[int](f.t)(f.CreateRun(f.ctx(), NewRun{WorkspaceID: w.ID, JobID: job, Document: []byte("{}")}))
	f.must(f.DeleteResource(f.ctx(), w.ID, JobKind, job))
	if _, err := f.Run(f.ctx(), run); !IsNotFound(err) {
		f.t.Errorf("the run is still there: %v", err)
	}
	f.must(f.RestoreResource(f.ctx(), w.ID, JobKind, job))
	if got := ids(JobKind); !slices.Contains(got, job) {
		f.t.Errorf("jobs %v", got)
	}

	kind := ok[int](f.t)(f.PutReportType(f.ctx(), w.ID, 0, 0, report.ReportType{Name: "Offers", Code: "offers"}))
	f.must(f.DeleteReportType(f.ctx(), w.ID, kind))
	f.must(f.RestoreReportType(f.ctx(), w.ID, kind))
	_, err := f.PutReportType(f.ctx(), w.ID, kind, 1, report.ReportType{Name: "Offers of summer", Code: "offers"})
	f.isKind(err, report.Conflict) // it was read before
	made := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Summer offer", Type: "offers"}))
	ok[int](f.t)(f.PutReportType(f.ctx(), w.ID, kind, 0, report.ReportType{Name: "Offers", Code: "offers", DefaultReport: made.Row.Code}))
	f.must(f.DeleteReport(f.ctx(), w.ID, made.ID))
	back := ok[*ReportDefinition](f.t)(f.RestoreReport(f.ctx(), w.ID, made.ID))
	if !back.Row.IsDefault {
		f.t.Error("it was the default of its type, and is not any more")
	}

	f.clock.Advance(31 * 24 * time.Hour)
	if _, err := f.Sweep(f.ctx()); err != nil {
		f.t.Error(err)
	}
	f.isKind(f.RestoreResource(f.ctx(), w.ID, ThemeKind, first), report.NotFound)
}
