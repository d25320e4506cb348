package accounting

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
)

// kept takes sums, or refuses them a number of times.
type kept struct {
	mu     sync.Mutex
	asked  *sync.Cond
	calls  int
	refuse int
	added  map[string]store.Usage
}

func (k *kept) AddUsage(ctx context.Context, made []store.Usage) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls++
	k.asked.Broadcast()
	if k.refuse > 0 || ctx.Err() != nil {
		k.refuse--
		return errors.New("away")
	}
	for _, u := range made {
		sum := k.added[u.Period]
		sum.Documents, sum.Pages, sum.Bytes = sum.Documents+u.Documents, sum.Pages+u.Pages, sum.Bytes+u.Bytes
		k.added[u.Period] = sum
	}
	return nil
}

// wait waits until sums were brought so many times.
func (k *kept) wait(calls int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.calls < calls {
		k.asked.Wait()
	}
}

// What is counted arrives once, also when the database is away for a while or the
// process stops.
func TestSumsArriveOnce(t *testing.T) {
	to := &kept{refuse: 3, added: map[string]store.Usage{}}
	to.asked = sync.NewCond(&to.mu)
	c := New(to, slog.New(slog.DiscardHandler))
	now := time.Date(2026, 11, 25, 23, 59, 0, 0, time.UTC)
	c.clock, c.wake = func() time.Time { return now }, time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	for i := range 200 {
		c.Count(export.Made{Workspace: i%3 + 1, Pages: 2, Bytes: 100})
		c.Count(export.Made{Workspace: 1, Pages: 2, Err: errors.New("broken")})
		c.Count(export.Made{Pages: 7}) // of the command line
		if i%40 == 0 {                 // so that sums are brought, and refused, between what is counted
			to.wait(i/40 + 1)
		}
	}
	stop()
	<-ended
	if d := cmp.Diff(map[string]store.Usage{"2026-11-25": {Documents: 200, Pages: 400, Bytes: 20_000}}, to.added); d != "" {
		t.Error(d)
	}
	if to.refuse != 0 {
		t.Error("the database was never away")
	}
}
