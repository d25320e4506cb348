//go:build unix

package storetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// PgBouncer stands before a database in transaction mode, as many hosts offer
// it: each transaction gets whichever of five connections is free.
func PgBouncer(t testing.TB, database string) (address string) {
	t.Helper()
	return PgBouncerIn(t, "transaction", database)
}

// PgBouncerIn is PgBouncer in one of its modes: session, transaction or statement.
func PgBouncerIn(t testing.TB, mode, database string) (address string) {
	t.Helper()
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		path = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(path); err != nil {
		judges.Missing(t, "PgBouncer is not installed (Debian: pgbouncer)")
	}
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	dir, port := folder(t, "quire-pgbouncer-"), freePort(t)
	as := postgresUser(t, dir)
	password, has := u.User.Password()
	if has {
		password = " password=" + password
	}
	lines := fmt.Sprintf(`[databases]
* = host=%s port=%s user=%s%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = %s
default_pool_size = 5
max_client_conn = 500
server_login_retry = 1
`, u.Hostname(), u.Port(), u.User.Username(), password, port, mode)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	program{stopWith: "INT", as: as, dir: dir, command: []string{path, file}}.start(t)
	u.Host, u.User = "127.0.0.1:"+port, url.User(u.User.Username())
	server := &PostgresServer{address: u.String()}
	await(t, dir, func(ctx context.Context) error { return server.ping(ctx) })
	return server.address
}
