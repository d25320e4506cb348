package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DeliveryState is where a delivery of an entry is.
type DeliveryState string

// The states of deliveries.
const (
	DeliverySending   DeliveryState = "sending" // or, after a crash, perhaps sent
	DeliverySent      DeliveryState = "sent"
	DeliverySkipped   DeliveryState = "skipped"   // its condition was not true
	DeliveryFailed    DeliveryState = "failed"    // nothing was sent
	DeliveryUncertain DeliveryState = "uncertain" // it may have been sent; never sent again by itself
	DeliveryCollected DeliveryState = "collected" // the entry's documents go with the delivery of the run
	DeliveryWaiting   DeliveryState = "waiting"   // it failed and is to be tried once more
)

// settled tells whether nothing is done about a delivery any more by itself.
func (d DeliveryState) settled() bool {
	return d == DeliverySent || d == DeliverySkipped || d == DeliveryUncertain || d == DeliveryCollected
}

// JobDeliveryRow is one delivery of an entry, or of a run as a whole.
type JobDeliveryRow struct {
	Owner    int           `db:"owner"`    // ID of the entry or run
	Position int           `db:"position"` // in the job's list, from 1
	State    DeliveryState `db:"state"`
	Attempts int           `db:"attempts"`
	Key      string        `db:"send_key"` // the same in every attempt
	Error    string        `db:"error"`    // why it failed; of one that did not, its warnings, a line each
	Receipt  string        `db:"receipt"`
	Updated  int64         `db:"updated_at"` // milliseconds since 1970

	// Refused is set when the delivery was not begun, though it is not settled:
	// the run was cancelled, or others were chosen.
	Refused bool `db:"-"`
}

// Told is why a delivery failed, or what was warned of.
func (d JobDeliveryRow) Told() (reason string, warnings []string) {
	return told(d.State != DeliverySent && d.State != DeliverySkipped && d.State != DeliveryCollected, d.Error)
}

// Deliveries lists what became of the deliveries of an entry.
func (s *Store) Deliveries(ctx context.Context, entryID int) ([]JobDeliveryRow, error) {
	return s.deliveries(ctx, ofEntry, entryID)
}

// EndDelivery records what became of a delivery.
func (s *Store) EndDelivery(ctx context.Context, entryID, position int, state DeliveryState, reason, receipt string) error {
	return s.endDelivery(ctx, ofEntry, entryID, position, state, reason, receipt)
}

// Now is when the job was found to be due.
func (j *ScheduledJob) Now() time.Time { return fromMillis(j.NowMS) }

// ScheduledJob is a job whose next time is unknown or has come.
type ScheduledJob struct {
	JobID       int    `db:"id"`
	WorkspaceID int    `db:"workspace_id"`
	Revision    int    `db:"revision"`
	Document    string `db:"document"`
	Known       *int   `db:"known"` // revision of the definition that Next is of
	Next        *int64 `db:"next_at"`
	NowMS       int64  `db:"now"` // of the database, so that all hosts plan by one clock
}

// DueJobs lists the jobs that were changed since their next time was worked
// out, and those whose time has come.
func (s *Store) DueJobs(ctx context.Context) ([]ScheduledJob, error) {
	jobs := []ScheduledJob{}
	err := s.db.list(ctx, &jobs, `SELECT r.id, r.workspace_id, r.revision, r.document, s.revision AS known, s.next_at, `+s.shared()+` AS now
		FROM resources r LEFT JOIN job_schedules s ON s.job_id = r.id
		WHERE r.kind = 'job' AND (s.revision IS NULL OR s.revision <> r.revision OR s.next_at <= `+s.shared()+`) ORDER BY s.next_at, r.id LIMIT 500`)
	return jobs, err
}

// PlanJob records when a job runs next (nil: never) and, when run is set,
// starts the run of the time that has come: both or neither, and once, however
// many processes do it. False when another process was first, or when that time
// was run before.
func (s *Store) PlanJob(ctx context.Context, j ScheduledJob, next *time.Time, run *NewRun) (planned bool, err error) {
	planned, err = s.planJob(ctx, j, next, run)
	if errors.Is(err, errDuplicate) {
		_, err = s.planJob(ctx, j, next, nil) // else its next time would never come
		return false, err
	}
	return planned, err
}

func (s *Store) planJob(ctx context.Context, j ScheduledJob, next *time.Time, run *NewRun) (planned bool, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		planned = false
		n, err := s.setNext(ctx, t, j, toMillisOrNil(next))
		if err != nil || n == 0 {
			return err
		}
		planned = true
		if run == nil {
			return nil
		}
		_, err = s.insertRun(ctx, t, *run, preparedTask{NewTask: NewTask{Kind: RunTask, WorkspaceID: run.WorkspaceID, Priority: Batch}})
		return err
	})
	return planned && err == nil, err
}

func (s *Store) setNext(ctx context.Context, t tx, j ScheduledJob, next *int64) (int, error) {
	if j.Known == nil {
		return t.exec(ctx, "INSERT INTO job_schedules (job_id, revision, next_at) VALUES (?, ?, ?) ON CONFLICT (job_id) DO NOTHING", j.JobID, j.Revision, next)
	}
	if j.Next == nil {
		return t.exec(ctx, "UPDATE job_schedules SET revision = ?, next_at = ? WHERE job_id = ? AND revision = ? AND next_at IS NULL", j.Revision, next, j.JobID, *j.Known)
	}
	return t.exec(ctx, "UPDATE job_schedules SET revision = ?, next_at = ? WHERE job_id = ? AND revision = ? AND next_at = ?", j.Revision, next, j.JobID, *j.Known, *j.Next)
}

// UntilNextRun is how long it is until the next time that is to come of all
// schedules; nil means that there is none.
func (s *Store) UntilNextRun(ctx context.Context) (*time.Duration, error) {
	var ms *int64
	err := s.db.get(ctx, &ms, "SELECT MIN(next_at) - "+s.shared()+" FROM job_schedules WHERE next_at > "+s.shared())
	if err != nil || ms == nil {
		return nil, err
	}
	until := time.Duration(max(*ms, 1)) * time.Millisecond
	return &until, nil
}

// NextRun is when a job runs next by its schedule; nil means never, or that it
// is not worked out yet.
func (s *Store) NextRun(ctx context.Context, jobID int) (*time.Time, error) {
	var next *int64
	err := s.db.get(ctx, &next, "SELECT next_at FROM job_schedules WHERE job_id = ?", jobID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return fromMillisOrNil(next), err
}
