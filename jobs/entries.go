package jobs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// doEntry makes the documents of an entry.
func (s *Service) doEntry(ctx context.Context, task *store.Task) error {
	e, err := s.beginEntry(ctx, task)
	if err != nil || e == nil {
		return err
	}
	shared, err := s.settingOf(ctx, e)
	if err != nil {
		return err
	}
	sc, err := s.scene(ctx, shared, e)
	if err != nil {
		return err
	}
	var documents []report.Document
	waited := s.cfg.Clock().Sub(task.Created())
	names := uniqueNames{}
	by := store.WithActor(ctx, store.Actor{Kind: store.ByJob, UserID: shared.run.UserID})
	for i := range shared.job.Reports {
		file, err := s.document(by, shared, sc, i)
		if err != nil {
			return err
		}
		if file != nil {
			defer func() { _ = file.Close() }()
			file.Timing = file.Timing.With(report.PhaseQueue, waited)
			documents = append(documents, file.Document(names.of(file.Name)))
		}
	}
	defer s.storing(ctx)()
	kept, err := s.cfg.Store.KeepDocuments(ctx, e.ID, documents)
	if err != nil {
		return err
	}
	task.End = &store.EntryEnd{From: store.EntryQueued, To: after(shared.job, len(documents)), Documents: kept, Told: sc.taken(), Trace: tracing.Parent(ctx)}
	return nil
}

// beginEntry gives the entry that a task is to make; nil when it is not to be made.
func (s *Service) beginEntry(ctx context.Context, task *store.Task) (e *store.JobEntry, err error) {
	if task.Entry != nil {
		task.Run = task.Entry.RunID
		return task.Entry, nil
	}
	e, task.Run, err = s.cfg.Store.EntryToMake(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil, nil
	}
	return e, err
}

// after is where an entry goes when its documents are made.
func after(job *report.Job, documents int) store.EntryState {
	switch {
	case documents == 0:
		return store.EntryCompleted
	case job.ReviewRequired:
		return store.EntryReview
	case len(job.Deliveries) > 0:
		return store.EntryDelivering
	}
	return store.EntryCompleted
}

// document makes one document of an entry, or none when its condition does not
// hold.
func (s *Service) document(ctx context.Context, shared *setting, sc *scene, i int) (*export.File, error) {
	at := fmt.Sprintf("reports[%d]", i)
	r := &shared.job.Reports[i]
	wanted, err := sc.holds(at+".condition", r.Condition)
	if err != nil || !wanted {
		return nil, err
	}
	req, err := request(shared, sc, r, at)
	if err == nil && sc.person.ID != 0 {
		err = s.cfg.Store.RequireRun(ctx, req.Workspace, sc.person.ID, r.Report, false) // who let the job sign is not as whom it runs
	}
	if err != nil {
		return nil, err
	}
	name, err := sc.text(at+".fileName", r.FileName)
	if err != nil {
		return nil, err
	}
	file, err := s.cfg.Export.Export(ctx, req)
	if err != nil {
		return nil, err
	}
	sc.note(at, file.Warnings)
	if strings.TrimSpace(name) != "" {
		file.Name = export.FileName(name, strings.TrimPrefix(path.Ext(file.Name), "."))
	}
	return file, nil
}

// request is an entry's export of a report.
func request(shared *setting, sc *scene, r *report.JobReport, at string) (export.Request, error) {
	req := export.Request{
		Workspace: shared.run.WorkspaceID, UserID: shared.run.UserID, User: sc.person, Report: r.Report, Entry: sc.entry,
		Timezone: shared.job.Timezone, Lang: shared.job.Language, ExportOptions: r.ExportOptions,
		Strict: true, // what it leaves out nobody would miss in time
	}
	var err error
	if req.Params, err = sc.values(at+".params", r.Params, sc.fault); err != nil {
		return req, err
	}
	// Without it the report would show the data of its own sources.
	if req.Data, err = sc.values(at+".data", r.Data, sc.exact); err != nil {
		return req, err
	}
	language, err := sc.text(at+".language", r.Language)
	if err != nil {
		return req, err
	}
	req.Lang = cmp.Or(language, req.Lang)
	password, err := sc.fill(at+".password", r.Password, sc.exact)
	req.Password = report.Secret(password)
	if err == nil && r.Password != "" && password == "" { // never open by mistake
		err = &report.Problem{Kind: report.Failed, Path: at + ".password", Message: "the password of this entry is empty"}
	}
	if err == nil && len(password) > export.MostPassword {
		err = &report.Problem{Kind: report.Failed, Path: at + ".password", Message: fmt.Sprintf("the password of this entry has %d bytes; a PDF file takes at most %d", len(password), export.MostPassword)}
	}
	return req, err
}

// uniqueNames makes the names of documents that go together different.
type uniqueNames map[string]int

func (u uniqueNames) of(name string) string {
	unique, ext := name, path.Ext(name)
	for u[strings.ToLower(unique)] > 0 {
		u[strings.ToLower(name)]++
		unique = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), u[strings.ToLower(name)], ext)
	}
	u[strings.ToLower(unique)] = max(1, u[strings.ToLower(unique)])
	return unique
}

// failEntry puts an entry into errors, with the reason.
func (s *Service) failEntry(ctx context.Context, task *store.Task, reason *report.Problem) error {
	e, err := s.cfg.Store.Entry(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	task.Run = e.RunID
	from := []store.EntryState{store.EntryQueued, store.EntryRendering}
	if task.Kind == store.DeliverTask {
		from = []store.EntryState{store.EntryDelivering}
		if err := s.cfg.Store.LeaveDeliveries(ctx, e.ID, reason.Message); err != nil {
			return err
		}
	}
	moved, err := s.cfg.Store.MoveEntry(ctx, task.Subject, store.EntryError, reason.Error(), from...)
	s.observeEntry(store.EntryError, moved)
	return err
}
