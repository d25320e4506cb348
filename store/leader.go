package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"time"
)

// leader lets one of all processes do what only one needs to do, for as long as
// it says so again and again. Two at once are no harm; they do the same.
type leader struct {
	store *Store
	name  string // in the table of the installation
	me    string
	lasts time.Duration // after the last word of a process that died
}

func (s *Store) newLeader(what string, lasts time.Duration) *leader {
	return &leader{s, "leader-" + what, randomText(8), lasts}
}

// timeDigits is how many digits a time has in milliseconds, until the year 2286.
const timeDigits = "13"

// take tells whether this process leads, and prolongs that.
func (l *leader) take(ctx context.Context) (bool, error) {
	now := l.store.shared()
	until := "CAST(" + now + " + ? AS TEXT) || ' ' || ?"
	n, err := l.store.db.exec(ctx, `INSERT INTO installation (name, value) VALUES (?, `+until+`) ON CONFLICT (name) DO UPDATE SET value = excluded.value
		WHERE CAST(SUBSTR(installation.value, 1, `+timeDigits+`) AS BIGINT) <= `+now+` OR installation.value LIKE '% ' || ?`, l.name, l.lasts.Milliseconds(), l.me, l.me)
	return n > 0, err
}

// lead runs do if this process leads, and keeps the lead until it ends. Whoever
// led stays it, until leave or its death.
func (l *leader) lead(ctx context.Context, do func(context.Context)) error {
	leads, err := l.take(ctx)
	if err != nil || !leads {
		return err
	}
	keeping, stop := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() {
		for {
			select {
			case <-keeping.Done():
				return
			case <-time.After(l.lasts / 3):
			}
			_, _ = l.take(keeping) // else another one may begin, too
		}
	})
	do(ctx)
	stop()
	kept.Wait()
	return nil
}

// leave lets another process lead at once.
func (l *leader) leave(ctx context.Context) error {
	_, err := l.store.db.exec(ctx, "UPDATE installation SET value = '0000000000000' WHERE name = ? AND value LIKE '% ' || ?", l.name, l.me)
	return err
}

// nextName is where the database has when something is done next that is seldom
// done, so that it is not done at each start.
func nextName(what string) string { return "next-" + what }

// isDue tells whether it is time for something that is seldom done.
func (s *Store) isDue(ctx context.Context, what string) (bool, error) {
	var at int64
	err := s.db.get(ctx, &at, "SELECT CAST(value AS BIGINT) FROM installation WHERE name = ?", nextName(what))
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return at <= s.now(), err
}

// putOff says when it is time for it next.
func (s *Store) putOff(ctx context.Context, what string, wait time.Duration) error {
	_, err := s.db.exec(ctx, "INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
		nextName(what), strconv.FormatInt(s.now()+wait.Milliseconds(), 10))
	return err
}
