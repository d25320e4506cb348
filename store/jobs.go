package store

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// Kinds of tasks that carry out jobs; their subjects are a run or an entry.
const (
	RunTask     = "run"
	EntryTask   = "entry"
	DeliverTask = "deliver"
)

// EntryState is where an entry of a run is.
type EntryState string

// The states of entries.
const (
	EntryQueued     EntryState = "queued"
	EntryRendering  EntryState = "rendering" // told of one that is queued and being made; versions before wrote it
	EntryReview     EntryState = "review"
	EntryDelivering EntryState = "delivering"
	EntryCompleted  EntryState = "completed"
	EntryError      EntryState = "error"
	EntryRejected   EntryState = "rejected"
)

// RunState is where a run as a whole is.
type RunState string

// The states of runs.
const (
	RunStarting RunState = "starting" // its data is loaded, or its entries are written; the first ones may be made already
	RunStarted  RunState = "started"
	RunFailed   RunState = "failed" // not all entries could be written, mostly none
)

const (
	runContents      = "runs"
	documentContents = "documents"
)

// JobRow is a job in a list.
type JobRow struct {
	ID      int
	Job     *report.Job
	LastRun *time.Time
}

// Jobs lists the jobs of a workspace in their order.
func (s *Store) Jobs(ctx context.Context, workspaceID int) ([]JobRow, error) {
	library, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	var last []struct {
		JobID int    `db:"job_id"`
		At    *int64 `db:"at"`
	}
	err = s.db.list(ctx, &last, `SELECT j.id AS job_id, (SELECT r.created_at FROM job_runs r WHERE r.job_id = j.id ORDER BY r.id DESC LIMIT 1) AS at
		FROM resources j WHERE j.workspace_id = ? AND j.kind = 'job'`, workspaceID)
	if err != nil {
		return nil, err
	}
	at := map[int]*time.Time{}
	for _, l := range last {
		at[l.JobID] = fromMillisOrNil(l.At)
	}
	rows := make([]JobRow, len(library.Jobs))
	for i, e := range library.Jobs {
		rows[i] = JobRow{e.ID, e.Definition, at[e.ID]}
	}
	return rows, nil
}

// Job finds a job by ID or code. The definition is the caller's own to change;
// what hangs on it is shared.
func (s *Store) Job(ctx context.Context, workspaceID int, ref string) (id int, job *report.Job, err error) {
	library, err := s.Library(ctx, workspaceID)
	if err != nil {
		return 0, nil, err
	}
	number, isID := refID(ref)
	for _, e := range library.Jobs {
		if isID && e.ID == number || !isID && e.Key == codeKey(ref) {
			definition := *e.Definition
			return e.ID, &definition, nil
		}
	}
	return 0, nil, report.NotFoundf("job %q does not exist", ref)
}

// NewRun starts a run of a job.
type NewRun struct {
	WorkspaceID, JobID int
	UserID             int        // 0 when nobody asked for it
	Planned            *time.Time // of the schedule; a time is planned once
	Document           []byte     // the definition
	Params, Data       []byte     // JSON objects, or nil
	Once               Once
}

// CreateRun makes a run and queues its start. A planned time that has a run
// already is a Problem of kind Conflict.
func (s *Store) CreateRun(ctx context.Context, r NewRun) (id int, err error) {
	task, err := s.prepareTask(ctx, NewTask{Kind: RunTask, WorkspaceID: r.WorkspaceID, Priority: Batch, Payload: r.Data})
	if err != nil {
		return 0, err
	}
	id, fresh, err := s.once(ctx, r.Once, func(t tx) (int, error) {
		return s.insertRun(ctx, t, r, task)
	})
	if err != nil || !fresh {
		s.abandon(ctx, task)
	}
	return id, err
}

func (s *Store) insertRun(ctx context.Context, t tx, r NewRun, task preparedTask) (id int, err error) {
	var user *int
	if r.UserID != 0 {
		user = &r.UserID
	}
	err = t.get(ctx, &id, `INSERT INTO job_runs (workspace_id, job_id, user_id, planned_at, state, document, params, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		r.WorkspaceID, r.JobID, user, toMillisOrNil(r.Planned), RunStarting, string(r.Document), string(r.Params), s.now())
	if err != nil {
		return 0, orNoReference(err, "job %d does not exist", r.JobID)
	}
	task.Subject = id
	if err := s.enqueue(ctx, t, task); err != nil {
		return 0, err
	}
	return id, s.recordRun(ctx, t, AuditRunStarted, &Run{ID: id, WorkspaceID: r.WorkspaceID, JobID: r.JobID}, map[string]any{"planned": r.Planned})
}

// recordRun records what is done to a run; it goes by the name of its job.
func (s *Store) recordRun(ctx context.Context, t tx, a Action, r *Run, detail map[string]any) error {
	var keys []string
	if err := t.list(ctx, &keys, "SELECT key FROM resources WHERE id = ?", r.JobID); err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: a, WorkspaceID: r.WorkspaceID, Target: Target{targetRun, strconv.Itoa(r.ID), strings.Join(keys, "")}, Detail: detail})
}

// Run is a run of a job.
type Run struct {
	ID, WorkspaceID, JobID int
	UserID                 int
	State                  RunState
	Error                  string
	Document               string
	Params                 string
	Created                time.Time
	Ended                  *time.Time // nil while something of it is to be done
	Cancelled              *time.Time // nil unless it was cancelled
	Deliver                Deliverable
	ReviewTold             bool // whether it was told that it waits for its review
	dataKey                string
}

type runRow struct {
	ID          int      `db:"id"`
	WorkspaceID int      `db:"workspace_id"`
	JobID       int      `db:"job_id"`
	UserID      *int     `db:"user_id"`
	State       RunState `db:"state"`
	Error       string   `db:"error"`
	Document    string   `db:"document"`
	Params      string   `db:"params"`
	DataKey     *string  `db:"data_key"`
	Created     int64    `db:"created_at"`
	Ended       *int64   `db:"ended_at"`

	Cancelled  *int64      `db:"cancelled_at"`
	Deliver    Deliverable `db:"deliver"`
	ReviewTold *int64      `db:"review_told_at"`
}

const (
	runColumns = headColumns + ", document, params"
	// headColumns are all but the definition, which may hold megabytes of data, and
	// the values of parameters.
	headColumns = "id, workspace_id, job_id, user_id, state, error, data_key, created_at, ended_at, cancelled_at, deliver, review_told_at"
)

func (r *runRow) run() Run {
	run := Run{ID: r.ID, WorkspaceID: r.WorkspaceID, JobID: r.JobID, State: r.State, Error: r.Error, Document: r.Document, Params: r.Params, Created: fromMillis(r.Created), Ended: fromMillisOrNil(r.Ended), Cancelled: fromMillisOrNil(r.Cancelled), Deliver: r.Deliver, ReviewTold: r.ReviewTold != nil}
	if r.UserID != nil {
		run.UserID = *r.UserID
	}
	if r.DataKey != nil {
		run.dataKey = *r.DataKey
	}
	return run
}

// Run finds a run.
func (s *Store) Run(ctx context.Context, id int) (*Run, error) { return s.run(ctx, id, runColumns) }

// RunHead finds a run without its definition and the values of its parameters.
func (s *Store) RunHead(ctx context.Context, id int) (*Run, error) {
	return s.run(ctx, id, headColumns)
}

func (s *Store) run(ctx context.Context, id int, columns string) (*Run, error) {
	var r runRow
	if err := s.db.get(ctx, &r, "SELECT "+columns+" FROM job_runs WHERE id = ?", id); err != nil {
		return nil, orNotFound(err, "run %d does not exist", id)
	}
	run := r.run()
	return &run, nil
}

// Runs lists the runs of a job as RunHead finds them, the newest first, from before a
// run on when that is not 0.
func (s *Store) Runs(ctx context.Context, jobID, before, limit int) ([]Run, error) {
	if before == 0 {
		before = math.MaxInt
	}
	var rows []runRow
	// The job stands in the bounds and not beside them, as PostgreSQL may else read the
	// newest runs of all jobs for those of this one.
	if err := s.db.list(ctx, &rows, "SELECT "+headColumns+" FROM job_runs WHERE (job_id, id) > (?, 0) AND (job_id, id) < (?, CAST(? AS BIGINT)) ORDER BY job_id DESC, id DESC LIMIT ?", jobID, jobID, before, limit); err != nil {
		return nil, err
	}
	runs := make([]Run, len(rows))
	for i := range rows {
		runs[i] = rows[i].run()
	}
	return runs, nil
}

// RunData reads the whole data set of a run.
func (s *Store) RunData(ctx context.Context, r *Run) ([]byte, error) {
	if r.dataKey == "" {
		return []byte("{}"), nil
	}
	content, err := s.contents.Open(ctx, r.dataKey)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	return io.ReadAll(content)
}

// FailRun ends a run that could not make its entries. Those that were written
// before go on.
func (s *Store) FailRun(ctx context.Context, id int, reason string) error {
	_, err := s.db.exec(ctx, "UPDATE job_runs SET state = ?, error = ? WHERE id = ? AND state = ?", RunFailed, reason, id, RunStarting)
	return err
}

// JobEntry is one entry of a run. (Entry is a definition with its identity.)
type JobEntry struct {
	ID       int        `db:"id"`
	RunID    int        `db:"run_id"`
	Position int        `db:"position"` // from 1
	Record   string     `db:"record"`
	State    EntryState `db:"state"`
	Error    string     `db:"error"` // why it failed; of one that did not, its warnings, a line each

	Definition int         `db:"definition"` // number of the definition it is made with; 0 is the run's
	Deliver    Deliverable `db:"deliver"`
}

// Failed tells whether an entry ended otherwise than it should.
func (e JobEntry) Failed() bool { return e.State == EntryError || e.State == EntryRejected }

// Told is why an entry failed, or what was warned of.
func (e JobEntry) Told() (reason string, warnings []string) { return told(e.Failed(), e.Error) }

func told(failed bool, text string) (reason string, warnings []string) {
	if failed || text == "" {
		return text, nil
	}
	return "", strings.Split(text, "\n")
}

const entryColumns = "id, run_id, position, record, state, error, definition, deliver"

// beingMade is the condition for an entry of the table, or of the alias, e, which is
// queued, that somebody makes it: that follows from its task. Versions before wrote it
// into the entry as well.
func (s *Store) beingMade(e string) string {
	return "EXISTS (SELECT 1 FROM queue q WHERE q.kind = 'entry' AND q.subject = " + e + ".id AND q.owner > '' AND q.lease_until > " + s.shared() + ")"
}

// shownEntries are the columns of entries of a table, or of an alias, with their states
// as people are told them.
func (s *Store) shownEntries(e string) string {
	return strings.Replace(entryColumns, "state", "CASE WHEN "+e+".state = 'queued' AND "+s.beingMade(e)+" THEN 'rendering' ELSE "+e+".state END AS state", 1)
}

// Entry finds an entry.
func (s *Store) Entry(ctx context.Context, id int) (*JobEntry, error) {
	var e JobEntry
	err := s.db.get(ctx, &e, "SELECT "+entryColumns+" FROM job_entries WHERE id = ?", id)
	return &e, orNotFound(err, "entry %d does not exist", id)
}

// Entries lists entries of a run in their order, after a position.
func (s *Store) Entries(ctx context.Context, runID, after, limit int) ([]JobEntry, error) {
	entries := []JobEntry{}
	err := s.db.list(ctx, &entries, "SELECT "+s.shownEntries("job_entries")+" FROM job_entries WHERE run_id = ? AND position > ? ORDER BY position LIMIT ?", runID, after, limit)
	return entries, err
}

// EntriesIn lists entries of a run that are in a state, or all for the empty
// one, in their order, after a position.
func (s *Store) EntriesIn(ctx context.Context, runID int, state EntryState, after, limit int) ([]JobEntry, error) {
	if state == "" {
		return s.Entries(ctx, runID, after, limit)
	}
	entries := []JobEntry{}
	query, args := s.inStates(EntryQuery{RunID: runID, States: []EntryState{state}, After: after, Limit: limit}, entryColumns)
	return entries, s.db.list(ctx, &entries, "SELECT "+s.shownEntries("found")+" FROM ("+query+") AS found ORDER BY position", args...)
}

// MoveEntry moves an entry from one of some states; false when it is in none.
func (s *Store) MoveEntry(ctx context.Context, id int, to EntryState, reason string, from ...EntryState) (bool, error) {
	return s.moveEntry(ctx, s.db.exec, id, to, reason, from...)
}

// EntryToMake finds an entry that is to be made; nil when it is not, with the run that
// it is of.
func (s *Store) EntryToMake(ctx context.Context, id int) (e *JobEntry, runID int, err error) {
	e, err = s.Entry(ctx, id)
	if err != nil || e.State == EntryQueued || e.State == EntryRendering {
		return e, e.RunID, err
	}
	return nil, e.RunID, nil
}

// keptWarnings is what is told of an entry from now on; approving one forgets
// no warnings.
const keptWarnings = "CASE WHEN state = 'review' AND ? = 'delivering' THEN error ELSE ? END"

type executor func(ctx context.Context, query string, args ...any) (int, error)

func (s *Store) moveEntry(ctx context.Context, exec executor, id int, to EntryState, reason string, from ...EntryState) (bool, error) {
	query, args, err := sqlx.In("UPDATE job_entries SET state = ?, error = "+keptWarnings+", updated_at = ? WHERE id = ? AND state IN (?)", to, to, reason, s.now(), id, from)
	if err != nil {
		return false, err
	}
	n, err := exec(ctx, query, args...)
	return n > 0, err
}
