package store

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// Counts tells how many entries of a run are in each state that there are any in.
// Those that are being made count as queued.
type Counts map[EntryState]int

// countedStates are those that triggers of the database count, each in the column
// of job_counts of its name. The other entries of a run are still to be made.
func countedStates() []EntryState {
	return []EntryState{EntryReview, EntryDelivering, EntryCompleted, EntryError, EntryRejected}
}

// RunCounts tells how many entries of a run are in each state. Those that are still
// to be written are queued.
func (s *Store) RunCounts(ctx context.Context, runID int) (Counts, error) {
	return countEntries(ctx, s.db.list, runID)
}

// CountsOf is RunCounts of several runs.
func (s *Store) CountsOf(ctx context.Context, runIDs []int) (map[int]Counts, error) {
	return countRuns(ctx, s.db.list, runIDs)
}

type lister func(ctx context.Context, dest any, query string, args ...any) error

func countEntries(ctx context.Context, list lister, runID int) (Counts, error) {
	all, err := countRuns(ctx, list, []int{runID})
	return all[runID], err
}

// countRuns reads what was counted; no entry is read but the last of each run.
func countRuns(ctx context.Context, list lister, runIDs []int) (map[int]Counts, error) {
	all := make(map[int]Counts, len(runIDs))
	if len(runIDs) == 0 {
		return all, nil
	}
	query, args, err := sqlx.In(`SELECT r.id, COALESCE(CASE WHEN r.state = 'starting' THEN r.entries END, (SELECT MAX(e.position) FROM job_entries e WHERE e.run_id = r.id), 0)
			- COALESCE(c.review + c.delivering + c.completed + c.error + c.rejected + c.missing, 0) AS queued,
		COALESCE(c.review, 0) AS review, COALESCE(c.delivering, 0) AS delivering, COALESCE(c.completed, 0) AS completed,
		COALESCE(c.error, 0) AS error, COALESCE(c.rejected, 0) AS rejected
		FROM job_runs r LEFT JOIN (SELECT run_id, CAST(SUM(review) AS BIGINT) AS review, CAST(SUM(delivering) AS BIGINT) AS delivering,
			CAST(SUM(completed) AS BIGINT) AS completed, CAST(SUM(error) AS BIGINT) AS error, CAST(SUM(rejected) AS BIGINT) AS rejected,
			CAST(SUM(missing) AS BIGINT) AS missing FROM job_counts WHERE run_id IN (?) GROUP BY run_id) AS c ON c.run_id = r.id
		WHERE r.id IN (?)`, runIDs, runIDs)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID         int `db:"id"`
		Queued     int `db:"queued"`
		Review     int `db:"review"`
		Delivering int `db:"delivering"`
		Completed  int `db:"completed"`
		Error      int `db:"error"`
		Rejected   int `db:"rejected"`
	}
	err = list(ctx, &rows, query, args...)
	for _, r := range rows {
		counts := Counts{
			EntryQueued: r.Queued, EntryReview: r.Review, EntryDelivering: r.Delivering,
			EntryCompleted: r.Completed, EntryError: r.Error, EntryRejected: r.Rejected,
		}
		for state, n := range counts {
			if n == 0 {
				delete(counts, state)
			}
		}
		all[r.ID] = counts
	}
	return all, err
}

// in is how many there are in some states, or in any.
func (c Counts) in(states []EntryState) (n int) {
	for _, state := range states {
		n += c[state]
	}
	if len(states) == 0 {
		for _, of := range c {
			n += of
		}
	}
	return n
}

const (
	// openCounts are those of the runs that are not ended, which the sweeper compares
	// with their entries as often as countsEvery. The others were compared when they
	// ended, and nothing moves their entries without opening them again.
	openCounts  = "counts of entries"
	countsEvery = time.Hour
	// mendedSlot is the row of job_counts of what was not counted by a trigger.
	mendedSlot = -1
)

// mendOpenCounts compares what was counted of the runs that are not ended with
// their entries, and mends it. It tells of how many runs it was wrong.
func (s *Store) mendOpenCounts(ctx context.Context) (mended int, err error) {
	var ids []int
	// Entries of older ones go with the sweeper, some at a time.
	err = s.db.list(ctx, &ids, "SELECT id FROM job_runs WHERE ended_at IS NULL AND created_at > ?", s.clock().Add(-s.runsKept).UnixMilli())
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		wrong, err := s.mendCounts(ctx, id)
		if err != nil {
			return mended, err
		}
		if wrong {
			mended++
		}
	}
	return mended, nil
}

// mendEndingCounts is mendCounts of a run that is about to end. While entries wait
// for their review it ends again after each decision, but is looked at only once.
func (s *Store) mendEndingCounts(ctx context.Context, runID int, review bool) error {
	if review {
		run, err := s.Run(ctx, runID)
		if err != nil || run.ReviewTold {
			return err
		}
	}
	_, err := s.mendCounts(ctx, runID)
	return err
}

// mendCounts compares what was counted of a run with its entries, mends it and
// tells whether it was wrong. That happens only when somebody has changed entries
// past the triggers, such as by a restore without them.
func (s *Store) mendCounts(ctx context.Context, runID int) (wrong bool, err error) {
	off, err := countedWrong(ctx, s.db.list, runID)
	if err != nil || len(off) == 0 {
		return false, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		// The lock keeps two from mending the same. What is missing is added, so that
		// it does not matter who moves entries meanwhile.
		if _, err := lockRun(ctx, t, runID); err != nil {
			return err
		}
		if off, err = countedWrong(ctx, t.list, runID); err != nil || len(off) == 0 {
			return err
		}
		names, sets, args := []string{}, []string{}, []any{runID, mendedSlot}
		for column, n := range off {
			names, args = append(names, column), append(args, n)
			sets = append(sets, column+" = job_counts."+column+" + excluded."+column)
		}
		_, err := t.exec(ctx, "INSERT INTO job_counts (run_id, slot, "+strings.Join(names, ", ")+") VALUES (?, ?"+strings.Repeat(", ?", len(names))+`)
			ON CONFLICT (run_id, slot) DO UPDATE SET `+strings.Join(sets, ", "), args...)
		return err
	})
	if IsNotFound(err) || err == nil && len(off) == 0 {
		return false, nil
	}
	if err == nil {
		s.log.Warn("the counts of the entries of a run were wrong and are mended; something has changed the database past its triggers", "run", runID, "by", off)
	}
	return err == nil, err
}

// countedWrong is what is to be added to each column of job_counts for a run, when
// that is not 0. One statement sees entries and counts as they were at one time.
func countedWrong(ctx context.Context, list lister, runID int) (map[string]int, error) {
	query := `SELECT what, CAST(SUM(n) AS BIGINT) AS n FROM (
		SELECT state AS what, COUNT(*) AS n FROM job_entries WHERE run_id = ? AND state NOT IN ('queued', 'rendering') GROUP BY state
		UNION ALL SELECT 'missing', MAX(position) - COUNT(*) FROM job_entries WHERE run_id = ?`
	args := []any{runID, runID}
	for _, state := range append(countedStates(), "missing") {
		query += " UNION ALL SELECT '" + string(state) + "', -SUM(" + string(state) + ") FROM job_counts WHERE run_id = ?"
		args = append(args, runID)
	}
	var rows []struct {
		What string `db:"what"`
		N    int    `db:"n"`
	}
	err := list(ctx, &rows, query+") AS compared GROUP BY what HAVING SUM(n) <> 0", args...)
	off := make(map[string]int, len(rows))
	for _, r := range rows {
		off[r.What] = r.N
	}
	return off, err
}
