package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3/lock"
)

// PostgreSQL's codes for what a row may break and for a server at its limits.
const (
	pgConnection         = "08" // and what follows
	pgForeignKey         = "23503"
	pgUnique             = "23505"
	pgSerialization      = "40001"
	pgDeadlock           = "40P01"
	pgTooManyConnections = "53300"
	pgDiskFull           = "53100"
	pgShuttingDown       = "57P01"
	pgCrashing           = "57P02"
	pgStartingUp         = "57P03"
	pgReadOnly           = "25006"
)

// pgAway tells of a server that refuses, restarts or cannot be reached now, also when a
// pooler says so.
func pgAway(err error) bool {
	var e *pgconn.PgError
	return isBroken(err) || errors.As(err, &e) && strings.HasPrefix(e.Code, pgConnection) || pgCode(pgSerialization, pgDeadlock, pgTooManyConnections, pgDiskFull, pgShuttingDown, pgCrashing, pgStartingUp, pgReadOnly)(err)
}

// OnServer reports whether the database is a server of its own, which may be away
// while this program works.
func (s *Store) OnServer() bool { return s.db.dialect.name == "postgres" }

func postgresDialect() dialect {
	return dialect{
		name:      "postgres",
		bind:      sqlx.DOLLAR,
		isUnique:  pgCode(pgUnique),
		isForeign: pgCode(pgForeignKey),
		isBusy:    pgAway,

		skipLocked: "FOR UPDATE SKIP LOCKED",
		forUpdate:  "FOR UPDATE",
		arrays:     true,
		now:        "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)",
	}
}

func pgCode(codes ...string) func(error) bool {
	return func(err error) bool {
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			return false
		}
		for _, c := range codes {
			if e.Code == c {
				return true
			}
		}
		return false
	}
}

func openPostgres(ctx context.Context, c Config) (*database, error) {
	config, err := pgx.ParseConfig(c.Database)
	if err != nil {
		// pgx quotes the address in its message, and passwords with it.
		return nil, settingProblem("ConnectionStrings__Database", "%s", CheckAddress(c.Database))
	}
	d := &database{dialect: postgresDialect(), log: c.Log.Info}
	if err := d.mindPooler(ctx, c.Database, config); errors.Is(err, errByStatement) {
		return nil, settingProblem("ConnectionStrings__Database", "%s", errByStatement)
	} else if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL at %s:%d: %w", config.Host, config.Port, err)
	}
	d.listener = config.Copy()
	d.listener.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	pool := sqlx.NewDb(stdlib.OpenDB(*config, stdlib.OptionAfterConnect(noteOpened), stdlib.OptionResetSession(d.refuseStale)), "pgx")
	pool.SetMaxOpenConns(c.Connections)
	pool.SetMaxIdleConns(c.Connections)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to PostgreSQL at %s:%d: %w", config.Host, config.Port, err), pool.Close())
	}
	d.write, d.read = pool, pool
	return d, nil
}

// mindPooler finds out whether a pooler such as PgBouncer stands before the
// server: the number of the process that it tells is not that of the one that
// answers. In transaction mode statements that were prepared may be unknown on
// the connection of the next transaction, so then none are, unless the address
// says how.
func (d *database) mindPooler(ctx context.Context, address string, config *pgx.ConnConfig) error {
	if strings.Contains(address, "default_query_exec_mode=") {
		return nil
	}
	once := config.Copy()
	once.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, once)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	var process uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
		return err
	}
	if process != conn.PgConn().PID() {
		if err := lendsTransactions(ctx, conn); err != nil {
			return err
		}
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		d.log("a connection pooler stands before PostgreSQL; statements are not prepared")
	}
	return nil
}

var errByStatement = errors.New("the connection pooler before PostgreSQL lends a connection for one statement only; accepted: for a transaction or longer (of PgBouncer, pool_mode = transaction or session)")

// lendsTransactions tells whether a pooler leaves a connection to whoever began a
// transaction: in PgBouncer's mode of single statements it refuses to begin one.
func lendsTransactions(ctx context.Context, conn *pgx.Conn) error {
	t, err := conn.Begin(ctx)
	switch {
	case err == nil:
		return t.Rollback(ctx)
	case pgAway(err) && !strings.Contains(err.Error(), "statement pooling"): // PgBouncer has one code for all
		return err
	}
	return fmt.Errorf("%w: %w", errByStatement, err)
}

// openedAt is when a connection was opened, in its custom data.
const openedAt = "quire opened at"

func noteOpened(_ context.Context, conn *pgx.Conn) error {
	conn.PgConn().CustomData()[openedAt] = time.Now()
	return nil
}

// renewEvery bounds how often connections are given up, as each that is opened
// anew may lead to the same server that takes no changes.
const renewEvery = time.Second

// renew gives up the connections that there are, when each is used next: they
// lead to a server, or began at a time, that takes no changes.
func (d *database) renew() {
	now := time.Now()
	if before := d.renewed.Load(); before == nil || now.Sub(*before) >= renewEvery {
		d.renewed.Store(&now)
	}
}

func (d *database) refuseStale(_ context.Context, conn *pgx.Conn) error {
	opened, _ := conn.PgConn().CustomData()[openedAt].(time.Time)
	if renewed := d.renewed.Load(); renewed != nil && opened.Before(*renewed) {
		return driver.ErrBadConn
	}
	return nil
}

// takesChanges asks the server whether it does, or is a replica or switched to
// reading only.
func (d *database) takesChanges(ctx context.Context) error {
	var readOnly bool
	err := d.get(ctx, &readOnly, "SELECT current_setting('transaction_read_only')::bool OR pg_is_in_recovery()")
	if err == nil && readOnly {
		d.renew()
		return isAway("the database", errReadOnly)
	}
	return err
}

var errReadOnly = errors.New("the database takes no changes: it is a replica or was switched to reading only")

// migrationLock lets one of several starting processes bring the tables up to
// date. It is the lock of a transaction, which a pooler keeps on one connection;
// that of a session could stay behind on a connection that is somebody else's by then.
type migrationLock struct {
	db *sql.DB
	tx *sql.Tx
}

func (l *migrationLock) SessionLock(ctx context.Context, _ *sql.Conn) (err error) {
	if l.tx, err = l.db.BeginTx(ctx, nil); err != nil {
		return err
	}
	_, err = l.tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lock.DefaultLockID)
	return err
}

func (l *migrationLock) SessionUnlock(context.Context, *sql.Conn) error { return l.tx.Rollback() }
