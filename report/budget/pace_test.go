package budget

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// step is work of a millisecond, in which much is gone through.
const step = time.Millisecond

// TestLargeWorkTakesTurns: of two workspaces each gets half of the time, one of
// them with three pieces at once; who is alone gets all of it.
func TestLargeWorkTakesTurns(t *testing.T) {
	for name, test := range map[string]struct {
		pieces []int // of which workspaces
		want   map[int]time.Duration
	}{
		"alone":                       {[]int{1}, map[int]time.Duration{1: time.Second}},
		"two":                         {[]int{1, 2}, map[int]time.Duration{1: 250 * time.Millisecond, 2: 250 * time.Millisecond}},
		"two, one with three at once": {[]int{1, 1, 1, 2}, map[int]time.Duration{1: 250 * time.Millisecond, 2: 250 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(1<<40, 1<<40)
				end := time.Now().Add(time.Second)
				var mu sync.Mutex
				worked := map[int]time.Duration{}
				var all sync.WaitGroup
				for _, workspace := range test.pieces {
					ctx, leave := b.Enter(t.Context(), workspace)
					all.Go(func() {
						defer leave()
						for Work(ctx, large); time.Now().Before(end); Work(ctx, large) {
							time.Sleep(step)
							mu.Lock()
							worked[workspace] += step
							mu.Unlock()
						}
					})
				}
				all.Wait()
				for workspace, want := range test.want {
					// Half a second long the others count as there, and are left their moments.
					if got := worked[workspace]; got < want-100*time.Millisecond || got > want+150*time.Millisecond {
						t.Errorf("workspace %d worked for %v, want about %v", workspace, got, want)
					}
				}
			})
		})
	}
}

// TestSmallWorkWaitsForNothing, and neither does large work for a piece that waits
// for something itself.
func TestSmallWorkWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1<<40, 1<<40)
		stuck, leaveStuck := b.Enter(t.Context(), 1)
		defer leaveStuck()
		Work(stuck, large) // its turn, and it says nothing more
		small, leaveSmall := b.Enter(t.Context(), 2)
		defer leaveSmall()
		began := time.Now()
		for range 100 { // two megabytes a second
			Work(small, 200<<10)
			time.Sleep(100 * time.Millisecond)
		}
		if waited := time.Since(began); waited != 10*time.Second {
			t.Errorf("small work waited for %v", waited-10*time.Second)
		}
		Work(stuck, large)
		began = time.Now()
		Work(small, large)
		if waited := time.Since(began); waited < lapse || waited > 3*lapse {
			t.Errorf("large work waited for %v", waited)
		}
	})
}

// TestATurnEndsWithItsWork: who leaves is not waited for.
func TestATurnEndsWithItsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1<<40, 1<<40)
		for range 3 {
			ctx, leave := b.Enter(t.Context(), 1)
			began := time.Now()
			Work(ctx, large)
			if waited := time.Since(began); waited > 0 {
				t.Errorf("waited for %v", waited)
			}
			leave()
		}
	})
}
