package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
)

// allStates are those of entries, each one told from the others.
func allStates() []EntryState {
	return append([]EntryState{EntryQueued, EntryRendering}, countedStates()...)
}

// checkCounts compares what is told of each run with a count of its entries.
func (f *fixture) checkCounts() {
	f.t.Helper()
	var runs []int
	f.must(f.db.list(f.ctx(), &runs, "SELECT id FROM job_runs"))
	told := ok[map[int]Counts](f.t)(f.CountsOf(f.ctx(), runs))
	for _, id := range runs {
		each, want := Counts{}, Counts{}
		for _, state := range allStates() {
			n := ok[int](f.t)(f.countRows(f.ctx(), EntryQuery{RunID: id, States: []EntryState{state}}))
			if found := ok[int](f.t)(f.CountEntries(f.ctx(), EntryQuery{RunID: id, States: []EntryState{state}})); found != n {
				f.t.Errorf("run %d: %d entries are said to be %s, of %d", id, found, state, n)
			}
			if each[state] = n; state == EntryRendering {
				state = EntryQueued
			}
			if n > 0 {
				want[state] += n
			}
		}
		if d := cmp.Diff(want, told[id]); d != "" {
			f.t.Errorf("run %d: %s", id, d)
		}
		if all := ok[int](f.t)(f.CountEntries(f.ctx(), EntryQuery{RunID: id})); all != want.in(nil) {
			f.t.Errorf("run %d: %d entries are told of, not %d", id, all, want.in(nil))
		}
		run := ok[*Run](f.t)(f.Run(f.ctx(), id))
		idle := run.Ended == nil && run.State != RunStarting && each[EntryQueued]+each[EntryRendering]+each[EntryDelivering] == 0
		if got := ok[bool](f.t)(f.RunIdle(f.ctx(), id)); got != idle {
			f.t.Errorf("run %d is said to be idle: %v; entries %v", id, got, each)
		}
		if off := ok[map[string]int](f.t)(countedWrong(f.ctx(), f.db.list, id)); len(off) > 0 {
			f.t.Errorf("run %d is counted wrong by %v", id, off)
		}
	}
}

// crowd are people and workers who change entries of the same runs.
type crowd struct {
	*fixture
	ws, job int
	done    atomic.Int64
}

// endSome makes some entries and ends that together.
func (c *crowd) endSome(cut context.Context, r *rand.Rand, entries []JobEntry) error {
	var ids []int
	for range 1 + r.IntN(4) {
		made, _, err := c.EntryToMake(cut, entries[r.IntN(len(entries))].ID)
		if err != nil {
			return err
		}
		if made != nil {
			ids = append(ids, made.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	held, err := c.takeTasks(cut, ids...)
	if err != nil {
		return err
	}
	for _, task := range held {
		kept, err := c.KeepDocuments(cut, task.Subject, []report.Document{newDocument("letter")})
		if err != nil {
			return err
		}
		to := []EntryState{EntryReview, EntryReview, EntryDelivering, EntryCompleted}[r.IntN(4)]
		task.End = &EntryEnd{From: EntryQueued, To: to, Documents: kept}
	}
	c.EndEntries(cut, held, Claim{})
	var errs []error
	for _, task := range held {
		errs = append(errs, task.End.Err)
	}
	return errors.Join(errs...)
}

// step does one thing by chance; cut may end it in the middle.
func (c *crowd) step(cut context.Context, r *rand.Rand) error {
	var runs []int
	if err := c.db.list(cut, &runs, "SELECT id FROM job_runs WHERE state = 'started'"); err != nil || len(runs) == 0 {
		return err
	}
	run, err := c.Run(cut, runs[r.IntN(len(runs))])
	if err != nil {
		return err
	}
	entries, err := c.Entries(cut, run.ID, 0, 100)
	if err != nil || len(entries) == 0 {
		return err
	}
	e := &entries[r.IntN(len(entries))]
	some := EntryQuery{Positions: []int{e.Position, 1, 2, 3}}
	switch r.IntN(14) {
	case 0, 1, 2, 3:
		err = c.endSome(cut, r, entries)
	case 4:
		_, _, err = c.EntryToMake(cut, e.ID)
	case 5:
		_, err = c.MoveEntry(cut, e.ID, EntryError, "no paper", EntryQueued, EntryRendering, EntryDelivering)
	case 6:
		_, err = c.MoveEntry(cut, e.ID, EntryCompleted, "", EntryDelivering)
	case 7:
		err = c.ApproveEntry(cut, run, e.ID)
	case 8:
		err = c.RejectEntry(cut, run, e.ID, "late")
	case 9:
		err = c.RegenerateEntry(cut, run, e.ID)
	case 10:
		some.States = []EntryState{EntryReview}
		_, err = c.MoveEntries(cut, run, some, EntryDelivering, "", Once{})
	case 11:
		some.States = []EntryState{EntryError, EntryRejected}
		_, err = c.RemakeEntries(cut, run, some, nil, Once{})
	case 12:
		_, err = c.DeliverRun(cut, run)
	default:
		if r.IntN(4) == 0 {
			_, err = c.CancelRun(cut, run, "cancelled", nil)
		} else {
			_, err = c.EndRun(cut, run.ID, r.IntN(2) == 0)
		}
	}
	return err
}

// round lets the crowd work, connections break under it, and processes end in the
// middle of what they do.
func (c *crowd) round(seed uint64) {
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for n := range 120 {
				limit := time.Minute
				if r.IntN(5) == 0 {
					limit = time.Duration(r.IntN(4000)) * time.Microsecond
				}
				cut, end := context.WithTimeout(c.ctx(), limit)
				if c.step(cut, r) == nil {
					c.done.Add(1)
				}
				end()
				if i == 0 && n%20 == 19 && c.db.name == "postgres" {
					_, _ = c.db.exec(c.ctx(), `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
						WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2) AS unlucky`)
				}
			}
		})
	}
	all.Wait()
}

// testCounts: what is told of runs is what a count of their entries gives, after
// whatever was done, cut off and begun anew.
func testCounts(f *fixture) {
	w := f.workspace("acme")
	c := &crowd{fixture: f, ws: w.ID, job: f.newJob(w)}
	for seed := range uint64(3) {
		c.newRun(w, c.job, slices.Repeat([]string{`{"name":"Customer"}`}, 40)...)
		c.newRun(w, c.job, slices.Repeat([]string{`{"name":"Customer"}`}, 7)...)
		before := c.done.Load()
		c.round(seed)
		f.t.Logf("%d changes of %d", c.done.Load()-before, 6*120)
		if c.done.Load()-before < 50 {
			f.t.Errorf("only %d things were done", c.done.Load()-before)
		}
		_ = f.Close()
		f.Store = ok[*Store](f.t)(Open(f.ctx(), f.config))
		f.t.Cleanup(func() { _ = f.Close() })
		for fed := (Fed{More: true}); fed.More; { // a cancellation that was cut off is gone on with
			fed = ok[Fed](f.t)(f.FeedRuns(f.ctx(), "cancelled"))
		}
		f.checkCounts()
	}
}

// testWrongCounts: what was changed past the triggers is found, said and mended, and
// no run ends by it.
func testWrongCounts(f *fixture) {
	var log bytes.Buffer
	f.log = slog.New(slog.NewTextHandler(&log, nil))
	w := f.workspace("acme")
	job := f.newJob(w)
	run, right := f.newRun(w, job, "{}", "{}", "{}"), f.newRun(w, job, "{}")
	entries := ok[[]JobEntry](f.t)(f.Entries(f.ctx(), run.ID, 0, 3))
	ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[0].ID, EntryCompleted, "", EntryQueued))
	wrong := func(query string, args ...any) {
		f.t.Helper()
		if n := ok[int](f.t)(f.db.exec(f.ctx(), query, args...)); n == 0 {
			f.t.Fatal("nothing was changed by", query)
		}
		log.Reset()
	}
	wrong("INSERT INTO job_counts (run_id, slot, completed) VALUES (?, 99, 2)", run.ID)
	if !ok[bool](f.t)(f.RunIdle(f.ctx(), run.ID)) {
		f.t.Error("by the counts, it is not idle")
	}
	if ok[bool](f.t)(f.EndRun(f.ctx(), run.ID, false)) || !strings.Contains(log.String(), "mended") || !strings.Contains(log.String(), "completed:-2") {
		f.t.Errorf("it ended by a wrong count; log: %s", &log)
	}
	f.checkCounts()
	wrong("DELETE FROM job_entries WHERE id = ?", entries[1].ID)
	wrong("UPDATE job_counts SET completed = completed - 1, error = error + 2 WHERE run_id = ? AND slot = 99", run.ID)
	for _, want := range []int{1, 0} {
		if n := ok[int](f.t)(f.mendOpenCounts(f.ctx())); n != want {
			f.t.Errorf("%d runs were mended, not %d", n, want)
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.Contains(log.String(), fmt.Sprintf("run=%d ", right.ID)) {
		f.t.Errorf("log: %s", &log)
	}
	f.checkCounts()
	ok[bool](f.t)(f.MoveEntry(f.ctx(), entries[2].ID, EntryError, "", EntryQueued))
	if !ok[bool](f.t)(f.EndRun(f.ctx(), run.ID, false)) {
		f.t.Error("it did not end")
	}
}

// TestRunsOfBeforeAreCounted: the tables come from the version before while runs are
// under way, and programs of that version go on with them.
func TestRunsOfBeforeAreCounted(t *testing.T) {
	t.Parallel()
	bothTables(t, func(t *testing.T, tables *Tables) {
		ctx := t.Context()
		do := func(query string, args ...any) {
			t.Helper()
			if _, err := tables.db.exec(ctx, query, args...); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
		}
		to := func(version int64) {
			t.Helper()
			if err := tables.MigrateTo(ctx, version); err != nil {
				t.Fatal(err)
			}
		}
		entry := func(run, position int, state EntryState) {
			t.Helper()
			do("INSERT INTO job_entries (run_id, position, record, state, updated_at) VALUES (?, ?, '{}', ?, 0)", run, position, state)
		}
		counted := func() (all []Counts) {
			t.Helper()
			for run := 1; run <= 3; run++ {
				all = append(all, ok[Counts](t)(countEntries(ctx, tables.db.list, run)))
				if off := ok[map[string]int](t)(countedWrong(ctx, tables.db.list, run)); len(off) > 0 {
					t.Errorf("run %d is counted wrong by %v", run, off)
				}
			}
			return all
		}
		to(46)
		do("INSERT INTO workspaces (name, code, code_key, created_at) VALUES ('Acme', 'acme', 'acme', 0)")
		do("INSERT INTO resources (workspace_id, kind, key, position, document, created_at, updated_at) VALUES (1, 'job', 'letters', 1, '{}', 0, 0)")
		for range 3 {
			do("INSERT INTO job_runs (workspace_id, job_id, state, document, created_at) VALUES (1, 1, 'started', '{}', 0)")
		}
		for i, state := range allStates() {
			entry(1, 2*i+1, state)
			entry(1, 2*i+2, state)
		}
		entry(2, 1, EntryQueued)
		entry(2, 3, EntryReview) // one is missing
		first := Counts{EntryQueued: 4, EntryReview: 2, EntryDelivering: 2, EntryCompleted: 2, EntryError: 2, EntryRejected: 2}
		for range 2 {
			to(50)
			if d := cmp.Diff([]Counts{first, {EntryQueued: 1, EntryReview: 1}, {}}, counted()); d != "" {
				t.Error(d)
			}
			entry(3, 1, EntryQueued)
			entry(3, 2, EntryQueued)
			do("UPDATE job_entries SET state = 'rendering' WHERE run_id = 3")
			do("UPDATE job_entries SET state = 'completed' WHERE run_id = 3 AND position = 2")
			do("UPDATE job_entries SET state = 'delivering' WHERE state = 'review'")
			if d := cmp.Diff([]Counts{
				{EntryQueued: 4, EntryDelivering: 4, EntryCompleted: 2, EntryError: 2, EntryRejected: 2},
				{EntryQueued: 1, EntryDelivering: 1},
				{EntryQueued: 1, EntryCompleted: 1},
			}, counted()); d != "" {
				t.Error(d)
			}
			to(46)
			do("DELETE FROM job_entries WHERE run_id = 3")
			do("UPDATE job_entries SET state = 'review' WHERE state = 'delivering' AND (position < 7 OR run_id = 2)")
		}
		to(50)
		do("DELETE FROM job_runs WHERE id = 1")
		if n := ok[int](t)(countsLeft(ctx, tables, "job_counts WHERE run_id = 1")); n > 0 {
			t.Errorf("%d counts are left of a run that is gone", n)
		}
	})
}

func countsLeft(ctx context.Context, tables *Tables, table string) (n int, err error) {
	err = tables.db.get(ctx, &n, "SELECT COUNT(*) FROM "+table)
	return n, err
}
