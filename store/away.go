package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"gocloud.dev/gcerrors"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/quire-reports/quire/report"
)

// away is a part that the service stands on and that does not answer: its
// database, Redis or the storage. For people it is a Problem of kind Busy.
type away struct {
	problem *report.Problem
	cause   error
}

func isAway(part string, cause error) error {
	message := part + " is busy or does not answer; try again"
	if isFull(cause) {
		message = part + " has no room left on its disk; try again when there is some"
	}
	return &away{&report.Problem{Kind: report.Busy, Message: message}, cause}
}

// isFull tells of a disk, or a share of one, without room.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || sqliteCode(sqlite3.SQLITE_FULL)(err) || pgCode(pgDiskFull)(err)
}

func (a *away) Error() string   { return a.problem.Error() }
func (a *away) Unwrap() []error { return []error{a.problem, a.cause} }

// Away is the fault within an error that comes of a part that the service
// stands on, and so has nothing to do with what was being done; nil when there
// is none.
func Away(err error) error {
	if a := (*away)(nil); errors.As(err, &a) {
		return a
	}
	return nil
}

// Cause is what lies behind such a fault, for the log: it may name hosts and
// users; nil when there is none.
func Cause(err error) error {
	if a := (*away)(nil); errors.As(err, &a) {
		return a.cause
	}
	return nil
}

// isBroken tells of a connection that broke or could not be made.
func isBroken(err error) bool {
	var refused *pgconn.ConnectError
	var failed net.Error
	switch {
	case errors.As(err, &refused):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // of the caller
		return false
	}
	return errors.As(err, &failed) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// storageFault is an error of the storage. What it has judged comes again;
// anything else may pass.
func storageFault(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.PermissionDenied, gcerrors.InvalidArgument, gcerrors.FailedPrecondition, gcerrors.Canceled:
		return err
	}
	return isAway("the storage of contents", err)
}

// awayReader reads a content; what fails is the storage's fault.
type awayReader struct {
	ctx context.Context
	io.ReadSeekCloser
}

func (r awayReader) Read(p []byte) (int, error) {
	n, err := r.ReadSeekCloser.Read(p)
	if err != nil && err != io.EOF {
		err = storageFault(r.ctx, err)
	}
	return n, err
}

// source notes why reading ended, to tell its faults from those of writing.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
