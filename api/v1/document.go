package v1

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/jobs"
)

// describeFaults completes the document where huma cannot know what our own
// decoding does.
func (s *service) describeFaults() {
	for _, path := range s.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Delete} {
			if op == nil {
				continue
			}
			if readsMore(op) {
				describeStatus(op, http.StatusBadRequest)
			}
			if op.Responses["202"] != nil { // the queue may be full
				describeStatus(op, http.StatusServiceUnavailable)
			}
			for i, p := range op.Parameters {
				if p.In == "path" && slices.Contains(numbers, p.Name) {
					number := *p
					number.Schema = &huma.Schema{Type: "integer", Format: "int32", Minimum: new(float64(1))}
					op.Parameters[i] = &number
				}
			}
		}
	}
	put := s.api.OpenAPI().Paths[Base+"/ws/{workspaceId}/jobs/{jobIdOrCode}"].Put
	put.Responses["201"].Content = put.Responses["200"].Content
	schemas := s.api.OpenAPI().Components.Schemas.Map()
	if schedule := schemas["ScheduleOfJob"]; schedule != nil { // huma has no way to say it of an object
		known := schedule.Properties["schedule"]
		schedule.Properties["schedule"] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: known.Ref}, {Type: "null"}}, Description: "Null for a job that runs only when asked."}
	}
}

// numbers are the parameters of paths that are numbers; what is none has not
// been found, so that huma takes them as texts.
var numbers = []string{"jobRunId", "tempFileId", "position"}

// readsMore tells whether a request has more than an address, which may be
// wrong.
func readsMore(op *huma.Operation) bool {
	return op.RequestBody != nil || slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool {
		return p.In != "path" || p.Schema != nil && p.Schema.Type == "integer"
	})
}

// describeStatus adds an answer that is a problem.
func describeStatus(op *huma.Operation, status int) {
	code := strconv.Itoa(status)
	if like := op.Responses["401"]; op.Responses[code] == nil && like != nil {
		op.Responses[code] = &huma.Response{Description: http.StatusText(status), Content: like.Content}
	}
}

// describeEvents describes what webhooks are told, from the type that is sent.
func (s *service) describeEvents() {
	document := s.api.OpenAPI()
	event := document.Components.Schemas.Schema(reflect.TypeFor[jobs.Event](), true, "Event")
	text := &huma.Schema{Type: "string"}
	document.Webhooks = map[string]*huma.PathItem{}
	for _, e := range jobs.Events() {
		document.Webhooks[e.Name] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "on-" + e.Name, Summary: e.Help, Tags: []string{"Webhooks"},
			Parameters: []*huma.Param{
				{Name: "Quire-Signature", In: "header", Required: true, Schema: text, Description: "t=<seconds>,v1=<HMAC-SHA256 with the connection's secret of the time, a dot and the body>."},
				{Name: "Idempotency-Key", In: "header", Required: true, Schema: text, Description: "The same in every attempt of one event, and in no other's."},
			},
			RequestBody: jsonBody(event, true),
			Responses:   map[string]*huma.Response{"2XX": {Description: "It was taken. Anything else is tried again for an hour."}},
		}}
	}
}
