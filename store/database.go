package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
)

// dialect is what differs between the databases; queries are written once,
// with ? for arguments.
type dialect struct {
	name      string // folder of its migrations
	bind      int    // how sqlx writes arguments
	isUnique  func(error) bool
	isForeign func(error) bool
	isBusy    func(error) bool
	// skipLocked ends the SELECT of rows to take, so that others pass them over.
	skipLocked string
	// forUpdate ends the SELECT of rows that are locked, in the order of the SELECT.
	forUpdate string
	// arrays is set where a list is one argument; see among.
	arrays bool
	// now is the time of the database in milliseconds, the same all through a
	// statement. Hosts that share a database have clocks that differ.
	now string
}

// database holds the pools. SQLite allows one writer at a time, so its write
// pool has one connection and waiting happens in Go, in order; PostgreSQL uses
// one pool for both.
type database struct {
	dialect
	write, read *sqlx.DB
	lock        *fileLock                 // nil unless this process owns an SQLite file
	file        string                    // path of the SQLite file
	unsynced    bool                      // Config.Unsynced
	listener    *pgx.ConnConfig           // of the connection that is told of work; nil on SQLite
	renewed     atomic.Pointer[time.Time] // when the connections to PostgreSQL were given up
	log         func(msg string, args ...any)
	tell        func([]AuditEvent) // is told what was recorded; may be nil
}

func openDatabase(ctx context.Context, c Config) (*database, error) {
	switch {
	case strings.HasPrefix(c.Database, "sqlite:"):
		return openSQLite(ctx, strings.TrimPrefix(c.Database, "sqlite:"), c)
	case strings.HasPrefix(c.Database, "postgres://"), strings.HasPrefix(c.Database, "postgresql://"):
		return openPostgres(ctx, c)
	}
	return nil, settingProblem("ConnectionStrings__Database", "unknown kind of database; accepted: sqlite:{path} and postgres://…")
}

func (d *database) ping(ctx context.Context) error {
	if d.dialect.name == "postgres" {
		return d.takesChanges(ctx)
	}
	var one int
	return d.get(ctx, &one, "SELECT 1")
}

func (d *database) close() error {
	err := d.write.Close()
	if d.read != d.write {
		err = errors.Join(err, d.read.Close())
	}
	return errors.Join(err, d.lock.release())
}

// get reads one row, or sql.ErrNoRows.
func (d *database) get(ctx context.Context, dest any, query string, args ...any) error {
	return d.translate(d.read.GetContext(ctx, dest, d.read.Rebind(query), args...))
}

// list reads rows; without any, dest becomes an empty slice.
func (d *database) list(ctx context.Context, dest any, query string, args ...any) error {
	return d.translate(d.read.SelectContext(ctx, dest, d.read.Rebind(query), args...))
}

// exec changes rows and tells how many.
func (d *database) exec(ctx context.Context, query string, args ...any) (int, error) {
	return d.affected(d.write.ExecContext(ctx, d.write.Rebind(query), args...))
}

// change is list on the write pool, for statements that change rows and return
// them.
func (d *database) change(ctx context.Context, dest any, query string, args ...any) error {
	return d.translate(d.write.SelectContext(ctx, dest, d.write.Rebind(query), args...))
}

// fetch is get on the write pool, for statements that change rows and return one.
func (d *database) fetch(ctx context.Context, dest any, query string, args ...any) error {
	return d.translate(d.write.GetContext(ctx, dest, d.write.Rebind(query), args...))
}

func (d *database) affected(r sql.Result, err error) (int, error) {
	if err != nil {
		return 0, d.translate(err)
	}
	n, err := r.RowsAffected()
	return int(n), err
}

// tx is a transaction that writes.
type tx struct {
	db       *database
	t        *sqlx.Tx
	recorded *[]AuditEvent // in it, when somebody is told
}

func (t tx) get(ctx context.Context, dest any, query string, args ...any) error {
	return t.db.translate(t.t.GetContext(ctx, dest, t.t.Rebind(query), args...))
}

func (t tx) list(ctx context.Context, dest any, query string, args ...any) error {
	return t.db.translate(t.t.SelectContext(ctx, dest, t.t.Rebind(query), args...))
}

func (t tx) exec(ctx context.Context, query string, args ...any) (int, error) {
	return t.db.affected(t.t.ExecContext(ctx, t.t.Rebind(query), args...))
}

// inTx runs do in a transaction; an error or a panic undoes all of it.
func (d *database) inTx(ctx context.Context, do func(tx) error) error {
	t, err := d.write.BeginTxx(ctx, nil)
	if err != nil {
		return d.translate(err)
	}
	defer func() { _ = t.Rollback() }() // after Commit it does nothing
	var recorded []AuditEvent
	to := &recorded
	if d.tell == nil {
		to = nil
	}
	if err := do(tx{d, t, to}); err != nil {
		return err
	}
	if err := t.Commit(); err != nil {
		return d.translate(fmt.Errorf("ending a transaction: %w", err))
	}
	if len(recorded) > 0 {
		d.tell(recorded)
	}
	return nil
}
