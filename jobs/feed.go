package jobs

import (
	"context"
	"time"
)

// feed queues entries of large runs whenever few of theirs wait.
func (w *worker) feed(ctx context.Context) {
	poll := time.NewTicker(w.cfg.Poll)
	defer poll.Stop()
	for ctx.Err() == nil {
		if w.feedSome(ctx) {
			continue
		}
		time.Sleep(breath)
		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-w.ends:
		}
	}
}

// feedSome tells whether there may be more to do at once.
func (w *worker) feedSome(ctx context.Context) bool {
	fed, err := w.cfg.Store.FeedRuns(ctx, wasCancelled)
	if err != nil && ctx.Err() == nil && !w.unfed {
		w.cfg.Log.Warn("entries of large runs were not queued; that is tried again and again", "error", err)
	}
	w.unfed = err != nil
	if fed.Queued > 0 {
		w.wake()
	}
	for _, run := range fed.Ended {
		if err := w.settleRun(w.ctx, run); err != nil { // it is looked for again
			w.cfg.Log.Warn("the end of a run was not recorded", "run", run, "error", err)
		}
	}
	return fed.More && err == nil
}
