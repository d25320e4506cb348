package render

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/priority"
)

// TestOneMoreForWhoHadLeast: while others hold all slots with documents that do
// not end, there are others for who holds none, and the machine works for them first.
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
	long := func() int { return tabsAfter(t, p, priority.LongWork) }
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
	if n := tabsAfter(t, p, 0); n < 2 { // the browser's own page is one
		t.Errorf("%d tabs come before those of long documents, want the spare ones", n)
	}
	cancel()
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("an endless document has ended")
		}
	}
	mustPrint(t, p, Job{HTML: page("after"), Paginate: true, Key: "a"})
}

// tabsAfter is how many tabs come so many steps after this program.
func tabsAfter(t *testing.T, p *Pool, by int) (n int) {
	t.Helper()
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := min(20-own+by, 19) // the kernel counts downwards here
	for pid := range tabProcesses(p.Health().Browsers[0].PID, nil) {
		if is, err := syscall.Getpriority(syscall.PRIO_PROCESS, pid); err == nil && 20-is == want {
			n++
		}
	}
	return n
}

// TestWhatNobodyWaitsForComesLater: tabs have the priority of the service until they
// print a document that nobody waits for.
func TestWhatNobodyWaitsForComesLater(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) { faulty(c); c.Tabs = 1 })
	mustPrint(t, p, Job{HTML: page("waited for"), Paginate: true})
	if n := tabsAfter(t, p, priority.Later); n != 0 {
		t.Errorf("%d tabs come later", n)
	}
	for range 2 {
		mustPrint(t, p, Job{HTML: page("not waited for"), Paginate: true, Priority: Background})
	}
	if n := tabsAfter(t, p, priority.Later); n != 1 {
		t.Errorf("%d tabs come later; want the one that has printed it", n)
	}
}

// TestALargeDocumentHoldsUpNobody: while a large document is next but cannot have a
// spare slot, a page of somebody else can.
func TestALargeDocumentHoldsUpNobody(t *testing.T) {
	q := newQueue(10, 100, 1, none)
	q.shares.Take("a")
	large := newItem(context.Background(), Job{Key: "b", HTML: make([]byte, largeHTML+1)}, false)
	for _, it := range []*item{large, queued("c", 1, Normal)} {
		if err := q.push(it); err != nil {
			t.Fatal(err)
		}
	}
	if it := q.popSpare(); it == nil || it.key() != "c" {
		t.Errorf("the spare slot takes %v", it)
	}
}

// TestWhoMayHaveASpareSlot holds the rule against the queue alone.
func TestWhoMayHaveASpareSlot(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits *item
		holds []string
		long  int // how many of those have documents that take long
		want  bool
		had   string // of these each had much before
	}{
		{"nobody waits", nil, []string{"a"}, 0, false, ""},
		{"who holds nothing", queued("b", 1, Normal), []string{"a"}, 0, true, ""},
		{"who holds one", queued("a", 1, Normal), []string{"a", "b"}, 0, false, ""},
		{"what nobody waits for", queued("b", 1, Background), []string{"a"}, 0, false, ""},
		{"a large document", newItem(context.Background(), Job{Key: "b", HTML: make([]byte, largeHTML+1)}, false), []string{"a"}, 0, false, ""},
		{"in the place of one that takes long", queued("a", 1, Normal), []string{"a"}, 1, true, ""},
		{"work that nobody waits for, too", queued("b", 1, Background), []string{"a"}, 1, true, ""},
		{"not beyond it", queued("a", 1, Normal), []string{"a", "b"}, 1, false, ""},
		{"one more besides it", queued("c", 1, Normal), []string{"a", "b"}, 1, true, ""},
		{"no second one more", queued("d", 1, Normal), []string{"a", "b", "c"}, 1, false, ""},
		{"a large document, never", newItem(context.Background(), Job{Key: "b", HTML: make([]byte, largeHTML+1)}, false), []string{"a"}, 1, false, ""},
		{"who asks for much less has a second one", queued("c", 1, Normal), []string{"a", "c"}, 0, true, "a"},
		{"besides what takes long, too", queued("c", 1, Normal), []string{"a", "b", "c"}, 1, true, "ab"},
		{"not when one of the others asks for as little", queued("c", 1, Normal), []string{"a", "b", "c"}, 1, false, "a"},
		{"what nobody waits for has none", queued("c", 1, Background), []string{"a", "c"}, 0, false, "a"},
		{"no third one", queued("c", 1, Normal), []string{"a", "c", "c"}, 0, false, "a"},
		{"nothing for who is alone", queued("a", 1, Normal), []string{"a"}, 0, false, ""},
	} {
		q := newQueue(10, 100, 1, func() int { return test.long })
		for _, key := range test.holds {
			q.shares.Take(key)
		}
		for _, key := range strings.Split(test.had, "") {
			q.shares.Add(key, 10*time.Second)
		}
		if test.waits != nil {
			if err := q.push(test.waits); err != nil {
				t.Fatal(err)
			}
		}
		if got := q.wantsSpare(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if got := q.popSpare(); (got != nil) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
