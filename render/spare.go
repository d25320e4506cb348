package render

import (
	"context"
	"time"
)

// Spare slots are used while all others are held. They take the place of slots whose
// documents take long, so that short ones do not wait for those. And one more is for
// keys that hold no slot while others, who had more of them lately, hold all of them:
// a page is printed at once, whatever else is printed. Large documents never get
// one. A tab is opened when it is wanted first, and closed when it was not wanted for
// a while.
const (
	// spareIdle is after what time the tab of a spare slot is closed.
	spareIdle = 2 * time.Minute
	// spareLook is how often a spare slot looks whether somebody who waits has
	// had less by now than those who hold the others.
	spareLook = 50 * time.Millisecond
)

// runSpare works as a spare slot until ctx ends.
func (s *slot) runSpare(ctx context.Context) {
	s.life = ctx
	for ctx.Err() == nil {
		s.spareOnce(ctx)
	}
	s.end()
}

// spareOnce does one job that is for a spare slot, or waits for one, or for a
// tab.
func (s *slot) spareOnce(ctx context.Context) {
	b, changed := s.sup.current()
	s.dropLost()
	s.takeOpened(b)
	if s.tab != nil && s.tab.b != b {
		s.closeTab()
	}
	if !s.pool.queue.wantsSpare() {
		s.rest(ctx, changed)
		return
	}
	s.renew(b)
	if s.tab == nil {
		s.pool.queue.tell() // another may have a tab already
		var opened <-chan struct{}
		if s.next != nil {
			opened = s.next.done
		}
		wait(ctx, changed, opened)
		return
	}
	if it := s.pool.queue.popSpare(); it != nil {
		it.run(ctx, s)
	}
}

// rest waits until there may be something to do.
func (s *slot) rest(ctx context.Context, changed <-chan struct{}) {
	waiting := s.pool.queue.waiting() > 0
	pause := spareIdle
	if waiting {
		pause = spareLook
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-s.pool.queue.left:
	case <-timer.C:
		if !waiting && s.tab != nil {
			s.closeTab()
		}
	}
}

// closeTab closes the tab in the background; the next one is opened when it is
// wanted.
func (s *slot) closeTab() {
	t := s.setTab(nil)
	s.pool.wg.Go(func() { closeOrKill(t) })
}
