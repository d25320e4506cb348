package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// Tables are the database of an installation without what stands on it: for
// looking after the tables themselves. Close it, unless it is that of a Store.
type Tables struct{ db *database }

// OpenTables connects to the database and leaves its tables as they are.
func OpenTables(ctx context.Context, c Config) (*Tables, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	db, err := openDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Tables{db}, nil
}

// Tables are those of the store.
func (s *Store) Tables() *Tables { return &Tables{s.db} }

// Contents are the storage of the store.
func (s *Store) Contents() *Contents { return s.contents }

// Empty tells whether nobody has used the database yet.
func (t *Tables) Empty(ctx context.Context) (bool, error) {
	columns, err := t.db.columns(ctx)
	if err != nil || len(columns) == 0 {
		return err == nil, err
	}
	var used bool
	err = t.db.get(ctx, &used, "SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM workspaces)")
	return !used, err
}

// Close ends the connections.
func (t *Tables) Close() error { return t.db.close() }

// Migration is one step of the tables from version to version.
type Migration struct {
	Version int64
	Name    string
	Applied *time.Time // nil when the database does not have it yet
	// Contracts is the first version whose programs do without what the migration
	// takes away; 0 when it only adds.
	Contracts int64
}

// State tells which migrations there are, in their order, and the version of the
// tables, which may be newer than the last of them. A database without tables
// has version 0.
func (t *Tables) State(ctx context.Context) (all []Migration, version int64, err error) {
	provider, err := t.db.migrations()
	if err != nil {
		return nil, 0, err
	}
	status, err := provider.Status(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the state of the tables: %w", err)
	}
	for _, s := range status {
		m := Migration{Version: s.Source.Version, Name: strings.TrimSuffix(path.Base(s.Source.Path), ".sql")}
		if s.State == goose.StateApplied {
			m.Applied = &s.AppliedAt
		}
		_, m.Contracts, err = t.db.migrationText(m.Name)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, m)
	}
	version, err = provider.GetDBVersion(ctx)
	return all, version, err
}

// Latest is the version of the tables that this program knows.
func (t *Tables) Latest() (int64, error) {
	provider, err := t.db.migrations()
	if err != nil {
		return 0, err
	}
	sources := provider.ListSources()
	return sources[len(sources)-1].Version, nil
}

// MigrateTo brings the tables to a version, also back to an older one: then what
// only newer ones hold is lost.
func (t *Tables) MigrateTo(ctx context.Context, version int64) error {
	provider, err := t.db.migrations()
	if err != nil {
		return err
	}
	release, err := t.db.ownTables()
	if err != nil {
		return err
	}
	defer release()
	has, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the state of the tables: %w", err)
	}
	if version < has {
		_, err = provider.DownTo(ctx, version)
	} else {
		_, err = provider.UpTo(ctx, version)
	}
	if err != nil {
		return fmt.Errorf("bringing the tables to version %d: %w", version, err)
	}
	return t.db.tellOldest(ctx, version)
}

// Try does the migrations after the present version up to another, in one
// transaction that is undone, and gives their statements.
func (t *Tables) Try(ctx context.Context, to int64) (statements string, err error) {
	all, version, err := t.State(ctx)
	if err != nil {
		return "", err
	}
	errUndo := errors.New("this was a try")
	err = t.db.inTx(ctx, func(tx tx) error {
		if t.db.dialect.name == "postgres" { // a service that works is not to wait for long
			if _, err := tx.exec(ctx, "SET LOCAL lock_timeout = '3s'"); err != nil {
				return err
			}
		}
		for _, m := range all {
			if m.Version <= version || m.Version > to {
				continue
			}
			text, _, err := t.db.migrationText(m.Name)
			if err != nil {
				return err
			}
			statements += "-- " + m.Name + "\n" + text
			if _, err := tx.t.ExecContext(ctx, text); err != nil {
				return fmt.Errorf("trying the migration %s: %w", m.Name, err)
			}
		}
		return errUndo
	})
	if errors.Is(err, errUndo) {
		err = nil
	}
	return statements, err
}

// contractsMark stands in a migration that takes something away. It names the
// first version of the tables whose programs do without it, and why it can go.
var contractsMark = regexp.MustCompile(`(?m)^-- contracts: (\d+) \(.+\)$`)

// migrationText is the way up of a migration, and its mark.
func (d *database) migrationText(name string) (up string, contracts int64, err error) {
	doc, err := fs.ReadFile(migrations, "migrations/"+d.dialect.name+"/"+name+".sql")
	if err != nil {
		return "", 0, err
	}
	if mark := contractsMark.FindSubmatch(doc); mark != nil {
		contracts, err = strconv.ParseInt(string(mark[1]), 10, 64)
	}
	_, up, _ = strings.Cut(string(doc), "-- +goose Up\n")
	up, _, _ = strings.Cut(up, "-- +goose Down")
	return up, contracts, err
}
