//go:build unix

package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // the driver of SQLite
)

// Migrated gives databases whose tables are up to date already: the migrations
// run once in a process, as under the race detector they take longer than most
// tests. They belong to no installation yet, as new ones do.
type Migrated struct {
	// Open opens a store on an address and a folder for contents, which brings the tables up to date.
	Open func(ctx context.Context, database, storage string) (io.Closer, error)

	mu       sync.Mutex
	file     []byte                     // of SQLite
	database map[*PostgresServer]string // the name of the one that others are made like
}

// SQLite is the address of a file of the test's own.
func (m *Migrated) SQLite(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quire.db")
	m.WriteSQLite(t, path)
	return "sqlite:" + path
}

// WriteSQLite writes the file to where a test wants it.
func (m *Migrated) WriteSQLite(t testing.TB, path string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		first := filepath.Join(t.TempDir(), "migrated.db")
		m.migrate(t, "sqlite:"+first)
		forget(t, "sqlite", first)
		content, err := os.ReadFile(first)
		if err != nil {
			t.Fatal(err)
		}
		m.file = content
	}
	if err := os.WriteFile(path, m.file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Postgres is the address of a database that is dropped when the test ends.
func (m *Migrated) Postgres(t testing.TB, server *PostgresServer) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	like, made := m.database[server]
	if !made {
		like = fmt.Sprintf("quire_migrated_%d_%d", os.Getpid(), len(m.database))
		server.exec(t, "CREATE DATABASE "+like)
		server.dropLater(server.owner, like)
		address := server.at(t, like)
		m.migrate(t, address)
		forget(t, "pgx", address)
		if m.database == nil {
			m.database = map[*PostgresServer]string{}
		}
		m.database[server] = like
	}
	return server.create(t, "TEMPLATE "+like)
}

func (m *Migrated) migrate(t testing.TB, address string) {
	t.Helper()
	opened, err := m.Open(t.Context(), address, "file://"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
}

// forget takes away what makes a database the one of an installation.
func forget(t testing.TB, driver, address string) {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	statements := []string{"DELETE FROM installation WHERE name <> 'oldest-tables'"}
	if driver == "sqlite" {
		statements = append(statements, "PRAGMA journal_mode = DELETE") // all of it in one file
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
