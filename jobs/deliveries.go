package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Deliverer takes documents to where they go. The wiring makes one of package
// deliver.
type Deliverer interface {
	// Deliver takes documents to one destination. A *Later, and a *report.Problem
	// of kind Busy, is tried again; an *Uncertain never is; any other Problem ends
	// the entry with its message; and any other error is tried again.
	Deliver(ctx context.Context, d Delivery, documents []report.Document) (Receipt, error)
}

// Delivery is one delivery of one entry, or of a run as a whole.
type Delivery struct {
	WorkspaceID     int
	Type            string
	Connection      string         // name of the connection, or empty
	Settings        map[string]any // as the job says them
	Job, Run, Entry string         // Entry is empty for a run as a whole
	// Fill fills a template of the settings with the values of the entry.
	Fill func(f report.Field, template string) (string, error)
	// Key is the same in every attempt of this delivery, and in no other's.
	Key string
	// Interrupted is set when an earlier attempt was begun and nothing is known
	// of its end. A Deliverer that cannot find out whether it arrived returns
	// an *Uncertain.
	Interrupted bool
}

// Receipt tells what was delivered, as JSON for the record.
type Receipt string

// Uncertain says that it is unknown whether a delivery arrived. It is never
// sent again by itself.
type Uncertain struct{ Message string }

func (u *Uncertain) Error() string { return u.Message }

// Later says that a delivery may succeed when it is tried again. It is also a
// *report.Problem for errors.As.
type Later struct {
	Message string
	// After is how long the target asks to wait; 0 when it does not say.
	After time.Duration
}

func (l *Later) Error() string { return l.Message }

// Unwrap gives the problem for people.
func (l *Later) Unwrap() error { return &report.Problem{Kind: report.Busy, Message: l.Message} }

// asked is how long an error's target asks to wait.
func asked(err error) time.Duration {
	var later *Later
	if errors.As(err, &later) {
		return later.After
	}
	return 0
}

// doDeliver makes the deliveries of an entry that are not made yet.
func (s *Service) doDeliver(ctx context.Context, task *store.Task) error {
	e, documents, err := s.delivered(ctx, task)
	if store.IsNotFound(err) || err == nil && e.State != store.EntryDelivering {
		return nil
	}
	if err != nil {
		return err
	}
	task.Run = e.RunID
	shared, err := s.settingOf(ctx, e)
	if err != nil {
		return err
	}
	// The result of the last one is written with that of the entry.
	end, missing := &store.EntryEnd{From: store.EntryDelivering, To: store.EntryCompleted, Told: e.Error}, false
	err = everyDelivery(ctx, shared.job, func(i int, _ *report.JobDelivery) error {
		var last *store.EntryEnd
		if i == len(shared.job.Deliveries)-1 && !missing {
			last = end
		}
		err := s.deliver(ctx, shared, e, i, documents, last)
		missing = missing || err != nil
		return err
	})
	if err != nil {
		return err
	}
	task.End = end
	return nil
}

// delivered gives the entry that a task delivers and its documents.
func (s *Service) delivered(ctx context.Context, task *store.Task) (*store.JobEntry, []report.Document, error) {
	if task.Entry != nil {
		return task.Entry, s.opened(task.Documents), nil
	}
	e, err := s.cfg.Store.Entry(ctx, task.Subject)
	if err != nil {
		return nil, nil, err
	}
	documents, err := s.documents(ctx, e.ID)
	return e, documents, err
}

// noteDelivery records in the audit log what was sent, and what will not be.
func (s *Service) noteDelivery(ctx context.Context, run *store.Run, i int, d *report.JobDelivery, state store.DeliveryState, detail map[string]any) {
	e := store.Event{Action: store.AuditDeliverySent, WorkspaceID: run.WorkspaceID, Target: store.Target{Kind: "delivery", ID: fmt.Sprintf("%d.%d", run.ID, i+1), Name: d.Type}, Detail: detail}
	switch state {
	case store.DeliverySent:
	case store.DeliveryFailed, store.DeliveryUncertain:
		e.Action, e.Outcome = store.AuditDeliveryFailed, store.Faulty
		detail["state"] = state
	default:
		return
	}
	detail["run"] = run.ID
	s.cfg.Store.Note(ctx, e)
}

// deliver makes one delivery of an entry and records the result. For a delivery
// of the run as a whole it only tells whether the entry goes with it. With
// last, the result is recorded with that of the entry.
func (s *Service) deliver(ctx context.Context, shared *setting, e *store.JobEntry, i int, documents []report.Document, last *store.EntryEnd) error {
	d := &shared.job.Deliveries[i]
	sc, err := s.scene(ctx, shared, e)
	if err != nil {
		return err
	}
	wanted, fault := sc.holds("condition", d.Condition)
	before, err := s.cfg.Store.BeginDelivery(ctx, e.ID, i+1)
	if err != nil {
		return err
	}
	end := func(ctx context.Context, state store.DeliveryState, reason, receipt string) error {
		told := cmp.Or(reason, sc.taken())
		if last != nil && made(state) {
			last.Delivery = &store.DeliveryEnd{Position: i + 1, State: state, Reason: told, Receipt: receipt}
		} else if err := s.cfg.Store.EndDelivery(ctx, e.ID, i+1, state, told, receipt); err != nil {
			return err
		}
		s.noteDelivery(ctx, shared.run, i, d, state, map[string]any{"entry": e.Position})
		return nil
	}
	return s.carryOut(ctx, i, before, end, func() (Receipt, error) {
		switch {
		case fault != nil:
			return "", fault
		case !wanted:
			return "", errSkipped
		case perRun(*d):
			return "", errCollected
		}
		return s.send(ctx, shared, sc, strconv.Itoa(e.Position), d, before, documents)
	})
}

// made tells whether a delivery needs nothing more, and has not failed.
func made(state store.DeliveryState) bool {
	return state == store.DeliverySent || state == store.DeliverySkipped || state == store.DeliveryCollected
}

// Deliveries that are not sent here and now.
var (
	errSkipped   = errors.New("the condition does not hold")
	errCollected = errors.New("the documents go with the delivery of the run")
)

// send takes documents to where a delivery goes; entry is empty for those of a
// whole run.
func (s *Service) send(ctx context.Context, shared *setting, sc *scene, entry string, d *report.JobDelivery, before store.JobDeliveryRow, documents []report.Document) (Receipt, error) {
	if s.cfg.Deliver == nil {
		return "", &report.Problem{Kind: report.Failed, Message: "this service delivers to nowhere"}
	}
	documents, drop, err := s.packed(ctx, shared, sc, entry, d, documents)
	if err != nil {
		return "", err
	}
	defer drop()
	ctx, span := tracing.Span(ctx, "deliver "+d.Type)
	receipt, err := s.cfg.Deliver.Deliver(ctx, Delivery{
		WorkspaceID: shared.run.WorkspaceID, Type: d.Type, Connection: d.Connection, Settings: d.Settings,
		Job: shared.job.Code, Run: strconv.Itoa(shared.run.ID), Entry: entry,
		Fill: func(f report.Field, template string) (string, error) {
			return sc.setting(report.JoinPath("settings", f.Name), f, template)
		},
		Key: before.Key, Interrupted: before.State == store.DeliverySending,
	}, documents)
	tracing.End(span, err)
	s.cfg.Observe.Delivery(d.Type, deliveryEnd(ctx, err))
	return receipt, err
}

// documents are those of an entry, to be opened where they are kept.
func (s *Service) documents(ctx context.Context, entryID int) ([]report.Document, error) {
	rows, err := s.cfg.Store.Documents(ctx, entryID)
	return s.opened(rows), err
}

func (s *Service) opened(rows []store.JobDocument) []report.Document {
	list := make([]report.Document, len(rows))
	for i := range rows {
		list[i] = report.Document{
			Name: rows[i].Name, ContentType: rows[i].ContentType, Size: rows[i].Size,
			Open:  func(ctx context.Context) (io.ReadCloser, error) { return s.cfg.Store.OpenDocument(ctx, &rows[i]) },
			Entry: rows[i].EntryID,
		}
	}
	return list
}

// everyDelivery makes each delivery of a job. Of several errors it returns one
// that may pass, with the longest wait, else the first: when the task is tried
// again, deliveries that were made are not made again.
func everyDelivery(ctx context.Context, job *report.Job, make func(i int, d *report.JobDelivery) error) error {
	var ended, later error
	for i := range job.Deliveries {
		err := make(i, &job.Deliveries[i])
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return err
		case passing(err) && (later == nil || asked(err) > asked(later)):
			later = err
		case passing(err):
		case ended == nil:
			ended = err
		}
	}
	if later != nil {
		return later
	}
	return ended
}

// carryOut sends one delivery that was begun and records the result.
func (s *Service) carryOut(ctx context.Context, i int, before store.JobDeliveryRow, end func(ctx context.Context, state store.DeliveryState, reason, receipt string) error, send func() (Receipt, error)) error {
	at := fmt.Sprintf("deliveries[%d]", i)
	switch before.State {
	case store.DeliverySent, store.DeliverySkipped, store.DeliveryCollected:
		return nil
	case store.DeliveryUncertain:
		return &report.Problem{Kind: report.Failed, Path: at, Message: before.Error}
	}
	if before.Refused {
		return &report.Problem{Kind: report.Failed, Path: at, Message: cmp.Or(before.Error, "not sent, as "+wasCancelled)}
	}
	receipt, err := send()
	if ctx.Err() != nil && err != nil {
		return err // it stays marked as being sent: nobody knows
	}
	state, reason := store.DeliverySent, ""
	var uncertain *Uncertain
	switch {
	case errors.Is(err, errSkipped):
		state, err = store.DeliverySkipped, nil
	case errors.Is(err, errCollected):
		state, err = store.DeliveryCollected, nil
	case errors.As(err, &uncertain):
		state, reason = store.DeliveryUncertain, uncertain.Message
		err = &report.Problem{Kind: report.Failed, Path: at, Message: uncertain.Message}
	case err != nil:
		p := *Reason(err)
		state, reason = store.DeliveryFailed, p.Message
		if passing(err) && before.State == store.DeliveryWaiting { // somebody chose it; it goes on being tried
			state = store.DeliveryWaiting
		}
		if !passing(err) {
			p.Path = report.JoinPath(at, p.Path)
			err = &p
		}
	}
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Lease)
	defer cancel()
	return errors.Join(err, end(recording, state, reason, string(receipt)))
}
