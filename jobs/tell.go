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

// Teller tells other services of what has happened, by webhooks.
type Teller interface {
	// Known is nil when a workspace has a connection of that name that can be
	// told, else a Problem that says what is wrong with it.
	Known(ctx context.Context, workspaceID int, connection string) error
	// Tell sends an event, a JSON object. The key is the same in every attempt.
	// Errors are as those of a Deliverer.
	Tell(ctx context.Context, workspaceID int, connection, key string, event []byte) error
}

// Event is what a webhook is told.
type Event struct {
	Event       string    `json:"event"` // one of the constants below
	At          time.Time `json:"at"`
	WorkspaceID int       `json:"workspaceId"`

	// Of a run.
	JobID   int        `json:"jobId,omitempty"`
	JobCode string     `json:"jobCode,omitempty"`
	RunID   int        `json:"jobRunId,omitempty"`
	Entries *int       `json:"entries,omitempty"`
	Status  *RunCounts `json:"status,omitempty"`

	// Of an export.
	FileID      int    `json:"temporaryFileId,omitempty"`
	Name        string `json:"name,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	ContentSize int64  `json:"contentSize,omitempty"`

	Error string `json:"errorMessage,omitempty"`
}

// RunCounts are the numbers of entries of a run.
type RunCounts struct {
	Queued    int `json:"queued"`
	Review    int `json:"review"`
	Completed int `json:"completed"`
	Errors    int `json:"errors"`
}

// What events tell.
const (
	RunFinished     = "run.finished"
	RunInReview     = "run.review" // entries wait for approval; it is told again when they are settled
	ExportCompleted = "export.completed"
	ExportFailed    = "export.failed"
)

// webhook checks the name of a connection that is to be told; empty means none.
func (s *Service) webhook(ctx context.Context, workspaceID int, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if s.cfg.Tell == nil {
		return "", report.Problemf("webhook", "this service tells nobody of the end of runs and exports")
	}
	return name, s.cfg.Tell.Known(ctx, workspaceID, name)
}

// doTellRun tells that a run has ended, or waits for its review.
func (s *Service) doTellRun(ctx context.Context, task *store.Task) error {
	run, err := s.cfg.Store.Run(ctx, task.Subject)
	if store.IsNotFound(err) || err == nil && run.Ended == nil { // it goes on; its next end is told
		return nil
	}
	if err != nil {
		return err
	}
	job, err := readJob(run.Document)
	if err != nil {
		return err
	}
	counts, err := s.cfg.Store.RunCounts(ctx, run.ID)
	if err != nil {
		return err
	}
	status := statusOf(run, counts)
	event := Event{
		Event: RunFinished, At: run.Ended.UTC(), WorkspaceID: run.WorkspaceID, JobID: run.JobID, JobCode: job.Code, RunID: run.ID,
		Entries: &status.Entries, Status: &RunCounts{status.Queued, status.Review, status.Completed, status.Errors}, Error: run.Error,
	}
	if status.Review > 0 {
		event.Event = RunInReview
	}
	return s.tell(ctx, run.WorkspaceID, job.Webhook, fmt.Sprintf("run-%d-%d", run.ID, run.Ended.UnixMilli()), event)
}

// toldPayload is the end of an export as it waits to be told.
type toldPayload struct {
	Webhook string    `json:"webhook"`
	At      time.Time `json:"at"`
}

// tellExport queues that the end of an export is told, once its task is
// finished.
func (s *Service) tellExport(task *store.Task, webhook string) error {
	if webhook == "" {
		return nil
	}
	payload, err := json.Marshal(toldPayload{webhook, s.cfg.Clock().UTC()})
	task.Then = []store.NewTask{{Kind: store.TellExportTask, WorkspaceID: task.WorkspaceID, Subject: task.Subject, Priority: store.Batch, Payload: payload}}
	return err
}

// tellOfTask is tellExport for a task whose request was not read yet.
func (s *Service) tellOfTask(ctx context.Context, task *store.Task) error {
	payload, _, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	var p exportPayload
	if err := json.Unmarshal(payload, &p); err != nil {
		return err
	}
	return s.tellExport(task, p.Webhook)
}

// doTellExport tells that an export has ended.
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

// failTell gives up telling; who asks for the status still gets to know.
func (s *Service) failTell(_ context.Context, task *store.Task, reason *report.Problem) error {
	s.cfg.Log.Warn("a webhook was not told", "kind", task.Kind, "subject", task.Subject, "error", reason)
	return nil
}
