package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// TaskEnd is how an attempt at a task ended.
type TaskEnd string

// The ends of attempts at tasks.
const (
	TaskDone     TaskEnd = "done"
	TaskFailed   TaskEnd = "failed"   // for good
	TaskRetried  TaskEnd = "retried"  // later; the attempt counts
	TaskReturned TaskEnd = "returned" // to the queue, as the process stops, a part is away or there is no room
	TaskLost     TaskEnd = "lost"     // cancelled, or taken over by another process
)

// DeliveryEnd is how an attempt at a delivery ended.
type DeliveryEnd string

// The ends of attempts at deliveries.
const (
	DeliveryDone      DeliveryEnd = "sent"
	DeliveryRetried   DeliveryEnd = "retried" // for a reason that may pass
	DeliveryRefused   DeliveryEnd = "refused" // for good
	DeliveryUncertain DeliveryEnd = "uncertain"
	DeliveryCut       DeliveryEnd = "cut" // the process stops, or the time was over
)

// Observer is notified of the work that is done.
type Observer interface {
	// Task tells of an attempt; kind is one that this version knows, or "unknown".
	Task(kind string, end TaskEnd, took time.Duration)
	// Delivery tells of an attempt at a delivery of a type.
	Delivery(kind string, end DeliveryEnd)
	// Entry tells what an entry came to: review, delivering, completed or error.
	// One that is reviewed or delivered comes to another in the end.
	Entry(state store.EntryState)
	// Stored tells how long a finished file took to be stored.
	Stored(took time.Duration)
}

type unobserved struct{}

func (unobserved) Task(string, TaskEnd, time.Duration) {}
func (unobserved) Delivery(string, DeliveryEnd)        {}
func (unobserved) Entry(store.EntryState)              {}
func (unobserved) Stored(time.Duration)                {}

// storing reports how long it takes until done is called.
func (s *Service) storing(ctx context.Context) (done func()) {
	began := time.Now()
	_, span := tracing.Span(ctx, report.PhaseStore)
	return func() {
		span.End()
		s.cfg.Observe.Stored(time.Since(began))
	}
}

// observeEntry tells what an entry came to, if it did.
func (s *Service) observeEntry(to store.EntryState, moved bool) {
	if moved {
		s.cfg.Observe.Entry(to)
	}
}

func kindName(task *store.Task, known bool) string {
	if !known {
		return "unknown"
	}
	return task.Kind
}

func deliveryEnd(ctx context.Context, err error) DeliveryEnd {
	var uncertain *Uncertain
	switch {
	case err == nil:
		return DeliveryDone
	case ctx.Err() != nil:
		return DeliveryCut
	case errors.As(err, &uncertain):
		return DeliveryUncertain
	case passing(err):
		return DeliveryRetried
	}
	return DeliveryRefused
}

type taskKey struct{}

func withTask(ctx context.Context, task *store.Task) context.Context {
	return context.WithValue(ctx, taskKey{}, task.ID)
}

// TaskOf is the number of the task that is being done in ctx, or 0.
func TaskOf(ctx context.Context) int64 {
	id, _ := ctx.Value(taskKey{}).(int64)
	return id
}
