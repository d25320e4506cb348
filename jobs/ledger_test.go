package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// What a process took and did not begin goes back when it stops, at once and
// without an attempt; it is none of those that may have ended a process.
func TestWhatWasTakenAheadGoesBack(t *testing.T) {
	p := newPlace(t, store.Config{})
	starter := New(Config{Store: p.store, Workers: 2})
	for range 3 {
		p.start(starter, export.Request{Report: "1"})
	}
	w := starter.newWorker(t.Context(), "stopping")
	w.busy = 3 // all places, and that for work that somebody waits for
	tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: w.owner, Worst: store.Batch, Most: 3, Lease: time.Minute})
	if err != nil || len(tasks) != 3 {
		t.Fatal(tasks, err)
	}
	w.begin(tasks)
	w.drain()
	if len(w.ids()) > 0 {
		t.Errorf("it holds %v", w.ids())
	}
	again, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "next", Worst: store.Batch, Most: 3, Lease: time.Minute})
	if err != nil || len(again) != 3 {
		t.Fatalf("%d went back, %v", len(again), err)
	}
	for _, task := range again {
		if task.Attempts != 1 {
			t.Errorf("%d attempts", task.Attempts)
		}
	}
}

// A process takes ahead what it does while ends are written: nothing beside
// documents that take long, and bounded beside those that take no time.
func TestHowMuchIsTakenAhead(t *testing.T) {
	for _, c := range []struct {
		workers     int
		took, wrote time.Duration
		want        int
	}{
		{2, 50 * time.Millisecond, 3 * time.Millisecond, 0},
		{2, 50 * time.Millisecond, 60 * time.Millisecond, 5},
		{4, 2 * time.Millisecond, 3 * time.Millisecond, 24},
		{4, time.Microsecond, time.Second, mostAhead},
		{64, time.Millisecond, time.Second, mostAhead},
		{4, 0, 0, 0},
	} {
		w := New(Config{Workers: c.workers}).newWorker(t.Context(), "")
		w.took, w.wrote = average(c.took), average(c.wrote)
		if got := w.ahead(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Ends wait for others while there is work for all places, for as long as writing takes
// and not for long; not when a place may be left without, nor when there are enough.
func TestEndsWaitForOthers(t *testing.T) {
	const wrote = 3 * time.Millisecond
	for what, c := range map[string]struct {
		ended, next              int
		wrote, eachTakes, gather time.Duration
	}{
		"others come":           {1, 1, wrote, time.Hour, wrote},
		"writing takes long":    {1, 1, time.Second, time.Hour, longestGather},
		"nothing is to be done": {1, 0, wrote, time.Hour, 0},
		"enough":                {mostEnds, 1, wrote, time.Hour, 0},
		"none":                  {0, 1, wrote, time.Hour, 0},
		"work runs out":         {1, 1, wrote, time.Millisecond, time.Millisecond},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := New(Config{Workers: 1}).newWorker(t.Context(), "")
				w.kinds = map[string]kind{"": {attempts: 1, do: func(_ context.Context, task *store.Task) error {
					time.Sleep(c.eachTakes)
					task.End = new(store.EntryEnd)
					return nil
				}}}
				w.writing, w.ended, w.wrote = true, make([]*held, c.ended), average(c.wrote)
				w.begin(make([]store.Task, 1+c.next)) // one has a place
				signal(w.hurry)                       // of before
				began := time.Now()
				w.gather()
				if took := time.Since(began); took != c.gather {
					t.Errorf("%v", took)
				}
				w.tasks.Wait()
			})
		})
	}
}

// What is begun as soon as it is taken needs no look at whether the library has changed
// since; what has waited does.
func TestTheLibraryIsThatOfWhenATaskWasTaken(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := New(Config{Store: p.store, Workers: 1})
	p.start(s, export.Request{Report: "1"})
	tasks, err := p.store.ClaimTasks(t.Context(), store.Claim{Owner: "me", Worst: store.Batch, Most: 1, Lease: time.Minute})
	if err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	before, err := p.store.Library(t.Context(), p.ws)
	if err != nil {
		t.Fatal(err)
	}
	p.job(statements()) // changes it
	var saw *store.Library
	w := s.newWorker(t.Context(), "me")
	w.writing = true
	w.kinds = map[string]kind{store.ExportTask: {attempts: 1, do: func(ctx context.Context, task *store.Task) (err error) {
		saw, err = p.store.Library(ctx, p.ws)
		task.End = new(store.EntryEnd)
		return err
	}}}
	for _, waited := range []time.Duration{0, justNow} { // the later one finds the change for all
		task := tasks[0]
		w.work(&held{task: &task, ctx: t.Context(), taken: time.Now().Add(-waited)})
		if (saw == before) != (waited == 0) {
			t.Errorf("after %v it is that of before: %v", waited, saw == before)
		}
	}
}

// Nothing is taken with ends while a task may have to be done alone, or when the
// process stops.
func TestNothingIsTakenBesideASuspect(t *testing.T) {
	w := New(Config{Workers: 4}).newWorker(t.Context(), "me")
	w.busy, w.asking = 1, 1
	if got := w.more(); got.Most != 2 || got.Owner != "me" {
		t.Errorf("%+v", got)
	}
	for what, change := range map[string]func(){
		"alone":      func() { w.alone = true },
		"makes room": func() { w.makeRoom(true) },
		"stopping":   func() { w.stopping = true },
	} {
		w.alone, w.stopping, w.makesRoom = false, false, time.Time{}
		change()
		if got := w.more(); got.Most != 0 {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// What another process queues is begun though nobody looks for it.
func TestWorkOfOtherProcessesIsBegunAtOnce(t *testing.T) {
	p := newPlace(t, store.Config{Database: storetest.Postgres(t).Database(t)})
	p.service(func(_ context.Context, r export.Request) (*export.File, error) { return printed(r), nil }, func(c *Config) { c.Poll = time.Hour })
	other := New(Config{Store: p.store})
	for range 10 { // the first ones it may find as it begins, and one that comes while it looks again
		if f := p.ended(p.start(other, export.Request{Report: "1"})); f.Status != store.ExportCompleted {
			t.Fatalf("%s %s", f.Status, f.Error)
		}
	}
}
