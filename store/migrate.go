package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the tables up to date. On PostgreSQL a lock lets one
// of several starting processes do it; on SQLite only the owner of the file
// may, as the tables of a running service must not change under it.
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
	if d.dialect.name == "sqlite" && d.lock == nil {
		held, err := lockFile(d.file + ".lock")
		if err != nil {
			return err
		}
		defer func() { _ = held.release() }()
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("bringing the tables up to date: %w", err)
	}
	d.log("tables brought up to date", "migrations", len(done))
	return nil
}

// refuseNewer keeps an older program away from tables it does not know.
func (d *database) refuseNewer(ctx context.Context, provider *goose.Provider) error {
	has, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("reading the state of the tables: %w", err)
	}
	if has > known {
		return settingProblem("ConnectionStrings__Database", "the tables are of a newer version of quire (%d; this one knows %d); start that version", has, known)
	}
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
