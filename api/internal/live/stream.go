package live

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/quire-reports/quire/report"
)

// writing is how long a browser may take to receive an event.
const writing = 10 * time.Second

// Serve sends the events of a subject until it ends, until the browser or the
// service goes, until it may not be heard any more, or until the stream is old. An error means that nothing has been
// answered.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, s Subject) error {
	if !h.enter(s.Listener) {
		return &report.Problem{Kind: report.Busy, Message: "too many pages are watched at the same time; try again later"}
	}
	defer h.leave(s.Listener)
	events, unwatch := h.watch(s) // before the first event, so that nothing falls between
	defer unwatch()
	first, err := s.First(r.Context())
	if err != nil {
		return err
	}
	out := &stream{w: w, c: http.NewResponseController(w)}
	out.begin()
	if r.Method == http.MethodHead || out.event(first) != nil || first.Last {
		return nil
	}
	h.forward(r.Context(), out, events, s.Still)
	return nil
}

// forward sends what comes and, when nothing does, a sign of life.
func (h *Hub) forward(ctx context.Context, out *stream, events <-chan Event, still func() error) {
	letIn := time.Now()
	may := func() bool {
		if still == nil || time.Since(letIn) < h.cfg.Trust {
			return true
		}
		err := still()
		letIn = time.Now()
		return err == nil
	}
	beat := time.NewTicker(h.cfg.Beat)
	defer beat.Stop()
	old := time.NewTimer(h.cfg.Life)
	defer old.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-h.cfg.Stopping:
			return
		case <-old.C:
			return
		case <-beat.C:
			if !may() {
				return
			}
			err = out.write(":\n\n")
		case e, more := <-events:
			if !more || !may() {
				return
			}
			err = out.event(e)
		}
		if err != nil {
			return
		}
	}
}

// stream is an answer that goes on.
type stream struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// begin lifts the limits that the server has for whole requests. Proxies must
// not collect the events.
func (s *stream) begin() {
	_ = s.c.SetReadDeadline(time.Time{}) // not every writer has one
	header := s.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
	_ = s.c.Flush()
}

func (s *stream) event(e Event) error {
	if len(e.Data) == 0 {
		return nil
	}
	return s.write(fmt.Sprintf("id: %s\ndata: %s\n\n", e.ID, e.Data))
}

func (s *stream) write(text string) error {
	_ = s.c.SetWriteDeadline(time.Now().Add(writing))
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.c.Flush()
}
