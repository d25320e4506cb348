package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/quire-reports/quire/store"
)

const (
	// mostEnds bounds how many results are written in one transaction,
	// mostAhead how many tasks are claimed before there are slots for them.
	mostEnds, mostAhead = 50, 100
	// settling is how long writing the result of a task may take.
	settling = 30 * time.Second
	// longestGather is how long results wait at most for others, to be written
	// together.
	longestGather = 5 * time.Millisecond
	// breath is the pause before looking again at something that every result
	// may change.
	breath = 20 * time.Millisecond
)

// held is a task that this process has claimed: it waits for a slot, is being
// done, or its result is to be written.
type held struct {
	task   *store.Task
	ctx    context.Context
	cancel context.CancelCauseFunc
	taken  time.Time
	began  time.Time
}

// justNow is for how long rows read along with a task count as current: the
// task begins at once, or after some that take milliseconds.
const justNow = time.Second

// begin starts tasks beside the others, as soon as there are slots.
func (w *worker) begin(tasks []store.Task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range tasks {
		h := &held{task: &tasks[i], taken: time.Now()}
		h.ctx, h.cancel = context.WithCancelCause(withTask(w.ctx, h.task))
		w.running[h.task.ID] = h.cancel
		w.next = append(w.next, h)
	}
	slices.SortStableFunc(w.next, func(a, b *held) int { return int(a.task.Priority - b.task.Priority) })
	w.fill()
}

// fill starts the tasks that wait for a slot. There is one slot more for work
// that somebody waits for. The caller holds w.mu.
func (w *worker) fill() {
	for len(w.next) > 0 && (w.busy < w.cfg.Workers || w.busy == w.cfg.Workers && w.next[0].task.Priority == store.Interactive) {
		h := w.next[0]
		w.next = w.next[1:]
		w.busy++
		w.tasks.Go(func() { w.work(h) })
	}
}

// work does a task. Its slot is free at once for the next one; the result of
// work on an entry is written meanwhile, together with others.
func (w *worker) work(h *held) {
	h.began = time.Now()
	ctx := h.ctx
	if h.began.Sub(h.taken) < justNow && h.task.Revision > 0 {
		ctx = store.WithRevision(ctx, h.task.WorkspaceID, h.task.Revision)
	}
	settled := w.do(ctx, h.task)
	w.mu.Lock()
	w.busy--
	w.took.note(time.Since(h.began))
	if settled {
		w.release(h)
	} else {
		w.ended = append(w.ended, h)
		if !w.writing {
			w.writing = true
			w.tasks.Go(w.write)
		}
	}
	w.fill()
	if !w.gathers() {
		signal(w.hurry)
	}
	w.mu.Unlock()
	w.look()
}

// release forgets a task. The caller holds w.mu.
func (w *worker) release(h *held) {
	h.cancel(nil)
	delete(w.running, h.task.ID)
}

// look makes the process look for more to do.
func (w *worker) look() { signal(w.done) }

// signal wakes the goroutine that waits, or the next one that will.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default: // it was woken and has not looked yet
	}
}

// write writes results until there are none. Those that arrive while it writes
// are written together.
func (w *worker) write() {
	for {
		w.gather()
		w.mu.Lock()
		some := slices.Clone(w.ended[:min(len(w.ended), mostEnds)])
		w.ended = w.ended[len(some):]
		w.writing = len(some) > 0
		claim := w.more()
		w.mu.Unlock()
		if len(some) == 0 {
			w.look()
			return
		}
		w.writeSome(some, claim)
	}
}

// gather waits for more results to write together, for as long as writing
// takes: fewer transactions leave more time for the rest.
func (w *worker) gather() {
	w.mu.Lock()
	wait, gathers := w.gathering(), w.gathers()
	select {
	case <-w.hurry: // of before
	default:
	}
	w.mu.Unlock()
	if gathers {
		select {
		case <-w.hurry:
		case <-time.After(wait):
		}
	}
}

// gathering is how long gather waits at most. The caller holds w.mu.
func (w *worker) gathering() time.Duration { return min(time.Duration(w.wrote), longestGather) }

// gathers tells whether results may wait for others: all slots have work until
// more is claimed, which happens when results are written. The caller holds
// w.mu.
func (w *worker) gathers() bool {
	return len(w.next) > 0 && 0 < len(w.ended) && len(w.ended) < mostEnds
}

// more is how many tasks to claim when results are written: enough that no slot
// is idle until the next are written, and none while a task is to be done
// alone. The caller holds w.mu.
func (w *worker) more() store.Claim {
	if w.stopping || w.alone || !w.makesRoom.IsZero() {
		return store.Claim{}
	}
	return store.Claim{Owner: w.owner, Worst: store.Batch, Most: w.cfg.Workers + w.ahead() - w.busy - len(w.next) - w.asking, Lease: w.cfg.Lease, Only: w.cfg.Work}
}

// ahead is how many tasks are claimed before there are slots for them: twice as
// many as are done while results are gathered and written. Where tasks take
// much longer than that it is none, so that a process that dies leaves few
// tasks behind that it had not begun.
func (w *worker) ahead() int {
	cycle := time.Duration(w.wrote) + w.gathering()
	return min(int(float64(w.cfg.Workers)*float64(2*cycle)/float64(max(w.took, 1))), mostAhead)
}

// writeSome writes some results and starts the tasks claimed in the same
// transaction.
func (w *worker) writeSome(some []*held, claim store.Claim) {
	settle, cancel := context.WithTimeout(w.ctx, settling)
	defer cancel()
	tasks := make([]*store.Task, len(some))
	for i, h := range some {
		tasks[i] = h.task
	}
	began := time.Now()
	w.begin(w.cfg.Store.EndEntries(settle, tasks, claim))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrote.note(time.Since(began))
	signal(w.ends)
	for _, h := range some {
		if h.task.End.Err != nil {
			w.tasks.Go(func() { w.notWritten(h) })
			continue
		}
		w.release(h)
		w.cfg.Observe.Task(h.task.Kind, TaskDone, time.Since(h.began))
		w.observeEntry(h.task.End.To, h.task.End.Moved)
		if w.unsettled[h.task.Run] = true; !w.settling {
			w.settling = true
			w.tasks.Go(w.settleRuns)
		}
	}
}

// notWritten tries a task again whose result could not be written.
func (w *worker) notWritten(h *held) {
	w.settle(h.ctx, h.ctx, h.task, h.began, h.task.End.Err)
	w.mu.Lock()
	w.release(h)
	w.mu.Unlock()
}

// settleRuns moves on the runs of which something has ended, each once for all
// that ended meanwhile.
func (w *worker) settleRuns() {
	for {
		w.mu.Lock()
		runs := w.unsettled
		w.unsettled, w.settling = map[int]bool{}, len(runs) > 0
		w.mu.Unlock()
		if len(runs) == 0 {
			return
		}
		for run := range runs {
			settle, cancel := context.WithTimeout(w.ctx, settling)
			if err := w.settleRun(settle, run); err != nil { // it is looked for again
				w.cfg.Log.Warn("the end of a run was not recorded", "run", run, "error", err)
			}
			cancel()
		}
		time.Sleep(breath)
	}
}

// average is how long something took lately.
type average time.Duration

func (a *average) note(took time.Duration) {
	if *a == 0 {
		*a = average(took)
	}
	*a += (average(took) - *a) / 8
}
