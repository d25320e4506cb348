package scripting

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// deaths are the last words of Go programs that ran out of something.
var deaths = []struct {
	says   string
	memory bool // or stack
}{
	{"out of memory", true},
	{"cannot allocate memory", true},
	{"failed to allocate", true},       // the race detector's
	{"address space collisions", true}, // the same, under a limit
	{"stack overflow", false},          // fatal error
	{"goroutine stack exceeds", false}, // its explanation
}

// problem words an engine's error: a child that died of its memory limit is the
// script's doing.
func (p *Pool) problem(err error, call *Call) error {
	if !errors.Is(err, errGone) {
		return err
	}
	for _, d := range deaths {
		if strings.Contains(err.Error(), d.says) {
			if d.memory {
				return p.tooMuchMemory(call)
			}
			return failed(call.Path, "the script recursed too deeply")
		}
	}
	p.config.Log.Error("a script process died", "error", err)
	return failed(call.Path, "the script brought its process down, most likely by using more memory than the limit of %d MB", p.config.Memory>>20)
}

func failed(path, format string, args ...any) *report.Problem {
	return &report.Problem{Kind: report.Failed, Path: path, Message: fmt.Sprintf(format, args...)}
}

func (p *Pool) tooMuchMemory(call *Call) *report.Problem {
	return failed(call.Path, "the script used more memory than the limit of %d MB", p.config.Memory>>20)
}

// result turns a response into values, or into the problem that ended the call.
func (p *Pool) result(res *response, call *Call, timeout time.Duration) (*Result, error) {
	if res.fault != nil {
		return nil, p.ofFault(res.fault, call, timeout)
	}
	if len(call.Rows) == 0 && len(res.faults) > 0 {
		return nil, faulty(call.Path, res.faults[0].message)
	}
	r := &Result{Logs: res.logs, Failed: res.failed, undefined: map[int]bool{}}
	for _, f := range res.faults {
		r.Faults = append(r.Faults, Fault{f.row, faulty(call.Path, f.message)})
	}
	d := decoder{reader: reader{buf: res.values}}
	n := max(1, len(call.Rows))
	r.Values = make([]any, n)
	for i := range n {
		r.Values[i] = d.value()
		if d.undefined {
			r.undefined[i] = true
		}
	}
	return r, d.err
}

func (p *Pool) ofFault(f *fault, call *Call, timeout time.Duration) error {
	switch f.kind {
	case faultTime:
		return &report.Problem{Kind: report.TimedOut, Path: call.Path, Message: fmt.Sprintf("the script ran longer than its limit of %v", timeout)}
	case faultWait:
		return &report.Problem{Kind: report.TimedOut, Path: call.Path, Message: fmt.Sprintf("the script ran longer than its limit of %v on the clock, with less than %v of a processor: it waited, or the machine is busy; try again in a moment", timeLimit(timeout).wall(), timeout)}
	case faultMemory:
		return p.tooMuchMemory(call)
	case faultCancel:
		return context.Canceled
	}
	return faulty(call.Path, f.message)
}

// faulty is a problem with the place that its message ends with.
func faulty(path, message string) *report.Problem {
	p := failed(path, "%s", message)
	p.Line, p.Column = placeIn(message)
	return p
}
