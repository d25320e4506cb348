package api

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/quire-reports/quire/api/internal/answer"
)

// ErrStarting is what a part says that does not work yet because it has only just
// been started, which is no fault.
var ErrStarting = errors.New("it is starting")

// checkLimit is how long a part may take to say that it works.
const checkLimit = 5 * time.Second

// alive says that the process serves requests.
func alive(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readiness is what /readyz answers.
type readiness struct {
	Status string            `json:"status"`           // ready, unready or stopping
	Checks map[string]string `json:"checks,omitempty"` // ok, starting, failing or slow
	// Details say how parts work, such as whether the browser has its sandbox.
	Details map[string]string `json:"details,omitempty"`
}

// ready tells root users of each part, and others whether requests may come.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	s.answerReady(w, r, s.gate.IsRoot(r))
}

// answerReady asks every part at the same time, and says no only when a needed
// one does not work or the service stops: a balancer must not take away what
// still answers most requests. Reasons go to the log: they may name hosts and users.
func (s *server) answerReady(w http.ResponseWriter, r *http.Request, parts bool) {
	ctx, cancel := context.WithTimeout(r.Context(), checkLimit)
	defer cancel()
	results := make([]string, len(s.Checks))
	var asking sync.WaitGroup
	for i, check := range s.Checks {
		asking.Go(func() { results[i] = s.ask(ctx, check) })
	}
	asking.Wait()
	out, status := readiness{Status: "ready"}, http.StatusOK
	if parts {
		out.Checks = map[string]string{}
		if s.Details != nil {
			out.Details = s.Details()
		}
	}
	for i, check := range s.Checks {
		if parts {
			out.Checks[check.Name] = results[i]
		}
		if check.Needed && results[i] != "ok" {
			out.Status, status = "unready", http.StatusServiceUnavailable
		}
	}
	select {
	case <-s.Leaving:
		out.Status, status = "stopping", http.StatusServiceUnavailable
	default:
	}
	if status != http.StatusOK {
		w.Header().Set("Retry-After", "5")
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, status, out)
}

func (s *server) ask(ctx context.Context, check Check) string {
	done := make(chan error, 1)
	go func() { done <- check.Ask(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done(): // a check that ignores its context must not hold us up
		err = ctx.Err()
	}
	state := "failing"
	switch {
	case err == nil:
		state = "ok"
	case errors.Is(err, ErrStarting):
		state = "starting"
	case errors.Is(err, context.DeadlineExceeded):
		state = "slow"
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // who asked has gone, so nothing was found
		s.logPart(ctx, check.Name, state, err)
	}
	return state
}

// logPart tells when a part fails and when it works again, not what monitors
// find every few seconds.
func (s *server) logPart(ctx context.Context, part, state string, err error) {
	before, known := s.parts.Swap(part, state)
	switch {
	case state == before || state == "starting" || state == "ok" && (!known || before == "starting"):
	case state == "ok":
		s.Logger.InfoContext(ctx, "a part of the service works again", "part", part)
	default:
		s.Logger.WarnContext(ctx, "a part of the service does not work", "part", part, "state", state, "error", err)
	}
}
