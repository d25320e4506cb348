package jobs

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// ExportRequest asks for an export that nobody waits for.
type ExportRequest struct {
	export.Request
	Webhook string // name of a connection that is told of its end, or empty
}

// writeRequest is an export as it waits in the queue. The password is not in
// it: it is sealed beside it.
func writeRequest(r *ExportRequest) ([]byte, error) {
	payload := r.Stored()
	if r.Webhook != "" {
		payload.Set("webhook", r.Webhook)
	}
	return json.Marshal(payload)
}

func readRequest(payload []byte, password report.Secret) (r ExportRequest, err error) {
	stored, err := readObject(payload)
	if err != nil {
		return r, err
	}
	r.Request, err = export.ReadStored(stored)
	webhook, _ := stored.Get("webhook")
	r.Webhook, _ = webhook.(string)
	r.Password = password
	return r, err
}

// readObject reads an object that keeps the order of its members and its
// numbers as they were written.
func readObject(text json.RawMessage) (*report.Object, error) {
	if len(text) == 0 {
		return nil, nil
	}
	value, err := report.ParseValue(text)
	object, _ := value.(*report.Object)
	return object, err
}

// StartExport queues an export; its ID tells of its state and, later, opens
// the file.
func (s *Service) StartExport(ctx context.Context, req ExportRequest, idempotencyKey string) (id int, err error) {
	if err := req.Check(s.cfg.Formats).Err(); err != nil {
		return 0, err
	}
	if _, err := s.webhook(ctx, req.Workspace, req.Webhook); err != nil {
		return 0, err
	}
	if s.cfg.Export != nil { // else whoever makes it says what is wrong
		if err := s.cfg.Export.CheckNames(ctx, req.Request); err != nil {
			return 0, err
		}
	}
	payload, err := writeRequest(&req)
	if err != nil {
		return 0, err
	}
	id, err = s.cfg.Store.CreateExport(ctx, store.NewExport{
		WorkspaceID: req.Workspace, UserID: req.UserID, Kind: store.ExportTask, Priority: store.Interactive,
		Payload: payload, Report: req.Report, Format: cmp.Or(req.Format, "pdf"), Secret: req.Password, Lifetime: s.cfg.Retention, MostQueued: s.cfg.Queue,
		Once: store.Once{Key: idempotencyKey, UserID: req.UserID, Scope: scope("export", req.Workspace), Request: append(payload, req.Password.Reveal()...)},
	})
	s.wake()
	return id, err
}

// doExport makes the file of a task. When the file is completed already, a
// process died between that and the end of its task: nothing is left to do.
func (s *Service) doExport(ctx context.Context, task *store.Task) error {
	wanted, err := s.wanted(ctx, task)
	if err != nil {
		return err
	}
	if !wanted {
		return s.tellOfTask(ctx, task)
	}
	waited := s.cfg.Clock().Sub(task.Created())
	payload, password, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	req, err := readRequest(payload, password)
	if err != nil {
		return err
	}
	req.Workspace = task.WorkspaceID
	if s.cfg.RequireRun != nil && req.UserID != 0 {
		if err := s.cfg.RequireRun(ctx, req.Workspace, req.UserID, req.Report, req.Signature != ""); err != nil {
			return err
		}
	}
	file, err := s.cfg.Export.Export(store.WithActor(ctx, store.Actor{Kind: store.ByJob, UserID: req.UserID}), req.Request)
	if err != nil {
		return err
	}
	file.Timing = file.Timing.With(report.PhaseQueue, waited)
	if err := s.keep(ctx, task.Subject, file); err != nil {
		return err
	}
	return s.tellExport(task, req.Webhook)
}

// wanted tells whether the file of a task is still to be made.
func (s *Service) wanted(ctx context.Context, task *store.Task) (bool, error) {
	f, err := s.cfg.Store.Export(ctx, task.WorkspaceID, task.Subject)
	if store.IsNotFound(err) { // expired or deleted
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return f.Status == store.ExportInProgress, nil
}

// keep moves a finished file into the store.
func (s *Service) keep(ctx context.Context, id int, file *export.File) error {
	defer func() { _ = file.Close() }()
	defer s.storing(ctx)()
	content, err := file.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	_, err = s.cfg.Store.CompleteExport(ctx, id, store.Finished{Name: file.Name, ContentType: file.ContentType, Warnings: file.Warnings, Timing: file.Timing}, content)
	return err
}

func (s *Service) failExport(ctx context.Context, task *store.Task, reason *report.Problem) error {
	if _, err := s.cfg.Store.FailExport(ctx, task.Subject, reason.Error()); err != nil || task.Kind != store.ExportTask {
		return err
	}
	return s.tellOfTask(ctx, task)
}

// CancelExport ends an export that is being made. The name is that of the user
// who cancels it, as others will read it.
func (s *Service) CancelExport(ctx context.Context, workspace, id int, name string) error {
	return s.cfg.Store.CancelExport(ctx, workspace, id, "cancelled by "+name)
}
