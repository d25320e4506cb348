package deliver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// Error is a delivery that did not succeed, in words that say what to do. It
// is also a *report.Problem for errors.As.
type Error struct {
	Message string
	// Permanent means that trying again cannot help before a person has changed
	// something.
	Permanent bool
	// Uncertain means that it is unknown whether the documents were sent. Such
	// a delivery is not tried again by itself.
	Uncertain bool
	// RetryAfter is how long the target asks to wait; 0 when it does not say.
	RetryAfter time.Duration

	cause error // the context's or that of our own storage, never one that could tell a secret
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the problem for people, and the error of the context or of our
// own storage where that ended the delivery.
func (e *Error) Unwrap() []error {
	errs := []error{&report.Problem{Kind: report.Failed, Message: e.Message}}
	if e.cause != nil {
		errs = append(errs, e.cause)
	}
	return errs
}

func permanent(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Permanent: true}
}

func temporary(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

func uncertain(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Permanent: true, Uncertain: true}
}

// asError makes any error one of ours. Errors that say nothing of whether a
// retry can help are taken to be passing.
func asError(ctx context.Context, err error) *Error {
	var own *Error
	switch {
	case errors.As(err, &own):
		return own
	case ctx.Err() != nil:
		return &Error{Message: "the delivery was stopped before it was done", cause: ctx.Err()}
	}
	return temporary("%s", err)
}

// unreachable words why a host could not be talked to.
func unreachable(ctx context.Context, host string, err error) *Error {
	var own *Error
	var refused *egress.Refused
	var failed *egress.Failed
	var timeout net.Error
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &own):
		return own
	case ctx.Err() != nil:
		return asError(ctx, err)
	case errors.As(err, &refused):
		return permanent("%s", refused)
	case errors.As(err, &failed):
		return temporary("%s", failed)
	case errors.As(err, &cert):
		return permanent("the certificate of the host %q is not trusted: %s; the operator can add its authority, or the server needs another certificate", host, cert.Err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return temporary("the host %q did not answer in time", host)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		err = op.Err // without the addresses
	}
	return temporary("the host %q could not be reached: %s", host, plain(err.Error()))
}

// answered words an HTTP status that is no success. doing is what was being
// done: "storing the file".
func answered(host, doing string, res *http.Response, now time.Time) *Error {
	e := &Error{Message: fmt.Sprintf("%s failed: the host %q answered %d %s", doing, host, res.StatusCode, http.StatusText(res.StatusCode))}
	switch code := res.StatusCode; {
	case code == http.StatusUnauthorized:
		e.Message += "; check the user name and password or token of the connection"
	case code == http.StatusForbidden:
		e.Message += "; the account of the connection may not do this"
	case code == http.StatusNotFound || code == http.StatusGone:
		e.Message += "; check the address of the connection"
	case code == http.StatusRequestEntityTooLarge:
		e.Message += "; the target does not take documents of this size"
	case code >= 300 && code < 400:
		e.Message += "; redirects are not followed, enter the final address"
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), now)
		return e
	}
	e.Permanent = true
	return e
}

// maxRetryAfter bounds what a target may ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads a Retry-After header: seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	var wait time.Duration
	if seconds, err := strconv.ParseInt(header, 10, 64); err == nil {
		wait = time.Duration(min(max(seconds, 0), int64(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), maxRetryAfter)
}

// plain is text of a server in one line of bounded length, without control
// characters.
func plain(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f })
	words := []rune(strings.ToValidUTF8(strings.Join(fields, " "), "\uFFFD"))
	if len(words) > 200 {
		return string(words[:200]) + "…"
	}
	return string(words)
}
