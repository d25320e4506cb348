package access

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/quire-reports/quire/api/internal/answer"
)

// maxKeys bounds what a Limiter remembers. When it is full the keys that have
// their whole allowance back are dropped; if none has, new keys share one.
const maxKeys = 10_000

// Limiter allows each key so many actions.
type Limiter struct {
	every   rate.Limit
	burst   int
	message string
	clock   func() time.Time

	mu   sync.Mutex
	keys map[any]*rate.Limiter
}

// NewLimiter allows burst actions at once and then one every interval.
func NewLimiter(interval time.Duration, burst int, message string, clock func() time.Time) *Limiter {
	return &Limiter{every: rate.Every(interval), burst: burst, message: message, clock: clock, keys: map[any]*rate.Limiter{}}
}

// Take uses up one action of a key, or says how long to wait.
func (l *Limiter) Take(key any) error {
	now := l.clock()
	reservation := l.of(key, now).ReserveN(now, 1)
	if wait := reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return answer.TooMany(l.message, wait)
	}
	return nil
}

// Wait uses up one action of a key when its turn has come: first come, first
// served. Who would wait longer than most is refused at once.
func (l *Limiter) Wait(ctx context.Context, key any, most time.Duration) error {
	now := l.clock()
	reservation := l.of(key, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait <= 0 {
		return nil
	}
	if wait > most {
		reservation.CancelAt(now)
		return answer.TooMany(l.message, wait)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		reservation.CancelAt(l.clock())
		return ctx.Err()
	}
}

type overflow struct{}

func (l *Limiter) of(key any, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.keys[key]; ok {
		return known
	}
	if len(l.keys) >= maxKeys {
		l.sweep(now)
	}
	if len(l.keys) >= maxKeys {
		key = overflow{}
	}
	if l.keys[key] == nil {
		l.keys[key] = rate.NewLimiter(l.every, l.burst)
	}
	return l.keys[key]
}

func (l *Limiter) sweep(now time.Time) {
	for key, limiter := range l.keys {
		if limiter.TokensAt(now) >= float64(l.burst) {
			delete(l.keys, key)
		}
	}
}
