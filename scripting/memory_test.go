package scripting

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/dop251/goja"
)

// thrown holds what is garbage as soon as the next is made.
var thrown []byte

// TestGarbageIsNotTakenForMemoryInUse: where processors are short the collector comes
// late, and what it has not taken yet is of no use to a script.
func TestGarbageIsNotTakenForMemoryInUse(t *testing.T) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it comes when it is called
	w := &watch{limit: heapBytes() + 32<<20, vm: goja.New(), done: make(chan struct{})}
	defer close(w.done)
	go w.memory()
	until := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	for range 2 { // the second collection comes when the first has been judged
		for range 40 {
			thrown = make([]byte, 1<<20)
		}
		until("garbage is not collected", func() bool { return heapBytes() < w.limit })
		if w.stopped() {
			t.Fatal("a script is ended for what it has thrown away")
		}
	}
	var kept [][]byte
	for range 40 {
		kept = append(kept, make([]byte, 1<<20))
	}
	until("a script keeps too much", w.stopped)
	runtime.KeepAlive(kept)
}
