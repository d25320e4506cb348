package scripting

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/quire-reports/quire/internal/turns"
	"github.com/quire-reports/quire/report"
)

type callerKey struct{}

// caller is whose scripts are run.
type caller struct{ owner, user string }

// For says whose scripts are run with a context: of which owner, for instance a
// workspace, and of which of its users. Those of different owners take turns, and
// a user may have so many at the same time.
func For(ctx context.Context, owner, user string) context.Context {
	return context.WithValue(ctx, callerKey{}, caller{owner, owner + " " + user})
}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// places are how many scripts may run at the same time. While others hold them
// all there is one more, for the owner that had least lately: nobody has to
// wait for the endless loops of somebody else.
type places struct {
	most, mostOfUser int

	mu     sync.Mutex
	users  map[string]int // how many of each run or wait
	taken  int
	shares turns.Shares
	lanes  turns.Lanes[chan struct{}] // each is closed when its turn has come
}

func newPlaces(most, mostOfUser int) *places {
	return &places{most: most, mostOfUser: mostOfUser, users: map[string]int{}}
}

// comeBack is after what time who has too many scripts may come back: one takes
// some seconds at most.
const comeBack = 5 * time.Second

// take waits for a place until ctx ends. The error is a Problem when the user has
// too many already.
func (p *places) take(ctx context.Context) error {
	caller, turn := callerOf(ctx), make(chan struct{})
	owner := caller.owner
	p.mu.Lock()
	if p.users[caller.user] >= p.mostOfUser {
		p.mu.Unlock()
		return &report.Problem{Kind: report.Exhausted, Wait: comeBack, Message: fmt.Sprintf("you have %d scripts that run or wait for their turn, the most that one user may have; try again when some of them are done", p.mostOfUser)}
	}
	p.users[caller.user]++
	p.lanes.Add(owner, turn)
	p.grant()
	p.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	waiting := p.lanes.Remove(owner, turn)
	if waiting {
		p.gone(caller)
	}
	p.mu.Unlock()
	if !waiting { // its turn came at the same moment
		p.release(ctx)
	}
	return ctx.Err()
}

// release gives a place back.
func (p *places) release(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	caller := callerOf(ctx)
	p.shares.Release(caller.owner)
	p.gone(caller)
	p.grant()
}

// gone counts a script of a user less.
func (p *places) gone(c caller) {
	if p.users[c.user]--; p.users[c.user] == 0 {
		delete(p.users, c.user)
	}
}

func (p *places) grant() {
	for p.lanes.Len() > 0 {
		owner, _ := p.lanes.Next(&p.shares)
		another := p.taken == p.most && p.shares.LeastOf(owner, p.lanes.Waiting)
		if p.taken >= p.most && !another {
			return
		}
		turn, _ := p.lanes.Pop(&p.shares)
		p.taken++
		p.shares.Take(owner)
		close(turn)
	}
}

func (p *places) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lanes.Len()
}
