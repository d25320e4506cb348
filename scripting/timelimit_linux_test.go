package scripting

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
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
	rounds := 13_000_000
	if judges.UnderRace {
		rounds /= 13
	}
	worksLong := fmt.Sprintf(`() => { for (let i = 0; i < %d; i++); return "done" }`, rounds)
	for name, tt := range map[string]struct {
		script string
		stands time.Duration
		long   bool
	}{"waits": {works, 2 * longCall, false}, "works": {worksLong, 0, true}} {
		t.Run(name, func(t *testing.T) {
			p := testPool(t, Config{Processes: 1, Timeout: time.Minute})
			before := make(chan int, 1)
			stopped(t, p, func(pid int) {
				before <- pid
				if tt.stands > 0 {
					syscall.Kill(pid, syscall.SIGSTOP) //nolint:errcheck // the call tells
					time.Sleep(tt.stands)
					syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck // the call tells
				}
			})
			if r, err := call(t, p, tt.script); err != nil || r.Values[0] != "done" {
				t.Fatalf("%+v, %v", r, err)
			}
			child, err := p.pop()
			if err != nil {
				t.Fatal(err)
			}
			pid := <-before
			if long := child == nil || child.cmd.Process.Pid != pid; long != tt.long {
				t.Errorf("the child was given up: %v, want %v", long, tt.long)
			}
			if child != nil {
				p.give(child, true)
			}
		})
	}
}
