// Package turns keeps what waits in fair order: each owner, such as a workspace,
// has a lane of its own; who had least lately goes first, and owners that are
// equal take turns. It is a leaf, for whatever hands out places.
package turns

import (
	"slices"
	"time"
)

// Lanes holds what waits, by owner. It is not safe for concurrent use.
type Lanes[T comparable] struct {
	order []string // owners with something waiting, next first
	lanes map[string][]T
	n     int
}

// Len is how many wait in all.
func (l *Lanes[T]) Len() int { return l.n }

// Waiting is how many of an owner's wait.
func (l *Lanes[T]) Waiting(owner string) int { return len(l.lanes[owner]) }

// Longest is the owner with most waiting, the first of them.
func (l *Lanes[T]) Longest() (owner string, waiting int) {
	for _, o := range l.order {
		if n := len(l.lanes[o]); n > waiting {
			owner, waiting = o, n
		}
	}
	return owner, waiting
}

// Add puts one at the end of its owner's lane.
func (l *Lanes[T]) Add(owner string, one T) { l.place(owner, append(l.lanes[owner], one)) }

// AddFront puts one at the front of its owner's lane.
func (l *Lanes[T]) AddFront(owner string, one T) {
	l.place(owner, append([]T{one}, l.lanes[owner]...))
}

func (l *Lanes[T]) place(owner string, lane []T) {
	if l.lanes == nil {
		l.lanes = map[string][]T{}
	}
	if len(l.lanes[owner]) == 0 {
		l.order = append(l.order, owner)
	}
	l.lanes[owner] = lane
	l.n++
}

// Pop takes the next: the first of the owner whose turn it is by shares.
func (l *Lanes[T]) Pop(shares *Shares) (one T, ok bool) {
	return l.PopThat(shares, func(string, T) bool { return true })
}

// PopThat takes the next of those that fit: owners whose first does not are passed
// over.
func (l *Lanes[T]) PopThat(shares *Shares, fits func(owner string, one T) bool) (one T, ok bool) {
	owner, one, ok := l.NextThat(shares, fits)
	if !ok {
		return one, false
	}
	l.drop(owner, 0)
	if i := slices.Index(l.order, owner); i >= 0 { // it goes behind the others
		l.order = append(slices.Delete(l.order, i, i+1), owner)
	}
	return one, true
}

// Next is what Pop takes, and whose it is; somebody must be waiting.
func (l *Lanes[T]) Next(shares *Shares) (owner string, one T) {
	owner, one, _ = l.NextThat(shares, func(string, T) bool { return true })
	return owner, one
}

// NextThat is what PopThat takes, and whose it is.
func (l *Lanes[T]) NextThat(shares *Shares, fits func(owner string, one T) bool) (owner string, one T, ok bool) {
	var least time.Duration
	for _, o := range l.order {
		if first := l.lanes[o][0]; fits(o, first) {
			if c := shares.Claim(o, len(l.lanes[o])); !ok || c < least {
				owner, one, least, ok = o, first, c, true
			}
		}
	}
	return owner, one, ok
}

// Remove takes one out.
func (l *Lanes[T]) Remove(owner string, one T) bool {
	i := slices.Index(l.lanes[owner], one)
	if i >= 0 {
		l.drop(owner, i)
	}
	return i >= 0
}

func (l *Lanes[T]) drop(owner string, i int) {
	l.n--
	lane := l.lanes[owner]
	if len(lane) > 1 {
		l.lanes[owner] = append(lane[:i:i], lane[i+1:]...)
		return
	}
	delete(l.lanes, owner)
	at := slices.Index(l.order, owner)
	l.order = slices.Delete(l.order, at, at+1)
}

// Lane is what waits of an owner, next first.
func (l *Lanes[T]) Lane(owner string) []T { return slices.Clone(l.lanes[owner]) }

// All is what waits, owner by owner.
func (l *Lanes[T]) All() []T {
	var all []T
	for _, owner := range l.order {
		all = append(all, l.lanes[owner]...)
	}
	return all
}
