package budget

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Work that takes much memory takes it in leaps, as long lists grow, and may be past
// the heap's goal before the collector has looked at all of it. Whoever takes memory
// has to help the collector then, so that requests for one page stood still for as
// long as it had to look at the lists of others: half a second for 900 MB. So while
// there is such work beside that of others the goal is further away, and the work has
// the collector run itself, between its turns and at the heap that it would have run
// at.
const (
	// furtherGoal is how many times as far away the goal is meanwhile.
	furtherGoal = 4
	// grown is how many times as much as was alive there is when the work has the
	// collector run; with a GOGC of 100 it has to be done at twice as much.
	grown = 1.7
)

// collector has the garbage of large work collected. Its pace guards it.
type collector struct {
	running sync.Mutex // held while the collector runs
	percent int        // what GOGC was before there was large work
	large   int        // pieces of large work
}

// enter says that there is a further piece of large work, until leave.
func (c *collector) enter() {
	if c.large++; c.large > 1 {
		return
	}
	if c.percent = percent(); c.percent > 0 {
		debug.SetGCPercent(c.percent * furtherGoal)
	}
}

// percent is GOGC; -1 when the collector is off.
func percent() int {
	gogc := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(gogc)
	if p := gogc[0].Value.Uint64(); p <= math.MaxInt32 {
		return int(p)
	}
	return -1
}

func (c *collector) leave() {
	if c.large--; c.large == 0 {
		debug.SetGCPercent(c.percent)
	}
}

// collect has the collector run, if there is much more than was alive.
func (c *collector) collect() {
	if !c.running.TryLock() {
		return
	}
	defer c.running.Unlock()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(heap)
	if float64(heap[0].Value.Uint64()) > grown*float64(heap[1].Value.Uint64()) {
		runtime.GC()
	}
}
