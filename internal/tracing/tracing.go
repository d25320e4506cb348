// Package tracing follows requests and tasks through the service as spans of
// OpenTelemetry, and sends them to a collector by OTLP. Without a trace in the
// context a span costs 0.2 µs: a span is made by the tracer of the one it is
// in.
package tracing

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/quire-reports/quire"

// w3c reads and writes the headers traceparent and tracestate.
var w3c = propagation.TraceContext{}

// Span begins a part of what ctx is of. The caller ends it.
func Span(ctx context.Context, name string, about ...attribute.KeyValue) (context.Context, trace.Span) {
	return trace.SpanFromContext(ctx).TracerProvider().Tracer(scope).Start(ctx, name, trace.WithAttributes(about...))
}

// Past tells of a part that lasted until now.
func Past(ctx context.Context, name string, began, ended time.Time) {
	if within := trace.SpanFromContext(ctx); within.IsRecording() {
		_, span := within.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithTimestamp(began))
		span.End(trace.WithTimestamp(ended))
	}
}

// End ends a part, with why it failed.
func End(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

// ID is the trace that ctx is of, or empty.
func ID(ctx context.Context) string {
	if c := trace.SpanContextFromContext(ctx); c.IsValid() {
		return c.TraceID().String()
	}
	return ""
}

// Parent is what another process needs to go on with the trace of ctx: the header
// traceparent, or nothing.
func Parent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// Transport makes each request that is part of a trace a span, whose traceparent
// goes with it.
func Transport(next http.RoundTripper) http.RoundTripper { return &transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper. The span tells the host alone: paths and
// queries hold keys, and the address of a webhook is a secret as a whole.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !trace.SpanContextFromContext(req.Context()).IsValid() {
		return t.next.RoundTrip(req)
	}
	ctx, span := trace.SpanFromContext(req.Context()).TracerProvider().Tracer(scope).Start(req.Context(), "HTTP "+req.Method,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("http.request.method", req.Method), attribute.String("server.address", req.URL.Hostname())))
	req = req.Clone(ctx)
	req.Header.Set("Traceparent", Parent(ctx))
	res, err := t.next.RoundTrip(req)
	if err != nil {
		End(span, err)
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", res.StatusCode))
	if res.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "")
	}
	res.Body = &body{res.Body, span}
	return res, nil
}

// body ends the span of a request when its answer was read.
type body struct {
	io.ReadCloser
	span trace.Span
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.span.End()
	return b.ReadCloser.Close()
}

// CloseIdleConnections is what http.Client closes by.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Tracer begins traces and sends them. A nil one does neither.
type Tracer struct{ provider *sdk.TracerProvider }

// New makes a Tracer of a part of the service, such as serve, that sends a share
// of all traces to a collector at an address: OTLP over HTTP, at /v1/traces unless
// the address has a path. Headers and certificates are the standard variables
// OTEL_EXPORTER_OTLP_HEADERS and so on.
func New(ctx context.Context, collector string, percent int, part, version string) (*Tracer, error) {
	if strings.Count(strings.TrimSuffix(collector, "/"), "/") == 2 {
		collector = strings.TrimSuffix(collector, "/") + "/v1/traces"
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(collector))
	if err != nil {
		return nil, err
	}
	// Callers do not decide how much is sent: of the traces that begin
	// elsewhere a share is sent, too, the same in each process.
	share := sdk.TraceIDRatioBased(float64(percent) / 100)
	return &Tracer{sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		sdk.WithSampler(sdk.ParentBased(share, sdk.WithRemoteParentSampled(share))),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "quire"), attribute.String("service.version", version), attribute.String("quire.part", part),
		)),
	)}, nil
}

// Stop sends what is left.
func (t *Tracer) Stop(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return errors.Join(t.provider.ForceFlush(ctx), t.provider.Shutdown(ctx))
}

// Handler makes each request below a path a span, in the trace of its caller if
// there is one. Probes, files of pages and streams of events, which last for
// hours, are none.
func (t *Tracer) Handler(base string, next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	wanted := func(r *http.Request) bool {
		return !isFile(strings.TrimPrefix(r.URL.Path, base)) && r.Header.Get("Accept") != "text/event-stream"
	}
	return otelhttp.NewHandler(next, "request", otelhttp.WithTracerProvider(t.provider), otelhttp.WithPropagators(w3c), otelhttp.WithFilter(wanted))
}

// isFile is whether a path is one of a probe or of a file that pages need.
func isFile(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/ui/") || strings.HasPrefix(path, "/embed/")
}

// Route names the span of a request by the pattern of its address.
func Route(ctx context.Context, method, route string) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() && route != "" {
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.route", route))
	}
}

// Task begins the span of a task that was queued with a traceparent. One apart
// has a trace of its own that leads to the other: of a run there may be a million.
func (t *Tracer) Task(ctx context.Context, parent, name string, apart bool) (context.Context, trace.Span) {
	if t == nil {
		return ctx, trace.SpanFromContext(ctx)
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer)}
	from := w3c.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	if apart {
		options = append(options, trace.WithLinks(trace.LinkFromContext(from)))
	} else {
		ctx = from
	}
	return t.provider.Tracer(scope).Start(ctx, name, options...)
}
