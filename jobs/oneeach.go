package jobs

import (
	"context"
	"sync"
)

// oneEach lets one at a time do something about each of many things.
type oneEach struct {
	mu   sync.Mutex
	busy map[int]chan struct{} // closed when that one is done
}

// enter waits until nobody else does it about a thing; done is to be called then.
func (o *oneEach) enter(ctx context.Context, id int) (done func(), err error) {
	for {
		o.mu.Lock()
		other, busy := o.busy[id]
		if !busy {
			if o.busy == nil {
				o.busy = map[int]chan struct{}{}
			}
			own := make(chan struct{})
			o.busy[id] = own
			o.mu.Unlock()
			return func() {
				o.mu.Lock()
				delete(o.busy, id)
				o.mu.Unlock()
				close(own)
			}, nil
		}
		o.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
