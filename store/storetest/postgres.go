//go:build unix

package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of Database

	"github.com/quire-reports/quire/internal/judges"
)

// PostgresServer is a PostgreSQL that tests make databases on.
type PostgresServer struct {
	owner     testing.TB // whose end it ends with
	address   string
	databases atomic.Int32
	child     *child // nil when it is not ours
}

// Postgres is the server of QUIRE_TEST_POSTGRES (an address of a user who may
// create databases), or else a private one that ends with the test.
func Postgres(t testing.TB) *PostgresServer {
	t.Helper()
	if address := os.Getenv("QUIRE_TEST_POSTGRES"); address != "" {
		return &PostgresServer{owner: t, address: address}
	}
	return PrivatePostgres(t)
}

// PrivatePostgres is a server of this test alone, which may be restarted; settings
// are those of postgresql.conf, such as fsync=on.
func PrivatePostgres(t testing.TB, settings ...string) *PostgresServer {
	t.Helper()
	bin := postgresFolder()
	if bin == "" {
		judges.Missing(t, "PostgreSQL is not installed (Debian: postgresql); or set QUIRE_TEST_POSTGRES")
	}
	dir := folder(t, "quire-postgres-")
	as := postgresUser(t, dir)
	run(t, as, dir, filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "quire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	port := freePort(t)
	// A test's data need not survive a power cut.
	command := []string{filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"), "-p", port, "-k", dir}
	for _, setting := range append([]string{"listen_addresses=127.0.0.1", "fsync=off", "max_connections=200"}, settings...) {
		command = append(command, "-c", setting)
	}
	child := program{stopWith: "QUIT", as: as, dir: dir, command: command}.start(t)
	server := &PostgresServer{owner: t, address: "postgres://quire@127.0.0.1:" + port + "/postgres?sslmode=disable", child: child}
	await(t, dir, server.ping)
	return server
}

// Restart ends the server without letting anything end (PostgreSQL calls it an
// immediate shutdown), leaves it away for a while and starts it again on its
// data.
func (p *PostgresServer) Restart(t testing.TB, away time.Duration) {
	t.Helper()
	p.Away(t, func() { time.Sleep(away) })
}

// Away is Restart for tests that do something while the server is away.
func (p *PostgresServer) Away(t testing.TB, meanwhile func()) {
	t.Helper()
	p.child.stop()
	meanwhile()
	p.child.start(t)
	await(t, p.child.dir, p.ping)
}

// Database makes an empty database that is dropped when the test ends.
func (p *PostgresServer) Database(t testing.TB) string {
	t.Helper()
	return p.create(t, "")
}

// create makes a database that is dropped when the test ends.
func (p *PostgresServer) create(t testing.TB, like string) string {
	t.Helper()
	name := fmt.Sprintf("quire_test_%d_%d", os.Getpid(), p.databases.Add(1))
	p.exec(t, "CREATE DATABASE "+name+" "+like)
	p.dropLater(t, name)
	return p.at(t, name)
}

// dropLater drops a database when the test ends.
func (p *PostgresServer) dropLater(t testing.TB, name string) {
	t.Cleanup(func() { p.exec(t, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
}

// at is the address of a database of the server.
func (p *PostgresServer) at(t testing.TB, name string) string {
	t.Helper()
	u, err := url.Parse(p.address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func (p *PostgresServer) exec(t testing.TB, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", p.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func (p *PostgresServer) ping(ctx context.Context) error {
	db, err := sql.Open("pgx", p.address)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	return db.PingContext(ctx)
}

// postgresFolder is where the server's programs are: in the path, or Debian's
// newest.
func postgresFolder() string {
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1])
}

// postgresUser is whom the server runs as: PostgreSQL refuses to run as root,
// so root borrows the package's user and gives it the folder.
func postgresUser(t testing.TB, dir string) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		judges.Missing(t, "PostgreSQL does not run as root and there is no user postgres; or set QUIRE_TEST_POSTGRES")
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func run(t testing.TB, as *syscall.Credential, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(name), err, out)
	}
}
