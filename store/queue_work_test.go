package store

import (
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// taken is what a process takes that does some work.
func (f *fixture) taken(w Work, n int) map[string]int {
	f.t.Helper()
	kinds := map[string]int{}
	for _, task := range ok[[]Task](f.t)(f.ClaimTasks(f.ctx(), Claim{Owner: string(w), Worst: Batch, Most: n, Lease: time.Minute, Only: w})) {
		kinds[task.Kind]++
	}
	return kinds
}

// testWorkIsLeftToOthers: who does some work takes nothing else, also of what a
// process that died has left, and what there is of each is told apart.
func testWorkIsLeftToOthers(f *fixture) {
	w := f.workspace("acme")
	run := f.started(w, f.newJob(w), 20)
	for range 6 { // entries are made and not delivered
		task := &ok[[]Task](f.t)(f.ClaimTasks(f.ctx(), Claim{Owner: "one", Worst: Batch, Most: 1, Lease: time.Minute, Only: PrintWork}))[0]
		task.End = &EntryEnd{From: EntryQueued, To: EntryDelivering}
		f.EndEntries(f.ctx(), []*Task{task}, Claim{})
	}
	for _, c := range []struct {
		work Work
		kind string
		n    int
	}{{DeliverWork, DeliverTask, 6}, {PrintWork, EntryTask, 14}} {
		if got := f.taken(c.work, 100); len(got) != 1 || got[c.kind] != c.n {
			f.t.Errorf("who does %s took %v; want %d of %s", c.work, got, c.n, c.kind)
		}
		if _, more, err := f.Waits(f.ctx(), Batch, c.work); more || err != nil {
			f.t.Errorf("%s is said to wait: %v", c.work, err)
		}
	}
	f.clock.Advance(2 * time.Minute)
	for range 6 {
		if got := ok[[]Task](f.t)(f.ClaimSuspect(f.ctx(), "next", DeliverWork, false, time.Minute, 0)); len(got) != 1 || got[0].Kind != DeliverTask || got[0].Run != run.ID {
			f.t.Fatalf("%+v", got)
		}
	}
	suspects, _, err := f.Waits(f.ctx(), Batch, DeliverWork)
	others, _, also := f.Waits(f.ctx(), Batch, PrintWork)
	if suspects || !others || err != nil || also != nil {
		f.t.Error(suspects, others, err, also)
	}
}

// testWorkThatNobodyDoesHoldsNoneBack: while nothing is delivered, a later run is printed
// beside the one before it, neither before nor behind all of it.
func testWorkThatNobodyDoesHoldsNoneBack(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	large := f.started(acme, f.newJob(acme), 400)
	printed := func(enough func(did map[string]int) bool) map[string]int {
		did := map[string]int{}
		for !enough(did) {
			tasks := ok[[]Task](f.t)(f.ClaimTasks(f.ctx(), Claim{Owner: "prints", Worst: Batch, Most: 1, Lease: time.Minute, Only: PrintWork}))
			if len(tasks) != 1 {
				f.t.Fatal("nothing is left")
			}
			task := &tasks[0]
			task.End = &EntryEnd{From: EntryQueued, To: EntryDelivering}
			f.EndEntries(f.ctx(), []*Task{task}, Claim{})
			did[of(task.Kind, &Run{ID: task.Run})]++
		}
		return did
	}
	printed(func(did map[string]int) bool { return did[of(EntryTask, large)] == 200 })
	small := f.started(other, f.newJob(other), 100)
	did := printed(func(did map[string]int) bool { return did[of(EntryTask, small)] == 50 })
	if n := did[of(EntryTask, large)]; n < 40 || n > 60 {
		f.t.Errorf("while 50 entries of a later run were printed, %d were of the one before it", n)
	}
}

// On PostgreSQL, too, who only prints reads what it takes, however many deliveries wait
// in front of that.
func TestWorkIsFoundByItsIndexOnPostgreSQL(t *testing.T) {
	t.Parallel()
	f := openFixture(t, Config{Database: migrated.Postgres(t, storetest.Postgres(t))})
	w := f.workspace("acme")
	_, err := f.db.exec(f.ctx(), `INSERT INTO queue (kind, workspace_id, subject, priority, turn, run_at, created_at)
		SELECT CASE WHEN n > 20000 THEN 'entry' ELSE 'deliver' END, ?, n, 2, n, 0, 0 FROM generate_series(1, 40000) AS n`, w.ID)
	f.must(err)
	ok[int](t)(f.db.exec(f.ctx(), "ANALYZE queue"))
	var plan []string
	f.must(f.db.list(f.ctx(), &plan, "EXPLAIN ANALYZE SELECT id FROM queue WHERE "+strings.Replace(f.free(PrintWork), "?", "10", 1)+" ORDER BY priority, turn, id LIMIT 5 FOR UPDATE SKIP LOCKED"))
	if text := strings.Join(plan, "\n"); !strings.Contains(text, "Index Scan using queue_work") || strings.Contains(text, "Sort") {
		t.Error(text)
	}
}
