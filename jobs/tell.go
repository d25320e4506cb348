package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Teller notifies other services of events, by webhooks.
type Teller interface {
	// Known is nil when a workspace has a connection of that name that takes
	// events, else a Problem that says what is wrong with it.
	Known(ctx context.Context, workspaceID int, connection string) error
	// Tell sends an event, a JSON object. The key is the same in every attempt.
	// Errors are as those of a Deliverer.
	Tell(ctx context.Context, workspaceID int, connection, key string, event []byte) error
}

// Event is what a webhook receives.
type Event struct {
	Event       string           `json:"event"` // one of the constants below
	At          report.Timestamp `json:"at" format:"date-time"`
	WorkspaceID int              `json:"workspaceId" format:"int32"`

	// Of a run.
	JobID   int          `json:"jobId,omitempty" format:"int32"`
	JobCode string       `json:"jobCode,omitempty"`
	RunID   int          `json:"jobRunId,omitempty" format:"int32"`
	Entries *int         `json:"entries,omitempty"`
	Status  *EventCounts `json:"status,omitempty"`

	// Of an export.
	FileID      int    `json:"temporaryFileId,omitempty" format:"int32"`
	Name        string `json:"name,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	ContentSize int64  `json:"contentSize,omitempty"`

	Error string `json:"errorMessage,omitempty"`
}

// EventCounts are the numbers of entries of a run.
type EventCounts struct {
	Queued    int `json:"queued"`
	Review    int `json:"review"`
	Completed int `json:"completed"`
	Errors    int `json:"errors"`

	Delivering int `json:"delivering"` // made, and in none of the counts before yet
	Rejected   int `json:"rejected"`   // of the errors, those that a review ended
}

// Kinds of events.
const (
	RunFinished     = "run.finished"
	RunInReview     = "run.review" // entries wait for approval; sent once for a run, when the first ones wait and nothing is queued
	ExportCompleted = "export.completed"
	ExportFailed    = "export.failed"
)

// EventKind is a kind of event, as the API describes it.
type EventKind struct{ Name, Help string }

// Events lists the kinds of events.
func Events() []EventKind {
	return []EventKind{
		{RunFinished, "A run has ended"},
		{RunInReview, "A run waits for its review; told once a run"},
		{ExportCompleted, "The file of an asynchronous export can be fetched"},
		{ExportFailed, "An asynchronous export has failed"},
	}
}

// webhook checks the name of a connection for events; empty means none.
func (s *Service) webhook(ctx context.Context, workspaceID int, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if s.cfg.Tell == nil {
		return "", report.Problemf("webhook", "this service tells nobody of the end of runs and exports")
	}
	return name, s.cfg.Tell.Known(ctx, workspaceID, name)
}

// doTellRun sends the event that a run has ended.
func (s *Service) doTellRun(ctx context.Context, task *store.Task) error {
	run, status, err := s.toldRun(ctx, task)
	if run == nil || run.Ended == nil || status.Review > 0 { // it goes on; its next end is sent
		return err
	}
	return s.tellRun(ctx, run, status, RunFinished, *run.Ended, fmt.Sprintf("run-%d-%d", run.ID, run.Ended.UnixMilli()))
}

// doTellReview sends the event that a run waits for its review, once for each
// run.
func (s *Service) doTellReview(ctx context.Context, task *store.Task) error {
	run, status, err := s.toldRun(ctx, task)
	if run == nil || status.Review == 0 { // all is decided already
		return err
	}
	return s.tellRun(ctx, run, status, RunInReview, task.Created(), fmt.Sprintf("run-%d-review", run.ID))
}

// toldRun is the run of an event; nil when it is gone.
func (s *Service) toldRun(ctx context.Context, task *store.Task) (*store.Run, *RunStatus, error) {
	run, err := s.cfg.Store.Run(ctx, task.Subject)
	if store.IsNotFound(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	counts, err := s.cfg.Store.RunCounts(ctx, run.ID)
	if err != nil {
		return nil, nil, err
	}
	return run, statusOf(run, counts), nil
}

func (s *Service) tellRun(ctx context.Context, run *store.Run, status *RunStatus, event string, at time.Time, key string) error {
	job, err := readJob(run.Document)
	if err != nil {
		return err
	}
	return s.tell(ctx, run.WorkspaceID, job.Webhook, key, Event{
		Event: event, At: report.Timestamp(at), WorkspaceID: run.WorkspaceID, JobID: run.JobID, JobCode: job.Code, RunID: run.ID,
		Entries: &status.Entries, Error: run.Error,
		Status: &EventCounts{Queued: status.Queued, Review: status.Review, Completed: status.Completed, Errors: status.Errors, Delivering: status.Delivering, Rejected: status.Rejected},
	})
}

// toldPayload is the end of an export as it waits in the queue to be sent.
type toldPayload struct {
	Webhook string           `json:"webhook"`
	At      report.Timestamp `json:"at"`
}

// tellExport queues the event of the end of an export, for when its task is
// finished.
func (s *Service) tellExport(task *store.Task, webhook string) error {
	if webhook == "" {
		return nil
	}
	payload, err := json.Marshal(toldPayload{webhook, report.Timestamp(s.cfg.Clock())})
	task.Then = []store.NewTask{{Kind: store.TellExportTask, WorkspaceID: task.WorkspaceID, Subject: task.Subject, Priority: store.Batch, Payload: payload}}
	return err
}

// tellOfTask is tellExport for a task whose request was not read yet.
func (s *Service) tellOfTask(ctx context.Context, task *store.Task) error {
	payload, _, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	req, err := readRequest(payload, "")
	if err != nil {
		return err
	}
	return s.tellExport(task, req.Webhook)
}

// doTellExport sends the event that an export has ended.
func (s *Service) doTellExport(ctx context.Context, task *store.Task) error {
	f, err := s.cfg.Store.Export(ctx, task.WorkspaceID, task.Subject)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	text, _, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	var told toldPayload
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	event := Event{Event: ExportCompleted, At: told.At, WorkspaceID: f.WorkspaceID, FileID: f.ID, Name: f.Name, ContentType: f.ContentType, ContentSize: f.Size, Error: f.Error}
	if f.Status == store.ExportFailed {
		event.Event = ExportFailed
	}
	return s.tell(ctx, f.WorkspaceID, told.Webhook, "export-"+strconv.Itoa(f.ID), event)
}

func (s *Service) tell(ctx context.Context, workspaceID int, connection, key string, event Event) error {
	if s.cfg.Tell == nil || connection == "" {
		return nil
	}
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return s.cfg.Tell.Tell(ctx, workspaceID, connection, key, text)
}

// failTell gives up on the webhook; asking for the status still tells.
func (s *Service) failTell(_ context.Context, task *store.Task, reason *report.Problem) error {
	s.cfg.Log.Warn("a webhook was not told", "kind", task.Kind, "subject", task.Subject, "error", reason)
	return nil
}
