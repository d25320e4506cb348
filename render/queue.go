package render

import (
	"context"
	"slices"
	"sync"
	"time"
)

// queue holds what waits for a slot: jobs in fair order, and large documents
// that idle slots may help with.
type queue struct {
	limit int

	mu      sync.Mutex
	lanes   [2]lane // by Priority
	turn    int     // normal jobs since the last background job
	offers  []task
	waiters []chan task
	stopped bool
}

// task is what a slot can do.
type task interface {
	run(ctx context.Context, s *slot)
}

// backgroundTurn is after how many normal jobs a waiting background job goes
// first.
const backgroundTurn = 3

func newQueue(limit int) *queue { return &queue{limit: limit} }

// push adds a job, or hands it to a waiting slot at once.
func (q *queue) push(it *item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.stopped:
		return ErrStopped
	case q.hand(it):
		return nil
	case q.lanes[Normal].n+q.lanes[Background].n >= q.limit:
		return fail(ErrBusy, "%d documents are waiting", q.limit)
	}
	q.lanes[it.lane()].add(it)
	return nil
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
		q.lanes[it.lane()].addFront(it)
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
	return true
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
	first, second := Normal, Background
	if q.turn >= backgroundTurn {
		first, second = second, first
	}
	for _, p := range []Priority{first, second} {
		if it := q.lanes[p].pop(); it != nil {
			q.turn++
			if p == Background {
				q.turn = 0
			}
			return it
		}
	}
	if len(q.offers) > 0 {
		t := q.offers[0]
		q.offers = q.offers[1:]
		return t
	}
	return nil
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
	return q.lanes[Normal].n + q.lanes[Background].n
}

// remove takes a job out whose caller has gone.
func (q *queue) remove(it *item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lanes[it.lane()].remove(it)
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
		for _, it := range q.lanes[i].all() {
			if out(it) && q.lanes[i].remove(it) {
				removed = append(removed, it)
			}
		}
	}
	return removed
}

// lane holds jobs of one priority; their keys take turns.
type lane struct {
	order []string // keys with jobs, next first
	jobs  map[string][]*item
	n     int
}

func (l *lane) add(it *item) {
	l.place(it, append(l.jobs[it.job.Key], it))
}

func (l *lane) addFront(it *item) {
	l.place(it, append([]*item{it}, l.jobs[it.job.Key]...))
}

func (l *lane) place(it *item, list []*item) {
	if l.jobs == nil {
		l.jobs = map[string][]*item{}
	}
	if len(l.jobs[it.job.Key]) == 0 {
		l.order = append(l.order, it.job.Key)
	}
	l.jobs[it.job.Key] = list
	l.n++
}

// pop takes the first job of the next key and puts the key at the end.
func (l *lane) pop() *item {
	if l.n == 0 {
		return nil
	}
	key := l.order[0]
	it := l.jobs[key][0]
	l.order = l.order[1:]
	l.n--
	if rest := l.jobs[key][1:]; len(rest) > 0 {
		l.jobs[key] = rest
		l.order = append(l.order, key)
	} else {
		delete(l.jobs, key)
	}
	return it
}

func (l *lane) remove(it *item) bool {
	list := l.jobs[it.job.Key]
	for i, other := range list {
		if other == it {
			l.drop(it.job.Key, list, i)
			return true
		}
	}
	return false
}

func (l *lane) drop(key string, list []*item, i int) {
	l.n--
	if len(list) > 1 {
		l.jobs[key] = append(list[:i:i], list[i+1:]...)
		return
	}
	delete(l.jobs, key)
	for i, k := range l.order {
		if k == key {
			l.order = append(l.order[:i], l.order[i+1:]...)
			return
		}
	}
}

func (l *lane) all() []*item {
	var list []*item
	for _, key := range l.order {
		list = append(list, l.jobs[key]...)
	}
	return list
}
