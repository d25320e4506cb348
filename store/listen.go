package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// queueChannel is where PostgreSQL tells of work that was queued.
	queueChannel = "quire_queue"
	// listenAgain is how long is waited before a lost connection is made anew.
	listenAgain = 5 * time.Second
)

// ListenQueue calls queued when any process may have queued work, until ctx ends.
// It returns at once where nothing is told: SQLite has one process, and behind a
// pooler in transaction mode no connection is the same for long. Who listens still
// looks into the queue now and then, as what is told may be lost.
func (s *Store) ListenQueue(ctx context.Context, queued func()) {
	if s.db.listener == nil {
		return
	}
	for ctx.Err() == nil {
		pooled, err := listenOnce(ctx, s.db.listener, queued)
		if pooled {
			return
		}
		if err != nil && ctx.Err() == nil {
			s.log.Info("nothing is told of work that is queued; it is looked for until it is again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

// listenOnce listens for as long as a connection lasts.
func listenOnce(ctx context.Context, config *pgx.ConnConfig, queued func()) (pooled bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var process uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil || process != conn.PgConn().PID() {
		return err == nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+queueChannel); err != nil {
		return false, err
	}
	for {
		queued() // also of what was queued before it listened
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return false, err
		}
	}
}

// tellQueued tells those who listen of work, once the transaction is committed.
func (t tx) tellQueued(ctx context.Context) error {
	if t.db.listener == nil {
		return nil
	}
	_, err := t.exec(ctx, "SELECT pg_notify('"+queueChannel+"', '')")
	return err
}
