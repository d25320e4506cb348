package answer

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Trace is what becomes known of one request on its way; the log line is made
// of it. Only the request's own goroutine writes it.
type Trace struct {
	ID     string // in the header X-Request-Id, in error bodies and in the log
	Route  string // the pattern of the address, such as /api/v1/ws/{workspaceId}/reports
	UserID int
	// Address is where the request comes from, past the proxies that are trusted.
	Address string
	Err     error // the cause of a 500, or of a 503
	// Guest is whether the caller has a nonce, or its cookie: somebody outside, who
	// learns nothing of where data come from. Hidden is what they were not told.
	Guest  bool
	Hidden error
}

type traceKey struct{}

// WithTrace puts a trace into a context.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceOf is the trace of a request, never nil.
func TraceOf(ctx context.Context) *Trace {
	if t, ok := ctx.Value(traceKey{}).(*Trace); ok {
		return t
	}
	return &Trace{}
}

// Explain is From for a request. What the service is to blame for is kept for
// the log.
func Explain(ctx context.Context, err error) *Problem {
	t := TraceOf(ctx)
	p := From(t.forGuest(unlessStopped(ctx, err)), t.ID)
	t.note(p, err)
	return p
}

// forGuest leaves the words of data sources out of what a guest is told.
func (t *Trace) forGuest(err error) error {
	if !t.Guest {
		return err
	}
	for _, p := range ProblemsIn(err) {
		if p.Kind == report.Failed && strings.HasPrefix(p.Path, "dataSources.") {
			t.Hidden = err
			return &report.Problem{Kind: report.Failed, Message: "the data of this report could not be read; the log of the service has the reason under " + t.ID}
		}
	}
	return err
}

func (t *Trace) note(p *Problem, err error) {
	if p.Internal() || p.Status == http.StatusServiceUnavailable {
		t.Err = err
	}
}

// unlessStopped is the error, or why the service cut the request short: what
// failed then failed of that.
func unlessStopped(ctx context.Context, err error) error {
	if reason := (*report.Problem)(nil); errors.As(context.Cause(ctx), &reason) {
		return reason
	}
	return err
}

// Error answers a request to the API with what went wrong.
func Error(w http.ResponseWriter, r *http.Request, err error) {
	p := Explain(r.Context(), err)
	p.writeHeaders(w.Header())
	w.Header().Set("Content-Type", MediaType)
	w.WriteHeader(p.Status)
	writeJSON(w, p)
}

func (p *Problem) writeHeaders(h http.Header) {
	for name, values := range p.header {
		h[name] = values
	}
}
