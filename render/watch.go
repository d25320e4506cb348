package render

import (
	"context"
	"errors"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// A document can take all memory, or never come to an end, in a tab that is
// well otherwise. Its own process is then ended, and the document fails; it is
// not tried again, and those in other tabs are not touched.

// errHeavy is what calls end with when the tab's process took too much memory.
var errHeavy = errors.New("the tab's process took too much memory and was ended")

// errStuck is what calls end with when the tab has done one thing for too long.
var errStuck = errors.New("the tab answered nothing for too long")

const (
	// weighEvery is how often the processes of tabs are weighed: a hostile
	// picture takes some hundred megabytes in that time.
	weighEvery = 300 * time.Millisecond
	// lookAgain is after how many times it is looked for further processes, when that
	// of a tab is not among them: all of the system have to be looked at.
	lookAgain = 7
	// longDocument is after how much time of a processor a document comes after
	// those of other tabs.
	longDocument = time.Second
	// blameTime is how long after its end the browser may tell of it.
	blameTime = 10 * time.Second
	// pulse is how often a tab with a document is asked for a sign of life; most
	// documents are printed before the first time.
	pulse = time.Second
	// stallMegabyte is how much longer than Config.Stall a document may take for
	// one thing for each megabyte of HTML: its layout is one.
	stallMegabyte = 2 * time.Second
)

// tabProcess is what a tab's process has taken: memory in bytes, and time of a
// processor.
type tabProcess struct {
	memory int64
	cpu    time.Duration
}

// weigh ends the processes of tabs that take too much memory, and lowers those of
// documents that take long, until the browser is gone. It looks at none while no tab
// has a document.
func (b *browser) weigh(c Config, all *burden) {
	defer all.forget(b)
	began := map[*tab]beginning{}
	var processes map[int]tabProcess
	pause := time.NewTimer(weighEvery)
	defer pause.Stop()
	for looks := 1; ; looks++ {
		select {
		case <-b.exited:
			return
		case <-pause.C:
		}
		if !b.works() {
			all.forget(b)
			select {
			case <-b.exited:
				return
			case <-b.begun:
			}
			pause.Reset(weighEvery) // most documents are printed before
			continue
		}
		pause.Reset(weighEvery)
		if b.grown.Swap(false) || looks%lookAgain == 0 && !b.knows(processes) {
			processes = nil
		}
		processes = tabProcesses(b.pid, slices.Collect(maps.Keys(processes)))
		b.lower(processes, began)
		sum := time.Duration(0)
		for _, p := range processes {
			sum += p.cpu
		}
		b.worked.Store(int64(sum))
		if pid, above := all.tooHeavy(&c, b, processes); pid != 0 {
			c.Log.Warn("a document takes too much memory", "pid", pid, "megabytes", processes[pid].memory>>20, "limit", above.bytes>>20, "which", above.name)
			b.heavy.Store(time.Now().UnixNano())
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// begin gives a tab a document.
func (b *browser) begin(t *tab, piece *priority.Piece) {
	t.piece.Store(piece)
	t.turn.Add(1)
	select {
	case b.begun <- struct{}{}:
	default:
	}
}

// works tells whether a tab has a document, or is being closed under one.
func (b *browser) works() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs {
		if t.piece.Load() != nil || t.ctx.Err() != nil {
			return true
		}
	}
	return false
}

// knows tells whether the processes of all tabs are among some.
func (b *browser) knows(processes map[int]tabProcess) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs {
		if _, known := processes[int(t.pid.Load())]; !known {
			return false
		}
	}
	return true
}

// died is why a tab's process is gone.
func (t *tab) died() {
	if t.ctx.Err() == nil {
		t.b.noteDeath()
	}
	at := t.b.heavy.Load()
	if at > 0 && time.Since(time.Unix(0, at)) < blameTime && t.b.heavy.CompareAndSwap(at, 0) {
		t.lose(errHeavy)
		return
	}
	t.lose(errTabCrashed)
}

// starved is how many limits a tab may be silent for while the machine is so busy
// that tabs get no time to work.
const starved = 4

// watch asks a tab for signs of life while it has a document, and gives it up
// when there is none for a limit though the browser itself answers and its tabs
// have had time to work. What it stood still for others does not count.
func (t *tab) watch(ctx context.Context, piece *priority.Piece, limit time.Duration) {
	silent, worked := time.Duration(0), int64(0)
	for ctx.Err() == nil {
		if silent == 0 {
			if sleep(ctx, pulse); ctx.Err() != nil {
				return
			}
			worked = t.b.worked.Load()
		}
		stood := piece.Stood()
		asked, cancel := context.WithTimeout(ctx, limit)
		_, err := t.call(asked, "Runtime.evaluate", newParams(0).str("expression", "1"))
		late := errors.Is(err, context.DeadlineExceeded) && asked.Err() != nil
		cancel()
		if !late || ctx.Err() != nil {
			silent = 0
			continue
		}
		silent += limit - (piece.Stood() - stood)
		if (silent >= limit && t.b.worked.Load()-worked >= int64(limit/2) || silent >= starved*limit) && t.b.alive(ctx, closeLimit) == nil {
			t.lose(errStuck)
			return
		}
	}
}

// beginning is how much time of a processor a tab's process had had when it got
// the document that it has.
type beginning struct {
	turn int64
	cpu  time.Duration
}

// lower lets tabs give way whose documents took long.
func (b *browser) lower(processes map[int]tabProcess, began map[*tab]beginning) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(began, func(t *tab, _ beginning) bool { return b.tabs[t.session] != t })
	for _, t := range b.tabs {
		p, known := processes[int(t.pid.Load())]
		turn := t.turn.Load()
		switch at := began[t]; {
		case !known:
		case at.turn != turn:
			began[t] = beginning{turn, p.cpu}
		case p.cpu-at.cpu > longDocument:
			t.giveWay()
		}
	}
}

// comeLater lets a tab come after those of documents that somebody waits for, and
// after the service, from its first document on that nobody waits for. It is used on:
// a new tab costs more than a document that comes later.
func (t *tab) comeLater() {
	if pid := t.pid.Load(); pid != 0 && t.later.CompareAndSwap(false, true) {
		priority.Lower(int(pid), priority.Later)
	}
}

// giveWay lets a document that takes long come after those of other tabs. The
// tab is not used for another one.
func (t *tab) giveWay() {
	if t.lowered.CompareAndSwap(false, true) {
		priority.Lower(int(t.pid.Load()), priority.LongWork)
		if piece := t.piece.Load(); piece != nil {
			piece.TakesLong()
		}
	}
}

// standsStill says whether a tab stands still for the documents of others.
func (t *tab) standsStill() bool {
	piece := t.piece.Load()
	return piece != nil && piece.Stands()
}

// stall is for how long a document may do one thing.
func (c *Config) stall(job *Job) time.Duration {
	return c.Stall + time.Duration(len(job.HTML)>>10)*stallMegabyte/1024
}
