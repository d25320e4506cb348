package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
)

// PostgreSQL's codes for what a row may break and for a server at its limits.
const (
	pgForeignKey         = "23503"
	pgUnique             = "23505"
	pgSerialization      = "40001"
	pgDeadlock           = "40P01"
	pgTooManyConnections = "53300"
	pgDiskFull           = "53100"
	pgShuttingDown       = "57P01"
	pgCrashing           = "57P02"
	pgStartingUp         = "57P03"
)

// pgAway tells of a server that refuses, restarts or cannot be reached now.
func pgAway(err error) bool {
	return isBroken(err) || pgCode(pgSerialization, pgDeadlock, pgTooManyConnections, pgDiskFull, pgShuttingDown, pgCrashing, pgStartingUp)(err)
}

func postgresDialect() dialect {
	return dialect{
		name:      "postgres",
		bind:      sqlx.DOLLAR,
		isUnique:  pgCode(pgUnique),
		isForeign: pgCode(pgForeignKey),
		isBusy:    pgAway,

		skipLocked: "FOR UPDATE SKIP LOCKED",
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
		return nil, settingProblem("ConnectionStrings__Database", "not a PostgreSQL address; accepted: postgres://user:password@host:port/database")
	}
	pool := sqlx.NewDb(stdlib.OpenDB(*config), "pgx")
	pool.SetMaxOpenConns(c.Connections)
	pool.SetMaxIdleConns(c.Connections)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to PostgreSQL at %s:%d: %w", config.Host, config.Port, err), pool.Close())
	}
	return &database{dialect: postgresDialect(), write: pool, read: pool, log: c.Log.Info}, nil
}
