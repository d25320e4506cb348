package store

import (
	"context"
	"slices"
	"time"
)

// Process is one that takes tasks.
type Process struct {
	Name    string `db:"name"` // new with each start
	Host    string `db:"host"`
	Role    string `db:"role"` // service or worker
	Version string `db:"version"`
	Work    Work   `db:"work"`   // empty: all
	Places  int    `db:"places"` // tasks at the same time

	StartedMS int64 `db:"started_at"`
}

// Started is when it began, by the clock of the database.
func (p *Process) Started() time.Time { return fromMillis(p.StartedMS) }

// Does tells whether it does some work.
func (p *Process) Does(w Work) bool { return p.Work == "" || p.Work == w }

// Announce says that a process takes tasks, for as long as it lasts to say so again.
// Those that were not heard of for longer are forgotten.
func (s *Store) Announce(ctx context.Context, p Process, lasts time.Duration) error {
	now := s.shared()
	if _, err := s.db.exec(ctx, "DELETE FROM processes WHERE expires_at <= "+now); err != nil {
		return err
	}
	_, err := s.db.exec(ctx, `INSERT INTO processes (name, host, role, version, work, places, started_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, `+now+", "+now+` + ?)
		ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`, p.Name, p.Host, p.Role, p.Version, p.Work, p.Places, lasts.Milliseconds())
	return err
}

// Depart says that a process takes no more tasks.
func (s *Store) Depart(ctx context.Context, name string) error {
	_, err := s.db.exec(ctx, "DELETE FROM processes WHERE name = ?", name)
	return err
}

// Fleet lists the processes that take tasks.
func (s *Store) Fleet(ctx context.Context) ([]Process, error) {
	list := []Process{}
	err := s.db.list(ctx, &list, "SELECT name, host, role, version, work, places, started_at FROM processes WHERE expires_at > "+s.shared()+" ORDER BY host, started_at, name")
	return list, err
}

// LeftUndone is the work that waits though no process does it. One of the version before
// does not say that it is there, but holds what it does.
func (s *Store) LeftUndone(ctx context.Context) (left []Work, err error) {
	fleet, err := s.Fleet(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range Works() {
		if slices.ContainsFunc(fleet, func(p Process) bool { return p.Does(w) }) {
			continue
		}
		_, waits, err := s.Waits(ctx, Batch, w)
		if err != nil {
			return nil, err
		}
		var held bool
		if err := s.db.get(ctx, &held, "SELECT EXISTS (SELECT 1 FROM queue WHERE owner > '' AND lease_until > "+s.shared()+w.also()+")"); err != nil {
			return nil, err
		}
		if waits && !held {
			left = append(left, w)
		}
	}
	return left, nil
}
