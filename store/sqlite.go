package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

func sqliteDialect() dialect {
	return dialect{
		name:      "sqlite",
		bind:      sqlx.QUESTION,
		isUnique:  sqliteCode(sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY),
		isForeign: sqliteCode(sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY),
		isBusy:    sqliteCode(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL),

		now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
	}
}

func sqliteCode(codes ...int) func(error) bool {
	return func(err error) bool {
		var e *sqlite.Error
		if !errors.As(err, &e) {
			return false
		}
		for _, c := range codes {
			if e.Code() == c {
				return true
			}
		}
		return false
	}
}

// openSQLite opens the file, making it and its folder when absent. With
// Exclusive it takes the lock beside the file first.
func openSQLite(ctx context.Context, path string, c Config) (*database, error) {
	file, err := filepath.Abs(path)
	if err != nil || path == "" {
		return nil, settingProblem("ConnectionStrings__Database", "sqlite: needs the path of a file")
	}
	if err := MakeFolder(filepath.Dir(file)); err != nil {
		return nil, fmt.Errorf("making the folder of the database: %w", err)
	}
	d := &database{dialect: sqliteDialect(), file: file, unsynced: c.Unsynced, log: c.Log.Info}
	if c.Exclusive {
		if d.lock, err = lockFile(file + ".lock"); err != nil {
			return nil, err
		}
	}
	if err := d.openPools(ctx); err != nil {
		return nil, errors.Join(err, d.lock.release())
	}
	return d, nil
}

func (d *database) openPools(ctx context.Context) (err error) {
	// The file holds password hashes and sealed secrets: for its owner only.
	f, err := os.OpenFile(d.file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	// SQLite puts the names of its journals on disk, but not that of the file.
	if err := errors.Join(f.Close(), SyncFolder(filepath.Dir(d.file))); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if d.write, err = openPool(ctx, d.sqliteAddress(url.Values{"_txlock": {"immediate"}}), 1); err != nil {
		return err
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	d.read, err = openPool(ctx, d.sqliteAddress(url.Values{"_pragma": {"query_only(1)"}}), readers)
	if err != nil {
		return errors.Join(err, d.write.Close())
	}
	return nil
}

func openPool(ctx context.Context, address string, size int) (*sqlx.DB, error) {
	pool, err := sqlx.Open("sqlite", address)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database: %w", err), pool.Close())
	}
	return pool, nil
}

// sqliteAddress writes the connection settings. With synchronous=FULL what was
// committed outlasts a power cut; with NORMAL one may lose the last transactions
// but never damages the file. A killed process loses nothing in either.
func (d *database) sqliteAddress(more url.Values) string {
	synchronous := "synchronous(FULL)"
	if d.unsynced {
		synchronous = "synchronous(NORMAL)"
	}
	q := url.Values{"_pragma": {
		"busy_timeout(10000)",
		"journal_mode(WAL)",
		synchronous,
		"foreign_keys(1)",
		"temp_store(MEMORY)",
		"journal_size_limit(67108864)",
	}}
	for name, values := range more {
		q[name] = append(q[name], values...)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(d.file), RawQuery: q.Encode()}
	return address.String()
}
