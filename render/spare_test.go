package render

import (
	"context"
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// TestOneMoreForWhoHadLeast: while others hold all slots with documents that do
// not end, there is one for who holds none, and the machine works for it first.
func TestOneMoreForWhoHadLeast(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) { faulty(c); c.Timeout = 10 * time.Minute; c.Stall = 10 * time.Minute })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	for _, key := range []string{"a", "b"} {
		go func() {
			_, err := p.Print(ctx, Job{HTML: page("for ever"), Paginate: true, Key: key})
			ended <- err
		}()
	}
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := min(20-own+priority.LongWork, 19) // the kernel counts downwards here
	long := func() (n int) {
		for pid := range tabProcesses(p.Health().Browsers[0].PID, nil) {
			if by, err := syscall.Getpriority(syscall.PRIO_PROCESS, pid); err == nil && 20-by >= last {
				n++
			}
		}
		return n
	}
	for long() < 2 { // both have gone on for a while
		runtime.Gosched()
	}
	for range 3 {
		mustPrint(t, p, Job{HTML: page("a page"), Paginate: true, Key: "c"})
	}
	large := append(page("a page"), make([]byte, largeHTML)...)
	short, stop := context.WithTimeout(t.Context(), 4*spareLook)
	defer stop()
	if _, err := p.Print(short, Job{HTML: large, Paginate: true, Key: "c"}); !errors.Is(err, ErrTimeout) {
		t.Errorf("a large document does not wait: %v", err)
	}
	if n := long(); n != 2 {
		t.Errorf("%d tabs come after the others", n)
	}
	cancel()
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("an endless document has ended")
		}
	}
	mustPrint(t, p, Job{HTML: page("after"), Paginate: true, Key: "a"})
}

// TestWhoMayHaveTheSpareSlot holds the rule against the queue alone.
func TestWhoMayHaveTheSpareSlot(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits *item
		holds []string
		want  bool
	}{
		{"nobody waits", nil, []string{"a"}, false},
		{"who holds nothing", queued("b", 1, Normal), []string{"a"}, true},
		{"who holds one", queued("a", 1, Normal), []string{"a", "b"}, false},
		{"what nobody waits for", queued("b", 1, Background), []string{"a"}, false},
		{"a large document", newItem(context.Background(), Job{Key: "b", HTML: make([]byte, largeHTML+1)}, false), []string{"a"}, false},
	} {
		q := newQueue(10, 100, 1)
		for _, key := range test.holds {
			q.shares.Take(key)
		}
		if test.waits != nil {
			if err := q.push(test.waits); err != nil {
				t.Fatal(err)
			}
		}
		if got := q.wantsSpare(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if got := q.popQuick(); (got != nil) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
