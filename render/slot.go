package render

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// slot prints one document at a time. It has a warm tab in the browser of its
// group, and a new one in the making when the tab is worn.
type slot struct {
	pool     *Pool
	life     context.Context // of the slot, not of a job
	sup      *supervisor
	spare    bool // whether it works only while others are held
	tab      *tab
	next     *opening // a tab that is being opened; nil when none is
	failures int      // tabs in a row that could not be opened

	busy  atomic.Pointer[tab] // which has a document now
	large atomic.Bool         // that document
}

// opening is a tab in the making.
type opening struct {
	b    *browser
	done chan struct{} // closed when tab or err is set
	tab  *tab
	err  error
}

// openFailures is how often opening a tab may fail until the browser is taken
// for broken, though it may still answer. Once is enough when it took too long.
const openFailures = 2

// run works until ctx ends.
func (s *slot) run(ctx context.Context) {
	s.life = ctx
	for ctx.Err() == nil {
		s.runOnce(ctx)
	}
	s.end()
}

// end closes what there is.
func (s *slot) end() {
	if s.next != nil {
		s.discard(s.next)
	}
	if s.tab != nil {
		s.setTab(nil).close(closeLimit) //nolint:errcheck // the browser is ended next
	}
}

// runOnce sees to a good tab, and does one task if there is one before
// something about the tab changes.
func (s *slot) runOnce(ctx context.Context) {
	b, changed := s.sup.current()
	s.dropLost()
	s.takeOpened(b)
	s.renew(b)
	var opened <-chan struct{}
	if s.next != nil {
		opened = s.next.done
	}
	if s.tab == nil {
		wait(ctx, changed, opened)
		return
	}
	if t, ok := s.pool.queue.next(ctx, [3]<-chan struct{}{changed, opened, s.tab.ctx.Done()}); ok {
		t.run(ctx, s)
	}
}

// wait waits for one of two things, or for the end of ctx.
func wait[A, B any](ctx context.Context, a <-chan A, b <-chan B) {
	select {
	case <-a:
	case <-b:
	case <-ctx.Done():
	}
}

// dropLost forgets a tab that has died.
func (s *slot) dropLost() {
	if s.tab != nil && (s.tab.ctx.Err() != nil || s.tab.b.lost()) {
		s.throwAway()
	}
}

// takeOpened puts a tab that has been opened into use and closes the one
// before. A tab in a browser that has been replaced meanwhile is not wanted.
func (s *slot) takeOpened(b *browser) {
	if s.next == nil {
		return
	}
	select {
	case <-s.next.done:
	default:
		return
	}
	o := s.next
	s.next = nil
	switch {
	case o.err != nil:
		s.openFailed(o)
	case o.b != b:
		s.discard(o)
	default:
		s.failures = 0
		s.replace(o.tab)
	}
}

func (s *slot) replace(t *tab) {
	old := s.setTab(t)
	if old != nil {
		s.pool.stats.tabsRenewed.Add(1)
		s.pool.wg.Go(func() { closeOrKill(old) })
	}
}

func (s *slot) openFailed(o *opening) {
	if s.life.Err() != nil || o.b.lost() {
		return
	}
	s.pool.c.Log.Warn("tab cannot be opened", "pid", o.b.pid, "error", o.err)
	s.sup.noteError(o.err)
	if s.failures++; s.failures >= openFailures || errors.Is(o.err, context.DeadlineExceeded) {
		s.failures = 0
		killGroup(o.b.pid)
	}
	s.pool.expire()
	sleep(s.life, pauseFirst)
}

// renew has a tab opened when there is none, or when the one in use is worn or
// its browser is being replaced. The old one stays in use meanwhile.
func (s *slot) renew(b *browser) {
	if b == nil || s.next != nil || s.life.Err() != nil {
		return
	}
	if s.tab != nil && s.tab.b == b && !s.worn() {
		return
	}
	s.open(b, s.tab != nil && s.tab.hasUseForWindow())
}

// open has a tab opened, one that draws its window or not.
func (s *slot) open(b *browser, drawn bool) {
	o := &opening{b: b, done: make(chan struct{})}
	s.next = o
	s.pool.wg.Go(func() {
		defer close(o.done)
		o.tab, o.err = openTab(s.life, b, drawn, s.pool.c.Script, &s.pool.stats)
	})
}

func (s *slot) worn() bool {
	t := s.tab
	return t.uses >= s.pool.c.TabUses || t.bytes >= s.pool.c.TabBytes || t.lowered.Load() || t.b.windowless && !t.windowless && !t.hasUseForWindow()
}

// discard closes a tab when it has been opened, whenever that is.
func (s *slot) discard(o *opening) {
	s.pool.wg.Go(func() {
		<-o.done
		if o.tab != nil {
			closeOrKill(o.tab)
		}
	})
}

// setTab changes the tab in use, and the number of slots that have one.
func (s *slot) setTab(t *tab) (old *tab) {
	old, s.tab = s.tab, t
	if t != nil {
		s.pool.ready.Add(1)
	}
	if old != nil {
		s.pool.ready.Add(-1)
	}
	return old
}

// throwAway closes the tab in the background; the next will be a new one.
func (s *slot) throwAway() {
	s.pool.stats.tabsDropped.Add(1)
	s.closeTab()
}

// closeOrKill closes a tab, and when the browser does not even do that, kills
// the browser. Its supervisor starts another.
func closeOrKill(t *tab) {
	if err := t.close(brokenLimit); err != nil {
		killGroup(t.b.pid)
	}
}

// use runs fn with the tab, and throws the tab away after any error.
func (s *slot) use(ctx context.Context, job *Job, fn func(ctx context.Context, t *tab) error) error {
	t := s.tab
	ctx, cancel := t.bind(ctx)
	defer cancel(nil)
	t.resources.Store(&job.Resources)
	defer t.resources.Store(nil)
	large := len(job.HTML) > largeHTML
	piece := s.pool.moments.Begin(int(t.pid.Load()), priority.Task{Owner: job.Key, Claim: s.pool.queue.demand(job.Key), Waited: job.Priority != Background, Long: large})
	defer func() {
		lasted, worked := piece.End()
		s.pool.queue.worked(job.Key, worked-lasted)
	}()
	t.b.begin(t, piece)
	defer t.piece.Store(nil)
	if job.Priority == Background {
		t.comeLater()
	}
	s.large.Store(large)
	s.busy.Store(t)
	defer s.busy.Store(nil)
	t.uses++
	t.undrawn++
	s.sup.used(t.b)
	go t.watch(ctx, piece, s.pool.c.stall(job))
	err := fn(ctx, t)
	t.settle(ctx, err)
	err = translate(ctx, err)
	if err != nil {
		s.throwAway()
	}
	return err
}

// settleTime is how long after an error the death that caused it may show.
const settleTime = 200 * time.Millisecond

// settle finds out whether a tab that has been refused something still lives:
// the browser says so, in the same words, of a document it cannot print and of
// a tab that died under it, and tells of the death later, on a busy machine
// much later. And when the tab has died, whether the browser has too.
func (t *tab) settle(ctx context.Context, err error) {
	if isRefusal(err) && !t.answers(ctx) && ctx.Err() == nil {
		t.lose(errTabCrashed)
	}
	if t.ctx.Err() != nil || errors.Is(err, errLost) {
		wait(context.Background(), t.b.exited, time.After(settleTime))
	}
}

// answers asks the tab for a sign of life.
func (t *tab) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, closeLimit)
	defer cancel()
	_, err := t.evaluate(ctx, "1")
	return err == nil
}
