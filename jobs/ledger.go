package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/quire-reports/quire/store"
)

const (
	// mostEnds bounds how many ends are written in one transaction, mostAhead how many
	// tasks are taken before there are places for them.
	mostEnds, mostAhead = 50, 100
	// settling is how long it may take to write what became of a task.
	settling = 30 * time.Second
	// longestGather is how long ends wait at most for others that are written with them.
	longestGather = 5 * time.Millisecond
	// breath is after what time something is looked at again that each end may change.
	breath = 20 * time.Millisecond
)

// held is a task that this process has: it waits for a place, is being done, or
// its end is to be written.
type held struct {
	task   *store.Task
	ctx    context.Context
	cancel context.CancelCauseFunc
	taken  time.Time
	began  time.Time
}

// justNow is for how long what was read with a task is what there is: it is begun at
// once, or when some that take milliseconds are done.
const justNow = time.Second

// begin does tasks beside the others, as soon as there are places.
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

// fill begins what waits for a place; one more than there are is for work that
// somebody waits for. The caller holds w.mu.
func (w *worker) fill() {
	for len(w.next) > 0 && (w.busy < w.cfg.Workers || w.busy == w.cfg.Workers && w.next[0].task.Priority == store.Interactive) {
		h := w.next[0]
		w.next = w.next[1:]
		w.busy++
		w.tasks.Go(func() { w.work(h) })
	}
}

// work does a task. Its place is free at once for the next one; the end of the
// work on an entry is written beside that, together with others.
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

// release lets a task go. The caller holds w.mu.
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
	default: // it was told and has not looked yet
	}
}

// write writes ends until there are none. Those that come meanwhile go together.
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

// gather waits for more ends to be written together, for as long as writing takes: the
// fewer transactions, the more time there is for the rest.
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

// gathering is for how long that is at most. The caller holds w.mu.
func (w *worker) gathering() time.Duration { return min(time.Duration(w.wrote), longestGather) }

// gathers tells whether ends may wait for others: there is work for all places until
// more is taken, as is done when ends are written. The caller holds w.mu.
func (w *worker) gathers() bool {
	return len(w.next) > 0 && 0 < len(w.ended) && len(w.ended) < mostEnds
}

// more is what is taken when ends are written: so that no place is left without
// work until the next are, and nothing while a task is to be done alone. The
// caller holds w.mu.
func (w *worker) more() store.Claim {
	if w.stopping || w.alone || !w.makesRoom.IsZero() {
		return store.Claim{}
	}
	return store.Claim{Owner: w.owner, Worst: store.Batch, Most: w.cfg.Workers + w.ahead() - w.busy - len(w.next) - w.asking, Lease: w.cfg.Lease, Only: w.cfg.Work}
}

// ahead is how many tasks are taken before there are places for them: twice as many as
// are done while ends are gathered and written. That is none when they take long beside
// it, so that a process that dies leaves little behind that it had not begun.
func (w *worker) ahead() int {
	cycle := time.Duration(w.wrote) + w.gathering()
	return min(int(float64(w.cfg.Workers)*float64(2*cycle)/float64(max(w.took, 1))), mostAhead)
}

// writeSome writes some ends and begins what was taken with them.
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

// notWritten tries a task again whose end could not be written.
func (w *worker) notWritten(h *held) {
	w.settle(h.ctx, h.ctx, h.task, h.began, h.task.End.Err)
	w.mu.Lock()
	w.release(h)
	w.mu.Unlock()
}

// settleRuns goes on with the runs of which something has ended, each once for all
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

// average is how long something took of late.
type average time.Duration

func (a *average) note(took time.Duration) {
	if *a == 0 {
		*a = average(took)
	}
	*a += (average(took) - *a) / 8
}
