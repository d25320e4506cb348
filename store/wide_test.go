package store

import (
	"slices"
	"testing"

	"github.com/quire-reports/quire/store/storetest"
)

// A new installation has numbers of 64 bits, and goes on behind two billion entries.
func TestNumbersHave64Bits(t *testing.T) {
	t.Parallel()
	f := openFixture(t, Config{Database: migrated.Postgres(t, storetest.Postgres(t))})
	if narrow := ok[[]NarrowTable](t)(f.Tables().Narrow(f.ctx())); len(narrow) > 0 {
		t.Errorf("32 bits: %v", narrow)
	}
	for _, table := range []string{"job_runs", "job_entries", "queue"} {
		ok[int](t)(f.db.exec(f.ctx(), "ALTER TABLE "+table+" ALTER COLUMN id RESTART WITH 5000000000"))
	}
	w := f.workspace("acme")
	run := f.started(w, f.newJob(w), 30)
	if run.ID < 5_000_000_000 {
		t.Fatalf("run %d", run.ID)
	}
	f.done(func(did map[string]int) bool { return did[of(DeliverTask, run)] == 10 })
	c := ok[Cancelled](t)(f.CancelRun(f.ctx(), run, "cancelled", nil))
	entries := ok[[]JobEntry](t)(f.Entries(f.ctx(), run.ID, 0, 100))
	if c.Entries != 20 || len(entries) != 30 || entries[0].ID < 5_000_000_000 {
		t.Errorf("%+v, %d entries", c, len(entries))
	}
	f.checkCounts()
}

// An installation from before is widened by a command, with what is in it; before that it
// works, too.
func TestAnOlderInstallationIsWidened(t *testing.T) {
	t.Parallel()
	f := openFixture(t, Config{Database: migrated.Postgres(t, storetest.Postgres(t))})
	older := []string{"job_entries", "job_documents", "job_runs", "queue", "users"}
	for _, change := range []string{
		"job_entries ALTER COLUMN id TYPE INTEGER, ALTER COLUMN run_id TYPE INTEGER, ALTER COLUMN position TYPE INTEGER",
		"job_runs ALTER COLUMN id TYPE INTEGER, ALTER COLUMN job_id TYPE INTEGER, ALTER COLUMN next_position TYPE INTEGER, ALTER COLUMN approve_from TYPE INTEGER",
		"job_documents ALTER COLUMN entry_id TYPE INTEGER", "queue ALTER COLUMN subject TYPE INTEGER", "users ALTER COLUMN id TYPE INTEGER",
	} {
		ok[int](t)(f.db.exec(f.ctx(), "ALTER TABLE "+change))
	}
	w := f.workspace("acme")
	run := f.started(w, f.newJob(w), 20)
	f.done(func(did map[string]int) bool { return did[of(DeliverTask, run)] == 5 })
	if runs := ok[[]Run](t)(f.Runs(f.ctx(), run.JobID, 0, 10)); len(runs) != 1 {
		t.Errorf("runs: %+v", runs)
	}
	for _, states := range [][]EntryState{{EntryQueued}, {EntryRendering}, {EntryCompleted}} {
		ok[[]FoundEntry](t)(f.FindEntries(f.ctx(), EntryQuery{RunID: run.ID, States: states, Limit: 10}))
	}
	if c := ok[Cancelled](t)(f.CancelRun(f.ctx(), run, "cancelled", nil)); c.Entries != 15 {
		t.Errorf("%+v", c)
	}
	f.must(f.Close())
	tables := ok[*Tables](t)(OpenTables(t.Context(), f.config))
	t.Cleanup(func() { _ = tables.Close() })
	widened := ok[[]string](t)(tables.Widen(t.Context()))
	slices.Sort(older)
	if !slices.Equal(widened, older) {
		t.Errorf("widened %v; want %v", widened, older)
	}
	if again := ok[[]string](t)(tables.Widen(t.Context())); len(again) > 0 {
		t.Errorf("widened twice: %v", again)
	}
	f.Store = ok[*Store](t)(Open(t.Context(), f.config))
	t.Cleanup(func() { _ = f.Close() })
	ok[int](t)(f.db.exec(f.ctx(), "ALTER TABLE job_entries ALTER COLUMN id RESTART WITH 5000000000"))
	later := f.started(w, f.newJob(f.workspace("other")), 5)
	f.done(func(did map[string]int) bool { return did[of(DeliverTask, later)] == 5 })
}
