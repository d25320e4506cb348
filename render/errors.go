package render

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// What can go wrong, for errors.Is. Every error of Pool.Print is one of these or
// the error of the caller's context.
var (
	// ErrBusy: the queue is full.
	ErrBusy = errors.New("all printers are busy")
	// ErrTimeout: the document took longer than its time limit.
	ErrTimeout = errors.New("printing took too long")
	// ErrCrashed: the browser, or the tab of the document, was lost.
	ErrCrashed = errors.New("the browser crashed")
	// ErrPageFailed: the browser or the paginator refused the document.
	ErrPageFailed = errors.New("the document cannot be printed")
	// ErrUnavailable: no browser can be started.
	ErrUnavailable = errors.New("no browser is available")
	// ErrHeavy: the document took too much memory.
	ErrHeavy = errors.New("the document takes too much memory")
	// ErrStuck: the document did one thing for too long.
	ErrStuck = errors.New("the document makes no progress")
	// ErrStorage: there is no room for the result.
	ErrStorage = errors.New("the PDF cannot be kept")
	// ErrStopped: the pool is stopped.
	ErrStopped = errors.New("the printer is stopped")
)

// failure is one of the errors above with what happened.
type failure struct {
	kind   error
	detail string
	cause  error
	wait   time.Duration // of ErrBusy: until there is room, by what documents took so far
}

func (f *failure) Error() string {
	if f.detail == "" {
		return f.kind.Error()
	}
	return f.kind.Error() + ": " + f.detail
}

func (f *failure) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

// RetryAfter is how long to wait until a job that was refused may be let in.
func RetryAfter(err error) time.Duration {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.wait
	}
	return 0
}

func fail(kind error, format string, args ...any) error {
	return &failure{kind: kind, detail: fmt.Sprintf(format, args...)}
}

// failWith wraps a cause; its text becomes the detail.
func failWith(kind, cause error) error {
	return &failure{kind: kind, detail: cause.Error(), cause: cause}
}

// errLost is what calls end with when the connection to the browser is gone.
var errLost = errors.New("connection to the browser lost")

// errTabCrashed is what calls end with when the browser says that the tab's
// process died.
var errTabCrashed = errors.New("the tab's process died")

// protocolError is the browser's answer to a command it refuses.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data"`
}

func (e *protocolError) Error() string {
	if e.Data != "" {
		return e.Message + " (" + e.Data + ")"
	}
	return e.Message
}

// lostTexts are answers of the browser that mean the tab is gone, not that the
// document is wrong. The protocol has one code (-32000) for both.
var lostTexts = []string{
	"Session with given id not found",
	"No session with given id",
	"Target closed",
	"Target crashed",
	"Inspected target navigated or closed",
	"Not attached to an active page",
	"Internal error",
	"Execution context was destroyed",
	"Cannot find context with specified id",
}

// translate makes one of the exported errors of anything that happened while
// a job was in the browser. The job's own context decides before the texts do:
// a cancelled command can come back with any of them.
func translate(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var f *failure
	if errors.As(err, &f) {
		return err
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	switch {
	case errors.Is(err, errHeavy):
		return failWith(ErrHeavy, err)
	case errors.Is(err, errStuck):
		return failWith(ErrStuck, err)
	}
	if errors.Is(err, errLost) || errors.Is(err, errTabCrashed) {
		return failWith(ErrCrashed, err)
	}
	if ctx.Err() != nil {
		return translateContext(err)
	}
	var p *protocolError
	if errors.As(err, &p) && !isRefusal(err) {
		return failWith(ErrCrashed, err)
	}
	return failWith(ErrPageFailed, err)
}

// translateContext keeps the caller's own cancellation as it is: nobody waits
// for the answer, and the caller knows why.
func translateContext(cause error) error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return failWith(ErrTimeout, cause)
	}
	return cause
}

// isRefusal reports whether the browser refused a command of a tab that it has.
func isRefusal(err error) bool {
	var p *protocolError
	return errors.As(err, &p) && !slices.ContainsFunc(lostTexts, func(text string) bool { return strings.Contains(p.Message, text) })
}
