package store

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
)

// Priority of work that waits; lower comes first.
type Priority int

// The priorities.
const (
	Interactive Priority = 1 // somebody waits for it
	Batch       Priority = 2
)

// String is the name of a priority, as metrics have it.
func (p Priority) String() string {
	if p == Interactive {
		return "interactive"
	}
	return "batch"
}

// NewTask is work to be queued.
type NewTask struct {
	Kind        string
	WorkspaceID int
	Run         int // that the work is of; 0 for none
	Subject     int // what the work is done on, unique within the kind
	Priority    Priority
	Payload     []byte
	Secret      report.Secret // goes with the task
}

// Task is work that this process has taken.
type Task struct {
	ID          int64    `db:"id"`
	Kind        string   `db:"kind"`
	WorkspaceID int      `db:"workspace_id"`
	Subject     int      `db:"subject"`
	Priority    Priority `db:"priority"`
	Attempts    int      `db:"attempts"` // this one included
	Owner       string   `db:"owner"`
	Payload     string   `db:"payload"`
	PayloadKey  *string  `db:"payload_key"`
	Sealed      string   `db:"secret"`
	CreatedMS   int64    `db:"created_at"`
	Trace       string   `db:"trace"`    // traceparent of what queued it; empty without
	Revision    int      `db:"revision"` // of the workspace when the task was taken

	Entry     *JobEntry     `db:"-"` // that is to be made, when it was read with the claim, or to be delivered
	Documents []JobDocument `db:"-"` // that are to be delivered
	first     bool          // the entry had no documents when it was read

	Run  int       `db:"run_id"` // that the work is of; the worker fills it in for what an older version queued
	Then []NewTask `db:"-"`      // queued when this one is finished, as its worker says
	End  *EntryEnd `db:"-"`      // of the work on an entry, as its worker says; see EndEntries
}

// Created is when the task was queued.
func (t *Task) Created() time.Time { return fromMillis(t.CreatedMS) }

const (
	taskContents = "requests"
	// inlinePayload is up to how many bytes a payload stays in the table.
	inlinePayload = 64 << 10
)

// preparedTask has its payload where it belongs, which is done before the
// transaction: contents may be far away.
type preparedTask struct {
	NewTask
	payload string
	key     *string
	trace   string // empty: that of whoever queues it
}

func (s *Store) prepareTask(ctx context.Context, t NewTask) (preparedTask, error) {
	if len(t.Payload) <= inlinePayload {
		return preparedTask{NewTask: t, payload: string(t.Payload)}, nil
	}
	key := contentKey(taskContents)
	_, err := s.contents.Put(ctx, key, "application/json", bytes.NewReader(t.Payload))
	return preparedTask{NewTask: t, key: &key}, err
}

// abandon removes what prepareTask wrote.
func (s *Store) abandon(ctx context.Context, t preparedTask) {
	if t.key != nil {
		s.discard(ctx, *t.key)
	}
}

// enqueue queues tasks and tells those who listen.
func (s *Store) enqueue(ctx context.Context, t tx, tasks ...preparedTask) error {
	if len(tasks) == 0 {
		return nil
	}
	if err := s.insertTasks(ctx, t, tasks...); err != nil {
		return err
	}
	return t.tellQueued(ctx)
}

// insertTasks queues tasks of one workspace, priority, kind and run. The workspaces
// of a priority take turns, so do the kinds of work of each, and of each kind the
// runs. So what is made is delivered while the rest is still being made, and a small
// run does not wait for the large one before it.
func (s *Store) insertTasks(ctx context.Context, t tx, tasks ...preparedTask) error {
	last, stride, err := s.turns(ctx, t, tasks[0].NewTask)
	if err != nil {
		return err
	}
	now, trace := s.now(), tracing.Parent(ctx)
	queued := 0
	for some := range slices.Chunk(tasks, 500) {
		rows := make([][]any, 0, len(some))
		for _, task := range some {
			sealed := ""
			if task.Secret != "" {
				sealed = s.seal.seal(taskPlace(task.Kind, task.Subject), task.Secret)
			}
			if queued++; queued > foreseen {
				stride = 1
			}
			last += stride
			rows = append(rows, []any{task.Kind, task.WorkspaceID, task.Run, task.Subject, task.Priority, last, task.payload, task.key, sealed, cmp.Or(task.trace, trace)})
		}
		v, args, err := s.db.given([]string{plain, bigint, bigint, bigint, bigint, bigint, plain, plain, plain, plain}, rows)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `INSERT INTO queue (kind, workspace_id, run_id, subject, priority, turn, run_at, payload, payload_key, secret, created_at, trace)
			SELECT v.column1, v.column2, v.column3, v.column4, v.column5, v.column6, 0, v.column7, v.column8, v.column9, CAST(? AS BIGINT), v.column10 FROM `+v,
			slices.Concat([]any{now}, args)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// foreseen is for how many tasks that are queued together the other runs are thought
// to go on; nobody knows how many there are when later ones have their turns.
const foreseen = 200

// turns tells after which turn tasks are queued, and how far they are apart: a run
// goes on after its last task, but not before the work that is begun next, beside
// which it comes, and as many turns apart as its workspace has runs with work of the
// kind. What waits to be tried again has had its turn, and holds nobody back there; nor
// does what is being done, which may have begun long ago, nor work that nobody does now,
// as long as there is some of its own.
func (s *Store) turns(ctx context.Context, t tx, of NewTask) (last, stride int64, err error) {
	var found struct{ Own, Begun, Others int64 }
	kind := []any{of.WorkspaceID, of.Priority, of.Kind}
	due := " AND run_at <= " + s.shared() + " ORDER BY turn LIMIT 1"
	free := " AND COALESCE(owner, '') <= ''" + due
	// The runs are found one by one in the index, however many tasks each has. For MIN
	// and MAX PostgreSQL would read them all where it thinks that there are few.
	err = t.get(ctx, &found, `WITH RECURSIVE runs (id) AS (
			SELECT (SELECT run_id FROM queue WHERE workspace_id = ? AND priority = ? AND kind = ? ORDER BY run_id LIMIT 1)
			UNION ALL SELECT (SELECT run_id FROM queue WHERE workspace_id = ? AND priority = ? AND kind = ? AND run_id > runs.id ORDER BY run_id LIMIT 1) FROM runs WHERE runs.id IS NOT NULL)
		SELECT (SELECT COUNT(*) FROM runs WHERE id <> ?) AS others,
			COALESCE((SELECT turn FROM queue WHERE workspace_id = ? AND priority = ? AND kind = ? AND run_id = ? ORDER BY turn DESC LIMIT 1), 0) AS own,
			COALESCE((SELECT turn - 1 FROM queue WHERE priority = ?`+WorkOf(of.Kind).only()+free+`), (SELECT turn FROM queue WHERE priority = ?`+WorkOf(of.Kind).only()+due+`), (SELECT turn FROM queue WHERE priority = ?`+due+`), 0) AS begun`,
		slices.Concat(kind, kind, []any{of.Run}, kind, []any{of.Run, of.Priority, of.Priority, of.Priority})...)
	return max(found.Own, found.Begun), 1 + found.Others, err
}

// ClaimTasks takes tasks whose turn it is, for an owner until a lease ends. Those that an owner left without a word are
// suspects, see ClaimSuspect. Leases are measured by the database's clock, never
// by a host's.
func (s *Store) ClaimTasks(ctx context.Context, c Claim) (tasks []Task, err error) {
	err = s.db.inTx(ctx, func(t tx) (err error) {
		tasks, err = s.claim(ctx, t, c)
		return err
	})
	return tasks, err
}

const (
	taskColumns = "id, kind, workspace_id, run_id, subject, priority, attempts, owner, payload, payload_key, secret, created_at, trace, COALESCE((SELECT revision FROM workspaces w WHERE w.id = queue.workspace_id), 0) AS revision"
	// alone begins the name of an owner that does one task and nothing beside it.
	alone = "alone "
)

// free is the condition of the tasks of a priority, and of some work, that nobody owns. They are read in
// the order of the queue until there are enough: COALESCE keeps SQLite from finding all
// of them by the index of owners and sorting them, each time anew, and <= lets PostgreSQL
// expect many of them whatever the queue held when it last looked, so that it does not
// read and sort the whole queue either.
func (s *Store) free(only Work) string {
	return "priority <= ? AND run_at <= " + s.shared() + " AND COALESCE(owner, '') <= ''" + only.only()
}

// suspects is the condition of the tasks whose owner let its lease end: one of
// them may have ended it, and the others only shared its fate. They are found by
// the index of owners, among those that somebody works on.
func (s *Store) suspects(only Work) string {
	return "owner > '' AND lease_until <= " + s.shared() + " AND run_at <= " + s.shared() + only.also()
}

// Waits tells whether there is something for ClaimSuspect, and something of a
// priority or better for ClaimTasks, of some work. Idle processes ask this, as
// it changes nothing.
func (s *Store) Waits(ctx context.Context, worst Priority, only Work) (suspects, tasks bool, err error) {
	var there struct{ Suspects, Tasks bool }
	query := "SELECT EXISTS (SELECT 1 FROM queue WHERE " + s.suspects(only) + ") AS suspects, EXISTS (SELECT 1 FROM queue WHERE " + s.free(only) + ") AS tasks"
	err = s.db.get(ctx, &there, query, worst)
	return there.Suspects, there.Tasks, err
}

// ClaimSuspect takes one task of some work whose owner let its lease end, or
// none. Whether that counts as an attempt depends on whether it was alone with
// the task; a process that is alone with it now says so. When that one ends,
// too, the task waits before the next, four times as long each time up to 64
// times: a process that is killed again and again for another reason uses up
// the attempts of what it happens to do only when that goes on for longer than
// these pauses.
func (s *Store) ClaimSuspect(ctx context.Context, owner string, only Work, isAlone bool, lease, wait time.Duration) ([]Task, error) {
	if isAlone {
		owner = alone + owner
	} else {
		wait = 0
	}
	tasks := []Task{}
	now := s.shared()
	query := `UPDATE queue SET owner = ?, lease_until = ` + now + ` + ?,
		run_at = ` + now + ` + CAST(? AS BIGINT) * (1 << CAST(2 * CASE WHEN attempts > 3 THEN 3 WHEN owner LIKE '` + alone + `%' THEN attempts ELSE attempts - 1 END AS INTEGER)),
		attempts = attempts + CASE WHEN owner LIKE '` + alone + `%' THEN 1 ELSE 0 END WHERE id IN (
		SELECT id FROM queue WHERE ` + s.suspects(only) + ` ORDER BY attempts, priority, turn, id LIMIT 1 ` + s.db.skipLocked + `)
		RETURNING ` + taskColumns
	err := s.db.change(ctx, &tasks, query, owner, lease.Milliseconds(), wait.Milliseconds())
	return tasks, err
}

// RenewTasks prolongs the leases of the tasks that an owner works on and tells
// which of them it holds: one that is missing was cancelled, or taken over as
// its lease had ended. A task that the owner holds without knowing, as the
// database's answer was lost, is not prolonged, and so becomes free.
func (s *Store) RenewTasks(ctx context.Context, owner string, working []int64, lease time.Duration) (map[int64]bool, error) {
	held := make(map[int64]bool, len(working))
	if len(working) == 0 {
		return held, nil
	}
	// In their order, as whoever ends several locks them.
	these, args := among(&s.db.dialect, "id", working)
	var ids []int64
	err := s.db.change(ctx, &ids, "UPDATE queue SET lease_until = "+s.shared()+" + ? WHERE id IN (SELECT id FROM queue WHERE owner IN (?, ?) AND "+these+" ORDER BY id "+s.db.forUpdate+") RETURNING id",
		slices.Concat([]any{lease.Milliseconds(), owner, alone + owner}, args)...)
	for _, id := range ids {
		held[id] = true
	}
	return held, err
}

// FinishTask removes a task that is done, if its owner still holds it, and
// queues what comes then, both or neither.
func (s *Store) FinishTask(ctx context.Context, task *Task) error {
	const remove = "DELETE FROM queue WHERE id = ? AND owner = ?"
	var held int
	var err error
	if len(task.Then) == 0 {
		held, err = s.db.exec(ctx, remove, task.ID, task.Owner)
	} else {
		err = s.db.inTx(ctx, func(t tx) (err error) {
			if held, err = t.exec(ctx, remove, task.ID, task.Owner); err != nil || held == 0 {
				return err
			}
			return s.enqueueNew(ctx, t, task.Then...)
		})
	}
	if err == nil && held > 0 && task.PayloadKey != nil {
		s.discard(ctx, *task.PayloadKey)
	}
	return err
}

// ReleaseTask gives a task back, to be taken after a while. An attempt that was
// cut short, as the process stops, does not count.
func (s *Store) ReleaseTask(ctx context.Context, task *Task, after time.Duration, counts bool) error {
	attempts := task.Attempts
	if !counts {
		attempts--
	}
	_, err := s.db.exec(ctx, "UPDATE queue SET owner = '', lease_until = 0, attempts = ?, run_at = "+s.shared()+" + ? WHERE id = ? AND owner = ?",
		attempts, after.Milliseconds(), task.ID, task.Owner)
	return err
}

// FreeTasks ends all leases. Only the one process that owns an SQLite file may
// call it, at its start: nobody else can hold one.
func (s *Store) FreeTasks(ctx context.Context) (int, error) {
	if s.db.lock == nil {
		return 0, nil
	}
	return s.db.exec(ctx, "UPDATE queue SET lease_until = 0 WHERE lease_until > 0")
}

// TaskPayload is what a task was queued with.
func (s *Store) TaskPayload(ctx context.Context, task *Task) ([]byte, report.Secret, error) {
	payload := []byte(task.Payload)
	if task.PayloadKey != nil {
		content, err := s.contents.Open(ctx, *task.PayloadKey)
		if err != nil {
			return nil, "", err
		}
		defer func() { _ = content.Close() }()
		if payload, err = io.ReadAll(content); err != nil {
			return nil, "", err
		}
	}
	if task.Sealed == "" {
		return payload, "", nil
	}
	secret, err := s.seal.open(taskPlace(task.Kind, task.Subject), task.Sealed)
	return payload, secret, err
}

// QueueSize tells how many tasks wait and how many are being done.
func (s *Store) QueueSize(ctx context.Context) (waiting, running int, err error) {
	var size struct {
		All     int `db:"every"`
		Running int `db:"running"`
	}
	err = s.db.get(ctx, &size, "SELECT COUNT(*) AS every, COUNT(CASE WHEN lease_until > "+s.shared()+" THEN 1 END) AS running FROM queue")
	return size.All - size.Running, size.Running, err
}

// taskPlace is where the secret of a task belongs.
func taskPlace(kind string, subject int) string { return "queue/" + kind + "/" + strconv.Itoa(subject) }
