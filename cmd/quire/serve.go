package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso/accounts"
	"github.com/quire-reports/quire/store"
)

func serveCommand(c *common) *cobra.Command {
	var addr string
	cmd := &cobra.Command{Use: "serve", Short: "Start the service", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		if addr != "" {
			c.flags["Address"] = addr
		}
		s, err := c.load()
		if err != nil {
			return err
		}
		s.again = c.load
		return serve(cmd.Context(), s)
	}}
	cmd.Flags().StringVar(&addr, "addr", "", "host:port to listen on (setting Address)")
	return cmd
}

// Time limits of the HTTP server. Answers take as long as exports may, and bodies
// are held to a pace by package api.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	lastTime          = 5 * time.Second // to answer requests for which the grace of a stop was too short
	sweepInterval     = time.Minute
)

// serve runs the service until ctx ends, then lets requests finish.
func serve(ctx context.Context, s *settings) error {
	ctx, hangups := catchHangups(ctx)
	log := newLogger(s, os.Stderr)
	st, err := openToServe(ctx, s, log, "serve")
	if err != nil {
		return err
	}
	defer st.Close()
	ctx = store.WithActor(ctx, store.Actor{Kind: store.BySystem})
	// Before a password is shown that is shown only once; and what listens is ready, so
	// not for longer than it takes to know.
	if listener, err := listen(s); err != nil {
		return err
	} else if err := listener.Close(); err != nil {
		return err
	}
	if err := firstStart(ctx, s, st); err != nil {
		return err
	}
	listener, err := listen(s)
	if err != nil {
		return err
	}
	engine, err := newEngine(ctx, s, log, data.Config{Connections: connections{st}})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer engine.stop()
	engine.watch(s, st, log)
	var stopTracing func()
	if engine.tracer, stopTracing, err = startTracing(ctx, s, "serve", log); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer stopTracing()
	providers, endProviders, err := newProviders(s, engine.guard, st)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer endProviders()
	directories, endDirectories, err := newDirectories(s, engine.guard)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer endDirectories()
	work := newJobs(s, st, engine, "service", log)
	closing, closed := context.WithCancel(context.WithoutCancel(ctx))
	defer closed()
	handler, watch := newHandler(s, st, engine, work, signInAt{providers, directories}, log, stopSignals{leaving: ctx.Done(), stopping: closing.Done()})
	stopWatch, err := serveWatch(s, watch, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer stopWatch()
	ctx, stop := context.WithCancel(ctx)
	working := &sync.WaitGroup{}
	if s.ExportsInService { // else it is left to quire worker
		working = startWork(ctx, work, log)
	} else {
		working.Go(func() { work.WatchFleet(ctx) })
	}
	if len(directories) > 0 {
		follower := accounts.Follower{Directories: directories, People: st, Clock: time.Now, Log: log}
		working.Go(func() { follower.Run(ctx) })
	}
	pictures := newPictures(st, engine, log)
	working.Go(func() { pictures.Run(ctx) })
	if own := newBackups(s, st, log); own != nil {
		working.Go(func() { own.run(ctx) })
	}
	working.Go(func() { reloadOn(ctx, hangups, s, engine, log) })
	counting := countUsage(engine.usage)
	defer counting()
	defer working.Wait() // before the engine stops
	defer stop()
	st.StartSweeping(sweepInterval)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	server.RegisterOnShutdown(closed)
	log.Info("quire is listening", "address", listener.Addr().String(), "url", localURL(s), "version", version)
	return runServer(ctx, server, listener, s.stopTimes(), log)
}

func listen(s *settings) (net.Listener, error) {
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		return nil, fmt.Errorf("setting Address: %w", err)
	}
	return listener, nil
}

// openToServe opens the store of a part of the service that goes on running.
func openToServe(ctx context.Context, s *settings, log *slog.Logger, part string) (*store.Store, error) {
	if s.AuditStdout {
		s.auditLines = os.Stdout
	}
	st, err := openStore(ctx, s, log, part == "serve")
	if err != nil {
		return nil, err
	}
	st.RecordStart(ctx, part, version, s.Given)
	return st, nil
}

// startWork does what is queued until ctx ends and what was begun has ended.
func startWork(ctx context.Context, work *jobs.Service, log *slog.Logger) *sync.WaitGroup {
	var working sync.WaitGroup
	working.Go(func() {
		if err := work.Work(ctx); err != nil {
			log.Error("the queue is not worked on", "error", err)
		}
	})
	return &working
}

// stopTimes are what a service that stops gives to others: balancers delay to
// notice, requests and tasks grace to end.
type stopTimes struct{ delay, grace time.Duration }

func (s *settings) stopTimes() stopTimes {
	return stopTimes{time.Duration(s.StopDelay) * time.Second, time.Duration(s.StopGrace) * time.Second}
}

// stopSignals are closed one after the other: leaving when no more requests
// should come, stopping when none are taken any more.
type stopSignals struct{ leaving, stopping <-chan struct{} }

// runServer serves until ctx ends and for a delay, then lets requests finish for
// a time. Those that do not are answered with 503.
func runServer(ctx context.Context, server *http.Server, listener net.Listener, times stopTimes, log *slog.Logger) error {
	requests, cut := context.WithCancelCause(context.Background())
	defer cut(nil)
	server.BaseContext = func(net.Listener) context.Context { return requests }
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping; requests are taken for the delay, then those under way may finish", "delay", times.delay.String(), "grace", times.grace.String())
	select {
	case err := <-failed:
		return err
	case <-time.After(times.delay):
	}
	if drained(server, times.grace) {
		return nil
	}
	log.Warn("requests are cut short, as the service stops", "grace", times.grace.String())
	cut(&report.Problem{Kind: report.Busy, Message: "the service is stopping; try again in a moment"})
	if drained(server, lastTime) {
		return nil
	}
	return server.Close()
}

// drained tells whether the requests under way ended within a time.
func drained(server *http.Server, within time.Duration) bool {
	limited, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return server.Shutdown(limited) == nil
}

// firstStart makes the demo workspace in an empty database, and then the first
// user. That one ends it: what fails before is done anew at the next start.
func firstStart(ctx context.Context, s *settings, st *store.Store) error {
	known, err := st.HasUsers(ctx)
	if err != nil || known {
		return err
	}
	demo, problems := report.ReadWorkspace(assets.Demo())
	if problems != nil {
		return fmt.Errorf("the demo workspace: %w", problems)
	}
	if _, err := st.ImportWorkspace(ctx, *demo); err != nil {
		return fmt.Errorf("the demo workspace: %w", err)
	}
	password, generated := s.RootPassword, false
	if password == "" {
		password, generated = report.Secret(randomText(18)+"-7a"), true
	}
	if _, err := st.CreateRootUser(ctx, s.RootEmail, s.RootName, password); err != nil {
		return fmt.Errorf("settings RootUser: %w", err)
	}
	if generated {
		fmt.Printf("first user: %s\npassword:   %s   (generated, shown only now)\n", s.RootEmail, password.Reveal())
	}
	return nil
}

func newLogger(s *settings, to io.Writer) *slog.Logger {
	s.level = &slog.LevelVar{}
	_ = s.level.UnmarshalText([]byte(s.LogLevel)) // checked with the settings
	options := &slog.HandlerOptions{Level: s.level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}

// localURL is where the service answers on this machine.
func localURL(s *settings) string {
	host, port, _ := net.SplitHostPort(s.Address) // checked with the settings
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(strings.Trim(host, "[]"), port) + s.PathBase
}
