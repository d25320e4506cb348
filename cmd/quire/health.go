package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

func healthCommand(c *common) *cobra.Command {
	var living bool
	cmd := &cobra.Command{Use: "health", Short: "Ask the service on this machine whether it is ready", Args: wrongUse(cobra.NoArgs), RunE: func(*cobra.Command, []string) error {
		s, err := c.load()
		if err != nil {
			return err
		}
		if living {
			return alive(s, time.Now())
		}
		return health(s, os.Stdout)
	}}
	cmd.Flags().BoolVar(&living, "alive", false, "ask only whether a service or a worker lives, whatever parts it lacks: for what restarts containers")
	return cmd
}

// healthTimeout is how long an answer may take.
const healthTimeout = 3 * time.Second

// health asks the service whether it is ready. What it tells of its parts, as it
// does at the address for monitors, is printed.
func health(s *settings, out io.Writer) error {
	client := http.Client{Timeout: healthTimeout}
	resp, err := client.Get(monitorURL(s) + "/readyz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var told struct{ Checks, Details map[string]string }
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&told) // the status says enough
	for _, parts := range []map[string]string{told.Checks, told.Details} {
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			fmt.Fprintf(out, "%s: %s\n", name, parts[name])
		}
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", resp.Status)
	}
	return nil
}

// monitorURL is where the service answers monitors on this machine.
func monitorURL(s *settings) string {
	if s.MetricsAddress == "" {
		return localURL(s)
	}
	apart := *s
	apart.Address, apart.PathBase = s.MetricsAddress, ""
	return localURL(&apart)
}

// A worker listens nowhere. That it lives it shows by the time of a folder in
// that for temporary files. (A file of a known name could be another's link.)
const (
	signEvery = 10 * time.Second
	signLasts = 6 * signEvery
)

func signOfLife() string { return filepath.Join(os.TempDir(), "quire-worker-alive") }

// showLife shows that a worker lives until ctx ends.
func showLife(ctx context.Context) {
	tick := time.NewTicker(signEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		_ = os.Mkdir(signOfLife(), 0o755) // without it nobody who asks finds a worker
		_ = os.Chtimes(signOfLife(), time.Time{}, time.Now())
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// alive is nil when a service answers here, or a worker has shown that it lives.
func alive(s *settings, now time.Time) error {
	client := http.Client{Timeout: healthTimeout}
	resp, err := client.Get(localURL(s) + "/healthz")
	if err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("not alive: %s", resp.Status)
		}
		return nil
	}
	sign, signErr := os.Stat(signOfLife())
	if signErr != nil {
		return fmt.Errorf("no service: %w; and no worker has shown that it lives", err)
	}
	if quiet := now.Sub(sign.ModTime()); quiet > signLasts {
		return fmt.Errorf("no service: %w; and the worker has not shown that it lives for %s", err, quiet.Round(time.Second))
	}
	return nil
}
