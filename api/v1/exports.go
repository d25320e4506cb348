package v1

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// exportQuery is endpoint 4.
func (s *service) exportQuery(ctx context.Context, q *exportInput) (*huma.StreamResponse, error) {
	options, err := input.Query(q.query)
	if err != nil {
		return nil, err
	}
	return s.export(ctx, q.Report, options, input.InQuery)
}

// exportBody is endpoint 5.
func (s *service) exportBody(ctx context.Context, q *exportInput) (*huma.StreamResponse, error) {
	options, err := q.body(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	return s.export(ctx, q.Report, options, input.InBody)
}

func (s *service) export(ctx context.Context, ref string, options *report.Object, form input.Form) (*huma.StreamResponse, error) {
	req, err := s.Options.Read(options, form)
	if err != nil {
		return nil, err
	}
	definition, err := s.toRun(ctx, ref)
	if err != nil {
		return nil, err
	}
	if err := access.Of(ctx).Ask(ctx, &req, definition.ID); err != nil {
		return nil, err
	}
	file, err := s.Export.Export(ctx, req)
	if err != nil {
		return nil, err
	}
	s.Store.Note(ctx, store.Exported(&definition.Row, access.Of(ctx).Workspace.ID, file.ContentType, file.Size))
	return &huma.StreamResponse{Body: func(ctx huma.Context) { send(ctx, file) }}, nil
}

// send streams a finished file and removes it. The headers promise its size,
// so a file that breaks off ends in a broken connection, never in a short file.
func send(ctx huma.Context, file *export.File) {
	r, w := humamux.Unwrap(ctx)
	defer file.Close()
	content, err := file.Open()
	if err != nil {
		answer.Error(w, r, err)
		return
	}
	defer content.Close()
	if err := answer.File(w, r, answer.Download{Name: file.Name, ContentType: file.ContentType, Size: file.Size, Warnings: file.Warnings, Timing: file.Timing}, content); err != nil {
		answer.TraceOf(r.Context()).Err = err
	}
}
