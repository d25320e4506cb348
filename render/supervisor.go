package render

import (
	"context"
	"errors"
	"sync"
	"time"
)

// supervisor keeps one browser process running: it starts it, watches it,
// replaces it when it is lost, hung or worn, and tells whoever asks how it is.
// There is no state in which it waits for something that may never come: every
// wait ends with a time limit or with the pool.
type supervisor struct {
	c     Config
	box   *confinement
	dir   func() (string, error) // folder for profiles
	stats *counters
	all   *burden
	// failed is told of every start that failed.
	failed func()

	mu      sync.Mutex
	health  BrowserHealth
	cur     *browser
	changed chan struct{} // closed and replaced at every change of cur
	worn    chan struct{} // one place: the browser has done its share
	ending  sync.WaitGroup
}

// Pauses between attempts to start: short at first, never long, because a
// browser can be installed, or a disk emptied, at any moment.
const (
	pauseFirst = 100 * time.Millisecond
	pauseMost  = 2 * time.Second
	// aliveEvery is how often a browser is asked for a sign of life.
	aliveEvery = 2 * time.Second
	// settled is how long a browser must have lived until its loss counts as
	// a new trouble and not as the same one.
	settled = 10 * time.Second
)

func newSupervisor(box *confinement, dir func() (string, error), stats *counters, all *burden, failed func()) *supervisor {
	return &supervisor{
		c: box.c, box: box, dir: dir, stats: stats, all: all, failed: failed,
		health:  BrowserHealth{State: Starting, Since: time.Now()},
		changed: make(chan struct{}),
		worn:    make(chan struct{}, 1),
	}
}

// run supervises until ctx ends; no process is left when it returns.
func (s *supervisor) run(ctx context.Context) {
	pause := pauseFirst
	for ctx.Err() == nil {
		began := time.Now()
		if s.runOnce(ctx) && time.Since(began) > settled {
			pause = pauseFirst
		}
		sleep(ctx, pause)
		pause = min(pause*2, pauseMost)
	}
	s.swap(nil)
	s.setState(Stopped, nil)
	s.ending.Wait()
}

// runOnce starts a browser and stays with it, and with those that replace it
// when it is worn, until one is lost. It says whether a start succeeded.
func (s *supervisor) runOnce(ctx context.Context) bool {
	b, err := s.start(ctx)
	if err != nil {
		return false
	}
	for {
		s.install(b)
		next, err := s.watch(ctx, b)
		if next == nil {
			s.lose(ctx, b, err)
			return true
		}
		b = next
	}
}

// start starts a process; what went wrong is kept for Health and the log.
func (s *supervisor) start(ctx context.Context) (*browser, error) {
	s.stats.browserStarts.Add(1)
	dir, err := s.dir()
	if err == nil {
		var p *process
		if p, err = s.box.start(ctx, dir); err == nil {
			b := newBrowser(p)
			s.ending.Go(func() { b.weigh(s.c, s.all) })
			return b, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.stats.browserFailed.Add(1)
	s.noteFailure(err)
	s.failed()
	return nil, err
}

// watch waits until the browser is lost (nil and why) or another has been
// started in its place.
func (s *supervisor) watch(ctx context.Context, b *browser) (*browser, error) {
	tick := time.NewTicker(aliveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, nil
		case <-b.exited:
			return nil, errors.New("the browser process ended" + b.lastWords())
		case <-b.conn.done:
			return nil, errLost
		case <-s.worn:
			if next, err := s.start(ctx); err == nil {
				s.stats.browserRenewed.Add(1)
				return next, nil
			}
		case <-tick.C:
			if err := b.alive(ctx, s.c.HangTimeout); err != nil && ctx.Err() == nil {
				return nil, errors.New("the browser did not answer")
			}
		}
	}
}

// install makes b the browser for new tabs. The one before is ended when its
// tabs have finished.
func (s *supervisor) install(b *browser) {
	s.mu.Lock()
	s.health.Starts++
	s.health.Failures = 0
	s.health.PID, s.health.Version = b.pid, b.version
	s.mu.Unlock()
	s.setState(Ready, nil)
	if old := s.swap(b); old != nil {
		s.ending.Go(func() { s.endWhenEmpty(old) })
	}
}

func (s *supervisor) endWhenEmpty(old *browser) {
	old.retire()
	limit := time.NewTimer(s.c.Timeout)
	defer limit.Stop()
	select {
	case <-old.empty:
	case <-old.exited:
	case <-limit.C:
	}
	old.end()
}

// lose ends a browser that is lost, or that is no longer wanted.
func (s *supervisor) lose(ctx context.Context, b *browser, err error) {
	s.swap(nil)
	if ctx.Err() == nil {
		s.stats.browserLost.Add(1)
		s.setState(Recovering, err)
		s.c.Log.Warn("browser lost", "pid", b.pid, "error", err)
	}
	s.ending.Go(b.end)
}

func (s *supervisor) swap(b *browser) (old *browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, s.cur = s.cur, b
	if b == nil {
		s.health.PID = 0
	}
	close(s.changed)
	s.changed = make(chan struct{})
	return old
}

// current returns the browser for new tabs, or nil, and a channel that is
// closed when that changes.
func (s *supervisor) current() (*browser, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur, s.changed
}

// used counts a document; after its share the browser is replaced.
func (s *supervisor) used(b *browser) {
	if b.uses.Add(1) != int64(s.c.BrowserUses) {
		return
	}
	select {
	case s.worn <- struct{}{}:
	default:
	}
}

func (s *supervisor) noteFailure(err error) {
	s.mu.Lock()
	s.health.Failures++
	first := s.health.LastError != err.Error()
	known := s.cur != nil // a replacement failed; the old one still works
	s.mu.Unlock()
	if first {
		s.c.Log.Error("browser cannot be started", "error", err)
	}
	if known {
		s.setState(Ready, err)
		return
	}
	s.setState(Recovering, err)
}

func (s *supervisor) setState(state State, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.health.State != state {
		s.health.State, s.health.Since = state, time.Now()
	}
	if err != nil {
		s.health.LastError, s.health.LastErrorAt = err.Error(), time.Now()
	}
}

// noteError keeps what went wrong without a change of state.
func (s *supervisor) noteError(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.health.LastError, s.health.LastErrorAt = err.Error(), time.Now()
}

// snapshot is the truth for Health: a browser in which no tab has been opened
// yet is not ready, whatever it answers.
func (s *supervisor) snapshot() BrowserHealth {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.health
	if s.cur == nil {
		return h
	}
	h.Tabs = s.cur.countTabs()
	if h.State == Ready && !s.cur.proved.Load() {
		h.State = Recovering
		if h.Starts == 1 && h.LastError == "" {
			h.State = Starting
		}
	}
	return h
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
