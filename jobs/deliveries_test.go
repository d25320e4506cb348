package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// mailbox is a destination that remembers.
type mailbox struct {
	mu     sync.Mutex
	got    []string
	answer func(d Delivery, n int) error
	tries  map[string]int
}

func (m *mailbox) Deliver(ctx context.Context, d Delivery, documents []report.Document) (Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tries == nil {
		m.tries = map[string]int{}
	}
	to, err := d.Fill(report.Field{Name: "to"}, d.Settings["to"].(string))
	if err != nil {
		return "", err
	}
	m.tries[to]++
	if m.answer != nil {
		if err := m.answer(d, m.tries[to]); err != nil {
			return "", err
		}
	}
	for _, doc := range documents {
		r, err := doc.Open(ctx)
		if err != nil {
			return "", err
		}
		n, _ := io.Copy(io.Discard, r)
		_ = r.Close()
		if n != doc.Size {
			return "", fmt.Errorf("%d of %d bytes", n, doc.Size)
		}
		m.got = append(m.got, to+" "+doc.Name)
	}
	return Receipt(`{"to":"` + to + `"}`), nil
}

func (m *mailbox) all() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(slices.Values(m.got))
}

// mailed is the statements by mail to those who have an address, and filed.
func mailed() report.Job {
	j := statements()
	j.Reports[0].FileName = "{$record.name}"
	j.Deliveries = []report.JobDelivery{
		{Name: "mail", Type: "email", Condition: "{$record.mail} != ''", Settings: map[string]any{"to": "{$record.mail}"}},
		{Name: "archive", Type: "local", Settings: map[string]any{"to": "archive/{$record.name}"}},
	}
	return j
}

var allMailed = []string{
	"ana@example.com Ana.pdf", "archive/Ana Ana.pdf", "archive/Bojan Bojan.pdf", "archive/Ђорђе Ђорђе.pdf", "d@example.com Ђорђе.pdf",
}

func TestDeliveries(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(mailed())
	box := &mailbox{answer: func(d Delivery, n int) error {
		if d.Entry == "1" && n == 1 { // tried again, and the archive is not doubled
			return &report.Problem{Kind: report.Busy, Message: "the mail server is away"}
		}
		return nil
	}}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 3}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(allMailed, box.all()); d != "" {
		t.Error(d)
	}
	rows, err := p.store.Deliveries(t.Context(), p.entries(run)[1].ID)
	if err != nil || len(rows) != 2 || rows[0].State != store.DeliverySkipped || rows[1].State != store.DeliverySent || rows[1].Receipt == "" {
		t.Errorf("%+v %v", rows, err)
	}
}

func TestDeliveriesThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		answer error
		state  store.DeliveryState
		tries  int
	}{
		"for good":       {&report.Problem{Kind: report.Failed, Message: "there is no such mailbox"}, store.DeliveryFailed, 1},
		"for now":        {&report.Problem{Kind: report.Busy, Message: "the server is away"}, store.DeliveryFailed, sendAttempts},
		"nobody knows":   {&Uncertain{"it may have been sent; look into the mailbox"}, store.DeliveryUncertain, 1},
		"with no reason": {io.ErrUnexpectedEOF, store.DeliveryFailed, sendAttempts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, store.Config{})
			p.job(mailed())
			box := &mailbox{answer: func(d Delivery, _ int) error {
				if d.Entry == "1" && d.Type == "email" {
					return c.answer
				}
				return nil
			}}
			s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
			run := p.run(s, "statements")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 2, Errors: 1}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(allMailed[1:], box.all()); d != "" {
				t.Error(d)
			}
			e := p.entries(run)[0]
			rows, _ := p.store.Deliveries(t.Context(), e.ID)
			if rows[0].State != c.state || rows[0].Error == "" || box.tries["ana@example.com"] != c.tries || e.Error == "" {
				t.Errorf("%+v after %d tries; the entry says %q", rows[0], box.tries["ana@example.com"], e.Error)
			}
		})
	}
}

// A target that asks for time gets it, also when another of the entry asks for
// less.
func TestDeliveriesWaitAsLongAsTheTargetAsks(t *testing.T) {
	const wait = 400 * time.Millisecond
	p := newPlace(t, store.Config{})
	p.job(mailed())
	var first, second time.Time
	box := &mailbox{answer: func(d Delivery, n int) error {
		switch {
		case d.Entry != "1" || n > 2:
		case d.Type == "local" && n == 1:
			return &Later{Message: "the disk is busy"}
		case d.Type == "email" && n == 1:
			first = time.Now()
			return &Later{Message: "450 too many messages", After: wait}
		case d.Type == "email":
			second = time.Now()
		}
		return nil
	}}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 3}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	if waited := second.Sub(first); waited < wait {
		t.Errorf("asked to wait %v, it was tried again after %v", wait, waited)
	}
}

// TestACrashWhileSendingIsSeen: a process that died between sending and
// recording leaves a mark, and the next attempt is told.
func TestACrashWhileSendingIsSeen(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := mailed()
	j.ReviewRequired = true
	p.job(j)
	box := &mailbox{answer: func(d Delivery, _ int) error {
		if d.Interrupted {
			return &Uncertain{"it may have been sent before the service stopped"}
		}
		return nil
	}}
	s, stop := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	run := p.run(s, "statements")
	p.finished(s, "statements", run)
	stop() // that process
	if n, err := s.Deliver(t.Context(), p.ws, "statements", run); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := p.store.BeginDelivery(t.Context(), p.entries(run)[0].ID, 1); err != nil {
		t.Fatal(err)
	}
	s, _ = p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	if n, err := s.Deliver(t.Context(), p.ws, "statements", run); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 2, Errors: 1}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(allMailed[1:], box.all()); d != "" {
		t.Error(d)
	}
	if e := p.entries(run)[0]; !strings.Contains(e.Error, "may have been sent") {
		t.Errorf("the entry says %q", e.Error)
	}
}

func TestReview(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := mailed()
	j.ReviewRequired = true
	p.job(j)
	box := &mailbox{}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	ctx, id := t.Context(), p.run(s, "statements")
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Review: 3}, p.finished(s, "statements", id)); d != "" || len(box.all()) > 0 {
		t.Errorf("%s; delivered %v", d, box.all())
	}
	run, _, err := s.Run(ctx, p.ws, "statements", id)
	if err != nil {
		t.Fatal(err)
	}
	entries := p.entries(id)
	if err := errors.Join(s.Approve(ctx, run, entries[0].ID), s.Reject(ctx, run, entries[1].ID, "wrong address"), s.Regenerate(ctx, run, entries[2].ID)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Review: 1, Completed: 1, Errors: 1, Rejected: 1}, p.finished(s, "statements", id)); d != "" {
		t.Error(d)
	}
	for name, err := range map[string]error{"approved twice": s.Approve(ctx, run, entries[0].ID), "rejected, then approved": s.Approve(ctx, run, entries[1].ID), "of another run": s.Approve(ctx, &store.Run{ID: 99}, entries[2].ID)} {
		var problem *report.Problem
		if !errors.As(err, &problem) || problem.Kind != report.Conflict && problem.Kind != report.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i, want := range []int{1, 0} {
		if n, err := s.Deliver(ctx, p.ws, "statements", id); n != want || err != nil {
			t.Errorf("deliver %d gave %d, %v", i+1, n, err)
		}
		p.finished(s, "statements", id)
	}
	if d := cmp.Diff([]string{"ana@example.com Ana.pdf", "archive/Ana Ana.pdf", "archive/Ђорђе Ђорђе.pdf", "d@example.com Ђорђе.pdf"}, box.all()); d != "" {
		t.Error(d)
	}
}
