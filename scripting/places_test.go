package scripting

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// Endless loops of one workspace do not hold up the script of another: 20 of
// them would be 20 times their limit.
func TestOwnersTakeTurns(t *testing.T) {
	p := testPool(t, Config{Processes: 2, Timeout: time.Second})
	var ended atomic.Int64
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	for range 20 {
		go func() {
			_, _ = p.Call(For(ctx, "a", ""), &Call{Source: "() => { for (;;); }"})
			ended.Add(1)
			done <- struct{}{}
		}()
	}
	for p.places.waiting() < 18 && ended.Load() == 0 {
		runtime.Gosched()
	}
	res, err := p.Call(For(t.Context(), "b", ""), &Call{Source: "() => 1", Timeout: time.Minute})
	if err != nil || fmt.Sprint(res.Values) != "[1]" {
		t.Errorf("%v, %v", res, err)
	}
	if n := ended.Load(); n > 4 { // of two slots, on a machine that is slow to start a child
		t.Errorf("it waited for %d of the loops", n)
	}
	cancel()
	for range 20 {
		<-done
	}
}

func TestPlaces(t *testing.T) {
	p := newPlaces(2, 10)
	a, b, c := For(t.Context(), "a", ""), For(t.Context(), "b", ""), For(t.Context(), "c", "")
	gone, leave := context.WithCancel(a)
	leave()
	for _, ctx := range []context.Context{a, a, b} { // b's is one more, as a holds all
		if err := p.take(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.take(gone); !errors.Is(err, context.Canceled) || p.waiting() != 0 {
		t.Errorf("who has gone: %v, %d wait", err, p.waiting())
	}
	got := make(chan string, 2)
	for name, ctx := range map[string]context.Context{"a": a, "c": c} {
		go func() { got <- fmt.Sprint(name, p.take(ctx)) }()
	}
	for p.waiting() < 2 {
		runtime.Gosched()
	}
	p.release(b)
	if p.waiting() != 1 { // a holds all again, so c is let in beside it
		t.Errorf("%d wait", p.waiting())
	}
	if first := <-got; first != "c<nil>" {
		t.Errorf("first is %s", first)
	}
	p.release(a)
	p.release(c)
	if second := <-got; second != "a<nil>" {
		t.Errorf("second is %s", second)
	}
	p.release(a)
	p.release(a)
	if p.taken != 0 || p.shares.Places("a")+p.shares.Places("c") != 0 {
		t.Errorf("%d are taken", p.taken)
	}
}

// A user has a bound; others of the same workspace have theirs, and it ends with
// the scripts.
func TestScriptsOfAUser(t *testing.T) {
	p := newPlaces(1, 2)
	one, two := For(t.Context(), "a", "1"), For(t.Context(), "a", "2")
	gone, leave := context.WithCancel(one)
	if err := p.take(one); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- p.take(gone) }()
	for p.waiting() == 0 {
		runtime.Gosched()
	}
	var problem *report.Problem
	if err := p.take(one); !errors.As(err, &problem) || problem.Kind != report.Exhausted || problem.Wait == 0 {
		t.Errorf("the third of a user: %v", err)
	}
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.release(one)
	for _, ctx := range []context.Context{one, two} {
		if err := p.take(ctx); err != nil {
			t.Error(err)
		}
		p.release(ctx)
	}
	if len(p.users) != 0 {
		t.Errorf("%v are counted still", p.users)
	}
}
