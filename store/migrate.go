package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the tables up to date. On PostgreSQL a lock lets one
// of several starting processes do it.
func (d *database) migrate(ctx context.Context) error {
	provider, err := d.migrations()
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("reading the state of the tables: %w", err)
	}
	if !pending {
		return d.refuseNewer(ctx, provider)
	}
	release, err := d.ownTables()
	if err != nil {
		return err
	}
	defer release()
	done, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("bringing the tables up to date: %w", err)
	}
	if len(done) > 0 {
		d.log("tables brought up to date", "migrations", len(done))
		return d.tellOldest(ctx, done[len(done)-1].Source.Version)
	}
	return nil
}

// ownTables is the right to change the tables. On SQLite only the owner of the
// file has it, as those of a running service must not change under it.
func (d *database) ownTables() (release func(), err error) {
	if d.dialect.name != "sqlite" || d.lock != nil {
		return func() {}, nil
	}
	held, err := lockFile(d.file + ".lock")
	return func() { _ = held.release() }, err
}

// oldestName is where the tables say which is the oldest version whose programs
// can still work on them.
const oldestName = "oldest-tables"

// tellOldest writes it: what has been contracted up to a version.
func (d *database) tellOldest(ctx context.Context, version int64) error {
	provider, err := d.migrations()
	if err != nil {
		return err
	}
	oldest := int64(0)
	for _, source := range provider.ListSources() {
		if source.Version > version {
			break
		}
		_, contracts, err := d.migrationText(strings.TrimSuffix(path.Base(source.Path), ".sql"))
		if err != nil {
			return err
		}
		oldest = max(oldest, contracts)
	}
	_, err = d.exec(ctx, "INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", oldestName, strconv.FormatInt(oldest, 10))
	return err
}

// refuseNewer keeps an older program away from tables that it cannot work on.
// Newer ones that only have more are fine: so one version after the other can be
// put in place while the service goes on, and taken back.
func (d *database) refuseNewer(ctx context.Context, provider *goose.Provider) error {
	has, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("reading the state of the tables: %w", err)
	}
	if has <= known {
		return nil
	}
	var text string
	if err := d.get(ctx, &text, "SELECT value FROM installation WHERE name = ?", oldestName); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if oldest, err := strconv.ParseInt(text, 10, 64); err != nil || oldest > known {
		return settingProblem("ConnectionStrings__Database", "the tables are of a newer version of quire (%d; this one knows %d), which has taken away what this one needs; start that version", has, known)
	}
	d.log("the tables are of a newer version of quire, which this one can work on", "tables", has, "known", known)
	return nil
}

func (d *database) migrations() (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations/"+d.dialect.name)
	if err != nil {
		return nil, err
	}
	if d.dialect.name == "sqlite" {
		return goose.NewProvider(goose.DialectSQLite3, d.write.DB, folder)
	}
	return goose.NewProvider(goose.DialectPostgres, d.write.DB, folder, goose.WithSessionLocker(&migrationLock{db: d.write.DB}))
}
