package api

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// wrap puts what every request goes through around the router.
func (s *server) wrap() http.Handler {
	s.router.Use(routeName)
	return s.traced(s.belowBase(s.recovered(s.router)))
}

// routeName notes the pattern of the address for log and metrics.
func routeName(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pattern, err := mux.CurrentRoute(r).GetPathTemplate(); err == nil {
			answer.TraceOf(r.Context()).Route = pattern
		}
		next.ServeHTTP(w, r)
	})
}

// belowBase takes the path base off, and refuses what is not below it.
func (s *server) belowBase(next http.Handler) http.Handler {
	if s.PathBase == "" {
		return next
	}
	strip := http.StripPrefix(s.PathBase, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == s.PathBase:
			http.Redirect(w, r, s.PathBase+"/", http.StatusPermanentRedirect)
		case strings.HasPrefix(r.URL.Path, s.PathBase+"/"):
			strip.ServeHTTP(w, r)
		default:
			s.fail(w, r, report.NotFoundf("there is nothing at this address; the service is at %s/", s.PathBase))
		}
	})
}

// recovered answers 500 when a handler panics. Once the answer has begun only
// a broken connection can tell.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if fault := recover(); fault != nil {
				s.panicked(w, r, fault)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func (s *server) panicked(w http.ResponseWriter, r *http.Request, fault any) {
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(fault)
	}
	trace := answer.TraceOf(r.Context())
	s.Logger.ErrorContext(r.Context(), "panic in a handler", "request", trace.ID, "route", trace.Route, "fault", fault, "stack", string(debug.Stack()))
	if w.(*recorder).status != 0 {
		panic(http.ErrAbortHandler)
	}
	s.fail(w, r, errPanic)
}

var errPanic = errors.New("a handler panicked; the log has it above")

// traced gives a request its identifier and, when it is done, its log line:
// the path without the query, which may hold data and nonces, and no header.
func (s *server) traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := s.Clock()
		trace := &answer.Trace{ID: requestID(r), Address: s.proxies.Address(r)}
		rec := &recorder{ResponseWriter: w}
		h := w.Header()
		h.Set("X-Request-Id", trace.ID)
		h.Set("X-Content-Type-Options", "nosniff")
		if s.cookies.Encrypted(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(r.URL.Path, s.PathBase+"/api/") || strings.HasPrefix(r.URL.Path, s.PathBase+"/scim/") {
			h.Set("Cache-Control", "no-store")
		}
		s.readInTime(w, r)
		defer func() { s.finished(r, trace, rec, s.Clock().Sub(started)) }()
		next.ServeHTTP(rec, r.WithContext(report.WithReference(answer.WithTrace(r.Context(), trace), trace.ID)))
	})
}

func (s *server) finished(r *http.Request, trace *answer.Trace, rec *recorder, took time.Duration) {
	s.metrics.observe(r.Method, trace.Route, rec.status, took)
	tracing.Route(r.Context(), r.Method, trace.Route)
	attrs := []slog.Attr{
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
		slog.Int64("bytes", rec.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("request", trace.ID),
		slog.String("address", trace.Address),
	}
	if trace.UserID != 0 {
		attrs = append(attrs, slog.Int("user", trace.UserID))
	}
	s.Logger.LogAttrs(r.Context(), levelOf(trace), "request", attrs...)
	if trace.Err != nil {
		s.logFault(r.Context(), trace, rec.status)
	}
	if trace.Hidden != nil {
		s.Logger.WarnContext(r.Context(), "a reason was not shown", "request", trace.ID, "route", trace.Route, "error", trace.Hidden)
	}
}

// logFault tells why a request failed: with an error of ours, or as something
// was away or busy.
func (s *server) logFault(ctx context.Context, trace *answer.Trace, status int) {
	level := slog.LevelError
	if status == http.StatusServiceUnavailable {
		level = slog.LevelWarn
	}
	attrs := []slog.Attr{slog.String("request", trace.ID), slog.String("route", trace.Route), slog.String("error", trace.Err.Error())}
	if cause := store.Cause(trace.Err); cause != nil {
		attrs = append(attrs, slog.String("cause", cause.Error()))
	}
	s.Logger.LogAttrs(ctx, level, "request failed", attrs...)
}

// levelOf keeps what monitors and browsers fetch all the time out of the log.
func levelOf(trace *answer.Trace) slog.Level {
	switch trace.Route {
	case "/healthz", "/readyz", "/metrics", "/assets/{file:.*}", "/ui/{file}":
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

var sentID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// requestID is the identifier that a proxy gave, or a new one.
func requestID(r *http.Request) string {
	if sent := r.Header.Get("X-Request-Id"); sentID.MatchString(sent) {
		return sent
	}
	return strings.ToLower(rand.Text()[:16])
}

// recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the first status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
