package data

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// postgresServer starts a private PostgreSQL for one test and gives its
// address. It is skipped where none is installed.
func postgresServer(t *testing.T) string {
	t.Helper()
	bin := postgresPrograms()
	if bin == "" {
		judges.Missing(t, "PostgreSQL is not installed (Debian: postgresql); its tests are skipped")
	}
	folder, err := os.MkdirTemp("", "quire-pg") // short: sockets have a limit
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	run := asOrdinaryUser(t, folder)
	cluster := filepath.Join(folder, "data")
	if out, err := run(filepath.Join(bin, "initdb"), "-D", cluster, "-U", "quire", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := freePort(t)
	server := run(filepath.Join(bin, "postgres"), "-D", cluster, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-p", port, "-c", "fsync=off", "-c", "max_connections=20", "-c", "shared_buffers=16MB")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	})
	address := fmt.Sprintf("postgres://quire@127.0.0.1:%s/postgres?sslmode=disable", port)
	waitForPostgres(t, address)
	return address
}

func postgresPrograms() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1])
}

// asOrdinaryUser makes commands that do not run as root, which PostgreSQL
// refuses.
func asOrdinaryUser(t *testing.T, folder string) func(name string, args ...string) *exec.Cmd {
	t.Helper()
	var credential *syscall.Credential
	if os.Getuid() == 0 {
		for _, name := range []string{"postgres", "nobody"} {
			u, err := user.Lookup(name)
			if err != nil {
				continue
			}
			uid, _ := strconv.Atoi(u.Uid)
			gid, _ := strconv.Atoi(u.Gid)
			credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
			break
		}
		if credential == nil {
			judges.Missing(t, "PostgreSQL does not run as root and there is no other user; its tests are skipped")
		}
		if err := os.Chown(folder, int(credential.Uid), int(credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = folder
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
		return cmd
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func waitForPostgres(t *testing.T, address string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 200 {
		if err = db.Ping(); err == nil {
			for _, statement := range shopSchema {
				if _, err := db.Exec(statement); err != nil {
					t.Fatal(err)
				}
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("PostgreSQL did not start: %v", err)
}

func TestPostgres(t *testing.T) {
	address := postgresServer(t)
	l := loader(t, Config{Timeout: 2 * time.Second, Connections: connections{
		"shop": {Type: "postgres", Address: report.Secret(address)}, "web": {Type: "api", Address: "https://example.com"},
		"plain":  {Type: "postgres", Address: report.Secret(strings.TrimSuffix(address, "?sslmode=disable"))}, // it has no TLS, and none is not asked for
		"closed": {Type: "postgres", Address: "postgres://u:topsecret@127.0.0.1:1/x?sslmode=disable"},
	}})
	checkShop(t, l)
	t.Run("values", func(t *testing.T) { checkPostgresValues(t, l) })
	t.Run("faults", func(t *testing.T) { checkPostgresFaults(t, l) })
	t.Run("ends", func(t *testing.T) { checkPostgresEnds(t, l, address) })
}

func TestOnlyTheAddressChoosesTLS(t *testing.T) {
	tests := map[string]bool{
		"postgres://u:p@db.example.com/shop":                                false,
		"postgres://u:p@db.example.com/shop?sslmode=disable":                true,
		"postgresql://db.example.com/shop?user=u&sslmode=prefer":            true,
		"postgres://u:sslmode=disable@db.example.com/shop":                  false,
		"postgres://u:p@db.example.com/shop?password=sslmode%3Ddisable":     false,
		"postgres://u:p@db.example.com/shop?application_name=xsslmode=none": false,
		"host=db.example.com dbname=shop":                                   false,
		"host=db.example.com sslmode=disable dbname=shop":                   true,
		"host=db.example.com sslmode = 'disable'":                           true,
		"host=db.example.com password='it\\'s sslmode=disable'":             false,
		"host=db.example.com password=xsslmode=disable":                     false,
	}
	for address, want := range tests {
		if got := choosesTLS(address); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}

func checkPostgresValues(t *testing.T, l *Loader) {
	tests := []struct{ query, want string }{
		{"select 12345678901234567890.123456789::numeric as v", `12345678901234567890.123456789`},
		{"select 0.10::numeric(10,2) as v", `0.10`},
		{"select 'NaN'::numeric as v", `null`},
		{"select 1.0/3 as v", `0.33333333333333333333`},
		{"select 9223372036854775807::bigint as v", `9223372036854775807`},
		{"select 1.5::float8 as v", `1.5`},
		{"select 'infinity'::float8 as v", `null`},
		{"select 0.1::float4 as v", `0.1`},
		{"select 1e20::float4 as v", `100000000000000000000`},
		{"select '-infinity'::float4 as v", `null`},
		{"select array[0.1]::float4[] as v", `[0.1]`},
		{"select 1234.5::money as v", `1234.50`},
		{"select array[1234.5::money] as v", `[1234.50]`},
		{"select true as v", `true`},
		{"select date '2024-02-29' as v", `"2024-02-29T00:00:00+01:00"`},
		{"select date '2024-07-01' as v", `"2024-07-01T00:00:00+02:00"`},
		{"select timestamp '2024-02-29 17:05:00' as v", `"2024-02-29T17:05:00+01:00"`},
		{"select timestamptz '2024-02-29 17:05:00+00' at time zone 'UTC' as v", `"2024-02-29T17:05:00+01:00"`},
		{"select timestamptz '2024-07-01 17:05:00-04' as v", `"2024-07-01T23:05:00+02:00"`},
		{"select array[timestamptz '2024-07-01 17:05:00+00'] as v", `["2024-07-01 17:05:00+00"]`},
		{"select 'infinity'::timestamptz as v", `"infinity"`},
		{"select '-infinity'::date as v", `"-infinity"`},
		{"select time '17:05:00' as v", `"17:05:00"`},
		{"select timetz '17:05:00.25-04' as v", `"17:05:00.25"`},
		{"select interval '1 day 2 hours' as v", `"1 day 02:00:00"`},
		{"select 'x'::\"char\" as v", `"x"`},
		{`select '{"a": [1, 2.50]}'::jsonb as v`, `{"a":[1,2.50]}`},
		{"select array[1,2,null]::int[] as v", `[1,2,null]`},
		{`select array['a,b','"c"','true','t',null]::text[] as v`, `["a,b","\"c\"","true","t",null]`},
		{"select array[[1,2],[3,4]] as v", `[[1,2],[3,4]]`},
		{"select array[true,false] as v", `[true,false]`},
		{"select array[1.10, 2]::numeric[] as v", `[1.10,2]`},
		{"select array[]::int[] as v", `[]`},
		{`select '\x00ff'::bytea as v`, `"AP8="`},
		{"select '0b5e1c9a-8d1f-4f0e-9b1a-0c9d8e7f6a5b'::uuid as v", `"0b5e1c9a-8d1f-4f0e-9b1a-0c9d8e7f6a5b"`},
		{"select 'ä€😀' as v", `"ä€😀"`},
		{"select :price::numeric as v", `12.50`},
		{"select :big::numeric as v", `12345678901234567890`},
		{"select :on::boolean as v", `true`},
		{"select '42' = :customerId as v", `true`},
		{"select 42.0 = :customerId as v", `true`},
		{"select 'true' = :on as v", `true`},
		{"select '12.50' || '' = :price as v", `true`},
		{"select 'x' || :customerId as v", `"x42"`},
		{"select '2024-02-01' = :from::date::text as v", `true`},
		{"select :from::date as v", `"2024-02-01T00:00:00+01:00"`},
		{"select :tricky::text as v", `"'; DROP TABLE orders; --"`},
		{"select (array[10,20,30])[2:3] as v", `[20,30]`},
		{"select $$it's :name$$ as v", `"it's :name"`},
	}
	for _, tt := range tests {
		got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": tt.query})
		if want := `[{"v":` + tt.want + `}]`; err != nil || got != want {
			t.Errorf("%s: got %s %v", tt.query, got, err)
		}
	}
	got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "timeZone": "UTC", "query": "select timestamp '2024-02-29 17:05:00' as v"})
	if err != nil || got != `[{"v":"2024-02-29T17:05:00Z"}]` {
		t.Errorf("time zone of the source: %s %v", got, err)
	}
}

func checkPostgresFaults(t *testing.T, l *Loader) {
	tests := []struct{ connection, query, want string }{
		{"shop", "select id,\n  :from as d,\n  wibble\nfrom orders", "the query failed at line 3: column \"wibble\" does not exist"},
		{"shop", "select pg_sleep(10)", "took longer than its limit of 2s"},
		{"plain", "select 1", "the PostgreSQL database could not be reached"},
		{"closed", "select 1", "the PostgreSQL database could not be reached"},
		{"shop", "with x as (delete from orders returning id) select * from x", "read-only transaction"},
		{"shop", "select nextval('s')", "does not exist"},
		{"shop", "copy orders to program 'id'", "begins with one of"},
		{"shop", "commit", "begins with one of"},
	}
	for _, tt := range tests {
		_, err := loadOne(t, l, "sql", map[string]any{"connection": tt.connection, "query": tt.query})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", tt.query, err)
		}
	}
}

// checkPostgresEnds looks whether what took too long ends on the server, too, and what a
// report is told of a connection that an administrator ends.
func checkPostgresEnds(t *testing.T, l *Loader, address string) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sleeping := func() (n int) {
		if err := db.QueryRow("select count(*) from pg_stat_activity where query like '%pg_sleep(11)%' and state <> 'idle' and pid <> pg_backend_pid()").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	settle := func(want int) {
		t.Helper()
		for range 200 {
			if sleeping() == want {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%d queries run on the server, not %d", sleeping(), want)
	}
	query := map[string]any{"connection": "shop", "query": "select pg_sleep(11)", "timeout": 1}
	if _, err := loadOne(t, l, "sql", query); err == nil || !strings.Contains(err.Error(), "took longer than its limit of 1s") {
		t.Errorf("an endless query: %v", err)
	}
	settle(0)
	query["timeout"] = 60
	lost := make(chan error)
	go func() {
		_, err := loadOne(t, l, "sql", query)
		lost <- err
	}()
	settle(1)
	if _, err := db.Exec("select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(11)%' and pid <> pg_backend_pid()"); err != nil {
		t.Fatal(err)
	}
	if err := <-lost; err == nil || !strings.Contains(err.Error(), "terminating connection due to administrator command") {
		t.Errorf("a query whose connection is ended: %v", err)
	}
}
