// Package budget bounds the memory that the work of a process takes: bodies,
// data, documents. Work is counted where it takes memory, while it does: a
// piece too many is refused before it is there. What one workspace has at the
// same time is bounded, too, so that others find room.
package budget

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/quire-reports/quire/internal/priority"
	"github.com/quire-reports/quire/report"
)

// Budget is the memory of a process that its work may take, in bytes.
type Budget struct {
	most, share int64

	mu   sync.Mutex
	used int64
	by   map[int]int64 // workspaces

	pace pace
}

// New makes a budget of which a workspace has at most a share.
func New(most, share int64) *Budget {
	return &Budget{most: most, share: min(share, most), by: map[int]int64{}, pace: pace{flows: map[string]flow{}, called: map[string]flow{}, crowd: priority.Crowd}}
}

// account is what a piece of work has taken.
type account struct {
	budget    *Budget
	workspace int
	owner     string // the workspace as a lane of the pace
	held      int64
	done      int64 // bytes gone through
	collects  bool  // it has the collector run itself
}

type accountKey struct{}

// Enter opens an account for what a workspace has done in ctx; leave gives back
// all that was taken. Work inside other work counts with it. Nothing is counted
// without a budget.
func (b *Budget) Enter(ctx context.Context, workspace int) (inside context.Context, leave func()) {
	if b == nil || ctx.Value(accountKey{}) != nil {
		return ctx, func() {}
	}
	a := &account{budget: b, workspace: workspace, owner: strconv.Itoa(workspace)}
	b.pace.enter(a.owner)
	return context.WithValue(ctx, accountKey{}, a), a.close
}

// Wait lets a request wait for a moment when its workspace has sent many just now,
// others are there and there are too few processors for all. It ends with ctx.
func (b *Budget) Wait(ctx context.Context, workspace int) {
	if b == nil {
		return
	}
	if rest := b.pace.call(strconv.Itoa(workspace)); rest > 0 {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// Used is what is taken at the moment, in bytes.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Spend counts bytes that the work in ctx is about to take, and waits for its turn
// when they are many. The error is a Problem: the work is too large, its workspace
// has no more, or nobody has.
func Spend(ctx context.Context, bytes int64) error {
	a, _ := ctx.Value(accountKey{}).(*account)
	if a == nil {
		return nil
	}
	if err := a.spend(bytes); err != nil {
		return err
	}
	a.work(max(bytes, 0))
	return nil
}

// Borrow is Spend for what is given back before the work ends.
func Borrow(ctx context.Context, bytes int64) (giveBack func(), err error) {
	if err := Spend(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { _ = Spend(ctx, -bytes) }, nil
}

// Meter is Spend for those who have no context.
func Meter(ctx context.Context) func(bytes int64) error {
	return func(bytes int64) error { return Spend(ctx, bytes) }
}

// Batched is Meter for callers that count many small pieces: they are counted
// when there are some.
func Batched(ctx context.Context) func(bytes int64) error {
	const some = 64 << 10
	owed := int64(0)
	return func(bytes int64) error {
		if owed += bytes; owed < some {
			return nil
		}
		bytes, owed = owed, 0
		return Spend(ctx, bytes)
	}
}

// busyFor is after what time a full budget may have room again: most work
// takes a few seconds.
const busyFor = 5 * time.Second

func (a *account) spend(bytes int64) error {
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case a.held+bytes > b.share:
		return &report.Problem{Kind: report.TooLarge, Message: fmt.Sprintf("what was sent, its data and its document take more than %d MB of memory together, the most that one piece of work may take; use fewer rows and smaller sources", b.share>>20)}
	case b.by[a.workspace]+bytes > b.share:
		return &report.Problem{Kind: report.Exhausted, Wait: busyFor, Message: fmt.Sprintf("what this workspace does at the moment takes the %d MB of memory that it may; try again when some of it is done", b.share>>20)}
	case b.used+bytes > b.most:
		return &report.Problem{Kind: report.Busy, Wait: busyFor, Message: "what the service does at the moment takes all of its memory; try again in a moment"}
	}
	a.held += bytes
	b.by[a.workspace] += bytes
	b.used += bytes
	return nil
}

func (a *account) close() {
	b := a.budget
	b.pace.leave(a)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= a.held
	if b.by[a.workspace] -= a.held; b.by[a.workspace] == 0 {
		delete(b.by, a.workspace)
	}
	a.held = 0
}
