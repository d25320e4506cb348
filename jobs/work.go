package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// How often a task is tried that fails for a reason that may pass. Somebody may
// wait for a document, so that making one gives up sooner; sending goes on for
// about seventy minutes, as mail servers and the like are away for longer.
const (
	makeAttempts = 5
	sendAttempts = 10
)

// patience is for how long after it was queued a task is tried again without
// counting attempts while something that the service depends on does not
// answer: such a fault says nothing about the task, and all tasks would run out
// of attempts at once.
const patience = 12 * time.Hour

// Why the context of a task ends.
var (
	errStopping = errors.New("the process stops")
	errLost     = errors.New("the task was cancelled or taken over")
)

// worker is a process at work: what it does now.
type worker struct {
	*Service
	ctx   context.Context // of tasks: these outlive a stop
	owner string
	away  bool // the queue did not answer when it was last asked
	unfed bool // large runs could not be fed when that was last tried

	mu    sync.Mutex
	alone bool // doing one task that may have ended a process
	// makesRoom is since when no task is started, so that such a task can be
	// done alone.
	makesRoom time.Time
	running   map[int64]context.CancelCauseFunc // all tasks that it holds
	next      []*held                           // waiting for a slot
	busy      int                               // slots in use
	asking    int                               // slots that tasks are being claimed for
	ended     []*held                           // whose result is to be written
	writing   bool
	unsettled map[int]bool // runs of which something has ended
	settling  bool
	stopping  bool
	took      average // a task
	wrote     average // some ends

	done  chan struct{} // some task has ended
	ends  chan struct{} // some results were written
	hurry chan struct{} // write results now
	tasks sync.WaitGroup
}

func (s *Service) newWorker(ctx context.Context, owner string) *worker {
	ctx = store.WithActor(context.WithoutCancel(ctx), store.Actor{Kind: store.ByJob})
	return &worker{Service: s, ctx: ctx, owner: owner, running: map[int64]context.CancelCauseFunc{}, unsettled: map[int]bool{}, done: make(chan struct{}, 1), ends: make(chan struct{}, 1), hurry: make(chan struct{}, 1)}
}

// Work takes tasks from the queue and does them until ctx ends; then those
// begun may go on for a while, and what is not done by then goes back.
func (s *Service) Work(ctx context.Context) error {
	if n, err := s.cfg.Store.FreeTasks(ctx); err != nil && ctx.Err() != nil { // stopped before it began
		return nil
	} else if err != nil {
		return fmt.Errorf("freeing the tasks of a process that died: %w", err)
	} else if n > 0 {
		s.cfg.Log.Info("tasks of a process that died are taken up again", "tasks", n)
	}
	w := s.newWorker(ctx, rand.Text())
	var beat sync.WaitGroup
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	beat.Go(func() { w.beat(beating) })
	beat.Go(func() { s.plan(ctx) })
	beat.Go(func() { s.cfg.Store.ListenQueue(ctx, s.wake) })
	beat.Go(func() { w.feed(ctx) })
	beat.Go(func() { w.announce(ctx) })
	w.take(ctx)
	w.drain()
	stop()
	beat.Wait()
	return nil
}

// take claims tasks until ctx ends.
func (w *worker) take(ctx context.Context) {
	poll := time.NewTicker(w.cfg.Poll)
	defer poll.Stop()
	for ctx.Err() == nil {
		if w.takeSome(ctx) {
			continue
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-w.awake:
		case <-w.done:
		}
	}
}

// takeSome fills the free slots and tells whether there may be more to claim.
// While results are written, write fills them.
func (w *worker) takeSome(ctx context.Context) bool {
	w.mu.Lock()
	busy := min(w.busy+len(w.next), w.cfg.Workers)
	if w.writing || w.busy > w.cfg.Workers || w.alone && busy > 0 {
		w.mu.Unlock()
		return false
	}
	w.alone = false
	w.asking = max(1, w.cfg.Workers-busy)
	w.mu.Unlock()
	tasks, err := w.claim(ctx, busy)
	w.mu.Lock()
	w.asking = 0
	w.mu.Unlock()
	if ctx.Err() == nil {
		w.noteAway(err)
	}
	if err != nil {
		return false
	}
	w.begin(tasks)
	return len(tasks) > 0
}

// suspectWait is how many times Backoff a task waits after a process ended
// while doing it.
const suspectWait = 5

// claim takes what there is room for beside what is busy. When all places are
// taken, one more is for work that somebody waits for.
//
// Tasks that were being done when a process ended come first, one at a time and
// nothing beside them: so the one that ends processes is found, and its
// neighbours are not given up with it. A busy process begins nothing else for
// as long as a lease lasts, and then takes them beside the rest.
func (w *worker) claim(ctx context.Context, busy int) ([]store.Task, error) {
	free, worst := w.cfg.Workers-busy, store.Batch
	if free == 0 {
		free, worst = 1, store.Interactive
	}
	suspects, tasks, err := w.cfg.Store.Waits(ctx, worst, w.cfg.Work)
	if err != nil {
		return nil, err
	}
	makesRoom := w.makeRoom(suspects)
	if suspects && (busy == 0 || worst == store.Batch && makesRoom > w.cfg.Lease) {
		tasks, err := w.cfg.Store.ClaimSuspect(ctx, w.owner, w.cfg.Work, busy == 0, w.cfg.Lease, suspectWait*w.cfg.Backoff)
		if err != nil || len(tasks) > 0 {
			w.mu.Lock()
			w.alone = busy == 0
			w.mu.Unlock()
			return tasks, err
		}
	} else if suspects && makesRoom <= w.cfg.Lease {
		return nil, nil
	}
	if !tasks {
		return nil, nil
	}
	return w.cfg.Store.ClaimTasks(ctx, store.Claim{Owner: w.owner, Worst: worst, Most: free, Lease: w.cfg.Lease, Only: w.cfg.Work})
}

// makeRoom notes whether there are suspects and tells for how long no task was
// started because of them.
func (w *worker) makeRoom(suspects bool) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !suspects:
		w.makesRoom = time.Time{}
		return 0
	case w.makesRoom.IsZero():
		w.makesRoom = time.Now()
	}
	return time.Since(w.makesRoom)
}

// noteAway logs that the queue does not answer, and that it does again: once
// each, though it is asked twice a second.
func (w *worker) noteAway(err error) {
	switch away := err != nil; {
	case away && !w.away:
		w.cfg.Log.Warn("the queue does not answer; it is asked until it does", "error", err, "cause", store.Cause(err))
	case !away && w.away:
		w.cfg.Log.Info("the queue answers again")
	}
	w.away = err != nil
}

// beat renews the leases. A task whose lease was lost is given up, and so are
// all when the queue has not answered for as long as a lease lasts: other
// processes have taken them over by then.
func (w *worker) beat(ctx context.Context) {
	tick := time.NewTicker(w.cfg.Lease / 3)
	defer tick.Stop()
	renewed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		before := w.ids()
		asked := time.Now()
		held, err := w.cfg.Store.RenewTasks(ctx, w.owner, before, w.cfg.Lease)
		if err == nil {
			renewed = asked
		} else if time.Since(renewed) < w.cfg.Lease {
			continue
		}
		w.mu.Lock()
		for _, id := range before {
			if cancel := w.running[id]; cancel != nil && !held[id] {
				cancel(errLost)
			}
		}
		w.mu.Unlock()
	}
}

func (w *worker) ids() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]int64, 0, len(w.running))
	for id := range w.running {
		ids = append(ids, id)
	}
	return ids
}

// drain gives back tasks that have not begun, lets the others finish, and then
// cancels them.
func (w *worker) drain() {
	w.giveBack()
	ended := make(chan struct{})
	go func() {
		w.tasks.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return
	case <-time.After(w.cfg.Drain):
	}
	w.mu.Lock()
	for _, cancel := range w.running {
		cancel(errStopping)
	}
	w.mu.Unlock()
	<-ended
}

// giveBack gives back the tasks that have no slot yet.
func (w *worker) giveBack() {
	ctx, cancel := context.WithTimeout(context.Background(), settling)
	defer cancel()
	w.mu.Lock()
	w.stopping = true
	waiting := w.next
	w.next = nil
	w.mu.Unlock()
	for _, h := range waiting {
		if err := w.cfg.Store.ReleaseTask(ctx, h.task, 0, false); err != nil { // its lease ends
			w.cfg.Log.Warn("a task was not given back", "task", h.task.ID, "error", err)
		}
		w.mu.Lock()
		w.release(h)
		w.mu.Unlock()
	}
}

// do does a task and settles it, unless it is work on an entry: its result is
// written together with others.
func (w *worker) do(ctx context.Context, task *store.Task) (settled bool) {
	known, ok := w.kinds[task.Kind]
	limited, cancel := context.WithTimeout(ctx, w.cfg.Timeout)
	defer cancel()
	began := time.Now()
	limited, span := w.cfg.Tracer.Task(limited, task.Trace, "task "+kindName(task, ok), task.Kind == store.EntryTask)
	var err error
	switch {
	case !ok: // of a newer version; one of its processes will take it
		err = &report.Problem{Kind: report.Busy, Message: "unknown kind of task " + task.Kind}
	case task.Attempts > known.attempts:
		err = &report.Problem{Kind: report.Failed, Message: fmt.Sprintf("given up after %d attempts: each time the process that worked on nothing else ended", task.Attempts-1)}
	default:
		err = guarded(func() error { return known.do(limited, task) })
	}
	defer func(err error) { tracing.End(span, err) }(err)
	if err == nil && task.End != nil {
		return false
	}
	w.settle(ctx, limited, task, began, err)
	return true
}

// settle records the result of a task, also when it was cut short; limited is
// the context that it was done in.
func (w *worker) settle(ctx, limited context.Context, task *store.Task, began time.Time, err error) {
	known, ok := w.kinds[task.Kind]
	end := TaskDone
	defer func() { w.cfg.Observe.Task(kindName(task, ok), end, time.Since(began)) }()
	settle, cancel := context.WithTimeout(context.WithoutCancel(limited), settling)
	defer cancel()
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		err = w.finish(settle, known, task)
	case errors.Is(cause, errLost):
		end = TaskLost
		w.cfg.Log.Info("a task was given up: it was cancelled, or another process has it", "task", task.ID, "kind", task.Kind)
		return
	case errors.Is(cause, errStopping):
		end = TaskReturned
		err = w.cfg.Store.ReleaseTask(settle, task, 0, false)
	case ok && store.Away(err) != nil && limited.Err() == nil && w.cfg.Clock().Sub(task.Created()) < patience:
		end = TaskReturned
		w.cfg.Log.Info("a task is tried again later, as a part is away", "task", task.ID, "kind", task.Kind, "error", err, "cause", store.Cause(err))
		err = w.cfg.Store.ReleaseTask(settle, task, w.cfg.Backoff, false)
	case ok && full(err) > 0 && limited.Err() == nil && w.cfg.Clock().Sub(task.Created()) < patience:
		end = TaskReturned
		w.cfg.Log.Info("a task is tried again later, as there is no room for it now", "task", task.ID, "kind", task.Kind, "error", err)
		err = w.cfg.Store.ReleaseTask(settle, task, max(w.cfg.Backoff, full(err)), false)
	case ok && (!passing(err) || task.Attempts >= known.attempts || limited.Err() != nil):
		end = TaskFailed
		w.cfg.Log.Warn("a task failed", "task", task.ID, "kind", task.Kind, "subject", task.Subject, "attempts", task.Attempts, "took", time.Since(began), "error", err)
		if limited.Err() != nil {
			err = &report.Problem{Kind: report.TimedOut, Message: "it took longer than the time limit of " + plainDuration(w.cfg.Timeout)}
		}
		if err = known.fail(settle, task, Reason(err)); err == nil {
			err = w.finish(settle, known, task)
		}
	default:
		end = TaskRetried
		w.cfg.Log.Info("a task is tried again later", "task", task.ID, "kind", task.Kind, "attempt", task.Attempts, "error", err)
		err = w.cfg.Store.ReleaseTask(settle, task, max(w.backoff(task.Attempts), asked(err)), ok)
	}
	if err != nil { // its lease ends, and it is taken up again
		w.cfg.Log.Warn("the end of a task was not recorded", "task", task.ID, "error", err)
	}
}

// finish removes a task that is done, and ends its run if it was the last one.
func (w *worker) finish(ctx context.Context, known kind, task *store.Task) error {
	if err := w.cfg.Store.FinishTask(ctx, task); err != nil {
		return err
	}
	if len(task.Then) > 0 {
		w.wake()
	}
	if !known.ofRun || task.Run == 0 {
		return nil
	}
	return w.settleRun(ctx, task.Run)
}

// backoff is how long to wait after an attempt: four times as long as after the
// one before, up to a quarter of an hour when the first wait is two seconds.
func (w *worker) backoff(attempts int) time.Duration {
	wait := w.cfg.Backoff
	for range min(attempts, sendAttempts) - 1 {
		wait *= 4
	}
	return min(wait, 450*w.cfg.Backoff)
}

// guarded makes an error of a panic: one task must not end the process.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p, debug.Stack()}
		}
	}()
	return do()
}

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// passing tells whether an error may not come again: no capacity, or a fault
// that is not of the report. A panic comes again.
func passing(err error) bool {
	var p *report.Problem
	var panic *panicked
	if errors.As(err, &p) {
		return p.Kind == report.Busy || p.Kind == report.Exhausted
	}
	return !errors.As(err, &panic)
}

// full is how long until there may be room again, when an error only says that
// there is none now, which says nothing about the task. It is 0 for any other
// error.
func full(err error) time.Duration {
	var p *report.Problem
	if errors.As(err, &p) && (p.Kind == report.Busy || p.Kind == report.Exhausted) {
		return p.Wait
	}
	return 0
}

// Reason is an error as users read it: in full when they can mend it; of any
// other only that it happened, as the log has the rest.
func Reason(err error) *report.Problem {
	var several report.Problems
	if errors.As(err, &several) && len(several) > 1 {
		return together(several)
	}
	var p *report.Problem
	if errors.As(err, &p) {
		return p
	}
	return &report.Problem{Kind: report.Failed, Message: "something went wrong inside the service; its log tells what"}
}

// shownReasons is how many problems of one failure are shown.
const shownReasons = 5

// together is several problems in one, of the kind of the first.
func together(problems report.Problems) *report.Problem {
	var told []string
	for _, p := range problems.AtMost(shownReasons) {
		told = append(told, p.Error())
	}
	return &report.Problem{Kind: problems[0].Kind, Message: strings.Join(told, "; ")}
}

func scope(operation string, ids ...int) string {
	for _, id := range ids {
		operation += " " + strconv.Itoa(id)
	}
	return operation
}

// plainDuration writes a time limit for people.
func plainDuration(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d minutes", d/time.Minute)
	}
	return d.String()
}
