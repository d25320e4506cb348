package v1

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
)

// TempData is the answer to an upload.
type TempData struct {
	ID      int       `json:"tempDataId" format:"int32" doc:"Number that exports and previews take."`
	Expires Timestamp `json:"expiryDate" doc:"When the data is deleted."`
}

type tempDataOutput struct{ Body TempData }

// putTempData is endpoint 9. The content goes to the storage while it is read.
func (s *service) putTempData(ctx context.Context, u *uploadInput) (*tempDataOutput, error) {
	upload, err := input.ReadUpload(u.request, s.BodyLimit)
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	id, expires, err := s.Store.PutTempData(ctx, caller.Workspace.ID, caller.User.ID, upload)
	return &tempDataOutput{TempData{id, Timestamp(expires)}}, err
}

func tempDataBody() *huma.RequestBody {
	return jsonBody(&huma.Schema{
		Type: "object", Required: []string{"content"}, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"content":    {Type: "object", AdditionalProperties: true, Description: "A member per data source, which it replaces in exports."},
			"expiryDate": {Type: "string", Format: "date-time", Description: "When the data is deleted; at most 30 days away. Default: in 24 hours."},
		},
	}, true)
}

// Timestamp is a report.Timestamp that the description of the API knows.
type Timestamp time.Time

// MarshalText writes the time.
func (t Timestamp) MarshalText() ([]byte, error) { return report.Timestamp(t).MarshalText() }

// Schema describes the time.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: "string", Format: "date-time"}
}
