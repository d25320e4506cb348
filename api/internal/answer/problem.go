package answer

import (
	"net/http"

	"github.com/quire-reports/quire/report"
)

// Problem is the body of every error on /api/: problem details (RFC 9457) with
// the member "error" that older clients read.
type Problem struct {
	Type      string   `json:"type" example:"about:blank" doc:"Kind of the problem; about:blank when the status says it all."`
	Title     string   `json:"title" example:"Bad Request" doc:"The status in words."`
	Status    int      `json:"status" example:"400" doc:"The HTTP status."`
	Detail    string   `json:"detail" doc:"What was wrong and what is accepted, for a person."`
	Message   string   `json:"error" doc:"The same sentence as detail."`
	RequestID string   `json:"requestId" doc:"Identifier of the request in the service's log."`
	Details   []Detail `json:"details" nullable:"false" doc:"Every place that is wrong."`
	By        string   `json:"by,omitempty" doc:"Of a conflict: the name of who saved meanwhile, where it is known."`

	header http.Header
}

// Detail is one place that is wrong.
type Detail struct {
	Path    string `json:"path" doc:"Option or path into the JSON that was sent; empty when the whole is meant."`
	Message string `json:"message"`
}

// MediaType is the content type of a Problem.
const MediaType = "application/problem+json"

// Error is the sentence for people.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status; huma asks for it.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is MediaType whatever was negotiated; huma asks for it.
func (p *Problem) ContentType(string) string { return MediaType }

// Header are the headers that belong to the answer, such as Retry-After.
func (p *Problem) Header() http.Header { return p.header }

// Internal reports whether the cause is ours and belongs into the log.
func (p *Problem) Internal() bool { return p.Status == http.StatusInternalServerError }

func newProblem(status int, message, requestID string) *Problem {
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: message, Message: message, RequestID: requestID,
		Details: []Detail{}, header: http.Header{},
	}
}

// statusOf maps the kinds of problems to statuses, here and nowhere else.
func statusOf(k report.Kind) int {
	switch k {
	case report.NotFound:
		return http.StatusNotFound
	case report.Forbidden:
		return http.StatusForbidden
	case report.Busy:
		return http.StatusServiceUnavailable
	case report.TimedOut:
		return http.StatusGatewayTimeout
	case report.TooLarge:
		return http.StatusRequestEntityTooLarge
	case report.Conflict:
		return http.StatusConflict
	case report.Unsupported:
		return http.StatusUnsupportedMediaType
	case report.Exhausted:
		return http.StatusTooManyRequests
	}
	return http.StatusBadRequest // Invalid, and Failed: its author can mend it
}
