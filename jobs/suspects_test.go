package jobs

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Finding B11: 20 of 111 exports failed as the process was killed 50 times while
// they happened to be made. Each kill here ends everything that is under way,
// without a word; the work of a process that was killed is cut off.
func TestKillsAreNotHeldAgainstNeighbours(t *testing.T) {
	p := newPlace(t, store.Config{})
	starter := New(Config{Store: p.store})
	poison := p.start(starter, export.Request{Report: "poison"})
	var ids []int
	for range 20 {
		ids = append(ids, p.start(starter, export.Request{Report: "good"}))
	}
	// Each process dies with the poison in its hands, and with all that it does
	// beside it.
	for kill := 0; ; kill++ {
		if kill > 50 {
			t.Fatal("the poison is tried for ever")
		}
		ctx, end := context.WithCancel(t.Context())
		w := New(Config{Store: p.store, Workers: 3, Backoff: time.Nanosecond}).newWorker(ctx, string(rune('A'+kill)))
		if _, err := p.store.FreeTasks(ctx); err != nil {
			t.Fatal(err)
		}
		poisoned := false
		for !poisoned {
			tasks, err := w.claim(ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(tasks) == 0 {
				break
			}
			for i := range tasks {
				poisoned = poisoned || tasks[i].Subject == poison && tasks[i].Attempts <= makeAttempts
			}
			if poisoned {
				continue
			}
			w.Service.cfg.Export = printer(func(_ context.Context, r export.Request) (*export.File, error) { return printed(r), nil })
			for i := range tasks {
				w.do(ctx, &tasks[i])
			}
		}
		end()
		if !poisoned {
			break
		}
	}
	if f := p.ended(poison); f.Status != store.ExportFailed {
		t.Errorf("the poison: %+v", f)
	}
	for _, id := range ids {
		if f := p.ended(id); f.Status != store.ExportCompleted {
			t.Errorf("a neighbour: %s %s", f.Status, f.Error)
		}
	}
}

// Finding A3: accepted work failed as the service was busy five times in a row.
func TestWorkThatFindsNoRoomUsesNoAttemptUp(t *testing.T) {
	for _, refusal := range []*report.Problem{
		{Kind: report.Busy, Message: "full", Wait: time.Millisecond},
		{Kind: report.Exhausted, Message: "the share is used up", Wait: time.Millisecond},
	} {
		p := newPlace(t, store.Config{})
		var asked atomic.Int32
		s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) {
			if asked.Add(1) <= 3*makeAttempts {
				return nil, errors.Join(refusal)
			}
			return printed(r), nil
		})
		if f := p.ended(p.start(s, export.Request{Report: "1"})); f.Status != store.ExportCompleted {
			t.Errorf("%s: %s %s", refusal.Message, f.Status, f.Error)
		}
	}
}
