// Package metrics turns what a process does into figures for monitors and into
// one line of the log for each document. Labels have few values: of what users
// can make only workspaces are one, and no more of them than a setting says.
package metrics

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// buckets are up to how many seconds documents, their phases and tasks take.
var buckets = []float64{.005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 120, 600}

// Metrics counts what one process does. It is a jobs.Observer.
type Metrics struct {
	log *slog.Logger

	documents, pages, bytes *prometheus.CounterVec
	seconds, phases         *prometheus.HistogramVec
	tasks, deliveries       *prometheus.CounterVec
	taskSeconds             *prometheus.HistogramVec
	entries                 *prometheus.CounterVec
	workspaces              *workspaces
}

// New puts the metrics of a process into a registry, and those of its parts. Of
// the workspaces that documents are made for, the first ones, as many as counted
// says, have figures of their own.
func New(registry prometheus.Registerer, parts Parts, version string, counted int, log *slog.Logger) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	seconds := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &Metrics{
		log:         log,
		documents:   counter("quire_documents_total", "Exports that ended, by result: ok, refused, too_large, busy, timeout, cancelled, failed (a fault of the report) or error (one of the service).", "format", "result"),
		pages:       counter("quire_document_pages_total", "Pages of finished exports.", "format"),
		bytes:       counter("quire_document_bytes_total", "Bytes of finished exports.", "format"),
		seconds:     seconds("quire_document_duration_seconds", "Time that exports took, finished or not.", "format"),
		phases:      seconds("quire_document_phase_duration_seconds", "Time of each phase of an export: data, html, wait (for a tab), paginate, print, finish and, of what is queued, store; script is within data and html.", "phase"),
		tasks:       counter("quire_tasks_total", "Attempts at queued tasks, by result: done, failed (for good), retried, returned (to the queue, without counting) or lost (cancelled or taken over).", "kind", "result"),
		taskSeconds: seconds("quire_task_duration_seconds", "Time that attempts at queued tasks took.", "kind"),
		entries:     counter("quire_entries_total", "Entries of jobs, by what they came to: review, delivering, completed or error; one that is reviewed or delivered comes to another in the end.", "result"),
		workspaces:  newWorkspaces(counted, counter),
		deliveries:  counter("quire_delivery_attempts_total", "Attempts at deliveries, by result: sent, retried, refused, uncertain or cut (by the end of the process or the time limit).", "type", "result"),
	}
	registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.documents, m.pages, m.bytes, m.seconds, m.phases, m.tasks, m.taskSeconds, m.deliveries, m.entries,
		m.workspaces.documents, m.workspaces.pages, m.workspaces.bytes,
		newProbes(&parts, version),
	)
	return m
}

// Document counts an export that has ended and writes its line of the log.
func (m *Metrics) Document(ctx context.Context, made export.Made) {
	result := resultOf(ctx, made.Err)
	m.documents.WithLabelValues(made.Format, result).Inc()
	m.seconds.WithLabelValues(made.Format).Observe(made.Took.Seconds())
	attrs := []slog.Attr{
		slog.String("result", result), slog.Int("workspace", made.Workspace), slog.Int("user", made.UserID), slog.String("report", made.Report),
		slog.String("format", made.Format), slog.Float64("ms", report.Milliseconds(made.Took)),
	}
	if made.Err == nil {
		m.pages.WithLabelValues(made.Format).Add(float64(made.Pages))
		m.bytes.WithLabelValues(made.Format).Add(float64(made.Bytes))
		m.workspaces.count(made)
		attrs = append(attrs, slog.Int("pages", made.Pages), slog.Int64("bytes", made.Bytes), slog.Int("warnings", made.Warnings))
	}
	var phases []any
	for i, took := range made.Phases {
		if took > 0 {
			name := export.Phase(i).String()
			m.phases.WithLabelValues(name).Observe(took.Seconds())
			phases = append(phases, slog.Float64(name, report.Milliseconds(took)))
		}
	}
	attrs = append(attrs, slog.Group("phases", phases...), source(ctx))
	if id := tracing.ID(ctx); id != "" {
		attrs = append(attrs, slog.String("trace", id))
	}
	m.log.LogAttrs(ctx, slog.LevelInfo, "document", attrs...)
}

// source is what asked for a document: a task of the queue or a request.
func source(ctx context.Context) slog.Attr {
	if id := jobs.TaskOf(ctx); id != 0 {
		return slog.Int64("task", id)
	}
	return slog.String("request", report.Reference(ctx))
}

// resultOf is how an export ended, in one of few words.
func resultOf(ctx context.Context, err error) string {
	p, known := errors.AsType[*report.Problem](err)
	switch {
	case err == nil:
		return "ok"
	case errors.Is(ctx.Err(), context.Canceled):
		return "cancelled"
	case !known:
		several, _ := errors.AsType[report.Problems](err)
		if len(several) == 0 {
			return "error"
		}
		p = several[0]
	}
	switch p.Kind {
	case report.Busy, report.Exhausted:
		return "busy"
	case report.TimedOut:
		return "timeout"
	case report.TooLarge:
		return "too_large"
	case report.Failed:
		return "failed"
	}
	return "refused"
}

// Task implements jobs.Observer.
func (m *Metrics) Task(kind string, end jobs.TaskEnd, took time.Duration) {
	m.tasks.WithLabelValues(kind, string(end)).Inc()
	m.taskSeconds.WithLabelValues(kind).Observe(took.Seconds())
}

// Delivery implements jobs.Observer. Types that nobody serves share a name.
func (m *Metrics) Delivery(kind string, end jobs.DeliveryEnd) {
	if _, known := deliver.Find(kind); !known {
		kind = "unknown"
	}
	m.deliveries.WithLabelValues(kind, string(end)).Inc()
}

// Entry implements jobs.Observer.
func (m *Metrics) Entry(state store.EntryState) { m.entries.WithLabelValues(string(state)).Inc() }

// Stored implements jobs.Observer.
func (m *Metrics) Stored(took time.Duration) {
	m.phases.WithLabelValues("store").Observe(took.Seconds())
}
