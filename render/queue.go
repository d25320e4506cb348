package render

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/quire-reports/quire/internal/turns"
)

// queue holds what waits for a slot: jobs in fair order, and large documents
// that idle slots may help with.
type queue struct {
	limit int        // of jobs that wait and somebody waits for
	ofKey int        // of those of one key
	slots int        // without the spare ones
	long  func() int // how many slots, of all, have documents that take long

	mu      sync.Mutex
	lanes   [2]turns.Lanes[*item] // by Priority, each by key
	shares  turns.Shares          // of all slots, by key
	turn    int                   // normal jobs since the last background job
	offers  []task
	waiters []chan task
	left    chan struct{} // one place: something has begun to wait for a slot
	stopped bool
}

// task is what a slot can do.
type task interface {
	run(ctx context.Context, s *slot)
	key() string // whose slot it takes
}

// backgroundTurn is after how many normal jobs a waiting background job goes
// first.
const backgroundTurn = 3

// mostAsked is what a key that asks for much without end is counted, as if it had a
// slot all the time: who asks for a page now and then goes first, and who has more
// than that has to share.
const mostAsked = 15 * time.Second

func newQueue(limit, ofKey, slots int, long func() int) *queue {
	return &queue{shares: turns.Shares{MostAsked: mostAsked}, limit: limit, ofKey: ofKey, slots: slots, long: long, left: make(chan struct{}, 1)}
}

// push adds a job, or hands it to a waiting slot at once.
func (q *queue) push(it *item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.stopped:
		return ErrStopped
	case q.hand(it):
		return nil
	case it.lane() == Normal:
		if err := q.refuses(it.key()); err != nil {
			return err
		}
		if q.lanes[Normal].Len() >= q.limit && !q.makeRoom() {
			return q.full()
		}
	}
	q.lanes[it.lane()].Add(it.key(), it)
	q.tell()
	return nil
}

// tell wakes one of the spare slots that rest.
func (q *queue) tell() {
	select {
	case q.left <- struct{}{}:
	default:
	}
}

// full is the refusal of a job that somebody waits for. Background jobs are
// never refused: they were accepted before, and whoever brings them brings few
// at a time.
func (q *queue) full() error { return fail(ErrBusy, "%d documents are waiting", q.limit) }

// room is nil when a job of a key that somebody waits for would be let in.
func (q *queue) room(key string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refuses(key)
}

// refuses is why a job of a key is not let in: the key has as many waiting as it
// may, or the queue is full and no other key has more of it.
func (q *queue) refuses(key string) error {
	waiting := q.lanes[Normal].Waiting(key)
	if waiting >= q.ofKey {
		return fail(ErrBusy, "%d documents of the same key are waiting", waiting)
	}
	if _, most := q.lanes[Normal].Longest(); q.lanes[Normal].Len() >= q.limit && most <= waiting+1 {
		return q.full()
	}
	return nil
}

// makeRoom refuses the youngest job of the key with most waiting.
func (q *queue) makeRoom() bool {
	longest, _ := q.lanes[Normal].Longest()
	for _, it := range slices.Backward(q.lanes[Normal].Lane(longest)) {
		if it.began.IsZero() { // else it was lost with its browser, and comes first
			q.lanes[Normal].Remove(longest, it)
			it.finish(nil, q.full())
			return true
		}
	}
	return false
}

// again puts a job back in front: it has waited before, so the limit does not
// count.
func (q *queue) again(it *item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return ErrStopped
	}
	if !q.hand(it) {
		q.lanes[it.lane()].AddFront(it.key(), it)
	}
	return nil
}

// hand gives a task to a slot that waits.
func (q *queue) hand(t task) bool {
	if len(q.waiters) == 0 {
		return false
	}
	last := len(q.waiters) - 1 // the slot that worked last: its tab is warmest
	q.waiters[last] <- t
	q.waiters = q.waiters[:last]
	q.shares.Take(t.key())
	return true
}

// demand is what a key has had of slots lately and asks for.
func (q *queue) demand(key string) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shares.Demand(key, q.lanes[Normal].Waiting(key))
}

// worked corrects what a key was counted for a slot by how much more, or less, time
// of processors its tab had: who only waited for others had nothing of it.
func (q *queue) worked(key string, more time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shares.Add(key, more)
}

// release counts that a slot has no task of a key any more.
func (q *queue) release(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shares.Release(key)
}

// next waits for a task, until ctx ends or one of wake is closed; those may be
// nil.
func (q *queue) next(ctx context.Context, wake [3]<-chan struct{}) (task, bool) {
	ch := make(chan task, 1)
	q.mu.Lock()
	if t := q.pop(); t != nil {
		q.mu.Unlock()
		return t, true
	}
	q.waiters = append(q.waiters, ch)
	q.mu.Unlock()
	select {
	case t := <-ch:
		return t, true
	case <-ctx.Done():
	case <-wake[0]:
	case <-wake[1]:
	case <-wake[2]:
	}
	return q.leave(ch)
}

// leave takes a slot off the list of those that wait. A task that was handed
// to it meanwhile is not lost.
func (q *queue) leave(ch chan task) (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiters {
		if w == ch {
			q.waiters = append(q.waiters[:i], q.waiters[i+1:]...)
			return nil, false
		}
	}
	return <-ch, true
}

// pop takes the next task: a job, or when no job waits an offer.
func (q *queue) pop() task {
	if it := q.popThat(func(string, *item) bool { return true }); it != nil {
		return it
	}
	if len(q.offers) > 0 {
		t := q.offers[0]
		q.offers = q.offers[1:]
		q.shares.Take(t.key())
		return t
	}
	return nil
}

// popThat takes the next of the jobs that fit.
func (q *queue) popThat(fits func(key string, it *item) bool) *item {
	first, second := Normal, Background
	if q.turn >= backgroundTurn {
		first, second = second, first
	}
	for _, p := range []Priority{first, second} {
		if it, ok := q.lanes[p].PopThat(&q.shares, fits); ok {
			q.shares.Take(it.key())
			q.turn++
			if p == Background {
				q.turn = 0
			}
			return it
		}
	}
	return nil
}

// popSpare takes the next job that is for a spare slot; see isForSpare.
func (q *queue) popSpare() *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.popThat(q.isForSpare())
}

// wantsSpare reports whether there is a job for a spare slot.
func (q *queue) wantsSpare() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	fits := q.isForSpare()
	return slices.ContainsFunc(q.lanes[:], func(l turns.Lanes[*item]) bool {
		_, _, ok := l.NextThat(&q.shares, fits)
		return ok
	})
}

// isForSpare is the rule for spare slots, which are used while all others are held.
// They take the place of those with documents that take long, for all that is not
// large. And there is one more for what somebody waits for of a key that holds none
// and had less lately than the keys that do, and a second one for keys that had much
// less, whatever they hold: who asks for little does not wait for itself either.
func (q *queue) isForSpare() func(key string, it *item) bool {
	held := q.shares.Held()
	quick := held - q.long()
	return func(key string, it *item) bool {
		switch {
		case held < q.slots || len(it.job.HTML) > largeHTML:
			return false
		case quick < q.slots:
			return true
		case quick > q.slots+1 || it.lane() != Normal:
			return false
		}
		return q.shares.MuchLess(key, q.lanes[Normal].Waiting) || quick == q.slots && q.shares.LeastOf(key, q.lanes[Normal].Waiting)
	}
}

// offer asks for the help of a slot that has no job.
func (q *queue) offer(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.hand(t) {
		q.offers = append(q.offers, t)
	}
}

// takeBack removes the offers that nobody has taken yet.
func (q *queue) takeBack(which func(task) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.offers = slices.DeleteFunc(q.offers, which)
}

// idle is the number of slots that wait.
func (q *queue) idle() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiters)
}

func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lanes[Normal].Len() + q.lanes[Background].Len()
}

// remove takes a job out whose caller has gone.
func (q *queue) remove(it *item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lanes[it.lane()].Remove(it.key(), it)
}

// removeOlder takes out the jobs that have waited since before t.
func (q *queue) removeOlder(t time.Time) []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.filter(func(it *item) bool { return it.waits.Before(t) })
}

// stop refuses further jobs and returns those that wait.
func (q *queue) stop() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	return q.filter(func(*item) bool { return true })
}

func (q *queue) filter(out func(*item) bool) []*item {
	var removed []*item
	for i := range q.lanes {
		for _, it := range q.lanes[i].All() {
			if out(it) && q.lanes[i].Remove(it.key(), it) {
				removed = append(removed, it)
			}
		}
	}
	return removed
}
