package budget

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	b := New(100, 60)
	enter := func(workspace int) (context.Context, func()) { return b.Enter(t.Context(), workspace) }
	refused := func(ctx context.Context, bytes int64, kind report.Kind) {
		t.Helper()
		var p *report.Problem
		if err := Spend(ctx, bytes); !errors.As(err, &p) || p.Kind != kind {
			t.Errorf("%d bytes: %v; want kind %v", bytes, err, kind)
		}
	}
	taken := func(ctx context.Context, bytes int64) {
		t.Helper()
		if err := Spend(ctx, bytes); err != nil {
			t.Errorf("%d bytes: %v", bytes, err)
		}
	}
	first, leaveFirst := enter(1)
	refused(first, 61, report.TooLarge)
	taken(first, 30)
	taken(first, 10)
	refused(first, 21, report.TooLarge) // with what it has
	second, leaveSecond := enter(1)
	refused(second, 21, report.Exhausted)
	taken(second, 20)
	third, leaveThird := enter(2)
	refused(third, 41, report.Busy)
	taken(third, 40)
	if giveBack, err := Borrow(third, 1); err == nil {
		t.Error("what nobody has is lent")
		giveBack()
	}

	inside, leaveInside := b.Enter(first, 1)
	refused(inside, 50, report.TooLarge)
	leaveInside() // of work inside: nothing is given back
	if b.Used() != 100 {
		t.Errorf("used %d", b.Used())
	}
	leaveFirst()
	leaveFirst()
	taken(third, 20)
	leaveSecond()
	fourth, leaveFourth := enter(3)
	defer leaveFourth()
	giveBack, err := Borrow(fourth, 40)
	if err != nil {
		t.Fatal(err)
	}
	giveBack()
	leaveThird()
	leaveFourth()
	if b.Used() != 0 || len(b.by) != 0 {
		t.Errorf("in the end %d are used, %v", b.Used(), b.by)
	}
}

func TestNoBudget(t *testing.T) {
	t.Parallel()
	var b *Budget
	ctx, leave := b.Enter(t.Context(), 1)
	defer leave()
	if err := Spend(ctx, 1<<60); err != nil {
		t.Error(err)
	}
}

func TestBatchedCountsAll(t *testing.T) {
	t.Parallel()
	b := New(1<<30, 1<<30)
	ctx, leave := b.Enter(t.Context(), 1)
	defer leave()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			spend := Batched(ctx)
			for range 64 << 10 {
				if err := spend(16); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if b.Used() != 8<<20 {
		t.Errorf("used %d", b.Used())
	}
}
