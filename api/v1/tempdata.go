package v1

import (
	"context"
	"encoding/json"
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

// putTempData is endpoint 9.
func (s *service) putTempData(ctx context.Context, u *uploadInput) (*tempDataOutput, error) {
	body, err := u.body(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	content, expiry, err := readTempData(body)
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	id, expires, err := s.Store.PutTempData(ctx, caller.Workspace.ID, caller.User.ID, content, expiry)
	return &tempDataOutput{TempData{id, Timestamp(expires)}}, err
}

// readTempData reads content, an object or the JSON text of one, and
// expiryDate, which is optional.
func readTempData(body *report.Object) (content []byte, expiry *time.Time, err error) {
	value, _ := body.Get("content")
	object, err := input.Object("content", value)
	if err != nil {
		return nil, nil, err
	}
	if object == nil {
		return nil, nil, report.Problemf("content", "is missing; accepted: an object with a member per data source")
	}
	if value, _ := body.Get("expiryDate"); value != nil {
		if expiry, err = input.Time("expiryDate", value); err != nil {
			return nil, nil, err
		}
	}
	content, err = json.Marshal(object)
	return content, expiry, err
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
