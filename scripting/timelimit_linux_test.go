package scripting

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// stopped lets the idle child stand still while it has its next call, from a moment
// after that has begun.
func stopped(t *testing.T, p *Pool, stop func(pid int)) {
	t.Helper()
	after(t, p) // a child is there
	child, err := p.pop()
	if err != nil || child == nil {
		t.Fatal("no idle child", err)
	}
	p.keep(child)
	go func() {
		for p.busy.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		stop(child.cmd.Process.Pid)
	}()
}

const works = `() => { const end = Date.now() + 200; while (Date.now() < end); return "done" }`

// TestACallThatStandsStillEnds: what has no time of a processor is not over its limit,
// but does not hold its place for ever. It is told apart from what works too long.
func TestACallThatStandsStillEnds(t *testing.T) {
	p := testPool(t, Config{Processes: 1, Timeout: 400 * time.Millisecond})
	stopped(t, p, func(pid int) { syscall.Kill(pid, syscall.SIGSTOP) }) //nolint:errcheck // the call tells
	began := time.Now()
	_, err := call(t, p, works)
	took := time.Since(began)
	var problem *report.Problem
	if !errors.As(err, &problem) || problem.Kind != report.TimedOut || !strings.Contains(problem.Message, "it waited, or the machine is busy") {
		t.Errorf("got %v", err)
	}
	if took < patience*400*time.Millisecond || took > 10*time.Second {
		t.Errorf("it ended after %v", took)
	}
	after(t, p)
}

// TestTheWorkOfOthersDoesNotCount: a call that does not get a processor for longer than
// its limit goes on when it does.
func TestTheWorkOfOthersDoesNotCount(t *testing.T) {
	p := testPool(t, Config{Processes: 1, Timeout: time.Second})
	stopped(t, p, func(pid int) {
		syscall.Kill(pid, syscall.SIGSTOP) //nolint:errcheck // the call tells
		time.Sleep(1500 * time.Millisecond)
		syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck // the call tells
	})
	began := time.Now()
	r, err := call(t, p, works)
	if err != nil || r.Values[0] != "done" || time.Since(began) < 1500*time.Millisecond {
		t.Errorf("%+v, %v after %v", r, err, time.Since(began))
	}
}

// TestOnlyWorkMakesAScriptLong: one that has worked for long comes after those of others,
// and its child is not used again; one that had to wait for a processor is none of these.
func TestOnlyWorkMakesAScriptLong(t *testing.T) {
	t.Run("waits", func(t *testing.T) {
		p := testPool(t, Config{Processes: 1, Timeout: time.Minute})
		stopped(t, p, func(pid int) {
			syscall.Kill(pid, syscall.SIGSTOP) //nolint:errcheck // the call tells
			time.Sleep(2 * longCall)
			syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck // the call tells
		})
		if givenUp(t, p, works) {
			t.Error("the child was given up")
		}
	})
	t.Run("works", func(t *testing.T) {
		p := testPool(t, Config{Processes: 1, Timeout: time.Minute})
		after(t, p) // a child is there
		// What takes long enough depends on the machine and the race detector.
		for rounds := 1_000_000; !givenUp(t, p, fmt.Sprintf(`() => { for (let i = 0; i < %d; i++); return "done" }`, rounds)); rounds *= 2 {
			if rounds > 1e9 {
				t.Fatalf("the child goes on after %d rounds", rounds)
			}
		}
	})
}

// givenUp says whether the idle child is not used again after a script.
func givenUp(t *testing.T, p *Pool, script string) bool {
	t.Helper()
	before := idlePID(t, p)
	if r, err := call(t, p, script); err != nil || r.Values[0] != "done" {
		t.Fatalf("%+v, %v", r, err)
	}
	return idlePID(t, p) != before
}

// idlePID is the process of the idle child, 0 when there is none.
func idlePID(t *testing.T, p *Pool) int {
	t.Helper()
	child, err := p.pop()
	if err != nil {
		t.Fatal(err)
	}
	if child == nil {
		return 0
	}
	p.keep(child)
	return child.cmd.Process.Pid
}
