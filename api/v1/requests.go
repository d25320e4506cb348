package v1

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
)

// raw is a request whose query or body our own decoder reads. Huma would read
// a body of 64 MB twice, lose how its numbers were written, and know nothing of
// brackets and base64 in queries.
type raw struct {
	query   string
	request *http.Request
}

// Resolve takes the request from huma.
func (r *raw) Resolve(ctx huma.Context) []error {
	r.request, _ = humamux.Unwrap(ctx)
	r.query = r.request.URL.RawQuery
	return nil
}

func (r *raw) body(limit int64) (*report.Object, error) { return input.Body(r.request, limit) }

// exportInput is an export of a report.
type exportInput struct {
	ReportPath
	raw
}

// uploadInput is an upload to a workspace.
type uploadInput struct {
	WorkspacePath
	raw
}

// textMember reads a text of a body; empty when it is missing or null.
func textMember(body *report.Object, name string) (string, error) {
	value, ok := body.Get(name)
	if !ok || value == nil {
		return "", nil
	}
	return input.Text(name, value)
}

// webhookMember describes the member "webhook" of a body.
func webhookMember() *huma.Schema {
	return &huma.Schema{Type: "string", Description: "Name of a connection of type webhook in the workspace. It is told of the end by a signed request, so that nobody needs to ask again and again."}
}
