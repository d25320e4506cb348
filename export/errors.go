package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
)

// largeDocument is from how many bytes on a browser that dies of a document has
// most likely died of its size.
const largeDocument = 16 << 20

// printProblem says for people what the printer's errors mean for them; others
// stay as they are. The size is that of the document.
func printProblem(err error, size int) error {
	if errors.Is(err, render.ErrCrashed) && size >= largeDocument {
		return &wrapped{report.Problem{Kind: report.TooLarge, Message: fmt.Sprintf(
			"the browser was lost each time it printed this document of %d MB, most likely as it is too large for the memory; print fewer rows, or make several reports of it", size>>20)}, err}
	}
	for _, known := range []struct {
		err     error
		kind    report.Kind
		message string
	}{
		{render.ErrBusy, report.Busy, "too many exports are waiting; try again in a moment"},
		{render.ErrUnavailable, report.Busy, "the browser that prints cannot be started at the moment; try again in a moment"},
		{render.ErrStopped, report.Busy, "the service is stopping; try again in a moment"},
		{render.ErrTimeout, report.TimedOut, "printing took longer than the time limit; use an asynchronous export or print fewer pages"},
		{render.ErrCrashed, report.Busy, "the browser was lost while it printed; try again"},
		{render.ErrHeavy, report.TooLarge, "the document takes too much memory to draw; use smaller pictures, fewer filters and shadows, or print fewer rows"},
		{render.ErrStuck, report.Failed, "the document makes no progress: a single step of its layout or drawing took far too long; look for large pictures, filters, shadows and columns, and at the theme's CSS"},
		{render.ErrStorage, report.Busy, "there is no room on the disk for the export; try again later"},
		{render.ErrPageFailed, report.Failed, "the browser could not print the document"},
	} {
		if errors.Is(err, known.err) {
			return &wrapped{report.Problem{Kind: known.kind, Message: known.message, Wait: render.RetryAfter(err)}, err}
		}
	}
	return err
}

// wrapped is a problem with its cause, which is for the log.
type wrapped struct {
	report.Problem
	cause error
}

func (w *wrapped) Error() string { return w.Problem.Error() + ": " + w.cause.Error() }

// As lets errors.As find the problem.
func (w *wrapped) As(target any) bool {
	if p, ok := target.(**report.Problem); ok {
		*p = &w.Problem
		return true
	}
	return false
}

func (w *wrapped) Unwrap() error { return w.cause }

// timedOut makes a problem of an export that ran into its own time limit; a
// cancelled request stays a cancelled request.
func timedOut(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && errors.Is(err, context.DeadlineExceeded) {
		return &wrapped{report.Problem{Kind: report.TimedOut, Message: "the export took longer than its time limit; use an asynchronous export"}, err}
	}
	return err
}
