package store

import (
	"sync/atomic"
	"time"
)

// pace is how many rows of something large are changed in one transaction: as many as
// the database did of late in a time for which others can wait, however fast it is.
type pace struct{ rows atomic.Int64 }

const (
	// holdsFor is how long a transaction should take that changes many rows.
	holdsFor = 20 * time.Millisecond
	// fewestRows is how many each changes at least.
	fewestRows = 10
)

// next is how many rows are changed next, at most so many, which is also how many are
// changed first.
func (p *pace) next(most int) int {
	if n := int(p.rows.Load()); n > 0 {
		return min(n, most)
	}
	return most
}

// took notes how long a transaction took that changed rows. One that was quick by
// chance makes the next no more than twice as large.
func (p *pace) took(rows int, took time.Duration) {
	if rows <= 0 {
		return
	}
	fit := int64(float64(rows) * float64(holdsFor) / float64(max(took, 1)))
	p.rows.Store(max(fewestRows, min(fit, 2*int64(rows))))
}

// noteHeld notes how long a transaction took that changed rows; where the clock is that
// of a test, all are as large as they may be.
func (s *Store) noteHeld(rows int, began time.Time) {
	if s.frozen == nil {
		s.pace.took(rows, time.Since(began))
	}
}
