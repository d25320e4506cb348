package scripting

import (
	"context"
	"sync"

	"github.com/quire-reports/quire/internal/turns"
)

type ownerKey struct{}

// For says whose scripts are run with a context, for instance of which
// workspace: those of different owners take turns.
func For(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// places are how many scripts may run at the same time. While others hold them
// all there is one more, for who had least lately: nobody has to wait for the
// endless loops of somebody else.
type places struct {
	most int

	mu     sync.Mutex
	taken  int
	shares turns.Shares
	lanes  turns.Lanes[chan struct{}] // each is closed when its turn has come
}

func newPlaces(most int) *places { return &places{most: most} }

// take waits for a place until ctx ends.
func (p *places) take(ctx context.Context) error {
	owner, turn := ownerOf(ctx), make(chan struct{})
	p.mu.Lock()
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
	p.shares.Release(ownerOf(ctx))
	p.grant()
}

func (p *places) grant() {
	for p.lanes.Len() > 0 {
		owner, _ := p.lanes.Next(&p.shares)
		another := p.taken == p.most && p.shares.LeastOf(owner)
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
