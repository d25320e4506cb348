package budget

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestLargeWorkCollectsItsGarbage: with 50 MB alive, work that makes 400 MB of
// garbage has it collected itself between its turns, and the goal of the collector is
// further away until the last piece of such work is done.
func TestLargeWorkCollectsItsGarbage(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	alive := make([]byte, 50<<20)
	runtime.GC()
	b := newCrowded(1)
	ctx, leave := b.Enter(t.Context(), 1)
	other, otherLeaves := b.Enter(context.WithoutCancel(t.Context()), 2)
	for _, ctx := range []context.Context{ctx, other} {
		largeWork(ctx)
		if got := percent(); got != 100*furtherGoal {
			t.Errorf("GOGC is %d while there is large work", got)
		}
	}
	before := forced()
	for range 400 {
		garbage = make([]byte, 1<<20)
		largeWork(ctx)
	}
	if n := forced() - before; n < 3 || n > 40 {
		t.Errorf("the collector ran %d times", n)
	}
	leave()
	if got := percent(); got != 100*furtherGoal {
		t.Errorf("GOGC is %d while there is large work still", got)
	}
	otherLeaves()
	if got := percent(); got != 100 {
		t.Errorf("GOGC is %d when large work is done", got)
	}
	runtime.KeepAlive(alive)
}

// TestCollectorOffStaysOff: whoever switched the collector off keeps it so.
func TestCollectorOffStaysOff(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	b := newCrowded(1)
	ctx, leave := b.Enter(t.Context(), 1)
	b.Enter(t.Context(), 2)
	largeWork(ctx)
	if got := percent(); got != -1 {
		t.Errorf("GOGC is %d while there is large work", got)
	}
	leave()
	if got := percent(); got != -1 {
		t.Errorf("GOGC is %d when large work is done", got)
	}
}

var garbage []byte

// largeWork is work that needs a turn of its own each time.
func largeWork(ctx context.Context) {
	Work(ctx, large)
	a := ctx.Value(accountKey{}).(*account)
	p := &a.budget.pace
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = p.since.Add(-2 * moment)
}

func forced() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumForcedGC
}

// TestLargeWorkAlone: where nobody else is there the collector runs beside the work,
// as ever.
func TestLargeWorkAlone(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	ctx, leave := newCrowded(1).Enter(t.Context(), 1)
	defer leave()
	largeWork(ctx)
	if got := percent(); got != 100 {
		t.Errorf("GOGC is %d while there is nobody else", got)
	}
}
