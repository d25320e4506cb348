package store

import (
	"context"
	"sync"
	"time"

	"github.com/quire-reports/quire/report"
)

// holdName is where the database says until when no content is deleted.
const holdName = "backup-until"

const (
	// holdLasts is how long a hold outlives who took it.
	holdLasts = time.Minute
	// holdSeen is after what time every process knows of a hold.
	holdSeen = time.Second
)

// HoldContents keeps all processes from deleting contents until release, so that
// those which the rows of a snapshot name can be copied after it. What is left
// behind is swept as orphans are. There is one hold at a time.
func (s *Store) HoldContents(ctx context.Context) (release func(), err error) {
	until := "CAST(" + s.shared() + " + ? AS TEXT)"
	n, err := s.db.exec(ctx, `INSERT INTO installation (name, value) VALUES (?, `+until+`)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE CAST(installation.value AS BIGINT) < `+s.shared(), holdName, holdLasts.Milliseconds())
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, &report.Problem{Kind: report.Conflict, Message: "another backup is under way; of one that was ended halfway that holds for a minute"}
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-time.After(holdLasts / 6):
			case <-renewing.Done():
				return
			}
			if _, err := s.db.exec(renewing, "UPDATE installation SET value = "+until+" WHERE name = ?", holdLasts.Milliseconds(), holdName); err != nil {
				s.log.Warn("a backup cannot keep contents from being deleted", "error", err)
			}
		}
	})
	release = sync.OnceFunc(func() {
		stop()
		done.Wait()
		if _, err := s.db.exec(context.WithoutCancel(ctx), "UPDATE installation SET value = '0' WHERE name = ?", holdName); err != nil {
			s.log.Warn("contents are kept for another minute after a backup", "error", err)
		}
	})
	select {
	case <-time.After(holdSeen + holdSeen/2):
		return release, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

// hold tells whether contents are held, with what was known a second ago.
type hold struct {
	ask   func(context.Context) (bool, error)
	mu    sync.Mutex
	asked time.Time
	held  bool
}

// on is also true when it is not known: a content that stays too long is swept,
// and one that goes too early is lost.
func (h *hold) on(ctx context.Context) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.asked) < holdSeen {
		return h.held
	}
	now := time.Now()
	held, err := h.ask(ctx)
	if err != nil {
		return true
	}
	h.asked, h.held = now, held
	return held
}

func (s *Store) contentsHeld(ctx context.Context) (held bool, err error) {
	err = s.db.get(ctx, &held, "SELECT EXISTS (SELECT 1 FROM installation WHERE name = ? AND CAST(value AS BIGINT) > "+s.shared()+")", holdName)
	return held, err
}

// plannedName is where the database has the last planned time of a backup.
const plannedName = "backup-planned"

// TakeBackup tells whether the backup that is planned for a time is this
// process's to make: of several one makes it.
func (s *Store) TakeBackup(ctx context.Context, planned time.Time) (bool, error) {
	n, err := s.db.exec(ctx, `INSERT INTO installation (name, value) VALUES (?, CAST(CAST(? AS BIGINT) AS TEXT))
		ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE CAST(installation.value AS BIGINT) < CAST(excluded.value AS BIGINT)`, plannedName, planned.UnixMilli())
	return n > 0, err
}

// endedName is where the database has when the last backup ended well.
const endedName = "backup-ended"

// NoteBackup remembers when a backup ended well.
func (s *Store) NoteBackup(ctx context.Context, ended time.Time) error {
	_, err := s.db.exec(ctx, "INSERT INTO installation (name, value) VALUES (?, CAST(CAST(? AS BIGINT) AS TEXT)) ON CONFLICT (name) DO UPDATE SET value = excluded.value", endedName, ended.UnixMilli())
	return err
}

// LastBackup tells when a backup last ended well; the zero time when none did.
func (s *Store) LastBackup(ctx context.Context) (time.Time, error) {
	var ended []int64
	err := s.db.list(ctx, &ended, "SELECT CAST(value AS BIGINT) FROM installation WHERE name = ?", endedName)
	if err != nil || len(ended) == 0 {
		return time.Time{}, err
	}
	return fromMillis(ended[0]), nil
}
