package tracing

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// named is the span with a name; in which order spans of one moment are kept says
// nothing.
func named(t *testing.T, spans tracetest.SpanStubs, name string) tracetest.SpanStub {
	t.Helper()
	i := slices.IndexFunc(spans, func(s tracetest.SpanStub) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no span %s in %+v", name, spans)
	}
	return spans[i]
}

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func recording() (*Tracer, *tracetest.InMemoryExporter) {
	kept := tracetest.NewInMemoryExporter()
	return &Tracer{sdk.NewTracerProvider(sdk.WithSyncer(kept))}, kept
}

func TestTasksGoOnWithTheTraceOfWhoQueuedThem(t *testing.T) {
	tracer, kept := recording()
	ctx, task := tracer.Task(t.Context(), parent, "export", false)
	Past(ctx, "print", time.Now().Add(-time.Second), time.Now())
	if ID(ctx) != "4bf92f3577b34da6a3ce929d0e0e4736" || Parent(ctx)[:35] != parent[:35] {
		t.Errorf("%s, %s", ID(ctx), Parent(ctx))
	}
	End(task, errors.New("the disk burns"))
	apart, entry := tracer.Task(t.Context(), parent, "entry", true)
	End(entry, nil)
	if ID(apart) == ID(ctx) {
		t.Error("an entry shares the trace of its run")
	}
	spans := kept.GetSpans()
	printed, exported, made := named(t, spans, "print"), named(t, spans, "export"), named(t, spans, "entry")
	if len(spans) != 3 || printed.Parent.SpanID() != exported.SpanContext.SpanID() || printed.EndTime.Sub(printed.StartTime) < time.Second {
		t.Fatalf("%+v", spans)
	}
	if exported.Status.Code != codes.Error || len(made.Links) != 1 || made.Links[0].SpanContext.TraceID() != exported.SpanContext.TraceID() {
		t.Errorf("%+v, %+v", exported.Status, made.Links)
	}
}

// A trace that begins elsewhere goes on through what answers and what is asked.
func TestRequestsCarryTheTrace(t *testing.T) {
	tracer, kept := recording()
	var heard http.Header
	far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard = r.Header }))
	defer far.Close()
	client := &http.Client{Transport: Transport(http.DefaultTransport)}
	handler := tracer.Handler("/reports", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		Route(r.Context(), r.Method, "/ws/{workspace}")
		req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, far.URL+"/t0psecret?key=t0psecret", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}))
	for path, traced := range map[string]bool{
		"/ws/demo": true, "/api/ui/reports": true, "/ws/ui/reports/invoice": true, "/ws/demo/reports/events": true, "/ws/demo/reports/metrics": true,
		"/healthz": false, "/readyz": false, "/metrics": false, "/assets/paginate.js": false, "/ui/page.css": false, "/ws/demo/exports/events": false,
	} {
		kept.Reset()
		heard = nil
		r := httptest.NewRequest(http.MethodGet, "/reports"+path+"?token=t0psecret", nil)
		r.Header.Set("Traceparent", parent)
		r.Header.Set("Tracestate", "vendor=t0psecret")
		if path == "/ws/demo/exports/events" {
			r.Header.Set("Accept", "text/event-stream") // as browsers do for EventSource
		}
		handler.ServeHTTP(httptest.NewRecorder(), r)
		spans := kept.GetSpans()
		sent := heard.Get("Traceparent")
		if traced != (len(spans) == 2) || traced != (sent != "") || traced && sent[:35] != parent[:35] {
			t.Errorf("%s: %q heard, %+v", path, sent, spans)
		}
		if traced {
			answered, asked := named(t, spans, "GET /ws/{workspace}"), named(t, spans, "HTTP GET")
			if asked.Parent.SpanID() != answered.SpanContext.SpanID() {
				t.Errorf("%s: what is asked is not within what is answered: %+v", path, spans)
			}
		}
		if heard.Get("Tracestate") != "" {
			t.Errorf("%s: what others keep in tracestate is passed on: %v", path, heard)
		}
		for _, span := range spans {
			if told := fmt.Sprint(span.Name, span.Status, span.Events, span.Attributes); strings.Contains(told, "t0psecret") {
				t.Errorf("a secret is told: %s", told)
			}
		}
	}
}

// Requests that fail say so, and no more of the address than its host.
func TestFailedRequestsAreTold(t *testing.T) {
	far := httptest.NewServer(http.NotFoundHandler())
	defer far.Close()
	for address, status := range map[string]int{far.URL: http.StatusNotFound, "http://127.0.0.1:1": 0} {
		tracer, kept := recording()
		ctx, task := tracer.Task(t.Context(), parent, "export", false)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/t0psecret?key=t0psecret", strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		if res, err := (&http.Client{Transport: Transport(http.DefaultTransport)}).Do(req); err == nil {
			res.Body.Close()
		}
		task.End()
		span := named(t, kept.GetSpans(), "HTTP POST")
		want := []attribute.KeyValue{attribute.String("http.request.method", "POST"), attribute.String("server.address", "127.0.0.1")}
		if status != 0 {
			want = append(want, attribute.Int("http.response.status_code", status))
		}
		if span.Status.Code != codes.Error || !slices.Equal(span.Attributes, want) || strings.Contains(span.Status.Description, "t0psecret") {
			t.Errorf("%s: %+v", address, span)
		}
	}
}

// Who asks does not decide how much is sent.
func TestAShareIsSent(t *testing.T) {
	sent := 0
	to := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ }))
	defer to.Close()
	for percent, want := range map[int]int{0: 0, 100: 1} {
		sent = 0
		tracer, err := New(t.Context(), to.URL, percent, "test", "1")
		if err != nil {
			t.Fatal(err)
		}
		_, span := tracer.Task(t.Context(), parent, "export", false)
		span.End()
		if err := tracer.Stop(t.Context()); err != nil || sent != want {
			t.Errorf("%d %%: %d sent, %v", percent, sent, err)
		}
	}
}

// Without a trace nothing is made, and four allocations are spent at most.
func TestNoTraceCostsNothing(t *testing.T) {
	var tracer *Tracer
	ctx, task := tracer.Task(t.Context(), "", "export", false)
	allocated := testing.AllocsPerRun(100, func() {
		inside, span := Span(ctx, "print", attribute.Int("pages", 3))
		Past(inside, "wait", time.Time{}, time.Time{})
		Route(inside, "GET", "/")
		End(span, nil)
		if Parent(inside) != "" || ID(inside) != "" {
			t.Error("a trace out of nothing")
		}
	})
	End(task, errors.New("failed"))
	if allocated > 4 {
		t.Errorf("%g allocations", allocated)
	}
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	if _, same := tracer.Handler("", next).(http.HandlerFunc); !same || tracer.Stop(ctx) != nil {
		t.Error("requests are wrapped")
	}
}

func BenchmarkNoTrace(b *testing.B) {
	for b.Loop() {
		_, span := Span(b.Context(), "print")
		span.End()
	}
}
