package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// databases are those that what is decided in the database is tested on.
var databases = map[string]func(t *testing.T) store.Config{
	"SQLite": func(*testing.T) store.Config { return store.Config{} },
	"PostgreSQL": func(t *testing.T) store.Config {
		return store.Config{Database: migrated.Postgres(t, storetest.Postgres(t))}
	},
}

// sink is a destination that tells of the beginning of each delivery and, when
// it has a gate, lets them end through it.
type sink struct {
	began   chan string
	gate    chan struct{}
	answer  func(d Delivery) error
	all     atomic.Int64
	order   sync.Mutex
	entries []string
}

func (k *sink) Deliver(ctx context.Context, d Delivery, _ []report.Document) (Receipt, error) {
	k.all.Add(1)
	k.order.Lock()
	k.entries = append(k.entries, d.Entry+" "+d.Type)
	k.order.Unlock()
	if k.began != nil {
		k.began <- d.Entry
	}
	if k.gate != nil {
		select {
		case <-k.gate:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	if k.answer != nil {
		if err := k.answer(d); err != nil {
			return "", err
		}
	}
	return "{}", nil
}

// many is a job of n rows with a mail and a file each.
func many(n int) report.Job {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"name":"c%d"}`, i+1)
	}
	j := statements()
	j.DataSources[0].Settings["content"] = "[" + strings.Join(rows, ",") + "]"
	j.Reports[0].FileName = "{$record.name}"
	j.Deliveries = []report.JobDelivery{{Type: "email", Settings: map[string]any{"to": "x"}}, {Type: "local", Settings: map[string]any{"to": "x"}}}
	return j
}

// TestNoDeliveryBeginsAfterCancel cancels a run whose entries are queued, being
// made, waiting for their delivery, being sent, and waiting to be tried again.
func TestNoDeliveryBeginsAfterCancel(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const entries = 60
			p := newPlace(t, c(t))
			p.job(many(entries))
			to := &sink{began: make(chan string, 1000), answer: func(d Delivery) error {
				if strings.HasSuffix(d.Entry, "3") { // tried again and again
					return &report.Problem{Kind: report.Busy, Message: "the mail server is away"}
				}
				return nil
			}}
			var services []*Service
			for range 3 {
				s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver, c.Workers = to, 4 })
				services = append(services, s)
			}
			run := p.run(services[0], "statements")
			for range 20 {
				<-to.began
			}
			cancelled, err := services[1].Cancel(t.Context(), p.ws, "statements", run)
			if err != nil {
				t.Fatal(err)
			}
			// What had begun is marked in the database: its count may only be
			// reached, never passed.
			attempts := p.attempts(run)
			status := p.finished(services[2], "statements", run)
			p.idle()
			if after := p.attempts(run); after != attempts {
				t.Errorf("%d deliveries began after the answer", after-attempts)
			}
			if got := int(to.all.Load()); got > attempts {
				t.Errorf("%d deliveries were sent, %d had begun", got, attempts)
			}
			if cancelled.Entries == 0 || !status.Cancelled || status.Completed+status.Errors != entries || status.Completed == 0 {
				t.Errorf("%+v, %+v", cancelled, status)
			}
			if status.Errors < cancelled.Entries || status.Errors > cancelled.Entries+cancelled.UnderWay {
				t.Errorf("%d cancelled, %d under way, but %d ended in errors", cancelled.Entries, cancelled.UnderWay, status.Errors)
			}
			if again, err := services[0].Cancel(t.Context(), p.ws, "statements", run); again != (store.Cancelled{}) || err != nil {
				t.Errorf("cancelled again: %+v %v", again, err)
			}
		})
	}
}

// attempts is how many deliveries of the entries of a run have begun.
func (p *place) attempts(run int) (n int) {
	p.t.Helper()
	for _, e := range p.entries(run) {
		rows, err := p.store.Deliveries(p.t.Context(), e.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, r := range rows {
			n += r.Attempts
		}
	}
	return n
}

// TestWhatIsUnderWayIsTold: the delivery that is being sent ends, the second one
// of its entry does not begin.
func TestWhatIsUnderWayIsTold(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c(t))
			p.job(many(3))
			to := &sink{began: make(chan string, 10), gate: make(chan struct{})}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver, c.Workers, c.Lease = to, 1, 600*time.Millisecond })
			run := p.run(s, "statements")
			at := <-to.began
			got, err := s.Cancel(t.Context(), p.ws, "statements", run)
			if d := cmp.Diff(store.Cancelled{Entries: 2, UnderWay: 1}, got); d != "" || err != nil {
				t.Error(d, err)
			}
			if status, err := s.Status(t.Context(), p.ws, "statements", run); err != nil || status.Finished || status.Delivering != 1 || status.Errors != 2 {
				t.Errorf("%+v %v", status, err)
			}
			time.Sleep(1300 * time.Millisecond) // leases are renewed meanwhile: it is not given up
			close(to.gate)
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Errors: 3, Cancelled: true}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			for _, e := range p.entries(run) {
				rows, _ := p.store.Deliveries(t.Context(), e.ID)
				if fmt.Sprint(e.Position) != at {
					if len(rows) != 0 || e.Error != "the run was cancelled" {
						t.Errorf("%+v %+v", e, rows)
					}
					continue
				}
				if len(rows) != 1 || rows[0].State != store.DeliverySent || e.Error != "deliveries[1]: not sent, as the run was cancelled" {
					t.Errorf("%+v %+v", e, rows)
				}
			}
		})
	}
}

// TestWhatWasCutShortIsUncertainAfterCancel: a process dies while it sends, the
// run is cancelled, and whoever takes over sends nothing again.
func TestWhatWasCutShortIsUncertainAfterCancel(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c(t))
			p.job(many(1))
			to := &sink{began: make(chan string, 10), gate: make(chan struct{})}
			s, stop := p.service(plain, withBatch(p), func(c *Config) { c.Deliver, c.Drain = to, time.Millisecond })
			run := p.run(s, "statements")
			<-to.began
			stop()
			got, err := s.Cancel(t.Context(), p.ws, "statements", run)
			if d := cmp.Diff(store.Cancelled{UnderWay: 1}, got); d != "" || err != nil {
				t.Error(d, err)
			}
			s, _ = p.service(plain, withBatch(p), func(c *Config) { c.Deliver = to })
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 1, Errors: 1, Cancelled: true}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]string{"error", "uncertain"}, p.deliveryStates(p.entries(run)[0])); d != "" || to.all.Load() != 1 {
				t.Errorf("%d sent; %s", to.all.Load(), d)
			}
			close(to.gate)
			p.decide(s, run, 1, Deciding{Do: Marked}, store.EntryQuery{})
			if e := p.entries(run)[0]; e.State != store.EntryError || e.Error != "not all was sent" {
				t.Errorf("the second delivery is missing: %+v", e)
			}
		})
	}
}

// TestACancelledRunIsNotDeliveredAsAWhole, nor are its entries in review; both
// can be asked for by hand afterwards.
func TestACancelledRunIsNotDeliveredAsAWhole(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := many(3)
	j.ReviewRequired = true
	j.Deliveries = append(j.Deliveries, report.JobDelivery{Type: "s3", Per: report.PerRun, Settings: map[string]any{"to": "x"}})
	p.job(j)
	to := &sink{}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = to })
	id := p.run(s, "statements")
	p.finished(s, "statements", id)
	got, err := s.Cancel(t.Context(), p.ws, "statements", id)
	if got.Entries != 3 || got.UnderWay != 0 || err != nil {
		t.Errorf("%+v %v", got, err)
	}
	if n, err := s.Deliver(t.Context(), p.ws, "statements", id); n != 0 || err != nil {
		t.Errorf("%d delivered, %v", n, err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Errors: 3, Cancelled: true}, p.finished(s, "statements", id)); d != "" || to.all.Load() != 0 {
		t.Errorf("%d sent; %s", to.all.Load(), d)
	}
	if rows, _ := p.store.RunDeliveries(t.Context(), id); len(rows) != 1 || rows[0].State != store.DeliveryFailed || rows[0].Error != "the run was cancelled" {
		t.Errorf("%+v", rows)
	}
	run, err := p.store.Run(t.Context(), id)
	if err == nil {
		err = s.Regenerate(t.Context(), run, p.entries(id)[1].ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.finished(s, "statements", id)
	if n, err := s.Deliver(t.Context(), p.ws, "statements", id); n != 1 || err != nil {
		t.Errorf("%d delivered, %v", n, err)
	}
	p.finished(s, "statements", id)
	p.idle()
	if d := cmp.Diff([]string{"2 email", "2 local"}, to.entries); d != "" {
		t.Error(d)
	}
	if err := s.DecideRunDelivery(t.Context(), run, 3, Retried, "Root"); err != nil {
		t.Fatal(err)
	}
	p.finished(s, "statements", id)
	if d := cmp.Diff([]string{"2 email", "2 local", " s3"}, to.entries); d != "" {
		t.Error(d)
	}
}

// TestDeliverBeforeTheRunHasFinished is a conflict that tells the counts, and
// delivers nothing.
func TestDeliverBeforeTheRunHasFinished(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := mailed()
	j.ReviewRequired = true
	p.job(j)
	began, gate := make(chan string, 3), make(chan struct{})
	idle := New(Config{Store: p.store})
	refused := func(run int, want string) {
		t.Helper()
		_, err := idle.Deliver(t.Context(), p.ws, "statements", run)
		var problem *report.Problem
		if !errors.As(err, &problem) || problem.Kind != report.Conflict || !strings.Contains(problem.Message, want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	run := p.run(idle, "statements")
	refused(run, "its data is being loaded")
	box := &mailbox{}
	s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		if v, _ := r.Params.Get("customer"); v == "Bojan" {
			began <- "Bojan"
			<-gate
		}
		return plain(ctx, r)
	}, withBatch(p), func(c *Config) { c.Deliver, c.Workers = box, 1 })
	<-began
	refused(run, "of 3 entries 2 are queued, 1 in review, 0 completed and 0 with errors")
	close(gate)
	p.finished(s, "statements", run)
	if n, err := s.Deliver(t.Context(), p.ws, "statements", run); n != 3 || err != nil {
		t.Errorf("%d delivered, %v", n, err)
	}
	if n, err := s.Deliver(t.Context(), p.ws, "statements", run); n != 0 || err != nil {
		t.Errorf("delivered again: %d, %v", n, err)
	}
	p.finished(s, "statements", run)
	if d := cmp.Diff(allMailed, box.all()); d != "" {
		t.Error(d)
	}
}

// TestDeliveriesOvertake: what is made leaves while the rest is being made, and
// the status moves with it and never back.
func TestDeliveriesOvertake(t *testing.T) {
	for name, c := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := map[string]int{"SQLite": 1000}[name]
			if entries == 0 {
				entries = 200
			}
			p := newPlace(t, c(t))
			p.job(many(entries))
			var made, before, since atomic.Int64
			to := &sink{answer: func(Delivery) error {
				if before.CompareAndSwap(0, made.Load()) {
					t.Logf("the first delivery began %v after the first entry was made", time.Since(time.UnixMilli(since.Load())))
				}
				return nil
			}}
			s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
				made.Add(1)
				since.CompareAndSwap(0, time.Now().UnixMilli())
				return plain(ctx, r)
			}, withBatch(p), func(c *Config) { c.Deliver = to })
			run := p.run(s, "statements")
			last, between := RunStatus{}, false
			for {
				got, err := s.Status(t.Context(), p.ws, "statements", run)
				if err != nil {
					t.Fatal(err)
				}
				if last.Entries > 0 && got.Queued > last.Queued || got.Completed < last.Completed || got.Errors < last.Errors || got.Entries < last.Entries {
					t.Fatalf("%+v after %+v", got, last)
				}
				between = between || got.Completed > 0 && got.Queued > 0
				if last = *got; got.Finished {
					break
				}
			}
			if last.Completed != entries {
				t.Errorf("%+v", last)
			}
			if n := before.Load(); n > mostEnds { // so many ends are written together
				t.Errorf("the first delivery began when %d of %d entries were made", n, entries)
			}
			if !between {
				t.Error("the status told of nothing completed while others were queued")
			}
		})
	}
}

// TestReviewIsToldOnce, however many decisions are made.
func TestReviewIsToldOnce(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := many(6)
	j.ReviewRequired, j.Webhook = true, "erp"
	p.job(j)
	told := &listeners{}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver, c.Tell = &sink{}, told })
	id := p.run(s, "statements")
	p.finished(s, "statements", id)
	p.idle()
	run, err := p.store.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range p.entries(id) {
		switch i % 3 {
		case 0:
			err = s.Approve(t.Context(), run, e.ID)
		case 1:
			err = s.Reject(t.Context(), run, e.ID, "wrong")
		case 2:
			err = s.Regenerate(t.Context(), run, e.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.finished(s, "statements", id)
		p.idle()
	}
	if _, err := s.Deliver(t.Context(), p.ws, "statements", id); err != nil {
		t.Fatal(err)
	}
	p.finished(s, "statements", id)
	p.idle()
	var events []string
	for _, e := range told.wait(t, 2) {
		events = append(events, fmt.Sprintf("%s %d", e.Event, e.Status.Review))
	}
	if d := cmp.Diff([]string{"run.review 6", "run.finished 0"}, events); d != "" {
		t.Error(d)
	}
}
