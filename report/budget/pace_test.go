package budget

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// step is work of a millisecond, in which much is gone through.
const step = time.Millisecond

// newCrowded makes a budget on a machine where so many want each processor.
func newCrowded(crowd float64) *Budget {
	b := New(1<<40, 1<<40)
	b.pace.crowd = func() float64 { return crowd }
	return b
}

// TestLargeWorkTakesTurns: of two workspaces each gets half of the time, one of
// them with three pieces at once, which count against it by a fifth of a second
// and no more; who is alone gets all of it. What is left to others depends on how
// many there are.
func TestLargeWorkTakesTurns(t *testing.T) {
	for name, test := range map[string]struct {
		crowd  float64
		pieces []int // of which workspaces
		want   map[int]time.Duration
	}{
		"alone":                       {8, []int{1}, map[int]time.Duration{1: 20 * time.Second}},
		"a processor for each":        {1, []int{1, 2}, map[int]time.Duration{1: 9 * time.Second, 2: 9 * time.Second}},
		"two wait":                    {2, []int{1, 2}, map[int]time.Duration{1: 3300 * time.Millisecond, 2: 3300 * time.Millisecond}},
		"seven wait":                  {7, []int{1, 2}, map[int]time.Duration{1: 1250 * time.Millisecond, 2: 1250 * time.Millisecond}},
		"two, one with three at once": {2, []int{1, 1, 1, 2}, map[int]time.Duration{1: 3300 * time.Millisecond, 2: 3300 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newCrowded(test.crowd)
				end := time.Now().Add(20 * time.Second)
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
							if len(test.want) > 1 {
								b.pace.enter(strconv.Itoa(workspace)) // they go on coming
							}
						}
					})
				}
				all.Wait()
				for workspace, want := range test.want {
					if got := worked[workspace]; got < want*9/10 || got > want*11/10 {
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
		b := newCrowded(2)
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
		b := newCrowded(2)
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

// TestManyRequestsLeaveSomething: who sends many requests, one after the other, waits
// a moment before each while others are there and processors are short, and no longer
// than some seconds after it has come to an end.
func TestManyRequestsLeaveSomething(t *testing.T) {
	for name, test := range map[string]struct {
		crowd  float64
		each   time.Duration // from one request to the next
		others bool
		want   time.Duration // waited for by 100 requests
	}{
		"many":                       {3, step, true, 60 * 3 * moment}, // but for those at once
		"many, where nobody else is": {3, step, false, 0},
		"many, a processor for each": {1, step, true, 0},
		"ten a second":               {3, time.Second / calls, true, 0},
		"many, where very many work": {1000, step, true, 6 * time.Second}, // ten a second it may send,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newCrowded(test.crowd)
				waited := time.Duration(0)
				for range 100 {
					if test.others {
						b.pace.enter("2")
					}
					b.pace.enter("1")
					began := time.Now()
					b.Wait(t.Context(), 1)
					waited += time.Since(began)
					time.Sleep(test.each)
				}
				if waited < test.want/2 || waited > test.want*11/10 {
					t.Errorf("waited for %v, want about %v", waited, test.want)
				}
				time.Sleep(mostCalls / calls * time.Second)
				b.pace.enter("2")
				if rest := b.pace.call("1"); rest > 0 {
					t.Errorf("waits for %v when all is forgotten", rest)
				}
				if len(b.pace.called) != 1 {
					t.Errorf("%v are known", b.pace.called)
				}
			})
		})
	}
}
