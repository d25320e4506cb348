package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// latestTakes is how long an answer may take that several wait for: each is one small
// reading. A pooler keeps questions to a server that is away for minutes.
const latestTakes = 5 * time.Second

// latest answers those who ask for the same at the same time together. An answer
// that was being found before somebody asked is not his, as it may be of before: the
// next one is, for all who came meanwhile. So nobody waits for more than two, and
// nobody gets what was true only before he asked.
type latest[K comparable, V any] struct {
	mu    sync.Mutex
	found map[K]*answers[V]
}

// answers are the one that is being found and the one after it.
type answers[V any] struct{ next *answer[V] }

type answer[V any] struct {
	value V
	err   error
	done  chan struct{}
}

// get finds the answer of a key; find outlives the context of whoever asks.
func (l *latest[K, V]) get(ctx context.Context, key K, find func(context.Context) (V, error)) (V, error) {
	own := l.ask(ctx, key, find)
	select {
	case <-own.done:
		return own.value, own.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// ask gives the answer that is found from now on.
func (l *latest[K, V]) ask(ctx context.Context, key K, find func(context.Context) (V, error)) *answer[V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	finding := l.found[key]
	if finding == nil {
		if l.found == nil {
			l.found = map[K]*answers[V]{}
		}
		l.found[key] = &answers[V]{}
		first := &answer[V]{done: make(chan struct{})}
		go l.find(context.WithoutCancel(ctx), key, first, find)
		return first
	}
	if finding.next == nil {
		finding.next = &answer[V]{done: make(chan struct{})}
	}
	return finding.next
}

// find finds answers until nobody waits for the next.
func (l *latest[K, V]) find(ctx context.Context, key K, a *answer[V], find func(context.Context) (V, error)) {
	for a != nil {
		limited, cancel := context.WithTimeout(ctx, latestTakes)
		if a.value, a.err = find(limited); errors.Is(a.err, context.DeadlineExceeded) {
			a.err = isAway("the database", a.err)
		}
		cancel()
		close(a.done)
		l.mu.Lock()
		finding := l.found[key]
		if a = finding.next; a == nil {
			delete(l.found, key)
		}
		finding.next = nil
		l.mu.Unlock()
	}
}
