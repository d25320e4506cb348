package jobs

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// tally counts what it is told.
type tally struct {
	mu   sync.Mutex
	seen map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen[what]++
}

func (t *tally) Task(kind string, end TaskEnd, _ time.Duration) { t.add(kind + " " + string(end)) }
func (t *tally) Delivery(kind string, end DeliveryEnd)          { t.add(kind + " " + string(end)) }
func (t *tally) Entry(state store.EntryState)                   { t.add("entry " + string(state)) }
func (t *tally) Stored(time.Duration)                           { t.add("stored") }

// Every attempt at a task and at a delivery is told of, however it ends.
func TestAttemptsAreObserved(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(mailed())
	box := &mailbox{answer: func(d Delivery, n int) error {
		switch {
		case d.Type != "email":
			return nil
		case d.Entry == "1" && n == 1:
			return &report.Problem{Kind: report.Busy, Message: "the mail server is away"}
		case d.Entry == "3":
			return &Uncertain{"it may have been sent"}
		}
		return nil
	}}
	seen := &tally{seen: map[string]int{}}
	tasks := make(chan int64, 100)
	s, stop := p.service(func(ctx context.Context, req export.Request) (*export.File, error) {
		tasks <- TaskOf(ctx)
		return plain(ctx, req)
	}, withBatch(p), func(c *Config) { c.Deliver, c.Observe = box, seen })
	run := p.run(s, "statements")
	p.finished(s, "statements", run)
	stop() // the last task is told of when it has ended
	want := map[string]int{
		"run done": 1, "entry done": 3, "deliver done": 2, "deliver retried": 1, "deliver failed": 1, "stored": 3,
		"entry delivering": 3, "entry completed": 2, "entry error": 1,
		"email sent": 1, "email retried": 1, "email uncertain": 1, "local sent": 3,
	}
	if d := cmp.Diff(want, seen.seen); d != "" {
		t.Error(d)
	}
	if len(tasks) != 3 || <-tasks == 0 {
		t.Error("exports do not know the task that they are of")
	}
}
