package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

func workerCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "worker", Short: "Do queued exports and jobs, beside services on the same PostgreSQL database", Args: wrongUse(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := c.load()
			if err != nil {
				return err
			}
			s.again = c.load
			return runWorker(cmd.Context(), s)
		},
	}
}

// runWorker does what is queued until ctx ends, then lets what was begun end.
func runWorker(ctx context.Context, s *settings) error {
	if strings.HasPrefix(s.Database, "sqlite:") {
		return report.Problemf("ConnectionStrings__Database", "an SQLite database belongs to one process, quire serve, which does its work itself; quire worker needs postgres://…")
	}
	ctx, hangups := catchHangups(ctx)
	log := newLogger(s, os.Stderr)
	st, err := openToServe(ctx, s, log, "worker")
	if err != nil {
		return err
	}
	defer st.Close()
	ctx = store.WithActor(ctx, store.Actor{Kind: store.BySystem})
	s.noBrowser = s.work() == store.DeliverWork
	engine, err := newEngine(ctx, s, log, data.Config{Connections: connections{st}})
	if err != nil {
		return err
	}
	defer engine.stop()
	engine.watch(s, st, log)
	var stopTracing func()
	if engine.tracer, stopTracing, err = startTracing(ctx, s, "worker", log); err != nil {
		return err
	}
	defer stopTracing()
	work := newJobs(s, st, engine, "worker", log)
	stopWatch, err := serveWatch(s, newWorkerWatch(ctx, s, st, engine, work, log), log)
	if err != nil {
		return err
	}
	defer stopWatch()
	defer countUsage(engine.usage)()
	go reloadOn(ctx, hangups, s, engine, log)
	log.Info("quire is working", "version", version, "kinds", s.works())
	go showLife(ctx)
	return work.Work(ctx)
}
