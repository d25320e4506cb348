package v1

import (
	"context"
	"errors"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Job is a job in a list.
type Job struct {
	ID             int        `json:"id" format:"int32"`
	Name           string     `json:"name"`
	Description    string     `json:"description"`
	Code           string     `json:"code"`
	ReviewRequired bool       `json:"reviewRequired" doc:"Whether entries wait for approval; they are then delivered by the deliver operation."`
	IsActive       bool       `json:"isActive" doc:"Whether the job can be run."`
	LastRun        *Timestamp `json:"lastRunTime" nullable:"true" doc:"Null before the first run."`
}

// jobList is endpoint 10.
func (s *service) jobList(ctx context.Context, _ *WorkspacePath) (*list[Job], error) {
	rows, err := s.Store.Jobs(ctx, access.Of(ctx).Workspace.ID)
	return listOf(rows, err, func(r store.JobRow) Job {
		return Job{r.ID, r.Job.Name, r.Job.Description, r.Job.Code, r.Job.ReviewRequired, r.Job.Active, (*Timestamp)(r.LastRun)}
	})
}

// JobPath is the address of a job.
type JobPath struct {
	WorkspacePath
	Job string `path:"jobIdOrCode" doc:"ID or code of the job."`
}

func (p *JobPath) ref() (string, error) {
	if !report.IsID(p.Job) && !report.IsCode(p.Job) {
		return "", report.NotFoundf("job %q does not exist", p.Job)
	}
	return p.Job, nil
}

// RunPath is the address of a run.
type RunPath struct {
	JobPath
	Run string `path:"jobRunId" doc:"jobRunId of the answer that started the run."`
}

func (p *RunPath) refs() (job string, run int, err error) {
	if job, err = p.ref(); err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseInt(p.Run, 10, 32)
	if err != nil || n <= 0 || !report.IsID(p.Run) {
		return "", 0, report.NotFoundf("run %q does not exist", p.Run)
	}
	return job, int(n), nil
}

// runInput is the start of a run.
type runInput struct {
	JobPath
	Once
	raw
}

// StartedRun is the answer to the start of a run.
type StartedRun struct {
	ID int `json:"jobRunId" format:"int32" doc:"Number of the run."`
}

type startedRunOutput struct{ Body StartedRun }

// startRun is endpoint 11.
func (s *service) startRun(ctx context.Context, q *runInput) (*startedRunOutput, error) {
	body, err := q.body(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	ref, err := q.ref()
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	req := jobs.RunRequest{Workspace: caller.Workspace.ID, UserID: caller.User.ID, Job: ref}
	if req.Webhook, err = textMember(body, "webhook"); err != nil {
		return nil, err
	}
	var problems report.Problems
	for _, part := range []struct {
		name string
		into **report.Object
	}{{"params", &req.Params}, {"data", &req.Data}} {
		value, _ := body.Get(part.name)
		var wrong *report.Problem
		if *part.into, err = input.Object(part.name, value); errors.As(err, &wrong) {
			problems = append(problems, wrong)
		} else if err != nil {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	_, job, err := s.Store.Job(ctx, caller.Workspace.ID, ref)
	if err == nil {
		err = rights.Judge{Store: s.Store}.Start(ctx, &caller.Access, job)
	}
	if err != nil {
		return nil, err
	}
	id, err := s.Jobs.StartRun(ctx, req, q.Key)
	return &startedRunOutput{StartedRun{id}}, err
}

func runBody() *huma.RequestBody {
	return jsonBody(&huma.Schema{
		Type: "object", AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"params":  {Type: "object", AdditionalProperties: true, Description: "Values of the job's parameters by name."},
			"data":    {Type: "object", AdditionalProperties: true, Description: "Inline data: a member per data source of the job, which it replaces."},
			"webhook": webhookMember(),
		},
	}, false)
}

// RunStatus is how far a run is.
type RunStatus struct {
	Finished  bool      `json:"finished" doc:"Whether nothing is queued or delivered any more, also while entries wait in review."`
	Entries   int       `json:"entries" format:"int32"`
	Status    RunCounts `json:"status"`
	Cancelled bool      `json:"cancelled" doc:"Whether somebody cancelled the run."`
	Error     *string   `json:"errorMessage" doc:"Why the run made no entries."`
}

// RunCounts are the numbers of entries.
type RunCounts struct {
	Queued    int `json:"queued" format:"int32" doc:"Not made yet."`
	Review    int `json:"review" format:"int32" doc:"Made, and waiting for approval."`
	Completed int `json:"completed" format:"int32"`
	Errors    int `json:"errors" format:"int32" doc:"Those that failed and those that were rejected."`

	Delivering int `json:"delivering" format:"int32" doc:"Made and being delivered; in none of queued, review, completed and errors."`
	Rejected   int `json:"rejected" format:"int32" doc:"Of the errors, those that were rejected in the review."`
}

type runStatusOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         RunStatus
}

// runStatus is endpoint 12.
func (s *service) runStatus(ctx context.Context, p *RunPath) (*runStatusOutput, error) {
	job, run, err := p.refs()
	if err != nil {
		return nil, err
	}
	status, err := s.Jobs.Status(ctx, access.Of(ctx).Workspace.ID, job, run)
	if err != nil {
		return nil, err
	}
	return &runStatusOutput{"no-store", statusBody(status)}, nil
}

func statusBody(status *jobs.RunStatus) RunStatus {
	return RunStatus{
		Finished: status.Finished, Entries: status.Entries, Cancelled: status.Cancelled, Error: optional(status.Error),
		Status: RunCounts{status.Queued, status.Review, status.Completed, status.Errors, status.Delivering, status.Rejected},
	}
}

// actInput acts on a run. The body is not read: some clients send none, others
// an empty object.
type actInput struct {
	RunPath
	Once
}

// startReview is endpoint 13.
func (s *service) startReview(ctx context.Context, q *actInput) (*startedOutput, error) {
	job, run, err := q.refs()
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	id, err := s.Jobs.StartReview(ctx, caller.Workspace.ID, caller.User.ID, job, run, q.Key)
	return &startedOutput{Started{id}}, err
}

// Delivered is the answer to the delivery of a run.
type Delivered struct {
	N int `json:"delivered" format:"int32" doc:"How many entries are delivered now; 0 when they had been before."`
}

type deliveredOutput struct{ Body Delivered }

// deliver is endpoint 14. It is idempotent by itself, with or without a key.
func (s *service) deliver(ctx context.Context, q *actInput) (*deliveredOutput, error) {
	job, run, err := q.refs()
	if err != nil {
		return nil, err
	}
	n, err := s.Jobs.Deliver(ctx, access.Of(ctx).Workspace.ID, job, run)
	return &deliveredOutput{Delivered{n}}, err
}
