package ui

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/rights"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Jobs runs jobs and takes them through their review. *jobs.Service is one.
type Jobs interface {
	StartRun(ctx context.Context, req jobs.RunRequest, idempotencyKey string) (id int, err error)
	Run(ctx context.Context, workspace int, job string, run int) (*store.Run, *report.Job, error)
	Status(ctx context.Context, workspace int, job string, run int) (*jobs.RunStatus, error)
	StatusOf(ctx context.Context, runs []store.Run) ([]*jobs.RunStatus, error)
	Cancel(ctx context.Context, workspace int, job string, run int) (store.Cancelled, error)
	DecideRunDelivery(ctx context.Context, run *store.Run, position int, d jobs.Decision, by string) error
	Approve(ctx context.Context, run *store.Run, entry int) error
	Reject(ctx context.Context, run *store.Run, entry int, reason string) error
	Regenerate(ctx context.Context, run *store.Run, entry int) error
	NextTimes(job *report.Job, n int) ([]time.Time, error)
	DecideAll(ctx context.Context, run *store.Run, which store.EntryQuery, d jobs.Deciding) (int, error)
	CancelExport(ctx context.Context, workspace, id int, name string) error
	JobDrafts
}

// Runs is what the pages of jobs read.
type Runs interface {
	Jobs(ctx context.Context, workspaceID int) ([]store.JobRow, error)
	Runs(ctx context.Context, jobID, before, limit int) ([]store.Run, error)
	RunTimings(ctx context.Context, runID, most int) ([]store.TimedEntry, error)
	FindEntries(ctx context.Context, q store.EntryQuery) ([]store.FoundEntry, error)
	CountEntries(ctx context.Context, q store.EntryQuery) (int, error)
	Entry(ctx context.Context, id int) (*store.JobEntry, error)
	Documents(ctx context.Context, entryID int) ([]store.JobDocument, error)
	OpenDocument(ctx context.Context, d *store.JobDocument) (*store.Content, error)
	Deliveries(ctx context.Context, entryID int) ([]store.JobDeliveryRow, error)
	RunDeliveries(ctx context.Context, runID int) ([]store.JobDeliveryRow, error)
	EntryChanges(ctx context.Context, runID int, since time.Time, limit int) ([]store.EntryChange, error)
}

// jobRoutes are the pages of jobs and their runs.
func (u *UI) jobRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	reads, writes := access.In(access.Session, store.Jobs, store.Read), access.In(access.Session, store.Jobs, store.Full)
	const (
		all   = "/ws/{workspaceId}/jobs"
		one   = all + "/{job:[0-9]+}"
		run   = one + "/runs/{run:[0-9]+}"
		entry = run + "/entries/{entry:[0-9]+}"
	)
	return []route{
		{get, all, reads, u.toSignIn, u.jobsPage},
		{get, one, reads, u.toSignIn, u.jobPage},
		{post, one + "/run", writes, u.toSignIn, u.startRun},
		{get, run, reads, u.toSignIn, u.runPage},
		{get, run + "/events", reads, u.Error, u.runEvents},
		{post, run + "/cancel", writes, u.toSignIn, u.cancelRun},
		{post, run + "/deliveries/{delivery:[0-9]+}/retry", writes, u.toSignIn, u.decideDelivery},
		{post, run + "/review", writes, u.toSignIn, u.decideMany},
		{get, entry + "/documents/{document:[0-9]+}", reads, u.toSignIn, u.entryDocument},
		{post, entry + "/approve", writes, u.toSignIn, u.settleEntry(func(r *http.Request, run *store.Run, id int) error { return u.Jobs.Approve(r.Context(), run, id) })},
		{post, entry + "/reject", writes, u.toSignIn, u.settleEntry(u.rejectEntry)},
		{post, entry + "/regenerate", writes, u.toSignIn, u.settleEntry(func(r *http.Request, run *store.Run, id int) error { return u.Jobs.Regenerate(r.Context(), run, id) })},
	}
}

// jobsBody is the content of the list of jobs.
type jobsBody struct {
	Jobs    []jobRow
	May     bool
	Library string // where jobs are made
}

type jobRow struct {
	store.JobRow
	Address string
	Edit    string     // its editor
	Next    *time.Time // nil: no schedule, or it is over
}

func (u *UI) jobsAddress(caller *access.Caller) string {
	return u.workspaceAddress(*caller.Workspace) + "/jobs"
}

func (u *UI) jobsPage(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	rows, err := u.Store.Jobs(r.Context(), caller.Workspace.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := jobsBody{May: caller.Require(store.Jobs, store.Full) == nil, Library: u.workspaceAddress(*caller.Workspace) + "/library#jobs"}
	for _, row := range rows {
		body.Jobs = append(body.Jobs, jobRow{row, u.jobsAddress(caller) + "/" + itoa(row.ID), body.Library + "/" + itoa(row.ID), u.nextTime(row.Job)})
	}
	u.show(w, r, http.StatusOK, "jobs", page{Title: u.t(r, "Jobs of {0}", caller.Workspace.Name), Section: "reports", Tab: tabJobs, Body: body})
}

// nextTime is when a job runs next; a schedule that is wrong has no time.
func (u *UI) nextTime(job *report.Job) *time.Time {
	if times := u.nextTimes(job, 1); len(times) > 0 && job.Active {
		return &times[0]
	}
	return nil
}

func (u *UI) nextTimes(job *report.Job, n int) []time.Time {
	times, err := u.Jobs.NextTimes(job, n)
	if err != nil {
		return nil
	}
	return times
}

// Bounds of the pages of jobs.
const (
	shownRuns    = 50
	shownEntries = 50
	shownTimes   = 10
)

// jobBody is the content of the page of a job.
type jobBody struct {
	Job        *report.Job
	Address    string
	Runs       []runRow
	Next       []time.Time
	May, Asks  bool // whether the caller may run it, and whether it has parameters
	Back, Edit string
}

type runRow struct {
	store.Run
	Address string
	Status  *jobs.RunStatus
}

func (u *UI) jobPage(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	row, err := u.jobOf(r)
	var runs []store.Run
	if err == nil {
		runs, err = u.Store.Runs(r.Context(), row.ID, 0, shownRuns)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := jobBody{
		Job: row.Job, Address: u.jobsAddress(caller) + "/" + itoa(row.ID), Next: u.nextTimes(row.Job, shownTimes), Asks: len(row.Job.Parameters) > 0,
		May: caller.Require(store.Jobs, store.Full) == nil, Back: u.jobsAddress(caller), Edit: u.workspaceAddress(*caller.Workspace) + "/library#jobs/" + itoa(row.ID),
	}
	status, err := u.Jobs.StatusOf(r.Context(), runs)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	for i, run := range runs {
		body.Runs = append(body.Runs, runRow{run, body.Address + "/runs/" + itoa(run.ID), status[i]})
	}
	u.show(w, r, http.StatusOK, "job", page{Title: row.Job.Name, Section: "reports", Tab: tabJobs, Body: body})
}

// jobOf is the job of the address.
func (u *UI) jobOf(r *http.Request) (store.JobRow, error) {
	rows, err := u.Store.Jobs(r.Context(), access.Of(r.Context()).Workspace.ID)
	if err != nil {
		return store.JobRow{}, err
	}
	i := slices.IndexFunc(rows, func(row store.JobRow) bool { return itoa(row.ID) == pathVar(r, "job") })
	if i < 0 {
		return store.JobRow{}, report.NotFoundf("job %s does not exist", pathVar(r, "job"))
	}
	return rows[i], nil
}

// startRun starts a run; parameters come from the form by their names.
func (u *UI) startRun(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	row, err := u.jobOf(r)
	var sent url.Values
	if err == nil {
		sent, err = readForm(w, r)
	}
	params := report.ObjectOf()
	if err == nil {
		for _, p := range row.Job.Parameters {
			name := cmp.Or(p.Name, p.Reuse)
			if value := sent.Get("param." + name); value != "" {
				params.Set(name, value)
			}
		}
	}
	if err == nil {
		err = rights.Judge{Store: u.Store}.Start(r.Context(), &caller.Access, row.Job)
	}
	id := 0
	if err == nil {
		id, err = u.Jobs.StartRun(r.Context(), jobs.RunRequest{Workspace: caller.Workspace.ID, UserID: caller.User.ID, Job: itoa(row.ID), Params: params}, "")
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.jobsAddress(caller)+"/"+itoa(row.ID)+"/runs/"+itoa(id), http.StatusSeeOther)
}

// runOf is the run of the address.
func (u *UI) runOf(r *http.Request) (*store.Run, *report.Job, error) {
	id, err := strconv.ParseInt(pathVar(r, "run"), 10, 32)
	if err != nil {
		return nil, nil, report.NotFoundf("run %s does not exist", pathVar(r, "run"))
	}
	return u.Jobs.Run(r.Context(), access.Of(r.Context()).Workspace.ID, pathVar(r, "job"), int(id))
}

// entryOf is the entry of the address, which is one of the run's.
func (u *UI) entryOf(r *http.Request, run *store.Run) (*store.JobEntry, error) {
	id, err := strconv.ParseInt(pathVar(r, "entry"), 10, 32)
	var e *store.JobEntry
	if err == nil {
		e, err = u.Store.Entry(r.Context(), int(id))
	}
	if err != nil || e.RunID != run.ID {
		return nil, report.NotFoundf("entry %s does not exist", pathVar(r, "entry"))
	}
	return e, nil
}

// cancelRun ends a run: what is queued is not made any more.
func (u *UI) cancelRun(w http.ResponseWriter, r *http.Request) {
	run, _, err := u.runOf(r)
	if err == nil {
		_, err = u.Jobs.Cancel(r.Context(), access.Of(r.Context()).Workspace.ID, pathVar(r, "job"), run.ID)
	}
	u.backToRun(w, r, err)
}

// settleEntry does what was decided about an entry in review.
func (u *UI) settleEntry(do func(*http.Request, *store.Run, int) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		run, _, err := u.runOf(r)
		var e *store.JobEntry
		if err == nil {
			e, err = u.entryOf(r, run)
		}
		if err == nil {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			err = do(r, run, e.ID)
		}
		if err != nil {
			u.Error(w, r, err)
			return
		}
		u.settled(w, r, run, e)
	}
}

func (u *UI) rejectEntry(r *http.Request, run *store.Run, id int) error {
	return u.Jobs.Reject(r.Context(), run, id, r.PostFormValue("reason"))
}

func (u *UI) backToRun(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		u.Error(w, r, err)
		return
	}
	http.Redirect(w, r, u.runAddress(r), http.StatusSeeOther)
}

// entryDocument is a document of an entry: a PDF opens in the browser, anything
// else is downloaded.
func (u *UI) entryDocument(w http.ResponseWriter, r *http.Request) {
	run, _, err := u.runOf(r)
	var e *store.JobEntry
	if err == nil {
		e, err = u.entryOf(r, run)
	}
	var documents []store.JobDocument
	if err == nil {
		documents, err = u.Store.Documents(r.Context(), e.ID)
	}
	i := slices.IndexFunc(documents, func(d store.JobDocument) bool { return itoa(d.Position) == pathVar(r, "document") })
	if err == nil && i < 0 {
		err = report.NotFoundf("document %s does not exist", pathVar(r, "document"))
	}
	var content *store.Content
	if err == nil {
		content, err = u.Store.OpenDocument(r.Context(), &documents[i])
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	defer content.Close()
	d := documents[i]
	u.Store.Note(r.Context(), d.Downloaded(run.WorkspaceID, e))
	w.Header().Set("Cache-Control", "no-store")
	_ = answer.File(w, r, answer.Download{Name: d.Name, ContentType: d.ContentType, Size: d.Size, Inline: isPDF(d.ContentType), Kept: true}, content)
}
