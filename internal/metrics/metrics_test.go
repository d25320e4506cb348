package metrics

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
)

// parts stand still; those of a service are asked in cmd/quire.
type parts struct {
	asked int
	away  bool
}

func (p *parts) QueueState(context.Context) ([]store.QueuedKind, error) {
	p.asked++
	if p.away {
		return nil, errors.New("away")
	}
	return []store.QueuedKind{{Kind: "export", Priority: store.Interactive, Waiting: 3, Delayed: 2, Running: 1, Oldest: 1500}}, nil
}

func (*parts) Fleet(context.Context) ([]store.Process, error) {
	return []store.Process{{Work: store.PrintWork}, {}}, nil
}

func (*parts) Pools() map[string]sql.DBStats { return map[string]sql.DBStats{"all": {InUse: 4}} }

func (*parts) LastBackup(context.Context) (time.Time, error) { return time.Unix(1764000000, 0), nil }

func (*parts) Sweeps() store.Sweeps {
	return store.Sweeps{Removed: store.Swept{Rows: 7}, Done: 2, Failed: 1, Last: time.Unix(1764000060, 0)}
}

func (*parts) Health() render.Health { return render.Health{Tabs: 2, Running: 1, Waiting: 5} }

type browser struct{ *parts }

func (browser) Stats() render.Stats { return render.Stats{Printed: 9, Failed: 4, Busy: 1, TimedOut: 1} }

type scripts struct{}

func (scripts) Stats() scripting.Stats { return scripting.Stats{Busy: 1, Replaced: 6} }

func newMetrics(p *parts) (*Metrics, *prometheus.Registry, *bytes.Buffer) {
	log := &bytes.Buffer{}
	registry := prometheus.NewRegistry()
	return New(registry, Parts{Store: p, Browser: browser{p}, Scripts: scripts{}}, "1.2.3", 2, slog.New(slog.NewJSONHandler(log, nil))), registry, log
}

func TestDocumentsHaveALineOfTheLogEach(t *testing.T) {
	m, registry, log := newMetrics(&parts{})
	made := export.Made{Workspace: 3, UserID: 7, Report: "invoice", Format: "pdf", Pages: 2, Bytes: 9000, Warnings: 1, Took: 120 * time.Millisecond}
	made.Phases[export.Print] = 40 * time.Millisecond
	m.Document(report.WithReference(t.Context(), "abcdefgh"), made)
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	delete(line, "time")
	got, want := fmt.Sprint(line), "map[bytes:9000 format:pdf level:INFO ms:120 msg:document pages:2 phases:map[print:40] report:invoice request:abcdefgh result:ok user:7 warnings:1 workspace:3]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := values(t, registry)[`quire_document_pages_total{format="pdf"}`]; got != 2 {
		t.Errorf("%g pages", got)
	}
}

func TestResultsAreFewWords(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{t.Context(), nil, "ok"},
		{gone, context.Canceled, "cancelled"},
		{t.Context(), errors.New("the disk burns"), "error"},
		{t.Context(), fmt.Errorf("making it: %w", report.Problemf("a", "is wrong")), "refused"},
		{t.Context(), report.Problems{{Kind: report.Failed}, {Kind: report.Busy}}, "failed"},
		{t.Context(), &report.Problem{Kind: report.Exhausted}, "busy"},
		{t.Context(), &report.Problem{Kind: report.TimedOut}, "timeout"},
		{t.Context(), &report.Problem{Kind: report.TooLarge}, "too_large"},
	} {
		if got := resultOf(test.ctx, test.err); got != test.want {
			t.Errorf("%v is %s, want %s", test.err, got, test.want)
		}
	}
}

func TestPartsAreReadWhenAsked(t *testing.T) {
	p := &parts{}
	m, registry, _ := newMetrics(p)
	m.Delivery("mail", jobs.DeliveryDone)
	m.Entry(store.EntryReview)
	m.Delivery("a name that somebody made up", jobs.DeliveryRefused)
	want := map[string]float64{
		`quire_build_info{version="1.2.3"}`:                                       1,
		`quire_queue_tasks{kind="export",priority="interactive",state="waiting"}`: 3,
		`quire_queue_tasks{kind="export",priority="interactive",state="delayed"}`: 2,
		`quire_queue_tasks{kind="export",priority="interactive",state="running"}`: 1,
		`quire_queue_oldest_seconds{kind="export",priority="interactive"}`:        1.5,
		`quire_database_up{}`:                                            1,
		`quire_sweeps_total{result="failed"}`:                            1,
		`quire_swept_total{kind="rows"}`:                                 7,
		`quire_sweep_last_success_timestamp_seconds{}`:                   1764000060,
		`quire_backup_last_success_timestamp_seconds{}`:                  1764000000,
		`quire_entries_total{result="review"}`:                           1,
		`quire_tabs{state="busy"}`:                                       1,
		`quire_tabs{state="idle"}`:                                       1,
		`quire_browser_up{}`:                                             0,
		`quire_print_queue_length{}`:                                     5,
		`quire_prints_total{result="ok"}`:                                9,
		`quire_prints_total{result="failed"}`:                            2,
		`quire_script_processes_replaced_total{}`:                        6,
		`quire_database_connections{pool="all",state="busy"}`:            4,
		`quire_delivery_attempts_total{result="refused",type="unknown"}`: 1,
	}
	got := values(t, registry)
	for name, value := range want {
		if have, ok := got[name]; !ok || have != value {
			t.Errorf("%s is %g, %v; want %g", name, have, ok, value)
		}
	}
	values(t, registry)
	if p.asked != 1 {
		t.Errorf("the queue was read %d times for monitors that ask twice at once", p.asked)
	}
}

// People can make any number of workspaces, but not of series.
func TestWorkspacesBeyondTheBoundShareASeries(t *testing.T) {
	m, registry, _ := newMetrics(&parts{})
	for _, id := range []int{8, 9, 10, 11, 8} {
		m.Document(t.Context(), export.Made{Workspace: id, Format: "pdf", Pages: 3, Bytes: 100})
	}
	m.Document(t.Context(), export.Made{Workspace: 8, Format: "pdf", Err: errors.New("broken")})
	got := values(t, registry)
	for name, value := range map[string]float64{
		`quire_workspace_documents_total{workspace="8"}`: 2, `quire_workspace_documents_total{workspace="9"}`: 1, `quire_workspace_documents_total{workspace="other"}`: 2,
		`quire_workspace_pages_total{workspace="8"}`: 6, `quire_workspace_bytes_total{workspace="other"}`: 200,
	} {
		if got[name] != value {
			t.Errorf("%s is %g, want %g", name, got[name], value)
		}
	}
}

// Prometheus' own judge finds nothing to say of names, units and help.
func TestMetricsFollowPrometheusConventions(t *testing.T) {
	m, registry, _ := newMetrics(&parts{})
	m.Document(t.Context(), export.Made{Workspace: 8, Format: "pdf", Took: time.Second, Phases: [7]time.Duration{1, 1, 1, 1, 1, 1, 1}})
	m.Task("export", jobs.TaskDone, time.Second)
	m.Delivery("mail", jobs.DeliveryDone)
	m.Entry(store.EntryReview)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// A database that is away takes nothing but what it knows from the metrics.
func TestMetricsOutliveTheDatabase(t *testing.T) {
	_, registry, _ := newMetrics(&parts{away: true})
	got := values(t, registry)
	if _, there := got[`quire_queue_tasks{kind="export",priority="interactive",state="waiting"}`]; there || got[`quire_build_info{version="1.2.3"}`] != 1 || got[`quire_database_up{}`] != 0 {
		t.Errorf("%v", got)
	}
}

// values are the counters and gauges of a registry.
func values(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			var labels []string
			for _, label := range metric.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", label.GetName(), label.GetValue()))
			}
			all[family.GetName()+"{"+strings.Join(labels, ",")+"}"] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue()
		}
	}
	return all
}
