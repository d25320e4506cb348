package v1

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// JobDefinition is a whole job, as bundles hold it.
type JobDefinition report.Job

// StoredJob is a job with all that it says. Users who may only read jobs get it
// without the settings of its data sources, connections and passwords.
type StoredJob struct {
	ID         int             `json:"id" format:"int32"`
	Revision   int             `json:"revision" format:"int32" doc:"Grows with each change; also the ETag."`
	Definition JobDefinition   `json:"definition"`
	Next       []Timestamp     `json:"nextRunTimes" nullable:"false" doc:"When its schedule runs it next, ten times at most; empty for a job that is not active."`
	Problems   []answer.Detail `json:"problems" nullable:"false" doc:"What would keep its runs from succeeding, by the path in the definition, such as a report or a connection that the workspace does not have. Such a job is stored all the same. Told to who may change the job."`
}

type storedJobOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   StoredJob
}

func (s *service) stored(ctx context.Context, id, revision int, job *report.Job, status int) (*storedJobOutput, error) {
	found, err := s.Jobs.Check(ctx, access.Of(ctx).Workspace.ID, job)
	if err != nil {
		return nil, err
	}
	problems := []answer.Detail{}
	if access.Of(ctx).Require(store.Jobs, store.Full) != nil {
		found, job = nil, export.ForReaders(job).(*report.Job)
	}
	for _, p := range found {
		problems = append(problems, answer.Detail{Path: p.Path, Message: p.Message})
	}
	next, err := s.nextTimes(job)
	return &storedJobOutput{status, etag(revision), StoredJob{id, revision, JobDefinition(*job), next, problems}}, err
}

func etag(revision int) string { return `"` + strconv.Itoa(revision) + `"` }

// shownTimes is how many times of a schedule are told.
const shownTimes = 10

func (s *service) nextTimes(job *report.Job) ([]Timestamp, error) {
	next := []Timestamp{}
	if !job.Active {
		return next, nil
	}
	times, err := s.Jobs.NextTimes(job, shownTimes)
	for _, at := range times {
		next = append(next, Timestamp(at))
	}
	return next, err
}

// jobInput is the definition of a job.
type jobInput struct {
	WorkspacePath
	raw
}

// createJob makes a job.
func (s *service) createJob(ctx context.Context, q *jobInput) (*storedJobOutput, error) {
	text, err := q.text(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	return s.makeJob(ctx, text)
}

func (s *service) makeJob(ctx context.Context, text []byte) (*storedJobOutput, error) {
	if err := s.judge(ctx, text, new(report.Job)); err != nil {
		return nil, err
	}
	if err := whole(text); err != nil {
		return nil, err
	}
	workspace := access.Of(ctx).Workspace.ID
	id, err := s.Store.CreateResource(ctx, workspace, store.JobKind, text)
	if err != nil {
		return nil, err
	}
	_, job, err := s.Store.Job(ctx, workspace, strconv.Itoa(id))
	if err != nil {
		return nil, err
	}
	return s.stored(ctx, id, 1, job, http.StatusCreated)
}

// judge refuses what a job names that the caller could not reach alone and that
// the job in whose place it goes does not name.
func (s *service) judge(ctx context.Context, text []byte, old *report.Job) error {
	job := new(report.Job)
	_ = report.ReadStored(text, job) // what cannot be read is not stored either
	return rights.Judge{Store: s.Store}.Job(ctx, &access.Of(ctx).Access, job, old)
}

// whole refuses a job that something is missing of: people finish a job in the
// editor, a program sends it whole.
func whole(text []byte) error {
	job := new(report.Job)
	problems := report.DecodeInto(text, job)
	if len(problems) == 0 {
		problems = job.Check()
	}
	return problems.Err()
}

func (r *raw) text(limit int64) ([]byte, error) {
	body, err := r.body(limit)
	if err != nil {
		return nil, err
	}
	return json.Marshal(body)
}

// getJob gives a job with all that it says.
func (s *service) getJob(ctx context.Context, p *JobPath) (*storedJobOutput, error) {
	id, revision, job, err := s.job(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.stored(ctx, id, revision, job, http.StatusOK)
}

// job finds a job and the revision it is at.
func (s *service) job(ctx context.Context, p *JobPath) (id, revision int, job *report.Job, err error) {
	ref, err := p.ref()
	if err != nil {
		return 0, 0, nil, err
	}
	workspace := access.Of(ctx).Workspace.ID
	if id, job, err = s.Store.Job(ctx, workspace, ref); err != nil {
		return 0, 0, nil, err
	}
	all, err := s.Store.Resources(ctx, workspace, store.JobKind)
	for _, r := range all {
		if r.ID == id {
			return id, r.Revision, job, nil
		}
	}
	if err == nil { // it was deleted just now
		err = report.NotFoundf("job %q does not exist", ref)
	}
	return 0, 0, nil, err
}

// jobChange replaces a job.
type jobChange struct {
	JobPath
	Match string `header:"If-Match" doc:"ETag of the revision that the change is based on; a newer one is then not overwritten but answers 409."`
	raw
}

// putJob replaces a job, or makes the one of the code in the address.
func (s *service) putJob(ctx context.Context, q *jobChange) (*storedJobOutput, error) {
	text, err := q.text(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	id, revision, old, err := s.job(ctx, &q.JobPath)
	if store.IsNotFound(err) && report.IsCode(q.Job) && q.Match == "" {
		return s.makeNamed(ctx, q.Job, text)
	}
	if err != nil {
		return nil, err
	}
	if err := s.judge(ctx, text, old); err != nil {
		return nil, err
	}
	return s.saveJob(ctx, id, revision, q.Match, text)
}

// makeNamed makes the job of the code in the address, which the definition
// must name as well.
func (s *service) makeNamed(ctx context.Context, code string, text []byte) (*storedJobOutput, error) {
	var named struct{ Code string }
	if err := json.Unmarshal(text, &named); err != nil || !strings.EqualFold(named.Code, code) {
		return nil, report.Problemf("code", "must be %q, as in the address, for a job that does not exist yet", code)
	}
	return s.makeJob(ctx, text)
}

func (s *service) saveJob(ctx context.Context, id, revision int, match string, text []byte) (*storedJobOutput, error) {
	if match != "" && match != "*" {
		var err error
		if revision, err = strconv.Atoi(strings.Trim(strings.TrimPrefix(match, "W/"), `"`)); err != nil {
			return nil, report.Problemf("If-Match", "must be the ETag of the job, such as \"3\", or *")
		}
	}
	if err := whole(text); err != nil {
		return nil, err
	}
	workspace := access.Of(ctx).Workspace.ID
	revision, err := s.Store.SaveResource(ctx, workspace, store.JobKind, id, revision, text)
	if err != nil {
		return nil, err
	}
	_, job, err := s.Store.Job(ctx, workspace, strconv.Itoa(id))
	if err != nil {
		return nil, err
	}
	return s.stored(ctx, id, revision, job, http.StatusOK)
}

// deleteJob removes a job with its runs.
func (s *service) deleteJob(ctx context.Context, p *JobPath) (*struct{}, error) {
	id, _, _, err := s.job(ctx, p)
	if err != nil {
		return nil, err
	}
	return nil, s.Store.DeleteResource(ctx, access.Of(ctx).Workspace.ID, store.JobKind, id)
}

// ScheduleOfJob is the schedule of a job, and what comes of it.
type ScheduleOfJob struct {
	Schedule *report.JobSchedule `json:"schedule" doc:"Null for a job that runs only when asked."`
	Timezone string              `json:"timezone" doc:"IANA name; empty is the server's."`
	Next     []Timestamp         `json:"nextRunTimes" nullable:"false" doc:"When the job runs next, ten times at most; empty for a job that is not active."`
	Problems []answer.Detail     `json:"problems" nullable:"false" doc:"What keeps it from ever running the job, such as a day that no month has."`
}

type scheduleOutput struct{ Body ScheduleOfJob }

func (s *service) getSchedule(ctx context.Context, p *JobPath) (*scheduleOutput, error) {
	_, _, job, err := s.job(ctx, p)
	if err != nil {
		return nil, err
	}
	next, err := s.nextTimes(job)
	if err != nil {
		return nil, err
	}
	out := ScheduleOfJob{job.Schedule, job.Timezone, next, []answer.Detail{}}
	if job.Schedule != nil {
		for _, p := range s.Jobs.CheckSchedule(job) {
			out.Problems = append(out.Problems, answer.Detail{Path: p.Path, Message: p.Message})
		}
	}
	return &scheduleOutput{out}, nil
}

// putSchedule gives a job a schedule and leaves all else.
func (s *service) putSchedule(ctx context.Context, q *scheduleInput) (*scheduleOutput, error) {
	text, err := q.text(s.BodyLimit)
	if err != nil {
		return nil, err
	}
	schedule := new(report.JobSchedule)
	if problems := report.DecodeInto(text, schedule); len(problems) > 0 {
		return nil, problems
	}
	if err := s.setSchedule(ctx, &q.JobPath, schedule); err != nil {
		return nil, err
	}
	return s.getSchedule(ctx, &q.JobPath)
}

type scheduleInput struct {
	JobPath
	raw
}

// deleteSchedule makes a job run only when asked.
func (s *service) deleteSchedule(ctx context.Context, p *JobPath) (*struct{}, error) {
	return nil, s.setSchedule(ctx, p, nil)
}

func (s *service) setSchedule(ctx context.Context, p *JobPath, schedule *report.JobSchedule) error {
	id, revision, job, err := s.job(ctx, p)
	if err != nil {
		return err
	}
	changed := *job
	changed.Schedule = schedule
	text, err := report.MarshalDefinition(&changed)
	if err == nil {
		err = s.judge(ctx, text, job)
	}
	if err != nil {
		return err
	}
	_, err = s.Store.SaveResource(ctx, access.Of(ctx).Workspace.ID, store.JobKind, id, revision, text)
	return err
}

// bodyOf describes a body by the type that is read from it.
func bodyOf[T any](s *service) *huma.RequestBody {
	return jsonBody(s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, ""), true)
}

// jobRoutes are the endpoints of jobs beyond those of the specification.
func (s *service) jobRoutes() {
	const one = "/ws/{workspaceId}/jobs/{jobIdOrCode}"
	reads, writes := access.In(access.Token, store.Jobs, store.Read), access.In(access.Token, store.Jobs, store.Full)
	watches := reads.For(store.ScopeRead | store.ScopeJobs)
	with := func(op huma.Operation, body *huma.RequestBody, codes ...int) huma.Operation {
		op.Metadata, op.Errors = map[string]any{"body": body}, codes
		return op
	}
	create := with(post("create-job", "/ws/{workspaceId}/jobs", "Make a job"), bodyOf[JobDefinition](s), http.StatusConflict)
	create.DefaultStatus = http.StatusCreated
	add(s, create, writes, s.createJob)
	add(s, get("get-job", one, "A job with all that it says"), reads, s.getJob)
	change := with(method(http.MethodPut, "put-job", one, "Replace a job, or make the one of this code"), bodyOf[JobDefinition](s), http.StatusConflict)
	change.Responses = map[string]*huma.Response{"201": {Description: "The job is new."}}
	add(s, change, writes, s.putJob)
	add(s, method(http.MethodDelete, "delete-job", one, "Delete a job with its runs"), writes, s.deleteJob)
	add(s, get("get-schedule", one+"/schedule", "When a job runs"), reads, s.getSchedule)
	add(s, with(method(http.MethodPut, "put-schedule", one+"/schedule", "Set when a job runs"), bodyOf[report.JobSchedule](s), http.StatusConflict), writes, s.putSchedule)
	add(s, method(http.MethodDelete, "delete-schedule", one+"/schedule", "Let a job run only when asked"), writes, s.deleteSchedule)
	add(s, get("list-runs", one+"/runs", "Runs of a job, the newest first"), watches, s.runs)
	add(s, get("list-run-entries", one+"/runs/{jobRunId}/entries", "Entries of a run, with errors and deliveries"), watches, s.entries)
	add(s, get("list-run-deliveries", one+"/runs/{jobRunId}/deliveries", "Deliveries of a run as a whole"), watches, s.runDeliveries)
	add(s, post("cancel-run", one+"/runs/{jobRunId}/cancel", "Cancel what of a run has not left"), writes, s.cancelRun)
	s.decisionRoutes(one + "/runs/{jobRunId}")
}

func method(method, id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: Base + path, Summary: summary}
}

// asTime converts a time that may be missing.
func asTime(at *time.Time) *Timestamp { return (*Timestamp)(at) }
