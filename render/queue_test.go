package render

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func queued(key string, n int, p Priority) *item {
	it := newItem(context.Background(), Job{Key: key, Priority: p}, false)
	it.attempts = n // the tests use it as a number
	return it
}

func order(q *queue) string {
	var names []string
	for t := q.pop(); t != nil; t = q.pop() {
		it := t.(*item)
		names = append(names, fmt.Sprint(it.job.Key, it.attempts))
	}
	return strings.Join(names, " ")
}

func TestQueueOrder(t *testing.T) {
	tests := []struct {
		name, jobs, want string // a key and a number; in brackets: background
	}{
		{"one key", "a1 a2 a3", "a1 a2 a3"},
		{"keys take turns, those who ask for less first", "a1 a2 a3 a4 b1 b2 c1", "c1 b1 a1 b2 a2 a3 a4"},
		{"a late key is not behind the queue of another", "a1 a2 a3 a4 b1", "b1 a1 a2 a3 a4"},
		{"background goes last", "(a1) (a2) b1 b2", "b1 b2 a1 a2"},
		{"background does not starve", "(a1) (a2) b1 b2 b3 b4 b5 b6 b7", "b1 b2 b3 a1 b4 b5 b6 a2 b7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := newQueue(100, 100, 1, none)
			for _, f := range strings.Fields(tt.jobs) {
				p := Normal
				if strings.HasPrefix(f, "(") {
					p, f = Background, strings.Trim(f, "()")
				}
				if err := q.push(queued(f[:1], int(f[1]-'0'), p)); err != nil {
					t.Fatal(err)
				}
			}
			if got := order(q); got != tt.want {
				t.Errorf("order is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestQueueIsBounded(t *testing.T) {
	q := newQueue(2, 100, 1, none)
	a, b := queued("a", 1, Normal), queued("b", 1, Normal)
	if err := errors.Join(q.push(a), q.push(b)); err != nil {
		t.Fatal(err)
	}
	if err := q.push(queued("c", 1, Normal)); !errors.Is(err, ErrBusy) {
		t.Errorf("third job: %v", err)
	}
	if err := q.again(queued("d", 1, Normal)); err != nil {
		t.Errorf("a job that comes back: %v", err)
	}
	if !q.remove(a) || q.remove(a) {
		t.Error("a job can be taken out once")
	}
	if got := order(q); got != "b1 d1" {
		t.Errorf("left: %q", got)
	}
}

func TestQueueRemovesOld(t *testing.T) {
	q := newQueue(10, 100, 1, none)
	old, young := queued("a", 1, Normal), queued("a", 2, Background)
	old.waits = time.Now().Add(-time.Minute)
	q.push(old)
	q.push(young)
	if got := q.removeOlder(time.Now().Add(-time.Second)); !slices.Equal(got, []*item{old}) {
		t.Errorf("removed %v", got)
	}
	if q.waiting() != 1 {
		t.Errorf("%d wait", q.waiting())
	}
}

func TestQueueHandsJobsToWaitingSlots(t *testing.T) {
	q := newQueue(0, 100, 1, none) // nothing may wait
	got := make(chan task)
	go func() {
		t, _ := q.next(context.Background(), [3]<-chan struct{}{})
		got <- t
	}()
	for q.idle() == 0 {
		time.Sleep(time.Millisecond)
	}
	it := queued("a", 1, Normal)
	if err := q.push(it); err != nil {
		t.Fatal(err)
	}
	if <-got != it {
		t.Error("another job")
	}
}

func TestQueueNextEnds(t *testing.T) {
	q := newQueue(1, 100, 1, none)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := q.next(ctx, [3]<-chan struct{}{}); ok {
		t.Error("a task from an empty queue")
	}
	wake := make(chan struct{})
	close(wake)
	if _, ok := q.next(context.Background(), [3]<-chan struct{}{nil, wake, nil}); ok {
		t.Error("a task from an empty queue")
	}
	if q.idle() != 0 {
		t.Error("a slot still waits")
	}
}

func TestQueueStop(t *testing.T) {
	q := newQueue(5, 100, 1, none)
	q.push(queued("a", 1, Normal))
	q.push(queued("b", 1, Background))
	if got := q.stop(); len(got) != 2 {
		t.Errorf("%d jobs were left", len(got))
	}
	if err := q.push(queued("a", 2, Normal)); !errors.Is(err, ErrStopped) {
		t.Errorf("push after stop: %v", err)
	}
}

func TestQueueOffers(t *testing.T) {
	q := newQueue(5, 100, 1, none)
	a, b := &helper{&chunkPrint{job: &Job{}}}, &helper{&chunkPrint{job: &Job{}}}
	q.offer(a)
	q.offer(b)
	q.push(queued("j", 1, Normal))
	q.takeBack(func(t task) bool { return t == a })
	if it, _ := q.pop().(*item); it == nil {
		t.Error("jobs go before offers")
	}
	if q.pop() != b || q.pop() != nil {
		t.Error("the offer that is left comes last")
	}
}

// A full queue refuses the key that fills it, and never what was accepted before.
func TestAFullQueueIsFair(t *testing.T) {
	q := newQueue(4, 100, 1, none)
	var flood []*item
	for n := range 4 {
		it := queued("a", n, Normal)
		flood = append(flood, it)
		if err := q.push(it); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.push(queued("a", 9, Normal)); !errors.Is(err, ErrBusy) {
		t.Errorf("one more of the same key: %v", err)
	}
	for n := range 2 {
		if err := q.push(queued("b", n, Normal)); err != nil {
			t.Errorf("number %d of another key: %v", n, err)
		}
	}
	if err := q.push(queued("b", 9, Normal)); !errors.Is(err, ErrBusy) {
		t.Errorf("a key with its half of the queue: %v", err)
	}
	for n := range 10 {
		if err := q.push(queued("c", n, Background)); err != nil {
			t.Errorf("accepted work: %v", err)
		}
	}
	for _, it := range flood[2:] {
		select {
		case <-it.done:
			if !errors.Is(it.err, ErrBusy) {
				t.Errorf("who gave way got %v", it.err)
			}
		default:
			t.Error("nobody was told to give way")
		}
	}
	if got, want := order(q), "a0 b0 a1 c0 b1"; !strings.HasPrefix(got, want) {
		t.Errorf("order is %q, want %q first", got, want)
	}
}

func TestWhoHoldsSlotsWaitsForOthers(t *testing.T) {
	q := newQueue(10, 100, 1, none)
	for n := range 3 {
		if err := q.push(queued("a", n, Normal)); err != nil {
			t.Fatal(err)
		}
	}
	q.pop() // a holds one slot, for long
	if err := q.push(queued("b", 0, Normal)); err != nil {
		t.Fatal(err)
	}
	q.pop() // b's, which ends
	q.release("b")
	if err := q.push(queued("b", 1, Normal)); err != nil {
		t.Fatal(err)
	}
	if got := order(q); got != "b1 a1 a2" {
		t.Errorf("order is %q", got)
	}
}

func TestWhoIsRefusedIsToldWhenToComeBack(t *testing.T) {
	for _, test := range []struct {
		took          time.Duration
		printed       int64
		waiting, tabs int
		want          time.Duration
	}{
		{0, 0, 100, 2, 50 * time.Second}, // nothing is known yet
		{10 * time.Second, 100, 100, 2, 5 * time.Second},
		{time.Second, 100, 2, 2, time.Second},
		{time.Hour, 10, 100, 2, 2 * time.Minute},
	} {
		if got := queueTime(test.took, test.printed, test.waiting, test.tabs); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	p := &Pool{c: Config{Tabs: 1}, queue: newQueue(0, 100, 1, none)}
	_, err := p.Print(t.Context(), Job{HTML: page("x")})
	if !errors.Is(err, ErrBusy) || RetryAfter(err) != time.Second {
		t.Errorf("%v, after %v", err, RetryAfter(err))
	}
	if RetryAfter(fail(ErrTimeout, "x")) != 0 || RetryAfter(errors.New("x")) != 0 {
		t.Error("others know no time")
	}
}

// A key with as many waiting as it may have is refused though there is room.
func TestAKeyMayBeBounded(t *testing.T) {
	q := newQueue(10, 2, 1, none)
	for n := range 2 {
		if err := q.push(queued("a", n, Normal)); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.push(queued("a", 3, Normal)); !errors.Is(err, ErrBusy) {
		t.Errorf("the third of a key: %v", err)
	}
	if err := errors.Join(q.push(queued("b", 1, Normal)), q.push(queued("a", 4, Background)), q.again(queued("a", 5, Normal))); err != nil {
		t.Errorf("others: %v", err)
	}
}

// none is that no slot has a document that takes long.
func none() int { return 0 }
