package jobs

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// exportPayload is an export as it waits in the queue. The password is not in
// it: it is sealed beside it.
type exportPayload struct {
	UserID             int             `json:"userId,omitempty"`
	Report             string          `json:"report"`
	Params             json.RawMessage `json:"params,omitempty"`
	Data               json.RawMessage `json:"data,omitempty"`
	TempDataID         int             `json:"tempDataId,omitempty"`
	Lang               string          `json:"lang,omitempty"`
	Timezone           string          `json:"timezone,omitempty"`
	Format             string          `json:"format,omitempty"`
	Template           string          `json:"template,omitempty"`
	Theme              string          `json:"theme,omitempty"`
	IncludeAttachments bool            `json:"includeAttachments,omitempty"`
	Accessible         bool            `json:"accessible,omitempty"`
	Conformance        string          `json:"conformance,omitempty"`
	NoPrinting         bool            `json:"noPrinting,omitempty"`
	NoCopying          bool            `json:"noCopying,omitempty"`
	ExcludePages       []int           `json:"excludePages,omitempty"`
	Webhook            string          `json:"webhook,omitempty"` // name of a connection
}

// ExportRequest asks for an export that nobody waits for.
type ExportRequest struct {
	export.Request
	Webhook string // name of a connection that is told of its end, or empty
}

func writeRequest(r *ExportRequest) ([]byte, error) {
	p := exportPayload{
		UserID: r.UserID, Report: r.Report, TempDataID: r.TempDataID, Lang: r.Lang, Timezone: r.Timezone,
		Format: r.Format, Template: r.Template, Theme: r.Theme, IncludeAttachments: r.IncludeAttachments,
		Accessible: r.Accessible, Conformance: r.Conformance, NoPrinting: !r.AllowPrinting, NoCopying: !r.AllowCopying, ExcludePages: r.ExcludePages, Webhook: r.Webhook,
	}
	for _, part := range []struct {
		into *json.RawMessage
		from *report.Object
	}{{&p.Params, r.Params}, {&p.Data, r.Data}} {
		if part.from == nil {
			continue
		}
		text, err := json.Marshal(part.from)
		if err != nil {
			return nil, err
		}
		*part.into = text
	}
	return json.Marshal(p)
}

func readRequest(payload []byte, password report.Secret) (ExportRequest, error) {
	var p exportPayload
	if err := json.Unmarshal(payload, &p); err != nil {
		return ExportRequest{}, err
	}
	r := ExportRequest{Webhook: p.Webhook, Request: export.Request{
		UserID: p.UserID, Report: p.Report, TempDataID: p.TempDataID, Lang: p.Lang, Timezone: p.Timezone,
		Format: p.Format, Template: p.Template, Theme: p.Theme, IncludeAttachments: p.IncludeAttachments,
		Accessible: p.Accessible, Conformance: p.Conformance, AllowPrinting: !p.NoPrinting, AllowCopying: !p.NoCopying, ExcludePages: p.ExcludePages,
		Password: password,
	}}
	var err error
	if r.Params, err = readObject(p.Params); err != nil {
		return r, err
	}
	r.Data, err = readObject(p.Data)
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
	if _, err := s.webhook(ctx, req.Workspace, req.Webhook); err != nil {
		return 0, err
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
	payload, password, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	req, err := readRequest(payload, password)
	if err != nil {
		return err
	}
	req.Workspace = task.WorkspaceID
	file, err := s.cfg.Export.Export(ctx, req.Request)
	if err != nil {
		return err
	}
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
	content, err := file.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	_, err = s.cfg.Store.CompleteExport(ctx, id, file.Name, file.ContentType, content)
	return err
}

func (s *Service) failExport(ctx context.Context, task *store.Task, reason *report.Problem) error {
	if _, err := s.cfg.Store.FailExport(ctx, task.Subject, reason.Error()); err != nil || task.Kind != store.ExportTask {
		return err
	}
	return s.tellOfTask(ctx, task)
}

// CancelExport ends an export that is being made; name is of who does so, for
// people.
func (s *Service) CancelExport(ctx context.Context, workspace, id int, name string) error {
	return s.cfg.Store.CancelExport(ctx, workspace, id, "cancelled by "+name)
}
