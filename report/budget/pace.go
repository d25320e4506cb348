package budget

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/quire-reports/quire/internal/turns"
)

// Work that goes through many bytes keeps a processor busy for seconds. There is
// one piece of such work at a time, for a moment each and by turns of the
// workspaces, and while somebody else is there and processors are short it leaves
// as many moments to others as there are who want a processor: what is small does
// not wait behind it, neither in this process nor in browsers and scripts, which
// come after it.
const (
	// large is from how many bytes on work takes turns, when its workspace goes
	// through more than steady in a second: many small pieces one after the other
	// are no large one.
	large  = 4 << 20
	steady = 8 << 20
	// moment is for how long it may go on.
	moment = 20 * time.Millisecond
	// lapse is after what time a turn is over of which nothing was heard: the
	// work waits for something itself, such as the rest of a body.
	lapse = 50 * time.Millisecond
	// longestRest is the longest that is left to others after a turn.
	longestRest = 500 * time.Millisecond
	// look is how often who waits looks whether it is its turn.
	look = 5 * time.Millisecond
	// lately is for how long somebody counts as being there.
	lately = time.Second
	// calls is how many requests a workspace may send in a second, and callsAtOnce
	// how many at once, before each waits for a moment. No more than mostCalls are
	// remembered, so that it is over soon.
	calls       = 10
	callsAtOnce = 40
	mostCalls   = 100
)

// pace gives large work its turns.
type pace struct {
	mu          sync.Mutex
	turn        *account // whose turn it is
	since, seen time.Time
	rest        time.Time // when the next turn may begin
	waiting     turns.Lanes[*account]
	shares      turns.Shares // of the turns, by workspace
	entered     [2]visit     // of different workspaces, the last first
	flows       map[string]flow
	called      map[string]flow // requests
	crowd       func() float64  // how many want each processor
	collector   collector
}

// flow is how much of something a workspace had, less what is steady.
type flow struct {
	much float64
	at   time.Time
}

// flowed is a flow a moment later, when so much of it in a second is nothing.
func (f flow) flowed(now time.Time, steady float64) flow {
	return flow{max(f.much-now.Sub(f.at).Seconds()*steady, 0), now}
}

// visit is when work of a workspace began.
type visit struct {
	workspace string
	at        time.Time
}

// Work counts bytes that the work in ctx goes through and does not keep.
func Work(ctx context.Context, bytes int64) {
	if a, _ := ctx.Value(accountKey{}).(*account); a != nil {
		a.work(bytes)
	}
}

// work waits for the account's turn when it has gone through much.
func (a *account) work(bytes int64) {
	p := &a.budget.pace
	if p.goesOn(a, bytes) {
		return
	}
	p.collect(a)
	for !p.begin(a) {
		time.Sleep(look)
	}
}

// enter notes that work of a workspace begins.
func (p *pace) enter(workspace string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entered[0].workspace != workspace {
		p.entered[1] = p.entered[0]
	}
	p.entered[0] = visit{workspace, time.Now()}
}

// call notes a request of a workspace. It tells for how long that waits: who sends
// many leaves something to others while there are others.
func (p *pace) call(workspace string) (rest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for other, f := range p.called {
		if f.flowed(now, calls).much == 0 {
			delete(p.called, other)
		}
	}
	f := p.called[workspace].flowed(now, calls)
	f.much = min(f.much+1, mostCalls)
	p.called[workspace] = f
	if f.much <= callsAtOnce || !p.others(workspace, now) {
		return 0
	}
	return p.restAfter(moment)
}

// others reports whether others than a workspace have been there lately.
func (p *pace) others(workspace string, now time.Time) bool {
	return slices.ContainsFunc(p.entered[:], func(v visit) bool { return v.workspace != workspace && now.Sub(v.at) < lately })
}

// restAfter is how long a rest follows on some work, by how many want to work.
func (p *pace) restAfter(work time.Duration) time.Duration {
	crowd := p.crowd()
	if crowd <= 1 {
		return 0
	}
	return min(time.Duration(float64(work)*crowd), longestRest)
}

// goesOn reports whether an account needs no turn, or has its turn still; if its
// moment is over it waits for another.
func (p *pace) goesOn(a *account, bytes int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	a.done += bytes
	f := p.flows[a.owner].flowed(now, steady)
	f.much += float64(bytes)
	p.flows[a.owner] = f
	if a.done < large || f.much < large {
		return true
	}
	if p.turn == a && now.Sub(p.since) < moment {
		p.seen = now
		return true
	}
	if p.turn == a {
		p.end(now)
	}
	p.waiting.Add(a.owner, a)
	return false
}

// collect has the garbage of an account's work collected while others are there.
func (p *pace) collect(a *account) {
	p.mu.Lock()
	if !a.collects && p.others(a.owner, time.Now()) {
		a.collects = true
		p.collector.enter()
	}
	collects := a.collects
	p.mu.Unlock()
	if collects {
		p.collector.collect()
	}
}

// begin begins the turn of an account that waits, if it is next.
func (p *pace) begin(a *account) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.turn != nil && now.Sub(p.seen) > lapse {
		p.end(now)
	}
	if p.turn != nil || now.Before(p.rest) {
		return false
	}
	if _, next := p.waiting.Next(&p.shares); next != a {
		return false
	}
	p.waiting.Pop(&p.shares)
	p.shares.Take(a.owner)
	p.turn, p.since, p.seen = a, now, now
	return true
}

// end ends the turn under way, and leaves moments to others if any are there and
// processors are short.
func (p *pace) end(now time.Time) {
	owner := p.turn.owner
	p.shares.Release(owner)
	p.turn = nil
	if p.others(owner, now) {
		p.rest = now.Add(p.restAfter(now.Sub(p.since)))
	}
}

// leave ends the turn of an account that is done.
func (p *pace) leave(a *account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.collects {
		a.collects = false
		p.collector.leave()
	}
	now := time.Now()
	if p.turn == a {
		p.end(now)
	}
	if p.flows[a.owner].flowed(now, steady).much == 0 {
		delete(p.flows, a.owner)
	}
}
