package render

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// Pool prints documents in warm tabs of supervised browsers.
type Pool struct {
	c       Config
	dir     *workDir
	queue   *queue
	moments priority.Moments // of short documents, for which others stand still
	box     *confinement
	sups    []*supervisor
	slots   []*slot // the spare ones last
	stats   counters
	burden  burden
	running atomic.Int64 // jobs, those that wait included
	ready   atomic.Int64 // slots with a tab

	cancel  context.CancelCauseFunc
	sup, wg sync.WaitGroup // supervisors; slots and what they have under way
	stop    sync.Once
}

// New starts a pool: it returns at once, and the browsers start in the
// background. Stop ends it.
func New(c Config) *Pool {
	c = c.withDefaults()
	p := &Pool{c: c, dir: &workDir{base: c.Dir}, box: newConfinement(c)}
	p.queue = newQueue(c.Queue, c.OfKey, c.Tabs, p.long)
	slots, cancel := context.WithCancelCause(context.Background())
	p.cancel = cancel
	browsers, endBrowsers := context.WithCancel(context.Background())
	for range c.Browsers {
		sup := newSupervisor(p.box, p.dir.get, &p.stats, &p.burden, p.expire)
		p.sups = append(p.sups, sup)
		p.sup.Go(func() { sup.run(browsers) })
	}
	for i := range 2*c.Tabs + 2 { // spare ones: each may have to be replaced, and two more are for keys that had less (queue.isForSpare)
		p.slots = append(p.slots, &slot{pool: p, sup: p.sups[i%len(p.sups)], spare: i >= c.Tabs})
	}
	for _, s := range p.slots {
		run := s.run
		if s.spare {
			run = s.runSpare
		}
		p.wg.Go(func() { run(slots) })
	}
	context.AfterFunc(slots, func() {
		p.wg.Wait() // tabs first, so that none waits for a browser that has ended
		endBrowsers()
	})
	return p
}

// long is how many slots have documents that take long.
func (p *Pool) long() (n int) {
	for _, s := range p.slots {
		if t := s.busy.Load(); t != nil && (s.large.Load() || t.lowered.Load() || t.standsStill()) {
			n++
		}
	}
	return n
}

// Print prints a document. It waits for its turn until ctx ends. The errors are
// those of this package or of ctx.
func (p *Pool) Print(ctx context.Context, job Job) (*Result, error) {
	return p.do(newItem(ctx, job, false))
}

// Waits of Room: how long, and how often it looks.
const (
	roomWait = time.Second
	roomLook = roomWait / 4
)

// Room waits a moment until a job of a key would be let in, and else returns the
// ErrBusy that Print would, before anything is done for a document in vain.
func (p *Pool) Room(ctx context.Context, key string) error {
	err := p.queue.room(key)
	for end := time.Now().Add(roomWait); err != nil && ctx.Err() == nil && time.Now().Before(end); err = p.queue.room(key) {
		sleep(ctx, roomLook)
	}
	return p.later(err)
}

// Paginate makes the pages of a document without printing them: HTML, Pages,
// Anchors and Warnings of the result are filled, Parts is empty.
func (p *Pool) Paginate(ctx context.Context, job Job) (*Result, error) {
	job.Paginate, job.HTMLOut = true, true
	return p.do(newItem(ctx, job, true))
}

func (p *Pool) do(it *item) (*Result, error) {
	p.running.Add(1)
	defer p.running.Add(-1)
	if err := p.queue.push(it); err != nil {
		p.stats.note(nil, err)
		return nil, p.later(err)
	}
	select {
	case <-it.done:
	case <-it.ctx.Done():
		if p.queue.remove(it) {
			it.finish(nil, translateContext(context.Cause(it.ctx)))
		}
		<-it.done // whoever works on it sees the end of the context too
	}
	p.stats.note(it.res, it.err)
	return it.res, p.later(it.err)
}

// later tells who was refused when the queue will have been printed.
func (p *Pool) later(err error) error {
	if !errors.Is(err, ErrBusy) {
		return err
	}
	s := p.stats.stats()
	return &failure{kind: ErrBusy, cause: err, wait: queueTime(s.FillTime+s.PrintTime, s.Printed, p.queue.waiting(), p.c.Tabs)}
}

// queueTime is how long tabs need for what waits, by the time that documents took
// in all; at least a second, at most two minutes.
func queueTime(took time.Duration, printed int64, waiting, tabs int) time.Duration {
	each := time.Second
	if printed > 0 {
		each = took / time.Duration(printed)
	}
	return min(max(each*time.Duration(waiting)/time.Duration(tabs), time.Second), 2*time.Minute)
}

// expire is called after every start of a browser, and opening of a tab, that
// failed. When there is no tab, jobs that have waited long enough are told so.
func (p *Pool) expire() {
	if p.ready.Load() > 0 {
		return
	}
	last := "it cannot be started"
	for _, s := range p.sups {
		if h := s.snapshot(); h.LastError != "" {
			last = h.LastError
		}
	}
	for _, it := range p.queue.removeOlder(time.Now().Add(-p.c.StartTimeout)) {
		it.finish(nil, fail(ErrUnavailable, "%s", last))
	}
}

// Health says what is true of the pool now. It asks nobody and does not wait.
func (p *Pool) Health() Health {
	h := Health{State: Recovering, Waiting: p.queue.waiting(), Tabs: p.c.Tabs}
	h.Sandbox, h.SandboxReason = p.box.snapshot()
	h.Running = max(int(p.running.Load())-h.Waiting, 0)
	best := map[State]int{Ready: 4, Recovering: 3, Starting: 2, Stopped: 1}
	for i, s := range p.sups {
		b := s.snapshot()
		h.Browsers = append(h.Browsers, b)
		if i == 0 || best[b.State] > best[h.State] {
			h.State = b.State
		}
	}
	return h
}

// Stats returns the counters.
func (p *Pool) Stats() Stats { return p.stats.stats() }

// Stop ends the pool: waiting jobs get ErrStopped, running ones are ended, and
// no process and no folder is left when it returns. Results that were not
// closed lose the parts that were on disk. It may be called more than once.
func (p *Pool) Stop() {
	p.stop.Do(func() {
		for _, it := range p.queue.stop() {
			it.finish(nil, ErrStopped)
		}
		p.cancel(ErrStopped)
		p.sup.Wait()
		p.dir.remove()
	})
}
