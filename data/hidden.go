package data

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"regexp"
	"syscall"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// hidden is a problem whose cause is not for people: it may name addresses and
// users of the inner network. The log has it, under what they read. On the
// command line there is nobody to hide it from, and no log.
func (e *Env) hidden(ctx context.Context, path, message string, cause error) *report.Problem {
	if e.loader.config.Inline {
		return failed(path, "%s (%v)", message, cause)
	}
	reference := report.Reference(ctx)
	e.loader.config.Log.WarnContext(ctx, "a data source failed", "reference", reference, "workspace", e.workspace, "what", message, "error", cause)
	return failed(path, "%s; the log has more under %s", message, reference)
}

// withPort is an address as drivers quote it.
var withPort = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+:\d+|\]:\d+`)

// isLost tells that the connection was lost, and not that a database refused
// what it was asked.
func isLost(err error) bool {
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF, driver.ErrBadConn, sql.ErrConnDone, net.ErrClosed} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, new(net.Error)) || errors.As(err, new(syscall.Errno)) || withPort.MatchString(err.Error())
}

// egressProblem words what the guard says; only a broken program makes other
// errors.
func (e *Env) egressProblem(ctx context.Context, err error) error {
	var refused *egress.Refused
	var silent *egress.Failed
	var large *egress.TooLarge
	switch {
	case errors.As(err, &refused) && refused.Detail != "":
		return e.hidden(ctx, "settings.url", refused.Error(), errors.New(refused.Detail))
	case errors.As(err, &silent) && silent.Err != nil:
		return e.hidden(ctx, "settings.url", silent.Error(), silent.Err)
	case errors.As(err, &refused), errors.As(err, &silent):
		return failed("settings.url", "%s", err)
	case errors.As(err, &large):
		return &report.Problem{Kind: report.TooLarge, Path: "settings.url", Message: err.Error()}
	}
	return err
}
