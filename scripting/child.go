package scripting

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // a child has no files

	"github.com/dop251/goja"
)

// childArgument starts the binary as a child. It is no command of the
// program and has no help.
const childArgument = "__quire-script-child"

// ChildMain turns the process into a script child when it was started as one,
// and returns at once when it was not. It must be the first thing in main, and
// in TestMain of every package whose tests run scripts.
func ChildMain() {
	if len(os.Args) != 3 || os.Args[1] != childArgument {
		return
	}
	memory, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		os.Exit(2)
	}
	os.Exit(serveChild(memory))
}

// child is the process that runs scripts: one at a time, while a second
// goroutine listens for interrupts and for the end of the service.
type child struct {
	memory   int64
	local    *time.Location
	in       *bufio.Reader
	out      *bufio.Writer
	outMu    sync.Mutex
	calls    chan []byte
	values   chan []byte
	programs *programs
	library  libraries
	running  atomic.Pointer[watch]
}

func serveChild(memory int64) int {
	signal.Ignore(os.Interrupt) // Ctrl-C is the service's to handle
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(memory * 7 / 8) // the collector works harder before the watchdog steps in
	debug.SetMaxStack(int(memory / 4))
	limitProcess(2 * memory) // garbage and the runtime's own needs besides
	local := localZone()
	lacks, err := confine()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	c := &child{
		memory: memory, local: local, in: bufio.NewReaderSize(os.Stdin, 1<<16), out: bufio.NewWriterSize(os.Stdout, 1<<16),
		calls: make(chan []byte), values: make(chan []byte), programs: newPrograms(200, 8<<20),
	}
	go c.listen()
	c.send(frameHello, []byte(lacks))
	for payload := range c.calls {
		c.send(frameResult, c.serve(payload).encode())
	}
	return 0
}

// listen reads frames; when the service is gone, so is the child, whatever it
// is doing.
func (c *child) listen() {
	for {
		kind, payload, err := readFrame(c.in)
		if err != nil {
			os.Exit(0)
		}
		switch kind {
		case frameCall:
			c.calls <- payload
		case frameValue:
			c.values <- payload
		case frameInterrupt:
			if w := c.running.Load(); w != nil {
				w.interrupt(causeCancel)
			}
		}
	}
}

func (c *child) send(kind byte, payload []byte) {
	c.outMu.Lock()
	defer c.outMu.Unlock()
	if writeFrame(c.out, kind, payload) != nil {
		os.Exit(0)
	}
}

// serve runs one call.
func (c *child) serve(payload []byte) *response {
	req, err := decodeRequest(payload)
	if err != nil {
		return &response{fault: &fault{faultScript, err.Error()}, retired: true}
	}
	script, err := c.programs.get(req.source)
	if err != nil {
		return &response{fault: syntaxOf(err, req.source)}
	}
	library, err := c.library.get(req)
	if err != nil {
		return &response{fault: &fault{faultScript, err.Error()}}
	}
	time.Local = c.zoneByName(req.zone) // goja's Date is in the process's zone
	w := &watch{limit: c.memory, time: timeLimit(req.timeout)}
	r := newRun(script, req, c.fetch, w.stopped)
	r.library = library
	w.start(r.vm)
	c.running.Store(w)
	res := r.all()
	c.running.Store(nil)
	w.stop()
	return c.judge(res, w)
}

// judge decides what a stopped run is called and whether the child stays fit.
func (c *child) judge(res *response, w *watch) *response {
	if cause := w.cause.Load(); cause != nil {
		res.fault = interruption(*cause)
	}
	if res.fault != nil && res.fault.kind != faultScript || heapBytes() > c.memory/2 {
		debug.FreeOSMemory()
		res.retired = heapBytes() > c.memory/4
	}
	return res
}

func syntaxOf(err error, source string) *fault {
	if f, ok := err.(*syntaxFault); ok {
		return explainSyntax(f, source)
	}
	return &fault{faultSyntax, err.Error()}
}

// fetch asks the service for a value that was held back.
func (c *child) fetch(n int) []byte {
	w := writer{}
	w.uint(n)
	c.send(frameWant, w.buf)
	return <-c.values
}

// localZone is the service's zone, read while there are files.
func localZone() *time.Location {
	_, _ = time.Now().Zone() // reads its file
	return time.Local
}

// zoneByName is a time zone; "Local" is the service's own.
func (c *child) zoneByName(name string) *time.Location {
	if name == "Local" {
		return c.local
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// watch ends a run that takes too long or too much memory.
type watch struct {
	limit    int64
	time     timeLimit
	vm       *goja.Runtime
	cause    atomic.Pointer[cause]
	done     chan struct{}
	watchers sync.WaitGroup
}

func (w *watch) start(vm *goja.Runtime) {
	w.vm = vm
	w.done = make(chan struct{})
	spent := w.time.begin(os.Getpid())
	w.watchers.Go(func() { w.clock(spent) })
	w.watchers.Go(w.memory)
}

// stop waits for the watchers: whatever asks for the time reads time.Local, which
// the next call sets.
func (w *watch) stop() {
	close(w.done)
	w.watchers.Wait()
}

// clock looks at the time whenever the run may have had all of it.
func (w *watch) clock(spent *spending) {
	for {
		rest, over := spent.rest()
		if over != "" {
			w.interrupt(over)
			return
		}
		timer := time.NewTimer(rest)
		select {
		case <-w.done:
			timer.Stop() // it would read time.Local at its end
			return
		case <-timer.C:
		}
	}
}

func (w *watch) interrupt(c cause) {
	if w.cause.CompareAndSwap(nil, &c) {
		w.vm.Interrupt(c)
	}
}

func (w *watch) stopped() bool { return w.cause.Load() != nil }

// memory looks at the heap every few milliseconds, which catches what grows;
// a single huge allocation meets the limit of the process instead. Where processors
// are short the collector comes late: what is over the limit is collected before it
// is judged, unless it is far over it. A script just below the limit has at least half
// of the time for itself: the next collection is as far away as the last was long.
func (w *watch) memory() {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	collected, collecting := make(chan int64, 1), false
	var began, again time.Time
	for {
		select {
		case <-w.done:
			return
		case live := <-collected:
			collecting, again = false, time.Now().Add(time.Since(began))
			if live > w.limit {
				w.interrupt(causeMemory)
			}
		case <-tick.C:
			switch heap := heapBytes(); {
			case heap > w.limit+w.limit/2:
				w.interrupt(causeMemory)
			case heap > w.limit && !collecting && time.Now().After(again):
				collecting, began = true, time.Now()
				go func() {
					runtime.GC()
					collected <- liveBytes()
				}()
			}
		}
	}
}

// heapBytes is the memory of live and not yet collected objects.
func heapBytes() int64 { return measured("/memory/classes/heap/objects:bytes") }

// liveBytes is the memory that the last collection found in use, without what was
// thrown away since it looked.
func liveBytes() int64 { return measured("/gc/heap/live:bytes") }

func measured(metric string) int64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
