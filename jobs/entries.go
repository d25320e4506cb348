package jobs

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// doEntry makes the documents of an entry.
func (s *Service) doEntry(ctx context.Context, task *store.Task) error {
	e, err := s.cfg.Store.Entry(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	task.Run = e.RunID
	// A process that died may have left it rendering.
	if waiting, err := s.cfg.Store.MoveEntry(ctx, e.ID, store.EntryRendering, "", store.EntryQueued, store.EntryRendering); err != nil || !waiting {
		return err
	}
	shared, err := s.setting(ctx, e.RunID)
	if err != nil {
		return err
	}
	sc, err := s.scene(ctx, shared, e)
	if err != nil {
		return err
	}
	var documents []store.NewDocument
	names := uniqueNames{}
	for i := range shared.job.Reports {
		file, err := s.document(ctx, shared, sc, i)
		if err != nil {
			return err
		}
		if file != nil {
			defer func() { _ = file.Close() }()
			documents = append(documents, store.NewDocument{Name: names.of(file.Name), ContentType: file.ContentType, Open: file.Open})
		}
	}
	_, err = s.cfg.Store.FinishEntry(ctx, task.WorkspaceID, e, documents, after(shared.job, len(documents)))
	s.wake()
	return err
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
	if strings.TrimSpace(name) != "" {
		file.Name = export.FileName(name, strings.TrimPrefix(path.Ext(file.Name), "."))
	}
	return file, nil
}

// request is an entry's export of a report.
func request(shared *setting, sc *scene, r *report.JobReport, at string) (export.Request, error) {
	req := export.Request{
		Workspace: shared.run.WorkspaceID, UserID: shared.run.UserID, Report: r.Report,
		Timezone: shared.job.Timezone, Format: r.Format, Template: r.Template, Theme: r.Theme, Lang: shared.job.Language,
		IncludeAttachments: r.IncludeAttachments, Accessible: r.Accessible, Conformance: r.Conformance, AllowPrinting: !r.DenyPrinting, AllowCopying: !r.DenyCopying,
	}
	var err error
	if req.Params, err = sc.values(at+".params", r.Params); err != nil {
		return req, err
	}
	if req.Data, err = sc.values(at+".data", r.Data); err != nil {
		return req, err
	}
	if r.Language != "" {
		if req.Lang, err = sc.text(at+".language", r.Language); err != nil {
			return req, err
		}
	}
	password, err := sc.text(at+".password", r.Password)
	req.Password = report.Secret(password)
	if err == nil && r.Password != "" && password == "" { // never open by mistake
		err = &report.Problem{Kind: report.Failed, Path: at + ".password", Message: "the password of this entry is empty"}
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
	}
	_, err = s.cfg.Store.MoveEntry(ctx, task.Subject, store.EntryError, reason.Error(), from...)
	return err
}
