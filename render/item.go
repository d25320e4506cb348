package render

import (
	"context"
	"errors"
	"time"
)

// item is a job on its way through the pool.
type item struct {
	job         Job
	ctx         context.Context
	pagesOnly   bool     // make the pages, do not print
	draw        string   // attribute of elements that pictures are made of; empty: none
	picture     *Still   // the page of which a picture is made; nil: none
	read        *Reading // what is read; nil: nothing
	reader      []byte   // the script that does
	queued      time.Time
	waits       time.Time // since when it is in the queue, this time
	began       time.Time // first attempt; zero while it waits
	attempts    int
	onlyWindow  bool // a reader in a windowless tab could not paint a drawing
	lostBrowser bool // the last attempt ended with its browser, or with other tabs

	done chan struct{} // closed when res and err are set
	res  *Result
	err  error
}

func newItem(ctx context.Context, job Job, pagesOnly bool) *item {
	now := time.Now()
	return &item{job: job, ctx: ctx, pagesOnly: pagesOnly, queued: now, waits: now, done: make(chan struct{})}
}

func (it *item) key() string { return it.job.Key }

func (it *item) lane() Priority {
	if it.job.Priority == Background {
		return Background
	}
	return Normal
}

// finish ends the job; it is called once.
func (it *item) finish(res *Result, err error) {
	it.res, it.err = res, err
	close(it.done)
}

// deadline is when the job must have left the browser.
func (it *item) deadline(c Config) time.Time {
	limit := it.job.Timeout
	if limit <= 0 {
		limit = c.Timeout
	}
	return it.began.Add(limit)
}

// Attempts that a job gets: a browser that is lost takes jobs with it that have
// nothing to do with its death; a tab that dies alone probably died of its
// document, but the kernel may also have picked it when memory ran out. What a
// tab refuses is refused for good when a fresh one refuses it too.
const (
	attemptsBrowser = 3
	attemptsTab     = 2
)

// run prints the job in a slot, and puts it back in the queue when the browser
// was lost under it.
func (it *item) run(ctx context.Context, s *slot) {
	defer s.pool.queue.release(it.key())
	if it.ctx.Err() != nil {
		it.finish(nil, translateContext(context.Cause(it.ctx)))
		return
	}
	if it.began.IsZero() {
		it.began = time.Now()
	}
	it.attempts++
	ctx, cancel := joinContext(it.ctx, ctx)
	defer cancel(nil)
	ctx, stop := context.WithDeadline(ctx, it.deadline(s.pool.c))
	defer stop()
	res, err := s.attempt(ctx, it)
	if (errors.Is(err, ErrCrashed) || isRefusal(err)) && it.mayRetry() {
		s.pool.stats.retried.Add(1)
		it.waits = time.Now()
		if s.pool.queue.again(it) == nil {
			return
		}
	}
	if err == nil {
		res.Timings.Queue = it.began.Sub(it.queued)
		res.Timings.Total = time.Since(it.queued)
		res.Timings.Attempts = it.attempts
	}
	it.finish(res, err)
}

func (it *item) mayRetry() bool {
	if it.lostBrowser {
		return it.attempts < attemptsBrowser
	}
	return it.attempts < attemptsTab
}

// joinContext is a context with the values and end of a that also ends with b.
func joinContext(a, b context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(a)
	stop := context.AfterFunc(b, func() { cancel(context.Cause(b)) })
	return ctx, func(cause error) {
		stop()
		cancel(cause)
	}
}
