package store

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// hosts opens the store as hosts whose clocks are right, ahead and behind.
func hosts(t *testing.T, database string) []*fixture {
	t.Helper()
	storage := "file://" + filepath.Join(t.TempDir(), "contents")
	var list []*fixture
	for _, wrong := range []time.Duration{0, 20 * time.Second, -20 * time.Second} {
		s := ok[*Store](t)(Open(t.Context(), Config{Database: database, Storage: storage, Key: testKey, Vector: testVector}))
		t.Cleanup(func() { _ = s.Close() })
		s.clock = func() time.Time { return time.Now().Add(wrong) }
		list = append(list, &fixture{Store: s, t: t})
	}
	list[0].root = ok[*User](t)(list[0].CreateRootUser(t.Context(), "root@example.com", "Root", rootSecret))
	for _, f := range list {
		f.root = list[0].root
	}
	return list
}

// Findings B3 of the code and B10 of operations: leases were compared with each
// host's own clock, so that one 20 s ahead took what others worked on.
func TestHostsWhoseClocksDiffer(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		testClocks(t, hosts(t, "sqlite:"+filepath.Join(t.TempDir(), "quire.db")))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		testClocks(t, hosts(t, storetest.Postgres(t).Database(t)))
	})
}

func testClocks(t *testing.T, hosts []*fixture) {
	right, ahead, behind := hosts[0], hosts[1], hosts[2]
	w := right.workspace("acme")
	const lease = 10 * time.Second

	t.Run("nothing is taken twice", func(t *testing.T) {
		const all = 90
		for i := range all {
			hosts[i%3].newExport(w, "{}")
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		taken := map[int64]int{}
		for i, host := range hosts {
			wg.Go(func() {
				for { // until there is nothing more, for any of them
					tasks, err := host.ClaimTasks(t.Context(), Claim{Owner: string(rune('a' + i)), Worst: Batch, Most: 2, Lease: lease})
					if err != nil {
						t.Error(err)
					}
					if len(tasks) == 0 {
						return
					}
					mu.Lock()
					for _, task := range tasks {
						taken[task.ID]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for id, n := range taken {
			if n != 1 {
				t.Errorf("task %d was taken %d times", id, n)
			}
		}
		if len(taken) != all {
			t.Errorf("%d of %d tasks were taken", len(taken), all)
		}
		for _, host := range hosts {
			if waiting, running, err := host.QueueSize(t.Context()); err != nil || waiting != 0 || running != all {
				t.Errorf("%d wait, %d are being done, %v", waiting, running, err)
			}
		}
		ok[int](t)(right.db.exec(t.Context(), "DELETE FROM queue"))
	})

	t.Run("leases are renewed and end", func(t *testing.T) {
		right.newExport(w, "{}")
		task := behind.claim("behind", 1)[0]
		if held := ok[map[int64]bool](t)(behind.RenewTasks(t.Context(), "behind", []int64{task.ID}, lease)); !held[task.ID] {
			t.Error("the lease is not renewed")
		}
		if got := ahead.claim("ahead", 1); len(got) != 0 {
			t.Fatalf("taken away: %+v", got)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(behind.ReleaseTask(t.Context(), &task, time.Hour, true))
		if got := ahead.claim("ahead", 1); len(got) != 0 {
			t.Fatalf("taken an hour early: %+v", got)
		}
		ok[int](t)(right.db.exec(t.Context(), "UPDATE queue SET owner = 'behind' WHERE id = ?", task.ID))
		must(ahead.ReleaseTask(t.Context(), &Task{ID: task.ID, Owner: "behind", Attempts: 1}, 0, true))
		if got := behind.claim("behind", 1); len(got) != 1 {
			t.Fatal("a task that was given back waits for a clock to catch up")
		}
		ok[map[int64]bool](t)(ahead.RenewTasks(t.Context(), "behind", []int64{task.ID}, time.Millisecond))
		for begin := time.Now(); len(right.suspect("right", false)) == 0; time.Sleep(2 * time.Millisecond) {
			if time.Since(begin) > 10*time.Second {
				t.Fatal("a lease of a millisecond does not end")
			}
		}
		ok[int](t)(right.db.exec(t.Context(), "DELETE FROM queue"))
	})

	t.Run("schedules", func(t *testing.T) {
		job := right.newJob(w)
		plan := func(next time.Time) {
			t.Helper()
			ok[int](t)(right.db.exec(t.Context(), "DELETE FROM job_schedules"))
			if planned := ok[bool](t)(right.PlanJob(t.Context(), ScheduledJob{JobID: job, Revision: 1}, &next, nil)); !planned {
				t.Fatal("not planned")
			}
		}
		plan(time.Now().Add(10 * time.Second))
		for _, host := range hosts {
			if due := ok[[]ScheduledJob](t)(host.DueJobs(t.Context())); len(due) != 0 {
				t.Errorf("due ten seconds early: %+v", due)
			}
		}
		begin := time.Now()
		plan(begin.Add(-time.Second))
		for _, host := range hosts {
			due := ok[[]ScheduledJob](t)(host.DueJobs(t.Context()))
			if len(due) != 1 || due[0].Now().Before(begin.Add(-5*time.Second)) || due[0].Now().After(time.Now().Add(5*time.Second)) {
				t.Errorf("due at %v is %+v", begin, due)
			}
		}
	})
}
