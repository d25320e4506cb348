package store

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"
)

// entriesAtOnce is how many entries of a run are written in one transaction at most.
// Nobody else writes to an SQLite file meanwhile.
const entriesAtOnce = 500

// HasData tells whether the data set of a run is kept: its entries are those of this
// data, however often it is begun.
func (r *Run) HasData() bool { return r.dataKey != "" }

// Records are what the entries of a run are made of. Each is written when its turn
// comes, so that there are never all of them in memory.
type Records interface {
	Len() int
	At(i int) ([]byte, error)
}

// BeginRun keeps the data set of a run, which data writes, unless it is kept, writes an
// entry of each record and queues it. That goes on where an earlier attempt ended. False
// when nothing is to be done any more.
func (s *Store) BeginRun(ctx context.Context, r *Run, params []byte, data func(io.Writer) error, records Records) (begun bool, err error) {
	if !r.HasData() {
		if err := s.keepRunData(ctx, r, params, data, records.Len()); err != nil {
			return false, err
		}
	}
	for more := true; more; {
		if begun, more, err = s.writeEntries(ctx, r, records); err != nil || !begun {
			return false, err
		}
	}
	return true, nil
}

// errBegunElsewhere is what a run is begun with when it is to be tried again.
var errBegunElsewhere = errors.New("another process begins the run, or has ended it")

// keepRunData keeps what a run begins with, once. When another process was faster,
// this one must try again, with what that has kept.
func (s *Store) keepRunData(ctx context.Context, r *Run, params []byte, data func(io.Writer) error, entries int) error {
	key := contentKey(runContents)
	written, writes := io.Pipe()
	go func() { writes.CloseWithError(data(writes)) }()
	_, err := s.contents.Put(ctx, key, "application/json", written)
	_ = written.Close() // else the writer may wait for ever
	if err != nil {
		return err
	}
	n, err := s.db.exec(ctx, "UPDATE job_runs SET data_key = ?, params = ?, entries = ? WHERE id = ? AND state = ? AND data_key IS NULL", key, string(params), entries, r.ID, RunStarting)
	if err == nil && n == 0 {
		s.discard(ctx, key)
		return errBegunElsewhere
	}
	return err
}

// writeEntries writes the next entries of a run and queues them, or leaves that to
// FeedRuns. It tells whether there are more; not begun when the run was begun before,
// or cancelled.
func (s *Store) writeEntries(ctx context.Context, r *Run, records Records) (begun, more bool, err error) {
	var began time.Time
	wrote := 0
	err = s.db.inTx(ctx, func(t tx) error {
		begun, more, wrote = false, false, 0
		// The lock keeps two from writing the same, and from writing to a cancelled run.
		n, err := t.exec(ctx, "UPDATE job_runs SET state = state WHERE id = ? AND state = ?", r.ID, RunStarting)
		if err != nil || n == 0 {
			return err
		}
		var written int
		if err := t.get(ctx, &written, "SELECT COALESCE(MAX(position), 0) FROM job_entries WHERE run_id = ?", r.ID); err != nil {
			return err
		}
		begun = true
		began = time.Now()
		left, most := max(0, records.Len()-written), s.pace.next(entriesAtOnce)
		if more = left > most; !more {
			if _, err := t.exec(ctx, "UPDATE job_runs SET state = ? WHERE id = ?", RunStarted, r.ID); err != nil {
				return err
			}
		}
		if wrote = min(left, most); wrote == 0 {
			return nil
		}
		some := make([][]byte, wrote)
		for i := range some {
			if some[i], err = records.At(written + i); err != nil {
				return err
			}
		}
		ids, err := s.insertEntries(ctx, t, r.ID, written, some)
		switch {
		case err != nil:
			return err
		case records.Len() <= queuedWhole:
			return s.enqueue(ctx, t, tasksOf(EntryTask, r, ids)...)
		}
		// What was written without that, a process of the version before has queued.
		_, err = t.exec(ctx, "UPDATE job_runs SET next_position = COALESCE(next_position, ?) WHERE id = ?", written+1, r.ID)
		return err
	})
	if err == nil {
		s.noteHeld(wrote, began)
	}
	return begun, more, err
}

// insertEntries makes entries of a run after a position and gives their IDs in their
// order.
func (s *Store) insertEntries(ctx context.Context, t tx, runID, after int, records [][]byte) ([]int, error) {
	rows := make([][]any, len(records))
	for i, record := range records {
		rows[i] = []any{after + i + 1, string(record)}
	}
	v, args, err := s.db.given([]string{bigint, plain}, rows)
	if err != nil {
		return nil, err
	}
	var made []struct{ ID, Position int }
	err = t.list(ctx, &made, `INSERT INTO job_entries (run_id, position, record, state, updated_at)
		SELECT CAST(? AS BIGINT), v.column1, v.column2, 'queued', CAST(? AS BIGINT) FROM `+v+" RETURNING id, position", slices.Concat([]any{runID, s.now()}, args)...)
	ids := make([]int, len(records))
	for _, m := range made {
		ids[m.Position-after-1] = m.ID
	}
	return ids, err
}
