package main

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// receiver takes traces by OTLP over HTTP.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*otlp.Span
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil || req.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", req.URL, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, of := range sent.ResourceSpans {
			for _, scope := range of.ScopeSpans {
				r.spans = append(r.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// heard are the headers traceparent that others got from the service.
type heard struct {
	mu      sync.Mutex
	parents map[string]string // by path
}

func (h *heard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.parents[r.URL.Path] = r.Header.Get("Traceparent")
	h.mu.Unlock()
	_, _ = io.WriteString(w, `{"rate": 7}`)
}

func (h *heard) get(path string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.parents[path]
}

// tracedWorkspace has a report that asks a service at an address, which is also
// told of the end of exports.
func tracedWorkspace(t *testing.T, s *service, address string) {
	t.Helper()
	r, problems := report.ParseReport([]byte(`{"version": 1, "name": "Rates", "type": "rates", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "{$data.rates.rate}"}}]}],
		"dataSources": [{"name": "rates", "type": "api", "settings": {"url": "` + address + `/rates"}}]}`))
	if problems != nil {
		t.Fatal(problems)
	}
	_, err := s.store.ImportWorkspace(t.Context(), report.Workspace{
		Name: "Traced", Code: "traced", ReportTypes: []report.ReportType{{Name: "Rates", Code: "rates", DefaultReport: "rates"}},
		Reports: []report.NamedReport{{Code: "rates", Report: *r}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.store.WorkspaceByCode(t.Context(), "traced")
	if err == nil {
		err = s.store.PutConnection(t.Context(), w.ID, store.Connection{Name: "told", Type: "webhook", Address: report.Secret(`{"address": "` + address + `/told", "secret": "0123456789abcdef"}`)})
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	browserTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	queuedTrace  = "0af7651916cd43dd8448eb211c80319c"
)

// A trace begins in the browser and goes on through phases, the queue, sources and
// webhooks; the guide shows both as this test got them.
func TestTracesFollowAnExport(t *testing.T) {
	to, others := newReceiver(t), &heard{parents: map[string]string{}}
	far := httptest.NewServer(others)
	t.Cleanup(far.Close)
	s := startService(t, "Tracing__Url="+to.URL)
	tracedWorkspace(t, s, far.URL)
	ask := func(method, path, body, trace string) []byte {
		t.Helper()
		req, err := http.NewRequest(method, s.url+"/api/v1/ws/traced"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.token)
		req.Header.Set("Content-Type", "application/json")
		if trace != "" {
			req.Header.Set("Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode >= 300 {
			t.Fatalf("%s: %d %s, %v", path, resp.StatusCode, answer, err)
		}
		return answer
	}
	ask(http.MethodPost, "/reports/rates/pdf", "{}", browserTrace)
	var started struct{ TemporaryFileID int }
	if err := json.Unmarshal(ask(http.MethodPost, "/reports/rates/export", `{"webhook": "told"}`, queuedTrace), &started); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); others.get("/told") == ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nobody told of the end of the export")
		}
	}
	s.finish() // and with it, each span
	w, err := s.store.WorkspaceByCode(t.Context(), "traced")
	if err != nil {
		t.Fatal(err)
	}
	if f, err := s.store.Export(t.Context(), w.ID, started.TemporaryFileID); err != nil || f.Status != store.ExportCompleted {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := s.engine.tracer.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(others.get("/told"), queuedTrace) {
		t.Errorf("the webhook heard of the trace %q", others.get("/told"))
	}
	if !strings.Contains(others.get("/rates"), queuedTrace) { // asked last for that export
		t.Errorf("the source heard of the trace %q", others.get("/rates"))
	}
	shown := "A synchronous export, asked for by a browser:\n\n" + to.tree(browserTrace) + "\nOne that was queued, and a webhook that is told of its end:\n\n" + to.tree(queuedTrace)
	for _, want := range []string{"export", "data", "html", "paginate", "print", "finish", "store"} {
		if !regexp.MustCompile(`(?m)^ +` + want + ` `).MatchString(shown) {
			t.Errorf("no span %s in\n%s", want, shown)
		}
	}
	keepTrace(t, strings.ReplaceAll(shown, far.URL, "https://rates.example.com"))
}

// tree is a trace as text: what began in what, when and for how long.
func (r *receiver) tree(trace string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	children, known := map[string][]*otlp.Span{}, map[string]bool{}
	var first uint64
	for _, s := range r.spans {
		if hex.EncodeToString(s.TraceId) == trace {
			known[string(s.SpanId)] = true
			if first == 0 || s.StartTimeUnixNano < first {
				first = s.StartTimeUnixNano
			}
		}
	}
	for _, s := range r.spans {
		if hex.EncodeToString(s.TraceId) == trace {
			parent := string(s.ParentSpanId)
			if !known[parent] {
				parent = ""
			}
			children[parent] = append(children[parent], s)
		}
	}
	var text strings.Builder
	var write func(parent, indent string)
	write = func(parent, indent string) {
		slices.SortFunc(children[parent], func(a, b *otlp.Span) int {
			return cmp.Or(cmp.Compare(a.StartTimeUnixNano, b.StartTimeUnixNano), cmp.Compare(a.EndTimeUnixNano, b.EndTimeUnixNano), cmp.Compare(a.Name, b.Name))
		})
		for _, s := range children[parent] {
			name := indent + s.Name
			fmt.Fprintf(&text, "    %-68s %7.1f ms %7.1f ms\n", name, float64(s.StartTimeUnixNano-first)/1e6, float64(s.EndTimeUnixNano-s.StartTimeUnixNano)/1e6)
			write(string(s.SpanId), indent+"  ")
		}
	}
	write("", "")
	return text.String()
}

// keepTrace keeps a trace in the guide, as it was last made anew: its times are
// others each time, but not its spans, save for waiting, which may take no time.
func keepTrace(t *testing.T, shown string) {
	t.Helper()
	times := regexp.MustCompile(`(?m)^ +wait .*\n| +[0-9.]+ ms`)
	doc, err := os.ReadFile("../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	kept := regexp.MustCompile(`(?s)<!-- trace -->\n(.*?)<!-- /trace -->`).FindStringSubmatch(string(doc))
	if kept == nil {
		t.Fatal("the guide has no place for a trace")
	}
	if *update || times.ReplaceAllString(kept[1], "") != times.ReplaceAllString("\n"+shown+"\n", "") {
		keepPart(t, "../../docs/deployment.md", "trace", "\n"+shown+"\n")
	}
}

// Without the setting nothing is sent, and others get no header.
func TestNothingIsTracedUnasked(t *testing.T) {
	others := &heard{parents: map[string]string{}}
	far := httptest.NewServer(others)
	t.Cleanup(far.Close)
	s := startService(t)
	tracedWorkspace(t, s, far.URL)
	s.ok(http.MethodPost, "/api/v1/ws/traced/reports/rates/pdf", "{}")
	if header, asked := others.parents["/rates"]; !asked || header != "" {
		t.Errorf("the source was asked %v, with traceparent %q", asked, header)
	}
}
