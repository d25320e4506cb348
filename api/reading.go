package api

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/quire-reports/quire/api/internal/answer"
)

// Reading says how slowly a body may arrive: it may take Grace, and a second
// more for each Rate bytes that came, but never pause for longer than Pause. So
// a form has seconds, and a large file over a slow line the time it needs.
type Reading struct {
	Grace, Pause time.Duration
	Rate         int64 // bytes a second
}

func (l *Reading) fill() {
	if l.Grace <= 0 {
		l.Grace = 10 * time.Second
	}
	if l.Pause <= 0 {
		l.Pause = time.Minute
	}
	if l.Rate <= 0 {
		l.Rate = 10 << 10
	}
}

// body reads what a request brings and holds the client to the pace.
type body struct {
	io.ReadCloser
	limits   Reading
	deadline func(time.Time) error // of the connection; the zero time is none
	received int64
	waited   time.Duration
}

// readInTime holds the client of a request to the pace. Time that we take
// ourselves does not count.
func (s *server) readInTime(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	deadline := http.NewResponseController(w).SetReadDeadline
	// When nobody reads the body the server does, to reuse the connection.
	if deadline(time.Now().Add(s.Reading.Grace+s.Reading.Pause)) != nil {
		return // no connection of its own, as in tests
	}
	r.Body = &body{ReadCloser: r.Body, limits: s.Reading, deadline: deadline}
}

// Read waits as long as the pace allows.
func (b *body) Read(p []byte) (int, error) {
	began := time.Now()
	allowed := b.limits.Grace + time.Duration(b.received)*time.Second/time.Duration(b.limits.Rate) - b.waited
	_ = b.deadline(began.Add(min(allowed, b.limits.Pause))) // it could be set before
	n, err := b.ReadCloser.Read(p)
	b.received += int64(n)
	b.waited += time.Since(began)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return n, answer.TooSlow()
	}
	if errors.Is(err, io.EOF) {
		// It must not end what comes after the body: the server watches the
		// connection while the answer is made.
		_ = b.deadline(time.Time{})
	} else {
		_ = b.deadline(time.Now().Add(b.limits.Grace + b.limits.Pause))
	}
	return n, err
}
