// Package accounting sums up what a process makes for each workspace and day, and adds
// it to the database now and then: a document costs no write of its own.
package accounting

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

// every is how often sums are added; a process that is killed loses what it made
// since then.
const every = 10 * time.Second

// patience is how long adding may take; that the process stops does not end it.
const patience = 5 * time.Second

// Store keeps sums. *store.Store is one.
type Store interface {
	AddUsage(ctx context.Context, made []store.Usage) error
}

// Counter sums up. It is safe for concurrent use.
type Counter struct {
	store Store
	clock func() time.Time
	log   *slog.Logger
	wake  time.Duration

	mu   sync.Mutex
	sums map[of]*store.Usage
}

type of struct {
	workspace int
	day       string
}

// New makes a Counter; Run adds what it counts.
func New(s Store, log *slog.Logger) *Counter {
	return &Counter{store: s, clock: time.Now, log: log, wake: every, sums: map[of]*store.Usage{}}
}

// Count counts an export that has ended, if there is a file.
func (c *Counter) Count(made export.Made) {
	if made.Err != nil || made.Workspace == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := of{made.Workspace, c.clock().UTC().Format(time.DateOnly)}
	c.add(key, store.Usage{Documents: 1, Pages: int64(made.Pages), Bytes: made.Bytes})
}

func (c *Counter) add(key of, more store.Usage) {
	sum := c.sums[key]
	if sum == nil {
		sum = &store.Usage{Period: key.day, WorkspaceID: key.workspace}
		c.sums[key] = sum
	}
	sum.Documents += more.Documents
	sum.Pages += more.Pages
	sum.Bytes += more.Bytes
}

// Run adds what was counted until ctx ends, and then the rest.
func (c *Counter) Run(ctx context.Context) {
	tick := time.NewTicker(c.wake)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.flush(ctx)
		case <-ctx.Done():
			c.flush(ctx)
			return
		}
	}
}

// flush adds the sums to the database; what cannot be added is kept for the next
// time.
func (c *Counter) flush(ctx context.Context) {
	c.mu.Lock()
	taken := c.sums
	c.sums = map[of]*store.Usage{}
	c.mu.Unlock()
	if len(taken) == 0 {
		return
	}
	list := make([]store.Usage, 0, len(taken))
	for _, sum := range taken {
		list = append(list, *sum)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := c.store.AddUsage(ctx, list)
	if err == nil {
		return
	}
	c.log.Warn("usage of workspaces is added later", "error", err)
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, sum := range taken {
		c.add(key, *sum)
	}
}
