package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/quire-reports/quire/store"
)

const (
	// mostEnds bounds how many ends are written in one transaction.
	mostEnds = 50
	// settling is how long it may take to write what became of a task.
	settling = 30 * time.Second
)

// held is a task that this process has: it waits for a place, is being done, or
// its end is to be written.
type held struct {
	task   *store.Task
	ctx    context.Context
	cancel context.CancelCauseFunc
	began  time.Time
}

// begin does tasks beside the others, as soon as there are places.
func (w *worker) begin(tasks []store.Task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range tasks {
		h := &held{task: &tasks[i]}
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
	settled := w.do(h.ctx, h.task)
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
	w.mu.Unlock()
	w.look()
}

// release lets a task go. The caller holds w.mu.
func (w *worker) release(h *held) {
	h.cancel(nil)
	delete(w.running, h.task.ID)
}

// look makes the process look for more to do.
func (w *worker) look() {
	select {
	case w.done <- struct{}{}:
	default: // it is about to
	}
}

// write writes ends until there are none. The first one is written at once; those
// that come meanwhile go together.
func (w *worker) write() {
	for {
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

// more is what is taken when ends are written: so that no place is left without
// work until the next are, and nothing while a task is to be done alone. The
// caller holds w.mu.
func (w *worker) more() store.Claim {
	if w.stopping || w.alone || !w.makesRoom.IsZero() {
		return store.Claim{}
	}
	return store.Claim{Owner: w.owner, Worst: store.Batch, Most: w.cfg.Workers + w.ahead() - w.busy - len(w.next) - w.asking, Lease: w.cfg.Lease, Only: w.cfg.Work}
}

// ahead is how many tasks are taken before there are places for them: as many as
// are done while ends are written. That is none when they take long beside it, so
// that a process that dies leaves little behind that it had not begun.
func (w *worker) ahead() int {
	return min(int(float64(w.cfg.Workers)*float64(2*w.wrote)/float64(max(w.took, 1))), mostEnds)
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
	select {
	case w.ends <- struct{}{}:
	default: // it is about to be seen
	}
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
