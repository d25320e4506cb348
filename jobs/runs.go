package jobs

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// RunRequest asks for a run of a job.
type RunRequest struct {
	Workspace, UserID int
	Job               string // ID or code
	Params, Data      *report.Object
	Webhook           string // name of a connection, instead of the job's
}

// StartRun queues a run of an active job.
func (s *Service) StartRun(ctx context.Context, req RunRequest, idempotencyKey string) (id int, err error) {
	jobID, job, err := s.cfg.Store.Job(ctx, req.Workspace, req.Job)
	if err != nil {
		return 0, err
	}
	if !job.Active {
		return 0, report.Problemf("", "job %q is not active; activate it to run it", job.Name)
	}
	if err := job.Check().Err(); err != nil { // the editor saves what is half made
		return 0, err
	}
	if job.Webhook, err = s.webhook(ctx, req.Workspace, cmp.Or(req.Webhook, job.Webhook)); err != nil {
		return 0, err
	}
	person, err := s.person(ctx, req.Workspace, job)
	if err != nil {
		return 0, err
	}
	if s.cfg.Batch != nil { // else the run itself says what is wrong
		err := s.cfg.Batch.CheckRun(ctx, export.BatchRequest{
			Workspace: req.Workspace, Parameters: job.Parameters, Sources: job.DataSources, Language: job.Language, Timezone: job.Timezone, Params: req.Params, Data: req.Data, User: person,
		})
		if err != nil {
			return 0, err
		}
	}
	r := store.NewRun{WorkspaceID: req.Workspace, JobID: jobID, UserID: req.UserID}
	r.Document, err = json.Marshal(job)
	for _, part := range []struct {
		into *[]byte
		from *report.Object
	}{{&r.Params, req.Params}, {&r.Data, req.Data}} {
		if err == nil && part.from != nil {
			*part.into, err = json.Marshal(part.from)
		}
	}
	if err != nil {
		return 0, err
	}
	r.Once = store.Once{Key: idempotencyKey, UserID: req.UserID, Scope: scope("run", req.Workspace, jobID), Request: slices.Concat(r.Params, []byte("\n"), r.Data, []byte("\n"+req.Webhook))}
	id, err = s.cfg.Store.CreateRun(ctx, r)
	s.wake()
	return id, err
}

// doRun loads the data of a run, once, and makes an entry of each row. It may be
// called again while entries are missing.
func (s *Service) doRun(ctx context.Context, task *store.Task) error {
	task.Run = task.Subject
	run, err := s.cfg.Store.Run(ctx, task.Subject)
	if store.IsNotFound(err) || err == nil && run.State != store.RunStarting {
		return nil
	}
	if err != nil {
		return err
	}
	job, err := readJob(run.Document)
	if err != nil {
		return err
	}
	if run.HasData() {
		return s.goOnBeginning(ctx, run, job)
	}
	payload, _, err := s.cfg.Store.TaskPayload(ctx, task)
	if err != nil {
		return err
	}
	req := export.BatchRequest{Workspace: run.WorkspaceID, Parameters: job.Parameters, Sources: job.DataSources, Language: job.Language, Timezone: job.Timezone}
	if req.Params, err = readObject(json.RawMessage(run.Params)); err != nil {
		return err
	}
	if req.Data, err = readObject(payload); err != nil {
		return err
	}
	if req.User, err = s.person(ctx, run.WorkspaceID, job); err != nil {
		return err
	}
	batch, err := s.cfg.Batch.LoadBatch(ctx, req)
	if err != nil {
		return err
	}
	params, err := json.Marshal(batch.Params)
	if err != nil {
		return err
	}
	return s.beginRun(ctx, run, job, params, batch.Data)
}

// goOnBeginning makes the entries of a run that are not made yet, of the data that it
// was begun with.
func (s *Service) goOnBeginning(ctx context.Context, run *store.Run, job *report.Job) error {
	data, err := s.cfg.Store.RunData(ctx, run)
	if err != nil {
		return err
	}
	rows, err := readObject(data)
	if err != nil {
		return err
	}
	return s.beginRun(ctx, run, job, nil, rows)
}

func (s *Service) beginRun(ctx context.Context, run *store.Run, job *report.Job, params []byte, data *report.Object) error {
	records, err := recordsOf(job, data)
	if err != nil {
		return err
	}
	_, err = s.cfg.Store.BeginRun(ctx, run, params, func(w io.Writer) error { return writeData(w, data) }, records)
	s.wake()
	return err
}

// recordsOf are the rows of the repeating data source; without one there is one entry
// without a record.
func recordsOf(job *report.Job, data *report.Object) (records, error) {
	if job.Repeat == "" {
		return records{nil}, nil
	}
	value, _ := data.Get(job.Repeat)
	if value == nil {
		return nil, nil
	}
	rows, ok := value.([]any)
	if !ok {
		return nil, &report.Problem{Kind: report.Failed, Path: "repeat", Message: fmt.Sprintf("the data source %q gave no list of rows", job.Repeat)}
	}
	return rows, nil
}

// records are rows that are written one by one.
type records []any

func (r records) Len() int { return len(r) }

func (r records) At(i int) ([]byte, error) {
	var b bytes.Buffer
	err := report.WriteJSON(&b, r[i])
	return b.Bytes(), err
}

// writeData writes a data set as JSON, row by row, so that there is no second copy of a
// large one in memory.
func writeData(to io.Writer, data *report.Object) error {
	w := bufio.NewWriterSize(to, 64<<10)
	before := "{"
	for name, value := range data.All() {
		_, _ = w.WriteString(before)
		before = ","
		if err := writeJSON(w, name); err != nil {
			return err
		}
		_ = w.WriteByte(':')
		if err := writeValue(w, value); err != nil {
			return err
		}
	}
	if before == "{" {
		_ = w.WriteByte('{')
	}
	_ = w.WriteByte('}')
	return w.Flush() // tells of what was not written before, too
}

func writeValue(w *bufio.Writer, v any) error {
	rows, ok := v.([]any)
	if !ok || rows == nil {
		return writeJSON(w, v)
	}
	_ = w.WriteByte('[')
	for i, row := range rows {
		if i > 0 {
			_ = w.WriteByte(',')
		}
		if err := writeJSON(w, row); err != nil {
			return err
		}
	}
	return w.WriteByte(']')
}

func writeJSON(w *bufio.Writer, v any) error {
	b := bytes.NewBuffer(w.AvailableBuffer())
	err := report.WriteJSON(b, v)
	_, _ = w.Write(b.Bytes())
	return err
}

func (s *Service) failRun(ctx context.Context, task *store.Task, reason *report.Problem) error {
	return s.cfg.Store.FailRun(ctx, task.Subject, reason.Error())
}

func readJob(document string) (*report.Job, error) {
	job := new(report.Job)
	if problems := report.ReadStored([]byte(document), job); len(problems) > 0 {
		return nil, problems
	}
	return job, nil
}

// RunStatus is how far a run is.
type RunStatus struct {
	Finished                          bool
	Entries                           int
	Queued, Review, Completed, Errors int
	Delivering                        int    // made, and in none of the counts before yet
	Rejected                          int    // of the errors, those that a review ended
	Cancelled                         bool   // whether somebody cancelled it
	Error                             string // why the run made no entries
}

// Run finds a run of a job.
func (s *Service) Run(ctx context.Context, workspace int, jobRef string, runID int) (*store.Run, *report.Job, error) {
	return s.runOf(ctx, workspace, jobRef, runID, s.cfg.Store.Run)
}

func (s *Service) runOf(ctx context.Context, workspace int, jobRef string, runID int, find func(context.Context, int) (*store.Run, error)) (*store.Run, *report.Job, error) {
	jobID, job, err := s.cfg.Store.Job(ctx, workspace, jobRef)
	if err != nil {
		return nil, nil, err
	}
	run, err := find(ctx, runID)
	if err == nil && (run.JobID != jobID || run.WorkspaceID != workspace) {
		err = report.NotFoundf("run %d does not exist", runID)
	}
	return run, job, err
}

// Status tells how far a run is. It is finished when nothing is queued or
// delivered any more, also while entries wait in review, and when what is
// delivered for the run as a whole is delivered.
func (s *Service) Status(ctx context.Context, workspace int, jobRef string, runID int) (*RunStatus, error) {
	run, _, err := s.runOf(ctx, workspace, jobRef, runID, s.cfg.Store.RunHead)
	if err != nil {
		return nil, err
	}
	counts, err := s.cfg.Store.RunCounts(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	return statusOf(run, counts), nil
}

// StatusOf is Status of several runs.
func (s *Service) StatusOf(ctx context.Context, runs []store.Run) ([]*RunStatus, error) {
	ids := make([]int, len(runs))
	for i := range runs {
		ids[i] = runs[i].ID
	}
	counts, err := s.cfg.Store.CountsOf(ctx, ids)
	list := make([]*RunStatus, len(runs))
	for i := range runs {
		list[i] = statusOf(&runs[i], counts[runs[i].ID])
	}
	return list, err
}

func statusOf(run *store.Run, counts store.Counts) *RunStatus {
	status := &RunStatus{Error: run.Error, Finished: run.Ended != nil, Cancelled: run.Cancelled != nil}
	for state, n := range counts {
		status.Entries += n
		switch state {
		case store.EntryReview:
			status.Review += n
		case store.EntryCompleted:
			status.Completed += n
		case store.EntryError:
			status.Errors += n
		case store.EntryRejected:
			status.Errors += n
			status.Rejected += n
		case store.EntryDelivering:
			status.Delivering += n
		default:
			status.Queued += n
		}
	}
	if run.State == store.RunFailed {
		status.Errors++
	}
	return status
}

// Deliver approves all entries of a run that wait in review; it tells how many.
// Asked again, it delivers nothing again. While entries are being made it is a
// Problem of kind Conflict.
func (s *Service) Deliver(ctx context.Context, workspace int, jobRef string, runID int) (int, error) {
	run, _, err := s.Run(ctx, workspace, jobRef, runID)
	if err != nil {
		return 0, err
	}
	job, err := readJob(run.Document) // as it was when the run began
	if err != nil {
		return 0, err
	}
	if !job.ReviewRequired {
		return 0, report.Problemf("", "job %q needs no review: its entries are delivered by themselves", job.Name)
	}
	n, err := s.cfg.Store.DeliverRun(ctx, run)
	s.wake()
	return n, err
}

// Cancel ends all of a run that was not sent: no delivery begins once it
// returns. Deliveries under way go on to their end and are counted.
func (s *Service) Cancel(ctx context.Context, workspace int, jobRef string, runID int) (store.Cancelled, error) {
	run, _, err := s.Run(ctx, workspace, jobRef, runID)
	if err != nil {
		return store.Cancelled{}, err
	}
	job, err := readJob(run.Document)
	if err != nil {
		return store.Cancelled{}, err
	}
	var whole []int
	for i, d := range job.Deliveries {
		if perRun(d) {
			whole = append(whole, i+1)
		}
	}
	cancelled, err := s.cfg.Store.CancelRun(ctx, run, wasCancelled, whole)
	return cancelled, errors.Join(err, s.settleRun(ctx, run.ID))
}

const wasCancelled = "the run was cancelled"
