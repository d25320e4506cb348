package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// testLeader: one of two processes leads, until it leaves or falls silent.
func testLeader(f *fixture) {
	one, two := f.newLeader("sweeping", time.Minute), f.newLeader("sweeping", time.Minute)
	leads := func(l *leader, want bool) {
		f.t.Helper()
		if got := ok[bool](f.t)(l.take(f.ctx())); got != want {
			f.t.Errorf("leads: %v", got)
		}
	}
	leads(one, true)
	leads(two, false)
	f.clock.Advance(50 * time.Second)
	leads(one, true)
	f.clock.Advance(50 * time.Second)
	leads(two, false)
	f.clock.Advance(11 * time.Second) // nothing is heard of one
	leads(two, true)
	leads(one, false)
	f.must(one.leave(f.ctx())) // what is not its own
	leads(one, false)
	f.must(two.leave(f.ctx()))
	leads(one, true)
	did := 0
	f.must(two.lead(f.ctx(), func(context.Context) { did++ }))
	f.must(one.lead(f.ctx(), func(context.Context) { did += 10 }))
	if did != 10 {
		f.t.Errorf("did %d", did)
	}
	for _, wait := range []time.Duration{0, time.Hour} {
		if due := ok[bool](f.t)(f.isDue(f.ctx(), "tidying")); due != (wait == 0) {
			f.t.Errorf("due %v after %v", due, wait)
		}
		f.must(f.putOff(f.ctx(), "tidying", time.Hour))
	}
	f.clock.Advance(time.Hour)
	if !ok[bool](f.t)(f.isDue(f.ctx(), "tidying")) {
		f.t.Error("it is not due after an hour")
	}
}

// testManyContentsAreDeleted: also where the server knows no batches, and some
// are gone.
func testManyContentsAreDeleted(f *fixture) {
	for _, unknown := range []bool{false, true} {
		if f.contents.batches != nil {
			f.contents.batches.unknown.Store(unknown)
		}
		var keys []string
		for range 20 {
			key := contentKey(tempContents)
			ok[int64](f.t)(f.contents.Put(f.ctx(), key, "text/plain", strings.NewReader("a")))
			keys = append(keys, key)
		}
		f.must(f.contents.Delete(f.ctx(), keys[3]))
		f.must(f.contents.DeleteAll(f.ctx(), keys[1:]))
		if left := f.keys(); len(left) != 1 || left[0] != keys[0] {
			f.t.Errorf("left: %v", left)
		}
		f.must(f.contents.DeleteAll(f.ctx(), keys[:1]))
		if f.contents.batches != nil && f.contents.batches.unknown.Load() != unknown {
			f.t.Error("the server is said to know no batches")
		}
	}
}

// TestOneOfSeveralSweeps: two services on one database do not do each other's work.
func TestOneOfSeveralSweeps(t *testing.T) {
	t.Parallel()
	f := openFixture(t, Config{Database: migrated.Postgres(t, storetest.Postgres(t))})
	other := ok[*Store](t)(Open(t.Context(), f.config))
	defer other.Close()
	w := f.workspace("acme")
	const all = 40
	for range all {
		_, _, err := f.PutTempData(t.Context(), w.ID, f.root.ID, upload("{}", nil))
		f.must(err)
	}
	f.clock.Advance(25 * time.Hour)
	f.StartSweeping(5 * time.Millisecond)
	other.StartSweeping(5 * time.Millisecond)
	until := func(done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nothing is swept")
			}
		}
	}
	until(func() bool { return f.Sweeps().Done+other.Sweeps().Done > 4 })
	if n, m := f.Sweeps(), other.Sweeps(); n.Removed.Contents+m.Removed.Contents != all || n.Done > 0 && m.Done > 0 {
		t.Errorf("one swept %+v, the other %+v", n, m)
	}
	first, second := f.Store, other
	if second.Sweeps().Done > 0 {
		first, second = second, first
	}
	f.must(first.Close())
	until(func() bool { return second.Sweeps().Done > 0 })
}
