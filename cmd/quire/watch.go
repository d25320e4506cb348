package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quire-reports/quire/api"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/accounting"
	"github.com/quire-reports/quire/internal/metrics"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/store"
)

// watched are the metrics of a process and what counts them.
type watched struct {
	registry *prometheus.Registry
	counter  *metrics.Metrics
}

// watch makes an engine count what it does from now on.
func (e *engine) watch(s *settings, st *store.Store, log *slog.Logger) {
	registry := prometheus.NewRegistry()
	parts := metrics.Parts{Store: st, Scripts: e.scripts, Budget: e.budget}
	if e.pool != nil {
		parts.Browser = e.pool
	}
	counter := metrics.New(registry, parts, version, s.countedWorkspaces(), log)
	e.usage = accounting.New(st, log)
	e.watched, e.config.Observe = &watched{registry, counter}, func(ctx context.Context, made export.Made) {
		counter.Document(ctx, made)
		e.usage.Count(made)
	}
}

// countedWorkspaces is how many workspaces have metrics of their own: none where
// everybody can read the metrics.
func (s *settings) countedWorkspaces() int {
	if s.MetricsAddress == "" {
		return 0
	}
	return s.MetricsWorkspaces
}

func (w *watched) observer() jobs.Observer {
	if w == nil {
		return nil
	}
	return w.counter
}

func (w *watched) figures() *prometheus.Registry {
	if w == nil {
		return nil
	}
	return w.registry
}

// newWorkerWatch is what monitors ask of a worker, or nil when it has no address
// for them. It is ready until it stops, which is when ctx ends.
func newWorkerWatch(ctx context.Context, s *settings, st *store.Store, e *engine, work *jobs.Service, log *slog.Logger) http.Handler {
	if s.MetricsAddress == "" {
		return nil
	}
	return api.NewWatch(api.Config{
		Checks: checks(st, e), Details: e.tells(work.Details(true)), Metrics: e.watched.figures(), Profiling: s.Profiling, Logger: log, Leaving: ctx.Done(),
	})
}

// serveWatch serves what monitors ask at its own address, if it has one, until
// the process has stopped.
func serveWatch(s *settings, watch http.Handler, log *slog.Logger) (stop func(), err error) {
	if watch == nil {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", s.MetricsAddress)
	if err != nil {
		return nil, fmt.Errorf("setting Metrics.Address: %w", err)
	}
	server := &http.Server{Handler: watch, ReadTimeout: readHeaderTimeout, WriteTimeout: watchTimeout, IdleTimeout: idleTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = server.Serve(listener) }() // ends with Close
	log.Info("metrics are served", "address", listener.Addr().String())
	return func() { _ = server.Close() }, nil
}

// watchTimeout is how long an answer to monitors may take: a profile of a minute
// fits.
const watchTimeout = 2 * time.Minute

// countUsage adds what was made to the database until stop is called, and then
// the rest.
func countUsage(c *accounting.Counter) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	return func() {
		cancel()
		<-ended
	}
}
