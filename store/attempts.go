package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/quire-reports/quire/report"
)

// Pace says how often something may fail: Free times at once, then each
// further failure doubles the time to wait, from First to Most. After every
// Recover without a new one a failure is forgotten.
type Pace struct {
	Free                 int
	First, Most, Recover time.Duration
}

// wait is how long to wait after so many failures.
func (p Pace) wait(failures int) time.Duration {
	over := failures - p.Free
	if over < 0 {
		return 0
	}
	wait := p.First
	for range over {
		if wait *= 2; wait >= p.Most {
			return p.Most
		}
	}
	return min(wait, p.Most)
}

// attempt is what is remembered of a key: the failures, and attempts that are
// under way, and when the last of them began.
type attempt struct {
	failures int
	last     int64 // in milliseconds since 1970
}

// attempts keeps attempts where all nodes see them. swap replaces what is kept
// of a key, if that is what the caller read before; a zero attempt is none.
type attempts interface {
	get(ctx context.Context, key []byte) (attempt, error)
	swap(ctx context.Context, key []byte, was, is attempt, kept time.Duration, now time.Time) (swapped bool, err error)
}

// mostSwaps bounds how often a change is tried while others change the same.
const mostSwaps = 20

// TakeAttempt counts an attempt before it is made, as if it failed, so that many
// at the same moment are not too many. It tells how many failures there were,
// and how long to wait: then it counts nothing.
func (s *Store) TakeAttempt(ctx context.Context, what string, p Pace) (failures int, wait time.Duration, err error) {
	err = s.changeAttempt(ctx, what, p, func(was attempt, now int64) attempt {
		if wait = time.Duration(was.last-now)*time.Millisecond + p.wait(was.failures); was.failures > 0 && wait > 0 {
			return was
		}
		wait = 0
		failures = max(0, was.failures-int((now-was.last)/max(1, p.Recover.Milliseconds())))
		return attempt{failures + 1, now}
	})
	return failures, wait, err
}

// ReturnAttempt takes back an attempt that did not fail.
func (s *Store) ReturnAttempt(ctx context.Context, what string, p Pace) error {
	return s.changeAttempt(ctx, what, p, func(was attempt, _ int64) attempt {
		if was.failures <= 1 {
			return attempt{}
		}
		return attempt{was.failures - 1, was.last}
	})
}

// ForgetAttempts takes back all.
func (s *Store) ForgetAttempts(ctx context.Context, what string) error {
	return s.changeAttempt(ctx, what, Pace{}, func(attempt, int64) attempt { return attempt{} })
}

func (s *Store) changeAttempt(ctx context.Context, what string, p Pace, change func(was attempt, now int64) attempt) error {
	key := digest("attempt\n" + what)
	for range mostSwaps {
		was, err := s.attempts.get(ctx, key)
		if err != nil {
			return err
		}
		now := s.clock()
		is := change(was, now.UnixMilli())
		if is == was {
			return nil
		}
		kept := p.Most + time.Duration(is.failures)*p.Recover
		if swapped, err := s.attempts.swap(ctx, key, was, is, kept, now); swapped || err != nil {
			return err
		}
	}
	return &report.Problem{Kind: report.Busy, Message: "too many attempts at the same moment; try again"}
}

// sqlAttempts keeps attempts in a table.
type sqlAttempts struct{ db *database }

func (a sqlAttempts) get(ctx context.Context, key []byte) (attempt, error) {
	var row struct {
		Failures int   `db:"failures"`
		Last     int64 `db:"last_at"`
	}
	err := a.db.get(ctx, &row, "SELECT failures, last_at FROM attempts WHERE hash = ?", key)
	if errors.Is(err, sql.ErrNoRows) {
		return attempt{}, nil
	}
	return attempt{row.Failures, row.Last}, err
}

func (a sqlAttempts) swap(ctx context.Context, key []byte, was, is attempt, kept time.Duration, now time.Time) (bool, error) {
	expires := now.Add(kept).UnixMilli()
	var n int
	var err error
	switch {
	case is == attempt{}:
		n, err = a.db.exec(ctx, "DELETE FROM attempts WHERE hash = ? AND failures = ? AND last_at = ?", key, was.failures, was.last)
	case was == attempt{}:
		n, err = a.db.exec(ctx, "INSERT INTO attempts (hash, failures, last_at, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING", key, is.failures, is.last, expires)
	default:
		n, err = a.db.exec(ctx, "UPDATE attempts SET failures = ?, last_at = ?, expires_at = ? WHERE hash = ? AND failures = ? AND last_at = ?",
			is.failures, is.last, expires, key, was.failures, was.last)
	}
	return n == 1, err
}

// redisAttempts keeps attempts as keys that expire by themselves.
type redisAttempts struct{ r *redisClient }

func (a redisAttempts) name(key []byte) string {
	return a.r.prefix + "attempt:" + hex.EncodeToString(key)
}

func (a redisAttempts) get(ctx context.Context, key []byte) (attempt, error) {
	text, err := a.r.client.Get(ctx, a.name(key)).Result()
	if errors.Is(err, redis.Nil) {
		return attempt{}, nil
	}
	if err != nil {
		return attempt{}, a.r.fault(ctx, err)
	}
	var found attempt
	if _, err := fmt.Sscanf(text, "%d %d", &found.failures, &found.last); err != nil {
		return attempt{}, fmt.Errorf("reading attempts: %w", err)
	}
	return found, nil
}

var swapScript = redis.NewScript(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`)

func (a redisAttempts) swap(ctx context.Context, key []byte, was, is attempt, kept time.Duration, _ time.Time) (bool, error) {
	swapped, err := swapScript.Run(ctx, a.r.client, []string{a.name(key)}, was.text(), is.text(), max(1, kept.Milliseconds())).Bool()
	return swapped, a.r.fault(ctx, err)
}

func (a attempt) text() string {
	if a == (attempt{}) {
		return ""
	}
	return fmt.Sprintf("%d %d", a.failures, a.last)
}
