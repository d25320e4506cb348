package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Deliverer takes documents to where they go. The wiring makes one of package
// deliver.
type Deliverer interface {
	// Deliver takes documents to one destination. A *report.Problem of kind Busy
	// is tried again later; an *Uncertain never is; any other Problem ends the
	// entry with its message; and any other error is tried again.
	Deliver(ctx context.Context, d Delivery, documents []Document) (Receipt, error)
}

// Delivery is one delivery of one entry.
type Delivery struct {
	WorkspaceID     int
	Type            string
	Connection      string         // name of the connection, or empty
	Settings        map[string]any // as the job says them
	Job, Run, Entry string
	// Fill fills a template of the settings with the values of the entry.
	Fill func(template string) (string, error)
	// Key is the same in every attempt of this delivery, and in no other's.
	Key string
	// Interrupted is set when an earlier attempt was begun and nothing is known
	// of its end. Who cannot find out whether it arrived returns an *Uncertain.
	Interrupted bool
}

// Document is a finished document.
type Document struct {
	Name, ContentType string
	Size              int64
	Open              func(ctx context.Context) (io.ReadCloser, error)
}

// Receipt tells what was delivered, as JSON for the record.
type Receipt string

// Uncertain says that it is unknown whether a delivery arrived. It is never
// sent again by itself.
type Uncertain struct{ Message string }

func (u *Uncertain) Error() string { return u.Message }

// doDeliver makes the deliveries of an entry that are not made yet.
func (s *Service) doDeliver(ctx context.Context, task *store.Task) error {
	e, err := s.cfg.Store.Entry(ctx, task.Subject)
	if store.IsNotFound(err) || err == nil && e.State != store.EntryDelivering {
		return nil
	}
	if err != nil {
		return err
	}
	shared, err := s.setting(ctx, e.RunID)
	if err != nil {
		return err
	}
	documents, err := s.documents(ctx, e.ID)
	if err != nil {
		return err
	}
	var ended, later error
	for i := range shared.job.Deliveries {
		err := s.deliver(ctx, shared, e, i, documents)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return err
		case passing(err):
			later = err
		case ended == nil:
			ended = err
		}
	}
	if later != nil { // what is made is not made again
		return later
	}
	if ended != nil {
		return ended
	}
	_, err = s.cfg.Store.MoveEntry(ctx, e.ID, store.EntryCompleted, "", store.EntryDelivering)
	return err
}

// deliver makes one delivery and records what became of it.
func (s *Service) deliver(ctx context.Context, shared *setting, e *store.JobEntry, i int, documents []Document) error {
	at := fmt.Sprintf("deliveries[%d]", i)
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
	switch before.State {
	case store.DeliverySent, store.DeliverySkipped:
		return nil
	case store.DeliveryUncertain:
		return &report.Problem{Kind: report.Failed, Path: at, Message: before.Error}
	}
	var receipt Receipt
	switch {
	case fault != nil:
		err = fault
	case !wanted:
		err = errSkipped
	case s.cfg.Deliver == nil:
		err = &report.Problem{Kind: report.Failed, Message: "this service delivers to nowhere"}
	default:
		receipt, err = s.send(ctx, shared, sc, e, d, before, documents)
	}
	if ctx.Err() != nil && err != nil {
		return err // it stays marked as being sent: nobody knows
	}
	state, reason := store.DeliverySent, ""
	var uncertain *Uncertain
	switch {
	case errors.Is(err, errSkipped):
		state, err = store.DeliverySkipped, nil
	case errors.As(err, &uncertain):
		state, reason = store.DeliveryUncertain, uncertain.Message
		err = &report.Problem{Kind: report.Failed, Path: at, Message: uncertain.Message}
	case err != nil:
		p := *Reason(err)
		state, reason = store.DeliveryFailed, p.Message
		if !passing(err) {
			p.Path = report.JoinPath(at, p.Path)
			err = &p
		}
	}
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Lease)
	defer cancel()
	return errors.Join(err, s.cfg.Store.EndDelivery(recording, e.ID, i+1, state, reason, string(receipt)))
}

// errSkipped is a delivery whose condition does not hold.
var errSkipped = errors.New("the condition does not hold")

func (s *Service) send(ctx context.Context, shared *setting, sc *scene, e *store.JobEntry, d *report.JobDelivery, before store.JobDeliveryRow, documents []Document) (Receipt, error) {
	return s.cfg.Deliver.Deliver(ctx, Delivery{
		WorkspaceID: shared.run.WorkspaceID, Type: d.Type, Connection: d.Connection, Settings: d.Settings,
		Job: shared.job.Code, Run: strconv.Itoa(e.RunID), Entry: strconv.Itoa(e.Position),
		Fill: func(template string) (string, error) { return sc.text("settings", template) },
		Key:  before.Key, Interrupted: before.State == store.DeliverySending,
	}, documents)
}

// documents are those of an entry, to be opened where they are kept.
func (s *Service) documents(ctx context.Context, entryID int) ([]Document, error) {
	rows, err := s.cfg.Store.Documents(ctx, entryID)
	list := make([]Document, len(rows))
	for i := range rows {
		list[i] = Document{
			Name: rows[i].Name, ContentType: rows[i].ContentType, Size: rows[i].Size,
			Open: func(ctx context.Context) (io.ReadCloser, error) { return s.cfg.Store.OpenDocument(ctx, &rows[i]) },
		}
	}
	return list, err
}
