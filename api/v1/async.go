package v1

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Once lets a client send a request again without starting the work again.
type Once struct {
	Key string `header:"Idempotency-Key" maxLength:"200" doc:"Text of the client's choice. A request that is sent again with the same key within 24 hours gets the first one's answer and starts nothing."`
}

// startInput is an asynchronous export of a report.
type startInput struct {
	ReportPath
	Once
	raw
}

// Started is the answer to what makes a file while nobody waits.
type Started struct {
	ID int `json:"temporaryFileId" format:"int32" doc:"Number that the status and the content of the file are asked for by."`
}

type startedOutput struct{ Body Started }

// startExport is endpoint 6.
func (s *service) startExport(ctx context.Context, q *startInput) (*startedOutput, error) {
	options, err := q.body(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	read, err := s.Options.Read(options, input.InAsync)
	if err != nil {
		return nil, err
	}
	req := jobs.ExportRequest{Request: read}
	if req.Webhook, err = textMember(options, "webhook"); err != nil {
		return nil, err
	}
	definition, err := s.toRun(ctx, q.Report)
	if err != nil {
		return nil, err
	}
	if err := access.Of(ctx).Ask(ctx, &req.Request, definition.ID); err != nil {
		return nil, err
	}
	id, err := s.Jobs.StartExport(ctx, req, q.Key)
	return &startedOutput{Started{id}}, err
}

// ExportPath is the address of a temporary file.
type ExportPath struct {
	WorkspacePath
	File string `path:"tempFileId" doc:"temporaryFileId of the answer that started the export."`
}

// ExportStatus is the state of a temporary file.
type ExportStatus struct {
	ID          int       `json:"id" format:"int32"`
	Status      string    `json:"status" enum:"InProgress,Completed,Failed"`
	IsReady     bool      `json:"isReady" doc:"Whether the content can be downloaded."`
	Error       *string   `json:"errorMessage" doc:"Why it failed."`
	Expires     Timestamp `json:"expiryTime" doc:"When the file is deleted."`
	Name        *string   `json:"name"`
	ContentSize *int64    `json:"contentSize"`
	ContentType *string   `json:"contentType"`

	Warnings []answer.Detail `json:"warnings" nullable:"false" doc:"What did not stop the export but should be mended, such as names that the report does not have."`
}

type exportStatusOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         ExportStatus
}

// exportStatus is endpoint 7.
func (s *service) exportStatus(ctx context.Context, p *ExportPath) (*exportStatusOutput, error) {
	f, err := s.exportFile(ctx, p.File)
	if err != nil {
		return nil, err
	}
	return &exportStatusOutput{"no-store", exportStatus(f)}, nil
}

func exportStatus(f *store.ExportFile) ExportStatus {
	status := ExportStatus{ID: f.ID, Status: string(f.Status), IsReady: ready(f), Expires: Timestamp(f.Expires), Warnings: []answer.Detail{}}
	for _, w := range f.Warnings {
		status.Warnings = append(status.Warnings, answer.Detail{Path: w.Path, Message: w.Message})
	}
	switch f.Status {
	case store.ExportFailed:
		status.Error = &f.Error
	case store.ExportCompleted:
		status.Name, status.ContentSize, status.ContentType = &f.Name, &f.Size, &f.ContentType
	}
	return status
}

func ready(f *store.ExportFile) bool { return f.Status == store.ExportCompleted && f.Size > 0 }

// exportContent is endpoint 8.
func (s *service) exportContent(ctx context.Context, p *ExportPath) (*huma.StreamResponse, error) {
	f, err := s.exportFile(ctx, p.File)
	if err != nil {
		return nil, err
	}
	if !ready(f) {
		return nil, notReady(f)
	}
	content, err := s.Store.OpenExport(ctx, f)
	if err != nil {
		return nil, err
	}
	s.Store.Note(ctx, f.Downloaded())
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humamux.Unwrap(ctx)
		defer content.Close()
		if err := answer.File(w, r, answer.Download{Name: f.Name, ContentType: f.ContentType, Size: f.Size, Kept: true, Warnings: f.Warnings}, content); err != nil {
			answer.TraceOf(r.Context()).Err = err
		}
	}}, nil
}

func notReady(f *store.ExportFile) error {
	switch f.Status {
	case store.ExportInProgress:
		return report.Problemf("", "export %d is not ready yet; ask for its status until isReady is true", f.ID)
	case store.ExportFailed:
		return report.Problemf("", "export %d failed and has no content: %s", f.ID, f.Error)
	}
	return report.Problemf("", "the content of export %d is empty", f.ID)
}

// exportFile finds a temporary file that the caller may fetch.
func (s *service) exportFile(ctx context.Context, ref string) (*store.ExportFile, error) {
	caller := access.Of(ctx)
	missing := report.NotFoundf("export %q does not exist or has expired", ref)
	id, err := strconv.ParseInt(ref, 10, 32)
	if err != nil || id <= 0 || !report.IsID(ref) {
		return nil, missing
	}
	f, err := s.Store.Export(ctx, caller.Workspace.ID, int(id))
	if err == nil {
		err = caller.RequireExport(f, store.Read)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}
